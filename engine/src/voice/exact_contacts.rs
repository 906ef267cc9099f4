//! Linear contacts played exactly: a few bases, dear to build and large, that all bodies share.
//!
//! A contact for which there is no basis is played with substeps; whoever listens can hardly tell, see the documentation of
//! the `contact` knob.

use crate::voice::hammer::MOST_OWN;
use crate::voice::voice::Voice;
use urto_physics::solver::Collision;
use urto_physics::solver::ExactContact;

/// Most modes of a body whose contacts are played exactly, a suspension included.
pub const MOST_MODES: usize = 65;

/// Contacts that may be played exactly at once.
const BASES: usize = 3;

/// Frames from one building of a basis to the next: one of 64 modes takes about 0.3 ms.
const BUILD_INTERVAL: u64 = 64;

/// The same after one that was not found, which takes longest.
const LONG_REST: u64 = 16_384;

/// Work of building one, for each pair of modes of body and hammer, in samples of one resonator of the yardstick: `basis_64`.
const BUILD_PAIR: f32 = 45.0;

/// The bases.
pub struct ExactContactPool {
    slots: Vec<Slot>,
    /// Frame from which the next one may be built.
    ready: u64,
    /// Work of building them since it was asked for.
    work: f32,
}

struct Slot {
    exact: ExactContact,
    object: Option<usize>,
    /// Frame of its last contact.
    used: u64,
}

impl ExactContactPool {
    /// The only allocation.
    pub fn new() -> Self {
        let slot = || Slot { exact: ExactContact::new(MOST_MODES + MOST_OWN), object: None, used: 0 };
        Self { slots: (0..BASES).map(|_| slot()).collect(), ready: 0, work: 0.0 }
    }

    /// As new, once all `objects` sleep.
    pub fn reset(&mut self, objects: &mut [Voice]) {
        self.reclaim(objects);
        (self.ready, self.work) = (0, 0.0);
        for slot in &mut self.slots {
            slot.used = 0;
            slot.exact.forget();
        }
    }

    /// Takes back the bases of `objects` whose contact is no longer played exactly.
    pub fn reclaim(&mut self, objects: &mut [Voice]) {
        for slot in &mut self.slots {
            slot.object = slot.object.filter(|&object| !slot.exact.reclaim(&mut objects[object].collision));
        }
    }

    /// Whether `object` comes into a linear contact in this sample, and there is a basis for it, with which it then begins; one may be
    /// built for the work that is `left`.
    pub fn begin(&mut self, object: usize, collision: &mut Collision, (frame, left): (u64, f32)) -> bool {
        let Some(hammer) = collision.linear_onset() else { return false };
        let Some(slot) = self.slot_for(collision, hammer, (frame, left)) else { return false };
        (slot.object, slot.used) = (Some(object), frame);
        slot.exact.begin(collision, hammer);
        collision.is_exact()
    }

    /// Work of building bases since this was asked last, in samples of one resonator of the yardstick.
    pub fn take_work(&mut self) -> f32 {
        std::mem::take(&mut self.work)
    }

    /// A free slot with the basis for this contact, built if need be in that which has been free for longest.
    fn slot_for(&mut self, collision: &Collision, hammer: usize, (frame, left): (u64, f32)) -> Option<&mut Slot> {
        let free = |slot: &Slot| slot.object.is_none();
        if let Some(i) = self.slots.iter().position(|slot| free(slot) && slot.exact.fits(collision, hammer)) {
            return self.slots.get_mut(i);
        }
        let slot = self.slots.iter_mut().filter(|slot| free(slot)).min_by_key(|slot| slot.used)?;
        let modes = collision.modes().len() + collision.hammer(hammer).modes().len();
        let work = BUILD_PAIR * (modes * modes) as f32;
        if frame < self.ready || collision.modes().len() > MOST_MODES || work > left {
            return None;
        }
        let found = slot.exact.build(collision, hammer);
        self.work += work;
        self.ready = frame + if found { BUILD_INTERVAL } else { LONG_REST };
        found.then_some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_physics::contact::ContactLaw;
    use urto_physics::modal::Mode;
    use urto_physics::solver::Capacity;
    use urto_physics::solver::PointHammerSpec;

    /// Eight modes, and a hammer that has just come.
    fn struck() -> Collision {
        let mut collision = Collision::new(48e3, Capacity { modes: 8, hammers: 1, hammer_modes: 1, levels: 4 });
        collision.set_body((1..=8).map(|n| Mode::heard_at(200.0 * f64::from(n), 2.0)));
        let hit = PointHammerSpec {
            law: ContactLaw::linear(1e6, 10.0),
            mass: 0.02,
            velocity: 1.0,
            tether: Mode::RIGID,
            weights: &[-1.0; 8],
        };
        assert!(collision.strike(hit).is_some());
        collision
    }

    #[test]
    fn a_basis_is_built_for_the_work_that_is_left_only() {
        let (mut bases, work) = (ExactContactPool::new(), BUILD_PAIR * 81.0);
        assert!(!bases.begin(0, &mut struck(), (0, 0.99 * work)) && bases.take_work() == 0.0);
        assert!(bases.begin(0, &mut struck(), (0, 1.01 * work)) && bases.take_work() == work);
    }
}
