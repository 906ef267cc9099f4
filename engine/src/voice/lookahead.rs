//! Sound of a ringing body rendered ahead of its state.
//!
//! The [`ResonatorBank`] renders several control blocks at once, twice as many each time up to thirty-two, while the state stays at their
//! beginning. The state moves to their end when the next blocks are rendered, or in a few steps to the frame where it is needed; a change
//! of the body drops the rest. Bodies take turns, so that their long renderings come one after another. A body of which anything moves rings control
//! block by control block until it is steady, and so does a dense one that has just been touched.

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::voice::band_rendering::render_bands;
use crate::voice::block_ringing::render_control_block;
use crate::voice::cascade::VoiceCascade;
use crate::voice::pickup::Pickup;
use crate::voice::resonator_bank::{FRAMES, MAX_BLOCKS, ResonatorBank};
use crate::voice::ring::{RingingBody, render_ringing};
use crate::voice::step_states::{StepScratch, StepStates};
use std::ops::Range;
use urto_physics::modal::{MAX_BANDS, resting_modes};
use urto_physics::solver::Collision;

/// Control blocks without a change of pitch or losses after which it is worthwhile to tune the resonators.
const STEADY_BLOCKS: u32 = 4;

/// Control blocks after the last touch from which on a dense body renders ahead, and number of them over which bodies spread: most bodies that
/// are struck with many others are struck again before that.
const UNTOUCHED_BLOCKS: u32 = 4;
const SPREAD_BLOCKS: u32 = 16;

/// Costs of a mode, in samples of one reference resonator: of a frame rendered without and with exchange between bands, of beginning a rendering, of
/// tuning, of new weights of the pickups, of an advance of the state, and of a single frame of it.
const RENDER_COST: f32 = 0.07;
const BANDS_COST: f32 = 0.14;
const RESTART_COST: f32 = 3.0;
const TUNE_COST: f32 = 12.0;
const WEIGHTS_COST: f32 = 2.0;
const ADVANCE_COST: f32 = 2.0;
const FRAME_COST: f32 = 0.6;
/// The same of a frame in a control block rendered alone, with the exchange after it.
const BLOCK_COST: f32 = 0.25;
/// The same while the pickups move: the most that a ringing body costs in the long run.
pub const MOVING_BLOCK_COST: f32 = 0.35;

/// Copies frames; a whole control block, which is the usual case, without a loop.
fn widen(from: &[f32], to: &mut [f64]) {
    match (<&[f32; CONTROL_BLOCK]>::try_from(from), <&mut [f64; CONTROL_BLOCK]>::try_from(&mut *to)) {
        (Ok(from), Ok(to)) => *to = from.map(f64::from),
        _ => to.iter_mut().zip(from).for_each(|(to, &from)| *to = f64::from(from)),
    }
}

/// Frames of one body, rendered in advance.
pub struct RenderLookahead {
    resonators: ResonatorBank,
    /// Control blocks since pitch or losses moved.
    steady_blocks: u32,
    /// Control blocks that have begun since the body was touched.
    untouched_blocks: u32,
    /// Further blocks after which its longer renderings begin, so that those of several bodies do not begin at once.
    delay: u32,
    /// The frames are those of [`RenderLookahead::render_one_block`].
    one_block: bool,
    /// The resonators are tuned to the body.
    tuned: bool,
    /// The resonators have the current weights of the pickups.
    has_weights: bool,
    /// Most control blocks of one rendering, a power of two up to [`MAX_BLOCKS`].
    most_blocks: usize,
    /// Control blocks from this one to the next turn of this body.
    until_turn: usize,
    /// Control blocks rendered last, 0 when they were dropped.
    last_blocks: usize,
    /// Left and right.
    frames: [[f32; FRAMES]; 2],
    /// Number of frames rendered.
    rendered: usize,
    /// Number of frames played.
    played: usize,
    /// Number of frames that the state has advanced.
    synced: usize,
    /// Bands exchange energy during these frames.
    exchanges: bool,
    /// Cost since it was read, in samples of one reference resonator.
    cost: f32,
    /// Frames that rang one by one since then, times the modes: a whole number, which does not depend on the limits of runs.
    single_frames: usize,
}

