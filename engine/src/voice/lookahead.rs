//! Sound of a ringing body rendered ahead of its state.
//!
//! The [`ResonatorBank`] renders several control blocks at once, twice as many each time up to thirty-two, while the state stays at their
//! beginning. The state moves to their end when the next blocks are rendered, or in a few steps to the frame where it is needed; a change
//! of the body drops the rest. Bodies take turns, so that their long renderings come one after another. A body whose pitch moves rings
//! frame by frame until it is steady.

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::voice::cascade::VoiceCascade;
use crate::voice::pickup::Pickup;
use crate::voice::resonator_bank::{FRAMES, MAX_BLOCKS, ResonatorBank};
use crate::voice::ring::render_ringing;
use std::ops::Range;
use urto_physics::modal::{BandExchange, LANES};
use urto_physics::solver::Collision;

/// Control blocks without a change of pitch or losses after which it is worthwhile to tune the resonators.
const STEADY_BLOCKS: u32 = 4;

/// Frames of one body, rendered in advance.
pub struct RenderLookahead {
    resonators: ResonatorBank,
    /// Control blocks since pitch or losses moved.
    steady_blocks: u32,
    /// The resonators are tuned to the body.
    tuned: bool,
    /// The resonators have the current weights of the pickups.
    has_weights: bool,
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
}

impl RenderLookahead {
    /// Empty, with room for `padded` modes. Allocates.
    pub fn new(padded: usize) -> Self {
        Self {
            resonators: ResonatorBank::new(padded),
            steady_blocks: STEADY_BLOCKS,
            tuned: false,
            has_weights: false,
            until_turn: 1,
            last_blocks: 0,
            frames: [[0.0; FRAMES]; 2],
            rendered: 0,
            played: 0,
            synced: 0,
            exchanges: false,
        }
    }

    /// Empty, for another body.
    pub fn reset(&mut self) {
        self.resonators.hear_all();
        (self.steady_blocks, self.tuned, self.has_weights, self.until_turn) = (STEADY_BLOCKS, false, false, 1);
        self.discard();
    }

    /// Begins control block number `block` of the life of voice number `voice`: its turn comes every [`MAX_BLOCKS`] blocks.
    pub fn begin_block(&mut self, block: u64, voice: usize) {
        self.steady_blocks = self.steady_blocks.saturating_add(1);
        self.until_turn = MAX_BLOCKS - ((block + voice as u64) % MAX_BLOCKS as u64) as usize;
    }

    /// Whether its turn comes in this block; frames rendered before have all been played.
    pub fn has_turn(&self) -> bool {
        self.until_turn == MAX_BLOCKS
    }

    /// Pitch or losses have moved.
    pub fn invalidate_tuning(&mut self) {
        (self.steady_blocks, self.tuned) = (0, false);
    }

    /// The pickups have moved.
    pub fn invalidate_pickups(&mut self) {
        self.has_weights = false;
    }

    /// Whether pitch and losses have been steady long enough.
    pub fn is_steady(&self) -> bool {
        self.steady_blocks >= STEADY_BLOCKS
    }

    /// Whether all frames have been played.
    pub fn is_spent(&self) -> bool {
        self.played == self.rendered
    }

    /// Drops all frames.
    pub fn discard(&mut self) {
        (self.rendered, self.played, self.synced, self.last_blocks, self.exchanges) = (0, 0, 0, 0, false);
    }

    /// Whether there are frames of the present control block.
    pub fn is_in_use(&self) -> bool {
        self.rendered > 0
    }

    /// Renders all modes from now on.
    pub fn hear_all(&mut self) {
        self.resonators.hear_all();
    }

    /// Sets the highest modes of a body without hammers to rest that can no longer be heard: see [`ResonatorBank::prune`].
    pub fn prune(&mut self, collision: &mut Collision, cascade: &VoiceCascade, limit: f64) {
        if !self.tuned || !self.has_weights || self.synced != self.played || !self.is_spent() {
            return;
        }
        let (table, q, v) = collision.ring_parts();
        // a21 = -omega^2 a12
        let omega = |i: usize| (-table.a21[i] / table.a12[i]).max(0.0).sqrt();
        self.resonators.prune(limit, cascade.settled_from(), omega, (q, v));
    }

    /// Copies the next frames to the part `run` of a control block.
    pub fn play(&mut self, run: Range<usize>, out: &mut StereoBlock) {
        let frames = self.played..self.played + run.len();
        for (out, frame) in out.iter_mut().zip(&self.frames) {
            let part = out[run.clone()].iter_mut().zip(&frame[frames.clone()]);
            part.for_each(|(out, &frame)| *out = f64::from(frame));
        }
        self.played = frames.end;
    }

    /// Renders ahead as far as no change is due: one block where something `moves` in this one, two where the state takes the factor
    /// `decay` per frame, one step of `cascade` if that is on.
    pub fn render(
        &mut self,
        collision: &mut Collision,
        cascade: &mut VoiceCascade,
        decay: f64,
        pickups: &[Pickup; 2],
        moves: bool,
    ) {
        let most = if cascade.is_on() { cascade.blocks_left() } else { MAX_BLOCKS };
        let blocks = self.block_count(moves, decay != 1.0, most);
        self.exchanges = cascade.begin_step(blocks, collision);
        let (table, q, v) = collision.ring_parts();
        if !self.tuned {
            self.resonators.tune(table);
            self.tuned = true;
        }
        let bands = self.exchanges.then(|| cascade.bands());
        self.render_blocks(blocks, decay.powi((blocks * CONTROL_BLOCK) as i32), (q, v), (pickups, bands));
        if decay != 1.0 {
            self.apply_decay(decay);
        }
    }

