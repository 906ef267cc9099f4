//! The state of modes that exchange energy between bands, one step of the exchange ahead, and the energies that the next begins with.

use std::ops::Range;

use crate::voice::resonator_bank::ResonatorBank;
use crate::voice::step_power::{LANES, advanced};
use urto_physics::modal::{BandExchange, MAX_BANDS, PhaseReversal, PhaseReversals};

/// Factor of every mode of a chunk, and 1 where it belongs to the band, else 0.
type Shares = [[f64; LANES]; 2];

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
    /// Those of chunk number `chunk`.
    #[inline(always)]
    fn of(&self, chunk: usize) -> Shares {
        let inside = |lane: usize| self.modes.contains(&(chunk * LANES + lane));
        let gains = std::array::from_fn(|lane| if inside(lane) { self.gain * self.factor } else { self.factor });
        [gains, std::array::from_fn(|lane| if inside(lane) { 1.0 } else { 0.0 })]
    }
}

/// Advances the state that `resonators` keep by one step of the exchange between `bands`, of `blocks` control blocks, at whose end modes are
/// reversed, and multiplies it by `factor`. Returns the energies [J] of the bands after it.
pub fn advance_bands(
    resonators: &mut ResonatorBank,
    (bands, reversals): (&BandExchange, &PhaseReversals),
    (blocks, factor): (usize, f64),
) -> [f64; MAX_BANDS] {
    let mut energies = [0.0; MAX_BANDS];
    let mut end = 0;
    for (number, ((energy, modes), gain)) in energies.iter_mut().zip(bands.bands()).zip(bands.gains()).enumerate() {
        let chunks = modes.start / LANES..modes.end.div_ceil(LANES);
        end = chunks.end;
        let (start, last) = resonators.audible(chunks);
        let shares = BandShares { modes, chunks: start..last, gain: *gain, factor, reversal: reversals.of_band(number) };
        *energy = advance_band(resonators, &shares, blocks, bands.omega2());
    }
    resonators.advance_ahead(end, blocks, factor);
    energies
}

/// Advances the modes of one band by `blocks` control blocks. Returns their energy [J].
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn advance_band(resonators: &mut ResonatorBank, band: &BandShares, blocks: usize, omega2: &[f64]) -> f64 {
    let (halves, [q, v]) = resonators.ahead();
    let (q, v) = (q.as_chunks_mut::<LANES>().0, v.as_chunks_mut::<LANES>().0);
    let omega2 = omega2.as_chunks::<LANES>();
    let mut last = [0.0; LANES];
    last[..omega2.1.len()].copy_from_slice(omega2.1);
    let mut sums = [0.0; LANES];
    for n in band.chunks.clone() {
        let [gains, inside] = band.of(n);
        let (next_q, next_v) = advanced(&halves[n], blocks, (q[n], v[n]));
        let omega2 = omega2.0.get(n).unwrap_or(&last);
        let (mut moved, mut speed) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            moved[lane] = gains[lane] * next_q[lane];
            speed[lane] = gains[lane] * next_v[lane];
            sums[lane] += inside[lane] * (speed[lane] * speed[lane] + omega2[lane] * (moved[lane] * moved[lane]));
        }
        if !band.reversal.is_none() {
            let signs = band.reversal.signs(n);
            for lane in 0..LANES {
                moved[lane] *= if inside[lane] > 0.0 { signs[lane] } else { 1.0 };
            }
        }
        (q[n], v[n]) = (moved, speed);
    }
    0.5 * sums.iter().sum::<f64>()
}
