//! A file that appears under its name only when it is complete.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::complaint::Complaint;

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

/// Writes a whole text at once.
pub fn write_text(place: &Path, text: &str) -> Result<(), Complaint> {
    let (draft, mut file) = Draft::create(place)?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(|error| Complaint::unwritable(place, &error))?;
    draft.publish()
}
