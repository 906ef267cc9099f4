//! The formats of a file of modes: TOML, JSON, and CSV with a row of column names.

use csv::{ReaderBuilder, StringRecord};
use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use toml::de::{DeTable, DeValue};

use crate::formats::{Lines, TextError, TextLocation, number};
use crate::import::record::{Cell, Content, Record};

/// Format of a file of modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Keys, and tables `[[modes]]`.
    Toml,
    /// An object with a list `modes`, or that list alone.
    Json,
    /// A row of column names, then a row per mode; commas, semicolons or tabs; `#` starts a comment.
    Csv,
}

impl Form {
    /// The format of a file name extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        [("toml", Self::Toml), ("json", Self::Json), ("csv", Self::Csv), ("tsv", Self::Csv)]
            .into_iter()
            .find_map(|(name, form)| name.eq_ignore_ascii_case(extension).then_some(form))
    }

    /// Parses `text`. Errors: invalid syntax, with its line.
    pub fn read(self, text: &str) -> Result<Record, TextError> {
        match self {
            Self::Toml => toml(text),
            Self::Json => json(text),
            Self::Csv => csv(text),
        }
    }
}

fn invalid(line: Option<usize>, form: &str, error: impl std::fmt::Display) -> TextError {
    let problem = format!("not valid {form}: {}", error.to_string().replace('\n', " "));
    TextError { line, key: String::new(), problem, remedy: "correct the line".into() }
}

/// Location of the item `key` in `parent`.
fn inside(lines: &Lines, parent: &str, key: &str, byte: usize) -> TextLocation {
    let path = if parent.is_empty() { key.to_owned() } else { format!("{parent}.{key}") };
    TextLocation { line: Some(lines.of_byte(byte)), key: path }
}

/// A list of numbers or a list of tables. Errors: a mixed list.
fn list(items: Vec<(TextLocation, Content, Option<Record>)>, place: &TextLocation) -> Result<Content, TextError> {
    let (mut numbers, mut records) = (Vec::new(), Vec::new());
    for (at, content, record) in items {
        match (content, record) {
            (_, Some(record)) if numbers.is_empty() => records.push(record),
            (Content::Number(value), None) if records.is_empty() => numbers.push(value),
            _ => {
                return Err(
                    at.fault("does not match the type of this list", format!("give {} numbers only, or tables only", place.key))
                );
            }
        }
    }
    Ok(if records.is_empty() { Content::Numbers(numbers) } else { Content::Records(records) })
}

fn toml(text: &str) -> Result<Record, TextError> {
    let lines = &Lines::of(text);
    let table = DeTable::parse(text)
        .map_err(|error| invalid(error.span().map(|span| lines.of_byte(span.start)), "TOML", error.message()))?;
    toml_table(lines, table.get_ref(), TextLocation { line: None, key: String::new() })
}

fn toml_table(lines: &Lines, table: &DeTable, place: TextLocation) -> Result<Record, TextError> {
    let mut cells: Vec<_> = table.iter().collect();
    cells.sort_by_key(|(key, _)| key.span().start);
    let cell = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue>)| {
        let key: &std::borrow::Cow<str> = key.get_ref();
        let at = inside(lines, &place.key, key, value.span().start);
        Ok(Cell { key: key.to_string(), content: toml_value(lines, value.get_ref(), &at)?.0, place: at })
    };
    let cells = cells.into_iter().map(cell).collect::<Result<_, TextError>>()?;
    Record::new(place, cells)
}

fn toml_value(lines: &Lines, value: &DeValue, place: &TextLocation) -> Result<(Content, Option<Record>), TextError> {
    let content = match value {
        DeValue::Float(_) | DeValue::Integer(_) => Content::Number(number(value, place)?),
        DeValue::String(string) => Content::Text(string.to_string()),
        DeValue::Boolean(_) => Content::Other("true or false"),
        DeValue::Datetime(_) => Content::Other("a date"),
        DeValue::Table(table) => return Ok((Content::Other("a table"), Some(toml_table(lines, table, place.clone())?))),
        DeValue::Array(items) => {
            let item = |(i, item): (usize, &toml::Spanned<DeValue>)| {
                let at = TextLocation { line: Some(lines.of_byte(item.span().start)), key: format!("{}[{i}]", place.key) };
                toml_value(lines, item.get_ref(), &at).map(|(content, record)| (at, content, record))
            };
            list(items.iter().enumerate().map(item).collect::<Result<_, _>>()?, place)?
        }
    };
    Ok((content, None))
}

