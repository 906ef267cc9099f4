//! A patch as text: TOML, schema 2, SI units.
//!
//! Every knob has one key, `[group] key`, derived from the table of knobs: the group in lower case; the id without the group's
//! name in front of it; `kind` where both are the same. What is absent stands at its default. What no knob can hold follows:
//!
//! ```toml
//! schema = 2
//! name = "Two modes"
//! family = "bars"        # what it is listed with
//! pitched = true         # the partial at the ratio `reference` (1 without it) has the pitch of the key
//! [contact]
//! stiffness = 500.0      # N at 0.1 mm
//! [body]
//! kind = "modes"
//! [[modes]]
//! ratio = 1.0            # frequency over that of the key
//! [[modes]]
//! ratio = 2.7
//! ```
//!
//! More about [`[[modes]]`](crate::patch::mode_list); `[[morph_modes]]` are of the same form, for a body that turns into a list of modes
//! (`morph_to = "modes"`); and the sections [`[[trim]]`](crate::patch::partial_edits), [`[tuning]`](crate::tuning::patch_tuning),
//! [`[[choke]]`](crate::patch::choke_groups) and [`[[zone]]`](crate::patch::kit), and what [drives](crate::patch::drive_content::Score). Older schemas are
//! migrated. Of a newer one, what is not understood is noted, and [kept](crate::formats::unknown_keys) until the patch is
//! written again; an unknown choice stands at the default.

use std::fmt::Write;
use std::path::Path;

pub use crate::formats::TextError;
use crate::formats::UnknownKeys;
use crate::formats::{Located, TomlSection};
use crate::params::{ParamId, ParamSpec, ParamValues, Scale};
use crate::patch::choke_groups;
use crate::patch::drive_content::DriveContent;
use crate::patch::kit;
pub use crate::patch::migration::SCHEMA;
use crate::patch::migration::migrate;
use crate::patch::mode_list;
use crate::patch::mode_list::ListedMode;
use crate::patch::partial_edits;
use crate::patch::partial_edits::PartialEdit;
use crate::patch::patch::{Patch, PitchReference};
use crate::tuning::patch_tuning;

pub use crate::patch::factory_presets::{BUILT_IN, KITS, LASTING, all, built_in, kits, lasting};

/// The section that says what drives.
const DRIVE: &str = "drive";

/// The built-in patch of that name.
fn built_in_named(name: &str) -> Option<Patch> {
    let line = format!("name = {}", toml::Value::from(name));
    let text = BUILT_IN.iter().chain(LASTING).find(|text| text.lines().any(|l| l == line))?;
    from_toml(text).ok()
}

/// The patch that `text` describes. Errors: the first thing that is wrong, with line, key and remedy.
pub fn from_toml(text: &str) -> Result<Patch, TextError> {
    read(text).map(|(patch, _)| patch)
}

/// As [`from_toml`], with what deserves a remark: what of a newer schema is not understood, what a migration could not carry over.
pub fn read(text: &str) -> Result<(Patch, Vec<TextError>), TextError> {
    read_in(None, text)
}

/// As [`read`], of a text beside which files that it names are in `folder`.
pub fn read_in(folder: Option<&Path>, text: &str) -> Result<(Patch, Vec<TextError>), TextError> {
    let mut root = TomlSection::parse(text)?;
    let schema = schema(&mut root)?;
    if schema > SCHEMA {
        root.is_newer();
    }
    migrate(&mut root, schema);
    let mut patch = Patch {
        name: root.string("name")?.map(|name| name.value).unwrap_or_default(),
        author: root.string("author")?.map(|author| author.value).unwrap_or_default(),
        tags: root.strings("tags")?.map(|tags| tags.value).unwrap_or_default(),
        description: root.string("description")?.map(|description| description.value).unwrap_or_default(),
        family: root.string("family")?.map(|family| family.value).unwrap_or_default(),
        pitch: root.attempt("pitched", read_pitch)?.flatten(),
        ..Patch::default()
    };
    read_sound(&mut root, &mut patch, folder)?;
    let zones = root.attempt(kit::SECTION, |root| kit::read(root.sections(kit::SECTION)?, built_in_named, folder))?;
    patch.zones = zones.unwrap_or_default();
    let read_tuning = |root: &mut TomlSection| root.section(patch_tuning::SECTION)?.map(patch_tuning::read).transpose();
    patch.intonation = root.attempt(patch_tuning::SECTION, read_tuning)?.flatten().unwrap_or_default();
    patch.chokes = root
        .attempt(choke_groups::SECTION, |root| choke_groups::read(root.sections(choke_groups::SECTION)?))?
        .unwrap_or_default();
    root.finish()?;
    let (notes, kept) = root.margin();
    patch.beyond = Some(UnknownKeys { schema, kept }).filter(|beyond| !beyond.kept.is_empty()).unwrap_or_default();
    Ok((patch, notes))
}

