//! The partials of the first second after the attack: frequencies, levels, decay times, and how many of them two strokes share.

use urto_fourier::spectrum;

use crate::io::Sound;
use crate::realism::fourier::{hann, padded_spectrum, rise_and_fall, windowed};

/// Bounds of the analysed part [s].
const PART: (f64, f64) = (0.03, 1.03);
/// Shortest analysed part [s].
const SHORTEST: f64 = 0.15;
/// Amplitude below which the sound has ended, relative to the part's largest.
const ENDED: f64 = 0.003;
/// Rise of the window [s].
const RISE: f64 = 0.01;
/// Frames of the transform.
const FRAMES: usize = 1 << 17;
/// Levels further below the strongest partial do not count [dB].
const RANGE: f64 = 50.0;
/// By how much a partial rises above the valleys beside it [dB].
const PROMINENCE: f64 = 8.0;
/// Least distance of two partials [Hz].
const SPACING: f64 = 4.0;
/// Lowest partial [Hz].
const LOWEST: f64 = 30.0;
/// Window and step of the decays [frames].
const DECAY_WINDOW: (usize, usize) = (4096, 512);
/// Range of the line fitted to a decay [dB].
const DECAY_RANGE: f64 = 30.0;

/// How near a partial has to be: cents, dB, and share of the decay time.
const NEAR: (f64, f64, f64) = (20.0, 6.0, 0.3);

/// One partial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// Frequency [Hz].
    pub hertz: f64,
    /// Level relative to the strongest [dB].
    pub level: f64,
    /// Time to -60 dB [s]; infinite if it does not decay.
    pub t60: f64,
}

/// The louder channel of a sound.
pub fn louder(sound: &Sound) -> &[f64] {
    let energy = |channel: &Vec<f64>| channel.iter().map(|sample| sample * sample).sum::<f64>();
    let loudest = sound.channels.iter().enumerate().max_by(|(i, a), (j, b)| energy(a).total_cmp(&energy(b)).then(j.cmp(i)));
    loudest.map_or(&[], |(_, channel)| channel)
}

/// The partials of `mono`, lowest first.
pub fn partials(mono: &[f64], rate: f64) -> Vec<Partial> {
    let frame = |seconds: f64| (seconds * rate) as usize;
    let part = &mono[frame(PART.0).min(mono.len())..frame(PART.1).min(mono.len())];
    let largest = part.iter().fold(0.0_f64, |largest, sample| largest.max(sample.abs()));
    let end = part.iter().rposition(|sample| sample.abs() > ENDED * largest).unwrap_or(0);
    let part = &part[..end.max(frame(SHORTEST)).min(part.len())];
    if part.len() < 2 * frame(RISE) || largest == 0.0 {
        return Vec::new();
    }
    let bins =
        padded_spectrum(windowed(part, &rise_and_fall(frame(RISE), part.len())), FRAMES.max(part.len().next_power_of_two()));
    let levels: Vec<f64> = bins.iter().map(|bin| 20.0 * (bin.norm() + 1e-12).log10()).collect();
    let top = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let hertz = rate / (2 * (bins.len() - 1)) as f64;
    let (times, step) = decay_times(mono, rate);
    let decay = |hertz: f64| times.get((hertz / step).round() as usize).copied().unwrap_or(f64::INFINITY);
    let found = peaks(&levels, top - RANGE, (SPACING / hertz).max(1.0) as usize).into_iter();
    let partials = found.map(|bin| Partial {
        hertz: (bin as f64 + vertex(&levels[bin - 1..=bin + 1])) * hertz,
        level: levels[bin] - top,
        t60: decay(bin as f64 * hertz),
    });
    partials.filter(|partial| partial.hertz > LOWEST).collect()
}

/// The place of the maximum of a parabola through three levels, relative to the middle one.
fn vertex(levels: &[f64]) -> f64 {
    let curve = levels[0] - 2.0 * levels[1] + levels[2];
    if curve < 0.0 { (0.5 * (levels[0] - levels[2]) / curve).clamp(-0.5, 0.5) } else { 0.0 }
}

