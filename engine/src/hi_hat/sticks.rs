//! Sticks on the upper plate of a hi-hat.

use crate::block::CONTROL_BLOCK;
use crate::hi_hat::points::{POINTS, STICKS};
use crate::hi_hat::stick_hit::{StickHitRecorder, StickReading};
use crate::telemetry::HitPulse;
use urto_physics::connections::{ContactSpec, Network, PointHammer};
use urto_physics::contact::ContactLaw;

/// Age [s] at which a stick is removed in any case, and the distance [m] at which one that leaves is.
const MAX_STICK_AGE: f64 = 0.1;
const CLEAR_DISTANCE: f64 = 5e-4;

/// A stroke of a stick.
#[derive(Clone, Copy, Debug)]
pub struct StickStroke {
    /// Contact law.
    pub law: ContactLaw,
    /// Mass [kg].
    pub mass: f64,
    /// Velocity [m/s].
    pub velocity: f64,
    /// Time [s] until it arrives.
    pub delay: f64,
}

/// A stick in front of the upper plate.
#[derive(Clone, Copy, Debug, Default)]
struct Stick {
    /// Frames until it is removed; 0: there is none.
    left: u32,
    /// Root mean square of the field's weights at its place [kg^-1/2].
    weight: f64,
    /// Velocity when it was sent [m/s].
    velocity: f64,
    law: Option<ContactLaw>,
    /// Compression of its contact a sample before [m].
    compression: f64,
}

/// Forces of all sticks in a sample.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StickForces {
    /// Their sum [N].
    pub all: f64,
    /// The sum of those times the weights of the field [N kg^-1/2].
    pub on_field: f64,
}

/// The sticks of a hi-hat.
#[derive(Clone, Debug, Default)]
pub(super) struct Sticks {
    list: [Stick; STICKS],
    hits: StickHitRecorder,
}

impl Sticks {
    /// Whether there is any.
    pub fn any(&self) -> bool {
        self.list.iter().any(|stick| stick.left > 0)
    }

    /// The number of the next stick: a free one, or the older one.
    pub fn next(&self) -> usize {
        usize::from(self.list[1].left < self.list[0].left)
    }

    /// Sends stick number `slot` with the row of weights of the network; `field` are the weights of the field at its place.
    pub fn launch(
        &mut self,
        slot: usize,
        stroke: &StickStroke,
        (row, field): (&[f64], &[f64]),
        network: &mut Network,
        rate: f64,
    ) {
        let mean = field.iter().map(|weight| weight * weight).sum::<f64>() / field.len().max(1) as f64;
        let gap = stroke.velocity * stroke.delay;
        self.hits.forget(slot);
        self.list[slot] = Stick {
            left: ((MAX_STICK_AGE + stroke.delay) * rate) as u32,
            weight: mean.sqrt(),
            velocity: stroke.velocity,
            law: Some(stroke.law),
            compression: -gap,
        };
        let hammer = PointHammer { mass: stroke.mass, velocity: stroke.velocity };
        network.launch(POINTS + slot, row, ContactSpec { law: stroke.law, gap }, hammer);
    }

    /// Their forces in the last sample.
    pub fn forces(&self, network: &Network) -> StickForces {
        let mut forces = StickForces::default();
        for (slot, stick) in self.list.iter().enumerate().filter(|(_, stick)| stick.left > 0) {
            let force = network.force(POINTS + slot);
            forces.all += force;
            forces.on_field += stick.weight * force;
        }
        forces
    }

    /// Records a sample of h [s].
    pub fn record(&mut self, network: &Network, h: f64) {
        let Self { list, hits } = self;
        for (slot, stick) in list.iter_mut().enumerate().filter(|(_, stick)| stick.left > 0) {
            let port = POINTS + slot;
            let (Some(compression), Some(hammer), Some(law)) = (network.compression(port), network.hammer(port), stick.law)
            else {
                continue;
            };
            let before = std::mem::replace(&mut stick.compression, compression);
            let (mass, velocity, velocity_in) = (hammer.mass, hammer.velocity, stick.velocity);
            let reading = StickReading { compression, before, force: network.force(port), mass, velocity, velocity_in, law };
            hits.record(slot, &reading, h, || network.modes(0).energy() + network.modes(1).energy());
        }
    }

    /// The last finished contact since the last call.
    pub fn take_hit(&mut self) -> Option<HitPulse> {
        self.hits.take()
    }

    /// Removes those that have left or are too old, at the end of a control block: however the block is split.
    pub fn end_block(&mut self, network: &mut Network) {
        for slot in 0..STICKS {
            let (left, port) = (self.list[slot].left, POINTS + slot);
            if left == 0 {
                continue;
            }
            let leaves = network.hammer(port).is_none_or(|hammer| hammer.velocity <= 0.0);
            let clear = leaves && network.compression(port).is_none_or(|x| x < -CLEAR_DISTANCE);
            self.list[slot].left = left.saturating_sub(CONTROL_BLOCK as u32);
            if clear || self.list[slot].left == 0 {
                self.remove(slot, network);
            }
        }
    }

    /// Removes all.
    pub fn remove_all(&mut self, network: &mut Network) {
        (0..STICKS).for_each(|slot| self.remove(slot, network));
    }

    fn remove(&mut self, slot: usize, network: &mut Network) {
        self.hits.forget(slot);
        network.retract(POINTS + slot);
        self.list[slot].left = 0;
    }
}
