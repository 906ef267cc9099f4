// The audio thread: one engine in an instance of the module of its own. Messages arrive between blocks of 128 frames.

import { UrtoModule } from './urto-module.js';

/** Frames over which the old sound fades before another preset is built. */
const FADE = 1024;
/** Blocks between two messages about motion, and about meters; and blocks over which the load is measured. */
const MOTION_BLOCKS = 8;
const METER_BLOCKS = 24;
const LOAD_BLOCKS = 192;
/** Time after the last change of a parameter before a new body is prepared [s]. */
const PREPARE_DELAY = 0.12;
/** Blocks of the note that is played unheard, so that the browser compiles the functions of the engine. */
const WARM_UP_BLOCKS = 24;

class UrtoProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.module = new UrtoModule(processorOptions.module);
    this.engine = 0;
    this.block = 0;
    this.spent = 0;
    this.isBroken = false;
    // events at frames of an offline context, in their order
    this.events = processorOptions.events ?? [];
    this.port.onmessage = ({ data }) => this.guard(() => this.receive(data));
    this.guard(() => this.load(processorOptions.sound));
  }

  /** Runs `work`; a fault of the engine ends the sound with one message. */
  guard(work) {
    if (this.isBroken) return;
    try {
      work();
    } catch (error) {
      this.isBroken = true;
      this.port.postMessage({ type: 'broken', sentence: String(error?.message ?? error) });
    }
  }

  /** Builds the engine of a sound: number of the preset, settings, number of voices. */
  load({ preset, settings, voices, warmUpKey, request }) {
    const { calls } = this.module;
    if (this.engine !== 0) calls.urto_engine_free(this.engine);
    const patch = this.module.patch(preset, settings);
    this.engine = this.module.engine(patch, sampleRate, voices);
    calls.urto_patch_free(patch);
    this.warmUp(warmUpKey);
    [this.next, this.fade, this.prepareAt] = [null, 0, Infinity];
    this.port.postMessage({ type: 'loaded', request });
  }

  warmUp(key) {
    const { calls } = this.module;
    calls.urto_engine_note_on(this.engine, 0, key, 0.5);
    for (let block = 0; block < WARM_UP_BLOCKS; block++) this.module.render(this.engine, 128);
    this.module.hit(this.engine);
    this.module.motion(this.engine);
    calls.urto_engine_reset(this.engine);
    this.module.hit(this.engine);
    this.module.meters(this.engine);
  }

  receive(message) {
    const { calls } = this.module;
    const { engine } = this;
    switch (message.type) {
      case 'load':
        [this.next, this.fade] = [message.sound, FADE];
        break;
      case 'note':
        calls.urto_engine_note_on(engine, message.channel, message.key, message.velocity);
        break;
      case 'strike':
        calls.urto_engine_strike(engine, message.key, message.velocity, message.along, message.across);
        break;
      case 'release':
        calls.urto_engine_note_off(engine, message.channel, message.key, 0.5);
        break;
      case 'set':
        calls.urto_engine_set(engine, message.param, message.value);
        this.prepareAt = currentTime + PREPARE_DELAY;
        break;
      case 'controller':
        calls.urto_engine_controller(engine, message.channel, message.number, message.value);
        break;
      case 'bend':
        calls.urto_engine_bend(engine, message.channel, message.value);
        break;
      case 'pressure':
        calls.urto_engine_pressure(engine, message.channel, message.value);
        break;
      case 'choke':
        calls.urto_engine_choke(engine);
        break;
      case 'break':
        // for the test of the page: what a fault of the engine does
        throw new Error('stopped on request');
      default:
    }
  }

  process(_inputs, outputs) {
    this.guard(() => this.play(outputs[0]));
    return true;
  }

  play([left, right]) {
    while (this.events.length > 0 && this.events[0].frame <= currentFrame) this.receive(this.events.shift());
    if (this.next && this.fade === 0) this.load(this.next);
    if (currentTime >= this.prepareAt) {
      this.prepareAt = Infinity;
      this.module.check(this.module.calls.urto_engine_prepare(this.engine));
    }
    const begin = Date.now();
    const frames = left.length;
    const rendered = this.module.render(this.engine, frames);
    left.set(rendered[0]);
    if (right) right.set(rendered[1]);
    if (this.next) this.fadeOut(left, right);
    this.spent += Date.now() - begin;
    this.report(frames);
  }

  fadeOut(left, right) {
    for (let n = 0; n < left.length; n++) {
      const gain = Math.max(0, this.fade - n) / FADE;
      left[n] *= gain;
      if (right) right[n] *= gain;
    }
    this.fade = Math.max(0, this.fade - left.length);
  }

  report(frames) {
    this.block += 1;
    const hit = this.module.hit(this.engine);
    if (hit) this.port.postMessage({ type: 'hit', hit });
    if (this.block % MOTION_BLOCKS === 0) {
      const motion = this.module.motion(this.engine);
      if (motion) this.port.postMessage({ type: 'motion', motion }, [motion.modes.buffer]);
    }
    if (this.block % METER_BLOCKS === 0) {
      const meters = this.module.meters(this.engine);
      this.port.postMessage({ type: 'meters', meters });
    }
    if (this.block % LOAD_BLOCKS === 0) {
      const load = this.spent / (1000 * LOAD_BLOCKS * frames / sampleRate);
      this.spent = 0;
      this.port.postMessage({ type: 'load', load });
    }
  }
}

registerProcessor('urto', UrtoProcessor);
