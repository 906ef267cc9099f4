//! The one or two hammers of the drive, and the forces on them.

use crate::drive::hammer_mount::MountedHammer;
use crate::modulation::{Smoother, step_for_time};
use urto_physics::solver::Collision;

/// Time constant [s] with which press force and gravity set in: slower than a body's lowest modes, so that it makes no sound.
const LOAD_FADE_TIME: f64 = 20e-3;
/// Distance from 1 at which the fade lands.
const SETTLE_DISTANCE: f64 = 1e-6;

/// Effect of the drive on its hammers in one frame; left and right, or both in the first.
#[derive(Clone, Copy, Debug)]
pub struct DriveFrame {
    /// Forces [N] towards the body.
    pub forces: [f64; 2],
    /// Velocities [m/s] with which the rolling surface rises.
    pub rises: [f64; 2],
    /// Whether the frame excites the body.
    pub pushes: bool,
}

/// Constant load on each hammer towards the body, beside the signal.
#[derive(Clone, Copy, Debug, Default)]
pub struct HammerLoad {
    /// Force [N].
    pub force: f64,
    /// Acceleration [m/s^2].
    pub acceleration: f64,
}

/// One or two hammers on a voice.
#[derive(Clone, Copy, Debug)]
pub struct DrivenHammers {
    /// Number of the voice they are on.
    voice: Option<usize>,
    /// Left and right, or one for both.
    hammers: [Option<MountedHammer>; 2],
    /// How far the load has set in, 0 to 1.
    load_fade: Smoother,
    fade_step: f64,
    load: HammerLoad,
    /// Frames since the last push.
    quiet_frames: u32,
}

impl DrivenHammers {
    /// No hammers yet, at `rate` [Hz].
    pub fn new(rate: f64) -> Self {
        Self {
            voice: None,
            hammers: [None; 2],
            load_fade: Smoother::at(0.0),
            fade_step: step_for_time(LOAD_FADE_TIME, rate),
            load: HammerLoad::default(),
            quiet_frames: 0,
        }
    }

    /// Number of the voice they are on.
    pub fn voice(&self) -> Option<usize> {
        self.voice
    }

    /// Whether they are on a voice.
    pub fn is_attached(&self) -> bool {
        self.voice.is_some()
    }

    /// Whether they are on voice `i`.
    pub fn is_on(&self, i: usize) -> bool {
        self.voice == Some(i)
    }

    /// Assigns them to voice `i`.
    pub fn attach_to(&mut self, i: usize) {
        self.voice = Some(i);
    }

    /// Forgets voice and hammers, which are gone.
    pub fn forget(&mut self) {
        (self.voice, self.hammers) = (None, [None; 2]);
    }

    /// The hammer of side 0 or 1.
    pub fn get(&self, side: usize) -> Option<&MountedHammer> {
        self.hammers[side].as_ref()
    }

    /// The hammer of side 0 or 1, to be changed.
    pub fn get_mut(&mut self, side: usize) -> Option<&mut MountedHammer> {
        self.hammers[side].as_mut()
    }

    /// Takes out the hammer of side 0 or 1.
    pub fn take(&mut self, side: usize) -> Option<MountedHammer> {
        self.hammers[side].take()
    }

    /// Adds the hammer of side 0 or 1; the load of the first sets in from 0.
    pub fn insert(&mut self, side: usize, hammer: MountedHammer) {
        if self.is_empty() {
            (self.load_fade, self.quiet_frames) = (Smoother::at(0.0), 0);
        }
        self.hammers[side] = Some(hammer);
    }

    /// Whether there is no hammer.
    pub fn is_empty(&self) -> bool {
        self.hammers.iter().all(Option::is_none)
    }

    /// Whether a hammer for `channels` channels is missing.
    pub fn is_incomplete(&self, channels: usize) -> bool {
        self.voice.is_none() || self.hammers[..channels].iter().any(Option::is_none)
    }

    /// Sets the load beside the signal.
    pub fn set_load(&mut self, load: HammerLoad) {
        self.load = load;
    }

    /// Counts the frames without a push.
    pub fn count_frame(&mut self, frame: &DriveFrame) {
        self.quiet_frames = if frame.pushes { 0 } else { self.quiet_frames.saturating_add(1) };
    }

    /// Frames since the last push.
    pub fn quiet_frames(&self) -> u32 {
        self.quiet_frames
    }

    /// Applies forces and surface velocities of one frame to the hammers on `collision`.
    pub fn apply(&mut self, frame: &DriveFrame, collision: &mut Collision) {
        self.load_fade.target = 1.0;
        self.load_fade.advance(self.fade_step, SETTLE_DISTANCE);
        for ((mounted, force), rise) in self.hammers.iter().zip(frame.forces).zip(frame.rises) {
            if let Some(mounted) = mounted {
                // squared, so that the load sets in without a corner
                let load = self.load_fade.value().powi(2) * (self.load.force + mounted.mass() * self.load.acceleration);
                collision.set_push(mounted.hammer(), force + load + mounted.anchor_force(collision));
                collision.set_rise(mounted.hammer(), rise);
            }
        }
    }
}
