// The module of the C interface (c-interface/include/urto.h) as a class. Used by the page's worker, by the audio worklet and by Node.

/** Sizes of the structures of urto.h [bytes], and the places of their fields. */
const HIT = { bytes: 104 + 128 * 16, points: 104 };
const MOTION = { bytes: 12 + 24 * 12 };
const METERS = { bytes: 20 };
const VIEW = { bytes: 28 };
const RANGE = { bytes: 32 };
/** Room for texts [bytes]. */
const TEXT = 4096;

/** Numbers of texts in urto.h. */
export const PARAM = { id: 0, name: 1, group: 2, unit: 3, hint: 4 };
export const PATCH = { name: 0, family: 1, tags: 2, description: 3, author: 4, toml: 5 };
/** Values of a point of a body, and of its modes. */
export const POINT_VALUES = 22;
export const SHOWN_MODES = 12;

/** An error of the library, with its sentence. */
export class UrtoError extends Error {}

/** One instance of the module. `compiled` is a WebAssembly.Module. */
export class UrtoModule {
  constructor(compiled) {
    this.calls = new WebAssembly.Instance(compiled, {}).exports;
    this.room = this.calls.urto_alloc(TEXT);
    this.frames = 0;
    this.buffers = 0;
    // there is no TextDecoder in a worklet
    this.decoder = typeof TextDecoder === 'undefined' ? null : new TextDecoder();
  }

  /** A view on the memory, which is another one after it has grown. */
  view(place, bytes) {
    return new DataView(this.calls.memory.buffer, place, bytes);
  }

  /** The text that `call` writes, or null where it fails. */
  text(call, ...values) {
    let room = this.room;
    const length = this.calls[call](...values, room, TEXT);
    if (length < 0) return null;
    if (length >= TEXT) {
      room = this.calls.urto_alloc(length + 1);
      this.calls[call](...values, room, length + 1);
    }
    const text = this.decode(new Uint8Array(this.calls.memory.buffer, room, length));
    if (room !== this.room) this.calls.urto_dealloc(room, length + 1);
    return text;
  }

  decode(bytes) {
    return this.decoder ? this.decoder.decode(bytes) : String.fromCharCode(...bytes);
  }

  /** Calls `call` with the text `text`. */
  withText(call, text) {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const place = this.calls.urto_alloc(bytes.length);
    new Uint8Array(this.calls.memory.buffer, place, bytes.length).set(bytes);
    const result = this.calls[call](place);
    this.calls.urto_dealloc(place, bytes.length);
    return result;
  }

  /** Throws the last error of the library if `status` says that it failed. */
  check(status) {
    if (status < 0 || status === null) throw new UrtoError(this.text('urto_error'));
    return status;
  }

  /** Number of the parameter `id`. Throws if there is none. */
  param(id) {
    return this.check(this.withText('urto_param_find', id));
  }

  /** Everything about parameter number `param`. */
  paramInfo(param) {
    this.check(this.calls.urto_param_range(param, this.room));
    const range = this.view(this.room, RANGE.bytes);
    const [min, max, initial] = [0, 8, 16].map((at) => range.getFloat64(at, true));
    const [choices, needsBody] = [24, 28].map((at) => range.getUint32(at, true));
    const texts = Object.fromEntries(Object.entries(PARAM).map(([what, number]) => [what, this.text('urto_param_text', param, number)]));
    const labels = Array.from({ length: choices }, (_, choice) => this.text('urto_param_show', param, choice));
    return { number: param, ...texts, min, max, initial, labels, needsBody: needsBody === 1 };
  }

  /** Everything that the list of presets shows about preset number `preset`. */
  presetInfo(preset) {
    const patch = this.calls.urto_patch_preset(preset);
    const texts = Object.fromEntries(
      ['name', 'family', 'tags', 'description'].map((what) => [what, this.text('urto_patch_text', patch, PATCH[what])]),
    );
    const macros = [];
    for (let name; (name = this.text('urto_patch_macro', patch, macros.length)) !== null; ) macros.push(name);
    const zones = this.calls.urto_patch_zone_count(patch) > 0 ? this.zones(patch) : [];
    const info = { number: preset, ...texts, macros, zones };
    this.calls.urto_patch_free(patch);
    return info;
  }

  /** The zones of a kit: lowest and highest key with the name, in the order of keys. */
  zones(patch) {
    const zones = [];
    for (let key = 0; key < 128; key++) {
      const name = this.text('urto_patch_zone', patch, key);
      const last = zones.at(-1);
      if (name !== null && last?.name === name && last.high === key - 1) last.high = key;
      else if (name !== null) zones.push({ name, low: key, high: key });
    }
    return zones;
  }

