//! Exact steps of many modes at once, and the tables of their coefficients.
//!
//! Power series replace sines and exponentials, so that a compiler can work on several modes in one instruction. All of a
//! [`Response`] follows from entire functions of two numbers, x = sigma dt and z = (omega^2 - sigma^2) dt^2/4, the square of half
//! the angle of the step (negative when overdamped: the same series are then those of sinh and cosh):
//!
//! ```text
//! sin(h)/h = 1 - z p(z)      cos(h) = 1 - z r(z)      z = h^2
//! exp(-x)  = 1 - x + x^2 k(x)
//! S = sin(2h)/2h             1 - S = z (p + r - z p r)
//! 1 - a11  = exp(-x) (2 z (sin(h)/h)^2 + x (1 - S)) + x^2 (1 - (1 + x) k)
//! ```
//!
//! Every sum of the last line has like signs unless overdamped, so that no step, however short, cancels. The coefficients are
//! Taylor's; the first that is left out is below 1e-17 of the sum. Modes outside the domain of the series use [`Response::new`].

use crate::modal::mode::{Mode, Response};
use crate::modal::mode_array::{ModeArray, mode_array};
use crate::modal::simd::{LANES, MAX_STEPS_PER_PASS};

/// Largest omega dt: audible modes are below it.
const WIDEST: f64 = std::f64::consts::PI;
/// Largest sigma dt.
const STEEPEST: f64 = 1.0;
/// Largest sigma over omega: the sum for 1 - a11 loses digits with its square.
const DULLEST: f64 = 2.0;

/// Largest omega dt for [`FEW`] terms: that of a contact's substeps.
const NARROW: f64 = WIDEST / 4.0;
/// Largest sigma dt for few terms.
const GENTLE: f64 = 1.0 / 64.0;

/// Terms of p, r and k; the first that is left out is below 1e-17 of the sum in the whole domain,
const ALL: [usize; 3] = [10, 11, 17];
/// with few losses,
const GENTLY: [usize; 3] = [10, 11, 7];
/// and in short steps with few losses.
const FEW: [usize; 3] = [6, 7, 7];

/// Coefficients of p(z): (-1)^n/(2n + 3)!.
const SINE: [f64; ALL[0]] = series(3, 2, -1.0);
/// Coefficients of r(z): (-1)^n/(2n + 2)!.
const COSINE: [f64; ALL[1]] = series(2, 2, -1.0);
/// Coefficients of k(x): (-1)^n/(n + 2)!.
const EXPONENTIAL: [f64; ALL[2]] = series(2, 1, -1.0);

/// sign^n/(first + n step)!.
const fn series<const N: usize>(first: u64, step: u64, sign: f64) -> [f64; N] {
    let mut coefficients = [0.0; N];
    let (mut factorial, mut factor, mut of) = (1.0, 1.0, 1);
    let mut n = 0;
    while n < N {
        while of < first + step * n as u64 {
            of += 1;
            factorial *= of as f64;
        }
        coefficients[n] = factor / factorial;
        factor *= sign;
        n += 1;
    }
    coefficients
}

/// c_0 + c_1 x + c_2 x^2 + ... of the given number of terms, even and odd powers apart: two short chains of sums instead of a
/// long one.
#[inline(always)]
fn polynomial<const TERMS: usize>(c: &[f64], x: f64) -> f64 {
    let square = x * x;
    let (mut even, mut odd) = (0.0, 0.0);
    let mut n = TERMS;
    while n > 0 {
        n -= 1;
        if n.is_multiple_of(2) {
            even = even * square + c[n];
        } else {
            odd = odd * square + c[n];
        }
    }
    even + x * odd
}

/// Arrays for the coefficients of a step, all as long as the modes or longer. See [`Response`]; bv is a12.
pub struct Columns<'a> {
    /// Displacement from displacement.
    pub a11: &'a mut [f64],
    /// Displacement from velocity, and velocity from force [s].
    pub a12: &'a mut [f64],
    /// Velocity from displacement [1/s].
    pub a21: &'a mut [f64],
    /// Velocity from velocity.
    pub a22: &'a mut [f64],
    /// Displacement from force [s^2].
    pub bq: &'a mut [f64],
    /// 1 - a11 = omega^2 bq, without cancellation.
    pub fall: &'a mut [f64],
    /// Correction of the hold.
    pub droop: &'a mut [f64],
}

