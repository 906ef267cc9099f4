//! Zones of a kit that render several control blocks without each other, while there is plenty of room in all that they share.
//!
//! They settle what they share every 64 frames and at every event: each zone gets a part of the budget, and assumes until then that the others go on as
//! they did. So a thread renders a zone for up to four control blocks at once, which is worth handing over between cores. Never beyond the frames that
//! the host asks for: an event may come in the next. While there is little room the zones settle in every control block, as if they rendered
//! together. No bit depends on how the host splits its blocks: settlements are on a grid of absolute frames and at events.

use std::ops::Range;

use crate::bleed::AnswerTurn;
use crate::block::CONTROL_BLOCK;
use crate::kit::kit_player::KitPlayer;
use crate::kit::settlement::{FramesAhead, SETTLED_FRAMES, Settlement, settled_block};
use crate::polyphony::{BlockCosts, BudgetShares, ZoneDemand, limit_costly_bodies};
use crate::tasks::TaskRunner;

impl KitPlayer {
    /// The zones settle what they share at absolute frame `frame`: whether there is plenty of room, and if so, what each may spend.
    pub(crate) fn settle(&mut self, frame: u64) {
        if frame.is_multiple_of(CONTROL_BLOCK as u64) {
            self.budget.add_faded(limit_costly_bodies(&mut self.zones));
        }
        let mut all = ZoneDemand::default();
        for zone in &mut self.zones {
            zone.demand = zone.demand_at(frame);
            all.add(&zone.demand);
        }
        let is_undriven = self.zones.iter().all(|zone| zone.part.voices().drive().is_idle());
        let is_roomy = is_undriven && all.is_small(self.budget.spent_part(frame));
        let next = (frame / SETTLED_FRAMES + 1) * SETTLED_FRAMES;
        self.settlement = Settlement { next, is_roomy, touched: all.lasting.touched, ..self.settlement };
        if is_roomy {
            self.has_event = false;
            self.share_budget(frame, &all);
        }
    }

    /// Gives each zone its part of the budget, where `all` is the demand of all zones.
    fn share_budget(&mut self, frame: u64, all: &ZoneDemand) {
        let (number, _) = BlockCosts::place_of(frame);
        let shares = BudgetShares::of(self.zones.iter().map(|zone| zone.demand.least));
        for zone in &mut self.zones {
            zone.least = zone.demand.least;
            zone.has_own_budget = zone.can_sound();
            if zone.has_own_budget {
                let (costs, share) = (zone.costs.in_block(number), shares.of_zone(zone.least));
                let budget = self.budget.for_zone_beside(costs, share, all.without(&zone.demand));
                zone.part.voices_mut().set_budget(budget);
            }
        }
    }

    /// Begins the frames `run` of a control block, from the absolute frame `frame` on; if they have not been rendered yet, the zones render up to `ahead`
    /// frames.
    pub(crate) fn render_ahead(&mut self, (run, ahead): (Range<usize>, usize), frame: u64, runner: &mut dyn TaskRunner) {
        if frame >= self.settlement.rendered {
            let count = ahead.min((self.settlement.next - frame) as usize);
            self.render_frames(FramesAhead { start: frame, count }, runner);
        }
        if run.start == 0 {
            let is_awake = self.zones.iter().any(|zone| zone.blocks[settled_block(frame)].is_awake);
            self.budget.begin_block(frame, self.settlement.touched);
            self.begin_bleed(is_awake, frame);
        }
        self.settlement.mixed = frame + run.len() as u64;
        self.add_costs(run, frame);
    }

    /// All zones render `frames`.
    fn render_frames(&mut self, frames: FramesAhead, runner: &mut dyn TaskRunner) {
        let count = self.zones.len();
        for (i, zone) in self.zones.iter_mut().enumerate() {
            let turn = AnswerTurn { zone: i, count };
            if zone.wake(frames.start) {
                zone.begin_ahead(frames, turn);
            } else {
                zone.render_ahead(frames, turn);
            }
        }
        self.run_zones(runner);
        for zone in self.zones.iter_mut().filter(|zone| zone.has_own_budget) {
            self.budget.add_totals(zone.part.voices_mut().take_cost_totals());
        }
        self.settlement.rendered = frames.start + frames.count as u64;
        for (frame, _) in frames.runs() {
            let block = settled_block(frame);
            self.settlement.is_silent_after[block] = self.zones.iter().all(|zone| zone.blocks[block].is_silent_after);
        }
    }

    /// Adds what all zones have spent in the frames `run`, from the absolute frame `frame` on, in the order of the zones.
    fn add_costs(&mut self, run: Range<usize>, frame: u64) {
        let (number, _) = BlockCosts::place_of(frame);
        let mut spent = self.bleed_costs.in_block(number);
        for zone in self.zones.iter().filter(|zone| zone.blocks[settled_block(frame)].costs.number == number) {
            spent.add(&zone.blocks[settled_block(frame)].costs);
        }
        self.budget.add_zones(frame, run.len(), &spent);
    }
}
