//! Executes the commands of the user and the actions of the browser.

use std::path::Path;
use std::time::Instant;

use egui::Ui;

use crate::editor::browser::{Browser, BrowserAction};
use crate::editor::command::{Command, PatchChange};
use crate::editor::editor_window::{EditorWindow, HeldNote};
use crate::editor::manual::Manual;
use crate::editor::panels::main_controls;
use crate::editor::theme::PAGES;
use crate::preset_pack;
use crate::preset_pack::PresetPack;
use urto_engine::params::{DRIVE_SOURCES, ParamId, ROLLING_SURFACES};
use urto_engine::patch::{Patch, preset_library};
use urto_engine::{Event, NoteId};

/// Velocity of the note that the strike command plays, 0 to 1.
const STRIKE_VELOCITY: f64 = 96.0 / 127.0;
/// Duration of that note [s].
const STRIKE_DURATION: f64 = 0.2;
/// The error of a system without a folder for presets.
fn no_folder() -> String {
    let variable = preset_library::HOME_VARIABLE;
    format!("There is no folder for presets: the system reports no home folder. Set the environment variable {variable}.")
}

impl EditorWindow {
    /// Executes `command`.
    pub(super) fn execute(&mut self, ui: &Ui, command: Command, now: f64) {
        match command {
            Command::Undo | Command::Redo | Command::SwitchAb | Command::CopyToOther | Command::Randomise => {
                self.edit_history(command, now);
            }
            Command::StepPreset(_) | Command::ToggleFavourite | Command::ShowPresetFolder => self.preset_command(command, now),
            Command::ToggleBrowser | Command::Page(_) | Command::Close | Command::ToggleManual => self.navigate(command, now),
            Command::Zoom(factor) => self.zoom(ui, factor),
            Command::ZoomIn => self.zoom(ui, self.size.larger_zoom(self.prefs.zoom)),
            Command::ZoomOut => self.zoom(ui, self.size.smaller_zoom(self.prefs.zoom)),
            Command::SetDarkTheme(dark) => {
                self.prefs.dark = dark;
                self.apply_theme(ui.ctx());
            }
            Command::SetReducedMotion(still) => self.prefs.still = still,
            Command::ToggleKeyboard => {
                self.keyboard.on = !self.keyboard.on;
                self.keyboard.release_all(&self.instance.audio);
            }
            Command::RenderThreads(choice) => self.set_choice(ParamId::RenderThreads, choice, now),
            Command::Quality(choice) => self.set_choice(ParamId::Quality, choice, now),
            Command::Mpe(choice) => self.set_choice(ParamId::Mpe, choice, now),
            Command::Strike => {
                let patch = self.instance.params.own_patch();
                self.strike(self.pages.body_view.strike_key(&patch, self.pages.hit_scope.last()), now);
            }
        }
    }

    /// Undo, redo, A and B, and random changes.
    fn edit_history(&mut self, command: Command, now: f64) {
        let patch = self.instance.params.own_patch();
        match command {
            Command::Undo => _ = self.history.undo(patch).map(|patch| self.play(patch)),
            Command::Redo => _ = self.history.redo(patch).map(|patch| self.play(patch)),
            Command::SwitchAb => {
                let other = self.history.toggle_ab(patch);
                self.play(other);
            }
            Command::CopyToOther => self.history.copy(patch),
            _ => {
                let randomised = self.history.randomise(&patch, self.prefs.chance, now.to_bits());
                self.history.remember(&self.instance.params, None, now);
                self.play(randomised);
            }
        }
    }

    /// Commands of the preset field.
    fn preset_command(&mut self, command: Command, now: f64) {
        match command {
            Command::StepPreset(step) => {
                if let Some(patch) = self.presets.step(&self.instance.params.name(), step) {
                    self.history.remember(&self.instance.params, None, now);
                    self.pages.hit_scope.start_new_sound();
                    self.play(self.instance.params.fitted(patch));
                }
            }
            Command::ToggleFavourite => {
                let name = self.instance.params.name();
                if !name.is_empty() {
                    self.choose(BrowserAction::ToggleFavourite(name), now);
                }
            }
            _ => show_folder(),
        }
    }

