//! The hammers of the drive: on which body they hang, and what pushes them.

use crate::context::RenderContext;
use crate::drive::hammer_mount::{MountSpring, MountedHammer};
use crate::modulation::ModOffsets;
use crate::modulation::{Smoother, step_for_time};
use crate::params::{ParamId, ParamValues};
use crate::polyphony::VoiceManager;
use crate::voice::HammerLaunch;

/// Time constant [s] in which hold and gravity are laid on: slower than a body's lowest modes, so that it makes no sound.
const LAID_ON: f64 = 20e-3;
/// Part of them at which all are there.
const ALL: f64 = 1e-6;

/// One or two hammers on a body.
#[derive(Clone, Copy, Debug)]
pub struct DrivenHammers {
    /// The object they are on.
    object: Option<usize>,
    /// Left and right, or one for both.
    hammers: [Option<MountedHammer>; 2],
    /// How far hold and gravity are laid on, 0 to 1.
    laid: Smoother,
    step: f64,
    /// Force [N] and acceleration [m/s^2] towards the body, beside the signal.
    load: (f64, f64),
    /// Frames since something pushed.
    pub quiet: u32,
}

impl DrivenHammers {
    /// None yet, at `rate` [Hz].
    pub fn new(rate: f64) -> Self {
        Self {
            object: None,
            hammers: [None; 2],
            laid: Smoother::at(0.0),
            step: step_for_time(LAID_ON, rate),
            load: (0.0, 0.0),
            quiet: 0,
        }
    }

    /// Whether there is any.
    pub fn is_there(&self) -> bool {
        self.object.is_some()
    }

    /// Whether they are on object `i`.
    pub fn is_on(&self, i: usize) -> bool {
        self.object == Some(i)
    }

    /// They are gone with their body.
    pub fn forget(&mut self) {
        (self.object, self.hammers) = (None, [None; 2]);
    }
}

impl VoiceManager {
    /// The body that is driven by a note, or without one that of the home key.
    fn driven_key(&self, settings: &ParamValues) -> u8 {
        let note = self.drive.note;
        let home = settings.get(ParamId::HomeKey) as u8;
        if note.serial == 0 { home } else { settings.body_key(note.id.key) }
    }

    /// The knobs as the hammer of side 0 or 1 has them: two are apart along the body, both on it.
    fn drive_grip(&self, side: usize, scene: &RenderContext) -> ParamValues {
        let mut grip = scene.note_param_context().resolve(&self.drive.note);
        if self.drive.channels == 2 {
            let half = 0.5 * scene.settings.get(ParamId::DriveApart);
            let middle = grip.get(ParamId::StrikePosition).clamp(half, 1.0 - half);
            grip.set(ParamId::StrikePosition, if side == 0 { middle - half } else { middle + half });
        }
        grip
    }

    /// The hammers take what knobs and hands want now, or leave a body that is no longer to be driven.
    pub(super) fn update_driven_hammers(&mut self, scene: &RenderContext) {
        let Some(i) = self.drive.hung.object else { return };
        let (object, key) = (&self.objects[i], self.driven_key(scene.settings));
        let stays = object.key == key && object.place == Some(self.shelf.current()) && !object.stolen;
        if !stays || self.drive.is_over() {
            return self.lift_drive();
        }
        if self.drive.channels == 1 {
            self.lift_driven(1);
        }
        let sway = ModOffsets::new(&self.drive.note, scene.hands, scene.settings);
        let hold = scene.settings.get(ParamId::Hold) + sway.hold();
        self.drive.hung.load = (hold, sway.gravity(scene.settings));
        for side in 0..2 {
            self.regrip_driven(i, side, scene);
        }
    }

    fn regrip_driven(&mut self, i: usize, side: usize, scene: &RenderContext) {
        if self.drive.hung.hammers[side].is_none() {
            return;
        }
        let grip = self.drive_grip(side, scene);
        let object = &mut self.objects[i];
        let (Some(held), Some(place)) = (&mut self.drive.hung.hammers[side], object.place) else { return };
        let Some(body) = self.shelf.body(place) else { return };
        let mass = grip.get(ParamId::HammerMass);
        object.regrip(held.hammer, body, &grip, scene, &mut self.scratch);
        let mode = MountSpring::of(&grip).mode(mass, scene.rate);
        held.aim(mass, mode, grip.get(ParamId::RestHeight), &mut object.collision);
    }

    /// Begins a grid cell: the rest of the hammers moves on, and one that has flown off is put aside.
    pub fn tick_drive(&mut self, scene: &RenderContext) {
        self.follow_drive(scene);
        let Some(i) = self.drive.hung.object else { return };
        for side in 0..2 {
            let collision = &mut self.objects[i].collision;
            let stays = self.drive.hung.hammers[side].as_mut().is_none_or(|held| held.tick(scene.rate, collision));
            if !stays {
                self.lift_driven(side);
            }
        }
    }

