//! Assemblies against closed forms, exact waves, Bessel functions and a dense eigenproblem.

use crate::support::elliptic_period;
use crate::support::rng::Rng;
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use std::f64::consts::{PI, TAU};
use urto_physics::assembly::{Assembly, JoinError, StaticJoint, missing_flexibility, spring_in_series};
use urto_physics::bodies::{ModalShape, TwoHeads};
use urto_physics::modal::Mode;

/// Length of the strings [m], mass per length [kg/m], pitches [Hz] and places of their joint over the length.
const LENGTH: f64 = 0.65;
const LINE_MASS: f64 = 0.003;
const STRINGS: [(f64, f64); 2] = [(196.0, 0.11), (277.2, 0.13)];

fn lossless(omega: f64) -> Mode {
    Mode { omega, sigma: 0.0 }
}

fn omegas(assembly: &Assembly) -> Vec<f64> {
    assembly.modes().iter().map(|mode| mode.omega).collect()
}

fn cents(found: f64, expected: f64) -> f64 {
    elliptic_period::cents(found / expected).abs()
}

/// Where `equation` changes its sign between two places.
fn crossing(equation: impl Fn(f64) -> f64, [mut low, mut high]: [f64; 2]) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if equation(low) * equation(middle) <= 0.0 { high = middle } else { low = middle }
    }
    low
}

/// Two masses on springs, joined by a spring, by a mass beside one of them, and by a pin: roots of quadratic equations.
#[test]
fn two_masses_have_their_closed_forms() {
    let (m, k, spring) = ([2.0, 3.0], [200.0, 750.0], 500.0);
    let parts = || Assembly::new((0..2).map(|i| lossless(f64::sqrt(k[i] / m[i]))).collect());
    let between = [1.0 / f64::sqrt(m[0]), -1.0 / f64::sqrt(m[1])];
    let mut joined = parts();
    joined.join(&between, StaticJoint::Spring(spring)).expect("a spring");
    let (a, b, c) = ((k[0] + spring) / m[0], (k[1] + spring) / m[1], spring / f64::sqrt(m[0] * m[1]));
    let (middle, spread) = (0.5 * (a + b), (0.25 * (a - b) * (a - b) + c * c).sqrt());
    for (found, expected) in omegas(&joined).into_iter().zip([middle - spread, middle + spread]) {
        assert!(cents(found, expected.sqrt()) < 1e-11, "{found} {expected}");
    }
    let mut loaded = parts();
    loaded.join(&[between[0], 0.0], StaticJoint::Mass(0.7)).expect("a mass");
    let expected = [f64::sqrt(k[0] / (m[0] + 0.7)), f64::sqrt(k[1] / m[1])];
    for (found, expected) in omegas(&loaded).into_iter().zip(expected) {
        assert!(cents(found, expected) < 1e-11, "{found} {expected}");
    }
    let mut pinned = parts();
    pinned.join(&between, StaticJoint::Pin).expect("a pin");
    let found = omegas(&pinned);
    assert!(found.len() == 1 && cents(found[0], f64::sqrt((k[0] + k[1]) / (m[0] + m[1]))) < 1e-11, "{found:?}");
}

/// A joint of a random body: a spring or a mass, with its row.
fn random_joint(rng: &mut Rng, modes: usize) -> (Vec<f64>, StaticJoint) {
    let scale = 10_f64.powf(rng.between(-1.0, 1.0));
    let row = (0..modes).map(|_| scale * rng.between(-1.7, 1.7)).collect();
    let is_mass = rng.unit() < 0.3;
    let size = 10_f64.powf(if is_mass { rng.between(-5.0, 0.0) } else { rng.between(2.0, 8.0) });
    (row, if is_mass { StaticJoint::Mass(size) } else { StaticJoint::Spring(size) })
}

/// Frequencies of the dense eigenproblem of stiffness and mass.
fn dense_omegas(parts: &[Mode], joints: &[(Vec<f64>, StaticJoint)]) -> Vec<f64> {
    let n = parts.len();
    let mut stiffness = DMatrix::from_diagonal(&DVector::from_iterator(n, parts.iter().map(|mode| mode.omega * mode.omega)));
    let mut mass = DMatrix::identity(n, n);
    for (row, joint) in joints {
        let row = DVector::from_column_slice(row);
        match joint {
            StaticJoint::Spring(k) => stiffness += *k * &row * row.transpose(),
            StaticJoint::Mass(m) => mass += *m * &row * row.transpose(),
            StaticJoint::Pin => unreachable!("no pins here"),
        }
    }
    let factor = mass.cholesky().expect("a positive mass").l();
    let half = factor.solve_lower_triangular(&stiffness).expect("a regular factor");
    let whole = factor.solve_lower_triangular(&half.transpose()).expect("a regular factor");
    let mut found: Vec<f64> =
        SymmetricEigen::new(0.5 * (&whole + whole.transpose())).eigenvalues.iter().map(|x| x.max(0.0).sqrt()).collect();
    found.sort_by(f64::total_cmp);
    found
}

