//! The MIDI devices of the user: which controllers set which parameters, and the module of electronic drums. A file of its own, apart from presets:
//!
//! ```toml
//! drums = "Roland TD-17"   # keys of the pads, see [`DrumModule`]; default: "General MIDI"
//!
//! [[controller]]
//! number = 21
//! channel = 1              # 1 to 16; default: all channels
//! param = "hardness"       # as in `urto-cli params`
//! mode = "absolute"        # or relative, as the encoder sends: "offset 64", "two's complement", "sign bit"
//! range = [0.0, 1.0]       # parameter at 0 and at 127 of the controller, as parts of its range
//! ```
//!
//! A controller that sets a parameter has no other effect.

use std::fmt::Write;

use crate::formats::{Located, TextError, TomlSection};
use crate::midi::controllers::CHANNELS;
use crate::midi::drum_module::DrumModule;
use crate::params::{ParamId, Scale};

/// Maximum number of assignments of a map.
pub const MAX_ASSIGNMENTS: usize = 128;
/// Controllers from this number on are messages to the channel, such as "all notes off", and cannot be learned.
pub const FIRST_CHANNEL_MESSAGE: u8 = 120;

/// Name of the sections.
const SECTION: &str = "controller";
/// Maximum of a 7-bit controller.
const MAX_DATA: f64 = 127.0;

/// How a controller sends its movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControllerMode {
    /// Its position, 0 to 127.
    #[default]
    Absolute,
    /// Steps: 65 is one up, 63 one down.
    Offset64,
    /// Steps: 1 is one up, 127 one down.
    TwosComplement,
    /// Steps: 1 is one up, 65 one down.
    SignBit,
}

impl ControllerMode {
    /// All modes, in the order of their names.
    pub const ALL: [Self; 4] = [Self::Absolute, Self::Offset64, Self::TwosComplement, Self::SignBit];
    /// Their names in files and in the window.
    pub const NAMES: [&'static str; 4] = ["absolute", "offset 64", "two's complement", "sign bit"];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The steps that the value `data`, 0 to 127, means; none for a position.
    fn steps(self, data: f64) -> Option<f64> {
        match self {
            Self::Absolute => None,
            Self::Offset64 => Some(data - 64.0),
            Self::TwosComplement => Some(if data < 64.0 { data } else { data - 128.0 }),
            Self::SignBit => Some(if data < 64.0 { data } else { 64.0 - data }),
        }
    }
}

/// A parameter that a controller sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControllerAssignment {
    /// Number of the controller, 0 to 119.
    pub number: u8,
    /// Channel, 0 to 15; none for all.
    pub channel: Option<u8>,
    /// The parameter; hosts may automate it.
    pub param: ParamId,
    /// How the controller sends its movement.
    pub mode: ControllerMode,
    /// Normalised values of the parameter at 0 and at 127, 0 to 1 each.
    pub range: [f64; 2],
}

impl ControllerAssignment {
    /// The whole range of `param` by the positions of controller `number`, on all channels.
    pub fn new(number: u8, param: ParamId) -> Self {
        Self { number, channel: None, param, mode: ControllerMode::Absolute, range: [0.0, 1.0] }
    }

    /// Whether controller `number` of `channel` sets the parameter.
    fn listens_to(&self, channel: u8, number: u8) -> bool {
        self.number == number && self.channel.is_none_or(|own| own == channel)
    }

    /// The normalised value of the parameter after the controller has sent `value`, 0 to 1; before, it was `travel`. A step is 1/127 of the
    /// range, or one whole number or choice.
    pub fn travel(&self, value: f64, travel: f64) -> f64 {
        let [from, to] = self.range;
        let spec = self.param.spec();
        match self.mode.steps((value * MAX_DATA).round()) {
            None => {
                let part = value.clamp(0.0, 1.0);
                from * (1.0 - part) + to * part
            }
            Some(steps) => {
                let step = match spec.scale {
                    Scale::Integer | Scale::Choice(_) => (to - from).signum() / (spec.max - spec.min).max(1.0),
                    _ => (to - from) / MAX_DATA,
                };
                (travel + steps * step).clamp(from.min(to), from.max(to))
            }
        }
    }
}

/// The assignments of controllers, at most [`MAX_ASSIGNMENTS`], and the module of electronic drums.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MidiMap {
    assignments: Vec<ControllerAssignment>,
    /// The module whose pads play kits.
    pub drums: DrumModule,
}

impl MidiMap {
    /// All assignments, in the order in which they were learned.
    pub fn assignments(&self) -> &[ControllerAssignment] {
        &self.assignments
    }

    /// The assignments of controller `number` of `channel`, 0 to 15. Allocates nothing.
    pub fn of_controller(&self, channel: u8, number: u8) -> impl Iterator<Item = &ControllerAssignment> {
        self.assignments.iter().filter(move |assignment| assignment.listens_to(channel, number))
    }

