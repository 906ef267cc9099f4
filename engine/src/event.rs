//! What the player does, and what becomes of it. An event is applied at the frame where the engine stands: whoever owns the events renders up to an
//! event's frame, hands it over, and renders on, so that every event takes effect on its own frame.

use crate::Engine;
use crate::midi::ControllerEffect;
use crate::midi::Note;
use crate::params::{ParamId, UpdateRate};

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

impl Expression {
    /// All expressions, in the order of their declaration.
    pub const ALL: [Self; 6] = [Self::Tuning, Self::Brightness, Self::Pressure, Self::Expression, Self::Volume, Self::Pan];
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
        knob: ParamId,
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
    NoteExpression {
        /// Which note.
        note: NoteId,
        /// What is said.
        what: Expression,
        /// In the unit of what is said.
        value: f64,
    },
    /// A host moves a knob for one note alone, away from where it stands for all.
    NoteModulation {
        /// Which note.
        note: NoteId,
        /// One of [`PER_NOTE_PARAMS`](crate::params::PER_NOTE_PARAMS); others are left alone.
        knob: ParamId,
        /// Distance in travel of the knob, -1 to 1.
        travel: f64,
    },
    /// The transport starts or jumps: chance begins anew.
    TransportRestart,
    /// How fast the music goes from here on, for patterns.
    Tempo {
        /// Beats a minute, 1 to 1000.
        tempo: f64,
        /// Position here [beats], if it is known.
        beat: Option<f64>,
    },
}

/// -1 to 1 of a bend of MIDI, 0 to 16383, which rests at 8192.
pub fn bend_from_midi(steps: f64) -> f64 {
    let way = steps - 8192.0;
    way / if way < 0.0 { 8192.0 } else { 8191.0 }
}

impl Engine {
    /// Takes one event at the frame where the engine stands.
    pub fn event(&mut self, event: &Event) {
        self.idle = false;
        let strikes = matches!(event, Event::NoteOn { velocity, .. } if *velocity > 0.0);
        if self.crew.is_some() || self.outgoing_kit.is_some() {
            let crews = [&mut self.crew, &mut self.outgoing_kit].into_iter().zip([true, !strikes]);
            for crew in crews.filter_map(|(crew, hears)| crew.as_mut().filter(|_| hears)) {
                crew.event(event, self.frame);
            }
        }
        if strikes && self.crew.is_some() {
            return;
        }
        if matches!(event, Event::NoteOn { .. }) {
            self.refresh_tuning();
        }
        let (stage, scene) = self.split();
        match *event {
            Event::NoteOn { note, velocity } if velocity > 0.0 => stage.note_on(note, velocity.min(1.0), &scene),
            Event::NoteOn { note, .. } => stage.note_off(note, 0.5, &scene),
            Event::NoteOff { note, velocity } if velocity.is_nan() => stage.note_off(note, 0.5, &scene),
            Event::NoteOff { note, velocity } => stage.note_off(note, velocity, &scene),
            Event::Choke { note } => stage.choke(|object| object.notes.hold(note), &scene),
            Event::ChokeAll => {
                stage.drive.let_go();
                stage.choke(|_| true, &scene);
            }
            Event::Set { knob, value } => self.set_param(knob, value),
            Event::NoteExpression { note, what, value } if !value.is_nan() => {
                stage.change(note, &scene, |note| note.set_expression(what, value));
            }
            Event::NoteModulation { note, knob, travel } if !travel.is_nan() => stage.modulate(note, knob, travel, &scene),
            Event::Controller { channel, number, value } if !value.is_nan() => {
                let effect = self.hands.control(channel, number, value);
                self.apply_controller(channel, effect);
            }
            Event::Bend { channel, value } if !value.is_nan() => {
                self.hands.set_bend(channel, value);
                self.apply_controller(channel, ControllerEffect::Touch);
            }
            Event::Pressure { channel, value } if !value.is_nan() => {
                self.hands.set_pressure(channel, value);
                self.apply_controller(channel, ControllerEffect::Touch);
            }
            Event::TransportRestart => stage.reseed(scene.settings),
            Event::Tempo { tempo, beat } => stage.drive.set_tempo(tempo, beat, (scene.frame, scene.rate)),
            _ => {}
        }
        self.follow_drive();
    }

    /// What was done on a channel reaches the notes that hear it.
    fn apply_controller(&mut self, channel: u8, effect: ControllerEffect) {
        let (stage, scene) = self.split();
        let hears = |note: &Note| scene.hands.applies_to(note.id.channel, channel);
        match effect {
            ControllerEffect::None => {}
            ControllerEffect::Touch => stage.update_notes(hears, &scene),
            ControllerEffect::Dampers => stage.mark_dampers_changed(),
            ControllerEffect::Catch => stage.set_sostenuto(hears, &scene),
            ControllerEffect::LetGo => {
                stage.set_sostenuto(|_| false, &scene);
                stage.update_notes(hears, &scene);
            }
            ControllerEffect::SoundOff => stage.choke(|object| object.notes.iter().any(hears), &scene),
            ControllerEffect::NotesOff => stage.release_all(hears, &scene),
            ControllerEffect::Everything => stage.update_notes(|_| true, &scene),
        }
    }

    /// A knob stands at `value` from now on.
    pub(super) fn set_param(&mut self, knob: ParamId, value: f64) {
        self.idle = false;
        self.settings.set(knob, value);
        self.keyboard.moved(knob);
        if self.is_silent() {
            self.snap_smoothers();
        }
        if knob == ParamId::Mpe {
            self.hands.set_zones(&self.settings);
        }
        let (stage, scene) = self.split();
        match knob {
            ParamId::HumanSeed => stage.reseed(scene.settings),
            _ if knob.knob().takes == UpdateRate::Immediate => stage.update_notes(|_| true, &scene),
            _ => {}
        }
    }
}
