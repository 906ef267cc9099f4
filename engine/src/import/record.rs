//! Keys and values of a file of modes with their locations, independent of the file format.

use std::collections::HashSet;

use crate::formats::{Located, TextError, TextLocation, figure};

/// The value of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A number; may be infinite or NaN.
    Number(f64),
    /// A text.
    Text(String),
    /// A list of numbers; also an empty list.
    Numbers(Vec<f64>),
    /// A list of tables.
    Records(Vec<Record>),
    /// Anything else, by its name in error messages.
    Other(&'static str),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The key as written.
    pub key: String,
    /// Location of the value.
    pub place: TextLocation,
    /// The value.
    pub content: Content,
}

/// A table from which values are taken by key. Keys that are never requested are errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    place: TextLocation,
    cells: Vec<Cell>,
    requested: Vec<&'static str>,
}

impl Record {
    /// A table at `place`. Errors: a duplicate key.
    pub fn new(place: TextLocation, cells: Vec<Cell>) -> Result<Self, TextError> {
        let mut keys = HashSet::new();
        if let Some(repeated) = cells.iter().find(|cell| !keys.insert(&cell.key)) {
            return Err(repeated.place.fault("duplicate key", "keep one of the two"));
        }
        Ok(Self { place, cells, requested: Vec::new() })
    }

    /// Location of the table.
    pub fn place(&self) -> &TextLocation {
        &self.place
    }

    /// The location of a missing key, for error messages.
    pub fn missing(&self, key: &str) -> TextLocation {
        let path = if self.place.key.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place.key) };
        TextLocation { line: self.place.line, key: path }
    }

    /// The finite number under `key`, if there is one.
    pub fn number(&mut self, key: &'static str) -> Result<Option<Located<f64>>, TextError> {
        let Some(Cell { place, content, .. }) = self.take(key) else { return Ok(None) };
        match content {
            Content::Number(value) if value.is_finite() => Ok(Some(Located { value, place })),
            Content::Number(_) => Err(place.fault("not a finite number", "give a number between -1e308 and 1e308")),
            other => Err(wrong(&other, &place, "a number", "1.0")),
        }
    }

    /// The number above zero under `key`, if there is one.
    pub fn positive(&mut self, key: &'static str) -> Result<Option<Located<f64>>, TextError> {
        match self.number(key)? {
            Some(Located { value, place }) if value <= 0.0 => {
                Err(place.fault(format!("{} is not above zero", figure(value)), "give a number above zero"))
            }
            number => Ok(number),
        }
    }

    /// The text under `key`, if there is one.
    pub fn text(&mut self, key: &'static str) -> Result<Option<String>, TextError> {
        match self.take(key) {
            None => Ok(None),
            Some(Cell { content: Content::Text(text), .. }) => Ok(Some(text)),
            Some(Cell { place, content, .. }) => Err(wrong(&content, &place, "text", "\"..\"")),
        }
    }

    /// The list of finite numbers under `key`, if there is one.
    pub fn numbers(&mut self, key: &'static str) -> Result<Option<Located<Vec<f64>>>, TextError> {
        let Some(Cell { place, content, .. }) = self.take(key) else { return Ok(None) };
        match content {
            Content::Numbers(value) if value.iter().all(|number| number.is_finite()) => Ok(Some(Located { value, place })),
            Content::Numbers(_) => Err(place.fault("a number is not finite", "give numbers between -1e308 and 1e308")),
            other => Err(wrong(&other, &place, "a list of numbers", "[1.0, -0.5]")),
        }
    }

    /// The tables under `key`; none where the key is absent.
    pub fn records(&mut self, key: &'static str) -> Result<Vec<Record>, TextError> {
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Cell { content: Content::Records(records), .. }) => Ok(records),
            Some(Cell { content: Content::Numbers(list), .. }) if list.is_empty() => Ok(Vec::new()),
            Some(Cell { place, content, .. }) => Err(wrong(&content, &place, "a list of tables", "[{ .. }, { .. }]")),
        }
    }

    /// Finishes reading. Errors: the first key that was never requested.
    pub fn finish(self) -> Result<(), TextError> {
        match self.cells.first() {
            None => Ok(()),
            Some(cell) => Err(cell.place.fault("unknown key", format!("the keys here are {}", self.requested.join(", ")))),
        }
    }

    fn take(&mut self, key: &'static str) -> Option<Cell> {
        self.requested.push(key);
        let at = self.cells.iter().position(|cell| cell.key == key)?;
        Some(self.cells.remove(at))
    }
}

fn wrong(found: &Content, place: &TextLocation, expected: &str, example: &str) -> TextError {
    let found = match found {
        Content::Number(_) => "a number",
        Content::Text(_) => "text",
        Content::Numbers(_) => "a list of numbers",
        Content::Records(_) => "a list of tables",
        Content::Other(what) => what,
    };
    let bare = if found == "text" && expected == "a number" { ", without a unit" } else { "" };
    place.fault(format!("expected {expected}, found {found}"), format!("write it as {example}{bare}"))
}
