//! The hit scope: the last hits, one of them in all that is known of it, another dashed behind it.

use std::collections::VecDeque;

use egui::{Key, Modifiers, Rect, Ui, pos2, vec2};

use crate::editor::hit_scope::{energy_bar, force_pulse, hysteresis, readings, row};
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::button;
use crate::editor::widgets::{DASHED, Side, ThemePainter};
use crate::host_params::value_text::with_prefix;
use urto_engine::HitPulse;
use urto_engine::tuning::key_name;

/// Hits that are kept.
const KEPT: usize = 24;
/// Height of the middle for which the scope is drawn; what is more is shared by pulse and loops.
const DRAWN: f32 = 564.0;
/// Width of the selector's plots' margin for numbers.
const NUMBERS: f32 = 32.0;

/// The hits, and which of them are shown.
#[derive(Default)]
pub struct Scope {
    hits: VecDeque<HitPulse>,
    frozen: bool,
    compares: bool,
    /// Numbers of the hit that is shown and of the one it is compared with, where the player has chosen them.
    shown: Option<u32>,
    against: Option<u32>,
    /// Plot of a small window.
    plot: usize,
    /// The first hit of the sound that plays.
    first: u32,
}

impl Scope {
    /// With the comparison on.
    pub fn new() -> Self {
        Self { compares: true, ..Self::default() }
    }

    /// Takes a new hit, unless it is frozen.
    pub fn take(&mut self, hit: HitPulse) {
        if self.frozen {
            return;
        }
        // an engine that has been reset counts anew
        if self.hits.back().is_some_and(|last| last.number >= hit.number) {
            self.hits.clear();
            self.first = 0;
        }
        self.hits.push_back(hit);
        if self.hits.len() > KEPT {
            self.hits.pop_front();
        }
        (self.shown, self.against) = (None, None);
    }

    /// Another sound plays from now on: its hits are not compared with those before unless the player asks for it.
    pub fn part(&mut self) {
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

    /// The hit that it is compared with: the one before it unless the player has chosen another.
    fn other(&self) -> Option<&HitPulse> {
        let shown = self.hit()?.number;
        let before = self.hits.iter().take_while(|hit| hit.number != shown).last();
        let before = before.filter(|before| before.number >= self.first || shown < self.first);
        self.numbered(self.against).filter(|hit| hit.number != shown).or(before).filter(|_| self.compares)
    }

    fn numbered(&self, number: Option<u32>) -> Option<&HitPulse> {
        self.hits.iter().find(|hit| Some(hit.number) == number)
    }

    /// Draws all of it and follows the player.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, small: bool) {
        self.keys(ui);
        let inside = rect.shrink2(vec2(24.0, 0.0));
        self.head(ui, inside, small);
        if small {
            return self.little(ui, inside);
        }
        self.history(ui, inside);
        let pen = ThemePainter::new(ui);
        let (hit, other) = (self.hit(), self.other());
        let spare = rect.height() - DRAWN;
        // below the drawn height the row of hits has gone and both plots shrink
        let (up, stretch) = if spare < 0.0 { (26.0_f32.min(-spare), spare + 26.0_f32.min(-spare)) } else { (0.0, spare) };
        let (high, low) = (118.0 + 0.5 * stretch, 106.0 + 0.5 * stretch);
        let top = inside.top() - up;
        let at = |x: f32, y: f32, width: f32, height: f32| Rect::from_min_size(pos2(x, y), vec2(width, height));
        force_pulse::show(&pen, at(inside.left() + NUMBERS, top + 108.0, inside.width() - NUMBERS, high), hit, other);
        let second = top + 164.0 + high;
        let half = 0.5 * (inside.width() - 40.0 - NUMBERS);
        let right = inside.left() + NUMBERS + half + 40.0;
        for (x, title) in [(inside.left() + NUMBERS, "Force over compression"), (right, "Velocity over compression")] {
            pen.text(pos2(x, second - 15.0), Side::Left, title, pen.label());
        }
        hysteresis::force(&pen, at(inside.left() + NUMBERS, second, half, low), hit, other);
        hysteresis::velocity(&pen, at(right, second, half, low), hit, other);
        let rest = top + stretch;
        readings::show(&pen, pos2(inside.left(), rest + 425.0), inside.width(), hit, 6);
        energy_bar::show(&pen, pos2(inside.left(), rest + 483.0), inside.width(), hit, false);
    }

    /// One plot at a time, numbers and ledger below.
    fn little(&mut self, ui: &Ui, inside: Rect) {
        let segments = Rect::from_min_size(inside.min + vec2(0.0, 50.0), vec2(inside.width(), 26.0));
        self.plot = button::segments(ui, segments, "Plot", &["Pulse", "Loop", "Phase"], self.plot, Hue::Plain);
        let pen = ThemePainter::new(ui);
        let (hit, other) = (self.hit(), self.other());
        let spare = inside.height() - 404.0;
        let plot = Rect::from_min_size(inside.min + vec2(NUMBERS, 106.0), vec2(inside.width() - NUMBERS, 80.0 + spare));
        match self.plot {
            0 => force_pulse::show(&pen, plot, hit, other),
            1 => hysteresis::force(&pen, plot, hit, other),
            _ => hysteresis::velocity(&pen, plot, hit, other),
        }
        readings::show(&pen, inside.min + vec2(0.0, 224.0 + spare), inside.width(), hit, 3);
        energy_bar::show(&pen, inside.min + vec2(0.0, 319.0 + spare), inside.width(), hit, true);
    }

