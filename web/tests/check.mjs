// Named checks, and comparisons of sounds.

/** Part of the names of the checks that run; all without this variable. */
const ONLY = process.env.URTO_WEB_ONLY ?? '';

let failures = 0;

/** Runs a check and prints its result; `work` returns a line with its figures, and throws if it fails. */
export async function check(name, work) {
  if (!name.includes(ONLY)) return;
  const begin = performance.now();
  try {
    const figures = await work();
    console.log(`ok    ${name}${figures ? `: ${figures}` : ''} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  ${name}: ${error.message.split('\n').slice(0, 6).join(' | ')}`);
  }
}

/** Ends the program: with 1 if a check has failed. */
export function finish() {
  console.log(failures === 0 ? 'all checks of the page passed' : `${failures} checks of the page failed`);
  process.exit(failures === 0 ? 0 : 1);
}

/** Throws unless `condition`. */
export function ensure(condition, message) {
  if (!condition) throw new Error(message);
}

/** Level of a sound [dB]. */
export const level = (samples) => 10 * Math.log10(samples.reduce((sum, x) => sum + x * x, 0) / samples.length + 1e-20);

/** Level of the difference of two sounds relative to the first [dB]. */
export function difference(a, b) {
  const count = Math.min(a.length, b.length);
  let [error, power] = [0, 0];
  for (let n = 0; n < count; n++) {
    error += (a[n] - b[n]) ** 2;
    power += a[n] ** 2;
  }
  return 10 * Math.log10((error + 1e-30) / (power + 1e-30));
}

/** The `count` strongest partials between 60 Hz and 8 kHz, at least 3 % apart: frequency [Hz] and level [dB], by a Hann window over all samples. */
export function partials(samples, rate, count) {
  const size = 1 << Math.floor(Math.log2(samples.length));
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  for (let n = 0; n < size; n++) re[n] = samples[n] * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
  transform(re, im);
  const magnitude = (k) => Math.hypot(re[k], im[k]);
  const peaks = [];
  for (let k = Math.ceil((60 * size) / rate); k < (8000 * size) / rate; k++) {
    const [before, at, after] = [magnitude(k - 1), magnitude(k), magnitude(k + 1)].map(Math.log);
    if (at <= before || at < after) continue;
    const shift = (0.5 * (before - after)) / (before - 2 * at + after);
    peaks.push({ hertz: ((k + shift) * rate) / size, db: (20 / Math.LN10) * (at - 0.25 * (before - after) * shift) });
  }
  peaks.sort((a, b) => b.db - a.db);
  const found = [];
  for (const peak of peaks) {
    if (found.length < count && found.every((other) => Math.abs(Math.log(other.hertz / peak.hertz)) > 0.03)) found.push(peak);
  }
  return found.sort((a, b) => a.hertz - b.hertz);
}

/** Fast Fourier transform in place; the length is a power of two. */
function transform(re, im) {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let length = 2; length <= size; length *= 2) {
    const angle = (-2 * Math.PI) / length;
    for (let k = 0; k < length / 2; k++) {
      const [cos, sin] = [Math.cos(angle * k), Math.sin(angle * k)];
      for (let i = k; i < size; i += length) {
        const j = i + length / 2;
        const [x, y] = [re[j] * cos - im[j] * sin, re[j] * sin + im[j] * cos];
        [re[j], im[j], re[i], im[i]] = [re[i] - x, im[i] - y, re[i] + x, im[i] + y];
      }
    }
  }
}
