//! The damped exponentials of a short complex signal: ESPRIT on a Hankel matrix.
//!
//! Roy, Kailath, "ESPRIT: estimation of signal parameters via rotational invariance techniques", IEEE Trans. ASSP 37 (1989). The signal
//! subspace W spans the left singular vectors of H_jk = y_(j+k); W without its first row is W without its last row times a
//! matrix Phi whose eigenvalues are the poles. The subspace comes from block power iterations, orthonormalised at every half step (Halko,
//! Martinsson, Tropp 2011), which keeps singular values down to 1e-14 of the largest.

use nalgebra::{Complex, DMatrix, DVector, Schur};

use crate::analysis::types::C;

/// Maximum growth of a pole over the signal [Np]: beyond it squares of its powers overflow.
const MAX_GROWTH: f64 = 300.0;
/// Vectors beyond the maximum number of poles, from which the noise is estimated.
const BEYOND: usize = 6;
/// Initial number of poles.
const FEW: usize = 6;
/// Half steps of the power iteration.
const STEPS: usize = 4;
/// Singular values over that of the strongest that are left for a later sweep, when the strongest is no longer there.
const ROUNDING: f64 = 3e-5;
/// Largest singular value of a square Hankel matrix of white noise, over deviation times root of the signal's length (measured,
/// 96 to 256 samples: 1.6 to 1.9), with a margin.
const NOISE_EDGE: f64 = 2.2;
/// Maximum number of steps of the eigenvalues of Phi.
const MAX_STEPS: usize = 400;

/// Poles of a band.
#[derive(Debug, Default)]
pub struct Poles {
    /// Exponent per sample, and amplitude at the first sample.
    pub poles: Vec<(C, C)>,
    /// Variance of the residual.
    pub noise: f64,
}

/// The poles of `signal`, at most `most` of them. Signals of fewer than 16 samples have none.
pub fn poles(signal: &[C], most: usize) -> Poles {
    let energy: f64 = signal.iter().map(|y| y.norm_sqr()).sum();
    if signal.len() < 16 || energy == 0.0 {
        return Poles::default();
    }
    let hankel = Hankel::new(signal);
    let most = most.min(hankel.rows / 3);
    let few = most.min(FEW);
    let mut subspace = hankel.signal_subspace(few);
    if subspace.ncols() == few && few < most {
        subspace = hankel.signal_subspace(most);
    }
    let mut found = if subspace.ncols() == 0 { Vec::new() } else { rotations(&subspace) };
    found.retain(|pole| pole.re * signal.len() as f64 <= MAX_GROWTH);
    if found.is_empty() {
        return Poles { poles: Vec::new(), noise: energy / signal.len() as f64 };
    }
    let powers = DMatrix::from_fn(signal.len(), found.len(), |m, k| (found[k] * m as f64).exp());
    let signal = DVector::from_column_slice(signal);
    let Ok(amplitudes) = powers.clone().svd(true, true).solve(&signal, 1e-13) else { return Poles::default() };
    let noise = (&signal - powers * &amplitudes).norm_squared() / signal.len() as f64;
    Poles { poles: found.into_iter().zip(amplitudes.iter().copied()).collect(), noise }
}

/// H_jk = y_(j+k), real and imaginary parts apart.
struct Hankel {
    parts: [Vec<f64>; 2],
    rows: usize,
    columns: usize,
}

impl Hankel {
    fn new(signal: &[C]) -> Self {
        let rows = signal.len() / 2;
        let parts = [signal.iter().map(|y| y.re).collect(), signal.iter().map(|y| y.im).collect()];
        Self { parts, rows, columns: signal.len() + 1 - rows }
    }