impl RenderLookahead {
    /// Empty, with room for `padded` modes. Allocates.
    pub fn new(padded: usize) -> Self {
        Self {
            resonators: ResonatorBank::new(padded),
            steady_blocks: STEADY_BLOCKS,
            untouched_blocks: u32::MAX,
            delay: 0,
            one_block: false,
            tuned: false,
            has_weights: false,
            most_blocks: MAX_BLOCKS,
            until_turn: 1,
            last_blocks: 0,
            frames: [[0.0; FRAMES]; 2],
            rendered: 0,
            played: 0,
            synced: 0,
            exchanges: false,
            cost: 0.0,
            single_frames: 0,
        }
    }

    /// Empty, for another body.
    pub fn reset(&mut self) {
        self.resonators.hear_all();
        self.untouched_blocks = u32::MAX;
        (self.steady_blocks, self.tuned, self.has_weights, self.until_turn) = (STEADY_BLOCKS, false, false, 1);
        self.discard();
    }

    /// Renders at most `blocks` control blocks at once: a power of two up to [`MAX_BLOCKS`].
    pub fn set_most_blocks(&mut self, blocks: usize) {
        self.most_blocks = blocks;
    }

    /// Begins control block number `block` of the life of a voice, whose turn comes as often as its longest rendering lasts: `turn` blocks
    /// before those with a multiple of that number.
    pub fn begin_block(&mut self, block: u64, turn: usize) {
        self.steady_blocks = self.steady_blocks.saturating_add(1);
        self.untouched_blocks = self.untouched_blocks.saturating_add(1);
        // turns may be multiples of the number of blocks over which bodies spread
        self.delay = (turn as u32 + turn as u32 / SPREAD_BLOCKS) % SPREAD_BLOCKS;
        self.until_turn = self.most_blocks - ((block + turn as u64) % self.most_blocks as u64) as usize;
    }

    /// Whether its turn comes in this block; frames rendered before have all been played.
    pub fn has_turn(&self) -> bool {
        self.until_turn == self.most_blocks
    }

    /// Pitch or losses have moved.
    pub fn invalidate_tuning(&mut self) {
        (self.steady_blocks, self.tuned) = (0, false);
    }

    /// The pickups have moved.
    pub fn invalidate_pickups(&mut self) {
        self.has_weights = false;
    }

    /// A hammer or obstacle acts on the body: all modes are rendered from now on, and a dense body rings block by block for a while.
    pub fn touch(&mut self) {
        self.hear_all();
        self.untouched_blocks = 0;
    }

    /// Whether the body has been touched so recently that a longer rendering is not worth its cost.
    pub fn is_just_touched(&self) -> bool {
        self.untouched_blocks < UNTOUCHED_BLOCKS + self.delay
    }

    /// Whether the frames are one block without exchange between bands.
    pub fn is_one_block(&self) -> bool {
        self.one_block
    }

    /// Whether pitch and losses have been steady long enough.
    pub fn is_steady(&self) -> bool {
        self.steady_blocks >= STEADY_BLOCKS
    }

    /// About what the next rendering of `modes` modes costs if it begins in this control block, in samples of one reference resonator.
    pub fn expected_cost(&self, modes: f32) -> f32 {
        let tuning = if self.tuned { 0.0 } else { TUNE_COST };
        if self.is_just_touched() || !self.is_steady() {
            return modes * (tuning + BLOCK_COST * CONTROL_BLOCK as f32);
        }
        let blocks = (2 * self.last_blocks).clamp(1, self.until_turn) as f32;
        modes * (tuning + RESTART_COST + BANDS_COST * blocks * CONTROL_BLOCK as f32)
    }

    /// Whether all frames have been played.
    pub fn is_spent(&self) -> bool {
        self.played == self.rendered
    }

    /// Drops all frames.
    pub fn discard(&mut self) {
        (self.rendered, self.played, self.synced, self.last_blocks) = (0, 0, 0, 0);
        (self.exchanges, self.one_block) = (false, false);
    }

