//! Plots of sounds and contacts as PNG: waveforms, spectrograms, force pulses and phase portraits.

use crate::spectrum::Spectrum;
use crate::wav::Stereo;
use anyhow::{Context, Result, anyhow, bail};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// Oversampling of the pictures, which are averaged down: plotters draws lines on whole pixels only.
const OVERSAMPLING: u32 = 2;

const BACKGROUND: RGBColor = RGBColor(250, 249, 246);
const FOREGROUND: RGBColor = RGBColor(38, 38, 43);
const GRID: RGBColor = RGBColor(214, 211, 204);
const LEFT_CHANNEL: RGBColor = RGBColor(178, 58, 38);
const RIGHT_CHANNEL: RGBColor = RGBColor(33, 84, 120);
/// Name under which plotters knows the registered font.
const FONT: &str = "demo";

/// Size of a picture [px].
struct Size {
    width: u32,
    height: u32,
}

/// Registers the font of all pictures at the first call.
fn register_font(file: &Path) -> Result<()> {
    static BYTES: OnceLock<&'static [u8]> = OnceLock::new();
    if BYTES.get().is_none() {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read the font {}", file.display()))?;
        let bytes = BYTES.get_or_init(|| Box::leak(bytes.into_boxed_slice()));
        if plotters::style::register_font(FONT, FontStyle::Normal, bytes).is_err() {
            bail!("{} is not a TrueType font that plotters can read", file.display());
        }
    }
    Ok(())
}

/// Draws a page with a title and writes it as PNG; `draw` draws the area below the title.
fn write_page(path: &Path, size: Size, title: &str, draw: impl FnOnce(&Area) -> Result<()>) -> Result<()> {
    let Size { width, height } = size;
    let (w, h) = (OVERSAMPLING * width, OVERSAMPLING * height);
    let mut oversampled = vec![0; 3 * (w * h) as usize];
    {
        let root = BitMapBackend::with_buffer(&mut oversampled, (w, h)).into_drawing_area();
        root.fill(&BACKGROUND).map_err(drawing_error)?;
        let (header, rest) = root.split_vertically(56 * OVERSAMPLING);
        let heading = Text::new(title.to_owned(), (px(70), px(16)), text(28));
        header.draw(&heading).map_err(drawing_error)?;
        draw(&rest.margin(0, px(10) as u32, px(10) as u32, px(30) as u32))?;
        root.present().map_err(drawing_error)?;
    }
    let average = |x: u32, y: u32, c: u32| {
        let offsets = (0..OVERSAMPLING).flat_map(|i| (0..OVERSAMPLING).map(move |j| (i, j)));
        let sum: u32 = offsets
            .map(|(i, j)| u32::from(oversampled[(3 * ((OVERSAMPLING * y + i) * w + OVERSAMPLING * x + j) + c) as usize]))
            .sum();
        (sum / (OVERSAMPLING * OVERSAMPLING)) as u8
    };
    let pixels: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).flat_map(move |x| (0..3).map(move |c| (x, y, c))))
        .map(|(x, y, c)| average(x, y, c))
        .collect();
    image::save_buffer(path, &pixels, width, height, image::ColorType::Rgb8)
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Converts pixels of the picture to oversampled pixels.
fn px(pixels: u32) -> i32 {
    (OVERSAMPLING * pixels) as i32
}

/// Text style with a font size in pixels of the picture.
fn text(size: u32) -> TextStyle<'static> {
    (FONT, px(size)).into_font().color(&FOREGROUND)
}

fn drawing_error<E: std::fmt::Display>(error: E) -> anyhow::Error {
    anyhow!("cannot draw the plot: {error}")
}

/// Draws the waveforms of both channels above the spectrogram of their mean.
pub fn waveform_and_spectrogram(path: &Path, title: &str, sound: &Stereo, rate: f64, font_file: &Path) -> Result<()> {
    register_font(font_file)?;
    write_page(path, Size { width: 1600, height: 1000 }, title, |area| {
        let (top, bottom) = area.split_vertically(px(290));
        draw_waveform(&top, sound, rate)?;
        draw_spectrogram(&bottom, sound, rate)
    })
}

/// A sound with its name.
pub struct NamedSound {
    pub name: String,
    pub sound: Stereo,
}