/// Reads knobs and modes over those that `patch` has, with files in `folder`. Errors: the first thing that is wrong, with line, key and remedy.
pub(crate) fn read_sound(root: &mut TomlSection, patch: &mut Patch, folder: Option<&Path>) -> Result<(), TextError> {
    for group in groups() {
        let Some(mut section) = root.section(&group)? else { continue };
        for id in members(&group) {
            let read = section.attempt(&key_of(id.knob()).1, |section| read_knob(section, id.knob()))?;
            patch.settings.set(id, read.flatten().unwrap_or(patch.settings.get(id)));
        }
        if group == DRIVE
            && let Some(score) = section.attempt("sample", |section| DriveContent::read(section, folder))?
        {
            patch.score = score;
        }
        section.finish()?;
    }
    for (key, modes) in [("modes", &mut patch.modes), ("morph_modes", &mut patch.morph_modes)] {
        let read = root.attempt(key, |root| mode_list::read(root, key))?.unwrap_or_default();
        if !read.is_empty() {
            *modes = read;
        }
    }
    let trims = root
        .attempt(partial_edits::SECTION, |root| partial_edits::read(root.sections(partial_edits::SECTION)?))?
        .unwrap_or_default();
    if !trims.is_empty() {
        patch.trims = trims;
    }
    Ok(())
}

/// The lists of modes, of the body and of what it may turn into, and the trims.
type Lists<'a> = ([&'a [ListedMode]; 2], &'a [PartialEdit]);

/// Knobs that are not at their defaults, modes, trims, and what drives, in sections within `section`.
pub(crate) fn write_sound(section: &str, settings: &ParamValues, lists: Lists, score: &DriveContent, text: &mut String) {
    let ([modes, morph_modes], trims) = lists;
    for group in groups() {
        let moved = |id: &ParamId| settings.get(*id) != id.knob().default;
        let plays = group == DRIVE && *score != DriveContent::default();
        if plays || members(&group).any(|id| moved(&id)) {
            let _ = writeln!(text, "[{section}.{group}]");
        }
        for id in members(&group).filter(moved) {
            let _ = writeln!(text, "{} = {}", key_of(id.knob()).1, written(id.knob(), settings.get(id)));
        }
        if plays {
            score.write(text);
        }
    }
    for (key, modes) in [("modes", modes), ("morph_modes", morph_modes)] {
        mode_list::write(&format!("{section}.{key}"), modes, &UnknownKeys::default(), text);
    }
    partial_edits::write(&format!("{section}.{}", partial_edits::SECTION), trims, &UnknownKeys::default(), text);
}

