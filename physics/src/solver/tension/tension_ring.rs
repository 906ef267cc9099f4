//! A body that rings without hammers under its own tension, a sample at a time.
//!
//! The residual is nearly a parabola in T: from the expected tension, one evaluation with slope and curvature mostly suffices.

use crate::modal::{Modes, Span, TensionStep, foresee_stretch, step_under};
use crate::solver::collision::Collision;
use crate::solver::tension::root::{EXACT, TensionRoot};

/// Remainder of the parabola, over the tension, at which it is accepted.
const SETTLED: f64 = 1e-16;

/// Largest second step over the first at which it is accepted.
const STRAIGHT: f64 = 0.1;

/// Largest relative change of 1 + a T between the tension tried and that of the step: two steps of Newton's method for its reciprocal
/// leave the fourth power.
const NEAR: f64 = 1e-4;

/// The tension of the next step, from the expected one.
#[derive(Clone, Copy)]
struct NextTension {
    guess: f64,
    /// K.
    stiffness: f64,
    /// Largest a.
    steepest: f64,
}

impl Collision {
    /// One sample of a body without hammers, after which its state takes the factor `decay`. With an energy balance it is recorded.
    pub fn ring_with_tension(&mut self, decay: f64) {
        if self.balance.is_some() || self.any_active() || !self.tension.acts() {
            self.step(1, &mut |_, _| ());
            if decay != 1.0 {
                self.damp(decay);
            }
            return;
        }
        self.begin_tension();
        self.body.take(Span::Level(0));
        let (felt, h) = (self.body.felt(), self.h);
        let Self { body, tension, .. } = self;
        let next = NextTension { guess: tension.guess(h), stiffness: tension.stiffness(), steepest: tension.steepest(h) };
        let (table, modes) = body.parts();
        let (step, softness) = tension.step(table);
        let Modes { q, v, .. } = modes;
        let (q, v) = (&mut q[..felt], &mut v[..felt]);
        let held = match next.quick(step, [&*q, &*v], softness) {
            Ok(held) => held,
            Err(stretch) => next.bracketed(step, stretch, [&*q, &*v], softness),
        };
        let is_near = next.steepest * (held - next.guess).abs() <= NEAR;
        step_under(step, held, is_near.then_some(&*softness), q, v);
        tension.note(held, h);
        if body.has_held() {
            body.advance_held(&[], &mut []);
            body.forget_ahead();
        }
        if decay != 1.0 {
            let Modes { q, v, .. } = &mut self.body.modes;
            q.iter_mut().chain(v.iter_mut()).for_each(|x| *x *= decay);
        }
    }
}

impl NextTension {
    /// By one evaluation. Errors: e0, where that is not enough.
    fn quick(&self, step: TensionStep, state: [&[f64]; 2], softness: &mut [f64]) -> Result<f64, f64> {
        let &Self { guess, stiffness, .. } = self;
        let (stretch, by) = foresee_stretch(step, guess, state, softness);
        let slope = 1.0 + 0.5 * stiffness * by.slope;
        let first = -(guess - 0.5 * stiffness * (2.0 * stretch + by.change)) / slope;
        let bend = 0.25 * stiffness * by.curvature / slope * first;
        let found = guess + first * (1.0 + bend);
        let settled = first.abs() * bend * bend <= SETTLED * found && bend.abs() < STRAIGHT;
        if settled && found >= 0.0 { Ok(found) } else { Err(stretch) }
    }

    /// Within a bracket; `stretch`: e0.
    fn bracketed(&self, step: TensionStep, stretch: f64, state: [&[f64]; 2], softness: &mut [f64]) -> f64 {
        let &Self { guess, stiffness, .. } = self;
        let mut root = TensionRoot::new(guess, stretch, EXACT);
        loop {
            let (_, by) = foresee_stretch(step, root.tension(), state, softness);
            let slope = 1.0 + 0.5 * stiffness * by.slope;
            if root.accepts(root.residual(stiffness, &by), slope, root.tension() + stiffness * stretch) {
                return root.tension();
            }
        }
    }
}
