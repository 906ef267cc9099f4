//! The parts of the patch that all threads but the audio thread share, and the tuning in force.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::mts_esp::Client;
use urto_engine::drive::DriveContent;
use urto_engine::patch::{ListedMode, PartialEdit, Patch, ResidualBand};
use urto_engine::tuning::{KeyFrequencies, TuningSet};
use urto_engine::{BodySpec, PreparedBody};

/// The data of the patch from which bodies are prepared, and the tuning.
struct PatchState {
    /// Number of patches loaded before this one.
    generation: u64,
    /// Sample rate of the engine [Hz]; `None` before the first activation.
    sample_rate: Option<f64>,
    lists: Arc<ModeLists>,
    solo: Vec<usize>,
    drive: DriveContent,
    /// The patch's tuning, and the tuning of the MTS-ESP master as last read.
    tunings: TuningSet,
    /// Whether `tunings` has been sent to the engine.
    is_sent: bool,
}

/// Listed modes of the body and of its morph target, and edits of partials.
#[derive(Default)]
struct ModeLists {
    modes: [Vec<ListedMode>; 2],
    edits: Vec<PartialEdit>,
    residual: Vec<ResidualBand>,
}

/// The shared patch, and the channel of tunings to the audio thread. Takes a lock: not for the audio thread.
pub struct SharedPatch {
    state: Mutex<PatchState>,
    tunings: (Sender<TuningSet>, Receiver<TuningSet>),
    master: Option<Client>,
}

impl SharedPatch {
    /// The default patch; the tuning of `master` is read.
    pub fn new(master: Option<Client>) -> Self {
        let state = PatchState {
            generation: 0,
            sample_rate: None,
            lists: Arc::default(),
            solo: Vec::new(),
            drive: DriveContent::default(),
            tunings: TuningSet::of(&Patch::default().tuning),
            is_sent: false,
        };
        Self { state: Mutex::new(state), tunings: bounded(1), master }
    }

    /// Channel on which the audio thread receives tunings.
    pub fn tunings(&self) -> Receiver<TuningSet> {
        self.tunings.1.clone()
    }

    /// Prepares the body `spec` from the patch's lists, with the editor's solo, and returns the number of the patch with it. May take
    /// 100 ms and more.
    pub fn prepare_body(&self, spec: BodySpec) -> (u64, Box<PreparedBody>) {
        let state = self.lock();
        let (generation, lists, drive, solo) =
            (state.generation, Arc::clone(&state.lists), state.drive.clone(), state.solo.clone());
        drop(state);
        let body = PreparedBody::prepare(spec, &lists.modes[0], &lists.modes[1]);
        (generation, body.with_partial_edits(&lists.edits).with_residual(&lists.residual).soloed(&solo).with_drive_content(drive))
    }

    /// The tuning of the MTS-ESP master as last read.
    pub fn master_tuning(&self) -> Option<KeyFrequencies> {
        self.lock().tunings.master
    }

    /// Indices, before partial edits, of the partials that the pickups hear; empty for all.
    pub fn solo(&self) -> Vec<usize> {
        self.lock().solo.clone()
    }

    /// Sets [`SharedPatch::solo`] for the bodies that are prepared from now on.
    pub fn set_solo(&self, indices: &[usize]) {
        self.lock().solo = indices.to_vec();
    }

    /// Takes a loaded patch and sends its tuning; returns the number of the patch.
    pub fn load(&self, patch: &Patch) -> u64 {
        let mut state = self.lock();
        state.generation += 1;
        let Patch { modes, morph_modes, partial_edits: trims, residual, .. } = patch;
        let modes = [modes.clone(), morph_modes.clone()];
        state.lists = Arc::new(ModeLists { modes, edits: trims.clone(), residual: residual.clone() });
        state.drive = patch.drive_content.clone();
        self.send(&mut state, TuningSet::of(&patch.tuning));
        state.generation
    }

    /// Sends the tuning of the MTS-ESP master if it has changed.
    pub fn follow_master(&self) {
        let mut state = self.lock();
        let tunings = state.tunings;
        self.send(&mut state, tunings);
    }

    /// Sample rate of the engine [Hz]; `None` before the first activation.
    pub fn sample_rate(&self) -> Option<f64> {
        self.lock().sample_rate
    }

    /// Number of the patch and tunings for an engine that has just been built at `sample_rate` [Hz]; drops a tuning sent before.
    pub fn activate(&self, sample_rate: f64) -> (u64, TuningSet) {
        let mut state = self.lock();
        state.sample_rate = Some(sample_rate);
        let _ = self.tunings.1.try_recv();
        state.tunings.master = self.read_master();
        state.is_sent = true;
        (state.generation, state.tunings)
    }

    fn lock(&self) -> MutexGuard<'_, PatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_master(&self) -> Option<KeyFrequencies> {
        self.master.as_ref().and_then(Client::tuning)
    }

    /// Sends `tunings` with the master's tuning of now, unless the engine has them; replaces one that is not received yet.
    fn send(&self, state: &mut PatchState, tunings: TuningSet) {
        let tunings = TuningSet { master: self.read_master(), ..tunings };
        if !state.is_sent || state.tunings != tunings {
            let _ = self.tunings.1.try_recv();
            state.tunings = tunings;
            state.is_sent = self.tunings.0.try_send(tunings).is_ok();
        }
    }
}
