//! Pickups: weights for the velocities of the modes, and their ramps to new weights.

use crate::block::{CONTROL_BLOCK, StereoBlock};
use urto_physics::modal::THINNED_FROM;
use urto_physics::solver::Collision;

/// A weight for the velocity of each mode; weights may move to others over one control block.
pub struct Pickup {
    /// Weights at the start of the control block, padded with zeros.
    pub(super) now: Vec<f32>,
    /// Weights at its end; the same while the pickup does not move.
    pub(super) target: Vec<f32>,
    moving: bool,
    /// They move to weights that last for this control block only.
    fading: bool,
    /// The weights have changed since [`Pickup::take_changed`] was called.
    changed: bool,
}

impl Pickup {
    /// Room for `padded` modes; the only allocation.
    pub fn new(padded: usize) -> Self {
        Self { now: Vec::with_capacity(padded), target: Vec::with_capacity(padded), moving: false, fading: false, changed: true }
    }

    /// Sets the weights without a ramp, padded with zeros to the length `padded`.
    pub fn set(&mut self, weights: &[f64], padded: usize) {
        for array in [&mut self.now, &mut self.target] {
            array.clear();
            array.extend(weights.iter().take(padded).map(|&weight| weight as f32));
            array.resize(padded, 0.0);
        }
        (self.moving, self.fading, self.changed) = (false, false, true);
    }

    /// Keeps its weights for a body at rest of `padded` modes. Returns whether it can: not while they move, or for another number of modes.
    pub fn stay(&mut self, padded: usize) -> bool {
        self.changed = true;
        !self.moving && self.now.len() == padded
    }

    /// Moves to `weights`, 0 for the modes beyond them, over the control block that begins now.
    pub fn set_target(&mut self, weights: &[f64]) {
        let weights = weights.iter().map(|&weight| weight as f32).chain(std::iter::repeat(0.0));
        for (target, weight) in self.target.iter_mut().zip(weights) {
            *target = weight;
        }
        (self.moving, self.fading, self.changed) = (true, false, true);
    }

    /// Moves to the weights times `factor` of each mode over the control block that begins now.
    pub fn fade_to(&mut self, factor: impl Fn(usize) -> f64) {
        for (i, (target, now)) in self.target.iter_mut().zip(&self.now).enumerate() {
            *target = now * factor(i) as f32;
        }
        (self.moving, self.fading, self.changed) = (true, true, true);
    }

    /// Moves to its weights from those times `factor` of each mode over the control block that begins now.
    pub fn fade_from(&mut self, factor: impl Fn(usize) -> f64) {
        for (i, now) in self.now.iter_mut().enumerate() {
            *now *= factor(i) as f32;
        }
        (self.moving, self.changed) = (true, true);
    }

    /// Takes the weights before [`Pickup::fade_to`] again. Returns false if they have been replaced since.
    pub fn end_fade(&mut self) -> bool {
        let fading = std::mem::take(&mut self.fading);
        if fading {
            self.target.copy_from_slice(&self.now);
            (self.moving, self.changed) = (false, true);
        }
        fading
    }

    /// Ends a control block.
    pub fn arrive(&mut self) {
        if self.moving {
            self.now.copy_from_slice(&self.target);
            (self.moving, self.changed) = (false, true);
        }
    }

    /// Whether the weights have changed since the last call.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Whether the weights move in this control block.
    pub fn is_moving(&self) -> bool {
        self.moving
    }

    /// Progress towards the target at the end of frame `offset` of the control block, 0 to 1.
    pub fn progress(&self, offset: usize) -> f64 {
        if self.moving { (offset + 1) as f64 * (1.0 / CONTROL_BLOCK as f64) } else { 0.0 }
    }

    /// Weight of mode `i` at the start of the control block.
    pub fn weight(&self, i: usize) -> f64 {
        f64::from(self.now[i])
    }

    /// Output at the end of frame `offset` from the sums with the weights at the start and at the end of the control block.
    pub fn interpolate(&self, now: f64, target: f64, offset: usize) -> f64 {
        if self.moving { now + self.progress(offset) * (target - now) } else { now }
    }
}

/// Reads the body of `collision` by `pickups` at the end of frame `offset` of the control block.
#[inline(always)]
pub fn read_pickups(pickups: &[Pickup; 2], collision: &Collision, offset: usize, out: &mut StereoBlock) {
    let [left, right] = pickups;
    let frame = if collision.is_exact() {
        let [l, r, l_target, r_target] = collision.tap_outputs();
        [left.interpolate(l, l_target, offset), right.interpolate(r, r_target, offset)]
    } else {
        let felt = collision.felt_modes();
        let held = HeldPart { felt, thinned: collision.is_thinned() };
        read_both(pickups, &collision.body().v, offset, held)
    };
    out.iter_mut().zip(frame).for_each(|(out, frame)| out[offset] = frame);
}

/// Which modes of a body are held.
#[derive(Clone, Copy)]
struct HeldPart {
    /// Those from this number on, a multiple of [`LANES`].
    felt: usize,
    /// Half of the high modes rest.
    thinned: bool,
}

