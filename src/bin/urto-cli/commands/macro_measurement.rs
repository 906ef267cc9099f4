//! Measurements of the macros of presets: how far each changes the sound over its range, and how far the loudness moves meanwhile.

use std::ffi::OsString;
use std::fmt::Write;

use serde::Serialize;
use urto_engine::patch::{MACRO_PARAMS, Macro, Patch, all};

use crate::arguments::{check_modes, load_patch};
use crate::commands::parallel::in_parallel;
use crate::commands::preset_measurement::{KeySound, RATE, played_keys};
use crate::io::error::print;
use crate::io::{CliError, Sound};
use crate::realism::distance::{Frames, distance};

/// Values of a macro at which the loudness is measured; the distance is that of the first and the last.
const VALUES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Largest number of zones of a kit that are played; of more, every second or third.
const MAX_KEYS: usize = 6;
/// Cells of a spectrogram within this of its maximum are compared [dB].
const RANGE: f64 = 50.0;

/// One macro of a preset.
#[derive(Clone, Debug, Serialize)]
pub struct MacroMeasurement {
    /// Name of the preset.
    pub preset: String,
    /// Number of the macro, from 1.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Ids of the parameters that it moves.
    pub targets: Vec<&'static str>,
    /// Distance D of the sounds at 0 and at 1, the mean of both directions and of all played keys [dB].
    pub distance_db: f64,
    /// Loudness at the values 0, 0.25, 0.5, 0.75 and 1 of the macro, the mean of all played keys [LUFS].
    pub loudness_by_value: [f64; VALUES.len()],
    /// Highest less lowest loudness at five values from 0 to 1 [LU], the mean of all played keys.
    pub loudness_lu: f64,
}

impl MacroMeasurement {
    /// Plays `patch` with its macro number `number`, from 0, at all values.
    fn new(patch: &Patch, number: usize, own: &Macro) -> Self {
        let all = played_keys(patch);
        let keys: Vec<u8> = all.iter().copied().step_by(all.len().div_ceil(MAX_KEYS)).collect();
        let played = VALUES.map(|value| {
            let mut turned = patch.clone();
            turned.settings.set(MACRO_PARAMS[number], value);
            KeySound::of_keys(&turned, &keys)
        });
        let count = keys.len() as f64;
        let loudness = played.each_ref().map(|sounds| sounds.iter().map(KeySound::loudness).sum::<f64>() / count);
        let highest = loudness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lowest = loudness.iter().copied().fold(f64::INFINITY, f64::min);
        let [first, .., last] = played;
        let apart = first.into_iter().zip(last).map(|(from, to)| mean_distance(from, to)).sum::<f64>() / count;
        Self {
            preset: patch.name.clone(),
            number: number + 1,
            name: own.name.clone(),
            targets: own.targets.iter().map(|target| target.param.spec().id).collect(),
            distance_db: apart,
            loudness_by_value: loudness,
            loudness_lu: highest - lowest,
        }
    }
}

/// Mean of the distances in both directions [dB].
fn mean_distance(from: KeySound, to: KeySound) -> f64 {
    let [from, to] = [from, to].map(|played| {
        let channels = [played.left, played.right].map(|channel| channel.into_iter().map(f64::from).collect()).to_vec();
        let sound = Sound { channels, rate: RATE };
        Frames::new(&sound, sound.channels[0].len())
    });
    0.5 * (distance(&from, &to, RANGE).all + distance(&to, &from, RANGE).all)
}

/// Prints the measurements of the macros of the presets `names`; of all built-in presets and kits without names. Errors: no such preset.
pub fn run(names: &[OsString], json: bool) -> Result<(), CliError> {
    let patches: Vec<Patch> =
        if names.is_empty() { all().collect() } else { names.iter().map(load_patch).collect::<Result<_, _>>()? };
    patches.iter().try_for_each(check_modes)?;
    let measure = |patch: &Patch| -> Vec<MacroMeasurement> {
        let macros = patch.macros.iter().enumerate().filter(|(_, own)| !own.targets.is_empty());
        macros.map(|(number, own)| MacroMeasurement::new(patch, number, own)).collect()
    };
    let measurements: Vec<_> = in_parallel(&patches, |patch| &patch.name, measure).into_iter().flatten().collect();
    if json {
        return print(&(serde_json::to_string_pretty(&measurements).expect("plain numbers") + "\n"));
    }
    let mut text = String::from("preset                            macro                D dB    LU  moves\n");
    for MacroMeasurement { preset, number, name, targets, distance_db, loudness_lu, .. } in &measurements {
        let _ =
            writeln!(text, "{preset:<31} {number:>2} {name:<18} {distance_db:>6.1} {loudness_lu:>5.1}  {}", targets.join(", "));
    }
    print(&text)
}
