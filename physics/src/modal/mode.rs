//! One mode: its exact free step, its response to a constant force, its losses.

use std::f64::consts::TAU;

/// Growth times dt above which two exponentials replace the hyperbolic form: the rounding error of its factors grows with sigma
/// dt, and a mode under a force loses 4 sigma dt times its energy in a step.
const FAR_OVERDAMPED: f64 = 1.0;

/// (2 sigma + omega) dt below which the series is used.
const SMALL_STEP: f64 = 0.5;
/// Growth times dt above which bq is that of two real decays, which cancel by that much; below, beyond the series, omega dt >
/// 0.14, and the closed form cancels by its square. A nearly critically damped mode leaves the series at a growth of 0.25.
const TWO_DECAYS: f64 = 0.1;
/// Terms of the series: 0.5^14/14! is far below 1e-16.
const SERIES_TERMS: u32 = 14;

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

    /// The mode with the damped frequency `frequency` [Hz] and decay rate `sigma` [1/s]: omega^2 = (2 pi f)^2 + sigma^2.
    #[inline(always)]
    pub fn heard_at(frequency: f64, sigma: f64) -> Self {
        let heard = TAU * frequency;
        Self { omega: (heard * heard + sigma * sigma).sqrt(), sigma }
    }

    /// Damped frequency [Hz], sqrt(omega^2 - sigma^2)/2 pi; 0 when overdamped.
    pub fn heard_frequency(&self) -> f64 {
        ((self.omega - self.sigma) * (self.omega + self.sigma)).max(0.0).sqrt() / TAU
    }
}

/// Exact response of one mode over a time step in which its force is constant:
/// q1 = a11 q + a12 v + bq a,  v1 = a21 q + a22 v + bv a, where a11 = 1 - omega^2 bq.
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
    /// The response of `mode` over `dt` [s]; dt may be negative (exactly back in time). No cancellation at any damping.
    pub fn new(mode: Mode, dt: f64) -> Self {
        let Mode { omega, sigma } = mode;
        if omega == 0.0 {
            return Self { a11: 1.0, a12: dt, a21: 0.0, a22: 1.0, bq: 0.5 * dt * dt, bv: dt, droop: 1.0 };
        }
        let discriminant = (omega - sigma) * (omega + sigma);
        if discriminant < 0.0 && (-discriminant).sqrt() * dt > FAR_OVERDAMPED {
            return Self::far_overdamped(mode, dt, (-discriminant).sqrt());
        }
        let decay = (-sigma * dt).exp();
        let (c_minus_1, s) = swing(discriminant, dt);
        let c = 1.0 + c_minus_1;
        let a12 = decay * s;
        let omega2 = omega * omega;
        Self {
            a11: decay * (c + sigma * s),
            a12,
            a21: -omega2 * a12,
            a22: decay * (c - sigma * s),
            bq: displacement_from_force(mode, dt, discriminant)
                .unwrap_or_else(|| (-(-sigma * dt).exp_m1() - decay * (c_minus_1 + sigma * s)) / omega2),
            bv: a12,
            droop: droop(omega * dt),
        }
    }

    /// As [`Response::new`] by two real decays, where sinh and cosh lose digits and would overflow.
    fn far_overdamped(mode: Mode, dt: f64, growth: f64) -> Self {
        let (slow, fast) = mode.decay_rates(growth);
        let (slowly, quickly) = ((-slow * dt).exp(), (-fast * dt).exp());
        let share = 0.5 / growth;
        let a12 = share * (slowly - quickly);
        Self {
            a11: share * (fast * slowly - slow * quickly),
            a12,
            a21: -mode.omega * mode.omega * a12,
            a22: share * (fast * quickly - slow * slowly),
            bq: mode.displacement_of_decays(dt, growth),
            bv: a12,
            droop: droop(mode.omega * dt),
        }
    }
}

