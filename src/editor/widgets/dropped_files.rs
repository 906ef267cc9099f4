//! Files dropped on the window, where the window library does not report them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use egui::{Context, DroppedFile, DroppedFileHandle, Plugin, RawInput};

/// Files that the window system reports as dropped, until the next frame takes them.
#[derive(Clone, Default)]
pub struct DroppedFiles(Arc<Mutex<Vec<PathBuf>>>);

impl DroppedFiles {
    /// Adds `files`.
    pub fn add(&self, files: Vec<PathBuf>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(files);
    }
}

impl Plugin for DroppedFiles {
    fn debug_name(&self) -> &'static str {
        "dropped files"
    }

    fn input_hook(&mut self, _: &Context, input: &mut RawInput) {
        let files = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        input.dropped_files.extend(files.into_iter().map(|file| Arc::new(DroppedPath(file)) as DroppedFileHandle));
    }
}

/// A dropped file of the file system.
#[derive(Debug)]
struct DroppedPath(PathBuf);

impl DroppedFile for DroppedPath {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}
