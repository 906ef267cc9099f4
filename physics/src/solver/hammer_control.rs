//! Adding hammers to a body, removing them, and correcting the compression of a light hammer under a large force.
//!
//! A substep does not resolve a large force on a light hammer. The displacements by push and contact force then nearly cancel:
//! d = df - b F loses its leading digits, and its rounding error times the force would be unsupplied energy: 3e-13 of the total in
//! a substep, for 0.1 g at rest under 10 kN at 48 kHz. Here the displacement d' is summed from small parts instead: the rigid
//! part's displacement as it is made, and all others. The compression is then corrected such that the contact stores and loses the
//! work of the force over d':
//!
//! ```text
//! d' = W0 (dq0 - B0 W0 F) + rest
//! G(d) = F d'          G(d) = F(d) d: energy that the law stores and loses over d
//! ```
//!
//! A capped force does not obey the law: the contact stores as much of F d' as it can, and loses the rest.

use crate::contact::{ContactLaw, Solution};
use crate::modal::{Mode, Span};
use crate::solver::collision::Collision;
use crate::solver::hammer::Hammer;
use crate::solver::limits::MAX_RESOLVED_SHARE;

/// Maximum correction relative to the compression: near the end of a contact the energy hardly changes with the compression.
const SMALL: f64 = 1e-6;

/// Maximum number of evaluations of the law for a correction; where its force jumps, Newton's method takes three.
const MAX_EVALUATIONS: u32 = 4;

/// Relative error of the work that rounding may leave.
const ROUNDED: f64 = 4.0 * f64::EPSILON;

/// A point mass that strikes the body.
#[derive(Clone, Copy, Debug)]
pub struct PointHammerSpec<'a> {
    /// The contact's law.
    pub law: ContactLaw,
    /// Mass [kg], > 0.
    pub mass: f64,
    /// Speed towards the body [m/s].
    pub velocity: f64,
    /// `Mode::RIGID` for a free hammer, else its own spring and damper, which rests at the start position.
    pub tether: Mode,
    /// phi_i(x_c)/sqrt(M_i) of the body's modes at the contact point [kg^-1/2], one a mode.
    pub weights: &'a [f64],
}

/// A hammer with modes of its own; the first is its rigid part.
#[derive(Clone, Copy, Debug)]
pub struct HammerSpec<'a> {
    /// The contact's law.
    pub law: ContactLaw,
    /// Its modes, rigid part first.
    pub modes: &'a [Mode],
    /// Their weights at the contact point [kg^-1/2].
    pub own: &'a [f64],
    /// Speed of the rigid part towards the body [m/s].
    pub velocity: f64,
    /// Weights of the body's modes [kg^-1/2].
    pub weights: &'a [f64],
}

impl Collision {
    /// Adds a hammer at compression 0 and full speed, whatever the state of the body; its number. None if there is no spare
    /// hammer.
    pub fn strike(&mut self, hit: PointHammerSpec) -> Option<usize> {
        let own = [1.0 / hit.mass.sqrt()];
        let modes = [hit.tether];
        self.add_hammer(HammerSpec { law: hit.law, modes: &modes, own: &own, velocity: hit.velocity, weights: hit.weights })
    }

    /// As [`Collision::strike`] for a hammer with modes.
    pub fn add_hammer(&mut self, hit: HammerSpec) -> Option<usize> {
        self.leave_exact();
        let i = self.hammers.idle()?;
        let arrays = self.body.arrays();
        let hammer = &mut self.hammers[i];
        hammer.set_up(hit.law, hit.modes.iter().copied(), hit.own, hit.weights, arrays);
        hammer.bank.modes.v[0] = hit.velocity / hit.own[0];
        self.fit_held(i);
        self.hammers[i].place(0.0, &self.body.modes);
        Some(self.activate_hammer(i))
    }

    /// Activates hammer i, just set up, and records its energy. Returns i.
    pub(crate) fn activate_hammer(&mut self, i: usize) -> usize {
        let energy = self.hammers[i].energy();
        self.refit(Some(i));
        if let Some(balance) = &mut self.balance {
            balance.record_hammer(energy);
        }
        i
    }

    /// Puts hammer i at a distance [m] from the body.
    pub fn set_hammer_gap(&mut self, i: usize, distance: f64) {
        self.leave_exact();
        self.hammers[i].place(0.0 - distance.max(0.0), &self.body.modes);
    }

