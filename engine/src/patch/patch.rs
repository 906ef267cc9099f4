//! What the sound is: plain data in SI units. A preset is a patch with a name.
//!
//! A patch is the value of every knob plus what no knob can hold (the list of modes of a free body, the tuning). Its file is TOML.

use crate::formats::UnknownKeys;
use crate::params::{ParamId, ParamValues};
use crate::patch::choke_groups::ChokeGroups;
use crate::patch::drive_content::DriveContent;
use crate::patch::kit::Zone;
pub use crate::patch::mode_list::ListedMode;
pub use crate::patch::partial_edits::PartialEdit;
use crate::tuning::{PatchTuning, RetunePolicy};
use crate::voice::HammerType;
use urto_physics::bodies::BodyPosition;

/// What kind of body is struck, in the order of the `body` knob's choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Stiff string between two rigid ends.
    String,
    /// Uniform bar, free at both ends, on a soft suspension.
    Bar,
    /// A free list of modes.
    Modes,
    /// Marimba bar: rosewood, cut to 1 : 4 : 9.9, with twist.
    Marimba,
    /// Vibraphone bar: aluminium, cut to 1 : 4 : 9.9, with twist.
    Vibraphone,
    /// Xylophone bar: rosewood, cut to 1 : 3 : 5.9, with twist.
    Xylophone,
    /// Bar clamped at both ends.
    ClampedBar,
    /// Bar supported at both ends.
    SupportedBar,
    /// Bar clamped at one end.
    Tongue,
    /// Short free tube with shear and rotary inertia.
    Tube,
    /// Tubular bell: the key is its strike note.
    Chime,
    /// Equal masses on equal springs between two walls.
    Chain,
    /// Ideal drum head; the key is its lowest mode.
    Head,
    /// Timpani: head over a kettle of air; the key is the mode with one nodal diameter.
    Kettle,
    /// Circular plate, free.
    Disc,
    /// Circular plate, supported at its rim.
    SupportedDisc,
    /// Circular plate, clamped at its rim.
    ClampedDisc,
    /// Rectangular plate, free.
    Plate,
    /// Rectangular plate, supported all round.
    SupportedPlate,
    /// Rectangular plate, clamped all round.
    ClampedPlate,
    /// Church bell; the key is its prime, an octave above the hum.
    Bell,
    /// Handbell.
    Handbell,
    /// Singing bowl.
    Bowl,
    /// Wine glass.
    Glass,
}

impl BodyKind {
    /// All kinds, in the order of the knob's choices.
    pub const ALL: [Self; 24] = [
        Self::String,
        Self::Bar,
        Self::Modes,
        Self::Marimba,
        Self::Vibraphone,
        Self::Xylophone,
        Self::ClampedBar,
        Self::SupportedBar,
        Self::Tongue,
        Self::Tube,
        Self::Chime,
        Self::Chain,
        Self::Head,
        Self::Kettle,
        Self::Disc,
        Self::SupportedDisc,
        Self::ClampedDisc,
        Self::Plate,
        Self::SupportedPlate,
        Self::ClampedPlate,
        Self::Bell,
        Self::Handbell,
        Self::Bowl,
        Self::Glass,
    ];
}

/// Which body a key strikes, in the order of the `stage` knob's choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyLayout {
    /// Its own.
    Keys,
    /// The one that all keys share, each at its place.
    Surface,
}

/// How the bodies of keys follow each other, in the order of the `playing` knob's choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoiceMode {
    /// As many at once as there may be.
    Poly,
    /// One at a time.
    Mono,
    /// One at a time, which glides to the next key while another is held.
    Legato,
}

/// How finely a contact is resolved (P substeps per contact, at least 2^jmin a sample).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverQuality {
    /// P = 8, jmin = 0.
    Eco,
    /// P = 16, jmin = 2.
    Default,
    /// P = 48, jmin = 2.
    Reference,
}

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

impl ParamValues {
    /// The body that the `body` knob stands at.
    pub fn body_kind(&self) -> BodyKind {
        BodyKind::ALL[(self.get(ParamId::Body) as usize).min(BodyKind::ALL.len() - 1)]
    }

    /// What the body may turn into.
    pub fn morph_kind(&self) -> Option<BodyKind> {
        (self.get(ParamId::MorphTo) as usize).checked_sub(1).and_then(|i| BodyKind::ALL.get(i).copied())
    }

    /// Where the hammer meets the body.
    pub fn strike_position(&self) -> BodyPosition {
        BodyPosition { along: self.get(ParamId::StrikePosition), across: self.get(ParamId::StrikeAcross) }
    }

    /// Which body a key strikes.
    pub fn layout(&self) -> KeyLayout {
        if self.get(ParamId::Stage) < 0.5 { KeyLayout::Keys } else { KeyLayout::Surface }
    }

    /// The key whose body a note on `key` strikes.
    pub fn body_key(&self, key: u8) -> u8 {
        match self.layout() {
            KeyLayout::Keys => key,
            KeyLayout::Surface => self.get(ParamId::HomeKey) as u8,
        }
    }

    /// How the bodies of keys follow each other.
    pub fn playing(&self) -> VoiceMode {
        match self.get(ParamId::Playing) as usize {
            0 => VoiceMode::Poly,
            1 => VoiceMode::Mono,
            _ => VoiceMode::Legato,
        }
    }

    /// What strikes.
    pub fn striker(&self) -> HammerType {
        HammerType::ALL[(self.get(ParamId::Striker) as usize).min(HammerType::ALL.len() - 1)]
    }

    /// The quality that the `quality` knob stands at.
    pub fn quality(&self) -> SolverQuality {
        match self.get(ParamId::Quality) as usize {
            0 => SolverQuality::Eco,
            1 => SolverQuality::Default,
            _ => SolverQuality::Reference,
        }
    }

    /// What becomes of notes that sound when the tuning changes.
    pub fn sounding(&self) -> RetunePolicy {
        if self.get(ParamId::Sounding) < 0.5 { RetunePolicy::Follow } else { RetunePolicy::Keep }
    }

    /// Whether something is driven or rolls, if hands do not keep it from it.
    pub fn is_driven(&self) -> bool {
        self.get(ParamId::DriveGain) > 0.0 || self.get(ParamId::Roll) > 0.0
    }

    /// Speed [m/s] of the hammer for a velocity in (0, 1].
    pub fn strike_speed(&self, velocity: f64) -> f64 {
        let (low, high) = (self.get(ParamId::SpeedLow), self.get(ParamId::SpeedHigh));
        let travel = ((127.0 * velocity - 1.0) / 126.0).clamp(0.0, 1.0);
        low * (high / low).powf(travel.powf(self.get(ParamId::VelocityCurve)))
    }
}
