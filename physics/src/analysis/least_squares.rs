//! Least-squares fit of all partials of a signal at once, over its whole length.
//!
//! ```text
//! x_n ~ Re sum_k c_k z_k^n,  z_k = e^lambda_k          lambda = (-sigma + i 2 pi f)/rate
//! d model = Re sum_k (alpha_k + beta_k n) z_k^n        alpha = d c, beta = c d lambda
//! ```
//!
//! Levenberg and Marquardt's method (Marquardt 1963) in alpha and beta; the normal equations are in closed form ([`sums`]), the
//! gradient is summed over the signal. In white noise this is the maximum likelihood.

use nalgebra::{Cholesky, Complex, DMatrix, DVector, Dyn};

use crate::analysis::types::{C, Pole};

/// Samples between checks for partials that have decayed.
const MAX_STEPS_PER_PASS: usize = 512;
/// Share of the peak below which a partial is silent.
const SILENT: f64 = 1e-11;
/// Longest step of an exponent over the partial's own width.
const LONGEST: f64 = 0.5;
/// Largest growth of a partial over the whole signal, as an exponent.
const GROWTH: f64 = 0.2;
/// Relative decrease of the sum of squares below which the fit has converged.
const AT_REST: f64 = 1e-5;
/// Keeps the normal equations of a partial at 0 Hz, which has no imaginary part, from being singular.
const RIDGE: f64 = 1e-9;
/// Minimum of Marquardt's parameter, and its value at which a fit is abandoned.
const LEAST: f64 = 1e-9;
const MOST: f64 = 1e6;

/// Partials that are summed in one vector.
const LANES: usize = 8;

/// Partials of a signal.
pub struct Fit<'a> {
    signal: &'a [f64],
    /// Highest |x|.
    pub peak: f64,
    /// The partials, longest first.
    pub poles: Vec<Pole>,
    /// Residual: signal minus partials.
    pub residual: Vec<f64>,
}

/// Statistics of one partial in a fit.
#[derive(Clone, Copy, Debug)]
pub struct Worth {
    /// Minimum increase of the sum of squares without it, with all others adapted.
    pub benefit: f64,
    /// Variances of its exponent's real and imaginary part for noise of variance 1: the bound of Cramer and Rao.
    pub variances: [f64; 2],
}

impl Worth {
    /// Unknown: it is never removed.
    const UNKNOWN: Self = Self { benefit: f64::INFINITY, variances: [f64::INFINITY; 2] };
}

/// Sums over the signal, one entry a partial.
struct Gradient {
    /// sum r_n z^n and sum r_n n z^n.
    sums: Vec<[C; 2]>,
    cost: f64,
}

