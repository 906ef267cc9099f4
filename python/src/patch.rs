//! Patches: sounds as data.

use std::path::PathBuf;

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use urto_engine::formats::{figure, or_nearest};
use urto_engine::params::{PARAMS, ParamId, ParamSpec};
use urto_engine::patch::{self, factory_presets, read_in, to_toml, value_of};

use crate::error::{fault, text_fault, unreadable};

/// A sound: the value of every parameter, and data that no parameter holds.
///
/// Parameters
/// ----------
/// name : str, optional
///     A built-in preset or kit, see `presets`. Without it every parameter has its default.
///
/// Examples
/// --------
/// >>> patch = urto.Patch("Rosewood Marimba")
/// >>> patch["hammer_mass"] = "12 g"
/// >>> patch["hammer_mass"]
/// 0.012
#[pyclass(module = "urto", from_py_object)]
#[derive(Clone)]
pub struct Patch {
    /// The data.
    pub inner: patch::Patch,
}

/// The patch of an argument: a `Patch`, or the name of a preset.
pub fn patch_of(py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<patch::Patch> {
    if let Ok(patch) = given.extract::<Patch>() {
        return Ok(patch.inner);
    }
    let name: String =
        given.extract().map_err(|_| fault(py, "patch", "neither a Patch nor a name", "give a Patch or the name of a preset"))?;
    named(py, &name)
}

fn named(py: Python<'_>, name: &str) -> PyResult<patch::Patch> {
    factory_presets::find(name).ok_or_else(|| {
        let near = or_nearest(name, factory_presets::names());
        fault(py, "name", format_args!("no preset \"{name}\"{near}"), "urto.presets() lists all names")
    })
}

fn param(id: &str) -> PyResult<ParamId> {
    ParamId::from_id(id).ok_or_else(|| {
        let near = or_nearest(id, PARAMS.iter().map(|param| param.id));
        PyKeyError::new_err(format!("no parameter \"{id}\"{near}; urto.parameters() lists all ids"))
    })
}

#[pymethods]
impl Patch {
    #[new]
    #[pyo3(signature = (name=None))]
    fn new(py: Python<'_>, name: Option<&str>) -> PyResult<Self> {
        Ok(Self { inner: name.map_or_else(|| Ok(patch::Patch::default()), |name| named(py, name))? })
    }

    /// A patch from the text of a preset file in TOML.
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str) -> PyResult<Self> {
        patch::from_toml(text).map(|inner| Self { inner }).map_err(|error| text_fault(py, &error))
    }

    /// A patch from a preset file in TOML; recordings that it names are looked for beside it.
    #[staticmethod]
    fn load(py: Python<'_>, file: PathBuf) -> PyResult<Self> {
        let text = std::fs::read_to_string(&file).map_err(|error| unreadable(py, &file, &error))?;
        read_in(file.parent(), &text).map(|(inner, _)| Self { inner }).map_err(|error| text_fault(py, &error))
    }

    /// The text of the preset file. Reading it gives an equal patch.
    fn to_toml(&self) -> String {
        to_toml(&self.inner)
    }

    /// An independent copy.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// The value of a parameter in its unit; of a choice its number.
    fn __getitem__(&self, id: &str) -> PyResult<f64> {
        Ok(self.inner.settings.get(param(id)?))
    }

    /// Sets a parameter to a number in its unit, or to a text with a unit or the word of a choice: ``"12 g"``, ``"bar"``.
    fn __setitem__(&mut self, py: Python<'_>, id: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let param = param(id)?;
        let spec = param.spec();
        let number = match value.cast::<PyString>() {
            Ok(text) => value_of(spec, &text.to_string()).map_err(|(problem, remedy)| fault(py, id, problem, remedy))?,
            Err(_) => value.extract::<f64>().map_err(|_| fault(py, id, "neither a number nor a text", range(spec)))?,
        };
        if !(spec.min..=spec.max).contains(&number) {
            return Err(fault(py, id, format_args!("{} is out of range", figure(number)), range(spec)));
        }
        self.inner.settings.set(param, number);
        Ok(())
    }

    /// Name.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// Author.
    #[getter]
    fn author(&self) -> &str {
        &self.inner.author
    }

    /// Keywords.
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.inner.tags.clone()
    }

    /// Description in one line.
    #[getter]
    fn description(&self) -> &str {
        &self.inner.description
    }

    /// Family of instruments.
    #[getter]
    fn family(&self) -> &str {
        &self.inner.family
    }

    /// Names of the zones of a kit; empty for a single sound.
    #[getter]
    fn zones(&self) -> Vec<String> {
        self.inner.zones.iter().map(|zone| zone.name.clone()).collect()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    fn __repr__(&self) -> String {
        format!("urto.Patch({:?})", self.inner.name)
    }
}

fn range(spec: &ParamSpec) -> String {
    format!("give a number from {} to {} {}", figure(spec.min), figure(spec.max), spec.unit).trim_end().to_owned()
}

/// Names of all built-in presets and kits.
#[pyfunction]
pub fn presets() -> Vec<&'static str> {
    let mut names: Vec<_> = factory_presets::names().collect();
    names.sort_unstable();
    names
}

/// Every parameter as a dictionary: id, name, group, unit, min, max, default, choices, hint.
#[pyfunction]
pub fn parameters(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let entry = |spec: &'static ParamSpec| {
        let entry = PyDict::new(py);
        for (key, text) in [("id", spec.id), ("name", spec.name), ("group", spec.group), ("unit", spec.unit), ("hint", spec.hint)]
        {
            entry.set_item(key, text)?;
        }
        for (key, number) in [("min", spec.min), ("max", spec.max), ("default", spec.default)] {
            entry.set_item(key, number)?;
        }
        entry.set_item("choices", spec.labels().to_vec())?;
        Ok(entry)
    };
    PARAMS.iter().map(entry).collect()
}
