// The hit scope: force over time, force over compression, values and energy balance of the last hit; the hit before is dashed.

import { css, font, label, mix } from './ink.js';
import { figures, keyName, prefixed, withPrefix } from './units.js';

/** Number of hits that are kept. */
const MAX_HITS = 24;
/** Target distance between ticks [px]. */
const APART = 44;
/** Width below which a plot has no text on its curve [px]. */
const SMALL_PLOT = 220;
const DASHED = [5, 4];
const SHARES = [['Hammer', 'energyHammer'], ['Body', 'energyBody'], ['Contact loss', 'energyContactLoss'], ['Body damping', 'energyDecay']];

/** The next of 1, 2, 5 times a power of ten. */
function nice(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  return ([1, 2, 5].find((factor) => factor * power >= 0.999 * step) ?? 10) * power;
}

/** An axis from 0 to at least `high`, extended to whole steps. */
function axis(high, unit, length) {
  const [scale, shown] = prefixed(high, unit);
  const step = nice(high / scale / Math.min(5, Math.max(2, length / APART))) * scale;
  const count = Math.ceil(high / step - 1e-9);
  const decimals = Math.max(0, -Math.floor(Math.log10(step / scale)));
  const ticks = Array.from({ length: count + 1 }, (_, i) => [i * step, i === 0 ? '0' : ((i * step) / scale).toFixed(decimals)]);
  return { high: count * step, unit: shown, ticks };
}

class Plot {
  constructor(context, ink, { left, top, width, height }, x, y) {
    Object.assign(this, { context, ink, left, top, width, height, x, y });
  }

  at(x, y) {
    return [this.left + (this.width * x) / this.x.high, this.top + this.height - (this.height * y) / this.y.high];
  }

  axes() {
    const { context, ink, left, top, width, height } = this;
    const bottom = top + height;
    const stroke = (color, x0, y0, x1, y1) => {
      context.strokeStyle = css(color);
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
      context.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
      context.stroke();
    };
    const text = { size: 12, color: css(ink.text3) };
    for (const [value, shown] of this.y.ticks) {
      const [, y] = this.at(0, value);
      if (value > 0) stroke(ink.grid, left, y, left + width, y);
      stroke(ink.line, left - 4, y, left, y);
      label(context, shown, left - 8, y, { ...text, side: 'right' });
    }
    context.font = font(400, 12);
    const unit = context.measureText(this.x.unit).width + 14;
    for (const [value, shown] of this.x.ticks) {
      const [x] = this.at(value, 0);
      stroke(ink.line, x, bottom, x, bottom + 4);
      if (x < left + width - unit) label(context, shown, x, bottom + 14, { ...text, side: 'center' });
    }
    stroke(ink.line, left, top, left, bottom);
    stroke(ink.line, left, bottom, left + width, bottom);
    label(context, this.x.unit, left + width, bottom + 14, { ...text, side: 'right' });
    label(context, this.y.unit, left - 8, top - 13, { ...text, side: 'right' });
  }

  /** A curve through the points of a hit; `of` gives x and y of point `i`. */
  curve(hit, of) {
    this.context.beginPath();
    for (let i = 0; 4 * i < hit.points.length; i++) {
      const at = this.at(...of(hit.points, 4 * i));
      if (i === 0) this.context.moveTo(...at);
      else this.context.lineTo(...at);
    }
  }
}

const PULSE = (points, i) => [points[i], points[i + 3]];
const LOOP = (points, i) => [points[i + 1], points[i + 3]];

export class Scope {
  /** `elements`: canvases `pulse` and `loop`, the bar `energy`, and the texts `title`, `values`, `legend`, `hits`. */
  constructor(elements) {
    Object.assign(this, { elements, hits: [], ink: null, isDirty: true });
    for (const name of ['pulse', 'loop', 'energy']) new ResizeObserver(() => { this.isDirty = true; }).observe(elements[name]);
  }

  push(hit) {
    this.hits.push(hit);
    if (this.hits.length > MAX_HITS) this.hits.shift();
    this.isDirty = true;
  }

  reset() {
    this.hits = [];
    this.isDirty = true;
  }