/// Draws the spectrograms of several sounds on one page in two columns, each below its name.
pub fn spectrograms(path: &Path, title: &str, sounds: &[NamedSound], rate: f64, font_file: &Path) -> Result<()> {
    const HEIGHT: u32 = 300;
    register_font(font_file)?;
    let rows = sounds.len().div_ceil(2);
    let size = Size { width: 1600, height: 80 + HEIGHT * rows as u32 };
    write_page(path, size, title, |area| {
        for (panel, NamedSound { name, sound }) in area.split_evenly((rows, 2)).iter().zip(sounds) {
            panel.draw(&Text::new(name.clone(), (px(74), px(4)), text(20))).map_err(drawing_error)?;
            draw_spectrogram(&panel.margin(px(30), 0, 0, px(16)), sound, rate)?;
        }
        Ok(())
    })
}

fn draw_waveform(area: &Area, sound: &Stereo, rate: f64) -> Result<()> {
    let seconds = sound[0].len() as f64 / rate;
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(px(34))
        .y_label_area_size(px(70))
        .build_cartesian_2d(0.0..seconds, -1.0f64..1.0)
        .map_err(drawing_error)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(GRID)
        .label_style(text(18))
        .y_desc("amplitude")
        .y_labels(5)
        .draw()
        .map_err(drawing_error)?;
    let columns = 1500 * OVERSAMPLING as usize;
    let step = sound[0].len().div_ceil(columns);
    for (channel, colour) in sound.iter().zip([LEFT_CHANNEL, RIGHT_CHANNEL]) {
        let lines = channel.chunks(step).enumerate().map(|(i, chunk)| {
            let t = (i * step) as f64 / rate;
            let (low, high) = chunk.iter().fold((0.0f32, 0.0f32), |(low, high), &s| (low.min(s), high.max(s)));
            PathElement::new(vec![(t, f64::from(low)), (t, f64::from(high))], colour.mix(0.55))
        });
        chart.draw_series(lines).map_err(drawing_error)?;
    }
    Ok(())
}

/// Draws the spectrogram of the mean of both channels: logarithmic frequency from 30 Hz to 20 kHz, colours from -100 to -10 dBFS.
fn draw_spectrogram(area: &Area, sound: &Stereo, rate: f64) -> Result<()> {
    const LOWEST: f64 = 30.0;
    const HIGHEST: f64 = 20_000.0;
    const LENGTH: usize = 4096;
    let seconds = sound[0].len() as f64 / rate;
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(px(50))
        .y_label_area_size(px(70))
        .build_cartesian_2d(0.0..seconds, (LOWEST..HIGHEST).log_scale())
        .map_err(drawing_error)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .axis_style(FOREGROUND)
        .label_style(text(18))
        .x_desc("time (s)")
        .y_desc("frequency (Hz)")
        .y_label_formatter(&|f| format!("{f:.0}"))
        .draw()
        .map_err(drawing_error)?;
    let plot = chart.plotting_area().strip_coord_spec();
    let (width, height) = plot.dim_in_pixel();
    let mono: Vec<f32> = sound[0].iter().zip(&sound[1]).map(|(l, r)| 0.5 * (l + r)).collect();
    let spectrum = Spectrum::new(LENGTH, 2 * LENGTH);
    let bin = rate / (2 * LENGTH) as f64;
    for x in 0..width {
        let centre = (f64::from(x) / f64::from(width) * mono.len() as f64) as usize;
        let from = centre.saturating_sub(LENGTH / 2);
        let magnitudes = spectrum.magnitudes(&mono[from..(from + LENGTH).min(mono.len())]);
        let frequency = |y: f64| HIGHEST * (LOWEST / HIGHEST).powf(y / f64::from(height));
        for y in 0..height {
            // the strongest bin within the pixel, or the nearest bin if the pixel contains none
            let (low, high) = (frequency(f64::from(y) + 1.0) / bin, frequency(f64::from(y)) / bin);
            let (low, high) = (low.round() as usize, (high.round() as usize).min(magnitudes.len() - 1));
            let strongest = magnitudes[low..=high.max(low)].iter().fold(0.0f64, |a, &b| a.max(b));
            let level = 20.0 * strongest.max(1e-12).log10();
            plot.draw_pixel((x as i32, y as i32), &colour_map((level + 100.0) / 90.0)).map_err(drawing_error)?;
        }
    }
    Ok(())
}