/// Random bodies with equal frequencies, joined up to five times, against a dense eigenproblem; their shapes are orthonormal in energy.
#[test]
fn random_bodies_agree_with_a_dense_eigenproblem() {
    let mut rng = Rng::new(1);
    let (mut worst, mut skew) = (0.0_f64, 0.0_f64);
    for _ in 0..30 {
        let n = 3 + rng.below(80);
        let mut parts: Vec<Mode> = (0..n).map(|_| lossless(TAU * 10_f64.powf(rng.between(1.5, 4.3)))).collect();
        for i in 0..n / 4 {
            parts[n / 2 + i] = parts[i];
        }
        let joints: Vec<_> = (0..1 + rng.below(5)).map(|_| random_joint(&mut rng, n)).collect();
        let mut assembly = Assembly::new(parts.clone());
        joints.iter().for_each(|(row, joint)| assembly.join(row, *joint).expect("a joint"));
        let expected = dense_omegas(&parts, &joints);
        let largest = expected.last().copied().expect("modes");
        for (found, expected) in omegas(&assembly).into_iter().zip(expected).filter(|(_, expected)| *expected > 1e-4 * largest) {
            worst = worst.max(cents(found, expected));
        }
        // without masses the shapes are orthogonal: the squares of a row keep their sum
        if joints.iter().all(|(_, joint)| matches!(joint, StaticJoint::Spring(_))) {
            let row: Vec<f64> = (0..n).map(|_| rng.between(-1.0, 1.0)).collect();
            let sum = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>();
            skew = skew.max((sum(&assembly.weights(&row).expect("a row")) / sum(&row) - 1.0).abs());
        }
    }
    println!("{worst:e} cents, {skew:e}");
    assert!(worst < 1e-4 && skew < 1e-12, "{worst:e} {skew:e}");
}

/// Frequencies that differ by parts in 10^9 to 10^12 keep orthogonal shapes: the squares of any row keep their sum.
#[test]
fn nearly_equal_frequencies_keep_orthogonal_shapes() {
    let mut rng = Rng::new(2);
    let mut worst = 0.0_f64;
    for apart in [1e-9, 1e-10, 1e-11, 1e-12] {
        let parts = (0..12).map(|i| lossless(1000.0 * (1.0 + apart * f64::from(i)))).collect();
        let mut assembly = Assembly::new(parts);
        for _ in 0..3 {
            let row: Vec<f64> = (0..12).map(|_| rng.between(-1.0, 1.0)).collect();
            assembly.join(&row, StaticJoint::Spring(3e4)).expect("a spring");
        }
        let row: Vec<f64> = (0..12).map(|_| rng.between(-1.0, 1.0)).collect();
        let sum = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>();
        worst = worst.max((sum(&assembly.weights(&row).expect("a row")) / sum(&row) - 1.0).abs());
    }
    assert!(worst < 1e-13, "{worst:e}");
}

/// The mode of two strings over a spring nearest to `omega`: 1/k + G_1 + G_2 = 0 of the waves.
fn exact_string_mode(stiffness: f64, omega: f64) -> Option<f64> {
    let receptance = |(pitch, at): (f64, f64), omega: f64| {
        let (tension, wave) = (LINE_MASS * (2.0 * LENGTH * pitch).powi(2), omega / (2.0 * LENGTH * pitch));
        let [near, far, whole] = [at, 1.0 - at, 1.0].map(|part| (wave * part * LENGTH).sin());
        near * far / (tension * wave * whole)
    };
    let equation = |omega: f64| 1.0 / stiffness + STRINGS.iter().map(|string| receptance(*string, omega)).sum::<f64>();
    let places: Vec<f64> = (0..400).map(|i| omega + TAU * 8.0 * (f64::from(i) / 199.5 - 1.0)).collect();
    let crossings = places.windows(2).filter(|pair| equation(pair[0]) * equation(pair[1]) < 0.0);
    let roots = crossings.filter_map(|pair| {
        let low = crossing(equation, [pair[0], pair[1]]);
        (equation(low).abs() < 1e-6).then_some(low)
    });
    roots.min_by(|a, b| (a - omega).abs().total_cmp(&(b - omega).abs()))
}

