// Voices that the page gives a preset.

/** Voices of all other presets: enough for both hands, and a fourth of the memory of the plugin's 64. */
const USUAL = 24;
/** Presets that need more than half of the time of an audio block while a few notes sound. */
export const HEAVY = new Map([]);

/** Largest number of voices of the preset `name`. */
export const voicesOf = (name) => HEAVY.get(name) ?? USUAL;
