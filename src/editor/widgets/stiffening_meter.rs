//! The meter of how far bodies stiffen: it follows a rise at once and falls slowly, as strikes are short.

use urto_engine::telemetry::StiffeningReading;

/// Time constant of the fall [s].
const FALL: f32 = 0.3;
/// What is shown as 0: half of the last digit.
const SMALLEST: f32 = 5e-4;

/// What the meter shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StiffeningMeter {
    shown: StiffeningReading,
}

impl StiffeningMeter {
    /// Updates the meter, `elapsed` seconds after the last time.
    pub fn follow(&mut self, reading: StiffeningReading, elapsed: f32) {
        let factor = (-elapsed / FALL).exp();
        let fallen = |shown: f32| if shown < SMALLEST { 0.0 } else { factor * shown };
        let StiffeningReading { deflection, tension } = self.shown;
        self.shown = reading.larger(StiffeningReading { deflection: fallen(deflection), tension: fallen(tension) });
    }

    /// Whether the display still changes.
    pub fn moves(&self) -> bool {
        self.shown != StiffeningReading::default()
    }

    /// The values shown.
    pub fn shown(&self) -> StiffeningReading {
        self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meter_rises_at_once_and_falls_to_zero() {
        let mut meter = StiffeningMeter::default();
        meter.follow(StiffeningReading { deflection: 2.0, tension: 0.1 }, 0.02);
        assert_eq!(meter.shown(), StiffeningReading { deflection: 2.0, tension: 0.1 });
        meter.follow(StiffeningReading { deflection: 0.0, tension: 0.3 }, FALL);
        let StiffeningReading { deflection, tension } = meter.shown();
        assert!((deflection - 2.0 / std::f32::consts::E).abs() < 1e-6 && tension == 0.3 && meter.moves());
        (0..200).for_each(|_| meter.follow(StiffeningReading::default(), 0.02));
        assert!(!meter.moves());
    }
}
