//! Meter of how far the body of a voice stiffens.

use crate::telemetry::StiffeningReading;
use urto_physics::solver::Collision;

/// The largest deflection and tension at the ends of control blocks since the last reading.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StiffeningMeter {
    /// Deflection of a plate in thicknesses for modes whose displacements have the sum of squares 1 m^2 kg.
    scale: f64,
    reading: StiffeningReading,
}

impl StiffeningMeter {
    /// Sets the deflection of the plate, in thicknesses, for modes whose displacements have the sum of squares 1 m^2 kg.
    pub fn set_scale(&mut self, scale: f64) {
        self.scale = scale;
    }

    /// Adds the present state; what rests does not count.
    pub fn note(&mut self, collision: &Collision) {
        if !collision.is_stiffening() {
            return;
        }
        let deflection = if collision.has_potential() {
            let felt = collision.felt_modes();
            self.scale * collision.body().q.iter().take(felt).map(|q| q * q).sum::<f64>().sqrt()
        } else {
            0.0
        };
        let tension = collision.relative_tension();
        self.reading = self.reading.larger(StiffeningReading { deflection: deflection as f32, tension: tension as f32 });
    }

    /// The largest since the last call.
    pub fn take(&mut self) -> StiffeningReading {
        std::mem::take(&mut self.reading)
    }
}
