//! The editor, drawn with egui: reads parameters and telemetry, writes through the host.

pub(crate) mod body_view;
pub(crate) mod browser;
mod command;
mod computer_keyboard;
mod drive;
mod editor_window;
mod editor_window_commands;
mod editor_window_drawing;
#[cfg(any(test, feature = "standalone"))]
pub(crate) mod headless_window;
mod hit_scope;
mod host_editor;
mod layout;
mod manual;
mod modes;
mod open_windows;
pub(crate) mod panels;
mod param_context;
pub(crate) mod param_controls;
mod partial;
mod preferences;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod theme;
pub(crate) mod tuning;
mod undo_history;
mod value_entry_state;
pub(crate) mod widgets;

#[cfg(any(test, feature = "standalone"))]
pub use crate::editor::headless_window::{HeadlessWindow, LOOKS};

use std::sync::Arc;
use std::time::Duration;

use egui::{Context, Ui};
use nice_plug::context::PluginApi;
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::LogicalSize;
use nice_plug::editor::{ResizeHint, SizeConstraints};
use nice_plug_egui::{
    EguiEditorState, EguiNiceSettings, Frame as Window, NiceEguiApp, RepaintNotifier, baseview, create_egui_editor,
};

use crate::editor::body_view::BodyView;
use crate::editor::browser::PresetIndex;
use crate::editor::browser::{Browser, CurrentSound};
use crate::editor::command::{Command, PatchChange};
use crate::editor::computer_keyboard::Keyboard;
use crate::editor::drive::DrivePage;
use crate::editor::hit_scope::HitScope;
use crate::editor::layout::{Frame, part};
use crate::editor::manual::Manual;
use crate::editor::modes::ModesPage;
use crate::editor::open_windows::OpenWindow;
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::ValueEntry;
use crate::editor::preferences::Prefs;
use crate::editor::tuning::Tuner;
use crate::editor::undo_history::UndoHistory;
use crate::editor::widgets::Meter;
use crate::editor::widgets::ThemePainter;
use crate::host_params::HostParams;
use crate::threads::EditorEnd;
use crate::threads::ParamRescanFlag;
use urto_engine::NoteId;
use urto_engine::params::ParamId;
use urto_engine::telemetry::ControllerReadings;

/// First size of the window [logical pixels].
const SIZE: [f32; 2] = [1280.0, 800.0];
/// How often the window is drawn while something moves; while nothing does it waits for player, host or sound.
const BUSY: Duration = Duration::from_millis(16);
/// Part of its time that the audio thread may spend less before that is news.
const LIGHTER: f32 = 5e-3;
/// Pages in their order.
const PAGES: [&str; 4] = ["Hit", "Modes", "Drive", "Tuning"];

pub use crate::editor::host_editor::HostEditor;
pub use crate::editor::open_windows::close;

/// What is drawn, and what it remembers while the window is open or closed.
pub struct EditorWindow {
    knobs: Arc<HostParams>,
    audio: EditorEnd,
    bell: Arc<ParamRescanFlag>,
    /// Asks for a look from any thread.
    repaint: RepaintNotifier,
    host: Option<GuiContext>,
    page: usize,
    drawer: crate::editor::panels::Open,
    stage: BodyView,
    scope: HitScope,
    modes: ModesPage,
    tuner: Tuner,
    /// What hands do to the notes that are held.
    hands: ControllerReadings,
    drive: DrivePage,
    meter: Meter,
    /// Bodies that sound, level of the side-chain [dBFS], part of its time that the audio thread spends.
    voices: u32,
    side_chain: f32,
    load: f32,
    entry: Option<ValueEntry>,
    past: UndoHistory,
    shelf: PresetIndex,
    browser: Option<Browser>,
    manual: Option<Manual>,
    keyboard: Keyboard,
    /// Whether this is the program on its own, without a host.
    alone: bool,
    prefs: Prefs,
    /// As they were last kept.
    kept: Prefs,
    hint: String,
    /// The note that a key plays, and when it ends.
    held: Option<(NoteId, f64)>,
}

/// The editor for a host to open.
/// `page` is the name of the one that is shown first.
pub fn open(
    knobs: Arc<HostParams>,
    audio: EditorEnd,
    bell: Arc<ParamRescanFlag>,
    repaint: RepaintNotifier,
    page: &str,
) -> Option<HostEditor> {
    let size = |[width, height]: [f32; 2]| LogicalSize::new(width, height);
    let limits = SizeConstraints::Logical {
        min_size: Some(size(crate::editor::widgets::SMALLEST)),
        max_size: Some(size(crate::editor::widgets::LARGEST)),
    };
    let settings = EguiNiceSettings::new()
        .with_tile("Urto")
        .with_resize_hint(ResizeHint { size_constraints: limits, ..ResizeHint::RESIZABLE });
    let mut face = EditorWindow::new(knobs, audio, bell, Prefs::load());
    face.repaint = repaint.clone();
    face.page = PAGES.iter().position(|name| *name == page).unwrap_or(0);
    let zoom = face.prefs.zoom;
    let hosted = face.audio.clone();
    create_egui_editor(EguiEditorState::from_size(size(SIZE), zoom), repaint, settings, face)
        .map(|editor| HostEditor::new(editor, hosted))
}

