//! Where a recorded stroke begins, and from where on the body is left alone.

/// Length of a step of the envelope [s].
const STEP: f64 = 1e-3;
/// Rise over the peak that counts as the onset, unless the noise before it is louder.
const RISE: f64 = 0.02;
/// Rise over the noise before it.
const OVER_NOISE: f64 = 4.0;
/// Within this time after the onset the peak is looked for [s].
const ATTACK: f64 = 0.05;
/// Time that is waited after the peak [s]: the hammer leaves not much later.
const AFTER: f64 = 2e-3;
/// Samples below this share of the peak at the end are silence.
const SILENCE: f64 = 1e-8;

/// Parts of a recording, in samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Onset {
    /// First sample of the stroke.
    pub onset: usize,
    /// From here on the body is taken to ring by itself.
    pub start: usize,
    /// End of what is not silent.
    pub end: usize,
}

/// The parts of `signal`; none where it is silent.
pub fn find(signal: &[f64], rate: f64) -> Option<Onset> {
    let peak = signal.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()));
    if peak <= 0.0 || !peak.is_finite() {
        return None;
    }
    let step = ((STEP * rate) as usize).max(1);
    let envelope: Vec<f64> = signal.chunks(step).map(|chunk| chunk.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()))).collect();
    let highest = envelope.iter().position(|&level| level == peak).unwrap_or_default();
    let mut before: Vec<f64> = envelope[..highest].to_vec();
    before.sort_by(f64::total_cmp);
    let noise = before.get(before.len() / 4).copied().unwrap_or(0.0);
    let least = (RISE * peak).max((OVER_NOISE * noise).min(0.5 * peak));
    let first = envelope.iter().position(|&level| level >= least).unwrap_or_default();
    let attack = &envelope[first..(first + (ATTACK / STEP) as usize).min(envelope.len())];
    let top = attack.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i);
    let end = signal.iter().rposition(|x| x.abs() > SILENCE * peak).map_or(0, |last| last + 1);
    let start = ((first + top + 1) * step + (AFTER * rate) as usize).min(end);
    Some(Onset { onset: first * step, start, end })
}
