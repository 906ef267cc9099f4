//! What the sound is: plain data in SI units. A preset is a patch with a name.
//!
//! A patch is the value of every knob plus what no knob can hold (the list of modes of a free body, the tuning). Its file is TOML.

use crate::formats::UnknownKeys;
use crate::params::{ParamId, ParamValues};
use crate::patch::choke_groups::ChokeGroups;
use crate::patch::drive_content::DriveContent;
use crate::patch::kit::Zone;
use crate::patch::mode_list::ListedMode;
use crate::patch::partial_edits::PartialEdit;
use crate::tuning::PatchTuning;

/// Whether a patch is played by pitch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PitchReference {
    /// Its partials sound where they fall.
    No,
    /// By the partial at this ratio (to what the body is tuned to); 1 unless the pitch is held by a strike note, which is no partial.
    By(f64),
}

/// What the sound is.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Patch {
    /// Name, as shown in a browser.
    pub name: String,
    /// Who made it.
    pub author: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// One line about it.
    pub description: String,
    /// The family of instruments that it is listed with; empty for none.
    pub family: String,
    /// Whether its keys have a pitch, where it says so.
    pub pitch: Option<PitchReference>,
    /// The value of every knob.
    pub settings: ParamValues,
    /// The modes of a free list; unused by other bodies.
    pub modes: Vec<ListedMode>,
    /// The same of what the body may turn into.
    pub morph_modes: Vec<ListedMode>,
    /// Single partials that differ from what the body makes of them, in their order, each at most once.
    pub trims: Vec<PartialEdit>,
    /// How keys are tuned.
    pub intonation: PatchTuning,
    /// Keys that choke each other.
    pub chokes: ChokeGroups,
    /// What the drive plays of its own.
    pub score: DriveContent,
    /// The zones of a kit; empty: the patch plays on all keys.
    pub zones: Vec<Zone>,
    /// What its text, if that is of a newer schema, says beyond this.
    pub beyond: UnknownKeys,
}

impl Zone {
    /// The sound of `patch` on `keys`, lowest and highest; the lowest has the pitch of the home key.
    pub fn new(patch: &Patch, keys: (u8, u8)) -> Self {
        Self {
            name: patch.name.clone(),
            keys,
            plays: patch.settings.get(ParamId::HomeKey) as u8,
            level: 0.0,
            pan: 0.0,
            choke: 0,
            bus: 1,
            settings: patch.settings,
            modes: patch.modes.clone(),
            morph_modes: patch.morph_modes.clone(),
            trims: patch.trims.clone(),
            score: patch.score.clone(),
        }
    }

    /// Its sound as a patch, with the offsets of the parameters `kit`.
    pub fn patch(&self, kit: &ParamValues) -> Patch {
        let (modes, morph_modes) = (self.modes.clone(), self.morph_modes.clone());
        Patch {
            name: self.name.clone(),
            settings: self.moved(kit),
            modes,
            morph_modes,
            trims: self.trims.clone(),
            score: self.score.clone(),
            ..Patch::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knobs_of_the_kit_move_all_zones_as_far_as_they_are_moved() {
        let mut patch = Patch::default();
        patch.settings.set(ParamId::HammerMass, 0.1);
        patch.settings.set(ParamId::Tune, 3.0);
        patch.settings.set(ParamId::Quality, 2.0);
        let zone = Zone::new(&patch, (36, 36));
        let mut kit = ParamValues::default();
        assert_eq!(zone.moved(&kit), patch.settings, "as it is");
        kit.set(ParamId::HammerMass, 2.0 * ParamId::HammerMass.knob().default);
        kit.set(ParamId::Tune, -5.0);
        kit.set(ParamId::Quality, 0.0);
        kit.set(ParamId::Body, 0.0);
        let moved = zone.moved(&kit);
        assert!((moved.get(ParamId::HammerMass) / 0.2 - 1.0).abs() < 1e-12);
        assert_eq!((moved.get(ParamId::Tune), moved.get(ParamId::Quality)), (-2.0, 0.0));
        assert_eq!(moved.get(ParamId::Body), patch.settings.get(ParamId::Body));
    }
}
