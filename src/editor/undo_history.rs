//! Undo history, the sounds A and B, and random changes with locks.

use std::collections::BTreeSet;

use crate::host_params::HostParams;
use urto_engine::params::{ParamId, Scale};
use urto_engine::patch::Patch;
use urto_physics::random::SplitMix64;

/// Greatest number of undo steps.
const MAX_STEPS: usize = 200;
/// Moves of one parameter within this time of each other [s] are one step.
const MERGE_TIME: f64 = 0.8;
/// Groups that random changes never touch: settings of keyboard, room and processor.
const NEVER_RANDOMISED: [&str; 16] = [
    "Macros",
    "LFO 1",
    "LFO 2",
    "Envelope 1",
    "Envelope 2",
    "Modulation",
    "Output",
    "MIDI",
    "Pitch",
    "Voices",
    "Layout",
    "Controllers",
    "Humanise",
    "Pickups",
    "Microphones",
    "Room",
];
/// Parameters that random changes never touch: the level of the drive, and the tune of the body and of its dense modes.
const NEVER_RANDOMISED_PARAMS: [ParamId; 3] = [ParamId::DriveGain, ParamId::Tune, ParamId::DensityTune];

/// Patches before and after the current one.
#[derive(Default)]
pub struct UndoHistory {
    undone: Vec<Patch>,
    done: Vec<Patch>,
    /// The parameter changed last, and when [s].
    last: Option<(ParamId, f64)>,
    /// The sound that is not current, of A and B.
    other: Option<Patch>,
    /// Whether B is current.
    second: bool,
    locked: BTreeSet<ParamId>,
}

impl UndoHistory {
    /// Records the current patch before a change at `now` [s]; `param` is set if the change is of one parameter only.
    pub fn remember(&mut self, params: &HostParams, param: Option<ParamId>, now: f64) {
        let together = self.last.is_some_and(|(last, when)| Some(last) == param && now - when < MERGE_TIME);
        self.last = param.map(|param| (param, now));
        let last = self.last;
        if !together {
            self.push(params.own_patch());
        }
        self.last = last;
    }

    /// Records `patch` as the state before a change.
    pub fn push(&mut self, patch: Patch) {
        self.last = None;
        self.undone.clear();
        self.done.push(patch);
        if self.done.len() > MAX_STEPS {
            self.done.remove(0);
        }
    }

    /// Extends the time of the last change to `now` [s].
    pub fn touch(&mut self, now: f64) {
        if let Some((_, when)) = &mut self.last {
            *when = now;
        }
    }

    /// Whether undo and redo are possible.
    pub fn reach(&self) -> [bool; 2] {
        [!self.done.is_empty(), !self.undone.is_empty()]
    }

    /// Steps back from the current patch `now`. Returns the patch to play.
    pub fn undo(&mut self, now: Patch) -> Option<Patch> {
        self.last = None;
        let before = self.done.pop()?;
        self.undone.push(now);
        Some(before)
    }

    /// Steps forward from the current patch `now`. Returns the patch to play.
    pub fn redo(&mut self, now: Patch) -> Option<Patch> {
        self.last = None;
        let after = self.undone.pop()?;
        self.done.push(now);
        Some(after)
    }

    /// Whether B is current.
    pub fn is_second(&self) -> bool {
        self.second
    }

    /// Switches between A and B. Returns the patch to play. The first time both are equal.
    pub fn toggle_ab(&mut self, now: Patch) -> Patch {
        self.second = !self.second;
        self.other.replace(now.clone()).unwrap_or(now)
    }

    /// The sound that is not current, if there is one.
    pub fn other(&self) -> Option<&Patch> {
        self.other.as_ref()
    }

    /// Copies the current sound `now` to the other of A and B.
    pub fn copy(&mut self, now: Patch) {
        self.other = Some(now);
    }

    /// Whether a parameter is locked against random changes.
    pub fn is_locked(&self, id: ParamId) -> bool {
        self.locked.contains(&id)
    }

    /// Locks or unlocks a parameter.
    pub fn toggle_lock(&mut self, id: ParamId) {
        if !self.locked.remove(&id) {
            self.locked.insert(id);
        }
    }

    /// Whether all parameters of a group are locked.
    pub fn is_group_locked(&self, group: &str) -> bool {
        members(group).all(|id| self.is_locked(id))
    }

    /// Locks or unlocks all parameters of a group.
    pub fn lock_group(&mut self, group: &str, lock: bool) {
        self.locked.retain(|id| id.spec().group != group);
        if lock {
            self.locked.extend(members(group));
        }
    }

    /// `patch` with every unlocked continuous parameter moved by up to `amount` of its range. `seed` makes the result reproducible.
    pub fn randomise(&self, patch: &Patch, amount: f64, seed: u64) -> Patch {
        let mut rng = SplitMix64::new(seed);
        let mut patch = patch.clone();
        for &id in ParamId::ALL {
            let param = id.spec();
            let excluded = NEVER_RANDOMISED.contains(&param.group) || NEVER_RANDOMISED_PARAMS.contains(&id) || self.is_locked(id);
            let off = (param.min == 0.0 || id == ParamId::Cascade) && patch.settings.get(id) == param.min;
            if excluded
                || off
                || !param.in_patch
                || !param.automatable
                || matches!(param.scale, Scale::Integer | Scale::Choice(_))
            {
                continue;
            }
            let travel = param.to_normalized(patch.settings.get(id)) + amount * bipolar(&mut rng);
            patch.settings.set(id, param.from_normalized(travel.clamp(0.0, 1.0)));
        }
        patch
    }
}

