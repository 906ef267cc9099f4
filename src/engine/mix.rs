//! Frames out of the stage: objects with hammers step together frame by frame, the others ring on for the whole run.

use super::object::{Object, Turn};
use super::ring::GRID;
use super::scene::Scene;
use super::stage::{RAMP_END, Stage};
use crate::physics::collision::MOST_SUBSTEPS;
use std::ops::Range;

/// Absolute frames that share a budget of substeps.
const WINDOW: u64 = 64;

/// Substeps of a hammer that all together may take in a window: 32 hammers with 8 a frame; bound to no block of the caller.
const WINDOW_SUBSTEPS: u32 = 32 * 8 * WINDOW as u32;

/// The same in one frame: a crowd of onsets at once, without spending the window on it.
const FRAME_SUBSTEPS: u32 = 32 * 32;

/// Substeps that are left in the window and in its present frame, each counted once for every hammer that takes part in it. Whoever
/// steps first may take all that is left but one for each of those that follow; when all is spent everybody still has one, which
/// closes the sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    window: u64,
    frame: u64,
    in_window: u32,
    in_frame: u32,
    /// What has been spent since it was made.
    pub spent: Spent,
}

/// How many substeps were taken; each counts once for every hammer that takes part in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Frames of bodies with hammers.
    pub frames: u64,
    /// Substeps; none while no hammer touches its body.
    pub substeps: u64,
    /// Frames in which a budget was used up, so that the rest was closed in one step.
    pub bound: u64,
    /// Most in one frame of a body.
    pub most_in_frame: u32,
    /// Most in 64 absolute frames of all bodies.
    pub most_in_window: u32,
}

impl Budget {
    /// Begins an absolute frame.
    fn begin(&mut self, frame: u64) {
        if self.window != frame / WINDOW {
            (self.window, self.in_window) = (frame / WINDOW, 0);
        }
        if self.frame != frame {
            (self.frame, self.in_frame) = (frame, 0);
        }
    }

    /// Most substeps for a body with so many hammers after which `waiting` others come.
    fn share(&self, hammers: u32, waiting: u32) -> u32 {
        let left = (FRAME_SUBSTEPS.saturating_sub(self.in_frame)).min(WINDOW_SUBSTEPS.saturating_sub(self.in_window));
        (left.saturating_sub(waiting) / hammers.max(1)).clamp(1, MOST_SUBSTEPS)
    }

    /// So many substeps of `share` were taken by a body with so many hammers.
    fn spend(&mut self, hammers: u32, substeps: u32, share: u32) {
        self.spent.frames += 1;
        self.spent.bound += u64::from(substeps > share);
        let substeps = substeps * hammers;
        self.spent.substeps += u64::from(substeps);
        self.in_window = self.in_window.saturating_add(substeps);
        self.in_frame = self.in_frame.saturating_add(substeps);
        self.spent.most_in_frame = self.spent.most_in_frame.max(substeps);
        self.spent.most_in_window = self.spent.most_in_window.max(self.in_window);
    }
}

impl Stage {
    /// Renders the frames `run` of a grid cell, to which the drive has listened; `scene.frame` is the first. Overwrites `out` there.
    pub fn render(&mut self, run: Range<usize>, scene: &Scene, out: &mut [[f64; GRID]; 2]) {
        self.wakeful.iter().for_each(|&i| self.objects[i].rendered = run.start);
        for k in run.clone() {
            if !self.drive.is_pushing() && self.awake().all(|o| o.at_work() == 0) {
                break;
            }
            self.frame(k, run.start, &Scene { frame: scene.frame + (k - run.start) as u64, ..*scene });
        }
        let click = scene.click();
        let mut next = 0;
        while let Some(i) = self.next_awake(next) {
            if !self.objects[i].ring_to(run.end, click) {
                self.break_off(i, run.start);
            }
            next = i + 1;
        }
        self.add_up(run, out);
    }

    /// Object `i` is no longer a number: it sleeps, and what it has rendered from `start` on is still heard.
    fn break_off(&mut self, i: usize, start: usize) {
        let Object { out, rendered, .. } = &self.objects[i];
        for (broken, out) in self.broken.iter_mut().zip(out) {
            for (broken, out) in broken.iter_mut().zip(out).take(*rendered).skip(start) {
                *broken += out;
            }
        }
        self.sleep(i);
    }

    /// One frame of every object that has hammers, those with the most energy in their contacts lately first: they have the first choice
    /// of the substeps that are left.
    fn frame(&mut self, offset: usize, start: usize, scene: &Scene) {
        self.push(offset, scene);
        // a throw forgets the order
        if offset == 0 || self.order.is_empty() {
            self.line_up();
        }
        self.budget.begin(scene.frame);
        let click = scene.click();
        self.bases.take_back(&mut self.objects);
        for turn in 0..self.order.len() {
            let i = self.order[turn].1;
            let hammers = self.objects[i].at_work() as u32;
            if hammers == 0 {
                continue;
            }
            let share = self.budget.share(hammers, (self.order.len() - turn - 1) as u32);
            let place = Turn { object: i, offset, frame: scene.frame, budget: share, click, rate: scene.rate };
            let (substeps, sound) = self.objects[i].step(&place, &mut self.bases, &mut self.odd, &mut self.recorder);
            self.budget.spend(hammers, substeps, share);
            if !sound {
                self.break_off(i, start);
                continue;
            }
            let recorder = &mut self.recorder;
            self.objects[i].lift_finished(scene.frame, |hammer| recorder.forget(i, hammer));
        }
        self.watch_drive();
    }