impl Columns<'_> {
    #[inline(always)]
    fn set(&mut self, i: usize, r: Response, fall: f64) {
        (self.a11[i], self.a12[i], self.a21[i], self.a22[i]) = (r.a11, r.a12, r.a21, r.a22);
        (self.bq[i], self.fall[i], self.droop[i]) = (r.bq, fall, r.droop);
    }

    fn first(self, n: usize) -> Self {
        let Self { a11, a12, a21, a22, bq, fall, droop } = self;
        Self {
            a11: &mut a11[..n],
            a12: &mut a12[..n],
            a21: &mut a21[..n],
            a22: &mut a22[..n],
            bq: &mut bq[..n],
            fall: &mut fall[..n],
            droop: &mut droop[..n],
        }
    }
}

/// The step of every mode over `dt` >= 0 [s].
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub fn fill(modes: &[Mode], dt: f64, columns: Columns) {
    let mut columns = columns.first(modes.len());
    let (mut outside, mut highest, mut steepest) = (false, 0.0, 0.0);
    for &mode in modes {
        outside |= !is_within(mode, dt);
        highest = if mode.omega > highest { mode.omega } else { highest };
        steepest = if mode.sigma > steepest { mode.sigma } else { steepest };
    }
    let (narrow, gentle) = (highest * dt <= NARROW, steepest * dt <= GENTLE);
    if narrow && gentle {
        fill_within::<{ FEW[0] }, { FEW[1] }, { FEW[2] }>(modes, dt, &mut columns);
    } else if gentle {
        fill_within::<{ GENTLY[0] }, { GENTLY[1] }, { GENTLY[2] }>(modes, dt, &mut columns);
    } else {
        fill_within::<{ ALL[0] }, { ALL[1] }, { ALL[2] }>(modes, dt, &mut columns);
    }
    if outside {
        for (i, &mode) in modes.iter().enumerate().filter(|(_, mode)| !is_within(**mode, dt)) {
            let r = Response::new(mode, dt);
            columns.set(i, r, mode.omega * mode.omega * r.bq);
        }
    }
}

/// [`fill`] by series of the given number of terms.
#[inline(always)]
fn fill_within<const P: usize, const R: usize, const K: usize>(modes: &[Mode], dt: f64, columns: &mut Columns) {
    let n = modes.len();
    let Columns { a11, a12, a21, a22, bq, fall, droop } = columns;
    let (a11, a12, a21, a22) = (&mut a11[..n], &mut a12[..n], &mut a21[..n], &mut a22[..n]);
    let (bq, fall, droop) = (&mut bq[..n], &mut fall[..n], &mut droop[..n]);
    for i in 0..n {
        let (r, moved) = within::<P, R, K>(modes[i], dt);
        (a11[i], a12[i], a21[i], a22[i], bq[i], fall[i], droop[i]) = (r.a11, r.a12, r.a21, r.a22, r.bq, moved, r.droop);
    }
}

/// Whether the series hold.
#[inline(always)]
fn is_within(Mode { omega, sigma }: Mode, dt: f64) -> bool {
    (omega > 0.0) & (sigma <= DULLEST * omega) & (omega * dt <= WIDEST) & (sigma * dt <= STEEPEST)
}

/// The response of a mode inside the domain, and 1 - a11; no branch.
#[inline(always)]
fn within<const P: usize, const R: usize, const K: usize>(Mode { omega, sigma }: Mode, dt: f64) -> (Response, f64) {
    let quarter = 0.25 * dt * dt;
    let (x, omega2) = (sigma * dt, omega * omega);
    let z = (omega - sigma) * (omega + sigma) * quarter;
    let (p, r) = (polynomial::<P>(&SINE, z), polynomial::<R>(&COSINE, z));
    let k = polynomial::<K>(&EXPONENTIAL, x);
    let (sine, cosine) = (1.0 - z * p, 1.0 - z * r);
    let decay = 1.0 - x + x * x * k;
    let turned = z * sine * sine;
    let s = sine * cosine;
    let (c, lag) = (1.0 - 2.0 * turned, z * (p + r - z * (p * r)));
    let a12 = decay * dt * s;
    // all of it is of the size of omega^2 dt^2
    let fall = decay * (2.0 * turned + x * lag) + x * x * (1.0 - (1.0 + x) * k);
    let phase = omega2 * quarter;
    let sinc = 1.0 - phase * polynomial::<P>(&SINE, phase);
    let response = Response {
        a11: decay * (c + x * s),
        a12,
        a21: -omega2 * a12,
        a22: decay * (c - x * s),
        bq: fall / omega2,
        bv: a12,
        droop: 1.0 / (sinc * sinc),
    };
    (response, fall)
}

