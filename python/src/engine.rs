//! The instrument: notes in, arrays out.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use numpy::{PyArrayDyn, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use urto_engine::patch::OUTPUTS;
use urto_engine::{EngineConfig, Event, HitPulse, NoteId};

use crate::error::fault;
use crate::input::dictionary;
use crate::io::midi_file;
use crate::patch::patch_of;

/// Frames between two checks whether the sound has ended, as of `urto-cli render`.
const END_CHECK_INTERVAL: u64 = 1024;
/// Frames of a block.
const BLOCK: usize = 512;
/// Maximum automatic tail [s], as of `urto-cli render`.
const MAX_TAIL: f64 = 600.0;
/// Maximum length of a rendering [frames].
const MAX_FRAMES: u64 = 1 << 31;

/// An instrument that plays one patch.
///
/// Parameters
/// ----------
/// patch : Patch or str
///     A patch or the name of a preset or kit.
/// rate : int
///     Sample rate [Hz], 4000 to 1000000.
/// voices : int
///     Maximum number of voices, 1 to 256.
/// energy_balance : bool
///     Records the energy balance of every voice; slower, and does not change the sound.
///
/// Notes
/// -----
/// Every rendering begins in silence and is the same in any process and thread. While it renders, other Python threads run.
#[pyclass(frozen, module = "urto")]
pub struct Engine {
    state: Mutex<State>,
    rate: u32,
}

struct State {
    engine: urto_engine::Engine,
    hits: Vec<HitPulse>,
}

/// An event at a frame.
struct Timed {
    frame: u64,
    event: Event,
}

/// What a rendering returns besides the main output.
#[derive(Clone, Copy)]
struct Wanted {
    stems: bool,
    hits: bool,
}