    /// Whether there are frames of the present control block.
    pub fn is_in_use(&self) -> bool {
        self.rendered > 0
    }

    /// Renders all modes from now on.
    pub fn hear_all(&mut self) {
        self.resonators.hear_all();
    }

    /// Sets the highest modes of a body without hammers to rest that can no longer be heard, but never the lowest `kept` modes: see [`ResonatorBank::prune`].
    pub fn prune(&mut self, collision: &mut Collision, kept: usize, limit: f64) {
        if !self.tuned || !self.has_weights || self.synced != self.played || !self.is_spent() {
            return;
        }
        let (table, q, v) = collision.ring_parts();
        // a21 = -omega^2 a12
        let omega = |i: usize| (-table.a21[i] / table.a12[i]).max(0.0).sqrt();
        self.resonators.prune(limit, kept, omega, (q, v));
    }

    /// Copies the next frames to the part `run` of a control block.
    pub fn play(&mut self, run: Range<usize>, out: &mut StereoBlock) {
        let frames = self.played..self.played + run.len();
        for (out, frame) in out.iter_mut().zip(&self.frames) {
            widen(&frame[frames.clone()], &mut out[run.clone()]);
        }
        self.played = frames.end;
    }

    /// Renders ahead as far as no change is due: two blocks where the state takes the factor `decay` per frame, whole steps of `cascade` if that is
    /// on. Neither the pickups nor the factor move.
    pub fn render(
        &mut self,
        collision: &mut Collision,
        cascade: &mut VoiceCascade,
        decay: f64,
        pickups: &[Pickup; 2],
        scratch: &mut StepScratch,
    ) {
        let blocks = self.block_count(decay != 1.0, cascade);
        let modes = collision.modes().len() as f32;
        if !self.tuned {
            let mut starts = [0; MAX_BANDS];
            let starts = cascade.band_starts(collision, &mut starts);
            self.resonators.tune_bands(collision.ring_parts().0, starts);
            self.tuned = true;
            self.cost += TUNE_COST * modes;
        }
        if !self.has_weights {
            self.cost += WEIGHTS_COST * modes;
        }
        self.exchanges = cascade.plan(blocks, decay, collision, &mut self.resonators, scratch);
        let (_, q, v) = collision.ring_parts();
        self.render_blocks(blocks, decay.powi((blocks * CONTROL_BLOCK) as i32), (q, v), pickups, cascade, &scratch.states);
        if decay != 1.0 {
            self.apply_decay(decay);
        }
        let each = if self.exchanges { BANDS_COST } else { RENDER_COST };
        let audible = self.resonators.audible_modes(collision.modes().len()) as f32;
        self.cost += audible * (RESTART_COST + each * self.rendered as f32);
    }

    /// Renders one control block without the tables of longer renderings and without an exchange between bands; the pickups may move.
    pub fn render_one_block(&mut self, collision: &mut Collision, decay: f64, pickups: &[Pickup; 2]) {
        let modes = self.resonators.audible_modes(collision.modes().len());
        let resting = if collision.is_thinned() { resting_modes(modes) } else { 0.0 };
        let each = if pickups.iter().any(Pickup::is_moving) { MOVING_BLOCK_COST } else { BLOCK_COST };
        self.cost += (each * CONTROL_BLOCK as f32) * (modes as f32 - resting);
        let body = RingingBody::of(collision);
        let next = self.resonators.audible_state_for(body.q.len());
        let out = self.frames.each_mut().map(|channel| &mut channel[..CONTROL_BLOCK]);
        render_control_block(&body, decay.powi(CONTROL_BLOCK as i32), pickups, next, out);
        (self.rendered, self.played, self.synced, self.last_blocks) = (CONTROL_BLOCK, 0, 0, 0);
        (self.exchanges, self.one_block) = (false, true);
        if decay != 1.0 {
            self.apply_decay(decay);
        }
    }

    /// Number of frames played.
    pub fn played(&self) -> usize {
        self.played
    }

    /// Counts a cost, in samples of one reference resonator.
    pub fn charge(&mut self, cost: f32) {
        self.cost += cost;
    }

