//! The spectrum of the sound behind the partials: a Hann window over at least 0.16 s.

use std::f64::consts::TAU;

use egui::{Pos2, pos2};
use urto_fourier::spectrum;

use crate::editor::modes::axes::{Axes, MIN_DB};
use crate::editor::theme::faint;
use crate::editor::widgets::ThemePainter;
use crate::threads::EditorEnd;

/// Minimum length of the window [s].
const WINDOW: f64 = 0.16;
/// Maximum fall of levels, and fall of the reference (0 dB: the recent maximum) [dB/s].
const FALL: f32 = 60.0;
const REFERENCE_FALL: f32 = 6.0;
/// Range below the reference [dB], and minimum reference [dBFS].
const RANGE: f32 = 90.0;
const MIN_REFERENCE: f32 = -110.0;
/// Spacing of the points of the curve [px].
const STEP: f32 = 1.5;

/// The spectrum of the current sound.
pub struct Spectrum {
    /// Whether it is shown.
    on: bool,
    fourier: Option<Fourier>,
    /// Level of every bin [dBFS], with limited fall.
    levels: Vec<f32>,
    reference: f32,
}

/// The Fourier transform at one sample rate.
struct Fourier {
    rate: f64,
    window: Vec<f64>,
    /// The last samples, oldest first.
    samples: Vec<f32>,
}

impl Default for Spectrum {
    fn default() -> Self {
        Self { on: true, fourier: None, levels: Vec::new(), reference: MIN_REFERENCE }
    }
}

impl Fourier {
    fn new(rate: f64) -> Self {
        let size = ((WINDOW * rate) as usize).next_power_of_two();
        let hann = |k: usize| 0.5 - 0.5 * (TAU * k as f64 / size as f64).cos();
        Self { rate, window: (0..size).map(hann).collect(), samples: vec![0.0; size] }
    }

    /// Adds samples; returns whether there were any.
    fn take(&mut self, strips: impl Iterator<Item = crate::threads::AudioChunk>) -> bool {
        let before = self.samples.len();
        strips.for_each(|strip| self.samples.extend_from_slice(&strip));
        let surplus = self.samples.len() - before;
        self.samples.drain(..surplus);
        surplus > 0
    }

    /// Level of every bin [dBFS]: that of a sine at its centre.
    fn levels(&self) -> Vec<f32> {
        let weighed: Vec<f64> =
            self.samples.iter().zip(&self.window).map(|(sample, weight)| f64::from(*sample) * weight).collect();
        // a sine of amplitude 1 has half the sum of the window at either sign of its frequency; the mean of a Hann window is 1/2
        let full = 0.25 * self.samples.len() as f64;
        spectrum(&weighed).iter().map(|bin| (20.0 * (bin.norm() / full).max(1e-9).log10()) as f32).collect()
    }
}

impl Spectrum {
    /// Whether it is shown.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Shows or hides it.
    pub fn toggle(&mut self) {
        self.on = !self.on;
    }

    /// Takes new audio and advances by `elapsed` [s].
    pub fn follow(&mut self, audio: &EditorEnd, elapsed: f32) {
        let Some(rate) = audio.rate().filter(|_| self.on) else { return };
        let fourier = self.fourier.take().filter(|fourier| fourier.rate == rate);
        let fourier = self.fourier.insert(fourier.unwrap_or_else(|| Fourier::new(rate)));
        let fresh = if fourier.take(audio.sound()) { fourier.levels() } else { Vec::new() };
        let count = fourier.samples.len() / 2 + 1;
        self.levels.resize(count, MIN_REFERENCE - RANGE);
        for (i, level) in self.levels.iter_mut().enumerate() {
            let fallen = (*level - FALL * elapsed).max(MIN_REFERENCE - RANGE);
            *level = fresh.get(i).map_or(fallen, |now| now.max(fallen));
        }
        let highest = self.levels.iter().copied().fold(MIN_REFERENCE, f32::max);
        self.reference = highest.max(self.reference - REFERENCE_FALL * elapsed).max(MIN_REFERENCE);
    }

    /// Whether any of it is visible.
    pub fn is_moving(&self) -> bool {
        self.on && self.levels.iter().any(|level| *level > MIN_REFERENCE.max(self.reference + MIN_DB as f32))
    }

    /// Level over the reference [dB] between two frequencies [Hz]: the maximum bin, or the interpolated level between two bins.
    fn between(&self, low: f64, high: f64) -> f32 {
        let Some(fourier) = &self.fourier else { return -RANGE };
        let bin = |hertz: f64| hertz * fourier.samples.len() as f64 / fourier.rate;
        let at = |place: f64| {
            let (below, part) = (place.floor() as usize, place.fract() as f32);
            let level = |i: usize| self.levels.get(i).copied().unwrap_or(MIN_REFERENCE - RANGE);
            level(below) + part * (level(below + 1) - level(below))
        };
        let inside = (bin(low).ceil() as usize..=bin(high).floor() as usize).map(|i| at(i as f64));
        inside.fold(at(bin(low)).max(at(bin(high))), f32::max) - self.reference
    }

    /// Draws it in the lane of levels.
    pub fn paint(&self, painter: &ThemePainter, axes: &Axes) {
        if !self.is_moving() {
            return;
        }
        let lane = axes.level;
        let points = (lane.width() / STEP) as usize;
        let curve: Vec<Pos2> = (0..=points)
            .map(|i| {
                let x = lane.left() + STEP * i as f32;
                let level = self.between(axes.hertz(x - 0.5 * STEP), axes.hertz(x + 0.5 * STEP));
                pos2(x, axes.y(f64::from(level)))
            })
            .collect();
        let ink = painter.ink;
        painter.fill_to(&curve, lane.bottom(), [faint(ink.text3, 0.34), faint(ink.text3, 0.16)]);
        painter.path(curve, 1.0, faint(ink.text3, 0.6));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sine_has_its_frequency_and_level() {
        for rate in [44_100.0, 48_000.0, 192_000.0] {
            let mut fourier = Fourier::new(rate);
            let sine = |k: usize| (0.1 * (TAU * 1234.0 * k as f64 / rate).sin()) as f32;
            let sound: Vec<f32> = (0..fourier.samples.len()).map(sine).collect();
            let strips =
                sound.chunks_exact(crate::threads::CHUNK_LENGTH).map(|strip| strip.try_into().expect("as long as a strip"));
            assert!(fourier.take(strips));
            let levels = fourier.levels();
            let size = fourier.samples.len();
            let spectrum = Spectrum { levels, fourier: Some(fourier), reference: 0.0, on: true };
            let peak = spectrum.between(1234.0 - rate / size as f64, 1234.0 + rate / size as f64);
            assert!((-21.5..=-19.9).contains(&peak), "{peak} dB at {rate}");
            assert!(spectrum.between(1500.0, 20e3) < -80.0 && spectrum.between(20.0, 1000.0) < -80.0, "at {rate}");
        }
    }
}