/// Colours for 0 to 1 with even steps of lightness: background, ochre, red, near black.
fn colour_map(value: f64) -> RGBColor {
    const STOPS: [[f64; 3]; 6] = [
        [250.0, 249.0, 246.0],
        [246.0, 224.0, 178.0],
        [231.0, 164.0, 84.0],
        [193.0, 86.0, 48.0],
        [112.0, 30.0, 52.0],
        [24.0, 12.0, 40.0],
    ];
    let position = value.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let stop = (position as usize).min(STOPS.len() - 2);
    let interpolate = |c: usize| (STOPS[stop][c] + (STOPS[stop + 1][c] - STOPS[stop][c]) * (position - stop as f64)) as u8;
    RGBColor(interpolate(0), interpolate(1), interpolate(2))
}

/// A sample of a contact.
pub struct ContactPoint {
    /// Time since the onset [s].
    pub time: f64,
    /// Compression [m].
    pub compression: f64,
    /// Rate of change of the compression [m/s].
    pub velocity: f64,
    /// Contact force [N].
    pub force: f64,
}

/// The curve of one contact.
pub struct ContactCurve {
    /// Samples in order of time.
    pub points: Vec<ContactPoint>,
    /// Label in the legend.
    pub label: String,
}

/// Labels and coordinates of a plot of contacts.
struct ContactPlot {
    x_label: &'static str,
    y_label: &'static str,
    has_legend: bool,
    coordinates: fn(&ContactPoint) -> (f64, f64),
}

const FORCE_PULSE: ContactPlot = ContactPlot {
    x_label: "time (ms)",
    y_label: "contact force (N)",
    has_legend: true,
    coordinates: |point| (1e3 * point.time, point.force),
};

const PHASE_PORTRAIT: ContactPlot = ContactPlot {
    x_label: "compression (\u{b5}m)",
    y_label: "compression velocity (m/s)",
    has_legend: false,
    coordinates: |point| (1e6 * point.compression, point.velocity),
};

/// Draws force over time on the left, and compression velocity over compression on the right.
pub fn contacts(path: &Path, title: &str, contacts: &[ContactCurve], font_file: &Path) -> Result<()> {
    register_font(font_file)?;
    write_page(path, Size { width: 1600, height: 800 }, title, |area| {
        let (left, right) = area.split_horizontally(area.dim_in_pixel().0 as i32 / 2);
        draw_contacts(&left, contacts, &FORCE_PULSE)?;
        draw_contacts(&right, contacts, &PHASE_PORTRAIT)
    })
}

fn draw_contacts(area: &Area, contacts: &[ContactCurve], plot: &ContactPlot) -> Result<()> {
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(px(56))
        .y_label_area_size(px(80))
        .build_cartesian_2d(axis_range(contacts, plot, |p| p.0), axis_range(contacts, plot, |p| p.1))
        .map_err(drawing_error)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(GRID)
        .label_style(text(18))
        .x_desc(plot.x_label)
        .y_desc(plot.y_label)
        .draw()
        .map_err(drawing_error)?;
    for (i, contact) in contacts.iter().enumerate() {
        let colour = colour_map(1.0 - 0.6 * i as f64 / contacts.len().max(1) as f64);
        let style = colour.stroke_width(px(2) as u32);
        chart
            .draw_series(LineSeries::new(contact.points.iter().map(plot.coordinates), style))
            .map_err(drawing_error)?
            .label(contact.label.clone())
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + px(16), y)], style));
    }
    if !plot.has_legend {
        return Ok(());
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(text(18))
        .legend_area_size(px(24))
        .border_style(GRID)
        .background_style(BACKGROUND)
        .draw()
        .map_err(drawing_error)
}

/// Range of a coordinate over all contacts: it contains 0 and a margin of 5 % beyond nonzero ends.
fn axis_range(contacts: &[ContactCurve], plot: &ContactPlot, coordinate: fn((f64, f64)) -> f64) -> Range<f64> {
    let values = contacts.iter().flat_map(|contact| contact.points.iter().map(plot.coordinates)).map(coordinate);
    let (low, high) = values.fold((0.0f64, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
    let margin = 0.05 * (high - low);
    (if low < 0.0 { low - margin } else { low })..(high + margin)
}
