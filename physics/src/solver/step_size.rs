//! Step size of a contact: the level j of substeps h/2^j, from the closed-form contact time.

use crate::modal::Span;
use crate::solver::collision::Collision;
use crate::solver::hammer::Hammer;
use crate::solver::limits::{DEEPEST_LEVEL, Resolution};

/// Time in contact at one level [s] from which the level may get coarser: a lasting contact.
const LASTING_CONTACT: f64 = 0.05;

/// Closed-form contact times, P substeps each, after which a contact has outlasted that estimate and takes the next coarser level, if the
/// resolution allows it.
const OUTLASTED: f64 = 2.0;

/// Minimum closing speed [m/s]: the square of a much lower one underflows, and its contact time would be 0.
const SLOWEST: f64 = 1e-9;

/// Samples between two checks of the level of a lasting contact.
const LOOK_EVERY: u32 = 16;

/// Factors by which the square of the speed in a contact rises and falls before its level is computed again: a fifth of the
/// speed.
const NEARLY_ABOVE: f64 = 1.44;
const NEARLY_BELOW: f64 = 0.64;

/// The same where only a change of two levels matters: the speed grows by three fifths, which makes no contact twice as short
/// under any law.
const MUCH_ABOVE: f64 = 2.56;

impl Resolution {
    /// The coarsest level at which a contact that begins at closing speed v [m/s] takes P substeps, a few more when mu v is
    /// large: dt <= tau/(P (1 + min(mu v, 2)/2)).
    pub fn level(&self, hammer: &Hammer, v: f64, h: f64) -> u32 {
        let law = hammer.law();
        let v = v.max(SLOWEST);
        let of_contact = law.contact_time(hammer.mobility(), v) / (self.substeps_per_contact * law.substep_factor(v));
        let longest = of_contact.min(law.longest_step());
        let mut level = self.coarsest_level.min(DEEPEST_LEVEL);
        let mut dt = h / f64::from(1_u32 << level);
        while level < DEEPEST_LEVEL && dt > longest {
            level += 1;
            dt *= 0.5;
        }
        level
    }
}

impl Hammer {
    /// The level for a contact at the speed of this square [m^2/s^2]. The last level is kept while the speed is nearly the same,
    /// and with `coarser` = false while the speed is not much higher.
    pub(crate) fn level_at(&mut self, squared: f64, coarser: bool, resolution: Resolution, h: f64) -> u32 {
        if let Some((last, level)) = self.contact.last_level
            && squared < if coarser { NEARLY_ABOVE } else { MUCH_ABOVE } * last
            && (!coarser || squared > NEARLY_BELOW * last)
        {
            return level;
        }
        self.find_level(squared, resolution, h)
    }

    #[cold]
    fn find_level(&mut self, squared: f64, resolution: Resolution, h: f64) -> u32 {
        let level = resolution.level(self, squared.sqrt(), h);
        self.contact.last_level = Some((squared, level));
        level
    }
}

impl Collision {
    /// The level required by a hammer that would come into contact in this substep; it refines the level, never coarsens it.
    pub(crate) fn finer_level_for_newcomers(&mut self, span: Span) -> Option<u32> {
        let Span::Level(level) = span else { return None };
        let Self { hammers, body, resolution, h, .. } = self;
        let closing =
            hammers.iter_mut().filter(|s| !s.contact.touching && s.contact.x <= 0.0 && s.contact.x + s.substep.equation.df > 0.0);
        let required = closing.map(|s| {
            let v = s.closing_within(body);
            s.level_at(v * v, true, *resolution, *h)
        });
        let required = required.max()?.min(self.budget.finest());
        (required > level).then_some(required)
    }

    /// After a sample in contact: the level follows the energy in the contact, finer when two levels are missing, coarser only
    /// in a contact that has lasted at one level for long (a change of level costs accuracy), or much longer than its closed-form time.
    pub(crate) fn reconsider_level(&mut self) {
        self.phase.lasted = self.phase.lasted.saturating_add(1);
        if f64::from(self.phase.lasted) * self.h > LASTING_CONTACT && !self.phase.lasted.is_multiple_of(LOOK_EVERY) {
            return;
        }
        let Self { hammers, resolution, h, phase, .. } = self;
        let coarser = phase.age > LASTING_CONTACT;
        let mut required = None;
        for hammer in hammers.iter_mut().filter(|s| s.contact.touching) {
            // mean over the last substep
            let v = hammer.substep.solution.d / hammer.substep.equation.dt;
            let squared = v * v + 2.0 * hammer.contact.energy * hammer.mobility();
            required = required.max(Some(hammer.level_at(squared, coarser, *resolution, *h)));
        }
        let before = phase.level + phase.coarsened;
        let required = required.unwrap_or(before);
        if required > before + 1 {
            phase.take_level(required);
        } else if required < before && coarser {
            let level = required.saturating_sub(phase.coarsened).max(resolution.coarsest_level);
            (phase.coarsened, phase.level, phase.age) = (required.saturating_sub(level), level, 0.0);
        } else if phase.coarsened < resolution.outlasted_levels
            && phase.level > resolution.coarsest_level
            && phase.age > OUTLASTED * resolution.substeps_per_contact * *h / f64::from(1_u32 << phase.level)
        {
            (phase.coarsened, phase.level, phase.age) = (phase.coarsened + 1, phase.level - 1, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactLaw;

    /// A kept level is too coarse by one level at most.
    #[test]
    fn a_speed_that_grows_much_makes_no_contact_twice_as_short() {
        for alpha in [1.0, 1.5, 2.5, 4.0, 5.0] {
            let laws = [ContactLaw::restitution(1e8, alpha, 0.5), ContactLaw::felt(1e8, alpha, 0.5, 1e-4)];
            for law in [0.0, 0.01, 0.3, 10.0].map(|mu| ContactLaw::hunt_crossley(1e8, alpha, mu)).into_iter().chain(laws) {
                let substep_length = |v: f64| law.contact_time(100.0, v) / law.substep_factor(v);
                for tenth in -40..=30 {
                    let v = 10_f64.powf(0.1 * f64::from(tenth));
                    let shorter = substep_length(v) / substep_length(MUCH_ABOVE.sqrt() * v);
                    assert!(shorter < 2.0, "{law:?} at {v} m/s: {shorter}");
                }
            }
        }
    }
}
