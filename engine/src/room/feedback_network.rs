//! A feedback delay network: the reverberation of a room after its first reflections.
//!
//! ```text
//! y_i(t) = A_i x_i(t - tau_i)          16 lines with the delays tau_i and the absorption A_i of their length
//! x = H y + b u                        H: Hadamard's matrix of order 16 over 4, orthogonal; u: left and right input
//! ```
//!
//! Delays are prime numbers of frames (Jot and Chaigne 1991). With A = 1 the energy in the lines stays what it is (Stautner and Puckette 1982).

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::room::absorption_filter::{AbsorptionDesign, Gains, Section};
use crate::room::delay_line::DelayLine;
use crate::room::room_acoustics::LINES;

/// Longest and shortest line, over the mean.
const SPREAD: [f64; 2] = [0.62, 1.55];

/// Rows of the matrix that are heard left and right, times 4: two sums of all lines without correlation.
const HEARD: [usize; 2] = [5, 10];

/// Gain of a side into each of its 8 lines, which keeps its energy.
const INPUT_GAIN: f64 = 0.5 * std::f64::consts::FRAC_1_SQRT_2;

/// Control blocks after a change of the reverberation times until the filters stay.
const CHANGING_BLOCKS: usize = 8;

/// One value of every line.
type Lines = [f64; LINES];

/// Lengths of the lines [frames] around the mean `mean` [s] at `rate` [Hz]: different prime numbers, at least a control block.
pub fn line_lengths(mean: f64, rate: f64) -> [usize; LINES] {
    let ratio = |i: usize| SPREAD[0] * (SPREAD[1] / SPREAD[0]).powf(i as f64 / (LINES - 1) as f64);
    let scale = mean * rate * LINES as f64 / (0..LINES).map(ratio).sum::<f64>();
    let mut last = CONTROL_BLOCK;
    std::array::from_fn(|i| {
        let wanted = ((scale * ratio(i)).round() as usize).max(last + 1);
        last = (wanted..).find(|&length| is_prime(length)).unwrap_or(wanted);
        last
    })
}

fn is_prime(number: usize) -> bool {
    (2..).take_while(|divisor| divisor * divisor <= number).all(|divisor| !number.is_multiple_of(divisor))
}

/// One section of the filters of all lines.
#[derive(Clone, Default)]
struct SectionBank {
    b0: Lines,
    b1: Lines,
    a1: Lines,
    /// What each of the three changes by in a frame of the present control block.
    changes: [Lines; 3],
    state: Lines,
}

impl SectionBank {
    fn set(&mut self, line: usize, section: Section) {
        (self.b0[line], self.b1[line], self.a1[line]) = (section.b0, section.b1, section.a1);
    }

    /// Moves a filter to `section` over the control block that begins.
    fn aim(&mut self, line: usize, section: Section) {
        let from = [self.b0[line], self.b1[line], self.a1[line]];
        let to = [section.b0, section.b1, section.a1];
        for (change, (from, to)) in self.changes.iter_mut().zip(from.into_iter().zip(to)) {
            change[line] = (to - from) / CONTROL_BLOCK as f64;
        }
    }

    fn advance(&mut self) {
        for (values, changes) in [&mut self.b0, &mut self.b1, &mut self.a1].into_iter().zip(&self.changes) {
            values.iter_mut().zip(changes).for_each(|(value, change)| *value += change);
        }
    }

    fn step(&mut self, lines: &mut Lines) {
        let gains = self.b0.iter().zip(&self.b1).zip(&self.a1);
        for ((x, state), ((b0, b1), a1)) in lines.iter_mut().zip(&mut self.state).zip(gains) {
            let y = b0 * *x + *state;
            *state = b1 * *x - a1 * y;
            *x = y;
        }
    }
}