/// Coefficients of one exact step of every mode; padded with zeros. See [`Response`].
#[derive(Clone, Debug)]
pub struct StepTable {
    pub(super) span: Option<Span>,
    pub(super) used: u64,
    /// Displacement from displacement.
    pub a11: ModeArray,
    /// Displacement from velocity, and velocity from force [s].
    pub a12: ModeArray,
    /// Velocity from displacement [1/s].
    pub a21: ModeArray,
    /// Velocity from velocity.
    pub a22: ModeArray,
    /// Displacement from force [s^2].
    pub bq: ModeArray,
    /// 1 - a11 = omega^2 bq, without cancellation.
    pub(crate) fall: ModeArray,
    /// Correction of the hold.
    pub droop: ModeArray,
    pub(super) loss: Vec<[f64; 3]>,
}

/// Length of a step: a dyadic part of the sample, or any length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Span {
    /// h/2^j.
    Level(u32),
    /// Any length [s].
    Seconds(f64),
}

impl Span {
    /// Length [s] for a sample of h [s].
    pub fn seconds(self, h: f64) -> f64 {
        match self {
            Span::Level(j) => h / (1_u64 << j) as f64,
            Span::Seconds(dt) => dt,
        }
    }
}

impl StepTable {
    /// Room for `modes` modes; the only allocation.
    pub fn with_capacity(modes: usize) -> Self {
        let array = || mode_array(modes);
        Self {
            span: None,
            used: 0,
            a11: array(),
            a12: array(),
            a21: array(),
            a22: array(),
            bq: array(),
            fall: array(),
            droop: array(),
            loss: Vec::new(),
        }
    }

    pub(super) fn fill(&mut self, modes: &[Mode], dt: f64, tracks_losses: bool) {
        let padded = modes.len().next_multiple_of(LANES);
        for array in [&mut self.a11, &mut self.a12, &mut self.a21, &mut self.a22, &mut self.bq, &mut self.fall, &mut self.droop] {
            array.resize(padded, 0.0);
            array[modes.len()..].fill(0.0);
        }
        let Self { a11, a12, a21, a22, bq, fall, droop, .. } = self;
        fill(modes, dt, Columns { a11, a12, a21, a22, bq, fall, droop });
        self.loss.clear();
        if tracks_losses {
            self.loss.extend(modes.iter().map(|&mode| mode.loss_integrals(dt)));
        }
    }
}

/// The step of the first mode alone: that of a point mass needs no loop over modes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FirstModeStep {
    pub(crate) fall: f64,
    pub(crate) a12: f64,
    pub(crate) a21: f64,
    pub(crate) a22: f64,
    pub(crate) bq: f64,
}

impl FirstModeStep {
    /// That of `table`.
    #[inline(always)]
    pub fn of(table: &StepTable) -> Self {
        let first = |column: &[f64]| column.first().copied().unwrap_or(0.0);
        let StepTable { fall, a12, a21, a22, bq, .. } = table;
        Self { fall: first(fall), a12: first(a12), a21: first(a21), a22: first(a22), bq: first(bq) }
    }

    /// That of `mode` over any time dt [s]; 1 - a11 = omega^2 bq loses no digits.
    pub fn over(mode: Mode, dt: f64) -> Self {
        let Response { a12, a21, a22, bq, .. } = Response::new(mode, dt);
        Self { fall: mode.omega * mode.omega * bq, a12, a21, a22, bq }
    }

    /// Change of displacement, and the velocity after it, under the constant force `push`.
    #[inline(always)]
    pub fn predict(&self, (q, v): (f64, f64), push: f64) -> (f64, f64) {
        let &Self { fall, a12, a21, a22, bq } = self;
        ((a12 * v - fall * q) + bq * push, (a21 * q + a22 * v) + a12 * push)
    }

    /// Change of displacement under `push` and an opposing force.
    #[inline(always)]
    pub fn way(&self, state: (f64, f64), push: f64, forced: f64) -> f64 {
        self.predict(state, push).0 - self.bq * forced
    }

