//! The one or two hammers of the drive: their mounts, and the forces on them.
//!
//! A mount is a spring and a damper, independent of the mass of the hammer, at a height above the body:
//!
//! ```text
//! force on the hammer = signal + p^2 (F + m g) + k (c - a)        towards the body
//! ```
//!
//! p: fade-in of the load, 0 to 1; F, g: press force and gravity; c: gap at which the spring of the rigid part was placed; a: gap
//! at which it should be. Where the two differ, the last term shifts the rest position and its work is supplied; the spring itself
//! is recentred as soon as that adds no energy. What a contact moves the spring is not in c: it returns by itself, and a force that follows the contact
//! could supply energy in every bounce.

use crate::block::CONTROL_BLOCK;
use crate::modulation::{Smoother, step_for_time};
use crate::params::{ParamId, ParamValues};
use urto_physics::modal::Mode;
use urto_physics::solver::Collision;

/// Time constant [s] with which press force and gravity fade in: slower than a body's lowest modes, so that it makes no sound.
const LOAD_FADE_TIME: f64 = 20e-3;
/// Distance from 1 at which the fade-in is complete.
const FADE_SETTLE_DISTANCE: f64 = 1e-6;

/// Stiffness [N/m] of a mount with only a damper: a mode needs a spring.
const MIN_STIFFNESS: f64 = 1e-3;
/// Largest angular frequency of a mount over the sample rate: beyond, the hammer would not move within a sample.
const MAX_OMEGA_RATIO: f64 = 2.0;
/// Largest decay rate over the sample rate, for the same reason.
const MAX_SIGMA_RATIO: f64 = 100.0;
/// Time constant [s] with which the rest position moves.
const REST_TIME: f64 = 15e-3;
/// Distance [m] at which the rest position is set to its target.
const SETTLE_DISTANCE: f64 = 1e-9;
/// Distance [m] of the spring's rest position from its target above which the spring is recentred; below it, a force compensates the distance.
const RECENTRE_DISTANCE: f64 = 1e-5;
/// Gap [m] at which a hammer counts as having left the body, and largest distance of a surface from its rest at which one is attached.
const MAX_DISTANCE: f64 = 0.5;

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

/// Constant load on each hammer towards the body, in addition to the signal.
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
    /// Fade-in of the load, 0 to 1.
    load_fade: Smoother,
    fade_step: f64,
    load: HammerLoad,
    /// Frames since the last push.
    quiet_frames: u32,
    /// In this control block the surface was too far away to attach one.
    out_of_reach: bool,
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
            out_of_reach: false,
        }
    }

    /// Number of the voice they are on.
    pub fn voice(&self) -> Option<usize> {
        self.voice
    }

    /// Whether the surface was too far away in this control block to attach one.
    pub fn is_out_of_reach(&self) -> bool {
        self.out_of_reach
    }

    /// Sets whether it is.
    pub fn set_out_of_reach(&mut self, out_of_reach: bool) {
        self.out_of_reach = out_of_reach;
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

    /// Clears voice and hammers after they have been removed.
    pub fn forget(&mut self) {
        (self.voice, self.hammers) = (None, [None; 2]);
    }

    /// The hammer of side 0 or 1.
    pub fn get(&self, side: usize) -> Option<&MountedHammer> {
        self.hammers[side].as_ref()
    }

    /// The hammer of side 0 or 1, mutable.
    pub fn get_mut(&mut self, side: usize) -> Option<&mut MountedHammer> {
        self.hammers[side].as_mut()
    }

    /// Removes and returns the hammer of side 0 or 1.
    pub fn take(&mut self, side: usize) -> Option<MountedHammer> {
        self.hammers[side].take()
    }

    /// Adds the hammer of side 0 or 1; the load of the first fades in from 0.
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

    /// Sets the constant load.
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
        self.load_fade.advance(self.fade_step, FADE_SETTLE_DISTANCE);
        for ((mounted, force), rise) in self.hammers.iter().zip(frame.forces).zip(frame.rises) {
            if let Some(mounted) = mounted {
                // squared, so that the load fades in without a kink
                let load = self.load_fade.value().powi(2) * (self.load.force + mounted.mass() * self.load.acceleration);
                collision.set_push(mounted.hammer(), force + load + mounted.anchor_force(collision));
                collision.set_rise(mounted.hammer(), rise);
            }
        }
    }
}

