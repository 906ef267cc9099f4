//! TOML in which every value knows its line and its key, so that a complaint can name the place and the remedy.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::formats::unknown_keys;
use crate::formats::unknown_keys::UnknownKey;

/// What is wrong with a text, where, and what to do about it. Displays as one sentence without the file's name.
#[derive(Clone, Debug, PartialEq)]
pub struct TextError {
    /// Line, counted from 1; `None` when no single line is to blame.
    pub line: Option<usize>,
    /// Dotted path of the key, empty for the whole text.
    pub key: String,
    /// What is wrong.
    pub problem: String,
    /// What to do.
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

/// Where a value stands.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLocation {
    /// Line, counted from 1.
    pub line: Option<usize>,
    /// Dotted path of the key.
    pub key: String,
}

impl TextLocation {
    /// A complaint about this place.
    pub fn fault(&self, problem: impl Into<String>, remedy: impl Into<String>) -> TextError {
        TextError { line: self.line, key: self.key.clone(), problem: problem.into(), remedy: remedy.into() }
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: TextLocation,
}

/// What reading a text leaves beside its values; all its sections share it.
#[derive(Debug, Default)]
struct Margin {
    /// The text is of a newer schema: what is not understood is noted and kept.
    newer: bool,
    notes: Vec<TextError>,
    kept: Vec<UnknownKey>,
    /// Paths of values that a migration has moved: where they are now, and as written.
    moved: Vec<(String, String)>,
}

/// Section and key of a value.
type Address<'k> = (&'k str, &'k str);

/// What a migration makes of a value, and what is said about it: problem and remedy.
type Change<'a> = Option<(DeValue<'a>, Option<(String, String)>)>;

/// A table from which values are taken by key. What nobody has asked for when it is [finished](Section::finish) is an error, or
/// kept if the text is [newer](Section::is_newer).
pub struct TomlSection<'a> {
    text: &'a str,
    entries: DeTable<'a>,
    place: TextLocation,
    asked: Vec<String>,
    margin: Rc<RefCell<Margin>>,
}

impl<'a> TomlSection<'a> {
    /// Reads a whole text. Errors: what is not TOML, with its line.
    pub fn parse(text: &'a str) -> Result<Self, TextError> {
        let entries = DeTable::parse(text).map_err(|error| TextError {
            line: error.span().map(|span| line_of(text, span.start)),
            key: String::new(),
            problem: format!("not valid TOML: {}", error.message().replace('\n', " ")),
            remedy: "correct the line".into(),
        })?;
        let place = TextLocation { line: None, key: String::new() };
        Ok(Self { text, entries: entries.into_inner(), place, asked: Vec::new(), margin: Rc::default() })
    }

    /// From here on, what is not understood in this text is noted and kept.
    pub fn is_newer(&self) {
        self.margin.borrow_mut().newer = true;
    }

    /// What has been noted and kept so far.
    pub fn margin(&self) -> (Vec<TextError>, Vec<UnknownKey>) {
        let mut margin = self.margin.borrow_mut();
        (std::mem::take(&mut margin.notes), std::mem::take(&mut margin.kept))
    }