    /// Commands that open and close pages, drawer, browser and manual.
    fn navigate(&mut self, command: Command, now: f64) {
        match command {
            Command::ToggleBrowser if self.pages.browser.is_none() => {
                self.pages.browser = Some(Browser::open(&mut self.presets, self.instance.params.own_patch()));
            }
            Command::Close if self.controls.learning.cancel() => {}
            Command::Close if self.pages.manual.is_some() => self.pages.manual = None,
            Command::Close if self.pages.drawer.group.is_some() => self.pages.drawer.group = None,
            Command::Page(page) => {
                self.pages.current = page.min(PAGES.len() - 1);
                self.pages.manual = None;
            }
            Command::ToggleManual if self.pages.manual.is_some() => self.pages.manual = None,
            Command::ToggleManual => self.pages.manual = Some(Manual::default()),
            _ => self.choose(BrowserAction::Confirm, now),
        }
    }

    /// Sets a parameter to one of its choices, as its menu would.
    fn set_choice(&mut self, id: ParamId, choice: usize, now: f64) {
        let Some(host) = &self.instance.host else { return };
        let host = host.param_setter();
        self.history.remember(&self.instance.params, Some(id), now);
        self.instance.params.begin(id, &host);
        self.instance.params.set_travel(id, &host, self.instance.params.travel_of(id, choice as f64));
        self.instance.params.end(id, &host);
    }

    /// Opens or closes the drawer of a group of the main controls. For the drive its page is shown.
    pub(super) fn toggle_drawer(&mut self, group: usize, now: f64) {
        if group == main_controls::DRIVE {
            self.pages.drawer.group = None;
            self.choose(BrowserAction::Confirm, now);
            self.pages.current = PAGES.iter().position(|page| *page == "Drive").unwrap_or(0);
        } else {
            self.pages.drawer.toggle(group);
        }
    }

    /// Executes an action of the browser.
    pub(super) fn choose(&mut self, choice: BrowserAction, now: f64) {
        match choice {
            BrowserAction::Preview(patch) => {
                self.presets.take(&patch);
                self.pages.hit_scope.start_new_sound();
                self.play(self.instance.params.fitted(*patch));
            }
            BrowserAction::Confirm => {
                if let Some(browser) =
                    self.pages.browser.take().filter(|browser| *browser.before() != self.instance.params.own_patch())
                {
                    self.history.push(browser.before().clone());
                }
            }
            BrowserAction::Cancel => {
                if let Some(browser) = self.pages.browser.take() {
                    self.play(browser.before().clone());
                }
            }
            BrowserAction::LoadAsB(patch) => self.history.copy(self.instance.params.fitted(*patch)),
            BrowserAction::ToggleFavourite(name) => {
                if !self.prefs.favourites.remove(&name) {
                    self.prefs.favourites.insert(name);
                }
            }
            BrowserAction::Save(name) => self.save(name),
            BrowserAction::Edit(patch) => self.edit(*patch),
            BrowserAction::EditAsB(patch) => {
                self.history.copy(*patch);
                let other = self.history.toggle_ab(self.instance.params.own_patch());
                self.play(other);
            }
            BrowserAction::Open(file) => self.open_preset(&file, now),
            BrowserAction::PlayKey(key) => self.strike(key, now),
            BrowserAction::Delete(file) => self.delete_preset(&file),
            BrowserAction::Rename { file, from } => self.rename_preset(&file, &from),
        }
    }

