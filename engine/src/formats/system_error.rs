//! Errors of the system in words.

use std::io::{Error, ErrorKind};
use std::path::Path;

/// Problem and fix of a file or folder that cannot be read.
pub fn unreadable(error: &Error) -> (String, &'static str) {
    let (problem, remedy) = match error.kind() {
        ErrorKind::NotFound => ("no such file", "check the name"),
        ErrorKind::PermissionDenied => ("reading is not permitted", "check the file's permissions"),
        ErrorKind::IsADirectory => ("this is a folder", "give the name of a file in it"),
        ErrorKind::InvalidData => ("not UTF-8 text", "save it as UTF-8"),
        ErrorKind::UnexpectedEof => ("the file ends too early", "copy it again, or save it again"),
        ErrorKind::InvalidFilename => ("the name is too long or not allowed", "check the name"),
        ErrorKind::NotADirectory => ("a part of its path is no folder", "check the name"),
        ErrorKind::Other if error.raw_os_error().is_none() => return (error.to_string(), "check the file"),
        _ => ("cannot be read", "check the disk and the file"),
    };
    (problem.into(), remedy)
}

/// The error of opening `file`. If it is a folder it says so: Windows reports that permission is missing.
pub fn open_error(file: &Path, error: Error) -> Error {
    if error.kind() == ErrorKind::PermissionDenied && file.is_dir() { ErrorKind::IsADirectory.into() } else { error }
}

/// Problem and fix of a file or folder that cannot be written.
pub fn unwritable(error: &Error) -> (String, &'static str) {
    let (problem, remedy) = match error.kind() {
        ErrorKind::NotFound => ("the folder does not exist", "create the folder first"),
        ErrorKind::StorageFull => ("the disk is full", "free some space, or choose another disk"),
        ErrorKind::FileTooLarge => {
            ("the file would exceed the largest size allowed", "raise the limit (ulimit -f), or write less")
        }
        ErrorKind::QuotaExceeded => ("your quota of the disk is used up", "free some space, or choose another disk"),
        ErrorKind::ReadOnlyFilesystem => ("the disk is read-only", "choose another folder"),
        ErrorKind::InvalidFilename => ("the name is too long or not allowed", "choose a shorter name"),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => ("a part of its path is a file", "choose another folder"),
        ErrorKind::IsADirectory => ("a folder has this name", "choose another name"),
        ErrorKind::PermissionDenied => ("writing is not permitted", "choose another folder"),
        _ => ("cannot be written", "choose another file or folder"),
    };
    (problem.into(), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_of_the_system_is_shown() {
        for number in 1..130 {
            let error = Error::from_raw_os_error(number);
            for (problem, remedy) in [unreadable(&error), unwritable(&error)] {
                assert!(!problem.contains("os error") && !remedy.is_empty(), "{number}: {problem}");
            }
        }
        assert_eq!(unreadable(&Error::other("too long for a preset")).0, "too long for a preset");
    }

    #[test]
    fn a_folder_is_not_a_file_without_permission() {
        let kind = |file: &str| open_error(Path::new(file), ErrorKind::PermissionDenied.into()).kind();
        assert_eq!([kind("."), kind("no file")], [ErrorKind::IsADirectory, ErrorKind::PermissionDenied]);
    }
}
