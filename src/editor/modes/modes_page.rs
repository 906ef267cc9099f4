//! The Modes page: chart and inspector of the partials, and the toolbar.
//!
//! The page executes the edits of the user. The toolbar has the number of partials, their source, snapping and spectrum.

use std::time::Duration;

use egui::{EventFilter, Key, Modifiers, Rect, Ui, pos2, vec2};

use crate::editor::body_view::BodyView;
use crate::editor::command::PatchChange;
use crate::editor::modes::axes::Axes;
use crate::editor::modes::chart::ChartState;
use crate::editor::modes::dense_modes::DenseModes;
use crate::editor::modes::import::{Import, ImportTarget};
use crate::editor::modes::partial_editing::{DraggedPartial, ModesAction, NumberEntry};
use crate::editor::modes::spectrum::Spectrum;
use crate::editor::modes::{chart, inspector};
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::value_entry;
use crate::editor::partial::{Partial, thousands};
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter, button, menu};
use crate::editor::{body_view, theme};
use crate::threads::EditorEnd;
use urto_engine::HitPulse;
use urto_engine::params::{BodyKind, ParamId};
use urto_engine::patch::{PartialEdit, Patch, partial_edits};
use urto_engine::tuning::TuningSet;

/// Width of the inspector: [normal, small window].
const INSPECTOR: [f32; 2] = [328.0, 264.0];
/// While a partial is dragged: minimum interval between loads of the patch [s], and maximum share of the time they may take.
const MIN_INTERVAL: f64 = 0.05;
const MAX_TIME_SHARE: f64 = 0.25;
/// Change of a level per arrow key, and with Shift [dB].
const LEVEL_STEP: f64 = 1.0;
const FINE_STEP: f64 = 0.1;

/// Widths of the toolbar's buttons for source, snapping and spectrum, their height, top and gap [px].
const WIDTHS: [f32; 3] = [176.0, 108.0, 80.0];
const HEIGHT: f32 = 28.0;
const TOP: f32 = 16.0;
const GAP: f32 = 8.0;

/// State of the page.
#[derive(Default)]
pub struct ModesPage {
    chosen: usize,
    dragged: Option<DraggedPartial>,
    dense: DenseModes,
    /// Edits during a drag, earliest time of the next load [s], and whether they have been loaded.
    draft: Option<(Vec<PartialEdit>, f64, bool)>,
    solo: Vec<usize>,
    snap: bool,
    /// Time the last load of the patch took [s].
    load_time: f64,
    spectrum: Spectrum,
    import: Import,
    entry: Option<NumberEntry>,
}

