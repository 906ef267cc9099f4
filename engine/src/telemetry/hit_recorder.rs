//! Recorder of the force pulse of one contact, for display: fixed size, thinned out as it grows.

use urto_physics::contact::ContactLaw;
use urto_physics::solver::{Collision, StateBefore, SubstepReport};

/// Maximum number of points of a pulse.
pub const POINTS: usize = 128;

/// One point of a pulse.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct HitPoint {
    /// Time since the contact began [s].
    pub time: f32,
    /// Compression [m].
    pub compression: f32,
    /// Compression velocity [m/s].
    pub velocity: f32,
    /// Contact force [N].
    pub force: f32,
}

/// One finished contact. Plain data, copied across threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitPulse {
    /// Counts recorded contacts since the engine was built or reset.
    pub number: u32,
    /// Key of the body that was struck.
    pub key: u8,
    /// Compression velocity when the contact began [m/s].
    pub velocity_in: f64,
    /// Compression velocity when it ended [m/s], below 0.
    pub velocity_out: f64,
    /// Hammer mass [kg].
    pub mass: f64,
    /// Law of the contact, as it began.
    pub law: ContactLaw,
    /// Time from begin to end [s].
    pub duration: f64,
    /// Largest force [N] at the end of a sampled substep; of short contacts all substeps are sampled.
    pub peak_force: f64,
    /// Largest compression at the end of a substep [m].
    pub max_compression: f64,
    /// Substeps that the contact took.
    pub substeps: u32,
    /// Energy of the hammer when the contact began [J].
    pub energy_in: f64,
    /// Energy of the hammer when it ended [J].
    pub energy_hammer: f64,
    /// Energy that the body gained meanwhile [J].
    pub energy_body: f64,
    /// Energy lost inside the contact [J].
    pub energy_contact_loss: f64,
    /// Work of the force on the compression [J], sum of F dx over the substeps: energy that the contact took in and did not return.
    pub work_on_compression: f64,
    /// The pulse; only the first `count` points are valid.
    pub points: [HitPoint; POINTS],
    /// Number of points, 2 to `POINTS`.
    pub count: usize,
}

impl HitPulse {
    /// The points, in order of time.
    pub fn points(&self) -> &[HitPoint] {
        &self.points[..self.count.min(POINTS)]
    }

    /// Energy lost to the body's damping during the contact [J]: the hammer's loss without the work on the compression, less the gain of
    /// the body.
    pub fn energy_decay(&self) -> f64 {
        self.energy_in - self.energy_hammer - self.work_on_compression - self.energy_body
    }

    /// Part of the hammer's energy found again in hammer, body, contact loss and decay: 1 if every substep is in the sums and the contact
    /// returned all stored energy, which a parameter change during the contact prevents. Loss and decay are derived from the work of the
    /// force, not measured independently: the energy balance of the physics verifies the solver. NaN without energy.
    pub fn accounted(&self) -> f64 {
        let found = self.energy_hammer + self.energy_body + self.energy_contact_loss + self.energy_decay();
        found / self.energy_in
    }
}

impl Default for HitPulse {
    fn default() -> Self {
        Self {
            number: 0,
            key: 0,
            velocity_in: 0.0,
            velocity_out: 0.0,
            mass: 0.0,
            law: ContactLaw::hunt_crossley(1.0, 1.0, 0.0),
            duration: 0.0,
            peak_force: 0.0,
            max_compression: 0.0,
            substeps: 0,
            energy_in: 0.0,
            energy_hammer: 0.0,
            energy_body: 0.0,
            energy_contact_loss: 0.0,
            work_on_compression: 0.0,
            points: [HitPoint::default(); POINTS],
            count: 0,
        }
    }
}

impl HitPulse {
    /// Adds a point. Returns false when there is no room.
    fn add(&mut self, point: HitPoint) -> bool {
        if self.count == POINTS {
            return false;
        }
        self.points[self.count] = point;
        self.count += 1;
        true
    }

    /// Keeps every other point, with the first.
    fn thin_out(&mut self) {
        for i in 0..POINTS / 2 {
            self.points[i] = self.points[2 * i];
        }
        self.count = POINTS / 2;
    }
}

