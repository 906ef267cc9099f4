//! Exchange of energy between bands of the modes of a plate, and phases that get lost.
//!
//! ```text
//! bands      those of `BandExchange`, over the modes in the network and those of the field; a step is 64 frames at 48 kHz
//! network    E = sum v^2, the mean of a step: twice the energy of motion, without what holds the plate bent; its bands take their part
//!            of the change in every control block, at most a quarter of their motion, and what one gains others have lost
//! field      its blocks grow by the root of E'/E, sample by sample; reversed at the end of a step
//! chatter    every band of both fields gives a part of its energy to all, each of whose modes gets 1/(1 + (f/fp)^2) shares of the sum
//! ```
//!
//! Modes in the network keep their phases: their places would jump, on which contacts depend.

use crate::block::CONTROL_BLOCK;
use std::f64::consts::TAU;
use std::ops::Range;
use urto_physics::connections::Network;
use urto_physics::modal::{BandExchange, CascadeLaw, DrivenModes, MAX_BANDS, Mode, PhaseReversals, exchange_frames};

/// Largest change of the energy of motion of a band of the network in a control block.
const LARGEST_CHANGE: f64 = 0.25;

/// Part of what bands lose that others gain: all but rounding.
const ALMOST: f64 = 1.0 - 1e-9;

/// Frequency [Hz] fp at which the pulses of chatter have half of their power.
const PULSE_CORNER: f64 = 1_500.0;

/// Energy [J] below which a band of the field has none, and the largest growth of the energy of one in a step.
const LEAST_ENERGY: f64 = 1e-30;
const LARGEST_GROWTH: f64 = 4.0;

/// What chatter does to a plate in a step: see `chatter`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scattering {
    /// Rate [1/s] at which modes lose their phases.
    pub rate: f64,
    /// Part of its energy that each band gives to all.
    pub part: f64,
    /// What comes back for each share [J].
    pub per_share: f64,
}

/// What a plate has at the end of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepTotals {
    /// Energy of all modes, and of the field [J].
    pub energy: f64,
    pub in_field: f64,
    /// Shares of the field in what chatter mixes.
    pub shares: f64,
}

/// A band: its modes in the network, with the motion as a whole before them, and its modes of the field.
#[derive(Clone, Copy, Debug, Default)]
struct BandParts {
    network: (usize, usize),
    field: (usize, usize),
}

impl BandParts {
    fn network(&self) -> Range<usize> {
        self.network.0..self.network.1
    }

    fn field(&self) -> Range<usize> {
        self.field.0..self.field.1
    }
}

/// Exchange of one plate.
#[derive(Clone, Debug)]
pub(super) struct PlateExchange {
    bands: BandExchange,
    parts: [BandParts; MAX_BANDS],
    law: Option<CascadeLaw>,
    /// Time of a control block [s].
    time: f64,
    /// Control blocks of a step.
    blocks: usize,
    /// Energies [J] in the network and in the field; those in the network are summed over the control blocks of a step.
    in_network: [f64; MAX_BANDS],
    in_field: [f64; MAX_BANDS],
    /// Change of the energy [J] of the modes of each band in the network, in a control block.
    changes: [f64; MAX_BANDS],
    /// Reversals of the field at the end of the step.
    reversals: PhaseReversals,
    /// Whether blocks of the field grow or modes of the network change.
    busy: bool,
}

impl PlateExchange {
    /// Room for `modes` modes. Allocates.
    pub fn new(modes: usize) -> Self {
        Self {
            bands: BandExchange::new(modes),
            parts: [BandParts::default(); MAX_BANDS],
            law: None,
            time: 1.0,
            blocks: 1,
            in_network: [0.0; MAX_BANDS],
            in_field: [0.0; MAX_BANDS],
            changes: [0.0; MAX_BANDS],
            reversals: PhaseReversals::default(),
            busy: false,
        }
    }

    /// Forgets everything, at `rate` [Hz].
    pub fn begin(&mut self, rate: f64) {
        (self.time, self.blocks) = (CONTROL_BLOCK as f64 / rate, exchange_frames(rate) / CONTROL_BLOCK);
        (self.in_network, self.in_field, self.changes) = ([0.0; MAX_BANDS], [0.0; MAX_BANDS], [0.0; MAX_BANDS]);
        (self.law, self.reversals, self.busy) = (None, PhaseReversals::default(), false);
    }

    /// Takes the law from now on; None: no exchange.
    pub fn set_law(&mut self, law: Option<CascadeLaw>) {
        self.law = law;
    }

