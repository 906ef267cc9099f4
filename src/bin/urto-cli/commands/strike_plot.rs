//! The picture of a strike: force over time, and compression against its velocity.

use plotters::coord::Shift;
use plotters::prelude::*;
use urto_physics::lab::TracePoint;

/// Most points that are kept; beyond it every second one goes.
const MOST_POINTS: usize = 8192;
/// Size of the picture [px].
const SIZE: (u32, u32) = (1200, 520);
/// The backend draws on whole pixels: it is given this many to one of the picture.
const FINE: u32 = 8;
/// What measures the labels; whoever opens the picture shows them in a sans serif of their own.
const FONT: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/IBMPlexSans_400Regular.ttf"));
const FORCE: RGBColor = RGBColor(0xb0, 0x3a, 0x2e);
const PORTRAIT: RGBColor = RGBColor(0x1f, 0x4e, 0x79);
const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
const GRID: RGBColor = RGBColor(0xe4, 0xe4, 0xe4);
const ZERO: RGBColor = RGBColor(0x99, 0x99, 0x99);

/// One state in contact; `fresh` when it does not follow from the one before. A force is a mean over a step: it stands at the
/// middle of its step.
#[derive(Clone, Copy)]
struct Point {
    middle: f64,
    force: f64,
    compression: f64,
    velocity: f64,
    fresh: bool,
}

/// Collects what a picture shows.
pub struct Plot {
    points: Vec<Point>,
    stride: usize,
    count: usize,
    before: TracePoint,
    touching: bool,
}

impl Default for Plot {
    fn default() -> Self {
        Self { points: Vec::new(), stride: 1, count: 0, before: TracePoint::default(), touching: false }
    }
}

impl Plot {
    /// Takes the next state.
    pub fn add(&mut self, state: &TracePoint) {
        let before = std::mem::replace(&mut self.before, *state);
        let touching = state.compression > 0.0;
        match (self.touching, touching) {
            (false, true) => {
                self.count = 0;
                self.push(Point { fresh: true, ..at_zero(&before, state) });
                self.push(in_contact(&before, state));
            }
            (true, true) => {
                self.count += 1;
                if self.count.is_multiple_of(self.stride) {
                    self.push(in_contact(&before, state));
                }
            }
            (true, false) => self.push(at_zero(&before, state)),
            (false, false) => {}
        }
        self.touching = touching;
    }

    fn push(&mut self, point: Point) {
        self.points.push(point);
        if self.points.len() >= MOST_POINTS {
            let mut i = 0;
            self.points.retain(|point| {
                i += 1;
                point.fresh || i % 2 == 0
            });
            self.stride *= 2;
        }
    }

    /// The picture as SVG. Errors: what the drawing says.
    pub fn draw(&self, title: &str) -> Result<String, String> {
        plotters::style::register_font("sans-serif", FontStyle::Normal, FONT)
            .map_err(|_| "cannot be drawn (the built-in font is damaged)".to_string())?;
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, (FINE * SIZE.0, FINE * SIZE.1)).into_drawing_area();
            self.panels(&root, title).map_err(|error| format!("cannot be drawn ({error})"))?;
            root.present().map_err(|error| format!("cannot be drawn ({error})"))?;
        }
        // full fineness stays in the viewBox
        let (fine, plain) = (size_text(FINE), size_text(1));
        Ok(svg.replacen(&fine, &plain, 1))
    }

    fn panels(&self, root: &DrawingArea<SVGBackend, Shift>, title: &str) -> Result<(), Box<dyn std::error::Error + '_>> {
        root.fill(&WHITE)?;
        let root = root.margin(8 * FINE, 0, 0, 0).titled(title, font(18)).map_err(|e| e.to_string())?;
        let (left, right) = root.split_horizontally(FINE * SIZE.0 / 2);
        let forces = self.curves(|point| (point.middle, point.force));
        panel(&left, &forces, ("time", "s"), ("contact force", "N"), &FORCE)?;
        let portrait = self.curves(|point| (point.compression, point.velocity));
        panel(&right, &portrait, ("compression", "m"), ("compression velocity", "m/s"), &PORTRAIT)
    }

    /// One curve a contact.
    fn curves(&self, coordinates: impl Fn(&Point) -> (f64, f64)) -> Vec<Vec<(f64, f64)>> {
        let mut curves: Vec<Vec<(f64, f64)>> = Vec::new();
        for point in &self.points {
            match curves.last_mut() {
                Some(curve) if !point.fresh => curve.push(coordinates(point)),
                _ => curves.push(vec![coordinates(point)]),
            }
        }
        curves
    }
}

