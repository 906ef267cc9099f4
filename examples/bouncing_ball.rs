//! A steel ball falls onto a bar on two supports and bounces to rest; the bar is heard near its end. Writes `bouncing_ball.wav`.
//!
//! `cargo run --release --no-default-features --example bouncing_ball`

use std::f64::consts::PI;
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::PointHammerSpec;
use urto_physics::solver::{Capacity, Collision};

const RATE: u32 = 48_000;

fn main() -> Result<(), hound::Error> {
    // hinged at both ends: partials n^2, shapes sin(n pi x)
    let (place, heard, mass) = (0.36, 0.05, 2.0_f64);
    let modes: Vec<Mode> = (1..=12).map(f64::from).map(|n| Mode::heard_at(110.0 * n * n, 2.0 + n * n)).collect();
    let shape = |at: f64| (1..=12).map(move |n| (PI * at * f64::from(n)).sin() * (2.0 / mass).sqrt());
    let weights: Vec<f64> = shape(place).map(|phi| -phi).collect();
    let pickup: Vec<f64> = shape(heard).collect();

    let capacity = Capacity { modes: modes.len(), hammers: 1, hammer_modes: 1, levels: 6 };
    let mut collision = Collision::new(f64::from(RATE), capacity);
    collision.set_body(modes);
    let law = ContactLaw::hunt_crossley(1e8, 1.5, 0.05);
    let ball = PointHammerSpec { law, mass: 0.01, velocity: 0.0, tether: Mode::RIGID, weights: &weights };
    let ball = collision.strike(ball).expect("there is room for one ball");
    collision.set_hammer_gap(ball, 0.15);
    collision.set_push(ball, 9.81 * 0.01);

    let spec = hound::WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 32, sample_format: hound::SampleFormat::Float };
    let mut wav = hound::WavWriter::create("bouncing_ball.wav", spec)?;
    let mut bounces = 0;
    for _ in 0..4 * RATE {
        collision.step(256, &mut |_, substep| bounces += u32::from(substep.began));
        let velocity: f64 = pickup.iter().zip(&collision.body().v).map(|(phi, v)| phi * v).sum();
        // full scale is 50 mm/s
        wav.write_sample((velocity / 0.05) as f32)?;
    }
    wav.finalize()?;
    println!("{bounces} bounces in 4 s; wrote bouncing_ball.wav");
    Ok(())
}