/// The end of a rendering.
#[derive(Clone, Copy)]
struct End {
    last: u64,
    limit: u64,
    is_automatic: bool,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (patch, rate=48_000, voices=64, energy_balance=false))]
    fn new(py: Python<'_>, patch: &Bound<'_, PyAny>, rate: u32, voices: usize, energy_balance: bool) -> PyResult<Self> {
        if !(4_000..=1_000_000).contains(&rate) {
            return Err(fault(py, "rate", format_args!("{rate} is out of range"), "give a rate from 4000 to 1000000 Hz"));
        }
        if !(1..=256).contains(&voices) {
            return Err(fault(py, "voices", format_args!("{voices} is out of range"), "give a number from 1 to 256"));
        }
        let patch = patch_of(py, patch)?;
        let engine = py.detach(|| {
            let config = EngineConfig { voices, ..EngineConfig::at(f64::from(rate)) };
            let mut engine = urto_engine::Engine::new(config, &patch);
            if energy_balance {
                engine.enable_energy_balance();
            }
            engine
        });
        Ok(Self { state: Mutex::new(State { engine, hits: Vec::new() }), rate })
    }

    /// Render notes.
    ///
    /// Parameters
    /// ----------
    /// notes : sequence of tuple
    ///     (time [s], key 0 to 127, velocity 1 to 127) or (time, key, velocity, duration [s]). Without a duration the key is held.
    /// length : float, optional
    ///     Length [s]. By default rendering ends when all voices are silent, 600 s after the last event at the latest.
    /// stems : bool
    ///     Returns every output bus of a kit.
    /// hits : bool
    ///     Records every contact, see `hits`; slower.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     float32, full scale 1; shape (frames, 2), or (8, frames, 2) with ``stems``.
    #[pyo3(signature = (notes, length=None, stems=false, hits=false))]
    fn render<'py>(
        &self,
        py: Python<'py>,
        notes: &Bound<'py, PyAny>,
        length: Option<f64>,
        stems: bool,
        hits: bool,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let mut events = Vec::new();
        for (n, note) in notes.try_iter()?.enumerate() {
            self.add_note(py, n, &note?, &mut events)?;
        }
        events.sort_by_key(|timed| timed.frame);
        let last = events.last().map_or(0, |timed| timed.frame);
        let end = match length {
            Some(length) => End { last, limit: self.frames(py, "length", length)?, is_automatic: false },
            None => self.automatic(last),
        };
        self.play(py, &events, end, Wanted { stems, hits })
    }

    /// Render a MIDI file, as ``urto-cli render --preset`` does, bit for bit.
    ///
    /// Parameters
    /// ----------
    /// file : str or os.PathLike
    ///     MIDI file of format 0 or 1. Its program changes are ignored.
    /// tail : float, optional
    ///     Time after the last event [s]. By default rendering ends when all voices are silent.
    /// stems, hits : bool
    ///     As of `render`.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray
    ///     As of `render`.
    #[pyo3(signature = (file, tail=None, stems=false, hits=false))]
    fn render_midi<'py>(
        &self,
        py: Python<'py>,
        file: PathBuf,
        tail: Option<f64>,
        stems: bool,
        hits: bool,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let bytes = std::fs::read(&file).map_err(|error| crate::error::unreadable(py, &file, &error))?;
        let song =
            midi_file::from_bytes(&bytes, self.rate).map_err(|error| fault(py, file.display(), error.problem, error.remedy))?;
        let last = song.last();
        let end = match tail {
            Some(tail) => End { last, limit: last + self.frames(py, "tail", tail)?, is_automatic: false },
            None => self.automatic(last),
        };
        let events: Vec<Timed> = song.events.iter().map(|timed| Timed { frame: timed.frame, event: timed.event }).collect();
        self.play(py, &events, end, Wanted { stems, hits })
    }

    /// The contacts of the last rendering with ``hits=True``, as dictionaries: key, velocity_in, velocity_out [m/s], mass [kg], duration [s],
    /// peak_force [N], max_compression [m], energy_in, energy_hammer, energy_body, energy_contact_loss, energy_decay [J].
    #[getter]
    fn hits<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = |hit: &HitPulse| {
            dictionary(
                py,
                &[
                    ("key", f64::from(hit.key)),
                    ("velocity_in", hit.velocity_in),
                    ("velocity_out", hit.velocity_out),
                    ("mass", hit.mass),
                    ("duration", hit.duration),
                    ("peak_force", hit.peak_force),
                    ("max_compression", hit.max_compression),
                    ("energy_in", hit.energy_in),
                    ("energy_hammer", hit.energy_hammer),
                    ("energy_body", hit.energy_body),
                    ("energy_contact_loss", hit.energy_contact_loss),
                    ("energy_decay", hit.energy_decay()),
                ],
            )
        };
        state.hits.iter().map(entry).collect()
    }

    /// The largest errors of all energy balances since the engine was made with ``energy_balance=True``: balance and unsupplied, relative to the
    /// largest energy.
    #[getter]
    fn energy_balance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = self.state.lock().unwrap_or_else(PoisonError::into_inner).engine.energy_balance_report();
        dictionary(py, &[("balance", report.balance), ("unsupplied", report.unsupplied)])
    }

    /// Sample rate [Hz].
    #[getter]
    fn rate(&self) -> u32 {
        self.rate
    }
}

impl Engine {
    fn frames(&self, py: Python<'_>, field: &str, seconds: f64) -> PyResult<u64> {
        let frames = (seconds * f64::from(self.rate)).round();
        if !(0.0..=MAX_FRAMES as f64).contains(&frames) {
            return Err(fault(
                py,
                field,
                format_args!("{seconds} s is out of range"),
                "give a time of at least 0 s that fits into memory",
            ));
        }
        Ok(frames as u64)
    }

    fn automatic(&self, last: u64) -> End {
        End { last, limit: last + (MAX_TAIL * f64::from(self.rate)) as u64, is_automatic: true }
    }

