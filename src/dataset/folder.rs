//! The folder of a data set. A file gets its name when it is complete and on the disk, and a shard counts once its rows have theirs.
//!
//! | file | contains |
//! |-|-|
//! | `dataset.toml` | version, fingerprint, number of strokes, the specification; written first |
//! | `shards/00000.flac` | the sound of a shard |
//! | `rows/00000.csv` | the manifest of a shard, whose first line is the checksum of its sound; written after it |
//! | `manifest.csv`, `checksums.txt` | all rows, and the checksums of all shards; written last, then `rows` is removed |

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::dataset::error::DatasetError;
use crate::dataset::spec::DatasetSpec;

/// Ending of the names of unfinished files.
const UNFINISHED: &str = "part";
/// Name of the description.
const DESCRIPTION: &str = "dataset.toml";

/// The folder of a data set.
pub struct DatasetFolder<'a> {
    root: &'a Path,
}

/// What the description of a data set says.
pub struct Description {
    /// Fingerprint of specification, presets and version.
    pub fingerprint: String,
    /// Number of strokes.
    pub strokes: u64,
}

impl<'a> DatasetFolder<'a> {
    /// The folder `root`, which may not exist yet.
    pub fn at(root: &'a Path) -> Self {
        Self { root }
    }

    /// Makes the folder and writes its description, or checks that it holds an unfinished or complete data set of `spec`. Unfinished files
    /// are removed. Errors: another data set, or files of something else; nothing is then written.
    pub fn open(&self, spec: &DatasetSpec) -> Result<(), DatasetError> {
        let fingerprint = checksum(spec.identity().as_bytes());
        match self.description() {
            Ok(Some(found)) if found.fingerprint == fingerprint => {}
            Ok(Some(_)) => {
                let problem = "the folder holds a data set of another specification, other presets or another version";
                return Err(DatasetError::new(
                    self.root.display(),
                    problem,
                    "choose another folder, or restore the specification",
                ));
            }
            Ok(None) => {
                self.check_is_empty()?;
                fs::create_dir_all(self.root).map_err(|error| DatasetError::unwritable(self.root, &error))?;
                self.write(DESCRIPTION, description(spec, &fingerprint).as_bytes())?;
            }
            Err(error) => return Err(error),
        }
        for folder in ["shards", "rows"] {
            let path = self.root.join(folder);
            if folder == "shards" || !self.is_complete() {
                fs::create_dir_all(&path).map_err(|error| DatasetError::unwritable(&path, &error))?;
            }
            self.remove_unfinished(&path);
        }
        self.remove_unfinished(self.root);
        Ok(())
    }

    /// The description; `None` without one. Errors: it cannot be read.
    pub fn description(&self) -> Result<Option<Description>, DatasetError> {
        let path = self.root.join(DESCRIPTION);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
                return Err(DatasetError::unwritable(self.root, &error));
            }
            Err(error) => return Err(DatasetError::unreadable(&path, &error)),
        };
        let read = text.parse::<toml::Table>().ok().and_then(|table| {
            let number = |key: &str| table.get(key)?.as_integer().and_then(|number| u64::try_from(number).ok());
            let fingerprint = table.get("fingerprint")?.as_str()?.to_owned();
            Some(Description { fingerprint, strokes: number("strokes")? })
        });
        let damaged = || DatasetError::new(path.display(), "damaged, or not of a data set", "choose another folder");
        read.map(Some).ok_or_else(damaged)
    }

    fn check_is_empty(&self) -> Result<(), DatasetError> {
        // Windows gives other errors for a file in the place of a folder
        if self.root.is_file() {
            return Err(DatasetError::unwritable(self.root, &std::io::ErrorKind::NotADirectory.into()));
        }
        let entries = match fs::read_dir(self.root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(DatasetError::unwritable(self.root, &error)),
        };
        // a description that was being written when the program was ended
        let is_ours = |entry: &fs::DirEntry| is_unfinished(&entry.path());
        if entries.flatten().any(|entry| !is_ours(&entry)) {
            let problem = "the folder contains files that are not of a data set";
            return Err(DatasetError::new(self.root.display(), problem, "choose an empty or a new folder"));
        }
        Ok(())
    }

    fn remove_unfinished(&self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| is_unfinished(&entry.path())) {
            let _ = fs::remove_file(entry.path());
        }
    }

    /// Whether the manifest is written.
    pub fn is_complete(&self) -> bool {
        self.path("checksums.txt").is_file() && self.path("manifest.csv").is_file()
    }

    /// Whether sound and rows of a shard are complete.
    pub fn has_shard(&self, shard: u64) -> bool {
        self.path(&rows_name(shard)).is_file()
    }

    /// The path of the file `name`.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The content of the file `name`. Errors: it cannot be read.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, DatasetError> {
        let path = self.path(name);
        fs::read(&path).map_err(|error| DatasetError::unreadable(&path, &error))
    }

    /// Writes the file `name`: its bytes are on the disk before it gets its name. Errors: it cannot be written; nothing of it is left.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), DatasetError> {
        let path = self.path(name);
        // several processes may write the same shard, with the same bytes
        let unfinished = self.path(&format!("{name}.{}.{UNFINISHED}", std::process::id()));
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&unfinished)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)?;
            sync_folder(&path);
            Ok(())
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&unfinished);
            DatasetError::unwritable(&path, &error)
        })
    }

    /// Removes the rows of the shards, which the manifest contains.
    pub fn remove_rows(&self) {
        let _ = fs::remove_dir_all(self.path("rows"));
    }
}

/// Makes a new name of a file durable, where the system needs it.
fn sync_folder(path: &Path) {
    if cfg!(unix)
        && let Some(folder) = path.parent()
    {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Name of the file with the sound of a shard.
pub fn shard_name(spec: &DatasetSpec, shard: u64) -> String {
    format!("shards/{shard:05}.{}", spec.format.extension())
}

/// Name of the file with the rows of a shard.
pub fn rows_name(shard: u64) -> String {
    format!("rows/{shard:05}.csv")
}

/// SHA-256 of `bytes` in hexadecimal digits.
pub fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_unfinished(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == UNFINISHED)
}

fn description(spec: &DatasetSpec, fingerprint: &str) -> String {
    let text = toml::Value::String(spec.text.clone());
    let presets: toml::Table =
        spec.presets.iter().map(|patch| (patch.name.clone(), toml::Value::String(urto_engine::patch::to_toml(patch)))).collect();
    format!(
        "# A data set of Urto. Do not change this file: it says whether a run continues this data set.\nversion = \"{}\"\n\
         fingerprint = \"{fingerprint}\"\nstrokes = {}\nframes = {}\nshards = {}\nspecification = {text}\n\n[presets]\n{presets}",
        env!("CARGO_PKG_VERSION"),
        spec.count,
        spec.frames,
        spec.shards()
    )
}
