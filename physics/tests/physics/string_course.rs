//! A course of strings on a bridge and a soundboard against exact waves, a dense eigenproblem, complex poles and Weinreich's double decay.

use crate::support::elliptic_period;
use nalgebra::{Complex, DMatrix, DVector, SymmetricEigen};
use std::f64::consts::PI;
use urto_physics::bodies::{BodyPosition, CourseParts, ModalShape, Soundboard, StringCourse};

const BOARD: Soundboard = Soundboard { pitch: 1.5, mass: 30.0, aspect: 1.5, damping: 0.03 };

/// Three strings 2 cents apart, with a fourth and an octave below that nothing damps.
const COURSE: StringCourse = StringCourse { strings: 3, detune: 1.2e-3, sympathetic: &[0.5, 0.75], bridge: 1000.0, board: BOARD };

/// Decay of the strings alone over 2 pi times the pitch: 15 s at middle C.
const STRING_LOSS: f64 = 2.8e-4;

fn cents(found: f64, expected: f64) -> f64 {
    elliptic_period::cents(found / expected).abs()
}

/// 1 + Y_b sum of 1/(1/k + Y_i), 0 at a mode: Y_i = tan(a)/(T a/L), a = pi omega/p, of the strings; Y_b of the modes of the board.
fn waves(course: &StringCourse, pitches: &[(f64, f64)], board: &[(f64, f64)], omega: f64) -> f64 {
    let string = |&(pitch, mass): &(f64, f64)| {
        let wave = PI * omega / pitch;
        1.0 / (PI * PI / course.bridge + PI * PI * wave.tan() / (wave * mass * pitch * pitch))
    };
    let plate: f64 = board.iter().map(|(own, weight)| weight * weight / (own * own - omega * omega)).sum();
    1.0 + plate * pitches.iter().map(string).sum::<f64>()
}

/// Frequencies and weights at the bridge of the board's modes: those that every joint moves.
fn board_modes(parts: &CourseParts) -> Vec<(f64, f64)> {
    let shared = |i: &usize| parts.joints.iter().all(|joint| joint.row[*i] != 0.0);
    (0..parts.modes.len()).filter(shared).map(|i| (parts.modes[i].omega, parts.joints[0].row[i])).collect()
}

/// Frequencies of strings with at least 64 modes each, up to the 16th partial, against waves on strings of all partials: 0.15 cent.
#[test]
fn strings_on_a_board_have_the_frequencies_of_waves() {
    let d = COURSE.detune;
    let pitches = [(1.0 - d, 1.0), (1.0, 1.0), (1.0 + d, 1.0), (0.5, 4.0), (0.75, 16.0 / 9.0)];
    let parts = COURSE.parts(450);
    let board = board_modes(&parts);
    let per_string = |pitch: f64| parts.modes.iter().skip(board.len()).filter(|mode| (mode.omega / pitch).fract() == 0.5).count();
    assert!(per_string(1.0) >= 64, "{}", per_string(1.0));
    let mut worst = 0.0_f64;
    let mut checked = 0;
    for mode in parts.joined().expect("parts").modes().iter().filter(|mode| mode.omega < 16.5) {
        let (mut low, mut high) = (mode.omega * (1.0 - 3e-4), mode.omega * (1.0 + 3e-4));
        let equation = |omega: f64| waves(&COURSE, &pitches, &board, omega);
        // neighbours within half a cent: another test has them
        if equation(low) * equation(high) > 0.0 {
            continue;
        }
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if equation(low) * equation(middle) <= 0.0 { high = middle } else { low = middle }
        }
        (worst, checked) = (worst.max(cents(mode.omega, low)), checked + 1);
    }
    println!("{worst:.3} cents over {checked} modes");
    assert!(checked > 60 && worst < 0.15, "{worst} {checked}");
}

/// The joints one after the other make the modes of the dense eigenproblem of all together.
#[test]
fn joints_one_after_the_other_agree_with_a_dense_eigenproblem() {
    let parts = COURSE.parts(120);
    let count = parts.modes.len();
    let mut stiffness = DMatrix::from_diagonal(&DVector::from_iterator(count, parts.modes.iter().map(|mode| mode.omega.powi(2))));
    for joint in &parts.joints {
        let row = DVector::from_column_slice(&joint.row);
        stiffness += joint.stiffness * &row * row.transpose();
    }
    let mut expected: Vec<f64> = SymmetricEigen::new(stiffness).eigenvalues.iter().map(|value| value.sqrt()).collect();
    expected.sort_by(f64::total_cmp);
    let found = parts.joined().expect("parts").modes();
    let worst = found.iter().zip(&expected).map(|(mode, omega)| cents(mode.omega, *omega)).fold(0.0, f64::max);
    println!("{worst:e} cents");
    assert!(worst < 1e-7, "{worst:e}");
}

