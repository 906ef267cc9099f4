//! Filters that absorb sound over a time as the reverberation times of a room require.
//!
//! ```text
//! |H(f_j)| = 10^(-3 t/T_j)                        over the time t, at three frequencies (Jot and Chaigne 1991)
//! H = e^k (s + w1 A)/(s + w1/A) (B s + w2)/(s/B + w2)     a gain and two shelves with the gains A^2 and B^2, w: corners between the f_j
//! ```
//!
//! In decibels, shelves are nearly proportional to their gains (Jot 2015), so that a few steps of Newton's method with the slopes of small gains find
//! `k`, `A` and `B`.

use std::f64::consts::PI;

use crate::room::room_acoustics::BANDS;

/// Highest frequency of the three, over the sample rate.
const HIGHEST: f64 = 0.4;

/// Steps of Newton's method for a new filter: attenuations of 20 dB are met within 1e-6 of them.
const STEPS: usize = 12;

/// Steps for a filter that changes a little.
const STEPS_OF_CHANGE: usize = 2;

/// A section of order 1: y = b0 x + z, z' = b1 x - a1 y.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Section {
    /// Gain of the present sample.
    pub b0: f64,
    /// Gain of the last sample.
    pub b1: f64,
    /// Feedback.
    pub a1: f64,
}

impl Section {
    /// Of (p + q s)/(r + t s) with the bilinear transform.
    fn new([p, q]: [f64; 2], [r, t]: [f64; 2]) -> Self {
        let sum = r + t;
        Self { b0: (p + q) / sum, b1: (p - q) / sum, a1: (r - t) / sum }
    }

    /// A section between this one and `other`, by the part `part` of the way.
    fn toward(&self, other: &Self, part: f64) -> Self {
        let blend = |from: f64, to: f64| from + part * (to - from);
        Self { b0: blend(self.b0, other.b0), b1: blend(self.b1, other.b1), a1: blend(self.a1, other.a1) }
    }

    /// The next sample.
    pub fn step(&self, x: f64, state: &mut f64) -> f64 {
        let y = self.b0 * x + *state;
        *state = self.b1 * x - self.a1 * y;
        y
    }
}

/// Both shelves; the gain is in the low one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AbsorptionFilter {
    /// Low shelf.
    pub low: Section,
    /// High shelf.
    pub high: Section,
}

impl AbsorptionFilter {
    /// A filter between this one and `other`, by the part `part` of the way.
    pub fn toward(&self, other: &Self, part: f64) -> Self {
        Self { low: self.low.toward(&other.low, part), high: self.high.toward(&other.high, part) }
    }
}

/// Logarithms of gain and shelves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gains {
    all: f64,
    low: f64,
    high: f64,
}

/// Designs filters at one sample rate.
pub struct AbsorptionDesign {
    /// Frequencies of the three bands and of the corners between them, as tan(pi f/rate).
    bands: [f64; 3],
    corners: [f64; 2],
    /// Place of the highest of the three between the middle and the high band, in octaves over all of them; 1 unless the sample rate is low.
    highest: f64,
    /// Changes of the gains for changes of the three levels.
    inverse: [[f64; 3]; 3],
}

impl AbsorptionDesign {
    /// At `rate` [Hz].
    pub fn new(rate: f64) -> Self {
        let warp = |f: f64| (PI * f.min(HIGHEST * rate) / rate).tan();
        let [low, middle, high] = BANDS.map(|band| band.min(HIGHEST * rate));
        let bands = BANDS.map(warp);
        let corners = [(low * middle).sqrt(), (middle * high).sqrt()].map(warp);
        let share = |band: f64, corner: f64| 1.0 / (1.0 + (band / corner).powi(2));
        let slopes = bands.map(|band| [1.0, share(band, corners[0]), 1.0 - share(band, corners[1])]);
        let highest = (high / middle).ln() / (BANDS[2] / middle).ln();
        Self { bands, corners, highest, inverse: inverse(slopes) }
    }

    /// The filter for `time` [s] with the reverberation times `times` [s] at the three bands, and its gains.
    pub fn filter(&self, time: f64, times: [f64; 3]) -> (AbsorptionFilter, Gains) {
        let mut gains = Gains::default();
        (self.find(&mut gains, time, times, STEPS), gains)
    }

    /// The same for a filter whose gains were `gains`; after a small change of times nearly, after several calls exactly.
    pub fn change(&self, gains: &mut Gains, time: f64, times: [f64; 3]) -> AbsorptionFilter {
        self.find(gains, time, times, STEPS_OF_CHANGE)
    }

