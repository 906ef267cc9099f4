// Draws a body and its surroundings: floor, shadow, ruler, supports, shaded mesh and edges.

import { css, label, mix } from './ink.js';
import { MAX_DISPLACEMENT } from './slow-motion.js';
import { POINT_VALUES, SHOWN_MODES } from './urto-module.js';

const TAU = 2 * Math.PI;
/** Numbers of forms in urto.h. */
export const FORM = { bar: 0, arch: 1, disc: 2, head: 3, twoHeads: 4, twoPlates: 5, plate: 6, string: 7, course: 8, bell: 9, bowl: 10, glass: 11, tube: 12 };
const SUPPORT = { free: 0, clamped: 1, supported: 2, cantilever: 3 };
/** Half width and thickness of a bar, radius of a disc and of a tube, height of a string and of a soundboard [world]: those of the mesh. */
const BAR = [0.17, 0.105];
const RADIUS = 0.86;
const TUBE = 0.13;
const STRING = 0.03;
const BOARD = -0.26;
/** y of the ruler [world], and positions of the nodes of a free bar. */
export const RULER = -0.36;
const NODES = [0.2242, 0.7758];

export const isWall = (form) => form >= FORM.bell && form <= FORM.glass;
const isBar = (form) => form <= FORM.arch;

/** Half width, half depth and roundness of the shadow. */
function shadowOf(form) {
  if (isBar(form) || form === FORM.tube) return [1, BAR[0], 10];
  if (form === FORM.string) return [1, 0.03, 10];
  if (form === FORM.course) return [1, 0.62, 10];
  if (form === FORM.plate) return [0.98, 0.62, 10];
  if (form === FORM.glass) return [0.28, 0.28, 2];
  if (isWall(form)) return [0.68, 0.68, 2];
  return [RADIUS, RADIUS, 2];
}

export class BodyPainter {
  constructor(body) {
    this.body = body;
    this.count = body.points.length / POINT_VALUES;
    this.w = new Float32Array(this.count);
    this.screen = new Float32Array(3 * this.count);
    this.shades = new Array(this.count);
  }

  /** Value `k` of point `i`. */
  at(i, k) {
    return this.body.points[i * POINT_VALUES + k];
  }

  /** Displacements of all points [m] for the modal displacements `q`; returns the largest. */
  displace(q) {
    let largest = 0;
    for (let i = 0; i < this.count; i++) {
      const first = i * POINT_VALUES + POINT_VALUES - SHOWN_MODES;
      const lower = this.at(i, 9) > 0 ? SHOWN_MODES : 0;
      let sum = 0;
      for (let n = 0; n < SHOWN_MODES; n++) sum += this.body.points[first + n] * q[lower + n];
      this.w[i] = sum;
      largest = Math.max(largest, Math.abs(sum));
    }
    return largest;
  }

  /** Projects all points, displaced by `scale` times the displacements. */
  project(camera, scale) {
    for (let i = 0; i < this.count; i++) {
      this.w[i] *= scale;
      const move = this.w[i];
      const [x, y, far] = camera.project(this.at(i, 0) + move * this.at(i, 3), this.at(i, 1) + move * this.at(i, 4), this.at(i, 2) + move * this.at(i, 5));
      this.screen.set([x, y, far], 3 * i);
    }
  }

  floor(context, camera, ink) {
    const { floor, form, isLine } = this.body;
    context.strokeStyle = css(ink.grid);
    context.lineWidth = 1;
    context.beginPath();
    const line = (from, to) => {
      context.moveTo(...camera.project(...from).slice(0, 2));
      context.lineTo(...camera.project(...to).slice(0, 2));
    };
    for (let i = -6; i <= 6; i++) line([0.25 * i, -1, floor], [0.25 * i, 1.1, floor]);
    for (let j = -4; j <= 4; j++) line([-1.5, 0.25 * j, floor], [1.5, 0.25 * j, floor]);
    context.stroke();
    this.shadow(context, camera, ink);
    if (isLine) this.ruler(context, camera, ink);
    if (form === FORM.glass) this.stem(context, camera, ink);
  }

