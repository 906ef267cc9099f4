//! A body over a tube: the step of the tube at the end of every sample, and its changes.
//!
//! Bar and tube have unlike losses, so that their joined real modes would split where the true ones do not: both are stepped by themselves, exactly, and
//! exchange energy once a sample. Resting means without tube; its energy is lost then.

use crate::solver::body_tube::{TubeJoint, TubeOscillator};
use crate::solver::collision::Collision;

impl Collision {
    /// Takes the modes of a tube, at most [`MAX_TUBE_MODES`](crate::solver::MAX_TUBE_MODES), until [`Collision::set_body`]; none is no tube. As many as before keep
    /// their energy.
    pub fn set_tube(&mut self, joints: &[TubeJoint]) {
        if self.tube.exists() || !joints.is_empty() {
            self.change_parameters(None, |c| c.tube.set(joints));
        }
    }

    /// Sets how far its mouth is open, 0 to 1: the factor of the exchange from now on. Changes no energy.
    pub fn set_tube_opening(&mut self, opening: f64) {
        self.tube.set_opening(opening);
    }

    /// Whether a tube acts.
    #[inline]
    pub fn has_tube(&self) -> bool {
        self.tube.acts()
    }

    /// Modes of the tube and their state.
    pub fn tube_modes(&self) -> &[TubeOscillator] {
        self.tube.modes()
    }

    /// Whether the body rings sample by sample: under a tension or a potential, or over a tube.
    #[inline]
    pub fn rings_by_samples(&self) -> bool {
        self.is_stiffening() || self.tube.acts()
    }

    /// Lets the tube act from now on.
    pub(crate) fn wake_tube(&mut self) {
        self.tube.wake();
    }

    /// Lets the tube rest until it is woken.
    pub(crate) fn rest_tube(&mut self) {
        if self.tube.acts() {
            self.change_parameters(None, |c| c.tube.rest());
        }
    }

    /// Ends a sample: the step of the tube and the exchange.
    #[inline]
    pub(crate) fn end_tube(&mut self) {
        if self.tube.acts() {
            self.step_tube();
        }
    }

    #[inline(never)]
    fn step_tube(&mut self) {
        let mut entry = self.open_entry();
        if self.balance.is_some() {
            entry.lost_in_modes = self.tube.loss_of_step();
        }
        self.tube.step(&mut self.body.modes.v);
        if self.tube.reach() > self.body.felt() {
            self.body.forget_ahead();
        } else {
            self.body.forget_felt_ahead();
        }
        self.close_entry(entry);
    }
}
