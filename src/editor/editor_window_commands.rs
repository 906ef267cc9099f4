//! What the window does when the player wishes it.

use std::time::Instant;

use egui::Ui;

use crate::editor::browser::{Browser, BrowserAction};
use crate::editor::command::{Command, PatchChange};
use crate::editor::manual::Manual;
use crate::editor::panels::drawer;
use crate::editor::{EditorWindow, PAGES, theme};
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::patch::preset_library;
use urto_engine::{Event, NoteId};

/// Velocity of the note by key, and how long it is held [s].
const BY_KEY: (f64, f64) = (96.0 / 127.0, 0.2);

impl EditorWindow {
    /// Does what the player wishes.
    pub(super) fn execute(&mut self, ui: &Ui, wish: Command, now: f64) {
        let patch = || self.knobs.own_patch();
        match wish {
            Command::Undo => _ = self.past.undo(patch()).map(|patch| self.play(patch)),
            Command::Redo => _ = self.past.redo(patch()).map(|patch| self.play(patch)),
            Command::Cross => {
                let other = self.past.toggle_ab(patch());
                self.play(other);
            }
            Command::Copy => self.past.copy(patch()),
            Command::Dice => {
                let diced = self.past.randomise(&patch(), self.prefs.chance, now.to_bits());
                self.past.remember(&self.knobs, None, now);
                self.play(diced);
            }
            Command::Step(step) => {
                if let Some(patch) = self.shelf.step(&self.knobs.name(), step) {
                    self.past.remember(&self.knobs, None, now);
                    self.scope.start_new_sound();
                    self.play(self.knobs.fitted(patch));
                }
            }
            Command::Browse if self.browser.is_none() => self.browser = Some(Browser::open(&mut self.shelf, patch())),
            Command::Browse => self.choose(BrowserAction::Keep, now),
            Command::Close if self.manual.is_some() => self.manual = None,
            Command::Close if self.drawer.group.is_some() => self.drawer.group = None,
            Command::Close => self.choose(BrowserAction::Keep, now),
            Command::Page(page) => {
                self.page = page.min(PAGES.len() - 1);
                self.manual = None;
            }
            Command::Zoom(factor) => self.zoom(ui, factor),
            Command::ZoomBy(step) => {
                let at = theme::ZOOMS.iter().position(|zoom| *zoom >= self.prefs.zoom - 1e-3).unwrap_or(0);
                let next = at.saturating_add_signed(step).min(theme::ZOOMS.len() - 1);
                self.zoom(ui, theme::ZOOMS[next]);
            }
            Command::Dark(dark) => {
                self.prefs.dark = dark;
                self.wear(ui.ctx());
            }
            Command::Still(still) => self.prefs.still = still,
            Command::Manual if self.manual.is_some() => self.manual = None,
            Command::Manual => self.manual = Some(Manual::default()),
            Command::Keyboard => {
                self.keyboard.on = !self.keyboard.on;
                self.keyboard.let_go(&self.audio);
            }
            Command::Favour => {
                let name = self.knobs.name();
                if !name.is_empty() {
                    self.choose(BrowserAction::Favour(name), now);
                }
            }
            Command::Quality(place) => self.jump(ParamId::Quality, place, now),
            Command::Mpe(place) => self.jump(ParamId::Mpe, place, now),
            Command::Folder => show_folder(),
            Command::Strike => self.strike(self.stage.strike_key(&patch(), self.scope.last()), now),
        }
    }

    /// Moves a choice, as its field would.
    fn jump(&mut self, id: ParamId, place: usize, now: f64) {
        let Some(host) = &self.host else { return };
        let host = host.param_setter();
        self.past.remember(&self.knobs, Some(id), now);
        self.knobs.begin(id, &host);
        self.knobs.set_travel(id, &host, self.knobs.travel_of(id, place as f64));
        self.knobs.end(id, &host);
    }

    /// Shows or hides all that belongs to a group of the strip: the drive has its page, the others a drawer.
    pub(super) fn toggle_drawer(&mut self, group: usize, now: f64) {
        if group == drawer::DRIVE {
            self.drawer.group = None;
            self.choose(BrowserAction::Keep, now);
            self.page = PAGES.iter().position(|page| *page == "Drive").unwrap_or(0);
        } else {
            self.drawer.turn(group);
        }
    }