    fn add_note(&self, py: Python<'_>, n: usize, note: &Bound<'_, PyAny>, events: &mut Vec<Timed>) -> PyResult<()> {
        let place = |what: &str| format!("notes[{n}].{what}");
        let numbers: Vec<f64> = note.extract().map_err(|_| {
            fault(
                py,
                format_args!("notes[{n}]"),
                "not a tuple of numbers",
                "give (time, key, velocity) or (time, key, velocity, duration)",
            )
        })?;
        let (time, key, velocity, duration) = match numbers[..] {
            [time, key, velocity] => (time, key, velocity, None),
            [time, key, velocity, duration] => (time, key, velocity, Some(duration)),
            _ => {
                return Err(fault(
                    py,
                    format_args!("notes[{n}]"),
                    format_args!("{} numbers", numbers.len()),
                    "give three or four",
                ));
            }
        };
        if !((0.0..=127.0).contains(&key) && key.fract() == 0.0) {
            return Err(fault(py, place("key"), format_args!("{key} is not a key"), "give a whole number from 0 to 127"));
        }
        if !(velocity > 0.0 && velocity <= 127.0) {
            return Err(fault(
                py,
                place("velocity"),
                format_args!("{velocity} is out of range"),
                "give a number above 0 and up to 127",
            ));
        }
        let start = self.frames(py, &place("time"), time)?;
        let note = NoteId { voice: None, channel: 0, key: key as u8 };
        events.push(Timed { frame: start, event: Event::NoteOn { note, velocity: f64::from(velocity as f32 / 127.0) } });
        if let Some(duration) = duration {
            let frame = self.frames(py, &place("duration"), time + duration)?.max(start);
            events.push(Timed { frame, event: Event::NoteOff { note, velocity: 0.5 } });
        }
        Ok(())
    }

    fn play<'py>(&self, py: Python<'py>, events: &[Timed], end: End, wanted: Wanted) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let outputs = if wanted.stems { OUTPUTS } else { 1 };
        let samples = py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.rendered(events, end, outputs, wanted.hits)
        });
        let frames = samples[0].len() / 2;
        let shape = if wanted.stems { vec![outputs, frames, 2] } else { vec![frames, 2] };
        samples.concat().to_pyarray(py).reshape(shape)
    }
}

impl State {
    /// The samples of every output, left and right in turn.
    fn rendered(&mut self, events: &[Timed], end: End, outputs: usize, wants_hits: bool) -> Vec<Vec<f32>> {
        let Self { engine, hits } = self;
        engine.reset();
        hits.clear();
        engine.take_hit();
        let block = if wants_hits { 1 } else { BLOCK };
        let mut buffers = vec![[[0.0_f32; BLOCK]; 2]; outputs];
        let mut samples = vec![Vec::new(); outputs];
        let (mut upcoming, mut frame) = (events.iter().peekable(), 0);
        loop {
            while let Some(timed) = upcoming.next_if(|timed| timed.frame <= frame) {
                engine.event(&timed.event);
            }
            while engine.next_ended().is_some() {}
            let has_ended =
                end.is_automatic && frame >= end.last && frame.is_multiple_of(END_CHECK_INTERVAL) && engine.is_asleep();
            if frame >= end.limit || has_ended {
                return samples;
            }
            let check = (frame / END_CHECK_INTERVAL + 1) * END_CHECK_INTERVAL;
            let next = upcoming.peek().map_or(u64::MAX, |timed| timed.frame).min(check).min(end.limit);
            let count = block.min((next - frame) as usize);
            render_outputs(engine, &mut buffers, count);
            for (samples, [left, right]) in samples.iter_mut().zip(&buffers) {
                samples.extend(left.iter().zip(right).take(count).flat_map(|(&left, &right)| [left, right]));
            }
            hits.extend(engine.take_hit().filter(|_| wants_hits));
            frame += count as u64;
        }
    }
}

fn render_outputs(engine: &mut urto_engine::Engine, buffers: &mut [[[f32; BLOCK]; 2]], count: usize) {
    let Some(([left, right], sides)) = buffers.split_first_mut() else { return };
    let mut sides: Vec<[&mut [f32]; 2]> =
        sides.iter_mut().map(|[left, right]| [&mut left[..count], &mut right[..count]]).collect();
    engine.render_outputs([&mut left[..count], &mut right[..count]], &mut sides, [&[]; 2]);
}
