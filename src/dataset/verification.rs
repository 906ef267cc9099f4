//! Verifies a complete data set: checksums of all files, and the rows of the manifest.

use std::path::Path;

use crate::dataset::error::DatasetError;
use crate::dataset::folder::{DatasetFolder, checksum};
use crate::dataset::generation::Summary;

/// Verifies the data set in `folder`. Errors: it is not complete, a file is missing or has another checksum, or a stroke is missing or
/// doubled in the manifest.
pub fn verify(folder: &Path) -> Result<Summary, DatasetError> {
    let root = DatasetFolder::at(folder);
    let Some(description) = root.description()? else {
        return Err(DatasetError::new(folder.display(), "not a data set of Urto", "give the folder of a data set"));
    };
    if !root.is_complete() {
        let remedy = "run the command without --verify to complete it";
        return Err(DatasetError::new(folder.display(), "the data set is not complete", remedy));
    }
    let damaged = |name: &str, problem: &str| {
        DatasetError::new(root.path(name).display(), problem, "generate the data set again in a new folder")
    };
    let checksums = String::from_utf8(root.read("checksums.txt")?).map_err(|_| damaged("checksums.txt", "not UTF-8 text"))?;
    let mut shards = 0;
    for line in checksums.lines() {
        let (sum, name) = line.split_once("  ").ok_or_else(|| damaged("checksums.txt", "damaged"))?;
        if checksum(&root.read(name)?) != sum {
            return Err(damaged(name, "the checksum differs: the file is damaged or was changed"));
        }
        shards += u64::from(name.starts_with("shards/"));
    }
    let mut reader = csv::Reader::from_path(root.path("manifest.csv")).map_err(|_| damaged("manifest.csv", "cannot be read"))?;
    let mut strokes = 0;
    for row in reader.records() {
        let row = row.map_err(|_| damaged("manifest.csv", "damaged"))?;
        if row.get(0) != Some(&strokes.to_string()) {
            return Err(damaged("manifest.csv", "a stroke is missing or doubled"));
        }
        strokes += 1;
    }
    if strokes != description.strokes {
        return Err(damaged("manifest.csv", "strokes are missing at the end"));
    }
    Ok(Summary { strokes, shards, rendered: 0 })
}
