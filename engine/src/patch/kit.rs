//! A kit: a layout of zones, each a range of keys with a sound of its own; in a patch's text one section a zone:
//!
//! ```toml
//! [[zone]]
//! name = "Closed hat"
//! preset = "Closed Hi-Hat"  # where the sound begins; a built-in preset
//! keys = [42, 44]           # lowest and highest, or one
//! plays = 60                # key that the lowest plays; without it the sound's home key
//! level = -3.0              # dB
//! pan = 0.3                 # -1 left, 1 right
//! choke = 1                 # zones of one group choke each other
//! bus = 2                   # 1 is the main output
//! [zone.hammer]             # what is otherwise than in the preset, as in a patch
//! mass = 0.02
//! ```
//!
//! Where zones overlap, all sound. A patch with zones plays nothing else. Its own knobs move all zones: as far as a knob is from its
//! default, so far is it from where each zone has it (factors where it is logarithmic); an integer or a choice that is not at its
//! default holds for all. The kind of the body and the number of its modes are each zone's own.

use std::fmt::Write;
use std::path::Path;

use crate::formats::UnknownKeys;
use crate::formats::{Located, TextError, TomlSection};
use crate::params::{ParamId, ParamSpec, ParamValues, Scale};
use crate::patch::drive_content::DriveContent;
use crate::patch::mode_list::ListedMode;
use crate::patch::partial_edits::PartialEdit;
use crate::patch::patch::Patch;
use crate::patch::patch_toml;
use crate::tuning::KEYS;

/// Name of the sections.
pub const SECTION: &str = "zone";
/// Most zones of a kit.
pub const MOST_ZONES: usize = 64;
/// Stereo outputs that zones may go to, the main one included.
pub const OUTPUTS: usize = 8;
/// Choke groups.
pub const GROUPS: usize = 16;
/// Range of a zone's level [dB].
const LEVELS: (f64, f64) = (-60.0, 24.0);

/// A range of keys with a sound of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Shown name.
    pub name: String,
    /// Lowest and highest key.
    pub keys: (u8, u8),
    /// Key that the lowest plays; the others follow in semitones.
    pub plays: u8,
    /// Level [dB], -60 to 24.
    pub level: f64,
    /// -1 left to 1 right; in the middle both sides are full.
    pub pan: f64,
    /// Choke group, 1 to [`GROUPS`]; 0: none.
    pub choke: u8,
    /// Output bus, 1 to [`OUTPUTS`]; what the host has not goes to the main output.
    pub bus: u8,
    /// Value of every knob.
    pub settings: ParamValues,
    /// The modes of a free list.
    pub modes: Vec<ListedMode>,
    /// The same of what the body may turn into.
    pub morph_modes: Vec<ListedMode>,
    /// Single partials that differ from what the body makes of them.
    pub trims: Vec<PartialEdit>,
    /// What the drive plays of its own.
    pub score: DriveContent,
}

impl Zone {
    /// `patch` on `keys`, the lowest of which plays its home key.
    pub fn new(patch: &Patch, keys: (u8, u8)) -> Self {
        Self {
            name: patch.name.clone(),
            keys,
            plays: patch.settings.get(ParamId::HomeKey) as u8,
            level: 0.0,
            pan: 0.0,
            choke: 0,
            bus: 1,
            settings: patch.settings,
            modes: patch.modes.clone(),
            morph_modes: patch.morph_modes.clone(),
            trims: patch.trims.clone(),
            score: patch.score.clone(),
        }
    }

    /// Whether `key` is one of its keys.
    pub fn holds(&self, key: u8) -> bool {
        (self.keys.0..=self.keys.1).contains(&key)
    }

    /// Its sound as a patch, with the knobs moved as those of the kit are from their defaults.
    pub fn patch(&self, kit: &ParamValues) -> Patch {
        let (modes, morph_modes) = (self.modes.clone(), self.morph_modes.clone());
        Patch {
            name: self.name.clone(),
            settings: self.moved(kit),
            modes,
            morph_modes,
            trims: self.trims.clone(),
            score: self.score.clone(),
            ..Patch::default()
        }
    }

    /// Its knobs, moved as those of the kit are from their defaults.
    pub fn moved(&self, kit: &ParamValues) -> ParamValues {
        let mut moved = self.settings;
        for &id in ParamId::ALL {
            moved.set(id, moved_knob(id, self.settings.get(id), kit.get(id)));
        }
        moved
    }
}

