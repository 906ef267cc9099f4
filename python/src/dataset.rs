//! Data sets.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use urto::dataset::{DatasetSpec, Progress, Summary, finish, generate, prepare, verify, write_shard};

use crate::error::{dataset_fault, fault};
use crate::input::Text;

/// Shortest time between two calls of `progress`.
const INTERVAL: Duration = Duration::from_millis(100);

fn spec_of(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<DatasetSpec> {
    let Text { text, folder } = Text::of(py, given)?;
    DatasetSpec::from_toml(&text, folder.as_deref()).map_err(|error| dataset_fault(py, &error))
}

fn summary_of<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let dictionary = PyDict::new(py);
    dictionary.set_item("strokes", summary.strokes)?;
    dictionary.set_item("shards", summary.shards)?;
    dictionary.set_item("rendered", summary.rendered)?;
    Ok(dictionary)
}

/// Generate a data set, or complete an unfinished one.
///
/// Parameters
/// ----------
/// spec : str, os.PathLike or dict
///     The specification: a text in TOML, the path of such a file, or a dictionary with the same keys, which the chapter "Data sets" of the
///     manual lists.
/// folder : str or os.PathLike
///     Folder of the data set.
/// jobs : int, optional
///     Number of threads; the number of processors by default. It does not change the output.
/// progress : callable, optional
///     Called as ``progress(done, all)`` with numbers of strokes, at most ten times a second.
///
/// Returns
/// -------
/// dict
///     ``strokes``, ``shards``, and the number of strokes ``rendered`` by this call.
///
/// Raises
/// ------
/// UrtoError
///     A fault in the specification, a folder of something else, or a file that cannot be written; complete shards stay.
#[pyfunction]
#[pyo3(signature = (spec, folder, jobs=None, progress=None))]
pub fn dataset<'py>(
    py: Python<'py>,
    spec: &Bound<'py, PyAny>,
    folder: PathBuf,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let spec = spec_of(py, spec)?;
    let jobs = jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get()));
    if jobs == 0 {
        return Err(fault(py, "jobs", "0 is out of range", "give a number of at least 1"));
    }
    let called = Mutex::new((None::<Instant>, None::<PyErr>));
    let report = |done: Progress| {
        let Some(progress) = &progress else { return };
        let Ok(mut last) = called.try_lock() else { return };
        if last.1.is_some() || done.done < done.all && last.0.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        last.0 = Some(Instant::now());
        last.1 = Python::attach(|py| progress.call1(py, (done.done, done.all))).err();
    };
    let summary = py.detach(|| generate(&spec, &folder, jobs, &report)).map_err(|error| dataset_fault(py, &error))?;
    if let Ok((_, Some(error))) = called.into_inner() {
        return Err(error);
    }
    summary_of(py, &summary)
}

/// Make the folder of a data set, for workers of their own: returns the numbers of the shards that are missing.
#[pyfunction]
pub fn dataset_prepare(py: Python<'_>, spec: &Bound<'_, PyAny>, folder: PathBuf) -> PyResult<Vec<u64>> {
    let spec = spec_of(py, spec)?;
    prepare(&spec, &folder).map_err(|error| dataset_fault(py, &error))
}

/// Render one shard into a folder that `dataset_prepare` has made. Several processes may render shards; a shard that is rendered again gets the
/// same bytes.
#[pyfunction]
pub fn dataset_shard(py: Python<'_>, spec: &Bound<'_, PyAny>, folder: PathBuf, shard: u64) -> PyResult<()> {
    let spec = spec_of(py, spec)?;
    if shard >= spec.shards() {
        let remedy = format!("give a number below {}", spec.shards());
        return Err(fault(py, "shard", format_args!("there is no shard {shard}"), remedy));
    }
    py.detach(|| write_shard(&spec, &folder, shard)).map_err(|error| dataset_fault(py, &error))
}

/// Write the manifest of a data set whose shards are all there.
#[pyfunction]
pub fn dataset_finish(py: Python<'_>, spec: &Bound<'_, PyAny>, folder: PathBuf) -> PyResult<()> {
    let spec = spec_of(py, spec)?;
    py.detach(|| finish(&spec, &folder)).map_err(|error| dataset_fault(py, &error))
}

/// Verify a complete data set: checksums of all files, and the strokes of the manifest. Returns ``strokes`` and ``shards``.
#[pyfunction]
pub fn dataset_verify(py: Python<'_>, folder: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let summary = py.detach(|| verify(&folder)).map_err(|error| dataset_fault(py, &error))?;
    summary_of(py, &summary)
}