/// Two strings over a spring against their exact waves below 5 kHz: the missing flexibility in series with the spring makes 64 partials right to
/// 0.15 cents and 256 to 0.01; without it, 64 partials err by 4 cents.
#[test]
fn two_strings_over_a_spring_have_the_frequencies_of_their_waves() {
    const STIFFNESS: f64 = 2e4;
    let error = |partials: usize, is_complete: bool| {
        let (mut parts, mut row, mut missing) = (Vec::new(), Vec::new(), 0.0);
        for ((pitch, at), sign) in STRINGS.into_iter().zip([1.0, -1.0]) {
            let modes: Vec<Mode> = (1..=partials).map(|n| lossless(TAU * pitch * n as f64)).collect();
            let shape = |n: usize| (n as f64 * PI * at).sin() * (2.0 / (LINE_MASS * LENGTH)).sqrt();
            let weights: Vec<f64> = (1..=partials).map(shape).collect();
            let tension = LINE_MASS * (2.0 * LENGTH * pitch).powi(2);
            missing += missing_flexibility(at * (1.0 - at) * LENGTH / tension, &modes, &weights);
            row.extend(weights.iter().map(|weight| sign * weight));
            parts.extend(modes);
        }
        let stiffness = if is_complete { spring_in_series(STIFFNESS, missing) } else { STIFFNESS };
        let mut assembly = Assembly::new(parts);
        assembly.join(&row, StaticJoint::Spring(stiffness)).expect("a spring");
        let heard: Vec<f64> = omegas(&assembly).into_iter().filter(|omega| *omega < TAU * 5e3).collect();
        let errors: Vec<f64> =
            heard.iter().filter_map(|omega| Some(cents(*omega, exact_string_mode(STIFFNESS, *omega)?))).collect();
        assert!(errors.len() + 2 >= heard.len() && heard.len() >= 42, "{} of {}", errors.len(), heard.len());
        errors.into_iter().fold(0.0, f64::max)
    };
    let [cut, few, many] = [(64, false), (64, true), (256, true)].map(|(partials, complete)| error(partials, complete));
    println!("cut {cut}, with the missing flexibility {few} and {many} cents");
    assert!(cut > 2.0 && few < 0.15 && many < 0.01, "{cut} {few} {many}");
}

/// The heads of a drum of 14 inches: tension [N/m] and surface density [kg/m^2]; radius and depth of the shell [m].
const HEADS: [(f64, f64); 2] = [(3300.0, 0.262), (2500.0, 0.1)];
const RADIUS: f64 = 0.178;
const DEPTH: f64 = 0.14;
/// rho c^2 of air [Pa].
const AIR: f64 = 1.2 * 343.0 * 343.0;

/// The first zeros of J0.
fn bessel_zeros(count: usize) -> Vec<f64> {
    let zero = |n: usize| {
        let mut x = (n as f64 + 0.75) * PI;
        for _ in 0..60 {
            x += libm::j0(x) / libm::j1(x);
        }
        x
    };
    (0..count).map(zero).collect()
}

/// Two heads over a closed volume of air: V/(rho c^2) + sum of pi R^2 J2(k R)/(sigma omega^2 J0(k R)) = 0, k = omega/c of each head. Only modes without nodal
/// diameters change the volume.
#[test]
fn two_heads_over_air_have_the_frequencies_of_bessel_functions() {
    let zeros = bessel_zeros(60);
    let (mut parts, mut row) = (Vec::new(), Vec::new());
    for ((tension, density), outward) in HEADS.into_iter().zip([1.0, -1.0]) {
        for zero in &zeros {
            parts.push(lossless(zero / RADIUS * f64::sqrt(tension / density)));
            // integral of J0(z r/R) over its norm
            row.push(outward * 2.0 * f64::sqrt(PI) * RADIUS / zero / f64::sqrt(density) * libm::j1(*zero).signum());
        }
    }
    let volume = PI * RADIUS * RADIUS * DEPTH;
    let mut assembly = Assembly::new(parts.clone());
    assembly.join(&row, StaticJoint::Spring(AIR / volume)).expect("a volume of air");
    let found = omegas(&assembly);
    let equation = air_and_heads;
    let (mut worst, mut count) = (0.0_f64, 0);
    let places: Vec<f64> = (0..40_000).map(|i| TAU * (60.0 + 2440.0 * f64::from(i) / 4e4)).collect();
    for pair in places.windows(2).filter(|pair| equation(pair[0]) * equation(pair[1]) < 0.0) {
        let low = crossing(equation, [pair[0], pair[1]]);
        // poles change their sign too
        if equation(low).abs() < 1e-9 {
            worst = worst.max(found.iter().map(|omega| cents(*omega, low)).fold(f64::INFINITY, f64::min));
            count += 1;
        }
    }
    let [alone, other, together, opposed] = [parts[0].omega, parts[60].omega, found[0], found[1]].map(|omega| omega / TAU);
    println!("{count} modes, {worst:e} cents; alone {alone:.1} and {other:.1} Hz, joined {together:.1} and {opposed:.1} Hz");
    assert!(count == 13 && worst < 0.01, "{count} {worst}");
    let expected = [241.1, 340.0, 267.0, 519.0];
    for (found, expected) in [alone, other, together, opposed].into_iter().zip(expected) {
        assert!((found - expected).abs() < 0.8, "{found} {expected}");
    }
}

