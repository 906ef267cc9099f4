//! The random events of a session, and the checks of each block.

use std::fmt;

use crate::support::counted_memory::held_bytes;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use urto_engine::params::{ParamId, UpdateRate};
use urto_engine::patch::Patch;
use urto_engine::patch::factory_presets;
use urto_engine::{
    CEILING, CostTotals, EnergyBalanceReport, Engine, EngineConfig, Event, Expression, KitPlayer, NoteId, PreparedBody,
};

/// Rate [Hz].
pub const RATE: f64 = 48e3;
/// Frames of a block.
pub const BLOCK: usize = 64;
/// Largest imbalance of a step and largest gain that nothing supplied, of what there was.
const LIMITS: EnergyBalanceReport = EnergyBalanceReport { balance: 1e-12, unsupplied: 1e-14 };
/// Most work in 64 frames [samples of a resonator of the reference body]: 220 times the reference cost a sample, and half as much again when a crowd comes at
/// once, until hammers leave, and for a driven hammer among wires, which do not.
const WORK: f32 = (220 * 64 * 64) as f32 * 1.5;
/// Mean blocks between what happens.
const NOTE: u32 = 150;
const RELEASE: u32 = 200;
const TURN: u32 = 20;
const GESTURE: u32 = 60;
const PRESET: u32 = 3_000;
/// Block at which the first other preset follows, so that a short session has one.
const FIRST_CHANGE: u64 = 100;

/// An engine in the hands of dice.
pub struct Session {
    engine: Engine,
    dice: Xoshiro256PlusPlus,
    presets: Vec<Patch>,
    drive: Vec<f32>,
    /// Blocks, notes, turns, presets, and the loudest sample.
    played: Played,
}

#[derive(Default)]
struct Played {
    blocks: u64,
    notes: u64,
    turns: u64,
    presets: u64,
    shapes: u64,
    peak: f32,
    worst: EnergyBalanceReport,
}

impl Session {
    /// The first preset, at rest.
    pub fn new(seed: u64) -> Self {
        let presets: Vec<Patch> = factory_presets::all().collect();
        let mut engine = Engine::new(EngineConfig::at(RATE), &presets[0]);
        engine.enable_energy_balance();
        let dice = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { engine, dice, presets, drive: vec![0.0; BLOCK], played: Played::default() }
    }

    /// Plays one block. Panics where something is not as it has to be.
    pub fn block(&mut self) {
        self.happen(true);
        self.push();
        let [mut left, mut right] = [[f32::NAN; BLOCK]; 2];
        self.engine.render(&mut left, &mut right, [&self.drive, &[]]);
        while self.engine.next_ended().is_some() {}
        drop((self.engine.take_retired_body(), self.engine.take_retired_kit(), self.engine.take_hit()));
        self.look(&left, &right);
    }

    /// Memory [bytes] of an engine that has been silenced and has the first preset again.
    pub fn memory_at_rest(&mut self) -> i64 {
        self.engine.reset();
        let first = &self.presets[0];
        drop(self.engine.load(first, PreparedBody::of(first)));
        drop(self.engine.install_kit(KitPlayer::of(first, RATE)));
        for _ in 0..8 {
            let [mut left, mut right] = [[0.0; BLOCK]; 2];
            self.engine.render(&mut left, &mut right, [&[]; 2]);
            drop((self.engine.take_retired_body(), self.engine.take_retired_kit(), self.engine.take_hit()));
        }
        self.engine.enable_energy_balance();
        held_bytes()
    }

    /// Draws the random numbers of a skipped block without rendering it, so that later blocks have the same parameters.
    pub fn pass_over(&mut self) {
        self.happen(false);
        self.push();
        self.played.blocks += 1;
    }

    /// The side-chain of a block.
    fn push(&mut self) {
        let loud = self.part() as f32;
        let noise = self.once_in(4);
        for sample in &mut self.drive {
            *sample = if noise { loud * (2.0 * (self.dice.next_u32() as f32 / u32::MAX as f32) - 1.0) } else { 0.0 };
        }
    }

    fn look(&mut self, left: &[f32], right: &[f32]) {
        let at = self.played.blocks as f64 * BLOCK as f64 / RATE;
        self.played.blocks += 1;
        for sample in left.iter().chain(right) {
            // what is mixed in dry is at most 1 here
            assert!(sample.abs() <= 1.0 + CEILING, "{sample} at {at} s");
            self.played.peak = self.played.peak.max(sample.abs());
        }
        let worst = self.engine.energy_balance_report();
        assert!(worst.balance <= LIMITS.balance && worst.unsupplied <= LIMITS.unsupplied, "{worst:?} at {at} s");
        self.played.worst = worst;
        assert!(self.engine.cost_totals().most_in_window <= WORK, "{:?} at {at} s", self.engine.cost_totals());
    }

