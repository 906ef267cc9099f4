//! The state of the open browser, and the actions that it asks of the window.

use std::path::PathBuf;
use std::time::Duration;

use crate::editor::browser::fingerprint::FingerprintCache;
use crate::editor::browser::preset_index::{Filter, PresetIndex};
use urto_engine::patch::Patch;

/// How long the fingerprints are waited for until the list is drawn again.
pub const COMING: Duration = Duration::from_millis(100);

/// What the player wants of it.
#[derive(Clone, Debug, PartialEq)]
pub enum BrowserAction {
    /// Hears a preset.
    Preview(Box<Patch>),
    /// Keeps what is heard, and goes back to the stage.
    Confirm,
    /// Has it as the other of A and B.
    LoadAsB(Box<Patch>),
    /// Goes back to the stage, with the sound that there was.
    Cancel,
    /// Keeps the sound as a preset of this name.
    Save(String),
    /// Turns a favourite.
    ToggleFavourite(String),
    /// The sound is to be this one from now on: one step to undo.
    Edit(Box<Patch>),
    /// Goes over to the other of A and B, which is to be this.
    EditAsB(Box<Patch>),
    /// Plays a key.
    PlayKey(u8),
    /// Takes the file of a preset away.
    Delete(PathBuf),
}

/// What sounds, and what is not heard now.
pub struct CurrentSound<'a> {
    /// What sounds.
    pub patch: &'a Patch,
    /// The other of A and B, if there is one.
    pub other: Option<&'a Patch>,
    /// Whether this is the effect.
    pub effect: bool,
}

/// What the open browser remembers.
pub struct Browser {
    pub(super) filter: Filter,
    pub(super) fingerprints: FingerprintCache,
    /// The sound that there was when it was opened.
    pub(super) before: Patch,
    /// Name of the preset that is heard.
    pub(super) selected: Option<String>,
    /// Name under which the sound is to be saved, while it is typed; and what went wrong.
    pub(super) saving: Option<String>,
    pub(super) error: Option<String>,
    /// Whether it has just been opened, and whether the list is to come to what is heard.
    pub(super) fresh: bool,
    pub(super) follow: bool,
    /// What the right column shows, and whether a small window shows it in place of the filters.
    pub side: usize,
    pub unfolded: bool,
    /// The zone that is shown in full, and the file that would be taken away by another press.
    pub(super) zone: usize,
    pub(super) deleting: Option<PathBuf>,
    /// The preset of those that cannot be read which is looked at.
    pub(super) broken: Option<usize>,
}

impl Browser {
    /// Opens it: reads the presets, and has their fingerprints made.
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

    /// The sound that there was when it was opened.
    pub fn before(&self) -> &Patch {
        &self.before
    }

    /// The sound has been changed here: from now on there was this one when it was opened.
    pub fn edited(&mut self, patch: Patch) {
        self.before = patch;
        self.error = None;
    }

    /// The presets have been read anew; what went wrong before, if something did.
    pub fn refreshed(&mut self, presets: &PresetIndex, error: Option<String>) {
        self.fingerprints.want(presets.presets());
        self.error = error;
    }

    /// A preset has been saved, or could not be.
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