/// Records one contact at a time from its begin to its end.
#[derive(Default)]
pub struct HitRecorder {
    pulse: HitPulse,
    /// The hammer that is recorded.
    recording: Option<HammerAddress>,
    finished: bool,
    last_pulse: HitPulse,
    number: u32,
    /// Every how many substeps are sampled.
    interval: u32,
    /// Energy of the body [J] when the contact began.
    body_energy: f64,
}

/// A hammer on a voice.
#[derive(Clone, Copy, Debug, PartialEq)]
struct HammerAddress {
    voice: usize,
    hammer: usize,
}

impl HitRecorder {
    /// Records a substep of a hammer on voice number `voice` of `key`.
    pub fn record_substep(&mut self, voice: usize, key: u8, collision: &Collision, substep: &SubstepReport) {
        let address = HammerAddress { voice, hammer: substep.hammer };
        if self.recording.is_none() && substep.began {
            self.begin(key, collision, substep);
            self.recording = Some(address);
        }
        if self.recording == Some(address) {
            self.add_substep(collision, substep);
        }
    }

    /// Discards the contact of a hammer that is removed.
    pub fn forget(&mut self, voice: usize, hammer: usize) {
        if self.recording == Some(HammerAddress { voice, hammer }) {
            self.recording = None;
        }
    }

    /// Discards all recordings.
    pub fn reset(&mut self) {
        self.recording = None;
        self.finished = false;
        self.number = 0;
    }

    /// The last finished contact since the last call.
    pub fn take(&mut self) -> Option<HitPulse> {
        std::mem::take(&mut self.finished).then_some(self.last_pulse)
    }

    /// Begins a contact inside the last substep.
    fn begin(&mut self, key: u8, collision: &Collision, substep: &SubstepReport) {
        let hammer = collision.hammer(substep.hammer);
        let (mass, law) = (hammer.mass(), hammer.law());
        let StateBefore { closing: velocity_in, hammer: energy_in, body } = collision.before(substep.hammer);
        (self.interval, self.body_energy) = (1, body);
        self.pulse = HitPulse { key, velocity_in, mass, law, energy_in, points: self.pulse.points, ..HitPulse::default() };
        self.pulse.add(HitPoint { velocity: velocity_in as f32, ..HitPoint::default() });
    }

    /// Adds a substep. Of a contact with more substeps than points only every n-th is sampled.
    fn add_substep(&mut self, collision: &Collision, substep: &SubstepReport) {
        let pulse = &mut self.pulse;
        let x1 = substep.x1;
        // the contact ends inside its last substep, where the linearly interpolated compression crosses zero
        let part = if substep.ended && x1 < substep.x0 { (substep.x0 / (substep.x0 - x1)).clamp(0.0, 1.0) } else { 1.0 };
        pulse.duration += substep.dt * part;
        pulse.substeps += 1;
        pulse.max_compression = pulse.max_compression.max(x1);
        pulse.energy_contact_loss += substep.loss;
        pulse.work_on_compression += substep.force * (substep.x1 - substep.x0);
        if !substep.ended && !pulse.substeps.is_multiple_of(self.interval) {
            return;
        }
        let hammer = collision.hammer(substep.hammer);
        let velocity = substep.v1;
        let force = hammer.force_at(x1, velocity);
        pulse.peak_force = pulse.peak_force.max(force);
        let point = HitPoint {
            time: pulse.duration as f32,
            compression: x1.max(0.0) as f32,
            velocity: velocity as f32,
            force: force as f32,
        };
        if substep.ended {
            pulse.velocity_out = velocity;
            pulse.energy_hammer = hammer.energy();
            pulse.energy_body = collision.body().energy() - self.body_energy;
            self.finish(point);
        } else if !pulse.add(point) {
            pulse.thin_out();
            self.interval *= 2;
        }
    }

    fn finish(&mut self, last: HitPoint) {
        if !self.pulse.add(last) {
            self.pulse.thin_out();
            self.pulse.add(last);
        }
        self.number = self.number.wrapping_add(1);
        self.pulse.number = self.number;
        self.last_pulse = self.pulse;
        self.finished = true;
        self.recording = None;
    }
}