impl NiceEguiApp for EditorWindow {
    fn build(&mut self, context: Context, host: GuiContext, frame: &mut Window) -> Result<(), baseview::HandlerError> {
        theme::dress(&context);
        self.wear(&context);
        frame.set_clear_color(theme::ink(&context).bg.into());
        self.hear_all();
        OpenWindow::remember(&context, Arc::clone(&self.knobs), self.audio.clone(), self.repaint.clone());
        self.alone = host.plugin_api() == PluginApi::Standalone;
        self.keyboard.let_go(&self.audio);
        (self.host, self.entry) = (Some(host), None);
        Ok(())
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut Window) {
        let Some(host) = self.host.clone() else { return };
        if crate::editor::open_windows::is_closing() {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
        }
        frame.set_clear_color(theme::ink(ui.ctx()).bg.into());
        self.look(ui);
        self.show(ui, &host.param_setter());
        // now, since nobody is told when the window is closed
        if self.prefs != self.kept && !ui.input(|input| input.pointer.any_down()) {
            self.prefs.keep();
            self.kept = self.prefs.clone();
        }
    }
}

impl EditorWindow {
    fn new(knobs: Arc<HostParams>, audio: EditorEnd, bell: Arc<ParamRescanFlag>, prefs: Prefs) -> Self {
        Self {
            knobs,
            audio,
            bell,
            repaint: RepaintNotifier::new(),
            host: None,
            page: 0,
            drawer: crate::editor::panels::Open::default(),
            stage: BodyView::default(),
            scope: HitScope::new(),
            modes: ModesPage::default(),
            tuner: Tuner::default(),
            hands: ControllerReadings::default(),
            drive: DrivePage::default(),
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

    fn wear(&self, context: &Context) {
        context.set_theme(if self.prefs.dark { egui::Theme::Dark } else { egui::Theme::Light });
        context.options_mut(|options| options.zoom_with_keyboard = false);
    }

    /// Takes what the audio thread has sent, and asks for the next look.
    fn look(&mut self, ui: &Ui) {
        let elapsed = ui.input(|input| input.stable_dt).min(0.1);
        let levels = self.audio.levels();
        self.meter.follow(&levels, elapsed);
        self.voices = levels.sounding;
        self.side_chain = crate::editor::widgets::meter::fall(self.side_chain, levels.side_chain, elapsed);
        self.load = levels.load.max(self.load * (-2.0 * elapsed).exp());
        self.hands = self.audio.gestures().unwrap_or(self.hands);
        let swing = self.audio.body_motion();
        self.stage.follow(swing, elapsed);
        for hit in self.audio.hits() {
            self.stage.record_hit(&hit);
            self.scope.push(hit);
        }
        self.drive.push(self.audio.trace());
        let shown = PAGES[self.page] == "Modes" && self.browser.is_none();
        self.modes.listen(&self.audio, shown, elapsed);
        let falls = self.side_chain > crate::editor::widgets::SILENT
            || self.load > levels.load + LIGHTER
            || shown && self.modes.is_moving();
        let moves =
            levels.sounding > 0 || self.drive.is_moving() || self.meter.moves() || self.stage.is_moving() || self.held.is_some();
        if (moves || falls) && !self.audio.is_hidden() {
            ui.ctx().request_repaint_after(BUSY);
        }
    }

    /// Draws everything and follows the player.
    fn show(&mut self, ui: &mut Ui, host: &nice_plug::prelude::ParamSetter) {
        let frame = Frame::of(ui.ctx().content_rect());
        let now = ui.input(|input| input.time);
        let pen = ThemePainter::new(ui);
        pen.rect(frame.window, 0.0, pen.ink.bg);
        let writes = self.entry.is_some() || ui.ctx().text_edit_focused();
        if !writes {
            crate::editor::command::complete(ui.ctx());
        }
        self.keyboard.play(ui, writes, &self.audio);
        let mut wishes = crate::editor::command::keys(ui.ctx(), writes || self.browser.is_some());
        wishes.extend(self.header(ui, &frame));
        self.hint.clear();
        let mut desk = ParamContext {
            knobs: &self.knobs,
            host,
            entry: &mut self.entry,
            past: &mut self.past,
            hint: &mut self.hint,
            small: frame.small,
            still: self.prefs.still,
            now,
        };
        let (mut choices, mut change) = (Vec::new(), None);
        match (&mut self.browser, PAGES[self.page]) {
            _ if self.manual.is_some() => {
                let ui = &mut part(ui, "manual", frame.middle);
                self.manual.iter_mut().for_each(|manual| manual.show(ui, frame.middle, frame.small));
            }
            (Some(browser), _) => {
                let ui = &mut part(ui, "browser", frame.middle);
                let patch = self.knobs.own_patch();
                let sounding = CurrentSound { patch: &patch, other: desk.past.other(), effect: self.knobs.is_effect() };
                choices = browser.show(ui, frame.middle, &self.shelf, (&self.prefs.favourites, &sounding), frame.small);
            }
            (None, "Hit") => {
                let ui = &mut part(ui, "hit", frame.middle);
                self.stage.show(ui, frame.stage, &mut desk, &self.audio, self.scope.last());
                pen.vline(frame.stage.right(), frame.stage.y_range(), pen.ink.hair);
                self.scope.show(ui, frame.scope, frame.small);
            }
            (None, "Modes") => {
                let ui = &mut part(ui, "modes", frame.middle);
                change = self.modes.show(ui, frame.middle, &mut self.stage, (&mut desk, &self.audio), self.scope.last());
            }
            (None, "Drive") => {
                let ui = &mut part(ui, "drive", frame.middle);
                let last = self.scope.last().map(|hit| hit.key);
                let drawn = self.drive.show(ui, frame.middle, &mut desk, self.side_chain, last);
                change = drawn.map(|patch| PatchChange { patch, fresh: true });
            }
            (None, _) => {
                let ui = &mut part(ui, "tuning", frame.middle);
                let now = tuning::Now { last: self.scope.last(), hands: &self.hands, master: self.audio.master() };
                change = self.tuner.show(ui, frame.middle, &mut desk, &now);
            }
        }
        self.drawer.show(&mut part(ui, "drawer", frame.middle), frame.middle, &mut desk);
        let unfolded = crate::editor::panels::main_controls::show(
            &mut part(ui, "strip", frame.strip),
            frame.strip,
            &mut desk,
            &self.meter,
            self.drawer.group,
        );
        self.footer(&pen, &frame);
        crate::editor::widgets::resize_corner::show(ui, frame.window);
        self.first_marks(ui, &frame);
        wishes.into_iter().for_each(|wish| self.execute(ui, wish, now));
        choices.into_iter().for_each(|choice| self.choose(choice, now));
        unfolded.into_iter().for_each(|group| self.toggle_drawer(group, now));
        change.into_iter().for_each(|change| self.change(change, now));
        self.let_go(now);
    }

    /// The marks of the first screen, until a key or a click ends them.
    fn first_marks(&mut self, ui: &Ui, frame: &Frame) {
        let first = self.prefs.first && self.browser.is_none() && self.manual.is_none() && PAGES[self.page] == "Hit";
        if first && crate::editor::panels::first_run_hints::end(ui) {
            self.prefs.first = false;
        } else if first {
            crate::editor::panels::first_run_hints::show(
                ui,
                frame,
                crate::editor::panels::main_controls::hardness(frame.strip, frame.small),
            );
        }
    }

    fn header(&mut self, ui: &Ui, frame: &Frame) -> Vec<Command> {
        let name = self.knobs.name();
        let name = if name.is_empty() { "Unnamed patch".to_owned() } else { name };
        let shown = crate::editor::panels::HeaderState {
            pages: &PAGES,
            changed: self.shelf.is_changed(&self.knobs),
            favourite: self.prefs.favourites.contains(&name),
            name: &name,
            open: self.browser.is_some(),
            reach: self.past.reach(),
            second: self.past.is_second(),
            reads: self.manual.is_some(),
            plays: self.alone.then_some(self.keyboard.on),
            chosen: [ParamId::Quality, ParamId::Mpe].map(|id| self.knobs.value(id) as usize),
            small: frame.small,
        };
        let before = self.page;
        let wishes = crate::editor::panels::header::show(ui, frame.header, &shown, &mut self.page, &mut self.prefs);
        if self.page != before {
            self.manual = None;
        }
        wishes
    }

    fn footer(&self, pen: &ThemePainter, frame: &Frame) {
        let usual = match (&self.browser, PAGES[self.page]) {
            (Some(_), _) => "Up and Down: step through. Enter: load. F: favourite. Esc: back to the stage, old sound restored.",
            (_, "Hit") => "Click the body to strike it. H strikes, K freezes, C compares, B opens the presets.",
            (_, "Modes") => "Drag a head: level and pitch. Drag a foot: decay. Alt-click: solo.",
            (_, "Tuning") => "An MTS-ESP master, while one runs, wins over the scale. Off keeps this instance as it is.",
            _ => "FonoBump: a signal is a force in newtons on the hammer. It needs no note.",
        };
        let usual = if self.manual.is_some() { "Arrows and Page keys scroll. Esc or ?: back." } else { usual };
        let played = self.keyboard.on.then(|| self.keyboard.words());
        let usual = played.as_deref().unwrap_or(usual);
        let hint = if self.hint.is_empty() { usual } else { &self.hint };
        let input = if self.knobs.is_effect() { "Input" } else { "Side-chain" };
        let voices = (self.voices, self.knobs.value(ParamId::Voices) as u32);
        crate::editor::panels::footer::show(
            pen,
            frame.footer,
            &crate::editor::panels::FooterState { hint, input, side_chain: self.side_chain, voices, load: self.load },
        );
    }
}
