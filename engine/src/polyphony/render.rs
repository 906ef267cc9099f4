//! Frames out of the stage: objects with hammers step together frame by frame, the others ring on for the whole run.

use crate::block::CONTROL_BLOCK;
use crate::context::RenderContext;
use crate::polyphony::load_shedding::shed_load;
use crate::polyphony::voice_manager::{RAMP_END, VoiceManager};
use crate::voice::{StepReport, StepRequest, Voice};
use std::ops::Range;
use std::slice;

/// Frames of which any that follow each other share a budget of work.
const WINDOW: usize = 64;

/// Work of hammers in a window, in samples of one resonator of the yardstick: 208 yardsticks a sample, where a block of the dearest sound
/// may take 220. What is counted is known to a third; see [`Collision::allow`](urto_physics::solver::Collision::allow).
const WINDOW_COST: f32 = (208 * 64 * WINDOW) as f32;

/// Part of what is left in the window that one frame may take: the first frames of a crowd do not starve those after them.
const FRAME_PART: f32 = 1.0 / 16.0;

/// Frames for which the least work of those that are there is set aside.
const RESERVED_FRAMES: f32 = 0.5 * WINDOW as f32;

/// Part of an even share that a frame may take as long as there is one.
const LEAST_PART: f32 = 0.12;

/// Work of a frame that can go on for ever.
const LASTING_WORK: f32 = WINDOW_COST / WINDOW as f32;

/// Work beyond which a window should not come, whoever follows a crowd that has spent it. The least that hammers take is known roughly: the
/// most that half an hour of the soak came to is 1.24 [`WINDOW_COST`].
const MOST_WORK: f32 = 1.5 * WINDOW_COST;

/// Work that hammers have taken in the last frames, and may take in this. Whoever steps first may take all that is left but the least of
/// those that follow; when all is spent everybody still closes the sample with the least that there is.
#[derive(Clone, Copy, Debug)]
pub struct VoiceCostBudget {
    frames: [f32; WINDOW],
    /// The present frame, and the latest that there was: zones of a kit come to a grid cell one after the other.
    frame: u64,
    latest: u64,
    /// Work of the frames before this one in the window.
    before: f32,
    /// Part of the hammers that were too many in the present frame; see [`VoiceCostBudget::excess`].
    pub too_many: f32,
    /// What has been spent since it was made.
    pub spent: CostTotals,
}

/// How much work was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostTotals {
    /// Frames of bodies with hammers.
    pub frames: u64,
    /// Substeps, each once for every hammer that takes part in it; none while no hammer touches its body.
    pub substeps: u64,
    /// Frames of bodies in which a budget bound: substeps were longer, or forces less settled, than they would have been.
    pub bound: u64,
    /// Hammers and obstacles that left because the work of all was too much.
    pub relieved: u64,
    /// Work, in samples of one resonator of the yardstick.
    pub work: f64,
    /// Most work in one frame of all bodies, in samples of one resonator of the yardstick.
    pub most_in_frame: f32,
    /// Most work in 64 frames that follow each other.
    pub most_in_window: f32,
}

impl CostTotals {
    /// Both together.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            frames: self.frames + other.frames,
            substeps: self.substeps + other.substeps,
            bound: self.bound + other.bound,
            relieved: self.relieved + other.relieved,
            work: self.work + other.work,
            most_in_frame: self.most_in_frame.max(other.most_in_frame),
            most_in_window: self.most_in_window.max(other.most_in_window),
        }
    }
}

impl Default for VoiceCostBudget {
    fn default() -> Self {
        Self { frames: [0.0; WINDOW], frame: 0, latest: 0, before: 0.0, too_many: 0.0, spent: CostTotals::default() }
    }
}

impl VoiceCostBudget {
    fn place(frame: u64) -> usize {
        (frame % WINDOW as u64) as usize
    }

    /// Begins an absolute frame.
    fn begin(&mut self, frame: u64) {
        let passed = frame.saturating_sub(self.latest).min(WINDOW as u64);
        (0..passed).for_each(|n| self.frames[Self::place(frame - n)] = 0.0);
        (self.frame, self.latest) = (frame, self.latest.max(frame));
        self.before = self.frames.iter().sum::<f32>() - self.in_frame();
    }

    /// Work of the present frame.
    fn in_frame(&self) -> f32 {
        self.frames[Self::place(self.frame)]
    }

    /// Work that a body may take after which others come that take `waiting` at least, where all take `least`.
    fn share(&self, waiting: f32, least: f32) -> f32 {
        if self.is_overdrawn() {
            return 0.0;
        }
        let left = (WINDOW_COST - self.before - RESERVED_FRAMES * least).max(0.0);
        let part = (FRAME_PART * left).max(left.min(LEAST_PART * LASTING_WORK));
        (least + part - self.in_frame() - waiting).max(0.0)
    }