/// Weighted sums of the velocities `v` at the end of frame `offset` of the control block. The many held modes are summed in f32, as those of ringing
/// bodies are.
#[inline]
fn read_both(pickups: &[Pickup; 2], v: &[f64], offset: usize, HeldPart { felt, thinned }: HeldPart) -> [f64; 2] {
    let [left, right] = pickups;
    let felt = felt.min(v.len());
    let sums = |weights: [&[f32]; 2]| {
        let ours = weighted_sums(weights.map(|weights| &weights[..felt.min(weights.len())]), &v[..felt]);
        if felt == v.len() {
            return ours;
        }
        let full = if thinned { THINNED_FROM / LANES } else { usize::MAX };
        let held = held_sums(weights, v, felt / LANES, full);
        [ours[0] + f64::from(held[0]), ours[1] + f64::from(held[1])]
    };
    let now = sums([&left.now, &right.now]);
    let target = if left.moving || right.moving { sums([&left.target, &right.target]) } else { [0.0; 2] };
    [left.interpolate(now[0], target[0], offset), right.interpolate(now[1], target[1], offset)]
}

/// Passes the weights of `pickups` to an exact contact of `collision`: when it `begins`, later only if they have changed.
pub fn route_exact_contact(pickups: &mut [Pickup; 2], collision: &mut Collision, begins: bool) {
    let changed = pickups.each_mut().map(Pickup::take_changed);
    if !begins && changed == [false; 2] {
        return;
    }
    let [left, right] = &*pickups;
    let weights = [&left.now, &right.now, &left.target, &right.target];
    let count = if left.is_moving() || right.is_moving() { 4 } else { 2 };
    collision.set_taps(weights[..count].iter().map(|weights| weights.iter().map(|&weight| f64::from(weight))));
}

/// Lanes of a sum.
const LANES: usize = 8;

/// Two sums of the weighted velocities in one pass; all padded to a multiple of 8.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn weighted_sums(weights: [&[f32]; 2], v: &[f64]) -> [f64; 2] {
    let ([left, right], v) = (weights.map(|weights| weights.as_chunks::<LANES>().0), v.as_chunks::<LANES>().0);
    let (mut on_left, mut on_right) = ([0.0; LANES], [0.0; LANES]);
    for ((left, right), v) in left.iter().zip(right).zip(v) {
        for lane in 0..LANES {
            on_left[lane] += f64::from(left[lane]) * v[lane];
        }
        for lane in 0..LANES {
            on_right[lane] += f64::from(right[lane]) * v[lane];
        }
    }
    [reduced(&on_left), reduced(&on_right)]
}

/// The same of the chunks from number `first` on, in f32, without every second chunk from number `full` on.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx2+fma")))]
fn held_sums(weights: [&[f32]; 2], v: &[f64], first: usize, full: usize) -> [f32; 2] {
    let ([left, right], v) = (weights.map(|weights| weights.as_chunks::<LANES>().0), v.as_chunks::<LANES>().0);
    let count = left.len().min(right.len()).min(v.len());
    let (left, right, v) = (&left[..count], &right[..count], &v[..count]);
    let (mut on_left, mut on_right) = ([0.0; LANES], [0.0; LANES]);
    let mut i = first;
    while i < count {
        let speed: [f32; LANES] = std::array::from_fn(|lane| v[i][lane] as f32);
        for lane in 0..LANES {
            on_left[lane] += left[i][lane] * speed[lane];
        }
        for lane in 0..LANES {
            on_right[lane] += right[i][lane] * speed[lane];
        }
        i += if i < full { 1 } else { 2 };
    }
    [total(&on_left), total(&on_right)]
}

/// Sum of all lanes.
#[inline(never)]
fn total(&[a, b, c, d, e, f, g, h]: &[f32; LANES]) -> f32 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Sum of all lanes. Not inlined: the loops before it would be compiled for narrower registers.
#[inline(never)]
fn reduced(&[a, b, c, d, e, f, g, h]: &[f64; LANES]) -> f64 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_physics::contact::ContactLaw;
    use urto_physics::modal::Mode;
    use urto_physics::solver::{Capacity, ExactContact, PointHammerSpec};

    const MODES: usize = 12;

    fn shape(position: f64) -> [f64; MODES] {
        std::array::from_fn(|i| (position * (i + 1) as f64).sin())
    }

    /// A hammer pressed against a body, in exact contact.
    fn pressed() -> Collision {
        let capacity = Capacity { modes: MODES, held: 0, hammers: 1, hammer_modes: 1, levels: 4 };
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

    /// Two pickups that move at different times, one of them without a ramp.
    #[test]
    fn pickups_read_an_exact_contact_like_its_body() {
        let mut collision = pressed();
        let mut pickups = [0.0; 2].map(|_| Pickup::new(16));
        pickups.iter_mut().zip([0.2, 0.9]).for_each(|(pickup, position)| pickup.set(&shape(position), 16));
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        let mut begins = true;
        for block in 0..12 {
            match block {
                2 => pickups[0].set_target(&shape(0.4)),
                3 => pickups.iter_mut().zip([0.5, 0.8]).for_each(|(pickup, position)| pickup.set_target(&shape(position))),
                6 => pickups[1].set_target(&shape(0.1)[..7]),
                9 => pickups[0].set(&shape(1.1), 16),
                _ => (),
            }
            for offset in 0..CONTROL_BLOCK {
                route_exact_contact(&mut pickups, &mut collision, std::mem::take(&mut begins));
                assert!(collision.step_exact(&mut |_, _| ()));
                read_pickups(&pickups, &collision, offset, &mut out);
                let mut settled = collision.clone();
                settled.settle();
                let whole = HeldPart { felt: settled.felt_modes(), thinned: false };
                for (expected, out) in read_both(&pickups, &settled.body().v, offset, whole).into_iter().zip(&out) {
                    assert!((out[offset] - expected).abs() < 1e-13, "block {block}, frame {offset}: {} {expected}", out[offset]);
                    assert!(expected != 0.0);
                }
            }
            pickups.iter_mut().for_each(Pickup::arrive);
        }
    }
}