fn json(text: &str) -> Result<Record, TextError> {
    let strict = ParseOptions {
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
        ..ParseOptions::default()
    };
    let tree = parse_to_ast(text, &CollectOptions::default(), &strict)
        .map_err(|error| invalid(Some(error.line_display()), "JSON", error.kind()))?;
    let (lines, root) = (&Lines::of(text), TextLocation { line: None, key: String::new() });
    match tree.value {
        Some(Value::Object(object)) => json_object(lines, &object.properties, root),
        Some(value @ Value::Array(_)) => {
            let place = inside(lines, "", "modes", value.range().start);
            let content = json_value(lines, &value, &place)?.0;
            Record::new(root, vec![Cell { key: "modes".into(), place, content }])
        }
        _ => Err(root.fault("neither an object nor a list", "write { \"modes\": [ .. ] }")),
    }
}

fn json_object(lines: &Lines, properties: &[jsonc_parser::ast::ObjectProp], place: TextLocation) -> Result<Record, TextError> {
    let cell = |property: &jsonc_parser::ast::ObjectProp| {
        let key = match &property.name {
            ObjectPropName::String(name) => name.value.to_string(),
            ObjectPropName::Word(name) => name.value.to_string(),
        };
        let at = inside(lines, &place.key, &key, property.value.range().start);
        Ok(Cell { content: json_value(lines, &property.value, &at)?.0, key, place: at })
    };
    let cells = properties.iter().map(cell).collect::<Result<_, TextError>>()?;
    Record::new(place, cells)
}

fn json_value(lines: &Lines, value: &Value, place: &TextLocation) -> Result<(Content, Option<Record>), TextError> {
    let content = match value {
        Value::NumberLit(number) => Content::Number(number.value.parse().unwrap_or(f64::NAN)),
        Value::StringLit(string) => Content::Text(string.value.to_string()),
        Value::BooleanLit(_) => Content::Other("true or false"),
        Value::NullKeyword(_) => Content::Other("null"),
        Value::Object(object) => {
            return Ok((Content::Other("a table"), Some(json_object(lines, &object.properties, place.clone())?)));
        }
        Value::Array(array) => {
            let item = |(i, item): (usize, &Value)| {
                let at = TextLocation { line: Some(lines.of_byte(item.range().start)), key: format!("{}[{i}]", place.key) };
                json_value(lines, item, &at).map(|(content, record)| (at, content, record))
            };
            list(array.elements.iter().enumerate().map(item).collect::<Result<_, _>>()?, place)?
        }
    };
    Ok((content, None))
}

fn csv(text: &str) -> Result<Record, TextError> {
    let heading = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).unwrap_or_default();
    let delimiter = [b'\t', b';'].into_iter().find(|&sign| heading.as_bytes().contains(&sign)).unwrap_or(b',');
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let line = |row: &StringRecord| row.position().map(|position| position.line() as usize);
    let mut rows = reader.records().map(|row| row.map_err(|error| invalid(None, "CSV", error)));
    let names = rows.next().transpose()?.unwrap_or_default();
    if !names.is_empty() && names.iter().all(|name| name.parse::<f64>().is_ok()) {
        let place = TextLocation { line: line(&names), key: String::new() };
        return Err(place.fault("the names of the columns are missing", "begin with a row of them, for example frequency,t60"));
    }
    let mut modes = Vec::new();
    for row in rows {
        let row = row?;
        let place = TextLocation { line: line(&row), key: format!("modes[{}]", modes.len()) };
        if row.len() != names.len() {
            let remedy = match row.len() > names.len() {
                true => format!("give {} values, one for each name in the first row", names.len()),
                false => format!("give {} values, and leave a place empty where there is none", names.len()),
            };
            return Err(place.fault(format!("{} values under {} column names", row.len(), names.len()), remedy));
        }
        let filled = names.iter().zip(&row).filter(|(_, value)| !value.is_empty());
        let cells = filled.map(|(name, value)| {
            let key = name.trim_start_matches('\u{feff}').to_lowercase();
            let at = TextLocation { line: place.line, key: format!("{}.{key}", place.key) };
            Cell { content: csv_value(&key, value, delimiter), key, place: at }
        });
        modes.push(Record::new(place.clone(), cells.collect())?);
    }
    let place = TextLocation { line: line(&names), key: "modes".into() };
    Record::new(
        TextLocation { line: None, key: String::new() },
        vec![Cell { key: "modes".into(), place, content: Content::Records(modes) }],
    )
}

/// A number, with a decimal comma if values are separated by semicolons or tabs; a shape is numbers separated by spaces.
fn csv_value(key: &str, value: &str, delimiter: u8) -> Content {
    let number = |text: &str| {
        let text = if delimiter == b',' { text.to_owned() } else { text.replace(',', ".") };
        text.parse::<f64>().ok()
    };
    if key == "shape" {
        let numbers: Option<Vec<_>> = value.split_whitespace().map(number).collect();
        return numbers.map_or(Content::Text(value.to_owned()), Content::Numbers);
    }
    number(value).map_or(Content::Text(value.to_owned()), Content::Number)
}
