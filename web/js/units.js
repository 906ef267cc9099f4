// Numbers, units and keys as text.

const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p']];
const NOTES = ['C', 'C♯', 'D', 'D♯', 'E', 'F', 'F♯', 'G', 'G♯', 'A', 'A♯', 'B'];

/** Factor and unit with the prefix that suits `value`; speeds and masses stay readable. */
export function prefixed(value, unit) {
  const size = Math.abs(value);
  if (unit === 'm/s' && size >= 0.01) return [1, unit];
  const [factor, prefix] = PREFIXES.find(([least]) => size >= 0.9995 * least) ?? [1, ''];
  return [factor, prefix + unit];
}

/** A value with three figures and a prefix. */
export function withPrefix(value, unit) {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return `0 ${unit}`;
  const [factor, shown] = prefixed(value, unit);
  return `${figures(value / factor)} ${shown}`;
}

/** Three figures, with a true minus. */
export function figures(value) {
  const decimals = Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(Math.max(1e-9, Math.abs(value))))));
  return value.toFixed(decimals).replace('-', '−');
}

/** Name of a key: 69 is A4. */
export const keyName = (key) => `${NOTES[key % 12]}${String(Math.floor(key / 12) - 1).replace('-', '−')}`;
