//! Several substeps of a single contact in one pass over the modes.
//!
//! With a single hammer in contact, all modes follow from the forces. The change of compression in each of the next substeps is
//! known in advance, except for the effect of the forces before it:
//!
//! ```text
//! df_n = sum Wt (A - 1) A^n (q, v) - sum_{m < n} g_{n-m} F_m       over the modes of both, push and profile included
//! g_k  = sum Wt (A - 1) A^(k-1) B Wt                               the echo of a force k substeps later
//! ```
//!
//! One pass computes these sums for all substeps, then one scalar equation each is solved, then one pass advances body and
//! hammer. The states are those of single substeps. With an energy balance, every substep is made and recorded by itself.

use crate::contact::{ByRoots, ContactLaw, Equation, ForceExtrapolator, HERTZ, Solution, SubstepSolver, of_any};
use crate::modal::{MAX_STEPS_PER_PASS, Span};
use crate::solver::collision::Collision;
use crate::solver::cost_budget::SolvedEquations;
use crate::solver::hammer::Hammer;
use crate::solver::hammer_state::WeightKind;
use crate::solver::limits::{DEEPEST_LEVEL, MAX_RESOLVED_SHARE, SAMPLE, StepCost, SubstepReport};

/// Constants of the next substeps.
struct MultiSubstep {
    /// Level of the substeps.
    level: u32,
    dt: f64,
    /// Maximum number of substeps.
    most: usize,
    /// As of the [`Equation`].
    b: f64,
    beta: f64,
    /// Decrease of the compression per force in the substeps after its own [m/N].
    echo: [f64; MAX_STEPS_PER_PASS - 1],
}

/// State of the contact.
#[derive(Clone, Copy)]
struct ContactPoint {
    x: f64,
    memory: f64,
    /// Energy stored in the contact [J].
    stored: f64,
    trend: ForceExtrapolator,
    /// Change of compression in each of the next substeps [m] without further forces.
    free: [f64; MAX_STEPS_PER_PASS],
}

/// The substeps made so far.
#[derive(Default)]
struct SubstepRun {
    /// Substeps.
    count: usize,
    /// Compression [m] at the end of each, and force [N].
    x: [f64; MAX_STEPS_PER_PASS],
    force: [f64; MAX_STEPS_PER_PASS],
    /// Energy lost in the contact [J].
    loss: [f64; MAX_STEPS_PER_PASS],
    /// Maximum number of iterations of a solution.
    iterations: u32,
    /// Iterations of all solutions.
    all_iterations: u32,
    /// Solutions that needed a bracket.
    bracketed: u32,
}

impl Collision {
    /// The next substeps of the only contact, as many as the sample and the budget leave, at most [`MAX_STEPS_PER_PASS`]. False,
    /// without any effect, if there is another hammer, or if the contact ends within the first of them.
    pub(crate) fn multi_substep(
        &mut self,
        done: &mut u32,
        budget: u32,
        effort: &mut StepCost,
        observer: &mut impl FnMut(&Collision, &SubstepReport),
    ) -> bool {
        let ticks = SAMPLE >> self.phase.level;
        let left = ((SAMPLE - *done) >> (DEEPEST_LEVEL - self.phase.level)).min(budget.saturating_sub(effort.substeps)) as usize;
        // a single substep is as fast by itself, and one under a tension or potential is not known in advance
        if left < 2 || self.is_stiffening() {
            return false;
        }
        let Some(i) = self.only_contact().filter(|&i| self.hammers[i].is_resolved()) else { return false };
        let most = left.min(MAX_STEPS_PER_PASS);
        let level = self.phase.level;
        let dt = Span::Level(level).seconds(self.h);
        self.update_coupling(Span::Level(level));
        self.body.take_level(level);
        let start = self.h * f64::from(*done) / f64::from(SAMPLE);
        let hammer = &mut self.hammers[i];
        hammer.bank.take_level(level);
        let before = hammer.contact.x;
        let pass = MultiSubstep { level, dt, most, b: hammer.fit.compliance, beta: hammer.fit.beta, echo: hammer.fit.echo };
        let body = self.body.predict_steps(&hammer.fit.body, most);
        let mut place = hammer.contact_point(body, hammer.free_way(dt, most));
        let mut run = SubstepRun::default();
        let mut show = |c: &Collision, run: &SubstepRun, n: usize, v1: f64| {
            observer(c, &run.report(n, v1, SubstepReport { hammer: i, start, dt, x0: before, ..SubstepReport::default() }));
        };
        if self.balance.is_some() {
            while let Some(v1) = self.record_next_substep(i, &pass, &mut place, &mut run) {
                show(self, &run, run.count - 1, v1);
            }
        } else {
            match hammer.contact.law {
                ContactLaw::HuntCrossley(law) if law.exponent() == HERTZ => {
                    hammer.run_substeps(&ByRoots(&law), &pass, place, &mut run)
                }
                law => hammer.run_with_any_law(law, &pass, &place, &mut run),
            }
            let forces = &run.force[..run.count];
            let body = self.body.advance(&hammer.fit.body, forces);
            let mut own = [0.0; MAX_STEPS_PER_PASS];
            hammer.step_own_modes(Span::Level(level), forces, &mut own);
            let mut held = [0.0; MAX_STEPS_PER_PASS];
            self.move_held_through(i, dt, forces, &mut held);
            for n in 0..run.count {
                show(self, &run, n, own[n] + body[n] + held[n]);
            }
        }
        *done += run.count as u32 * ticks;
        self.add_run(i, &run, dt, effort);
        run.count > 0
    }

