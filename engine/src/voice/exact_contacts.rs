//! Pool of exact linear contacts: a few eigenbases, expensive to build and large, that all bodies share.
//!
//! A contact without a basis is solved by substeps, which is hardly audible; see the documentation of the `contact` parameter.

use crate::voice::hammer::MAX_HAMMER_MODES;
use urto_physics::solver::{Collision, ExactContact};

/// Maximum number of modes of a body with exact contacts, a suspension included.
const MAX_BODY_MODES: usize = 65;

/// Maximum number of exact contacts at once.
const MAX_CONTACTS: usize = 3;

/// Frames from one building of a basis to the next: one of 64 modes takes about 0.3 ms.
const BUILD_INTERVAL: u64 = 64;

/// The same after a basis was not found, which takes longest.
const FAILURE_INTERVAL: u64 = 16_384;

/// Cost of building a basis for each pair of modes of body and hammer, in samples of one reference resonator: `basis_64`.
const BUILD_PAIR_COST: f32 = 45.0;

/// The frame in which a contact may begin.
#[derive(Clone, Copy, Debug)]
pub struct ContactOnset {
    /// Absolute frame.
    pub frame: u64,
    /// Cost left in the window, in samples of one reference resonator.
    pub cost_left: f32,
}

/// The shared exact contacts.
pub struct ExactContactPool {
    slots: Vec<Slot>,
    /// Frame from which the next basis may be built.
    ready_at: u64,
    /// Cost of building bases since the last reading.
    build_cost: f32,
}

struct Slot {
    exact: ExactContact,
    /// Number of the voice that uses it.
    voice: Option<usize>,
    /// Frame of its last contact.
    used_at: u64,
}

impl Default for ExactContactPool {
    /// Allocates all bases; nothing else of the pool allocates.
    fn default() -> Self {
        let slot = || Slot { exact: ExactContact::new(MAX_BODY_MODES + MAX_HAMMER_MODES), voice: None, used_at: 0 };
        Self { slots: (0..MAX_CONTACTS).map(|_| slot()).collect(), ready_at: 0, build_cost: 0.0 }
    }
}

impl ExactContactPool {
    /// Resets the pool, once all `voices` are asleep.
    pub fn reset<V: AsMut<Collision>>(&mut self, voices: &mut [V]) {
        self.reclaim(voices);
        (self.ready_at, self.build_cost) = (0, 0.0);
        for slot in &mut self.slots {
            slot.used_at = 0;
            slot.exact.forget();
        }
    }

    /// Reclaims the bases of `voices` whose exact contact has ended.
    pub fn reclaim<V: AsMut<Collision>>(&mut self, voices: &mut [V]) {
        for slot in &mut self.slots {
            slot.voice = slot.voice.filter(|&voice| !slot.exact.reclaim(voices[voice].as_mut()));
        }
    }

    /// Begins an exact contact of voice number `voice` if a linear contact begins in this sample and there is a basis for it; one may be
    /// built for the cost that is left. Returns whether the contact is exact.
    pub fn begin(&mut self, voice: usize, collision: &mut Collision, onset: ContactOnset) -> bool {
        let Some(hammer) = collision.linear_onset() else { return false };
        let Some(slot) = self.slot_for(collision, hammer, onset) else { return false };
        (slot.voice, slot.used_at) = (Some(voice), onset.frame);
        slot.exact.begin(collision, hammer);
        collision.is_exact()
    }

    /// Cost of building bases since the last call, in samples of one reference resonator.
    pub fn take_build_cost(&mut self) -> f32 {
        std::mem::take(&mut self.build_cost)
    }

    /// A free slot with the basis for this contact; built if necessary, in the slot that has been free for the longest time.
    fn slot_for(&mut self, collision: &Collision, hammer: usize, onset: ContactOnset) -> Option<&mut Slot> {
        let free = |slot: &Slot| slot.voice.is_none();
        if let Some(i) = self.slots.iter().position(|slot| free(slot) && slot.exact.fits(collision, hammer)) {
            return self.slots.get_mut(i);
        }
        let slot = self.slots.iter_mut().filter(|slot| free(slot)).min_by_key(|slot| slot.used_at)?;
        let modes = collision.modes().len() + collision.hammer(hammer).modes().len();
        let cost = BUILD_PAIR_COST * (modes * modes) as f32;
        if onset.frame < self.ready_at || collision.modes().len() > MAX_BODY_MODES || cost > onset.cost_left {
            return None;
        }
        let found = slot.exact.build(collision, hammer);
        self.build_cost += cost;
        self.ready_at = onset.frame + if found { BUILD_INTERVAL } else { FAILURE_INTERVAL };
        found.then_some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_physics::contact::ContactLaw;
    use urto_physics::modal::Mode;
    use urto_physics::solver::{Capacity, PointHammerSpec};

    /// Eight modes, and a hammer just launched.
    fn struck() -> Collision {
        let mut collision = Collision::new(48e3, Capacity { modes: 8, held: 0, hammers: 1, hammer_modes: 1, levels: 4 });
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
    fn basis_is_built_only_within_the_cost_left() {
        let (mut pool, cost) = (ExactContactPool::default(), BUILD_PAIR_COST * 81.0);
        let onset = |part: f32| ContactOnset { frame: 0, cost_left: part * cost };
        assert!(!pool.begin(0, &mut struck(), onset(0.99)) && pool.take_build_cost() == 0.0);
        assert!(pool.begin(0, &mut struck(), onset(1.01)) && pool.take_build_cost() == cost);
    }
}