    /// Puts the objects with hammers in order, at least once in a grid cell: falling energy of the contacts, rising number where it is the same.
    fn line_up(&mut self) {
        self.order.clear();
        let with_hammers = self.wakeful.iter().map(|&i| (i, &self.objects[i])).filter(|(_, o)| o.at_work() > 0);
        self.order.extend(with_hammers.map(|(i, o)| (o.contact_energy(), i)));
        self.order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }

    /// Adds the objects in their order, whoever had hammers, and what is left of those that broke or were cut off.
    fn add_up(&mut self, run: Range<usize>, out: &mut [[f64; GRID]; 2]) {
        for (channel, sum) in out.iter_mut().enumerate() {
            for (sum, broken) in sum[run.clone()].iter_mut().zip(&mut self.broken[channel][run.clone()]) {
                *sum = std::mem::take(broken);
            }
            for &i in &self.wakeful {
                for (sum, x) in sum[run.clone()].iter_mut().zip(&self.objects[i].out[channel][run.clone()]) {
                    *sum += x;
                }
            }
            let ramp = &mut self.ramp[channel];
            for k in run.clone() {
                *ramp += std::mem::take(&mut self.cut[channel][k]);
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
    use super::super::body::{Body, BodyRequest};
    use super::super::event::NoteId;
    use super::super::glide::Glides;
    use super::super::hands::Hands;
    use super::super::knob::Settings;
    use super::super::tuning::Tuning;
    use super::*;

    /// A window of a crowd of bodies with so many hammers each that ask for all they can get, in the order of energy: substeps of each in
    /// every frame.
    fn crowd(contacts: u32, hammers: u32, wanted: u32) -> Vec<Vec<u32>> {
        let mut budget = Budget::default();
        let mut frame = |frame| {
            budget.begin(frame);
            let mut turn = |waiting| {
                // beyond the share one substep closes the sample
                let taken = budget.share(hammers, waiting).min(wanted);
                budget.spend(hammers, taken, wanted);
                taken
            };
            (0..contacts).rev().map(&mut turn).collect()
        };
        (0..WINDOW).map(&mut frame).collect()
    }

    #[test]
    fn the_strongest_choose_first_and_everybody_closes_the_sample() {
        let frames = crowd(40, 1, MOST_SUBSTEPS);
        assert_eq!(frames[0][..5], [256, 256, 256, 256 - 36, 1], "the first three and what the 36 leave");
        assert!(frames.iter().flatten().all(|&taken| taken >= 1));
        assert!(frames.iter().all(|frame| frame.is_sorted_by(|a, b| a >= b) && frame.iter().sum::<u32>() <= FRAME_SUBSTEPS));
        let total: u32 = frames.iter().flatten().sum();
        assert!(total <= WINDOW_SUBSTEPS + 40 * WINDOW as u32, "{total}");
        // who asks for less leaves more to the others
        assert_eq!(crowd(40, 1, 20)[0], vec![20; 40]);
    }

    #[test]
    fn a_body_under_many_hammers_costs_as_much_as_many_bodies() {
        let frames = crowd(1, 16, MOST_SUBSTEPS);
        assert_eq!(frames[0], [FRAME_SUBSTEPS / 16]);
        let total: u32 = frames.iter().flatten().map(|substeps| 16 * substeps).sum();
        assert!(total <= WINDOW_SUBSTEPS + 16 * WINDOW as u32, "{total}");
    }

    /// Strikes two keys and leaves `left` substeps of the window; the state of both bodies after it.
    fn two_bodies(keys: [u8; 2], speeds: [f64; 2], left: u32) -> [Vec<f64>; 2] {
        let settings = Settings::default();
        let rate = 48e3;
        let glides = Glides::new(&settings, GRID as f64 / rate);
        let (tuning, hands) = (Tuning::default(), Hands::default());
        let scene = |frame| Scene { settings: &settings, tuning: &tuning, hands: &hands, glides: &glides, rate, frame };
        let mut stage = Stage::new(rate, 4, 32, Body::prepare(BodyRequest::of(&settings), &[], &[]));
        for (key, speed) in keys.into_iter().zip(speeds) {
            stage.strike(NoteId { voice: None, channel: 0, key }, speed, &scene(0));
        }
        stage.budget.in_window = WINDOW_SUBSTEPS - left;
        let mut out = [[0.0; GRID]; 2];
        for cell in 0..WINDOW / GRID as u64 {
            stage.render(0..GRID, &scene(cell * GRID as u64), &mut out);
        }
        keys.map(|key| stage.objects.iter().find(|o| o.key == key && o.is_awake()).unwrap().collision.body().v.clone())
    }

    /// With too few substeps for both, the hard stroke is stepped as finely as ever, whichever came first.
    #[test]
    fn a_hard_stroke_has_its_substeps_before_a_soft_one() {
        let [hard, soft] = two_bodies([60, 72], [3.0, 0.05], WINDOW_SUBSTEPS);
        for left in [0, 150] {
            let [short_hard, short_soft] = two_bodies([60, 72], [3.0, 0.05], left);
            assert_eq!((short_hard == hard, short_soft == soft), (left == 150, false), "{left} substeps");
        }
        // whichever came first
        for left in 0..150 {
            let [short_hard, short_soft] = two_bodies([60, 72], [3.0, 0.05], left);
            let [other_soft, other_hard] = two_bodies([72, 60], [0.05, 3.0], left);
            assert!(other_hard == short_hard && other_soft == short_soft, "{left} substeps");
        }
    }
}