    /// Removes hammer i; the energy [J] removed with it, including its contact's.
    pub fn remove_hammer(&mut self, i: usize) -> f64 {
        self.leave_exact();
        if !self.hammers.is_active(i) {
            return 0.0;
        }
        let hammer = &mut self.hammers[i];
        let energy = hammer.energy() + hammer.corrected_contact_energy();
        hammer.active = false;
        hammer.contact.touching = false;
        self.body.forget_ahead();
        if let Some(balance) = &mut self.balance {
            balance.record_hammer(-energy);
        }
        self.phase.in_contact &= self.any_touching();
        energy
    }

    /// Whether hammer i is apart, receding as a whole, and out of reach: removing it then misses no contact. False while a spring
    /// holds it or a force pushes it towards the body, or while a profile rises under it.
    pub fn is_clear(&self, i: usize) -> bool {
        let (hammer, body) = (&self.hammers[i], &self.body.modes);
        if hammer.contact.touching {
            return false;
        }
        let weights = if self.is_thinned() { hammer.fitted_weights() } else { hammer.body_weights() };
        let (modes, own) = (hammer.modes(), hammer.own_weights());
        let comes = || modes.drift(own) + body.drift(weights) >= 0.0;
        if hammer.contact.x >= 0.0 || hammer.push() > 0.0 || hammer.rise() > 0.0 || comes() {
            return false;
        }
        // the gap that remains at the largest deflections of body and hammer from their rest
        let gap = -hammer.contact.x;
        let left = gap - modes.overshoot(own, 1.0, gap);
        left > 0.0 && self.body_overshoot(weights, left) < left
    }
}

impl Collision {
    /// Corrects the solution of hammer i over `span`, which has been predicted, where digits have cancelled.
    #[inline]
    pub(crate) fn correct_for_preload(&mut self, i: usize, span: Span) {
        if self.hammers[i].is_held_by_rounding() {
            let others = self.displacement_by_others(i);
            let dt = span.seconds(self.h);
            let evaluations = self.hammers[i].correct_for_preload(others, dt);
            self.budget.charge_evaluations(&self.hammers[i].contact.law, evaluations);
        }
    }
}

impl Hammer {
    /// Whether a push and the contact force cancel in the solution: in a contact that is not resolved and does not end.
    #[inline]
    fn is_held_by_rounding(&self) -> bool {
        let s = &self.substep.solution;
        self.push != 0.0 && s.x1 > 0.0 && self.fit.compliance * s.force > MAX_RESOLVED_SHARE * s.x1
    }

    /// [`Collision::correct_for_preload`] with the displacement `others` [m] by the other hammers. Number of evaluations of the
    /// law.
    #[cold]
    fn correct_for_preload(&mut self, others: f64, dt: f64) -> u32 {
        let Solution { x1, d, force, .. } = self.substep.solution;
        let climb = if self.placement.rise == 0.0 { 0.0 } else { self.placement.rise * dt };
        let rest = self.substep.body_way + climb + self.inner_way(force) - others - self.fit.body_compliance * force;
        let way = self.fit.own[0] * self.rigid_way(force) + rest;
        if self.substep.solution.capped.is_some() {
            self.limit_compression(way);
            return 1; // the law's energy, and its inverse
        }
        let unknown = |to: f64| if self.substep.equation.x0 > 0.0 { to } else { x1 + (to - d) };
        let (mut to, mut best, mut least, mut evaluations) = (d, d, f64::INFINITY, 0);
        while evaluations < MAX_EVALUATIONS {
            evaluations += 1;
            let (law, slope) = self.contact.law.substep_force(&self.substep.equation, unknown(to));
            let missing = force * way - law * to;
            if missing.abs() < least {
                (best, least) = (to, missing.abs());
            }
            to += missing / (law + slope * to);
            let near = (to - d).abs() <= SMALL * x1;
            if !near || least <= ROUNDED * force * way.abs() {
                break;
            }
        }
        (self.substep.solution.x1, self.substep.solution.d) = self.substep.equation.place(unknown(best));
        evaluations
    }

    /// Displacement of the rigid part over the predicted step under push and contact force [m kg^1/2], bit for bit as it is made.
    fn rigid_way(&self, force: f64) -> f64 {
        let Self { bank, push, .. } = self;
        self.fit.first_mode.way((bank.modes.q[0], bank.modes.v[0]), *push, self.fit.own[0] * force)
    }

    /// Change of compression by its other modes over the predicted step under the contact force [m].
    fn inner_way(&self, force: f64) -> f64 {
        let felt = |i: usize| self.fit.own[i];
        (1..self.bank.modes.len()).map(|i| felt(i) * self.bank.way(i, felt(i) * force)).sum()
    }
}
