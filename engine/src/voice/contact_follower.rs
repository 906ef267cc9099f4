//! Largest force and duration of the last contact of a voice, as modulation sources.

use crate::modulation::ContactReading;
use urto_physics::solver::SubstepReport;

/// Measures one contact at a time, that which began last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContactFollower {
    /// The hammer in contact.
    hammer: Option<usize>,
    /// Its contact until now.
    present: ContactReading,
    last: ContactReading,
}

impl ContactFollower {
    /// Adds a substep of a hammer.
    pub fn add(&mut self, substep: &SubstepReport) {
        if substep.began {
            (self.hammer, self.present) = (Some(substep.hammer), ContactReading::default());
        }
        if self.hammer != Some(substep.hammer) {
            return;
        }
        self.present.force = self.present.force.max(substep.force);
        self.present.time += substep.dt;
        if substep.ended {
            (self.hammer, self.last) = (None, self.present);
        }
    }

    /// The last finished contact; 0 before the first.
    pub fn last(&self) -> ContactReading {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contact_that_began_last_is_measured_from_begin_to_end() {
        let substep = |hammer, force, began, ended| SubstepReport {
            hammer,
            start: 0.0,
            dt: 1e-5,
            x0: 0.0,
            x1: 0.0,
            v1: 0.0,
            force,
            loss: 0.0,
            began,
            ended,
        };
        let mut follower = ContactFollower::default();
        follower.add(&substep(0, 3.0, true, false));
        follower.add(&substep(1, 2.0, true, false));
        follower.add(&substep(0, 9.0, false, true));
        assert_eq!(follower.last(), ContactReading::default());
        follower.add(&substep(1, 5.0, false, false));
        follower.add(&substep(1, 1.0, false, true));
        assert_eq!(follower.last(), ContactReading { force: 5.0, time: 3.0 * 1e-5 });
    }
}