/// A spring and a damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MountSpring {
    stiffness: f64,
    damping: f64,
}

impl MountSpring {
    /// Stiffness [N/m] and damping [Ns/m] of `settings`.
    pub fn of(settings: &ParamValues) -> Self {
        Self { stiffness: settings.get(ParamId::Tether), damping: settings.get(ParamId::TetherDamping) }
    }

    /// The mode of a hammer of `mass` [kg] at sample rate `rate` [Hz].
    pub fn mode(&self, mass: f64, rate: f64) -> Mode {
        if self.stiffness == 0.0 && self.damping == 0.0 {
            return Mode::RIGID;
        }
        let (omega, sigma) = ((self.stiffness.max(MIN_STIFFNESS) / mass).sqrt(), 0.5 * self.damping / mass);
        Mode { omega: omega.min(MAX_OMEGA_RATIO * rate), sigma: sigma.min(MAX_SIGMA_RATIO * rate) }
    }
}

/// A hammer that stays on a body.
#[derive(Clone, Copy, Debug)]
pub struct MountedHammer {
    /// Its number on the body.
    hammer: usize,
    /// Its mass [kg].
    mass: f64,
    mode: Mode,
    /// Gap [m] at which its spring should be relaxed.
    anchor: Smoother,
}

impl MountedHammer {
    /// Hammer number `hammer` of `mass` [kg] held by `mode`, newly attached at the gap `height` [m].
    pub fn new(hammer: usize, mass: f64, mode: Mode, height: f64) -> Self {
        Self { hammer, mass, mode, anchor: Smoother::at(height) }
    }

    /// Its number on the body.
    pub fn hammer(&self) -> usize {
        self.hammer
    }

    /// Its mass [kg].
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Changes mass [kg], spring and height [m]. A spring that is switched on starts relaxed where the hammer is.
    pub fn update(&mut self, mass: f64, mode: Mode, height: f64, collision: &mut Collision) {
        self.mass = mass;
        if mode != self.mode {
            let switched_on = self.mode.omega == 0.0;
            self.mode = mode;
            collision.set_tether(self.hammer, mode);
            if switched_on {
                self.anchor = Smoother::at(collision.hammer(self.hammer).rest_gap());
            }
        }
        self.anchor.target = height;
    }

    /// Moves the rest position on by one control block at sample rate `rate` [Hz]. Returns false once the hammer has left the body.
    pub fn advance(&mut self, rate: f64, collision: &mut Collision) -> bool {
        self.anchor.advance(step_for_time(REST_TIME, rate / CONTROL_BLOCK as f64), SETTLE_DISTANCE);
        let hammer = collision.hammer(self.hammer);
        let stays = hammer.compression() > -MAX_DISTANCE;
        if self.mode.omega > 0.0 && (hammer.rest_gap() - self.anchor.value()).abs() > RECENTRE_DISTANCE {
            collision.recentre(self.hammer, self.anchor.value());
        }
        stays
    }

    /// Whether the surface under it is where a mount can reach: the force that shifts the rest position of a hammer on a body that has moved
    /// far away would displace both further.
    pub fn is_within_reach(&self, collision: &Collision) -> bool {
        (collision.hammer(self.hammer).placed_gap() - self.anchor.value()).abs() <= MAX_DISTANCE
    }

    /// Force [N] towards the body that shifts the rest position to its target.
    pub fn anchor_force(&self, collision: &Collision) -> f64 {
        let away = collision.hammer(self.hammer).placed_gap() - self.anchor.value();
        self.mass * self.mode.omega * self.mode.omega * away
    }
}