/// The parameters of a group.
fn members(group: &str) -> impl Iterator<Item = ParamId> {
    ParamId::ALL.iter().copied().filter(move |id| id.spec().group == group)
}

/// A random number from -1 to 1.
fn bipolar(rng: &mut SplitMix64) -> f64 {
    rng.next_u64() as f64 / u64::MAX as f64 * 2.0 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(decay: f64) -> HostParams {
        let params = HostParams::new(|_| ());
        set(&params, decay);
        params
    }

    fn set(params: &HostParams, decay: f64) {
        let mut patch = params.patch();
        patch.settings.set(ParamId::Decay, decay);
        params.load_patch(patch, |_| ());
    }

    #[test]
    fn undo_and_redo_return_to_the_bit() {
        let params = params(1.234_567_890_123);
        let (mut history, first) = (UndoHistory::default(), params.patch());
        for (step, decay) in [2.0, 3.0, 4.0].into_iter().enumerate() {
            history.remember(&params, Some(ParamId::Decay), 2.0 * step as f64);
            set(&params, decay);
        }
        let last = params.patch();
        while let Some(patch) = history.undo(params.patch()) {
            params.load_patch(patch, |_| ());
        }
        assert_eq!((params.patch(), history.reach()), (first, [false, true]));
        while let Some(patch) = history.redo(params.patch()) {
            params.load_patch(patch, |_| ());
        }
        assert_eq!((params.patch(), history.reach()), (last, [true, false]));
    }

    #[test]
    fn turns_of_a_wheel_are_one_step_and_a_new_change_ends_what_was_undone() {
        let (params, mut history) = (params(1.0), UndoHistory::default());
        for tick in 0..20 {
            history.remember(&params, Some(ParamId::Decay), 0.1 * f64::from(tick));
            set(&params, 1.0 + f64::from(tick));
            history.touch(0.1 * f64::from(tick));
        }
        let before = history.undo(params.patch()).expect("one step");
        assert_eq!((before.settings.get(ParamId::Decay), history.reach()), (1.0, [false, true]));
        history.remember(&params, Some(ParamId::Tune), 9.0);
        assert_eq!(history.reach(), [true, false]);
    }

    #[test]
    fn a_and_b_are_two_sounds() {
        let (params, mut history) = (params(1.0), UndoHistory::default());
        let b = history.toggle_ab(params.patch());
        assert_eq!((&b, history.is_second()), (&params.patch(), true));
        set(&params, 5.0);
        let a = history.toggle_ab(params.patch());
        assert_eq!(a.settings.get(ParamId::Decay), 1.0);
        params.load_patch(a, |_| ());
        assert_eq!(history.toggle_ab(params.patch()).settings.get(ParamId::Decay), 5.0);
    }

    #[test]
    fn random_changes_stay_within_the_amount_and_respect_locks() {
        let mut history = UndoHistory::default();
        history.toggle_lock(ParamId::BodyMass);
        let patch = Patch::default();
        let randomised = history.randomise(&patch, 0.12, 7);
        let moved = |id: ParamId| {
            let travel = |patch: &Patch| id.spec().to_normalized(patch.settings.get(id));
            (travel(&randomised) - travel(&patch)).abs()
        };
        for &id in ParamId::ALL {
            assert!(moved(id) <= 0.12 + 1e-9, "{}: {}", id.spec().id, moved(id));
        }
        for kept in [
            ParamId::Level,
            ParamId::DriveGain,
            ParamId::Tune,
            ParamId::DensityTune,
            ParamId::Cascade,
            ParamId::ConcertPitch,
            ParamId::BodyMass,
            ParamId::Modes,
        ] {
            assert_eq!(moved(kept), 0.0, "{}", kept.spec().id);
        }
        let cascades = (0..16).map(|seed| history.randomise(&patch, 0.12, seed).settings.get(ParamId::Cascade));
        assert_eq!(cascades.fold(0.0, f64::max), ParamId::Cascade.spec().min, "what is off stays off");
        assert!(moved(ParamId::HammerMass) > 0.0 && moved(ParamId::Stiffness) > 0.0);
        assert_ne!(history.randomise(&patch, 0.12, 8), randomised);
        history.lock_group("Contact", true);
        let kept = history.randomise(&patch, 0.12, 7).settings;
        for id in members("Contact") {
            assert_eq!(kept.get(id), patch.settings.get(id), "{}", id.spec().id);
        }
        assert!(history.is_group_locked("Contact") && kept.get(ParamId::HammerMass) != patch.settings.get(ParamId::HammerMass));
        history.lock_group("Contact", false);
        assert_eq!(history.randomise(&patch, 0.12, 7), randomised);
    }
}
