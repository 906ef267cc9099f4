//! Patches of older schemas, brought to the present one a step at a time.
//!
//! A step moves values of the parsed text from where its schema has them to where the next one has them; complaints still name the
//! key as it was written.

use std::borrow::Cow;

use toml::de::DeValue;

use crate::formats::TomlSection;

/// The schema that is written.
pub const SCHEMA: u32 = 2;

/// What leads from each schema to the next, the first from schema 1 to 2.
const STEPS: [fn(&mut TomlSection); SCHEMA as usize - 1] = [pitch];

/// Brings the text of an older `schema`, counted from 1, to the present one.
pub fn migrate(root: &mut TomlSection, schema: u32) {
    STEPS.iter().skip(schema.saturating_sub(1) as usize).for_each(|step| step(root));
}

/// What of `[tuning]` a host may automate is a knob since schema 2.
fn pitch(root: &mut TomlSection) {
    for key in ["stretch", "sounding", "mts_esp"] {
        root.shift(("tuning", key), ("pitch", key));
    }
    root.change(("pitch", "mts_esp"), |value| match value {
        DeValue::Boolean(follows) => Some((DeValue::String(Cow::Borrowed(if *follows { "on" } else { "off" })), None)),
        _ => None,
    });
    // schema 1 went to 200 cents either way
    root.change(("pitch", "stretch"), |value| {
        let cents: f64 = match value {
            DeValue::Float(number) => number.as_str().parse().ok()?,
            DeValue::Integer(whole) => whole.as_str().parse().ok()?,
            _ => return None,
        };
        let most = if cents < 0.0 { "-100.0" } else { "100.0" };
        let wide = cents.abs() > 100.0 && cents.abs() <= 200.0;
        let note = (format!("{cents} cents are out of range"), format!("{most} cents are played"));
        wide.then(|| Some((DeValue::parse(most).ok()?.into_inner(), Some(note))))?
    });
}
