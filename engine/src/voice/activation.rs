//! Activation of a voice as the body of a key.

use crate::block::CONTROL_BLOCK;
use crate::body::{BodyScratch, PartialCounts, PreparedBody};
use crate::context::RenderContext;
use crate::hi_hat::HiHatChanges;
use crate::voice::contact_follower::ContactFollower;
use crate::voice::flight_state::HammerFlight;
use crate::voice::hammer::{FeltModes, felt_modes};
use crate::voice::obstacles::Obstacles;
use crate::voice::ring::VoiceDecay;
use crate::voice::stiffening_meter::StiffeningMeter;
use crate::voice::thinning_state::Thinning;
use crate::voice::voice::Voice;
use crate::voice::voice_pitch::{KeyPitch, VoicePitch};
use urto_physics::radiation::MalletNoise;

impl Voice {
    /// Activates it as the body of `pitch`, at rest. The room of `scratch` is the largest number of modes.
    pub fn activate(
        &mut self,
        pitch: KeyPitch,
        slot: usize,
        body: &PreparedBody,
        context: &RenderContext,
        scratch: &mut BodyScratch,
    ) {
        let offset = (context.frame % CONTROL_BLOCK as u64) as usize;
        for out in &mut self.output.block {
            out[self.output.rendered.min(offset)..].fill(0.0);
        }
        self.output.rendered = self.output.rendered.max(offset);
        (self.key, self.body_slot, self.stolen) = (pitch.key, Some(slot), false);
        (self.activated_at, self.last_strike) = (context.frame, context.frame);
        self.decay = VoiceDecay::none();
        self.output.silence.reset();
        self.notes.clear();
        self.pitch = VoicePitch::at(pitch.hertz, context.smoothers.step());
        (self.key_scaling, self.notes_changed) = (context.key_scaling(pitch.key), false);
        (self.output.gains, self.output.gain_targets) = ([1.0; 2], [1.0; 2]);
        self.hammers.noise = MalletNoise::default();
        self.hammers.contact = ContactFollower::default();
        if body.is_hi_hat() {
            return self.activate_without_body();
        }
        let tuning = context.body_tuning(self.pitch.hertz(), self.key_scaling);
        let room = scratch.weights.len().saturating_sub(body.suspensions() + body.heavy_room());
        let all = body.reach(&tuning, context.rate).min(room);
        let audible = body.modes_below_limit(&tuning, context.rate).min(all);
        let audible_heavy = body.heavy_below_limit(&tuning, context.rate);
        self.partials = PartialCounts { all, at_activation: audible, audible, audible_heavy };
        let modes = body.voice_modes(all, &tuning, context.rate, &mut scratch.modes);
        let tense = context.nonlinearity() > 0.0 && (body.has_tension() || body.has_potential());
        let felt = felt_modes(all + body.suspensions(), if tense { FeltModes::Most } else { FeltModes::Few });
        self.collision.set_body_held(modes.iter().copied(), felt);
        self.made_at = tuning.lowest;
        self.lookahead.reset();
        self.thinning = Thinning::Off;
        self.stiffening_meter = StiffeningMeter::default();
        self.cascade.set_part(body.rigid()..body.rigid() + audible);
        (self.outdated_weights, self.last_weights) = (false, 0);
        self.cascade.begin_block(context.frame);
        self.cascade.set_law(None);
        (self.hammers.count, self.obstacles, self.flight) = (0, Obstacles::default(), HammerFlight::Stepped);
        let padded = self.collision.body().padded();
        self.update_tension_law(body, context, scratch);
        self.set_pickups(body, context, scratch, padded);
        self.start_motion_drive(body, context, scratch);
        self.start_tube(body, context, scratch);
    }

    /// Activates it without a body: a hi-hat follows.
    fn activate_without_body(&mut self) {
        self.partials = PartialCounts::default();
        self.collision.set_body(std::iter::empty());
        self.lookahead.reset();
        (self.thinning, self.stiffening_meter) = (Thinning::Off, StiffeningMeter::default());
        (self.outdated_weights, self.last_weights) = (false, 0);
        self.cascade.set_part(0..0);
        self.cascade.set_law(None);
        (self.hammers.count, self.obstacles, self.flight) = (0, Obstacles::default(), HammerFlight::Stepped);
        self.output.pickups.iter_mut().for_each(|pickup| pickup.set(&[], 0));
        self.motion.turn_off();
        (self.hi_hat_changes, self.hi_hat_gains) = (HiHatChanges::default(), [1.0; 2]);
    }
}
