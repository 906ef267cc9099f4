//! A window with its instance and engine, in which time advances frame by frame: for tests and captured pictures.

use std::sync::Arc;
use std::time::Duration;

use egui::{
    Context, DroppedFileHandle, Event as Input, FullOutput, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Ui, ViewportId,
    vec2,
};
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::LogicalSize;
use nice_plug_egui::RepaintNotifier;
use nice_plug_egui::baseview::WindowSize;

use crate::editor::editor_window::{EditorWindow, Pages};
use crate::editor::preferences::Prefs;
use crate::editor::theme;
use crate::editor::theme::SIZE;
use crate::host_params::{HostParams, MockHost};
use crate::threads;
use crate::threads::{AudioEnd, HostEnd, MovedController};
use urto_engine::params::{ParamId, ParamValues};
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, NoteId};

/// Frames of the window per second, sample rate [Hz], and samples per frame of the window.
pub const FRAME_RATE: f64 = 60.0;
const RATE: f64 = 48e3;
const FRAMES: usize = 800;
/// Interval and number of checks for a body computed on another thread.
const PAUSE: Duration = Duration::from_millis(2);
const PAUSES: usize = 5000;

/// Preferences with a theme and a zoom, the rest by default.
#[cfg(feature = "standalone")]
pub fn prefs(dark: bool, zoom: f32) -> Prefs {
    Prefs { dark, zoom, ..Prefs::default() }
}

/// An open window with its instance.
pub struct HeadlessWindow {
    /// The egui context.
    pub context: Context,
    /// The editor.
    pub editor: EditorWindow,
    /// The host, which records the requests of the editor.
    pub host: Arc<MockHost>,
    /// The audio thread's end of the instance.
    pub audio: AudioEnd,
    /// Size of the window [logical pixels].
    pub size: [f32; 2],
    /// The host's interface to the editor.
    pub gui: GuiContext,
    /// Files dropped on the window with the next frame.
    pub falling: Vec<DroppedFileHandle>,
    host_end: HostEnd,
    engine: Engine,
    sent_values: ParamValues,
    time: f64,
    /// Side-chain signal [full scale] at a time [s].
    drive: fn(f64) -> f32,
}

impl Default for HeadlessWindow {
    /// A window with default preferences.
    fn default() -> Self {
        Self::with(Prefs::default())
    }
}

impl HeadlessWindow {
    /// A window with preferences.
    pub fn with(prefs: Prefs) -> Self {
        Self::build(HostParams::new(|_| ()), prefs)
    }

    /// A window of an instance with `params`.
    #[cfg(test)]
    pub fn of(params: HostParams) -> Self {
        Self::build(params, Prefs::default())
    }

    fn build(params: HostParams, prefs: Prefs) -> Self {
        let (audio, editor, host_end) = threads::connect_to(None, Arc::default());
        let params = Arc::new(params);
        let (host, gui) = MockHost::of(Arc::clone(&params));
        let context = Context::default();
        context.enable_accesskit();
        context.set_zoom_factor(prefs.zoom);
        let editor = EditorWindow::new(params, editor, Arc::default(), prefs, RepaintNotifier::new());
        editor.instance.audio.watch(true);
        let patch = Patch::default();
        let engine = Engine::new(EngineConfig::at(RATE), &patch);
        let sent_values = patch.settings;
        let (size, time, drive): (_, _, fn(f64) -> f32) = (SIZE, 0.0, |_| 0.0);
        let window =
            Self { host, context, editor, gui, falling: Vec::new(), audio, host_end, size, engine, sent_values, time, drive };
        window.apply_theme(&window.context);
        window
    }

    /// Plays `patch` from silence, and waits for its body.
    pub fn play(&mut self, patch: Patch) {
        self.engine = Engine::new(EngineConfig::at(RATE), &patch);
        self.sent_values = patch.settings;
        self.editor.instance.params.load_patch(patch, |_| ());
        self.audio.activate(&self.host_end, &mut self.engine);
        self.settle();
    }

