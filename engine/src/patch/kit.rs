//! A kit: zones, each a range of keys with its own sound, and groups of keys that choke each other.
//!
//! Overlapping zones sound together, unless their velocities or their turns keep them apart. A patch with zones plays nothing else. The parameters of the kit offset those of every zone by
//! their distance from the default (a factor where the scale is logarithmic); an integer or a choice that is not at its default
//! applies to all zones. Body type and number of modes always come from the zone.
//!
//! Keys of a group choke each other as a closed hi-hat chokes the open one. In the text of a patch, one section per group:
//!
//! ```toml
//! [[choke]]
//! keys = [42, 44, 46]
//! ```

use std::fmt::Write;

use crate::formats::{Located, TextError, TomlSection, UnknownKeys};
use crate::params::{MACRO_PARAMS, ParamId, ParamSpec, ParamValues, Scale};
use crate::patch::drive_content::DriveContent;
use crate::patch::mode_list::ListedMode;
use crate::patch::partial_edits::PartialEdit;
use crate::patch::residual::ResidualBand;
use crate::patch::zone_layer::ZoneLayer;
use crate::tuning::KEYS;

/// Maximum number of zones of a kit.
pub const MAX_ZONES: usize = 64;
/// Number of choke groups of zones.
pub const GROUPS: usize = 16;

/// Name of the sections of groups of keys.
pub const CHOKE_SECTION: &str = "choke";

/// Maximum number of groups of keys of a patch.
pub const MAX_GROUPS: usize = 16;

/// Position of a zone at the far left or right that has none of its own, from the middle [m].
const HALF_WIDTH: f64 = 1.0;

/// A position on the floor [m], relative to the middle of the instrument.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FloorPosition {
    /// To the right of the player.
    pub x: f64,
    /// Away from the player, towards the far microphones.
    pub y: f64,
}

/// A range of keys with its own sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Displayed name.
    pub name: String,
    /// Lowest and highest key.
    pub keys: (u8, u8),
    /// Key whose pitch the lowest key has; the others follow in semitones.
    pub plays: u8,
    /// Level [dB], -60 to 24.
    pub level: f64,
    /// Pan, -1 left to 1 right; at 0 both sides have full level.
    pub pan: f64,
    /// Choke group, 1 to [`GROUPS`]; 0: none.
    pub choke: u8,
    /// Which strikes of its keys it plays.
    pub layer: ZoneLayer,
    /// Whether pressure on one of its keys damps it, as a hand does a cymbal.
    pub pressure_chokes: bool,
    /// Output bus, 1 to [`OUTPUTS`](crate::patch::OUTPUTS); a bus that the host has not activated goes to the main output.
    pub bus: u8,
    /// Position for microphones and room; without one it follows from the pan.
    pub position: Option<FloorPosition>,
    /// The value of every parameter.
    pub settings: ParamValues,
    /// The modes of a body that is a list of modes.
    pub modes: Vec<ListedMode>,
    /// The same for the body that it morphs into.
    pub morph_modes: Vec<ListedMode>,
    /// The residual of a recording.
    pub residual: Vec<ResidualBand>,
    /// Edits of single partials.
    pub partial_edits: Vec<PartialEdit>,
    /// Pattern and recording of the hammer drive.
    pub drive_content: DriveContent,
}

impl Zone {
    /// Whether `key` is in its range.
    pub fn holds(&self, key: u8) -> bool {
        (self.keys.0..=self.keys.1).contains(&key)
    }

    /// The key of its sound, 0 to 127, that `key` of the keyboard plays; none for a key outside of the zone or beyond the last key.
    pub fn played_key(&self, key: u8) -> Option<u8> {
        let played = key.checked_sub(self.keys.0)?.checked_add(self.plays)?;
        Some(played).filter(|&played| usize::from(played) < KEYS && self.holds(key))
    }

    /// Whether it may play a strike of `key` with `velocity`, above 0 to 1; the turns of zones that alternate apart.
    pub fn plays_strike(&self, key: u8, velocity: f64) -> bool {
        self.played_key(key).is_some() && self.layer.gain(velocity).is_some()
    }

    /// Its position: its own, or one between 1 m to the left and to the right, by its pan.
    pub fn floor_position(&self) -> FloorPosition {
        self.position.unwrap_or(FloorPosition { x: HALF_WIDTH * self.pan, y: 0.0 })
    }

    /// Its parameters with the offsets of the parameters `kit`.
    pub fn with_offsets(&self, kit: &ParamValues) -> ParamValues {
        let mut moved = self.settings;
        for &id in ParamId::ALL {
            moved.set(id, offset_value(id, self.settings.get(id), kit.get(id)));
        }
        moved
    }
}

/// The value of a parameter in a zone: `own` offset by the value `value` of the kit. The level is not offset; it acts on the sum of all
/// zones. Macros have the value of the kit. Modulation that the kit sets replaces that of the zone.
pub fn offset_value(id: ParamId, own: f64, value: f64) -> f64 {
    let ParamSpec { scale, default, in_patch, .. } = *id.spec();
    match scale {
        _ if !in_patch || MACRO_PARAMS.contains(&id) => value,
        _ if matches!(id, ParamId::Level | ParamId::Body | ParamId::MorphTo | ParamId::Modes) || value == default => own,
        _ if id.spec().is_modulation() => value,
        Scale::Integer | Scale::Choice(_) => value,
        Scale::Logarithmic => own * (value / default),
        Scale::Linear | Scale::Cubic => own + (value - default),
    }
}

