//! What holds a hammer that stays: where its own spring rests over the body.
//!
//! ```text
//! gap of rest = -offset of the geometry x = sum W q + offset        (body at rest)
//! ```

use crate::solver::collision::Collision;
use crate::solver::hammer::Hammer;

impl Hammer {
    /// Gap [m] over a body at rest at which its own spring rests while nothing pushes; below 0 it rests inside.
    pub fn rest_gap(&self) -> f64 {
        -self.offset()
    }
}

impl Collision {
    /// The spring of hammer i rests at this gap [m] from now on, and the hammer stays where it is, unless that would bring energy;
    /// whether it does.
    pub fn recentre(&mut self, i: usize, gap: f64) -> bool {
        self.settle();
        let striker = &self.strikers[i];
        let (mode, weight) = (striker.modes().mode(0), striker.own_weights()[0]);
        let (q, moved) = (striker.modes().q[0], (striker.offset() + gap) / weight);
        let calmer = mode.omega == 0.0 || (q + moved).abs() <= q.abs();
        if calmer && moved != 0.0 {
            self.change_parameters(Some(i), |c| c.strikers[i].recentre(-gap, q + moved));
        }
        calmer
    }
}
