//! Program changes of a song, which load presets during a rendering.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use crate::arguments::{LoadedPatch, load_program};
use crate::io::{CliError, ProgramChange};
use urto_engine::patch::Patch;
use urto_engine::{Engine, KitPlayer, PreparedBody};

/// The program changes of a song, and their presets.
pub struct SongPrograms {
    changes: Vec<ProgramChange>,
    patches: BTreeMap<u8, Patch>,
    /// The files that were read for them.
    pub files: Vec<PathBuf>,
}

impl SongPrograms {
    /// The program changes of a song for which there are presets, each modified by `apply_options`. Errors: a preset that cannot be read,
    /// and those of `apply_options`.
    pub fn new(programs: &[ProgramChange], apply_options: impl Fn(&mut Patch) -> Result<(), CliError>) -> Result<Self, CliError> {
        let (mut patches, mut files) = (BTreeMap::new(), Vec::new());
        for number in programs.iter().map(|program| program.number) {
            if !patches.contains_key(&number)
                && let Some(loaded) = load_program(number)
            {
                let LoadedPatch { mut patch, files: read } = loaded?;
                files.extend(read);
                apply_options(&mut patch)?;
                patches.insert(number, patch);
            }
        }
        let changes = programs.iter().filter(|program| patches.contains_key(&program.number)).copied().collect();
        Ok(Self { changes, patches, files })
    }

    /// The presets.
    pub fn patches(&self) -> impl Iterator<Item = &Patch> {
        self.patches.values()
    }
}

/// The program changes that are still to come.
pub struct ProgramPlayer<'a> {
    upcoming: VecDeque<ProgramChange>,
    patches: &'a BTreeMap<u8, Patch>,
    /// A body for which the engine had no room yet.
    refused_body: Option<Box<PreparedBody>>,
    /// A kit player that waits until the one before the last has rung out.
    waiting_kit: Option<Option<Box<KitPlayer>>>,
}

impl<'a> ProgramPlayer<'a> {
    /// At the beginning of the song.
    pub fn new(programs: &'a SongPrograms) -> Self {
        let upcoming = programs.changes.iter().copied().collect();
        Self { upcoming, patches: &programs.patches, refused_body: None, waiting_kit: None }
    }

    /// The frame of the next program change.
    pub fn next_frame(&self) -> Option<u64> {
        self.upcoming.front().map(|program| program.frame)
    }

    /// Loads the program that is due at `frame` after `played` events.
    pub fn play(&mut self, engine: &mut Engine, frame: u64, played: usize) {
        if let Some(body) = self.refused_body.take() {
            self.refused_body = engine.queue_body(body).err();
            engine.install_body();
        }
        if let Some(kit) = self.waiting_kit.take() {
            self.waiting_kit = engine.install_kit(kit).err();
        }
        let is_due = |next: &ProgramChange| next.frame <= frame && next.after <= played;
        while let Some(ProgramChange { number, .. }) = self.upcoming.front().copied().filter(is_due) {
            self.upcoming.pop_front();
            let patch = &self.patches[&number];
            self.refused_body = engine.load(patch, PreparedBody::of(patch)).err();
            self.waiting_kit = engine.install_kit(KitPlayer::of(patch, engine.config().sample_rate)).err();
        }
    }
}
