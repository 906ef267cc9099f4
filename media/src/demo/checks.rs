//! Checks of the demo's sound: level and tuning.

use super::host::{Action, Host, TimedAction};
use crate::spectrum::{Spectrum, interpolated_peak};
use crate::wav::Stereo;
use anyhow::{Context, Result, ensure};
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;

/// Largest peak of a silent sound, -50 dBFS [full scale].
const SILENT: f32 = 0.003;
/// Smallest peak of a clipped sound [full scale], between the limiter's ceiling and 1.
const CLIPPED: f32 = 0.99;
/// Largest error of a partial [cents].
const LARGEST_ERROR: f64 = 1.0;
/// Smallest magnitude of a measured partial relative to the strongest, -100 dB.
const WEAKEST: f64 = 1e-5;
/// Smallest number of partials that a test note must have.
const FEWEST_PARTIALS: usize = 3;

/// Checks that a sound is finite, not silent and not clipped. Returns the peak [full scale].
pub fn check_level(name: &str, sound: &Stereo) -> Result<f32> {
    let samples = || sound.iter().flatten();
    if let Some(index) = samples().position(|s| !s.is_finite()) {
        anyhow::bail!("{name}: sample {index} is not a finite number");
    }
    let peak = samples().fold(0.0f32, |peak, s| peak.max(s.abs()));
    ensure!(peak > SILENT, "{name}: the sound is silent; the peak {peak:.1e} must be above {SILENT}");
    ensure!(peak < CLIPPED, "{name}: the sound is clipped; the peak {peak:.3} must be below {CLIPPED}");
    Ok(peak)
}

/// One measured partial.
pub struct Partial {
    /// Frequency of the closed form [Hz].
    pub expected: f64,
    /// Measured minus expected frequency [cents].
    pub error: f64,
}

/// Strikes `key` once and compares the measurable partials with the closed form of the body's damped frequencies.
pub fn check_partials(host: &Host, patch: &Patch, key: u8, rate: f64) -> Result<Vec<Partial>> {
    // time between the note and the start of the window [s]
    const ONSET: f64 = 0.05;
    // length of the window [s]
    const LENGTH: f64 = 3.0;
    let note = [TimedAction { frame: 0, action: Action::NoteOn { key, velocity: 100 } }];
    let sound = host.play(patch, &note, ONSET + LENGTH)?;
    check_level(&patch.name, &sound)?;

    let length = (LENGTH * rate) as usize;
    let padded = (4 * length).next_power_of_two();
    let magnitudes = Spectrum::new(length, padded).magnitudes(&sound[0][(ONSET * rate) as usize..]);
    let strongest = magnitudes.iter().fold(0.0f64, |a, &b| a.max(b));
    let bin = rate / padded as f64;

    let expected = closed_form(patch, key);
    let mut partials = Vec::new();
    for &frequency in expected.iter().filter(|&&f| f < 0.45 * rate) {
        let others = expected.iter().filter(|&&other| other != frequency);
        let nearest = others.map(|other| (other - frequency).abs()).fold(f64::INFINITY, f64::min);
        let reach = (0.03 * frequency).min(0.5 * nearest);
        // 4/LENGTH [Hz] is the main lobe of the Hann window: closer partials have one common peak
        if reach < 4.0 / LENGTH {
            continue;
        }
        let (from, to) = (((frequency - reach) / bin) as usize, ((frequency + reach) / bin) as usize);
        let top = (from.max(1)..=to)
            .max_by(|&a, &b| magnitudes[a].total_cmp(&magnitudes[b]))
            .context("the search range of a partial is empty")?;
        if (from + 1..to).contains(&top) && magnitudes[top] > WEAKEST * strongest {
            let measured = interpolated_peak(&magnitudes, top) * bin;
            partials.push(Partial { expected: frequency, error: 1200.0 * (measured / frequency).log2() });
        }
    }
    let count = partials.len();
    ensure!(
        count >= FEWEST_PARTIALS,
        "{}: {count} partials are strong enough to measure; the check needs {FEWEST_PARTIALS}",
        patch.name
    );
    for partial in &partials {
        ensure!(
            partial.error.abs() < LARGEST_ERROR,
            "{}: the partial at {:.2} Hz is {:.2} cents out of tune; allowed are {LARGEST_ERROR} cents",
            patch.name,
            partial.expected,
            partial.error
        );
    }
    Ok(partials)
}

/// Damped frequencies sqrt(omega^2 - sigma^2)/(2 pi) of a patch's body at `key` [Hz]. The lowest is the frequency of the key; the
/// factors of the others are r sqrt((1 + B r^2)/(1 + B)), with the ratio r and the inharmonicity B.
fn closed_form(patch: &Patch, key: u8) -> Vec<f64> {
    let lowest = 440.0 * 2f64.powf((f64::from(key) - 69.0 + patch.settings.get(ParamId::Tune)) / 12.0);
    let b = patch.settings.get(ParamId::Inharmonicity);
    let stretched = |r: f64| r * ((1.0 + b * r * r) / (1.0 + b)).sqrt();
    ratios(patch).into_iter().map(|r| lowest * stretched(r)).collect()
}

/// Frequency ratios without inharmonicity: harmonics of a string, roots of cosh x cos x = 1 for a free bar, the list of free
/// modes.
fn ratios(patch: &Patch) -> Vec<f64> {
    let count = patch.settings.get(ParamId::Modes) as usize;
    match patch.settings.body_kind() {
        BodyKind::String => (1..=count).map(|n| n as f64).collect(),
        BodyKind::Bar => (1..=count).map(|n| (free_bar_root(n) / free_bar_root(1)).powi(2)).collect(),
        BodyKind::Modes => patch.modes.iter().take(count).map(|mode| mode.ratio).collect(),
        // no closed form that is independent of the engine: the check fails with too few partials
        _ => Vec::new(),
    }
}

/// n-th root of cosh x cos x = 1: Newton's method for cos x - 1/cosh x, started at (n + 1/2) pi.
fn free_bar_root(n: usize) -> f64 {
    let mut x = (n as f64 + 0.5) * std::f64::consts::PI;
    for _ in 0..20 {
        let g = x.cos() - 1.0 / x.cosh();
        x -= g / (-x.sin() + x.tanh() / x.cosh());
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roots_of_the_free_bar_agree_with_published_tables() {
        for (n, x) in [(1, 4.730040744863), (2, 7.853204624096), (3, 10.995607838002), (4, 14.137165491257)] {
            assert!((free_bar_root(n) - x).abs() < 1e-11);
        }
    }

    #[test]
    fn silence_clipping_and_non_finite_samples_are_reported() {
        let with = |sample: f32| [vec![0.0, 0.0, 0.0], vec![0.0, sample, 0.0]];
        assert!(check_level("x", &with(0.0)).unwrap_err().to_string().contains("silent"));
        assert!(check_level("x", &with(1.0)).unwrap_err().to_string().contains("clipped"));
        assert!(check_level("x", &with(f32::NAN)).unwrap_err().to_string().contains("finite"));
        assert_eq!(check_level("x", &with(-0.5)).unwrap(), 0.5);
    }
}
