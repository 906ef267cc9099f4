//! The program changes of a song: presets that are loaded while it plays.

use std::collections::{BTreeMap, VecDeque};

use urto_engine::patch::Patch;
use urto_engine::{Engine, KitPlayer, PreparedBody};

use crate::commands::presets;
use crate::io::Complaint;
use crate::io::Program;

/// Those that are still to come.
pub struct Programs {
    ahead: VecDeque<Program>,
    patches: BTreeMap<u8, Patch>,
    /// A body for which the engine had no room yet.
    held: Option<Box<PreparedBody>>,
    /// The players of a kit that have to wait until those before the last have rung out.
    waiting: Option<Option<Box<KitPlayer>>>,
}

impl Programs {
    /// The programs of a song, as far as there are presets of these numbers, each with what `over` puts over it. Errors: a preset that
    /// cannot be read, and those of `over`.
    pub fn new(programs: &[Program], over: impl Fn(&mut Patch) -> Result<(), Complaint>) -> Result<Self, Complaint> {
        let mut patches = BTreeMap::new();
        for number in programs.iter().map(|program| program.number) {
            if !patches.contains_key(&number)
                && let Some(patch) = presets::program(number)
            {
                let mut patch = patch?;
                over(&mut patch)?;
                patches.insert(number, patch);
            }
        }
        let ahead = programs.iter().filter(|program| patches.contains_key(&program.number)).copied().collect();
        Ok(Self { ahead, patches, held: None, waiting: None })
    }

    /// The frame of the next one.
    pub fn next(&self) -> Option<u64> {
        self.ahead.front().map(|program| program.frame)
    }

    /// Loads what is due at `frame` when so many events have been handed over.
    pub fn play(&mut self, engine: &mut Engine, frame: u64, handed: usize) {
        if let Some(body) = self.held.take() {
            self.held = engine.queue_body(body).err();
            engine.install_body();
        }
        if let Some(crew) = self.waiting.take() {
            self.waiting = engine.install_kit(crew).err();
        }
        let is_due = |next: &Program| next.frame <= frame && next.after <= handed;
        while let Some(Program { number, .. }) = self.ahead.front().copied().filter(is_due) {
            self.ahead.pop_front();
            let patch = &self.patches[&number];
            self.held = engine.load(patch, PreparedBody::of(patch)).err();
            self.waiting = engine.install_kit(KitPlayer::of(patch, engine.config().sample_rate)).err();
        }
    }
}
