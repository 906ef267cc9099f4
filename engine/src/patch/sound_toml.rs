//! The sections of a patch's text for one sound, and for the zones of a kit.
//!
//! A sound consists of parameters, lists of modes, partial edits and drive content. A patch has them once, a kit once for each
//! zone.
//!
//! Each parameter has one key, `[group] key`, derived from the table of parameters: the section of the group; the id without the
//! name of the group in front; `kind` if both are equal.
//!
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
//! pressure_chokes = true    # pressure on a key damps it
//! bus = 2                   # 1 is the main output
//! x = -0.5                  # m to the right of the player, and away from the player, for microphones and room;
//! y = 0.2                   # without both, x follows from the pan
//! [zone.hammer]             # what differs from the preset, as in a patch
//! mass = 0.02
//! ```

use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

use crate::block::OUTPUTS;
use crate::formats::{Located, TextError, TomlSection, UnknownKeys, figure, or_nearest};
use crate::params::{ParamId, ParamSpec, Scale, value_text};
use crate::patch::drive_content::DriveContent;
use crate::patch::kit::{FloorPosition, GROUPS, MAX_ZONES, Zone};
use crate::patch::patch::Patch;
use crate::patch::zone_layer::ZoneLayer;
use crate::patch::{mode_list, partial_edits, residual};
use crate::tuning::KEYS;

/// The section of the hammer drive, which also contains the drive content.
pub(crate) const DRIVE: &str = "drive";

/// Key by which pressure damps a zone.
const PRESSURE_CHOKES: &str = "pressure_chokes";

/// The section of the modulation matrix.
pub(crate) const MATRIX: &str = "modulation";

/// Name of the sections of zones.
pub const ZONE_SECTION: &str = "zone";
/// Range of the level of a zone [dB].
const LEVELS: (f64, f64) = (-60.0, 24.0);
/// Largest coordinate of a zone's position [m].
const FARTHEST: f64 = 5.0;

/// Reads parameters, lists and drive content into `patch`; what is absent stays as it is. `folder` contains the files that the text
/// names. Errors: the first error, with line, key and fix.
pub(crate) fn read_sound(root: &mut TomlSection, patch: &mut Patch, folder: Option<&Path>) -> Result<(), TextError> {
    for ParamSection { name, params } in param_sections() {
        let Some(mut section) = root.section(name)? else { continue };
        for (id, key) in params {
            let read = section.attempt(key, |section| read_param(section, id.spec(), key))?;
            patch.settings.set(*id, read.flatten().unwrap_or(patch.settings.get(*id)));
        }
        if name == DRIVE
            && let Some(content) = section.attempt("sample", |section| DriveContent::read(section, folder))?
        {
            patch.drive_content = content;
        }
        section.finish()?;
    }
    for (key, modes) in [("modes", &mut patch.modes), ("morph_modes", &mut patch.morph_modes)] {
        let read = root.attempt(key, |root| mode_list::read(root, key))?.unwrap_or_default();
        if !read.is_empty() {
            *modes = read;
        }
    }
    let bands = root.attempt(residual::SECTION, residual::read)?.unwrap_or_default();
    if !bands.is_empty() {
        patch.residual = bands;
    }
    let edits = root
        .attempt(partial_edits::SECTION, |root| partial_edits::read(root.sections(partial_edits::SECTION)?))?
        .unwrap_or_default();
    if !edits.is_empty() {
        patch.partial_edits = edits;
    }
    Ok(())
}

