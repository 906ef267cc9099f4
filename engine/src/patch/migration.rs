//! Migration of patches of older schemas, one schema at a time.
//!
//! Each step moves values of the parsed text to their keys in the next schema. Errors still name the key in the text.

use std::borrow::Cow;

use toml::de::DeValue;

use crate::formats::TomlSection;

/// The current schema.
pub const SCHEMA: u32 = 2;

/// The steps from each schema to the next; the first is from 1 to 2.
const STEPS: [fn(&mut TomlSection); SCHEMA as usize - 1] = [pitch];

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
