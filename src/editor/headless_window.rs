//! A window with its instance, in which time passes only as it is told to: for tests, and for pictures.

use std::sync::Arc;
use std::time::Duration;

use egui::{
    Context, DroppedFileHandle, Event as Input, FullOutput, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Ui, ViewportId,
    vec2,
};
use nice_plug::context::gui::GuiContext;

use crate::editor::preferences::Prefs;
use crate::editor::{EditorWindow, theme};
use crate::host_params::HostParams;
use crate::host_params::MockHost;
use crate::threads;
use crate::threads::AudioEnd;
use crate::threads::HostEnd;
use urto_engine::params::{ParamId, ParamValues};
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, NoteId};

/// Looks a second, frames a second, and frames between two looks.
pub const LOOKS: f64 = 60.0;
const RATE: f64 = 48e3;
const FRAMES: usize = 800;
/// How often something that is made on another thread is looked for.
const PAUSE: Duration = Duration::from_millis(2);
const PAUSES: usize = 5000;

/// Preferences with a theme and a zoom, the rest as by default.
#[cfg(feature = "standalone")]
pub fn prefs(dark: bool, zoom: f32) -> Prefs {
    Prefs { dark, zoom, ..Prefs::default() }
}

/// An open window with its instance.
pub struct HeadlessWindow {
    /// What draws.
    pub context: Context,
    /// What is drawn.
    pub face: EditorWindow,
    /// What the editor talks to, and what it has been asked.
    #[cfg(test)]
    pub host: Arc<MockHost>,
    /// The instance's sound.
    pub audio: AudioEnd,
    /// Size of the window [logical pixels].
    pub size: [f32; 2],
    /// What the editor talks to.
    pub gui: GuiContext,
    /// Files that are about to fall onto the window.
    pub falling: Vec<DroppedFileHandle>,
    wires: HostEnd,
    engine: Engine,
    told: ParamValues,
    time: f64,
    /// Side-chain [full scale] at a time [s].
    drive: fn(f64) -> f32,
}

impl HeadlessWindow {
    /// A window as it is opened at first.
    pub fn new() -> Self {
        Self::with(Prefs::default())
    }

    /// A window of somebody who likes it so.
    pub fn with(prefs: Prefs) -> Self {
        Self::dressed(HostParams::new(|_| ()), prefs)
    }

    /// A window of an instance with `knobs`.
    #[cfg(test)]
    pub fn of(knobs: HostParams) -> Self {
        Self::dressed(knobs, Prefs::default())
    }

    fn dressed(knobs: HostParams, prefs: Prefs) -> Self {
        let (audio, editor, wires) = threads::wire_to(None);
        let knobs = Arc::new(knobs);
        let (_host, gui) = MockHost::of(Arc::clone(&knobs));
        let context = Context::default();
        context.enable_accesskit();
        context.set_zoom_factor(prefs.zoom);
        let face = EditorWindow::new(knobs, editor, Arc::default(), prefs);
        face.audio.watch(true);
        let patch = Patch::default();
        let engine = Engine::new(EngineConfig::at(RATE), &patch);
        let told = patch.settings;
        let (size, time, drive): (_, _, fn(f64) -> f32) = (crate::editor::SIZE, 0.0, |_| 0.0);
        let player = Self {
            #[cfg(test)]
            host: _host,
            context,
            face,
            gui,
            falling: Vec::new(),
            audio,
            wires,
            size,
            engine,
            told,
            time,
            drive,
        };
        player.wear(&player.context);
        player
    }

    /// Plays `patch` from now on, from silence; until its body has come.
    pub fn play(&mut self, patch: Patch) {
        self.engine = Engine::new(EngineConfig::at(RATE), &patch);
        self.told = patch.settings;
        self.face.knobs.load_patch(patch, |_| ());
        self.audio.activate(&self.wires, &mut self.engine);
        self.settle();
    }

    /// A note of `key`.
    pub fn strike(&mut self, key: u8, velocity: f64) {
        let note = NoteId { voice: None, channel: 0, key };
        self.engine.event(&Event::NoteOn { note, velocity });
    }

    /// Sound until the next look.
    pub fn sound(&mut self) {
        let settings = self.face.knobs.settings();
        for &knob in ParamId::ALL {
            let value = settings.get(knob);
            if value != self.told.get(knob) {
                self.told.set(knob, value);
                self.engine.event(&Event::Set { knob, value });
            }
        }
        self.audio.exchange_bodies(&mut self.engine, true);
        self.audio.take_editor_events(&mut self.engine);
        let drive: Vec<f32> = (0..FRAMES).map(|i| (self.drive)(self.time + i as f64 / RATE)).collect();
        let [left, right] = &mut [[0.0; FRAMES]; 2];
        self.engine.render(left, right, [&drive, &drive]);
        self.audio.measure(drive.iter().fold(0.0, |most, sample| most.max(sample.abs())), 0.0);
        self.audio.send_audio([&left[..], &right[..]]);
        self.audio.send_telemetry(&mut self.engine);
    }

    /// Draws the window in that of somebody else, once [`wear`](Self::wear) has dressed it.
    pub fn draw(&mut self, ui: &mut Ui) {
        self.face.look(ui);
        self.face.show(ui, &self.gui.param_setter());
    }

    /// Gives the window of somebody else its type and its colours.
    pub fn wear(&self, context: &Context) {
        theme::dress(context);
        self.face.wear(context);
    }

    /// Waits for the body that is to be drawn.
    fn settle(&mut self) {
        let patch = self.face.knobs.patch();
        let EditorWindow { stage, scope, .. } = &mut self.face;
        for _ in 0..PAUSES {
            let key = stage.strike_key(&patch, scope.last());
            let drawn = stage.partials(&patch, &patch.trims, key, scope.last());
            if !drawn.is_empty() && !stage.is_building() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }

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
        if self.face.stage.is_building() {
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
