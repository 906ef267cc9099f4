//! TOML values with their line and key, so that errors can name the place, and the unknown keys of a newer schema.

use std::cell::RefCell;
use std::fmt;
use std::fmt::Write;
use std::rc::Rc;

use toml::de::{DeArray, DeTable, DeValue};
use toml::{Spanned, Value};

use crate::formats::lines::Lines;

/// An error in a text: place, problem and fix. Displays as one sentence without the file name.
#[derive(Clone, Debug, PartialEq)]
pub struct TextError {
    /// Line, from 1; `None` if the error has no single line.
    pub line: Option<usize>,
    /// Dotted path of the key, empty for the whole text.
    pub key: String,
    /// The problem.
    pub problem: String,
    /// The fix.
    pub remedy: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}{}", if self.key.is_empty() { ": " } else { ", " })?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}; {}", self.problem, self.remedy)
    }
}

impl std::error::Error for TextError {}

/// Location of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLocation {
    /// Line, from 1.
    pub line: Option<usize>,
    /// Dotted path of the key.
    pub key: String,
}

impl TextLocation {
    /// An error at this place.
    pub fn fault(&self, problem: impl Into<String>, remedy: impl Into<String>) -> TextError {
        TextError { line: self.line, key: self.key.clone(), problem: problem.into(), remedy: remedy.into() }
    }
}

/// A value and its location.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its location.
    pub place: TextLocation,
}

/// The results of parsing besides the values; shared by all sections of a text.
#[derive(Debug, Default)]
struct SideResults {
    /// The text has a newer schema: unknown keys are reported and kept.
    newer: bool,
    notes: Vec<TextError>,
    kept: Vec<UnknownKey>,
    /// Paths of values that a migration has moved: current and original.
    moved: Vec<(String, String)>,
}

/// Section and key of a value.
type Address<'k> = (&'k str, &'k str);

/// A value changed by a migration, and a warning about it: problem and fix.
type Change<'a> = Option<(DeValue<'a>, Option<(String, String)>)>;

/// A table from which values are taken by key. Keys that were never requested when it is [finished](TomlSection::finish) are errors, or
/// kept if the text is [newer](TomlSection::is_newer).
pub struct TomlSection<'a> {
    lines: Rc<Lines>,
    entries: DeTable<'a>,
    place: TextLocation,
    requested: Vec<String>,
    side: Rc<RefCell<SideResults>>,
}

impl<'a> TomlSection<'a> {
    /// Parses a whole text. Errors: invalid TOML, with its line.
    pub fn parse(text: &'a str) -> Result<Self, TextError> {
        let lines = Rc::new(Lines::of(text));
        let entries = DeTable::parse(text).map_err(|error| TextError {
            line: error.span().map(|span| lines.of_byte(span.start)),
            key: String::new(),
            problem: format!("not valid TOML: {}", error.message().replace('\n', " ")),
            remedy: "correct the line".into(),
        })?;
        let place = TextLocation { line: None, key: String::new() };
        Ok(Self { lines, entries: entries.into_inner(), place, requested: Vec::new(), side: Rc::default() })
    }

    /// Declares that the text has a newer schema: from now on unknown keys are reported and kept.
    pub fn is_newer(&self) {
        self.side.borrow_mut().newer = true;
    }

    /// Takes the warnings and unknown keys collected so far.
    pub fn take_warnings(&self) -> (Vec<TextError>, Vec<UnknownKey>) {
        let mut side = self.side.borrow_mut();
        (std::mem::take(&mut side.notes), std::mem::take(&mut side.kept))
    }