/// Where a zone whose own value is `own` has a knob that stands at `value` for the kit. The level acts on the sum of all zones.
pub fn moved_knob(id: ParamId, own: f64, value: f64) -> f64 {
    let ParamSpec { scale, default, in_patch, .. } = *id.knob();
    match scale {
        _ if !in_patch => value,
        _ if matches!(id, ParamId::Level | ParamId::Body | ParamId::MorphTo | ParamId::Modes) || value == default => own,
        Scale::Integer | Scale::Choice(_) => value,
        Scale::Logarithmic => own * (value / default),
        Scale::Linear | Scale::Cubic => own + (value - default),
    }
}

/// Reads the sections; `start` gives the patch that a name means, `folder` has the files that are named. Errors: the first thing that is wrong, with line, key and remedy.
pub fn read(
    sections: Vec<TomlSection>,
    start: impl Fn(&str) -> Option<Patch>,
    folder: Option<&Path>,
) -> Result<Vec<Zone>, TextError> {
    if let Some(surplus) = sections.get(MOST_ZONES) {
        let problem = format!("{} zones are more than {MOST_ZONES}", sections.len());
        return Err(surplus.place().fault(problem, "leave some out, or give zones more keys"));
    }
    sections.into_iter().map(|section| read_zone(section, &start, folder)).collect()
}

fn read_zone(mut section: TomlSection, start: impl Fn(&str) -> Option<Patch>, folder: Option<&Path>) -> Result<Zone, TextError> {
    let mut patch = match section.string("preset")? {
        None => Patch::default(),
        Some(Located { value, place }) => {
            let unknown =
                || place.fault(format!("there is no built-in preset \"{value}\""), "give the name of one, or leave it out");
            start(&value).ok_or_else(unknown)?
        }
    };
    let keys = read_keys(&mut section)?;
    if let Some(name) = section.string("name")? {
        patch.name = name.value;
    }
    patch_toml::read_sound(&mut section, &mut patch, folder)?;
    let mut zone = Zone::new(&patch, keys);
    let whole = |from: u8, to: usize| move |x: f64| x.fract() == 0.0 && (f64::from(from)..=to as f64).contains(&x);
    let mut number = |key: &str, fits: &dyn Fn(f64) -> bool, remedy: String| -> Result<Option<f64>, TextError> {
        let Some(Located { value, place }) = section.number(key)? else { return Ok(None) };
        if fits(value) { Ok(Some(value)) } else { Err(place.fault(format!("{value} is out of range"), remedy)) }
    };
    if let Some(plays) = number("plays", &whole(0, KEYS - 1), "give a key from 0 to 127".into())? {
        zone.plays = plays as u8;
    }
    let (lowest, highest) = LEVELS;
    let levels = |x: f64| (lowest..=highest).contains(&x);
    zone.level = number("level", &levels, format!("give a number from {lowest} to {highest} dB"))?.unwrap_or(0.0);
    zone.pan = number("pan", &|x| (-1.0..=1.0).contains(&x), "give a number from -1 to 1".into())?.unwrap_or(0.0);
    let choke = number("choke", &whole(0, GROUPS), format!("give a whole number from 1 to {GROUPS}, or leave it out"))?;
    let bus = number("bus", &whole(1, OUTPUTS), format!("give a whole number from 1 to {OUTPUTS}"))?;
    (zone.choke, zone.bus) = (choke.unwrap_or(0.0) as u8, bus.unwrap_or(1.0) as u8);
    section.finish()?;
    Ok(zone)
}

/// The keys of a zone: a number, or the lowest and the highest.
fn read_keys(section: &mut TomlSection) -> Result<(u8, u8), TextError> {
    let Some(Located { value, place }) = section.numbers("keys")? else {
        return Err(section.missing("keys").fault("missing", "give the keys of the zone, as in keys = [36] or keys = [60, 72]"));
    };
    let fits = |key: &f64| key.fract() == 0.0 && (0.0..KEYS as f64).contains(key);
    match value[..] {
        [key] if fits(&key) => Ok((key as u8, key as u8)),
        [low, high] if fits(&low) && fits(&high) && low <= high => Ok((low as u8, high as u8)),
        _ => Err(place.fault("not a range of keys", "give one key, or the lowest and the highest, from 0 to 127")),
    }
}

