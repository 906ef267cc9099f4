//! A steel ball falls onto a bar and bounces until the time is over. Writes the bar's velocity at the contact, `bouncing_ball.wav`.
//!
//! `cargo run --release --no-default-features --example bouncing_ball`

use urto::strike::{ContactLaw, Corrections, Experiment, LabMode, LabStriker, Method};

const RATE: u32 = 48_000;
/// Velocity of full scale [m/s].
const FULL_SCALE: f64 = 0.5;

fn main() -> Result<(), hound::Error> {
    // hinged at both ends: partials n^2, struck at 0.36 of its length
    let shape = |n: f64| (std::f64::consts::PI * 0.36 * n).sin() * 2_f64.sqrt();
    let mode = |n: f64| LabMode { frequency: 110.0 * n * n, decay: 2.0 + n * n, mass: 2.0, shape: shape(n) };
    let experiment = Experiment {
        sample_rate: f64::from(RATE),
        duration: Some(4.0),
        substeps_per_contact: 16.0,
        law: ContactLaw::hunt_crossley(1e8, 1.5, 0.05),
        method: Method::Edg,
        corrections: Corrections::None,
        striker: LabStriker { mass: 0.01, velocity: 0.0, position: -0.15, gravity: 9.81, modes: Vec::new() },
        body: (1..=12).map(f64::from).map(mode).collect(),
    };
    let mut samples = vec![0.0_f32; 4 * RATE as usize];
    let report = experiment.run(&mut |point| {
        if let Some(sample) = samples.get_mut((point.time * f64::from(RATE)).round() as usize) {
            *sample = ((point.striker_velocity - point.velocity) / FULL_SCALE) as f32;
        }
    });
    let spec = hound::WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 32, sample_format: hound::SampleFormat::Float };
    let mut wav = hound::WavWriter::create("bouncing_ball.wav", spec)?;
    samples.into_iter().try_for_each(|sample| wav.write_sample(sample))?;
    println!("{} bounces in 4 s; wrote bouncing_ball.wav", report.contacts.len());
    wav.finalize()
}
