//! Draws the editor window: header, page, drawer, main controls and footer; implements the application of the framework.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Context, Key, Modifiers, Popup, Ui, vec2};
use nice_plug::context::PluginApi;
use nice_plug::context::gui::GuiContext;
use nice_plug::prelude::ParamSetter;
use nice_plug_egui::{Frame as Window, NiceEguiApp, baseview};

use crate::editor::browser::{BrowserAction, CurrentSound, PresetIndex};
use crate::editor::command::{Command, PatchChange};
use crate::editor::editor_window::{EditorWindow, Pages, Readings};
use crate::editor::host_editor::OpenWindow;
use crate::editor::modulation_ranges::ModulationRanges;
use crate::editor::param_context::ParamContext;
#[cfg(target_os = "linux")]
use crate::editor::screen_reader::ScreenReader;
use crate::editor::theme::{PAGES, WindowLayout, part};
use crate::editor::tuning::TuningReadings;
#[cfg(target_os = "linux")]
use crate::editor::widgets::dropped_files::DroppedFiles;
use crate::editor::widgets::text_field::ControlCharacterFilter;
use crate::editor::widgets::{ThemePainter, button, tooltip};
use crate::editor::{command, host_editor, panels, theme};
use crate::threads::EditorEnd;
#[cfg(target_os = "linux")]
use crate::window_system::{Companion, WindowReports};
use urto_engine::params::ParamId;

impl NiceEguiApp for EditorWindow {
    fn build(&mut self, context: Context, host: GuiContext, frame: &mut Window) -> Result<(), baseview::HandlerError> {
        theme::install(&context);
        context.add_plugin(ControlCharacterFilter);
        self.apply_theme(&context);
        frame.set_clear_color(theme::ink(&context).bg.into());
        self.end_solo();
        OpenWindow::remember(
            &context,
            Arc::clone(&self.instance.params),
            self.instance.audio.clone(),
            self.instance.repaint.clone(),
        );
        #[cfg(target_os = "linux")]
        ScreenReader::connect(&context, self.instance.repaint.clone());
        self.follow_window(&context, frame);
        self.size.open(&context, frame.baseview_window().size());
        self.instance.standalone = host.plugin_api() == PluginApi::Standalone;
        self.keyboard.release_all(&self.instance.audio);
        (self.instance.host, self.controls.entry) = (Some(host), None);
        Ok(())
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut Window) {
        let Some(host) = self.instance.host.clone() else { return };
        if host_editor::is_closing() {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
        }
        frame.set_clear_color(theme::ink(ui.ctx()).bg.into());
        self.size.follow(ui.ctx(), frame.baseview_window().size(), self.prefs.zoom);
        self.read_telemetry(ui);
        self.show(ui, &host.param_setter());
        // saved here because the framework reports no closing of the window
        if self.prefs != self.saved_prefs && !ui.input(|input| input.pointer.any_down()) {
            self.prefs.save();
            self.saved_prefs = self.prefs.clone();
        }
    }
}

impl EditorWindow {
    /// Connects what the window library leaves out.
    #[cfg(target_os = "linux")]
    fn follow_window(&self, context: &Context, frame: &Window) {
        let dropped = DroppedFiles::default();
        context.add_plugin(dropped.clone());
        let repaint = self.instance.repaint.clone();
        let visible = self.size.visible_size(repaint.clone());
        let take = move |files| {
            dropped.add(files);
            repaint.request_repaint();
        };
        let reports = WindowReports { visible: Box::new(visible), dropped: Box::new(take) };
        // without X11 there is nothing to complete
        let Ok(companion) = Companion::follow(&frame.baseview_window().platform_handle(), reports) else { return };
        if let Ok(closing) = companion.closing() {
            self.size.host().set_closing(closing);
        }
        // dropped with the window
        context.data_mut(|data| data.insert_temp(egui::Id::NULL, Arc::new(companion)));
    }

    #[cfg(not(target_os = "linux"))]
    fn follow_window(&self, _: &Context, _: &Window) {}
}

/// Data that controls and pages read in addition to the parameters.
struct PageInputs<'a> {
    audio: &'a EditorEnd,
    presets: &'a PresetIndex,
    favourites: &'a BTreeSet<String>,
    readings: &'a Readings,
}

/// Requests of the user in one frame; executed after drawing.
#[derive(Default)]
struct FrameRequests {
    browser: Vec<BrowserAction>,
    change: Option<PatchChange>,
    /// The group of the main controls whose drawer is opened or closed.
    drawer: Option<usize>,
}

