//! A file that appears under its name only when it is complete.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::io::error::Complaint;

/// A file being written under a temporary name beside its place; removed again unless it is published.
#[derive(Debug)]
pub struct Draft {
    place: PathBuf,
    temporary: Option<PathBuf>,
}

impl Draft {
    /// Begins a file that will stand at `place`. What is no regular file there (a pipe, a device) is written directly.
    /// Errors: the folder is missing or not writable, or `place` is a folder.
    pub fn create(place: &Path) -> Result<(Draft, File), Complaint> {
        let unwritable = |error| Complaint::unwritable(place, &error);
        let name = match (place.file_name(), fs::metadata(place)) {
            (_, Ok(found)) if found.is_dir() => {
                return Err(Complaint::about(place, "this is a folder", "give the name of a file in it"));
            }
            (_, Ok(found)) if !found.is_file() => {
                let file = File::options().write(true).open(place).map_err(unwritable)?;
                return Ok((Draft { place: place.into(), temporary: None }, file));
            }
            (Some(name), _) => name.to_string_lossy(),
            (None, _) => return Err(Complaint::about(place, "this is not the name of a file", "give one")),
        };
        let temporary = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let file = File::create(&temporary).map_err(unwritable)?;
        Ok((Draft { place: place.into(), temporary: Some(temporary) }, file))
    }

    /// Where the file will stand.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Writes a whole text and gives the file its name.
    pub fn fill(self, mut file: File, text: &str) -> Result<(), Complaint> {
        file.write_all(text.as_bytes()).map_err(|error| Complaint::unwritable(&self.place, &error))?;
        self.publish()
    }

    /// Gives the finished file its name; what stood there is replaced.
    pub fn publish(mut self) -> Result<(), Complaint> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        fs::rename(temporary, &self.place).map_err(|error| Complaint::unwritable(&self.place, &error))?;
        self.temporary = None;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Refuses to write over a file that is read.
pub fn spare(inputs: &[Option<&Path>], outputs: &[Option<&Path>]) -> Result<(), Complaint> {
    let file = |path: &Path| path.canonicalize().ok().filter(|path| path.is_file());
    let read: Vec<_> = inputs.iter().flatten().filter_map(|path| file(path)).collect();
    match outputs.iter().flatten().find(|output| file(output).is_some_and(|output| read.contains(&output))) {
        Some(output) => Err(Complaint::about(output, "this file is read as well", "choose another name for the output")),
        None => Ok(()),
    }
}
