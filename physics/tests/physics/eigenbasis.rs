//! The eigenvectors of a linear contact, compared with the exponential of the dense matrix.

use crate::support::rng::Rng;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;
use urto_physics::eigenbasis::ContactBasis;
use urto_physics::eigenbasis::Probe;
use urto_physics::modal::Mode;

const H: f64 = 1.0 / 44_100.0;

/// A hammer, a body, and the spring between them.
struct System {
    modes: Vec<Mode>,
    weights: Vec<f64>,
    push: Vec<f64>,
    k: f64,
    c: f64,
    relaxed: f64,
}

impl System {
    /// A hammer on `n` modes between 60 Hz and 20 kHz.
    fn random(rng: &mut Rng, n: usize) -> Self {
        let mut modes = vec![Mode::RIGID];
        let mut weights = vec![1.0 / rng.scale(1e-3, 0.1).sqrt()];
        for _ in 0..n {
            let omega = TAU * rng.scale(60.0, 20_000.0);
            modes.push(Mode { omega, sigma: omega / (2.0 * rng.scale(3.0, 3000.0)) });
            weights.push(rng.between(-10.0, 10.0));
        }
        Self::of(rng, modes, weights)
    }

    fn of(rng: &mut Rng, modes: Vec<Mode>, weights: Vec<f64>) -> Self {
        let push = weights.iter().map(|_| rng.between(-10.0, 10.0)).collect();
        let k = rng.scale(1e3, 1e7);
        let mobility: f64 = weights.iter().map(|w| w * w).sum();
        let c = if rng.chance(0.25) { 0.0 } else { rng.scale(1e-3, 0.5) * (k / mobility).sqrt() };
        Self { modes, weights, push, k, c, relaxed: rng.between(-1e-5, 1e-5) }
    }

    fn len(&self) -> usize {
        self.modes.len()
    }

    /// exp of the generator of (omega_0 q, v, 1) over `dt`, omega_0 = 1/dt.
    fn dense(&self, dt: f64) -> DMatrix<f64> {
        let n = self.len();
        let mut a = DMatrix::zeros(2 * n + 1, 2 * n + 1);
        for i in 0..n {
            a[(i, n + i)] = 1.0;
            a[(n + i, i)] = -(self.modes[i].omega * dt).powi(2);
            a[(n + i, n + i)] = if self.modes[i].omega > 0.0 { -2.0 * self.modes[i].sigma * dt } else { 0.0 };
            a[(n + i, 2 * n)] = (self.push[i] + self.weights[i] * self.k * self.relaxed) * dt;
            for j in 0..n {
                let both = self.weights[i] * self.weights[j];
                a[(n + i, j)] -= both * self.k * dt * dt;
                a[(n + i, n + j)] -= both * self.c * dt;
            }
        }
        a.exp()
    }

    /// Largest error of `steps` samples in the basis relative to the largest (q/h, v) there is.
    fn error(&self, rng: &mut Rng, basis: &mut ContactBasis, steps: usize) -> f64 {
        let n = self.len();
        assert!(basis.build(&self.modes, &self.weights, self.k, self.c, H));
        let mut q: Vec<f64> = self.modes.iter().map(|m| 0.02 * rng.between(-1.0, 1.0) / m.omega.max(1000.0)).collect();
        let mut v: Vec<f64> = self.modes.iter().map(|_| 0.02 * rng.between(-1.0, 1.0)).collect();
        let mut dense = DVector::from_iterator(2 * n + 1, q.iter().map(|q| q / H).chain(v.iter().copied()).chain([1.0]));
        let (step, mut worst) = (self.dense(H), 0.0f64);
        basis.load(&q, &v, &self.push, self.relaxed);
        for _ in 0..steps {
            dense = &step * dense;
            basis.step();
        }
        basis.store(&mut q, &mut v);
        let size = dense.rows(0, 2 * n).amax();
        for i in 0..n {
            worst = worst.max((q[i] / H - dense[i]).abs() / size).max((v[i] - dense[n + i]).abs() / size);
        }
        let x: f64 = (0..n).map(|i| self.weights[i] * dense[i] * H).sum();
        let closing: f64 = (0..n).map(|i| self.weights[i] * dense[n + i]).sum();
        let mobility: f64 = self.weights.iter().map(|w| w * w).sum::<f64>().sqrt();
        let (x_basis, closing_basis) = basis.motion();
        worst.max((x - x_basis).abs() / H / (size * mobility)).max((closing - closing_basis).abs() / (size * mobility))
    }
}

#[test]
fn the_basis_agrees_with_the_dense_exponential() {
    for (n, throws) in [(3, 40), (50, 8), (200, 2)] {
        let mut rng = Rng::new(n as u64);
        let mut basis = ContactBasis::new(n + 1);
        let (mut worst, mut sweeps) = (0.0f64, 0);
        for _ in 0..throws {
            let system = System::random(&mut rng, n);
            worst = worst.max(system.error(&mut rng, &mut basis, 4));
            sweeps = sweeps.max(basis.sweeps());
        }
        println!("{n} modes: {worst:.1e}, {sweeps} sweeps");
        assert!(worst < 1e-11, "{n} modes: {worst:e}");
    }
}

