//! The page of modes: every partial at its frequency, with its level and its decay, and one of them in full.

mod axes;
mod chart;
mod drag;
mod import;
mod inspector;
mod number_entry;
mod spectrum;
mod toolbar;

pub use crate::editor::modes::axes::Line;

use std::time::Duration;

use egui::{Key, Modifiers, Rect, Ui, vec2};

use crate::editor::body_view;
use crate::editor::body_view::Stage;
use crate::editor::command::PatchChange;
use crate::editor::modes::chart::View;
use crate::editor::modes::drag::Held;
use crate::editor::modes::import::Import;
use crate::editor::modes::number_entry::Typed;
use crate::editor::modes::spectrum::Spectrum;
use crate::editor::modes::toolbar::Bar;
use crate::editor::param_context::ParamContext;
pub use crate::editor::partial::Partial;
use crate::editor::widgets::ThemePainter;
use crate::threads::EditorEnd;
use urto_engine::HitPulse;
use urto_engine::params::ParamId;
use urto_engine::patch::partial_edits;
use urto_engine::patch::{PartialEdit, Patch};
use urto_engine::tuning::TuningSet;

/// Width of the inspector, and in a small window.
const INSPECTOR: [f32; 2] = [328.0, 264.0];
/// While a partial is dragged its body is sent no more often than this, and takes at most this part of the time.
const OFTEN: f64 = 0.05;
const SHARE: f64 = 0.25;
/// What an arrow does to a level [dB].
const NUDGE: f64 = 1.0;

/// What the player does to partials.
pub enum ModesAction {
    /// Holds one: it goes on.
    Hold(PartialEdit),
    /// Lets go of it.
    LetGo,
    /// Gives one a trim.
    Trim(PartialEdit),
    /// Takes all trims away.
    Plain,
    /// Hears the partial of this place alone, or no more alone.
    Solo(usize),
    /// Another body.
    Body(Box<Patch>),
}

/// What the page remembers.
#[derive(Default)]
pub struct Modes {
    chosen: usize,
    held: Option<Held>,
    /// Trims that are on their way, the time from which they may be sent again, and whether they have been sent.
    draft: Option<(Vec<PartialEdit>, f64, bool)>,
    solo: Vec<usize>,
    snaps: bool,
    /// How long it took to send a body [s].
    cost: f64,
    spectrum: Spectrum,
    import: Import,
    typed: Option<Typed>,
}

