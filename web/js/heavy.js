// Voices that the page gives a preset.

/** Voices of all other presets: enough for both hands, and a fourth of the memory of the plugin's 64. */
const USUAL = 24;
/** Presets that need about half of the time of an audio block or more while a note each quarter of a second sounds; tests/measure-load.mjs measures it. */
export const HEAVY = new Map([
  ['Bossed Gong C3', 8],
  ['Crash Cymbal', 8],
  ['Press Roll', 4],
  ['Santur Bare Wood', 8],
  ['Snare Shell', 8],
  ['Symphonic Tam-Tam', 8],
]);

/** Largest number of voices of the preset `name`. */
export const voicesOf = (name) => HEAVY.get(name) ?? USUAL;