    /// The assignment of a parameter.
    pub fn of_param(&self, param: ParamId) -> Option<&ControllerAssignment> {
        self.assignments.iter().find(|assignment| assignment.param == param)
    }

    /// Adds an assignment, in place of one of the same parameter. Returns whether there was room.
    pub fn assign(&mut self, assignment: ControllerAssignment) -> bool {
        if let Some(own) = self.assignments.iter_mut().find(|own| own.param == assignment.param) {
            *own = assignment;
            return true;
        }
        let has_room = self.assignments.len() < MAX_ASSIGNMENTS;
        if has_room {
            self.assignments.push(assignment);
        }
        has_room
    }

    /// Removes the assignment of a parameter.
    pub fn remove(&mut self, param: ParamId) {
        self.assignments.retain(|assignment| assignment.param != param);
    }

    /// Reads a file. Errors: the first error, with line, key and fix.
    pub fn read(text: &str) -> Result<Self, TextError> {
        let mut root = TomlSection::parse(text)?;
        let mut map = Self::default();
        for mut section in root.sections(SECTION)? {
            let assignment = read_assignment(&mut section)?;
            section.finish()?;
            if map.of_param(assignment.param).is_some() {
                let problem = format!("a second controller of {}", assignment.param.spec().id);
                return Err(section.place().fault(problem, "leave one of them out"));
            }
            if !map.assign(assignment) {
                let problem = format!("more than {MAX_ASSIGNMENTS} controllers");
                return Err(section.place().fault(problem, "leave some out"));
            }
        }
        if let Some(Located { value, place }) = root.string("drums")? {
            let names = DrumModule::NAMES.map(|name| format!("\"{name}\"")).join(", ");
            let module = DrumModule::from_name(&value);
            map.drums =
                module.ok_or_else(|| place.fault(format!("no drum module \"{value}\""), format!("give one of {names}")))?;
        }
        root.finish()?;
        Ok(map)
    }

    /// The text of a file. Reading it returns the same map.
    pub fn to_toml(&self) -> String {
        let mut text = String::from("# MIDI devices that play Urto, for all songs and presets.\n");
        if self.drums != DrumModule::default() {
            let _ = writeln!(text, "drums = \"{}\"", self.drums.name());
        }
        for ControllerAssignment { number, channel, param, mode, range } in &self.assignments {
            let _ = writeln!(text, "\n[[{SECTION}]]\nnumber = {number}");
            if let Some(channel) = channel {
                let _ = writeln!(text, "channel = {}", channel + 1);
            }
            let _ = writeln!(text, "param = \"{}\"\nmode = \"{}\"\nrange = {range:?}", param.spec().id, mode.name());
        }
        text
    }
}

