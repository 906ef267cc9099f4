//! Tension, potential or tube of a voice: its law by the parameters, when it rests, and ringing under it.
//!
//! While it acts, the voice rings frame by frame. Once its force is inaudible, it rests, and the voice is rendered ahead as
//! other voices are. A hammer wakes it.
//!
//! A potential costs less with fewer of its modes, down to a tenth: see `polyphony::tension_limit`.

use crate::body::{BodyScratch, BodyStretch, PreparedBody, TensionSetting};
use crate::context::RenderContext;
use crate::params::ParamId;
use crate::voice::pickup::read_pickups;
use crate::voice::voice::Voice;
use std::ops::Range;
use urto_physics::modal::{LentPotential, PotentialSize};
use urto_physics::solver::TensionLaw;

/// Cost of a frame of a voice that rings under its tension, in samples of one reference resonator: of the frame, of each mode that takes
/// part, and of each other mode.
const RING_COST: f32 = 30.0;
const RING_MODE_COST: f32 = 2.0;
const RING_HELD_COST: f32 = 0.15;
/// The same of a tube, with the step as under hammers.
const TUBE_COST: f32 = 60.0;

/// How a voice spends work on its tension or potential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StiffeningUse {
    /// It rings frame by frame.
    Ringing,
    /// Its potential acts under hammers; what a tension costs there is part of its contacts.
    Struck,
}

impl Voice {
    /// Takes the law of the tension from the parameters.
    pub fn update_tension_law(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        let nonlinearity = context.nonlinearity();
        if nonlinearity == 0.0 && !self.collision.may_have_tension() {
            return;
        }
        self.discard_lookahead();
        let setting = self.tension_setting(context);
        let BodyStretch { stiffness, stretches } = body.tension(&setting, self.partials.all + body.suspensions(), scratch);
        self.collision.set_tension(&TensionLaw { stiffness, stretches });
        self.collision.update_tension();
    }

    /// Takes a copy of the potential of its body.
    pub fn take_potential(&mut self, potential: LentPotential, body: &PreparedBody, context: &RenderContext) {
        let setting = self.tension_setting(context);
        let size = body.potential_size(&setting);
        self.stiffening_meter.set_scale(body.thicknesses(&setting));
        let none = self.collision.exchange_potential(Some(potential), size);
        debug_assert!(none.is_none(), "it has had none");
        self.collision.update_potential();
    }

    /// Gives the copy back; it is linear from now on.
    pub fn give_potential(&mut self) -> Option<LentPotential> {
        if self.collision.holds_potential() { self.collision.exchange_potential(None, PotentialSize::default()) } else { None }
    }

    /// Takes the law of the potential from the parameters.
    pub fn update_potential_law(&mut self, body: &PreparedBody, context: &RenderContext) {
        if self.collision.holds_potential() {
            self.discard_lookahead();
            let setting = self.tension_setting(context);
            self.collision.set_potential_size(body.potential_size(&setting));
            self.stiffening_meter.set_scale(body.thicknesses(&setting));
            self.collision.update_potential();
        }
    }

    fn tension_setting(&self, context: &RenderContext) -> TensionSetting {
        let material = context.settings.get(ParamId::Material) as usize;
        let (nonlinearity, size) = (context.nonlinearity(), context.body_size(self.key_scaling));
        TensionSetting { nonlinearity, material, hertz: self.made_at, size }
    }

    /// Whether it rings under its tension or over a tube.
    pub fn rings_with_tension(&self) -> bool {
        self.collision.rings_by_samples() && self.active_count() == 0
    }

    /// How it spends work on its tension or potential at present; None if it does not.
    pub fn stiffening_use(&self) -> Option<StiffeningUse> {
        if self.rings_with_tension() {
            Some(StiffeningUse::Ringing)
        } else {
            (self.collision.has_potential() && self.active_count() > 0).then_some(StiffeningUse::Struck)
        }
    }

    /// Cost of a frame of this use, in samples of one reference resonator, with potential number `level`.
    pub fn stiffening_cost(&self, spent_on: StiffeningUse, level: usize) -> f32 {
        if spent_on == StiffeningUse::Struck {
            return self.collision.touched_potential_cost(level);
        }
        let (felt, all) = (self.collision.felt_modes(), self.collision.body().padded());
        let potential = if self.collision.has_potential() { self.collision.potential_cost(level) } else { 0.0 };
        let tube = if self.collision.has_tube() { TUBE_COST } else { 0.0 };
        tube + RING_COST + RING_MODE_COST * felt as f32 + RING_HELD_COST * (all - felt) as f32 + potential
    }

    /// The finest level of its potential whose cost under hammers is within `room`, or the coarsest.
    pub fn affordable_level(&self, room: f32) -> usize {
        let coarsest = self.collision.potential_levels().saturating_sub(1);
        (0..coarsest).find(|&level| self.collision.touched_potential_cost(level) <= room).unwrap_or(coarsest)
    }

    /// Takes potential number `level`: 0 with all modes, then with fewer.
    pub fn set_potential_level(&mut self, level: usize) {
        self.collision.set_potential_level(level);
    }

    /// Lets tension, potential and tube rest: the voice is a linear body alone from now on, until a hammer wakes them.
    pub fn rest_tension(&mut self) {
        self.collision.rest_stiffening();
    }

    /// Rings under its tension over the part `run` of a control block.
    pub(super) fn ring_with_tension(&mut self, run: Range<usize>) {
        let factor = self.decay.factor();
        for offset in run {
            self.collision.ring_stiffening(factor);
            read_pickups(&self.output.pickups, &self.collision, offset, &mut self.output.block);
            self.add_tube(offset);
            if self.motion.is_on() {
                let gains = self.output.gains;
                self.motion.touch(&self.collision, factor, offset, gains, &mut self.output.block);
            }
        }
    }
}