impl Modes {
    /// Draws the page and follows the player; the patch with other partials, if there is one.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        stage: &mut Stage,
        (desk, audio): (&mut ParamContext, &EditorEnd),
        last: Option<&HitPulse>,
    ) -> Option<PatchChange> {
        let patch = desk.params.patch();
        let zone = body_view::zone_struck(&patch, last);
        let own = trims_of(&patch, zone).to_vec();
        let trims = self.draft.as_ref().map_or(&own, |(trims, ..)| trims).clone();
        let partials = stage.partials(&patch, &trims, stage.key(&patch, last), last);
        self.stay_with(&partials);
        let (left, right) = rect.split_left_right_at_x(rect.right() - INSPECTOR[usize::from(desk.small)]);
        ThemePainter::new(ui).vline(right.left(), rect.y_range(), ThemePainter::new(ui).ink.hair);

        let mut deeds: Vec<ModesAction> = self.keys(ui, &partials, desk).into_iter().collect();
        let bar = Bar { partials: &partials, trims: &own, plays_kit: zone.is_some() };
        deeds.extend(bar.show(ui, left, self, desk));
        let tuning = TuningSet::of(&patch.tuning).effective(&patch.settings);
        let morph = if patch.settings.morph_kind().is_some() { patch.settings.get(ParamId::Morph) } else { 0.0 };
        let spectrum = self.spectrum.on.then_some(&self.spectrum);
        let snaps = self.snaps.then_some(&tuning);
        let view = View { partials: &partials, solo: &self.solo, snaps, morph, spectrum };
        deeds.extend(chart::show(ui, left, &view, (&mut self.chosen, &mut self.held), desk));
        let line = partials.get(self.chosen).map(|_| stage.mode_line(self.chosen, desk)).unwrap_or_default();
        deeds.extend(inspector::show(ui, right, (&view, &mut self.chosen, &mut self.typed), &line, desk));
        let mut change = None;
        for deed in deeds {
            change = self.fulfil(deed, &own, zone, (desk, audio)).or(change);
        }
        change
    }

    /// Takes what has sounded.
    pub fn listen(&mut self, audio: &EditorEnd, shown: bool, elapsed: f32) {
        audio.listen(shown && self.spectrum.on);
        self.spectrum.follow(audio, elapsed);
    }

    /// Whether something moves.
    pub fn moves(&self) -> bool {
        self.spectrum.moves()
    }

    /// Everything is heard again. Whether it was not.
    pub fn hear_all(&mut self, audio: &EditorEnd) -> bool {
        audio.set_solo(&[]);
        !std::mem::take(&mut self.solo).is_empty()
    }

    /// Places of the partials that alone are heard; none: all.
    #[cfg(test)]
    pub fn soloed(&self) -> &[usize] {
        &self.solo
    }

    /// It has taken so long to send a body.
    pub fn took(&mut self, time: Duration) {
        self.cost = time.as_secs_f64();
    }

    /// The partial that was chosen stays chosen when others move past it.
    fn stay_with(&mut self, partials: &[Partial]) {
        let held = self.held.as_ref().map(Held::place);
        let found = held.and_then(|place| partials.iter().position(|partial| partial.place == Some(place)));
        self.chosen = found.unwrap_or(self.chosen).min(partials.len().saturating_sub(1));
    }

    /// Does what the player wants.
    fn fulfil(
        &mut self,
        deed: ModesAction,
        own: &[PartialEdit],
        zone: Option<usize>,
        (desk, audio): (&ParamContext, &EditorEnd),
    ) -> Option<PatchChange> {
        let with = |trims: Vec<PartialEdit>| {
            let mut patch = desk.params.own_patch();
            *match zone {
                Some(zone) => &mut patch.zones[zone].partial_edits,
                None => &mut patch.partial_edits,
            } = trims;
            patch
        };
        match deed {
            ModesAction::Hold(held) => {
                let (mut trims, due, sent) = self.draft.take().unwrap_or_else(|| (own.to_vec(), desk.now, false));
                partial_edits::put(&mut trims, held);
                let send = desk.now >= due && trims != own;
                let due = if send { desk.now + OFTEN.max(self.cost / SHARE) } else { due };
                self.draft = Some((trims.clone(), due, sent || send));
                send.then(|| PatchChange { patch: with(trims), fresh: !sent })
            }
            ModesAction::LetGo => {
                let (trims, _, sent) = self.draft.take()?;
                (trims != own).then(|| PatchChange { patch: with(trims), fresh: !sent })
            }
            ModesAction::Trim(one) => {
                let mut trims = own.to_vec();
                partial_edits::put(&mut trims, one);
                (trims != own).then(|| PatchChange { patch: with(trims), fresh: true })
            }
            ModesAction::Plain => Some(PatchChange { patch: with(Vec::new()), fresh: true }),
            ModesAction::Solo(place) => {
                match self.solo.iter().position(|other| *other == place) {
                    Some(found) => _ = self.solo.remove(found),
                    None => self.solo.push(place),
                }
                audio.set_solo(&self.solo);
                audio.load(&desk.params.own_patch());
                None
            }
            ModesAction::Body(patch) => Some(PatchChange { patch: *patch, fresh: true }),
        }
    }

    /// Left and Right go from one to the next, Up and Down move its level; S and M, solo and mute; Delete: as the body has it.
    fn keys(&mut self, ui: &Ui, partials: &[Partial], desk: &ParamContext) -> Option<ModesAction> {
        if ui.memory(|memory| memory.focused().is_some()) || desk.entry.is_some() || self.typed.is_some() {
            return None;
        }
        let taken = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if taken(Key::ArrowRight) {
            self.chosen = (self.chosen + 1).min(partials.len().saturating_sub(1));
        }
        if taken(Key::ArrowLeft) {
            self.chosen = self.chosen.saturating_sub(1);
        }
        let partial = partials.get(self.chosen)?;
        let (place, trim) = (partial.place?, partial.trim);
        let nudged = |by: f64| PartialEdit {
            level: (trim.level + by).clamp(*partial_edits::LEVELS.start(), *partial_edits::LEVELS.end()),
            ..trim
        };
        [
            (Key::ArrowUp, ModesAction::Trim(nudged(NUDGE))),
            (Key::ArrowDown, ModesAction::Trim(nudged(-NUDGE))),
            (Key::S, ModesAction::Solo(place)),
            (Key::M, ModesAction::Trim(PartialEdit { muted: !trim.muted, ..trim })),
            (Key::Delete, ModesAction::Trim(PartialEdit::new(place))),
        ]
        .into_iter()
        .find_map(|(key, deed)| taken(key).then_some(deed))
        .filter(|deed| !matches!(deed, ModesAction::Solo(_)) || desk.params.own_patch().zones.is_empty())
    }
}

/// The trims of a patch, of a kit those of the zone at `zone`.
fn trims_of(patch: &Patch, zone: Option<usize>) -> &[PartialEdit] {
    zone.map_or(&patch.partial_edits, |zone| &patch.zones[zone].partial_edits)
}

/// Places of `widths` beside each other up to the right edge of `rect`, in a row at its top.
fn beside(rect: Rect, widths: &[f32], height: f32, gap: f32) -> Vec<Rect> {
    let all = widths.iter().sum::<f32>() + gap * widths.len().saturating_sub(1) as f32;
    let mut left = rect.right() - all;
    let one = |width: &f32| {
        let place = Rect::from_min_size(rect.min, vec2(*width, height)).translate(vec2(left - rect.left(), 0.0));
        left += width + gap;
        place
    };
    widths.iter().map(one).collect()
}
