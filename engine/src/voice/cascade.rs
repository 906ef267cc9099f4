//! Exchange of energy between bands of a voice's modes, which makes hard strikes brighter after the strike.
//!
//! A body without hammers exchanges once in 64 frames (at 48 kHz), on a grid of absolute frames. Its sound and its state take the
//! factors gradually, and the sum of the energies is the same in every frame. Several steps are planned at once: the state runs ahead
//! of the sound through them, and the sound of all of them is rendered in one pass over the tables of the modes. At the end of each step some
//! modes are reversed. A body with hammers exchanges four times as often, at the ends of control blocks, so that the energy balance of its
//! contacts closes in every change, and reverses no mode: its surface would jump. Contacts that are stepped exactly exchange nothing.

use std::ops::Range;

use crate::block::CONTROL_BLOCK;
use crate::voice::band_advance::{BandStep, advance_bands};
use crate::voice::cascade_steps::{CascadeSteps, MAX_STEPS};
use crate::voice::resonator_bank::ResonatorBank;
use crate::voice::step_power::LANES;
use crate::voice::step_states::{State, StepScratch};
use urto_physics::modal::{BandExchange, CascadeLaw, MAX_BANDS, exchange_frames};
use urto_physics::solver::Collision;

/// Deviation of a factor from 1 below which a band only decays.
const SETTLED: f64 = 1e-3;

/// Numbers of draws in a step: a multiple of its control blocks at every usual sample rate.
const DRAWS_PER_STEP: u64 = 64;

/// Exchanges of a body with hammers in the time of one step of a body without: one in every control block at 44.1 and 48 kHz, in every second at
/// twice that, so that the rise of brightness does not depend on the sample rate.
const TOUCHED_EXCHANGES: usize = 4;

/// Number of steps from which on their powers are computed once for all.
const MANY_STEPS: usize = 3;

/// Exchange of one voice.
pub struct VoiceCascade {
    bands: BandExchange,
    /// None: off.
    law: Option<CascadeLaw>,
    /// The bands are those of the present modes.
    tuned: bool,
    /// Modes that exchange.
    part: Range<usize>,
    /// Control blocks of a step.
    step_blocks: usize,
    /// Number of the present control block on the grid of absolute frames.
    block: u64,
    /// Steps of the frames rendered ahead.
    steps: CascadeSteps,
    /// Sample [s].
    h: f64,
}

impl VoiceCascade {
    /// Off, with room for `modes` modes at `rate` [Hz]. Allocates.
    pub fn new(modes: usize, rate: f64) -> Self {
        let (bands, steps, h) = (BandExchange::new(modes), CascadeSteps::default(), 1.0 / rate);
        let step_blocks = exchange_frames(rate) / CONTROL_BLOCK;
        Self { bands, law: None, tuned: false, part: 0..0, step_blocks, block: 0, steps, h }
    }

    /// Takes the law from now on; None: off.
    pub fn set_law(&mut self, law: Option<CascadeLaw>) {
        self.law = law;
    }

    /// Whether it exchanges.
    pub fn is_on(&self) -> bool {
        self.law.is_some()
    }

    /// The modes have changed; those of `part` exchange.
    pub fn set_part(&mut self, part: Range<usize>) {
        (self.tuned, self.part) = (false, part);
    }

    /// Control blocks of a step.
    pub fn step_blocks(&self) -> usize {
        self.step_blocks
    }

    /// Begins the control block at absolute frame `frame`.
    pub fn begin_block(&mut self, frame: u64) {
        self.block = frame / CONTROL_BLOCK as u64;
    }

    /// Control blocks until the next step begins.
    fn blocks_left(&self) -> usize {
        let step = self.step_blocks();
        step - (self.block % step as u64) as usize
    }

    /// The number of control blocks to render ahead, at most `most`: whole steps after the one begun, where pairs of blocks reach its end.
    pub fn rendered_blocks(&self, most: usize) -> usize {
        let (left, step) = (self.blocks_left(), self.step_blocks());
        if most <= left {
            return most;
        }
        let in_pairs = left.is_multiple_of(2) && step.is_multiple_of(2);
        let more = if in_pairs { ((most - left) / step).min(MAX_STEPS - 1) } else { 0 };
        left + more * step
    }

