//! Events: notes, parameters and controllers as plain data.
//!
//! An event applies to the current frame of the engine. The caller renders up to the frame of the event, passes the event to the
//! engine, and continues to render, so that every event takes effect at its own frame.

use crate::params::ParamId;

/// Address of a note: channel and key, and the host's voice id if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NoteId {
    /// Voice id of the host.
    pub voice: Option<i32>,
    /// MIDI channel, 0 to 15.
    pub channel: u8,
    /// Key, 0 to 127; 69 is A4.
    pub key: u8,
}

/// Note expression of CLAP and VST3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// Semitones above the key.
    Tuning,
    /// 0 to 1; 0.5 is neutral.
    Brightness,
    /// 0 to 1; 0 is neutral.
    Pressure,
    /// 0 to 1; 0.5 is neutral.
    Expression,
    /// Factor of the amplitude, 0 to 4.
    Volume,
    /// 0 left, 0.5 middle, 1 right.
    Pan,
}

impl Expression {
    /// All expressions, in the order of their declaration.
    pub const ALL: [Self; 6] = [Self::Tuning, Self::Brightness, Self::Pressure, Self::Expression, Self::Volume, Self::Pan];
}

/// An event. Values are clamped to their range; NaN is ignored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A key goes down; velocity in (0, 1], where 1 is MIDI 127. Zero, less, or NaN: as `NoteOff`.
    NoteOn {
        /// Which note.
        note: NoteId,
        /// Velocity, 0 to 1; [`VelocityCurve::speed`](crate::VelocityCurve::speed) gives the speed in m/s.
        velocity: f64,
    },
    /// A key goes up; the patch's release mode applies.
    NoteOff {
        /// Which note.
        note: NoteId,
        /// Release velocity, 0 to 1; 0.5 is neutral.
        velocity: f64,
    },
    /// Damps the note's body immediately, whatever the release mode.
    Choke {
        /// Which note.
        note: NoteId,
    },
    /// Damps all bodies immediately.
    ChokeAll,
    /// Sets a parameter.
    Set {
        /// The parameter.
        param: ParamId,
        /// New value, in the parameter's unit.
        value: f64,
    },
    /// A MIDI controller changes.
    Controller {
        /// Channel, 0 to 15.
        channel: u8,
        /// Number, 0 to 127.
        number: u8,
        /// Value 0 to 1, where 1 is MIDI 127.
        value: f64,
    },
    /// The pitch bend of a channel changes.
    Bend {
        /// Channel, 0 to 15.
        channel: u8,
        /// -1 to 1 of the bend range.
        value: f64,
    },
    /// The pressure of a channel changes.
    Pressure {
        /// Channel, 0 to 15.
        channel: u8,
        /// 0 to 1.
        value: f64,
    },
    /// A note expression changes; `Pressure` also for polyphonic aftertouch.
    NoteExpression {
        /// Which note.
        note: NoteId,
        /// Which expression.
        what: Expression,
        /// New value, in the expression's unit.
        value: f64,
    },
    /// The host modulates a parameter for one note, relative to its value for all.
    NoteModulation {
        /// Which note.
        note: NoteId,
        /// One of [`PER_NOTE_PARAMS`](crate::params::PER_NOTE_PARAMS); others are ignored.
        param: ParamId,
        /// Modulation, -1 to 1 of the parameter's range.
        travel: f64,
    },
    /// The transport starts or jumps: random numbers restart.
    TransportRestart,
    /// Tempo and position, for patterns.
    Tempo {
        /// Beats a minute, 1 to 1000.
        tempo: f64,
        /// Position at this frame [beats], if it is known.
        beat: Option<f64>,
    },
}

/// Bend -1 to 1 from MIDI's 0 to 16383 with 8192 in the middle.
pub fn bend_from_midi(steps: f64) -> f64 {
    let offset = steps - 8192.0;
    offset / if offset < 0.0 { 8192.0 } else { 8191.0 }
}
