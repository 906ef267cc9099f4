//! A body that rings without hammers under its potential, a sample at a time.

use crate::modal::{Modes, Span};
use crate::solver::collision::Collision;

impl Collision {
    /// One sample of a body without hammers under its tension or potential or over a tube, after which its state takes the factor `decay`.
    pub fn ring_stiffening(&mut self, decay: f64) {
        if self.tube.acts() {
            self.ring_step(decay);
        } else if self.potential.acts() {
            self.ring_with_potential(decay);
        } else {
            self.ring_with_tension(decay);
        }
    }

    /// The same by a step as with hammers.
    fn ring_step(&mut self, decay: f64) {
        self.step(1, &mut |_, _| ());
        if decay != 1.0 {
            self.damp(decay);
        }
    }

    /// One sample of a body without hammers, after which its state takes the factor `decay`. With an energy balance it is recorded.
    pub fn ring_with_potential(&mut self, decay: f64) {
        if self.balance.is_some() || self.any_active() || !self.potential.acts() || self.potential.is_curved() {
            return self.ring_step(decay);
        }
        let Self { potential, body, h, .. } = self;
        if !potential.is_known() {
            potential.evaluate(&body.modes.q);
        }
        potential.rotate(&mut body.modes.v, 0.5 * *h);
        body.forget_felt_ahead();
        body.predict_alone(Span::Level(0));
        body.commit();
        if body.has_held() {
            body.advance_held(&[], &mut []);
            body.forget_ahead();
        }
        if decay != 1.0 {
            let Modes { q, v, .. } = &mut body.modes;
            q.iter_mut().chain(v.iter_mut()).for_each(|x| *x *= decay);
            potential.decay(decay);
        }
        potential.evaluate(&body.modes.q);
        potential.rotate(&mut body.modes.v, 0.5 * *h);
        potential.relax(&mut body.modes.v);
    }
}
