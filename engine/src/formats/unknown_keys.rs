//! What a patch of a newer schema says that is not understood here: kept, and written back with the patch.

use std::fmt::Write;

use toml::Value;
use toml::de::DeValue;

/// One value that is not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownKey {
    /// Dotted path of its section; empty for the whole text.
    pub section: String,
    /// Its key there.
    pub key: String,
    /// What it says.
    pub value: Value,
}

/// All of a text that is not understood. Empty in a patch of the present schema.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct UnknownKeys {
    /// The text's schema.
    pub schema: u32,
    /// What it says, in the order in which it was found.
    pub kept: Vec<UnknownKey>,
}

impl UnknownKeys {
    /// What is kept under `key` of `section`.
    pub fn get(&self, section: &str, key: &str) -> Option<&Value> {
        self.within(section).find(|kept| kept.key == key).map(|kept| &kept.value)
    }

    /// What of `section` is kept, but for the keys that `ours` names, as lines of text.
    pub fn write(&self, section: &str, ours: impl Fn(&str) -> bool, text: &mut String) {
        for UnknownKey { key, value, .. } in self.within(section).filter(|kept| !ours(&kept.key)) {
            let _ = writeln!(text, "{} = {value}", quoted(key));
        }
    }

    fn within(&self, section: &str) -> impl Iterator<Item = &UnknownKey> {
        self.kept.iter().filter(move |kept| kept.section == section)
    }
}

/// A key as TOML writes it.
fn quoted(key: &str) -> String {
    if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
        return key.to_owned();
    }
    let escaped = key.chars().map(|letter| match letter {
        '"' | '\\' => format!("\\{letter}"),
        letter if letter.is_control() => format!("\\U{:08X}", u32::from(letter)),
        letter => letter.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// A value of its own, without its place. `None` for a whole number beyond 64 bits, which no file can hold again.
pub fn owned(value: &DeValue) -> Option<Value> {
    Some(match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(whole) => Value::Integer(i64::from_str_radix(whole.as_str(), whole.radix()).ok()?),
        DeValue::Float(number) => Value::Float(number.as_str().parse().ok()?),
        DeValue::Boolean(flag) => Value::Boolean(*flag),
        DeValue::Datetime(moment) => Value::Datetime(*moment),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| owned(item.get_ref())).collect::<Option<_>>()?),
        DeValue::Table(entries) => {
            let pairs = entries.iter().map(|(key, value)| Some((key.get_ref().to_string(), owned(value.get_ref())?)));
            Value::Table(pairs.collect::<Option<_>>()?)
        }
    })
}