  frame() {
    if (!this.isDirty || !this.ink) return;
    this.isDirty = false;
    const [hit, before] = [this.hits.at(-1), this.hits.at(-2)];
    this.pulse(hit, before);
    this.loop(hit, before);
    this.texts(hit);
    this.energy(hit);
  }

  /** The context of a canvas of its shown size, cleared. */
  prepare(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = canvas.getBoundingClientRect();
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width, height };
  }

  plot(canvas, { across, acrossUnit, up }) {
    const { context, width, height } = this.prepare(canvas);
    const area = { left: 40, top: 24, width: width - 48, height: height - 50 };
    const plot = new Plot(context, this.ink, area, axis(across, acrossUnit, 0.6 * area.width), axis(up, 'N', area.height));
    plot.axes();
    return plot;
  }

  pulse(hit, before) {
    const largest = (of, empty) => Math.max(0, ...[hit, before].filter(Boolean).map(of)) || empty;
    const plot = this.plot(this.elements.pulse, { across: 1.25 * largest((each) => each.duration, 2e-3), acrossUnit: 's', up: 1.05 * largest((each) => each.peakForce, 100) });
    const { context, ink } = plot;
    if (!hit) {
      label(context, 'Play a note, or strike the body.', plot.left + plot.width / 2, plot.top + plot.height / 2, { side: 'center', size: 14, color: css(ink.text2) });
      return;
    }
    plot.curve(hit, PULSE);
    context.lineTo(...plot.at(hit.duration, 0));
    context.lineTo(...plot.at(0, 0));
    const fill = context.createLinearGradient(0, plot.top, 0, plot.top + plot.height);
    fill.addColorStop(0, css(ink.force, 0.55));
    fill.addColorStop(1, css(ink.force, 0.16));
    context.fillStyle = fill;
    context.fill();
    this.dashed(plot, before, PULSE);
    plot.curve(hit, PULSE);
    this.stroke(context, 2.4);
    this.peak(plot, hit);
    this.contactTime(plot, hit);
  }

  stroke(context, width) {
    context.strokeStyle = css(this.ink.force);
    context.lineWidth = width;
    context.lineJoin = 'round';
    context.stroke();
  }

  dashed(plot, before, of) {
    if (!before) return;
    plot.context.setLineDash(DASHED);
    plot.curve(before, of);
    plot.context.strokeStyle = css(this.ink.text2);
    plot.context.lineWidth = 1.5;
    plot.context.stroke();
    plot.context.setLineDash([]);
  }

  peak(plot, hit) {
    const { context, ink } = plot;
    let top = 0;
    for (let i = 0; i < hit.points.length; i += 4) if (hit.points[i + 3] > hit.points[top + 3]) top = i;
    const [x, y] = plot.at(hit.points[top], hit.points[top + 3]);
    const width = label(context, `peak ${withPrefix(hit.peakForce, 'N')}`, plot.left + plot.width, y, { side: 'right', weight: 500, size: 13, color: css(ink.text) });
    context.strokeStyle = css(ink.text3);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(Math.max(x, plot.left + plot.width - width - 10), y);
    context.stroke();
    context.beginPath();
    context.arc(x, y, 3.6, 0, 2 * Math.PI);
    context.fillStyle = css(ink.bg);
    context.fill();
    this.stroke(context, 2);
  }

  contactTime(plot, hit) {
    const { context, ink } = plot;
    const y = plot.top + plot.height - 9;
    const [left, right] = [plot.at(0, 0)[0] + 1, plot.at(hit.duration, 0)[0] - 1];
    context.strokeStyle = css(ink.text);
    context.fillStyle = css(ink.text);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(left, y);
    context.lineTo(right, y);
    context.stroke();
    for (const [x, side] of [[left, 1], [right, -1]]) {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + 7 * side, y - 3);
      context.lineTo(x + 7 * side, y + 3);
      context.fill();
    }
    // in a small plot it would cover the curve; the value is below too
    if (plot.width < SMALL_PLOT) return;
    label(context, withPrefix(hit.duration, 's'), 0.5 * (left + right), y - 11, { side: 'center', weight: 500, size: 12.5, color: css(ink.text) });
  }

  loop(hit, before) {
    const largest = (of, empty) => Math.max(0, ...[hit, before].filter(Boolean).map(of)) || empty;
    const plot = this.plot(this.elements.loop, { across: 1.2 * largest((each) => each.maxCompression, 1e-3), acrossUnit: 'm', up: 1.05 * largest((each) => each.peakForce, 100) });
    if (!hit) return;
    plot.curve(hit, LOOP);
    plot.context.fillStyle = css(this.ink.force, 0.22);
    plot.context.fill();
    this.dashed(plot, before, LOOP);
    plot.curve(hit, LOOP);
    this.stroke(plot.context, 2.2);
  }

  texts(hit) {
    const { title, values } = this.elements;
    title.querySelector('strong').textContent = hit ? `Hit ${hit.number}` : 'No hit yet';
    title.querySelector('span').textContent = hit ? `${keyName(hit.key)}   ${withPrefix(hit.velocityIn, 'm/s')}` : '';
    const restitution = hit?.velocityIn > 0 ? figures(-hit.velocityOut / hit.velocityIn) : '–';
    const shown = hit
      ? [withPrefix(hit.velocityIn, 'm/s'), withPrefix(-hit.velocityOut, 'm/s'), restitution, withPrefix(hit.duration, 's'), withPrefix(hit.peakForce, 'N'), String(hit.substeps)]
      : Array(6).fill('–');
    values.querySelectorAll('dd').forEach((cell, i) => {
      const [number, unit = ''] = shown[i].split(' ');
      cell.replaceChildren(number, Object.assign(document.createElement('small'), { textContent: unit && ` ${unit}` }));
    });
    this.bars(hit);
  }

  /** The row of recent hits. */
  bars(hit) {
    const highest = Math.max(...this.hits.map((each) => each.peakForce), 1e-12);
    const bars = this.hits.map((each) => {
      const bar = document.createElement('i');
      bar.style.height = `${Math.max(8, (100 * each.peakForce) / highest)}%`;
      bar.className = each === hit ? 'last' : '';
      return bar;
    });
    this.elements.hits.replaceChildren(...bars);
  }

  energy(hit) {
    const { energy, legend } = this.elements;
    const { context, width, height } = this.prepare(energy);
    const { ink } = this;
    const energies = SHARES.map(([, name]) => (hit ? Math.max(0, hit[name]) : 0));
    const total = energies.reduce((sum, each) => sum + each, 0);
    let left = 0;
    energies.forEach((each, i) => {
      if (each <= 0) return;
      const span = Math.min(width - left, Math.max(2, ((width - 6) * each) / total));
      this.share(context, i, { left, span, height });
      left += span + 2;
    });
    if (total === 0) {
      context.strokeStyle = css(ink.hair);
      context.strokeRect(0.5, 0.5, width - 1, height - 1);
    }
    legend.querySelector('.in').textContent = hit ? `${withPrefix(hit.energyIn, 'J')} in` : '';
    legend.querySelectorAll('li').forEach((entry, i) => {
      const part = total > 0 ? energies[i] / total : 0;
      entry.querySelector('b').textContent = total > 0 ? `${(100 * part).toFixed(part > 0 && part < 0.01 ? 1 : 0)} %` : '–';
      entry.querySelector('small').textContent = total > 0 ? withPrefix(energies[i], 'J') : '';
    });
  }

  /** A share of the bar: solid, outlined, hatched, grey. */
  share(context, i, { left, span, height }) {
    const { ink } = this;
    const fills = [ink.force, mix(ink.bg, ink.body, 0.32), mix(ink.bg, ink.text3, 0.2), ink.text3];
    context.fillStyle = css(fills[i]);
    context.fillRect(left, 0, span, height);
    if (i === 1) {
      context.strokeStyle = css(ink.body);
      context.lineWidth = 1.8;
      context.strokeRect(left + 0.9, 0.9, Math.max(0, span - 1.8), height - 1.8);
    } else if (i === 2) {
      context.save();
      context.beginPath();
      context.rect(left, 0, span, height);
      context.clip();
      context.strokeStyle = css(ink.text2);
      context.lineWidth = 1.2;
      context.beginPath();
      for (let x = left - height; x < left + span; x += 5) {
        context.moveTo(x, height);
        context.lineTo(x + height, 0);
      }
      context.stroke();
      context.restore();
    }
  }
}