/// A hammer on `n` modes of every kind: doublets, weightless ones, overdamped ones, neighbours a hair apart, and a contact that may
/// be damped far beyond what swings.
fn awkward(rng: &mut Rng, n: usize) -> System {
    let mut system = System::random(rng, n);
    for i in 1..=n {
        let neighbour = system.modes[1 + rng.below(i)];
        match rng.below(6) {
            0 => system.modes[i] = neighbour,
            1 => system.weights[i] = 0.0,
            2 => system.modes[i].sigma = system.modes[i].omega * rng.scale(0.9, 4.0),
            3 => system.modes[i] = Mode { omega: neighbour.omega * (1.0 + rng.scale(1e-12, 1e-4)), ..neighbour },
            4 if neighbour.omega > 0.0 => system.weights[i] *= rng.scale(1e-9, 1.0),
            _ => (),
        }
    }
    if rng.chance(0.2) {
        system.modes[0] = Mode { omega: TAU * rng.scale(1.0, 1000.0), sigma: rng.scale(0.1, 1e4) };
    }
    if rng.chance(0.1) {
        (system.modes[1], system.weights[1]) = (Mode::RIGID, 3.0);
    }
    let mobility: f64 = system.weights.iter().map(|w| w * w).sum();
    if rng.chance(0.5) {
        system.c = rng.scale(0.1, 30.0) * (system.k / mobility).sqrt();
    }
    system
}

#[test]
fn every_kind_of_mode_has_a_basis() {
    let mut rng = Rng::new(11);
    let mut basis = ContactBasis::new(9);
    let (mut errors, mut most) = (Vec::new(), 0);
    for _ in 0..400 {
        let n = 1 + rng.below(8);
        let mut system = awkward(&mut rng, n);
        assert!(basis.build(&system.modes, &system.weights, system.k, system.c, H));
        assert!((basis.damping() - system.c).abs() <= 1e-7 * (system.c + system.k.sqrt()));
        system.c = basis.damping();
        errors.push(system.error(&mut rng, &mut basis, 4));
        most = most.max(basis.sweeps());
    }
    errors.sort_by(f64::total_cmp);
    println!("median {:.1e}, 99 % {:.1e}, worst {:.1e}, {most} sweeps", errors[200], errors[395], errors[399]);
    assert!(errors[200] < 1e-14 && errors[399] < 1e-10);
}

#[test]
fn every_random_contact_has_a_basis() {
    let mut rng = Rng::new(12);
    let mut basis = ContactBasis::new(65);
    let (mut sweeps, mut most) = (0, 0);
    for throw in 0..600 {
        let n = 1 + rng.below(64);
        let System { modes, weights, k, c, .. } = if throw % 2 == 0 { awkward(&mut rng, n) } else { System::random(&mut rng, n) };
        assert!(basis.build(&modes, &weights, k, c, H), "throw {throw}: {n} modes");
        assert!(basis.eigenvalues().all(|s| s.re <= 1e-9 * s.norm()), "throw {throw} would grow");
        sweeps += basis.sweeps();
        most = most.max(basis.sweeps());
    }
    println!("{:.1} sweeps, at most {most}", f64::from(sweeps) / 600.0);
}

#[test]
fn conversion_to_the_basis_and_back_is_exact() {
    let mut rng = Rng::new(13);
    let mut basis = ContactBasis::new(65);
    for _ in 0..20 {
        let system = System::random(&mut rng, 64);
        assert!(basis.build(&system.modes, &system.weights, system.k, system.c, H));
        let q: Vec<f64> = system.modes.iter().map(|m| rng.between(-1.0, 1.0) / m.omega.max(1000.0)).collect();
        let v: Vec<f64> = system.modes.iter().map(|_| rng.between(-1.0, 1.0)).collect();
        let (mut q1, mut v1) = (q.clone(), v.clone());
        basis.load(&q, &v, &system.push, system.relaxed);
        basis.store(&mut q1, &mut v1);
        for i in 0..q.len() {
            assert!(
                (q1[i] - q[i]).abs() < 1e-13 / system.modes[i].omega.max(1000.0),
                "{:e}",
                (q1[i] - q[i]) * system.modes[i].omega
            );
            assert!((v1[i] - v[i]).abs() < 1e-13, "{:e}", v1[i] - v[i]);
        }
    }
}

