//! The substeps of a contact that is alone, several in one pass over the modes.
//!
//! While one hammer touches and no other is there, the body's modes follow from the forces. How far they go towards the hammer in each of
//! the next substeps is known before any force is, but for what the forces before it do:
//!
//! ```text
//! df_n = sum Wt (A - 1) A^n (q, v) - sum_{m < n} g_{n-m} F_m  + the hammer's own way
//! g_k  = sum Wt (A - 1) A^(k-1) B Wt                          the echo of a force k substeps later
//! ```
//!
//! One pass sums for all of them, then come as many scalar equations, then one pass takes the body to where they lead. The states are
//! those of single substeps; while the ledger is open every one of them is made and booked.

use super::bank::Span;
use super::collision::{Collision, Effort, SAMPLE, Substep};
use super::contact::{Law, of_any};
use super::equation::{Solution, Spring};
use super::lanes::STRETCH;
use super::striker::Striker;

/// Way that the force takes from a substep over the compression, b F/x, up to which a contact counts as resolved: alpha b F/x is (omega
/// dt)^2/2 of its oscillation.
const RESOLVED: f64 = 0.1;

/// The next substeps.
struct Stretch {
    span: Span,
    dt: f64,
    /// How many at most.
    most: usize,
    /// How far the body would go towards the hammer in each [m] without a force in any.
    free: [f64; STRETCH],
}

/// What the hammer has done in them so far.
#[derive(Default)]
struct Course {
    /// Substeps.
    count: usize,
    /// Compression [m] at the end of each, and force [N].
    x: [f64; STRETCH],
    force: [f64; STRETCH],
    /// Velocity of compression at the end of each [m/s]: the hammer's part, and the body's.
    speed: [f64; STRETCH],
    body_speed: [f64; STRETCH],
    /// Energy lost in the contact [J].
    loss: [f64; STRETCH],
    /// Most iterations of a solution.
    iterations: u32,
}

impl Collision {
    /// The next substeps of the only contact, as many as the sample and the budget leave, at most [`STRETCH`]. False, and nothing done,
    /// where another hammer is there, or the contact does not last for one of them.
    pub(super) fn stretch(
        &mut self,
        done: &mut u32,
        budget: u32,
        effort: &mut Effort,
        watch: &mut impl FnMut(&Collision, &Substep),
    ) -> bool {
        let Some(i) = self.only_contact() else { return false };
        let span = Span::Level(self.level);
        let (ticks, dt) = (SAMPLE >> self.level, span.seconds(self.h));
        let left = ((SAMPLE - *done) / ticks).min(budget.saturating_sub(effort.substeps)) as usize;
        let most = left.min(self.strikers[i].foresight());
        if most == 0 {
            return false;
        }
        self.fit(span);
        self.body.take(span);
        let start = self.h * f64::from(*done) / f64::from(SAMPLE);
        let x0 = self.strikers[i].x;
        let stretch = Stretch { span, dt, most, free: self.body.foresee(&self.strikers[i].felt, most) };
        let mut course = Course::default();
        let mut show = |c: &Collision, course: &Course, n: usize| {
            let x0 = if n == 0 { x0 } else { course.x[n - 1] };
            let (x1, force, loss) = (course.x[n], course.force[n], course.loss[n]);
            let (start, v1) = (start + dt * n as f64, course.speed[n] + course.body_speed[n]);
            watch(c, &Substep { striker: i, start, dt, x0, x1, v1, force, loss, began: false, ended: false });
        };
        if self.ledger.is_some() {
            while self.book_next(i, &stretch, &mut course) {
                show(self, &course, course.count - 1);
            }
        } else {
            let striker = &mut self.strikers[i];
            of_any!(striker.law, law => striker.go_on(&law, &stretch, &mut course));
            course.body_speed = self.body.advance(&striker.felt, &course.force[..course.count]);
            (0..course.count).for_each(|n| show(self, &course, n));
        }
        let taken = course.count as u32;
        *done += taken * ticks;
        effort.substeps += taken;
        effort.most_iterations = effort.most_iterations.max(course.iterations);
        effort.most_sweeps = effort.most_sweeps.max(taken.min(1));
        self.age += dt * f64::from(taken);
        self.awaited = self.awaited.saturating_sub(taken);
        taken > 0
    }

    /// The hammer in contact, if no other is there.
    fn only_contact(&self) -> Option<usize> {
        let mut active = self.strikers.numbered();
        let (i, striker) = active.next()?;
        (striker.touching && striker.x > 0.0 && active.next().is_none()).then_some(i)
    }

    /// The next substep of hammer and body, booked. False when there is none, or the contact does not last.
    fn book_next(&mut self, i: usize, stretch: &Stretch, course: &mut Course) -> bool {
        let striker = &mut self.strikers[i];
        let lasts = course.count < stretch.most && of_any!(striker.law, law => striker.solve_next(&law, stretch, course));
        if lasts {
            self.book_step(true, |c| {
                let striker = &mut c.strikers[i];
                course.body_speed[course.count] = c.body.advance(&striker.felt, &[striker.solution.force])[0];
                (of_any!(striker.law, law => striker.follow(&law, stretch.dt, course)), ())
            });
        }
        lasts
    }
}

impl Striker {
    /// How many substeps may be foreseen: in one that is so stiff that a substep does not resolve it, what the body would do without
    /// forces and what they do cancel.
    fn foresight(&self) -> usize {
        let resolved = self.b * self.solution.force <= RESOLVED * self.x;
        if resolved { STRETCH } else { 1 }
    }

    /// All substeps of the stretch, or as many as the contact lasts.
    fn go_on(&mut self, law: &impl Spring, stretch: &Stretch, course: &mut Course) {
        while course.count < stretch.most && self.solve_next(law, stretch, course) {
            self.follow(law, stretch.dt, course);
        }
    }

    /// The force of the next substep. False when the contact does not last.
    #[inline(always)]
    fn solve_next(&mut self, law: &impl Spring, stretch: &Stretch, course: &Course) -> bool {
        let earlier = course.force[..course.count].iter().rev();
        let echoed: f64 = earlier.zip(&self.echo[1..]).map(|(force, echo)| force * echo).sum();
        let own = self.predict(stretch.span, true);
        self.pose(stretch.dt, stretch.free[course.count] - echoed + own);
        let Some(solution) = law.solve_lasting(&self.equation) else { return false };
        self.solution = solution;
        true
    }

    /// The hammer after the substep of dt [s]; what its law lost since [J].
    #[inline(always)]
    fn follow(&mut self, law: &impl Spring, dt: f64, course: &mut Course) -> f64 {
        let before = law.stored(self.x, self.memory, self.beta);
        self.commit();
        self.arrive(self.solution.x1);
        let Solution { x1, d, force, iterations, .. } = self.solution;
        let n = course.count;
        (course.x[n], course.force[n], course.speed[n]) = (x1, force, self.own_felt_closing());
        course.loss[n] = force * d - (law.stored(x1, self.memory, self.beta) - before);
        course.iterations = course.iterations.max(iterations);
        course.count += 1;
        self.relax(dt)
    }
}