  /** The values of all parameters of a patch, by number. */
  values(patch) {
    return Array.from({ length: this.calls.urto_param_count() }, (_, param) => this.calls.urto_patch_get(patch, param));
  }

  /** A patch of preset number `preset` with `settings`, pairs of a parameter's number and a value. Its owner frees it. */
  patch(preset, settings) {
    const patch = this.calls.urto_patch_preset(preset);
    if (patch === 0) this.check(-1);
    for (const [param, value] of settings) this.calls.urto_patch_set(patch, param, value);
    return patch;
  }

  /** The body of `key` for drawing: lists as typed arrays. */
  body(patch, key) {
    const body = this.calls.urto_body_new(patch, key);
    this.check(this.calls.urto_body_view(body, this.room));
    const view = this.view(this.room, VIEW.bytes);
    const list = (call, Values) => {
      const place = this.calls[call](body, this.room);
      const count = this.view(this.room, 4).getUint32(0, true);
      return new Values(this.calls.memory.buffer, place, count).slice();
    };
    const found = {
      yaw: view.getFloat32(0, true),
      pitch: view.getFloat32(4, true),
      floor: view.getFloat32(8, true),
      form: view.getUint32(12, true),
      support: view.getUint32(16, true),
      isLine: view.getUint32(20, true) === 1,
      ghost: view.getInt32(24, true),
      points: list('urto_body_points', Float32Array),
      grids: list('urto_body_grids', Float32Array),
      edges: list('urto_body_edges', Float32Array),
      indices: list('urto_body_indices', Uint32Array),
    };
    this.calls.urto_body_free(body);
    return found;
  }

  /** An engine for a patch; 0 voices are the standard number. Its owner frees it. */
  engine(patch, rate, voices) {
    const engine = this.calls.urto_engine_new(patch, rate, voices);
    if (engine === 0) this.check(-1);
    return engine;
  }

  /** Renders `frames` samples; returns views of the left and the right channel, valid until the next call. */
  render(engine, frames) {
    if (frames > this.frames) {
      if (this.buffers !== 0) this.calls.urto_dealloc(this.buffers, 8 * this.frames);
      [this.frames, this.buffers] = [frames, this.calls.urto_alloc(8 * frames)];
    }
    const [left, right] = [this.buffers, this.buffers + 4 * frames];
    this.calls.urto_engine_render(engine, left, right, frames);
    const { buffer } = this.calls.memory;
    return [new Float32Array(buffer, left, frames), new Float32Array(buffer, right, frames)];
  }

  /** The last contact since the last call, or null. */
  hit(engine) {
    if (this.structures === undefined) this.structures = this.calls.urto_alloc(HIT.bytes);
    if (this.calls.urto_engine_hit(engine, this.structures) !== 1) return null;
    const view = this.view(this.structures, HIT.bytes);
    const names = ['velocityIn', 'velocityOut', 'mass', 'duration', 'peakForce', 'maxCompression', 'energyIn', 'energyHammer',
      'energyBody', 'energyContactLoss', 'energyDecay'];
    const hit = { number: view.getUint32(0, true), key: view.getUint32(4, true) };
    names.forEach((name, at) => { hit[name] = view.getFloat64(8 + 8 * at, true); });
    hit.substeps = view.getUint32(96, true);
    const count = view.getUint32(100, true);
    hit.points = new Float32Array(this.calls.memory.buffer, this.structures + HIT.points, 4 * count).slice();
    return hit;
  }

  /** The motion of the body struck last, or null: key, stroke, count, and displacement, velocity and omega of 24 modes. */
  motion(engine) {
    if (this.motionPlace === undefined) this.motionPlace = this.calls.urto_alloc(MOTION.bytes);
    if (this.calls.urto_engine_motion(engine, this.motionPlace) !== 1) return null;
    const view = this.view(this.motionPlace, MOTION.bytes);
    const [key, stroke, count] = [0, 4, 8].map((at) => view.getUint32(at, true));
    return { key, stroke, count, modes: new Float32Array(this.calls.memory.buffer, this.motionPlace + 12, 72).slice() };
  }

  /** Peaks and gain since the last call, and the number of voices. */
  meters(engine) {
    if (this.metersPlace === undefined) this.metersPlace = this.calls.urto_alloc(METERS.bytes);
    this.calls.urto_engine_meters(engine, this.metersPlace);
    const view = this.view(this.metersPlace, METERS.bytes);
    const [left, right, gain] = [0, 4, 8].map((at) => view.getFloat32(at, true));
    return { left, right, gain, voices: view.getUint32(12, true), asleep: view.getUint32(16, true) === 1 };
  }
}