/// Appends the sound of a zone as sections within `section`; parameters at their defaults are left out.
pub(crate) fn write_sound(section: &str, zone: &Zone, text: &mut String) {
    for ParamSection { name, params } in param_sections() {
        let changed = |(id, _): &&(ParamId, String)| zone.settings.get(*id) != id.spec().default;
        let has_content = name == DRIVE && zone.drive_content != DriveContent::default();
        if has_content || params.iter().any(|param| changed(&param)) {
            let _ = writeln!(text, "[{section}.{name}]");
        }
        for (id, key) in params.iter().filter(changed) {
            let _ = writeln!(text, "{key} = {}", written(id.spec(), zone.settings.get(*id)));
        }
        if has_content {
            zone.drive_content.write(text);
        }
    }
    for (key, modes) in [("modes", &zone.modes), ("morph_modes", &zone.morph_modes)] {
        mode_list::write(&format!("{section}.{key}"), modes, &UnknownKeys::default(), text);
    }
    residual::write(&format!("{section}.{}", residual::SECTION), &zone.residual, &UnknownKeys::default(), text);
    partial_edits::write(&format!("{section}.{}", partial_edits::SECTION), &zone.partial_edits, &UnknownKeys::default(), text);
}

/// Section of a group of parameters in the text of a patch. Sections stay as they are when a group gets another displayed name.
fn section_of(group: &str) -> String {
    match group {
        "Layout" => "stage",
        "Controllers" => "touch",
        "Humanise" => "human",
        "Mount" => "tether",
        "Return" => "bounce",
        "Drive signal" => "signal",
        "Rattle contact" => "obstacle",
        "Hi-hat" => "hi_hat",
        other => return other.to_lowercase().replace(' ', "_"),
    }
    .to_owned()
}

/// Section and key of a parameter: `hammer_mass` of the group Hammer is `[hammer] mass`, `roll_speed` of Rolling `[rolling] speed`.
pub fn key_of(param: &ParamSpec) -> (String, String) {
    let group = section_of(param.group);
    let family = match group.as_str() {
        "signal" => "drive",
        "obstacle" => "rattle",
        "rolling" => "roll",
        "envelope_1" => "env_1",
        "envelope_2" => "env_2",
        "macros" => "",
        name => name.strip_suffix('s').unwrap_or(name),
    };
    let key = if [family, &group].contains(&param.id) {
        "kind"
    } else {
        param.id.strip_prefix(family).and_then(|rest| rest.strip_prefix('_')).unwrap_or(param.id)
    };
    (group.clone(), key.to_owned())
}

/// The value of a parameter in `text`: a number in its range, in any unit of [`value_text`], or the name of a choice. Errors: problem and
/// fix.
pub fn value_of(param: &ParamSpec, text: &str) -> Result<f64, (String, String)> {
    match value_text::parse(param, text) {
        Some(value) => in_range(param, value),
        None => {
            let near = or_nearest(text, param.labels().iter().copied()).to_lowercase();
            Err((format!("\"{text}\" is not an allowed value{near}"), format!("give {}", range_of(param))))
        }
    }
}

/// A section of the text with the parameters in it.
pub(crate) struct ParamSection {
    /// Its name.
    pub name: String,
    /// The parameters with their keys, in the order of the table.
    pub params: Vec<(ParamId, String)>,
}

/// Sections of the parameters that patches contain, in the order of the table. Kept, because every patch asks for them.
pub(crate) fn param_sections() -> &'static [ParamSection] {
    static SECTIONS: LazyLock<Vec<ParamSection>> = LazyLock::new(|| {
        let mut sections: Vec<ParamSection> = Vec::new();
        for &id in ParamId::ALL.iter().filter(|id| id.spec().in_patch) {
            let (name, key) = key_of(id.spec());
            match sections.iter_mut().find(|section| section.name == name) {
                Some(section) => section.params.push((id, key)),
                None => sections.push(ParamSection { name, params: vec![(id, key)] }),
            }
        }
        sections
    });
    &SECTIONS
}

fn read_param(section: &mut TomlSection, param: &ParamSpec, key: &str) -> Result<Option<f64>, TextError> {
    let read = if let Scale::Choice(_) = param.scale {
        section.string(key)?.map(|Located { value, place }| (value_of(param, &value), place))
    } else {
        let is_key = value_text::is_key(param);
        let examples = if is_key { value_text::KEY_EXAMPLES.into() } else { value_text::examples(param.unit) };
        let read = section.quantity(key, |text| value_text::parse(param, text), &examples)?;
        read.map(|Located { value, place }| (in_range(param, value), place))
    };
    read.map(|(value, place)| value.map_err(|(problem, remedy)| place.fault(problem, remedy))).transpose()
}