    /// H x for every column x, or with `adjoint` H^H x.
    fn times(&self, columns: &DMatrix<C>, adjoint: bool) -> DMatrix<C> {
        let rows = if adjoint { self.columns } else { self.rows };
        let sign = if adjoint { -1.0 } else { 1.0 };
        let mut product = DMatrix::zeros(rows, columns.ncols());
        let (mut re, mut im) = (vec![0.0; rows], vec![0.0; rows]);
        for (c, column) in columns.column_iter().enumerate() {
            re.fill(0.0);
            im.fill(0.0);
            for (k, x) in column.iter().enumerate() {
                let (a, b) = (&self.parts[0][k..k + rows], &self.parts[1][k..k + rows]);
                add((x.re, sign * x.im), [a, b], [&mut re, &mut im]);
            }
            for (i, (re, im)) in re.iter().zip(&im).enumerate() {
                product[(i, c)] = Complex::new(*re, sign * im);
            }
        }
        product
    }

    /// Sum of |H_jk|^2.
    fn energy(&self) -> f64 {
        let weight = |n: usize| (n + 1).min(self.rows).min(self.columns).min(self.parts[0].len() - n) as f64;
        (0..self.parts[0].len()).map(|n| weight(n) * (self.parts[0][n].powi(2) + self.parts[1][n].powi(2))).sum()
    }

    /// Left singular vectors above the noise, at most `most`.
    fn signal_subspace(&self, most: usize) -> DMatrix<C> {
        let (vectors, values) = self.largest(most + BEYOND);
        let rest = (self.energy() - values.iter().map(|s| s * s).sum::<f64>()).max(0.0);
        let freedom = ((self.rows - values.len()) * (self.columns - values.len())) as f64;
        let length = self.parts[0].len() as f64;
        let least = (NOISE_EDGE * (rest / freedom * length).sqrt()).max(ROUNDING * values[0]);
        let order = values.iter().take(most).take_while(|&&value| value > least).count();
        vectors.columns(0, order).into_owned()
    }

    /// Left singular vectors and singular values of the largest part, falling.
    fn largest(&self, count: usize) -> (DMatrix<C>, Vec<f64>) {
        let count = count.min(self.rows).min(self.columns);
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let start = DMatrix::from_fn(self.columns, count, |_, _| Complex::new(random(), random()));
        let mut basis = self.times(&start, false).qr().q();
        for _ in 0..STEPS / 2 {
            let across = self.times(&basis, true).qr().q();
            basis = self.times(&across, false).qr().q();
        }
        // H^H Q = U S V^H, so H ~ Q V S U^H
        let svd = self.times(&basis, true).svd(false, true);
        let values = svd.singular_values;
        let right = svd.v_t.map_or_else(|| DMatrix::identity(count, count), |v_t| v_t.adjoint());
        let mut order: Vec<_> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        let sorted = DMatrix::from_fn(right.nrows(), order.len(), |j, k| right[(j, order[k])]);
        (basis * sorted, order.iter().map(|&i| values[i]).collect())
    }
}

/// sum += x a for complex arrays, real and imaginary parts apart.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn add((x, y): (f64, f64), [a, b]: [&[f64]; 2], [re, im]: [&mut [f64]; 2]) {
    for (((re, im), a), b) in re.iter_mut().zip(im).zip(a).zip(b) {
        *re += x * a - y * b;
        *im += x * b + y * a;
    }
}

/// Logarithms of the eigenvalues of Phi.
fn rotations(subspace: &DMatrix<C>) -> Vec<C> {
    let (rows, order) = subspace.shape();
    let (upper, lower) = (subspace.rows(0, rows - 1), subspace.rows(1, rows - 1));
    let last: DVector<C> = subspace.row(rows - 1).adjoint();
    let mut phi = upper.adjoint() * lower;
    // (I - w w^H)^-1 of the columns that lost a row, by Sherman and Morrison
    let room = 1.0 - last.norm_squared();
    if room > 1e-12 {
        let row = last.adjoint() * &phi;
        phi += (&last * row).unscale(room);
    }
    let Some(schur) = Schur::try_new(phi, f64::EPSILON, MAX_STEPS * order) else { return Vec::new() };
    let (_, triangle) = schur.unpack();
    (0..order).map(|i| triangle[(i, i)]).filter(|value| value.norm() > 1e-6).map(|value| value.ln()).collect()
}