/// Maxima above `lowest`, at least `spacing` apart, that rise by [`PROMINENCE`] above the valleys beside them.
fn peaks(levels: &[f64], lowest: f64, spacing: usize) -> Vec<usize> {
    let is_maximum = |&bin: &usize| levels[bin] >= lowest && levels[bin] > levels[bin - 1] && levels[bin] > levels[bin + 1];
    let all: Vec<usize> = (1..levels.len().saturating_sub(1)).filter(is_maximum).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&a, &b| levels[all[b]].total_cmp(&levels[all[a]]));
    let mut is_kept = vec![true; all.len()];
    for place in order {
        if is_kept[place] {
            let near = |&other: &usize| all[place].abs_diff(all[other]) < spacing;
            (0..place).rev().take_while(near).for_each(|other| is_kept[other] = false);
            (place + 1..all.len()).take_while(near).for_each(|other| is_kept[other] = false);
        }
    }
    let valley = |side: &mut dyn Iterator<Item = usize>, bin: usize| {
        side.take_while(|&other| levels[other] <= levels[bin]).map(|other| levels[other]).fold(levels[bin], f64::min)
    };
    let rises = |bin: usize| {
        let valleys = [valley(&mut (0..bin).rev(), bin), valley(&mut (bin + 1..levels.len()), bin)];
        levels[bin] - valleys[0].max(valleys[1]) >= PROMINENCE
    };
    all.iter().zip(is_kept).filter(|(_, kept)| *kept).map(|(bin, _)| *bin).filter(|&bin| rises(bin)).collect()
}

/// Times to -60 dB by bin of a short window [s], and the distance of the bins [Hz].
fn decay_times(mono: &[f64], rate: f64) -> (Vec<f64>, f64) {
    let (frames, hop) = DECAY_WINDOW;
    let window = hann(frames);
    let start = (PART.0 * rate) as usize;
    let part = &mono[start.min(mono.len())..mono.len().min((PART.1 * rate) as usize + frames)];
    let levels: Vec<Vec<f64>> = part
        .windows(frames)
        .step_by(hop)
        .map(|part| spectrum(&windowed(part, &window)).iter().map(|bin| 10.0 * (bin.norm_sqr() + 1e-20).log10()).collect())
        .collect();
    let time = |bin: usize| {
        let line: Vec<f64> = levels.iter().map(|levels| levels[bin]).collect();
        decay_time(&line, hop as f64 / rate)
    };
    ((0..=frames / 2).map(time).collect(), rate / frames as f64)
}

/// Time to -60 dB of levels at distances of `step` [s], by the line through the first 30 dB after their maximum; infinite without a decay.
pub fn decay_time(levels: &[f64], step: f64) -> f64 {
    let top = (0..levels.len()).max_by(|&a, &b| levels[a].total_cmp(&levels[b]).then(b.cmp(&a))).unwrap_or(0);
    let used: Vec<f64> =
        levels.get(top..).unwrap_or(&[]).iter().copied().take_while(|level| *level > levels[top] - DECAY_RANGE).collect();
    if used.len() < 3 {
        return if levels.len() > top + used.len() { used.len() as f64 * step * 60.0 / DECAY_RANGE } else { f64::INFINITY };
    }
    let slope = slope(&used) / step;
    if slope < 0.0 { -60.0 / slope } else { f64::INFINITY }
}

/// Slope of the line through equally spaced values, per step.
pub fn slope(values: &[f64]) -> f64 {
    let middle = 0.5 * (values.len() as f64 - 1.0);
    let places = || (0..values.len()).map(|n| n as f64 - middle);
    places().zip(values).map(|(place, value)| place * value).sum::<f64>() / places().map(|place| place * place).sum::<f64>()
}

/// Share of the energy of the partials `of` that have a partner in `among`: within 20 cents, 6 dB and 30 % of the decay time.
/// `gain`: by how much the levels of `among` count higher [dB].
pub fn shared(of: &[Partial], among: &[Partial], gain: f64) -> f64 {
    let is_near = |a: &Partial, b: &Partial| {
        let has_time = a.t60.is_finite() && b.t60.is_finite();
        1200.0 * (a.hertz / b.hertz).log2().abs() <= NEAR.0
            && (a.level - b.level - gain).abs() <= NEAR.1
            && (!has_time || (a.t60 - b.t60).abs() <= NEAR.2 * a.t60.max(b.t60))
    };
    // a weight between number and energy: partials 20 dB down count a tenth
    let weight = |partial: &Partial| 10_f64.powf(partial.level / 20.0);
    let has_partner = |partial: &&Partial| {
        let from = among.partition_point(|other| 1200.0 * (other.hertz / partial.hertz).log2() < -NEAR.0);
        among[from..].iter().take_while(|other| other.hertz < 1.02 * partial.hertz).any(|other| is_near(partial, other))
    };
    let sum: f64 = of.iter().map(weight).sum();
    if sum == 0.0 { 0.0 } else { of.iter().filter(has_partner).map(weight).sum::<f64>() / sum }
}
