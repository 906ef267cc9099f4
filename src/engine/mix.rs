//! Frames out of the stage: objects with hammers step together frame by frame, the others ring on for the whole run.

use super::object::{Object, Scene};
use super::ring::GRID;
use super::stage::{RAMP_END, Stage};
use crate::physics::collision::MOST_SUBSTEPS;
use std::ops::Range;

/// Absolute frames that share a budget of substeps.
const WINDOW: u64 = 64;

/// Substeps that all contacts together may take in a window: 32 bodies with 8 a frame; bound to no block of the caller.
const WINDOW_SUBSTEPS: u32 = 32 * 8 * WINDOW as u32;

/// Substeps that are left in the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    window: u64,
    spent: u32,
}

impl Budget {
    fn share(&mut self, frame: u64, contacts: usize) -> u32 {
        if self.window != frame / WINDOW {
            *self = Self { window: frame / WINDOW, spent: 0 };
        }
        (WINDOW_SUBSTEPS.saturating_sub(self.spent) / contacts.max(1) as u32).clamp(1, MOST_SUBSTEPS)
    }
}

impl Stage {
    /// Renders the frames `run` of a grid cell; `scene.frame` is the first. `drive` holds the side-chain of these frames or
    /// nothing. Overwrites `out` there.
    pub fn render(&mut self, run: Range<usize>, drive: &[f32], scene: &Scene, out: &mut [[f64; GRID]; 2]) {
        for object in &mut self.objects {
            object.rendered = run.start;
        }
        for k in run.clone() {
            let driven = self.drive.gain > 0.0 && self.drive.key.is_some();
            if !driven && self.objects.iter().all(|o| o.hammers == 0) {
                break;
            }
            let signal = drive.get(k - run.start).copied().unwrap_or(0.0);
            self.frame(k, signal, &Scene { frame: scene.frame + (k - run.start) as u64, ..*scene });
        }
        for i in 0..self.objects.len() {
            if !self.objects[i].ring_to(run.end) {
                self.sleep(i);
            }
        }
        self.add_up(run, out);
    }

    /// One frame of every object that has hammers.
    fn frame(&mut self, offset: usize, signal: f32, scene: &Scene) {
        self.push(signal, scene);
        let with_hammers = |o: &&Object| o.hammers > 0;
        let contacts = self.objects.iter().filter(with_hammers).count();
        for i in 0..self.objects.len() {
            if self.objects[i].hammers == 0 {
                continue;
            }
            let share = self.budget.share(scene.frame, contacts);
            let driven = self.driven(i);
            let (substeps, sound) = self.objects[i].step((i, driven), offset, share, &mut self.recorder);
            self.budget.spent = self.budget.spent.saturating_add(substeps);
            if !sound {
                self.sleep(i);
                continue;
            }
            let recorder = &mut self.recorder;
            self.objects[i].lift_finished(driven, scene.frame, |hammer| recorder.forget(i, hammer));
        }
    }

    /// Adds the objects in their order, whoever had hammers, and what is left of those that were cut off.
    fn add_up(&mut self, run: Range<usize>, out: &mut [[f64; GRID]; 2]) {
        for (channel, sum) in out.iter_mut().enumerate() {
            sum[run.clone()].fill(0.0);
            for object in self.objects.iter().filter(|o| o.rendered > run.start) {
                let frames = run.start..object.rendered.min(run.end);
                for (sum, x) in sum[frames.clone()].iter_mut().zip(&object.out[channel][frames]) {
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