    /// Reads what stands under `key`. What of a newer text cannot be read is noted and kept, and counts as absent. Errors: those
    /// of `read` in other texts.
    pub fn attempt<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Self) -> Result<T, TextError>,
    ) -> Result<Option<T>, TextError> {
        let raw = self.entries.get(key).filter(|_| self.margin.borrow().newer).cloned();
        let before = (self.margin.borrow().kept.len(), self.margin.borrow().notes.len());
        match (read(self), raw) {
            (Err(fault), Some(raw)) => {
                self.margin.borrow_mut().kept.truncate(before.0);
                self.margin.borrow_mut().notes.truncate(before.1);
                self.keep(key, raw.get_ref(), fault).map(|()| None)
            }
            (read, _) => read.map(Some),
        }
    }

    fn keep(&self, key: &str, value: &DeValue, fault: TextError) -> Result<(), TextError> {
        let Some(value) = unknown_keys::owned(value) else {
            return Err(TextError {
                problem: "a number of more than 64 bits".into(),
                remedy: "use a newer Urto".into(),
                ..fault
            });
        };
        let mut margin = self.margin.borrow_mut();
        margin.kept.push(UnknownKey { section: self.place.key.clone(), key: key.to_owned(), value });
        margin.notes.push(TextError { remedy: "kept as it stands".into(), ..fault });
        Ok(())
    }

    /// Moves a value from one section to another, which may be new, unless there is one already.
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
        self.margin.borrow_mut().moved.push((path(to), path(from)));
    }

    /// Puts what `change` makes of a value in its place, with what it has to say about it.
    pub fn change(&mut self, (section, key): Address, change: impl FnOnce(&DeValue<'a>) -> Change<'a>) {
        let Some(value) = self.table(section).and_then(|table| table.get_mut(key)) else { return };
        let Some((changed, note)) = change(value.get_ref()) else { return };
        *value.get_mut() = changed;
        let start = value.span().start;
        if let Some((problem, remedy)) = note {
            let place = TextLocation { line: Some(line_of(self.text, start)), key: self.written(format!("{section}.{key}")) };
            self.margin.borrow_mut().notes.push(place.fault(problem, remedy));
        }
    }

    fn table(&mut self, section: &str) -> Option<&mut DeTable<'a>> {
        match self.entries.get_mut(section)?.get_mut() {
            DeValue::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Where the section stands.
    pub fn place(&self) -> &TextLocation {
        &self.place
    }

    /// The place of a key that is missing here.
    pub fn missing(&self, key: &str) -> TextLocation {
        TextLocation { line: self.place.line, key: self.path(key) }
    }

    /// The finite number under `key`, if there is one; a whole number counts as one.
    pub fn number(&mut self, key: &str) -> Result<Option<Located<f64>>, TextError> {
        self.take(key).map(|(value, place)| Ok(Located { value: number(&value, &place)?, place })).transpose()
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

    /// The sections `[[key]]`, or a list of `{ .. }`; none when the key is absent.
    pub fn sections(&mut self, key: &str) -> Result<Vec<TomlSection<'a>>, TextError> {
        let Some((value, place)) = self.take(key) else { return Ok(Vec::new()) };
        self.items(value, &place)?.map(|(value, place)| self.inner(value, place)).collect()
    }

    /// Ends the reading: what nobody has asked for is kept if the text is newer. Errors: else the first of it, in the order of lines.
    pub fn finish(&mut self) -> Result<(), TextError> {
        let mut unknown: Vec<_> = std::mem::take(&mut self.entries).into_iter().collect();
        unknown.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in unknown {
            let place = TextLocation { line: Some(line_of(self.text, key.span().start)), key: self.path(key.get_ref()) };
            let fault = place.fault("unknown key", format!("the keys here are {}", self.asked.join(", ")));
            if !self.margin.borrow().newer {
                return Err(fault);
            }
            self.keep(key.get_ref(), value.get_ref(), fault)?;
        }
        Ok(())
    }

    fn path(&self, key: &str) -> String {
        self.written(if self.place.key.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place.key) })
    }

    /// The path as it stands in the text.
    fn written(&self, path: String) -> String {
        let margin = self.margin.borrow();
        margin.moved.iter().find(|(now, _)| *now == path).map_or(path, |(_, written)| written.clone())
    }

    fn take(&mut self, key: &str) -> Option<(DeValue<'a>, TextLocation)> {
        self.asked.push(key.to_owned());
        let value = self.entries.remove(key)?;
        let place = TextLocation { line: Some(line_of(self.text, value.span().start)), key: self.path(key) };
        Some((value.into_inner(), place))
    }

    fn inner(&self, value: DeValue<'a>, place: TextLocation) -> Result<Self, TextError> {
        match value {
            DeValue::Table(entries) => {
                Ok(Self { text: self.text, entries, place, asked: Vec::new(), margin: Rc::clone(&self.margin) })
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
        let (text, key) = (self.text, place.key.clone());
        let DeValue::Array(items) = value else { return Err(wrong_type(&value, place, "a list", "[..]")) };
        let items: DeArray = items;
        Ok(items.into_iter().enumerate().map(move |(i, item): (usize, Spanned<DeValue>)| {
            let place = TextLocation { line: Some(line_of(text, item.span().start)), key: format!("{key}[{i}]") };
            (item.into_inner(), place)
        }))
    }
}

/// The line, counted from 1, of a byte of the text.
pub(crate) fn line_of(text: &str, byte: usize) -> usize {
    1 + text.as_bytes()[..byte.min(text.len())].iter().filter(|&&b| b == b'\n').count()
}

pub(crate) fn number(value: &DeValue, place: &TextLocation) -> Result<f64, TextError> {
    let read = match value {
        DeValue::Float(float) => float.as_str().parse().ok(),
        DeValue::Integer(integer) => i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|i| i as f64),
        other => return Err(wrong_type(other, place, "a number", "1.0")),
    };
    match read {
        Some(number) if f64::is_finite(number) => Ok(number),
        _ => Err(place.fault("not a finite number", "give a number between -1e308 and 1e308")),
    }
}

fn string(value: &DeValue, place: &TextLocation) -> Result<String, TextError> {
    match value {
        DeValue::String(string) => Ok(string.to_string()),
        other => Err(wrong_type(other, place, "a text", "\"..\"")),
    }
}

fn wrong_type(found: &DeValue, place: &TextLocation, wanted: &str, example: &str) -> TextError {
    let found = match found {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    place.fault(format!("{wanted} is wanted here, not {found}"), format!("write it as {example}"))
}
