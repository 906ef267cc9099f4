//! What the player does beside striking: pedals, bend, wheel and pressure of sixteen channels, and zones of MPE.
//!
//! | controller | is |
//! |---|---|
//! | 1 | modulation wheel |
//! | 11 | expression pedal, at rest at 127, of notes that have no expression of their own |
//! | 64, 66, 67 | sustain (half-pedalling counts), sostenuto, soft pedal |
//! | 74 | brightness, of notes that have none of their own |
//! | 100, 101, 6, 38 | registered parameters: 0 bend range, 6 a zone of MPE |
//! | 120, 121, 123 to 127 | all sound off, controllers back to rest, all notes off |

use crate::midi::mpe_zones::MpeZones;
use crate::midi::notes::Note;
use crate::params::{MpeMode, ParamId, ParamValues};

/// Number of channels.
pub const CHANNELS: usize = 16;

/// Where a pedal that is either up or down counts as down.
const DOWN: f64 = 0.5;

/// Steps of a controller of seven bits.
const STEPS: f64 = 127.0;

/// The registered parameters that mean something here, and the one that means none.
const BEND_RANGE: u16 = 0;
const ZONE: u16 = 6;
const NO_PARAMETER: u16 = 0x3fff;

/// What was done on one channel.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Channel {
    bend: f64,
    wheel: f64,
    pressure: f64,
    brightness: f64,
    expression: f64,
    sustain: f64,
    sostenuto: bool,
    soft: f64,
    /// Registered parameter that data go to.
    parameter: u16,
    /// Bend range [semitones] that a controller asked for, whole ones and cents.
    range: Option<(f64, f64)>,
}

impl Default for Channel {
    fn default() -> Self {
        Self {
            bend: 0.0,
            wheel: 0.0,
            pressure: 0.0,
            brightness: 0.0,
            expression: 0.0,
            sustain: 0.0,
            sostenuto: false,
            soft: 0.0,
            parameter: NO_PARAMETER,
            range: None,
        }
    }
}

/// What follows from a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControllerEffect {
    /// Nothing.
    None,
    /// Notes that hear the channel are touched differently.
    Touch,
    /// The dampers move.
    Dampers,
    /// The sostenuto pedal goes down: keys that are down stay so.
    Catch,
    /// The sostenuto pedal comes up.
    LetGo,
    /// Every note of the channel is choked.
    SoundOff,
    /// Every note of the channel is released.
    NotesOff,
    /// Other zones: everything is touched anew.
    Everything,
}

/// Sixteen channels and their zones.
#[derive(Clone, Debug, Default)]
pub struct MidiControllers {
    channels: [Channel; CHANNELS],
    zones: MpeZones,
}

impl MidiControllers {
    /// Zones as the knobs say, whatever a controller has asked for before.
    pub fn set_zones(&mut self, settings: &ParamValues) {
        self.zones = MpeZones::new(MpeMode::from_value(settings.get(ParamId::Mpe)));
    }

    /// At rest; the zones and bend ranges that a controller has asked for stay.
    pub fn reset(&mut self) {
        for channel in &mut self.channels {
            *channel = Channel { range: channel.range, ..Channel::default() };
        }
    }

    /// The bend of a channel, -1 to 1.
    pub fn set_bend(&mut self, channel: u8, value: f64) {
        self.at(channel).bend = value.clamp(-1.0, 1.0);
    }

    /// The pressure on a channel, 0 to 1.
    pub fn set_pressure(&mut self, channel: u8, value: f64) {
        self.at(channel).pressure = value.clamp(0.0, 1.0);
    }