/// The equation of two heads over a closed volume of air; lengths, tensions and densities as above.
fn air_and_heads(omega: f64) -> f64 {
    let head = |(tension, density): (f64, f64)| {
        let x = omega * f64::sqrt(density / tension) * RADIUS;
        PI * RADIUS * RADIUS / (density * omega * omega) * libm::jn(2, x) / libm::j0(x)
    };
    PI * RADIUS * RADIUS * DEPTH / AIR + HEADS.into_iter().map(head).sum::<f64>()
}

/// The body of two heads, without the mass of air, has the same modes without diameters: twelve modes of each head are joined, with the flexibility of
/// all others. Its modes with diameters are those of the heads alone.
#[test]
fn the_body_of_two_heads_has_the_frequencies_of_bessel_functions() {
    const WAVE: f64 = 2.404_825_557_695_773;
    let [(tension, density), (other, thin)] = HEADS;
    let drum = TwoHeads {
        air: 0.0,
        stiffness: 4.0 * AIR * RADIUS * RADIUS / (WAVE.powi(4) * DEPTH * tension),
        depth: 0.5 * DEPTH / RADIUS,
        tuning: f64::sqrt(other / thin * density / tension),
        mass: thin / density,
        split: 0.0,
    };
    let (shape, pitch) = ModalShape::two_heads(&drum, 300);
    let lowest = pitch * WAVE / RADIUS * f64::sqrt(tension / density);
    let (mut worst, mut count) = (0.0_f64, 0);
    for i in (0..300).filter(|&i| shape.family(i).is_some_and(|(m, _)| m == 0)) {
        let omega = lowest * shape.ratio(i);
        if omega < TAU * 2.5e3 {
            // within 0.01 cents there is no pole beside the root
            let bracket = [omega * (1.0 - 5e-6), omega * (1.0 + 5e-6)];
            assert!(air_and_heads(bracket[0]) * air_and_heads(bracket[1]) < 0.0, "no root at {}", omega / TAU);
            worst = worst.max(cents(omega, crossing(air_and_heads, bracket)));
            count += 1;
        }
    }
    println!("{count} modes, {worst:e} cents");
    assert!(count == 13 && worst < 1e-3, "{count} {worst}");
    let heads = HEADS.map(|(tension, density)| f64::sqrt(tension / density) / RADIUS);
    for (i, wave) in (0..300).filter_map(|i| shape.family(i).filter(|(m, _)| *m == 1).map(|(_, n)| (i, n))) {
        let zero = crossing(libm::j1, [(f64::from(wave) + 0.1) * PI, (f64::from(wave) + 0.4) * PI]);
        let found = lowest * shape.ratio(i);
        assert!(heads.iter().any(|head| cents(found, head * zero) < 1e-9), "(1,{wave}) at {}", found / TAU);
    }
}

