//! Plain data of fixed size for display (hits, motion of the body, controllers of notes), and the energy balance for tests.

use crate::midi::{MidiControllers, Note};
use crate::params::ParamValues;
use urto_physics::contact::ContactLaw;
use urto_physics::solver::{Collision, EnergyBalance, StateBefore, SubstepReport};

/// Maximum number of points of a pulse.
pub const POINTS: usize = 128;

/// Maximum number of modes of a body shown.
pub const MAX_SHOWN_MODES: usize = 12;

/// Maximum number of notes shown.
pub const MAX_READINGS: usize = 8;

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

    /// Part of the hammer's energy accounted for in hammer, body, contact loss and decay: 1 if every substep is in the sums and the contact
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
    /// Adds a point. Where there is no room, every other point is left out before; returns whether it was so.
    pub(crate) fn add(&mut self, point: HitPoint) -> bool {
        let is_full = self.count == POINTS;
        if is_full {
            for i in 0..POINTS / 2 {
                self.points[i] = self.points[2 * i];
            }
            self.count = POINTS / 2;
        }
        self.points[self.count] = point;
        self.count += 1;
        is_full
    }
}

/// Records the force pulse of one contact at a time from its beginning to its end, thinned out as it grows.
#[derive(Default)]
pub struct HitRecorder {
    pulse: HitPulse,
    /// The hammer that is recorded.
    recording: Option<HammerAddress>,
    finished: bool,
    last_pulse: HitPulse,
    number: u32,
    /// Interval of the sampled substeps.
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

    /// Counts a contact with `key` that was recorded elsewhere.
    pub fn count(&mut self, key: u8, pulse: HitPulse) -> HitPulse {
        self.number = self.number.wrapping_add(1);
        HitPulse { key, number: self.number, ..pulse }
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
        } else if pulse.add(point) {
            self.interval *= 2;
        }
    }

    fn finish(&mut self, last: HitPoint) {
        self.pulse.add(last);
        self.number = self.number.wrapping_add(1);
        self.pulse.number = self.number;
        self.last_pulse = self.pulse;
        self.finished = true;
        self.recording = None;
    }
}

/// State of one mode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mode {
    /// Modal displacement [m kg^1/2].
    pub q: f32,
    /// Modal velocity [m kg^1/2/s].
    pub v: f32,
    /// Angular frequency [rad/s]; 0 where there is no mode.
    pub omega: f32,
}

/// State of the lowest partials of the body struck last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyMotion {
    /// Key of the body.
    pub key: u8,
    /// Changes with every strike.
    pub stroke: u64,
    /// Number of partials, at most [`MAX_SHOWN_MODES`].
    pub count: usize,
    /// The partials, without the suspension.
    pub modes: [Mode; MAX_SHOWN_MODES],
    /// Those of the lower plate of a hi-hat; at rest for other bodies.
    pub lower: [Mode; MAX_SHOWN_MODES],
}

/// How far bodies stiffen: the largest of all voices since the last reading.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StiffeningReading {
    /// Deflection of plates with a potential, in thicknesses: twice the root mean square over the plate, the amplitude of its lowest mode.
    pub deflection: f32,
    /// Extra tension of strings and membranes over that at rest.
    pub tension: f32,
}

impl StiffeningReading {
    /// The larger of both.
    pub fn larger(self, other: Self) -> Self {
        Self { deflection: self.deflection.max(other.deflection), tension: self.tension.max(other.tension) }
    }
}

/// Largest errors of the energy balances of all voices, relative to the largest energy of the voice; for tests.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct EnergyBalanceReport {
    /// Largest |stored + lost - supplied| over one step.
    pub balance: f64,
    /// Largest gain of energy over one step without supply.
    pub unsupplied: f64,
}

impl EnergyBalanceReport {
    /// Errors of one balance; 0 for a voice that never had any energy.
    pub fn of(balance: &EnergyBalance) -> Self {
        if balance.largest > 0.0 {
            Self {
                balance: balance.largest_balance_residual / balance.largest,
                unsupplied: balance.largest_unsupplied_increase / balance.largest,
            }
        } else {
            Self::default()
        }
    }