    /// Strikes `key`.
    pub fn strike(&mut self, key: u8, velocity: f64) {
        let note = NoteId { voice: None, channel: 0, key };
        self.engine.event(&Event::NoteOn { note, velocity });
    }

    /// Renders the sound up to the next frame.
    pub fn sound(&mut self) {
        let settings = self.editor.instance.params.settings();
        for &param in ParamId::ALL {
            let value = settings.get(param);
            if value != self.sent_values.get(param) {
                self.sent_values.set(param, value);
                self.engine.event(&Event::Set { param, value });
            }
        }
        self.audio.exchange_bodies(&mut self.engine, true);
        self.audio.take_editor_events(&mut self.engine);
        let drive: Vec<f32> = (0..FRAMES).map(|i| (self.drive)(self.time + i as f64 / RATE)).collect();
        let [left, right] = &mut [[0.0; FRAMES]; 2];
        self.engine.render(left, right, [&drive, &drive]);
        self.audio.measure(drive.iter().fold(0.0, |peak, sample| peak.max(sample.abs())), 0.0);
        self.audio.send_audio([&left[..], &right[..]]);
        self.audio.send_telemetry(&mut self.engine);
    }

    /// Draws the window in another one, after [`apply_theme`](Self::apply_theme).
    pub fn draw(&mut self, ui: &mut Ui) {
        // a host that grants every size
        let [width, height] = self.size.map(|length| f64::from(length * self.editor.prefs.zoom));
        let size = WindowSize::from_logical(LogicalSize::new(width, height), 1.0);
        self.editor.size.follow(ui.ctx(), size, self.editor.prefs.zoom);
        self.editor.read_telemetry(ui);
        self.editor.show(ui, &self.gui.param_setter());
    }

    /// Sets fonts and colours of another window's context.
    pub fn apply_theme(&self, context: &Context) {
        theme::install(context);
        self.editor.apply_theme(context);
    }

    /// Waits for the body that will be drawn.
    fn settle(&mut self) {
        let patch = self.editor.instance.params.patch();
        let Pages { body_view: stage, hit_scope: scope, .. } = &mut self.editor.pages;
        for _ in 0..PAUSES {
            let key = stage.strike_key(&patch, scope.last());
            let drawn = stage.partials(&patch, &patch.partial_edits, key, scope.last());
            if !drawn.is_empty() && !stage.is_building() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Moves a MIDI controller on channel 1.
    pub fn turn(&mut self, number: u8) {
        let _ = self.audio.assigned_to(MovedController { channel: 0, number });
    }

    /// Sets the side-chain signal.
    pub fn drive(&mut self, signal: fn(f64) -> f32) {
        self.drive = signal;
    }

    /// The next frame with `events`, after the sound before it.
    pub fn live(&mut self, events: Vec<Input>) -> FullOutput {
        self.sound();
        self.see(events)
    }

    /// The next frame with `events`, without sound.
    pub fn see(&mut self, events: Vec<Input>) -> FullOutput {
        self.time += 1.0 / FRAME_RATE;
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(self.size[0], self.size[1]));
        let (dropped_files, time) = (std::mem::take(&mut self.falling), Some(self.time));
        let screen_rect = Some(rect);
        let mut input = RawInput { events, dropped_files, focused: true, screen_rect, time, ..RawInput::default() };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(1.0);
        self.context.clone().run_ui(input, |ui| self.draw(ui))
    }

    /// The next frame as in [`live`](Self::live), after everything on other threads is ready.
    pub fn settled(&mut self, events: Vec<Input>) -> FullOutput {
        if let Some(browser) = &mut self.editor.pages.browser {
            browser.settle();
        }
        if self.editor.pages.body_view.is_building() {
            self.settle();
        }
        self.live(events)
    }

    /// The events of pressing and releasing a key, a frame each.
    pub fn key(key: Key, modifiers: Modifiers) -> [Vec<Input>; 2] {
        [true, false].map(|pressed| vec![Input::Key { key, physical_key: None, pressed, repeat: false, modifiers }])
    }

    /// The event of pressing or releasing the primary button.
    pub fn button(pos: Pos2, pressed: bool) -> Vec<Input> {
        vec![Input::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }]
    }
}
