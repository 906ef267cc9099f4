//! The exact step of a mode, compared with the matrix exponential; decay and pitch over long times.

use nalgebra::Matrix3;
use std::f64::consts::TAU;
use urto_physics::modal::{Mode, Response};
use urto_physics::solver::{Capacity, Collision};

/// Rate of change of (omega q, v, a/omega), whose entries are of one size.
fn generator(mode: Mode) -> Matrix3<f64> {
    let Mode { omega, sigma } = mode;
    Matrix3::new(0.0, omega, 0.0, -omega, -2.0 * sigma, omega, 0.0, 0.0, 0.0)
}

/// The response in the same coordinates.
fn scaled(mode: Mode, dt: f64) -> Matrix3<f64> {
    let r = Response::new(mode, dt);
    let w = mode.omega;
    Matrix3::new(r.a11, w * r.a12, w * w * r.bq, r.a21 / w, r.a22, w * r.bv, 0.0, 0.0, 1.0)
}

#[test]
fn responses_are_matrix_exponentials() {
    let damping_ratios = [0.0, 1e-6, 0.3, 0.999_999, 1.0, 1.000_001, 1.7, 12.0];
    let steps = [1e-6, 1e-3, 0.1, 1.0, 3.0, -1e-3, -0.4];
    for omega in [20.0, 3e3, 1e5] {
        for zeta in damping_ratios {
            for phase in steps {
                let (mode, dt) = (Mode { omega, sigma: zeta * omega }, phase / omega);
                let exact = (generator(mode) * dt).exp();
                let error = (scaled(mode, dt) - exact).amax() / exact.amax();
                assert!(error < 1e-13, "omega {omega}, zeta {zeta}, omega dt {phase}: {error:e}");
            }
        }
    }
}

/// The response to a force stays exact when the step is far shorter than the mode, where 1 - a11 has no digits left.
#[test]
fn short_steps_respond_like_a_free_mass() {
    for zeta in [0.0, 0.2, 1.0, 3.0] {
        let (mode, dt) = (Mode { omega: 100.0, sigma: 100.0 * zeta }, 1e-9);
        let z = mode.sigma * dt;
        let series = 0.5 * dt * dt * (1.0 - 2.0 / 3.0 * z);
        let bq = Response::new(mode, dt).bq;
        assert!((bq / series - 1.0).abs() < 1e-12, "zeta {zeta}: {:e}", bq / series - 1.0);
    }
}

#[test]
fn a_backward_step_inverts_a_forward_step() {
    for zeta in [0.0, 0.01, 1.0, 2.0] {
        let (mode, dt) = (Mode { omega: 2e3, sigma: 2e3 * zeta }, 2e-4);
        let round_trip = scaled(mode, dt) * scaled(mode, -dt);
        assert!((round_trip - Matrix3::identity()).amax() < 1e-14, "zeta {zeta}");
    }
}

/// Far overdamped modes fall with their slow rate and neither overflow nor gain.
#[test]
fn far_overdamped_modes_creep() {
    let mode = Mode { omega: 50.0, sigma: 1e7 };
    let r = Response::new(mode, 1.0);
    let slow = mode.omega * mode.omega / (2.0 * mode.sigma);
    assert!((r.a11 / (-slow).exp() - 1.0).abs() < 1e-9, "{r:?}");
    assert!(r.a12.is_finite() && r.a22.abs() <= 1.0 && r.bq > 0.0);
}

/// A body of one mode set in motion by hand, at `rate` [Hz].
fn ringing(mode: Mode, rate: f64) -> Collision {
    let mut collision = Collision::new(rate, Capacity { modes: 1, held: 0, hammers: 1, hammer_modes: 1, levels: 4 });
    collision.set_body([mode]);
    let (_, _, v) = collision.ring_parts();
    v[0] = 1.0;
    collision
}

/// Phase [rad] and amplitude of q as a decaying sine.
fn phase_and_amplitude(collision: &Collision, mode: Mode) -> (f64, f64) {
    let (q, v) = (collision.body().q[0], collision.body().v[0]);
    let quadrature = (v + mode.sigma * q) / (TAU * mode.heard_frequency());
    (q.atan2(quadrature), q.hypot(quadrature))
}

#[test]
fn sixty_decibels_are_lost_in_t60() {
    for (rate, frequency, t60) in
        [(44_100.0, 61.7, 3.0), (48_000.0, 440.0, 1.0), (96_000.0, 7_902.1, 0.25), (192_000.0, 20e3, 0.05)]
    {
        let mode = Mode::heard_at(frequency, 1000_f64.ln() / t60);
        let mut collision = ringing(mode, rate);
        let (_, first) = phase_and_amplitude(&collision, mode);
        let samples = (t60 * rate).round();
        for _ in 0..samples as u64 {
            collision.step(1, &mut |_, _| ());
        }
        let (_, last) = phase_and_amplitude(&collision, mode);
        let (fall, wanted) = (20.0 * (last / first).log10(), -60.0 * samples / rate / t60);
        assert!((fall - wanted).abs() < 1e-6, "{frequency} Hz at {rate} Hz: {fall} dB instead of {wanted} dB");
    }
}

/// Phase gained over half a second, unwrapped sample by sample.
#[test]
fn pitch_is_that_of_the_damped_mode_at_every_rate() {
    for rate in [44_100.0, 48_000.0, 88_200.0, 96_000.0, 192_000.0] {
        for (frequency, sigma) in [(27.5, 1.0), (261.6, 3.0), (1_000.0, 600.0), (4_186.0, 20.0), (0.48 * 44_100.0, 30.0)] {
            let mode = Mode::heard_at(frequency, sigma);
            let mut collision = ringing(mode, rate);
            let samples = (0.5 * rate) as u32;
            let (mut last, mut turned) = (0.0, 0.0);
            for _ in 0..samples {
                collision.step(1, &mut |_, _| ());
                let (phase, _) = phase_and_amplitude(&collision, mode);
                turned += (phase - last).rem_euclid(TAU);
                last = phase;
            }
            let heard = turned / TAU * rate / f64::from(samples);
            let cents = 1200.0 * (heard / frequency).log2();
            assert!(cents.abs() < 1e-6, "{frequency} Hz at {rate} Hz is {cents} cents off");
        }
    }
}