    /// Controller `number` of a channel moves to `value`, 0 to 1.
    pub fn control(&mut self, channel: u8, number: u8, value: f64) -> ControllerEffect {
        let value = value.clamp(0.0, 1.0);
        let data = (value * STEPS).round();
        let hand = self.at(channel);
        match number {
            1 => hand.wheel = value,
            // songs begin with 127, which has to mean nothing
            11 => hand.expression = value - 1.0,
            67 => hand.soft = value,
            74 => hand.brightness = bipolar(value),
            64 => {
                hand.sustain = value;
                return ControllerEffect::Dampers;
            }
            66 => {
                let down = value >= DOWN;
                return match (std::mem::replace(&mut hand.sostenuto, down), down) {
                    (false, true) => ControllerEffect::Catch,
                    (true, false) => ControllerEffect::LetGo,
                    _ => ControllerEffect::None,
                };
            }
            100 => return hand.choose(hand.parameter & 0x3f80 | data as u16),
            101 => return hand.choose(hand.parameter & 0x7f | (data as u16) << 7),
            98 | 99 => return hand.choose(NO_PARAMETER),
            6 | 38 => return self.data_entry(channel, number == 6, data),
            120 => return ControllerEffect::SoundOff,
            121 => {
                *hand = Channel { range: hand.range, ..Channel::default() };
                return ControllerEffect::LetGo;
            }
            123..=127 => return ControllerEffect::NotesOff,
            _ => return ControllerEffect::None,
        }
        ControllerEffect::Touch
    }

    /// Data for the registered parameter that was chosen last.
    fn data_entry(&mut self, channel: u8, coarse: bool, data: f64) -> ControllerEffect {
        let hand = self.at(channel);
        match (hand.parameter, coarse) {
            (BEND_RANGE, _) => {
                let (whole, cents) = hand.range.unwrap_or_default();
                let range = if coarse { (data, cents) } else { (whole, data) };
                // one member's range is that of all members
                let manager = self.zones.manager_of(channel);
                for other in 0..CHANNELS as u8 {
                    if other == channel || manager.is_some() && self.zones.manager_of(other) == manager {
                        self.at(other).range = Some(range);
                    }
                }
                ControllerEffect::Everything
            }
            (ZONE, true) if self.zones.configure(channel, data as u8) => {
                for other in (0..CHANNELS as u8).filter(|&other| self.zones.manager_of(other) == Some(channel)) {
                    self.channels[usize::from(other)].range = None;
                }
                ControllerEffect::Everything
            }
            _ => ControllerEffect::None,
        }
    }

    /// Whether a note on `listener` hears what is done on `channel`.
    pub fn applies_to(&self, listener: u8, channel: u8) -> bool {
        listener == channel || self.zones.manager_of(listener) == Some(channel)
    }

    /// Wheel of a note, 0 to 1.
    pub fn wheel(&self, note: &Note) -> f64 {
        self.most(note, |hand| hand.wheel)
    }

    /// Pressure on a note, 0 to 1; none when its key is up.
    pub fn pressure(&self, note: &Note) -> f64 {
        if note.down { note.pressure.max(self.most(note, |hand| hand.pressure)) } else { 0.0 }
    }

    /// Brightness of a note, -1 to 1: its own, or what its channels say together.
    pub fn brightness(&self, note: &Note) -> f64 {
        note.brightness.unwrap_or_else(|| self.sum(note, |hand| hand.brightness))
    }

    /// Expression of a note, -1 to 1.
    pub fn expression(&self, note: &Note) -> f64 {
        note.expression.unwrap_or_else(|| self.sum(note, |hand| hand.expression))
    }

    /// Soft pedal, 0 to 1.
    pub fn soft(&self, note: &Note) -> f64 {
        self.most(note, |hand| hand.soft)
    }

    /// Part of the damper that lies on a released note, 1 without pedal, 0 with it down.
    pub fn damper(&self, note: &Note) -> f64 {
        (1.0 - self.most(note, |hand| hand.sustain)).powi(2)
    }

    /// Whether the sostenuto pedal of a channel, or of its manager, is down.
    pub fn sostenuto(&self, channel: u8) -> bool {
        self.of(channel).sostenuto || self.zones.manager_of(channel).is_some_and(|manager| self.of(manager).sostenuto)
    }

    /// Semitones by which a note is bent: with the others of its channel or zone, and alone.
    pub fn bend(&self, note: &Note, settings: &ParamValues) -> (f64, f64) {
        let channel = note.id.channel;
        let bend = |channel: u8, knob: ParamId| {
            let hand = self.of(channel);
            let range = hand.range.map_or(settings.get(knob), |(whole, cents)| whole + 0.01 * cents);
            hand.bend * range
        };
        match self.zones.manager_of(channel) {
            Some(manager) => (bend(manager, ParamId::BendRange), bend(channel, ParamId::MpeBend) + note.tuning),
            None => (bend(channel, ParamId::BendRange), note.tuning),
        }
    }

    fn of(&self, channel: u8) -> &Channel {
        &self.channels[usize::from(channel) % CHANNELS]
    }

