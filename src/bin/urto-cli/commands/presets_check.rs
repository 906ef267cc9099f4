//! `presets check`: measures presets.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use urto_engine::patch::Patch;
use urto_engine::patch::built_in;

use crate::arguments::load_patch;
use crate::commands::preset_measurement::PresetMeasurement;
use crate::io::CliError;
use crate::io::error::print;

/// Prints the measurements of the presets `names`; of all built-in presets without names. Errors: no such preset, or one with samples
/// above the ceiling or without an end.
pub fn run(names: &[String], json: bool) -> Result<(), CliError> {
    let patches: Vec<Patch> = if names.is_empty() {
        built_in().collect()
    } else {
        names.iter().map(|name| load_patch(name)).collect::<Result<_, _>>()?
    };
    let measurements = measure_all(&patches);
    if json {
        print(&(serde_json::to_string_pretty(&measurements).expect("plain numbers") + "\n"))?;
    } else {
        print(&table(&measurements))?;
    }
    let failed = measurements.iter().find(|measurement| !measurement.sound || measurement.asleep_s.is_none());
    failed.map_or(Ok(()), |measurement| {
        let problem = if measurement.sound { "does not end within 20 minutes" } else { "exceeds the ceiling of -0.3 dBFS" };
        Err(CliError::new(format_args!("{} {problem}", measurement.name), "lower its level, or shorten its decay"))
    })
}

/// Measures `patches` on all processors.
fn measure_all(patches: &[Patch]) -> Vec<PresetMeasurement> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((i, patch)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, patches.get(i)?))) {
            done.push((i, PresetMeasurement::of(patch)));
        }
        done
    };
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    let mut all: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a measurement does not panic")).collect()
    });
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, measurement)| measurement).collect()
}

fn table(measurements: &[PresetMeasurement]) -> String {
    let mut text = String::from(
        "name                       key   LUFS   peak dB        limit  mono   contact ms                main Hz   T60 s  centroid Hz              asleep s\n",
    );
    for p in measurements {
        let [at_100, at_127] = p.peak_db;
        let [soft, medium, hard] = p.contact_ms;
        let [dark, middle, bright] = p.centroid_hz;
        let asleep = p.asleep_s.map_or_else(|| "never".into(), |time| format!("{time:.1}"));
        let _ = writeln!(
            text,
            "{:<25} {:>4} {:>6.1} {at_100:>6.1} {at_127:>6.1} {:>6.1} {:>5.1} {soft:>8.3} {medium:>8.3} {hard:>8.3} {:>10.1} {:>7.2} {dark:>7.0} {middle:>7.0} {bright:>7.0} {asleep:>8}",
            p.name, p.key, p.loudness_lufs, p.limited_db, p.mono_db, p.main_hz, p.main_t60_s
        );
    }
    text
}
