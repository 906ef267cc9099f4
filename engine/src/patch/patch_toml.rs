//! A patch as text (TOML, schema 2, SI units), and the migration of older schemas.
//!
//! ```toml
//! schema = 2
//! sound = 1
//! name = "Two modes"
//! family = "bars"        # the family in the browser
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
//! Absent parameters have their defaults; of the modulation matrix only what is not at its default is written; for their keys see `sound_toml.rs`. Further sections: `[[modes]]` (`mode_list.rs`), and
//! `[[morph_modes]]` of the same form for a body that morphs into a list of modes (`morph_to = "modes"`); `[[trim]]`
//! (`partial_edits.rs`), `[tuning]` (`patch_tuning.rs`), `[[macro]]` (`macros.rs`), `[[choke]]` (`kit.rs`), `[[zone]]` (`sound_toml.rs`), and drive content
//! (`drive_content.rs`).
//!
//! Older schemas are migrated one schema at a time: each step moves values of the parsed text to their keys in the next schema.
//! Errors still name the key in the text. Unknown keys of a newer schema are reported and kept until the patch is written again; an
//! unknown choice becomes the default.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

use toml::de::DeValue;

use crate::formats::{Located, PROGRAM, TextError, TomlSection, UnknownKeys, figure, or_nearest};
use crate::patch::patch::{Patch, PitchReference, SoundVersion};
use crate::patch::sound_toml::{DRIVE, MATRIX, ParamSection, float, param_sections, read_sound, written};
use crate::patch::{factory_texts, kit, macros, mode_list, partial_edits, residual, sound_toml};
use crate::tuning::patch_tuning;

/// The current schema.
pub const SCHEMA: u32 = 2;

/// Maximum number of tags.
const MAX_TAGS: usize = 100;

/// The steps from each schema to the next; the first is from 1 to 2.
const STEPS: [fn(&mut TomlSection); SCHEMA as usize - 1] = [pitch];

/// The factory preset with the given name. Errors: the name that was meant, as a question; empty for none.
fn factory_preset(name: &str) -> Result<Patch, String> {
    let near = || or_nearest(name, factory_texts::names());
    factory_texts::text_named(name).and_then(|text| from_toml(text).ok()).ok_or_else(near)
}

/// The patch in `text`. Errors: the first error, with line, key and fix.
pub fn from_toml(text: &str) -> Result<Patch, TextError> {
    read(text).map(|(patch, _)| patch)
}

/// As [`from_toml`], with warnings: unknown keys of a newer schema, and values that a migration had to change.
pub fn read(text: &str) -> Result<(Patch, Vec<TextError>), TextError> {
    read_in(None, text)
}

/// As [`read`]; files that the text names are looked for in `folder`.
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
        tags: read_tags(&mut root)?,
        description: root.string("description")?.map(|description| description.value).unwrap_or_default(),
        family: root.string("family")?.map(|family| family.value).unwrap_or_default(),
        pitch: root.attempt("pitched", read_pitch)?.flatten(),
        ..Patch::default()
    };
    let newer_sound = read_sound_version(&mut root, &mut patch)?;
    read_sound(&mut root, &mut patch, folder)?;
    let zones = root.attempt(sound_toml::ZONE_SECTION, |root| {
        sound_toml::read_zones(root.sections(sound_toml::ZONE_SECTION)?, factory_preset, folder)
    })?;
    patch.zones = zones.unwrap_or_default();
    let read_tuning = |root: &mut TomlSection| root.section(patch_tuning::SECTION)?.map(patch_tuning::read).transpose();
    patch.tuning = root.attempt(patch_tuning::SECTION, read_tuning)?.flatten().unwrap_or_default();
    patch.choke_groups =
        root.attempt(kit::CHOKE_SECTION, |root| kit::read_choke_groups(root.sections(kit::CHOKE_SECTION)?))?.unwrap_or_default();
    patch.macros = root.attempt(macros::SECTION, |root| macros::read(root.sections(macros::SECTION)?))?.unwrap_or_default();
    root.finish()?;
    let (mut notes, kept) = root.take_warnings();
    notes.extend(newer_sound);
    patch.unknown_keys = Some(UnknownKeys { schema, kept }).filter(|beyond| !beyond.kept.is_empty()).unwrap_or_default();
    Ok((patch, notes))
}

fn read_tags(root: &mut TomlSection) -> Result<Vec<String>, TextError> {
    match root.strings("tags")? {
        Some(Located { value, place }) if value.len() > MAX_TAGS => {
            Err(place.fault(format!("{} tags exceed the maximum of {MAX_TAGS}", value.len()), format!("give at most {MAX_TAGS}")))
        }
        tags => Ok(tags.map(|tags| tags.value).unwrap_or_default()),
    }
}

