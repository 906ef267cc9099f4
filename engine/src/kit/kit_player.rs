//! Player of a kit: one part per zone, all at the frame of the engine, mixed into its outputs before level and limiter.
//!
//! A sleeping zone costs nothing. All zones share one cost budget, so that many zones cost no more than many voices.

use std::ops::Range;

use crate::bleed::KitBleed;
use crate::block::CONTROL_BLOCK;
use crate::drive::HammerDrive;
use crate::event::{Event, NoteId};
use crate::kit::settlement::{Settlement, settled_block};
use crate::kit::stems::ZoneOutputs;
use crate::kit::zone_player::{Handled, ZonePlayer, current_body};
use crate::kit::zone_turns::{KitStrike, ZoneTurns};
use crate::midi::MidiControllers;
use crate::modulation::FrameTime;
use crate::params::ParamValues;
use crate::part::{Part, PartInContext};
use crate::patch::{MAX_ZONES, Patch};
use crate::polyphony::{BlockCosts, CostTotals, VoiceCostBudget};
use crate::room::SoundSource;
use crate::tasks::{Task, TaskRunner, Work};
use crate::telemetry::HitPulse;
use crate::tuning::TuningSet;

/// Maximum number of zones that are driven at the same time. Driven hammers are not removed when the cost budget is spent: those of
/// four stereo drives on bodies of 256 modes just fit it.
const DRIVEN_ZONES: usize = 4;

/// Plays the zones of a kit.
pub struct KitPlayer {
    pub(crate) rate: f64,
    pub(crate) zones: Vec<ZonePlayer>,
    /// What the zones answer to each other.
    pub(crate) bleed: KitBleed,
    pub(crate) budget: Box<VoiceCostBudget>,
    /// Cost of the bleed in the present control block.
    pub(crate) bleed_costs: BlockCosts,
    /// The turns of zones that alternate.
    turns: ZoneTurns,
    /// An event has come since zones were rendered.
    pub(crate) has_event: bool,
    /// Numbers of all zones, those of the last notes that their drives use first. The kit's drive goes to the first, at first zone 0.
    drive_order: Vec<usize>,
    /// How the zones share what they share until they settle again.
    pub(crate) settlement: Settlement,
}

impl KitPlayer {
    /// The player of the zones of `patch` at `rate` [Hz]; None without zones. Allocates; not for the audio thread.
    pub fn of(patch: &Patch, rate: f64) -> Option<Box<Self>> {
        let mut zones: Vec<_> = patch.zones.iter().map(|zone| ZonePlayer::new(zone, patch, rate)).collect();
        (!zones.is_empty()).then(|| {
            let drive_order = (0..zones.len()).collect();
            let bleed = KitBleed::new(zones.iter_mut().map(|zone| {
                let place = zone.place();
                let PartInContext { voices, context } = zone.part.in_context();
                (place, current_body(voices), context)
            }));
            let mut kit = Self {
                rate,
                zones,
                bleed,
                turns: ZoneTurns::default(),
                budget: Box::default(),
                bleed_costs: BlockCosts::default(),
                has_event: false,
                drive_order,
                settlement: Settlement::default(),
            };
            kit.share_drive();
            Box::new(kit)
        })
    }

    /// Cost of the hammers of all zones since it was made or reset.
    pub(crate) fn cost_totals(&self) -> CostTotals {
        self.budget.totals()
    }

    /// Its sample rate [Hz].
    pub(crate) fn rate(&self) -> f64 {
        self.rate
    }

    /// Copies parameters, controllers and tunings from the engine, before anything sounds.
    pub(crate) fn sync_state(&mut self, settings: &ParamValues, controllers: &MidiControllers, tunings: &TuningSet) {
        for ZonePlayer { zone, part, .. } in &mut self.zones {
            part.sync_state(zone.with_offsets(settings), controllers, tunings);
        }
        self.reset_bleed();
        self.share_drive();
    }

    /// Copies tempo and position from `drive`.
    pub(crate) fn sync_clock(&mut self, drive: &HammerDrive) {
        self.parts_mut().for_each(|part| part.voices_mut().drive_mut().sync_clock(drive));
    }

