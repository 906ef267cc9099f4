//! What the demo's sound has to be: there, in bounds, in tune.

use super::host::{Action, Host, Stereo, Timed};
use super::spectrum::{Spectrum, peak};
use anyhow::{Context, Result, ensure};
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;

/// Below this peak a sound counts as silent (-50 dBFS).
const SILENT: f32 = 0.003;
/// From this on a sound counts as clipped; the plugin's own ceiling is 0.966.
const CLIPPED: f32 = 0.99;
/// Largest error of a partial [cents].
const IN_TUNE: f64 = 1.0;
/// Partials weaker than this, against the strongest, are not measured (-100 dB).
const WEAKEST: f64 = 1e-5;
/// Fewest partials that have to be measured of a probe note.
const FEWEST_PARTIALS: usize = 3;

/// Peak [full scale] of a sound that is finite, not silent, not clipped. Errors: says which it is.
pub fn sound(what: &str, sound: &Stereo) -> Result<f32> {
    let samples = || sound.iter().flatten();
    if let Some(bad) = samples().position(|s| !s.is_finite()) {
        anyhow::bail!("{what}: sample {bad} is not a finite number");
    }
    let peak = samples().fold(0.0f32, |peak, s| peak.max(s.abs()));
    ensure!(peak > SILENT, "{what}: silent (peak {peak:.1e})");
    ensure!(peak < CLIPPED, "{what}: clipped (peak {peak:.3})");
    Ok(peak)
}

/// One measured partial.
pub struct Partial {
    /// Frequency by the closed form [Hz].
    pub expected: f64,
    /// Measured less expected [cents].
    pub error: f64,
}

/// Strikes `key` once and compares every partial that stands out with the closed form of the body's damped frequencies.
pub fn partials(host: &Host, patch: &Patch, key: u8, rate: f64) -> Result<Vec<Partial>> {
    const SKIP: f64 = 0.05;
    const LENGTH: f64 = 3.0;
    let note = [Timed { frame: 0, action: Action::NoteOn(key, 100) }];
    let heard = host.play(patch, &note, SKIP + LENGTH)?;
    sound(&patch.name, &heard)?;

    let length = (LENGTH * rate) as usize;
    let padded = (4 * length).next_power_of_two();
    let magnitudes = Spectrum::new(length, padded).of(&heard[0][(SKIP * rate) as usize..]);
    let strongest = magnitudes.iter().fold(0.0f64, |a, &b| a.max(b));
    let bin = rate / padded as f64;

    let expected = closed_form(patch, key);
    let mut found = Vec::new();
    for &frequency in expected.iter().filter(|&&f| f < 0.45 * rate) {
        let others = expected.iter().filter(|&&other| other != frequency);
        let nearest = others.map(|other| (other - frequency).abs()).fold(f64::INFINITY, f64::min);
        let reach = (0.03 * frequency).min(0.5 * nearest);
        // two partials closer than this are one peak
        if reach < 4.0 / LENGTH {
            continue;
        }
        let (from, to) = (((frequency - reach) / bin) as usize, ((frequency + reach) / bin) as usize);
        let top = (from.max(1)..=to).max_by(|&a, &b| magnitudes[a].total_cmp(&magnitudes[b])).context("a partial has a place")?;
        if (from + 1..to).contains(&top) && magnitudes[top] > WEAKEST * strongest {
            found.push(Partial { expected: frequency, error: 1200.0 * (peak(&magnitudes, top) * bin / frequency).log2() });
        }
    }
    ensure!(found.len() >= FEWEST_PARTIALS, "{}: only {} partials stand out", patch.name, found.len());
    for partial in &found {
        ensure!(
            partial.error.abs() < IN_TUNE,
            "{}: the partial of {:.2} Hz is {:.2} cents off",
            patch.name,
            partial.expected,
            partial.error
        );
    }
    Ok(found)
}

/// Damped frequencies sqrt(omega^2 - sigma^2)/2 pi [Hz] of a patch's body at `key`: the lowest stands on the key, the others at
/// their ratios to it, r sqrt((1 + B r^2)/(1 + B)).
fn closed_form(patch: &Patch, key: u8) -> Vec<f64> {
    let lowest = 440.0 * 2f64.powf((f64::from(key) - 69.0 + patch.settings.get(ParamId::Tune)) / 12.0);
    let b = patch.settings.get(ParamId::Inharmonicity);
    let stretched = |r: f64| r * ((1.0 + b * r * r) / (1.0 + b)).sqrt();
    ratios(patch).into_iter().map(|r| lowest * stretched(r)).collect()
}

/// Frequencies over the lowest: harmonic for a string, cosh x cos x = 1 for a free bar, the list for free modes.
fn ratios(patch: &Patch) -> Vec<f64> {
    let count = patch.settings.get(ParamId::Modes) as usize;
    match patch.settings.body_kind() {
        BodyKind::String => (1..=count).map(|n| n as f64).collect(),
        BodyKind::Bar => (1..=count).map(|n| (free_bar_root(n) / free_bar_root(1)).powi(2)).collect(),
        BodyKind::Modes => patch.modes.iter().take(count).map(|mode| mode.ratio).collect(),
        // no closed form that the instrument does not use itself: such a preset is refused for want of partials
        _ => Vec::new(),
    }
}

/// n-th root of cosh x cos x = 1, by Newton on cos x = 1/cosh x from (n + 1/2) pi.
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
    fn the_roots_of_the_free_bar_are_those_of_the_tables() {
        for (n, x) in [(1, 4.730040744863), (2, 7.853204624096), (3, 10.995607838002), (4, 14.137165491257)] {
            assert!((free_bar_root(n) - x).abs() < 1e-11);
        }
    }

    #[test]
    fn silence_clipping_and_broken_samples_are_told_apart() {
        let with = |sample: f32| [vec![0.0, 0.0, 0.0], vec![0.0, sample, 0.0]];
        assert!(sound("x", &with(0.0)).unwrap_err().to_string().contains("silent"));
        assert!(sound("x", &with(1.0)).unwrap_err().to_string().contains("clipped"));
        assert!(sound("x", &with(f32::NAN)).unwrap_err().to_string().contains("finite"));
        assert_eq!(sound("x", &with(-0.5)).unwrap(), 0.5);
    }
}
