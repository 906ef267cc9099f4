//! A kit: zones, each a range of keys with its own sound.
//!
//! Overlapping zones sound together. A patch with zones plays nothing else. The parameters of the kit offset those of every zone by
//! their distance from the default (a factor where the scale is logarithmic); an integer or a choice that is not at its default applies
//! to all zones. Body type and number of modes always come from the zone.

use crate::params::{ParamId, ParamSpec, ParamValues, Scale};
use crate::patch::drive_content::DriveContent;
use crate::patch::mode_list::ListedMode;
use crate::patch::partial_edits::PartialEdit;

/// Most zones of a kit.
pub const MOST_ZONES: usize = 64;
/// Stereo outputs that zones may go to, the main one included.
pub const OUTPUTS: usize = 8;
/// Choke groups.
pub const GROUPS: usize = 16;
/// A range of keys with a sound of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Shown name.
    pub name: String,
    /// Lowest and highest key.
    pub keys: (u8, u8),
    /// Key that the lowest plays; the others follow in semitones.
    pub plays: u8,
    /// Level [dB], -60 to 24.
    pub level: f64,
    /// -1 left to 1 right; in the middle both sides are full.
    pub pan: f64,
    /// Choke group, 1 to [`GROUPS`]; 0: none.
    pub choke: u8,
    /// Output bus, 1 to [`OUTPUTS`]; what the host has not goes to the main output.
    pub bus: u8,
    /// Value of every knob.
    pub settings: ParamValues,
    /// The modes of a free list.
    pub modes: Vec<ListedMode>,
    /// The same of what the body may turn into.
    pub morph_modes: Vec<ListedMode>,
    /// Single partials that differ from what the body makes of them.
    pub trims: Vec<PartialEdit>,
    /// What the drive plays of its own.
    pub score: DriveContent,
}

impl Zone {
    /// Whether `key` is one of its keys.
    pub fn holds(&self, key: u8) -> bool {
        (self.keys.0..=self.keys.1).contains(&key)
    }

    /// Its knobs, moved as those of the kit are from their defaults.
    pub fn moved(&self, kit: &ParamValues) -> ParamValues {
        let mut moved = self.settings;
        for &id in ParamId::ALL {
            moved.set(id, moved_knob(id, self.settings.get(id), kit.get(id)));
        }
        moved
    }
}

/// Where a zone whose own value is `own` has a knob that stands at `value` for the kit. The level acts on the sum of all zones.
pub fn moved_knob(id: ParamId, own: f64, value: f64) -> f64 {
    let ParamSpec { scale, default, in_patch, .. } = *id.knob();
    match scale {
        _ if !in_patch => value,
        _ if matches!(id, ParamId::Level | ParamId::Body | ParamId::MorphTo | ParamId::Modes) || value == default => own,
        Scale::Integer | Scale::Choice(_) => value,
        Scale::Logarithmic => own * (value / default),
        Scale::Linear | Scale::Cubic => own + (value - default),
    }
}