/// The lines with their filters.
pub struct FeedbackNetwork {
    lines: [DelayLine; LINES],
    /// Whether nothing is in it.
    is_at_rest: bool,
    /// Frames since the last that was not quiet.
    quiet: usize,
    low: SectionBank,
    high: SectionBank,
    gains: [Gains; LINES],
    times: [f64; 3],
    /// Number of control blocks in which the filters will change.
    changing: usize,
}

impl FeedbackNetwork {
    /// At rest, with room for lines of up to `longest` frames each. Allocates.
    pub fn new(longest: [usize; LINES]) -> Self {
        Self {
            lines: longest.map(DelayLine::new),
            is_at_rest: true,
            quiet: 0,
            low: SectionBank::default(),
            high: SectionBank::default(),
            gains: [Gains::default(); LINES],
            times: [1.0; 3],
            changing: 0,
        }
    }

    /// At rest, with lines of `lengths` [frames] and the reverberation times `times` [s].
    pub fn set_room(&mut self, lengths: [usize; LINES], times: [f64; 3], design: &AbsorptionDesign, rate: f64) {
        self.rest();
        (self.times, self.changing) = (times, 0);
        for (line, length) in lengths.into_iter().enumerate() {
            self.lines[line].set_length(length);
            let (filter, gains) = design.filter(length as f64 / rate, times);
            self.low.set(line, filter.low);
            self.high.set(line, filter.high);
            self.gains[line] = gains;
        }
    }

    /// Moves the reverberation times to `times` [s] over this and the next control blocks; call this in each.
    pub fn set_times(&mut self, times: [f64; 3], design: &AbsorptionDesign, rate: f64) {
        if self.times != times {
            (self.times, self.changing) = (times, CHANGING_BLOCKS);
        } else {
            self.changing = self.changing.saturating_sub(1);
        }
        if self.changing == 0 {
            return;
        }
        for line in 0..LINES {
            let time = self.lines[line].length() as f64 / rate;
            let filter = design.change(&mut self.gains[line], time, times);
            self.low.aim(line, filter.low);
            self.high.aim(line, filter.high);
        }
    }

    /// Whether nothing is in it.
    pub fn is_at_rest(&self) -> bool {
        self.is_at_rest
    }

    /// Removes everything.
    pub fn rest(&mut self) {
        if self.is_at_rest {
            return;
        }
        (self.is_at_rest, self.quiet) = (true, 0);
        self.lines.iter_mut().for_each(DelayLine::rest);
        self.low.state = Lines::default();
        self.high.state = Lines::default();
    }

    /// Sound of the next control block with the input of the same control block. Rests once all that is in it is smaller than `floor`.
    pub fn process(&mut self, input: &StereoBlock, floor: f64) -> StereoBlock {
        let mut heard = [[0.0; CONTROL_BLOCK]; 2];
        if self.is_at_rest() && input.iter().flatten().all(|x| *x == 0.0) {
            return heard;
        }
        self.is_at_rest = false;
        let mut frames = self.read();
        let mut loudest = 0.0_f64;
        for (n, lines) in frames.iter_mut().enumerate() {
            if self.changing > 0 {
                self.low.advance();
                self.high.advance();
            }
            self.low.step(lines);
            self.high.step(lines);
            mix(lines);
            for (heard, row) in heard.iter_mut().zip(HEARD) {
                heard[n] = 4.0 * lines[row];
            }
            let [left, right] = [input[0][n] * INPUT_GAIN, input[1][n] * INPUT_GAIN];
            for pair in lines.as_chunks_mut::<2>().0 {
                pair[0] += left;
                pair[1] += right;
            }
            loudest = lines.iter().fold(loudest, |loudest, x| loudest.max(x.abs()));
        }
        self.write(&frames);
        self.quiet = if loudest < floor { self.quiet + CONTROL_BLOCK } else { 0 };
        if self.quiet > self.lines[LINES - 1].length() + CONTROL_BLOCK {
            self.rest();
        }
        heard
    }

