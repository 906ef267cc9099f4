//! The state of modes that exchange energy between bands, one step of the exchange ahead, and the energies that the next begins with.

use std::ops::Range;

use crate::voice::step_power::{Eight, LANES, Power, advanced, scaled, step_on};
use crate::voice::step_states::{NewState, State};
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

/// What advances the state of a body by one step of the exchange.
#[derive(Clone, Copy)]
pub struct BandStep<'a> {
    /// A^8 of all modes that can be heard.
    pub halves: &'a [Power],
    /// Control blocks of the step.
    pub blocks: usize,
    /// The powers of the step for the first chunks of modes, as far as they are known.
    pub powers: &'a [Power],
    /// Factor of the whole state.
    pub factor: f64,
}

impl BandStep<'_> {
    /// Chunk number `n` after the step, without factors.
    #[inline(always)]
    fn advanced(&self, n: usize, state: (Eight, Eight)) -> (Eight, Eight) {
        match self.powers.get(n) {
            Some(power) => step_on(power, state),
            None => advanced(&self.halves[n], self.blocks, state),
        }
    }
}

/// Advances the state from `before` to `after` by one step of the exchange between `bands`, at whose end modes are reversed. Returns the energies
/// [J] of the bands after it.
pub fn advance_bands(
    step: BandStep,
    (bands, reversals): (&BandExchange, &PhaseReversals),
    before: State,
    (q, v): NewState,
) -> [f64; MAX_BANDS] {
    let mut energies = [0.0; MAX_BANDS];
    let audible = step.halves.len();
    let mut end = 0;
    for (number, ((energy, modes), gain)) in energies.iter_mut().zip(bands.bands()).zip(bands.gains()).enumerate() {
        end = modes.end.div_ceil(LANES);
        let last = end.min(audible);
        let chunks = (modes.start / LANES).min(last)..last;
        let shares = BandShares { modes, chunks, gain: *gain, factor: step.factor, reversal: reversals.of_band(number) };
        *energy = advance_band(step, &shares, bands.omega2(), before, (q, v));
    }
    for n in end..audible {
        (q[n], v[n]) = scaled(step.factor, step.advanced(n, (before.0[n], before.1[n])));
    }
    energies
}

/// Advances the modes of one band. Returns their energy [J].
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2", "x86_64+avx")))]
fn advance_band(step: BandStep, band: &BandShares, omega2: &[f64], before: State, (q, v): NewState) -> f64 {
    let omega2 = omega2.as_chunks::<LANES>().0;
    let gain = band.gain * band.factor;
    let (mut sums, mut partial) = ([0.0; LANES], 0.0);
    for n in band.chunks.clone() {
        let (place, speed) = step.advanced(n, (before.0[n], before.1[n]));
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