    /// Takes the modes of the plate without its motion as a whole, the first `in_network` of which are in the network and the first
    /// `audible` exchange. A multiple of eight is in the network, or all are, so that bands contain whole blocks of the field.
    pub fn set_modes(&mut self, modes: &[Mode], in_network: usize, audible: usize) {
        self.bands.set_modes(modes.iter().map(|mode| mode.omega * mode.omega), 0..audible.min(modes.len()));
        for (parts, band) in self.parts.iter_mut().zip(self.bands.bands()) {
            let (last, first) = (band.end.min(in_network), band.start.max(in_network));
            parts.network = (band.start.min(last) + 1, last + 1);
            parts.field = (first - in_network, band.end.max(first) - in_network);
        }
    }

    /// Control blocks of a step.
    pub fn step_blocks(&self) -> usize {
        self.blocks
    }

    /// Time of a step [s].
    pub fn step_time(&self) -> f64 {
        self.time * self.blocks as f64
    }

    /// Ends a control block of body number `body` of the network: adds up its energies, and changes them.
    pub fn end_block(&mut self, network: &mut Network, body: usize) {
        let motion = |v: &[f64], parts: &BandParts| v[parts.network()].iter().map(|v| v * v).sum::<f64>();
        let mut now = [0.0; MAX_BANDS];
        let v = &network.modes(body).v;
        let count = self.bands.len();
        for ((now, parts), sum) in now.iter_mut().zip(&self.parts[..count]).zip(&mut self.in_network) {
            *now = motion(v, parts);
            *sum += *now / self.blocks as f64;
        }
        if !self.busy {
            return;
        }
        // what leaves all bands together: bands that gain take their part of it
        let limited = |b: usize| self.changes[b].clamp(-LARGEST_CHANGE * now[b], LARGEST_CHANGE * now[b]);
        let (mut lost, mut gained) = (0.0, 0.0);
        for change in (0..count).map(limited) {
            if change < 0.0 { lost -= change } else { gained += change }
        }
        let part = if gained > 0.0 { (ALMOST * lost / gained).min(1.0) } else { 0.0 };
        let factor = |b: usize| {
            let change = limited(b);
            let change = if change > 0.0 { part * change } else { change };
            if now[b] > 0.0 { (1.0 + change / now[b]).sqrt() } else { 1.0 }
        };
        let bands = self.parts[..count].iter().enumerate().map(|(b, parts)| (parts.network(), factor(b)));
        network.exchange_motion(body, bands.filter(|(_, factor)| *factor != 1.0));
    }

    /// Ends a step: reverses modes of `field`, and measures everything.
    pub fn end_step(&mut self, field: &mut DrivenModes) -> StepTotals {
        let mut totals = StepTotals::default();
        for (b, omega) in self.bands.omegas().enumerate() {
            let modes = self.parts[b].field();
            field.reverse(modes.clone(), &self.reversals.of_band(b));
            self.in_field[b] = field.energy(modes.clone());
            totals.in_field += self.in_field[b];
            totals.energy += self.in_network[b] + self.in_field[b];
            totals.shares += modes.len() as f64 * pulse_spectrum(omega);
        }
        totals
    }

    /// Begins a step with this `scattering`; `draw`: number of its random numbers.
    pub fn begin_step(&mut self, field: &mut DrivenModes, scattering: Scattering, draw: u64) {
        let time = self.step_time();
        let (kept, mut energies, mut mixed) = (1.0 - scattering.part, [0.0; MAX_BANDS], [1.0; MAX_BANDS]);
        for (b, omega) in self.bands.omegas().enumerate() {
            let given = scattering.per_share * self.parts[b].field().len() as f64 * pulse_spectrum(omega);
            let in_field = kept * self.in_field[b] + given;
            mixed[b] = if self.in_field[b] > LEAST_ENERGY { (in_field / self.in_field[b]).min(LARGEST_GROWTH) } else { 1.0 };
            energies[b] = self.in_network[b] + mixed[b] * self.in_field[b];
        }
        let exchanges = self.law.is_some_and(|law| self.bands.exchange_from(law, time, &energies));
        let busy = exchanges || scattering.part > 0.0;
        if busy || self.busy {
            let samples = (self.blocks * CONTROL_BLOCK) as f64;
            for (b, gain) in self.bands.gains().iter().enumerate() {
                let power = if exchanges { gain * gain } else { 1.0 };
                self.changes[b] = (power - 1.0) * self.in_network[b] / self.blocks as f64;
                field.set_growth(self.parts[b].field(), (power * mixed[b]).powf(0.5 / samples) as f32);
            }
        }
        self.busy = busy;
        self.reversals = self.bands.reversals_with(self.law, scattering.rate, time, draw);
        self.in_network = [0.0; MAX_BANDS];
    }
}

/// Part of the power that pulses of chatter have at `omega` [1/s].
fn pulse_spectrum(omega: f64) -> f64 {
    1.0 / (1.0 + (omega / (TAU * PULSE_CORNER)).powi(2))
}
