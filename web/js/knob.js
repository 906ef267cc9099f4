// A knob: an arc for the value, a pointer, the name, and the value as text. It is a slider for keyboards and screen readers.

/** Drag for the full range [px], factor with Shift, step of a wheel notch and an arrow key, step of a page key. */
const RANGE = 200;
const FINE = 0.1;
const STEP = 0.01;
const PAGE = 0.1;
/** Angles of the ends of the arc [degrees], clockwise from the top, and radius. */
const END = 135;
const RADIUS = 26;
const SIZE = 64;

const SVG = 'http://www.w3.org/2000/svg';

function svg(name, attributes) {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
}

const point = (degrees, radius) => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [SIZE / 2 + radius * Math.cos(angle), SIZE / 2 + radius * Math.sin(angle)].map((value) => value.toFixed(2));
};

/** The path of an arc between two angles. */
function arc(from, to) {
  const [low, high] = from < to ? [from, to] : [to, from];
  const large = high - low > 180 ? 1 : 0;
  return `M${point(low, RADIUS).join(' ')}A${RADIUS} ${RADIUS} 0 ${large} 1 ${point(high, RADIUS).join(' ')}`;
}

export class Knob {
  /**
   * `options`: label, name for screen readers, hint, hue (force, body or plain), origin 0 to 1 (where the arc begins), initial 0 to 1,
   * show(normalized) as text, change(normalized).
   */
  constructor(options) {
    this.options = options;
    this.value = options.initial;
    this.element = Object.assign(document.createElement('div'), { className: `knob ${options.hue}`, title: options.hint });
    this.element.append(this.dial(), Object.assign(document.createElement('span'), { className: 'label', textContent: options.label }));
    this.output = Object.assign(document.createElement('output'), { className: 'value' });
    this.element.append(this.output);
    this.listen();
    this.paint();
  }

  dial() {
    this.track = svg('path', { class: 'track', d: arc(-END, END) });
    this.arc = svg('path', { class: 'arc' });
    this.pointer = svg('line', { class: 'pointer' });
    this.start = svg('line', { class: 'start' });
    this.slider = svg('svg', { viewBox: `0 0 ${SIZE} ${SIZE}`, role: 'slider', tabindex: 0, 'aria-label': this.options.name, 'aria-valuemin': 0, 'aria-valuemax': 100 });
    this.slider.append(svg('circle', { class: 'face', cx: SIZE / 2, cy: SIZE / 2, r: 17 }), this.track, this.arc, this.start, this.pointer);
    return this.slider;
  }

  listen() {
    const { slider } = this;
    slider.addEventListener('pointerdown', (event) => {
      slider.setPointerCapture?.(event.pointerId);
      this.drag = { x: event.clientX, y: event.clientY };
    });
    slider.addEventListener('pointermove', (event) => {
      if (!this.drag) return;
      const way = event.clientX - this.drag.x - (event.clientY - this.drag.y);
      Object.assign(this.drag, { x: event.clientX, y: event.clientY });
      this.set(this.value + (way / RANGE) * (event.shiftKey ? FINE : 1));
    });
    for (const name of ['pointerup', 'pointercancel']) slider.addEventListener(name, () => { this.drag = null; });
    slider.addEventListener('dblclick', () => this.set(this.options.initial));
    slider.addEventListener('wheel', (event) => {
      if (document.activeElement !== slider) return;
      event.preventDefault();
      this.set(this.value - Math.sign(event.deltaY) * STEP * (event.shiftKey ? FINE : 1));
    }, { passive: false });
    slider.addEventListener('keydown', (event) => this.key(event));
  }

  key(event) {
    const fine = event.shiftKey ? FINE : 1;
    const moves = { ArrowUp: STEP * fine, ArrowRight: STEP * fine, ArrowDown: -STEP * fine, ArrowLeft: -STEP * fine, PageUp: PAGE, PageDown: -PAGE };
    const places = { Home: 0, End: 1, Delete: this.options.initial, Backspace: this.options.initial };
    if (event.key in moves) this.set(this.value + moves[event.key]);
    else if (event.key in places) this.set(places[event.key]);
    else return;
    event.preventDefault();
  }

  /** Moves the knob and reports the change. */
  set(normalized) {
    const value = Math.min(1, Math.max(0, normalized));
    if (value === this.value) return;
    this.value = value;
    this.options.change(value);
    this.paint();
  }

  /** Shows a value of the sound. */
  show(normalized) {
    this.value = normalized;
    this.paint();
  }

  paint() {
    const { value } = this;
    const { origin, show, initial } = this.options;
    const angle = (part) => -END + 2 * END * part;
    this.arc.setAttribute('d', Math.abs(value - origin) < 0.002 ? '' : arc(angle(origin), angle(value)));
    const [[x1, y1], [x2, y2]] = [point(angle(value), 8), point(angle(value), 15)];
    Object.entries({ x1, y1, x2, y2 }).forEach(([name, place]) => this.pointer.setAttribute(name, place));
    const [[a1, b1], [a2, b2]] = [point(angle(initial), 29), point(angle(initial), 32)];
    Object.entries({ x1: a1, y1: b1, x2: a2, y2: b2 }).forEach(([name, place]) => this.start.setAttribute(name, place));
    const text = show(value);
    this.output.textContent = text;
    this.slider.setAttribute('aria-valuenow', (100 * value).toFixed(1));
    this.slider.setAttribute('aria-valuetext', text);
  }
}
