//! Looks without a window, for pictures: time goes on by a look, and the sound with it.

use egui::{Event as Input, FullOutput, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, ViewportId, vec2};

use super::{LOOKS, Player, Prefs};

/// What somebody likes who has chosen theme and zoom alone.
pub fn prefs(dark: bool, zoom: f32) -> Prefs {
    Prefs { dark, zoom, ..Prefs::default() }
}

impl Player {
    /// What comes in by the side-chain from now on.
    pub fn drive(&mut self, signal: fn(f64) -> f32) {
        self.drive = signal;
    }

    /// The next look, with the sound before it, while `events` happen.
    pub fn live(&mut self, events: Vec<Input>) -> FullOutput {
        self.sound();
        self.see(events)
    }

    /// One look while `events` happen; nothing sounds.
    pub fn see(&mut self, events: Vec<Input>) -> FullOutput {
        self.time += 1.0 / LOOKS;
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(self.size[0], self.size[1]));
        let (dropped_files, time) = (std::mem::take(&mut self.falling), Some(self.time));
        let screen_rect = Some(rect);
        let mut input = RawInput { events, dropped_files, focused: true, screen_rect, time, ..RawInput::default() };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(1.0);
        self.context.clone().run_ui(input, |ui| self.draw(ui))
    }

    /// The next look as [`live`](Self::live) has it, once all is there that is to be drawn.
    pub fn settled(&mut self, events: Vec<Input>) -> FullOutput {
        if let Some(browser) = &mut self.face.browser {
            browser.settle();
        }
        if self.face.stage.is_coming() {
            self.settle();
        }
        self.live(events)
    }

    /// What happens when a key is pressed and let go, a look each.
    pub fn key(key: Key, modifiers: Modifiers) -> [Vec<Input>; 2] {
        [true, false].map(|pressed| vec![Input::Key { key, physical_key: None, pressed, repeat: false, modifiers }])
    }

    /// What happens when the primary button is pressed or let go.
    pub fn button(pos: Pos2, pressed: bool) -> Vec<Input> {
        vec![Input::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }]
    }
}
