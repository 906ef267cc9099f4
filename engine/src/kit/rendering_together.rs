//! Zones of a kit that settle what they share in every control block and at every event, while there is little room in it, or while a side-chain drives.

use std::ops::Range;

use crate::bleed::AnswerTurn;
use crate::block::CONTROL_BLOCK;
use crate::kit::kit_player::KitPlayer;
use crate::polyphony::{BlockCosts, BudgetShares, limit_costly_bodies, shed_load};
use crate::tasks::TaskRunner;

impl KitPlayer {
    /// Renders the frames `run` of all zones, which settle what they share at every control block and event.
    pub(crate) fn render_together(&mut self, run: Range<usize>, drive: [&[f32]; 2], frame: u64, runner: &mut dyn TaskRunner) {
        let mut any = false;
        for zone in &mut self.zones {
            any |= zone.wake(frame);
        }
        if run.start == 0 {
            self.run_zones(runner);
            self.budget.add_faded(limit_costly_bodies(&mut self.zones));
        }
        // a run begins at every control block and at every event, however the host splits its blocks
        let may_cost_more = std::mem::take(&mut self.has_event) || run.start == 0;
        if any && may_cost_more {
            self.shed_foreseen_load(CONTROL_BLOCK - run.start, frame);
        }
        if run.start == 0 {
            let count = self.zones.len();
            for (zone, player) in self.zones.iter_mut().enumerate() {
                player.keep_answer_params(AnswerTurn { zone, count });
            }
            self.begin_bleed(any, frame);
        }
        self.begin_zones(run.clone(), drive, frame);
        self.run_zones(runner);
        self.end_zones(run, frame);
    }

    /// Begins the frames `run` of all zones that are awake, from the absolute frame `frame` on: one after another they reserve what is known of their
    /// cost. Then each gets a part of the rest: half of it in equal parts, half by the least cost of their hammers.
    fn begin_zones(&mut self, run: Range<usize>, drive: [&[f32]; 2], frame: u64) {
        let Self { zones, budget, .. } = self;
        for zone in zones.iter_mut().filter(|zone| zone.is_awake) {
            budget.begin_turn(frame, zone.costs);
            zone.begin_run(run.clone(), drive, budget);
            zone.costs = budget.end_turn();
        }
        let (number, _) = BlockCosts::place_of(frame);
        let charged = self.bleed_costs.in_block(number).charged
            + self.zones.iter().map(|zone| zone.costs.in_block(number).charged).sum::<f32>();
        let shares = BudgetShares::of(self.zones.iter().map(|zone| zone.least));
        for zone in self.zones.iter_mut().filter(|zone| zone.is_awake) {
            zone.costs.charged_to_others = (charged - zone.costs.charged).max(0.0);
            zone.has_own_budget = zone.has_hammers();
            if zone.has_own_budget {
                zone.part.voices_mut().set_budget(self.budget.for_zone(zone.costs, shares.of_zone(zone.least)));
            }
        }
    }

    /// Collects what all zones have rendered and spent in the frames `run`, in the order of the zones.
    fn end_zones(&mut self, run: Range<usize>, frame: u64) {
        for zone in &mut self.zones {
            if zone.is_awake && zone.has_own_budget {
                let budget = zone.part.voices().budget();
                zone.costs = budget.end_turn();
                self.budget.add_totals(budget.totals());
            }
            zone.keep_run(&run, frame);
        }
        if self.zones.iter().any(|zone| zone.is_awake) {
            let (number, _) = BlockCosts::place_of(frame);
            let mut spent = self.bleed_costs.in_block(number);
            self.zones.iter().for_each(|zone| spent.add(&zone.costs.in_block(number)));
            self.budget.add_zones(frame, run.len(), &spent);
        }
    }

    /// Removes hammers of all zones before they render the `frames` frames that are left of a control block from frame `frame` on, if even their
    /// least cost would be too high: each zone renders all of them before the next.
    fn shed_foreseen_load(&mut self, frames: usize, frame: u64) {
        let least = self.update_least_costs();
        let excess = self.budget.foresee(frame, frames, least);
        if excess.part > 0.0 {
            self.budget.add_removed(shed_load(&mut self.zones, excess));
            self.update_least_costs();
        }
    }

    /// The least cost of all zones.
    fn update_least_costs(&mut self) -> f32 {
        self.zones.iter_mut().for_each(|zone| zone.least = zone.part.voices().least_cost());
        self.zones.iter().map(|zone| zone.least).sum()
    }

    /// Removes hammers of all zones if their total cost is too high at the end of the control block of frame `frame`. A zone on its own would only shed
    /// its own load.
    pub(crate) fn shed_load(&mut self, frame: u64) {
        let excess = self.budget.end_block(frame);
        if excess.part > 0.0 {
            self.budget.add_removed(shed_load(&mut self.zones, excess));
        }
    }
}