/// The state at the end of a step in contact.
fn in_contact(before: &TracePoint, state: &TracePoint) -> Point {
    let TracePoint { time, compression, velocity, force, .. } = *state;
    Point { middle: 0.5 * (before.time + time), force, compression, velocity, fresh: false }
}

/// Where the compression passes zero between two states.
fn at_zero(before: &TracePoint, state: &TracePoint) -> Point {
    let way = before.compression / (before.compression - state.compression);
    let way = if way.is_finite() { way.clamp(0.0, 1.0) } else { 0.0 };
    let between = |a: f64, b: f64| a + way * (b - a);
    let middle = between(before.time, state.time);
    Point { middle, force: 0.0, compression: 0.0, velocity: between(before.velocity, state.velocity), fresh: false }
}

fn size_text(fineness: u32) -> String {
    format!("width=\"{}\" height=\"{}\"", fineness * SIZE.0, fineness * SIZE.1)
}

fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size * FINE).into_font().color(&INK)
}

/// Six decimals at most, without idle zeros.
fn label(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

fn panel(
    area: &DrawingArea<SVGBackend, Shift>,
    curves: &[Vec<(f64, f64)>],
    (x_name, x_unit): (&str, &str),
    (y_name, y_unit): (&str, &str),
    colour: &RGBColor,
) -> Result<(), Box<dyn std::error::Error>> {
    let (x_prefix, x_scale) = prefix(curves.iter().flatten().map(|p| p.0));
    let (y_prefix, y_scale) = prefix(curves.iter().flatten().map(|p| p.1));
    let scaled: Vec<Vec<_>> =
        curves.iter().map(|curve| curve.iter().map(|&(x, y)| (x * x_scale, y * y_scale)).collect()).collect();
    let x_range = range(scaled.iter().flatten().map(|p: &(f64, f64)| p.0));
    let y_range = range(scaled.iter().flatten().map(|p: &(f64, f64)| p.1));
    let failed = |error: DrawingAreaErrorKind<_>| format!("{error}");
    let mut chart = ChartBuilder::on(area)
        .margin(16 * FINE)
        .x_label_area_size(44 * FINE)
        .y_label_area_size(64 * FINE)
        .build_cartesian_2d(x_range.clone(), y_range)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .x_desc(format!("{x_name} ({x_prefix}{x_unit})"))
        .y_desc(format!("{y_name} ({y_prefix}{y_unit})"))
        .label_style(font(13))
        .axis_desc_style(font(15))
        .axis_style(INK.stroke_width(FINE))
        .bold_line_style(GRID.stroke_width(FINE))
        .light_line_style(TRANSPARENT)
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&|x| label(*x))
        .y_label_formatter(&|y| label(*y))
        .set_all_tick_mark_size(5 * FINE)
        .draw()
        .map_err(failed)?;
    let zero = [(x_range.start, 0.0), (x_range.end, 0.0)];
    chart.draw_series(LineSeries::new(zero, ZERO.stroke_width(FINE))).map_err(failed)?;
    for curve in scaled {
        chart.draw_series(LineSeries::new(curve, colour.stroke_width(2 * FINE))).map_err(failed)?;
    }
    Ok(())
}

/// SI prefix and its factor for the largest |value|.
fn prefix(values: impl Iterator<Item = f64>) -> (&'static str, f64) {
    let largest = values.fold(0.0, |largest: f64, value| largest.max(value.abs()));
    match largest {
        l if !(1e-9..1e6).contains(&l) => ("", 1.0),
        l if l >= 1e3 => ("k", 1e-3),
        l if l >= 0.1 => ("", 1.0),
        l if l >= 1e-4 => ("m", 1e3),
        l if l >= 1e-7 => ("µ", 1e6),
        _ => ("n", 1e9),
    }
}

/// All values and zero margin to spare; never empty.
fn range(values: impl Iterator<Item = f64> + Clone) -> std::ops::Range<f64> {
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let highest = values.fold(f64::NEG_INFINITY, f64::max);
    if !(lowest.is_finite() && highest.is_finite()) {
        return 0.0..1.0;
    }
    let spare = if highest > lowest { 0.04 * (highest - lowest) } else { 1.0 };
    lowest - spare..highest + spare
}
