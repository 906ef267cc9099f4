// Renderings by the program in C, which is linked with the native library.

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const RATE = 48000;

/**
 * Renders `seconds` of a preset; `settings` are pairs of an id and a value, `notes` have key, velocity (0 to 1) and start [s]. Returns both channels
 * and the hits with key, velocity, peak and duration.
 */
export function renderNative(program, folder, { preset, seconds, settings = [], notes }) {
  const out = join(folder, 'native.f32');
  const words = [
    ...settings.map(([id, value]) => `${id}=${value}`),
    ...notes.map(({ key, velocity, start }) => `${key}:${127 * velocity}@${start}`),
  ];
  const text = execFileSync(program, [preset, String(seconds), out, ...words], { encoding: 'utf8' });
  const bytes = readFileSync(out);
  rmSync(out);
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const hits = text.trim().split('\n').filter(Boolean).map((line) => Object.fromEntries(line.split(' ').slice(1).map((word) => {
    const [name, value] = word.split('=');
    return [name, Number(value)];
  })));
  return { left: samples.filter((_, n) => n % 2 === 0), right: samples.filter((_, n) => n % 2 === 1), hits };
}

/** The same by the module in Node, in blocks of 128 frames, with the notes at the beginning of theirs. */
export function renderModule(urto, { preset, seconds, settings = [], notes, voices = 0 }) {
  const patch = urto.patch(urto.check(urto.withText('urto_preset_find', preset)), settings.map(([id, value]) => [urto.param(id), value]));
  const engine = urto.engine(patch, RATE, voices);
  const frames = Math.round(seconds * RATE);
  const [left, right, hits] = [new Float32Array(frames), new Float32Array(frames), []];
  const waiting = notes.map((note) => ({ ...note, frame: Math.round(note.start * RATE) }));
  for (let frame = 0; frame < frames; ) {
    while (waiting[0]?.frame <= frame) {
      const { key, velocity } = waiting.shift();
      urto.calls.urto_engine_note_on(engine, 0, key, velocity);
    }
    const end = Math.min(frames, frame + 128, waiting[0]?.frame ?? frames);
    const [l, r] = urto.render(engine, end - frame);
    left.set(l, frame);
    right.set(r, frame);
    const hit = urto.hit(engine);
    if (hit) hits.push(hit);
    frame = end;
  }
  urto.calls.urto_engine_free(engine);
  urto.calls.urto_patch_free(patch);
  return { left, right, hits };
}
