//! What ringing, contact and whole engines cost, beside a yardstick that any machine can run: medians of interleaved rounds.
//!
//! `cargo xtask bench [--json FILE | --plots FOLDER] [PART...]`: all figures, or those whose names have one of the parts. Nanoseconds on one core, a
//! call (`contact_substep_64`, `retune_64`, `build_*`, `snapshot`, `basis_*`) or a sample of everything that is named. `*_ratio` in the
//! file is over the yardstick's.

mod bound;
mod case;
mod contact;
mod core;
mod engine;
mod grow;
mod order;
#[path = "../../physics/tests/physics/papers/plot.rs"]
#[allow(dead_code, reason = "the papers' figures ask for more")]
mod plot;
mod prepare;
mod report;
mod ring;
#[cfg(feature = "plugin")]
mod snapshot;
mod worst;
mod yardstick;

use case::{Case, Figure};
use contact::{Linear, Per};
use engine::Doing;
use order::Order;
use report::Report;
use std::process::ExitCode;
use urto_engine::params::BodyKind;

const RATE: f64 = 48_000.0;
const ROUNDS: usize = 60;

/// Names of figures, and how the case is built that they come of.
type Entry = (&'static [&'static str], fn(&'static str) -> Case);

/// All cases, the yardstick first.
const CASES: &[Entry] = &[
    (&[yardstick::KEY], |_| yardstick::yardstick()),
    (&["ring_stereo_16"], |key| ring::stereo(key, 16)),
    (&["ring_stereo_64"], |key| ring::stereo(key, 64)),
    (&["ring_stereo_256"], |key| ring::stereo(key, 256)),
    (&["ring_stereo_1024"], |key| ring::stereo(key, 1024)),
    (&["contact_substep_64"], |key| contact::contact(key, 64, (32.0, 2), Per::Substep)),
    (&["contact_sample_64_p8"], |key| contact::contact(key, 64, (8.0, 0), Per::Sample)),
    (&["contact_sample_64_p16"], |key| contact::contact(key, 64, (16.0, 2), Per::Sample)),
    (&["contact_sample_64_p32"], |key| contact::contact(key, 64, (32.0, 2), Per::Sample)),
    (&["contact_sample_256_p16"], |key| contact::contact(key, 256, (16.0, 2), Per::Sample)),
    (&["offset_sample_64"], |key| contact::offset(key, 64)),
    (&["median_contact_block", "worst_block"], |_| {
        worst::chattering(&[("median_contact_block", Figure::MedianLap), ("worst_block", Figure::WorstLap)], 64.0, 1)
    }),
    (&["worst_block_256"], |key| worst::chattering(&[(key, Figure::WorstLap)], 256.0, 1)),
    (&["worst_block_6x64"], |key| worst::chattering(&[(key, Figure::WorstLap)], 64.0, 6)),
    (&["engine_64x1024_ringing"], |key| engine::many(key, 64, 1024)),
    (&["engine_32x64_contact"], |key| engine::keys(key, (32, 1.0), RATE, Doing::Held)),
    (&["engine_offset_64"], |key| engine::keys(key, (1, 1.0), RATE, Doing::Leaning)),
    (&["engine_empty"], |key| engine::empty(key)),
    (&["engine_one_ringing"], |key| engine::ringing(key, 64, &[])),
    (&["retune_64"], |key| prepare::retune(key, 64)),
    (&["build_256"], |key| prepare::build(key, BodyKind::SupportedPlate, 256)),
    #[cfg(feature = "plugin")]
    (&["snapshot"], |key| snapshot::snapshot(key)),
    // beside these, what else it is good to know
    (&["ringing_1_of_1"], |key| engine::beside(key, 1)),
    (&["ringing_1_of_256"], |key| engine::beside(key, 256)),
    (&["ringing_256"], |key| engine::ringing(key, 256, &[])),
    (&["rattle_far_64"], |key| engine::ringing(key, 64, &engine::FAR)),
    (&["rattle_near_64"], |key| engine::ringing(key, 64, &engine::NEAR)),
    (&["rattle_lying_64"], |key| engine::ringing(key, 64, &engine::LYING)),
    (&["rattle_4x64"], |key| engine::ringing(key, 64, &engine::CROWD)),
    (&["ringing_16x64"], |key| engine::keys(key, (16, 0.0), RATE, Doing::Ringing)),
    (&["held_16x64"], |key| engine::keys(key, (16, 0.0), RATE, Doing::Held)),
    (&["morph_16x64"], |key| engine::keys(key, (16, 0.0), RATE, Doing::Morphing)),
    (&["build_256_bell"], |key| prepare::build(key, BodyKind::Bell, 256)),
    (&["build_256_head"], |key| prepare::build(key, BodyKind::Head, 256)),
    (&["basis_16"], |key| contact::linear(key, 16, Linear::Build)),
    (&["basis_64"], |key| contact::linear(key, 64, Linear::Build)),
    (&["linear_16"], |key| contact::linear(key, 16, Linear::Step)),
    (&["linear_200"], |key| contact::linear(key, 200, Linear::Step)),
];

fn main() -> ExitCode {
    match Order::read(std::env::args().skip(1)).and_then(|order| carry_out(&order)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn carry_out(order: &Order) -> Result<(), String> {
    if let Some(rounds) = order.count {
        return count(order, rounds);
    }
    core::stay();
    if let Some(folder) = &order.plots {
        return grow::draw(folder);
    }
    let chosen = CASES.iter().filter(|(keys, _)| keys[0] == yardstick::KEY || order.names(keys));
    let mut cases: Vec<Case> = chosen.map(|(keys, make)| make(keys[0])).collect();
    for _ in 0..ROUNDS {
        cases.iter_mut().for_each(Case::round);
    }
    let report = Report::new(ROUNDS, &cases);
    report.print();
    let Some(file) = &order.json else { return Ok(()) };
    std::fs::write(file, report.json()).map_err(|error| format!("cannot write {file}: {error}"))?;
    println!("wrote {file}");
    Ok(())
}

/// Runs the one case that is asked for, and says over how many samples or calls it went.
fn count(order: &Order, rounds: usize) -> Result<(), String> {
    let [key] = order.parts.as_slice() else { return Err("--count takes one case at a time".into()) };
    let case = CASES.iter().find(|(keys, _)| keys[0] == key).map(|(keys, make)| make(keys[0]));
    let mut case = case.ok_or_else(|| format!("there is no case `{key}` to count"))?;
    (0..rounds).for_each(|_| case.round());
    println!("{}", case.units());
    Ok(())
}
