//! The editor window: what it draws, and what it remembers while it is open or closed.

use std::sync::Arc;
use std::time::Duration;

use egui::{Context, Ui};
use nice_plug::context::gui::GuiContext;
use nice_plug_egui::RepaintNotifier;

use crate::editor::body_view::Stage;
use crate::editor::browser::Browser;
use crate::editor::browser::PresetIndex;
use crate::editor::computer_keyboard::Keyboard;
use crate::editor::drive::Drive;
use crate::editor::hit_scope::Scope;
use crate::editor::layout::PAGES;
use crate::editor::manual::Manual;
use crate::editor::modes::Modes;
use crate::editor::panels::Open;
use crate::editor::preferences::Prefs;
use crate::editor::tuning::Tuner;
use crate::editor::undo_history::UndoHistory;
use crate::editor::value_entry_state::ValueEntryState;
use crate::editor::widgets::{Meter, SILENT, meter};
use crate::host_params::HostParams;
use crate::threads::EditorEnd;
use crate::threads::ParamRescanFlag;
use urto_engine::NoteId;
use urto_engine::telemetry::ControllerReadings;

/// How often the window is drawn while something moves; while nothing does it waits for player, host or sound.
pub const BUSY: Duration = Duration::from_millis(16);
/// Part of its time that the audio thread may spend less before that is news.
const LIGHTER: f32 = 5e-3;
/// What is drawn, and what it remembers while the window is open or closed.
pub struct EditorWindow {
    pub(super) knobs: Arc<HostParams>,
    pub(super) audio: EditorEnd,
    pub(super) bell: Arc<ParamRescanFlag>,
    /// Asks for a look from any thread.
    pub(super) repaint: RepaintNotifier,
    pub(super) host: Option<GuiContext>,
    pub(super) page: usize,
    pub(super) drawer: Open,
    pub(super) stage: Stage,
    pub(super) scope: Scope,
    pub(super) modes: Modes,
    pub(super) tuner: Tuner,
    /// What hands do to the notes that are held.
    pub(super) hands: ControllerReadings,
    pub(super) drive: Drive,
    pub(super) meter: Meter,
    /// Bodies that sound, level of the side-chain [dBFS], part of its time that the audio thread spends.
    pub(super) voices: u32,
    pub(super) side_chain: f32,
    pub(super) load: f32,
    pub(super) entry: Option<ValueEntryState>,
    pub(super) past: UndoHistory,
    pub(super) shelf: PresetIndex,
    pub(super) browser: Option<Browser>,
    pub(super) manual: Option<Manual>,
    pub(super) keyboard: Keyboard,
    /// Whether this is the program on its own, without a host.
    pub(super) alone: bool,
    pub(super) prefs: Prefs,
    /// As they were last kept.
    pub(super) kept: Prefs,
    pub(super) hint: String,
    /// The note that a key plays, and when it ends.
    pub(super) held: Option<(NoteId, f64)>,
}

impl EditorWindow {
    pub(super) fn new(knobs: Arc<HostParams>, audio: EditorEnd, bell: Arc<ParamRescanFlag>, prefs: Prefs) -> Self {
        Self {
            knobs,
            audio,
            bell,
            repaint: RepaintNotifier::new(),
            host: None,
            page: 0,
            drawer: Open::default(),
            stage: Stage::default(),
            scope: Scope::new(),
            modes: Modes::default(),
            tuner: Tuner::default(),
            hands: ControllerReadings::default(),
            drive: Drive::default(),
            meter: Meter::default(),
            voices: 0,
            side_chain: f32::NEG_INFINITY,
            load: 0.0,
            entry: None,
            past: UndoHistory::default(),
            shelf: PresetIndex::default(),
            browser: None,
            manual: None,
            keyboard: Keyboard::default(),
            alone: false,
            kept: prefs.clone(),
            prefs,
            hint: String::new(),
            held: None,
        }
    }

    pub(super) fn wear(&self, context: &Context) {
        context.set_theme(if self.prefs.dark { egui::Theme::Dark } else { egui::Theme::Light });
        context.options_mut(|options| options.zoom_with_keyboard = false);
    }

    /// Takes what the audio thread has sent, and asks for the next look.
    pub(super) fn look(&mut self, ui: &Ui) {
        let elapsed = ui.input(|input| input.stable_dt).min(0.1);
        let levels = self.audio.levels();
        self.meter.follow(&levels, elapsed);
        self.voices = levels.sounding;
        self.side_chain = meter::fall(self.side_chain, levels.side_chain, elapsed);
        self.load = levels.load.max(self.load * (-2.0 * elapsed).exp());
        self.hands = self.audio.gestures().unwrap_or(self.hands);
        let swing = self.audio.body_motion();
        self.stage.follow(swing, elapsed);
        for hit in self.audio.hits() {
            self.stage.hit(&hit);
            self.scope.take(hit);
        }
        self.drive.take(self.audio.trace());
        let shown = PAGES[self.page] == "Modes" && self.browser.is_none();
        self.modes.listen(&self.audio, shown, elapsed);
        let falls = self.side_chain > SILENT || self.load > levels.load + LIGHTER || shown && self.modes.moves();
        let moves = levels.sounding > 0 || self.drive.moves() || self.meter.moves() || self.stage.moves() || self.held.is_some();
        if (moves || falls) && !self.audio.is_hidden() {
            ui.ctx().request_repaint_after(BUSY);
        }
    }
}
