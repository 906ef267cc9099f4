//! The course of strings for a set of parameters.

use crate::params::{ParamId, ParamValues, Sympathetic};
use urto_physics::bodies::{Soundboard, StringCourse};

/// Octaves below and above.
const OCTAVES: [f64; 2] = [0.5, 2.0];

/// The strings of a tanpura beside its middle one: fifth, the same note, and octave below.
const DRONES: [f64; 3] = [0.75, 1.0, 0.5];

/// Second to sixth partial: open strings of a piano that answer to a low note.
const PARTIALS: [f64; 5] = [2.0, 3.0, 4.0, 5.0, 6.0];

/// A just major scale to the octave.
const SCALE: [f64; 8] = [1.0, 9.0 / 8.0, 5.0 / 4.0, 4.0 / 3.0, 3.0 / 2.0, 5.0 / 3.0, 15.0 / 8.0, 2.0];

/// The course of strings for the parameters `settings`.
pub(super) fn string_course(settings: &ParamValues) -> StringCourse {
    let get = |id| settings.get(id);
    StringCourse {
        strings: get(ParamId::CourseStrings) as usize,
        detune: get(ParamId::Split),
        sympathetic: match Sympathetic::from_value(get(ParamId::SympatheticStrings)) {
            Sympathetic::None => &[],
            Sympathetic::Octaves => &OCTAVES,
            Sympathetic::Drones => &DRONES,
            Sympathetic::Partials => &PARTIALS,
            Sympathetic::Scale => &SCALE,
        },
        bridge: get(ParamId::BridgeStiffness),
        board: Soundboard {
            pitch: (get(ParamId::ResonantTune) / 12.0).exp2(),
            mass: get(ParamId::BoardMass),
            aspect: get(ParamId::Aspect),
            damping: get(ParamId::BoardDamping),
        },
    }
}