    /// Counts the substeps of a pass with hammer i, each of dt [s]. Not generic: compiled with the optimisation of this crate.
    fn add_run(&mut self, i: usize, run: &SubstepRun, dt: f64, effort: &mut StepCost) {
        let substeps = run.count as u32;
        let solved = SolvedEquations { count: substeps, bracketed: run.bracketed, iterations: run.all_iterations };
        self.budget.charge_pass(self.pass_size(i), &self.hammers[i].contact.law, solved);
        effort.substeps += substeps;
        effort.most_iterations = effort.most_iterations.max(run.iterations);
        effort.most_sweeps = effort.most_sweeps.max(substeps.min(1));
        self.phase.age += dt * f64::from(substeps);
        self.phase.awaited = self.phase.awaited.saturating_sub(substeps);
    }

    /// The hammer in contact, if it is the only one.
    fn only_contact(&self) -> Option<usize> {
        let contact = |i: &usize| &self.hammers[*i].contact;
        self.hammers.only_active_number().filter(|i| contact(i).touching && contact(i).x > 0.0)
    }

    /// The next substep of hammer and body, recorded; the velocity of compression after it [m/s]. None after the last one, or
    /// when the contact ends.
    fn record_next_substep(
        &mut self,
        i: usize,
        pass: &MultiSubstep,
        place: &mut ContactPoint,
        run: &mut SubstepRun,
    ) -> Option<f64> {
        let hammer = &mut self.hammers[i];
        let found = of_any!(hammer.contact.law, law => place.solve(&law, pass)).filter(|_| run.count < pass.most);
        let (equation, solution) = found?;
        (hammer.substep.equation, hammer.substep.solution) = (equation, solution);
        hammer.predict(Span::Level(pass.level), WeightKind::Fitted);
        let v1 = self.record_step(true, |c| {
            let held = c.move_held_under(i, pass.dt, solution.force);
            let hammer = &mut c.hammers[i];
            let body = c.body.advance(&hammer.fit.body, &[solution.force])[0];
            hammer.commit();
            let (loss, relaxed) = of_any!(hammer.contact.law, law => place.follow(&law, pass, &solution));
            run.note(&solution, loss);
            hammer.set_contact_point(place);
            (relaxed, hammer.own_fitted_closing() + body + held)
        });
        Some(v1)
    }
}

impl ContactPoint {
    /// The next substep's equation and its solution; None when the contact ends.
    #[inline(always)]
    fn solve(&self, law: &impl SubstepSolver, pass: &MultiSubstep) -> Option<(Equation, Solution)> {
        let &Self { x, memory, trend, free: [df, ..], .. } = self;
        let &MultiSubstep { b, beta, dt, .. } = pass;
        let equation = Equation { x0: x, df, b, dt, beta, memory, expected: trend.next() };
        Some((equation, law.solve_lasting(&equation)?))
    }

    /// Advances the state by a substep. Energy [J] lost in it, and lost by relaxation of the law.
    #[inline(always)]
    fn follow(&mut self, law: &impl SubstepSolver, pass: &MultiSubstep, solution: &Solution) -> (f64, f64) {
        let &Solution { x1, d, force, .. } = solution;
        let ([first, second, third], [_, a, b, c]) = (pass.echo, self.free);
        self.free = [a - first * force, b - second * force, c - third * force, 0.0];
        self.trend.note(solution);
        let memory = law.remembering(self.memory, x1);
        let stored = law.stored(x1, memory, pass.beta);
        let loss = force * d - (stored - self.stored);
        let (memory, relaxed) = law.relaxing(memory, x1, pass.dt);
        (self.x, self.memory, self.stored) = (x1, memory, stored - relaxed);
        (loss, relaxed)
    }
}