/// c - 1 = -2 sin^2(wd dt/2) and s = sin(wd dt)/wd [s] for wd^2 = `discriminant`; hyperbolic when overdamped.
fn swing(discriminant: f64, dt: f64) -> (f64, f64) {
    if discriminant > 0.0 {
        let damped = discriminant.sqrt();
        let half = (0.5 * damped * dt).sin();
        (-2.0 * half * half, (damped * dt).sin() / damped)
    } else {
        let growth = (-discriminant).sqrt();
        let half = (0.5 * growth * dt).sinh();
        (2.0 * half * half, if growth > 0.0 { (growth * dt).sinh() / growth } else { dt })
    }
}

/// The integral of a12, bq, where its closed form 1 - exp(-sigma dt)(c + sigma s) over omega^2 would cancel: a Taylor series
/// while the mode has hardly moved, two real decays when overdamped. None elsewhere.
fn displacement_from_force(mode: Mode, dt: f64, discriminant: f64) -> Option<f64> {
    let Mode { omega, sigma } = mode;
    if (2.0 * sigma + omega) * dt.abs() < SMALL_STEP {
        // y'' + 2 sigma y' + omega^2 y = 0 with y(0) = 0, y'(0) = 1; term n of y is c_n dt^n
        let (mut last, mut term) = (0.0, dt);
        let mut sum = 0.5 * dt * dt;
        for n in 1..SERIES_TERMS {
            let n = f64::from(n);
            let next = -(2.0 * sigma * dt * term + omega * omega * dt * dt * last / n) / (n + 1.0);
            (last, term) = (term, next);
            sum += term * dt / (n + 2.0);
        }
        return Some(sum);
    }
    let growth = (-discriminant).max(0.0).sqrt();
    (growth * dt > TWO_DECAYS).then(|| mode.displacement_of_decays(dt, growth))
}

impl Mode {
    /// The slow and the fast decay rate [1/s] of an overdamped mode, sigma -+ growth; neither cancels.
    fn decay_rates(self, growth: f64) -> (f64, f64) {
        let fast = self.sigma + growth;
        (self.omega * self.omega / fast, fast)
    }

    /// bq of an overdamped mode by its two decays.
    fn displacement_of_decays(self, dt: f64, growth: f64) -> f64 {
        let (slow, fast) = self.decay_rates(growth);
        (-(-slow * dt).exp_m1() / slow + (-fast * dt).exp_m1() / fast) / (2.0 * growth)
    }
}

/// 1/sinc^2(phase/2).
fn droop(phase: f64) -> f64 {
    let half = 0.5 * phase;
    if half.abs() < 1e-9 {
        return 1.0;
    }
    let sinc = half.sin() / half;
    1.0 / (sinc * sinc)
}

/// Nodes and weights of the 10-point Gauss-Legendre rule on [-1, 1] (positive half).
const GAUSS: [(f64, f64); 5] = [
    (0.148_874_338_981_631_2, 0.295_524_224_714_752_87),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
];

/// Decay [Np] after which the square of an amplitude is negligible, and its product with a constant one.
const GONE: f64 = 20.0;
const GONE_BESIDE: f64 = 2.0 * GONE;

/// Maximum number of panels of 2 rad or Np each; a mode far above the sample rate would need any number.
const MAX_PANELS: f64 = 4096.0;

impl Mode {
    /// Integrals over [0, dt] of a21^2, a21 a22, a22^2: the loss of a step is 2 sigma times the quadratic form that they make of
    /// (q - q_rest, v). Gauss quadrature: sums of like signs, no cancellation. For the energy balance only.
    pub fn loss_integrals(self, dt: f64) -> [f64; 3] {
        let Self { omega, sigma } = self;
        if omega == 0.0 || sigma == 0.0 {
            return [0.0; 3];
        }
        let discriminant = (omega - sigma) * (omega + sigma);
        if discriminant >= 0.0 {
            return self.loss_between(0.0, dt.min(GONE / sigma), discriminant.sqrt().max(sigma));
        }
        let (slow, fast) = self.decay_rates((-discriminant).sqrt());
        let gone = dt.min(GONE_BESIDE / fast);
        let [early, late] = [self.loss_between(0.0, gone, fast), self.loss_between(gone, dt.min(GONE / slow).max(gone), slow)];
        std::array::from_fn(|i| early[i] + late[i])
    }

