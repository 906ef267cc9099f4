//! What of the patch threads beside the audio thread share, and the tuning that is in force.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::engine::intonation::{Intonation, Sounding};
use crate::engine::patch::{FreeMode, Patch};
use crate::engine::tuning::Tuning;
use crate::mts_esp::Client;

/// A tuning, and what sounding notes make of it: plain data of fixed size.
pub type Tuned = (Tuning, Sounding);

/// What of the patch is needed, and how many patches have been loaded before it.
#[derive(Default)]
struct Sheet {
    generation: u64,
    modes: Arc<Vec<FreeMode>>,
    intonation: Intonation,
    /// What the engine has been told of the tuning.
    told: Option<Tuned>,
}

/// The sheet, and the way of tunings to the audio thread. Any thread may come to it but the audio thread.
pub struct Desk {
    sheet: Mutex<Sheet>,
    tunings: (Sender<Tuned>, Receiver<Tuned>),
    master: Option<Client>,
}

impl Desk {
    /// With the default patch, and a master to follow while the patch allows.
    pub fn new(master: Option<Client>) -> Self {
        Self { sheet: Mutex::default(), tunings: bounded(1), master }
    }

    /// Where the audio thread finds tunings.
    pub fn tunings(&self) -> Receiver<Tuned> {
        self.tunings.1.clone()
    }

    /// Number of the patch, and its list of modes.
    pub fn modes(&self) -> (u64, Arc<Vec<FreeMode>>) {
        let sheet = self.sheet();
        (sheet.generation, sheet.modes.clone())
    }

    /// Takes a patch that has been loaded, and sends its tuning; its number.
    pub fn load(&self, patch: &Patch) -> u64 {
        let mut sheet = self.sheet();
        sheet.generation += 1;
        (sheet.modes, sheet.intonation) = (Arc::new(patch.modes.clone()), patch.intonation.clone());
        self.send(&mut sheet);
        sheet.generation
    }

    /// Looks whether the master has another tuning.
    pub fn follow(&self) {
        self.send(&mut self.sheet());
    }

    /// Number of the patch and the tuning in force, for an engine that has just been built; what was sent before is forgotten.
    pub fn start(&self) -> (u64, Tuned) {
        let mut sheet = self.sheet();
        let _ = self.tunings.1.try_recv();
        let tuned = self.in_force(&sheet);
        sheet.told = Some(tuned);
        (sheet.generation, tuned)
    }

    fn sheet(&self) -> MutexGuard<'_, Sheet> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The master's tuning, else the patch's.
    fn in_force(&self, sheet: &Sheet) -> Tuned {
        let own = &sheet.intonation;
        let master = self.master.as_ref().filter(|_| own.mts_esp).and_then(Client::tuning);
        (master.unwrap_or(*own.tuning()), own.sounding)
    }

    /// Sends the tuning in force where the engine knows another; the latest wins.
    fn send(&self, sheet: &mut Sheet) {
        let wanted = self.in_force(sheet);
        if sheet.told != Some(wanted) {
            let _ = self.tunings.1.try_recv();
            sheet.told = self.tunings.0.try_send(wanted).is_ok().then_some(wanted);
        }
    }
}