impl ModesPage {
    /// Draws the page and handles input; returns the patch with other partials if the user changed it.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        stage: &mut BodyView,
        (params, audio): (&mut ParamContext, &EditorEnd),
        last: Option<&HitPulse>,
    ) -> Option<PatchChange> {
        let patch = params.params.patch();
        let zone = body_view::struck_zone(&patch, last);
        let own = edits_of(&patch, zone).to_vec();
        let edits = self.draft.as_ref().map_or(&own, |(edits, ..)| edits).clone();
        let partials = stage.partials(&patch, &edits, stage.strike_key(&patch, last), last);
        self.follow_dragged(&partials);
        let (left, right) = rect.split_left_right_at_x(rect.right() - INSPECTOR[usize::from(params.small)]);
        ThemePainter::new(ui).vline(right.left(), rect.y_range(), ThemePainter::new(ui).ink.hair);

        let mut actions: Vec<ModesAction> = self.keys(ui, &partials, params).into_iter().collect();
        let toolbar = Toolbar {
            partials: &partials,
            edits: &own,
            solo: &self.solo,
            plays_kit: zone.is_some(),
            snap: &mut self.snap,
            spectrum: &mut self.spectrum,
            import: &mut self.import,
        };
        actions.extend(toolbar.show(ui, left, params));
        let tuning = TuningSet::of(&patch.tuning).effective(&patch.settings);
        let morph = if patch.settings.morph_kind().is_some() { patch.settings.get(ParamId::Morph) } else { 0.0 };
        let spectrum = self.spectrum.is_on().then_some(&self.spectrum);
        let snaps = self.snap.then_some(&tuning);
        let axes = self.dragged.as_ref().map_or_else(|| Axes::new(left, &partials), |dragged| dragged.axes);
        self.dense.update(&partials, &axes, theme::ink(ui.ctx()).body);
        let view = ChartState { partials: &partials, dense: &self.dense, axes, solo: &self.solo, snap: snaps, morph, spectrum };
        actions.extend(chart::show(ui, &view, (&mut self.chosen, &mut self.dragged), params));
        let line = partials.get(self.chosen).map(|_| stage.mode_shape(self.chosen, params)).unwrap_or_default();
        actions.extend(inspector::show(ui, right, (&view, &mut self.chosen, &mut self.entry), &line, params));
        let mut change = None;
        for action in actions {
            change = self.execute(action, &own, zone, (params, audio)).or(change);
        }
        change
    }

    /// Passes new audio to the spectrum.
    pub fn listen(&mut self, audio: &EditorEnd, shown: bool, elapsed: f32) {
        audio.listen(shown && self.spectrum.is_on());
        self.spectrum.follow(audio, elapsed);
    }

    /// Whether the page is animated.
    pub fn is_moving(&self) -> bool {
        self.spectrum.is_moving()
    }

    /// Removes all solos. Returns whether there were any.
    pub fn clear_solo(&mut self, audio: &EditorEnd) -> bool {
        audio.set_solo(&[]);
        !std::mem::take(&mut self.solo).is_empty()
    }

    /// Indices of the soloed partials; empty: all are heard.
    #[cfg(test)]
    pub fn soloed(&self) -> &[usize] {
        &self.solo
    }

    /// Reports how long it took to load a patch.
    pub fn set_load_time(&mut self, time: Duration) {
        self.load_time = time.as_secs_f64();
    }

    /// Keeps the dragged partial selected when the order of partials changes.
    fn follow_dragged(&mut self, partials: &[Partial]) {
        let dragged = self.dragged.as_ref().map(DraggedPartial::index);
        let found = dragged.and_then(|place| partials.iter().position(|partial| partial.index == Some(place)));
        self.chosen = found.unwrap_or(self.chosen).min(partials.len().saturating_sub(1));
    }

    /// Executes a command of the user; returns the changed patch, if any.
    fn execute(
        &mut self,
        action: ModesAction,
        own: &[PartialEdit],
        zone: Option<usize>,
        (params, audio): (&ParamContext, &EditorEnd),
    ) -> Option<PatchChange> {
        let with = |edits: Vec<PartialEdit>| {
            let mut patch = params.params.own_patch();
            *match zone {
                Some(zone) => &mut patch.zones[zone].partial_edits,
                None => &mut patch.partial_edits,
            } = edits;
            patch
        };
        match action {
            ModesAction::Drag(dragged) => {
                let (mut edits, due, sent) = self.draft.take().unwrap_or_else(|| (own.to_vec(), params.now, false));
                partial_edits::put(&mut edits, dragged);
                let send = params.now >= due && edits != own;
                let due = if send { params.now + MIN_INTERVAL.max(self.load_time / MAX_TIME_SHARE) } else { due };
                self.draft = Some((edits.clone(), due, sent || send));
                send.then(|| PatchChange { patch: with(edits), fresh: !sent })
            }
            ModesAction::Release => {
                let (edits, _, sent) = self.draft.take()?;
                (edits != own).then(|| PatchChange { patch: with(edits), fresh: !sent })
            }
            ModesAction::Edit(one) => {
                let mut edits = own.to_vec();
                partial_edits::put(&mut edits, one);
                (edits != own).then(|| PatchChange { patch: with(edits), fresh: true })
            }
            ModesAction::ClearEdits => Some(PatchChange { patch: with(Vec::new()), fresh: true }),
            ModesAction::Solo(place) => {
                match self.solo.iter().position(|other| *other == place) {
                    Some(found) => _ = self.solo.remove(found),
                    None => self.solo.push(place),
                }
                audio.set_solo(&self.solo);
                audio.load(&params.params.own_patch());
                None
            }
            ModesAction::Body(patch) => Some(PatchChange { patch: *patch, fresh: true }),
        }
    }

    /// Handles the keys: Left, Right, Home and End select, Up and Down change the level, S solos, M mutes, Delete resets. Off while another
    /// control than the chart has the focus.
    fn keys(&mut self, ui: &Ui, partials: &[Partial], params: &ParamContext) -> Option<ModesAction> {
        let (focused, chart) = (ui.memory(|memory| memory.focused()), chart::id(ui));
        if focused.is_some_and(|focused| focused != chart) || params.entry.is_some() || self.entry.is_some() {
            return None;
        }
        if focused.is_some() {
            let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(chart, filter));
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let last = partials.len().saturating_sub(1);
        for (key, chosen) in [
            (Key::ArrowRight, (self.chosen + 1).min(last)),
            (Key::ArrowLeft, self.chosen.saturating_sub(1)),
            (Key::Home, 0),
            (Key::End, last),
        ] {
            if pressed(key) {
                self.chosen = chosen;
            }
        }
        let fine = [(Key::ArrowUp, FINE_STEP), (Key::ArrowDown, -FINE_STEP)];
        let fine = fine.into_iter().find(|(key, _)| ui.input_mut(|input| input.consume_key(Modifiers::SHIFT, *key)));
        let partial = partials.get(self.chosen)?;
        let (place, edit) = (partial.index?, partial.edit);
        let nudged = |by: f64| PartialEdit {
            level: (edit.level + by).clamp(*partial_edits::LEVELS.start(), *partial_edits::LEVELS.end()),
            ..edit
        };
        if let Some((_, by)) = fine {
            return Some(ModesAction::Edit(nudged(by)));
        }
        [
            (Key::ArrowUp, ModesAction::Edit(nudged(LEVEL_STEP))),
            (Key::ArrowDown, ModesAction::Edit(nudged(-LEVEL_STEP))),
            (Key::S, ModesAction::Solo(place)),
            (Key::M, ModesAction::Edit(PartialEdit { muted: !edit.muted, ..edit })),
            (Key::Delete, ModesAction::Edit(PartialEdit::new(place))),
        ]
        .into_iter()
        .find_map(|(key, action)| pressed(key).then_some(action))
        .filter(|action| !matches!(action, ModesAction::Solo(_)) || params.params.own_patch().zones.is_empty())
    }
}

