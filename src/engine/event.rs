//! What the player does. An event is applied at the frame where the engine stands: whoever owns the events renders up to an
//! event's frame, hands it over, and renders on, so that every event takes effect on its own frame.

use super::knob::KnobId;

/// Who a note is: a host's voice id if it gave one, channel and key always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NoteId {
    /// The host's own number for the voice.
    pub voice: Option<i32>,
    /// MIDI channel, 0 to 15.
    pub channel: u8,
    /// Key, 0 to 127; 69 is A4.
    pub key: u8,
}

/// What a host says about one note that sounds: the note expressions of CLAP and VST3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// Semitones above the key.
    Tuning,
    /// 0 to 1; .5 is neutral.
    Brightness,
    /// 0 to 1; 0 is neutral.
    Pressure,
    /// 0 to 1; .5 is neutral.
    Expression,
    /// Factor of the amplitude, 0 to 4.
    Volume,
    /// 0 left, .5 middle, 1 right.
    Pan,
}

/// One thing that the player does. Values out of range are brought into it; what is not a number means nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A key goes down; velocity in (0, 1], where 1 is MIDI 127. Zero or less, or not a number: as `NoteOff`.
    NoteOn {
        /// Which note.
        note: NoteId,
        /// Velocity 0 to 1; speed is v_lo (v_hi/v_lo)^(((127 velocity - 1)/126)^curve).
        velocity: f64,
    },
    /// A key goes up; what happens then is the patch's release.
    NoteOff {
        /// Which note.
        note: NoteId,
        /// How fast, 0 to 1; .5 is neutral.
        velocity: f64,
    },
    /// A hand on the body: damped at once whatever the release says.
    Choke {
        /// Which note.
        note: NoteId,
    },
    /// Every body is damped at once.
    ChokeAll,
    /// A knob moves to a value in its own unit.
    Set {
        /// Which knob.
        knob: KnobId,
        /// New value, in the knob's unit.
        value: f64,
    },
    /// A controller of MIDI moves.
    Controller {
        /// Channel, 0 to 15.
        channel: u8,
        /// Number, 0 to 127.
        number: u8,
        /// Value 0 to 1, where 1 is MIDI 127.
        value: f64,
    },
    /// The pitch bend of a channel moves.
    Bend {
        /// Channel, 0 to 15.
        channel: u8,
        /// -1 to 1, of the bend range.
        value: f64,
    },
    /// The pressure on a channel's keys changes.
    Pressure {
        /// Channel, 0 to 15.
        channel: u8,
        /// 0 to 1.
        value: f64,
    },
    /// What a host says about a note. Pressure is also that of a single key (polyphonic aftertouch).
    Express {
        /// Which note.
        note: NoteId,
        /// What is said.
        what: Expression,
        /// In the unit of what is said.
        value: f64,
    },
    /// A host moves a knob for one note alone, away from where it stands for all.
    Modulate {
        /// Which note.
        note: NoteId,
        /// One of [`MODULATED`](super::knob::MODULATED); others are left alone.
        knob: KnobId,
        /// Distance in travel of the knob, -1 to 1.
        travel: f64,
    },
    /// The transport starts or jumps: chance begins anew.
    Restart,
}