    /// Counts `frames` frames that a body of `modes` modes rings one by one.
    pub fn charge_frames(&mut self, frames: usize, modes: usize) {
        self.single_frames += frames * modes;
    }

    /// Cost since the last call, in samples of one reference resonator.
    pub fn take_cost(&mut self) -> f32 {
        std::mem::take(&mut self.cost) + FRAME_COST * std::mem::take(&mut self.single_frames) as f32
    }

    /// Number of control blocks to render, 1 or even.
    fn block_count(&self, decays: bool, cascade: &VoiceCascade) -> usize {
        let most = if decays { 2 } else { 2 * self.last_blocks.max(1) };
        let most = most.min(self.until_turn);
        let blocks = if cascade.is_on() { cascade.rendered_blocks(most) } else { most };
        if blocks > 1 { blocks & !1 } else { 1 }
    }

    /// Renders the sound at the pickups over the next `blocks` blocks, after which the state (q, v) is multiplied by `factor`.
    fn render_blocks(
        &mut self,
        blocks: usize,
        factor: f64,
        (q, v): (&[f64], &[f64]),
        [left, right]: &[Pickup; 2],
        cascade: &VoiceCascade,
        states: &StepStates,
    ) {
        let Self { resonators, frames, .. } = self;
        if !self.has_weights {
            resonators.set_weights(left.now.iter().copied(), right.now.iter().copied());
            self.has_weights = true;
        }
        if self.exchanges {
            let state = (q.as_chunks().0, v.as_chunks().0);
            render_bands(resonators, (cascade.bands(), cascade.steps()), (state, states), frames);
        } else {
            resonators.render(blocks, factor, (q, v), frames);
        }
        (self.rendered, self.played, self.synced, self.last_blocks) = (blocks * CONTROL_BLOCK, 0, 0, blocks);
    }

    /// Multiplies the frames by `decay` per frame.
    fn apply_decay(&mut self, decay: f64) {
        let mut factor = 1.0;
        for frame in 0..self.rendered {
            factor *= decay;
            self.frames.iter_mut().for_each(|channel| channel[frame] *= factor as f32);
        }
    }

    /// Advances the state of `collision` to the last frame played; `decay` is its factor per frame.
    pub fn sync_state(&mut self, collision: &mut Collision, cascade: &VoiceCascade, decay: f64, pickups: &[Pickup; 2]) {
        if self.synced == self.played {
            return;
        }
        if self.is_spent() {
            // with all exchanges
            collision.exchange_state(self.resonators.state_after());
            self.synced = self.played;
            return;
        }
        while self.synced < self.played {
            let from = self.synced;
            let end = if self.exchanges { self.played.min(cascade.steps().end_of_step(from)) } else { self.played };
            self.advance_state(end, collision, decay, pickups);
            if self.exchanges {
                let (_, q, v) = collision.ring_parts();
                cascade.steps().apply(cascade.bands(), from..end, q, v);
            }
        }
    }

    /// Advances the state to frame `end`, without an exchange between bands.
    fn advance_state(&mut self, end: usize, collision: &mut Collision, decay: f64, pickups: &[Pickup; 2]) {
        let frames = (end - self.synced) % CONTROL_BLOCK;
        self.cost += collision.modes().len() as f32 * (ADVANCE_COST + FRAME_COST * frames as f32);
        let blocks = (end - self.synced) / CONTROL_BLOCK;
        if blocks > 0 {
            let (_, q, v) = collision.ring_parts();
            self.resonators.advance(blocks, decay.powi((blocks * CONTROL_BLOCK) as i32), q, v);
            self.synced += blocks * CONTROL_BLOCK;
        }
        let rest = end - self.synced;
        if rest > 0 {
            render_ringing(RingingBody::of(collision), decay, pickups, 0..rest, &mut [[0.0; CONTROL_BLOCK]; 2]);
            self.synced = end;
        }
    }

    /// Number of frames rendered.
    #[cfg(test)]
    pub fn rendered(&self) -> usize {
        self.rendered
    }
}
