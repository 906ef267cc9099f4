//! The tube under the body of a voice: its changes by pitch and parameters, its flap, and its sound.
//!
//! A tube that has once been there stays until the voice falls asleep: without coupling to the body, it rings out. The flap is part of the
//! instrument: it moves for all voices alike and opens and closes the exchange and the mouth. Its steps are control blocks.

use crate::block::{CONTROL_BLOCK, band_limit};
use crate::body::{BodyScratch, MAX_TUBE, PreparedBody, TubeMode};
use crate::context::RenderContext;
use crate::voice::tube_sound::TubeSound;
use crate::voice::voice::Voice;
use urto_physics::modal::Mode;
use urto_physics::solver::{MAX_TUBE_MODES, TubeJoint};

// a body has room for all modes of its tube
const _: () = assert!(MAX_TUBE <= MAX_TUBE_MODES);

impl Voice {
    /// Puts the tube of the parameters under its body, which is at rest.
    pub(super) fn start_tube(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        self.tube = TubeSound::default();
        if context.tube().coupling > 0.0 {
            self.tube.gains[1] = self.output.gains.map(|gain| (gain * context.tube_opening()) as f32);
            self.update_tube(body, context, scratch);
        }
    }

    /// The body has changed.
    pub fn mark_tube_outdated(&mut self) {
        self.tube.outdated = true;
    }

    /// Takes the parameters of the tube and the place of the flap at the beginning of a control block.
    #[inline]
    pub fn update_tube(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        if context.tube().coupling > 0.0 || self.collision.has_tube() {
            self.move_tube(body, context, scratch);
        }
    }

    #[inline(never)]
    fn move_tube(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        let (setting, opening) = (context.tube(), context.tube_opening());
        if std::mem::take(&mut self.tube.outdated) || setting != self.tube.setting {
            self.tube.setting = setting;
            self.tune_tube(body, context, scratch);
        }
        self.collision.set_tube_opening(opening);
        self.tube.gains = [self.tube.gains[1], self.output.gains.map(|gain| (gain * opening) as f32)];
    }

    fn tune_tube(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        let tuning = context.body_tuning(self.pitch.hertz(), self.key_scaling);
        let (size, pickups) = (context.body_size(self.key_scaling), context.pickup_model(self.key_scaling));
        let mut modes = [None; MAX_TUBE];
        let reach = (self.partials.all, band_limit(context.rate));
        body.tube_modes(self.tube.setting, (&tuning, size, &pickups), reach, scratch, &mut modes);
        let none = TubeJoint { mode: Mode::RIGID, body_mode: 0, rate: 0.0 };
        let mut joints = [none; MAX_TUBE];
        let count = modes.iter().flatten().count();
        for (i, TubeMode { mode, body_mode, rate, heard }) in modes.into_iter().flatten().enumerate() {
            joints[i] = TubeJoint { mode, body_mode, rate };
            self.tube.heard[i] = heard as f32;
        }
        self.discard_lookahead();
        self.collision.set_tube(&joints[..count]);
    }

    /// Adds the sound of its tube after a sample to frame `offset` of the control block.
    #[inline]
    pub(super) fn add_tube(&mut self, offset: usize) {
        if self.collision.has_tube() {
            let modes = self.collision.tube_modes().iter();
            let sound: f64 = modes.zip(self.tube.heard).map(|(mode, heard)| mode.v * f64::from(heard)).sum();
            let progress = (offset + 1) as f64 * (1.0 / CONTROL_BLOCK as f64);
            let [before, after] = self.tube.gains.map(|gains| gains.map(f64::from));
            for ((out, before), after) in self.output.block.iter_mut().zip(before).zip(after) {
                out[offset] += (before + progress * (after - before)) * sound;
            }
        }
    }

    /// Largest sounds of its tube at both pickups, with all modes in phase.
    pub(super) fn tube_envelopes(&self) -> [f64; 2] {
        let modes = self.collision.tube_modes().iter();
        let sound: f64 = modes.zip(self.tube.heard).map(|(mode, heard)| mode.envelope() * f64::from(heard)).sum();
        self.output.gains.map(|gain| gain * sound)
    }
}
