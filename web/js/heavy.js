// Presets that need more than half of the time of an audio block in the browser, with the number of voices that the page gives them.

export const HEAVY = new Map([]);