/// The text of a patch: every knob, with its unit. Reading it gives back the same patch to the last bit.
pub fn to_toml(patch: &Patch) -> String {
    let beyond = &patch.beyond;
    let mut text = format!("schema = {}\n", SCHEMA.max(beyond.schema));
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let tags: Vec<_> = patch.tags.iter().map(|tag| quoted(tag)).collect();
    let _ = writeln!(text, "name = {}\nauthor = {}", quoted(&patch.name), quoted(&patch.author));
    let _ = writeln!(text, "tags = [{}]\ndescription = {}", tags.join(", "), quoted(&patch.description));
    let _ = writeln!(text, "family = {}", quoted(&patch.family));
    text += &match patch.pitch {
        Some(PitchReference::By(reference)) => format!("pitched = true\nreference = {}\n", float(reference)),
        Some(PitchReference::No) => "pitched = false\n".to_owned(),
        None => String::new(),
    };
    beyond.write("", |_| false, &mut text);
    for group in groups() {
        let _ = writeln!(text, "\n[{group}]");
        for id in members(&group) {
            let knob = id.knob();
            let (_, key) = key_of(knob);
            let value = patch.settings.get(id);
            let unit = if knob.unit.is_empty() { String::new() } else { format!("  # {}", knob.unit) };
            let kept = beyond.get(&group, &key).filter(|_| value == knob.default);
            let written = kept.map_or_else(|| written(knob, value), |kept| kept.to_string());
            let _ = writeln!(text, "{key} = {written}{unit}");
        }
        if group == DRIVE {
            patch.score.write(&mut text);
        }
        beyond.write(&group, |key| members(&group).any(|id| key_of(id.knob()).1 == key), &mut text);
    }
    if beyond.get("", patch_tuning::SECTION).is_none() {
        patch_tuning::write(&patch.intonation, &mut text);
        beyond.write(patch_tuning::SECTION, |_| false, &mut text);
    }
    if beyond.get("", choke_groups::SECTION).is_none() {
        choke_groups::write(&patch.chokes, beyond, &mut text);
    }
    for (key, modes) in [("modes", &patch.modes), ("morph_modes", &patch.morph_modes)] {
        if beyond.get("", key).is_none() {
            mode_list::write(key, modes, beyond, &mut text);
        }
    }
    if beyond.get("", partial_edits::SECTION).is_none() {
        partial_edits::write(partial_edits::SECTION, &patch.trims, beyond, &mut text);
    }
    if beyond.get("", kit::SECTION).is_none() {
        kit::write(&patch.zones, beyond, &mut text);
    }
    text
}

/// Table and key of a knob: `hammer_mass` of the group Hammer is `[hammer] mass`, `roll_speed` of Rolling `[rolling] speed`.
pub fn key_of(knob: &ParamSpec) -> (String, String) {
    let group = knob.group.to_lowercase();
    let family = match group.as_str() {
        "signal" => "drive",
        "obstacle" => "rattle",
        "rolling" => "roll",
        name => name.strip_suffix('s').unwrap_or(name),
    };
    let key = if [family, &group].contains(&knob.id) {
        "kind"
    } else {
        knob.id.strip_prefix(family).and_then(|rest| rest.strip_prefix('_')).unwrap_or(knob.id)
    };
    (group.clone(), key.to_owned())
}

/// The value that `text` names for a knob: a number in the knob's unit and range, or a choice by name. Errors: problem, remedy.
pub fn value_of(knob: &ParamSpec, text: &str) -> Result<f64, (String, String)> {
    if let Scale::Choice(names) = knob.scale
        && let Some(index) = names.iter().position(|name| name.eq_ignore_ascii_case(text))
    {
        return Ok(index as f64);
    }
    match text.parse::<f64>() {
        Ok(value) => in_range(knob, value),
        Err(_) => Err((format!("\"{text}\" is not a value"), format!("give {}", range_of(knob)))),
    }
}

