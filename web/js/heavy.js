// Voices that the page gives a preset, and notes about presets that need much of a processor.

/** Voices of all other presets: enough for both hands, and a fourth of the memory of the plugin's 64. */
const USUAL = 24;
/** Presets that need about half of the time of an audio block or more while a note each quarter of a second sounds; tests/measure-load.mjs measures it. */
const LIMITED = new Map([
  ['Bossed Gong C3', 8],
  ['Crash Cymbal', 8],
  ['Falling Tom', 8],
  ['Opera Gong Falling', 8],
  ['Opera Gong Rising', 8],
  ['Orchestra Kit', 8],
  ['Pedal Hi-Hat', 8],
  ['Press Roll', 8],
  ['Santur Bare Wood', 8],
  ['Snare Shell', 8],
  ['Studio Kit', 8],
  ['Symphonic Tam-Tam', 8],
  ['Timpano A2', 8],
]);
/** Presets of which one voice needed more than the whole time of a block on a slow core (AMD EPYC, 2.6 GHz). */
const VERY_HEAVY = new Map([
  ['Bending Kit', 8],
  ['Dented Pot Lid', 4],
  ['Hand Splash', 4],
  ['Pedal Kit', 8],
  ['Sizzle Cymbal', 4],
  ['Water Gong', 4],
]);

/** Names of all presets above. */
export const HEAVY = [...LIMITED.keys(), ...VERY_HEAVY.keys()];

/** Largest number of voices of the preset `name`. */
export const voicesOf = (name) => LIMITED.get(name) ?? VERY_HEAVY.get(name) ?? USUAL;

/** What the page says about a preset that needs much of a processor; empty for all others. */
export function noteOn(name) {
  const voices = voicesOf(name);
  if (VERY_HEAVY.has(name)) {
    return ` This preset is very heavy: on a slow computer its sound is interrupted. The page plays at most ${voices} voices of it, the plugin 64.`;
  }
  return LIMITED.has(name) ? ` This preset is heavy: the page plays at most ${voices} voices of it, the plugin 64.` : '';
}
