//! Spectrograms as PNG: time to the right, frequency upwards on a logarithmic scale, 80 dB from black to bright.

use std::io::Write;

use crate::io::Sound;
use crate::realism::fourier::{hann, spectrum, windowed};

/// Size of a picture [pixels].
pub const SIZE: (usize, usize) = (420, 240);
/// Window of a column [frames].
const WINDOW: usize = 4096;
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

/// Levels by row from the top and column, 0 to 255.
fn levels(sound: &Sound) -> Vec<u8> {
    let (columns, rows) = SIZE;
    let rate = f64::from(sound.rate);
    let window = hann(WINDOW);
    let column = |n: usize| {
        let middle = (n * sound.frames() / columns) as isize;
        let power = |channel: &Vec<f64>| {
            let sample = |place: usize| {
                let at = middle + place as isize - (WINDOW / 2) as isize;
                usize::try_from(at).ok().and_then(|at| channel.get(at)).copied().unwrap_or(0.0)
            };
            spectrum(&windowed(&(0..WINDOW).map(sample).collect::<Vec<_>>(), &window))
        };
        let channels: Vec<_> = sound.channels.iter().map(power).collect();
        let edge = |row: usize| {
            let hertz = BAND.0 * (BAND.1 / BAND.0).powf((rows - row) as f64 / rows as f64);
            ((hertz * WINDOW as f64 / rate) as usize).min(WINDOW / 2)
        };
        let level = |row: usize| {
            let bins = edge(row + 1)..=edge(row);
            let largest = channels.iter().flat_map(|bins_of| bins_of[bins.clone()].iter().map(|bin| bin.norm_sqr()));
            10.0 * (largest.fold(0.0, f64::max) + 1e-20).log10()
        };
        (0..rows).map(level).collect::<Vec<f64>>()
    };
    let picture: Vec<Vec<f64>> = (0..columns).map(column).collect();
    let top = picture.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let shade = |level: f64| (255.0 * (1.0 + (level - top) / RANGE).clamp(0.0, 1.0)) as u8;
    (0..rows).flat_map(|row| picture.iter().map(move |column| shade(column[row])).collect::<Vec<u8>>()).collect()
}

/// The colours of the levels 0 to 255.
fn palette() -> Vec<u8> {
    let colour = |level: usize| {
        let place = level as f64 / 255.0 * (COLOURS.len() - 1) as f64;
        let (low, part) = ((place as usize).min(COLOURS.len() - 2), place - (place as usize).min(COLOURS.len() - 2) as f64);
        std::array::from_fn::<u8, 3, _>(|n| (COLOURS[low][n] + part * (COLOURS[low + 1][n] - COLOURS[low][n])).round() as u8)
    };
    (0..256).flat_map(colour).collect()
}

/// Writes the spectrogram of `sound`. Errors: those of `file`.
pub fn write(sound: &Sound, file: impl Write) -> std::io::Result<()> {
    let mut encoder = png::Encoder::new(file, SIZE.0 as u32, SIZE.1 as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette());
    let mut writer = encoder.write_header().map_err(std::io::Error::other)?;
    writer.write_image_data(&levels(sound)).map_err(std::io::Error::other)?;
    writer.finish().map_err(std::io::Error::other)
}
