//! What of the patch threads beside the audio thread share, and the tuning that is in force.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::mts_esp::Client;
use urto_engine::drive::DriveContent;
use urto_engine::patch::{ListedMode, PartialEdit, Patch};
use urto_engine::tuning::KeyFrequencies;
use urto_engine::tuning::TuningSet;
use urto_engine::{BodySpec, PreparedBody};

/// What of the patch is needed, and how many patches have been loaded before it.
struct PatchState {
    generation: u64,
    /// Sample rate of the engine [Hz], once there is one.
    rate: Option<f64>,
    lists: Arc<Lists>,
    solo: Vec<usize>,
    score: DriveContent,
    /// The patch's tuning, and the master's as last seen.
    tunings: TuningSet,
    /// Whether the engine has been told of them.
    told: bool,
}

/// Lists of modes, of the body and of what that may turn into, and trims.
#[derive(Default)]
struct Lists {
    modes: [Vec<ListedMode>; 2],
    trims: Vec<PartialEdit>,
}

/// The sheet, and the way of tunings to the audio thread. Any thread may come to it but the audio thread.
pub struct SharedPatch {
    sheet: Mutex<PatchState>,
    tunings: (Sender<TuningSet>, Receiver<TuningSet>),
    master: Option<Client>,
}

impl SharedPatch {
    /// With the default patch, and a master to look at.
    pub fn new(master: Option<Client>) -> Self {
        let sheet = PatchState {
            generation: 0,
            rate: None,
            lists: Arc::default(),
            solo: Vec::new(),
            score: DriveContent::default(),
            tunings: TuningSet::of(&Patch::default().intonation),
            told: false,
        };
        Self { sheet: Mutex::new(sheet), tunings: bounded(1), master }
    }

    /// Where the audio thread finds tunings.
    pub fn tunings(&self) -> Receiver<TuningSet> {
        self.tunings.1.clone()
    }

    /// Number of the patch, and the body `request` with its lists, as the window listens to it. Takes its time.
    pub fn body(&self, request: BodySpec) -> (u64, Box<PreparedBody>) {
        let sheet = self.sheet();
        let (generation, lists, score, solo) =
            (sheet.generation, Arc::clone(&sheet.lists), sheet.score.clone(), sheet.solo.clone());
        drop(sheet);
        let body = PreparedBody::prepare(request, &lists.modes[0], &lists.modes[1]);
        (generation, body.with_partial_edits(&lists.trims).soloed(&solo).with(score))
    }

    /// The tuning of the master as last seen.
    pub fn followed(&self) -> Option<KeyFrequencies> {
        self.sheet().tunings.master
    }

    /// Partials that alone are heard, by their places before trims; all if there are none.
    pub fn solo(&self) -> Vec<usize> {
        self.sheet().solo.clone()
    }

    /// See [`Desk::solo`].
    pub fn set_solo(&self, places: &[usize]) {
        self.sheet().solo = places.to_vec();
    }

    /// Takes a patch that has been loaded, and sends its tuning; its number.
    pub fn load(&self, patch: &Patch) -> u64 {
        let mut sheet = self.sheet();
        sheet.generation += 1;
        let Patch { modes, morph_modes, trims, .. } = patch;
        sheet.lists = Arc::new(Lists { modes: [modes.clone(), morph_modes.clone()], trims: trims.clone() });
        sheet.score = patch.score.clone();
        self.send(&mut sheet, TuningSet::of(&patch.intonation));
        sheet.generation
    }

    /// Looks whether the master has another tuning.
    pub fn follow(&self) {
        let mut sheet = self.sheet();
        let now = sheet.tunings;
        self.send(&mut sheet, now);
    }

    /// Sample rate of the engine [Hz], once there is one.
    pub fn rate(&self) -> Option<f64> {
        self.sheet().rate
    }

    /// Number of the patch and the tunings, for an engine that has just been built for `rate` [Hz]; what was sent before is forgotten.
    pub fn start(&self, rate: f64) -> (u64, TuningSet) {
        let mut sheet = self.sheet();
        sheet.rate = Some(rate);
        let _ = self.tunings.1.try_recv();
        sheet.tunings.master = self.master();
        sheet.told = true;
        (sheet.generation, sheet.tunings)
    }

    fn sheet(&self) -> MutexGuard<'_, PatchState> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn master(&self) -> Option<KeyFrequencies> {
        self.master.as_ref().and_then(Client::tuning)
    }

    /// Sends `wanted`, and what the master has now, where the engine knows another; the latest wins.
    fn send(&self, sheet: &mut PatchState, wanted: TuningSet) {
        let wanted = TuningSet { master: self.master(), ..wanted };
        if !sheet.told || sheet.tunings != wanted {
            let _ = self.tunings.1.try_recv();
            sheet.tunings = wanted;
            sheet.told = self.tunings.0.try_send(wanted).is_ok();
        }
    }
}
