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

/// One thing that the player does.
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
    },
    /// A hand on the body: damped at once whatever the release says.
    Choke {
        /// Which note.
        note: NoteId,
    },
    /// A knob moves to a value in its own unit.
    Set {
        /// Which knob.
        knob: KnobId,
        /// New value, in the knob's unit.
        value: f64,
    },
    /// Every body is damped at once.
    ChokeAll,
}