impl SubstepRun {
    /// Substep n, which ends at the velocity v1 [m/s]; `first` has hammer, length, start and compression of the pass.
    #[inline(always)]
    fn report(&self, n: usize, v1: f64, first: SubstepReport) -> SubstepReport {
        let x0 = if n == 0 { first.x0 } else { self.x[n - 1] };
        let start = first.start + first.dt * n as f64;
        SubstepReport { start, x0, x1: self.x[n], v1, force: self.force[n], loss: self.loss[n], ..first }
    }

    /// Adds a substep.
    #[inline(always)]
    fn note(&mut self, solution: &Solution, loss: f64) {
        let n = self.count;
        (self.x[n], self.force[n], self.loss[n]) = (solution.x1, solution.force, loss);
        self.iterations = self.iterations.max(solution.iterations);
        self.all_iterations += solution.iterations;
        self.bracketed += u32::from(solution.bracketed);
        self.count = n + 1;
    }
}

impl Hammer {
    /// Whether several substeps can be predicted: in a contact too stiff to be resolved by a substep, free and actual
    /// displacements cancel. The resistance of held modes does not matter, because no later substep of the sample feels it.
    fn is_resolved(&self) -> bool {
        let inertial = self.fit.compliance - self.fit.held_share * self.held.compliance;
        inertial * self.substep.solution.force <= MAX_RESOLVED_SHARE * self.contact.x
    }

    /// Its state, with the displacements of the body, felt and held, and of its own modes.
    fn contact_point(&self, body: [f64; MAX_STEPS_PER_PASS], own: [f64; MAX_STEPS_PER_PASS]) -> ContactPoint {
        let held = self.fit.held_share * self.held.way;
        ContactPoint {
            x: self.contact.x,
            memory: self.contact.memory,
            stored: self.contact.energy,
            trend: self.contact.trend,
            free: std::array::from_fn(|n| (body[n] + held) + own[n]),
        }
    }

    /// Takes over a state.
    fn set_contact_point(&mut self, place: &ContactPoint) {
        (self.contact.x, self.contact.memory, self.contact.energy, self.contact.trend) =
            (place.x, place.memory, place.stored, place.trend);
    }

    /// All substeps of the pass, or as many as the contact lasts. The modes are not advanced.
    #[inline(always)]
    fn run_substeps(&mut self, law: &impl SubstepSolver, pass: &MultiSubstep, mut place: ContactPoint, run: &mut SubstepRun) {
        let mut last = None;
        for _ in 0..pass.most.min(MAX_STEPS_PER_PASS) {
            let Some((equation, solution)) = place.solve(law, pass) else { break };
            let (loss, _) = place.follow(law, pass, &solution);
            run.note(&solution, loss);
            last = Some((equation, solution));
        }
        if let Some((equation, solution)) = last {
            (self.substep.equation, self.substep.solution) = (equation, solution);
            self.set_contact_point(&place);
        }
    }

    /// [`Hammer::run_substeps`] with any law.
    #[inline(never)]
    fn run_with_any_law(&mut self, law: ContactLaw, pass: &MultiSubstep, place: &ContactPoint, run: &mut SubstepRun) {
        of_any!(law, law => self.run_substeps(&law, pass, *place, run));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::Mode;
    use crate::solver::hammer_control::PointHammerSpec;
    use crate::solver::limits::{Capacity, MAX_SUBSTEPS};

    /// Samples of a strike against a wall in which the contact counts as resolved, and samples in contact.
    fn resolved(stiffness: f64, levels: usize) -> (u32, u32) {
        let mut collision = Collision::new(48e3, Capacity { modes: 0, held: 0, hammers: 1, hammer_modes: 1, levels });
        let law = ContactLaw::hunt_crossley(stiffness, 1.5, 0.0);
        let i = collision
            .strike(PointHammerSpec { law, mass: 0.02, velocity: 1.0, tether: Mode::RIGID, weights: &[] })
            .expect("there is room");
        let (mut resolved, mut touching) = (0, 0);
        for _ in 0..480 {
            collision.step(MAX_SUBSTEPS, &mut |_, _| ());
            if collision.hammer(i).touching() {
                touching += 1;
                resolved += u32::from(collision.hammer(i).is_resolved());
            }
        }
        (resolved, touching)
    }

    #[test]
    fn a_soft_contact_is_resolved_all_the_time() {
        let (resolved, touching) = resolved(1e5, 8);
        assert!(touching > 20 && resolved == touching, "{resolved} of {touching} samples");
    }
}
