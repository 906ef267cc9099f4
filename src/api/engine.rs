//! The instrument: plays a patch, events in, samples out.
//!
//! An [`Engine`] allocates only when it is built or loads a patch. Events take effect at the frame at which they are sent; the block size
//! does not change the output. `examples/drum_machine.rs` plays a rhythm.

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;

#[doc(inline)]
pub use urto_engine::{EngineConfig, Event, Expression, HitPulse, Meters, NoteId};

/// An instrument that plays one patch: bodies, the hammers that strike them, and a stereo output.
pub struct Engine(urto_engine::Engine);

impl Engine {
    /// A silent engine that plays `patch`. Prepares the patch's body, which may take 100 ms, and allocates all its memory.
    pub fn new(config: EngineConfig, patch: &Patch) -> Self {
        Self(urto_engine::Engine::new(config, patch))
    }

    /// Sends an event, at the current frame.
    pub fn event(&mut self, event: &Event) {
        self.0.event(event);
    }

    /// Renders `left.len()` frames over the content of both slices, which must have the same length. `drive` drives the hammer if the
    /// parameter `drive_gain` is above 0: left and right, full scale 1, each empty or of the same length as `left`.
    pub fn render(&mut self, left: &mut [f32], right: &mut [f32], drive: [&[f32]; 2]) {
        self.0.render(left, right, drive);
    }

    /// Silences all voices. The next output is the same as that of a new engine with the same parameters.
    pub fn reset(&mut self) {
        self.0.reset();
    }

    /// Whether all voices are silent: rendering then costs almost nothing and gives zeros.
    pub fn is_asleep(&self) -> bool {
        self.0.is_asleep()
    }

    /// Number of frames rendered since the last reset.
    pub fn frame(&self) -> u64 {
        self.0.frame()
    }

    /// Number of active voices.
    pub fn active_voices(&self) -> usize {
        self.0.active_voices()
    }

    /// The last contact that ended since the last call. Render one frame at a time to get every contact.
    pub fn take_hit(&mut self) -> Option<HitPulse> {
        self.0.take_hit()
    }

    /// Peaks, and the lowest gain of the limiter, since the last call.
    pub fn take_meters(&mut self) -> Meters {
        self.0.take_meters()
    }

    /// A note that has ended or was stolen since the last call, oldest first; each is returned once.
    pub fn next_ended(&mut self) -> Option<NoteId> {
        self.0.next_ended()
    }

    /// The frequency of `key`, 0 to 127, in the tuning of the patch [Hz]; `None` for a key without a pitch.
    pub fn key_frequency(&self, key: u8) -> Option<f64> {
        self.0.tuning().hertz(key)
    }
}

/// The event that sets the parameter `id` to a value in its unit, clamped to its range; `None` if there is none with this id.
pub fn param_event(id: &str, value: f64) -> Option<Event> {
    ParamId::from_id(id).map(|param| Event::Set { param, value })
}