/// Complex poles of the parts with the losses of board and strings: (decay rate, frequency).
fn poles(parts: &CourseParts) -> Vec<Complex<f64>> {
    let count = parts.modes.len();
    let mut system = DMatrix::zeros(2 * count, 2 * count);
    for (i, mode) in parts.modes.iter().enumerate() {
        system[(i, count + i)] = 1.0;
        system[(count + i, i)] -= mode.omega * mode.omega;
        system[(count + i, count + i)] = -2.0 * mode.sigma;
    }
    for joint in &parts.joints {
        for i in 0..count {
            for j in 0..count {
                system[(count + i, j)] -= joint.stiffness * joint.row[i] * joint.row[j];
            }
        }
    }
    system.complex_eigenvalues().iter().copied().filter(|pole| pole.im > 0.0).collect()
}

/// The largest error of the decay rates below `below`, relative, and the mixing there.
fn decay_error(course: &StringCourse, below: f64) -> (f64, f64) {
    let mut parts = course.parts(if course.sympathetic.is_empty() { 50 } else { 70 });
    parts.modes.iter_mut().for_each(|mode| mode.sigma += STRING_LOSS);
    let poles = poles(&parts);
    let joined = parts.joined().expect("parts");
    let error = |mode: &urto_physics::modal::Mode| {
        let distance = |pole: &Complex<f64>| (pole.im - mode.omega).hypot(pole.re + mode.sigma);
        let pole = poles.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("poles");
        (mode.sigma / -pole.re - 1.0).abs()
    };
    let modes = joined.modes();
    (modes.iter().filter(|mode| mode.omega < below).map(error).fold(0.0, f64::max), joined.mixing(below))
}

/// Where the losses mix the modes by at most 0.04, all decays are within 1 % of the complex poles; where they mix more, they are not.
#[test]
fn decays_are_right_where_losses_do_not_mix_modes() {
    let mut unlike = 0.0_f64;
    for pitch in [1.5, 2.5, 3.5] {
        for mass in [30.0, 100.0, 300.0] {
            for damping in [0.01, 0.03] {
                let board = Soundboard { pitch, mass, damping, ..BOARD };
                let (error, mixing) = decay_error(&StringCourse { sympathetic: &[], board, ..COURSE }, 4.2);
                println!("board {pitch} {mass} {damping}: mixing {mixing:.3}, decay {:.2} %", 100.0 * error);
                assert!(mixing > 0.04 || error < 0.01, "{mixing} {error}");
                unlike = unlike.max(if mixing > 0.1 { error } else { 0.0 });
            }
        }
    }
    assert!(unlike > 0.05, "{unlike}");
}

/// The decays of the courses of the factory presets below their third partial: within 1 %, those on the large board of a piano within 2 %.
#[test]
fn decays_of_the_presets_are_right() {
    let board = |pitch: f64, mass, aspect| Soundboard { pitch: (pitch / 12.0).exp2(), mass, aspect, damping: 0.01 };
    let course = |strings, detune, sympathetic, board| StringCourse { strings, detune, sympathetic, bridge: 2000.0, board };
    let presets = [
        (course(3, 1.2e-3, &[][..], board(-14.5, 1000.0, 1.5)), 0.02),
        (course(3, 1.2e-3, &[0.5, 2.0], board(-7.0, 200.0, 2.0)), 0.01),
        (course(1, 0.0, &[0.75, 1.0, 0.5], board(9.0, 100.0, 1.2)), 0.01),
    ];
    for (course, bound) in presets {
        for below in [2.5, 5.5] {
            let (error, mixing) = decay_error(&course, below);
            println!("{} strings below {below}: mixing {mixing:.3}, decay {:.2} %", course.strings, 100.0 * error);
            assert!(below > 2.5 || error < bound, "{mixing} {error}");
        }
    }
}

/// Levels [dB] of the partials below 1.2 on the board at the times [periods], after a stroke on all strings.
fn levels(course: &StringCourse, times: [f64; 4]) -> [f64; 4] {
    let shape = ModalShape::string_course(course, 60);
    let (mut struck, mut heard) = (vec![0.0; shape.len()], vec![0.0; shape.len()]);
    shape.weights_at_place(BodyPosition::line(0.12), 1.0, &mut struck);
    shape.weights_at_place(BodyPosition { along: 1.6, across: 0.3 }, 1.0, &mut heard);
    times.map(|time| {
        // power without the beats
        let power = (0..shape.len()).filter(|i| (0.8..1.2).contains(&shape.ratio(*i))).map(|i| {
            let sigma = shape.ratio(i) * shape.radiation(i) + STRING_LOSS;
            (struck[i] * heard[i] * (-sigma * 2.0 * PI * time).exp()).powi(2)
        });
        10.0 * power.sum::<f64>().log10()
    })
}