/// The edits of a patch; of a kit, those of `zone`.
fn edits_of(patch: &Patch, zone: Option<usize>) -> &[PartialEdit] {
    zone.map_or(&patch.partial_edits, |zone| &patch.zones[zone].partial_edits)
}

/// The toolbar: what it shows, and the settings that it changes.
pub struct Toolbar<'a> {
    /// All partials.
    pub partials: &'a [Partial],
    /// The edits of the patch.
    pub edits: &'a [PartialEdit],
    /// Indices of the soloed partials; empty: all are heard.
    pub solo: &'a [usize],
    /// Whether the patch is a kit.
    pub plays_kit: bool,
    /// Whether dragged partials snap to the keys of the tuning.
    pub snap: &'a mut bool,
    /// The spectrum behind the partials.
    pub spectrum: &'a mut Spectrum,
    /// The import of partials from a file.
    pub import: &'a mut Import,
}

impl Toolbar<'_> {
    /// Draws the toolbar at the top of `rect` and handles input.
    pub fn show(mut self, ui: &mut Ui, rect: Rect, params: &ParamContext) -> Option<ModesAction> {
        let inside = rect.shrink2(vec2(theme::MARGIN, TOP));
        let places = row_of(inside, &WIDTHS, HEIGHT, GAP);
        self.title(&ThemePainter::new(ui), rect, places[0].left());
        let from = self.source(ui, places[0], params);
        let snap = button::toggle(ui, places[1], "Snap to notes", *self.snap);
        if snap.on_hover_text("Dragging a partial sideways snaps it to the keys of the tuning.").clicked() {
            *self.snap = !*self.snap;
        }
        let spectrum = button::toggle(ui, places[2], "Spectrum", self.spectrum.is_on());
        if spectrum.on_hover_text("Show the spectrum of the sound behind the partials; its peak is at 0 dB.").clicked() {
            self.spectrum.toggle();
        }
        let field = Rect::from_min_size(pos2(inside.left(), rect.top() + TOP + HEIGHT + GAP), vec2(inside.width(), HEIGHT));
        let read = self.import.show(ui, field, || params.params.own_patch());
        from.or(read.map(|patch| ModesAction::Body(Box::new(patch))))
    }

    fn title(&self, painter: &ThemePainter, rect: Rect, right: f32) {
        let at = pos2(rect.left() + theme::MARGIN, rect.top() + TOP + 0.5 * HEIGHT);
        let shown = painter.text(at, Side::Left, "Modes", (Face::SemiBold, Size::Title, painter.ink.text));
        let count = |is: fn(&Partial) -> bool| self.partials.iter().filter(|partial| is(partial)).count();
        let (second, dense) = (count(Partial::is_second_family), count(|partial| partial.is_dense));
        let mut about = match (self.partials.len(), second) {
            _ if self.import.is_reading() => vec!["Reading the file…".to_owned()],
            (0, _) => vec!["Computing the body…".to_owned()],
            (all, _) if dense > 0 => vec![format!("{} partials", thousands(all)), format!("{} of them dense", thousands(dense))],
            (all, 0) => vec![format!("{all} partials")],
            (all, second) => vec![format!("{all} partials"), format!("{} of the first family, {second} of others", all - second)],
        };
        if !self.solo.is_empty() {
            about.truncate(1);
            about.push(format!("{} soloed", self.solo.len()));
        } else if !self.edits.is_empty() {
            about.truncate(1);
            about.push(format!("{} edited", self.edits.len()));
        }
        let left = shown.right() + 12.0;
        let fits = |words: &[String]| painter.width(&words.join(", "), Face::Regular, Size::Text) < right - left - 8.0;
        while !about.is_empty() && !fits(&about) {
            about.pop();
        }
        painter.text(pos2(left, at.y + 1.0), Side::Left, &about.join(", "), (Face::Regular, Size::Text, painter.ink.text2));
    }

    /// The menu of the source of the partials.
    fn source(&mut self, ui: &Ui, rect: Rect, params: &ParamContext) -> Option<ModesAction> {
        let list = params.params.settings().body_kind() == BodyKind::Modes;
        let shown = if list { "Partials from a list" } else { "Partials from body" };
        let response = button::drop_down(ui, rect, "Partials from", shown);
        let mut action = None;
        menu(&response).width(rect.width()).show(|ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            if !self.edits.is_empty() && value_entry::entry(ui, "Reset all partials to the body") {
                action = Some(ModesAction::ClearEdits);
            }
            // a zone has its own body
            if self.plays_kit {
                ui.label("Each zone of a kit has its own body.");
                return;
            }
            for (words, recording, target) in [
                ("From a list of modes: CSV, TOML, JSON", false, ImportTarget::Body),
                ("From a recording of a hit: WAV", true, ImportTarget::Body),
                ("Morph to a list of modes", false, ImportTarget::Morph),
                ("Morph to the partials of a recording", true, ImportTarget::Morph),
            ] {
                if value_entry::entry(ui, words) {
                    self.import.request(recording, target);
                }
            }
        });
        action
    }
}

/// A row of rectangles of `widths`, right-aligned at the top of `rect`.
fn row_of(rect: Rect, widths: &[f32], height: f32, gap: f32) -> Vec<Rect> {
    let all = widths.iter().sum::<f32>() + gap * widths.len().saturating_sub(1) as f32;
    let mut left = rect.right() - all;
    let one = |width: &f32| {
        let place = Rect::from_min_size(rect.min, vec2(*width, height)).translate(vec2(left - rect.left(), 0.0));
        left += width + gap;
        place
    };
    widths.iter().map(one).collect()
}
