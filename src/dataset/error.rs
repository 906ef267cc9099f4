//! Errors of data sets as one sentence: place, problem and remedy.

use std::fmt;
use std::path::Path;

use urto_engine::formats::system_error;

/// Why a data set cannot be read, written or verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetError {
    /// Key of the specification, such as `parameters.position`, or path of a file or folder.
    pub place: String,
    /// The problem.
    pub problem: String,
    /// The remedy.
    pub remedy: String,
}

impl DatasetError {
    /// The problem at `place`, and how to solve it.
    pub(crate) fn new(place: impl fmt::Display, problem: impl fmt::Display, remedy: impl fmt::Display) -> Self {
        Self { place: place.to_string(), problem: problem.to_string(), remedy: remedy.to_string() }
    }

    /// A file or folder that cannot be read.
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        let (problem, remedy) = system_error::unreadable(error);
        Self::new(path.display(), problem, remedy)
    }

    /// A file or folder that cannot be written.
    pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> Self {
        let (problem, remedy) = system_error::unwritable(error);
        Self::new(path.display(), problem, remedy)
    }
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        write!(f, "{}; {}", self.problem, self.remedy)
    }
}

impl std::error::Error for DatasetError {}