/// Two and three strings on one bridge have a prompt sound and an aftersound that decays several times more slowly; a single string has one decay.
#[test]
fn strings_on_one_bridge_decay_twice() {
    let (early, late) = ([0.0, 100.0], [2000.0, 2400.0]);
    for strings in [1, 2, 3] {
        let course = StringCourse { strings, detune: 3e-3, sympathetic: &[], ..COURSE };
        let [a, b, c, d] = levels(&course, [early[0], early[1], late[0], late[1]]);
        let (prompt, after) = ((a - b) / 100.0, (c - d) / 400.0);
        // where the line of the late decay begins below the early level
        let below = a - (c + after * late[0]);
        println!("{strings} strings: prompt {prompt:.4}, after {after:.4} dB a period, begins {below:.1} dB below");
        if strings == 1 {
            assert!((prompt / after - 1.0).abs() < 1e-6 && below.abs() < 1e-6);
        } else {
            assert!(prompt > 3.0 * after && (3.0..60.0).contains(&below), "{prompt} {after} {below}");
        }
    }
}

/// Partials of the strings that the bridge cannot tell apart by itself differ by the detuning: they beat at that rate.
#[test]
fn a_heavy_board_leaves_the_strings_their_detuning() {
    let heavy = Soundboard { mass: 1e7, ..BOARD };
    let course = StringCourse { strings: 2, sympathetic: &[], board: heavy, bridge: 1e7, ..COURSE };
    let shape = ModalShape::string_course(&course, 40);
    let near = |n: f64| (0..shape.len()).map(|i| shape.ratio(i)).filter(move |ratio| (ratio / n - 1.0).abs() < 2e-3);
    for n in [1.0, 2.0, 3.0, 4.0] {
        let found: Vec<f64> = near(n).collect();
        assert!(found.len() == 2 && ((found[1] - found[0]) / (n * course.detune) - 1.0).abs() < 1e-2, "{found:?}");
    }
}

/// At a bridge that hardly moves, the force on it is that of a string between rigid ends, and the shapes are its shapes.
#[test]
fn a_heavy_board_makes_a_string_of_the_course() {
    // no mode of the board is near a partial
    let heavy = Soundboard { mass: 1e7, pitch: 1.43, ..BOARD };
    let course = StringCourse { strings: 1, sympathetic: &[], board: heavy, bridge: 1e7, ..COURSE };
    let (shape, string) = (ModalShape::string_course(&course, 60), ModalShape::string(20));
    let (mut forces, mut expected) = (vec![0.0; shape.len()], vec![0.0; 20]);
    shape.bridge(2.0, &mut forces);
    string.bridge(2.0, &mut expected);
    let (mut struck, mut plain) = (vec![0.0; shape.len()], vec![0.0; 20]);
    shape.weights_at(0.13, 2.0, &mut struck);
    string.weights_at(0.13, 2.0, &mut plain);
    let mut checked = 0;
    for n in 1..=20_usize {
        let of_string = |i: &usize| (shape.ratio(*i) / n as f64 - 1.0).abs() < 1e-4;
        let Some(i) = (0..shape.len()).filter(of_string).max_by(|a, b| struck[*a].abs().total_cmp(&struck[*b].abs())) else {
            continue;
        };
        let sign = (struck[i] * plain[n - 1]).signum();
        assert!((sign * struck[i] - plain[n - 1]).abs() < 1e-2, "{n}: {} {}", struck[i], plain[n - 1]);
        assert!((sign * forces[i] - expected[n - 1]).abs() < 1e-2, "{n}: {} {}", forces[i], expected[n - 1]);
        checked += 1;
    }
    assert!(checked >= 18, "{checked}");
}

/// A lower octave answers to a stroke on the course: its own lowest partial is in the sound of the board, and is not without it.
#[test]
fn undamped_neighbours_answer() {
    let sound = |sympathetic: &'static [f64], near: f64| {
        let shape = ModalShape::string_course(&StringCourse { strings: 1, sympathetic, ..COURSE }, 60);
        let (mut struck, mut heard) = (vec![0.0; shape.len()], vec![0.0; shape.len()]);
        shape.weights_at_place(BodyPosition::line(0.12), 1.0, &mut struck);
        shape.weights_at_place(BodyPosition { along: 1.6, across: 0.3 }, 1.0, &mut heard);
        let is_near = |i: &usize| (shape.ratio(*i) / near - 1.0).abs() < 0.05;
        (0..shape.len()).filter(is_near).map(|i| (struck[i] * heard[i]).abs()).sum::<f64>()
    };
    let level = 20.0 * (sound(&[0.5], 0.5) / sound(&[], 1.0)).log10();
    println!("{level:.1} dB against the struck partial");
    assert!(level > -60.0 && sound(&[], 0.5) == 0.0, "{level}");
}

/// Values that no course can have make a string.
#[test]
fn impossible_values_make_a_string() {
    let plain = ModalShape::string(12);
    let boards = [Soundboard { mass: f64::NAN, ..BOARD }, Soundboard { pitch: 0.0, ..BOARD }];
    let courses = boards.map(|board| StringCourse { board, ..COURSE }).into_iter();
    for course in courses.chain([StringCourse { detune: -0.1, ..COURSE }, StringCourse { bridge: f64::INFINITY, ..COURSE }]) {
        let shape = ModalShape::string_course(&course, 12);
        assert!((0..12).all(|i| shape.ratio(i) == plain.ratio(i)));
    }
}
