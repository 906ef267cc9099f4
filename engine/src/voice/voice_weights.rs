//! Weights of a voice's hammers and pickups, with those of its heavy modes.

use crate::body::{BodyScratch, KeyScaling, PartialCounts, PickupInputs, PreparedBody};
use crate::context::RenderContext;
use crate::voice::voice::{Voice, VoiceOutput};
use urto_physics::bodies::BodyPosition;

impl Voice {
    /// Weights for a hammer at `position`. Partials of a morphing body that have never been below the band limit get 0.
    pub(super) fn hammer_weights<'a>(
        &self,
        body: &PreparedBody,
        position: BodyPosition,
        context: &RenderContext,
        scratch: &'a mut BodyScratch,
    ) -> &'a [f64] {
        let count = self.collision.modes().len();
        let others = self.modes_without_heavy(body);
        let size = context.body_size(self.key_scaling);
        body.hammer_weights(position, size, others, scratch);
        body.add_heavy_strikes(others, count, scratch);
        let weights = &mut scratch.weights[..count];
        if body.morphs() {
            let PartialCounts { all, at_activation, audible, .. } = self.partials;
            let rigid = body.rigid();
            weights[rigid + audible.max(at_activation)..rigid + all].fill(0.0);
        }
        weights
    }

    /// Sets the pickups of a voice that is being activated, padded to `padded` modes. A body that is struck again after it has come to rest is mostly the
    /// same: then they are what they were.
    pub(super) fn set_pickups(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch, padded: usize) {
        let inputs = scratch.pickup_inputs.number_of(self.pickup_inputs(body, context));
        if self.output.pickup_inputs == inputs && self.output.pickups.iter_mut().all(|pickup| pickup.stay(padded)) {
            return;
        }
        let count = self.fill_pickup_weights(body, context, scratch);
        for (pickup, weights) in self.output.pickups.iter_mut().zip(&scratch.pickups) {
            pickup.set(&weights[..count], padded);
        }
        self.output.pickup_inputs = inputs;
    }

    pub(super) fn pickup_inputs(&self, body: &PreparedBody, context: &RenderContext) -> PickupInputs {
        let scaling = self.key_scaling;
        PickupInputs {
            body: body.serial(),
            tuning: context.body_tuning(self.pitch.hertz(), scaling),
            size: context.body_size(scaling),
            home: context.body_size(KeyScaling::default()).mass,
            model: context.pickup_model(scaling),
            partials: self.partials,
            rate: context.rate,
        }
    }

    /// Moves the pickups to the current positions, gains and body mass; partials above the band limit get 0.
    pub fn move_pickups(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        self.discard_lookahead();
        self.lookahead.invalidate_pickups();
        let count = self.fill_pickup_weights(body, context, scratch);
        let VoiceOutput { pickups, pickup_inputs, gains, .. } = &mut self.output;
        *pickup_inputs = 0;
        for ((pickup, weights), gain) in pickups.iter_mut().zip(&mut scratch.pickups).zip(*gains) {
            if gain != 1.0 {
                weights[..count].iter_mut().for_each(|weight| *weight *= gain);
            }
            pickup.set_target(&weights[..count]);
        }
    }

    /// Number of its modes, without heavy ones and those that fill up the block before them.
    pub(super) fn modes_without_heavy(&self, body: &PreparedBody) -> usize {
        (self.partials.all + body.suspensions()).min(self.collision.modes().len())
    }

    /// Writes the weights of the pickups into `scratch`, 0 for partials above the band limit. Returns the number of weights.
    pub(super) fn fill_pickup_weights(&self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) -> usize {
        let (modes, others) = (self.collision.modes(), self.modes_without_heavy(body));
        let size = context.body_size(self.key_scaling);
        context.pickup_model(self.key_scaling).fill_weights(body, size, &modes[..others], scratch);
        let audible = (body.rigid() + self.partials.audible).min(others);
        scratch.pickups.iter_mut().for_each(|weights| weights[audible..others].fill(0.0));
        // frame and shell are those of the instrument, not of the key
        let home = context.body_size(KeyScaling::default()).mass;
        let tuning = context.body_tuning(self.pitch.hertz(), self.key_scaling);
        body.add_heavy_pickups(home, &tuning, context.rate, others..modes.len(), scratch);
        modes.len()
    }
}
