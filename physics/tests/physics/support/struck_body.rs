//! Strikes on bodies with a tension or a potential, and their errors against a reference integrator.

use super::potential_reference::{Body, reference};
use super::strike_reference::{Strike, relative_error};
use crate::tier::size;
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::{Capacity, Collision, MAX_SUBSTEPS, PointHammerSpec, Resolution};

/// Sample rate [Hz] of trajectories.
pub const RATE: f64 = 48e3;

/// An empty collision for `modes` modes.
pub fn empty(rate: f64, modes: usize, level: u32) -> Collision {
    let mut collision = Collision::new(rate, Capacity { modes, held: 0, hammers: 3, hammer_modes: 1, levels: 12 });
    collision.set_resolution(Resolution { substeps_per_contact: 16.0, coarsest_level: level, outlasted_levels: 0 });
    collision
}

/// Begins a strike.
pub fn begin(collision: &mut Collision, strike: Strike, weights: &[f64]) {
    let law = ContactLaw::hunt_crossley(strike.stiffness, strike.exponent, strike.damping);
    let hit = PointHammerSpec { law, mass: strike.mass, velocity: strike.velocity, tether: Mode::RIGID, weights };
    let i = collision.strike(hit).expect("there is room");
    collision.set_hammer_gap(i, strike.gap);
}

/// Displacement at a place of these weights.
pub fn at(collision: &Collision, weights: &[f64]) -> f64 {
    weights.iter().zip(collision.body().q.iter()).map(|(w, q)| w * q).sum()
}

/// A strike on a body with a potential, and the errors of its sound at a pickup over the last 2 ms before each of `marks` [s].
pub fn trajectory_errors(body: &Body, strike: Strike, [struck, heard]: [&[f64]; 2], level: u32, marks: &[f64]) -> Vec<f64> {
    let samples = (marks.iter().fold(0.0, |last: f64, mark| last.max(*mark)) * RATE).round() as usize;
    let known = reference(body, strike, struck, heard, [samples, size(12, 64)], RATE);
    let mut collision = empty(RATE, body.modes.len(), level);
    body.set(&mut collision, 1.0);
    errors_against(&known, &mut collision, strike, [struck, heard], marks)
}

/// A strike on a body at rest, which has to keep its energy balance, and the errors of its sound at a pickup against `known`, over the last
/// 2 ms before each of `marks` [s].
pub fn errors_against(
    known: &[f64],
    collision: &mut Collision,
    strike: Strike,
    [struck, heard]: [&[f64]; 2],
    marks: &[f64],
) -> Vec<f64> {
    begin(collision, strike, struck);
    collision.enable_energy_balance();
    let mut sound = Vec::with_capacity(known.len());
    for _ in known {
        collision.step(MAX_SUBSTEPS, &mut |_, _| ());
        sound.push(at(collision, heard));
    }
    let balance = collision.energy_balance().expect("it is enabled");
    let [residual, growth] = [balance.largest_balance_residual, balance.largest_unsupplied_increase].map(|e| e / balance.largest);
    assert!(residual <= 1e-12 && growth <= 1e-14, "{residual:e} {growth:e}");
    let of_mark = |mark: &f64| {
        let end = (mark * RATE).round() as usize;
        relative_error(&sound[end - 96..end], &known[end - 96..end])
    };
    marks.iter().map(of_mark).collect()
}
