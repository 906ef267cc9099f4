//! Pictures of a sound and of one hit, as PNG.

use crate::demo::host::Stereo;
use crate::spectrum::Spectrum;
use anyhow::{Context, Result, anyhow, bail};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;
use std::sync::OnceLock;

type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// Pictures are drawn this many times larger and averaged down, since plotters places lines on whole pixels.
const FINE: u32 = 2;

const PAPER: RGBColor = RGBColor(250, 249, 246);
const INK: RGBColor = RGBColor(38, 38, 43);
const FAINT: RGBColor = RGBColor(214, 211, 204);
const LEFT: RGBColor = RGBColor(178, 58, 38);
const RIGHT: RGBColor = RGBColor(33, 84, 120);
const FONT: &str = "demo";

/// Registers the font of all pictures, once.
fn font(file: &Path) -> Result<()> {
    static READ: OnceLock<&'static [u8]> = OnceLock::new();
    if READ.get().is_none() {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read the font {}", file.display()))?;
        let bytes = READ.get_or_init(|| Box::leak(bytes.into_boxed_slice()));
        if plotters::style::register_font(FONT, FontStyle::Normal, bytes).is_err() {
            bail!("{} is not a usable font", file.display());
        }
    }
    Ok(())
}

/// A blank page with a title; `draw` fills the rest; the result is written as PNG.
fn page(path: &Path, (width, height): (u32, u32), title: &str, draw: impl FnOnce(&Area) -> Result<()>) -> Result<()> {
    let (w, h) = (FINE * width, FINE * height);
    let mut fine = vec![0; 3 * (w * h) as usize];
    {
        let root = BitMapBackend::with_buffer(&mut fine, (w, h)).into_drawing_area();
        root.fill(&PAPER).map_err(broken)?;
        let (head, rest) = root.split_vertically(56 * FINE);
        let heading = Text::new(title.to_owned(), (px(70), px(16)), text(28));
        head.draw(&heading).map_err(broken)?;
        draw(&rest.margin(0, px(10) as u32, px(10) as u32, px(30) as u32))?;
        root.present().map_err(broken)?;
    }
    let average = |x: u32, y: u32, c: u32| {
        let near = (0..FINE).flat_map(|i| (0..FINE).map(move |j| (i, j)));
        let sum: u32 = near.map(|(i, j)| u32::from(fine[(3 * ((FINE * y + i) * w + FINE * x + j) + c) as usize])).sum();
        (sum / (FINE * FINE)) as u8
    };
    let pixels: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).flat_map(move |x| (0..3).map(move |c| (x, y, c))))
        .map(|(x, y, c)| average(x, y, c))
        .collect();
    image::save_buffer(path, &pixels, width, height, image::ColorType::Rgb8)
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Pixels of the finished picture in those of the fine one.
fn px(pixels: u32) -> i32 {
    (FINE * pixels) as i32
}

/// Ink in a size of the finished picture.
fn text(size: u32) -> TextStyle<'static> {
    (FONT, px(size)).into_font().color(&INK)
}

fn broken<E: std::fmt::Display>(error: E) -> anyhow::Error {
    anyhow!("cannot draw: {error}")
}

/// Waveform of both channels above, spectrogram of their sum below.
pub fn sound(path: &Path, title: &str, sound: &Stereo, rate: f64, font_file: &Path) -> Result<()> {
    font(font_file)?;
    page(path, (1600, 1000), title, |area| {
        let (top, bottom) = area.split_vertically(px(290));
        waveform(&top, sound, rate)?;
        spectrogram(&bottom, sound, rate)
    })
}

/// Spectrograms of several sounds on one page, two beside each other, each under its name.
pub fn sheet(path: &Path, title: &str, sounds: &[(String, Stereo)], rate: f64, font_file: &Path) -> Result<()> {
    const HEIGHT: u32 = 300;
    font(font_file)?;
    let rows = sounds.len().div_ceil(2);
    page(path, (1600, 80 + HEIGHT * rows as u32), title, |area| {
        for (panel, (name, sound)) in area.split_evenly((rows, 2)).iter().zip(sounds) {
            panel.draw(&Text::new(name.clone(), (px(74), px(4)), text(20))).map_err(broken)?;
            spectrogram(&panel.margin(px(30), 0, 0, px(16)), sound, rate)?;
        }
        Ok(())
    })
}

fn waveform(area: &Area, sound: &Stereo, rate: f64) -> Result<()> {
    let seconds = sound[0].len() as f64 / rate;
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(px(34))
        .y_label_area_size(px(70))
        .build_cartesian_2d(0.0..seconds, -1.0f64..1.0)
        .map_err(broken)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(FAINT)
        .label_style(text(18))
        .y_desc("amplitude")
        .y_labels(5)
        .draw()
        .map_err(broken)?;
    let columns = 1500 * FINE as usize;
    let step = sound[0].len().div_ceil(columns);
    for (channel, colour) in sound.iter().zip([LEFT, RIGHT]) {
        let lines = channel.chunks(step).enumerate().map(|(i, chunk)| {
            let t = (i * step) as f64 / rate;
            let (low, high) = chunk.iter().fold((0.0f32, 0.0f32), |(low, high), &s| (low.min(s), high.max(s)));
            PathElement::new(vec![(t, f64::from(low)), (t, f64::from(high))], colour.mix(0.55))
        });
        chart.draw_series(lines).map_err(broken)?;
    }
    Ok(())
}