    /// What leaves the lines in the next control block.
    fn read(&self) -> [Lines; CONTROL_BLOCK] {
        let mut frames = [Lines::default(); CONTROL_BLOCK];
        for (i, line) in self.lines.iter().enumerate() {
            frames.iter_mut().zip(line.read()).for_each(|(lines, x)| lines[i] = x);
        }
        frames
    }

    fn write(&mut self, frames: &[Lines; CONTROL_BLOCK]) {
        for (i, line) in self.lines.iter_mut().enumerate() {
            line.write(&std::array::from_fn(|n| frames[n][i]));
        }
    }
}

/// Hadamard's matrix over 4, by sums and differences.
fn mix(lines: &mut Lines) {
    sums_and_differences::<8>(lines);
    sums_and_differences::<4>(lines);
    sums_and_differences::<2>(lines);
    sums_and_differences::<1>(lines);
    lines.iter_mut().for_each(|x| *x *= 0.25);
}

/// Of all pairs of lines that are `HALF` apart in groups of twice as many.
fn sums_and_differences<const HALF: usize>(lines: &mut Lines) {
    for group in (0..LINES).step_by(2 * HALF) {
        for i in group..group + HALF {
            (lines[i], lines[i + HALF]) = (lines[i] + lines[i + HALF], lines[i] - lines[i + HALF]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::room_acoustics::{BANDS, RoomAcoustics};
    use std::f64::consts::TAU;

    const RATE: f64 = 48e3;

    fn network(room: &RoomAcoustics) -> FeedbackNetwork {
        let lengths = line_lengths(room.line_time(), RATE);
        let mut network = FeedbackNetwork::new(lengths);
        network.set_room(lengths, room.reverberation_times, &AbsorptionDesign::new(RATE), RATE);
        network
    }

    /// The sound of an impulse on the left, `seconds` long.
    fn impulse(network: &mut FeedbackNetwork, seconds: f64) -> [Vec<f64>; 2] {
        let mut input = [[0.0; CONTROL_BLOCK]; 2];
        input[0][0] = 1.0;
        let mut sound = [Vec::new(), Vec::new()];
        for _ in 0..(seconds * RATE) as usize / CONTROL_BLOCK {
            let block = network.process(&input, 1e-12);
            sound.iter_mut().zip(block).for_each(|(sound, block)| sound.extend(block));
            input[0][0] = 0.0;
        }
        sound
    }

    /// Energy in the lines.
    fn energy(network: &FeedbackNetwork) -> f64 {
        network.lines.iter().map(DelayLine::energy).sum()
    }

    #[test]
    fn the_matrix_is_orthogonal() {
        let column = |i: usize| {
            let mut lines = Lines::default();
            lines[i] = 1.0;
            mix(&mut lines);
            lines
        };
        for i in 0..LINES {
            for k in 0..LINES {
                let product: f64 = column(i).iter().zip(column(k)).map(|(a, b)| a * b).sum();
                assert!((product - f64::from(i == k)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn without_absorption_the_energy_stays() {
        let mut network = network(&RoomAcoustics::ALL[1]);
        for line in 0..LINES {
            let through = Section { b0: 1.0, ..Section::default() };
            network.low.set(line, through);
            network.high.set(line, through);
        }
        impulse(&mut network, 0.01);
        let first = energy(&network);
        assert!((first - 1.0).abs() < 1e-12, "{first}");
        impulse_free(&mut network, 1.0);
        assert!((energy(&network) - first).abs() < 1e-12, "{}", energy(&network));
    }

    fn impulse_free(network: &mut FeedbackNetwork, seconds: f64) {
        let silence = [[0.0; CONTROL_BLOCK]; 2];
        for _ in 0..(seconds * RATE) as usize / CONTROL_BLOCK {
            network.process(&silence, 1e-12);
        }
    }

    /// With any absorption, also while it changes. Filters keep energy for a few frames, so that single blocks are not compared.
    #[test]
    fn the_energy_never_grows() {
        let design = AbsorptionDesign::new(RATE);
        for room in RoomAcoustics::ALL {
            let mut network = network(&room);
            impulse(&mut network, 0.1);
            let mut before = energy(&network);
            assert!(before < 1.0);
            for block in 0..3_000_u32 {
                let scale = 0.25 + 1.75 * f64::from(block % 37) / 37.0;
                network.set_times(room.reverberation_times.map(|time| scale * time), &design, RATE);
                network.process(&[[0.0; CONTROL_BLOCK]; 2], 0.0);
                if block % 50 == 49 {
                    let now = energy(&network);
                    assert!(now < before, "{now} after {before} in {room:?}");
                    before = now;
                }
            }
        }
    }

    /// Time to -60 dB of `sound` at `frequency` [Hz], from the energies of windows between 10 and 40 dB below the first.
    fn reverberation_time(sound: &[f64], frequency: f64, time: f64) -> f64 {
        let window = (time * RATE / 24.0) as usize;
        // eight tones in a third of an octave
        let tones: Vec<f64> = (0..8).map(|k| frequency * 2_f64.powf((f64::from(k) - 3.5) / 24.0)).collect();
        let energy = |start: usize| -> f64 {
            tones
                .iter()
                .map(|tone| {
                    let (mut re, mut im) = (0.0, 0.0);
                    for n in 0..2 * window {
                        let hann = 0.5 - 0.5 * (TAU * n as f64 / (2 * window) as f64).cos();
                        let (sin, cos) = (TAU * tone / RATE * (start + n) as f64).sin_cos();
                        re += hann * sound[start + n] * cos;
                        im += hann * sound[start + n] * sin;
                    }
                    re * re + im * im
                })
                .sum()
        };
        let levels: Vec<(f64, f64)> = (2..18).map(|k| ((k * window) as f64 / RATE, 10.0 * energy(k * window).log10())).collect();
        let count = levels.len() as f64;
        let (mean_t, mean_l) = (levels.iter().map(|x| x.0).sum::<f64>() / count, levels.iter().map(|x| x.1).sum::<f64>() / count);
        let slope = levels.iter().map(|(t, l)| (t - mean_t) * (l - mean_l)).sum::<f64>()
            / levels.iter().map(|(t, _)| (t - mean_t).powi(2)).sum::<f64>();
        -60.0 / slope
    }

    /// Mean over both sides of impulses.
    #[test]
    fn every_room_has_its_reverberation_times() {
        for room in RoomAcoustics::ALL {
            let mut network = network(&room);
            let sound = impulse(&mut network, 1.2 * room.longest_time());
            for (band, time) in BANDS.into_iter().zip(room.reverberation_times) {
                let found = 0.5 * sound.iter().map(|side| reverberation_time(side, band, time)).sum::<f64>();
                println!("{band} Hz: {found:.3} s, set to {time} s");
                assert!((found / time - 1.0).abs() < 0.05, "{band} Hz: {found} s instead of {time} s");
            }
        }
    }

    /// After the tail, and a second impulse gives the same bits as the first.
    #[test]
    fn it_rests_after_its_tail_and_begins_as_new() {
        let mut network = network(&RoomAcoustics::ALL[0]);
        let first = impulse(&mut network, 2.0);
        assert!(network.is_at_rest());
        assert!(first[0][..9_600].iter().any(|x| *x != 0.0) && first[0][48_000..].iter().all(|x| *x == 0.0));
        network.rest();
        assert_eq!(impulse(&mut network, 2.0), first);
    }

    #[test]
    fn lines_are_different_prime_numbers() {
        for rate in [4e3, 44.1e3, 192e3] {
            for room in RoomAcoustics::ALL {
                let lengths = line_lengths(room.line_time(), rate);
                assert!(lengths.is_sorted_by(|a, b| a < b) && lengths.into_iter().all(is_prime), "{lengths:?}");
                assert!(lengths[0] > CONTROL_BLOCK);
            }
        }
    }
}
