//! How unsteadily narrow bands decay: partials decay along a line, noise of the same envelope fluctuates around it.

use urto_fourier::spectrum;

use crate::realism::distance::median;
use crate::realism::fourier::{hann, part, windowed};
use crate::realism::partials::slope;

/// Part of the sound [s].
const PART: (f64, f64) = (0.02, 1.0);
/// Window and step [frames].
const FRAME: (usize, usize) = (1024, 256);
/// Frequencies of the bands [Hz].
const BAND: (f64, f64) = (300.0, 8000.0);
/// Levels further below the strongest band of the first frame end a decay [dB].
const RANGE: f64 = 60.0;
/// Fewest frames of a decay.
const SHORTEST: usize = 6;

/// Standard deviation of the levels of the bins from the line through them, the median of all bins [dB]: about 5 for noise, 0 for a single
/// partial in each bin. `None` if the sound is too short.
pub fn unsteadiness(mono: &[f64], rate: f64) -> Option<f64> {
    let (frames, hop) = FRAME;
    let window = hann(frames);
    let used = part(mono, rate, PART);
    let levels: Vec<Vec<f64>> = used
        .windows(frames)
        .step_by(hop)
        .map(|part| spectrum(&windowed(part, &window)).iter().map(|bin| 20.0 * (bin.norm() + 1e-12).log10()).collect())
        .collect();
    if levels.len() < SHORTEST {
        return None;
    }
    let step = rate / frames as f64;
    let bins = (BAND.0 / step) as usize..((BAND.1 / step) as usize).min(frames / 2);
    let top = bins.clone().map(|bin| levels[0][bin]).fold(f64::NEG_INFINITY, f64::max);
    let spread = |bin: usize| {
        let line: Vec<f64> = levels.iter().map(|levels| levels[bin]).take_while(|level| *level > top - RANGE).collect();
        if line.len() < SHORTEST {
            return None;
        }
        let slope = slope(&line);
        let mean = line.iter().sum::<f64>() / line.len() as f64;
        let middle = 0.5 * (line.len() as f64 - 1.0);
        let rest = line.iter().enumerate().map(|(n, level)| (level - mean - slope * (n as f64 - middle)).powi(2)).sum::<f64>();
        Some((rest / (line.len() - 2) as f64).sqrt())
    };
    let spreads: Vec<f64> = bins.filter_map(spread).collect();
    (spreads.len() > 8).then(|| median(spreads))
}
