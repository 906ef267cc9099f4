//! Arguments that may be a text, a file or a dictionary.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

use crate::error::{fault, unreadable};

/// A text in TOML, and the folder of its file.
pub struct Text {
    /// The text.
    pub text: String,
    /// The folder of the file; `None` for a text and a dictionary.
    pub folder: Option<PathBuf>,
}

impl Text {
    /// Of a string with TOML, a path (`os.PathLike`) or a dictionary. Errors: another type, or a file that cannot be read.
    pub fn of(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Self { text: text.to_string(), folder: None });
        }
        if let Ok(table) = given.cast::<PyMapping>() {
            let toml::Value::Table(table) = value(py, table.as_any(), "")? else { unreachable_table(py)? };
            let text =
                toml::to_string(&table).map_err(|error| fault(py, "", error, "use numbers, texts, lists and dictionaries"))?;
            return Ok(Self { text, folder: None });
        }
        let file: PathBuf = given.extract().map_err(|_| {
            fault(py, "", "neither a text, a path nor a dictionary", "give a text in TOML, a pathlib.Path or a dictionary")
        })?;
        let text = std::fs::read_to_string(&file).map_err(|error| unreadable(py, &file, &error))?;
        Ok(Self { text, folder: file.parent().map(Into::into) })
    }
}

fn unreachable_table<T>(py: Python<'_>) -> PyResult<T> {
    Err(fault(py, "", "not a dictionary", "give a dictionary"))
}

/// A value as TOML. Errors: another type; the message names its place.
fn value(py: Python<'_>, given: &Bound<'_, PyAny>, place: &str) -> PyResult<toml::Value> {
    if given.is_instance_of::<PyBool>() {
        return Ok(toml::Value::Boolean(given.extract()?));
    }
    if given.is_instance_of::<PyInt>() {
        return Ok(toml::Value::Integer(given.extract()?));
    }
    if given.is_instance_of::<PyFloat>() {
        return Ok(toml::Value::Float(given.extract()?));
    }
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(toml::Value::String(text.to_string()));
    }
    if let Ok(mapping) = given.cast::<PyMapping>() {
        let mut table = toml::Table::new();
        for item in mapping.items()?.iter() {
            let (key, inner): (String, Bound<'_, PyAny>) = item.extract()?;
            let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
            table.insert(key, value(py, &inner, &place)?);
        }
        return Ok(toml::Value::Table(table));
    }
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() || given.hasattr("tolist")? {
        let items: Vec<Bound<'_, PyAny>> = match given.hasattr("tolist")? {
            true => {
                let listed = given.call_method0("tolist")?;
                // a scalar of NumPy
                if !listed.is_instance_of::<PyList>() {
                    return value(py, &listed, place);
                }
                listed.try_iter()?.collect::<PyResult<_>>()?
            }
            false => given.try_iter()?.collect::<PyResult<_>>()?,
        };
        let items: PyResult<Vec<_>> =
            items.iter().enumerate().map(|(n, item)| value(py, item, &format!("{place}[{n}]"))).collect();
        return items.map(toml::Value::Array);
    }
    Err(fault(
        py,
        place,
        format_args!("a value of type {}", given.get_type().name()?),
        "give a number, a text, a list or a dictionary",
    ))
}

/// A dictionary of numbers.
pub fn dictionary<'py>(py: Python<'py>, entries: &[(&str, f64)]) -> PyResult<Bound<'py, PyDict>> {
    let dictionary = PyDict::new(py);
    entries.iter().try_for_each(|(name, value)| dictionary.set_item(name, value))?;
    Ok(dictionary)
}
