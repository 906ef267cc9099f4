//! The pitch of a recorded strike: the partial to which the home key is tuned.
//!
//! Partials within a quarter tone are one group. A group counts by the energy that it has left a moment after the onset,
//!
//! ```text
//! E = sum a^2 e^(-2 sigma t)/sigma
//! ```
//!
//! so that neither the knock of the mallet nor a short neighbour of the fundamental decides. The pitch is the lowest group that is not
//! much weaker than the strongest. A strike note that is no partial, such as that of a tubular bell an octave below its fourth mode, is
//! not found: the pitch is then that of its lowest strong partial.

use urto_physics::analysis::{Estimate, Found};

/// Time after the onset [s] from which energy counts: knocks have ended by then.
const KNOCK: f64 = 0.05;
/// Share of the energy of the strongest group that the pitch has at least: -16 dB.
const PITCH_ENERGY: f64 = 0.025;
/// Largest ratio of two neighbours in a group: 60 cents.
const SAME_GROUP: f64 = 1.035;

/// Partials that sound as one.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// Frequency of the strongest [Hz], and its energy.
    strongest: (f64, f64),
    /// Frequency of the highest [Hz].
    highest: f64,
    energy: f64,
}

/// The frequency [Hz] of the partial that gives the pitch; None if there are no partials.
pub fn home_pitch(estimate: &Estimate) -> Option<f64> {
    let later = (KNOCK - (estimate.start - estimate.onset)).max(0.0);
    let mut groups: Vec<Group> = Vec::new();
    for Found { partial, .. } in &estimate.found {
        let energy = (partial.amplitude * (-partial.decay * later).exp()).powi(2) / partial.decay;
        match groups.last_mut().filter(|group| partial.hertz < SAME_GROUP * group.highest) {
            Some(group) => {
                group.highest = partial.hertz;
                group.energy += energy;
                if energy > group.strongest.1 {
                    group.strongest = (partial.hertz, energy);
                }
            }
            None => groups.push(Group { strongest: (partial.hertz, energy), highest: partial.hertz, energy }),
        }
    }
    let most = groups.iter().map(|group| group.energy).fold(0.0, f64::max);
    groups.iter().find(|group| group.energy >= PITCH_ENERGY * most).map(|group| group.strongest.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_physics::analysis::Partial;

    /// An estimate that starts 30 ms after the onset, with partials (frequency [Hz], time to -60 dB [s], amplitude).
    fn estimate(partials: &[(f64, f64, f64)]) -> Estimate {
        let found = |&(hertz, t60, amplitude): &(f64, f64, f64)| Found {
            partial: Partial { hertz, decay: 1000_f64.ln() / t60, amplitude, phase: 0.0 },
            over_noise_db: 60.0,
            cents: 0.1,
            decay: 0.01,
        };
        let found = partials.iter().map(found).collect();
        Estimate { onset: 0.0, start: 0.03, end: 2.0, found, left_out: Vec::new(), residual_db: -40.0, octaves: Vec::new() }
    }

    #[test]
    fn a_loud_knock_does_not_give_the_pitch() {
        let marimba = estimate(&[(261.6, 1.5, 0.1), (1046.0, 0.1, 0.3), (5272.0, 0.02, 1.0), (7313.0, 0.01, 3.0)]);
        assert_eq!(home_pitch(&marimba), Some(261.6));
    }

    #[test]
    fn the_lowest_strong_group_gives_the_pitch_by_its_strongest_partial() {
        let drum = estimate(&[(96.0, 0.5, 0.01), (139.0, 0.4, 0.4), (142.0, 0.5, 0.9), (146.0, 0.3, 0.4), (233.0, 2.0, 0.7)]);
        assert_eq!(home_pitch(&drum), Some(142.0));
    }

    #[test]
    fn no_partials_have_no_pitch() {
        assert_eq!(home_pitch(&estimate(&[])), None);
    }
}
