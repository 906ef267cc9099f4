//! Steps of a voice: a frame with hammers, ringing without them, retuning, and the check for silence.

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::body::{BodyScratch, PartialCounts, PreparedBody};
use crate::context::RenderContext;
use crate::telemetry::HitRecorder;
use crate::voice::exact_contacts::{ContactOnset, ExactContactPool};
use crate::voice::flight_state::HammerFlight;
use crate::voice::pickup::{Pickup, read_pickups, route_exact_contact};
use crate::voice::ring::{RingingBody, is_nearly_at_rest, render_ringing};
use crate::voice::step_states::StepScratch;
use crate::voice::voice::Voice;
use std::ops::Range;
use urto_physics::modal::StepTable;
use urto_physics::radiation::MalletNoise;
use urto_physics::solver::{Collision, MAX_SUBSTEPS, SubstepReport};

/// Cost of a frame of a body with hammers, except for its collision, in samples of one reference resonator.
const FRAME_COST: f32 = 60.0;

/// Rough costs of a frame, by which zones of a kit are only ordered: of a hi-hat, and of frames that have been rendered ahead.
const HI_HAT_COST: f32 = 1000.0;
const PLAYED_COST: f32 = 4.0;

/// Cost of a mode in a sample of an exact contact.
const EXACT_MODE_COST: f32 = 1.0;
/// Cost of each pair of modes when an exact contact begins.
const EXACT_PAIR_COST: f32 = 1.2;

/// One frame of one voice.
#[derive(Clone, Copy, Debug)]
pub struct StepRequest {
    /// Number of the voice.
    pub voice: usize,
    /// Frame of the control block.
    pub offset: usize,
    /// Absolute frame.
    pub frame: u64,
    /// Cost that the voice may take, in samples of one reference resonator.
    pub cost_limit: f32,
    /// Cost left in the window.
    pub cost_left: f32,
    /// Gain of the mallet noise.
    pub noise_gain: f64,
    /// Sample rate [Hz].
    pub rate: f64,
}

/// Resources that all voices share while they step.
pub struct StepResources<'a> {
    /// Exact contacts.
    pub exact_contacts: &'a mut ExactContactPool,
    /// Step table for odd lengths.
    pub odd_table: &'a mut StepTable,
    /// Recorder of hits.
    pub recorder: &'a mut HitRecorder,
    /// Scratch of renderings of several steps of the exchange between bands.
    pub step_scratch: &'a mut StepScratch,
}

/// Result of a frame with hammers.
#[derive(Clone, Copy, Debug)]
pub struct StepReport {
    /// Number of substeps.
    pub substeps: u32,
    /// Cost, in samples of one reference resonator.
    pub cost: f32,
    /// Whether the limit reduced the cost.
    pub limited: bool,
    /// Whether the state is finite.
    pub finite: bool,
}

impl Voice {
    /// Renders one frame with hammers. The recorder sees all hammers of notes.
    pub fn step(&mut self, request: &StepRequest, resources: &mut StepResources) -> StepReport {
        let &StepRequest { voice, offset, frame, cost_limit, cost_left, noise_gain, rate } = request;
        let StepResources { exact_contacts, odd_table, recorder, step_scratch } = resources;
        self.ring_before(offset, noise_gain, step_scratch);
        self.discard_lookahead();
        self.flight = HammerFlight::Stepped;
        self.lookahead.touch();
        let (key, obstacles) = (self.key(), self.obstacles);
        let frame_cost = FRAME_COST + self.frame_mode_cost();
        let (states, driven_force) = (&self.hammers.states, &mut self.hammers.driven_force);
        let contact = &mut self.hammers.contact;
        let mut impulse = 0.0;
        let mut observer = |collision: &Collision, substep: &SubstepReport| {
            if states[substep.hammer].driven {
                *driven_force = driven_force.max(substep.force);
            } else if !obstacles.contain(substep.hammer) {
                impulse += substep.force * substep.dt;
                contact.add(substep);
                recorder.record_substep(voice, key, collision, substep);
            }
        };
        let collision = &mut self.collision;
        let onset = ContactOnset { frame, cost_left };
        let begins = !collision.is_exact() && exact_contacts.begin(voice, collision, onset);
        let modes = collision.modes().len() as f32;
        let fixed_cost = frame_cost + self.motion.cost() + exact_contacts.take_build_cost();
        let (substeps, cost, limited) = if collision.is_exact() {
            route_exact_contact(&mut self.output.pickups, collision, begins);
            collision.step_exact(&mut observer);
            let begin_cost = if begins { EXACT_PAIR_COST * modes * modes } else { 0.0 };
            (1, fixed_cost + EXACT_MODE_COST * modes + begin_cost, false)
        } else {
            collision.exchange_odd(odd_table);
            collision.set_cost_limit(cost_limit - fixed_cost);
            let step = collision.step(MAX_SUBSTEPS, &mut observer);
            collision.exchange_odd(odd_table);
            (step.substeps, fixed_cost + collision.cost(), collision.was_limited())
        };
        self.apply_decay();
        read_pickups(&self.output.pickups, &self.collision, offset, &mut self.output.block);
        self.add_tube(offset);
        if self.motion.is_on() {
            let (factor, gains) = (self.decay.factor(), self.output.gains);
            self.motion.touch(&self.collision, factor, offset, gains, &mut self.output.block);
        }
        self.output.rendered = offset + 1;
        self.add_mallet_noise(offset, impulse * rate, noise_gain);
        StepReport { substeps, cost, limited, finite: self.silence_if_invalid(offset..offset + 1) }
    }

