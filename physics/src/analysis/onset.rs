//! Onset of a recorded strike, and start of the free decay.

/// Length of a step of the envelope [s].
const STEP: f64 = 1e-3;
/// Rise over the peak that counts as the onset, unless the noise before it is louder.
const RISE: f64 = 0.02;
/// Rise over the noise before it.
const OVER_NOISE: f64 = 4.0;
/// Time after the onset that contains the peak [s].
const ATTACK: f64 = 0.05;
/// Time after the peak [s] within which the hammer separates.
const AFTER: f64 = 2e-3;
/// Samples below this share of the peak at the end are silence.
const SILENCE: f64 = 1e-8;

/// Length of a frame for judging the fit [s], time after the start in which it may be bad, and time after which it is assumed to
/// be good.
const FRAME: f64 = 2e-3;
const JUDGED: (f64, f64) = (0.06, 0.25);
/// Misfit relative to the usual one that indicates a hammer still, or again, in contact.
const DISTURBED: f64 = 30.0;
/// Ratio of energies of misfit and signal that never counts as one.
const HARMLESS: f64 = 1e-6;

/// Parts of a recording, in samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Onset {
    /// First sample of the strike.
    pub onset: usize,
    /// First sample of the free decay.
    pub start: usize,
    /// End of the audible part.
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

/// Number of samples after which the fit with this `residual` of `signal` is no longer much worse than later: until then the
/// hammer was in contact. None if it is as good from the start.
pub fn disturbed(signal: &[f64], residual: &[f64], rate: f64) -> Option<usize> {
    let frame = ((FRAME * rate) as usize).max(1);
    let energy = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
    let pairs = signal.chunks(frame).zip(residual.chunks(frame)).take((JUDGED.1 / FRAME) as usize);
    let misfits: Vec<f64> = pairs.map(|(signal, residual)| energy(residual) / energy(signal).max(f64::MIN_POSITIVE)).collect();
    let (early, later) = misfits.split_at_checked((JUDGED.0 / FRAME) as usize)?;
    let mut later = later.to_vec();
    later.sort_by(f64::total_cmp);
    let usual = later.get(later.len() / 2)?;
    let last = early.iter().rposition(|&misfit| misfit > (DISTURBED * usual).max(HARMLESS))?;
    Some((last + 1) * frame)
}