    /// Reads the value of `key`. In a newer text, a value with an error is reported and kept, and counts as absent. Errors: those of `read`
    /// in other texts.
    pub fn attempt<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Self) -> Result<T, TextError>,
    ) -> Result<Option<T>, TextError> {
        let raw = self.entries.get(key).filter(|_| self.side.borrow().newer).cloned();
        let before = (self.side.borrow().kept.len(), self.side.borrow().notes.len());
        match (read(self), raw) {
            (Err(fault), Some(raw)) => {
                self.side.borrow_mut().kept.truncate(before.0);
                self.side.borrow_mut().notes.truncate(before.1);
                self.keep(key, raw.get_ref(), fault).map(|()| None)
            }
            (read, _) => read.map(Some),
        }
    }

    fn keep(&self, key: &str, value: &DeValue, fault: TextError) -> Result<(), TextError> {
        let Some(value) = owned(value) else {
            return Err(TextError {
                problem: "a number of more than 64 bits".into(),
                remedy: "use a newer Urto".into(),
                ..fault
            });
        };
        let mut side = self.side.borrow_mut();
        side.kept.push(UnknownKey { section: self.place.key.clone(), key: key.to_owned(), value });
        side.notes.push(TextError { remedy: "kept unchanged".into(), ..fault });
        Ok(())
    }

    /// Moves a value to another section, which is created if needed, unless the key exists there.
    pub fn shift(&mut self, from: Address, to: Address) {
        let has = |entries: &DeTable, (section, key): Address| {
            entries.get(section).and_then(|section| section.get_ref().as_table()).is_some_and(|section| section.contains_key(key))
        };
        if !has(&self.entries, from) || has(&self.entries, to) {
            return;
        }
        if !self.entries.contains_key(to.0) {
            let new = Spanned::new(0..0, DeValue::Table(DeTable::new()));
            self.entries.insert(Spanned::new(0..0, to.0.to_owned().into()), new);
        }
        let Some(value) = self.table(from.0).and_then(|table| table.remove(from.1)) else { return };
        let Some(table) = self.table(to.0) else { return };
        table.insert(Spanned::new(value.span(), to.1.to_owned().into()), value);
        let path = |(section, key): Address| format!("{section}.{key}");
        self.side.borrow_mut().moved.push((path(to), path(from)));
    }

    /// Replaces a value by the result of `change`, and collects its warning.
    pub fn change(&mut self, (section, key): Address, change: impl FnOnce(&DeValue<'a>) -> Change<'a>) {
        let Some(value) = self.table(section).and_then(|table| table.get_mut(key)) else { return };
        let Some((changed, note)) = change(value.get_ref()) else { return };
        *value.get_mut() = changed;
        let start = value.span().start;
        if let Some((problem, remedy)) = note {
            let place = TextLocation { line: Some(self.lines.of_byte(start)), key: self.written(format!("{section}.{key}")) };
            self.side.borrow_mut().notes.push(place.fault(problem, remedy));
        }
    }

    fn table(&mut self, section: &str) -> Option<&mut DeTable<'a>> {
        match self.entries.get_mut(section)?.get_mut() {
            DeValue::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Location of the section.
    pub fn place(&self) -> &TextLocation {
        &self.place
    }

    /// The location of a missing key, for error messages.
    pub fn missing(&self, key: &str) -> TextLocation {
        TextLocation { line: self.place.line, key: self.path(key) }
    }

    /// The finite number under `key`; integers are accepted.
    pub fn number(&mut self, key: &str) -> Result<Option<Located<f64>>, TextError> {
        self.take(key).map(|(value, place)| Ok(Located { value: number(&value, &place)?, place })).transpose()
    }

    /// The finite number under `key`; or that of a text which `read` understands, such as "12 g". `examples` shows for messages how to write
    /// both.
    pub fn quantity(
        &mut self,
        key: &str,
        read: impl Fn(&str) -> Option<f64>,
        examples: &str,
    ) -> Result<Option<Located<f64>>, TextError> {
        let taken = self.take(key);
        let value = |value: &DeValue, place: &TextLocation| match value {
            DeValue::String(text) => {
                let read = read(text).filter(|value| value.is_finite());
                read.ok_or_else(|| wrong_type(value, place, "a number", examples))
            }
            other => number(other, place),
        };
        taken.map(|(taken, place)| Ok(Located { value: value(&taken, &place)?, place })).transpose()
    }

    /// The string under `key`.
    pub fn string(&mut self, key: &str) -> Result<Option<Located<String>>, TextError> {
        self.take(key).map(|(value, place)| Ok(Located { value: string(&value, &place)?, place })).transpose()
    }

    /// The string under `key`, which may also be `true` or `false`.
    pub fn word(&mut self, key: &str) -> Result<Option<Located<String>>, TextError> {
        let read = |value: &DeValue, place: &TextLocation| match value {
            DeValue::Boolean(flag) => Ok(flag.to_string()),
            other => string(other, place),
        };
        self.take(key).map(|(value, place)| Ok(Located { value: read(&value, &place)?, place })).transpose()
    }

    /// `true` or `false` under `key`, also as a string.
    pub fn flag(&mut self, key: &str) -> Result<Option<Located<bool>>, TextError> {
        let Some(Located { value, place }) = self.word(key)? else { return Ok(None) };
        match value.parse() {
            Ok(value) => Ok(Some(Located { value, place })),
            Err(_) => Err(place.fault(format!("\"{value}\" is not an allowed value"), "give true or false")),
        }
    }

    /// The list of numbers under `key`.
    pub fn numbers(&mut self, key: &str) -> Result<Option<Located<Vec<f64>>>, TextError> {
        self.list(key, number)
    }

    /// The list of strings under `key`.
    pub fn strings(&mut self, key: &str) -> Result<Option<Located<Vec<String>>>, TextError> {
        self.list(key, string)
    }

    /// The section `[key]`.
    pub fn section(&mut self, key: &str) -> Result<Option<TomlSection<'a>>, TextError> {
        self.take(key).map(|(value, place)| self.inner(value, place)).transpose()
    }

    /// The sections `[[key]]`, or a list of `{ .. }`; empty if the key is absent.
    pub fn sections(&mut self, key: &str) -> Result<Vec<TomlSection<'a>>, TextError> {
        let Some((value, place)) = self.take(key) else { return Ok(Vec::new()) };
        self.items(value, &place)?.map(|(value, place)| self.inner(value, place)).collect()
    }

    /// Finishes reading: keys that were never requested are kept if the text is newer. Errors: otherwise the first of them.
    pub fn finish(&mut self) -> Result<(), TextError> {
        let mut unknown: Vec<_> = std::mem::take(&mut self.entries).into_iter().collect();
        unknown.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in unknown {
            let place = TextLocation { line: Some(self.lines.of_byte(key.span().start)), key: self.path(key.get_ref()) };
            let fault = place.fault("unknown key", format!("the keys here are {}", self.requested.join(", ")));
            if !self.side.borrow().newer {
                return Err(fault);
            }
            self.keep(key.get_ref(), value.get_ref(), fault)?;
        }
        Ok(())
    }

    fn path(&self, key: &str) -> String {
        self.written(if self.place.key.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place.key) })
    }

    /// The path as written in the text.
    fn written(&self, path: String) -> String {
        let side = self.side.borrow();
        side.moved.iter().find(|(now, _)| *now == path).map_or(path, |(_, written)| written.clone())
    }

    fn take(&mut self, key: &str) -> Option<(DeValue<'a>, TextLocation)> {
        self.requested.push(key.to_owned());
        let value = self.entries.remove(key)?;
        let place = TextLocation { line: Some(self.lines.of_byte(value.span().start)), key: self.path(key) };
        Some((value.into_inner(), place))
    }

    fn inner(&self, value: DeValue<'a>, place: TextLocation) -> Result<Self, TextError> {
        match value {
            DeValue::Table(entries) => {
                let (lines, side) = (Rc::clone(&self.lines), Rc::clone(&self.side));
                Ok(Self { lines, entries, place, requested: Vec::new(), side })
            }
            other => Err(wrong_type(&other, &place, "a table", "{ key = value }")),
        }
    }

    fn list<T>(
        &mut self,
        key: &str,
        read: fn(&DeValue, &TextLocation) -> Result<T, TextError>,
    ) -> Result<Option<Located<Vec<T>>>, TextError> {
        let Some((value, place)) = self.take(key) else { return Ok(None) };
        let value = self.items(value, &place)?.map(|(value, place)| read(&value, &place)).collect::<Result<_, _>>()?;
        Ok(Some(Located { value, place }))
    }

    fn items(
        &self,
        value: DeValue<'a>,
        place: &TextLocation,
    ) -> Result<impl Iterator<Item = (DeValue<'a>, TextLocation)> + use<'a>, TextError> {
        let (lines, key) = (Rc::clone(&self.lines), place.key.clone());
        let DeValue::Array(items) = value else { return Err(wrong_type(&value, place, "a list", "[..]")) };
        let items: DeArray = items;
        Ok(items.into_iter().enumerate().map(move |(i, item): (usize, Spanned<DeValue>)| {
            let place = TextLocation { line: Some(lines.of_byte(item.span().start)), key: format!("{key}[{i}]") };
            (item.into_inner(), place)
        }))
    }
}

