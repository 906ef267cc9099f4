//! Plots for print: black on white, curves distinguished by dashes and marks as well as by colour.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// Size of the picture [px].
const SIZE: (u32, u32) = (760, 480);
/// Height of one of several below each other [px].
const LOW: u32 = 260;
/// The backend draws on whole pixels: it is given this many to one of the picture.
const FINE: u32 = 8;
/// The font that measures the labels; viewers of the picture use their own sans serif.
const FONT: &[u8] = include_bytes!("../../../../assets/fonts/IBMPlexSans_400Regular.ttf");
const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
/// One colour for each name of a curve; all differ, since the dashes are put in by colour.
const INKS: [RGBColor; 12] = [
    RGBColor(0x00, 0x00, 0x01),
    RGBColor(0xa8, 0x2a, 0x1f),
    RGBColor(0x1b, 0x4f, 0x8a),
    RGBColor(0x1e, 0x7a, 0x3c),
    RGBColor(0xb0, 0x6a, 0x00),
    RGBColor(0x6a, 0x2c, 0x8c),
    RGBColor(0x0a, 0x7f, 0x86),
    RGBColor(0x8c, 0x1c, 0x5a),
    RGBColor(0x5a, 0x5a, 0x5b),
    RGBColor(0x4e, 0x6b, 0x12),
    RGBColor(0x2b, 0x2b, 0x7a),
    RGBColor(0x7a, 0x45, 0x2b),
];

/// How the points of a curve are joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line {
    None,
    Solid,
    Dashed,
    Dotted,
    DashDotted,
    /// For limits and reference lines.
    Thin,
}

/// What stands at every point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    None,
    Circle,
    Cross,
    Triangle,
    Square,
    Dot,
}

/// A curve; curves of the same name look the same and have one entry in the legend; unnamed ones have none.
#[derive(Clone, Debug)]
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    pub line: Line,
    pub mark: Mark,
}

impl Curve {
    /// A curve without marks.
    pub fn new(name: impl Into<String>, line: Line, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), points: points.into_iter().collect(), line, mark: Mark::None }
    }

    /// The same with marks.
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }
}

/// An axis: label with unit, and what it shows.
#[derive(Clone, Debug)]
pub struct Axis {
    label: String,
    range: Option<Range<f64>>,
    logarithmic: bool,
    plain: bool,
}

impl Axis {
    /// Linear, over all points. The label holds the unit: "time (ms)".
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), range: None, logarithmic: false, plain: false }
    }

    /// Shows only this range; points beyond are left out.
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { range: Some(low..high), ..self }
    }

    /// In decades; all points must be above 0.
    pub fn logarithmic(self) -> Self {
        Self { logarithmic: true, ..self }
    }

    /// The same, labelled 0.1, 1, 10 instead of 1e-1, 1e0, 1e1.
    #[allow(dead_code, reason = "the benchmark's plots ask for it")]
    pub fn plainly_logarithmic(self) -> Self {
        Self { logarithmic: true, plain: true, ..self }
    }

    fn place(&self, value: f64) -> f64 {
        if self.logarithmic { value.log10() } else { value }
    }

    /// The range on paper.
    fn span(&self, values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
        if let Some(range) = &self.range {
            return self.place(range.start)..self.place(range.end);
        }
        let low = values.clone().map(|v| self.place(v)).fold(f64::INFINITY, f64::min);
        let high = values.map(|v| self.place(v)).fold(f64::NEG_INFINITY, f64::max);
        let spare = if high > low { 0.04 * (high - low) } else { 1.0 };
        low - spare..high + spare
    }

    /// At most so many labels: whole decades on a logarithmic axis that has some.
    fn labels(&self, span: &Range<f64>) -> usize {
        let decades = (span.end.floor() - span.start.ceil()) as usize + 1;
        if self.logarithmic && decades > 1 { decades.min(9) } else { 8 }
    }

    fn label(&self, place: f64) -> String {
        if self.plain {
            let value = 10_f64.powf(place);
            return format!("{}", (value * 1e3).round() * 1e-3).chars().take(5).collect();
        }
        if self.logarithmic {
            let whole = (place - place.round()).abs() < 1e-9;
            return if whole { format!("1e{}", place.round()) } else { format!("{:.1e}", 10_f64.powf(place)) };
        }
        if place != 0.0 && !(1e-4..1e6).contains(&place.abs()) && place.abs() > 1e-12 {
            return format!("{place:.1e}");
        }
        let text = format!("{place:.6}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".into() } else { text.into() }
    }
}

