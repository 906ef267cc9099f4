//! Exchange of energy between bands of a voice's modes, which makes hard strikes brighter after the strike.
//!
//! A body without hammers exchanges once in 64 frames (at 48 kHz), on a grid of absolute frames. Its sound and its state take the
//! factors gradually, and the sum of the energies is the same in every frame. A body with hammers exchanges after every control
//! block, so that the energy balance of its contacts closes in every change. Contacts that are stepped exactly exchange nothing.

use std::ops::Range;

use crate::block::CONTROL_BLOCK;
use urto_physics::modal::{BandExchange, CascadeLaw, exchange_frames};
use urto_physics::solver::Collision;

/// Deviation of a factor from 1 below which a band only decays.
const SETTLED: f64 = 1e-3;

/// Exchange of one voice.
pub struct VoiceCascade {
    bands: BandExchange,
    /// None: off.
    law: Option<CascadeLaw>,
    /// The bands are those of the present modes.
    tuned: bool,
    /// Modes that exchange.
    part: Range<usize>,
    /// Control blocks until the next step begins.
    blocks_left: usize,
    /// Sample [s].
    h: f64,
}

impl VoiceCascade {
    /// Off, with room for `modes` modes at `rate` [Hz]. Allocates.
    pub fn new(modes: usize, rate: f64) -> Self {
        Self { bands: BandExchange::new(modes), law: None, tuned: false, part: 0..0, blocks_left: 1, h: 1.0 / rate }
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

    /// Begins the control block at absolute frame `frame`.
    pub fn begin_block(&mut self, frame: u64) {
        let step = exchange_frames(1.0 / self.h) / CONTROL_BLOCK;
        self.blocks_left = step - (frame / CONTROL_BLOCK as u64 % step as u64) as usize;
    }

    /// Control blocks until the next step begins.
    pub fn blocks_left(&self) -> usize {
        self.blocks_left
    }

    /// Begins a step of `blocks` control blocks of a body without hammers. Returns whether any factor differs from 1.
    pub fn begin_step(&mut self, blocks: usize, collision: &mut Collision) -> bool {
        let Some(law) = self.law else { return false };
        self.tune(collision);
        let time = (blocks * CONTROL_BLOCK) as f64 * self.h;
        let (_, q, v) = collision.ring_parts();
        self.bands.exchange(law, time, q, v)
    }

    /// Exchanges over the last control block, of a body with hammers. `seeds`: bands without energy are given a billionth.
    pub fn exchange_block(&mut self, collision: &mut Collision, seeds: bool) {
        let Some(law) = self.law.filter(|_| !collision.is_exact()) else { return };
        self.tune(collision);
        let time = CONTROL_BLOCK as f64 * self.h;
        let bands = &mut self.bands;
        collision.change_state(|q, v| {
            if seeds {
                bands.seed(q, v);
            }
            if bands.exchange(law, time, q, v) {
                bands.apply((0.0, 1.0), q, v);
            }
        });
    }

    fn tune(&mut self, collision: &Collision) {
        if !self.tuned {
            self.bands.set_modes(collision.modes(), self.part.clone());
            self.tuned = true;
        }
    }

    /// The bands with their factors over the present step.
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
