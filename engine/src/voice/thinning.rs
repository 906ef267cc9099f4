//! Thinning of a dense body under hammers: while the cost is too high, half of its high modes rest.
//!
//! The pickups fade to the modes that will remain, times their factors, over one control block. At its end the state takes the factors and the pickups
//! their weights again, so that the sound does not jump. When thinning ends, the modes share their energy first, and the pickups fade back.

use crate::voice::thinning_state::Thinning;
use crate::voice::voice::Voice;
use urto_physics::modal::{ThinningGains, resting_modes, thinned_weight};

/// Cost of a frame of a body with hammers for each mode that every substep computes, except for its collision.
const FRAME_MODE_COST: f32 = 1.0;
/// The same for each held mode: the sums of the pickups and the exchange between bands.
const HELD_FRAME_MODE_COST: f32 = 0.55;

impl Voice {
    /// Whether it can be thinned from the next control block on.
    pub fn can_be_thinned(&self) -> bool {
        let still = || self.output.pickups.iter().all(|pickup| !pickup.is_moving());
        matches!(self.thinning, Thinning::Off) && self.expects_steps() && self.collision.can_be_thinned() && still()
    }

    /// Whether half of its high modes rest.
    pub fn is_thinned(&self) -> bool {
        matches!(self.thinning, Thinning::On)
    }

    /// Cost per frame that thinning saves, in samples of one reference resonator.
    pub fn thinning_saving(&self) -> f32 {
        self.resting_if_thinned() * (HELD_FRAME_MODE_COST + self.collision.held_mode_cost())
    }

    /// Cost per frame of its modes under hammers, as of a thinned body if it is about to be thinned; 0 without hammers. The rest of its cost is that
    /// of contacts, which thinning does not lower.
    pub fn planned_cost(&self) -> f32 {
        if !self.expects_steps() {
            return 0.0;
        }
        let held = self.collision.held_count() as f32 * self.collision.held_mode_cost();
        let saved = if matches!(self.thinning, Thinning::Fading(_)) {
            self.thinning_saving()
        } else if self.is_thinned() {
            self.resting_if_thinned() * self.collision.held_mode_cost()
        } else {
            0.0
        };
        (self.frame_mode_cost() + held - saved).max(0.0)
    }

    /// Whether it rings after a touch, and is likely to be touched again before an end of thinning is worth its cost.
    pub fn rests_briefly(&self) -> bool {
        self.active_count() == 0 && self.lookahead.is_just_touched()
    }

    /// Modes of a dense body that move, while it is touched or has just been touched.
    pub fn touched_dense_modes(&self) -> usize {
        if !self.is_dense() || self.active_count() == 0 && !self.rests_briefly() {
            return 0;
        }
        let resting = if matches!(self.thinning, Thinning::Off) { 0.0 } else { self.resting_if_thinned() };
        self.collision.modes().len() - resting as usize
    }

    /// Begins to thin it, at the beginning of a control block; at once if its high modes rest.
    pub fn begin_thinning(&mut self) {
        self.discard_lookahead();
        if self.collision.high_modes_rest() {
            self.collision.thin_at_rest();
            self.lookahead.invalidate_pickups();
            self.thinning = Thinning::On;
            return;
        }
        let gains = self.collision.thinning_gains();
        self.output.pickups.iter_mut().for_each(|pickup| pickup.fade_to(|i| gains.of_mode(i)));
        self.lookahead.invalidate_pickups();
        self.thinning = Thinning::Fading(gains);
    }

    /// Ends the fade of the pickups with the control block. The factors of the modes that remain, unless the weights have been replaced meanwhile.
    pub(super) fn end_fade(&mut self) -> Option<ThinningGains> {
        let Thinning::Fading(gains) = self.thinning else { return None };
        self.thinning = Thinning::Off;
        self.lookahead.invalidate_pickups();
        let faded = self.output.pickups.each_mut().map(|pickup| pickup.end_fade());
        (faded == [true; 2]).then_some(gains)
    }

    /// Thins it once the pickups have faded.
    pub(super) fn finish_thinning(&mut self, gains: &ThinningGains) {
        self.discard_lookahead();
        let factor = self.collision.thin(gains);
        self.lookahead.invalidate_pickups();
        if factor < 1.0 {
            self.output.pickups.iter_mut().for_each(|pickup| pickup.fade_from(|_| 1.0 / factor));
        }
        self.thinning = Thinning::On;
    }

    /// Ends thinning at the beginning of a control block. Returns false if that has to wait.
    pub fn end_thinning(&mut self) -> bool {
        if !self.is_thinned() || self.output.pickups.iter().any(|pickup| pickup.is_moving()) {
            return false;
        }
        self.discard_lookahead();
        self.collision.thicken();
        let modes = self.collision.modes().len();
        self.output.pickups.iter_mut().for_each(|pickup| pickup.fade_from(|i| thinned_weight(i, modes)));
        self.lookahead.invalidate_pickups();
        self.thinning = Thinning::Off;
        true
    }

    /// Number of modes that rest while it is thinned.
    fn resting_if_thinned(&self) -> f32 {
        resting_modes(self.collision.modes().len())
    }