/// The two-mass model of a snare drum (Rossing, Bork, Zhao and Fystrom 1992; figures from memory): with the other head damped 227 and 299 Hz, both
/// free 182 and 330 Hz. Their squares have nearly the same sum, 0.8 % apart; the air of 177.8 Hz between both gives both.
#[test]
fn two_masses_over_air_are_the_lowest_modes_of_a_snare_drum() {
    let damped = [227.0, 299.0].map(|hertz: f64| (TAU * hertz).powi(2));
    // k/(m1 m2)^(1/2) of the air, for equal masses
    let air = (TAU * 177.8_f64).powi(2);
    let mut drum = Assembly::new(damped.map(|square| lossless(f64::sqrt(square - air))).to_vec());
    drum.join(&[-1.0, 1.0], StaticJoint::Spring(air)).expect("a volume of air");
    let found = omegas(&drum).iter().map(|omega| omega / TAU).collect::<Vec<_>>();
    println!("{found:?}");
    assert!((found[0] / 182.0 - 1.0).abs() < 0.0075 && (found[1] / 330.0 - 1.0).abs() < 0.0075, "{found:?}");
}

/// A dashpot between two bodies: where the losses mix the modes little, decays to first order are those of the complex poles; where they mix more,
/// `mixing` tells. Bodies of two modes each have poles that are easily found.
#[test]
fn decays_are_right_where_losses_do_not_mix_modes() {
    let parts =
        || (0..4).map(|i| Mode { omega: TAU * (300.0 + 170.0 * f64::from(i)), sigma: 2.0 + f64::from(i) }).collect::<Vec<_>>();
    let row = [1.2, 0.9, -1.1, -0.7];
    for (resistance, is_right) in [(0.5, true), (3000.0, false)] {
        let mut assembly = Assembly::new(parts());
        assembly.join(&row, StaticJoint::Spring(2e5)).expect("a spring");
        assembly.damp(&row, resistance).expect("a dashpot");
        let poles = poles(&parts(), &row, [2e5, resistance]);
        let modes = assembly.modes();
        let error = modes.iter().map(|mode| {
            let nearest =
                poles.iter().min_by(|a, b| (a.1 - mode.omega).abs().total_cmp(&(b.1 - mode.omega).abs())).expect("a pole");
            (mode.sigma / nearest.0 - 1.0).abs()
        });
        let (error, mixing) = (error.fold(0.0, f64::max), assembly.mixing(TAU * 5e3));
        println!("r {resistance}: mixing {mixing:.4}, decays within {error:.2e}");
        assert_eq!((mixing < 0.04, error < 0.01), (is_right, is_right), "{mixing} {error}");
    }
}

/// Decay rates and moduli of the poles of parts joined by a spring and a dashpot.
fn poles(parts: &[Mode], row: &[f64], [stiffness, resistance]: [f64; 2]) -> Vec<(f64, f64)> {
    let n = parts.len();
    let row = DVector::from_column_slice(row);
    let mut matrix = DMatrix::zeros(2 * n, 2 * n);
    for i in 0..n {
        matrix[(i, n + i)] = 1.0;
        for j in 0..n {
            let (of_spring, of_dashpot) = (stiffness * row[i] * row[j], resistance * row[i] * row[j]);
            let own = if i == j { 1.0 } else { 0.0 };
            matrix[(n + i, j)] = -of_spring - own * parts[i].omega.powi(2);
            matrix[(n + i, n + j)] = -of_dashpot - own * 2.0 * parts[i].sigma;
        }
    }
    matrix.complex_eigenvalues().iter().filter(|pole| pole.im >= 0.0).map(|pole| (-pole.re, pole.norm())).collect()
}

/// What cannot be joined is refused, and the assembly stays as it was.
#[test]
fn impossible_joints_are_refused() {
    let mut assembly = Assembly::new(vec![Mode::RIGID, lossless(100.0)]);
    let before = omegas(&assembly);
    let rows: [(&[f64], StaticJoint, JoinError); 5] = [
        (&[1.0], StaticJoint::Spring(1.0), JoinError::WrongLength { row: 1, modes: 2 }),
        (&[1.0, f64::NAN], StaticJoint::Spring(1.0), JoinError::NotANumber),
        (&[1.0, 1.0], StaticJoint::Spring(-1.0), JoinError::NotANumber),
        (&[1.0, 1.0], StaticJoint::Mass(1.0), JoinError::FreeMode { mode: 0 }),
        (&[0.0, 0.0], StaticJoint::Pin, JoinError::NothingToPin),
    ];
    for (row, joint, expected) in rows {
        assert_eq!(assembly.join(row, joint), Err(expected));
        assert!(!expected.to_string().is_empty());
    }
    assert_eq!(omegas(&assembly), before);
    assembly.join(&[1.0, 0.0], StaticJoint::Spring(400.0)).expect("a suspension");
    assert!(omegas(&assembly).iter().zip([20.0, 100.0]).all(|(found, expected)| cents(*found, expected) < 1e-11));
}