pub(crate) fn number(value: &DeValue, place: &TextLocation) -> Result<f64, TextError> {
    let read = match value {
        DeValue::Float(float) => float.as_str().parse().ok(),
        DeValue::Integer(integer) => i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|i| i as f64),
        DeValue::String(text) if text.trim().parse::<f64>().is_ok() => {
            return Err(wrong_type(value, place, "a number", &format!("{}, without quotation marks", text.trim())));
        }
        other => return Err(wrong_type(other, place, "a number", "1.0")),
    };
    match read {
        Some(number) if f64::is_finite(number) => Ok(number),
        _ => Err(place.fault("not a finite number", "give a number between -1e308 and 1e308")),
    }
}

/// A number for a message: a power of ten where its digits would be many.
pub fn figure(value: f64) -> String {
    if value == 0.0 || (1e-6..1e12).contains(&value.abs()) { format!("{value}") } else { format!("{value:e}") }
}

fn string(value: &DeValue, place: &TextLocation) -> Result<String, TextError> {
    match value {
        DeValue::String(string) => Ok(string.to_string()),
        other => Err(wrong_type(other, place, "text", "\"..\"")),
    }
}

fn wrong_type(found: &DeValue, place: &TextLocation, expected: &str, example: &str) -> TextError {
    let found = match found {
        DeValue::String(_) => "text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    place.fault(format!("expected {expected}, found {found}"), format!("write it as {example}"))
}

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

/// All unknown keys of a patch of a newer schema: kept, and written back with the patch. Empty for the current schema.
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
