//! A patch: a sound as plain data in SI units. A preset is a patch with a name.
//!
//! A patch has the value of every parameter, and data that no parameter can hold: lists of modes, the tuning, kits. Its file is TOML.

use crate::formats::UnknownKeys;
use crate::params::{Macro, MacroTargets, ParamId, ParamValues};
use crate::patch::drive_content::DriveContent;
use crate::patch::kit::{ChokeGroups, Zone};
use crate::patch::mode_list::ListedMode;
use crate::patch::partial_edits::PartialEdit;
use crate::patch::residual::ResidualBand;
use crate::patch::zone_layer::ZoneLayer;
use crate::tuning::PatchTuning;

/// Whether the keys of a patch have a pitch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PitchReference {
    /// No: no partial has the frequency of the key.
    No,
    /// Yes: the partial at this ratio to the tuned frequency has the pitch; 1 unless the pitch is a strike note, which is not a partial.
    By(f64),
}

/// A sound, or a kit of sounds.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Patch {
    /// Name in the browser.
    pub name: String,
    /// Author.
    pub author: String,
    /// Keywords for searching.
    pub tags: Vec<String>,
    /// Description in one line.
    pub description: String,
    /// Family of instruments in the browser; empty for none.
    pub family: String,
    /// Whether its keys have a pitch; `None` if unknown.
    pub pitch: Option<PitchReference>,
    /// The value of every parameter.
    pub settings: ParamValues,
    /// The modes of a body that is a list of modes; unused by other bodies.
    pub modes: Vec<ListedMode>,
    /// The same for the body that it morphs into.
    pub morph_modes: Vec<ListedMode>,
    /// The residual of a recording, of a body that is a list of modes.
    pub residual: Vec<ResidualBand>,
    /// Edits of single partials, in order of partials, each at most once.
    pub partial_edits: Vec<PartialEdit>,
    /// The tuning of keys.
    pub tuning: PatchTuning,
    /// What the macros move, at most [`MACROS`](crate::patch::MACROS).
    pub macros: Vec<Macro>,
    /// Groups of keys that choke each other.
    pub choke_groups: ChokeGroups,
    /// Pattern and recording of the hammer drive.
    pub drive_content: DriveContent,
    /// The zones of a kit; empty for a single sound on all keys.
    pub zones: Vec<Zone>,
    /// Version of the sound that it was made with.
    pub sound: SoundVersion,
    /// Unknown keys of a text of a newer schema.
    pub unknown_keys: UnknownKeys,
}

/// Version of what parameters alone do not determine: the random numbers of [dense bodies](crate::body). They never change within a
/// version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundVersion(pub u32);

impl SoundVersion {
    /// The version that this engine plays.
    pub const CURRENT: Self = Self(1);
}

/// The first version: texts without one are older than the numbers that it determines.
impl Default for SoundVersion {
    fn default() -> Self {
        Self(1)
    }
}

impl Patch {
    /// The value of every parameter as the macros move it, which is what sounds.
    pub fn settings_with_macros(&self) -> ParamValues {
        MacroTargets::of(&self.macros).applied_to(&self.settings)
    }
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
            layer: ZoneLayer::default(),
            pressure_chokes: false,
            bus: 1,
            position: None,
            settings: patch.settings,
            modes: patch.modes.clone(),
            morph_modes: patch.morph_modes.clone(),
            residual: patch.residual.clone(),
            partial_edits: patch.partial_edits.clone(),
            drive_content: patch.drive_content.clone(),
        }
    }

    /// Its sound in `kit`: with the offsets of its parameters, its tuning, and its macros instead of those of the zone's preset.
    pub fn sound_in(&self, kit: &Patch) -> Patch {
        Patch { tuning: kit.tuning.clone(), macros: zone_macros(&kit.macros), ..self.patch(&kit.settings) }
    }

    /// Its sound as a patch, with the offsets of the parameters `kit`.
    pub fn patch(&self, kit: &ParamValues) -> Patch {
        let (modes, morph_modes) = (self.modes.clone(), self.morph_modes.clone());
        Patch {
            name: self.name.clone(),
            settings: self.with_offsets(kit),
            modes,
            morph_modes,
            residual: self.residual.clone(),
            partial_edits: self.partial_edits.clone(),
            drive_content: self.drive_content.clone(),
            ..Patch::default()
        }
    }
}

/// The macros `macros` of a kit in its zones: without the level, which acts on the sum of all zones.
fn zone_macros(macros: &[Macro]) -> Vec<Macro> {
    let mut macros = macros.to_vec();
    macros.iter_mut().for_each(|one| one.targets.retain(|target| target.param != ParamId::Level));
    macros
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_the_kit_offset_all_zones() {
        let mut patch = Patch::default();
        patch.settings.set(ParamId::HammerMass, 0.1);
        patch.settings.set(ParamId::Tune, 3.0);
        patch.settings.set(ParamId::Quality, 2.0);
        let zone = Zone::new(&patch, (36, 36));
        let mut kit = ParamValues::default();
        assert_eq!(zone.with_offsets(&kit), patch.settings, "as it is");
        kit.set(ParamId::HammerMass, 2.0 * ParamId::HammerMass.spec().default);
        kit.set(ParamId::Tune, -5.0);
        kit.set(ParamId::Quality, 0.0);
        kit.set(ParamId::Body, 0.0);
        let moved = zone.with_offsets(&kit);
        assert!((moved.get(ParamId::HammerMass) / 0.2 - 1.0).abs() < 1e-12);
        assert_eq!((moved.get(ParamId::Tune), moved.get(ParamId::Quality)), (-2.0, 0.0));
        assert_eq!(moved.get(ParamId::Body), patch.settings.get(ParamId::Body));
    }
}
