//! Changes of the tension's law at any time, and its rest while the body is quiet.
//!
//! A change that lowers V is lost energy. One that would raise V lowers K such that V stays; K then climbs back as fast as the
//! motion pays, with at most a twentieth of its kinetic energy in a sample of 48 kHz.

use crate::solver::body_tension::{Activity, TensionLaw};
use crate::solver::collision::Collision;

/// Share of the kinetic energy that K may take in 1/48000 s, and in any sample.
const PAID: f64 = 0.05;
const PAID_AT: f64 = 48e3;
const MOST_PAID: f64 = 0.25;

/// Force of the tension over that of the body's own stiffness below which it rests, -120 dB, and above which it acts again.
const QUIET: f64 = 1e-6;
const AUDIBLE: f64 = 2e-6;

impl Collision {
    /// Sets the tension of the body, which keeps sounding. A body with a new law is linear until [`Collision::update_tension`] or a
    /// hammer wakes it.
    pub fn set_tension(&mut self, law: &TensionLaw) {
        if law.stiffness <= 0.0 && !self.tension.exists() {
            return;
        }
        self.change_parameters(None, |c| c.tension.set_law(law, &c.body.modes, c.body.felt()));
    }

    /// Lets the tension rest while its force is inaudible, and act while it is not.
    #[inline]
    pub fn update_tension(&mut self) {
        if self.tension.exists() {
            self.update_activity();
        }
    }

    #[inline(never)]
    fn update_activity(&mut self) {
        let strength = self.tension.strength(&self.body.modes);
        if self.tension.acts() && strength < QUIET {
            self.change_parameters(None, |c| c.tension.set_activity(Activity::Resting));
        } else if strength > AUDIBLE {
            self.wake_tension();
        }
    }

    /// Lets the tension act from now on.
    pub fn wake_tension(&mut self) {
        if self.tension.exists() && !self.tension.acts() {
            self.change_parameters(None, |c| c.tension.set_activity(Activity::Acting));
        }
    }

    /// Lets the tension rest until it is woken: the body is linear. Its energy is lost.
    pub fn rest_tension(&mut self) {
        if self.tension.acts() {
            self.change_parameters(None, |c| c.tension.set_activity(Activity::Resting));
        }
    }

    /// Begins a sample: K climbs back as far as the motion pays.
    #[inline]
    pub(crate) fn begin_tension(&mut self) {
        if self.tension.acts() {
            self.pay_for_tension();
        }
    }

    fn pay_for_tension(&mut self) {
        let missing = self.tension.missing_energy(&self.body.modes.q);
        if missing == 0.0 {
            return self.tension.raise(1.0);
        }
        let before = self.balance.is_some().then(|| self.corrected_energy());
        let felt = self.body.felt();
        let kinetic = 0.5 * self.body.modes.v[..felt].iter().map(|v| v * v).sum::<f64>();
        let paid = missing.min((PAID * PAID_AT * self.h).min(MOST_PAID) * kinetic);
        if paid > 0.0 {
            let factor = (1.0 - paid / kinetic).max(0.0).sqrt();
            self.body.modes.v[..felt].iter_mut().for_each(|v| *v *= factor);
            self.body.forget_felt_ahead();
            self.tension.raise(paid / missing);
        }
        if let Some(before) = before {
            let after = self.corrected_energy();
            if let Some(balance) = &mut self.balance {
                balance.record_change(before, after);
            }
        }
    }
}
