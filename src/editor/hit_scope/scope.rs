//! The hit scope: recent hits, plots and values of the selected one, a compared one dashed.

use std::collections::VecDeque;

use egui::{Key, Modifiers, Rect, Ui, pos2, vec2};

use crate::editor::hit_scope::{energy_bar, hysteresis};
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{DASHED, Side, ThemePainter, button};
use urto_engine::HitPulse;
use urto_engine::params::value_text::with_prefix;
use urto_engine::tuning::key_name;

/// Number of hits that are recorded.
const MAX_HITS: usize = 24;
/// Height for which the layout is drawn; the plots share the excess [px].
const FULL_HEIGHT: f32 = 564.0;
/// Margin for tick labels at the left of the plots [px].
const TICK_MARGIN: f32 = 32.0;

/// The recorded hits, and which of them are shown.
#[derive(Default)]
pub struct HitScope {
    hits: VecDeque<HitPulse>,
    frozen: bool,
    compare: bool,
    /// Numbers of the shown and of the compared hit, if the user selected them.
    shown: Option<u32>,
    compared: Option<u32>,
    /// Selected plot of a small window.
    plot: usize,
    /// Number of the first hit of the current sound.
    first: u32,
}

impl HitScope {
    /// An empty scope with the comparison on.
    pub fn new() -> Self {
        Self { compare: true, ..Self::default() }
    }

    /// Records a hit, unless the scope is frozen.
    pub fn push(&mut self, hit: HitPulse) {
        if self.frozen {
            return;
        }
        // numbers restart when the engine is reset
        if self.hits.back().is_some_and(|last| last.number >= hit.number) {
            self.hits.clear();
            self.first = 0;
        }
        self.hits.push_back(hit);
        if self.hits.len() > MAX_HITS {
            self.hits.pop_front();
        }
        (self.shown, self.compared) = (None, None);
    }

    /// Marks a new sound: its hits are not compared with earlier ones unless the user selects one.
    pub fn start_new_sound(&mut self) {
        self.first = self.hits.back().map_or(0, |hit| hit.number + 1);
    }

    /// The last hit.
    pub fn last(&self) -> Option<&HitPulse> {
        self.hits.back()
    }

    /// The hit that is shown.
    pub fn hit(&self) -> Option<&HitPulse> {
        self.numbered(self.shown).or(self.hits.back())
    }

    /// The compared hit: the one before the shown hit, unless the user selected another.
    fn other(&self) -> Option<&HitPulse> {
        let shown = self.hit()?.number;
        let before = self.hits.iter().take_while(|hit| hit.number != shown).last();
        let before = before.filter(|before| before.number >= self.first || shown < self.first);
        self.numbered(self.compared).filter(|hit| hit.number != shown).or(before).filter(|_| self.compare)
    }

    fn numbered(&self, number: Option<u32>) -> Option<&HitPulse> {
        self.hits.iter().find(|hit| Some(hit.number) == number)
    }