/// Where the legend stands.
pub type Corner = SeriesLabelPosition;

/// One figure.
#[derive(Clone, Debug)]
pub struct Plot {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub legend: Corner,
    pub curves: Vec<Curve>,
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Figures below each other, as SVG. A colour is dashed in all of them or in none.
pub fn draw(plots: &[Plot]) -> String {
    plotters::style::register_font("sans-serif", FontStyle::Normal, FONT).unwrap_or_else(|_| panic!("a whole font"));
    let height = if plots.len() > 1 { LOW * plots.len() as u32 } else { SIZE.1 };
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (FINE * SIZE.0, FINE * height)).into_drawing_area();
        for (area, plot) in root.split_evenly((plots.len(), 1)).iter().zip(plots) {
            plot.paint(area);
        }
        root.present().expect("a drawing");
    }
    let dashed = plots.iter().fold(svg, |svg, plot| plot.dash(svg));
    // full fineness stays in the viewBox
    dashed.replacen(&size(FINE, height), &size(1, height), 1)
}

impl Plot {
    /// A figure with the legend in the upper right corner.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis, curves: Vec<Curve>) -> Self {
        Self { title: title.into(), x, y, legend: Corner::UpperRight, curves }
    }

    /// The same with the legend elsewhere.
    pub fn legend(self, legend: Corner) -> Self {
        Self { legend, ..self }
    }

    /// The names in the legend, in order.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for curve in &self.curves {
            if !names.contains(&curve.name.as_str()) {
                names.push(&curve.name);
            }
        }
        assert!(names.len() <= INKS.len(), "{}: more than {} kinds of curves", self.title, INKS.len());
        names
    }

    /// Puts the dashes into `svg`, by colour.
    fn dash(&self, mut svg: String) -> String {
        for (name, ink) in self.names().iter().zip(INKS) {
            let line = self.curves.iter().find(|curve| curve.name == *name).map_or(Line::Solid, |curve| curve.line);
            if let Some(dashes) = dashes(line) {
                let stroke = format!("<polyline fill=\"none\" opacity=\"1\" stroke=\"#{:02X}{:02X}{:02X}\"", ink.0, ink.1, ink.2);
                let whole = svg.replace(&format!("{stroke} stroke-dasharray=\"{dashes}\""), &stroke);
                svg = whole.replace(&stroke, &format!("{stroke} stroke-dasharray=\"{dashes}\""));
            }
        }
        svg
    }

    fn paint(&self, root: &DrawingArea<SVGBackend, Shift>) {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let (x, y) = (self.x.span(points.clone().map(|p| p.0)), self.y.span(points.map(|p| p.1)));
        root.fill(&WHITE).expect("a drawing");
        let mut chart = ChartBuilder::on(root)
            .caption(&self.title, font(17))
            .margin(14 * FINE)
            .x_label_area_size(44 * FINE)
            .y_label_area_size(70 * FINE)
            .build_cartesian_2d(x.clone(), y.clone())
            .expect("a drawing");
        chart
            .configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .label_style(font(13))
            .axis_desc_style(font(15))
            .axis_style(BLACK.stroke_width(FINE))
            .bold_line_style(GRID.stroke_width(FINE))
            .light_line_style(TRANSPARENT)
            .x_labels(self.x.labels(&x))
            .y_labels(self.y.labels(&y))
            .x_label_formatter(&|place| self.x.label(*place))
            .y_label_formatter(&|place| self.y.label(*place))
            .set_all_tick_mark_size(5 * FINE)
            .draw()
            .expect("a drawing");
        self.curves(&mut chart, (&x, &y));
        if self.curves.iter().all(|curve| curve.name.is_empty()) {
            return;
        }
        chart
            .configure_series_labels()
            .position(self.legend.clone())
            .margin(10 * FINE)
            .legend_area_size(44 * FINE)
            .background_style(WHITE.mix(0.9))
            .border_style(BLACK.stroke_width(FINE))
            .label_font(font(13))
            .draw()
            .expect("a drawing");
    }

    fn curves<'a>(&self, chart: &mut Chart<'a, 'a>, (x, y): (&Range<f64>, &Range<f64>)) {
        let names = self.names();
        let mut shown = Vec::new();
        for curve in &self.curves {
            let at = names.iter().position(|name| *name == curve.name).expect("named");
            let (ink, line, mark) = (INKS[at], curve.line, curve.mark);
            let width = if line == Line::Thin { FINE } else { 2 * FINE };
            let places = curve.points.iter().map(|p| (self.x.place(p.0), self.y.place(p.1)));
            let places: Vec<_> = places.map(|p| (x.contains(&p.0) && y.contains(&p.1)).then_some(p)).collect();
            for piece in places.split(Option::is_none).filter(|_| line != Line::None) {
                chart.draw_series(LineSeries::new(piece.iter().flatten().copied(), ink.stroke_width(width))).expect("a drawing");
            }
            let marks = places.iter().flatten().filter(|_| mark != Mark::None);
            let series = chart.draw_series(marks.map(|&p| EmptyElement::at(p) + stamp(mark, 0, ink))).expect("a drawing");
            if !curve.name.is_empty() && !shown.contains(&at) {
                shown.push(at);
                let end = 34 * FINE as i32;
                series.label(&curve.name).legend(move |(x, y)| {
                    let rail = if line == Line::None { vec![] } else { vec![(0, 0), (end, 0)] };
                    EmptyElement::at((x, y)) + PathElement::new(rail, ink.stroke_width(width)) + stamp(mark, end / 2, ink)
                });
            }
        }
    }
}