    /// Title, and the buttons that stop time and compare.
    fn head(&mut self, ui: &Ui, inside: Rect, small: bool) {
        let pen = ThemePainter::new(ui);
        let y = inside.top() + if small { 28.0 } else { 30.0 };
        let title = self.hit().map_or_else(|| "No hit yet".to_owned(), |hit| format!("Hit {}", hit.number));
        let shown = pen.text(pos2(inside.left(), y), Side::Left, &title, (Face::SemiBold, Size::Title, pen.ink.text));
        if let Some(hit) = self.hit().filter(|_| !small) {
            let text = format!("{}   {}", key_name(hit.key).replace('-', "−"), with_prefix(hit.velocity_in, "m/s"));
            pen.text(pos2(shown.right() + 12.0, y + 1.0), Side::Left, &text, (Face::Regular, Size::Text, pen.ink.text2));
        }
        let button = |right: f32, width: f32| Rect::from_min_size(pos2(inside.right() - right, y - 14.0), vec2(width, 28.0));
        if button::show(ui, button(152.0, 70.0), "Freeze", self.frozen).clicked() {
            self.frozen = !self.frozen;
        }
        if button::show(ui, button(74.0, 74.0), "Compare", self.compares).clicked() {
            self.compares = !self.compares;
        }
    }

    /// The row of hits, and what is what.
    fn history(&mut self, ui: &Ui, inside: Rect) {
        if inside.height() < DRAWN {
            return;
        }
        let bars = Rect::from_min_size(inside.min + vec2(0.0, 58.0), vec2(8.0 * KEPT as f32, 20.0));
        let (hit, other) = (self.hit().map(|hit| hit.number), self.other().map(|hit| hit.number));
        match row::show(ui, bars, &self.hits, hit, other) {
            Some((number, false)) => self.shown = Some(number),
            Some((number, true)) => (self.against, self.compares) = (Some(number), true),
            None => {}
        }
        let pen = ThemePainter::new(ui);
        let (y, x) = (inside.top() + 69.0, inside.left());
        if self.hit().is_some() {
            pen.line(pos2(x + 206.0, y), pos2(x + 226.0, y), 2.4, pen.ink.force);
            pen.text(pos2(x + 232.0, y), Side::Left, "this hit", pen.label());
        }
        if let Some(other) = self.other() {
            pen.dashed(&[pos2(x + 290.0, y), pos2(x + 310.0, y)], DASHED, 1.6, pen.ink.text2);
            let text = format!("{}, {}", other.number, with_prefix(other.velocity_in, "m/s"));
            pen.text(pos2(x + 316.0, y), Side::Left, &text, pen.label());
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
            self.compares = !self.compares;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(number: u32) -> HitPulse {
        HitPulse { number, ..HitPulse::default() }
    }

    fn numbers(scope: &Scope) -> [Option<u32>; 2] {
        [scope.hit(), scope.other()].map(|hit| hit.map(|hit| hit.number))
    }

    #[test]
    fn the_last_hit_is_shown_beside_the_one_before() {
        let mut scope = Scope::new();
        assert_eq!(numbers(&scope), [None, None]);
        (1..=30).for_each(|number| scope.take(hit(number)));
        assert_eq!((numbers(&scope), scope.hits.len()), ([Some(30), Some(29)], KEPT));
        scope.shown = Some(12);
        assert_eq!(numbers(&scope), [Some(12), Some(11)]);
        scope.against = Some(20);
        assert_eq!(numbers(&scope), [Some(12), Some(20)]);
        scope.compares = false;
        assert_eq!(numbers(&scope), [Some(12), None]);
        scope.take(hit(31));
        assert_eq!(numbers(&scope)[0], Some(31), "a new hit is shown");
        scope.frozen = true;
        scope.take(hit(32));
        assert_eq!(numbers(&scope)[0], Some(31), "unless time stands still");
        (scope.frozen, scope.compares) = (false, true);
        scope.part();
        assert_eq!(numbers(&scope), [Some(31), Some(30)], "what is shown stays as it is");
        scope.take(hit(33));
        assert_eq!(numbers(&scope), [Some(33), None], "another sound is not compared");
        scope.take(hit(34));
        assert_eq!(numbers(&scope), [Some(34), Some(33)]);
        scope.take(hit(1));
        assert_eq!((numbers(&scope)[0], scope.hits.len()), (Some(1), 1), "an engine that was reset counts anew");
    }
}
