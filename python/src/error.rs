//! Exceptions that name the field.

use std::fmt::Display;
use std::path::Path;

use pyo3::prelude::*;
use urto_engine::formats::{TextError, system_error};

/// The exception `urto.UrtoError` with field, problem and remedy.
pub fn fault(py: Python<'_>, field: impl Display, problem: impl Display, remedy: impl Display) -> PyErr {
    let made = py
        .import("urto.errors")
        .and_then(|errors| errors.getattr("UrtoError"))
        .and_then(|class| class.call1((field.to_string(), problem.to_string(), remedy.to_string())));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// A fault in a text.
pub fn text_fault(py: Python<'_>, error: &TextError) -> PyErr {
    fault(py, &error.key, &error.problem, &error.remedy)
}

/// A file that cannot be read.
pub fn unreadable(py: Python<'_>, file: &Path, error: &std::io::Error) -> PyErr {
    let (problem, remedy) = system_error::unreadable(error);
    fault(py, file.display(), problem, remedy)
}

/// A fault of a data set.
pub fn dataset_fault(py: Python<'_>, error: &urto::dataset::DatasetError) -> PyErr {
    fault(py, &error.place, &error.problem, &error.remedy)
}