/// What a mark is drawn with: an outline around its place, in a colour that differs so little that no eye sees it, for marks
/// are not dashed.
fn stamp(mark: Mark, x: i32, ink: RGBColor) -> PathElement<(i32, i32)> {
    let ink = RGBColor(ink.0, ink.1, ink.2 ^ 0x10);
    PathElement::new(outline(mark, x), ink.stroke_width(3 * FINE / 2))
}

fn outline(mark: Mark, x: i32) -> Vec<(i32, i32)> {
    let f = FINE as i32;
    let ring = |radius: f64| {
        let turn = |i: i32| std::f64::consts::TAU * f64::from(i) / 16.0;
        (0..=16).map(|i| (x + (radius * turn(i).cos()) as i32, (radius * turn(i).sin()) as i32)).collect()
    };
    let r = 4 * f;
    match mark {
        Mark::None => vec![],
        Mark::Circle => ring(4.0 * f64::from(FINE)),
        Mark::Dot => ring(0.8 * f64::from(FINE)),
        Mark::Square => vec![(x - r, -r), (x + r, -r), (x + r, r), (x - r, r), (x - r, -r)],
        Mark::Triangle => vec![(x - r, r), (x + r, r), (x, -r), (x - r, r)],
        Mark::Cross => vec![(x - r, -r), (x + r, r), (x, 0), (x - r, r), (x + r, -r)],
    }
}

/// Lengths of dashes and gaps on fine pixels.
fn dashes(line: Line) -> Option<String> {
    let pattern: &[u32] = match line {
        Line::None | Line::Solid => return None,
        Line::Thin => &[3, 3],
        Line::Dashed => &[9, 5],
        Line::Dotted => &[2, 4],
        Line::DashDotted => &[9, 4, 2, 4],
    };
    Some(pattern.iter().map(|length| (length * FINE).to_string()).collect::<Vec<_>>().join(" "))
}

fn size(fineness: u32, height: u32) -> String {
    format!("width=\"{}\" height=\"{}\"", fineness * SIZE.0, fineness * height)
}

fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size * FINE).into_font().color(&BLACK)
}
