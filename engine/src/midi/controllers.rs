//! MIDI controllers: pedals, bend, wheel and pressure of sixteen channels, and MPE zones.
//!
//! | controller | meaning |
//! |---|---|
//! | 1 | modulation wheel |
//! | 4 | foot pedal: that of a hi-hat, on every channel |
//! | 11 | expression pedal, neutral at 127, for notes without note expression |
//! | 64, 66, 67 | sustain (with half-pedalling), sostenuto, soft pedal |
//! | 74 | slide, for notes without note expression |
//! | 100, 101, 6, 38 | registered parameters: 0 bend range, 6 an MPE zone |
//! | 120, 121, 123 to 127 | all sound off, reset controllers, all notes off |

use crate::midi::notes::{MpeZones, Note};
use crate::params::{MpeMode, ParamId, ParamValues};

/// Number of channels.
pub const CHANNELS: usize = 16;

/// Value from which a switch pedal is down.
const PEDAL_DOWN: f64 = 0.5;

/// Maximum of a 7-bit controller.
const MAX_DATA: f64 = 127.0;

/// The supported registered parameters, and the null parameter.
const BEND_RANGE: u16 = 0;
const ZONE: u16 = 6;
const NO_PARAMETER: u16 = 0x3fff;

/// The controllers of one channel.
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
    /// Selected registered parameter.
    parameter: u16,
    /// Bend range set by registered parameter 0 [semitones, cents].
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

/// The effect of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControllerEffect {
    /// Nothing.
    None,
    /// The modulation of the channel's notes changes.
    Modulation,
    /// The dampers move.
    Dampers,
    /// The foot pedal moves.
    Foot,
    /// The sostenuto pedal goes down and holds the keys that are down.
    SostenutoDown,
    /// The sostenuto pedal comes up.
    SostenutoUp,
    /// All notes of the channel are choked.
    SoundOff,
    /// All notes of the channel are released.
    NotesOff,
    /// Zones or bend ranges change: the modulation of all notes is updated.
    AllNotes,
}

/// The controllers of sixteen channels, and the MPE zones.
#[derive(Clone, Debug, Default)]
pub struct MidiControllers {
    channels: [Channel; CHANNELS],
    zones: MpeZones,
    /// Foot pedal since it last moved, unless the parameter has moved since.
    foot: Option<f64>,
}

impl MidiControllers {
    /// Sets the zones of the parameter, and discards those that a controller has configured.
    pub fn set_zones(&mut self, settings: &ParamValues) {
        self.zones = MpeZones::new(MpeMode::from_value(settings.get(ParamId::Mpe)));
    }

    /// The foot pedal, 0 to 1; None if the parameter of the pedal applies.
    pub fn foot(&self) -> Option<f64> {
        self.foot
    }

    /// The parameter of the pedal applies from now on.
    pub fn forget_foot(&mut self) {
        self.foot = None;
    }

    /// Resets all controllers, except zones and bend ranges set by registered parameters.
    pub fn reset(&mut self) {
        self.foot = None;
        for channel in &mut self.channels {
            *channel = Channel { range: channel.range, ..Channel::default() };
        }
    }

    /// Sets the bend of a channel, -1 to 1.
    pub fn set_bend(&mut self, channel: u8, value: f64) {
        self.at(channel).bend = value.clamp(-1.0, 1.0);
    }

    /// Sets the pressure of a channel, 0 to 1.
    pub fn set_pressure(&mut self, channel: u8, value: f64) {
        self.at(channel).pressure = value.clamp(0.0, 1.0);
    }

    /// Sets controller `number` of a channel to `value`, 0 to 1.
    pub fn control(&mut self, channel: u8, number: u8, value: f64) -> ControllerEffect {
        let value = value.clamp(0.0, 1.0);
        let data = (value * MAX_DATA).round();
        let state = self.at(channel);
        match number {
            1 => state.wheel = value,
            4 => {
                self.foot = Some(value);
                return ControllerEffect::Foot;
            }
            // MIDI files often start with 127, so that must be neutral
            11 => state.expression = value - 1.0,
            67 => state.soft = value,
            74 => state.brightness = bipolar(value),
            64 => {
                state.sustain = value;
                return ControllerEffect::Dampers;
            }
            66 => {
                let down = value >= PEDAL_DOWN;
                return match (std::mem::replace(&mut state.sostenuto, down), down) {
                    (false, true) => ControllerEffect::SostenutoDown,
                    (true, false) => ControllerEffect::SostenutoUp,
                    _ => ControllerEffect::None,
                };
            }
            100 => return state.choose(state.parameter & 0x3f80 | data as u16),
            101 => return state.choose(state.parameter & 0x7f | (data as u16) << 7),
            98 | 99 => return state.choose(NO_PARAMETER),
            6 | 38 => return self.data_entry(channel, number == 6, data),
            120 => return ControllerEffect::SoundOff,
            121 => {
                *state = Channel { range: state.range, ..Channel::default() };
                self.foot = None;
                return ControllerEffect::SostenutoUp;
            }
            123..=127 => return ControllerEffect::NotesOff,
            _ => return ControllerEffect::None,
        }
        ControllerEffect::Modulation
    }