    fn at(&mut self, channel: u8) -> &mut Channel {
        &mut self.channels[usize::from(channel) % CHANNELS]
    }

    /// The larger of a note's channel and its manager.
    fn most(&self, note: &Note, what: impl Fn(&Channel) -> f64) -> f64 {
        let own = what(self.of(note.id.channel));
        self.zones.manager_of(note.id.channel).map_or(own, |manager| own.max(what(self.of(manager))))
    }

    /// A note's channel and its manager together, -1 to 1.
    fn sum(&self, note: &Note, what: impl Fn(&Channel) -> f64) -> f64 {
        let own = what(self.of(note.id.channel));
        let sum = self.zones.manager_of(note.id.channel).map_or(own, |manager| own + what(self.of(manager)));
        sum.clamp(-1.0, 1.0)
    }
}

impl Channel {
    fn choose(&mut self, parameter: u16) -> ControllerEffect {
        self.parameter = parameter;
        ControllerEffect::None
    }
}

/// -1 to 1 of a controller that rests in the middle, MIDI 64.
pub fn bipolar(value: f64) -> f64 {
    let steps = value.clamp(0.0, 1.0) * STEPS - 64.0;
    // what comes in steps of 1/127 has its middle at 64; 0 and 127 are the ends
    (steps / if steps < 0.0 { 64.0 } else { 63.0 }).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::NoteId;

    fn note(channel: u8) -> Note {
        Note { down: true, ..Note::of(NoteId { voice: None, channel, key: 60 }) }
    }

    fn send(hands: &mut MidiControllers, channel: u8, list: &[(u8, u8)]) -> ControllerEffect {
        list.iter().map(|&(number, value)| hands.control(channel, number, f64::from(value) / 127.0)).last().unwrap()
    }

    #[test]
    fn a_controller_may_ask_for_a_bend_range_and_for_a_zone() {
        let (mut hands, settings) = (MidiControllers::default(), ParamValues::default());
        hands.set_bend(3, 1.0);
        assert_eq!(hands.bend(&note(3), &settings), (2.0, 0.0));
        send(&mut hands, 3, &[(101, 0), (100, 0), (6, 7), (38, 50)]);
        assert_eq!(hands.bend(&note(3), &settings), (7.5, 0.0));
        assert_eq!(send(&mut hands, 0, &[(101, 0), (100, 6), (6, 5)]), ControllerEffect::Everything);
        hands.set_bend(0, -0.5);
        assert_eq!(hands.bend(&note(3), &settings), (-1.0, 48.0), "a new zone has the usual range");
        hands.set_bend(2, 0.5);
        assert_eq!(hands.bend(&note(2), &settings), (-1.0, 24.0));
        send(&mut hands, 2, &[(101, 0), (100, 0), (6, 12)]);
        assert_eq!(hands.bend(&note(3), &settings), (-1.0, 12.0), "all members have one range");
        assert_eq!(hands.bend(&note(9), &settings), (0.0, 0.0));
        assert_eq!(send(&mut hands, 2, &[(101, 127), (100, 127), (6, 1)]), ControllerEffect::None);
    }

    #[test]
    fn a_manager_speaks_for_its_members() {
        let mut hands = MidiControllers { zones: MpeZones::new(MpeMode::Lower), ..MidiControllers::default() };
        send(&mut hands, 0, &[(1, 127), (64, 127), (74, 127)]);
        send(&mut hands, 4, &[(74, 0)]);
        let member = note(4);
        assert_eq!((hands.wheel(&member), hands.damper(&member), hands.brightness(&member)), (1.0, 0.0, 0.0));
        assert!(hands.applies_to(4, 0) && !hands.applies_to(0, 4) && hands.applies_to(0, 0));
        let own = Note { brightness: Some(0.25), ..member };
        assert_eq!(hands.brightness(&own), 0.25);
        assert_eq!(send(&mut hands, 0, &[(121, 0)]), ControllerEffect::LetGo);
        assert_eq!((hands.wheel(&member), hands.damper(&member)), (0.0, 1.0));
    }

    #[test]
    fn what_rests_in_the_middle_goes_evenly_either_way() {
        assert_eq!([0, 32, 64, 127].map(|value| bipolar(f64::from(value) / 127.0)), [-1.0, -0.5, 0.0, 1.0]);
    }
}
