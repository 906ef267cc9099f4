//! The most expensive blocks that a player can cause: sixteen chattering hammers on one body, or on several bodies.

use urto_engine::params::ParamId;

use super::engine::{BLOCK, Player, patch};
use super::measurement::{Case, Figure};

/// Blocks of the run, 0.17 s.
const BLOCKS: usize = 128;

/// Hammers of the run.
const HAMMERS: usize = 16;

/// Times each block with contact of a run that is the same in every round.
///
/// Hammers of 1 g strike a string of `modes` modes, or `bodies` strings, one after the other. They have the stiffest contact law
/// and are pressed back onto the string.
pub fn chattering(figures: &[Figure], modes: f64, bodies: usize) -> Case {
    let mut player = Player::new(&patch(&[
        (ParamId::Stage, if bodies == 1 { 1.0 } else { 0.0 }),
        (ParamId::HomeKey, 40.0),
        (ParamId::Body, 0.0),
        (ParamId::Modes, modes),
        (ParamId::Stiffness, ParamId::Stiffness.spec().max),
        (ParamId::HammerMass, 1e-3),
        (ParamId::Damping, 0.0),
        (ParamId::Hold, 50.0),
        (ParamId::SpringBack, 0.0),
        (ParamId::Decay, 20.0),
    ]));
    Case::with_figures(figures, move |stopwatch| {
        player.engine.reset();
        let mut substeps = 0;
        for block in 0..BLOCKS {
            for body in 0..if block < HAMMERS { bodies } else { 0 } {
                // on a single body every key has its own strike position
                let key = if bodies == 1 { 40 + block } else { 28 + body };
                player.strike(key as u8, 1.0);
            }
            stopwatch.lap(|| {
                player.render_block();
                let before = std::mem::replace(&mut substeps, player.engine.cost_totals().substeps);
                if substeps > before { BLOCK } else { 0 }
            });
        }
    })
}