    /// Approximate least cost of a frame with its hammers; 0 without hammers.
    pub fn least_cost(&self) -> f32 {
        if !self.expects_steps() {
            return 0.0;
        }
        FRAME_COST + self.frame_mode_cost() + self.motion.cost() + self.collision.least_cost()
    }

    /// About what it costs in this control block without hammers, in samples of one reference resonator; 0 with hammers.
    pub fn expected_ringing_cost(&self) -> f32 {
        let modes = self.collision.modes().len() as f32;
        if self.has_hi_hat() {
            return HI_HAT_COST * CONTROL_BLOCK as f32;
        }
        if self.expects_steps() {
            return 0.0;
        }
        let frames = if self.lookahead.is_spent() { self.lookahead.expected_cost(modes) } else { 0.0 };
        PLAYED_COST * CONTROL_BLOCK as f32 + frames
    }

    /// Cost of the ringing of a dense body or of a hi-hat since the last call, in samples of one reference resonator.
    pub fn take_ringing_cost(&mut self) -> f32 {
        if let Some(hi_hat) = self.hi_hat_mut() {
            return hi_hat.take_cost();
        }
        let cost = self.lookahead.take_cost();
        if self.is_dense() { cost } else { 0.0 }
    }

    /// Damps the body for one frame. With obstacles, which may hold it bent, only its velocity is damped, twice as much for the same
    /// decay.
    fn apply_decay(&mut self) {
        let factor = self.decay.factor();
        if factor == 1.0 {
            return;
        }
        if self.obstacles.active_count() > 0 {
            self.collision.damp_motion(factor * factor);
        } else {
            self.collision.damp(factor);
        }
    }

    /// Rings without hammers up to frame `end` of the control block, and adds what the motion of all frames before it drives. Returns whether the state is
    /// finite.
    pub fn ring_to(&mut self, end: usize, noise_gain: f64, scratch: &mut StepScratch) -> bool {
        let is_finite = self.ring_before(end, noise_gain, scratch);
        self.play_motion() && is_finite
    }

    /// Adds what the motion of the last frames drives. Returns whether it is finite.
    fn play_motion(&mut self) -> bool {
        let played = self.motion.play_pending(&mut self.output.block);
        played.is_none_or(|frames| self.silence_if_invalid(frames))
    }

    /// Rings without hammers up to frame `end` of the control block. Returns whether the state is finite.
    fn ring_before(&mut self, end: usize, noise_gain: f64, scratch: &mut StepScratch) -> bool {
        if !self.is_awake() || self.output.rendered >= end {
            return true;
        }
        let run = self.output.rendered..end;
        if self.has_hi_hat() {
            self.ring_hi_hat(run.clone(), noise_gain);
            self.output.rendered = end;
            return self.silence_if_invalid(run);
        }
        self.ring(run.clone(), scratch);
        // before the noise, as where the body rings ahead of its state
        let is_finite = self.play_motion();
        self.output.rendered = end;
        if !self.hammers.noise.is_still() {
            run.clone().for_each(|offset| self.add_mallet_noise(offset, 0.0, noise_gain));
        }
        self.silence_if_invalid(run) && is_finite
    }

