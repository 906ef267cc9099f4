// Draws the hammer: a head scaled by its mass, exposures of its swing, the arrow of its speed, and rings at the impact.

import { css, label, mix } from './ink.js';
import { isWall } from './body-painter.js';

/** Radius [world] of a head of the reference mass [kg]; limits [px] and [world]. */
const HEAD = { radius: 0.118, mass: 0.024, least: 10, most: 0.22 };
/** The far end of the shaft, relative to the point of contact, over the camera's scale. */
const PIVOT = [1.8, -0.62];
/** Angle [rad] between exposures at the reference speed [m/s]. */
const SWING = { step: 0.118, speed: 2.1, exposures: 4 };
/** Duration of the rings, of the return, and of the still ring without motion [s]. */
const FLASH = 0.45;
const REBOUND = 0.6;
const STILL_FLASH = 0.2;
/** Time constant with which the strongest recent hit is forgotten [s]. */
const STRONGEST_DECAY = 8;

export class HammerPainter {
  constructor() {
    Object.assign(this, { age: Infinity, strength: 0, strongest: 0, velocity: 0 });
  }

  hit({ peakForce, velocityIn }) {
    this.strongest = Math.max(this.strongest, peakForce);
    this.strength = this.strongest > 0 ? peakForce / this.strongest : 0;
    [this.age, this.velocity] = [0, velocityIn];
  }

  reset() {
    Object.assign(this, { age: Infinity, strength: 0, strongest: 0, velocity: 0 });
  }

  advance(elapsed) {
    this.age += elapsed;
    this.strongest *= Math.exp(-elapsed / STRONGEST_DECAY);
  }

  get isMoving() {
    return this.age < REBOUND;
  }

  /** Draws everything; `strike` is the point of contact on the canvas. */
  draw(context, { camera, form, strike, ink, still, width, mass, hardness, speedText }) {
    this.rings(context, { camera, form, strike, ink, still });
    const radius = Math.max(HEAD.least, camera.scale * Math.min(HEAD.most, HEAD.radius * Math.cbrt(mass / HEAD.mass)));
    const speed = this.velocity > 0 ? this.velocity : SWING.speed;
    const step = Math.min(0.22, Math.max(0.03, SWING.step * Math.sqrt(speed / SWING.speed)));
    const arc = this.arc(camera, form, strike, radius);
    for (let k = SWING.exposures; k >= 1; k--) {
      const opacity = 0.5 - 0.09 * k;
      const [x, y] = arc.at(step * k);
      line(context, [x, y], beyond(arc.pivot, [x, y]), css(ink.force, 0.65 * opacity), 1);
      circle(context, x, y, radius);
      context.fillStyle = css(ink.bg, 0.6);
      context.fill();
      context.strokeStyle = css(ink.force, opacity);
      context.lineWidth = 1.3;
      context.stroke();
    }
    const part = still ? 1 : Math.min(1, this.age / REBOUND);
    const head = arc.at(Math.min(step, SWING.step) * 0.32 * (1 - (1 - part) ** 2));
    const end = beyond(arc.pivot, head);
    line(context, head, end, css(mix(ink.text2, ink.bg, 0.1)), 5);
    line(context, head, end, css(mix(ink.text2, ink.bg, 0.45)), 2);
    this.head(context, head, radius, hardness, ink);
    if (this.velocity > 0) this.arrow(context, arc, { step, radius, ink, width, text: speedText });
  }

  /** Head with a core that grows with its hardness. */
  head(context, [x, y], radius, hardness, ink) {
    circle(context, x, y, radius);
    context.fillStyle = css(ink.force);
    context.fill();
    const core = radius * (0.18 + 0.68 * hardness);
    const step = Math.max(3.2, (radius - core) / 3.2);
    context.lineWidth = 1;
    context.strokeStyle = css(mix(ink.force, ink.bg, 0.22));
    for (let ring = core; ring < radius - 2; ring += step) {
      circle(context, x, y, ring);
      context.stroke();
    }
    circle(context, x, y, core);
    context.fillStyle = css(mix(ink.force, ink.bg, 0.34));
    context.fill();
    circle(context, x, y, radius - 0.75);
    context.lineWidth = 1.5;
    context.strokeStyle = css(mix(ink.force, ink.text, 0.18));
    context.stroke();
  }

