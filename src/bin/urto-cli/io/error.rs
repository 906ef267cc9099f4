//! Messages for the user: one sentence with the problem, its place, and what is allowed.

use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use urto_engine::formats::{TextError, TextLocation, system_error};

/// Names of standard input.
const STANDARD_INPUT: &[&str] = &["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// An error message of one sentence; the program ends with exit code 2.
#[derive(Debug)]
pub struct CliError(String);

impl CliError {
    /// The problem, and how to solve it.
    pub fn new(problem: impl fmt::Display, remedy: impl fmt::Display) -> Self {
        Self(format!("{problem}; {remedy}."))
    }

    /// The problem of a file, and how to solve it.
    pub fn about(file: &Path, problem: impl fmt::Display, remedy: impl fmt::Display) -> Self {
        Self::new(format_args!("{}: {problem}", shown(file).display()), remedy)
    }

    /// A fault at a place in a text file.
    pub fn at(file: &Path, fault: &TextError) -> Self {
        Self(format!("{}, {fault}.", shown(file).display()))
    }

    /// The same error, caused by a value at a place in the text `file`.
    pub fn within(self, file: &Path, place: &TextLocation) -> Self {
        let line = place.line.map_or_else(String::new, |line| format!("line {line}, "));
        Self(format!("{}, {line}{}: {self}", shown(file).display(), place.key))
    }

    /// A message that already has problem and remedy.
    pub fn sentence(message: impl fmt::Display) -> Self {
        Self(format!("{message}."))
    }

    /// A file that cannot be read.
    pub fn unreadable(file: &Path, error: std::io::Error) -> Self {
        let (problem, remedy) = system_error::unreadable(&system_error::open_error(file, error));
        Self::about(file, problem, remedy)
    }

    /// A file that cannot be written.
    pub fn unwritable(file: &Path, error: std::io::Error) -> Self {
        let (problem, remedy) = system_error::unwritable(&system_error::open_error(file, error));
        Self::about(file, problem, remedy)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Prints a message on standard error, with escapes for what would control a terminal. A closed pipe is ignored.
pub fn print_error(message: impl fmt::Display) {
    let _ = writeln!(std::io::stderr(), "urto-cli: {}", escaped(&message.to_string()));
}

/// `text` with escapes in place of control characters, and of those that change the direction of writing.
fn escaped(text: &str) -> String {
    let is_control = |letter: char| {
        letter.is_control() || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let escape = |letter: char| if is_control(letter) { letter.escape_default().to_string() } else { letter.to_string() };
    text.chars().map(escape).collect()
}

/// Prints a note on standard error: the command continues.
pub fn print_note(note: impl fmt::Display) {
    print_error(format_args!("note: {note}"));
}

/// Prints `text` on standard output. A closed pipe is not an error.
pub fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CliError::new("standard output cannot be written", "redirect it to another file"))
        }
        _ => Ok(()),
    }
}

/// Whether `path` is standard input: `-`, or its name in the system.
pub fn is_standard_input(path: &Path) -> bool {
    STANDARD_INPUT.iter().any(|name| path == Path::new(name))
}

/// The name of an input file in messages.
fn shown(file: &Path) -> &Path {
    if file == Path::new("-") { Path::new("standard input") } else { file }
}

/// Takes standard input for reading. Errors: it has been taken for another input.
pub fn standard_input() -> Result<std::io::StdinLock<'static>, CliError> {
    static IS_TAKEN: AtomicBool = AtomicBool::new(false);
    if IS_TAKEN.swap(true, Ordering::Relaxed) {
        return Err(CliError::new("standard input is given for two inputs", "give the name of a file for one of them"));
    }
    Ok(std::io::stdin().lock())
}

/// The content of a file or of standard input. Errors: missing or unreadable.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read =
        if is_standard_input(file) { standard_input()?.read_to_end(&mut bytes).map(|_| bytes) } else { std::fs::read(file) };
    read.map_err(|error| CliError::unreadable(file, error))
}

/// The text of a file in UTF-8 or ISO 8859-1, the encoding of many older scales. Errors: missing or unreadable.
pub fn read_text_of_any_age(file: &Path) -> Result<String, CliError> {
    let text = String::from_utf8(read_bytes(file)?);
    Ok(text.unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect()))
}

/// The text of a file. Errors: missing, unreadable, or not UTF-8.
pub fn read_text(file: &Path) -> Result<String, CliError> {
    text_in(file, read_bytes(file)?)
}

/// The text in the content of a file. Errors: not UTF-8.
pub fn text_in(file: &Path, bytes: Vec<u8>) -> Result<String, CliError> {
    String::from_utf8(bytes).map_err(|_| CliError::about(file, "not UTF-8 text", "save it as UTF-8"))
}
