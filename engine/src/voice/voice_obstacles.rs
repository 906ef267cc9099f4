//! Obstacles on a voice: adding, changing and removing them, and when they can be skipped.

use crate::body::{BodyScratch, PreparedBody};
use crate::context::RenderContext;
use crate::voice::hammer::HammerState;
use crate::voice::obstacles::{ObstacleParams, Obstacles};
use crate::voice::ring::is_nearly_at_rest;
use crate::voice::voice::Voice;
use urto_physics::solver::Obstacle;

/// Amplitude [m] of a loose obstacle below which it may stop while the body cannot reach it.
const REST_AMPLITUDE: f64 = 1e-7;

impl Voice {
    /// Makes obstacles dormant if the body alone can no longer reach them, until something touches the body.
    pub fn update_dormant_obstacles(&mut self) {
        if self.obstacles.count() == 0 || self.hammers.count > 0 {
            return;
        }
        self.sync_state();
        self.wake_obstacles();
        let away = |i: usize| self.collision.is_out_of_reach(i) && self.collision.own_swing(i) < REST_AMPLITUDE;
        // a body rings under its tension only without anything on it
        let dormant = !self.collision.rings_by_samples() && self.obstacles.iter().all(away);
        self.obstacles.set_dormant(dormant);
    }

    /// Whether none of the obstacles will move the body any more.
    pub(super) fn obstacles_rest(&self) -> bool {
        let rests = |i: usize| {
            let obstacle = self.collision.hammer(i);
            obstacle.mass().is_infinite() || is_nearly_at_rest(obstacle.energy_about_equilibrium(), obstacle.mass())
        };
        self.obstacles.iter().all(|i| rests(i) || self.collision.is_out_of_reach(i))
    }

    /// Removes all obstacles.
    pub fn clear_obstacles(&mut self) {
        self.wake_obstacles();
        for i in self.obstacles.iter() {
            self.collision.remove_hammer(i);
        }
        self.obstacles = Obstacles::default();
    }

    /// Records the parameters of its obstacles, None without any.
    pub fn set_obstacle_params(&mut self, params: Option<ObstacleParams>) {
        self.obstacles.set_params(params);
    }

    /// Adds one obstacle. Returns whether there was room.
    pub fn add_obstacle(
        &mut self,
        params: &ObstacleParams,
        body: &PreparedBody,
        context: &RenderContext,
        scratch: &mut BodyScratch,
    ) -> bool {
        self.collision.set_resolution(context.resolution());
        let weights = self.hammer_weights(body, params.position(self.obstacles.count(), body), context, scratch);
        let ObstacleParams { law, mode, gap, press, .. } = *params;
        let obstacle = Obstacle { law, mass: params.mass(), tether: mode, gap, press, weights };
        let Some(i) = self.collision.add_obstacle(obstacle) else { return false };
        self.hammers.states[i] = HammerState::default();
        self.obstacles.add(i);
        true
    }

    /// Changes the obstacles from the parameters `last` to `params`.
    pub fn update_obstacles(
        &mut self,
        params: &ObstacleParams,
        last: &ObstacleParams,
        body: &PreparedBody,
        context: &RenderContext,
        scratch: &mut BodyScratch,
    ) {
        self.wake_obstacles();
        for i in self.obstacles.iter() {
            if let Some(mass) = params.mass() {
                if params.mass() != last.mass() {
                    self.collision.set_mass(i, mass);
                }
                if params.mode != last.mode {
                    self.collision.set_tether(i, params.mode);
                }
            }
            if params.law != last.law {
                self.collision.set_law(i, params.law);
            }
            self.collision.set_obstacle_gap(i, params.gap, params.press);
        }
        if !params.has_position_of(last) {
            self.obstacles.set_params(Some(*params));
            self.update_obstacle_weights(body, context, scratch);
        }
    }

    /// Updates the weights of all obstacles by the current body mass.
    pub(super) fn update_obstacle_weights(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        let Some(params) = self.obstacles.params().copied() else { return };
        for (n, i) in self.obstacles.iter().enumerate() {
            let weights = self.hammer_weights(body, params.position(n, body), context, scratch);
            self.collision.set_weights_behind(i, weights);
        }
    }
}
