//! The compiled module of the Python package `urto`.
#![forbid(unsafe_code)]

mod body;
#[path = "../../src/bin/urto-cli/arguments/case_file.rs"]
#[allow(dead_code)]
mod case_file;
mod dataset;
mod engine;
mod error;
mod input;
mod io;
mod patch;
mod strike;

use pyo3::prelude::*;

/// Strikes, bodies, patches, renderings and data sets.
#[pymodule]
fn _urto(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<strike::Hit>()?;
    module.add_class::<patch::Patch>()?;
    module.add_class::<body::Body>()?;
    module.add_class::<engine::Engine>()?;
    module.add_function(wrap_pyfunction!(strike::strike, module)?)?;
    module.add_function(wrap_pyfunction!(strike::schemes, module)?)?;
    module.add_function(wrap_pyfunction!(strike::laws, module)?)?;
    module.add_function(wrap_pyfunction!(patch::presets, module)?)?;
    module.add_function(wrap_pyfunction!(patch::parameters, module)?)?;
    module.add_function(wrap_pyfunction!(dataset::dataset, module)?)?;
    module.add_function(wrap_pyfunction!(dataset::dataset_prepare, module)?)?;
    module.add_function(wrap_pyfunction!(dataset::dataset_shard, module)?)?;
    module.add_function(wrap_pyfunction!(dataset::dataset_finish, module)?)?;
    module.add_function(wrap_pyfunction!(dataset::dataset_verify, module)?)
}
