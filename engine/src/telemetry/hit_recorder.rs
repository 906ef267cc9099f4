//! The force pulse of one contact, for display: fixed size, thinned out as it grows.

use urto_physics::contact::ContactLaw;
use urto_physics::solver::{Collision, StateBefore, SubstepReport};

/// Most points of a pulse.
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
    /// Largest force [N] at the end of a substep that was looked at closely: of short contacts all are.
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
    /// Work of the force on the compression [J], sum of F dx over the substeps: what the contact took in and did not give back.
    pub work_on_compression: f64,
    /// The pulse; only the first `count` points count.
    pub points: [HitPoint; POINTS],
    /// Number of points, 2 to [`POINTS`].
    pub count: usize,
}

impl HitPulse {
    /// The points, in order of time.
    pub fn points(&self) -> &[HitPoint] {
        &self.points[..self.count.min(POINTS)]
    }

    /// Energy that the body's damping took while they touched [J]: of what the force gave the body, the hammer's loss without the
    /// work on the compression, what the body did not keep.
    pub fn energy_decay(&self) -> f64 {
        self.energy_in - self.energy_hammer - self.work_on_compression - self.energy_body
    }

    /// How much of what the hammer brought is found again in hammer, body, contact loss and decay: 1 if every substep from onset to end
    /// is in the sums and the contact gave back all it stored, as a parameter that jumped meanwhile keeps it from. Loss and decay
    /// are what the force's work leaves, not measured beside it: the ledger of the physics is what proves the solver. NaN where nothing
    /// was brought.
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
    /// Adds a point; false when there is no room.
    fn add(&mut self, point: HitPoint) -> bool {
        if self.count == POINTS {
            return false;
        }
        self.points[self.count] = point;
        self.count += 1;
        true
    }

    /// Keeps every other point, the first among them.
    fn thin_out(&mut self) {
        for i in 0..POINTS / 2 {
            self.points[i] = self.points[2 * i];
        }
        self.count = POINTS / 2;
    }
}

/// Follows one contact at a time from its begin to its end.
#[derive(Default)]
pub struct HitRecorder {
    pulse: HitPulse,
    /// Object and hammer that are followed.
    following: Option<(usize, usize)>,
    finished: bool,
    done: HitPulse,
    number: u32,
    every: u32,
    /// Energy of the body [J] when the contact began.
    before: f64,
}

impl HitRecorder {
    /// One substep of a thrown hammer, number `substep.hammer`, on `object`, whose key is `key`.
    pub fn record_substep(&mut self, object: usize, key: u8, collision: &Collision, substep: &SubstepReport) {
        let here = (object, substep.hammer);
        if self.following.is_none() && substep.began {
            self.begin(key, collision, substep);
            self.following = Some(here);
        }
        if self.following == Some(here) {
            self.follow(collision, substep);
        }
    }

    /// The hammer is taken away: the contact it may be in is forgotten.
    pub fn forget(&mut self, object: usize, striker: usize) {
        if self.following == Some((object, striker)) {
            self.following = None;
        }
    }

    /// Nothing recorded.
    pub fn reset(&mut self) {
        self.following = None;
        self.finished = false;
        self.number = 0;
    }

    /// The last finished contact since last asked.
    pub fn take(&mut self) -> Option<HitPulse> {
        std::mem::take(&mut self.finished).then_some(self.done)
    }

    /// The contact begins inside the substep that has just been made.
    fn begin(&mut self, key: u8, collision: &Collision, substep: &SubstepReport) {
        let striker = collision.hammer(substep.hammer);
        let (mass, law) = (striker.mass(), striker.law());
        let StateBefore { closing: velocity_in, hammer: energy_in, body } = collision.before(substep.hammer);
        (self.every, self.before) = (1, body);
        self.pulse = HitPulse { key, velocity_in, mass, law, energy_in, points: self.pulse.points, ..HitPulse::default() };
        self.pulse.add(HitPoint { velocity: velocity_in as f32, ..HitPoint::default() });
    }

    /// Of a contact that has more substeps than there are points only those that may be one are looked at closely.
    fn follow(&mut self, collision: &Collision, substep: &SubstepReport) {
        let pulse = &mut self.pulse;
        let x1 = substep.x1;
        // the contact ends inside its last substep, where a straight line crosses zero
        let part = if substep.ended && x1 < substep.x0 { (substep.x0 / (substep.x0 - x1)).clamp(0.0, 1.0) } else { 1.0 };
        pulse.duration += substep.dt * part;
        pulse.substeps += 1;
        pulse.max_compression = pulse.max_compression.max(x1);
        pulse.energy_contact_loss += substep.loss;
        pulse.work_on_compression += substep.force * (substep.x1 - substep.x0);
        if !substep.ended && !pulse.substeps.is_multiple_of(self.every) {
            return;
        }
        let striker = collision.hammer(substep.hammer);
        let velocity = substep.v1;
        let force = striker.force_at(x1, velocity);
        pulse.peak_force = pulse.peak_force.max(force);
        let point = HitPoint {
            time: pulse.duration as f32,
            compression: x1.max(0.0) as f32,
            velocity: velocity as f32,
            force: force as f32,
        };
        if substep.ended {
            pulse.velocity_out = velocity;
            pulse.energy_hammer = striker.energy();
            pulse.energy_body = collision.body().energy() - self.before;
            self.finish(point);
        } else if !pulse.add(point) {
            pulse.thin_out();
            self.every *= 2;
        }
    }

    fn finish(&mut self, last: HitPoint) {
        if !self.pulse.add(last) {
            self.pulse.thin_out();
            self.pulse.add(last);
        }
        self.number = self.number.wrapping_add(1);
        self.pulse.number = self.number;
        self.done = self.pulse;
        self.finished = true;
        self.following = None;
    }
}
