//! Timing of benchmark cases, and the statistics of their rounds.

use std::time::Instant;

/// Sample rate of all cases [Hz], except the scaling over the sample rate.
pub const RATE: f64 = 48_000.0;

/// One timed section of a round.
#[derive(Clone, Copy, Debug, Default)]
struct Lap {
    /// Time [ns].
    time: f64,
    /// Processed samples or calls.
    units: usize,
}

impl Lap {
    /// Time per sample or call [ns].
    fn time_per_unit(self) -> f64 {
        self.time / self.units as f64
    }
}

/// Measures the laps of a round.
#[derive(Default)]
pub struct Stopwatch {
    laps: Vec<Lap>,
}

impl Stopwatch {
    /// Times `work`, which returns the number of processed samples or calls. Laps without any are discarded.
    pub fn lap(&mut self, work: impl FnOnce() -> usize) {
        let start = Instant::now();
        let units = work();
        let time = start.elapsed().as_secs_f64() * 1e9;
        if units > 0 {
            self.laps.push(Lap { time, units });
        }
    }
}

/// Statistic of the laps of all rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statistic {
    /// The median of the rounds; a round is the sum of its laps.
    MedianRound,
    /// The median over the laps of each lap's median over the rounds. Lap n must do the same work in every round.
    MedianLap,
    /// The maximum over the laps of each lap's median over the rounds. Lap n must do the same work in every round.
    MaximumLap,
}

/// A figure of a case: its name and its statistic.
#[derive(Clone, Copy)]
pub struct Figure {
    pub key: &'static str,
    pub statistic: Statistic,
}

/// A benchmark case, timed in rounds.
pub struct Case {
    pub figures: Vec<Figure>,
    work: Box<dyn FnMut(&mut Stopwatch)>,
    rounds: Vec<Vec<Lap>>,
}

impl Case {
    /// A case with one figure, the median round.
    pub fn new(key: &'static str, work: impl FnMut(&mut Stopwatch) + 'static) -> Self {
        Self::with_figures(&[Figure { key, statistic: Statistic::MedianRound }], work)
    }

    /// A case with several figures of the same rounds.
    pub fn with_figures(figures: &[Figure], work: impl FnMut(&mut Stopwatch) + 'static) -> Self {
        Self { figures: figures.to_vec(), work: Box::new(work), rounds: Vec::new() }
    }

    /// Runs and times one more round.
    pub fn run_round(&mut self) {
        let mut stopwatch = Stopwatch::default();
        (self.work)(&mut stopwatch);
        self.rounds.push(stopwatch.laps);
    }

    /// Processed samples or calls of all rounds.
    pub fn units(&self) -> usize {
        self.rounds.iter().flatten().map(|lap| lap.units).sum()
    }

    /// Time per sample or call [ns].
    pub fn time_per_unit(&self, statistic: Statistic) -> f64 {
        let round_time = |laps: &Vec<Lap>| {
            let sum =
                laps.iter().fold(Lap::default(), |sum, lap| Lap { time: sum.time + lap.time, units: sum.units + lap.units });
            sum.time_per_unit()
        };
        let lap_medians = || {
            let count = self.rounds.iter().map(Vec::len).min().unwrap_or(0);
            (0..count).map(|lap| median(self.rounds.iter().map(|laps| laps[lap].time_per_unit()).collect()))
        };
        match statistic {
            Statistic::MedianRound => median(self.rounds.iter().map(round_time).collect()),
            Statistic::MedianLap => median(lap_medians().collect()),
            Statistic::MaximumLap => lap_medians().fold(0.0, f64::max),
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
