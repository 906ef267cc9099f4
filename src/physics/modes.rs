//! A body as a bank of modes: exact free step, response to a constant force, energy.

use std::f64::consts::TAU;

/// Frequency and decay of one mode; underdamped or overdamped. omega = 0 is free motion (then sigma is ignored).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Mode {
    /// Angular frequency of the undamped mode [rad/s], >= 0.
    pub omega: f64,
    /// Decay rate of the amplitude [1/s], >= 0; T60 = ln(1000)/sigma.
    pub sigma: f64,
}

impl Mode {
    /// Free motion: a rigid mass.
    pub const RIGID: Mode = Mode { omega: 0.0, sigma: 0.0 };

    /// The mode that sounds at `frequency` [Hz] although it decays with `sigma` [1/s]: omega^2 = (2 pi f)^2 + sigma^2.
    pub fn heard_at(frequency: f64, sigma: f64) -> Self {
        Self { omega: (TAU * frequency).hypot(sigma), sigma }
    }

    /// Frequency that is heard [Hz], sqrt(omega^2 - sigma^2)/2 pi; 0 when overdamped.
    pub fn heard_frequency(&self) -> f64 {
        ((self.omega - self.sigma) * (self.omega + self.sigma)).max(0.0).sqrt() / TAU
    }
}

/// Exact response of one mode over a time step in which its force is constant:
/// q1 = a11 q + a12 v + bq a,  v1 = a21 q + a22 v + bv a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Displacement from displacement.
    pub a11: f64,
    /// Displacement from velocity [s].
    pub a12: f64,
    /// Velocity from displacement [1/s].
    pub a21: f64,
    /// Velocity from velocity.
    pub a22: f64,
    /// Displacement from force [s^2].
    pub bq: f64,
    /// Velocity from force [s]; equal to a12.
    pub bv: f64,
    /// 1/sinc^2(omega dt/2): removes the droop of a force held over the step. Symmetric in q and v, hence passive.
    pub droop: f64,
}

impl Response {
    /// The response of `mode` over `dt` [s]; dt may be negative (the exact way back). Without cancellation for every damping.
    pub fn new(mode: Mode, dt: f64) -> Self {
        let Mode { omega, sigma } = mode;
        if omega == 0.0 {
            return Self { a11: 1.0, a12: dt, a21: 0.0, a22: 1.0, bq: 0.5 * dt * dt, bv: dt, droop: 1.0 };
        }
        let decay = (-sigma * dt).exp();
        let discriminant = (omega - sigma) * (omega + sigma);
        // c - 1 = -2 sin^2(wd dt/2), s = sin(wd dt)/wd; hyperbolic when overdamped
        let (c_minus_1, s) = if discriminant > 0.0 {
            let damped = discriminant.sqrt();
            let half = (0.5 * damped * dt).sin();
            (-2.0 * half * half, (damped * dt).sin() / damped)
        } else {
            let growth = (-discriminant).sqrt();
            let half = (0.5 * growth * dt).sinh();
            (2.0 * half * half, if growth > 0.0 { (growth * dt).sinh() / growth } else { dt })
        };
        let c = 1.0 + c_minus_1;
        let a12 = decay * s;
        let omega2 = omega * omega;
        let half_phase = 0.5 * omega * dt;
        let sinc = if half_phase.abs() > 1e-9 { half_phase.sin() / half_phase } else { 1.0 };
        Self {
            a11: decay * (c + sigma * s),
            a12,
            a21: -omega2 * a12,
            a22: decay * (c - sigma * s),
            bq: (-(-sigma * dt).exp_m1() - decay * (c_minus_1 + sigma * s)) / omega2,
            bv: a12,
            droop: 1.0 / (sinc * sinc),
        }
    }
}