fn read_assignment(section: &mut TomlSection) -> Result<ControllerAssignment, TextError> {
    let whole = |number: f64, range: std::ops::Range<u8>| {
        let is_in = number.fract() == 0.0 && number >= f64::from(range.start) && number < f64::from(range.end);
        is_in.then_some(number as u8)
    };
    let Some(Located { value, place }) = section.number("number")? else {
        return Err(section.missing("number").fault("missing", "give the number of the controller, as in number = 21"));
    };
    let remedy = "give a whole number from 0 to 119";
    let number = whole(value, 0..FIRST_CHANNEL_MESSAGE).ok_or_else(|| place.fault("not a controller", remedy))?;
    let channel = match section.number("channel")? {
        Some(Located { value, place }) => {
            let channel = whole(value, 1..CHANNELS as u8 + 1);
            Some(channel.ok_or_else(|| place.fault("not a channel", "give a whole number from 1 to 16"))? - 1)
        }
        None => None,
    };
    let Some(Located { value, place }) = section.string("param")? else {
        return Err(section.missing("param").fault("missing", "give the id of a parameter, as in param = \"hardness\""));
    };
    let param = ParamId::from_id(&value).filter(|param| param.spec().automatable).ok_or_else(|| {
        place.fault(format!("no parameter \"{value}\" for controllers"), "give one that `urto-cli params` lists")
    })?;
    let mode = match section.string("mode")? {
        Some(Located { value, place }) => {
            let mode = ControllerMode::ALL.into_iter().find(|mode| mode.name() == value);
            let names = ControllerMode::NAMES.map(|name| format!("\"{name}\"")).join(", ");
            mode.ok_or_else(|| place.fault(format!("no mode \"{value}\""), format!("give one of {names}")))?
        }
        None => ControllerMode::default(),
    };
    let range = match section.numbers("range")? {
        Some(Located { value, place }) => match value[..] {
            [from, to] if [from, to].iter().all(|end| (0.0..=1.0).contains(end)) => [from, to],
            _ => return Err(place.fault("not a range", "give two numbers from 0 to 1, as in [0.0, 1.0]")),
        },
        None => [0.0, 1.0],
    };
    Ok(ControllerAssignment { number, channel, param, mode, range })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hardness(mode: ControllerMode, range: [f64; 2]) -> ControllerAssignment {
        ControllerAssignment { mode, range, ..ControllerAssignment::new(21, ParamId::Hardness) }
    }

    #[test]
    fn encoders_step_from_the_present_value_in_each_of_their_forms() {
        for (mode, up, down) in
            [(ControllerMode::Offset64, 66, 62), (ControllerMode::TwosComplement, 2, 126), (ControllerMode::SignBit, 2, 66)]
        {
            let encoder = hardness(mode, [0.0, 1.0]);
            let moved = |data: u8, travel: f64| encoder.travel(f64::from(data) / 127.0, travel);
            assert!((moved(up, 0.5) - 0.5 - 2.0 / 127.0).abs() < 1e-12, "{mode:?}");
            assert!((moved(down, 0.5) - 0.5 + 2.0 / 127.0).abs() < 1e-12, "{mode:?}");
            assert_eq!((moved(up, 0.999), moved(down, 0.001)), (1.0, 0.0), "{mode:?}");
        }
        let choice = ControllerAssignment { mode: ControllerMode::SignBit, ..ControllerAssignment::new(1, ParamId::Release) };
        let spec = ParamId::Release.spec();
        assert_eq!(spec.from_normalized(choice.travel(1.0 / 127.0, 0.0)), spec.min + 1.0, "one step is one choice");
    }

    #[test]
    fn positions_span_the_range_in_either_direction() {
        let half = hardness(ControllerMode::Absolute, [0.8, 0.3]);
        assert_eq!([0.0, 1.0].map(|value| half.travel(value, 0.1)), [0.8, 0.3]);
    }

    #[test]
    fn a_controller_may_set_several_parameters_and_a_parameter_has_one_controller() {
        let mut map = MidiMap::default();
        assert!(
            map.assign(ControllerAssignment::new(21, ParamId::Hardness))
                && map.assign(ControllerAssignment::new(21, ParamId::Decay))
        );
        assert_eq!(map.of_controller(3, 21).count(), 2);
        assert!(map.assign(ControllerAssignment { channel: Some(2), ..ControllerAssignment::new(22, ParamId::Decay) }));
        let params = |channel, number| map.of_controller(channel, number).map(|found| found.param).collect::<Vec<_>>();
        assert_eq!((params(3, 21), params(2, 22), params(1, 22)), (vec![ParamId::Hardness], vec![ParamId::Decay], vec![]));
        map.remove(ParamId::Hardness);
        assert_eq!(map.assignments().len(), 1);
    }

    #[test]
    fn text_preserves_a_map_and_errors_name_line_key_and_fix() {
        let mut map = MidiMap { drums: DrumModule::RolandTd17, ..MidiMap::default() };
        for (i, mode) in ControllerMode::ALL.into_iter().enumerate() {
            let param = [ParamId::Hardness, ParamId::Decay, ParamId::Tune, ParamId::Release][i];
            map.assign(ControllerAssignment {
                number: i as u8,
                channel: (i > 0).then_some(i as u8),
                param,
                mode,
                range: [0.1, 1.0 - 0.1 * i as f64],
            });
        }
        assert_eq!(MidiMap::read(&map.to_toml()), Ok(map));
        let error_of = |text: &str| MidiMap::read(&format!("[[controller]]\n{text}")).unwrap_err().to_string();
        assert!(error_of("number = 120").starts_with("line 2, controller[0].number: not a controller; give a whole number"));
        assert!(error_of("number = 1\nchannel = 0\nparam = \"decay\"").contains("channel: not a channel"));
        assert!(error_of("number = 1\nparam = \"decoy\"").contains("no parameter \"decoy\""));
        assert!(error_of("number = 1\nparam = \"decay\"\nmode = \"spin\"").contains("give one of \"absolute\", \"offset 64\""));
        assert!(error_of("number = 1\nparam = \"decay\"\nrange = [0, 2]").contains("range: not a range"));
        assert!(error_of("number = 1\nparam = \"decay\"\nchanel = 2").contains("chanel"));
        let error = MidiMap::read("drums = \"TD-1\"").unwrap_err().to_string();
        assert!(error.starts_with("line 1, drums: no drum module \"TD-1\"; give one of \"General MIDI\""), "{error}");
        let twice = "number = 1\nparam = \"decay\"\n[[controller]]\nnumber = 2\nparam = \"decay\"";
        assert!(error_of(twice).contains("a second controller of decay"));
    }
}
