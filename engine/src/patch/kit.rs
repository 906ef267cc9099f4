//! A kit: zones, each a range of keys with its own sound.
//!
//! Overlapping zones sound together. A patch with zones plays nothing else. The parameters of the kit offset those of every zone by
//! their distance from the default (a factor where the scale is logarithmic); an integer or a choice that is not at its default applies
//! to all zones. Body type and number of modes always come from the zone.

use crate::params::{ParamId, ParamSpec, ParamValues, Scale};
use crate::patch::drive_content::DriveContent;
use crate::patch::mode_list::ListedMode;
use crate::patch::partial_edits::PartialEdit;

/// Maximum number of zones of a kit.
pub const MAX_ZONES: usize = 64;
/// Number of stereo outputs for zones, including the main output.
pub const OUTPUTS: usize = 8;
/// Number of choke groups.
pub const GROUPS: usize = 16;
/// A range of keys with its own sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Displayed name.
    pub name: String,
    /// Lowest and highest key.
    pub keys: (u8, u8),
    /// Key whose pitch the lowest key has; the others follow in semitones.
    pub plays: u8,
    /// Level [dB], -60 to 24.
    pub level: f64,
    /// Pan, -1 left to 1 right; at 0 both sides have full level.
    pub pan: f64,
    /// Choke group, 1 to [`GROUPS`]; 0: none.
    pub choke: u8,
    /// Output bus, 1 to [`OUTPUTS`]; a bus that the host has not activated goes to the main output.
    pub bus: u8,
    /// The value of every parameter.
    pub settings: ParamValues,
    /// The modes of a body that is a list of modes.
    pub modes: Vec<ListedMode>,
    /// The same for the body that it morphs into.
    pub morph_modes: Vec<ListedMode>,
    /// Edits of single partials.
    pub partial_edits: Vec<PartialEdit>,
    /// Pattern and recording of the hammer drive.
    pub drive_content: DriveContent,
}

impl Zone {
    /// Whether `key` is in its range.
    pub fn holds(&self, key: u8) -> bool {
        (self.keys.0..=self.keys.1).contains(&key)
    }

    /// Its parameters with the offsets of the parameters `kit`.
    pub fn with_offsets(&self, kit: &ParamValues) -> ParamValues {
        let mut moved = self.settings;
        for &id in ParamId::ALL {
            moved.set(id, offset_value(id, self.settings.get(id), kit.get(id)));
        }
        moved
    }
}

/// The value of a parameter in a zone: `own` offset by the value `value` of the kit. The level is not offset; it acts on the sum of all
/// zones.
pub fn offset_value(id: ParamId, own: f64, value: f64) -> f64 {
    let ParamSpec { scale, default, in_patch, .. } = *id.spec();
    match scale {
        _ if !in_patch => value,
        _ if matches!(id, ParamId::Level | ParamId::Body | ParamId::MorphTo | ParamId::Modes) || value == default => own,
        Scale::Integer | Scale::Choice(_) => value,
        Scale::Logarithmic => own * (value / default),
        Scale::Linear | Scale::Cubic => own + (value - default),
    }
}
