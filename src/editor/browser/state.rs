//! The state of the open browser, and the actions it asks the window for.

use std::path::PathBuf;
use std::time::Duration;

use crate::editor::browser::fingerprint::FingerprintCache;
use crate::editor::browser::preset_index::{Filter, PresetIndex};
use urto_engine::patch::Patch;

/// Time between frames while fingerprints are being computed.
pub const COMING: Duration = Duration::from_millis(100);

/// An action of the browser.
#[derive(Clone, Debug, PartialEq)]
pub enum BrowserAction {
    /// Plays a preset.
    Preview(Box<Patch>),
    /// Keeps the preset that plays, and closes the browser.
    Confirm,
    /// Copies a preset to the other of A and B.
    LoadAsB(Box<Patch>),
    /// Closes the browser and restores the sound from before.
    Cancel,
    /// Saves the sound as a preset of this name.
    Save(String),
    /// Marks or unmarks a favourite.
    ToggleFavourite(String),
    /// Replaces the sound: one undo step.
    Edit(Box<Patch>),
    /// Copies a sound to the other of A and B, and switches to it.
    EditAsB(Box<Patch>),
    /// Plays a key.
    PlayKey(u8),
    /// Deletes the file of a preset.
    Delete(PathBuf),
}

/// The current sound and the other of A and B.
pub struct CurrentSound<'a> {
    /// The sound that plays.
    pub patch: &'a Patch,
    /// The other of A and B, if there is one.
    pub other: Option<&'a Patch>,
    /// Whether this is the effect plug-in.
    pub effect: bool,
}

/// State of the open browser.
pub struct Browser {
    pub(super) filter: Filter,
    pub(super) fingerprints: FingerprintCache,
    /// The sound from before the browser was opened.
    pub(super) before: Patch,
    /// Name of the selected preset.
    pub(super) selected: Option<String>,
    /// Name of a new preset while it is typed, and the last error.
    pub(super) saving: Option<String>,
    pub(super) error: Option<String>,
    /// Whether the browser has just been opened, and whether the list scrolls to the selected preset.
    pub(super) fresh: bool,
    pub(super) follow: bool,
    /// Index of the view in the right column, and whether a small window shows it in place of the filters.
    pub side: usize,
    pub unfolded: bool,
    /// Index of the selected zone, and the file that another click deletes.
    pub(super) zone: usize,
    pub(super) deleting: Option<PathBuf>,
    /// Index of the selected file among those that cannot be read.
    pub(super) broken: Option<usize>,
}

impl Browser {
    /// Opens the browser: reads the presets, and starts computing their fingerprints.
    pub fn open(presets: &mut PresetIndex, before: Patch) -> Self {
        presets.read();
        let mut fingerprints = FingerprintCache::default();
        fingerprints.want(presets.presets());
        let selected = Some(before.name.clone());
        let filter = Filter::default();
        Self {
            filter,
            fingerprints,
            before,
            selected,
            saving: None,
            error: None,
            fresh: true,
            follow: true,
            side: 0,
            unfolded: false,
            zone: 0,
            deleting: None,
            broken: None,
        }
    }

    /// The sound from before the browser was opened.
    pub fn before(&self) -> &Patch {
        &self.before
    }

    /// Notes an edit of the sound: cancelling restores the edited sound.
    pub fn edited(&mut self, patch: Patch) {
        self.before = patch;
        self.error = None;
    }

    /// Updates after the presets were read again; `error` is what failed before, if anything.
    pub fn refreshed(&mut self, presets: &PresetIndex, error: Option<String>) {
        self.fingerprints.want(presets.presets());
        self.error = error;
    }

    /// Updates after a preset was saved, or after saving failed.
    pub fn saved(&mut self, presets: &mut PresetIndex, result: Result<String, String>) {
        match result {
            Ok(name) => {
                presets.read();
                self.fingerprints.want(presets.presets());
                (self.saving, self.error, self.selected, self.follow) = (None, None, Some(name), true);
            }
            Err(error) => self.error = Some(error),
        }
    }

    /// Waits for all fingerprints.
    #[cfg(any(test, feature = "standalone"))]
    pub fn settle(&mut self) {
        while self.fingerprints.take() {
            std::thread::sleep(COMING);
        }
    }

    pub fn select(&mut self, patch: &Patch) -> Option<BrowserAction> {
        let known = self.selected.as_ref() == Some(&patch.name);
        (self.broken, self.deleting) = (None, None);
        self.selected = Some(patch.name.clone());
        (!known).then(|| BrowserAction::Preview(Box::new(patch.clone())))
    }
}
