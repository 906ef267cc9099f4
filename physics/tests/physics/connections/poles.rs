//! Poles of a network, by its transition matrix, and of the same bodies in continuous time.
//!
//! States are scaled: omega q, v, and the amplitudes of the joints, so that the entries of a matrix are of one size.

use super::bodies::TestBody;
use nalgebra::{Complex, DMatrix, DVector};
use urto_physics::connections::{Joint, Network};

pub type Number = Complex<f64>;

/// A linear system, a state from which it starts and a sum that is read.
pub struct LinearSystem {
    pub matrix: DMatrix<f64>,
    pub start: DVector<f64>,
    pub read: DVector<f64>,
}

/// A pole [1/s], and the size of its part of the signal read.
#[derive(Clone, Copy, Debug)]
pub struct Pole {
    pub s: Number,
    pub size: f64,
}

/// The largest differences of the poles.
#[derive(Clone, Copy, Debug, Default)]
pub struct PoleErrors {
    pub cents: f64,
    /// Of the decay [%].
    pub decay: f64,
    /// Of the size [dB].
    pub level: f64,
}

impl LinearSystem {
    /// `joints` between two bodies in continuous time; a blow at the point of the first is heard at that of the second.
    pub fn exact(pair: &[TestBody; 2], joints: &[Joint]) -> Self {
        let count = pair[0].modes.len() + pair[1].modes.len();
        let modes: Vec<_> = pair.iter().flat_map(|body| body.modes.iter().copied()).collect();
        let mut matrix = DMatrix::zeros(2 * count, 2 * count);
        for (i, mode) in modes.iter().enumerate() {
            (matrix[(i, count + i)], matrix[(count + i, i)]) = (mode.omega, -mode.omega);
            matrix[(count + i, count + i)] = -2.0 * mode.sigma;
        }
        for (n, joint) in joints.iter().enumerate() {
            let row: Vec<f64> = pair[0].joints[n].iter().copied().chain(pair[1].joints[n].iter().map(|w| -w)).collect();
            for i in 0..count {
                for j in 0..count {
                    matrix[(count + i, j)] -= joint.stiffness * row[i] * row[j] / modes[j].omega;
                    matrix[(count + i, count + j)] -= joint.damping * row[i] * row[j];
                }
            }
        }
        let (start, read) = blow(pair, 2 * count);
        Self { matrix, start, read }
    }

    /// One sample of a network with these bodies and `joints` joints that are not rigid.
    pub fn of_network(network: &mut Network, pair: &[TestBody; 2], joints: usize) -> Self {
        let count = pair[0].modes.len() + pair[1].modes.len();
        let place = |i: usize| if i < pair[0].modes.len() { (0, i) } else { (1, i - pair[0].modes.len()) };
        let omega = |i: usize| pair[place(i).0].modes[place(i).1].omega;
        let size = 2 * count + joints;
        // an extension of this size has about the energy of a velocity of 1
        let unit = 1e-5;
        let mut matrix = DMatrix::zeros(size, size);
        for column in 0..size {
            for body in 0..2 {
                let (q, v) = network.state_mut(body);
                q.fill(0.0);
                v.fill(0.0);
            }
            let mut extensions = vec![0.0; joints];
            if column < 2 * count {
                let (body, i) = place(column % count);
                let (q, v) = network.state_mut(body);
                if column < count { q[i] = 1.0 / omega(column) } else { v[i] = 1.0 }
            } else {
                extensions[column - 2 * count] = unit;
            }
            network.set_extensions(&extensions);
            network.step();
            for i in 0..count {
                let (body, mode) = place(i);
                matrix[(i, column)] = omega(i) * network.modes(body).q[mode];
                matrix[(count + i, column)] = network.modes(body).v[mode];
            }
            for joint in 0..joints {
                matrix[(2 * count + joint, column)] = network.extension(joint) / unit;
            }
        }
        let (start, read) = blow(pair, size);
        Self { matrix, start, read }
    }

    /// Eigenvalues in the upper half plane.
    pub fn eigenvalues(&self) -> Vec<Number> {
        let all = self.matrix.clone().complex_eigenvalues();
        all.iter().copied().filter(|value| value.im > 0.0).collect()
    }

