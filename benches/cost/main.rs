//! Benchmark of ringing, contacts and whole engines relative to a reference cost, with medians of interleaved rounds.
//!
//! Arguments: `[--json FILE | --plots FOLDER | --count ROUNDS | --compose] [PART...]`. Parts of names select figures. A figure is the time on
//! one core in nanoseconds per sample of everything in its name; for `contact_substep_64`, `retune_64`, `build_*`, `snapshot` and
//! `basis_*` it is the time per call. In the JSON file, `*_ratio` is the ratio to the reference cost.

mod arguments;
mod clamped_plate;
mod connections;
mod contact;
mod cpu_pinning;
mod disc;
mod engine;
mod kit_fill;
mod limits;
mod measurement;
mod plate;
#[path = "../../physics/tests/physics/support/plot.rs"]
#[allow(dead_code, reason = "the figures of the papers use all of it")]
mod plot;
mod prepare;
mod reference_resonator;
mod report;
mod ring;
mod scaling;
#[cfg(feature = "plugin")]
mod snapshot;
mod worst_case;

use arguments::Arguments;
use contact::{BodyModes, LinearOperation, Per};
use engine::{KeyState, Keys, Matrix};
use measurement::{Case, Figure, RATE, Statistic};
use report::Report;
use std::process::ExitCode;
use urto_engine::params::BodyKind;

const ROUNDS: usize = 60;

/// A case and the names of its figures.
struct Entry {
    keys: &'static [&'static str],
    /// Creates the case for the first name.
    create: fn(&'static str) -> Case,
}

const fn entry(keys: &'static [&'static str], create: fn(&'static str) -> Case) -> Entry {
    Entry { keys, create }
}

/// Keys of 64 modes at the sample rate of the other cases.
fn keys(key: &'static str, count: u8, quality: f64, state: KeyState) -> Case {
    engine::keys(key, Keys { count, quality }, RATE, state)
}

/// The most expensive blocks: median and maximum of the same run.
fn worst_block(_: &'static str) -> Case {
    let median = Figure { key: "median_contact_block", statistic: Statistic::MedianLap };
    let maximum = Figure { key: "worst_block", statistic: Statistic::MaximumLap };
    worst_case::chattering(&[median, maximum], 64.0, 1)
}

/// The fill on the Studio Kit: mean and the most expensive block of the same run.
fn fill(_: &'static str) -> Case {
    let mean = Figure { key: "kit_fill", statistic: Statistic::MedianRound };
    let worst = Figure { key: "kit_fill_worst", statistic: Statistic::MaximumLap };
    kit_fill::case(&[mean, worst])
}

/// The fill on two cores.
#[cfg(any(feature = "plugin", feature = "cli"))]
fn fill_on_two_cores(key: &'static str) -> Case {
    kit_fill::two_cores(&[Figure { key, statistic: Statistic::MedianRound }])
}

/// The most expensive block, as the only figure.
fn chattering(key: &'static str, modes: f64, bodies: usize) -> Case {
    worst_case::chattering(&[Figure { key, statistic: Statistic::MaximumLap }], modes, bodies)
}

