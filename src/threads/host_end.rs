//! The end of the thread that loads states: sends patches with their bodies to the audio thread.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TrySendError};

use crate::threads::messages::{LoadedPatch, Prepared, ProgramChanges};
use crate::threads::shared_patch::SharedPatch;
use crate::threads::worker::WorkerRegistration;
use urto_engine::patch::{MacroTargets, Patch};
use urto_engine::tuning::TuningSet;
use urto_engine::{KitPlayer, PreparedBody};

/// The end of the thread that loads states and activates. The worker serves the instance while this exists.
pub struct HostEnd {
    loader: PatchLoader,
    programs: ProgramChanges,
    _worker: Option<Arc<WorkerRegistration>>,
}

/// Sends patches to the audio thread, from any other thread. Does not keep the worker running.
#[derive(Clone)]
pub struct PatchLoader {
    patch: Arc<SharedPatch>,
    ready: (Sender<Prepared>, Receiver<Prepared>),
}

impl HostEnd {
    /// An end that loads with `loader` and keeps `worker` registered.
    pub fn new(loader: PatchLoader, programs: ProgramChanges, worker: Option<Arc<WorkerRegistration>>) -> Self {
        Self { loader, programs, _worker: worker }
    }

    /// The loader that sends patches to the audio thread.
    pub fn loader(&self) -> PatchLoader {
        self.loader.clone()
    }

    /// Sets the function that loads the preset of a program change, on the worker. It must not own this end.
    pub fn set_program_loader(&self, load: impl Fn(u8) + Send + Sync + 'static) {
        self.programs.set_loader(Box::new(load));
    }

    /// Number of the patch and tunings for an engine that has just been built at `sample_rate` [Hz].
    pub fn activate(&self, sample_rate: f64) -> (u64, TuningSet) {
        self.loader.patch.activate(sample_rate)
    }
}

impl PatchLoader {
    /// A loader that sends through the channel `ready`.
    pub fn new(patch: Arc<SharedPatch>, ready: (Sender<Prepared>, Receiver<Prepared>)) -> Self {
        Self { patch, ready }
    }

    /// Prepares the body of a patch on this thread, and sends both.
    pub fn load(&self, patch: &Patch) {
        self.send(patch, PreparedBody::of(patch).soloed(&self.patch.solo()));
    }

    /// Sends a loaded patch with its body. Bodies requested before are discarded.
    pub fn send(&self, patch: &Patch, body: Box<PreparedBody>) {
        let kit = self.patch.sample_rate().and_then(|rate| KitPlayer::of(patch, rate));
        let generation = self.patch.load(patch);
        let loaded = LoadedPatch { chokes: patch.choke_groups, macros: MacroTargets::of(&patch.macros), kit: Some(kit) };
        let mut prepared = Prepared { generation, patch: Some(loaded), body };
        while let Err(TrySendError::Full(refused)) = self.ready.0.try_send(prepared) {
            prepared = refused;
            drop(self.ready.1.try_recv());
        }
    }

    /// The patch that all threads but the audio thread share.
    pub fn shared_patch(&self) -> &SharedPatch {
        &self.patch
    }
}
