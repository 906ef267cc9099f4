// The keys of a piano on a canvas of buttons, and the keys of the computer. Lower on a key is harder.

import { keyName } from './units.js';

/** The computer's keys from C upwards, by their place on the keyboard. */
const CODES = ['KeyA', 'KeyW', 'KeyS', 'KeyE', 'KeyD', 'KeyF', 'KeyT', 'KeyG', 'KeyY', 'KeyH', 'KeyU', 'KeyJ', 'KeyK', 'KeyO', 'KeyL', 'KeyP'];
const BLACK = [1, 3, 6, 8, 10];
const LEAST_VELOCITY = 0.12;
/** Least width of a white key [px], and the range of octaves of the lowest key. */
const KEY_WIDTH = 44;
const OCTAVES = [1, 7];
const VELOCITIES = { start: 96, least: 8, most: 127, step: 16 };

export class Keyboard {
  /** `callbacks`: press(key, velocity), lift(key), hint(text). */
  constructor(element, callbacks) {
    Object.assign(this, { element, callbacks, octave: 4, velocity: VELOCITIES.start, pointers: new Map(), codes: new Map(), zones: [], lit: new Map() });
    element.addEventListener('pointerdown', (event) => this.pointer(event));
    element.addEventListener('pointermove', (event) => this.pointer(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) element.addEventListener(name, (event) => this.release(event));
    new ResizeObserver(() => this.build()).observe(element);
    window.addEventListener('keydown', (event) => this.computerKey(event));
    window.addEventListener('keyup', (event) => this.computerKey(event));
    window.addEventListener('blur', () => this.releaseAll());
  }

  /** Shows the names of the zones of a kit on their keys; an empty list for other sounds. `home`: a key that should be visible. */
  setSound(zones, home) {
    this.zones = zones;
    const lowest = zones.length > 0 ? zones[0].low : home;
    this.octave = Math.min(OCTAVES[1], Math.max(OCTAVES[0], Math.floor(lowest / 12) - 1));
    this.build();
  }

  zone(key) {
    return this.zones.find((zone) => key >= zone.low && key <= zone.high)?.name;
  }

  /** The keys that fit into the width. */
  build() {
    const { width } = this.element.getBoundingClientRect();
    if (width === 0) return;
    const whites = Math.min(28, Math.max(8, Math.floor(width / KEY_WIDTH)));
    const first = 12 * (this.octave + 1);
    const isBlack = (key) => BLACK.includes(key % 12);
    const keys = [];
    for (let key = first, count = 0; key < 128 && (count < whites || isBlack(key)); key++) {
      if (!isBlack(key)) count += 1;
      keys.push({ key, white: count - 1, isBlack: isBlack(key) });
    }
    while (keys.at(-1)?.isBlack) keys.pop();
    this.element.replaceChildren(...keys.map((each) => this.button(each, whites, first)));
  }

  button({ key, white, isBlack }, whites, first) {
    const button = document.createElement('button');
    const zone = this.zone(key);
    const code = CODES[key - first]?.slice(3) ?? '';
    button.type = 'button';
    button.dataset.key = key;
    button.className = `${isBlack ? 'black' : 'white'}${this.lit.has(key) ? ' lit' : ''}${this.zones.length > 0 && !zone ? ' silent' : ''}`;
    const part = 100 / whites;
    button.style.left = `${isBlack ? (white + 0.68) * part : white * part}%`;
    button.style.width = `${isBlack ? 0.62 * part : part}%`;
    const name = zone ? `${keyName(key)}, ${zone}` : keyName(key);
    button.setAttribute('aria-label', name);
    button.title = code ? `${name} (${code})` : name;
    button.tabIndex = key === first ? 0 : -1;
    const text = zone && !isBlack ? zone : key % 12 === 0 ? keyName(key) : '';
    button.innerHTML = '<kbd></kbd><span></span>';
    button.querySelector('kbd').textContent = code;
    button.querySelector('span').textContent = text;
    button.querySelector('span').className = zone ? 'zone' : '';
    button.addEventListener('keydown', (event) => this.focusedKey(event, key));
    button.addEventListener('keyup', (event) => this.focusedKey(event, key));
    return button;
  }

  /** Enter and Space play the key that has the focus, arrows move the focus. */
  focusedKey(event, key) {
    if (['Enter', ' '].includes(event.key)) {
      event.preventDefault();
      if (event.type === 'keyup') this.up(key);
      else if (!event.repeat) this.down(key, this.velocity / 127);
    } else if (event.type === 'keydown' && ['ArrowLeft', 'ArrowRight'].includes(event.key)) {
      const next = this.element.querySelector(`[data-key="${key + (event.key === 'ArrowLeft' ? -1 : 1)}"]`);
      if (!next) return;
      event.preventDefault();
      this.element.querySelectorAll('[tabindex="0"]').forEach((each) => { each.tabIndex = -1; });
      next.tabIndex = 0;
      next.focus();
    }
  }

  /** The key under a pointer, and its velocity by height. */
  under({ clientX, clientY }) {
    const button = document.elementFromPoint(clientX, clientY)?.closest?.('[data-key]');
    if (!button || !this.element.contains(button)) return null;
    const box = button.getBoundingClientRect();
    const velocity = Math.min(1, Math.max(LEAST_VELOCITY, (clientY - box.top) / box.height));
    return { key: Number(button.dataset.key), velocity };
  }

  pointer(event) {
    const held = this.pointers.get(event.pointerId);
    if (event.type === 'pointermove' && held === undefined) return;
    const found = this.under(event);
    if (event.type === 'pointerdown') {
      if (!found) return;
      event.preventDefault();
      this.element.setPointerCapture?.(event.pointerId);
    } else if (!found || found.key === held) {
      return;
    }
    // a drag over the keys plays each of them
    if (held !== undefined) this.up(held);
    this.pointers.set(event.pointerId, found.key);
    this.down(found.key, found.velocity);
  }

  release(event) {
    const held = this.pointers.get(event.pointerId);
    if (held === undefined) return;
    this.pointers.delete(event.pointerId);
    this.up(held);
  }

  releaseAll() {
    [...this.pointers.values(), ...this.codes.values()].forEach((key) => this.up(key));
    this.pointers.clear();
    this.codes.clear();
  }

  /** Plays notes with letters, unless a text is typed or another key goes with them. */
  computerKey(event) {
    if (event.type === 'keyup') {
      const key = this.codes.get(event.code);
      this.codes.delete(event.code);
      if (key !== undefined) this.up(key);
      return;
    }
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const commands = { KeyZ: () => this.shift(-1), KeyX: () => this.shift(1), KeyC: () => this.harder(-1), KeyV: () => this.harder(1) };
    if (event.code in commands) {
      commands[event.code]();
      return;
    }
    const at = CODES.indexOf(event.code);
    const key = 12 * (this.octave + 1) + at;
    if (at < 0 || key > 127) return;
    event.preventDefault();
    this.codes.set(event.code, key);
    this.down(key, this.velocity / 127);
  }

  /** Moves the keys by octaves. */
  shift(octaves) {
    this.releaseAll();
    this.octave = Math.min(OCTAVES[1], Math.max(OCTAVES[0], this.octave + octaves));
    this.build();
    this.callbacks.hint(`The keys begin at C${this.octave}.`);
  }

  harder(steps) {
    this.velocity = Math.min(VELOCITIES.most, Math.max(VELOCITIES.least, this.velocity + steps * VELOCITIES.step));
    this.callbacks.hint(`The letters play at velocity ${this.velocity} of 127.`);
  }

  down(key, velocity) {
    this.light(key, 1);
    this.callbacks.press(key, velocity);
  }

  up(key) {
    this.light(key, -1);
    this.callbacks.lift(key);
  }

  /** Lights a key while it is held, also by MIDI. */
  light(key, change) {
    const count = Math.max(0, (this.lit.get(key) ?? 0) + change);
    if (count > 0) this.lit.set(key, count);
    else this.lit.delete(key);
    this.element.querySelector(`[data-key="${key}"]`)?.classList.toggle('lit', count > 0);
  }
}

const isTyping = (target) => target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
