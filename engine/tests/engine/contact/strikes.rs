//! Strikes as collisions: dependence on speed, strikes on a moving body, momentum of the recorded force.

use crate::support::spectrum::kaiser;
use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::params::ParamId::{Body, Damping, Decay, KeyStrikes, Modes};
use urto_engine::patch::Patch;
use urto_engine::patch::factory_presets;
use urto_engine::{Engine, EngineConfig, HitPulse, VelocityCurve};

/// Wood, string, bowl, metal and the default patch. The hammer leaves once, and the mallet, not the body, sets the contact time.
fn patches() -> Vec<Patch> {
    const NAMES: [&str; 4] = ["Rosewood Marimba", "Piano C4 Wire", "Himalayan Bowl", "Orff Metallophone"];
    let named = factory_presets::built_in().filter(|patch| NAMES.contains(&patch.name.as_str()));
    let patches: Vec<_> = named.chain([Patch { name: "Default".into(), ..Patch::default() }]).collect();
    assert_eq!(patches.len(), NAMES.len() + 1);
    patches
}

/// The first contact of a note from rest, and its sound.
fn stroke(patch: &Patch, key: u8, velocity: u8, frames: usize) -> (HitPulse, Sound) {
    let mut engine = Engine::new(EngineConfig::at(RATE), patch);
    engine.event(&on(key, velocity));
    let (mut hit, mut sound) = (None, Sound::default());
    while sound.left.len() < frames {
        let part = play(&mut engine, 8);
        sound.left.extend(part.left);
        sound.right.extend(part.right);
        hit = hit.or(engine.take_hit());
    }
    (hit.expect("the hammer has left the body"), sound)
}

/// Centroid of the energy spectrum of the first 250 ms [Hz].
fn centroid(sound: &Sound) -> f64 {
    const LENGTH: usize = 12_000;
    let window = kaiser(2 * LENGTH, 8.0);
    let samples: Vec<f64> = (0..LENGTH).map(|i| f64::from(sound.left[i]) * window[LENGTH + i]).collect();
    let spectrum = urto_fourier::spectrum(&samples);
    let (sum, weighted) = spectrum.iter().enumerate().fold((0.0, 0.0), |(sum, weighted), (bin, x)| {
        let amplitude = x.norm();
        (sum + amplitude, weighted + bin as f64 * RATE / LENGTH as f64 * amplitude)
    });
    weighted / sum
}

#[test]
fn a_faster_strike_is_shorter_and_brighter() {
    for patch in patches() {
        let strokes = [20, 64, 127].map(|velocity| stroke(&patch, 60, velocity, 12_000));
        let times = strokes.each_ref().map(|(hit, _)| 1e3 * hit.duration);
        let brightness = strokes.each_ref().map(|(_, sound)| centroid(sound));
        println!("{}: contact {times:.3?} ms, centroid {brightness:.0?} Hz", patch.name);
        assert!(times.is_sorted_by(|a, b| a > b), "{}: contact {times:?} ms", patch.name);
        assert!(brightness.is_sorted_by(|a, b| a < b), "{}: centroid {brightness:?} Hz", patch.name);
    }
}

/// The sampled force and compression of a pulse agree with its momentum, peak and contact time.
#[test]
fn the_recorded_force_balances_momentum() {
    for patch in patches() {
        let (hit, _) = stroke(&patch, 60, 100, 12_000);
        let strike_speed = VelocityCurve::of(&patch.settings).speed(100.0 / 127.0);
        assert!((hit.velocity_in / strike_speed - 1.0).abs() < 1e-5, "{}: {} of {strike_speed} m/s", patch.name, hit.velocity_in);
        assert!((hit.energy_in / (0.5 * hit.mass * strike_speed * strike_speed) - 1.0).abs() < 1e-9);
        let decay = hit.energy_decay() / hit.energy_in;
        assert!((0.0..0.02).contains(&decay), "{}: {decay} of it is damped meanwhile", patch.name);
        assert!((hit.accounted() - 1.0).abs() < 1e-12, "{}: {:e}", patch.name, hit.accounted() - 1.0);
        let points = hit.points();
        assert!(points.len() > 16 && points.is_sorted_by(|a, b| a.time <= b.time), "{}", patch.name);
        let highest = points.iter().fold(0.0_f32, |peak, point| peak.max(point.force));
        assert!(highest > 0.98 * hit.peak_force as f32 && hit.velocity_out < 0.0);
        // the impulse is what the hammer's momentum lost
        let impulse: f32 = points.windows(2).map(|p| 0.5 * (p[0].force + p[1].force) * (p[1].time - p[0].time)).sum();
        let speed_out = (2.0 * hit.energy_hammer / hit.mass).sqrt();
        let lost = hit.mass * (hit.velocity_in - speed_out)..hit.mass * (hit.velocity_in + speed_out);
        let nearest = (f64::from(impulse) - lost.start).abs().min((f64::from(impulse) - lost.end).abs());
        assert!(nearest < 0.02 * f64::from(impulse), "{}: {impulse} in {lost:?}", patch.name);
    }
}

/// The energy that a body gains is counted from the start of the strike, also if the body was vibrating before.
#[test]
fn the_recorded_force_on_a_ringing_body_balances_momentum() {
    let patch = patch(&[(Body, 0.0), (Modes, 16.0), (Decay, 20.0), (Damping, 0.0)]);
    let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
    for apart in [4_801, 2_407, 9_613] {
        engine.event(&on(60, 100));
        play(&mut engine, apart);
        let hit = engine.take_hit().expect("a hammer has left");
        let accounted = hit.energy_hammer + hit.energy_body + hit.energy_contact_loss;
        assert!((accounted / hit.energy_in - 1.0).abs() < 0.02, "{accounted} of {}", hit.energy_in);
    }
}

/// The presets added later whose notes strike.
fn struck_later() -> impl Iterator<Item = Patch> {
    factory_presets::added().filter(|patch| patch.settings.get(KeyStrikes) > 0.5)
}

/// If a note were a sample, two notes would sound as the sum of two single ones. The test leaves out one preset, whose hammer of 1.5 g
/// does not feel the motion of a body of 80 kg.
#[test]
fn a_second_strike_is_not_a_copy_of_the_first() {
    const APART: usize = 1440;
    for patch in factory_presets::built_in()
        .chain(struck_later())
        .filter(|patch| patch.name != "Pearl on Glacier")
        .chain(patches())
        .step_by(size(6, 1))
    {
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        let score = [(0, on(60, 90)), (APART, on(60, 90))];
        let both = perform(&mut engine, &score, 24_000, &[512], &[]);
        let single = stroke(&patch, 60, 90, 24_000).1;
        let (mut difference, mut total) = (0.0, 0.0);
        for i in APART..24_000 {
            let sum = f64::from(single.left[i]) + f64::from(single.left[i - APART]);
            difference += (f64::from(both.left[i]) - sum).powi(2);
            total += sum * sum;
        }
        let db = 10.0 * (difference / total).log10();
        println!("{}: {db:.1} dB", patch.name);
        assert!(db > -60.0, "{}: {db} dB", patch.name);
    }
}
