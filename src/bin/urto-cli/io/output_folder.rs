//! Folders for several output files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::io::error::CliError;

/// A folder for output. The folders that it had to make are removed when it is dropped, if nothing has been written there.
pub struct OutputFolder {
    /// What was missing, the deepest first.
    made: Vec<PathBuf>,
}

impl OutputFolder {
    /// Makes `folder` and the folders above it as far as they are missing. Errors: they cannot be made.
    pub fn create(folder: &Path) -> Result<Self, CliError> {
        let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
        let made = Self { made: missing.map(Path::to_owned).collect() };
        fs::create_dir_all(folder).map_err(|error| CliError::unwritable(folder, error))?;
        Ok(made)
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        for folder in &self.made {
            // fails for a folder that is not empty
            let _ = fs::remove_dir(folder);
        }
    }
}