/// The text of a patch: every parameter, with its unit. Reading it returns the same patch to the last bit.
pub fn to_toml(patch: &Patch) -> String {
    let unknown = &patch.unknown_keys;
    let mut text = String::new();
    write_head(patch, &mut text);
    for section in param_sections() {
        write_section(section, patch, &mut text);
    }
    if unknown.get("", patch_tuning::SECTION).is_none() {
        patch_tuning::write(&patch.tuning, &mut text);
        unknown.write(patch_tuning::SECTION, |_| false, &mut text);
    }
    if unknown.get("", macros::SECTION).is_none() {
        macros::write(&patch.macros, unknown, &mut text);
    }
    if unknown.get("", kit::CHOKE_SECTION).is_none() {
        kit::write_choke_groups(&patch.choke_groups, unknown, &mut text);
    }
    for (key, modes) in [("modes", &patch.modes), ("morph_modes", &patch.morph_modes)] {
        if unknown.get("", key).is_none() {
            mode_list::write(key, modes, unknown, &mut text);
        }
    }
    if unknown.get("", residual::SECTION).is_none() {
        residual::write(residual::SECTION, &patch.residual, unknown, &mut text);
    }
    if unknown.get("", partial_edits::SECTION).is_none() {
        partial_edits::write(partial_edits::SECTION, &patch.partial_edits, unknown, &mut text);
    }
    if unknown.get("", sound_toml::ZONE_SECTION).is_none() {
        sound_toml::write_zones(&patch.zones, unknown, &mut text);
    }
    text
}

/// The keys above the first section.
fn write_head(patch: &Patch, text: &mut String) {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let tags: Vec<_> = patch.tags.iter().map(|tag| quoted(tag)).collect();
    let _ = writeln!(text, "schema = {}", SCHEMA.max(patch.unknown_keys.schema));
    let _ = writeln!(text, "sound = {}", patch.sound.0);
    let _ = writeln!(text, "name = {}\nauthor = {}", quoted(&patch.name), quoted(&patch.author));
    let _ = writeln!(text, "tags = [{}]\ndescription = {}", tags.join(", "), quoted(&patch.description));
    let _ = writeln!(text, "family = {}", quoted(&patch.family));
    text.push_str(&match patch.pitch {
        Some(PitchReference::By(reference)) => format!("pitched = true\nreference = {}\n", float(reference)),
        Some(PitchReference::No) => "pitched = false\n".to_owned(),
        None => String::new(),
    });
    patch.unknown_keys.write("", |_| false, text);
    let _ = writeln!(text, "# written by {PROGRAM}");
}

/// One section of parameters. An unknown value is written back unless its parameter has been changed.
fn write_section(ParamSection { name: group, params }: &ParamSection, patch: &Patch, text: &mut String) {
    let _ = writeln!(text, "\n[{group}]");
    for (id, key) in params {
        let (param, value) = (id.spec(), patch.settings.get(*id));
        // of the matrix, the rows in use
        if group == MATRIX && value == param.default && patch.unknown_keys.get(group, key).is_none() {
            continue;
        }
        let unit = if param.unit.is_empty() { String::new() } else { format!("  # {}", param.unit) };
        let kept = patch.unknown_keys.get(group, key).filter(|_| value == param.default);
        let written = kept.map_or_else(|| written(param, value), |kept| kept.to_string());
        let _ = writeln!(text, "{key} = {written}{unit}");
    }
    if group == DRIVE {
        patch.drive_content.write(text);
    }
    patch.unknown_keys.write(group, |key| params.iter().any(|(_, own)| own == key), text);
}

/// The schema of the text. Errors: a missing or impossible one.
fn schema(root: &mut TomlSection) -> Result<u32, TextError> {
    let remedy = format!("write schema = {SCHEMA} or the one that the text was written in");
    let unquoted = |fault| TextError { remedy: format!("write schema = {SCHEMA}, without quotation marks"), ..fault };
    match root.number("schema").map_err(unquoted)? {
        Some(Located { value, place }) => {
            let known = value.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&value);
            if known { Ok(value as u32) } else { Err(place.fault(format!("schema {} is unknown", figure(value)), remedy)) }
        }
        None => Err(root.missing("schema").fault("missing", format!("write schema = {SCHEMA} in the first line"))),
    }
}

/// Reads the version of the sound; a warning if it is newer than the one that is played. Errors: a value that is no version.
fn read_sound_version(root: &mut TomlSection, patch: &mut Patch) -> Result<Option<TextError>, TextError> {
    let SoundVersion(current) = SoundVersion::CURRENT;
    let Some(Located { value, place }) = root.number("sound")? else { return Ok(None) };
    if value.fract() != 0.0 || !(1.0..=f64::from(u32::MAX)).contains(&value) {
        return Err(place.fault(format!("{} is no version of the sound", figure(value)), format!("write sound = {current}")));
    }
    patch.sound = SoundVersion(value as u32);
    let newer = patch.sound.0 > current;
    let remedy = "install a newer Urto to hear its dense bodies as they were made";
    Ok(newer.then(|| place.fault(format!("sound version {} is played as version {current}", patch.sound.0), remedy)))
}

