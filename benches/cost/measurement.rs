//! What is timed, and the figures that come of it.

use std::time::Instant;

/// Work of one round that was timed in one go.
#[derive(Clone, Copy, Debug, Default)]
struct Lap {
    /// Time [ns].
    time: f64,
    /// Samples or calls that it went over.
    units: usize,
}

impl Lap {
    /// Nanoseconds a unit.
    fn each(self) -> f64 {
        self.time / self.units as f64
    }
}

/// Times the laps of a round.
#[derive(Default)]
pub struct Clock {
    laps: Vec<Lap>,
}

impl Clock {
    /// Times `work`, which says over how many samples or calls it went; what went over none does not count.
    pub fn lap(&mut self, work: impl FnOnce() -> usize) {
        let since = Instant::now();
        let units = work();
        let time = since.elapsed().as_secs_f64() * 1e9;
        if units > 0 {
            self.laps.push(Lap { time, units });
        }
    }
}

/// How a figure comes of the laps of all rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// The median round, all its laps together.
    Round,
    /// Every lap is the same work in every round: the median of each, and of these the median.
    MedianLap,
    /// The same, and of these the largest.
    WorstLap,
}

/// Something that is timed round by round.
pub struct Case {
    /// Names of the figures.
    pub keys: Vec<(&'static str, Figure)>,
    work: Box<dyn FnMut(&mut Clock)>,
    rounds: Vec<Vec<Lap>>,
}

impl Case {
    /// One figure, the median round.
    pub fn new(key: &'static str, work: impl FnMut(&mut Clock) + 'static) -> Self {
        Self::of(&[(key, Figure::Round)], work)
    }

    /// Several figures of the same rounds.
    pub fn of(keys: &[(&'static str, Figure)], work: impl FnMut(&mut Clock) + 'static) -> Self {
        Self { keys: keys.to_vec(), work: Box::new(work), rounds: Vec::new() }
    }

    /// Runs and times one more round.
    pub fn round(&mut self) {
        let mut clock = Clock::default();
        (self.work)(&mut clock);
        self.rounds.push(clock.laps);
    }

    /// Samples or calls of the rounds so far.
    pub fn units(&self) -> usize {
        self.rounds.iter().flatten().map(|lap| lap.units).sum()
    }

    /// A figure [ns a sample or call].
    pub fn figure(&self, figure: Figure) -> f64 {
        let all = |laps: &Vec<Lap>| {
            let sum =
                laps.iter().fold(Lap::default(), |sum, lap| Lap { time: sum.time + lap.time, units: sum.units + lap.units });
            sum.each()
        };
        let laps = || {
            let count = self.rounds.iter().map(Vec::len).min().unwrap_or(0);
            (0..count).map(|lap| median(self.rounds.iter().map(|laps| laps[lap].each()).collect()))
        };
        match figure {
            Figure::Round => median(self.rounds.iter().map(all).collect()),
            Figure::MedianLap => median(laps().collect()),
            Figure::WorstLap => laps().fold(0.0, f64::max),
        }
    }
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}
