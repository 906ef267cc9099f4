// The motion of the body as the editor shows it: true amplitudes, slowed phases.

import { SHOWN_MODES } from './urto-module.js';

const TAU = 2 * Math.PI;
/** Frequency at which the lowest mode is shown, and limit for the others [Hz]. */
const LOWEST_SHOWN = 0.9;
const HIGHEST_SHOWN = 4;
/** Maximum displacement in the picture [world], and time constant of its automatic scale [s]. */
export const MAX_DISPLACEMENT = 0.115;
const RELEASE = 1.5;
/** Displacements below this part of the maximum count as rest. */
const REST = 2e-3;
/** Without new data for this long the body counts as at rest [s]. */
const STALE = 0.5;
/** Both plates of a hi-hat. */
const MODES = 2 * SHOWN_MODES;

/** Factor for a body of `hertz`: 1, 2.5 or 5 times a power of ten. */
function slowFactor(hertz) {
  const exact = Math.max(1, hertz / LOWEST_SHOWN);
  const power = 10 ** Math.floor(Math.log10(exact));
  const error = (factor) => Math.abs(Math.log(factor / exact));
  return [1, 2.5, 5, 10].map((step) => step * power).reduce((a, b) => (error(b) < error(a) ? b : a));
}

export class SlowMotion {
  constructor() {
    this.phases = new Float32Array(MODES);
    this.directions = new Float32Array(MODES);
    this.displacements = new Float32Array(MODES);
    this.modes = new Float32Array(3 * MODES);
    Object.assign(this, { stroke: -1, key: 0, count: 0, reference: 0, now: 0, deflection: 0, age: Infinity, slow: 0 });
  }

  /** Forgets everything, for another sound. */
  reset() {
    this.modes.fill(0);
    Object.assign(this, { stroke: -1, reference: 0, now: 0, deflection: 0, age: Infinity, slow: 0 });
  }

  /** Takes the message of the worklet. */
  receive({ key, stroke, count, modes }) {
    if (stroke !== this.stroke) {
      this.deflection = 0;
      this.slow = slowFactor(modes[2] / TAU);
      for (let n = 0; n < MODES; n++) {
        const [q, v, omega] = modes.subarray(3 * n, 3 * n + 3);
        this.directions[n] = v < 0 ? -1 : 1;
        this.phases[n] = Math.atan2(-v, omega * q);
      }
    }
    Object.assign(this, { key, stroke, count, modes, age: 0 });
  }

  /** Advances by `elapsed` [s] and computes the modal displacements; with `still`, those of a quarter period after the strike. */
  advance(elapsed, still) {
    this.age += elapsed;
    const isFresh = this.age < STALE;
    for (let n = 0; n < MODES; n++) {
      const [q, v, omega] = [this.modes[3 * n], this.modes[3 * n + 1], this.modes[3 * n + 2]];
      this.phases[n] = (this.phases[n] + Math.min(omega / Math.max(1, this.slow), TAU * HIGHEST_SHOWN) * elapsed) % TAU;
      const amplitude = omega > 0 && isFresh ? Math.hypot(q, v / omega) : 0;
      this.displacements[n] = amplitude * (still ? this.directions[n] : Math.cos(this.phases[n]));
    }
    this.reference *= Math.exp(-elapsed / RELEASE);
  }

  /** Factor [world/m] that scales displacements, of which `largest` is the largest [m], to the picture. */
  scale(largest) {
    this.now = largest;
    this.reference = Math.max(this.reference, largest);
    this.deflection = Math.max(this.deflection, largest);
    return this.reference > 1e-12 ? MAX_DISPLACEMENT / this.reference : 0;
  }

  /** Whether there is visible motion. */
  get isMoving() {
    return this.age < STALE && this.reference > 0 && (this.now > REST * this.reference || this.age === 0);
  }

  /** Frequency of the lowest mode [Hz]; 0 before the first strike. */
  get hertz() {
    return this.slow > 0 ? this.modes[2] / TAU : 0;
  }

  /** Ratios of the first partials to the lowest. */
  get ratios() {
    return Array.from({ length: Math.min(3, this.count) }, (_, n) => this.modes[3 * n + 2] / this.modes[2]);
  }
}
