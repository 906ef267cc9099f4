// The stage: shows the body in slow motion with the hammer, and strikes it where it is touched; lower is harder.

import { BodyPainter, FORM, RULER, isWall } from './body-painter.js';
import { Camera } from './camera.js';
import { HammerPainter } from './hammer-painter.js';
import { css, label } from './ink.js';
import { SlowMotion } from './slow-motion.js';
import { keyName, withPrefix } from './units.js';

/** Distance from the body within which a touch strikes it [px]; least velocity of a touch, and velocity of a strike by the keyboard. */
const MARGIN = 26;
const LEAST_VELOCITY = 0.1;
const KEY_VELOCITY = 96 / 127;
/** Weight of a point's depth [world] against its squared distance from the pointer [px^2]. */
const DEPTH_WEIGHT = 40;

export class Stage {
  /** `callbacks`: strike(velocity, along, across), release(). `values`: reads a parameter by its id. */
  constructor(element, callbacks, values) {
    this.element = element;
    this.canvas = element.querySelector('canvas');
    this.context = this.canvas.getContext('2d');
    Object.assign(this, { callbacks, values, motion: new SlowMotion(), hammer: new HammerPainter(), painter: null, title: '', ink: null });
    Object.assign(this, { isStill: false, isDirty: true, strikePlace: null, struckKey: null, pointer: null, speedText: '' });
    element.addEventListener('pointerdown', (event) => this.press(event));
    for (const name of ['pointerup', 'pointercancel']) element.addEventListener(name, (event) => this.lift(event));
    element.addEventListener('pointermove', (event) => this.hover(event));
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('keyup', (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(element);
  }

  resize() {
    const { width, height } = this.element.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    [this.width, this.height] = [width, height];
    [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.isDirty = true;
  }

  /** Shows another body; `title` is its name. */
  setBody(body, title) {
    this.painter = new BodyPainter(body);
    this.title = title;
    this.isDirty = true;
  }

  /** Forgets the motion and hits of the sound before. */
  reset() {
    this.motion.reset();
    this.hammer.reset();
    [this.strikePlace, this.struckKey] = [null, null];
    this.isDirty = true;
  }

  receiveMotion(motion) {
    this.motion.receive(motion);
    this.isDirty = true;
  }

  receiveHit(hit) {
    this.hammer.hit(hit);
    this.struckKey = hit.key;
    this.speedText = withPrefix(hit.velocityIn, 'm/s');
    this.isDirty = true;
  }

  get camera() {
    const { form, yaw, pitch } = this.painter.body;
    const fit = Math.min(0.381 * this.width, 0.546 * this.height);
    const wide = (form >= FORM.disc && form <= FORM.plate) || isWall(form);
    const [size, across, down] = isWall(form) ? [1.05 * fit, 0.5, 0.53] : wide ? [fit, 0.48, 0.55] : [fit, 0.468, 0.58];
    return new Camera([across * this.width, down * this.height], size, yaw, pitch);
  }

  /** Draws a frame, if anything has changed; `elapsed` [s] since the frame before. */
  frame(elapsed) {
    const isMoving = this.motion.isMoving || this.hammer.isMoving;
    this.hammer.advance(elapsed);
    this.motion.advance(elapsed, this.isStill);
    if ((!isMoving && !this.isDirty) || !this.ink || !this.width) return;
    this.isDirty = false;
    const { context } = this;
    context.clearRect(0, 0, this.width, this.height);
    if (this.painter) this.draw(context);
    this.caption(context);
  }

  draw(context) {
    const { painter, ink, camera } = this;
    painter.project(camera, this.motion.scale(painter.displace(this.motion.displacements)));
    painter.floor(context, camera, ink);
    painter.supports(context, camera, ink);
    painter.mesh(context, camera, ink);
    const [along, across] = this.strikePlace ?? [this.values('position'), this.values('position_across')];
    const point = painter.nearestPoint(along, across);
    const strike = [painter.screen[3 * point], painter.screen[3 * point + 1]];
    if (painter.body.isLine) this.mark(context, camera, along, strike);
    const hardness = Math.min(1, Math.max(0, this.values.normalized('stiffness') + 0.17 * this.values('hardness')));
    this.hammer.draw(context, { camera, form: painter.body.form, strike, ink, still: this.isStill, width: this.width, mass: this.values('hammer_mass'), hardness, speedText: this.speedText });
  }

  /** The strike position on the ruler. */
  mark(context, camera, along, strike) {
    const [x, y] = camera.project(2 * along - 1, RULER, this.painter.body.floor);
    context.setLineDash([3, 4]);
    context.strokeStyle = css(this.ink.force, 0.5);
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(strike[0], strike[1] + 8);
    context.lineTo(x, y - 12);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(x, y - 1);
    context.lineTo(x - 6, y - 11);
    context.lineTo(x + 6, y - 11);
    context.fillStyle = css(this.ink.force);
    context.fill();
    label(context, along.toFixed(2), x + 10, y - 8, { weight: 500, size: 12.5, color: css(this.ink.force) });
  }

  caption(context) {
    const { ink, motion } = this;
    label(context, this.title, 24, 30, { weight: 600, size: 20, color: css(ink.text) });
    const text = { size: 13, color: css(ink.text2) };
    if (motion.hertz > 0) {
      const ratios = this.width > 520 ? motion.ratios.map((ratio, i) => (i === 0 ? '1' : ratio.toPrecision(3))).join(' : ') : '';
      label(context, `${keyName(this.struckKey ?? motion.key)}   ${motion.hertz.toFixed(1)} Hz   ${ratios}`, 24, 55, text);
      const time = label(context, `time ÷ ${motion.slow}`, 24, this.height - 18, { size: 12.5, color: css(ink.text2) });
      if (motion.deflection > 1e-12) {
        label(context, `deflection ${withPrefix(motion.deflection, 'm')}`, 48 + time, this.height - 18, { size: 12.5, color: css(ink.text2) });
      }
    } else {
      const narrow = this.width < 420;
      label(context, narrow ? 'Tap the body; lower is harder.' : 'Click the body to strike it; click lower for a harder hit.', 24, 55, text);
    }
  }

  /** Place on the body under a position of the pointer and velocity by height, or null. */
  placeUnder({ clientX, clientY }) {
    if (!this.painter) return null;
    const box = this.element.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    const { painter, camera } = this;
    let [best, nearest, top, bottom] = [null, Infinity, Infinity, -Infinity];
    for (let i = 0; i < painter.count; i++) {
      const [px, py, far] = camera.project(painter.at(i, 0), painter.at(i, 1), painter.at(i, 2));
      const distance = (px - x) ** 2 + (py - y) ** 2 + DEPTH_WEIGHT * far;
      if (distance < nearest) [best, nearest] = [{ i, px, py }, distance];
      [top, bottom] = [Math.min(top, py), Math.max(bottom, py)];
    }
    if (!best || Math.hypot(best.px - x, best.py - y) >= MARGIN) return null;
    const low = (y - (top - MARGIN)) / (bottom - top + 2 * MARGIN);
    return { along: painter.at(best.i, 6), across: painter.at(best.i, 7), velocity: Math.min(1, Math.max(LEAST_VELOCITY, low)) };
  }

  press(event) {
    const place = this.placeUnder(event);
    if (!place || this.pointer !== null) return;
    this.pointer = event.pointerId;
    this.element.setPointerCapture?.(event.pointerId);
    this.strikePlace = [place.along, place.across];
    this.callbacks.strike(place.velocity, place.along, place.across);
    this.isDirty = true;
  }

  lift(event) {
    if (event.pointerId !== this.pointer) return;
    this.pointer = null;
    this.callbacks.release();
  }

  hover(event) {
    if (event.pointerType === 'mouse') this.element.style.cursor = this.placeUnder(event) ? 'pointer' : '';
  }

  /** Enter and Space strike at the strike position while the stage has the focus. */
  key(event) {
    if ((event.key !== 'Enter' && event.key !== ' ') || event.repeat) return;
    event.preventDefault();
    if (event.type === 'keyup') {
      this.callbacks.release();
      return;
    }
    this.strikePlace = null;
    this.callbacks.strike(KEY_VELOCITY, this.values('position'), this.values('position_across'));
  }
}