fn in_range(param: &ParamSpec, value: f64) -> Result<f64, (String, String)> {
    let whole = !matches!(param.scale, Scale::Integer | Scale::Choice(_)) || value.fract() == 0.0;
    if whole && (param.min..=param.max).contains(&value) {
        return Ok(value);
    }
    Err((format!("{} is out of range", figure(value)), format!("give {}", range_of(param))))
}

fn range_of(param: &ParamSpec) -> String {
    let ParamSpec { min, max, unit, .. } = param;
    match param.scale {
        Scale::Choice(names) => names.join(", ").to_lowercase().replace(", ", " or "),
        Scale::Integer if value_text::is_key(param) => format!("a whole number from {min} to {max}, or a note such as C4"),
        Scale::Integer => format!("a whole number from {min} to {max}"),
        _ if unit.is_empty() => format!("a number from {min} to {max}"),
        _ => format!("a number from {min} to {max} {unit}"),
    }
}

/// The value of a parameter as TOML.
pub(crate) fn written(param: &ParamSpec, value: f64) -> String {
    match param.scale {
        Scale::Choice(names) => toml::Value::from(names[value as usize].to_lowercase()).to_string(),
        Scale::Integer => format!("{value}"),
        _ => float(value),
    }
}

/// The shortest decimal that parses to the same number.
pub(crate) fn float(value: f64) -> String {
    format!("{value:?}")
}

/// Reads the sections of zones; `preset` returns the factory preset of a name, `folder` contains the files that the text names.
/// Errors: the first error, with line, key and fix.
pub fn read_zones(
    sections: Vec<TomlSection>,
    preset: impl Fn(&str) -> Result<Patch, String>,
    folder: Option<&Path>,
) -> Result<Vec<Zone>, TextError> {
    if let Some(surplus) = sections.get(MAX_ZONES) {
        let problem = format!("{} zones exceed the maximum of {MAX_ZONES}", sections.len());
        return Err(surplus.place().fault(problem, "leave some out, or give zones more keys"));
    }
    sections.into_iter().map(|section| read_zone(section, &preset, folder)).collect()
}