    /// Renders the frames `run` of a control block.
    fn ring_hi_hat(&mut self, run: Range<usize>, noise_gain: f64) {
        let Some(hi_hat) = &mut self.hi_hat else { return };
        let mut forces = [0.0; CONTROL_BLOCK];
        hi_hat.render(run.clone(), self.decay.factor(), &mut self.output.block, &mut forces);
        apply_gains(&mut self.output.block, run.clone(), [self.hi_hat_gains, self.output.gains]);
        for offset in run.clone() {
            self.add_mallet_noise(offset, forces[offset], noise_gain);
        }
        if run.end == CONTROL_BLOCK {
            self.hi_hat_gains = self.output.gains;
        }
    }

    /// Whether the hi-hat has been silent for a while at `level` (a factor) of the output.
    fn is_hi_hat_silent(&mut self, level: f64) -> bool {
        let silence = &self.output.silence;
        self.hi_hat.as_deref_mut().is_none_or(|hi_hat| hi_hat.end_turn(|peak| silence.is_below_floor(peak, level)))
    }

    /// Rings over the part `run` of a control block.
    fn ring(&mut self, run: Range<usize>, scratch: &mut StepScratch) {
        if self.collision.rings_by_samples() {
            return self.ring_with_tension(run);
        }
        if run.start == 0 && self.lookahead.is_spent() {
            self.look_ahead(scratch);
        }
        if self.lookahead.is_spent() {
            self.lookahead.charge_frames(run.len(), self.collision.modes().len());
            let (body, factor) = (RingingBody::of(&mut self.collision), self.decay.factor());
            if self.motion.is_on() {
                self.motion.copy_state(body.q, body.v);
            }
            render_ringing(body, factor, &self.output.pickups, run.clone(), &mut self.output.block);
        } else {
            self.lookahead.play(run.clone(), &mut self.output.block);
        }
        if self.motion.is_on() {
            let (factor, gains) = (self.decay.factor(), self.output.gains);
            self.motion.ring(self.collision.ring_parts().0, factor, run, gains, &mut self.output.block);
        }
    }

    /// Renders ahead. A body of which anything moves rings control block by control block, and so does a dense one that has just been touched or decays
    /// faster than by itself: a longer rendering would be dropped before it is worth its cost.
    fn look_ahead(&mut self, scratch: &mut StepScratch) {
        let moves = self.decay.is_rising() || self.output.pickups.iter().any(Pickup::is_moving) || !self.lookahead.is_steady();
        let one_block = moves || self.is_dense() && (self.decay.factor() != 1.0 || self.lookahead.is_just_touched());
        self.sync_state();
        let (collision, cascade) = (&mut self.collision, &mut self.cascade);
        if self.motion.is_on() {
            let (_, q, v) = collision.ring_parts();
            self.motion.copy_state(q, v);
        }
        if one_block {
            self.lookahead.render_one_block(collision, self.decay.factor(), &self.output.pickups);
        } else {
            self.lookahead.render(collision, cascade, self.decay.factor(), &self.output.pickups, scratch);
        }
    }

    /// Adds the mallet noise of `force` [N] on the hammers' heads to frame `offset`.
    fn add_mallet_noise(&mut self, offset: usize, force: f64, gain: f64) {
        let noise = &mut self.hammers.noise;
        if gain == 0.0 {
            *noise = MalletNoise::default();
        } else if force != 0.0 || !noise.is_still() {
            let sound = gain * noise.step(&self.hammers.head, force);
            let output = &mut self.output;
            output.block.iter_mut().zip(output.gains).for_each(|(out, side)| out[offset] += side * sound);
        }
    }

    /// Fills the frames `run` with zeros from the first that is not finite. Returns whether all are finite.
    fn silence_if_invalid(&mut self, run: Range<usize>) -> bool {
        let [left, right] = &mut self.output.block;
        // all frames in one pass without a jump; the first invalid one is searched only if there is any
        let any_invalid = |part: &[f64]| part.iter().fold(false, |any, x| any | !x.is_finite());
        if !(any_invalid(&left[run.clone()]) | any_invalid(&right[run.clone()])) {
            return true;
        }
        let invalid = run.clone().find(|&k| !(left[k].is_finite() && right[k].is_finite()));
        if let Some(first) = invalid {
            left[first..run.end].fill(0.0);
            right[first..run.end].fill(0.0);
        }
        invalid.is_none()
    }