    /// Sets the selected registered parameter; `coarse` is controller 6, else 38.
    fn data_entry(&mut self, channel: u8, coarse: bool, data: f64) -> ControllerEffect {
        let state = self.at(channel);
        match (state.parameter, coarse) {
            (BEND_RANGE, _) => {
                let (whole, cents) = state.range.unwrap_or_default();
                let range = if coarse { (data, cents) } else { (whole, data) };
                // the bend range of one member applies to all
                let manager = self.zones.manager_of(channel);
                for other in 0..CHANNELS as u8 {
                    if other == channel || manager.is_some() && self.zones.manager_of(other) == manager {
                        self.at(other).range = Some(range);
                    }
                }
                ControllerEffect::AllNotes
            }
            (ZONE, true) if self.zones.configure(channel, data as u8) => {
                for other in (0..CHANNELS as u8).filter(|&other| self.zones.manager_of(other) == Some(channel)) {
                    self.channels[usize::from(other)].range = None;
                }
                ControllerEffect::AllNotes
            }
            _ => ControllerEffect::None,
        }
    }

    /// Whether controllers of `channel` apply to notes on `note_channel`.
    pub fn applies_to(&self, note_channel: u8, channel: u8) -> bool {
        note_channel == channel || self.zones.manager_of(note_channel) == Some(channel)
    }

    /// Modulation wheel of a note, 0 to 1.
    pub fn wheel(&self, note: &Note) -> f64 {
        self.max_of(note, |state| state.wheel)
    }

    /// Pressure on a note, 0 to 1; 0 when its key is up.
    pub fn pressure(&self, note: &Note) -> f64 {
        if note.down { note.expressions.pressure.max(self.max_of(note, |state| state.pressure)) } else { 0.0 }
    }

    /// Slide of a note, -1 to 1: its note expression, or the sum of its channels.
    pub fn brightness(&self, note: &Note) -> f64 {
        note.expressions.brightness.unwrap_or_else(|| self.sum_of(note, |state| state.brightness))
    }

    /// Expression of a note, -1 to 1.
    pub fn expression(&self, note: &Note) -> f64 {
        note.expressions.expression.unwrap_or_else(|| self.sum_of(note, |state| state.expression))
    }

    /// Soft pedal, 0 to 1.
    pub fn soft(&self, note: &Note) -> f64 {
        self.max_of(note, |state| state.soft)
    }

    /// Share of the damper on a released note: 1 without sustain pedal, 0 with the pedal down.
    pub fn damper(&self, note: &Note) -> f64 {
        (1.0 - self.max_of(note, |state| state.sustain)).powi(2)
    }

    /// Whether the sostenuto pedal of a channel, or of its manager, is down.
    pub fn sostenuto(&self, channel: u8) -> bool {
        self.of(channel).sostenuto || self.zones.manager_of(channel).is_some_and(|manager| self.of(manager).sostenuto)
    }

    /// Bend of a note [semitones]: shared with its channel or zone, and its own.
    pub fn bend(&self, note: &Note, settings: &ParamValues) -> (f64, f64) {
        let channel = note.id.channel;
        let bend = |channel: u8, range_param: ParamId| {
            let state = self.of(channel);
            let range = state.range.map_or(settings.get(range_param), |(whole, cents)| whole + 0.01 * cents);
            state.bend * range
        };
        match self.zones.manager_of(channel) {
            Some(manager) => (bend(manager, ParamId::BendRange), bend(channel, ParamId::MpeBend) + note.expressions.tuning),
            None => (bend(channel, ParamId::BendRange), note.expressions.tuning),
        }
    }

    fn of(&self, channel: u8) -> &Channel {
        &self.channels[usize::from(channel) % CHANNELS]
    }