    /// Assigns the drive to the first zone in the order, and to zones whose own sound has one, as many as may be driven.
    fn share_drive(&mut self) {
        let mut driven = 0;
        for (rank, &i) in self.drive_order.iter().enumerate() {
            let ZonePlayer { zone, part, .. } = &mut self.zones[i];
            let is_driven = driven < DRIVEN_ZONES && (rank == 0 || zone.settings.is_driven());
            driven += usize::from(is_driven);
            part.voices_mut().drive_mut().set_muted(!is_driven);
            part.update_drive();
        }
    }

    /// Ends the drive of all zones.
    pub(crate) fn release_drive(&mut self) {
        for part in self.parts_mut() {
            part.voices_mut().drive_mut().set_muted(true);
            part.update_drive();
        }
    }

    /// Applies an event at absolute frame `frame`. Notes go to the zones of their key.
    pub(crate) fn handle_event(&mut self, event: &Event, frame: u64) {
        self.note_event();
        let mut strike = None;
        match *event {
            Event::NoteOn { note, velocity } if velocity > 0.0 => {
                let next = self.turns.strike(self.zones.iter().map(|zone| &zone.zone), note.key, velocity);
                self.choke_groups(&next, frame);
                self.route_drive(note.key, frame);
                strike = Some(next);
            }
            Event::TransportRestart => self.turns.reset(),
            _ => {}
        }
        for (i, zone) in self.zones.iter_mut().enumerate() {
            if strike.as_ref().is_some_and(|strike| !strike.is_played_by(&zone.zone, i)) {
                continue;
            }
            if zone.handle_event(event, frame) == Handled::Choked {
                self.bleed.choke(i, self.rate);
            }
        }
    }

    /// Something has changed that the zones have to settle before they render.
    fn note_event(&mut self) {
        self.has_event = true;
        self.settlement.end_ahead();
    }

    /// Moves the zones of `key` whose drives use notes to the front of the order.
    fn route_drive(&mut self, key: u8, frame: u64) {
        let zones = &self.zones;
        let takes = |&i: &usize| {
            let ZonePlayer { zone, part, .. } = &zones[i];
            zone.holds(key) && part.voices().drive().uses_notes(part.settings())
        };
        let mut moved = false;
        for zone in (0..zones.len()).rev().filter(takes) {
            let Some(rank) = self.drive_order.iter().position(|&i| i == zone).filter(|&rank| rank > 0) else { continue };
            self.drive_order[..=rank].rotate_right(1);
            moved = true;
        }
        if moved {
            self.parts_mut().for_each(|part| part.set_frame(frame));
            self.share_drive();
        }
    }

    /// Chokes the other zones in the groups of the zones that play `strike`.
    fn choke_groups(&mut self, strike: &KitStrike, frame: u64) {
        for i in 0..self.zones.len() {
            let group = self.zones[i].zone.choke;
            if group != 0 && strike.is_played_by(&self.zones[i].zone, i) {
                let in_group = |other: &ZonePlayer| other.zone.choke == group && !other.zone.holds(strike.key);
                for (k, other) in self.zones.iter_mut().enumerate().filter(|(_, other)| in_group(other)) {
                    other.handle_event(&Event::ChokeAll, frame);
                    self.bleed.choke(k, self.rate);
                }
            }
        }
    }

    /// Sets the tunings.
    pub(crate) fn tune(&mut self, tunings: &TuningSet) {
        self.note_event();
        self.parts_mut().for_each(|part| part.tune(tunings));
    }

    /// Silences all zones.
    pub(crate) fn reset(&mut self) {
        self.parts_mut().for_each(Part::reset);
        self.reset_bleed();
        self.turns.reset();
        *self.budget = VoiceCostBudget::default();
        self.bleed_costs = BlockCosts::default();
        self.settlement = Settlement::default();
        self.zones.iter_mut().for_each(ZonePlayer::forget);
        self.sources_mut().for_each(SoundSource::reset);
        self.drive_order.sort_unstable();
        self.share_drive();
    }

    /// Lets all zones that are awake begin their control block or render what they have begun; those with the highest cost first.
    pub(crate) fn run_zones(&mut self, runner: &mut dyn TaskRunner) {
        let mut awake = self.zones.iter_mut().filter(|zone| zone.is_awake);
        let mut count = 0;
        let mut tasks: [Task; MAX_ZONES] = std::array::from_fn(|_| match awake.next() {
            Some(zone) => {
                count += 1;
                let cost = zone.expected_cost();
                Task::new(zone, cost)
            }
            None => Task::empty(),
        });
        let tasks = &mut tasks[..count];
        tasks.sort_unstable_by(|a, b| b.cost().total_cmp(&a.cost()));
        runner.run(tasks);
        // more zones than a patch may have
        awake.for_each(Work::work);
    }

