//! Nonlinear response of a driven hammer, and its energy balance over long times.

use std::f64::consts::TAU;
use std::sync::Mutex;

use crate::support::test_engine::*;
use urto_engine::params::BODY_KINDS;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;

/// A hammer of 20 g that lies on a plate of 64 modes on a soft tether.
fn plate(more: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    let kind = BODY_KINDS.iter().position(|kind| kind.eq_ignore_ascii_case("supported plate")).expect("there is such a body");
    let params =
        [(Body, kind as f64), (Modes, 64.0), (BodyMass, 2.0), (HammerMass, 0.02), (Decay, 1.0), (Level, 0.0), (DriveGain, 20.0)];
    [&params[..], more].concat()
}

fn sine(hertz: f64, seconds: f64) -> Vec<f32> {
    (0..(seconds * RATE) as usize).map(|n| (TAU * hertz * n as f64 / RATE).sin() as f32).collect()
}

/// Amplitude spectrum of the left channel's last `n` frames.
fn spectrum(sound: &Sound, n: usize) -> Vec<f64> {
    let hann = |i: usize| (0.5 * TAU * i as f64 / n as f64).sin().powi(2);
    let tail = &sound.left[sound.left.len() - n..];
    let window: Vec<f64> = tail.iter().enumerate().map(|(i, x)| f64::from(*x) * hann(i)).collect();
    urto_fourier::spectrum(&window).iter().map(|bin| bin.norm()).collect()
}

/// A line's amplitude over the median of what surrounds it.
fn line(spectrum: &[f64], bin: usize) -> f64 {
    let mut around: Vec<f64> = (bin - 40..bin - 5).chain(bin + 6..bin + 41).map(|k| spectrum[k]).collect();
    around.sort_by(f64::total_cmp);
    spectrum[bin - 1..bin + 2].iter().fold(0.0, |a: f64, b| a.max(*b)) / around[around.len() / 2]
}

/// A filter's answer to two signals at once is the sum of its answers.
#[test]
fn the_response_to_two_signals_is_not_the_sum_of_the_responses() {
    let (x, y) = (sine(130.0, 1.0), sine(211.0, 1.0));
    let both: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
    let answer = |drive: &[f32]| play_driven(&mut engine(RATE, &plate(&[])), drive.len(), drive);
    let (x, y, both) = (answer(&x), answer(&y), answer(&both));
    let rest = |n: usize| f64::from(both.left[n]) - f64::from(x.left[n]) - f64::from(y.left[n]);
    let missing: f64 = (0..both.left.len()).map(|n| rest(n).powi(2)).sum();
    let heard: f64 = both.left.iter().map(|x| f64::from(*x).powi(2)).sum();
    println!("the sum misses {:.2} of the energy", missing / heard);
    assert!(missing > 0.3 * heard && heard > 0.0, "{missing} of {heard}");
}

/// A sine throws the hammer so high that it comes back with every second or third period only.
#[test]
fn a_sine_excites_components_below_its_frequency() {
    const N: usize = 48_000;
    let mut found = Vec::new();
    for gain in [5.0, 10.0, 20.0, 40.0] {
        let hertz = 240.0;
        let drive = sine(hertz, 3.0);
        let sound = play_driven(&mut engine(RATE, &plate(&[(DriveGain, gain)])), drive.len(), &drive);
        let spectrum = spectrum(&sound, N);
        let share = |part: f64| spectrum[(hertz / part) as usize] / spectrum[hertz as usize];
        let lines = [2.0, 3.0, 4.0].map(|part| (part, line(&spectrum, (hertz / part) as usize), share(part)));
        println!("{gain} N: {lines:.4?}");
        found.extend(lines.into_iter().filter(|(_, line, share)| *line > 100.0 && *share > 0.01));
    }
    assert!(!found.is_empty(), "a line 40 dB above what surrounds it and not 40 dB below that of the sine");
}

/// A push that does not bridge the gap to the body is not heard at all.
#[test]
fn a_drive_below_the_contact_threshold_is_exactly_silent() {
    let drive = sine(130.0, 1.0);
    let heard = |gain: f64| {
        let params = plate(&[(DriveGain, gain), (RestHeight, 2e-3)]);
        play_driven(&mut engine(RATE, &params), drive.len(), &drive).peak()
    };
    assert_eq!(heard(2.0), 0.0);
    assert!(heard(200.0) > 1e-6, "{}", heard(200.0));
}

/// -3 dB an octave (Kellet's filter), at full scale now and then.
fn pink(chance: &mut Chance, state: &mut [f64; 3]) -> f32 {
    let white = 2.0 * chance.part() - 1.0;
    state[0] = 0.99765 * state[0] + white * 0.0990460;
    state[1] = 0.96300 * state[1] + white * 0.2965164;
    state[2] = 0.57000 * state[2] + white * 1.0526913;
    (0.15 * (state.iter().sum::<f64>() + white * 0.1848)) as f32
}

/// Drives 64 modes with pink noise for so many seconds through a contact of stiffness k [N/m^1.5]; the share of the frames in which a
/// budget bound.
fn driven_by_noise(k: f64, seconds: usize) -> f64 {
    let force = k * 1e-4_f64.powf(1.5);
    let mut engine = engine(RATE, &plate(&[(Stiffness, force), (Exponent, 1.5), (Damping, 0.3), (DriveGain, 30.0)]));
    engine.enable_energy_balance();
    let (mut chance, mut state, mut peak) = (Chance::new(11), [0.0; 3], 0.0_f64);
    for _ in 0..seconds * 100 {
        let drive: Vec<f32> = (0..480).map(|_| pink(&mut chance, &mut state)).collect();
        peak = peak.max(play_driven(&mut engine, 480, &drive).peak());
    }
    let (worst, spent) = (engine.energy_balance_report(), engine.cost_totals());
    let share = spent.bound as f64 / spent.frames as f64;
    println!(
        "k {k:.0e}: balance {:.1e}, unsupplied {:.1e}, most work {:.0} a frame, {:.0} in 64 frames, a budget bound in {share:.2e} of the frames",
        worst.balance, worst.unsupplied, spent.most_in_frame, spent.most_in_window
    );
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{k:e}: {worst:?}");
    assert!(peak > 0.0 && spent.frames as usize > 47_000 * seconds, "{k:e}: {peak} {spent:?}");
    // 220 times the reference cost of 64 resonators, and an eighth of that at once
    let window = (220 * 64 * 64) as f32;
    assert!(spent.most_in_frame <= window / 8.0 && spent.most_in_window <= window, "{k:e}: {spent:?}");
    share
}

fn drive_all(seconds: usize) {
    let left = Mutex::new((4..=10).map(|power| 10_f64.powi(power)).collect::<Vec<_>>());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = || left.lock().expect("no other thread has failed").pop();
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(k) = next() {
                    let share = driven_by_noise(k, seconds);
                    assert!(share == 0.0 || k > 1e7, "{k:e}: a budget bound in {share} of the frames");
                }
            });
        }
    });
}

#[test]
fn noise_adds_only_the_supplied_energy() {
    drive_all(3);
}

#[test]
#[ignore = "thorough tier: takes minutes"]
fn a_minute_of_noise_adds_only_the_supplied_energy() {
    drive_all(60);
}
