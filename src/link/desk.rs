//! What of the patch threads beside the audio thread share, and the tuning that is in force.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::engine::drive::Score;
use crate::engine::keyboard::Tunings;
use crate::engine::patch::{FreeMode, Patch};
use crate::engine::tuning::Tuning;
use crate::mts_esp::Client;

/// What of the patch is needed, and how many patches have been loaded before it.
struct Sheet {
    generation: u64,
    /// Sample rate of the engine [Hz], once there is one.
    rate: Option<f64>,
    modes: Arc<[Vec<FreeMode>; 2]>,
    score: Score,
    /// The patch's tuning, and the master's as last seen.
    tunings: Tunings,
    /// Whether the engine has been told of them.
    told: bool,
}

/// The sheet, and the way of tunings to the audio thread. Any thread may come to it but the audio thread.
pub struct Desk {
    sheet: Mutex<Sheet>,
    tunings: (Sender<Tunings>, Receiver<Tunings>),
    master: Option<Client>,
}

impl Desk {
    /// With the default patch, and a master to look at.
    pub fn new(master: Option<Client>) -> Self {
        let sheet = Sheet {
            generation: 0,
            rate: None,
            modes: Arc::default(),
            score: Score::default(),
            tunings: Tunings::of(&Patch::default()),
            told: false,
        };
        Self { sheet: Mutex::new(sheet), tunings: bounded(1), master }
    }

    /// Where the audio thread finds tunings.
    pub fn tunings(&self) -> Receiver<Tunings> {
        self.tunings.1.clone()
    }

    /// Number of the patch, its lists of modes, of the body and of what that may turn into, and what its drive plays.
    pub fn modes(&self) -> (u64, Arc<[Vec<FreeMode>; 2]>, Score) {
        let sheet = self.sheet();
        (sheet.generation, sheet.modes.clone(), sheet.score.clone())
    }

    /// Takes a patch that has been loaded, and sends its tuning; its number.
    pub fn load(&self, patch: &Patch) -> u64 {
        let mut sheet = self.sheet();
        sheet.generation += 1;
        sheet.modes = Arc::new([patch.modes.clone(), patch.morph_modes.clone()]);
        sheet.score = patch.score.clone();
        self.send(&mut sheet, Tunings::of(patch));
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
    pub fn start(&self, rate: f64) -> (u64, Tunings) {
        let mut sheet = self.sheet();
        sheet.rate = Some(rate);
        let _ = self.tunings.1.try_recv();
        sheet.tunings.master = self.master();
        sheet.told = true;
        (sheet.generation, sheet.tunings)
    }

    fn sheet(&self) -> MutexGuard<'_, Sheet> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn master(&self) -> Option<Tuning> {
        self.master.as_ref().and_then(Client::tuning)
    }

    /// Sends `wanted`, and what the master has now, where the engine knows another; the latest wins.
    fn send(&self, sheet: &mut Sheet, wanted: Tunings) {
        let wanted = Tunings { master: self.master(), ..wanted };
        if !sheet.told || sheet.tunings != wanted {
            let _ = self.tunings.1.try_recv();
            sheet.tunings = wanted;
            sheet.told = self.tunings.0.try_send(wanted).is_ok();
        }
    }
}