/// Groups that a patch holds, in the order of the knobs, as keys.
fn groups() -> Vec<String> {
    let mut groups: Vec<String> = Vec::new();
    for id in ParamId::ALL.iter().filter(|id| id.knob().in_patch) {
        let group = key_of(id.knob()).0;
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// The knobs of a group that a patch holds.
fn members(group: &str) -> impl Iterator<Item = ParamId> {
    ParamId::ALL.iter().copied().filter(move |id| id.knob().in_patch && key_of(id.knob()).0 == group)
}

/// The text's schema. Errors: none, or none that there can be.
fn schema(root: &mut TomlSection) -> Result<u32, TextError> {
    match root.number("schema")? {
        Some(Located { value, place }) => {
            let known = value.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&value);
            let remedy = format!("write schema = {SCHEMA} or the one that the text was written in");
            if known { Ok(value as u32) } else { Err(place.fault(format!("schema {value} is unknown"), remedy)) }
        }
        None => Err(root.missing("schema").fault("missing", format!("write schema = {SCHEMA} in the first line"))),
    }
}

/// Whether the text says that it has a pitch, and by which partial.
fn read_pitch(root: &mut TomlSection) -> Result<Option<PitchReference>, TextError> {
    let pitched = root.word("pitched")?;
    let reference = root.number("reference")?;
    if let Some(Located { value, place }) = reference.as_ref().filter(|reference| reference.value <= 0.0) {
        return Err(place.fault(format!("the reference {value} is not above zero"), "give a ratio above zero"));
    }
    match (pitched, reference) {
        (None, None) => Ok(None),
        (Some(Located { value, .. }), reference) if value == "true" => {
            Ok(Some(PitchReference::By(reference.map_or(1.0, |reference| reference.value))))
        }
        (Some(Located { value, place }), _) if value != "false" => {
            Err(place.fault(format!("\"{value}\" is not a value"), "give true or false"))
        }
        (_, None) => Ok(Some(PitchReference::No)),
        (_, Some(reference)) => {
            let remedy = "write pitched = true, or leave it out";
            Err(reference.place.fault("what has no pitch has no reference", remedy))
        }
    }
}

fn read_knob(section: &mut TomlSection, knob: &ParamSpec) -> Result<Option<f64>, TextError> {
    let (_, key) = key_of(knob);
    let read = if let Scale::Choice(_) = knob.scale {
        section.string(&key)?.map(|Located { value, place }| (value_of(knob, &value), place))
    } else {
        section.number(&key)?.map(|Located { value, place }| (in_range(knob, value), place))
    };
    read.map(|(value, place)| value.map_err(|(problem, remedy)| place.fault(problem, remedy))).transpose()
}

fn in_range(knob: &ParamSpec, value: f64) -> Result<f64, (String, String)> {
    let whole = !matches!(knob.scale, Scale::Integer | Scale::Choice(_)) || value.fract() == 0.0;
    if whole && (knob.min..=knob.max).contains(&value) {
        return Ok(value);
    }
    Err((format!("{value} is out of range"), format!("give {}", range_of(knob))))
}

fn range_of(knob: &ParamSpec) -> String {
    let ParamSpec { min: lowest, max: highest, unit, .. } = knob;
    match knob.scale {
        Scale::Choice(names) => names.join(", ").to_lowercase().replace(", ", " or "),
        Scale::Integer => format!("a whole number from {lowest} to {highest}"),
        _ if unit.is_empty() => format!("a number from {lowest} to {highest}"),
        _ => format!("a number from {lowest} to {highest} {unit}"),
    }
}

fn written(knob: &ParamSpec, value: f64) -> String {
    match knob.scale {
        Scale::Choice(names) => toml::Value::from(names[value as usize].to_lowercase()).to_string(),
        Scale::Integer => format!("{value}"),
        _ => float(value),
    }
}

/// Shortest decimal that reads back as the same number.
fn float(value: f64) -> String {
    format!("{value:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::mode_list::{ListedMode, MOST_MODES, ModeShape};
    use crate::patch::partial_edits::{DECAYS, LEVELS, RATIOS};
    use proptest::prelude::*;
    use urto_physics::contact::RigidImpact;

    #[test]
    fn every_built_in_preset_reads_and_is_named_once() {
        let names: Vec<_> = all().map(|patch| patch.name).collect();
        assert!(names.iter().enumerate().all(|(i, name)| !name.is_empty() && !names[..i].contains(name)), "{names:?}");
    }

    /// Also those that lose most, fingertips and felt at their fastest, come back with a quarter of their speed.
    #[test]
    fn built_in_hammers_bounce_back() {
        for patch in built_in() {
            let [damping, velocity] = [ParamId::Damping, ParamId::SpeedHigh].map(|knob| patch.settings.get(knob));
            let wall = RigidImpact { mass: 1.0, stiffness: 1.0, exponent: 1.0, damping, velocity };
            assert!(wall.restitution() > 0.25, "{}: {}", patch.name, wall.restitution());
        }
    }

    #[test]
    fn every_knob_has_its_own_key() {
        let keys: Vec<_> = ParamId::ALL.iter().map(|id| key_of(id.knob())).collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(key), "{key:?} stands twice");
        }
        assert!(keys.contains(&("hammer".into(), "mass".into())) && keys.contains(&("pickups".into(), "left".into())));
    }

    fn complaint(text: &str) -> String {
        from_toml(text).expect_err("must be refused").to_string()
    }

    #[test]
    fn complaints_name_line_key_and_remedy() {
        let unknown = complaint("schema = 2\n[hammer]\nmasss = 0.1");
        assert!(unknown.starts_with("line 3, hammer.masss: unknown key; the keys here are striker, mass, bending"), "{unknown}");
        let negative = complaint("schema = 2\n[hammer]\nmass = -1");
        assert_eq!(negative, "line 3, hammer.mass: -1 is out of range; give a number from 0.0001 to 200 kg");
        let alpha = complaint("schema = 2\n\n[contact]\nalpha = 0.5\n");
        assert!(alpha.starts_with("line 4, contact.alpha: 0.5 is out of range"), "{alpha}");
        let kind = complaint("schema = 2\n[body]\nkind = \"brick\"");
        assert!(kind.contains("line 3, body.kind") && kind.contains("string or bar or modes"), "{kind}");
        let wrong = complaint("schema = 2\n[hammer]\nmass = \"heavy\"");
        assert!(wrong.contains("line 3, hammer.mass: a number is wanted here, not a text"), "{wrong}");
        let mode = complaint("schema = 2\n[[modes]]\nratio = 1.0\n[[modes]]\nratio = -2.0");
        assert!(mode.starts_with("line 5, modes[1].ratio: the ratio -2 is not above zero"), "{mode}");
        let pitched = complaint("schema = 2\npitched = \"yes\"");
        assert_eq!(pitched, "line 2, pitched: \"yes\" is not a value; give true or false");
        let unpitched = complaint("schema = 2\npitched = false\nreference = 2");
        assert!(unpitched.starts_with("line 3, reference: what has no pitch has no reference"), "{unpitched}");
        assert!(complaint("schema = 2\npitched = true\nreference = 0").starts_with("line 3, reference: the reference 0 is not"));
        assert!(complaint("schema = 0.5").contains("schema 0.5 is unknown; write schema = 2"));
        assert!(complaint("").contains("schema: missing; write schema = 2"));
        assert!(complaint("schema = 2\nname = ").starts_with("line 2: not valid TOML"));
        assert!(complaint("schema = 2\n[contact]\nmu = nan").contains("line 3, contact.mu: not a finite number"));
        let many = format!("schema = 2\n{}", "[[modes]]\nratio = 1.0\n".repeat(MOST_MODES + 1));
        assert!(complaint(&many).contains("257 modes are more than 256"));
    }

    fn mode() -> impl Strategy<Value = ListedMode> {
        let positive = || prop::num::f64::POSITIVE;
        let shape = prop_oneof![
            Just(ModeShape::Cosine),
            prop::collection::vec(prop::num::f64::NORMAL, 2..6).prop_map(ModeShape::Drawn),
            (0.0..256.0, -2.0..2.0).prop_map(|(half_waves, phase)| ModeShape::Wave { half_waves, phase }),
            (0..65_u32, 1..65_u32, 0.0..1.0).prop_map(|(diameters, circles, split)| ModeShape::Family {
                diameters,
                circles,
                split
            }),
        ];
        (positive(), prop::option::of(positive()), positive(), shape).prop_map(|(ratio, decay, mass, shape)| ListedMode {
            ratio,
            decay,
            mass,
            shape,
        })
    }

    fn trims() -> impl Strategy<Value = Vec<PartialEdit>> {
        let trim = (RATIOS, LEVELS, DECAYS, any::<bool>());
        prop::collection::btree_map(0..256_usize, trim, 0..5).prop_map(|trims| {
            trims
                .into_iter()
                .map(|(mode, (ratio, level, decay, muted))| PartialEdit { mode, ratio, level, decay, muted })
                .collect()
        })
    }

    fn pitch() -> impl Strategy<Value = Option<PitchReference>> {
        prop_oneof![Just(None), Just(Some(PitchReference::No)), (0.01..100.0).prop_map(|ratio| Some(PitchReference::By(ratio)))]
    }

    proptest! {
        #[test]
        fn text_holds_a_patch_exactly(
            travels in prop::collection::vec(0.0..=1.0_f64, ParamId::ALL.len()),
            (name, author, description, family) in any::<(String, String, String, String)>(),
            pitch in pitch(),
            tags in prop::collection::vec(any::<String>(), 0..4),
            modes in prop::collection::vec(mode(), 0..8),
            morph_modes in prop::collection::vec(mode(), 0..8),
            trims in trims(),
        ) {
            let mut settings = ParamValues::default();
            for (&id, travel) in ParamId::ALL.iter().zip(travels).filter(|(id, _)| id.knob().in_patch) {
                let knob = id.knob();
                settings.set(id, knob.min + travel * (knob.max - knob.min));
            }
            let texts = Patch { name, author, tags, description, family, ..Patch::default() };
            let patch = Patch { pitch, settings, modes, morph_modes, trims, ..texts };
            let text = to_toml(&patch);
            prop_assert_eq!(from_toml(&text), Ok(patch), "{}", text);
        }
    }
}
