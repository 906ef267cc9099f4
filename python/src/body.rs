//! Bodies: the modes of a patch on a key.

use std::path::{Path, PathBuf};

use numpy::{PyArray1, PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use urto::body::{BodyMode, BodyModes};
use urto_engine::formats::{WavError, WavFile};
use urto_engine::import::{Form, from_recording, from_text, recorded_strike};
use urto_engine::params::ParamId;
use urto_engine::patch;
use urto_physics::analysis::{Options, estimate};

use crate::error::{fault, text_fault, unreadable};
use crate::patch::{Patch, patch_of};

/// The modes of a body as hammer and pickups meet them.
///
/// Parameters
/// ----------
/// patch : Patch or str
///     A patch or the name of a preset; not a kit.
/// key : int
///     Key, 0 to 127; 69 is A4.
/// rate : float
///     Sample rate [Hz], which limits the modes to min(20 kHz, 0.48 rate).
#[pyclass(frozen, module = "urto")]
pub struct Body {
    patch: patch::Patch,
    key: u8,
    rate: f64,
    modes: BodyModes,
}

impl Body {
    fn on(py: Python<'_>, patch: patch::Patch, key: u8, rate: f64) -> PyResult<Self> {
        if key > 127 {
            return Err(fault(py, "key", format_args!("{key} is out of range"), "give a key from 0 to 127"));
        }
        if !(4e3..=1e6).contains(&rate) {
            return Err(fault(py, "rate", format_args!("{rate} is out of range"), "give a rate from 4000 to 1e6 Hz"));
        }
        if !patch.zones.is_empty() {
            return Err(fault(py, "patch", "a kit has no body of its own", "give a sound without zones"));
        }
        let modes = py.detach(|| BodyModes::of_key(&patch, key, rate));
        let modes =
            modes.ok_or_else(|| fault(py, "key", format_args!("key {key} has no pitch"), "choose another key or tuning"))?;
        Ok(Self { patch, key, rate, modes })
    }

    /// The body of `patch` on `key`, or on its home key.
    fn imported(py: Python<'_>, patch: patch::Patch, key: Option<u8>, rate: f64) -> PyResult<Self> {
        let home = patch.settings.get(ParamId::HomeKey) as u8;
        Self::on(py, patch, key.unwrap_or(home), rate)
    }

    fn array<'py>(&self, py: Python<'py>, value: impl Fn(&BodyMode) -> f64) -> Bound<'py, PyArray1<f64>> {
        self.modes.modes.iter().map(value).collect::<Vec<_>>().to_pyarray(py)
    }
}

#[pymethods]
impl Body {
    #[new]
    #[pyo3(signature = (patch, key=60, rate=48_000.0))]
    fn new(py: Python<'_>, patch: &Bound<'_, PyAny>, key: u8, rate: f64) -> PyResult<Self> {
        Self::on(py, patch_of(py, patch)?, key, rate)
    }

    /// A body from a table of measured modes in CSV, JSON or TOML, as of ``urto-cli modes from-file``.
    #[staticmethod]
    #[pyo3(signature = (file, key=None, rate=48_000.0))]
    fn from_csv(py: Python<'_>, file: PathBuf, key: Option<u8>, rate: f64) -> PyResult<Self> {
        let text = std::fs::read_to_string(&file).map_err(|error| unreadable(py, &file, &error))?;
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let form = Form::of_extension(&extension).ok_or_else(|| {
            fault(py, file.display(), "not a table of modes", "give a file that ends in .csv, .tsv, .json or .toml")
        })?;
        let patch = from_text(&text, form).map_err(|error| text_fault(py, &error))?;
        Self::imported(py, patch, key, rate)
    }

