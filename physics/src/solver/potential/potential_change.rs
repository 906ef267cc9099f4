//! Changes of the potential at any time, and its rest while the body is quiet.
//!
//! A change that lowers V is lost energy. One that raises it leaves psi as it is; relaxation then takes the difference from the motion.

use crate::modal::{LentPotential, PotentialSize};
use crate::solver::body_tension::Activity;
use crate::solver::collision::Collision;

/// Force of the potential over that of the body's own stiffness below which it rests, -120 dB, and above which it acts again.
const QUIET: f64 = 1e-6;
const AUDIBLE: f64 = 2e-6;

impl Collision {
    /// Exchanges the potential of the body, which keeps sounding, and returns the old one, even after [`Collision::set_body`].
    /// The body is linear until [`Collision::update_potential`] or [`Collision::wake_potential`].
    pub fn exchange_potential(&mut self, potential: Option<LentPotential>, size: PotentialSize) -> Option<LentPotential> {
        let mut old = None;
        self.change_parameters(None, |c| {
            c.return_energy();
            old = c.potential.exchange(potential);
            c.potential.set_size(size, &c.body.modes, c.body.felt());
        });
        old
    }

    /// Sets the size of V.
    pub fn set_potential_size(&mut self, size: PotentialSize) {
        self.change_parameters(None, |c| c.potential.set_size(size, &c.body.modes, c.body.felt()));
        if size.amount <= 0.0 {
            self.rest_potential();
        }
    }

    /// Takes potential number `level` of those over fewer and fewer modes: 0 with all modes, the last if there are not as many. Modes that
    /// take no part any more keep their state.
    pub fn set_potential_level(&mut self, level: usize) {
        if level.min(self.potential.levels().count().saturating_sub(1)) != self.potential.levels().present() {
            self.change_parameters(None, |c| c.potential.set_level(level));
        }
    }

    /// Lets the potential rest while its force is inaudible, and act while it is not.
    pub fn update_potential(&mut self) {
        if !self.potential.exists() {
            return;
        }
        let strength = self.potential_strength();
        if self.potential.acts() && strength < QUIET {
            self.rest_potential();
        } else if strength > AUDIBLE {
            self.wake_potential();
        }
    }

    /// Lets tension and potential rest while they are inaudible, and act while they are not.
    pub fn update_stiffening(&mut self) {
        self.update_tension();
        self.update_potential();
    }

    /// Lets tension, potential and tube act from now on.
    pub fn wake_stiffening(&mut self) {
        self.wake_tension();
        self.wake_potential();
        self.wake_tube();
    }

    /// Lets tension, potential and tube rest until they are woken.
    pub fn rest_stiffening(&mut self) {
        self.rest_tension();
        self.rest_potential();
        self.rest_tube();
    }

    /// Lets the potential act from now on.
    pub fn wake_potential(&mut self) {
        if self.potential.exists() && !self.potential.acts() {
            self.change_parameters(None, |c| c.potential.set_activity(Activity::Acting));
        }
    }

    /// Lets the potential rest until it is woken: the body is linear. Its energy is lost. Where it stores less than 0, the modes return what is missing;
    /// if they have less, it goes on acting.
    pub fn rest_potential(&mut self) {
        if self.potential.acts() && -self.potential.energy() <= self.felt_energy() {
            self.change_parameters(None, |c| {
                c.return_energy();
                c.potential.set_activity(Activity::Resting);
            });
        }
    }

    /// Energy [J] of the modes that may take part.
    pub(super) fn felt_energy(&self) -> f64 {
        self.body.modes.energy_of_first(self.body.felt())
    }

    /// The potential of a curved body can store less than 0: its modes return what is missing, as far as they can. The energy [J] that they lose.
    pub(super) fn return_energy(&mut self) -> f64 {
        let (missing, modes) = (-self.potential.energy(), self.felt_energy());
        if missing <= 0.0 || modes <= 0.0 {
            return 0.0;
        }
        let felt = self.body.felt();
        self.body.modes.scale_first(felt, (1.0 - missing / modes).max(0.0).sqrt());
        self.body.forget_felt_ahead();
        modes - self.felt_energy()
    }
}
