//! What the user is told when something is wrong: one sentence with file, place and remedy.

use std::fmt;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// One sentence for the user; the program ends with exit code 2.
#[derive(Debug)]
pub struct Complaint(String);

impl Complaint {
    /// What is wrong, and what to do about it.
    pub fn new(problem: impl fmt::Display, remedy: impl fmt::Display) -> Self {
        Self(format!("{problem}; {remedy}."))
    }

    /// What is wrong with a file, and what to do about it.
    pub fn about(file: &Path, problem: impl fmt::Display, remedy: impl fmt::Display) -> Self {
        Self::new(format_args!("{}: {problem}", file.display()), remedy)
    }

    /// A place in a text file.
    pub fn at(file: &Path, fault: &urto_engine::formats::TextError) -> Self {
        Self(format!("{}, {fault}.", file.display()))
    }

    /// A file that cannot be read.
    pub fn unreadable(file: &Path, error: &std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::about(file, "no such file", "check the name"),
            ErrorKind::PermissionDenied => Self::about(file, "reading is not permitted", "check the file's permissions"),
            _ => Self::about(file, format_args!("cannot be read ({error})"), "check the file"),
        }
    }

    /// A file that cannot be written.
    pub fn unwritable(file: &Path, error: &std::io::Error) -> Self {
        let remedy = match error.kind() {
            ErrorKind::NotFound => "create the folder first",
            ErrorKind::StorageFull => "make room on the disk",
            _ => "choose another place",
        };
        Self::about(file, format_args!("cannot be written ({error})"), remedy)
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Puts a complaint or a remark on standard error. A closed pipe is not worth another complaint.
pub fn tell(message: impl fmt::Display) {
    let _ = writeln!(std::io::stderr(), "urto-cli: {message}");
}

/// Puts `text` on standard output. Whoever closed the pipe has read enough.
pub fn print(text: &str) -> Result<(), Complaint> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Complaint::new(format_args!("standard output cannot be written ({error})"), "redirect it elsewhere"))
        }
        _ => Ok(()),
    }
}

/// The text of a file in UTF-8 or, as many older scales are, ISO 8859-1. Errors: missing or unreadable.
pub fn read_text_of_any_age(file: &Path) -> Result<String, Complaint> {
    let bytes = std::fs::read(file).map_err(|error| Complaint::unreadable(file, &error))?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect()))
}

/// The text of a file. Errors: missing, unreadable, or not UTF-8.
pub fn read_text(file: &Path) -> Result<String, Complaint> {
    let bytes = std::fs::read(file).map_err(|error| Complaint::unreadable(file, &error))?;
    String::from_utf8(bytes).map_err(|_| Complaint::about(file, "not a text in UTF-8", "give a TOML file"))
}
