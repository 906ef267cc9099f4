// The module in Node: imports, size, levels against the native library, and how fast it plays.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { HEAVY, voicesOf } from '../js/heavy.js';
import { UrtoModule } from '../js/urto-module.js';
import { difference, ensure, level } from './check.mjs';
import { RATE, renderModule, renderNative } from './native.mjs';

/** Largest size of the module with gzip [bytes], and largest difference of levels [dB]. */
const LARGEST = 700e3;
const LEVEL_TOLERANCE = 0.5;
/** Presets of all families whose levels are compared. */
const LEVEL_PRESETS = ['Rosewood Marimba', 'Concert Xylophone', 'Vibraphone Motor Off', 'Parish Bell', 'Handbell C5', 'Himalayan Bowl', 'Timpano A2',
  'Twelve-Inch Tom', 'Snare with Wires', 'Steel Panel', 'Symphonic Tam-Tam', 'Crash Cymbal', 'Piano C4 Wire', 'Santur Bare Wood', 'Claves', 'Woodblock High',
  'Handpan', 'Celesta', 'Bouncing Marble', 'Studio Kit'];
/** Presets whose speed is printed: two heavy ones among them. */
const SPEED_PRESETS = ['Rosewood Marimba', 'Glockenspiel Brass', 'Parish Bell', 'Timpano A2', 'Snare with Wires', 'Symphonic Tam-Tam', 'Piano C4 Wire',
  'Claves', 'Crash Cymbal', 'Studio Kit'];
/** Largest part of the time of the sound that playing with the page's voices may take [CPU time]. */
const LARGEST_LOAD = 1;

/** A key that the preset plays: that of a snare in a kit, otherwise middle C. */
export function playedKey(info) {
  return info.zones.find((zone) => /snare|tom/i.test(zone.name))?.low ?? info.zones[0]?.low ?? 60;
}

/** A note each quarter of a second, two octaves up and down. */
function phrase(info, seconds) {
  const keys = info.zones.length > 0 ? info.zones.map((zone) => zone.low) : [48, 55, 60, 64, 67, 72, 67, 60];
  return Array.from({ length: 4 * seconds }, (_, i) => ({ key: keys[i % keys.length], velocity: 0.7, start: i / 4 }));
}

/** CPU time of playing over the time of the sound. */
export function loadOf(urto, info, voices) {
  const seconds = 2;
  const sound = { preset: info.name, seconds, notes: phrase(info, seconds), voices };
  // the browser compiles functions when they are used
  renderModule(urto, { ...sound, seconds: 0.3 });
  const begin = process.cpuUsage();
  renderModule(urto, sound);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1e6 / seconds;
}

/** Runs the checks; returns the instance of the module and the information about presets by name. */
export async function moduleChecks({ page, program, folder, check }) {
  const bytes = readFileSync(join(page, 'urto.wasm'));
  const compiled = new WebAssembly.Module(bytes);
  const urto = new UrtoModule(compiled);
  const infos = new Map();
  await check('the module imports nothing', () => ensure(WebAssembly.Module.imports(compiled).length === 0, 'it has imports'));
  await check('the module is small', () => {
    const size = gzipSync(bytes, { level: 9 }).length;
    ensure(size <= LARGEST, `${size} bytes with gzip, more than ${LARGEST}`);
    return `${(bytes.length / 1000).toFixed(0)} kB, ${(size / 1000).toFixed(0)} kB with gzip`;
  });
  const begin = performance.now();
  for (let preset = 0; preset < urto.calls.urto_preset_count(); preset++) {
    const info = urto.presetInfo(preset);
    infos.set(info.name, info);
  }
  const spent = performance.now() - begin;
  await check('all presets are listed', () => {
    ensure(infos.size >= 120, `only ${infos.size}`);
    return `${infos.size} in ${spent.toFixed(0)} ms`;
  });
  await check('errors are sentences', () => {
    ensure(urto.withText('urto_param_find', 'no_such') === -1, 'a parameter that does not exist was found');
    const text = urto.text('urto_error');
    ensure(text.includes('no_such') && text.includes('for example'), text);
    ensure(urto.calls.urto_engine_note_on(0, 0, 60, 1) === -1 && urto.text('urto_error').includes('urto_engine_new'), 'a null engine');
  });
  await check('levels of 20 presets are those of the native library', () => {
    const found = LEVEL_PRESETS.map((preset) => {
      const sound = { preset, seconds: 1.5, notes: [{ key: playedKey(infos.get(preset)), velocity: 96 / 127, start: 0 }] };
      const [native, own] = [renderNative(program, folder, sound), renderModule(urto, sound)];
      return { preset, level: level(own.left) - level(native.left), difference: difference(native.left, own.left) };
    });
    const far = found.filter((each) => !(Math.abs(each.level) <= LEVEL_TOLERANCE));
    ensure(far.length === 0, far.map((each) => `${each.preset} ${each.level.toFixed(2)} dB`).join(', '));
    const largest = Math.max(...found.map((each) => Math.abs(each.level)));
    const differences = found.map((each) => each.difference).sort((a, b) => a - b);
    return `largest difference ${largest.toFixed(3)} dB, samples differ by ${differences[10].toFixed(0)} dB (median)`;
  });
  await check('presets play in real time', () => {
    for (const name of HEAVY) ensure(infos.has(name), `heavy.js names ${name}, which is no preset`);
    const found = SPEED_PRESETS.map((preset) => ({ preset, load: loadOf(urto, infos.get(preset), voicesOf(preset)) }));
    const slow = found.filter(({ load }) => load > LARGEST_LOAD);
    const text = found.map(({ preset, load }) => `${preset} ${(1 / load).toFixed(1)}${HEAVY.includes(preset) ? ` (${voicesOf(preset)} voices)` : ''}`).join(', ');
    ensure(slow.length === 0, `slower than real time; times real time: ${text}`);
    return `times real time: ${text}`;
  });
  return { urto, infos, rate: RATE };
}
