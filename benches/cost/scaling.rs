//! Plots of the cost over modes, bodies, contacts and sample rate.

use super::contact::{self, BodyModes, Per};
use super::engine::{self, KeyState, Keys};
use super::measurement::{Case, RATE, Statistic};
use super::plot::{self, Axis, Corner, Curve, Line, Mark, Plot};
use super::{reference_resonator, ring};

/// Rounds of every point.
const ROUNDS: usize = 40;

/// A curve of a plot.
struct Series {
    name: &'static str,
    /// Creates the case at a value of x.
    case_at: fn(f64) -> Case,
}

#[derive(PartialEq)]
enum Scale {
    Linear,
    Logarithmic,
}

/// One plot of the time per sample.
struct ScalingPlot {
    file: &'static str,
    title: &'static str,
    x_label: &'static str,
    x_scale: Scale,
    points: &'static [f64],
    series: &'static [Series],
}

/// An engine with ringing or held keys of 64 modes, at the sample rate of the other cases.
fn engine_case(count: f64, quality: f64, state: KeyState) -> Case {
    engine::keys("", Keys { count: count as u8, quality }, RATE, state)
}

/// An engine with one key of 64 modes, over the sample rate [kHz].
fn engine_case_at_rate(rate: f64, state: KeyState) -> Case {
    engine::keys("", Keys { count: 1, quality: 1.0 }, rate * 1e3, state)
}

const PLOTS: [ScalingPlot; 4] = [
    ScalingPlot {
        file: "modes.svg",
        title: "One body: time per sample over number of modes",
        x_label: "modes",
        x_scale: Scale::Logarithmic,
        points: &[8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0],
        series: &[
            Series { name: "rings", case_at: |modes| ring::stereo("", modes as usize) },
            Series {
                name: "in contact, P = 8",
                case_at: |modes| contact::contact("", BodyModes::felt(modes as usize), contact::P8, Per::Sample),
            },
            Series {
                name: "in contact, P = 16",
                case_at: |modes| contact::contact("", BodyModes::felt(modes as usize), contact::P16, Per::Sample),
            },
        ],
    },
    ScalingPlot {
        file: "bodies.svg",
        title: "Engine: time per sample over number of bodies with 64 modes",
        x_label: "bodies",
        x_scale: Scale::Logarithmic,
        points: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0],
        series: &[Series { name: "ring", case_at: |bodies| engine_case(bodies, 0.0, KeyState::Ringing) }],
    },
    ScalingPlot {
        file: "contacts.svg",
        title: "Engine: time per sample over number of bodies with 64 modes and a resting hammer",
        x_label: "contacts",
        x_scale: Scale::Logarithmic,
        points: &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0],
        series: &[
            Series { name: "P = 8", case_at: |bodies| engine_case(bodies, 0.0, KeyState::Held) },
            Series { name: "P = 16", case_at: |bodies| engine_case(bodies, 1.0, KeyState::Held) },
        ],
    },
    ScalingPlot {
        file: "rates.svg",
        title: "Engine with one body of 64 modes: time per sample over sample rate",
        x_label: "sample rate (kHz)",
        x_scale: Scale::Linear,
        points: &[22.05, 44.1, 48.0, 88.2, 96.0, 176.4, 192.0],
        series: &[
            Series { name: "rings", case_at: |rate| engine_case_at_rate(rate, KeyState::Ringing) },
            Series { name: "a hammer rests on it, P = 16", case_at: |rate| engine_case_at_rate(rate, KeyState::Held) },
        ],
    },
];

/// Measures and draws all plots into `folder`.
pub fn draw(folder: &str) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot create {folder}: {error}"))?;
    for ScalingPlot { file, title, x_label, x_scale, points, series } in &PLOTS {
        let styles = [(Line::Solid, Mark::Circle), (Line::Dashed, Mark::Square), (Line::DashDotted, Mark::Triangle)];
        let curves = series.iter().zip(styles);
        let curves =
            curves.map(|(series, (line, mark))| Curve::new(series.name, line, measure(points, series.case_at)).marked(mark));
        let y = Axis::new("time per sample (reference costs)").plainly_logarithmic();
        let (x, y, legend) = match x_scale {
            Scale::Linear => (Axis::new(*x_label), y.between(0.1, 20.0), Corner::MiddleLeft),
            Scale::Logarithmic => (Axis::new(*x_label).plainly_logarithmic(), y, Corner::UpperLeft),
        };
        let plot = Plot::new(*title, x, y, curves.collect()).legend(legend);
        let path = format!("{folder}/{file}");
        std::fs::write(&path, plot::draw(&[plot])).map_err(|error| format!("cannot write {path}: {error}"))?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Time per sample relative to the reference cost, at every point.
fn measure(points: &[f64], case_at: fn(f64) -> Case) -> Vec<(f64, f64)> {
    let point = |&x: &f64| {
        let (mut reference, mut case) = (reference_resonator::reference_resonators(), case_at(x));
        for _ in 0..ROUNDS {
            reference.run_round();
            case.run_round();
        }
        (x, case.time_per_unit(Statistic::MedianRound) / reference.time_per_unit(Statistic::MedianRound))
    };
    points.iter().map(point).collect()
}