    /// A body from a recording of one strike that rings out (WAV), as of ``urto-cli modes from-wav``.
    #[staticmethod]
    #[pyo3(signature = (file, key=None, rate=48_000.0))]
    fn from_wav(py: Python<'_>, file: PathBuf, key: Option<u8>, rate: f64) -> PyResult<Self> {
        let wave = wave(py, &file)?;
        let remedy = "give a recording of one strike that rings out, for example 2 s long";
        let patch = py.detach(|| {
            let recording = recorded_strike(&wave);
            let estimated =
                estimate(&recording.mono(), recording.rate, &Options::default()).ok_or("the recording is silent or too short")?;
            from_recording(&estimated, &recording).ok_or("no partial was found")
        });
        let patch = patch.map_err(|problem| fault(py, file.display(), problem, remedy))?;
        Self::imported(py, patch, key, rate)
    }

    /// The patch of the body, to be played by an `Engine`.
    #[getter]
    fn patch(&self) -> Patch {
        Patch { inner: self.patch.clone() }
    }

    /// Key, 0 to 127.
    #[getter]
    fn key(&self) -> u8 {
        self.key
    }

    /// Frequency of the ratio 1 [Hz].
    #[getter]
    fn frequency(&self) -> f64 {
        self.modes.frequency
    }

    /// Mass of the body [kg].
    #[getter]
    fn mass(&self) -> f64 {
        self.modes.mass
    }

    /// Frequencies of the modes [Hz], shape (n,), lowest first.
    #[getter]
    fn frequencies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |mode| mode.frequency)
    }

    /// Decay rates sigma of the amplitudes [1/s], shape (n,).
    #[getter]
    fn decay_rates<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |mode| mode.decay_rate)
    }

    /// Times to -60 dB [s], shape (n,): ln(1000)/sigma.
    #[getter]
    fn t60<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |mode| 1000_f64.ln() / mode.decay_rate)
    }

    /// Weights phi/sqrt(modal mass) [kg^-1/2], shape (n, 3): at the strike position, the left and the right pickup.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let all: Vec<f64> =
            self.modes.modes.iter().flat_map(|mode| [mode.weight_strike, mode.weight_left, mode.weight_right]).collect();
        all.to_pyarray(py).reshape([self.modes.modes.len(), 3])
    }

    /// Families of the modes: nodal diameters and circles of round bodies, (p, q) of plates; ``None`` without families.
    #[getter]
    fn families(&self) -> Vec<Option<(u32, u32)>> {
        self.modes.modes.iter().map(|mode| mode.family).collect()
    }

    /// Mode shapes at positions on the body.
    ///
    /// Parameters
    /// ----------
    /// positions : sequence of float
    ///     Positions along the body, 0 to 1, as the parameter ``position``.
    /// across : float, optional
    ///     Position across the body, 0 to 1; that of the patch by default.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     Weights phi/sqrt(modal mass) [kg^-1/2], float64, shape (len(positions), n).
    #[pyo3(signature = (positions, across=None))]
    fn shapes<'py>(&self, py: Python<'py>, positions: Vec<f64>, across: Option<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        if let Some(outside) = positions.iter().chain(&across).find(|position| !(0.0..=1.0).contains(*position)) {
            return Err(fault(py, "positions", format_args!("{outside} is out of range"), "give positions from 0 to 1"));
        }
        let all = py.detach(|| {
            let mut patch = self.patch.clone();
            if let Some(across) = across {
                patch.settings.set(ParamId::StrikeAcross, across);
            }
            let mut all = Vec::new();
            for &position in &positions {
                patch.settings.set(ParamId::StrikePosition, position);
                let modes = BodyModes::of_key(&patch, self.key, self.rate);
                all.extend(modes.iter().flat_map(|body| &body.modes).map(|mode| mode.weight_strike));
            }
            all
        });
        all.to_pyarray(py).reshape([positions.len(), self.modes.modes.len()])
    }

    fn __len__(&self) -> usize {
        self.modes.modes.len()
    }
}

/// The content of a WAV file.
pub fn wave(py: Python<'_>, file: &Path) -> PyResult<WavFile> {
    WavFile::read(file).map_err(|error| match error {
        WavError::System(error) => unreadable(py, file, &error),
        WavError::Content(problem, remedy) => fault(py, file.display(), problem, remedy),
    })
}