  /** The arc of the swing: walls are struck from the side, everything else from above. */
  arc(camera, form, [x, y], radius) {
    const upright = isWall(form);
    const out = x < camera.project(0, 0, 0)[0] ? -1 : 1;
    const center = upright ? [x + 0.93 * out * (radius - 2), y - 0.3 * (radius - 2)] : [x, y - radius + 3];
    const pivot = upright ? [center[0] + 0.9 * out * camera.scale, center[1] - 1.15 * camera.scale] : [center[0] + PIVOT[0] * camera.scale, center[1] + PIVOT[1] * camera.scale];
    const [dx, dy] = [center[0] - pivot[0], center[1] - pivot[1]];
    const [length, start, turn] = [Math.hypot(dx, dy), Math.atan2(dy, dx), upright ? -out : 1];
    const at = (angle) => [pivot[0] + length * Math.cos(start + turn * angle), pivot[1] + length * Math.sin(start + turn * angle)];
    return { pivot, at, side: upright ? [0.35 * out, 0.94] : [-0.94, 0.34] };
  }

  arrow(context, arc, { step, radius, ink, width, text }) {
    const off = arc.side.map((side) => side * (radius + 12));
    const place = (angle) => arc.at(angle).map((value, i) => value + off[i]);
    const [from, to] = [place(2.65 * step), place(1.05 * step)];
    line(context, from, to, css(ink.force), 2.2);
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
    context.beginPath();
    context.moveTo(to[0] + 2 * Math.cos(angle), to[1] + 2 * Math.sin(angle));
    for (const side of [2.7, -2.7]) context.lineTo(to[0] + 9 * Math.cos(angle + side), to[1] + 9 * Math.sin(angle + side));
    context.fillStyle = css(ink.force);
    context.fill();
    const isLeft = arc.side[0] < 0;
    const x = Math.min(width - 90, Math.max(isLeft ? 90 : 10, from[0] + (isLeft ? -12 : 12)));
    label(context, text, x, Math.max(92, from[1] - 4), { side: isLeft ? 'right' : 'left', weight: 500, size: 13, color: css(ink.force) });
  }

  /** Rings on the surface at the impact. */
  rings(context, { camera, form, strike, ink, still }) {
    const part = this.age / (still ? STILL_FLASH : FLASH);
    if (part >= 1) return;
    const moved = still ? 0 : part;
    const ease = 1 - (1 - moved) ** 2;
    const reach = 0.29 * (0.6 + 0.4 * this.strength);
    const [middleX, middleY] = camera.project(0, 0, 0);
    for (const [first, opacity] of [[0.115, 0.95], [0.075, 0.6], [0.035, 0.32]]) {
      const radius = first + ease * (reach - 0.115);
      const narrow = form <= 1 ? 0.17 : radius;
      context.beginPath();
      for (let i = 0; i <= 48; i++) {
        const [sin, cos] = [Math.sin((Math.PI * i) / 24), Math.cos((Math.PI * i) / 24)];
        let at;
        if (isWall(form)) {
          at = [strike[0] + 0.6 * radius * camera.scale * cos, strike[1] + 0.6 * radius * camera.scale * sin];
        } else {
          const [x, y] = camera.project(radius * cos, Math.min(narrow, Math.max(-narrow, radius * sin)), 0);
          at = [strike[0] + x - middleX, strike[1] + y - middleY];
        }
        if (i === 0) context.moveTo(...at);
        else context.lineTo(...at);
      }
      context.strokeStyle = css(ink.force, opacity * (1 - moved));
      context.lineWidth = 2.4 - 1.2 * moved;
      context.stroke();
    }
  }
}

/** A point behind the pivot, outside of the picture: the shaft has no visible end. */
const beyond = ([x, y], [headX, headY]) => [x + 2 * (x - headX), y + 2 * (y - headY)];

function line(context, from, to, color, width) {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

function circle(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
}
