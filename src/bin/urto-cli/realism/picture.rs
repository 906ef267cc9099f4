//! Spectrograms as PNG: time to the right, frequency upwards on a logarithmic scale, from black to bright.

use std::io::Write;
use urto_fourier::spectrum;

use crate::io::Sound;
use crate::realism::fourier::{hann, windowed};
use crate::realism::lettering;

/// Size of the picture of one sound [pixels].
pub const SIZE: (usize, usize) = (420, 240);
/// Window of a column [s]: of the picture of one sound, and of panels, which show less time.
const WINDOW: f64 = 0.085;
const PANEL_WINDOW: f64 = 0.04;
/// Lowest and highest frequency [Hz].
const BAND: (f64, f64) = (40.0, 20_000.0);
/// Range of levels [dB].
const RANGE: f64 = 80.0;
/// Colours at equal distances of level: red, green, blue.
const COLOURS: [[f64; 3]; 6] = [
    [0.0, 0.0, 4.0],
    [59.0, 15.0, 112.0],
    [140.0, 41.0, 129.0],
    [222.0, 73.0, 104.0],
    [254.0, 159.0, 109.0],
    [252.0, 253.0, 191.0],
];

/// Size of a panel, margins around the panels, and gap between them [pixels].
const PANEL: (usize, usize) = (240, 210);
const MARGIN: Margin = Margin { left: 46, top: 16, right: 8, bottom: 20 };
const GAP: usize = 8;
/// Number of levels of the panels: fewer make a smaller file. The entries after them are the background and the letters.
const LEVELS: usize = 64;
const BACKGROUND: u8 = LEVELS as u8;
const INK: u8 = BACKGROUND + 1;
/// Colours of background and letters.
const GROUND: [[u8; 3]; 2] = [[255, 255, 255], [60, 60, 60]];
/// Labelled frequencies [Hz].
const FREQUENCIES: [(f64, &str); 3] = [(100.0, "100 Hz"), (1000.0, "1 kHz"), (10_000.0, "10 kHz")];
/// Distances of labelled times [s], and least distance of their labels [pixels].
const TIMES: [f64; 7] = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];
const TIME_GAP: f64 = 50.0;

/// Space around the panels [pixels].
struct Margin {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

/// One sound of several in a picture.
pub struct Panel<'a> {
    /// Its title.
    pub title: &'static str,
    /// The sound.
    pub sound: &'a Sound,
}

/// Levels [dB] by row from the top and column, of the first `seconds` of `sound`, in windows of at least `window` [s].
fn levels(sound: &Sound, (columns, rows): (usize, usize), seconds: f64, window: f64) -> Vec<f64> {
    let rate = f64::from(sound.rate);
    let size = ((window * rate) as usize).next_power_of_two();
    let window = hann(size);
    let column = |n: usize| {
        let middle = (n as f64 * seconds * rate / columns as f64) as isize;
        let power = |channel: &Vec<f64>| {
            let sample = |place: usize| {
                let at = middle + place as isize - (size / 2) as isize;
                usize::try_from(at).ok().and_then(|at| channel.get(at)).copied().unwrap_or(0.0)
            };
            spectrum(&windowed(&(0..size).map(sample).collect::<Vec<_>>(), &window))
        };
        let channels: Vec<_> = sound.channels.iter().map(power).collect();
        let edge = |row: usize| {
            let hertz = BAND.0 * (BAND.1 / BAND.0).powf((rows - row) as f64 / rows as f64);
            ((hertz * size as f64 / rate) as usize).min(size / 2)
        };
        let level = |row: usize| {
            let bins = edge(row + 1)..=edge(row);
            let largest = channels.iter().flat_map(|bins_of| bins_of[bins.clone()].iter().map(|bin| bin.norm_sqr()));
            10.0 * (largest.fold(0.0, f64::max) + 1e-20).log10()
        };
        (0..rows).map(level).collect::<Vec<f64>>()
    };
    let picture: Vec<Vec<f64>> = (0..columns).map(column).collect();
    (0..rows).flat_map(|row| picture.iter().map(move |column| column[row])).collect()
}

/// Levels relative to `top` [dB] as numbers from 0 to `count` - 1.
fn shades(levels: &[f64], top: f64, count: usize) -> impl Iterator<Item = u8> + '_ {
    let most = (count - 1) as f64;
    levels.iter().map(move |level| (most * (1.0 + (level - top) / RANGE).clamp(0.0, 1.0)) as u8)
}