    /// What is left of the window.
    fn left(&self) -> f32 {
        (WINDOW_COST - self.before - self.in_frame()).max(0.0)
    }

    /// A body with so many hammers took so many substeps and this work; `short` where it would have taken more.
    fn spend(&mut self, (hammers, substeps): (u32, u32), work: f32, short: bool) {
        self.frames[Self::place(self.frame)] += work;
        self.spent.frames += 1;
        self.spent.work += f64::from(work);
        self.spent.bound += u64::from(short);
        self.spent.substeps += u64::from(substeps * hammers);
        self.spent.most_in_frame = self.spent.most_in_frame.max(self.in_frame());
        self.spent.most_in_window = self.spent.most_in_window.max(self.before + self.in_frame());
    }

    /// Whether nothing is left of the window for this frame: everybody takes the least that there is.
    fn is_overdrawn(&self) -> bool {
        self.before > WINDOW_COST
    }

    /// Part of the hammers that are too many once this frame has left nothing of the window: what they take could not go on for ever, or not
    /// until what has been spent is out of the window. `least` is what they take at least.
    fn excess(&self, least: f32) -> f32 {
        // a zone of a kit may be behind others: nothing leaves the window between its frames
        let leaving = if self.frame == self.latest { self.frames[Self::place(self.frame + 1)] } else { 0.0 };
        let next = self.before + self.in_frame() - leaving;
        if next <= WINDOW_COST {
            return 0.0;
        }
        let work = if self.is_overdrawn() { self.in_frame() } else { self.in_frame().min(least) };
        let bearable = LASTING_WORK.min(leaving + (MOST_WORK - next).max(0.0) / RESERVED_FRAMES);
        (1.0 - bearable / work).max(0.0)
    }
}

impl VoiceManager {
    /// Renders the frames `run` of a grid cell, to which the drive has listened; `scene.frame` is the first. Overwrites `out` there.
    pub fn render(&mut self, run: Range<usize>, scene: &RenderContext, out: &mut [[f64; CONTROL_BLOCK]; 2]) {
        self.active_voices.iter().for_each(|&i| self.objects[i].rendered = run.start);
        for k in run.clone() {
            if !self.drive.is_pushing() && self.awake().all(|o| o.active_count() == 0) {
                break;
            }
            self.frame(k, run.start, &RenderContext { frame: scene.frame + (k - run.start) as u64, ..*scene });
        }
        let click = scene.click();
        let mut next = 0;
        while let Some(i) = self.next_awake(next) {
            if !self.objects[i].ring_to(run.end, click) {
                self.mute_invalid_voice(i, run.start);
            }
            next = i + 1;
        }
        self.sum_voices(run, out);
    }

    /// Object `i` is no longer a number: it sleeps, and what it has rendered from `start` on is still heard.
    fn mute_invalid_voice(&mut self, i: usize, start: usize) {
        let Voice { out, rendered, .. } = &self.objects[i];
        for (broken, out) in self.invalid_output.iter_mut().zip(out) {
            for (broken, out) in broken.iter_mut().zip(out).take(*rendered).skip(start) {
                *broken += out;
            }
        }
        self.sleep(i);
    }

    /// One frame of every object that has hammers, those with the most energy in their contacts lately first: they have the first choice
    /// of the substeps that are left.
    fn frame(&mut self, offset: usize, start: usize, scene: &RenderContext) {
        self.push(offset, scene);
        // a throw forgets the order
        if offset == 0 || self.order.is_empty() {
            self.sort_by_contact_energy();
        }
        self.budget.begin(scene.frame);
        let click = scene.click();
        self.bases.reclaim(&mut self.objects);
        let least: f32 = self.order.iter().map(|&(_, i)| self.objects[i].least_work()).sum();
        let mut waiting = least;
        for turn in 0..self.order.len() {
            let i = self.order[turn].1;
            let hammers = self.objects[i].active_count() as u32;
            if hammers == 0 {
                continue;
            }
            waiting -= self.objects[i].least_work();
            let share = self.budget.share(waiting, least);
            let left = self.budget.left();
            let place = StepRequest { object: i, offset, frame: scene.frame, allowance: share, left, click, rate: scene.rate };
            let StepReport { substeps, work, short, sound } =
                self.objects[i].step(&place, &mut self.bases, &mut self.odd, &mut self.recorder);
            self.budget.spend((hammers, substeps), work, short);
            if !sound {
                self.mute_invalid_voice(i, start);
                continue;
            }
            let recorder = &mut self.recorder;
            self.objects[i].remove_finished(scene.frame, |hammer| recorder.forget(i, hammer));
        }
        let excess = self.budget.excess(least);
        self.budget.too_many = excess;
        if excess > 0.0 {
            self.budget.spent.relieved += shed_load(slice::from_mut(self), excess);
        }
        self.watch_drive();
    }

