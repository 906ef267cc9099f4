//! The state of modes that exchange energy between bands, one step of the exchange ahead, and the energies that the next begins with.

use std::ops::Range;

use crate::voice::resonator_bank::ResonatorBank;
use crate::voice::step_power::{Eight, LANES, Power, advanced, step_on};
use urto_physics::modal::{BandExchange, MAX_BANDS, PhaseReversal, PhaseReversals};

/// Factors of the modes of one band.
struct BandShares {
    /// Its modes, and the chunks that contain them.
    modes: Range<usize>,
    chunks: Range<usize>,
    /// Factor of its modes, and of others in its chunks.
    gain: f64,
    factor: f64,
    /// Reversals of its modes.
    reversal: PhaseReversal,
}

impl BandShares {
    /// Whether all modes of chunk number `chunk` are in the band.
    #[inline(always)]
    fn contains_all_of(&self, chunk: usize) -> bool {
        self.modes.start <= chunk * LANES && (chunk + 1) * LANES <= self.modes.end
    }
}

/// Advances the state that `resonators` keep by one step of the exchange between `bands`, of `blocks` control blocks, at whose end modes are
/// reversed, and multiplies it by `factor`. `powers`: those of the step for the first chunks of modes, as far as they are known. Returns the energies
/// [J] of the bands after it.
pub fn advance_bands(
    resonators: &mut ResonatorBank,
    (bands, reversals): (&BandExchange, &PhaseReversals),
    (blocks, factor): (usize, f64),
    powers: &[Power],
) -> [f64; MAX_BANDS] {
    let mut energies = [0.0; MAX_BANDS];
    let mut end = 0;
    for (number, ((energy, modes), gain)) in energies.iter_mut().zip(bands.bands()).zip(bands.gains()).enumerate() {
        let chunks = modes.start / LANES..modes.end.div_ceil(LANES);
        end = chunks.end;
        let (start, last) = resonators.audible(chunks);
        let shares = BandShares { modes, chunks: start..last, gain: *gain, factor, reversal: reversals.of_band(number) };
        *energy = advance_band(resonators, &shares, (blocks, powers), bands.omega2());
    }
    resonators.advance_ahead(end, blocks, factor);
    energies
}

/// Advances the modes of one band by `blocks` control blocks. Returns their energy [J].
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx")))]
fn advance_band(resonators: &mut ResonatorBank, band: &BandShares, (blocks, powers): (usize, &[Power]), omega2: &[f64]) -> f64 {
    let (halves, [q, v]) = resonators.ahead();
    let (q, v, omega2) = (q.as_chunks_mut::<LANES>().0, v.as_chunks_mut::<LANES>().0, omega2.as_chunks::<LANES>().0);
    let gain = band.gain * band.factor;
    let (mut sums, mut partial) = ([0.0; LANES], 0.0);
    for n in band.chunks.clone() {
        let (place, speed) = match powers.get(n) {
            Some(power) => step_on(power, (q[n], v[n])),
            None => advanced(&halves[n], blocks, (q[n], v[n])),
        };
        if !band.contains_all_of(n) {
            (q[n], v[n]) = (place, speed);
            partial += take_part(band, n, &mut q[n], &mut v[n], &omega2[n]);
            continue;
        }
        let (mut moved, mut moved_speed) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            moved[lane] = gain * place[lane];
            moved_speed[lane] = gain * speed[lane];
            sums[lane] += moved_speed[lane] * moved_speed[lane] + omega2[n][lane] * (moved[lane] * moved[lane]);
        }
        (q[n], v[n]) = (band.reversal.reversed(n, moved), moved_speed);
    }
    0.5 * (sums.iter().sum::<f64>() + partial)
}

/// Gives the advanced chunk number n, with modes of other bands or of none, the factors and reversals. Returns twice the energy [J] of those in the band.
#[inline(never)]
fn take_part(band: &BandShares, n: usize, q: &mut Eight, v: &mut Eight, omega2: &Eight) -> f64 {
    let reversed = band.reversal.reversed(n, *q);
    let mut sum = 0.0;
    for lane in 0..LANES {
        let inside = band.modes.contains(&(n * LANES + lane));
        let gain = if inside { band.gain * band.factor } else { band.factor };
        (q[lane], v[lane]) = (gain * if inside { reversed[lane] } else { q[lane] }, gain * v[lane]);
        if inside {
            sum += v[lane] * v[lane] + omega2[lane] * (q[lane] * q[lane]);
        }
    }
    sum
}