/// The sections as text, with what else is kept of them. Reading them gives back the same.
pub fn write(zones: &[Zone], beyond: &UnknownKeys, text: &mut String) {
    for (i, zone) in zones.iter().enumerate() {
        let Zone { keys: (low, high), plays, level, pan, choke, bus, .. } = zone;
        let name = toml::Value::from(zone.name.as_str());
        let keys = if low == high { format!("[{low}]") } else { format!("[{low}, {high}]") };
        let _ = writeln!(text, "\n[[{SECTION}]]\nname = {name}\nkeys = {keys}\nplays = {plays}");
        let _ = writeln!(text, "level = {level:?}  # dB\npan = {pan:?}\nchoke = {choke}\nbus = {bus}");
        beyond.write(&format!("{SECTION}[{i}]"), |_| false, text);
        patch_toml::write_sound(SECTION, &zone.settings, ([&zone.modes, &zone.morph_modes], &zone.trims), &zone.score, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::patch_toml::{from_toml, to_toml};

    fn kit(zones: &str) -> Result<Patch, String> {
        from_toml(&format!("schema = 2\n{zones}")).map_err(|fault| fault.to_string())
    }

    #[test]
    fn text_holds_a_kit_exactly() {
        let text = r#"
            [[zone]]
            name = "Kick \"one\""
            keys = [36]
            level = -3.5
            pan = 0.25
            choke = 16
            bus = 8
            [zone.hammer]
            mass = 0.07
            [zone.body]
            kind = "modes"
            [[zone.modes]]
            ratio = 1.0
            [[zone.modes]]
            ratio = 1.5
            decay = 3.0
            [[zone]]
            keys = [40, 52]
            plays = 72
            preset = "Bossed Gong C3"
        "#;
        let patch = kit(text).expect("a kit");
        let [kick, gong] = &patch.zones[..] else { panic!("two zones") };
        assert_eq!((kick.name.as_str(), kick.keys, kick.plays, kick.modes.len()), ("Kick \"one\"", (36, 36), 60, 2));
        assert_eq!((gong.keys, gong.plays, gong.modes.len(), gong.bus), ((40, 52), 72, 10, 1));
        assert_eq!(from_toml(&to_toml(&patch)), Ok(patch));
    }

    #[test]
    fn complaints_about_zones_name_line_key_and_remedy() {
        let complaint = |zone: &str| kit(&format!("[[zone]]\n{zone}")).expect_err("must be refused");
        assert!(complaint("keys = [40, 36]").starts_with("line 3, zone[0].keys: not a range of keys; give one key"));
        assert!(complaint("pan = 0").starts_with("line 2, zone[0].keys: missing; give the keys"));
        assert!(complaint("keys = [1]\nbus = 9").starts_with("line 4, zone[0].bus: 9 is out of range; give a whole"));
        assert!(
            complaint("keys = [1]\npreset = \"Lute\"").contains("line 4, zone[0].preset: there is no built-in preset \"Lute\"")
        );
        assert!(complaint("keys = [1]\n[zone.hammer]\nmass = -1").starts_with("line 5, zone[0].hammer.mass: -1 is out of range"));
        assert!(complaint("keys = [1]\n[zone.tuning]\nscale = 1").contains("zone[0].tuning: unknown key"));
        assert!(kit(&"[[zone]]\nkeys = [1]\n".repeat(MOST_ZONES + 1)).expect_err("too many").contains("65 zones are more"));
    }

    #[test]
    fn knobs_of_the_kit_move_all_zones_as_far_as_they_are_moved() {
        let mut patch = Patch::default();
        patch.settings.set(ParamId::HammerMass, 0.1);
        patch.settings.set(ParamId::Tune, 3.0);
        patch.settings.set(ParamId::Quality, 2.0);
        let zone = Zone::new(&patch, (36, 36));
        let mut kit = ParamValues::default();
        assert_eq!(zone.moved(&kit), patch.settings, "as it is");
        kit.set(ParamId::HammerMass, 2.0 * ParamId::HammerMass.knob().default);
        kit.set(ParamId::Tune, -5.0);
        kit.set(ParamId::Quality, 0.0);
        kit.set(ParamId::Body, 0.0);
        let moved = zone.moved(&kit);
        assert!((moved.get(ParamId::HammerMass) / 0.2 - 1.0).abs() < 1e-12);
        assert_eq!((moved.get(ParamId::Tune), moved.get(ParamId::Quality)), (-2.0, 0.0));
        assert_eq!(moved.get(ParamId::Body), patch.settings.get(ParamId::Body));
    }
}