  shadow(context, camera, ink) {
    const [halfX, halfY, power] = shadowOf(this.body.form);
    const opacity = ink.isDark ? 0.42 : 0.2;
    const rings = 6;
    for (let ring = rings; ring >= 0; ring--) {
      const grown = (0.14 * ring) / rings;
      context.beginPath();
      for (let i = 0; i <= 48; i++) {
        const [sin, cos] = [Math.sin((TAU * i) / 48), Math.cos((TAU * i) / 48)];
        const edge = (Math.abs(cos) ** power + Math.abs(sin) ** power) ** (-1 / power);
        const [x, y] = camera.project((halfX + grown) * edge * cos, (halfY + grown) * edge * sin, this.body.floor);
        if (i === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
      context.fillStyle = css(ink.shadow, ring === 0 ? opacity * 0.4 : (opacity * 0.6) / rings);
      context.fill();
    }
  }

  ruler(context, camera, ink) {
    const at = (x, y) => camera.project(x, RULER - y, this.body.floor).slice(0, 2);
    context.strokeStyle = css(ink.text3);
    context.lineWidth = 1.2;
    context.beginPath();
    context.moveTo(...at(-1, 0));
    context.lineTo(...at(1, 0));
    for (let i = 0; i <= 20; i++) {
      const x = -1 + 0.1 * i;
      context.moveTo(...at(x, 0));
      context.lineTo(...at(x, i % 5 === 0 ? 0.06 : 0.03));
    }
    context.stroke();
    ['0', '0.25', '0.5', '0.75', '1'].forEach((text, i) => {
      label(context, text, ...at(-1 + 0.5 * i, 0.14), { side: 'center', size: 12, color: css(ink.text3) });
    });
  }

  stem(context, camera, ink) {
    context.beginPath();
    for (let i = 0; i <= 40; i++) {
      const [x, y] = camera.project(0.3 * Math.cos((TAU * i) / 40), 0.3 * Math.sin((TAU * i) / 40), this.body.floor);
      if (i === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.fillStyle = css(mix(ink.solidDark, ink.bg, 0.2));
    context.strokeStyle = css(ink.body);
    context.lineWidth = 1.2;
    context.fill();
    context.stroke();
    context.strokeStyle = css(mix(ink.solidDark, ink.body, 0.4));
    context.lineWidth = 5;
    context.beginPath();
    context.moveTo(...camera.project(0, 0, -0.2).slice(0, 2));
    context.lineTo(...camera.project(0, 0, this.body.floor).slice(0, 2));
    context.stroke();
  }

  supports(context, camera, ink) {
    const { form, support, floor } = this.body;
    context.strokeStyle = css(ink.line);
    if ((isBar(form) && support === SUPPORT.free) || form === FORM.tube) {
      this.cords(context, camera, ink);
    } else if (isBar(form)) {
      const ends = support === SUPPORT.cantilever ? [-1] : [-1, 1];
      ends.forEach((x) => (support === SUPPORT.supported ? this.knife(context, camera, ink, [x, -BAR[0], -BAR[1]], floor) : this.block(context, camera, ink, x)));
    } else if (form === FORM.string || form === FORM.course) {
      const foot = form === FORM.course ? BOARD : -0.3;
      [-1, 1].forEach((x) => this.knife(context, camera, ink, [x, 0, STRING], foot));
    }
  }

  cords(context, camera, ink) {
    const { form, floor } = this.body;
    const top = form === FORM.tube ? -TUBE : -0.07;
    context.lineWidth = 1.4;
    for (const along of NODES) {
      for (const y of [0.11, -0.11]) {
        const x = 2 * along - 1;
        const [topX, topY] = camera.project(x, y, top);
        const [knotX, knotY] = camera.project(x, y, floor + 0.1);
        const [footX, footY] = camera.project(x, y, floor);
        context.beginPath();
        context.moveTo(topX, topY);
        context.lineTo(knotX, knotY);
        context.stroke();
        context.beginPath();
        context.moveTo(knotX, knotY);
        context.lineTo(footX - 8, footY);
        context.lineTo(footX + 8, footY);
        context.closePath();
        context.fillStyle = css(ink.bg);
        context.fill();
        context.stroke();
      }
    }
  }

  knife(context, camera, ink, top, foot) {
    const [x, y] = camera.project(...top);
    const [footX, footY] = camera.project(top[0], top[1], foot);
    context.beginPath();
    context.moveTo(footX - 13, footY);
    context.lineTo(x, y);
    context.lineTo(footX + 13, footY);
    context.closePath();
    context.fillStyle = css(mix(ink.solidDark, ink.bg, 0.2));
    context.lineWidth = 1;
    context.fill();
    context.stroke();
  }

  block(context, camera, ink, x) {
    const [y, wide] = [1.4 * BAR[0], 0.09];
    const [left, right] = x < 0 ? [x - wide, x] : [x, x + wide];
    const face = (corners, color) => {
      context.beginPath();
      corners.forEach((corner, i) => context[i === 0 ? 'moveTo' : 'lineTo'](...camera.project(...corner).slice(0, 2)));
      context.closePath();
      context.fillStyle = css(color);
      context.lineWidth = 1;
      context.fill();
      context.stroke();
    };
    face([[left, -y, 0.12], [right, -y, 0.12], [right, y, 0.12], [left, y, 0.12]], mix(ink.solidDark, ink.solidLight, 0.5));
    face([[left, -y, 0.12], [right, -y, 0.12], [right, -y, this.body.floor], [left, -y, this.body.floor]], mix(ink.solidDark, ink.bg, 0.2));
  }

  /** Draws quads, edges and ghosts of the moving edge. */
  mesh(context, camera, ink) {
    for (let grid = 0; grid < this.body.grids.length; grid += 5) this.grid(context, ink, this.body.grids.subarray(grid, grid + 5));
    let first = 0;
    for (let edge = 0; 3 * edge < this.body.edges.length; edge++) {
      const [length, width, opacity] = this.body.edges.subarray(3 * edge, 3 * edge + 3);
      this.path(context, this.body.indices.subarray(first, first + length), (i) => [this.screen[3 * i], this.screen[3 * i + 1]]);
      context.strokeStyle = css(ink.body, opacity);
      context.lineWidth = width;
      context.stroke();
      if (edge === this.body.ghost) this.ghosts(context, camera, ink, this.body.indices.subarray(first, first + length));
      first += length;
    }
  }

  ghosts(context, camera, ink, indices) {
    if (!this.w.some((w) => Math.abs(w) > 0.05 * MAX_DISPLACEMENT)) return;
    for (const [part, opacity] of [[-0.9, 0.32], [-0.45, 0.22], [0.5, 0.2]]) {
      this.path(context, indices, (i) => {
        const move = part * this.w[i];
        return camera.project(this.at(i, 0) + move * this.at(i, 3), this.at(i, 1) + move * this.at(i, 4), this.at(i, 2) + move * this.at(i, 5));
      });
      context.strokeStyle = css(ink.body, opacity);
      context.lineWidth = 1;
      context.stroke();
    }
  }

  path(context, indices, place) {
    context.beginPath();
    indices.forEach((i, n) => {
      const [x, y] = place(i);
      if (n === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    });
  }

  /** A grid of quads, from the farthest to the nearest. */
  grid(context, ink, [first, rows, columns, slopeX, slopeY]) {
    const index = (row, column) => first + row * columns + column;
    const quads = [];
    for (let row = 0; row + 1 < rows; row++) {
      for (let column = 0; column + 1 < columns; column++) {
        const corners = [index(row, column), index(row, column + 1), index(row + 1, column + 1), index(row + 1, column)];
        quads.push({ corners, depth: corners.reduce((sum, i) => sum + this.screen[3 * i + 2], 0), row, column });
      }
    }
    quads.sort((a, b) => b.depth - a.depth);
    context.lineWidth = 0.8;
    for (const { corners, row, column } of quads) {
      const slope = Number.isNaN(slopeX) ? null : this.slope(index, rows, columns, row, column, [slopeX, slopeY]);
      const color = css(this.shade(ink, corners, slope));
      context.beginPath();
      corners.forEach((i, n) => context[n === 0 ? 'moveTo' : 'lineTo'](this.screen[3 * i], this.screen[3 * i + 1]));
      context.closePath();
      context.fillStyle = color;
      context.strokeStyle = color;
      context.fill();
      context.stroke();
    }
  }

  /** Slope of the displacement along columns and rows, weighted. */
  slope(index, rows, columns, row, column, [x, y]) {
    const between = (a, b) => {
      const way = Math.hypot(this.at(b, 0) - this.at(a, 0), this.at(b, 1) - this.at(a, 1), this.at(b, 2) - this.at(a, 2));
      return way > 1e-5 ? (this.w[b] - this.w[a]) / way : 0;
    };
    const [right, below] = [Math.min(column + 1, columns - 1), Math.min(row + 1, rows - 1)];
    return x * between(index(row, Math.max(0, column - 1)), index(row, right)) - y * between(index(Math.max(0, row - 1), column), index(below, column));
  }

  /** Colour of a quad: brightness by slope, tint by displacement. */
  shade(ink, corners, slope) {
    const mean = (of) => corners.reduce((sum, i) => sum + of(i), 0) / corners.length;
    const brightness = mean((i) => this.at(i, 8));
    const w = Math.min(1, mean((i) => Math.abs(this.w[i])) / MAX_DISPLACEMENT);
    if (slope !== null) return mix(mix(ink.solidDark, ink.solidLight, brightness - slope), ink.body, 0.62 * w ** 1.1);
    const moves = corners.some((i) => this.at(i, 3) !== 0 || this.at(i, 4) !== 0 || this.at(i, 5) !== 0);
    return moves ? mix(mix(ink.side, ink.solidDark, brightness - 0.42), ink.body, 0.3 * w) : mix(ink.side, ink.solidDark, brightness);
  }

  /** The point at rest that is nearest to a place on the body. */
  nearestPoint(along, across) {
    let [best, nearest] = [0, Infinity];
    for (let i = 0; i < this.count; i++) {
      const turn = Math.abs(this.at(i, 7) - across);
      const distance = Math.hypot(this.at(i, 6) - along, this.body.isLine ? 0.2 * turn : Math.min(turn, isFlat(this.body.form) ? turn : 1 - turn));
      if (distance < nearest) [best, nearest] = [i, distance];
    }
    return best;
  }
}

const isFlat = (form) => form === FORM.plate || isBar(form);