    /// Sets bend and gains to their targets: its first note begins with them.
    pub fn snap_to_targets(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        if self.pitch.land_bend() {
            self.retune(body, context, scratch);
        }
        self.hi_hat_gains = self.output.gain_targets;
        if self.output.gains != self.output.gain_targets {
            self.output.gains = self.output.gain_targets;
            self.move_pickups(body, context, scratch);
        }
    }

    /// Retunes the body to the current pitch and losses. Returns the number of retuned modes.
    pub fn retune(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) -> usize {
        if self.has_hi_hat() {
            self.hi_hat_changes.pitch = true;
            return 0;
        }
        let tuning = context.body_tuning(self.pitch.hertz(), self.key_scaling);
        self.discard_lookahead();
        self.lookahead.invalidate_tuning();
        self.mark_tube_outdated();
        let all = self.partials.all;
        self.collision.retune(body.voice_modes(all, &tuning, context.rate, &mut scratch.modes).iter().copied());
        let first = body.rigid();
        // without a morph, no partial returns below the band limit
        let most = if tuning.morph > 0.0 { all } else { self.partials.at_activation };
        let audible = body.modes_below_limit(&tuning, context.rate).min(most);
        let audible_heavy = body.heavy_below_limit(&tuning, context.rate);
        let weights_cost = context.pickup_model(self.key_scaling).cost();
        let PartialCounts { audible: before, audible_heavy: heavy_before, .. } = self.partials;
        if (audible, audible_heavy) != (before, heavy_before) || weights_cost > 0 {
            (self.partials.audible, self.partials.audible_heavy) = (audible, audible_heavy);
            self.move_pickups(body, context, scratch);
        }
        self.cascade.set_part(first..first + audible);
        all * (1 + weights_cost)
    }

    /// Updates body mass and pickups.
    pub fn update_weights(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        self.move_pickups(body, context, scratch);
        self.update_all_hammer_weights(body, context, scratch);
        self.update_obstacle_weights(body, context, scratch);
        self.place_strands(body, context, scratch);
        self.mark_tube_outdated();
    }

    /// Whether the body has died away at `level` (a factor) of the output, even if all its modes were in phase.
    pub fn is_silent(&mut self, level: f64, context: &RenderContext) -> bool {
        if self.has_hi_hat() {
            return self.is_hi_hat_silent(level);
        }
        self.collision.settle();
        let (body, resting) = (self.collision.body(), self.collision.any_touching());
        let moves = |energy: f64| !is_nearly_at_rest(energy, context.body_size(self.key_scaling).mass);
        if !resting && moves(body.energy() + self.free_energy()) || !self.obstacles_rest() {
            return false;
        }
        let (mut envelopes, mut energy) = ([0.0; 2], 0.0);
        for (i, mode) in body.list().iter().enumerate() {
            let envelope = body.v[i].hypot(mode.omega * (body.q[i] - if resting { self.collision.rest(i) } else { 0.0 }));
            energy += 0.5 * envelope * envelope;
            for (sum, pickup) in envelopes.iter_mut().zip(&self.output.pickups) {
                *sum += pickup.weight(i).abs() * envelope;
            }
        }
        let (driven, tube) = (self.motion.envelopes(), self.tube_envelopes());
        let audible = (envelopes[0] + driven[0] + tube[0]).max(envelopes[1] + driven[1] + tube[1]);
        !(resting && moves(energy)) && self.output.silence.is_below_floor(audible, level)
    }

    /// Drops the tuning of its lookahead, so that it rings control block by control block.
    #[cfg(test)]
    pub fn ring_block_by_block(&mut self) {
        self.lookahead.invalidate_tuning();
    }

    /// Number of frames in its lookahead.
    #[cfg(test)]
    pub fn lookahead_frames(&self) -> usize {
        self.lookahead.rendered()
    }
}

/// Multiplies the frames `run` by gains that move over the control block.
fn apply_gains(block: &mut StereoBlock, run: Range<usize>, [before, after]: [[f64; 2]; 2]) {
    if before == [1.0; 2] && after == [1.0; 2] {
        return;
    }
    for ((out, before), after) in block.iter_mut().zip(before).zip(after) {
        for offset in run.clone() {
            out[offset] *= before + (offset + 1) as f64 * (1.0 / CONTROL_BLOCK as f64) * (after - before);
        }
    }
}
