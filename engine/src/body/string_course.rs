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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::BodyKind;
    use crate::patch::factory_presets::added;

    /// Losses mix the modes of the presets below their third partial so little that the decays are right to 1 %; on the piano's large board to 2 %.
    #[test]
    fn losses_hardly_mix_the_low_modes_of_the_presets() {
        let mut courses = 0;
        for patch in added().filter(|patch| patch.settings.body_kind() == BodyKind::StringCourse) {
            let course = string_course(&patch.settings);
            let mixing = course.mixing(patch.settings.get(ParamId::Modes) as usize, 2.5).expect("a course");
            println!("{}: {mixing:.3}", patch.name);
            assert!(mixing <= if patch.name == "Upright Course" { 0.06 } else { 0.04 }, "{}: {mixing}", patch.name);
            courses += 1;
        }
        assert_eq!(courses, 3);
    }
}
