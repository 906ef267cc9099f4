//! Unknown keys of a patch of a newer schema: kept, and written back with the patch.

use std::fmt::Write;

use toml::Value;
use toml::de::DeValue;

/// One unknown key.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownKey {
    /// Dotted path of its section; empty for the whole text.
    pub section: String,
    /// The key.
    pub key: String,
    /// Its value.
    pub value: Value,
}

/// All unknown keys of a text. Empty for the current schema.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct UnknownKeys {
    /// Schema of the text.
    pub schema: u32,
    /// The keys, in the order of the text.
    pub kept: Vec<UnknownKey>,
}

impl UnknownKeys {
    /// The value of `key` in `section`.
    pub fn get(&self, section: &str, key: &str) -> Option<&Value> {
        self.within(section).find(|kept| kept.key == key).map(|kept| &kept.value)
    }

    /// Appends the keys of `section` to `text`, except those for which `ours` is true.
    pub fn write(&self, section: &str, ours: impl Fn(&str) -> bool, text: &mut String) {
        for UnknownKey { key, value, .. } in self.within(section).filter(|kept| !ours(&kept.key)) {
            let _ = writeln!(text, "{} = {value}", quoted(key));
        }
    }

    fn within(&self, section: &str) -> impl Iterator<Item = &UnknownKey> {
        self.kept.iter().filter(move |kept| kept.section == section)
    }
}

/// A key in TOML syntax.
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

/// An owned value without its location. `None` for integers beyond 64 bits, which cannot be written.
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