    /// Sets all answers to rest, as the zones describe them now.
    fn reset_bleed(&mut self) {
        self.bleed.reset();
        for (i, zone) in self.zones.iter_mut().enumerate() {
            let PartInContext { voices, context } = zone.part.in_context();
            self.bleed.refresh(i, current_body(voices), &context);
        }
    }

    /// Computes the answers of all zones to the last control block at the beginning of the one from frame `frame` on, by what they have kept of it, and
    /// charges their cost. `is_awake`: a zone sounds.
    pub(crate) fn begin_bleed(&mut self, is_awake: bool, frame: u64) {
        let is_active = is_awake || !self.bleed.is_silent();
        for (i, zone) in self.zones.iter().enumerate() {
            let params = &zone.blocks[settled_block(frame)].answer;
            self.bleed.take_params(i, is_active, params, current_body(zone.part.voices()), self.rate);
        }
        self.bleed.answer(FrameTime { frame, rate: self.rate });
        let cost = self.bleed.cost();
        if cost > 0.0 {
            self.budget.begin_turn(frame, self.bleed_costs);
            self.budget.begin(frame);
            self.budget.charge(cost * CONTROL_BLOCK as f32);
            self.bleed_costs = self.budget.end_turn();
        }
    }

    /// Adds the frames `run` of all zones that are awake and of their answers to the outputs, from the absolute frame `frame` on, and gives the
    /// strikes to the bleed.
    pub(crate) fn mix_zones(&mut self, run: Range<usize>, frame: u64, outputs: &mut ZoneOutputs) {
        let block = settled_block(frame);
        for (i, zone) in self.zones.iter().enumerate().filter(|(_, zone)| zone.blocks[block].is_awake) {
            outputs.mix(i, zone, run.clone(), &zone.blocks[block].sound);
            if self.bleed.is_on() {
                run.clone().for_each(|n| self.bleed.hear(i, n, zone.blocks[block].struck[n]));
            }
        }
        for (i, zone) in self.zones.iter().enumerate() {
            if let Some(answer) = self.bleed.answer_of(i) {
                outputs.mix(i, zone, run.clone(), answer);
            }
        }
    }

    /// The sounds of all zones, for microphones and room.
    pub(crate) fn sources_mut(&mut self) -> impl Iterator<Item = &mut SoundSource> {
        self.zones.iter_mut().map(|zone| &mut zone.source)
    }

    /// The part of the driven zone.
    pub(crate) fn driven_mut(&mut self) -> Option<&mut Part> {
        self.zones.get_mut(*self.drive_order.first()?).map(|zone| &mut zone.part)
    }

    /// The parts of all zones.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.zones.iter().map(|zone| &zone.part)
    }

    /// The parts of all zones, mutable.
    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        self.zones.iter_mut().map(|zone| &mut zone.part)
    }

    /// Whether nothing sounds.
    pub(crate) fn is_silent(&self) -> bool {
        let is_silent = self.settlement.was_silent().unwrap_or_else(|| self.parts().all(Part::is_silent));
        is_silent && self.bleed.is_silent()
    }

    /// A note of the engine that no longer sounds in any zone.
    pub(crate) fn next_ended(&mut self) -> Option<NoteId> {
        for i in 0..self.zones.len() {
            while let Some(ended) = self.zones[i].part.voices_mut().next_ended() {
                let Some(note) = self.zones[i].engine_note(ended) else { continue };
                if !self.zones.iter().any(|zone| zone.has_note(note)) {
                    return Some(note);
                }
            }
        }
        None
    }

    /// The last finished contact of a zone since the last call.
    pub(crate) fn take_hit(&mut self) -> Option<HitPulse> {
        self.zones.iter_mut().find_map(|zone| {
            let hit = zone.part.voices_mut().take_hit()?;
            let note = zone.engine_note(NoteId { key: hit.key, ..NoteId::default() });
            Some(HitPulse { key: note.map_or(hit.key, |note| note.key), ..hit })
        })
    }
}
