//! Frequencies of the modes of one specimen, from their number.
//!
//! ```text
//! N(f_i) = i - 1/2 + 0.37 g_i        g_i: random, mean square 1, of (seed, i) alone; i counts all modes of the body from 1
//! ```
//!
//! The spacings spread by 0.46 of their mean, like those of irregular bodies (0.53 in the Gaussian orthogonal ensemble of random
//! matrices), and long stretches are as even as theirs. The modes of regular bodies spread by 0.93, independent ones by 1. Mode i
//! moves smoothly when the body changes, and another number of exact modes below changes no mode far above.

use crate::bodies::field::modal_density::ModalDensity;
use crate::random::SplitMix64;

/// Spread of one mode around its place [mean spacings].
const JITTER: f64 = 0.37;

/// Distance of the lowest mode from the last exact one, at least [mean spacings].
const LEAST_GAP: f64 = 0.05;

/// Halvings of an interval: the frequency is exact to rounding.
const HALVINGS: usize = 60;

/// Streams of random numbers of a mode. The numbers of a stream never change within one version of the sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// Place of its frequency.
    Frequency = 1,
    /// Its waves.
    Waves = 2,
}

/// Random numbers of mode `index` of the specimen `seed`; they depend on nothing else.
pub(super) fn random_of(seed: u64, index: u64, stream: Stream) -> SplitMix64 {
    let mut mixed = SplitMix64::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ stream as u64);
    SplitMix64::new(mixed.next_u64() ^ SplitMix64::new(index).next_u64())
}

/// A number of mean square 1, nearly normal: twelve uniform ones, which are the same on every processor.
fn deviation(mut random: SplitMix64) -> f64 {
    (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0
}

/// Frequencies [Hz] of the modes between `from` and `to` [Hz], rising, at most `most`: `part` (0 to 1] of those of `density`,
/// evenly, of the specimen `seed`. Each has its number i. Allocates.
pub fn ladder(density: &ModalDensity, part: f64, (from, to): (f64, f64), most: usize, seed: u64) -> Vec<(f64, u64)> {
    let count = |frequency: f64| part * density.count(frequency);
    let (begin, end) = (count(from), count(to));
    let first = (begin + 0.5).ceil() as u64;
    let place = |i: u64| {
        let place = i as f64 - 0.5 + JITTER * deviation(random_of(seed, i, Stream::Frequency));
        (place.max(begin + LEAST_GAP), i)
    };
    let mut places: Vec<(f64, u64)> =
        (first..).take_while(|&i| i as f64 - 0.5 < end).take(most).map(place).filter(|&(place, _)| place < end).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut low = from;
    for (place, _) in &mut places {
        low = frequency_at(*place, count, (low, to));
        *place = low;
    }
    places
}

/// Frequency [Hz] between two others at which `count`, which rises, is `place`.
fn frequency_at(place: f64, count: impl Fn(f64) -> f64, (mut low, mut high): (f64, f64)) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if count(middle) < place {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::field::modal_density::Sheet;
    use crate::bodies::material::Material;
    use crate::bodies::position::EdgeSupport;

    fn plate() -> ModalDensity {
        let sheet = Sheet { material: Material::STEEL, thickness: 2e-3, area: 0.2 };
        ModalDensity::Plate { sheet, ring: 0.0, perimeter: 0.0, edge: EdgeSupport::Supported }
    }

    /// Standard deviation of the spacings over their mean, and the part below a tenth of it.
    fn spread(density: &ModalDensity, ladder: &[(f64, u64)]) -> (f64, f64) {
        let gaps: Vec<f64> = ladder.windows(2).map(|two| density.count(two[1].0) - density.count(two[0].0)).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let variance = gaps.iter().map(|gap| (gap / mean - 1.0).powi(2)).sum::<f64>() / gaps.len() as f64;
        (variance.sqrt(), gaps.iter().filter(|&&gap| gap < 0.1 * mean).count() as f64 / gaps.len() as f64)
    }

    /// Test 5 of the design: spread 0.4 to 0.55; no more than a few spacings are narrow.
    #[test]
    fn spacings_repel_each_other() {
        for seed in 0..8 {
            let modes = ladder(&plate(), 1.0, (100.0, 20e3), usize::MAX, seed);
            let (spread, narrow) = spread(&plate(), &modes);
            assert!((0.4..0.55).contains(&spread) && narrow < 0.04, "seed {seed}: {spread} {narrow}");
        }
    }

    /// From any mode on there are as many as the law counts, within two: no gap at the joint, none twice.
    #[test]
    fn the_ladder_continues_where_the_exact_modes_end() {
        for seed in 0..20 {
            for from in [150.0, 777.0, 3e3] {
                let modes = ladder(&plate(), 1.0, (from, 20e3), usize::MAX, seed);
                assert!(modes.windows(2).all(|two| two[1].0 >= two[0].0) && modes[0].0 > from && modes.last().unwrap().0 <= 20e3);
                for to in [from * 1.5, 10e3, 20e3] {
                    let counted = modes.iter().filter(|mode| mode.0 < to).count() as f64;
                    let off = counted - (plate().count(to) - plate().count(from));
                    assert!(off.abs() < 2.5, "seed {seed}, {from} to {to} Hz: {off}");
                }
            }
        }
    }

    /// More exact modes below leave the modes above as they are; a larger body moves each of them in proportion.
    #[test]
    fn modes_above_depend_on_seed_and_number_only() {
        let [long, short] = [200.0, 2e3].map(|from| ladder(&plate(), 1.0, (from, 20e3), usize::MAX, 5));
        let same = |mode: &(f64, u64)| long.iter().any(|other| other.1 == mode.1 && (other.0 / mode.0 - 1.0).abs() < 1e-12);
        assert!(short.iter().filter(|mode| mode.0 > 2.1e3).all(same));
        assert!(ladder(&plate(), 1.0, (200.0, 20e3), usize::MAX, 6) != long);
        assert_eq!(ladder(&plate(), 1.0, (200.0, 20e3), 7, 5).len(), 7);
        let half = ladder(&plate(), 0.5, (200.0, 20e3), usize::MAX, 5);
        assert!((half.len() as f64 / long.len() as f64 - 0.5).abs() < 0.01);
    }

    /// Stored values: a change of the random numbers would change every specimen, which a version of the sound must not.
    #[test]
    fn random_numbers_of_a_specimen_stay() {
        let numbers = |seed, index, stream| random_of(seed, index, stream).next_u64();
        let drawn = [(0, 1, Stream::Frequency), (0, 1, Stream::Waves), (9999, 2048, Stream::Frequency)];
        let drawn = drawn.map(|(seed, index, stream)| numbers(seed, index, stream));
        let deviation = deviation(random_of(3, 77, Stream::Frequency));
        assert_eq!((drawn, deviation), (STORED, STORED_DEVIATION));
    }

    const STORED: [u64; 3] = [16_294_208_416_658_607_535, 5_026_954_255_020_281_043, 1_868_830_136_856_668_995];
    const STORED_DEVIATION: f64 = 0.236_393_556_636_473_43;
}
