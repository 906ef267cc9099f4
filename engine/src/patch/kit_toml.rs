//! The sections `[[zone]]` of a kit:
//!
//! ```toml
//! [[zone]]
//! name = "Closed hat"
//! preset = "Closed Hi-Hat"  # the factory preset that the sound starts from
//! keys = [42, 44]           # lowest and highest, or one
//! plays = 60                # pitch of the lowest key; without it the home key of the sound
//! level = -3.0              # dB
//! pan = 0.3                 # -1 left, 1 right
//! choke = 1                 # zones of one group choke each other
//! bus = 2                   # 1 is the main output
//! [zone.hammer]             # what differs from the preset, as in a patch
//! mass = 0.02
//! ```

use std::fmt::Write;
use std::path::Path;

use crate::formats::{Located, TextError, TomlSection, UnknownKeys};
use crate::patch::kit::{GROUPS, MAX_ZONES, OUTPUTS, Zone};
use crate::patch::patch::Patch;
use crate::patch::sound_toml;
use crate::tuning::KEYS;

/// Name of the sections.
pub const SECTION: &str = "zone";
/// Range of the level of a zone [dB].
const LEVELS: (f64, f64) = (-60.0, 24.0);

/// Reads the sections; `preset` returns the factory preset of a name, `folder` contains the files that the text names. Errors: the first
/// error, with line, key and fix.
pub fn read(
    sections: Vec<TomlSection>,
    preset: impl Fn(&str) -> Option<Patch>,
    folder: Option<&Path>,
) -> Result<Vec<Zone>, TextError> {
    if let Some(surplus) = sections.get(MAX_ZONES) {
        let problem = format!("{} zones exceed the maximum of {MAX_ZONES}", sections.len());
        return Err(surplus.place().fault(problem, "leave some out, or give zones more keys"));
    }
    sections.into_iter().map(|section| read_zone(section, &preset, folder)).collect()
}

fn read_zone(mut section: TomlSection, preset: impl Fn(&str) -> Option<Patch>, folder: Option<&Path>) -> Result<Zone, TextError> {
    let mut patch = match section.string("preset")? {
        None => Patch::default(),
        Some(Located { value, place }) => {
            let unknown =
                || place.fault(format!("there is no factory preset \"{value}\""), "give the name of one, or leave it out");
            preset(&value).ok_or_else(unknown)?
        }
    };
    let keys = read_keys(&mut section)?;
    if let Some(name) = section.string("name")? {
        patch.name = name.value;
    }
    sound_toml::read_sound(&mut section, &mut patch, folder)?;
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

/// The keys of a zone: one, or the lowest and the highest.
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

/// Appends the sections to `text`, with their unknown keys. Reading them returns the same zones.
pub fn write(zones: &[Zone], unknown: &UnknownKeys, text: &mut String) {
    for (i, zone) in zones.iter().enumerate() {
        let Zone { keys: (low, high), plays, level, pan, choke, bus, .. } = zone;
        let name = toml::Value::from(zone.name.as_str());
        let keys = if low == high { format!("[{low}]") } else { format!("[{low}, {high}]") };
        let _ = writeln!(text, "\n[[{SECTION}]]\nname = {name}\nkeys = {keys}\nplays = {plays}");
        let _ = writeln!(text, "level = {level:?}  # dB\npan = {pan:?}\nchoke = {choke}\nbus = {bus}");
        unknown.write(&format!("{SECTION}[{i}]"), |_| false, text);
        sound_toml::write_sound(SECTION, zone, text);
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
    fn text_preserves_a_kit_exactly() {
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
    fn errors_of_zones_name_line_key_and_fix() {
        let error_of = |zone: &str| kit(&format!("[[zone]]\n{zone}")).expect_err("must be refused");
        assert!(error_of("keys = [40, 36]").starts_with("line 3, zone[0].keys: not a range of keys; give one key"));
        assert!(error_of("pan = 0").starts_with("line 2, zone[0].keys: missing; give the keys"));
        assert!(error_of("keys = [1]\nbus = 9").starts_with("line 4, zone[0].bus: 9 is out of range; give a whole"));
        assert!(
            error_of("keys = [1]\npreset = \"Lute\"").contains("line 4, zone[0].preset: there is no factory preset \"Lute\"")
        );
        assert!(error_of("keys = [1]\n[zone.hammer]\nmass = -1").starts_with("line 5, zone[0].hammer.mass: -1 is out of range"));
        assert!(error_of("keys = [1]\n[zone.tuning]\nscale = 1").contains("zone[0].tuning: unknown key"));
        assert!(kit(&"[[zone]]\nkeys = [1]\n".repeat(MAX_ZONES + 1)).expect_err("too many").contains("65 zones exceed"));
    }
}