    /// Takes all hammers of the drive away.
    pub fn lift_drive(&mut self) {
        self.lift_driven(0);
        self.lift_driven(1);
        self.drive.hung.forget();
    }

    fn lift_driven(&mut self, side: usize) {
        if let Some(i) = self.drive.hung.object
            && let Some(held) = self.drive.hung.hammers[side].take()
        {
            self.objects[i].remove_hammer(held.hammer);
            self.recorder.forget(i, held.hammer);
        }
    }

    /// Leaves a body that a strike of `key` will not meet, so that it may be the one that gives way.
    pub fn leave_for(&mut self, key: u8, scene: &RenderContext) {
        let elsewhere = |i: usize| self.objects[i].key != key;
        if self.drive.hung.object.is_some_and(elsewhere) && self.drive.driver(scene.settings).is_some() {
            self.lift_drive();
        }
    }

    /// Hangs up the hammer of side 0 or 1 at the body of object `i`, at its height.
    fn attach_hammer(&mut self, i: usize, side: usize, scene: &RenderContext) {
        let grip = self.drive_grip(side, scene);
        let (mass, height) = (grip.get(ParamId::HammerMass), grip.get(ParamId::RestHeight));
        let mode = MountSpring::of(&grip).mode(mass, scene.rate);
        let Some(hammer) = self.add_hammer(i, (&HammerLaunch::held_by(mode), 0), &grip, scene) else { return };
        self.objects[i].set_driven(hammer);
        if height > 0.0 {
            self.objects[i].collision.set_hammer_gap(hammer, height);
        }
        let hung = &mut self.drive.hung;
        if hung.hammers.iter().all(Option::is_none) {
            (hung.laid, hung.quiet) = (Smoother::at(0.0), 0);
        }
        hung.hammers[side] = Some(MountedHammer::new(hammer, mass, mode, height));
    }

    /// Pushes the hammers in frame `offset` of the grid cell; a push finds its body even when that has fallen asleep.
    pub fn push(&mut self, offset: usize, scene: &RenderContext) {
        if self.drive.is_idle() {
            return;
        }
        let forces = self.drive.forces.map(|channel| channel[offset]);
        let rises = self.drive.rises.map(|channel| channel[offset]);
        let pushes = self.drive.roll.moves() || forces[..self.drive.channels].iter().any(|&force| force != 0.0);
        let hung = &mut self.drive.hung;
        hung.quiet = if pushes { 0 } else { hung.quiet.saturating_add(1) };
        let missing = hung.object.is_none() || hung.hammers[..self.drive.channels].iter().any(Option::is_none);
        if pushes && missing {
            self.hang_up(scene);
        }
        let Some(i) = self.drive.hung.object else { return };
        let hung = &mut self.drive.hung;
        hung.laid.target = 1.0;
        hung.laid.advance(hung.step, ALL);
        let (hold, acceleration) = hung.load;
        let collision = &mut self.objects[i].collision;
        for ((held, force), rise) in hung.hammers.iter().zip(forces).zip(rises) {
            if let Some(held) = held {
                // the square begins without a corner
                let load = hung.laid.value().powi(2) * (hold + held.mass * acceleration);
                collision.set_push(held.hammer, force + load + held.leading(collision));
                collision.set_rise(held.hammer, rise);
            }
        }
    }

    /// Every hammer that is missing is hung up.
    fn hang_up(&mut self, scene: &RenderContext) {
        let Some(i) = self.drive.hung.object.or_else(|| self.voice_for_key(self.driven_key(scene.settings), scene)) else {
            return;
        };
        self.drive.hung.object = Some(i);
        for side in 0..self.drive.channels {
            if self.drive.hung.hammers[side].is_none() {
                self.attach_hammer(i, side, scene);
            }
        }
        if self.drive.hung.hammers.iter().all(Option::is_none) {
            self.drive.hung.forget();
        }
        self.update_driven_hammers(scene);
    }

    /// Takes note of what the hammers did in a frame, for display.
    pub fn watch_drive(&mut self) {
        if self.drive.is_idle() {
            return;
        }
        let hung = &self.drive.hung;
        let Some(i) = hung.object else { return self.drive.trace.note_hammers(None, 0.0) };
        let height = hung.hammers[0].map(|held| -self.objects[i].collision.hammer(held.hammer).compression());
        let force = std::mem::take(&mut self.objects[i].driven_force);
        self.drive.trace.note_hammers(height, force);
    }
}