#[test]
fn a_critically_damped_contact_is_shifted_slightly() {
    let (mass, k): (f64, f64) = (0.01, 1e5);
    let critical = 2.0 * (k * mass).sqrt();
    let mut basis = ContactBasis::new(1);
    assert!(basis.build(&[Mode::RIGID], &[1.0 / mass.sqrt()], k, critical, H));
    assert!(basis.damping() > critical && basis.damping() < critical * (1.0 + 1e-7));
    let (mut q, mut v) = ([0.0], [mass.sqrt()]);
    basis.load(&q, &v, &[0.0], 0.0);
    let rate = (k / mass).sqrt();
    for n in 1..=40 {
        basis.step();
        basis.store(&mut q, &mut v);
        let t = f64::from(n) * H;
        let exact = t * (-rate * t).exp();
        assert!((q[0] / mass.sqrt() - exact).abs() < 1e-7 * exact, "{} {exact}", q[0] / mass.sqrt());
    }
}

#[test]
fn the_motion_is_independent_of_the_step_length() {
    let mut rng = Rng::new(14);
    let system = awkward(&mut rng, 8);
    let (mut whole, mut parts) = (ContactBasis::new(9), ContactBasis::new(9));
    let v = vec![0.1; system.len()];
    for basis in [&mut whole, &mut parts] {
        assert!(basis.build(&system.modes, &system.weights, system.k, system.c, H));
        basis.load(&vec![0.0; system.len()], &v, &system.push, 0.0);
    }
    let ahead = parts.motion_after(H);
    whole.step();
    for part in [0.2, 0.5, 0.3] {
        parts.advance(part * H);
    }
    let (x, closing) = whole.motion();
    for (x1, closing1) in [ahead, parts.motion()] {
        assert!((x1 - x).abs() < 1e-13 * x.abs() && (closing1 - closing).abs() < 1e-12 * closing.abs());
    }
}

#[test]
fn a_probe_agrees_with_the_full_state() {
    let mut rng = Rng::new(15);
    let (mut basis, mut probe) = (ContactBasis::new(9), Probe::new(9));
    for _ in 0..100 {
        let system = awkward(&mut rng, 8);
        assert!(basis.build(&system.modes, &system.weights, system.k, system.c, H));
        let mut v: Vec<f64> = (0..9).map(|_| rng.between(-1.0, 1.0)).collect();
        let mut q = vec![0.0; 9];
        let y: Vec<f64> = (0..9).map(|_| rng.between(-1.0, 1.0)).collect();
        basis.load(&q, &v, &system.push, system.relaxed);
        basis.aim_probe(&mut probe, &y);
        for _ in 0..5 {
            basis.step();
        }
        let (x, closing) = basis.read_probe(&probe);
        basis.store(&mut q, &mut v);
        let along = |values: &[f64]| y.iter().zip(values).map(|(y, value)| y * value).sum::<f64>();
        let size = q.iter().fold(0.0f64, |most, q| most.max(q.abs()));
        assert!((x - along(&q)).abs() < 1e-11 * size && (closing - along(&v)).abs() < 1e-11, "{x} {closing}");
    }
}

/// Velocities at two or four probes, read during a step, are those of the state after it.
#[test]
fn a_step_with_outputs_agrees_with_the_probes() {
    let mut rng = Rng::new(16);
    let mut basis = ContactBasis::new(9);
    for _ in 0..100 {
        let system = awkward(&mut rng, 8);
        assert!(basis.build(&system.modes, &system.weights, system.k, system.c, H));
        let v: Vec<f64> = (0..9).map(|_| rng.between(-1.0, 1.0)).collect();
        basis.load(&[0.0; 9], &v, &system.push, system.relaxed);
        let mut probes: [Probe; 4] = std::array::from_fn(|_| Probe::new(9));
        for probe in &mut probes {
            let y: Vec<f64> = (0..9).map(|_| rng.between(-1.0, 1.0)).collect();
            basis.aim_probe(probe, &y);
        }
        for count in [2, 4] {
            let listening: Vec<&Probe> = probes[..count].iter().collect();
            let moment = basis.step_to(&listening);
            for (heard, probe) in moment.heard.iter().zip(&listening) {
                let (_, velocity) = basis.read_probe(probe);
                assert!((heard - velocity).abs() < 1e-11, "{count} probes: {heard} instead of {velocity}");
            }
            let (_, closing) = basis.motion();
            assert!((moment.closing - closing).abs() <= 1e-11 * closing.abs().max(1.0), "{} {closing}", moment.closing);
        }
    }
}

/// Weights that are no numbers, or beside which all others are nothing, leave nothing for the contact to feel: no basis.
#[test]
fn a_contact_without_coupled_modes_has_no_basis() {
    let modes = [Mode::RIGID, Mode { omega: 1e3, sigma: 1.0 }];
    let mut basis = ContactBasis::new(2);
    for weights in [[0.0, 0.0], [f64::NAN, f64::NAN], [1.0, f64::INFINITY]] {
        if basis.build(&modes, &weights, 1e5, 0.0, H) {
            basis.load(&[0.0; 2], &[1.0, 0.0], &[0.0; 2], 0.0);
            panic!("{weights:?} have a basis");
        }
    }
}