/// Logarithmic in frequency, 30 Hz to 20 kHz; colour over 90 dB.
fn spectrogram(area: &Area, sound: &Stereo, rate: f64) -> Result<()> {
    const LOWEST: f64 = 30.0;
    const HIGHEST: f64 = 20_000.0;
    const LENGTH: usize = 4096;
    let seconds = sound[0].len() as f64 / rate;
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(px(50))
        .y_label_area_size(px(70))
        .build_cartesian_2d(0.0..seconds, (LOWEST..HIGHEST).log_scale())
        .map_err(broken)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .axis_style(INK)
        .label_style(text(18))
        .x_desc("time (s)")
        .y_desc("frequency (Hz)")
        .y_label_formatter(&|f| format!("{f:.0}"))
        .draw()
        .map_err(broken)?;
    let plot = chart.plotting_area().strip_coord_spec();
    let (width, height) = plot.dim_in_pixel();
    let mono: Vec<f32> = sound[0].iter().zip(&sound[1]).map(|(l, r)| 0.5 * (l + r)).collect();
    let spectrum = Spectrum::new(LENGTH, 2 * LENGTH);
    let bin = rate / (2 * LENGTH) as f64;
    for x in 0..width {
        let centre = (f64::from(x) / f64::from(width) * mono.len() as f64) as usize;
        let from = centre.saturating_sub(LENGTH / 2);
        let magnitudes = spectrum.of(&mono[from..(from + LENGTH).min(mono.len())]);
        let frequency = |y: f64| HIGHEST * (LOWEST / HIGHEST).powf(y / f64::from(height));
        for y in 0..height {
            // the strongest bin that falls on the pixel, at least the nearest one
            let (low, high) = (frequency(f64::from(y) + 1.0) / bin, frequency(f64::from(y)) / bin);
            let (low, high) = (low.round() as usize, (high.round() as usize).min(magnitudes.len() - 1));
            let strongest = magnitudes[low..=high.max(low)].iter().fold(0.0f64, |a, &b| a.max(b));
            let level = 20.0 * strongest.max(1e-12).log10();
            plot.draw_pixel((x as i32, y as i32), &heat((level + 100.0) / 90.0)).map_err(broken)?;
        }
    }
    Ok(())
}

/// From paper over ochre and red to near black, even in lightness.
fn heat(value: f64) -> RGBColor {
    const STOPS: [[f64; 3]; 6] = [
        [250.0, 249.0, 246.0],
        [246.0, 224.0, 178.0],
        [231.0, 164.0, 84.0],
        [193.0, 86.0, 48.0],
        [112.0, 30.0, 52.0],
        [24.0, 12.0, 40.0],
    ];
    let place = value.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let at = (place as usize).min(STOPS.len() - 2);
    let mix = |c: usize| (STOPS[at][c] + (STOPS[at + 1][c] - STOPS[at][c]) * (place - at as f64)) as u8;
    RGBColor(mix(0), mix(1), mix(2))
}

/// One hit as drawn: points of (time [s], compression [m], compression velocity [m/s], force [N]) and what is written over it.
pub struct Hit {
    /// In order of time.
    pub points: Vec<[f64; 4]>,
    /// Name in the legend.
    pub label: String,
}

/// Force over time on the left, velocity over compression on the right.
pub fn hits(path: &Path, title: &str, hits: &[Hit], font_file: &Path) -> Result<()> {
    font(font_file)?;
    page(path, (1600, 800), title, |area| {
        let (left, right) = area.split_horizontally(area.dim_in_pixel().0 as i32 / 2);
        curves(&left, hits, ("time (ms)", "contact force (N)"), true, |p| (1e3 * p[0], p[3]))?;
        curves(&right, hits, ("compression (\u{b5}m)", "velocity of the compression (m/s)"), false, |p| (1e6 * p[1], p[2]))
    })
}

fn curves(area: &Area, hits: &[Hit], (x, y): (&str, &str), legend: bool, of: impl Fn(&[f64; 4]) -> (f64, f64)) -> Result<()> {
    let all = || hits.iter().flat_map(|hit| hit.points.iter().map(&of));
    let span = |pick: fn((f64, f64)) -> f64| {
        let (low, high) = all().map(pick).fold((0.0f64, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
        let air = 0.05 * (high - low);
        (if low < 0.0 { low - air } else { low })..(high + air)
    };
    let mut chart = ChartBuilder::on(area)
        .x_label_area_size(px(56))
        .y_label_area_size(px(80))
        .build_cartesian_2d(span(|p| p.0), span(|p| p.1))
        .map_err(broken)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .label_style(text(18))
        .x_desc(x)
        .y_desc(y)
        .draw()
        .map_err(broken)?;
    for (i, hit) in hits.iter().enumerate() {
        let colour = heat(1.0 - 0.6 * i as f64 / hits.len().max(1) as f64);
        let style = colour.stroke_width(px(2) as u32);
        chart
            .draw_series(LineSeries::new(hit.points.iter().map(&of), style))
            .map_err(broken)?
            .label(hit.label.clone())
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + px(16), y)], style));
    }
    if !legend {
        return Ok(());
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(text(18))
        .legend_area_size(px(24))
        .border_style(FAINT)
        .background_style(PAPER)
        .draw()
        .map_err(broken)
}
