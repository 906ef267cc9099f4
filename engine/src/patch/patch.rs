//! What the sound is: plain data in SI units. A preset is a patch with a name.
//!
//! A patch is the value of every knob plus what no knob can hold (the list of modes of a free body, the tuning). Its file is TOML.

use crate::formats::UnknownKeys;
use crate::params::ParamValues;
use crate::patch::choke_groups::ChokeGroups;
use crate::patch::drive_content::DriveContent;
use crate::patch::kit::Zone;
pub use crate::patch::mode_list::ListedMode;
pub use crate::patch::partial_edits::PartialEdit;
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
