//! The plot of a strike: force over time, and compression against its velocity.

use plotters::coord::Shift;
use plotters::prelude::*;
use urto_physics::lab::TracePoint;

/// Maximum number of points; above it every second point is removed.
const MAX_POINTS: usize = 8192;
/// Size of the plot [px].
const SIZE: (u32, u32) = (1200, 520);
/// Units of the drawing per pixel: the backend rounds coordinates to integers.
const SCALE: u32 = 8;
/// The font that measures the labels; a viewer shows them in its own sans-serif font.
const FONT: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/IBMPlexSans_400Regular.ttf"));
const FORCE: RGBColor = RGBColor(0xb0, 0x3a, 0x2e);
const PHASE: RGBColor = RGBColor(0x1f, 0x4e, 0x79);
const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
const GRID: RGBColor = RGBColor(0xe4, 0xe4, 0xe4);
const ZERO: RGBColor = RGBColor(0x99, 0x99, 0x99);

/// One state in contact. The force is the mean over a step, so its time is the middle of the step.
#[derive(Clone, Copy)]
struct Point {
    /// Middle of the step [s].
    time: f64,
    force: f64,
    compression: f64,
    velocity: f64,
    /// Whether a new curve begins here.
    is_first: bool,
}

/// Collects the points of a plot.
pub struct Plot {
    points: Vec<Point>,
    stride: usize,
    count: usize,
    previous: TracePoint,
    is_in_contact: bool,
}

impl Default for Plot {
    fn default() -> Self {
        Self { points: Vec::new(), stride: 1, count: 0, previous: TracePoint::default(), is_in_contact: false }
    }
}

impl Plot {
    /// Adds the next state.
    pub fn add(&mut self, state: &TracePoint) {
        let before = std::mem::replace(&mut self.previous, *state);
        let is_in_contact = state.compression > 0.0;
        match (self.is_in_contact, is_in_contact) {
            (false, true) => {
                self.count = 0;
                self.push(Point { is_first: true, ..at_zero(&before, state) });
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
        self.is_in_contact = is_in_contact;
    }

    fn push(&mut self, point: Point) {
        self.points.push(point);
        if self.points.len() >= MAX_POINTS {
            let mut i = 0;
            self.points.retain(|point| {
                i += 1;
                point.is_first || i % 2 == 0
            });
            self.stride *= 2;
        }
    }

    /// The plot as SVG. Errors: a damaged font, or an error of the drawing library.
    pub fn draw(&self, title: &str) -> Result<String, String> {
        plotters::style::register_font("sans-serif", FontStyle::Normal, FONT)
            .map_err(|_| "the plot cannot be drawn (the built-in font is damaged)".to_string())?;
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, (SCALE * SIZE.0, SCALE * SIZE.1)).into_drawing_area();
            self.panels(&root, title).map_err(|error| format!("the plot cannot be drawn ({error})"))?;
            root.present().map_err(|error| format!("the plot cannot be drawn ({error})"))?;
        }
        // the viewBox keeps the scaled size
        Ok(svg.replacen(&size_text(SCALE), &size_text(1), 1))
    }

    fn panels(&self, root: &DrawingArea<SVGBackend, Shift>, title: &str) -> Result<(), Box<dyn std::error::Error + '_>> {
        root.fill(&WHITE)?;
        let root = root.margin(8 * SCALE, 0, 0, 0).titled(title, font(18)).map_err(|e| e.to_string())?;
        let (left, right) = root.split_horizontally(SCALE * SIZE.0 / 2);
        let forces = self.curves(|point| (point.time, point.force));
        panel(&left, &forces, ("time", "s"), ("contact force", "N"), &FORCE)?;
        let phases = self.curves(|point| (point.compression, point.velocity));
        panel(&right, &phases, ("compression", "m"), ("compression velocity", "m/s"), &PHASE)
    }

    /// One curve for each contact.
    fn curves(&self, coordinates: impl Fn(&Point) -> (f64, f64)) -> Vec<Vec<(f64, f64)>> {
        let mut curves: Vec<Vec<(f64, f64)>> = Vec::new();
        for point in &self.points {
            match curves.last_mut() {
                Some(curve) if !point.is_first => curve.push(coordinates(point)),
                _ => curves.push(vec![coordinates(point)]),
            }
        }
        curves
    }
}

/// The state at the end of a step in contact.
fn in_contact(before: &TracePoint, state: &TracePoint) -> Point {
    let TracePoint { time, compression, velocity, force, .. } = *state;
    Point { time: 0.5 * (before.time + time), force, compression, velocity, is_first: false }
}

/// The point of zero compression between two states.
fn at_zero(before: &TracePoint, state: &TracePoint) -> Point {
    let fraction = before.compression / (before.compression - state.compression);
    let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 };
    let between = |a: f64, b: f64| a + fraction * (b - a);
    let time = between(before.time, state.time);
    Point { time, force: 0.0, compression: 0.0, velocity: between(before.velocity, state.velocity), is_first: false }
}

fn size_text(scale: u32) -> String {
    format!("width=\"{}\" height=\"{}\"", scale * SIZE.0, scale * SIZE.1)
}

fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size * SCALE).into_font().color(&INK)
}

/// At most six decimals, without trailing zeros.
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
        .margin(16 * SCALE)
        .x_label_area_size(44 * SCALE)
        .y_label_area_size(64 * SCALE)
        .build_cartesian_2d(x_range.clone(), y_range)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .x_desc(format!("{x_name} ({x_prefix}{x_unit})"))
        .y_desc(format!("{y_name} ({y_prefix}{y_unit})"))
        .label_style(font(13))
        .axis_desc_style(font(15))
        .axis_style(INK.stroke_width(SCALE))
        .bold_line_style(GRID.stroke_width(SCALE))
        .light_line_style(TRANSPARENT)
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&|x| label(*x))
        .y_label_formatter(&|y| label(*y))
        .set_all_tick_mark_size(5 * SCALE)
        .draw()
        .map_err(failed)?;
    let zero = [(x_range.start, 0.0), (x_range.end, 0.0)];
    chart.draw_series(LineSeries::new(zero, ZERO.stroke_width(SCALE))).map_err(failed)?;
    for curve in scaled {
        chart.draw_series(LineSeries::new(curve, colour.stroke_width(2 * SCALE))).map_err(failed)?;
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

/// The range of all values with a margin of 4 %; never empty.
fn range(values: impl Iterator<Item = f64> + Clone) -> std::ops::Range<f64> {
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let highest = values.fold(f64::NEG_INFINITY, f64::max);
    if !(lowest.is_finite() && highest.is_finite()) {
        return 0.0..1.0;
    }
    let margin = if highest > lowest { 0.04 * (highest - lowest) } else { 1.0 };
    lowest - margin..highest + margin
}