    /// Plans the steps of the next `blocks` control blocks of a body without hammers, whose state takes the factor `decay` per frame.
    /// Returns whether any factor of the first step differs from 1, in which case `resonators`, those of the body, keep the state after
    /// them, and `scratch` those after the others.
    pub fn plan(
        &mut self,
        blocks: usize,
        decay: f64,
        collision: &mut Collision,
        resonators: &mut ResonatorBank,
        scratch: &mut StepScratch,
    ) -> bool {
        self.steps.clear();
        let Some(law) = self.law else { return false };
        self.tune(collision);
        let (_, q, v) = collision.ring_parts();
        let first = self.blocks_left().min(blocks);
        if !self.bands.exchange(law, self.time(first), q, v) {
            return false;
        }
        scratch.powers.clear();
        if blocks >= MANY_STEPS * self.step_blocks() {
            resonators.powers(self.step_blocks(), &mut scratch.powers);
        }
        let state = (q.as_chunks().0, v.as_chunks().0);
        self.plan_steps(law, blocks, decay, state, resonators, scratch);
        true
    }

    /// Plans the steps of `blocks` control blocks from `state`. The factors of the first are set.
    fn plan_steps(
        &mut self,
        law: CascadeLaw,
        blocks: usize,
        decay: f64,
        state: State,
        resonators: &mut ResonatorBank,
        StepScratch { states, powers }: &mut StepScratch,
    ) {
        states.begin(resonators.chunks());
        let (halves, (next_q, next_v)) = resonators.ahead();
        let (mut length, mut left, mut block) = (self.blocks_left().min(blocks), blocks, self.block);
        for number in 0.. {
            block += length as u64;
            left -= length;
            let time = self.time(length);
            let reversals = self.bands.reversals(law, time, self.draw(block));
            self.steps.push(length, self.bands.gains(), reversals);
            let factor = decay.powi((length * CONTROL_BLOCK) as i32);
            let powers: &[_] = if length == self.step_blocks() { powers } else { &[] };
            let step = BandStep { halves, blocks: length, powers, factor };
            let bands = (&self.bands, &reversals);
            let (before, after) = match (number, left) {
                (0, 0) => (state, (&mut *next_q, &mut *next_v)),
                (0, _) => (state, states.first()),
                (_, 0) => (states.after(number - 1), (&mut *next_q, &mut *next_v)),
                _ => states.advance(number),
            };
            let energies = advance_bands(step, bands, before, after);
            if left == 0 {
                break;
            }
            length = self.step_blocks().min(left);
            self.bands.exchange_from(law, self.time(length), &energies);
        }
    }

    /// Number of the draw of reversals at the end of the control blocks up to number `block`: the same at twice the sample rate.
    fn draw(&self, block: u64) -> u64 {
        block * DRAWS_PER_STEP / self.step_blocks() as u64
    }

    /// Time [s] of `blocks` control blocks.
    fn time(&self, blocks: usize) -> f64 {
        (blocks * CONTROL_BLOCK) as f64 * self.h
    }

    /// The steps planned last.
    pub fn steps(&self) -> &CascadeSteps {
        &self.steps
    }

    /// A body with hammers exchanges energy at the end of a control block for the time since its last exchange. In blocks between, this does nothing.
    /// `seeds`: bands without energy are given a billionth.
    pub fn exchange_block(&mut self, collision: &mut Collision, seeds: bool) {
        let blocks = (self.step_blocks() / TOUCHED_EXCHANGES).max(1);
        if !(self.block + 1).is_multiple_of(blocks as u64) {
            return;
        }
        let Some(law) = self.law.filter(|_| !collision.is_exact()) else { return };
        self.tune(collision);
        let time = self.time(blocks);
        let bands = &mut self.bands;
        collision.change_state(|q, v| {
            let is_measured = seeds && !bands.seed(q, v);
            let exchanges = if is_measured { bands.exchange_measured(law, time) } else { bands.exchange(law, time, q, v) };
            if exchanges {
                bands.apply((0.0, 1.0), q, v);
            }
        });
    }

    fn tune(&mut self, collision: &Collision) {
        if !self.tuned {
            self.bands.set_modes(collision.omega2().iter().copied(), self.part.clone());
            self.tuned = true;
        }
    }

    /// Sets the first chunks of the bands of `collision`, as far as there is room, and returns those; none while it is off.
    pub fn band_starts<'a>(&mut self, collision: &Collision, starts: &'a mut [usize; MAX_BANDS]) -> &'a [usize] {
        if self.law.is_none() {
            return &[];
        }
        self.tune(collision);
        let count = self.bands.bands().zip(starts.iter_mut()).map(|(band, start)| *start = band.start / LANES).count();
        &starts[..count]
    }

    /// The bands.
    pub fn bands(&self) -> &BandExchange {
        &self.bands
    }

    /// The mode from which on all bands only decay.
    pub fn settled_from(&self) -> usize {
        if !self.is_on() {
            return 0;
        }
        let bands: &BandExchange = &self.bands;
        let busy = bands.bands().zip(bands.gains()).filter(|(_, gain)| (**gain - 1.0).abs() > SETTLED);
        busy.map(|(band, _)| band.end).max().unwrap_or(0)
    }
}