    /// Number of control blocks to render, 1 or even, at most `limit`.
    fn block_count(&self, moves: bool, decays: bool, limit: usize) -> usize {
        let most = if moves {
            1
        } else if decays {
            2
        } else {
            2 * self.last_blocks.max(1)
        };
        let blocks = most.min(self.until_turn).min(limit).min(MAX_BLOCKS);
        if blocks > 1 { blocks & !1 } else { 1 }
    }

    /// Renders the sound at the pickups over the next `blocks` blocks, after which the state (q, v) is multiplied by `factor`. `bands`:
    /// those that exchange energy meanwhile.
    fn render_blocks(
        &mut self,
        blocks: usize,
        factor: f64,
        state: (&[f64], &[f64]),
        ([left, right], bands): (&[Pickup; 2], Option<&BandExchange>),
    ) {
        let Self { resonators, frames, .. } = self;
        if !self.has_weights {
            resonators.set_weights(left.now.iter().copied(), right.now.iter().copied());
        }
        render_bands(resonators, bands, (blocks, factor), state, frames);
        self.has_weights = true;
        let pickups = [left, right];
        if pickups.iter().any(|pickup| pickup.is_moving()) {
            let [l, r] = pickups.map(|pickup| pickup.target.iter().zip(&pickup.now).map(|(target, now)| target - now));
            let mut change = [[0.0; FRAMES]; 2];
            resonators.set_weights(l, r);
            render_bands(resonators, bands, (blocks, factor), state, &mut change);
            for ((frames, change), pickup) in frames.iter_mut().zip(change).zip(pickups) {
                let moved = frames.iter_mut().zip(change).take(CONTROL_BLOCK).enumerate();
                moved.for_each(|(offset, (frame, change))| *frame += pickup.progress(offset) as f32 * change);
            }
            self.has_weights = false;
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
        let from = self.synced;
        self.advance_state(collision, decay, pickups);
        if self.exchanges {
            let part = |frame: usize| frame as f64 / self.rendered as f64;
            let (_, q, v) = collision.ring_parts();
            cascade.bands().apply((part(from), part(self.played)), q, v);
        }
    }

    /// Advances the state to the last frame played, without an exchange between bands.
    fn advance_state(&mut self, collision: &mut Collision, decay: f64, pickups: &[Pickup; 2]) {
        if self.is_spent() {
            collision.exchange_state(self.resonators.state_after());
            self.synced = self.played;
            return;
        }
        let blocks = (self.played - self.synced) / CONTROL_BLOCK;
        if blocks > 0 {
            let (_, q, v) = collision.ring_parts();
            self.resonators.advance(blocks, decay.powi((blocks * CONTROL_BLOCK) as i32), q, v);
            self.synced += blocks * CONTROL_BLOCK;
        }
        let rest = self.played - self.synced;
        if rest > 0 {
            render_ringing(collision.ring_parts(), decay, pickups, 0..rest, &mut [[0.0; CONTROL_BLOCK]; 2]);
            self.synced = self.played;
        }
    }

    /// Number of frames rendered.
    #[cfg(test)]
    pub fn rendered(&self) -> usize {
        self.rendered
    }
}

/// Renders the sound of all modes, with the gradual factors of `bands`; modes in no band keep theirs.
fn render_bands(
    resonators: &mut ResonatorBank,
    bands: Option<&BandExchange>,
    (blocks, factor): (usize, f64),
    state: (&[f64], &[f64]),
    out: &mut [[f32; FRAMES]; 2],
) {
    let Some(bands) = bands else { return resonators.render(blocks, factor, state, out) };
    let frames = blocks * CONTROL_BLOCK;
    out.iter_mut().for_each(|channel| channel[..frames].fill(0.0));
    let (mut sound, mut ramp) = ([[0.0; FRAMES]; 2], [0.0_f32; FRAMES]);
    let mut add = |chunks: Range<usize>, gain: f64| {
        if chunks.is_empty() {
            return;
        }
        resonators.render_chunks(chunks, blocks, factor, state, &mut sound);
        let rise = ((gain * gain - 1.0) / frames as f64) as f32;
        // computed once for both channels
        ramp[..frames].iter_mut().zip(1_u16..).for_each(|(ramp, frame)| *ramp = (1.0 + f32::from(frame) * rise).max(0.0).sqrt());
        for (out, sound) in out.iter_mut().zip(&sound) {
            let frames = out[..frames].iter_mut().zip(&sound[..frames]).zip(&ramp[..frames]);
            frames.for_each(|((out, sound), ramp)| *out += ramp * sound);
        }
    };
    let mut end = 0;
    for (band, gain) in bands.bands().zip(bands.gains()) {
        // suspensions share a chunk with the first or last band, and have no weight at the pickups
        add(band.start / LANES..band.end.div_ceil(LANES), *gain);
        end = band.end.div_ceil(LANES);
    }
    add(end..usize::MAX, 1.0);
}