    fn at(&mut self, channel: u8) -> &mut Channel {
        &mut self.channels[usize::from(channel) % CHANNELS]
    }

    /// The maximum of the channel of a note and its manager.
    fn max_of(&self, note: &Note, value: impl Fn(&Channel) -> f64) -> f64 {
        let own = value(self.of(note.id.channel));
        self.zones.manager_of(note.id.channel).map_or(own, |manager| own.max(value(self.of(manager))))
    }

    /// The sum of the channel of a note and its manager, -1 to 1.
    fn sum_of(&self, note: &Note, value: impl Fn(&Channel) -> f64) -> f64 {
        let own = value(self.of(note.id.channel));
        let sum = self.zones.manager_of(note.id.channel).map_or(own, |manager| own + value(self.of(manager)));
        sum.clamp(-1.0, 1.0)
    }
}

impl Channel {
    fn choose(&mut self, parameter: u16) -> ControllerEffect {
        self.parameter = parameter;
        ControllerEffect::None
    }
}

/// -1 to 1 of a controller with its centre at MIDI 64.
pub fn bipolar(value: f64) -> f64 {
    let steps = value.clamp(0.0, 1.0) * MAX_DATA - 64.0;
    // the centre of 0 to 127 is 64, which has 64 steps below and 63 above
    (steps / if steps < 0.0 { 64.0 } else { 63.0 }).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Expression, NoteId};

    fn note(channel: u8) -> Note {
        Note { down: true, ..Note::of(NoteId { voice: None, channel, key: 60 }) }
    }

    fn send(controllers: &mut MidiControllers, channel: u8, list: &[(u8, u8)]) -> ControllerEffect {
        list.iter().map(|&(number, value)| controllers.control(channel, number, f64::from(value) / 127.0)).last().unwrap()
    }

    #[test]
    fn registered_parameters_set_bend_range_and_zone() {
        let (mut controllers, settings) = (MidiControllers::default(), ParamValues::default());
        controllers.set_bend(3, 1.0);
        assert_eq!(controllers.bend(&note(3), &settings), (2.0, 0.0));
        send(&mut controllers, 3, &[(101, 0), (100, 0), (6, 7), (38, 50)]);
        assert_eq!(controllers.bend(&note(3), &settings), (7.5, 0.0));
        assert_eq!(send(&mut controllers, 0, &[(101, 0), (100, 6), (6, 5)]), ControllerEffect::AllNotes);
        controllers.set_bend(0, -0.5);
        assert_eq!(controllers.bend(&note(3), &settings), (-1.0, 48.0), "a new zone has the default range");
        controllers.set_bend(2, 0.5);
        assert_eq!(controllers.bend(&note(2), &settings), (-1.0, 24.0));
        send(&mut controllers, 2, &[(101, 0), (100, 0), (6, 12)]);
        assert_eq!(controllers.bend(&note(3), &settings), (-1.0, 12.0), "all members have the same range");
        assert_eq!(controllers.bend(&note(9), &settings), (0.0, 0.0));
        assert_eq!(send(&mut controllers, 2, &[(101, 127), (100, 127), (6, 1)]), ControllerEffect::None);
    }

    #[test]
    fn controllers_of_the_manager_apply_to_its_members() {
        let mut controllers = MidiControllers { zones: MpeZones::new(MpeMode::Lower), ..MidiControllers::default() };
        send(&mut controllers, 0, &[(1, 127), (64, 127), (74, 127)]);
        send(&mut controllers, 4, &[(74, 0)]);
        let member = note(4);
        assert_eq!((controllers.wheel(&member), controllers.damper(&member), controllers.brightness(&member)), (1.0, 0.0, 0.0));
        assert!(controllers.applies_to(4, 0) && !controllers.applies_to(0, 4) && controllers.applies_to(0, 0));
        let mut own = member;
        own.set_expression(Expression::Brightness, 0.625);
        assert_eq!(controllers.brightness(&own), 0.25);
        assert_eq!(send(&mut controllers, 0, &[(121, 0)]), ControllerEffect::SostenutoUp);
        assert_eq!((controllers.wheel(&member), controllers.damper(&member)), (0.0, 1.0));
    }

    #[test]
    fn bipolar_controllers_are_symmetric_about_their_centre() {
        assert_eq!([0, 32, 64, 127].map(|value| bipolar(f64::from(value) / 127.0)), [-1.0, -0.5, 0.0, 1.0]);
    }
}