fn loudest(levels: &[f64]) -> f64 {
    levels.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The colours of `count` levels.
fn palette(count: usize) -> Vec<u8> {
    let colour = |level: usize| {
        let place = level as f64 / (count - 1) as f64 * (COLOURS.len() - 1) as f64;
        let (low, part) = ((place as usize).min(COLOURS.len() - 2), place - (place as usize).min(COLOURS.len() - 2) as f64);
        std::array::from_fn::<u8, 3, _>(|n| (COLOURS[low][n] + part * (COLOURS[low + 1][n] - COLOURS[low][n])).round() as u8)
    };
    (0..count).flat_map(colour).collect()
}

/// Writes the spectrogram of `sound`. Errors: those of `file`.
pub fn write(sound: &Sound, file: impl Write) -> std::io::Result<()> {
    let levels = levels(sound, SIZE, sound.seconds(), WINDOW);
    let shades: Vec<u8> = shades(&levels, loudest(&levels), 256).collect();
    write_indexed(file, SIZE, palette(256), &shades)
}

/// Writes rows of spectrograms, side by side with the same axes and colours: of the first `seconds`, at equal energy, with the loudest cell
/// of the last panel of a row as 0 dB. Errors: those of `file`.
pub fn write_panels(rows: &[Vec<Panel>], seconds: f64, file: impl Write) -> std::io::Result<()> {
    let mut canvas = PanelCanvas::new(rows.iter().map(Vec::len).max().unwrap_or(0), rows.len());
    for (row, panels) in rows.iter().enumerate() {
        let found: Vec<Vec<f64>> = panels.iter().map(|panel| levels_at_equal_energy(panel.sound, seconds)).collect();
        let (top, above) = (found.last().map_or(0.0, |levels| loudest(levels)), PanelCanvas::top(row));
        for (place, (panel, levels)) in panels.iter().zip(&found).enumerate() {
            let left = canvas.left(place);
            canvas.write((left, above - lettering::HEIGHT - 4), panel.title);
            canvas.times((left, above + PANEL.1), seconds);
            for (i, shade) in shades(levels, top, LEVELS).enumerate() {
                canvas.set((left + i % PANEL.0, above + i / PANEL.0), shade);
            }
        }
        canvas.frequencies(above, panels.len());
    }
    let colours = palette(LEVELS).into_iter().chain(GROUND.into_iter().flatten()).collect();
    write_indexed(file, (canvas.width, canvas.height), colours, &canvas.pixels)
}

/// Levels [dB] of the first `seconds`, as if their energy was 1.
fn levels_at_equal_energy(sound: &Sound, seconds: f64) -> Vec<f64> {
    let frames = (seconds * f64::from(sound.rate)) as usize;
    let energy = |channel: &Vec<f64>| channel.iter().take(frames).map(|sample| sample * sample).sum::<f64>();
    let energy = sound.channels.iter().map(energy).sum::<f64>() / (sound.channels.len() as f64 * f64::from(sound.rate));
    let offset = 10.0 * (energy + 1e-20).log10();
    // a window of twice the rate has twice the sum
    let rate = 20.0 * f64::from(sound.rate).log10();
    levels(sound, PANEL, seconds, PANEL_WINDOW).into_iter().map(|level| level - offset - rate).collect()
}

/// The picture of several panels.
struct PanelCanvas {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
}

impl PanelCanvas {
    fn new(count: usize, rows: usize) -> Self {
        let width = MARGIN.left + count * PANEL.0 + count.saturating_sub(1) * GAP + MARGIN.right;
        let height = rows * (MARGIN.top + PANEL.1 + MARGIN.bottom);
        Self { pixels: vec![BACKGROUND; width * height], width, height }
    }

    /// Upper edge of the panels of a row.
    fn top(row: usize) -> usize {
        MARGIN.top + row * (MARGIN.top + PANEL.1 + MARGIN.bottom)
    }

    /// Left edge of a panel.
    fn left(&self, place: usize) -> usize {
        MARGIN.left + place * (PANEL.0 + GAP)
    }

    fn set(&mut self, (x, y): (usize, usize), shade: u8) {
        if x < self.width && y < self.height {
            self.pixels[y * self.width + x] = shade;
        }
    }

    fn write(&mut self, (left, top): (usize, usize), text: &str) {
        lettering::pixels(text).for_each(|(x, y)| self.set((left + x, top + y), INK));
    }

    /// Ticks of the frequencies left of each of the `count` panels below `top`, and labels left of the first.
    fn frequencies(&mut self, top: usize, count: usize) {
        for (hertz, label) in FREQUENCIES {
            let part = (hertz / BAND.0).ln() / (BAND.1 / BAND.0).ln();
            let y = top + (PANEL.1 as f64 * (1.0 - part)) as usize;
            for place in 0..count {
                (1..=3).for_each(|x| self.set((self.left(place) - x, y), INK));
            }
            let left = MARGIN.left.saturating_sub(6 + lettering::width(label));
            self.write((left, y - lettering::HEIGHT / 2), label);
        }
    }

    /// Ticks and labels of the times below the panel with the lower left corner (`left`, `bottom`).
    fn times(&mut self, (left, bottom): (usize, usize), seconds: f64) {
        let scale = PANEL.0 as f64 / seconds;
        let step = TIMES.into_iter().find(|step| step * scale >= TIME_GAP).unwrap_or(seconds);
        for i in 0..=(seconds / step) as usize {
            let (time, x) = (i as f64 * step, left + (i as f64 * step * scale) as usize);
            (0..3).for_each(|y| self.set((x, bottom + y), INK));
            let label = if i == 0 { "0".to_owned() } else { format!("{} s", (100.0 * time).round() / 100.0) };
            let half = if i == 0 { 2 } else { lettering::width(&label) / 2 };
            if x + half <= left + PANEL.0 + GAP {
                self.write((x - half, bottom + 6), &label);
            }
        }
    }
}

fn write_indexed(file: impl Write, (width, height): (usize, usize), palette: Vec<u8>, pixels: &[u8]) -> std::io::Result<()> {
    let mut encoder = png::Encoder::new(file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Best);
    encoder.set_palette(palette);
    let mut writer = encoder.write_header().map_err(std::io::Error::other)?;
    writer.write_image_data(pixels).map_err(std::io::Error::other)?;
    writer.finish().map_err(std::io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A decaying sine of `hertz` at a gain.
    fn sine(rate: u32, hertz: f64, gain: f64) -> Sound {
        let sample = |n: usize| {
            let time = n as f64 / f64::from(rate);
            gain * (-3.0 * time).exp() * (std::f64::consts::TAU * hertz * time).sin()
        };
        Sound { channels: vec![(0..rate as usize).map(sample).collect()], rate }
    }

    #[test]
    fn panels_do_not_depend_on_gain_or_rate() {
        let quiet = levels_at_equal_energy(&sine(48_000, 1000.0, 0.01), 0.5);
        let loud = levels_at_equal_energy(&sine(96_000, 1000.0, 1.0), 0.5);
        assert!((loudest(&quiet) - loudest(&loud)).abs() < 0.5, "{} {}", loudest(&quiet), loudest(&loud));
        let row = |levels: &[f64]| {
            let most = loudest(levels);
            let at = levels.iter().position(|level| *level == most).expect("a cell");
            (PANEL.1 - at / PANEL.0) as f64 / PANEL.1 as f64
        };
        let known = (1000.0 / BAND.0).ln() / (BAND.1 / BAND.0).ln();
        assert!((row(&quiet) - known).abs() < 0.02 && (row(&loud) - known).abs() < 0.02, "{known}");
    }

    #[test]
    fn panels_are_side_by_side_in_a_small_file() {
        let sound = sine(48_000, 440.0, 1.0);
        for (count, rows) in [(2, 1), (3, 1), (2, 3)] {
            let panels = |_| (0..count).map(|_| Panel { title: "now", sound: &sound }).collect();
            let panels: Vec<Vec<Panel>> = (0..rows).map(panels).collect();
            let mut file = Vec::new();
            write_panels(&panels, 1.0, &mut file).expect("in memory");
            let info = png::Decoder::new(&file[..]).read_info().expect("a PNG").info().clone();
            assert_eq!((info.width, info.height), ((46 + count * 248) as u32, 246 * rows));
            assert!(file.len() < 40_000, "{} bytes", file.len());
        }
    }
}