    /// The part of an eigenvalue in the sum that is read: its residue, by the resolvent beside it, to 1e-3.
    fn residue(&self, value: Number) -> Number {
        let step = 1e-8 * value.norm();
        let size = self.matrix.nrows();
        let mut shifted = self.matrix.map(|entry| Complex::new(-entry, 0.0));
        for i in 0..size {
            shifted[(i, i)] += value + step;
        }
        let state = shifted.lu().solve(&self.start.map(|entry| Complex::new(entry, 0.0))).expect("no eigenvalue");
        state.iter().zip(&self.read).map(|(state, read)| state * read).sum::<Number>() * step
    }
}

fn blow(pair: &[TestBody; 2], size: usize) -> (DVector<f64>, DVector<f64>) {
    let (first, second) = (pair[0].modes.len(), pair[1].modes.len());
    let (mut start, mut read) = (DVector::zeros(size), DVector::zeros(size));
    start.rows_mut(first + second, first).copy_from_slice(&pair[0].point);
    read.rows_mut(2 * first + second, second).copy_from_slice(&pair[1].point);
    (start, read)
}

/// Poles below `top` [Hz] within 60 dB of the largest in continuous time, and those of the network next to them.
pub fn compare(exact: &LinearSystem, played: &LinearSystem, h: f64, top: f64) -> PoleErrors {
    let in_band = exact.eigenvalues().into_iter().filter(|s| s.im < std::f64::consts::TAU * top);
    let poles: Vec<Pole> = in_band.map(|s| Pole { s, size: exact.residue(s).norm() }).collect();
    let largest = poles.iter().fold(0.0_f64, |largest, pole| largest.max(pole.size));
    let values: Vec<Number> = played.eigenvalues();
    let mut worst = PoleErrors::default();
    for pole in poles.iter().filter(|pole| pole.size > 1e-3 * largest) {
        let distance = |z: &Number| (z.ln() / h - pole.s).norm();
        let z = values.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("there are some");
        let s = z.ln() / h;
        worst.cents = worst.cents.max(1200.0 * (s.im / pole.s.im).log2().abs());
        worst.decay = worst.decay.max(100.0 * (s.re / pole.s.re - 1.0).abs());
        let size = (played.residue(z) / z).norm();
        worst.level = worst.level.max(20.0 * (size / pole.size).log10().abs());
    }
    worst
}

/// The largest difference [dB] of the energy that is heard in an octave below `top` [Hz], of seven and within 60 dB of the largest. Poles that are close
/// together count with their interference: the energy of sum r exp(s t) is sum r r*/-(s + s*).
pub fn compare_octaves(exact: &LinearSystem, played: &LinearSystem, h: f64, top: f64) -> f64 {
    let heard = exact.eigenvalues().into_iter().filter(|s| s.im < std::f64::consts::TAU * top);
    let exact: Vec<(Number, Number)> = heard.map(|s| (s, exact.residue(s))).collect();
    let values = played.eigenvalues().into_iter().filter(|z| z.ln().im / h < std::f64::consts::TAU * top);
    let played: Vec<(Number, Number)> = values.map(|z| (z.ln() / h, played.residue(z) / z)).collect();
    let energies = |poles: &[(Number, Number)]| {
        [0, 1, 2, 3, 4, 5, 6].map(|octave| {
            let high = std::f64::consts::TAU * top / f64::from(1 << octave);
            let within: Vec<_> = poles.iter().filter(|(s, _)| (0.5 * high..high).contains(&s.im)).collect();
            let pairs = within.iter().flat_map(|a| within.iter().map(move |b| (a, b)));
            pairs.map(|((s, r), (s_other, r_other))| (r * r_other.conj() / -(s + s_other.conj())).re).sum::<f64>()
        })
    };
    let (expected, found) = (energies(&exact), energies(&played));
    let largest = expected.iter().copied().fold(0.0, f64::max);
    let loud = expected.iter().zip(found).filter(|(expected, _)| **expected > 1e-6 * largest);
    loud.map(|(expected, found)| 10.0 * (found / expected).log10().abs()).fold(0.0, f64::max)
}
