//! The dearest blocks that a player can make: sixteen hammers chatter on one body, and on as many bodies as there are hammers for.

use urto_engine::params::table::KnobId;

use super::engine::{BLOCK, Played, patch};
use super::measurement::{Case, Figure};

/// Blocks of the run, 0.17 s.
const BLOCKS: usize = 128;

/// Hammers of the run.
const HAMMERS: usize = 16;

/// The same run in every round, each block of which that has contact is timed by itself: hammers of a gram fall one after the other
/// on a string of `modes` modes, or on so many strings by turns, through the stiffest contact there is, and are drawn back to it. The
/// figures are the median block and the worst.
pub fn chattering(keys: &[(&'static str, Figure)], modes: f64, bodies: usize) -> Case {
    let mut played = Played::new(&patch(&[
        (KnobId::Stage, if bodies == 1 { 1.0 } else { 0.0 }),
        (KnobId::HomeKey, 40.0),
        (KnobId::Body, 0.0),
        (KnobId::Modes, modes),
        (KnobId::Stiffness, KnobId::Stiffness.knob().highest),
        (KnobId::HammerMass, 1e-3),
        (KnobId::Damping, 0.0),
        (KnobId::Hold, 50.0),
        (KnobId::SpringBack, 0.0),
        (KnobId::Decay, 20.0),
    ]));
    Case::of(keys, move |clock| {
        played.engine.reset();
        let mut substeps = 0;
        for block in 0..BLOCKS {
            for body in 0..if block < HAMMERS { bodies } else { 0 } {
                // of one body every key strikes it elsewhere
                let key = if bodies == 1 { 40 + block } else { 28 + body };
                played.strike(key as u8, 1.0);
            }
            clock.lap(|| {
                played.block();
                let before = std::mem::replace(&mut substeps, played.engine.spent().substeps);
                if substeps > before { BLOCK } else { 0 }
            });
        }
    })
}
