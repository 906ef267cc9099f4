//! Generates a data set on several threads.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use urto_engine::formats::Origin;

use crate::dataset::error::DatasetError;
use crate::dataset::folder::{DatasetFolder, checksum, rows_name, shard_name};
use crate::dataset::manifest;
use crate::dataset::spec::DatasetSpec;
use crate::dataset::stroke::Stroke;

/// Strokes that are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Strokes of complete shards and of shards under way.
    pub done: u64,
    /// Strokes that were there before.
    pub before: u64,
    /// All strokes.
    pub all: u64,
}

/// A complete data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Number of strokes.
    pub strokes: u64,
    /// Number of shards.
    pub shards: u64,
    /// Strokes that this run rendered.
    pub rendered: u64,
}

/// Generates the data set of `spec` in `folder` on `jobs` threads, or completes it. `progress` is called after every stroke, from all threads.
/// Errors: a folder of another data set or of something else, or a file that cannot be written; complete shards stay.
pub fn generate(
    spec: &DatasetSpec,
    folder: &Path,
    jobs: usize,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Summary, DatasetError> {
    let missing = prepare(spec, folder)?;
    let strokes = |shards: &[u64]| shards.iter().map(|&shard| spec.strokes_of(shard).count() as u64).sum::<u64>();
    let before = spec.count - strokes(&missing);
    let (next, done, failed) = (AtomicU64::new(0), AtomicU64::new(before), AtomicBool::new(false));
    let report = || progress(Progress { done: done.load(Ordering::Relaxed), before, all: spec.count });
    let error = Mutex::new(None);
    let work = || {
        while let Some(&shard) = missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
            let written = write_counted(spec, folder, shard, &|| {
                done.fetch_add(1, Ordering::Relaxed);
                report();
                !failed.load(Ordering::Relaxed)
            });
            if let Err(problem) = written {
                failed.store(true, Ordering::Relaxed);
                error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(problem);
            }
            if failed.load(Ordering::Relaxed) {
                return;
            }
        }
    };
    report();
    std::thread::scope(|scope| (0..jobs.clamp(1, missing.len().max(1))).for_each(|_| drop(scope.spawn(work))));
    if let Some(problem) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(problem);
    }
    finish(spec, folder)?;
    Ok(Summary { strokes: spec.count, shards: spec.shards(), rendered: strokes(&missing) })
}

/// Makes `folder`, or checks that it holds this data set. Returns the numbers of the shards that are missing. Errors: as of [`generate`].
pub fn prepare(spec: &DatasetSpec, folder: &Path) -> Result<Vec<u64>, DatasetError> {
    let folder = DatasetFolder::at(folder);
    folder.open(spec)?;
    if folder.is_complete() {
        return Ok(Vec::new());
    }
    Ok((0..spec.shards()).filter(|&shard| !folder.has_shard(shard)).collect())
}

/// Renders and writes one shard into a folder that [`prepare`] has made; several processes may write different shards, or the same one.
/// Errors: a file that cannot be written.
pub fn write_shard(spec: &DatasetSpec, folder: &Path, shard: u64) -> Result<(), DatasetError> {
    write_counted(spec, folder, shard, &|| true)
}

/// As [`write_shard`]; `continues` is called after every stroke, and `false` ends the work.
fn write_counted(spec: &DatasetSpec, folder: &Path, shard: u64, continues: &dyn Fn() -> bool) -> Result<(), DatasetError> {
    let folder = DatasetFolder::at(folder);
    let name = shard_name(spec, shard);
    let indices = spec.strokes_of(shard);
    let mut samples = Vec::with_capacity(2 * spec.frames * indices.clone().count());
    let mut rows = Vec::new();
    for (place, index) in indices.enumerate() {
        let stroke = Stroke::render(spec, index);
        samples.extend_from_slice(&stroke.samples);
        rows.push(manifest::row(spec, &stroke, &name, place as u64));
        if !continues() {
            return Ok(());
        }
    }
    let failed = |problem: String| DatasetError::new(folder.path(&name).display(), problem, "report this as a fault of Urto");
    let sound = spec.format.encode(&samples, &origin(spec, &name)).map_err(failed)?;
    let mut text = format!("{}\n", checksum(&sound)).into_bytes();
    text.extend(manifest::to_csv(&rows).map_err(failed)?);
    folder.write(&name, &sound)?;
    folder.write(&rows_name(shard), &text)
}

/// The origin of the file `shard`.
fn origin(spec: &DatasetSpec, shard: &str) -> Origin {
    Origin { title: format!("Data set, {shard}"), seeds: format!("seed = {}", spec.seed) }
}

/// Writes the manifest of a data set whose shards are all there. Errors: a missing shard, or a file that cannot be written.
pub fn finish(spec: &DatasetSpec, folder: &Path) -> Result<(), DatasetError> {
    let folder = DatasetFolder::at(folder);
    if folder.is_complete() {
        folder.remove_rows();
        return Ok(());
    }
    let failed =
        |problem: String| DatasetError::new(folder.path("manifest.csv").display(), problem, "report this as a fault of Urto");
    let mut table = manifest::to_csv(&[manifest::header(spec)]).map_err(failed)?;
    let mut checksums = String::new();
    for shard in 0..spec.shards() {
        let rows = folder.read(&rows_name(shard))?;
        let end = rows.iter().position(|&byte| byte == b'\n').unwrap_or(rows.len());
        let sum = String::from_utf8_lossy(&rows[..end]);
        checksums += &format!("{sum}  {}\n", shard_name(spec, shard));
        table.extend_from_slice(rows.get(end + 1..).unwrap_or(&[]));
    }
    checksums += &format!("{}  manifest.csv\n", checksum(&table));
    folder.write("manifest.csv", &table)?;
    folder.write("checksums.txt", checksums.as_bytes())?;
    folder.remove_rows();
    Ok(())
}
