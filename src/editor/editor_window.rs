//! State of the editor window: the instance, its pages, readings of the audio thread, preferences.

use std::sync::Arc;
use std::time::Duration;

use egui::{Context, Ui};
use nice_plug::context::gui::GuiContext;
use nice_plug_egui::RepaintNotifier;

use crate::editor::body_view::BodyView;
use crate::editor::browser::{Browser, PresetIndex};
use crate::editor::command::Keyboard;
use crate::editor::controller_learning::ControllerLearning;
use crate::editor::drive::DrivePage;
use crate::editor::hit_scope::HitScope;
use crate::editor::manual::Manual;
use crate::editor::matrix::MatrixPage;
use crate::editor::modes::ModesPage;
use crate::editor::panels::OpenDrawer;
use crate::editor::param_context::ValueEntryState;
use crate::editor::parts::PartsPage;
use crate::editor::preferences::Prefs;
use crate::editor::theme::PAGES;
use crate::editor::tuning::TuningPage;
use crate::editor::undo_history::UndoHistory;
use crate::editor::widgets::{Meter, SILENT, StiffeningMeter, plot};
use crate::editor::window_size::WindowFit;
use crate::host_params::HostParams;
use crate::threads::{EditorEnd, ParamRescanFlag};
use urto_engine::NoteId;
use urto_engine::telemetry::ControllerReadings;

/// Time between frames while something moves. A window at rest is drawn on input, on changes of parameters and on sound.
pub const FRAME_TIME: Duration = Duration::from_millis(16);
/// Fall of the displayed processor load that requests another frame.
const LOAD_STEP: f32 = 5e-3;
/// The plugin instance that the window belongs to.
pub struct Instance {
    /// Its parameters and its patch.
    pub params: Arc<HostParams>,
    /// The editor's end of the connection to the audio thread.
    pub audio: EditorEnd,
    /// Asks the host to read all parameter values again.
    pub rescan: Arc<ParamRescanFlag>,
    /// Requests a frame of the window from any thread.
    pub repaint: RepaintNotifier,
    /// The host, while the window is open.
    pub host: Option<GuiContext>,
    /// Whether this is the standalone program, without a host.
    pub standalone: bool,
}

/// The pages, and which of them is shown.
pub struct Pages {
    /// Index of the shown page in [`PAGES`].
    pub current: usize,
    /// The drawer over the page.
    pub drawer: OpenDrawer,
    /// The body in slow motion.
    pub body_view: BodyView,
    /// Force and energy of the last hits.
    pub hit_scope: HitScope,
    /// The modes page.
    pub modes: ModesPage,
    /// The parts page.
    pub parts: PartsPage,
    /// The tuning page.
    pub tuning: TuningPage,
    /// The matrix page.
    pub matrix: MatrixPage,
    /// The drive page.
    pub drive: DrivePage,
    /// The preset browser, while it is open.
    pub browser: Option<Browser>,
    /// The manual, while it is open.
    pub manual: Option<Manual>,
}

/// Measurements of the audio thread.
pub struct Readings {
    /// Controller values of the held notes.
    pub controllers: ControllerReadings,
    /// The level meter.
    pub meter: Meter,
    /// Number of active voices.
    pub voices: u32,
    /// Level of the side-chain [dBFS].
    pub side_chain: f32,
    /// Processor load of the audio thread, 0 to 1.
    pub load: f32,
    /// Meter of how far bodies stiffen.
    pub stiffening: StiffeningMeter,
    /// Number of modes of a voice of the key struck last; none while its body is being computed.
    pub modes: Option<usize>,
}

/// State that all parameter controls share.
#[derive(Default)]
pub struct ControlState {
    /// The value being typed.
    pub entry: Option<ValueEntryState>,
    /// Error about a file that was opened or dropped, until the user closes it.
    pub file_error: Option<String>,
    /// The hint in the footer; empty for the default hint.
    pub hint: String,
    /// The controllers that the user has assigned.
    pub learning: ControllerLearning,
}

/// A note started by the window.
#[derive(Clone, Copy)]
pub struct HeldNote {
    /// The note.
    pub note: NoteId,
    /// Time at which it ends [s].
    pub end: f64,
}

