//! How the cost grows: with modes, bodies, contacts and the sample rate.

use super::contact::{self, Per};
use super::engine::{self, Doing};
use super::measurement::{Case, Figure};
use super::plot::{self, Axis, Corner, Curve, Line, Mark, Plot};
use super::{RATE, reference_resonator, ring};

/// Rounds of every point.
const ROUNDS: usize = 40;

/// The name of a curve, and how the case at x is built.
type Series = (&'static str, fn(f64) -> Case);

/// One plot: file, title, what x is, its points, the curves.
struct Growth {
    file: &'static str,
    title: &'static str,
    x: &'static str,
    /// x is not logarithmic.
    even: bool,
    points: &'static [f64],
    curves: &'static [Series],
}

const GROWTHS: [Growth; 4] = [
    Growth {
        file: "modes.svg",
        title: "One body: a sample, over its modes",
        x: "modes",
        even: false,
        points: &[8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0],
        curves: &[
            ("rings", |modes| ring::stereo("", modes as usize)),
            ("in contact, P = 8", |modes| contact::contact("", modes as usize, (8.0, 0), Per::Sample)),
            ("in contact, P = 16", |modes| contact::contact("", modes as usize, (16.0, 2), Per::Sample)),
        ],
    },
    Growth {
        file: "bodies.svg",
        title: "An engine: a sample, over its bodies of 64 modes",
        x: "bodies",
        even: false,
        points: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0],
        curves: &[("ring", |bodies| engine::keys("", (bodies as u8, 0.0), RATE, Doing::Ringing))],
    },
    Growth {
        file: "contacts.svg",
        title: "An engine: a sample, over its bodies of 64 modes on which a hammer rests",
        x: "contacts",
        even: false,
        points: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0],
        curves: &[
            ("P = 8", |bodies| engine::keys("", (bodies as u8, 0.0), RATE, Doing::Held)),
            ("P = 16", |bodies| engine::keys("", (bodies as u8, 1.0), RATE, Doing::Held)),
        ],
    },
    Growth {
        file: "rates.svg",
        title: "An engine with one body of 64 modes: a sample, over the sample rate",
        x: "sample rate (kHz)",
        even: true,
        points: &[22.05, 44.1, 48.0, 88.2, 96.0, 176.4, 192.0],
        curves: &[
            ("rings", |rate| engine::keys("", (1, 1.0), rate * 1e3, Doing::Ringing)),
            ("a hammer rests on it, P = 16", |rate| engine::keys("", (1, 1.0), rate * 1e3, Doing::Held)),
        ],
    },
];

/// Measures and draws all plots into `folder`.
pub fn draw(folder: &str) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {folder}: {error}"))?;
    for Growth { file, title, x, even, points, curves } in &GROWTHS {
        let looks = [(Line::Solid, Mark::Circle), (Line::Dashed, Mark::Square), (Line::DashDotted, Mark::Triangle)];
        let curves = curves.iter().zip(looks);
        let curves = curves.map(|((name, make), (line, mark))| Curve::new(*name, line, measured(points, *make)).marked(mark));
        let y = Axis::new("time of a sample (yardsticks)").plainly_logarithmic();
        let y = if *even { y.between(0.1, 20.0) } else { y };
        let x = if *even { Axis::new(*x) } else { Axis::new(*x).plainly_logarithmic() };
        let plot = Plot::new(*title, x, y, curves.collect()).legend(if *even { Corner::MiddleLeft } else { Corner::UpperLeft });
        let path = format!("{folder}/{file}");
        std::fs::write(&path, plot::draw(&[plot])).map_err(|error| format!("cannot write {path}: {error}"))?;
        println!("wrote {path}");
    }
    Ok(())
}

/// A sample in yardsticks at every point.
fn measured(points: &[f64], make: fn(f64) -> Case) -> Vec<(f64, f64)> {
    let at = |&x: &f64| {
        let (mut yardstick, mut case) = (reference_resonator::yardstick(), make(x));
        for _ in 0..ROUNDS {
            yardstick.round();
            case.round();
        }
        (x, case.figure(Figure::Round) / yardstick.figure(Figure::Round))
    };
    points.iter().map(at).collect()
}