    /// Does what the player wants of the browser.
    pub(super) fn choose(&mut self, choice: BrowserAction, now: f64) {
        match choice {
            BrowserAction::Hear(patch) => {
                self.shelf.take(&patch);
                self.scope.start_new_sound();
                self.play(self.knobs.fitted(*patch));
            }
            BrowserAction::Keep => {
                if let Some(browser) = self.browser.take().filter(|browser| *browser.before() != self.knobs.own_patch()) {
                    self.past.push(browser.before().clone());
                }
            }
            BrowserAction::Leave => {
                if let Some(browser) = self.browser.take() {
                    self.play(browser.before().clone());
                }
            }
            BrowserAction::Beside(patch) => self.past.copy(self.knobs.fitted(*patch)),
            BrowserAction::Favour(name) => {
                if !self.prefs.favourites.remove(&name) {
                    self.prefs.favourites.insert(name);
                }
            }
            BrowserAction::Save(name) => self.save(name),
            BrowserAction::Edit(patch) => self.edit(*patch),
            BrowserAction::Across(patch) => {
                self.past.copy(*patch);
                let other = self.past.toggle_ab(self.knobs.own_patch());
                self.play(other);
            }
            BrowserAction::Play(key) => self.strike(key, now),
            BrowserAction::Delete(file) => {
                let trouble = std::fs::remove_file(&file).err();
                self.shelf.read();
                let trouble = trouble.map(|error| format!("{}: {error}; check folder and permissions", file.display()));
                if let Some(browser) = &mut self.browser {
                    browser.refreshed(&self.shelf, trouble);
                }
            }
        }
    }

    /// Plays `patch`, which has been made in the browser of what plays: one step to undo, also if the browser is left.
    fn edit(&mut self, patch: Patch) {
        let now = self.knobs.own_patch();
        if let Some(browser) = &mut self.browser {
            if *browser.before() != now {
                self.past.push(browser.before().clone());
            }
            browser.edited(patch.clone());
        }
        self.past.push(now);
        self.play(patch);
    }

    /// Keeps the sound as a preset of the user's own.
    fn save(&mut self, name: String) {
        let patch = Patch { name, ..self.knobs.own_patch() };
        let folder = preset_library::folder().ok_or_else(|| "the system names no home to save in; set HOME".to_owned());
        let saved = folder.and_then(|folder| preset_library::save(&folder, &patch).map_err(|trouble| trouble.to_string()));
        if saved.is_ok() {
            self.shelf.take(&patch);
            self.play(patch.clone());
        }
        if let Some(browser) = &mut self.browser {
            browser.saved(&mut self.shelf, saved.map(|_| patch.name));
        }
    }

    fn zoom(&mut self, ui: &Ui, factor: f32) {
        self.prefs.zoom = factor;
        ui.ctx().set_zoom_factor(factor);
    }

    /// Plays another patch, as a step to be undone or as part of one.
    pub(super) fn change(&mut self, change: PatchChange, now: f64) {
        if change.fresh {
            self.past.remember(&self.knobs, None, now);
        }
        let begun = Instant::now();
        self.play(change.patch);
        self.modes.set_load_time(begun.elapsed());
    }

    /// All partials are heard again.
    pub(super) fn hear_all(&mut self) {
        if self.modes.clear_solo(&self.audio) {
            self.audio.load(&self.knobs.patch());
        }
    }

    /// Plays `patch` from now on. Only what is no knob has to be sent: the engine sees the knobs move.
    pub(super) fn play(&self, patch: Patch) {
        let before = self.knobs.own_patch();
        let alike = Patch { settings: patch.settings, name: patch.name.clone(), ..before } == patch;
        self.knobs.load_patch(patch, |patch| {
            if !alike {
                self.audio.load(patch);
            }
        });
        self.bell.request();
    }

    /// A short note.
    fn strike(&mut self, key: u8, now: f64) {
        let note = NoteId { voice: None, channel: 0, key };
        self.audio.play(Event::NoteOn { note, velocity: BY_KEY.0 });
        if let Some((before, _)) = self.held.replace((note, now + BY_KEY.1)) {
            self.audio.play(Event::NoteOff { note: before, velocity: 0.5 });
        }
    }

    /// Ends the note when its time has come.
    pub(super) fn let_go(&mut self, now: f64) {
        if let Some((note, _)) = self.held.take_if(|(_, end)| now >= *end) {
            self.audio.play(Event::NoteOff { note, velocity: 0.5 });
        }
    }
}

/// Has the system show the folder of presets, which is made if there is none yet. A system that cannot show it leaves all as it is.
fn show_folder() {
    let Some(folder) = preset_library::folder().filter(|folder| std::fs::create_dir_all(folder).is_ok()) else { return };
    let program = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    if let Ok(mut shown) = std::process::Command::new(program).arg(folder).spawn() {
        // nobody else waits for it
        _ = std::thread::Builder::new().name("urto folder".into()).spawn(move || shown.wait());
    }
}