    /// Puts the objects with hammers in order, at least once in a grid cell: falling energy of the contacts, rising number where it is the same.
    fn sort_by_contact_energy(&mut self) {
        self.order.clear();
        let with_hammers = self.active_voices.iter().map(|&i| (i, &self.objects[i])).filter(|(_, o)| o.active_count() > 0);
        self.order.extend(with_hammers.map(|(i, o)| (o.contact_energy(), i)));
        self.order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }

    /// Adds the objects in their order, whoever had hammers, and what is left of those that broke or were cut off.
    fn sum_voices(&mut self, run: Range<usize>, out: &mut [[f64; CONTROL_BLOCK]; 2]) {
        for (channel, sum) in out.iter_mut().enumerate() {
            for (sum, broken) in sum[run.clone()].iter_mut().zip(&mut self.invalid_output[channel][run.clone()]) {
                *sum = std::mem::take(broken);
            }
            for &i in &self.active_voices {
                for (sum, x) in sum[run.clone()].iter_mut().zip(&self.objects[i].out[channel][run.clone()]) {
                    *sum += x;
                }
            }
            let ramp = &mut self.ramp[channel];
            for k in run.clone() {
                *ramp += std::mem::take(&mut self.fade_tail[channel][k]);
                sum[k] += *ramp;
                *ramp *= self.ramp_step;
                if ramp.abs() < RAMP_END {
                    *ramp = 0.0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{BodySpec, PreparedBody};
    use crate::event::NoteId;
    use crate::midi::MidiControllers;
    use crate::modulation::{ParamSmoothers, SmoothedChanges};
    use crate::params::{ParamId, ParamValues};
    use crate::tuning::KeyFrequencies;

    /// Some windows of a crowd of bodies that want so much work each in every frame and take at least `least`: what each takes.
    fn crowd(bodies: usize, least: f32, wanted: f32) -> Vec<Vec<f32>> {
        let mut budget = VoiceCostBudget::default();
        let mut frame = |frame| {
            budget.begin(frame);
            let mut turn = |waiting: usize| {
                let work = budget.share(waiting as f32 * least, bodies as f32 * least).max(least).min(wanted);
                budget.spend((1, 1), work, work < wanted);
                work
            };
            (0..bodies).rev().map(&mut turn).collect()
        };
        (0..5 * WINDOW as u64).map(&mut frame).collect()
    }

    #[test]
    fn the_strongest_choose_first_and_everybody_closes_the_sample() {
        let frames = crowd(40, 200.0, 1e9);
        let left = WINDOW_COST - RESERVED_FRAMES * 40.0 * 200.0;
        assert_eq!(frames[0][..2], [200.0 + FRAME_PART * left, 200.0], "the first, and what closes a sample");
        assert!(frames.iter().flatten().all(|&work| work >= 200.0));
        assert!(frames.iter().all(|frame| frame.is_sorted_by(|a, b| *a >= b - 0.1)));
        // who asks for less leaves more to the others
        assert_eq!(crowd(40, 200.0, 900.0)[0], vec![900.0; 40]);
    }

    #[test]
    fn every_window_keeps_within_its_work_and_is_spent_evenly() {
        for bodies in [1, 10, 40] {
            let work: Vec<f32> = crowd(bodies, 200.0, 1e9).iter().map(|frame| frame.iter().sum()).collect();
            let windows: Vec<f32> = work.windows(WINDOW).map(|window| window.iter().sum()).collect();
            let most = windows.iter().fold(0.0, |a: f32, b| a.max(*b));
            assert!(most <= 1.12 * WINDOW_COST, "what closes samples when all is spent: {most}");
            let lasting = &windows[2 * WINDOW..];
            assert!(lasting.iter().all(|work| *work > 0.6 * WINDOW_COST), "{lasting:?}");
            assert!(work.iter().all(|work| *work > 0.1 * LASTING_WORK), "none starves: {work:?}");
        }
    }

    /// A crowd spends its window in a few frames, and another comes whose least could just go on for ever: beside what has been spent it is
    /// too much, and some of it leaves.
    #[test]
    fn who_comes_after_a_crowd_does_not_take_a_second_window() {
        let mut budget = VoiceCostBudget::default();
        let (mut hammers, mut most) = (40.0_f32, 0.0_f32);
        for frame in 0..4 * WINDOW as u64 {
            budget.begin(frame);
            let least = hammers * 0.024 * LASTING_WORK;
            budget.spend((1, 1), if frame < 10 { 0.11 * WINDOW_COST } else { least }, true);
            most = most.max(budget.before + budget.in_frame());
            hammers -= (hammers * budget.excess(least)).ceil();
        }
        assert!(most <= MOST_WORK && most > 1.2 * WINDOW_COST, "{}", most / WINDOW_COST);
        assert!(hammers >= 4.0, "some are left: {hammers}");
    }

    #[test]
    fn zones_that_come_to_a_cell_one_after_the_other_share_its_frames() {
        let mut budget = VoiceCostBudget::default();
        for zone in 0..3 {
            for frame in 0..CONTROL_BLOCK as u64 {
                budget.begin(frame);
                assert_eq!(budget.in_frame(), 100.0 * zone as f32, "what the zones before took");
                budget.spend((1, 1), 100.0, false);
            }
        }
        budget.begin(CONTROL_BLOCK as u64);
        assert_eq!((budget.in_frame(), budget.before), (0.0, 300.0 * CONTROL_BLOCK as f32));
    }

    /// Strikes two keys and leaves `left` of the work of a window; the state of both bodies after it.
    fn two_bodies(keys: [u8; 2], speeds: [f64; 2], left: f32) -> [Vec<f64>; 2] {
        let settings = ParamValues::default();
        let rate = 48e3;
        let glides = ParamSmoothers::new(&settings, CONTROL_BLOCK as f64 / rate);
        let (tuning, hands) = (KeyFrequencies::default(), MidiControllers::default());
        let scene = |frame| RenderContext { settings: &settings, tuning: &tuning, hands: &hands, glides: &glides, rate, frame };
        let mut stage = VoiceManager::new(rate, 4, 32, PreparedBody::prepare(BodySpec::of(&settings), &[], &[]));
        for (key, speed) in keys.into_iter().zip(speeds) {
            stage.note_on(NoteId { voice: None, channel: 0, key }, speed, &scene(0));
        }
        stage.budget.frames[WINDOW - 1] = WINDOW_COST - left;
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        for cell in 0..(WINDOW / CONTROL_BLOCK) as u64 {
            stage.render(0..CONTROL_BLOCK, &scene(cell * CONTROL_BLOCK as u64), &mut out);
        }
        keys.map(|key| stage.objects.iter().find(|o| o.key == key && o.is_awake()).unwrap().collision.body().v.clone())
    }

    /// With too little for both, the hard stroke is stepped as finely as ever, whichever came first.
    #[test]
    fn a_hard_stroke_has_its_substeps_before_a_soft_one() {
        let [hard, soft] = two_bodies([60, 72], [3.0, 0.05], WINDOW_COST);
        let mut kept = Vec::new();
        for part in 0..24 {
            let left = part as f32 * 0.002 * WINDOW_COST;
            let [short_hard, short_soft] = two_bodies([60, 72], [3.0, 0.05], left);
            let [other_soft, other_hard] = two_bodies([72, 60], [0.05, 3.0], left);
            assert!(other_hard == short_hard && other_soft == short_soft, "whichever came first: {left}");
            kept.push((short_hard == hard, short_soft == soft));
        }
        assert_eq!(kept[0], (false, false));
        assert!(kept.contains(&(true, false)) && !kept.contains(&(false, true)), "{kept:?}");
    }

    /// More hammers than can be afforded at all: the weakest leave until the others can.
    #[test]
    fn the_weakest_leave_when_the_least_work_is_too_much() {
        let mut settings = ParamValues::default();
        let knobs = [(ParamId::Modes, 64.0), (ParamId::Stiffness, 1e6), (ParamId::HammerMass, 1e-3), (ParamId::Hold, 50.0)];
        knobs.iter().for_each(|&(knob, value)| settings.set(knob, value));
        let rate = 48e3;
        let glides = ParamSmoothers::new(&settings, CONTROL_BLOCK as f64 / rate);
        let (tuning, hands) = (KeyFrequencies::default(), MidiControllers::default());
        let scene = |frame| RenderContext { settings: &settings, tuning: &tuning, hands: &hands, glides: &glides, rate, frame };
        let mut stage = VoiceManager::new(rate, 8, 64, PreparedBody::prepare(BodySpec::of(&settings), &[], &[]));
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        for cell in 0..64 {
            let frame = cell * CONTROL_BLOCK as u64;
            stage.tick(SmoothedChanges::default(), 1.0, &scene(frame));
            if cell < 32 {
                stage.note_on(NoteId { voice: None, channel: 0, key: 40 + cell as u8 % 4 }, 1.0 + cell as f64, &scene(frame));
            }
            stage.render(0..CONTROL_BLOCK, &scene(frame), &mut out);
        }
        let spent = stage.budget.spent;
        assert!(spent.bound > 0 && spent.relieved > 0, "{spent:?}");
        assert!(stage.budget.before <= 1.05 * WINDOW_COST, "{:?}", stage.budget);
        assert!(spent.most_in_window <= 1.15 * WINDOW_COST, "{spent:?}");
    }
}