    /// Draws the scope and handles input.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, small: bool) {
        self.keys(ui);
        let inside = rect.shrink2(vec2(24.0, 0.0));
        self.head(ui, inside, small);
        if small {
            return self.show_small(ui, inside);
        }
        self.history(ui, inside);
        let painter = ThemePainter::new(ui);
        let (hit, other) = (self.hit(), self.other());
        let spare = rect.height() - FULL_HEIGHT;
        // below the full height the row of hits is hidden and both plots shrink
        let (up, stretch) = if spare < 0.0 { (26.0_f32.min(-spare), spare + 26.0_f32.min(-spare)) } else { (0.0, spare) };
        let (high, low) = (118.0 + 0.5 * stretch, 106.0 + 0.5 * stretch);
        let top = inside.top() - up;
        let at = |x: f32, y: f32, width: f32, height: f32| Rect::from_min_size(pos2(x, y), vec2(width, height));
        energy_bar::force_pulse(
            &painter,
            at(inside.left() + TICK_MARGIN, top + 108.0, inside.width() - TICK_MARGIN, high),
            hit,
            other,
        );
        let second = top + 164.0 + high;
        let half = 0.5 * (inside.width() - 40.0 - TICK_MARGIN);
        let right = inside.left() + TICK_MARGIN + half + 40.0;
        for (x, title) in [(inside.left() + TICK_MARGIN, "Force over compression"), (right, "Velocity over compression")] {
            painter.text(pos2(x, second - 15.0), Side::Left, title, painter.label());
        }
        hysteresis::force(&painter, at(inside.left() + TICK_MARGIN, second, half, low), hit, other);
        hysteresis::velocity(&painter, at(right, second, half, low), hit, other);
        let rest = top + stretch;
        energy_bar::values(&painter, pos2(inside.left(), rest + 425.0), inside.width(), hit, 6);
        energy_bar::show(&painter, pos2(inside.left(), rest + 483.0), inside.width(), hit, false);
    }

    /// The layout of a small window: one plot at a time, values and energy balance below.
    fn show_small(&mut self, ui: &Ui, inside: Rect) {
        let segments = Rect::from_min_size(inside.min + vec2(0.0, 50.0), vec2(inside.width(), 26.0));
        self.plot = button::segments(ui, segments, "Plot", &["Pulse", "Loop", "Phase"], self.plot, Hue::Plain);
        let painter = ThemePainter::new(ui);
        let (hit, other) = (self.hit(), self.other());
        let spare = inside.height() - 404.0;
        let plot = Rect::from_min_size(inside.min + vec2(TICK_MARGIN, 106.0), vec2(inside.width() - TICK_MARGIN, 80.0 + spare));
        match self.plot {
            0 => energy_bar::force_pulse(&painter, plot, hit, other),
            1 => hysteresis::force(&painter, plot, hit, other),
            _ => hysteresis::velocity(&painter, plot, hit, other),
        }
        energy_bar::values(&painter, inside.min + vec2(0.0, 224.0 + spare), inside.width(), hit, 3);
        energy_bar::show(&painter, inside.min + vec2(0.0, 319.0 + spare), inside.width(), hit, true);
    }

    /// Title, and the buttons Freeze and Compare.
    fn head(&mut self, ui: &Ui, inside: Rect, small: bool) {
        let painter = ThemePainter::new(ui);
        let y = inside.top() + if small { 28.0 } else { 30.0 };
        let title = self.hit().map_or_else(|| "No hit yet".to_owned(), |hit| format!("Hit {}", hit.number));
        let shown = painter.text(pos2(inside.left(), y), Side::Left, &title, (Face::SemiBold, Size::Title, painter.ink.text));
        if let Some(hit) = self.hit().filter(|_| !small) {
            let text = format!("{}   {}", key_name(hit.key).replace('-', "−"), with_prefix(hit.velocity_in, "m/s"));
            painter.text(pos2(shown.right() + 12.0, y + 1.0), Side::Left, &text, (Face::Regular, Size::Text, painter.ink.text2));
        }
        let button = |right: f32, width: f32| Rect::from_min_size(pos2(inside.right() - right, y - 14.0), vec2(width, 28.0));
        if button::toggle(ui, button(152.0, 70.0), "Freeze", self.frozen).clicked() {
            self.frozen = !self.frozen;
        }
        if button::toggle(ui, button(74.0, 74.0), "Compare", self.compare).clicked() {
            self.compare = !self.compare;
        }
    }

    /// The row of hits with its legend.
    fn history(&mut self, ui: &Ui, inside: Rect) {
        if inside.height() < FULL_HEIGHT {
            return;
        }
        let bars = Rect::from_min_size(inside.min + vec2(0.0, 58.0), vec2(8.0 * MAX_HITS as f32, 20.0));
        let (hit, other) = (self.hit().map(|hit| hit.number), self.other().map(|hit| hit.number));
        match energy_bar::hit_row(ui, bars, &self.hits, hit, other) {
            Some(hit) if !hit.compare => self.shown = Some(hit.number),
            Some(hit) => (self.compared, self.compare) = (Some(hit.number), true),
            None => {}
        }
        let painter = ThemePainter::new(ui);
        let (y, x) = (inside.top() + 69.0, inside.left());
        if self.hit().is_some() {
            painter.line(pos2(x + 206.0, y), pos2(x + 226.0, y), 2.4, painter.ink.force);
            painter.text(pos2(x + 232.0, y), Side::Left, "this hit", painter.label());
        }
        if let Some(other) = self.other() {
            painter.dashed(&[pos2(x + 290.0, y), pos2(x + 310.0, y)], DASHED, 1.6, painter.ink.text2);
            let text = format!("{}, {}", other.number, with_prefix(other.velocity_in, "m/s"));
            painter.text(pos2(x + 316.0, y), Side::Left, &text, painter.label());
        }
    }

    fn keys(&mut self, ui: &Ui) {
        if ui.memory(|memory| memory.focused().is_some()) {
            return;
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if pressed(Key::K) {
            self.frozen = !self.frozen;
        }
        if pressed(Key::C) {
            self.compare = !self.compare;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(number: u32) -> HitPulse {
        HitPulse { number, ..HitPulse::default() }
    }

    fn numbers(scope: &HitScope) -> [Option<u32>; 2] {
        [scope.hit(), scope.other()].map(|hit| hit.map(|hit| hit.number))
    }

    #[test]
    fn the_last_hit_is_compared_with_the_previous_one() {
        let mut scope = HitScope::new();
        assert_eq!(numbers(&scope), [None, None]);
        (1..=30).for_each(|number| scope.push(hit(number)));
        assert_eq!((numbers(&scope), scope.hits.len()), ([Some(30), Some(29)], MAX_HITS));
        scope.shown = Some(12);
        assert_eq!(numbers(&scope), [Some(12), Some(11)]);
        scope.compared = Some(20);
        assert_eq!(numbers(&scope), [Some(12), Some(20)]);
        scope.compare = false;
        assert_eq!(numbers(&scope), [Some(12), None]);
        scope.push(hit(31));
        assert_eq!(numbers(&scope)[0], Some(31), "a new hit is shown");
        scope.frozen = true;
        scope.push(hit(32));
        assert_eq!(numbers(&scope)[0], Some(31), "a frozen scope records nothing");
        (scope.frozen, scope.compare) = (false, true);
        scope.start_new_sound();
        assert_eq!(numbers(&scope), [Some(31), Some(30)], "shown hits stay compared");
        scope.push(hit(33));
        assert_eq!(numbers(&scope), [Some(33), None], "hits of another sound are not compared");
        scope.push(hit(34));
        assert_eq!(numbers(&scope), [Some(34), Some(33)]);
        scope.push(hit(1));
        assert_eq!((numbers(&scope)[0], scope.hits.len()), (Some(1), 1), "numbers restart after a reset");
    }
}
