// Prints how much of the time of their sound presets need, to choose the voices in ../js/heavy.js: node measure-load.mjs PAGE [PART OF A NAME]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { voicesOf } from '../js/heavy.js';
import { UrtoModule } from '../js/urto-module.js';
import { loadOf } from './module-checks.mjs';

/** Numbers of voices that are tried where the usual one needs too much; and the part of the time that is too much. */
const FEWER = [8, 4, 2, 1];
const TOO_MUCH = 0.5;

const [page, part = ''] = process.argv.slice(2);
const compiled = new WebAssembly.Module(readFileSync(join(page, 'urto.wasm')));
const count = new UrtoModule(compiled).calls.urto_preset_count();
for (let preset = 0; preset < count; preset++) {
  const urto = new UrtoModule(compiled);
  const info = urto.presetInfo(preset);
  if (!info.name.includes(part)) continue;
  const loads = [];
  for (const voices of [voicesOf(info.name), ...FEWER]) {
    loads.push(`${voices} voices ${loadOf(urto, info, voices).toFixed(2)}`);
    if (Number(loads.at(-1).split(' ')[2]) < TOO_MUCH) break;
  }
  console.log(`${info.name}: ${loads.join(', ')}`);
}
