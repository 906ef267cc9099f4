//! Partials of a recording as a patch.
//!
//! A recording does not tell how heavy a body is, nor where it was struck and heard. The patch has the conventions of gains
//! ([`super`]): struck at one end and heard at the other, a mode of the amplitude a at the onset has the mass M a_max/a, and a shape that
//! ends at the sign with which it set in.

use super::finish;
use crate::engine::knob::KnobId;
use crate::engine::patch::{FreeMode, Patch};
use crate::physics::estimate::{Estimate, Found};

/// A partial that is this much weaker than the strongest one is not yet the one that names the pitch.
const NAMES_THE_PITCH: f64 = 0.25;
/// Longest time over which amplitudes are followed back [s]: the strike of the model is shorter.
const BACK: f64 = 0.02;

/// The patch of the partials that were found; the lowest strong one is that of the home key. None if there are none.
pub fn from_estimate(estimate: &Estimate) -> Option<Patch> {
    let back = (estimate.start - estimate.onset).clamp(0.0, BACK);
    let at_onset = |found: &Found| found.partial.amplitude * (found.partial.decay * back).exp();
    let strongest = estimate.found.iter().map(at_onset).fold(0.0, f64::max);
    let first = estimate.found.iter().find(|found| at_onset(found) >= NAMES_THE_PITCH * strongest)?;
    let reference = first.partial.hertz;
    let mut patch = Patch::default();
    for (knob, place) in [(KnobId::StrikePosition, 0.0), (KnobId::PickupLeft, 1.0), (KnobId::PickupRight, 1.0)] {
        patch.settings.set(knob, place);
    }
    let mode = |found: &Found| {
        let phase = found.partial.phase - std::f64::consts::TAU * found.partial.hertz * back;
        FreeMode {
            ratio: found.partial.hertz / reference,
            decay: Some(found.partial.decay),
            mass: strongest / at_onset(found),
            shape: vec![1.0, if phase.cos() < 0.0 { -1.0 } else { 1.0 }].into(),
        }
    };
    patch.modes = estimate.found.iter().map(mode).collect();
    finish(&mut patch, reference);
    Some(patch)
}