    /// Plays the preset in `file`, as an undo step, or installs the presets of a pack; a file that is neither is reported.
    fn open_preset(&mut self, file: &Path, now: f64) {
        if is_pack(file) {
            return self.install_pack(file);
        }
        match preset_library::read(file) {
            Ok((patch, notes)) => {
                self.history.remember(&self.instance.params, None, now);
                self.pages.browser = None;
                self.pages.hit_scope.start_new_sound();
                self.play(self.instance.params.fitted(patch));
                self.controls.file_error = notes.first().map(|note| format!("{}, {note}", file.display()));
            }
            Err(error) => self.controls.file_error = Some(error.to_string()),
        }
    }

    /// Installs the presets of a pack, and shows the result.
    fn install_pack(&mut self, file: &Path) {
        let folder = preset_library::folder().ok_or_else(no_folder);
        let installed = folder
            .and_then(|folder| PresetPack::read(file).and_then(|pack| pack.install(&folder)).map_err(|error| error.to_string()));
        self.presets.read();
        if let Some(browser) = &mut self.pages.browser {
            browser.refreshed(None);
        }
        self.controls.file_error = Some(installed.map_or_else(|error| error, |installed| preset_pack::summary(&installed)));
    }

    /// Handles files dropped on the window: plays a preset, or opens the page that reads the file.
    pub(super) fn take_dropped_files(&mut self, ui: &Ui, now: f64) {
        let first = ui.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_owned()));
        let Some(file) = first else { return };
        self.controls.file_error = None;
        match self.page_for(&file) {
            Ok(Some(page)) => {
                self.pages.current = PAGES.iter().position(|name| *name == page).unwrap_or_default();
                (self.pages.browser, self.pages.manual) = (None, None);
            }
            Ok(None) => {
                ui.input_mut(|input| input.raw.dropped_files.clear());
                self.open_preset(&file, now);
            }
            Err(remedy) => self.controls.file_error = Some(format!("{}: {remedy}", file.display())),
        }
    }

    /// The page that reads a dropped file; none for a preset. Errors: what can be done with such a file.
    fn page_for(&self, file: &Path) -> Result<Option<&'static str>, &'static str> {
        let choice = |id: ParamId| self.instance.params.value(id) as usize;
        let source = DRIVE_SOURCES.get(choice(ParamId::DriveSource)).copied();
        let surface = ROLLING_SURFACES.get(choice(ParamId::Roll)).copied();
        let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match (ending.as_str(), PAGES[self.pages.current]) {
            ("scl" | "kbm", _) => Ok(Some("Tuning")),
            ("csv" | "tsv" | "json", _) | ("wav", "Modes") => Ok(Some("Modes")),
            ("wav", "Drive") if source == Some("Sample") || surface == Some("Recorded") => Ok(Some("Drive")),
            ("wav", _) => {
                Err("drop a recording on the page Modes to read a body from a hit, or on the page Drive with the source \
                               Sample to drive the hammer with it.")
            }
            ("toml", "Drive") if source == Some("Pattern") => Ok(Some("Drive")),
            ("toml", "Modes") if preset_library::read(file).is_err() => Ok(Some("Modes")),
            ("toml" | preset_pack::EXTENSION, _) => Ok(None),
            _ => Err(
                "this kind of file cannot be read. Drop a preset (toml), a pack of presets (urtopack), a scale (scl, kbm), a list of modes (csv, tsv, json, \
                      toml) or a recording (wav).",
            ),
        }
    }

    /// Deletes the file of a user preset.
    fn delete_preset(&mut self, file: &Path) {
        let deleted = std::fs::remove_file(file);
        self.presets.read();
        let error = deleted.err().map(|_| {
            format!("{} could not be deleted. Check that the file exists and that you may write to its folder.", file.display())
        });
        if let Some(browser) = &mut self.pages.browser {
            browser.refreshed(error);
        }
    }

    /// Saves the sound under its new name. If that succeeds, deletes the file with the name before, `from`, which stays a favourite.
    fn rename_preset(&mut self, file: &Path, from: &str) {
        let name = self.instance.params.name();
        self.save(name.clone());
        if self.presets.presets().iter().any(|preset| preset.patch.name == name && preset.is_own()) {
            self.delete_preset(file);
            if self.prefs.favourites.remove(from) {
                self.prefs.favourites.insert(name);
            }
        }
    }

    /// Plays `patch`, an edit of the current sound made in the browser. The edit is one undo step and outlasts the browser.
    fn edit(&mut self, patch: Patch) {
        let now = self.instance.params.own_patch();
        if let Some(browser) = &mut self.pages.browser {
            if *browser.before() != now {
                self.history.push(browser.before().clone());
            }
            browser.edited(patch.clone());
        }
        self.history.push(now);
        self.play(patch);
    }

    /// Saves the sound as a user preset.
    fn save(&mut self, name: String) {
        let patch = Patch { name, ..self.instance.params.own_patch() };
        let folder = preset_library::folder().ok_or_else(no_folder);
        let saved = folder.and_then(|folder| preset_library::save(&folder, &patch).map_err(|error| error.to_string()));
        if saved.is_ok() {
            self.presets.take(&patch);
            self.play(patch.clone());
        }
        if let Some(browser) = &mut self.pages.browser {
            browser.saved(&mut self.presets, saved.map(|_| patch.name));
        }
    }

    fn zoom(&mut self, ui: &Ui, factor: f32) {
        self.prefs.zoom = factor;
        self.size.zoom(ui.ctx(), factor);
    }

    /// Plays another patch, as an undo step or as part of one.
    pub(super) fn change(&mut self, change: PatchChange, now: f64) {
        if change.fresh {
            self.history.remember(&self.instance.params, None, now);
        }
        let begun = Instant::now();
        self.play(change.patch);
        self.pages.modes.set_load_time(begun.elapsed());
    }

    /// Ends solo: all partials sound.
    pub(super) fn end_solo(&mut self) {
        if self.pages.modes.clear_solo(&self.instance.audio) {
            self.instance.audio.load(&self.instance.params.patch());
        }
    }

    /// Plays `patch` from now on. The engine receives the parameters through the host; the rest of the patch is sent if it differs.
    pub(super) fn play(&self, patch: Patch) {
        let before = self.instance.params.own_patch();
        let only_params = Patch { settings: patch.settings, name: patch.name.clone(), ..before } == patch;
        self.instance.params.load_patch(patch, |patch| {
            if !only_params {
                self.instance.audio.load(patch);
            }
        });
        self.instance.rescan.request();
    }

    /// Plays a short note.
    fn strike(&mut self, key: u8, now: f64) {
        let note = NoteId { voice: None, channel: 0, key };
        self.instance.audio.play(Event::NoteOn { note, velocity: STRIKE_VELOCITY });
        if let Some(before) = self.held_note.replace(HeldNote { note, end: now + STRIKE_DURATION }) {
            self.instance.audio.play(Event::NoteOff { note: before.note, velocity: 0.5 });
        }
    }

    /// Ends the short note after its duration.
    pub(super) fn end_note(&mut self, now: f64) {
        if let Some(HeldNote { note, .. }) = self.held_note.take_if(|held| now >= held.end) {
            self.instance.audio.play(Event::NoteOff { note, velocity: 0.5 });
        }
    }
}

/// Whether the name of `file` is that of a pack.
fn is_pack(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(preset_pack::EXTENSION))
}

/// Shows the preset folder in the file manager of the system, and creates it if needed. Does nothing on a system without one.
fn show_folder() {
    let Some(folder) = preset_library::folder().filter(|folder| std::fs::create_dir_all(folder).is_ok()) else { return };
    let program = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    if let Ok(mut shown) = std::process::Command::new(program).arg(folder).spawn() {
        // waits for the process, so that no zombie is left
        _ = std::thread::Builder::new().name("urto folder".into()).spawn(move || shown.wait());
    }
}