    fn find(&self, gains: &mut Gains, time: f64, times: [f64; 3], steps: usize) -> AbsorptionFilter {
        let mut levels = times.map(|reverberation| -1000_f64.ln() * time / reverberation);
        levels[2] = levels[1] + self.highest * (levels[2] - levels[1]);
        for _ in 0..steps {
            let errors: [f64; 3] = std::array::from_fn(|j| levels[j] - self.level(self.bands[j], *gains));
            let [all, low, high] =
                self.inverse.map(|row| row.iter().zip(errors).map(|(slope, error)| slope * error).sum::<f64>());
            *gains = Gains { all: gains.all + all, low: gains.low + low, high: gains.high + high };
        }
        let (all, low, high) = (gains.all.exp(), (0.5 * gains.low).exp(), (0.5 * gains.high).exp());
        let [first, second] = self.corners;
        AbsorptionFilter {
            low: Section::new([all * first * low, all], [first / low, 1.0]),
            high: Section::new([second, high], [second, 1.0 / high]),
        }
    }

    /// Logarithm of the gain at a band.
    fn level(&self, band: f64, gains: Gains) -> f64 {
        let half_log = |from: f64, to: f64| 0.5 * (from / to).ln();
        let [low, high] = [gains.low, gains.high].map(f64::exp);
        let ratios = self.corners.map(|corner| (band / corner).powi(2));
        gains.all + half_log(ratios[0] + low, ratios[0] + 1.0 / low) + half_log(high * ratios[1] + 1.0, ratios[1] / high + 1.0)
    }
}

/// The inverse of a matrix of three rows, by its cofactors.
fn inverse(m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let cofactor = |i: usize, j: usize| {
        let ([a, b], [c, d]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        m[a][c] * m[b][d] - m[a][d] * m[b][c]
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * cofactor(0, j)).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| cofactor(j, i) / determinant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::feedback_network::line_lengths;
    use crate::room::room_acoustics::RoomAcoustics;

    /// Gain at `frequency` over the sample rate.
    fn gain(filter: &AbsorptionFilter, frequency: f64) -> f64 {
        let omega = 2.0 * PI * frequency;
        let size = |a: f64, b: f64| (a + b * omega.cos()).hypot(b * omega.sin());
        let of = |section: Section| size(section.b0, section.b1) / size(1.0, section.a1);
        of(filter.low) * of(filter.high)
    }

    /// Shortest and longest time between reflections and in lines at `rate` [Hz], with the reverberation times at the ends of the decay's range.
    fn cases(room: &RoomAcoustics, rate: f64) -> impl Iterator<Item = (f64, [f64; 3])> {
        let lengths = line_lengths(room.line_time(), rate).map(|length| length as f64 / rate);
        let (times, walls) = (room.reverberation_times, room.mean_free_time());
        let scales = [0.25, 1.0, 2.0].into_iter();
        scales.flat_map(move |scale| [walls, lengths[0], lengths[15]].map(|time| (time, times.map(|time| scale * time))))
    }

    #[test]
    fn gains_are_those_of_the_reverberation_times() {
        for rate in [44.1e3, 48e3, 192e3] {
            let design = AbsorptionDesign::new(rate);
            for (time, times) in RoomAcoustics::ALL.iter().flat_map(|room| cases(room, rate)) {
                let (filter, _) = design.filter(time, times);
                for (band, reverberation) in BANDS.into_iter().zip(times) {
                    let expected = -60.0 * time / reverberation;
                    let found = 20.0 * gain(&filter, band / rate).log10();
                    assert!((found / expected - 1.0).abs() < 1e-6, "{band} Hz: {found} dB instead of {expected}, {times:?}");
                }
            }
        }
    }

    #[test]
    fn a_filter_changes_to_new_times() {
        let (design, room) = (AbsorptionDesign::new(48e3), RoomAcoustics::ALL[2]);
        let (_, mut gains) = design.filter(0.02, room.reverberation_times);
        let times = room.reverberation_times.map(|time| 0.5 * time);
        let (expected, _) = design.filter(0.02, times);
        for _ in 0..6 {
            design.change(&mut gains, 0.02, times);
        }
        let (found, expected) = (design.change(&mut gains, 0.02, times), [expected.low, expected.high]);
        for (found, expected) in [found.low, found.high].into_iter().zip(expected) {
            assert!(
                (found.b0 - expected.b0).abs().max((found.a1 - expected.a1).abs()) < 1e-12,
                "{found:?} instead of {expected:?}"
            );
        }
    }

    /// At every frequency, so that no loop of filters gains energy.
    #[test]
    fn no_filter_amplifies() {
        for rate in [4e3, 16e3, 48e3, 192e3] {
            let design = AbsorptionDesign::new(rate);
            for (time, times) in RoomAcoustics::ALL.iter().flat_map(|room| cases(room, rate)) {
                let (filter, _) = design.filter(time, times);
                for step in 0..=1000 {
                    let gain = gain(&filter, 0.5 * f64::from(step) / 1000.0);
                    assert!(gain < 1.0, "{gain} at {step}, {rate} Hz, {time} s, {times:?}");
                }
            }
        }
    }
}