/// The editor window of one instance. It outlives the open window.
pub struct EditorWindow {
    pub(super) instance: Instance,
    pub(super) pages: Pages,
    pub(super) readings: Readings,
    pub(super) controls: ControlState,
    pub(super) history: UndoHistory,
    pub(super) presets: PresetIndex,
    pub(super) keyboard: Keyboard,
    pub(super) size: WindowFit,
    pub(super) prefs: Prefs,
    /// The preferences as they were last written to their file.
    pub(super) saved_prefs: Prefs,
    pub(super) held_note: Option<HeldNote>,
}

impl EditorWindow {
    /// The window of an instance, closed.
    pub(super) fn new(
        params: Arc<HostParams>,
        audio: EditorEnd,
        rescan: Arc<ParamRescanFlag>,
        prefs: Prefs,
        repaint: RepaintNotifier,
    ) -> Self {
        Self {
            size: WindowFit::new(),
            instance: Instance { params, audio, rescan, repaint, host: None, standalone: false },
            pages: Pages {
                current: 0,
                drawer: OpenDrawer::default(),
                body_view: BodyView::default(),
                hit_scope: HitScope::new(),
                modes: ModesPage::default(),
                tuning: TuningPage::default(),
                parts: PartsPage::default(),
                drive: DrivePage::default(),
                matrix: MatrixPage::default(),
                browser: None,
                manual: None,
            },
            readings: Readings {
                controllers: ControllerReadings::default(),
                meter: Meter::default(),
                voices: 0,
                side_chain: f32::NEG_INFINITY,
                load: 0.0,
                stiffening: StiffeningMeter::default(),
                modes: None,
            },
            controls: ControlState::default(),
            history: UndoHistory::default(),
            presets: PresetIndex::default(),
            keyboard: Keyboard::default(),
            saved_prefs: prefs.clone(),
            prefs,
            held_note: None,
        }
    }

    /// Applies the theme of the preferences.
    pub(super) fn apply_theme(&self, context: &Context) {
        context.set_theme(if self.prefs.dark { egui::Theme::Dark } else { egui::Theme::Light });
        context.options_mut(|options| options.zoom_with_keyboard = false);
    }

    /// Reads what the audio thread has sent, and requests the next frame while something moves.
    pub(super) fn read_telemetry(&mut self, ui: &Ui) {
        let elapsed = ui.input(|input| input.stable_dt).min(0.1);
        let levels = self.instance.audio.levels();
        self.readings.meter.follow(&levels, elapsed);
        self.readings.stiffening.follow(levels.stiffening, elapsed);
        self.readings.voices = levels.active_voices;
        self.readings.side_chain = plot::decayed(self.readings.side_chain, levels.side_chain, elapsed);
        self.readings.load = levels.load.max(self.readings.load * (-2.0 * elapsed).exp());
        self.readings.controllers = self.instance.audio.controller_readings().unwrap_or(self.readings.controllers);
        self.controls.learning.follow(self.instance.audio.controllers(), self.instance.audio.moved_controller());
        let swing = self.instance.audio.body_motion();
        self.pages.body_view.follow(swing, elapsed);
        for hit in self.instance.audio.hits() {
            self.pages.body_view.record_hit(&hit);
            self.pages.hit_scope.push(hit);
        }
        self.readings.modes = self.pages.body_view.mode_count(&self.instance.params.patch(), self.pages.hit_scope.last());
        self.pages.drive.push(self.instance.audio.trace());
        let shown = PAGES[self.pages.current] == "Modes" && self.pages.browser.is_none();
        self.pages.modes.listen(&self.instance.audio, shown, elapsed);
        let falls = self.readings.side_chain > SILENT
            || self.readings.load > levels.load + LOAD_STEP
            || shown && self.pages.modes.is_moving();
        let moves = levels.active_voices > 0
            || self.pages.drive.is_moving()
            || self.readings.meter.moves()
            || self.readings.stiffening.moves()
            || self.pages.body_view.is_moving()
            || self.controls.learning.waiting().is_some()
            || self.held_note.is_some();
        if (moves || falls) && !self.instance.audio.is_hidden() {
            ui.ctx().request_repaint_after(FRAME_TIME);
        }
    }
}
