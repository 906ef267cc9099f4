//! Drawing of the editor window, and what the framework asks of it.

use std::sync::Arc;

use egui::{Context, Ui};
use nice_plug::context::PluginApi;
use nice_plug::context::gui::GuiContext;
use nice_plug_egui::{Frame as Window, NiceEguiApp, baseview};

use crate::editor::browser::CurrentSound;
use crate::editor::command;
use crate::editor::command::{Command, PatchChange};
use crate::editor::editor_window::EditorWindow;
use crate::editor::layout::{Frame, PAGES, part};
use crate::editor::open_windows;
use crate::editor::open_windows::OpenWindow;
use crate::editor::panels;
use crate::editor::param_context::ParamContext;
use crate::editor::widgets::{ThemePainter, resize_corner};
use crate::editor::{theme, tuning};
use urto_engine::params::ParamId;

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
        if open_windows::is_closing() {
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
    /// Draws everything and follows the player.
    pub(super) fn show(&mut self, ui: &mut Ui, host: &nice_plug::prelude::ParamSetter) {
        let frame = Frame::of(ui.ctx().content_rect());
        let now = ui.input(|input| input.time);
        let pen = ThemePainter::new(ui);
        pen.rect(frame.window, 0.0, pen.ink.bg);
        let writes = self.entry.is_some() || ui.ctx().text_edit_focused();
        if !writes {
            command::complete(ui.ctx());
        }
        self.keyboard.play(ui, writes, &self.audio);
        let mut wishes = command::keys(ui.ctx(), writes || self.browser.is_some());
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
        let unfolded = panels::main_controls::show(
            &mut part(ui, "strip", frame.strip),
            frame.strip,
            &mut desk,
            &self.meter,
            self.drawer.group,
        );
        self.footer(&pen, &frame);
        resize_corner::show(ui, frame.window);
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
        if first && panels::first_run_hints::end(ui) {
            self.prefs.first = false;
        } else if first {
            panels::first_run_hints::show(ui, frame, panels::main_controls::hardness(frame.strip, frame.small));
        }
    }

    fn header(&mut self, ui: &Ui, frame: &Frame) -> Vec<Command> {
        let name = self.knobs.name();
        let name = if name.is_empty() { "Unnamed patch".to_owned() } else { name };
        let shown = panels::HeaderState {
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
        let wishes = panels::header::show(ui, frame.header, &shown, &mut self.page, &mut self.prefs);
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
        panels::footer::show(
            pen,
            frame.footer,
            &panels::FooterState { hint, input, side_chain: self.side_chain, voices, load: self.load },
        );
    }
}