/// The group of every key; each key is in at most one group. Plain data of fixed size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChokeGroups([u8; KEYS]);

impl Default for ChokeGroups {
    fn default() -> Self {
        Self([0; KEYS])
    }
}

impl ChokeGroups {
    /// The groups with the given keys, at most [`MAX_GROUPS`]. Errors: group and key if a key is in two groups or out of range.
    pub fn new(groups: &[Vec<u8>]) -> Result<Self, (usize, u8)> {
        let mut chokes = Self::default();
        for (group, keys) in groups.iter().enumerate().take(MAX_GROUPS) {
            for &key in keys {
                let own = group as u8 + 1;
                match chokes.0.get_mut(usize::from(key)) {
                    Some(of) if *of == 0 || *of == own => *of = own,
                    _ => return Err((group, key)),
                }
            }
        }
        Ok(chokes)
    }

    /// The keys of every group, in ascending order.
    pub fn groups(&self) -> Vec<Vec<u8>> {
        let count = self.0.iter().copied().max().unwrap_or(0);
        (1..=count).map(|group| (0..KEYS as u8).filter(|&key| self.0[usize::from(key)] == group).collect()).collect()
    }

    /// Whether a strike of `key` chokes the voice of `other`.
    pub fn chokes(&self, key: u8, other: u8) -> bool {
        let group = |key: u8| self.0.get(usize::from(key)).copied().unwrap_or(0);
        key != other && group(key) != 0 && group(key) == group(other)
    }
}

/// Reads the sections. Errors: the first error, with line, key and fix.
pub fn read_choke_groups(sections: Vec<TomlSection>) -> Result<ChokeGroups, TextError> {
    if let Some(surplus) = sections.get(MAX_GROUPS) {
        let problem = format!("{} choke groups exceed the maximum of {MAX_GROUPS}", sections.len());
        return Err(surplus.place().fault(problem, "leave some out"));
    }
    let (mut groups, mut places) = (Vec::new(), Vec::new());
    for mut section in sections {
        let Some(Located { value, place }) = section.numbers("keys")? else {
            return Err(section.missing("keys").fault("missing", "give the keys of the group, as in keys = [42, 46]"));
        };
        let key = |key: &f64| (key.fract() == 0.0 && (0.0..KEYS as f64).contains(key)).then_some(*key as u8);
        let keys: Option<Vec<u8>> = value.iter().map(key).collect();
        groups.push(keys.ok_or_else(|| place.fault("not a list of keys", "give whole numbers from 0 to 127"))?);
        places.push(place);
        section.finish()?;
    }
    ChokeGroups::new(&groups).map_err(|(group, key)| {
        places[group].fault(format!("key {key} is already in another group"), "list each key in one group only")
    })
}

/// Appends the sections to `text`, with their unknown keys. Reading them returns the same groups.
pub fn write_choke_groups(chokes: &ChokeGroups, unknown: &UnknownKeys, text: &mut String) {
    for (i, keys) in chokes.groups().iter().enumerate() {
        let _ = writeln!(text, "\n[[{CHOKE_SECTION}]]\nkeys = {keys:?}");
        unknown.write(&format!("{CHOKE_SECTION}[{i}]"), |_| false, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_line_key_and_problem() {
        let parse = |text| read_choke_groups(TomlSection::parse(text).unwrap().sections(CHOKE_SECTION).unwrap());
        let chokes = parse("[[choke]]\nkeys = [42, 44]\n[[choke]]\nkeys = [1, 2]").unwrap();
        assert_eq!(chokes.groups(), [vec![42, 44], vec![1, 2]]);
        let mut text = String::new();
        write_choke_groups(&chokes, &UnknownKeys::default(), &mut text);
        assert_eq!(parse(&text), Ok(chokes));
        let error_of = |text| parse(text).unwrap_err().to_string();
        assert!(error_of("[[choke]]\nkeys = [42, 128]").starts_with("line 2, choke[0].keys: not a list of keys"));
        assert!(
            error_of("[[choke]]\nkeys = [1]\n[[choke]]\nkeys = [1]").starts_with("line 4, choke[1].keys: key 1 is already in")
        );
        assert!(error_of("[[choke]]\nkey = [1]").starts_with("line 1, choke[0].keys: missing"));
    }

    #[test]
    fn keys_choke_the_others_of_their_group() {
        let chokes = ChokeGroups::new(&[vec![42, 44, 46], vec![71, 72]]).unwrap();
        assert!(chokes.chokes(42, 46) && chokes.chokes(46, 42) && !chokes.chokes(46, 46));
        assert!(!chokes.chokes(42, 71) && !chokes.chokes(60, 61));
        assert_eq!(ChokeGroups::new(&chokes.groups()), Ok(chokes));
        assert_eq!(ChokeGroups::new(&[vec![1], vec![2, 1]]), Err((1, 1)));
        assert_eq!(ChokeGroups::new(&[vec![128]]), Err((0, 128)));
    }
}
