//! Recorder of the contacts of sticks with a hi-hat, one at a time, sample by sample.

use crate::telemetry::{HitPoint, HitPulse};
use urto_physics::contact::ContactLaw;

/// A stick after a sample.
#[derive(Clone, Copy, Debug)]
pub struct StickReading {
    /// Compression of its contact [m].
    pub compression: f64,
    /// The same a sample before.
    pub before: f64,
    /// Mean force over the sample [N].
    pub force: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Velocity [m/s].
    pub velocity: f64,
    /// Velocity when it was sent [m/s].
    pub velocity_in: f64,
    /// Contact law.
    pub law: ContactLaw,
}

/// Records one contact at a time.
#[derive(Clone, Debug, Default)]
pub struct StickHitRecorder {
    pulse: HitPulse,
    /// The stick that is recorded.
    recording: Option<usize>,
    finished: Option<HitPulse>,
    /// Interval of the sampled frames.
    interval: u32,
}

impl StickHitRecorder {
    /// Records a sample of h [s] of the stick number `stick`; `body_energy`: energy of the plates [J].
    pub fn record(&mut self, stick: usize, reading: &StickReading, h: f64, body_energy: impl Fn() -> f64) {
        if self.recording.is_none() && reading.force > 0.0 {
            let energy_in = 0.5 * reading.mass * reading.velocity_in * reading.velocity_in;
            let StickReading { mass, law, velocity_in, .. } = *reading;
            self.pulse = HitPulse { mass, law, velocity_in, energy_in, energy_body: -body_energy(), ..HitPulse::default() };
            self.pulse.add(HitPoint { velocity: velocity_in as f32, ..HitPoint::default() });
            (self.recording, self.interval) = (Some(stick), 1);
        }
        if self.recording != Some(stick) {
            return;
        }
        let pulse = &mut self.pulse;
        pulse.substeps += 1;
        pulse.duration += h;
        pulse.peak_force = pulse.peak_force.max(reading.force);
        pulse.max_compression = pulse.max_compression.max(reading.compression);
        let way = reading.compression - reading.before;
        pulse.work_on_compression += reading.force * way;
        let ends = reading.compression <= 0.0;
        if !ends && !pulse.substeps.is_multiple_of(self.interval) {
            return;
        }
        let point = HitPoint {
            time: pulse.duration as f32,
            compression: reading.compression.max(0.0) as f32,
            velocity: (way / h) as f32,
            force: if ends { 0.0 } else { reading.force as f32 },
        };
        if pulse.add(point) {
            self.interval *= 2;
        }
        if ends {
            pulse.velocity_out = way / h;
            pulse.energy_hammer = 0.5 * reading.mass * reading.velocity * reading.velocity;
            pulse.energy_body += body_energy();
            // what the contact took in and did not return
            pulse.energy_contact_loss = pulse.work_on_compression.max(0.0);
            (self.finished, self.recording) = (Some(self.pulse), None);
        }
    }

    /// Discards the contact of a stick that is removed.
    pub fn forget(&mut self, stick: usize) {
        if self.recording == Some(stick) {
            self.recording = None;
        }
    }

    /// The last finished contact since the last call.
    pub fn take(&mut self) -> Option<HitPulse> {
        self.finished.take()
    }
}
