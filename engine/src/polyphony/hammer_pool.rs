//! Hammers that all bodies share: each has room for sixteen, but they are not all struck sixteen times at once.

use std::cmp::Ordering;

use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{Voice, capacity};
use urto_physics::solver::Collision;
use urto_physics::solver::Hammer;

/// Hammers beside one for each body.
const MORE: usize = 32;

/// Obstacles that all bodies share.
const OBSTACLES: usize = 64;

/// The hammers that no body has, and how many may be out; beside them there are those for [`OBSTACLES`]. Boxed: they change hands on the
/// audio thread, and one has hundreds of bytes.
#[expect(clippy::vec_box, reason = "a pointer is moved, not a hammer")]
pub struct HammerPool {
    spare: Vec<Box<Hammer>>,
    most: usize,
}

/// A hammer that may leave: with the least energy, of those that nothing presses if there are any.
#[derive(Clone, Copy, Debug)]
pub struct HammerCandidate {
    pressed: bool,
    energy: f64,
    /// Object and hammer.
    place: (usize, usize),
}

impl HammerCandidate {
    /// Who leaves first.
    pub fn order(&self, other: &Self) -> Ordering {
        self.pressed.cmp(&other.pressed).then(self.energy.total_cmp(&other.energy))
    }
}

impl HammerPool {
    /// Hammers for `bodies` bodies of up to `modes` modes at `rate` [Hz]; the only allocation.
    pub fn new(rate: f64, bodies: usize, modes: usize) -> Self {
        let most = bodies + MORE;
        let all = most + OBSTACLES;
        Self { spare: (0..all).map(|_| Collision::spare_hammer(rate, capacity(modes))).collect(), most }
    }

    /// Takes back what `object` does not need.
    pub fn collect(&mut self, object: &mut Voice) {
        while let Some(striker) = object.collision.take_spare_hammer() {
            self.spare.push(striker);
        }
    }
}

impl VoiceManager {
    /// Sees to it that a hammer or an obstacle may come to object `i`, unless it has all that it may have.
    pub fn reserve_hammer(&mut self, i: usize) {
        if self.objects[i].collision.has_spare_hammer() {
            return;
        }
        if self.pool.spare.is_empty() {
            self.objects.iter_mut().for_each(|object| self.pool.collect(object));
        }
        if let Some(striker) = self.pool.spare.pop()
            && let Err(striker) = self.objects[i].collision.add_spare_hammer(striker)
        {
            self.pool.spare.push(striker);
        }
    }

    /// Whether one more obstacle may be out.
    pub fn has_obstacle(&self) -> bool {
        self.objects.iter().map(|object| object.obstacles.iter().count()).sum::<usize>() < OBSTACLES
    }

    /// Sees to it that one more hammer may be out, for object `i`.
    pub fn enforce_hammer_limit(&mut self, i: usize) {
        if self.objects.iter().map(|object| object.hammers).sum::<usize>() >= self.pool.most
            && let Some(weakest) = self.weakest_but(Some(i)).filter(|weakest| !weakest.pressed)
        {
            self.lift(&weakest);
        }
    }

    /// The hammer that leaves first, of those that are neither the drive's nor obstacles.
    pub fn weakest(&self) -> Option<HammerCandidate> {
        self.weakest_but(None)
    }

    /// The same without those on object `but`.
    fn weakest_but(&self, but: Option<usize>) -> Option<HammerCandidate> {
        let others = self.active_voices.iter().copied().filter(|&i| Some(i) != but);
        let free = others.flat_map(|i| {
            let object = &self.objects[i];
            let bound = |hammer: usize| object.is_driven(hammer) || object.obstacles.contain(hammer);
            object.active().filter(move |&hammer| !bound(hammer)).map(move |hammer| HammerCandidate {
                pressed: object.is_pressed(hammer),
                energy: object.hammer_energy(hammer),
                place: (i, hammer),
            })
        });
        free.min_by(HammerCandidate::order)
    }

    /// A hammer leaves.
    pub fn lift(&mut self, &HammerCandidate { place: (i, hammer), .. }: &HammerCandidate) {
        self.objects[i].remove_hammer(hammer);
        self.recorder.forget(i, hammer);
        self.pool.collect(&mut self.objects[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::CONTROL_BLOCK;
    use crate::body::{BodySpec, PreparedBody};
    use crate::context::RenderContext;
    use crate::event::NoteId;
    use crate::midi::MidiControllers;
    use crate::modulation::{ParamSmoothers, SmoothedChanges};
    use crate::params::HammerType;
    use crate::params::{ParamId, ParamValues};
    use crate::tuning::KeyFrequencies;

    /// More bristles than hammers: the last stroke has all of its own, others' weakest have left, and none is lost.
    #[test]
    fn the_weakest_leave_when_there_are_no_more() {
        let (rate, bodies) = (48e3, 8);
        let mut settings = ParamValues::default();
        settings.set(ParamId::Striker, HammerType::Brush as usize as f64);
        let glides = ParamSmoothers::new(&settings, CONTROL_BLOCK as f64 / rate);
        let (tuning, hands) = (KeyFrequencies::default(), MidiControllers::default());
        let scene = |frame| RenderContext { settings: &settings, tuning: &tuning, hands: &hands, glides: &glides, rate, frame };
        let mut stage = VoiceManager::new(rate, bodies, 32, PreparedBody::prepare(BodySpec::of(&settings), &[], &[]));
        let (all, there_are) = (stage.pool.most, stage.pool.spare.len());
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        for round in 0..40 {
            let key = 50 + (round * 3 % bodies) as u8;
            let frame = (round * CONTROL_BLOCK) as u64;
            stage.tick(SmoothedChanges::default(), 1.0, &scene(frame));
            stage.note_on(NoteId { voice: None, channel: 0, key }, 0.5, &scene(frame));
            let struck = stage.objects.iter().find(|o| o.is_awake() && o.key == key).unwrap();
            assert!(struck.hammers >= 12, "{} of the twelve bristles", struck.hammers);
            stage.render(0..CONTROL_BLOCK, &scene(frame), &mut out);
            let there: usize = stage.objects.iter().map(|o| o.hammers).sum();
            assert!(there <= all, "{there}");
            assert!(round < 8 || there > all / 2, "the pool runs dry: {there} of {all}");
        }
        for i in 0..stage.objects.len() {
            stage.sleep(i);
        }
        assert_eq!(stage.pool.spare.len(), there_are);
    }
}