    /// Cost of a frame with hammers that its modes cause beyond their collision.
    pub(super) fn frame_mode_cost(&self) -> f32 {
        let (all, held) = (self.collision.modes().len() as f32, self.collision.held_count() as f32);
        let resting = if self.is_thinned() { self.resting_if_thinned() } else { 0.0 };
        FRAME_MODE_COST * (all - held).max(0.0) + HELD_FRAME_MODE_COST * (held - resting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::CONTROL_BLOCK;
    use crate::body::{BodyScratch, BodySpec, PreparedBody};
    use crate::context::ContextSetup;
    use crate::midi::Note;
    use crate::modulation::NoteParams;
    use crate::params::{BodyKind, ParamId, ParamValues};
    use crate::telemetry::HitRecorder;
    use crate::voice::{ExactContactPool, HammerLaunch, KeyPitch, NoteHammer, StepRequest, StepResources, StepScratch, capacity};
    use urto_physics::modal::StepTable;
    use urto_physics::solver::Collision;

    const RATE: f64 = 48e3;
    const ROOM: usize = 2_400;

    /// Calls `play` with a crash cymbal, just struck, and a function that renders a control block of it.
    fn with_crash(play: impl FnOnce(&mut Voice, &mut dyn FnMut(&mut Voice))) {
        let mut settings = ParamValues::default();
        let parameters = [
            (ParamId::Body, BodyKind::Disc as u8 as f64),
            (ParamId::Modes, 32.0),
            (ParamId::BodyMass, 1.3),
            (ParamId::Thickness, 0.9e-3),
            (ParamId::Density, 1.0),
            (ParamId::Hold, 50.0),
        ];
        parameters.into_iter().for_each(|(param, value)| settings.set(param, value));
        let setup = ContextSetup::new(settings, RATE);
        let context = setup.at(0);
        let body = PreparedBody::prepare(BodySpec::of(&setup.settings), &[], &[]);
        let (mut voice, mut scratch) = (Voice::new(RATE, ROOM), BodyScratch::new(ROOM));
        voice.activate(KeyPitch { key: 60, hertz: setup.tuning.hertz(60).expect("tuned") }, 0, &body, &context, &mut scratch);
        assert!(voice.collision_mut().add_spare_hammer(Collision::spare_hammer(RATE, capacity(ROOM))).is_ok());
        let params = NoteParams::resolve(&Note::of(Default::default()), &context.note_param_context());
        let hammer = NoteHammer { launch: HammerLaunch::point(), strike_speed: 3.0, serial: 1 };
        voice.launch_hammer(&body, &hammer, &params, &context, &mut scratch).expect("there is room");
        let (mut exact, mut table, mut recorder) =
            (ExactContactPool::default(), StepTable::with_capacity(ROOM), HitRecorder::default());
        let mut steps = StepScratch::new(ROOM);
        let mut frame = 0;
        play(&mut voice, &mut |voice| {
            voice.start_rendering(0);
            for offset in 0..CONTROL_BLOCK {
                let request =
                    StepRequest { voice: 0, offset, frame, cost_limit: 1e9, cost_left: 1e9, noise_gain: 0.0, rate: RATE };
                let mut resources = StepResources {
                    exact_contacts: &mut exact,
                    odd_table: &mut table,
                    recorder: &mut recorder,
                    step_scratch: &mut steps,
                };
                assert!(voice.step(&request, &mut resources).finite);
                frame += 1;
            }
        });
    }

    /// What the pickups hear, at the start or at the end of a ramp, and the size of its parts.
    fn heard(voice: &Voice, at_end: bool) -> [(f64, f64); 2] {
        let v = &voice.collision.body().v;
        voice.output.pickups.each_ref().map(|pickup| {
            let weights = if at_end { &pickup.target } else { &pickup.now };
            let parts = || weights.iter().zip(v.iter()).map(|(weight, v)| f64::from(*weight) * v);
            (parts().sum(), parts().map(|part| part * part).sum::<f64>().sqrt())
        })
    }

    /// The sound at the pickups is the same before and after each change of the state.
    #[test]
    fn sound_does_not_jump_when_thinning_begins_and_ends() {
        with_crash(|voice, render| {
            (0..4).for_each(|_| render(voice));
            assert!(voice.can_be_thinned());
            for _ in 0..3 {
                voice.begin_thinning();
                render(voice);
                let before = heard(voice, true);
                voice.end_control_block(0);
                assert!(voice.is_thinned());
                let after = heard(voice, false);
                (0..4).for_each(|_| render(voice));
                let thinned = heard(voice, false);
                assert!(voice.end_thinning());
                let full = heard(voice, false);
                for (before, after) in before.into_iter().zip(after).chain(thinned.into_iter().zip(full)) {
                    assert!(before.1 > 1e-6 && (after.0 - before.0).abs() < 1e-4 * before.1, "{before:?} {after:?}");
                }
                render(voice);
                voice.end_control_block(0);
                render(voice);
            }
        });
    }

    /// A body at rest is thinned at once, and costs less than two thirds.
    #[test]
    fn thinning_lowers_the_cost() {
        with_crash(|voice, render| {
            let before = voice.least_cost();
            voice.begin_thinning();
            assert!(voice.is_thinned());
            assert!(voice.least_cost() < 0.67 * before, "{} of {before}", voice.least_cost());
            assert!((before - voice.least_cost() - voice.thinning_saving()).abs() < 0.02 * before);
            render(voice);
        });
    }
}