/// All cases, the reference first.
const CASES: &[Entry] = &[
    entry(&[reference_resonator::KEY], |_| reference_resonator::reference_resonators()),
    entry(&["ring_stereo_16"], |key| ring::stereo(key, 16)),
    entry(&["ring_stereo_64"], |key| ring::stereo(key, 64)),
    entry(&["ring_stereo_256"], |key| ring::stereo(key, 256)),
    entry(&["ring_stereo_1024"], |key| ring::stereo(key, 1024)),
    entry(&["ring_tension_64"], |key| ring::tension(key, 64)),
    entry(&["ring_plate_192"], ring::plate),
    entry(&["ring_disc_100"], disc::ring),
    entry(&["ring_field_2048"], |key| ring::stereo(key, 2048)),
    entry(&["single_64_by_sample"], connections::single),
    entry(&["connected_pair_64"], connections::pair),
    entry(&["connections_16x64"], connections::ring),
    entry(&["contact_substep_64"], |key| contact::contact(key, BodyModes::felt(64), contact::P32, Per::Substep)),
    entry(&["contact_sample_64_p8"], |key| contact::contact(key, BodyModes::felt(64), contact::P8, Per::Sample)),
    entry(&["contact_sample_64_p16"], |key| contact::contact(key, BodyModes::felt(64), contact::P16, Per::Sample)),
    entry(&["contact_sample_64_p32"], |key| contact::contact(key, BodyModes::felt(64), contact::P32, Per::Sample)),
    entry(&["contact_sample_256_p16"], |key| contact::contact(key, BodyModes { felt: 40, held: 216 }, contact::P16, Per::Sample)),
    entry(&["contact_sample_256_p16_felt"], |key| contact::contact(key, BodyModes::felt(256), contact::P16, Per::Sample)),
    entry(&["contact_field_2048_k4"], |key| contact::contact(key, BodyModes { felt: 16, held: 2032 }, contact::P16, Per::Sample)),
    entry(&["contact_plate_192"], contact::plate),
    entry(&["offset_sample_64"], |key| contact::offset(key, 64)),
    entry(&["median_contact_block", "worst_block"], worst_block),
    entry(&["worst_block_256"], |key| chattering(key, 256.0, 1)),
    entry(&["worst_block_6x64"], |key| chattering(key, 64.0, 6)),
    entry(&["worst_block_field"], |key| worst_case::chattering_crashes(&[Figure { key, statistic: Statistic::MaximumLap }], 16)),
    entry(&["drive_4x10kn"], worst_case::pressed),
    entry(&["engine_64x1024_ringing"], |key| engine::many_ringing(key, engine::Bodies { struck: 64, ringing: 37 }, 1024)),
    entry(&["engine_32x64_contact"], |key| keys(key, 32, 1.0, KeyState::Held)),
    entry(&["engine_offset_64"], |key| keys(key, 1, 1.0, KeyState::HeldLinear)),
    entry(&["engine_empty"], engine::empty),
    entry(&["engine_one_ringing"], |key| engine::ringing(key, 64, &[])),
    entry(&["retune_64"], |key| prepare::retune(key, 64)),
    entry(&["voices_16x1709_ringing"], |key| engine::ringing_crashes(key, 16)),
    entry(&["build_field_2048"], prepare::build_crash),
    entry(&["build_disc_100"], disc::build),
    entry(&["build_256"], |key| prepare::build(key, BodyKind::SupportedPlate, 256)),
    #[cfg(feature = "plugin")]
    entry(&["snapshot"], snapshot::snapshot),
    // most figures below have no limit
    entry(&["kit_fill", "kit_fill_worst"], fill),
    #[cfg(any(feature = "plugin", feature = "cli"))]
    entry(&["kit_fill_two_cores"], fill_on_two_cores),
    entry(&["ring_clamped_40"], clamped_plate::ring),
    entry(&["build_clamped_40"], clamped_plate::build),
    entry(&["ringing_1_of_1"], |key| engine::one_of(key, 1)),
    entry(&["ringing_1_of_256"], |key| engine::one_of(key, 256)),
    entry(&["room_stage"], |key| engine::room_stage(key, 1)),
    entry(&["room_stage_16"], |key| engine::room_stage(key, 16)),
    entry(&["close_zones_1"], |key| engine::close_zones(key, 1)),
    entry(&["close_zones_16"], |key| engine::close_zones(key, 16)),
    entry(&["ringing_256"], |key| engine::ringing(key, 256, &[])),
    entry(&["rattle_far_64"], |key| engine::ringing(key, 64, &engine::RATTLE_FAR)),
    entry(&["rattle_near_64"], |key| engine::ringing(key, 64, &engine::RATTLE_NEAR)),
    entry(&["rattle_lying_64"], |key| engine::ringing(key, 64, &engine::RATTLE_RESTING)),
    entry(&["rattle_4x64"], |key| engine::ringing(key, 64, &engine::FOUR_RATTLES)),
    entry(&["rattle_4x900"], engine::loose_plates),
    entry(&["ringing_16x64"], |key| keys(key, 16, 0.0, KeyState::Ringing)),
    entry(&["struck_16x64"], |key| engine::struck(key, Matrix::Empty)),
    entry(&["struck_16x64_rows"], |key| engine::struck(key, Matrix::Contacts)),
    entry(&["struck_16x64_body_rows"], |key| engine::struck(key, Matrix::Bodies)),
    entry(&["bars_16x64"], |key| engine::bars_over_tubes(key, 0.0)),
    entry(&["bars_16x64_tubes"], |key| engine::bars_over_tubes(key, 1.0)),
    entry(&["held_16x64"], |key| keys(key, 16, 0.0, KeyState::Held)),
    entry(&["morph_16x64"], |key| keys(key, 16, 0.0, KeyState::Morphing)),
    entry(&["build_256_bell"], |key| prepare::build(key, BodyKind::Bell, 256)),
    entry(&["build_256_head"], |key| prepare::build(key, BodyKind::Head, 256)),
    entry(&["basis_16"], |key| contact::linear(key, 16, LinearOperation::Build)),
    entry(&["basis_64"], |key| contact::linear(key, 64, LinearOperation::Build)),
    entry(&["linear_16"], |key| contact::linear(key, 16, LinearOperation::Step)),
    entry(&["linear_200"], |key| contact::linear(key, 200, LinearOperation::Step)),
];

fn main() -> ExitCode {
    match Arguments::parse(std::env::args().skip(1)).and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    if arguments.composes {
        return kit_fill::write();
    }
    if let Some(rounds) = arguments.count {
        return run_untimed(arguments, rounds);
    }
    cpu_pinning::pin_thread();
    if let Some(folder) = &arguments.plots {
        return scaling::draw(folder);
    }
    let selected = CASES.iter().filter(|entry| entry.keys[0] == reference_resonator::KEY || arguments.select(entry.keys));
    let mut cases: Vec<Case> = selected.map(|entry| (entry.create)(entry.keys[0])).collect();
    for _ in 0..ROUNDS {
        cases.iter_mut().for_each(Case::run_round);
    }
    let report = Report::new(ROUNDS, &cases);
    report.print();
    let Some(file) = &arguments.json else { return Ok(()) };
    std::fs::write(file, report.json()).map_err(|error| format!("cannot write {file}: {error}"))?;
    println!("wrote {file}");
    Ok(())
}

/// Runs one case for `rounds` rounds and prints the number of its samples or calls, for a program that counts instructions.
fn run_untimed(arguments: &Arguments, rounds: usize) -> Result<(), String> {
    let [key] = arguments.parts.as_slice() else {
        return Err("--count needs the name of exactly one case, for example `--count 4 retune_64`".into());
    };
    let entry = CASES.iter().find(|entry| entry.keys[0] == key);
    let entry = entry.ok_or_else(|| format!("--count: no case has the name `{key}`"))?;
    let mut case = (entry.create)(entry.keys[0]);
    (0..rounds).for_each(|_| case.run_round());
    println!("{}", case.units());
    Ok(())
}
