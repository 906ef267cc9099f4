//! Hammer Drive: an outside signal as a force on a hammer that stays on the body struck last.
//!
//! The hammer rests on the body at compression 0, held by a soft tether, and is pushed by gain times signal [N], constant over a
//! sample. While nothing pushes and the body has come to rest the hammer is put aside; the next push puts it back.

use std::f64::consts::TAU;

use super::event::NoteId;
use super::hammer::Hammer;
use super::notes::Note;
use super::scene::Scene;
use super::stage::Stage;
use crate::physics::modes::Mode;

/// Frequency [Hz] and damping ratio of the tether: soft against any body, back in place after half a swing.
const TETHER: (f64, f64) = (20.0, 0.5);

/// Largest |signal| that counts; full scale is 1.
const LARGEST_SIGNAL: f64 = 1e3;

/// Where the drive hammer is and how hard it is pushed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Drive {
    /// Force at full scale [N].
    pub gain: f64,
    /// Key struck last.
    pub key: Option<u8>,
    /// Object and hammer number, while the hammer is on a body.
    pub place: Option<(usize, usize)>,
    /// Frames since something pushed.
    pub quiet: u32,
}

impl Drive {
    /// What holds the hammer.
    pub fn tether() -> Mode {
        let (hertz, ratio) = TETHER;
        Mode { omega: TAU * hertz, sigma: TAU * hertz * ratio }
    }

    /// Force [N] for one sample of the signal; 0 for what is not a number.
    pub fn force(&self, signal: f32) -> f64 {
        let signal = f64::from(signal);
        if signal.is_finite() { self.gain * signal.clamp(-LARGEST_SIGNAL, LARGEST_SIGNAL) } else { 0.0 }
    }

    /// Notes whether this frame pushes.
    pub fn note_force(&mut self, force: f64) {
        self.quiet = if force == 0.0 { self.quiet.saturating_add(1) } else { 0 };
    }
}

impl Stage {
    /// Number of the drive hammer if it is on object `i`.
    pub fn driven(&self, i: usize) -> Option<usize> {
        self.drive.place.filter(|&(object, _)| object == i).map(|(_, hammer)| hammer)
    }

    /// Whether the side-chain wakes a body in these frames.
    pub fn may_wake(&self, drive: &[f32]) -> bool {
        self.drive.key.is_some() && drive.iter().any(|&signal| self.drive.force(signal) != 0.0)
    }

    /// Another force at full scale [N].
    pub fn set_drive_gain(&mut self, gain: f64, scene: &Scene) {
        self.drive.gain = gain;
        if gain > 0.0 {
            let current = self.shelf.current();
            let struck = self.drive.key.and_then(|key| Some((key, scene.tuning.hertz(key)?)));
            let meets = |(key, hertz)| self.objects.iter().position(|o| o.meets(key, hertz, current));
            if let Some(i) = struck.and_then(meets) {
                self.place_drive(i, scene);
            }
        } else {
            self.lift_drive();
        }
    }

    fn lift_drive(&mut self) {
        if let Some((i, hammer)) = self.drive.place.take() {
            self.objects[i].lift(hammer);
            self.recorder.forget(i, hammer);
        }
    }

    /// Puts the drive hammer on object `i`, where it stays if it is there already.
    pub fn place_drive(&mut self, i: usize, scene: &Scene) {
        if self.driven(i).is_none() {
            self.lift_drive();
            let grip = scene.grasp().grip(&Note::of(NoteId::default()));
            let hammer = (&Hammer::held_by(Drive::tether()), 0);
            self.drive.place = self.throw(i, hammer, &grip, scene).map(|hammer| (i, hammer));
            self.drive.quiet = 0;
        }
    }

    /// Pushes the drive hammer for one frame with `signal`; a push finds the body struck last even when it has fallen asleep.
    pub fn push(&mut self, signal: f32, scene: &Scene) {
        let Some(key) = self.drive.key.filter(|_| self.drive.gain > 0.0) else { return };
        let force = self.drive.force(signal);
        self.drive.note_force(force);
        let missing = self.drive.place.is_none() && force != 0.0;
        if let Some(i) = missing.then(|| self.object_of(key, scene)).flatten() {
            self.place_drive(i, scene);
        }
        if let Some((i, hammer)) = self.drive.place {
            self.objects[i].collision.set_push(hammer, force);
        }
    }
}
