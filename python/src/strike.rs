//! One fully measured strike.

use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;
use urto_physics::contact::ContactLaw;
use urto_physics::lab::{Method, TracePoint};

use crate::case_file;
use crate::error::{fault, text_fault};
use crate::input::Text;

/// The outcome of a strike.
///
/// All trajectories are float64 arrays of shape (n,): the initial state, every substep in contact and the end of every sample.
#[pyclass(frozen, module = "urto")]
pub struct Hit {
    points: Vec<TracePoint>,
    json: String,
}

impl Hit {
    fn array<'py>(&self, py: Python<'py>, value: impl Fn(&TracePoint) -> f64) -> Bound<'py, PyArray1<f64>> {
        self.points.iter().map(value).collect::<Vec<_>>().to_pyarray(py)
    }
}

#[pymethods]
impl Hit {
    /// Time [s], shape (n,).
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |point| point.time)
    }

    /// Compression [m], shape (n,); negative is the gap.
    #[getter]
    fn compression<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |point| point.compression)
    }

    /// Velocity of the compression [m/s], shape (n,).
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |point| point.velocity)
    }

    /// Force over the step that ends at each time [N], shape (n,).
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |point| point.force)
    }

    /// Position of the striker's contact point [m], shape (n,).
    #[getter]
    fn striker_position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |point| point.striker_position)
    }

    /// Velocity of the striker's contact point [m/s], shape (n,).
    #[getter]
    fn striker_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |point| point.striker_velocity)
    }

    /// Energy of the striker [J], shape (n,).
    #[getter]
    fn energy_striker<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |point| point.energy_striker)
    }

    /// Energy of the body [J], shape (n,).
    #[getter]
    fn energy_body<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |point| point.energy_body)
    }

    /// Energy in the contact [J], shape (n,).
    #[getter]
    fn energy_contact<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.array(py, |point| point.energy_contact)
    }

    /// The report as JSON text, the same as of ``urto-cli strike --json``.
    #[getter]
    fn json(&self) -> &str {
        &self.json
    }

    /// The report as a dictionary: contacts, state at the end, energy balance, cost and closed forms, in SI units.
    #[getter]
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (&self.json,))
    }

    /// The contacts in turn, as dictionaries: start, end, duration [s], velocity_in, velocity_out [m/s], max_compression [m], peak_force
    /// [N], energy_body, energy_striker [J].
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.report(py)?.get_item("contacts")
    }

    /// The closed forms of the contact on a rigid wall, or ``None`` where there are none.
    #[getter]
    fn closed_form<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.report(py)?.call_method1("get", ("closed_form",))
    }
}

/// Simulate one strike.
///
/// Parameters
/// ----------
/// case : str, os.PathLike or dict
///     The experiment in SI units: a text in TOML, the path of such a file, or a dictionary with the same keys, which the chapter "The
///     command line" of the manual lists under ``strike``. ``scheme`` selects Urto's solver or a scheme of the papers, see `schemes`.
///
/// Returns
/// -------
/// Hit
///     Trajectories, contacts, energy balance and closed forms. The numbers are those of ``urto-cli strike``.
///
/// Raises
/// ------
/// UrtoError
///     A fault in the case; ``field`` names its key, such as ``"striker.mass"``.
#[pyfunction]
pub fn strike(py: Python<'_>, case: &Bound<'_, PyAny>) -> PyResult<Hit> {
    let text = Text::of(py, case)?.text;
    let experiment = case_file::from_text(&text).map_err(|error| text_fault(py, &error))?;
    let (points, report) = py.detach(|| {
        let mut points = Vec::new();
        let report = experiment.run(&mut |point: &TracePoint| points.push(*point));
        (points, report)
    });
    let json = serde_json::to_string_pretty(&report).map_err(|error| fault(py, "", error, "report this as a fault of Urto"))?;
    Ok(Hit { points, json })
}

/// Names of the numerical schemes that a case may have as ``scheme``: Urto's solver and those of the papers.
#[pyfunction]
pub fn schemes() -> Vec<&'static str> {
    Method::NAMES.to_vec()
}

/// Names of the contact laws that a case may have as ``contact.law``.
#[pyfunction]
pub fn laws() -> Vec<&'static str> {
    ContactLaw::NAMES.to_vec()
}
