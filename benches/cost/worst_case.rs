//! The most expensive sounds that a player can cause: sixteen chattering hammers on one body, or on several bodies, and driven hammers that
//! are pressed onto their bodies with all force.

use urto_engine::params::ParamId;
use urto_engine::patch::{Patch, Zone};

use super::engine::{BLOCK, CRASH, Player, patch};
use super::measurement::{Case, Figure};

/// Blocks of the run, 0.17 s.
const BLOCKS: usize = 128;

/// Zones of the kit that are driven at the same time.
const DRIVEN_ZONES: u8 = 4;

/// Blocks between two strokes on the driven zones.
const DRIVEN_STROKES: usize = 32;

/// Hammers of the run.
const HAMMERS: usize = 16;

/// Times each block with contact of a run that is the same in every round.
///
/// Hammers of 1 g strike a string of `modes` modes, or `bodies` strings, one after the other. They have the stiffest contact law
/// and are pressed back onto the string.
pub fn chattering(figures: &[Figure], modes: f64, bodies: usize) -> Case {
    chattering_on(figures, &[(ParamId::HomeKey, 40.0), (ParamId::Body, 0.0), (ParamId::Modes, modes)], bodies)
}

/// The same on `bodies` crash cymbals with all their modes.
pub fn chattering_crashes(figures: &[Figure], bodies: usize) -> Case {
    let home = [(ParamId::HomeKey, 32.0)];
    chattering_on(figures, &[&CRASH[..], &home].concat(), bodies)
}

/// The same on `bodies` bodies with these `parameters`.
fn chattering_on(figures: &[Figure], parameters: &[(ParamId, f64)], bodies: usize) -> Case {
    let contacts = [
        (ParamId::Stage, if bodies == 1 { 1.0 } else { 0.0 }),
        (ParamId::Stiffness, ParamId::Stiffness.spec().max),
        (ParamId::HammerMass, 1e-3),
        (ParamId::Damping, 0.0),
        (ParamId::Hold, 50.0),
        (ParamId::SpringBack, 0.0),
        (ParamId::Decay, 20.0),
    ];
    let mut player = Player::new(&patch(&[parameters, &contacts].concat()));
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

/// Times a kit of four zones, each of which a force of 10 kN presses two hammers against its body. All bodies are struck again from time to time.
pub fn pressed(key: &'static str) -> Case {
    let parameters = [
        (ParamId::DriveGain, 10e3),
        (ParamId::DriveChannels, 1.0),
        (ParamId::Stiffness, 1e5),
        (ParamId::Exponent, 2.3),
        (ParamId::HammerMass, 1e-3),
        (ParamId::Modes, 64.0),
    ];
    let zone = patch(&parameters);
    let zones = (0..DRIVEN_ZONES).map(|n| Zone { plays: 60, ..Zone::new(&zone, (40 + n, 40 + n)) }).collect();
    let mut player = Player::new(&Patch { zones, ..Patch::default() });
    Case::new(key, move |stopwatch| {
        player.engine.reset();
        stopwatch.lap(|| {
            for block in 0..BLOCKS {
                if block % DRIVEN_STROKES == 0 {
                    (0..DRIVEN_ZONES).for_each(|zone| player.strike(40 + zone, 0.8));
                }
                player.render_driven(&[1.0; BLOCK]);
            }
            BLOCKS * BLOCK
        });
    })
}