    /// Displacement and velocity after a step under the force `push`, against which `pulled` acts [m kg^1/2/s^2].
    #[inline(always)]
    pub fn step(&self, (q, v): (f64, f64), push: f64, pulled: f64) -> (f64, f64) {
        let (dq, vf) = self.predict((q, v), push);
        (q + (dq - self.bq * pulled), vf - self.a12 * pulled)
    }

    /// Displacement in each of the next steps.
    #[inline(always)]
    pub fn ways(&self, (mut q, mut v): (f64, f64), push: f64) -> [f64; MAX_STEPS_PER_PASS] {
        std::array::from_fn(|_| {
            let (dq, vf) = self.predict((q, v), push);
            (q, v) = (q + dq, vf);
            dq
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As [`fill`] writes it.
    fn filled(mode: Mode, dt: f64) -> Response {
        let mut c = [[0.0; 1]; 7];
        let [a11, a12, a21, a22, bq, fall, droop] = &mut c;
        fill(&[mode], dt, Columns { a11, a12, a21, a22, bq, fall, droop });
        let [[a11], [a12], [a21], [a22], [bq], [fall], [droop]] = c;
        assert!((fall - mode.omega * mode.omega * bq).abs() <= 4e-16 * fall.abs());
        Response { a11, a12, a21, a22, bq, bv: a12, droop }
    }

    /// Against the sines and exponentials, in units of the largest entry of the step (omega q, v, a/omega).
    #[test]
    fn series_agree_with_sines_and_exponentials() {
        let mut worst: f64 = 0.0;
        for phase in [1e-7, 1e-4, 0.03, 0.2, 0.5, NARROW, 0.8, 1.3, 2.0, 2.5, 3.0, 3.015, std::f64::consts::PI - 1e-4] {
            for x in [0.0, 1e-9, 1e-5, 1e-3, GENTLE, 0.02, 0.2, 0.5, 0.77, 1.0] {
                for dt in [1.0 / 48e3, 1.0 / 192e3, 1e-8] {
                    let mode = Mode { omega: phase / dt, sigma: x / dt };
                    let (quick, exact) = (filled(mode, dt), Response::new(mode, dt));
                    let w = mode.omega;
                    let errors = [
                        quick.a11 - exact.a11,
                        (quick.a12 - exact.a12) * w,
                        (quick.a21 - exact.a21) / w,
                        quick.a22 - exact.a22,
                        (quick.bq - exact.bq) * w * w,
                        quick.droop / exact.droop - 1.0,
                    ];
                    let error = errors.into_iter().fold(0.0, |worst: f64, e| worst.max(e.abs()));
                    worst = worst.max(error);
                }
            }
        }
        assert!(worst < 2e-15, "{worst:e}");
    }

    /// Modes inside and outside the domain of the series, in one body.
    #[test]
    fn modes_outside_the_domain_are_exact_too() {
        let dt = 1.0 / 48e3;
        for (phase, x) in [(0.0, 0.0), (3.2, 0.0), (0.2, 1.1), (0.01, 50.0), (0.5, 1e4), (1.0, 0.1)] {
            let mode = Mode { omega: phase / dt, sigma: x / dt };
            let (quick, exact) = (filled(mode, dt), Response::new(mode, dt));
            assert_eq!(quick == exact, !is_within(mode, dt), "{phase} {x}");
            assert!((quick.a22 - exact.a22).abs() < 1e-15 && (quick.bq / exact.bq - 1.0).abs() < 1e-14, "{phase} {x}");
        }
    }

    /// bq is accurate also where 1 - a11 has lost its digits.
    #[test]
    fn short_steps_do_not_cancel() {
        for (phase, zeta) in [(1e-3, 0.0), (1e-6, 0.3), (1e-8, 1.0), (1e-8, 2.0), (1e-8, 30.0)] {
            let (omega, dt) = (100.0, phase / 100.0);
            let bq = filled(Mode { omega, sigma: zeta * omega }, dt).bq;
            let (x, p) = (zeta * phase, phase * phase);
            let series = 0.5 * dt * dt * (1.0 - 2.0 / 3.0 * x + (4.0 * x * x - p) / 12.0);
            assert!((bq / series - 1.0).abs() < 1e-13 + x.powi(3), "{phase} {zeta}: {:e}", bq / series - 1.0);
        }
    }
}
