//! Files of the user that are replaced as a whole, so that an interruption leaves the old file or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Replaces `file` by one that contains `text`, and creates its folder if needed. If that fails, the old file stays intact. Errors: those of the
/// system, with the file or folder that could not be written.
pub fn replace<'a>(file: &'a Path, text: &str) -> Result<(), (&'a Path, io::Error)> {
    static DRAFTS: AtomicU32 = AtomicU32::new(0);
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| (folder, error))?;
    let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let draft = folder.join(format!(".{name}.{}.{number}.part", std::process::id()));
    let written = write(&draft, text).and_then(|()| fs::rename(&draft, file));
    written.map_err(|error| {
        let _ = fs::remove_file(&draft);
        (file, error)
    })
}

/// Writes a new file and waits until it is on disk.
fn write(file: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create_new(file)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