    /// a21 and a22 of [`Response::new`], without the costly terms.
    fn slowed(self, t: f64) -> (f64, f64) {
        let Self { omega, sigma } = self;
        let discriminant = (omega - sigma) * (omega + sigma);
        if discriminant < 0.0 {
            let Response { a21, a22, .. } = Response::new(self, t);
            return (a21, a22);
        }
        let (decay, (c_minus_1, s)) = ((-sigma * t).exp(), swing(discriminant, t));
        (-omega * omega * (decay * s), decay * (1.0 + c_minus_1 - sigma * s))
    }

    /// The same between two times [s], with changes no faster than `rate` [1/s].
    fn loss_between(self, from: f64, to: f64, rate: f64) -> [f64; 3] {
        let panels = (0.5 * rate * (to - from)).ceil().clamp(1.0, MAX_PANELS);
        let half = 0.5 * (to - from) / panels;
        let mut sums = [0.0; 3];
        for panel in 0..panels as usize {
            let middle = from + (2 * panel + 1) as f64 * half;
            for (node, weight) in GAUSS {
                for t in [middle - half * node, middle + half * node] {
                    let (a21, a22) = self.slowed(t);
                    sums[0] += weight * half * a21 * a21;
                    sums[1] += weight * half * a21 * a22;
                    sums[2] += weight * half * a22 * a22;
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loss of a step is the decrease of the mode's energy, for every damping.
    #[test]
    fn losses_are_the_energy_that_is_missing() {
        let dt = 1.0 / 48_000.0;
        for (omega, sigma) in [
            (19_610_840.549_649_872, 19_610_837.012_772_523),
            (1e5, 2.0),
            (3e4, 2.9e4),
            (3e4, 3.1e4),
            (1e7, 1e3),
            (1e3, 1e8),
            (1e6, 1e7),
            (2e8, 2e8),
        ] {
            let mode = Mode { omega, sigma };
            let (there, [l11, l12, l22]) = (Response::new(mode, dt), mode.loss_integrals(dt));
            for (q, v) in [(1.0 / omega, 0.0), (0.0, 1.0), (0.7 / omega, -0.7)] {
                let (q1, v1) = (there.a11 * q + there.a12 * v, there.a21 * q + there.a22 * v);
                let energy = |q: f64, v: f64| 0.5 * (v * v + omega * omega * q * q);
                let lost = 2.0 * sigma * (q * q * l11 + 2.0 * q * v * l12 + v * v * l22);
                let missing = energy(q, v) - energy(q1, v1);
                assert!((lost - missing).abs() <= 2e-14 * energy(q, v), "{mode:?} from {q:e}, {v}: {lost} and {missing}");
            }
        }
    }

    /// The displacement by a constant force is the sum of those by its impulses: bq is the integral of a12.
    #[test]
    fn a_force_is_the_sum_of_its_impulses() {
        let dt = 1.0 / 48_000.0;
        for phase in [1e-9, 1e-6, 1e-3, 0.02, 0.1, 0.15, 0.25, 0.6] {
            for x in [1e-3, 0.1, 0.15, 0.2, 0.249, 0.251, 0.255, 0.26, 0.28, 0.299, 0.301, 0.4, 0.9, 1.1, 5.0, 29.9, 30.1, 100.0]
            {
                let mode = Mode { omega: phase / dt, sigma: x / dt };
                let panels = 64 + 8 * x as usize;
                let half = 0.5 * dt / panels as f64;
                let way: f64 = (0..panels)
                    .flat_map(|panel| GAUSS.map(|(node, weight)| ((2 * panel + 1) as f64 * half, half * node, half * weight)))
                    .map(|(t, to, weight)| weight * (Response::new(mode, t - to).a12 + Response::new(mode, t + to).a12))
                    .sum();
                let bq = Response::new(mode, dt).bq;
                assert!((bq / way - 1.0).abs() < 1e-13, "omega dt {phase}, sigma dt {x}: {:e}", bq / way - 1.0);
            }
        }
    }
}
