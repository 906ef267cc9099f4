//! What is heard of each mode: weights that may be on their way to others.

use crate::block::CONTROL_BLOCK;
use urto_physics::solver::Collision;

/// What a pickup hears of each mode: weights that may be on their way to others over one grid cell.
pub struct Pickup {
    /// Weights at the start of the grid cell, padded with zeros.
    pub now: Vec<f32>,
    /// Weights at its end; the same while it does not move.
    pub goal: Vec<f32>,
    moving: bool,
    /// They have become others since [`Pickup::has_turned`] was asked.
    turned: bool,
}

impl Pickup {
    /// Room for `padded` modes; the only allocation.
    pub fn new(padded: usize) -> Self {
        Self { now: Vec::with_capacity(padded), goal: Vec::with_capacity(padded), moving: false, turned: true }
    }

    /// Hears `weights` from now on; zero up to the length `padded`.
    pub fn set(&mut self, weights: &[f64], padded: usize) {
        for array in [&mut self.now, &mut self.goal] {
            array.clear();
            array.extend(weights.iter().take(padded).map(|&weight| weight as f32));
            array.resize(padded, 0.0);
        }
        (self.moving, self.turned) = (false, true);
    }

    /// Moves to `weights`, 0 for the modes beyond them, over the grid cell that begins now.
    pub fn head_for(&mut self, weights: &[f64]) {
        let weights = weights.iter().map(|&weight| weight as f32).chain(std::iter::repeat(0.0));
        for (goal, weight) in self.goal.iter_mut().zip(weights) {
            *goal = weight;
        }
        (self.moving, self.turned) = (true, true);
    }

    /// A grid cell has ended.
    pub fn arrive(&mut self) {
        if self.moving {
            self.now.copy_from_slice(&self.goal);
            (self.moving, self.turned) = (false, true);
        }
    }

    /// Whether it has had other weights since this was asked last.
    pub fn has_turned(&mut self) -> bool {
        std::mem::take(&mut self.turned)
    }

    /// Whether its weights change in this grid cell.
    pub fn is_moving(&self) -> bool {
        self.moving
    }

    /// Part of the way to the goal at the end of frame `offset` of the grid cell.
    pub fn along(&self, offset: usize) -> f64 {
        if self.moving { (offset + 1) as f64 * (1.0 / CONTROL_BLOCK as f64) } else { 0.0 }
    }

    /// Weight of mode `i` at the start of the cell.
    pub fn weight(&self, i: usize) -> f64 {
        f64::from(self.now[i])
    }

    /// What it hears of the velocities `v` at the end of frame `offset` of the grid cell.
    pub fn listen(&self, v: &[f64], offset: usize) -> f64 {
        let goal = if self.moving { heard(&self.goal, v) } else { 0.0 };
        self.between(heard(&self.now, v), goal, offset)
    }

    /// What it hears at the end of frame `offset`, if its weights at the start of the grid cell would hear `now`, those at its end `goal`.
    pub fn between(&self, now: f64, goal: f64, offset: usize) -> f64 {
        if self.moving { now + self.along(offset) * (goal - now) } else { now }
    }
}

/// What `pickups` hear of the body of `collision` at the end of frame `offset` of the grid cell.
pub fn read_pickups(pickups: &[Pickup; 2], collision: &Collision, offset: usize, out: &mut [[f64; CONTROL_BLOCK]; 2]) {
    let [left, right] = pickups;
    let heard = if collision.is_exact() {
        let [l, r, l_goal, r_goal] = collision.heard();
        [left.between(l, l_goal, offset), right.between(r, r_goal, offset)]
    } else {
        let v = &collision.body().v;
        [left.listen(v, offset), right.listen(v, offset)]
    };
    out.iter_mut().zip(heard).for_each(|(out, heard)| out[offset] = heard);
}

/// A contact that `collision` plays exactly is heard by what `pickups` are now; where it has not just begun only if they have turned.
pub fn route_exact_contact(pickups: &mut [Pickup; 2], collision: &mut Collision, begins: bool) {
    let turned = pickups.each_mut().map(Pickup::has_turned);
    if !begins && turned == [false; 2] {
        return;
    }
    let [left, right] = &*pickups;
    let ears = [&left.now, &right.now, &left.goal, &right.goal];
    let count = if left.is_moving() || right.is_moving() { 4 } else { 2 };
    collision.listen(ears[..count].iter().map(|weights| weights.iter().map(|&weight| f64::from(weight))));
}

/// Lanes of a sum.
const LANES: usize = 8;

/// Sum of the weighted velocities; both padded to a multiple of 8.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn heard(weights: &[f32], v: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (weights, v) in weights.as_chunks::<LANES>().0.iter().zip(v.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += f64::from(weights[lane]) * v[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_physics::contact::ContactLaw;
    use urto_physics::modal::Mode;
    use urto_physics::solver::Capacity;
    use urto_physics::solver::ExactContact;
    use urto_physics::solver::PointHammerSpec;

    const MODES: usize = 12;

    fn shape(place: f64) -> [f64; MODES] {
        std::array::from_fn(|i| (place * (i + 1) as f64).sin())
    }

    /// A hammer that leans on a body, played exactly.
    fn leaning() -> Collision {
        let capacity = Capacity { modes: MODES, strikers: 1, striker_modes: 1, levels: 4 };
        let (mut collision, mut exact) = (Collision::new(48e3, capacity), ExactContact::new(MODES + 1));
        collision.set_body((1..=MODES).map(|n| Mode::heard_at(300.0 * n as f64, 5.0)));
        let law = ContactLaw::linear(1e5, 1.0);
        let weights = shape(0.7);
        let hammer = collision.strike(PointHammerSpec { law, mass: 0.02, velocity: 1.0, tether: Mode::RIGID, weights: &weights });
        collision.set_push(hammer.unwrap(), 100.0);
        assert!(collision.linear_onset().is_some_and(|i| exact.build(&collision, i)));
        exact.begin(&mut collision, 0);
        collision
    }

    /// Two pickups that move at their own times, one of which is suddenly elsewhere.
    #[test]
    fn a_contact_played_exactly_is_heard_as_its_body_is() {
        let mut collision = leaning();
        let mut pickups = [0.0; 2].map(|_| Pickup::new(16));
        pickups.iter_mut().zip([0.2, 0.9]).for_each(|(pickup, place)| pickup.set(&shape(place), 16));
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        let mut begins = true;
        for cell in 0..12 {
            match cell {
                2 => pickups[0].head_for(&shape(0.4)),
                3 => pickups.iter_mut().zip([0.5, 0.8]).for_each(|(pickup, place)| pickup.head_for(&shape(place))),
                6 => pickups[1].head_for(&shape(0.1)[..7]),
                9 => pickups[0].set(&shape(1.1), 16),
                _ => (),
            }
            for offset in 0..CONTROL_BLOCK {
                route_exact_contact(&mut pickups, &mut collision, std::mem::take(&mut begins));
                assert!(collision.step_exact(&mut |_, _| ()));
                read_pickups(&pickups, &collision, offset, &mut out);
                let mut settled = collision.clone();
                settled.settle();
                for (pickup, out) in pickups.iter().zip(&out) {
                    let wanted = pickup.listen(&settled.body().v, offset);
                    assert!((out[offset] - wanted).abs() < 1e-13, "cell {cell}, frame {offset}: {} {wanted}", out[offset]);
                    assert!(wanted != 0.0);
                }
            }
            pickups.iter_mut().for_each(Pickup::arrive);
        }
    }
}