fn read_zone(
    mut section: TomlSection,
    preset: impl Fn(&str) -> Result<Patch, String>,
    folder: Option<&Path>,
) -> Result<Zone, TextError> {
    let mut patch = match section.string("preset")? {
        None => Patch::default(),
        Some(Located { value, place }) => {
            let unknown = |near| {
                place.fault(format!("there is no factory preset \"{value}\"{near}"), "give the name of one, or leave it out")
            };
            preset(&value).map_err(unknown)?
        }
    };
    let keys = read_keys(&mut section)?;
    if let Some(name) = section.string("name")? {
        patch.name = name.value;
    }
    read_sound(&mut section, &mut patch, folder)?;
    let mut zone = Zone::new(&patch, keys);
    let whole = |from: u8, to: usize| move |x: f64| x.fract() == 0.0 && (f64::from(from)..=to as f64).contains(&x);
    let mut number = |key: &str, fits: &dyn Fn(f64) -> bool, remedy: String| -> Result<Option<f64>, TextError> {
        let Some(Located { value, place }) = section.number(key)? else { return Ok(None) };
        if fits(value) { Ok(Some(value)) } else { Err(place.fault(format!("{} is out of range", figure(value)), remedy)) }
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
    let mut coordinate =
        |key: &str| number(key, &|x: f64| x.abs() <= FARTHEST, format!("give a number from -{FARTHEST} to {FARTHEST} m"));
    let (x, y) = (coordinate("x")?, coordinate("y")?);
    if x.is_some() || y.is_some() {
        zone.position = Some(FloorPosition { x: x.unwrap_or(0.0), y: y.unwrap_or(0.0) });
    }
    (zone.choke, zone.bus) = (choke.unwrap_or(0.0) as u8, bus.unwrap_or(1.0) as u8);
    zone.layer = ZoneLayer::read(&mut section)?;
    zone.pressure_chokes = section.flag(PRESSURE_CHOKES)?.is_some_and(|chokes| chokes.value);
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

/// Appends the sections of zones to `text`, with their unknown keys. Reading them returns the same zones.
pub fn write_zones(zones: &[Zone], unknown: &UnknownKeys, text: &mut String) {
    for (i, zone) in zones.iter().enumerate() {
        let Zone { keys: (low, high), plays, level, pan, choke, bus, .. } = zone;
        let name = toml::Value::from(zone.name.as_str());
        let keys = if low == high { format!("[{low}]") } else { format!("[{low}, {high}]") };
        let _ = writeln!(text, "\n[[{ZONE_SECTION}]]\nname = {name}\nkeys = {keys}\nplays = {plays}");
        let _ = writeln!(text, "level = {level:?}  # dB\npan = {pan:?}\nchoke = {choke}\nbus = {bus}");
        zone.layer.write(text);
        if zone.pressure_chokes {
            let _ = writeln!(text, "{PRESSURE_CHOKES} = true");
        }
        if let Some(FloorPosition { x, y }) = zone.position {
            let _ = writeln!(text, "x = {x:?}  # m\ny = {y:?}  # m");
        }
        unknown.write(&format!("{ZONE_SECTION}[{i}]"), |_| false, text);
        write_sound(ZONE_SECTION, zone, text);
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
            velocities = [20, 90]
            fade = 5
            alternate = 2
            alternate_by = "random"
            pressure_chokes = true
            bus = 8
            x = -0.5
            y = 0.25
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
        assert_eq!((kick.position, gong.position), (Some(FloorPosition { x: -0.5, y: 0.25 }), None));
        assert_eq!((kick.layer.velocities, kick.layer.group, kick.pressure_chokes), ([20, 90], 2, true));
        assert_eq!((gong.layer, gong.pressure_chokes), (ZoneLayer::default(), false));
        assert_eq!((gong.keys, gong.plays, gong.modes.len(), gong.bus), ((40, 52), 72, 7, 1));
        assert_eq!(from_toml(&to_toml(&patch)), Ok(patch));
    }

    #[test]
    fn errors_of_zones_name_line_key_and_fix() {
        let error_of = |zone: &str| kit(&format!("[[zone]]\n{zone}")).expect_err("must be refused");
        assert!(error_of("keys = [40, 36]").starts_with("line 3, zone[0].keys: not a range of keys; give one key"));
        assert!(error_of("pan = 0").starts_with("line 2, zone[0].keys: missing; give the keys"));
        assert!(
            error_of("keys = [1]\nx = 11").starts_with("line 4, zone[0].x: 11 is out of range; give a number from -5 to 5 m")
        );
        assert!(error_of("keys = [1]\nvelocities = [0, 9]").contains("zone[0].velocities: not a range of velocities"));
        assert!(error_of("keys = [1]\nalternate = 17").contains("zone[0].alternate: 17 is out of range; give a whole"));
        assert!(error_of("keys = [1]\nalternate_by = \"x\"").contains("no order \"x\"; give \"turn\" or \"random\""));
        assert!(error_of("keys = [1]\npressure_chokes = 1").contains("zone[0].pressure_chokes"));
        assert!(error_of("keys = [1]\nbus = 9").starts_with("line 4, zone[0].bus: 9 is out of range; give a whole"));
        assert!(
            error_of("keys = [1]\npreset = \"Lute\"").contains("line 4, zone[0].preset: there is no factory preset \"Lute\"")
        );
        assert!(error_of("keys = [1]\n[zone.hammer]\nmass = -1").starts_with("line 5, zone[0].hammer.mass: -1 is out of range"));
        assert!(error_of("keys = [1]\n[zone.tuning]\nscale = 1").contains("zone[0].tuning: unknown key"));
        assert!(kit(&"[[zone]]\nkeys = [1]\n".repeat(MAX_ZONES + 1)).expect_err("too many").contains("65 zones exceed"));
    }
}