impl EditorWindow {
    /// Draws one frame and handles its input.
    pub(super) fn show(&mut self, ui: &mut Ui, host: &ParamSetter) {
        let layout = WindowLayout::of(ui.ctx().content_rect());
        let now = ui.input(|input| input.time);
        let painter = ThemePainter::new(ui);
        painter.rect(layout.window, 0.0, painter.ink.bg);
        let typing = self.controls.entry.is_some() || ui.ctx().text_edit_focused();
        if !typing {
            command::complete(ui.ctx());
        }
        self.take_dropped_files(ui, now);
        self.keyboard.play(ui, typing, &self.instance.audio);
        let is_list_open = Popup::is_any_open(ui.ctx());
        let mut commands = command::keys(ui.ctx(), typing || self.pages.browser.is_some());
        commands.extend(self.header(ui, &layout));
        // the key that closes a menu of the header does nothing else
        if is_list_open && !Popup::is_any_open(ui.ctx()) {
            ui.input_mut(|input| [Key::Enter, Key::Escape].map(|key| input.consume_key(Modifiers::NONE, key)));
        }
        self.controls.hint.clear();
        let requests = self.show_controls(ui, &layout, host, now);
        self.footer(ui, &layout);
        let notice = layout.middle.with_min_y(layout.middle.bottom() - theme::TABS - 8.0).shrink2(vec2(theme::MARGIN, 4.0));
        if self.controls.file_error.as_ref().is_some_and(|error| tooltip::error_notice(ui, notice, "File", error)) {
            self.controls.file_error = None;
        }
        if let Some(size) = button::resize_corner(ui, layout.window) {
            self.size.drag(ui.ctx(), size);
        }
        self.first_run_hints(ui, &layout);
        commands.into_iter().for_each(|command| self.execute(ui, command, now));
        requests.browser.into_iter().for_each(|action| self.choose(action, now));
        requests.drawer.into_iter().for_each(|group| self.toggle_drawer(group, now));
        requests.change.into_iter().for_each(|change| self.change(change, now));
        if let Err(error) = self.controls.learning.store(self.instance.audio.controllers()) {
            self.controls.file_error = Some(error);
        }
        self.end_note(now);
    }

    /// Draws everything that changes parameters: page, drawer and main controls.
    fn show_controls(&mut self, ui: &mut Ui, layout: &WindowLayout, host: &ParamSetter, now: f64) -> FrameRequests {
        let mut change = None;
        let mut context = ParamContext {
            params: &self.instance.params,
            host,
            entry: &mut self.controls.entry,
            history: &mut self.history,
            hint: &mut self.controls.hint,
            small: layout.small,
            still: self.prefs.still,
            now,
            modes: self.readings.modes,
            stiffening: self.readings.stiffening,
            modulation: ModulationRanges::of(&self.instance.params),
            learning: &mut self.controls.learning,
            change: &mut change,
        };
        let inputs = PageInputs {
            audio: &self.instance.audio,
            presets: &self.presets,
            favourites: &self.prefs.favourites,
            readings: &self.readings,
        };
        let mut requests = self.pages.show(ui, layout, &mut context, &inputs);
        if self.pages.drawer.group.is_some() {
            self.pages.drawer.show(&mut part(ui, "Drawer", layout.middle), layout.middle, &mut context);
        }
        requests.drawer = panels::main_controls::show(
            &mut part(ui, "Main controls", layout.strip),
            layout.strip,
            &mut context,
            &self.readings.meter,
            self.pages.drawer.group,
        );
        requests.change = requests.change.or(change);
        requests
    }

    /// The hints of the first run, until a key or a click ends them.
    fn first_run_hints(&mut self, ui: &Ui, layout: &WindowLayout) {
        let on_hit_page = self.pages.browser.is_none() && self.pages.manual.is_none() && PAGES[self.pages.current] == "Hit";
        let shown = self.prefs.first && on_hit_page;
        if shown && panels::footer::end(ui) {
            self.prefs.first = false;
        } else if shown {
            panels::footer::first_run_hints(ui, layout, panels::main_controls::hardness(layout.strip, layout.small));
        }
    }

    fn header(&mut self, ui: &Ui, layout: &WindowLayout) -> Vec<Command> {
        let name = self.instance.params.name();
        let name = if name.is_empty() { "Unnamed patch".to_owned() } else { name };
        let shown = panels::HeaderState {
            pages: &PAGES,
            changed: self.presets.is_changed(&self.instance.params),
            favourite: self.prefs.favourites.contains(&name),
            name: &name,
            open: self.pages.browser.is_some(),
            reach: self.history.reach(),
            second: self.history.is_second(),
            reads: self.pages.manual.is_some(),
            plays: self.instance.standalone.then_some(self.keyboard.on),
            chosen: [ParamId::Quality, ParamId::Mpe, ParamId::RenderThreads].map(|id| self.instance.params.value(id) as usize),
            small: layout.small,
        };
        let before = self.pages.current;
        let commands = panels::header::show(ui, layout.header, &shown, &mut self.pages.current, &mut self.prefs);
        if self.pages.current != before {
            self.pages.manual = None;
        }
        commands
    }