/// Whether the patch has a pitch, and by which partial; `None` if the text does not state it.
fn read_pitch(root: &mut TomlSection) -> Result<Option<PitchReference>, TextError> {
    let pitched = root.flag("pitched")?.map(|pitched| pitched.value);
    let reference = root.number("reference")?;
    if let Some(Located { value, place }) = reference.as_ref().filter(|reference| reference.value <= 0.0) {
        return Err(place.fault(format!("the reference {} is not above zero", figure(*value)), "give a ratio above zero"));
    }
    match (pitched, reference) {
        (None, None) => Ok(None),
        (Some(true), reference) => Ok(Some(PitchReference::By(reference.map_or(1.0, |reference| reference.value)))),
        (_, None) => Ok(Some(PitchReference::No)),
        (_, Some(reference)) => {
            let remedy = "write pitched = true, or leave it out";
            Err(reference.place.fault("a patch without pitch has no reference", remedy))
        }
    }
}

/// Migrates the text of an older `schema`, from 1, to the current one.
pub fn migrate(root: &mut TomlSection, schema: u32) {
    STEPS.iter().skip(schema.saturating_sub(1) as usize).for_each(|step| step(root));
}

/// Since schema 2 the parts of `[tuning]` that hosts may automate are parameters.
fn pitch(root: &mut TomlSection) {
    for key in ["stretch", "sounding", "mts_esp"] {
        root.shift(("tuning", key), ("pitch", key));
    }
    root.change(("pitch", "mts_esp"), |value| match value {
        DeValue::Boolean(follows) => Some((DeValue::String(Cow::Borrowed(if *follows { "on" } else { "off" })), None)),
        _ => None,
    });
    // the range was -200 to 200 cents in schema 1
    root.change(("pitch", "stretch"), |value| {
        let cents: f64 = match value {
            DeValue::Float(number) => number.as_str().parse().ok()?,
            DeValue::Integer(whole) => whole.as_str().parse().ok()?,
            _ => return None,
        };
        let limit = if cents < 0.0 { "-100.0" } else { "100.0" };
        let wide = cents.abs() > 100.0 && cents.abs() <= 200.0;
        let note = (format!("{cents} cents are out of range"), format!("{limit} cents is used instead"));
        wide.then(|| Some((DeValue::parse(limit).ok()?.into_inner(), Some(note))))?
    });
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::params::{ParamId, ParamValues};
    use crate::patch::mode_list::{ListedMode, MAX_MODES, ModeShape};
    use crate::patch::partial_edits::{DECAYS, LEVELS, PartialEdit, RATIOS};
    use crate::patch::sound_toml::key_of;

    #[test]
    fn every_parameter_has_its_own_key() {
        let keys: Vec<_> = ParamId::ALL.iter().map(|id| key_of(id.spec())).collect();
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(key), "{key:?} is there twice");
        }
        assert!(keys.contains(&("hammer".into(), "mass".into())) && keys.contains(&("pickups".into(), "left".into())));
    }

    fn error_of(text: &str) -> String {
        from_toml(text).expect_err("must be refused").to_string()
    }

    #[test]
    fn values_may_have_units_and_keys_names() {
        let patch =
            from_toml("schema = 2\n[hammer]\nmass = \"24 g\"\n[stage]\nhome_key = \"A4\"\n[body]\ndecay = 0.5").expect("valid");
        let values = [ParamId::HammerMass, ParamId::HomeKey, ParamId::Decay].map(|id| patch.settings.get(id));
        assert_eq!(values, [0.024, 69.0, 0.5]);
        for (lines, expected) in [
            (
                "[hammer]\nmass = \"24 s\"",
                "line 3, hammer.mass: expected a number, found text; write it as 1.0, or with a unit (mg, g, kg or t), for example \"12 g\"",
            ),
            (
                "[stage]\nhome_key = \"H9\"",
                "line 3, stage.home_key: expected a number, found text; write it as 60, or as a note from \"C-1\" to \"G9\", for example \"C4\"",
            ),
            ("[hammer]\nmass = \"1e300 kg\"", "line 3, hammer.mass: 1e300 is out of range; give a number from 0.0001 to 200 kg"),
            ("reference = \"2\"", "line 2, reference: expected a number, found text; write it as 2, without quotation marks"),
        ] {
            assert_eq!(from_toml(&format!("schema = 2\n{lines}")).expect_err(lines).to_string(), expected);
        }
    }

    #[test]
    fn errors_name_line_key_and_fix() {
        let unknown = error_of("schema = 2\n[hammer]\nmasss = 0.1");
        assert!(unknown.starts_with("line 3, hammer.masss: unknown key; the keys here are striker, mass, bending"), "{unknown}");
        let negative = error_of("schema = 2\n[hammer]\nmass = -1");
        assert_eq!(negative, "line 3, hammer.mass: -1 is out of range; give a number from 0.0001 to 200 kg");
        let alpha = error_of("schema = 2\n\n[contact]\nalpha = 0.5\n");
        assert!(alpha.starts_with("line 4, contact.alpha: 0.5 is out of range"), "{alpha}");
        let kind = error_of("schema = 2\n[body]\nkind = \"brick\"");
        assert!(kind.contains("line 3, body.kind") && kind.contains("string or bar or modes"), "{kind}");
        let wrong = error_of("schema = 2\n[hammer]\nmass = \"heavy\"");
        assert!(wrong.contains("line 3, hammer.mass: expected a number, found text"), "{wrong}");
        let mode = error_of("schema = 2\n[[modes]]\nratio = 1.0\n[[modes]]\nratio = -2.0");
        assert!(mode.starts_with("line 5, modes[1].ratio: the ratio -2 is not above zero"), "{mode}");
        let pitched = error_of("schema = 2\npitched = \"yes\"");
        assert_eq!(pitched, "line 2, pitched: \"yes\" is not an allowed value; give true or false");
        let unpitched = error_of("schema = 2\npitched = false\nreference = 2");
        assert!(unpitched.starts_with("line 3, reference: a patch without pitch has no reference"), "{unpitched}");
        assert!(error_of("schema = 2\npitched = true\nreference = 0").starts_with("line 3, reference: the reference 0 is not"));
        assert!(error_of("schema = 0.5").contains("schema 0.5 is unknown; write schema = 2"));
        assert!(error_of("").contains("schema: missing; write schema = 2"));
        assert_eq!(
            error_of("schema = \"2\""),
            "line 1, schema: expected a number, found text; write schema = 2, without quotation marks"
        );
        assert!(error_of("schema = 1e300").contains("schema 1e300 is unknown; write schema = 2"));
        assert!(error_of("schema = 2\nname = ").starts_with("line 2: not valid TOML"));
        assert!(error_of("schema = 2\n[contact]\nmu = nan").contains("line 3, contact.mu: not a finite number"));
        let many = format!("schema = 2\n{}", "[[modes]]\nratio = 1.0\n".repeat(MAX_MODES + 1));
        assert!(error_of(&many).contains("257 modes exceed the maximum of 256"));
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
        let (ratio, decay) = (1e-9..1e9_f64, f64::MIN_POSITIVE..1e9);
        (ratio, prop::option::of(decay), positive(), shape).prop_map(|(ratio, decay, mass, shape)| ListedMode {
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

    /// A text without a version is of the first; a newer one is played with a warning, and stays in the text.
    #[test]
    fn the_version_of_the_sound_is_kept() {
        assert_eq!(from_toml("schema = 2").expect("valid").sound, SoundVersion(1));
        let (patch, warnings) = read("schema = 2\nsound = 7").expect("valid");
        assert_eq!((patch.sound, warnings.len()), (SoundVersion(7), 1));
        assert!(warnings[0].to_string().starts_with("line 2, sound: sound version 7 is played as version 1"), "{}", warnings[0]);
        assert_eq!(from_toml(&to_toml(&patch)), Ok(patch));
        for wrong in ["0", "1.5", "-1"] {
            let fault = from_toml(&format!("schema = 2\nsound = {wrong}")).expect_err(wrong).to_string();
            assert!(fault.contains("is no version of the sound; write sound = 1"), "{fault}");
        }
    }

    proptest! {
        #[test]
        fn text_preserves_a_patch_exactly(
            travels in prop::collection::vec(0.0..=1.0_f64, ParamId::ALL.len()),
            (name, author, description, family) in any::<(String, String, String, String)>(),
            pitch in pitch(),
            tags in prop::collection::vec(any::<String>(), 0..4),
            modes in prop::collection::vec(mode(), 0..8),
            morph_modes in prop::collection::vec(mode(), 0..8),
            trims in trims(),
        ) {
            let mut settings = ParamValues::default();
            for (&id, travel) in ParamId::ALL.iter().zip(travels).filter(|(id, _)| id.spec().in_patch) {
                let param = id.spec();
                settings.set(id, param.min + travel * (param.max - param.min));
            }
            let texts = Patch { name, author, tags, description, family, ..Patch::default() };
            let patch = Patch { pitch, settings, modes, morph_modes, partial_edits: trims, ..texts };
            let text = to_toml(&patch);
            prop_assert_eq!(from_toml(&text), Ok(patch), "{}", text);
        }
    }
}
