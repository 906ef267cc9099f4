//! The sections of one sound: parameters, lists of modes, partial edits and drive content. A patch has them once, a kit once for each zone.
//!
//! Each parameter has one key, `[group] key`, derived from the table of parameters: the section of the group; the id without the name of
//! the group in front; `kind` if both are equal.

use std::fmt::Write;
use std::path::Path;

use crate::formats::{Located, TextError, TomlSection, UnknownKeys};
use crate::params::{ParamId, ParamSpec, Scale};
use crate::patch::drive_content::DriveContent;
use crate::patch::kit::Zone;
use crate::patch::patch::Patch;
use crate::patch::{mode_list, partial_edits};

/// The section of the hammer drive, which also contains the drive content.
pub(crate) const DRIVE: &str = "drive";

/// Reads parameters, lists and drive content into `patch`; what is absent stays as it is. `folder` contains the files that the text
/// names. Errors: the first error, with line, key and fix.
pub(crate) fn read_sound(root: &mut TomlSection, patch: &mut Patch, folder: Option<&Path>) -> Result<(), TextError> {
    for group in groups() {
        let Some(mut section) = root.section(&group)? else { continue };
        for id in members(&group) {
            let read = section.attempt(&key_of(id.spec()).1, |section| read_param(section, id.spec()))?;
            patch.settings.set(id, read.flatten().unwrap_or(patch.settings.get(id)));
        }
        if group == DRIVE
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
    for group in groups() {
        let changed = |id: &ParamId| zone.settings.get(*id) != id.spec().default;
        let has_content = group == DRIVE && zone.drive_content != DriveContent::default();
        if has_content || members(&group).any(|id| changed(&id)) {
            let _ = writeln!(text, "[{section}.{group}]");
        }
        for id in members(&group).filter(changed) {
            let _ = writeln!(text, "{} = {}", key_of(id.spec()).1, written(id.spec(), zone.settings.get(id)));
        }
        if has_content {
            zone.drive_content.write(text);
        }
    }
    for (key, modes) in [("modes", &zone.modes), ("morph_modes", &zone.morph_modes)] {
        mode_list::write(&format!("{section}.{key}"), modes, &UnknownKeys::default(), text);
    }
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
        other => return other.to_lowercase(),
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
        name => name.strip_suffix('s').unwrap_or(name),
    };
    let key = if [family, &group].contains(&param.id) {
        "kind"
    } else {
        param.id.strip_prefix(family).and_then(|rest| rest.strip_prefix('_')).unwrap_or(param.id)
    };
    (group.clone(), key.to_owned())
}

/// The value of a parameter in `text`: a number in its unit and range, or the name of a choice. Errors: problem and fix.
pub fn value_of(param: &ParamSpec, text: &str) -> Result<f64, (String, String)> {
    if let Scale::Choice(names) = param.scale
        && let Some(index) = names.iter().position(|name| name.eq_ignore_ascii_case(text))
    {
        return Ok(index as f64);
    }
    match text.parse::<f64>() {
        Ok(value) => in_range(param, value),
        Err(_) => Err((format!("\"{text}\" is not a value"), format!("give {}", range_of(param)))),
    }
}

/// Sections of the parameters that patches contain, in the order of the table.
pub(crate) fn groups() -> Vec<String> {
    let mut groups: Vec<String> = Vec::new();
    for id in ParamId::ALL.iter().filter(|id| id.spec().in_patch) {
        let group = key_of(id.spec()).0;
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// The parameters of a section that patches contain.
pub(crate) fn members(group: &str) -> impl Iterator<Item = ParamId> {
    ParamId::ALL.iter().copied().filter(move |id| id.spec().in_patch && key_of(id.spec()).0 == group)
}

fn read_param(section: &mut TomlSection, param: &ParamSpec) -> Result<Option<f64>, TextError> {
    let (_, key) = key_of(param);
    let read = if let Scale::Choice(_) = param.scale {
        section.string(&key)?.map(|Located { value, place }| (value_of(param, &value), place))
    } else {
        section.number(&key)?.map(|Located { value, place }| (in_range(param, value), place))
    };
    read.map(|(value, place)| value.map_err(|(problem, remedy)| place.fault(problem, remedy))).transpose()
}

fn in_range(param: &ParamSpec, value: f64) -> Result<f64, (String, String)> {
    let whole = !matches!(param.scale, Scale::Integer | Scale::Choice(_)) || value.fract() == 0.0;
    if whole && (param.min..=param.max).contains(&value) {
        return Ok(value);
    }
    Err((format!("{value} is out of range"), format!("give {}", range_of(param))))
}

fn range_of(param: &ParamSpec) -> String {
    let ParamSpec { min, max, unit, .. } = param;
    match param.scale {
        Scale::Choice(names) => names.join(", ").to_lowercase().replace(", ", " or "),
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