    /// What a player, a host and a track do between two blocks; the player only if he `strikes`.
    fn happen(&mut self, strikes: bool) {
        if self.once_in(NOTE) {
            self.played.notes += 1;
            let (note, velocity) = (self.note(), 0.05 + 0.95 * self.part());
            if strikes {
                self.engine.event(&Event::NoteOn { note, velocity });
            }
        }
        if self.once_in(RELEASE) {
            let note = self.note();
            self.engine.event(&Event::NoteOff { note, velocity: 0.5 });
        }
        if self.once_in(TURN) {
            self.turn();
        }
        if self.once_in(GESTURE) {
            self.gesture();
        }
        if self.once_in(PRESET) || self.played.blocks == FIRST_CHANGE {
            self.change();
        }
    }

    /// A param somewhere: what takes another body waits for presets.
    fn turn(&mut self) {
        let param = ParamId::ALL[self.below(ParamId::ALL.len())];
        if param.spec().update_rate == UpdateRate::NewBody {
            return;
        }
        self.played.turns += 1;
        let value = param.spec().from_normalized(self.part());
        self.engine.event(&Event::Set { param, value });
    }

    fn gesture(&mut self) {
        let (note, value) = (self.note(), self.part());
        let event = match self.below(7) {
            0 => Event::Bend { channel: 0, value: 2.0 * value - 1.0 },
            1 => Event::Pressure { channel: 0, value },
            2 => Event::Controller { channel: 0, number: [1, 11, 64, 66, 67, 74][self.below(6)], value },
            3 => Event::NoteExpression { note, what: Expression::Pressure, value },
            4 => Event::NoteExpression { note, what: Expression::Tuning, value: 24.0 * value - 12.0 },
            5 => Event::TransportRestart,
            _ => Event::Tempo { tempo: 60.0 + 120.0 * value, beat: None },
        };
        self.engine.event(&event);
    }

    /// Another preset, every second one with another body of its kind, while the last one sounds. What is refused is what a host tries
    /// again.
    fn change(&mut self) {
        let place = self.below(self.presets.len());
        let mut patch = self.presets[place].clone();
        if self.once_in(2) {
            self.shape(&mut patch);
        }
        if self.engine.load(&patch, PreparedBody::of(&patch)).is_ok()
            && self.engine.install_kit(KitPlayer::of(&patch, RATE)).is_ok()
        {
            self.played.presets += 1;
            self.engine.enable_energy_balance();
        }
    }

    /// Random values for every second parameter that needs a new body, but not for the body types: density, specimen, thickness, knock,
    /// shell, tip and the others.
    fn shape(&mut self, patch: &mut Patch) {
        let is_kind = |param: &ParamId| [ParamId::Body, ParamId::MorphTo].contains(param);
        for param in ParamId::ALL.iter().copied().filter(|param| !is_kind(param)) {
            if param.spec().update_rate == UpdateRate::NewBody && self.once_in(2) {
                let value = param.spec().from_normalized(self.part());
                patch.settings.set(param, value);
                self.played.shapes += 1;
            }
        }
    }

    /// What an hour has to have had to count as one.
    pub fn assert_played(&self) {
        let Played { blocks, notes, turns, presets, peak, .. } = self.played;
        assert!(notes * 300 > blocks && turns * 60 > blocks && presets * 6_000 > blocks, "{self}");
        assert!(peak > 0.1, "{self}");
    }

    fn note(&mut self) -> NoteId {
        NoteId { voice: None, channel: 0, key: 30 + self.below(60) as u8 }
    }

    fn part(&mut self) -> f64 {
        f64::from(self.dice.next_u32()) / f64::from(u32::MAX)
    }

    fn below(&mut self, n: usize) -> usize {
        self.dice.next_u64() as usize % n
    }

    fn once_in(&mut self, n: u32) -> bool {
        self.dice.next_u32().is_multiple_of(n)
    }
}

impl fmt::Display for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Played { notes, turns, presets, shapes, peak, worst, .. } = &self.played;
        let CostTotals { frames, bound, relieved, most_in_frame, most_in_window, .. } = self.engine.cost_totals();
        write!(
            f,
            "{notes} notes, {turns} turns, {presets} presets, {shapes} values of bodies; peak {peak:.3}; balance {:.1e}, unsupplied {:.1e}; \
             {} bodies; work of at most {most_in_frame:.0} in a frame, {most_in_window:.0} in 64; a budget bound in {bound} of {frames} frames, \
             {relieved} hammers left",
            worst.balance,
            worst.unsupplied,
            self.engine.active_voices(),
        )
    }
}