impl<'a> Fit<'a> {
    /// No partials yet.
    pub fn new(signal: &'a [f64]) -> Self {
        let peak = signal.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()));
        Self { signal, peak, poles: Vec::new(), residual: signal.to_vec() }
    }

    /// The same partials over another signal, which begins `later` samples later.
    pub fn over<'b>(self, signal: &'b [f64], later: usize) -> Fit<'b> {
        let moved = |pole: Pole| Pole { c: pole.c * (pole.lambda * later as f64).exp(), ..pole };
        let mut fit = Fit::new(signal);
        fit.poles = self.poles.into_iter().map(moved).filter(|pole| pole.c.norm() > SILENT * fit.peak).collect();
        fit
    }

    /// Minimises the sum of squares over all partials, in at most `most` steps.
    pub fn settle(&mut self, most: usize) {
        self.sort();
        if self.poles.is_empty() {
            self.residual = self.signal.to_vec();
            return;
        }
        let (mut marquardt, mut idle) = (1e-4, 0);
        let mut here = self.pass();
        for _ in 0..most {
            let Some(step) = self.step(&here, marquardt) else { break };
            let before = std::mem::replace(&mut self.poles, step);
            let residual = self.residual.clone();
            let there = self.pass();
            if there.cost < here.cost {
                let fall = 1.0 - there.cost / here.cost;
                here = there;
                marquardt = (marquardt * 0.1_f64).max(LEAST);
                idle = if fall < AT_REST { idle + 1 } else { 0 };
                if idle == 2 {
                    break;
                }
            } else {
                self.poles = before;
                self.residual = residual;
                marquardt *= 10.0;
                if marquardt > MOST {
                    break;
                }
            }
        }
        self.sort();
    }

    /// Statistics of each partial, in order.
    pub fn worth(&self) -> Vec<Worth> {
        let Some(solver) = self.solver(LEAST) else { return vec![Worth::UNKNOWN; self.poles.len()] };
        let inverse = solver.inverse();
        let one = |k: usize| {
            let (pole, width, at) = (&self.poles[k], self.length(&self.poles[k]), 4 * k);
            let block = |i: usize| (inverse[(at + i, at + i)], inverse[(at + i + 1, at + i + 1)], inverse[(at + i, at + i + 1)]);
            let (a, b, cross) = block(0);
            let Complex { re: x, im: y } = pole.c;
            let benefit = (b * x * x + a * y * y - 2.0 * cross * x * y) / (a * b - cross * cross);
            let (a, b, cross) = block(2);
            let (cos, sin) = (x / pole.c.norm(), y / pole.c.norm());
            let real = cos * cos * a + sin * sin * b + 2.0 * cos * sin * cross;
            let imaginary = sin * sin * a + cos * cos * b - 2.0 * cos * sin * cross;
            let scale = (pole.c * width).norm_sqr();
            Worth { benefit: benefit.max(0.0), variances: [real / scale, imaginary / scale] }
        };
        (0..self.poles.len()).map(one).collect()
    }

    fn sort(&mut self) {
        self.poles.sort_by(|a, b| b.lambda.re.total_cmp(&a.lambda.re).then(a.lambda.im.total_cmp(&b.lambda.im)));
    }

    /// Samples over which a partial counts: those of the signal, or of its decay by 1/e.
    pub fn length(&self, pole: &Pole) -> f64 {
        (1.0 / pole.lambda.re.abs().max(1e-12)).min(self.signal.len() as f64).max(1.0)
    }

    /// The normal equations, factored.
    fn normal(&self, marquardt: f64) -> Option<Cholesky<f64, Dyn>> {
        let (count, length) = (self.poles.len(), self.signal.len() as f64);
        let mut matrix = DMatrix::zeros(4 * count, 4 * count);
        for j in 0..count {
            for k in 0..=j {
                let (a, b) = (self.poles[j].lambda, self.poles[k].lambda);
                let (with, other) = (sums(a + b.conj(), length), sums(a + b, length));
                let widths = [[1.0, self.length(&self.poles[j])], [1.0, self.length(&self.poles[k])]];
                for p in 0..2 {
                    for q in 0..2 {
                        let scale = 0.5 / (widths[0][p] * widths[1][q]);
                        let (with, other) = (with[p + q] * scale, other[p + q] * scale);
                        let (row, column) = (4 * j + 2 * p, 4 * k + 2 * q);
                        matrix[(row, column)] = with.re + other.re;
                        matrix[(row, column + 1)] = with.im - other.im;
                        matrix[(row + 1, column)] = -with.im - other.im;
                        matrix[(row + 1, column + 1)] = with.re - other.re;
                    }
                }
            }
        }
        for i in 0..4 * count {
            matrix[(i, i)] = matrix[(i, i)] * (1.0 + marquardt) + RIDGE;
        }
        Cholesky::new(matrix)
    }

    /// The normal equations with Marquardt's parameter, or the smallest larger one for which they are numerically definite.
    fn solver(&self, marquardt: f64) -> Option<Cholesky<f64, Dyn>> {
        let numbers = std::iter::successors(Some(marquardt), |number| Some(10.0 * number)).take_while(|number| *number < 10.0);
        numbers.into_iter().find_map(|number| self.normal(number))
    }

    /// The partials after a step.
    fn step(&self, gradient: &Gradient, marquardt: f64) -> Option<Vec<Pole>> {
        let solver = self.solver(marquardt)?;
        let mut right = DVector::zeros(4 * self.poles.len());
        for (k, ([a, b], pole)) in gradient.sums.iter().zip(&self.poles).enumerate() {
            let width = self.length(pole);
            let parts = [a.re, -a.im, b.re / width, -b.im / width];
            (0..4).for_each(|i| right[4 * k + i] = parts[i]);
        }
        let solved = solver.solve(&right);
        let growth = GROWTH / self.signal.len() as f64;
        let moved = self.poles.iter().enumerate().map(|(k, pole)| {
            let width = self.length(pole);
            let alpha = Complex::new(solved[4 * k], solved[4 * k + 1]);
            let mut turn = Complex::new(solved[4 * k + 2], solved[4 * k + 3]) / pole.c;
            if turn.norm() > LONGEST {
                turn *= LONGEST / turn.norm();
            }
            let lambda = pole.lambda + turn / width;
            Pole { lambda: Complex::new(lambda.re.min(growth), lambda.im), c: pole.c + alpha, ..*pole }
        });
        let moved: Vec<_> = moved.collect();
        moved.iter().all(|pole| pole.lambda.is_finite() && pole.c.is_finite()).then_some(moved)
    }

    /// One pass over the signal: the residual, and its sums with every partial.
    fn pass(&mut self) -> Gradient {
        let mut lanes: Vec<Lanes> = vec![Lanes::default(); self.poles.len().div_ceil(LANES)];
        for (k, pole) in self.poles.iter().enumerate() {
            lanes[k / LANES].put(k % LANES, pole);
        }
        let mut cost = 0.0;
        for from in (0..self.signal.len()).step_by(MAX_STEPS_PER_PASS) {
            let level = |pole: &Pole| pole.c.norm() * (pole.lambda.re * from as f64).exp();
            let last = self.poles.iter().rposition(|pole| level(pole) > SILENT * self.peak);
            let active = last.map_or(0, |last| last / LANES + 1);
            let run = from..(from + MAX_STEPS_PER_PASS).min(self.signal.len());
            cost += stretch(&self.signal[run.clone()], from, &mut lanes[..active], &mut self.residual[run]);
        }
        let sums = (0..self.poles.len()).map(|k| lanes[k / LANES].sums(k % LANES)).collect();
        Gradient { sums, cost }
    }
}