    fn footer(&self, ui: &Ui, layout: &WindowLayout) {
        let notice = self.size.notice(ui.ctx(), self.prefs.zoom);
        let default_hint = match (&self.pages.browser, PAGES[self.pages.current]) {
            (Some(_), _) => "Up and Down play presets. Enter loads. F marks favourites. Esc restores the sound.",
            (_, "Hit") => "Click the body to strike it. H strikes, K freezes, C compares, B opens the presets.",
            (_, "Modes") => "Drag a head for level and pitch. Drag a foot for decay. Alt-click for solo.",
            (_, "Parts") => "Turn a joint, or drag between its points. The frequencies follow at once.",
            (_, "Matrix") => "Choose source and target of a row, then drag its amount. Macros, LFOs and envelopes are below.",
            (_, "Tuning") => "An MTS-ESP master overrides the scale. Switch MTS-ESP off to use this scale.",
            _ => "FonoBump: a signal drives the hammer as a force in newtons. No note is needed.",
        };
        let default_hint =
            if self.pages.manual.is_some() { "Arrow and Page keys scroll. Esc or ? closes the manual." } else { default_hint };
        let keyboard_hint = self.keyboard.on.then(|| self.keyboard.hint());
        let default_hint = keyboard_hint.as_deref().unwrap_or(default_hint);
        let default_hint = notice.as_deref().unwrap_or(default_hint);
        let hint = if self.controls.hint.is_empty() { default_hint } else { &self.controls.hint };
        let learning_hint = self.controls.learning.hint();
        let hint = learning_hint.as_deref().unwrap_or(hint);
        let input = if self.instance.params.is_effect() { "Input" } else { "Side-chain" };
        let voices = (self.readings.voices, self.instance.params.value(ParamId::Voices) as u32);
        let Readings { side_chain, load, modes, .. } = self.readings;
        panels::footer::show(ui, layout.footer, &panels::FooterState { hint, input, side_chain, voices, load, modes });
    }
}

impl Pages {
    /// Draws the manual or the browser if one is open, else the current page.
    fn show(&mut self, ui: &mut Ui, layout: &WindowLayout, context: &mut ParamContext, inputs: &PageInputs) -> FrameRequests {
        let (middle, small) = (layout.middle, layout.small);
        let mut requests = FrameRequests::default();
        if let Some(manual) = &mut self.manual {
            manual.show(&mut part(ui, "Manual", middle), middle, small);
        } else if let Some(browser) = &mut self.browser {
            let patch = context.params.own_patch();
            let current = CurrentSound { patch: &patch, other: context.history.other(), effect: context.params.is_effect() };
            let ui = &mut part(ui, "Preset browser", middle);
            requests.browser = browser.show(ui, middle, inputs.presets, (inputs.favourites, &current), small);
        } else {
            requests.change = self.show_current(ui, layout, context, inputs);
        }
        requests
    }

    fn show_current(
        &mut self,
        ui: &mut Ui,
        layout: &WindowLayout,
        context: &mut ParamContext,
        inputs: &PageInputs,
    ) -> Option<PatchChange> {
        let (middle, last) = (layout.middle, self.hit_scope.last());
        match PAGES[self.current] {
            "Hit" => {
                let ui = &mut part(ui, "Hit page", middle);
                self.body_view.show(ui, layout.stage, context, inputs.audio, last);
                let painter = ThemePainter::new(ui);
                painter.vline(layout.stage.right(), layout.stage.y_range(), painter.ink.hair);
                self.hit_scope.show(ui, layout.scope, layout.small);
                None
            }
            "Modes" => {
                let ui = &mut part(ui, "Modes page", middle);
                self.modes.show(ui, middle, &mut self.body_view, (context, inputs.audio), last)
            }
            "Parts" => {
                let ui = &mut part(ui, "Parts page", middle);
                self.parts.show(ui, middle, &mut self.body_view, context, last);
                None
            }
            "Drive" => {
                let ui = &mut part(ui, "Drive page", middle);
                let patch = self.drive.show(ui, middle, context, inputs.readings.side_chain, last.map(|hit| hit.key))?;
                Some(PatchChange { patch, fresh: true })
            }
            "Matrix" => {
                self.matrix.show(&mut part(ui, "Matrix page", middle), middle, context);
                None
            }
            _ => {
                let ui = &mut part(ui, "Tuning page", middle);
                let readings = TuningReadings { last, controllers: &inputs.readings.controllers, master: inputs.audio.master() };
                self.tuning.show(ui, middle, context, &readings)
            }
        }
    }
}