    /// The larger errors of two reports.
    pub fn larger(self, other: Self) -> Self {
        Self { balance: larger(self.balance, other.balance), unsupplied: larger(self.unsupplied, other.unsupplied) }
    }
}

/// The larger of two, or NaN if either is: an error must not be hidden.
fn larger(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}

/// Controllers of one note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControllerReading {
    /// Its key.
    pub key: u8,
    /// Its number, counted since the last reset.
    pub serial: u32,
    /// Modulation wheel, 0 to 1.
    pub wheel: f32,
    /// Pressure, 0 to 1.
    pub pressure: f32,
    /// Brightness, -1 to 1.
    pub brightness: f32,
    /// Expression, -1 to 1.
    pub expression: f32,
    /// Bend [semitones] of its channel and of the note together.
    pub bend: f32,
    /// Soft pedal, 0 to 1.
    pub soft: f32,
}

impl ControllerReading {
    /// Controllers of `note`.
    pub fn new(note: &Note, controllers: &MidiControllers, settings: &ParamValues) -> Self {
        let (together, alone) = controllers.bend(note, settings);
        Self {
            key: note.id.key,
            serial: note.serial,
            wheel: controllers.wheel(note) as f32,
            pressure: controllers.pressure(note) as f32,
            brightness: controllers.brightness(note) as f32,
            expression: controllers.expression(note) as f32,
            bend: (together + alone) as f32,
            soft: controllers.soft(note) as f32,
        }
    }
}

/// The held notes that were struck last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControllerReadings {
    count: usize,
    notes: [ControllerReading; MAX_READINGS],
}

impl ControllerReadings {
    /// The readings, the newest note first.
    pub fn iter(&self) -> impl Iterator<Item = &ControllerReading> {
        self.notes[..self.count].iter()
    }

    /// Adds a reading; without room it replaces the oldest note.
    pub fn add(&mut self, reading: ControllerReading) {
        let place = self.notes[..self.count].partition_point(|other| other.serial > reading.serial);
        if place < MAX_READINGS {
            self.count = (self.count + 1).min(MAX_READINGS);
            self.notes[place..self.count].rotate_right(1);
            self.notes[place] = reading;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, EngineConfig};
    use crate::event::{Event, NoteId};
    use crate::patch::Patch;

    #[test]
    fn readings_are_of_the_newest_held_notes() {
        let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
        let note = |key: u8| NoteId { voice: None, channel: key % 16, key };
        for key in 50..60 {
            engine.event(&Event::NoteOn { note: note(key), velocity: 0.5 });
        }
        engine.event(&Event::Bend { channel: 59 % 16, value: 0.5 });
        engine.event(&Event::Pressure { channel: 58 % 16, value: 0.25 });
        engine.event(&Event::NoteOff { note: note(57), velocity: 0.5 });
        let [left, right] = &mut [[0.0f32; 64], [0.0; 64]];
        engine.render(left, right, [&[]; 2]);
        let readings = engine.controller_readings();
        let keys: Vec<u8> = readings.iter().map(|reading| reading.key).collect();
        assert_eq!(keys, [59, 58, 56, 55, 54, 53, 52, 51], "held, the newest first");
        let found: Vec<_> = readings.iter().map(|reading| (reading.bend, reading.pressure)).collect();
        assert_eq!(found[..3], [(1.0, 0.0), (0.0, 0.25), (0.0, 0.0)]);
        engine.reset();
        assert_eq!(engine.controller_readings(), ControllerReadings::default());
    }

    #[test]
    fn the_oldest_note_is_replaced() {
        let mut readings = ControllerReadings::default();
        for serial in [5, 1, 9, 3, 7, 2, 8, 4, 6, 10, 0] {
            readings.add(ControllerReading { serial, ..ControllerReading::default() });
        }
        assert!(readings.iter().map(|reading| reading.serial).eq((3..=10).rev()));
    }
}