/// The residual of `signal` without `lanes`, whose first sample is number `from`, and its sum of squares.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn stretch(signal: &[f64], from: usize, lanes: &mut [Lanes], residual: &mut [f64]) -> f64 {
    let mut cost = 0.0;
    for (i, (x, residual)) in signal.iter().zip(residual).enumerate() {
        let mut model = [0.0; LANES];
        for lanes in lanes.iter() {
            for (i, model) in model.iter_mut().enumerate() {
                *model += lanes.c[0][i] * lanes.now[0][i] - lanes.c[1][i] * lanes.now[1][i];
            }
        }
        let rest = x - model.iter().sum::<f64>();
        *residual = rest;
        cost += rest * rest;
        let ramp = rest * (from + i) as f64;
        lanes.iter_mut().for_each(|lanes| lanes.add(rest, ramp));
    }
    cost
}

/// Partials in one vector.
#[derive(Clone, Copy, Default)]
struct Lanes {
    /// z^n.
    now: [[f64; LANES]; 2],
    /// z.
    turn: [[f64; LANES]; 2],
    c: [[f64; LANES]; 2],
    plain: [[f64; LANES]; 2],
    ramp: [[f64; LANES]; 2],
}

impl Lanes {
    fn put(&mut self, lane: usize, pole: &Pole) {
        let turn = pole.lambda.exp();
        for (part, (turn, c)) in [(turn.re, pole.c.re), (turn.im, pole.c.im)].into_iter().enumerate() {
            self.turn[part][lane] = turn;
            self.c[part][lane] = c;
        }
        self.now[0][lane] = 1.0;
    }

    /// Adds the sums of one sample and advances to the next.
    #[inline(always)]
    fn add(&mut self, rest: f64, ramp: f64) {
        for i in 0..LANES {
            let (re, im) = (self.now[0][i], self.now[1][i]);
            self.plain[0][i] += rest * re;
            self.plain[1][i] += rest * im;
            self.ramp[0][i] += ramp * re;
            self.ramp[1][i] += ramp * im;
            self.now[0][i] = re * self.turn[0][i] - im * self.turn[1][i];
            self.now[1][i] = re * self.turn[1][i] + im * self.turn[0][i];
        }
    }

    fn sums(&self, lane: usize) -> [C; 2] {
        [Complex::new(self.plain[0][lane], self.plain[1][lane]), Complex::new(self.ramp[0][lane], self.ramp[1][lane])]
    }
}

/// |lambda| N below which the closed form would cancel.
const NEAR: f64 = 1.0;
/// Terms of the series there: 1/24! is far below 1e-16.
const TERMS: u32 = 24;

/// sum over n = 0..`count` of n^p e^(`lambda` n) for p = 0, 1, 2. Where |lambda| `count` < 1 the integral replaces the sum,
/// within 1/`count`.
pub fn sums(lambda: C, count: f64) -> [C; 3] {
    if (lambda * count).norm() < NEAR {
        return integrals(lambda * count).map_with_powers(count);
    }
    // S0 = (1 - q^N)/(1 - q); the next ones by d/d lambda of S (1 - q)
    let (q, end) = (lambda.exp(), (lambda * count).exp());
    let gap = Complex::new(1.0, 0.0) - q;
    let s0 = (Complex::new(1.0, 0.0) - end) / gap;
    let s1 = (q * s0 - end * count) / gap;
    let s2 = (q * (s0 + s1 * 2.0) - end * (count * count)) / gap;
    [s0, s1, s2]
}

/// Integrals of t^p e^(x t) over [0, 1].
fn integrals(x: C) -> Moments {
    let mut term = Complex::new(1.0, 0.0);
    let mut sums = [Complex::new(0.0, 0.0); 3];
    for m in 0..TERMS {
        for (p, sum) in sums.iter_mut().enumerate() {
            *sum += term / (f64::from(m) + p as f64 + 1.0);
        }
        term *= x / (f64::from(m) + 1.0);
    }
    Moments(sums)
}

struct Moments([C; 3]);

impl Moments {
    fn map_with_powers(self, count: f64) -> [C; 3] {
        let [a, b, c] = self.0;
        [a * count, b * count.powi(2), c * count.powi(3)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partials_over_a_later_signal_are_those_of_the_first_at_that_time() {
        let later = 37;
        let lambda = C::new(-0.002, 0.31);
        let amplitude = C::new(0.4, -0.7);
        let signal: Vec<f64> = (0..400).map(|n| (amplitude * (lambda * f64::from(n)).exp()).re).collect();
        let mut fit = Fit::new(&signal);
        fit.poles.push(Pole { lambda, c: amplitude, noise: 0.0 });
        let moved = fit.over(&signal[later..], later);
        let expected = amplitude * (lambda * later as f64).exp();
        assert!((moved.poles[0].c - expected).norm() < 1e-14, "{} instead of {expected}", moved.poles[0].c);
    }
}
