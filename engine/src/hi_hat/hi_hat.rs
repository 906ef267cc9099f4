//! A hi-hat: two cymbals in one network, with contact points on their rims, dashpots at other points, and sticks.
//!
//! ```text
//! network      the lowest modes of both plates, the motion of each as a whole on its spring, and the compliance of its higher modes at a point:
//!              omega^2 = n/sum 1/omega_i^2,  W^2 = omega^2 sum (w_i/omega_i)^2       one mode a point, damping ratio 1/2
//! contacts     f = k x^1.5 (1 + mu x') at seven points of the rims; the pedal moves their gaps
//! dashpots     seven others, each with r = Z times the resistance of the pedal: Z = 1/Y of both plates, Y = (pi/2) sum w^2/omega_max, takes the most;
//!              every other one acts on the sum of both displacements: plates that bend together slide along each other
//! field        the higher modes, driven by the forces of sticks and contacts, on which they do not react; each has one of the contacts
//!              losses of the pedal: sigma = (1/2) sum w^2 r/(1 + r Y)^2 over the dashpots; see `exchange` and `chatter`
//! frame        heavy modes that the forces of sticks and contacts drive
//! ```
//!
//! The lowest modes and their contacts close the energy balance. The one mode of a point has the static compliance of the higher modes, and
//! about their mobility, which makes contacts as soft, and lets them lose as much, as with all modes. Slow parts of the contacts' forces do
//! not drive the field, and fast ones little: rims touch along a line.

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::hi_hat::chatter::Chatter;
use crate::hi_hat::frame::{Frame, add_sound};
use crate::hi_hat::pedal::{Pedal, PedalSetting};
use crate::hi_hat::plate::Plate;
use crate::hi_hat::points::{CONTACTS, FIRST_CONTACT, PLATES, POINTS, SOFT_POINTS, golden, places};
use crate::hi_hat::sticks::{StickForces, StickStroke, Sticks};
use crate::telemetry::HitPulse;
use std::f64::consts::TAU;
use std::ops::Range;
use urto_physics::connections::{Joint, Network, NetworkCapacity, NetworkResolution};
use urto_physics::modal::LANES;

/// Maximum number of the lowest modes of a plate that are in the network, with its motion as a whole.
const MAX_LOW: usize = 105;

/// Stiffness [N/m^1.5], exponent and loss [s/m] of a contact between the plates.
pub(super) const CONTACT: (f64, f64, f64) = (5e8, 1.5, 0.3);

/// Largest distance [m] by which a rim is uneven: the contacts touch one after another.
const UNEVENNESS: f64 = 1e-4;

/// Time [s] in which the friction follows the pedal: pressed plates begin to rub after they have struck each other.
const FRICTION_TIME: f64 = 0.015;

/// Difference of the resistance from its goal, over the largest, that counts as none.
const SETTLED_RESISTANCE: f64 = 1e-6;

/// Force on stand, clutch and air over that of the contacts: plates that close also squeeze the air between them. Fitted to the level of a chick.
const CONTACT_DRIVE: f64 = 1.5;

/// Frequencies [Hz] below and above which forces of contacts do not drive the field.
const FIELD_HIGH_PASS: f64 = 300.0;
const FIELD_LOW_PASS: f64 = 3e3;

/// Motion of the field that counts as none [m/s kg^1/2], far above denormal numbers.
const FIELD_FLOOR: f32 = 1e-25;

/// Velocity [m/s] of a plate below which it is at rest.
const REST_VELOCITY: f64 = 1e-4;

/// Turns in a row, one each 32 control blocks, after which a hi-hat that is quiet may sleep: more than a period of the springs.
const QUIET_TURNS: u32 = 4;

/// Costs of a frame, in samples of one mode of the reference resonator: of the network, of each of its modes, of its contacts while any
/// touches, and of each mode of the field.
const NETWORK_COST: f32 = 400.0;
const MODE_COST: f32 = 4.0;
const CONTACTS_COST: f32 = 2_700.0;
const FIELD_COST: f32 = 0.2;

/// Cost of a mode whose frequency, weights and pickups are computed again, in each of the frames of a turn that follow: new pitch or weights of all
/// took 1.0 ms.
const TUNING_COST: f32 = 0.25;
pub(super) const TURN_FRAMES: u64 = 32 * CONTROL_BLOCK as u64;

/// Distance [m] at contact number `n`.
pub(super) fn distance(setting: &PedalSetting, n: usize) -> f64 {
    setting.distance() + if n == FIRST_CONTACT { -setting.tilt() } else { UNEVENNESS * golden(n) }
}

/// Forces [N] in a frame that drive stand, clutch and the air between the plates.
#[derive(Clone, Copy, Debug, Default)]
struct FrameForces {
    /// Of all sticks.
    sticks: f64,
    /// Of all contacts between the plates, without the slow part, times [`CONTACT_DRIVE`].
    contacts: f64,
}

/// Sizes for which the memory of a hi-hat is allocated.
#[derive(Clone, Copy, Debug)]
pub struct HiHatCapacity {
    /// Modes of each plate, with the motion as a whole.
    pub modes: [usize; PLATES],
    /// Modes of the frame.
    pub frame: usize,
}

/// What counts for its cost and its sleep since it was read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Activity {
    /// Largest sound since the last turn, and turns in a row in which it was silent.
    peak: f64,
    quiet: u32,
    /// Frames, and those of them in which contacts touched.
    frames: u64,
    touching: u64,
    /// Frames over which a change of pitch or weights is still charged.
    pub(super) tuned: u64,
}

/// What changed for the plates of a hi-hat in a control block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HiHatChanges {
    /// Frequencies or decay rates.
    pub pitch: bool,
    /// Mass, pickups or radiation.
    pub weights: bool,
}

impl HiHatChanges {
    /// What has changed in either of them.
    pub fn with(self, other: Self) -> Self {
        Self { pitch: self.pitch || other.pitch, weights: self.weights || other.weights }
    }
}

/// Two plates, and everything between them.
#[derive(Clone, Debug)]
pub struct HiHat {
    pub(super) network: Network,
    pub(super) plates: [Plate; PLATES],
    /// Number of modes of a plate in the network, without those in place of the field.
    pub(super) low: usize,
    pub(super) sticks: Sticks,
    pub(super) frame: Frame,
    pub(super) chatter: Chatter,
    pub(super) pedal: Pedal,
    pub(super) target: PedalSetting,
    /// Resistance [kg/s] of a dashpot that takes the most.
    pub(super) impedance: f64,
    /// Resistance of the dashpots over it, where the plates move slowly.
    pub(super) resistance: f64,
    /// Factor of it in force.
    pub(super) slip: f64,
    /// Slow parts of the forces of the contacts [N], and what drives the field.
    pub(super) slow: [f64; CONTACTS],
    pub(super) driving: [f64; CONTACTS],
    pub(super) rate: f64,
    /// It has to be built, or put to rest, before it sounds.
    pub(super) fresh: bool,
    /// The number of what its plates, points and pickups follow from; 0: none yet.
    pub(super) built_from: u64,
    /// Room for rows of a network.
    pub(super) rows: [Vec<f64>; 2],
    pub(super) activity: Activity,
}

impl HiHat {
    /// Allocates for plates of this size; [`HiHat::begin`] makes it ready.
    pub fn new(capacity: HiHatCapacity) -> Self {
        let low = MAX_LOW.min(capacity.modes[0]).min(capacity.modes[1]);
        let modes = MAX_LOW + SOFT_POINTS;
        Self {
            network: Network::new(48e3, NetworkCapacity { bodies: PLATES, modes }),
            plates: capacity.modes.map(|modes| Plate::new(modes, low)),
            low,
            sticks: Sticks::default(),
            frame: Frame::new(capacity.frame),
            chatter: Chatter::default(),
            pedal: Pedal::default(),
            target: PedalSetting::default(),
            impedance: 0.0,
            resistance: 0.0,
            slip: 1.0,
            slow: [0.0; CONTACTS],
            driving: [0.0; CONTACTS],
            rate: 48e3,
            fresh: true,
            built_from: 0,
            rows: [vec![0.0; modes], vec![0.0; modes]],
            activity: Activity::default(),
        }
    }

    pub(super) fn set_resistance(&mut self, part: f64) {
        self.resistance = part;
        self.slip = self.chatter.slip();
        let part = part * self.slip;
        let joint = Joint { damping: part * self.impedance, ..Joint::default() };
        (CONTACTS..POINTS).for_each(|port| self.network.set_joint(port, joint));
        self.plates.iter_mut().for_each(|plate| plate.set_friction(joint.damping, part, 1.0 / self.rate));
    }

    /// Begins a control block of `time` [s], in which the pedal moves towards `target`.
    pub fn begin_block(&mut self, target: PedalSetting, time: f64) {
        self.target = target;
        let before = self.pedal.now();
        self.pedal.advance(target, time);
        let now = self.pedal.now();
        for port in 0..CONTACTS {
            self.network.set_closing(port, (distance(&before, port) - distance(&now, port)) / time);
        }
        let (goal, step) = (now.resistance(), -(-time / FRICTION_TIME).exp_m1());
        if goal != self.resistance || goal > 0.0 && self.slip != self.chatter.slip() {
            let next = self.resistance + step * (goal - self.resistance);
            self.set_resistance(if (goal - next).abs() < SETTLED_RESISTANCE { goal } else { next });
        }
    }

    /// Strikes the upper plate; `weights` [kg^-1/2] are those of all its modes. With two sticks there the older one is removed.
    pub fn strike(&mut self, stroke: &StickStroke, weights: &[f64]) {
        let Self { network, plates: [upper, _], sticks, rows: [row, _], rate, .. } = self;
        let slot = sticks.next();
        upper.fill_row(row, weights, Some(CONTACTS + slot));
        sticks.launch(slot, stroke, (&*row, upper.field_of(weights)), network, *rate);
        self.activity.quiet = 0;
    }

    /// Sets how finely contacts with sticks are resolved.
    pub fn set_resolution(&mut self, resolution: NetworkResolution) {
        self.network.set_resolution(resolution);
    }

    /// Renders the frames `run` of a control block into `out`; its motion takes the factor `decay` in each. The forces of sticks [N] are
    /// written to `forces`.
    pub fn render(&mut self, run: Range<usize>, decay: f64, out: &mut StereoBlock, forces: &mut [f64; CONTROL_BLOCK]) {
        let mut kicks = [[[0.0; LANES]; CONTROL_BLOCK]; PLATES];
        let mut blows = [0.0; CONTROL_BLOCK];
        for (n, frame) in run.clone().enumerate() {
            if decay < 1.0 {
                // contacts may hold it bent: only its velocity is damped, twice as much for the same decay
                self.network.damp_motion(decay * decay);
            }
            self.network.step();
            let [upper, lower] = [0, 1].map(|plate| self.network.heard(plate));
            (out[0][frame], out[1][frame]) = (upper[0] + lower[0], upper[1] + lower[1]);
            let driving = self.kick(n, &mut kicks);
            forces[frame] = driving.sticks;
            blows[n] = (driving.sticks + driving.contacts) / self.rate;
        }
        let mut sound = [[0.0_f32; 2]; CONTROL_BLOCK];
        let sound = &mut sound[..run.len()];
        for (plate, kicks) in self.plates.iter_mut().zip(&kicks) {
            plate.field.render(&kicks[..run.len()], plate.decay * decay as f32, sound);
            add_sound(sound, run.clone(), out);
        }
        self.frame.render(&blows[..run.len()], run.clone(), decay, out);
        let loudest = |out: &[f64]| out[run.clone()].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        self.activity.peak = self.activity.peak.max(loudest(&out[0])).max(loudest(&out[1]));
        self.activity.frames += run.len() as u64;
        if run.end == CONTROL_BLOCK {
            self.sticks.end_block(&mut self.network);
            self.chatter.end_block(&mut self.network, &mut self.plates, self.impedance);
        }
    }

    /// Writes the change of velocity of the fields in frame `n`. What drives the frame.
    fn kick(&mut self, n: usize, kicks: &mut [[[f32; LANES]; CONTROL_BLOCK]; PLATES]) -> FrameForces {
        let h = 1.0 / self.rate;
        let [slow_part, fast_part] = [FIELD_HIGH_PASS, FIELD_LOW_PASS].map(|limit| -(-TAU * limit * h).exp_m1());
        let mut contacts = [0.0; LANES];
        let (mut touching, mut by_contacts) = (0, 0.0);
        for (port, (slow, driving)) in self.slow.iter_mut().zip(&mut self.driving).enumerate() {
            let force = self.network.force(port);
            touching += u64::from(force > 0.0);
            let fast = force - *slow;
            *slow += slow_part * fast;
            by_contacts += CONTACT_DRIVE * fast;
            *driving += fast_part * (fast - *driving);
            contacts[port] = places(port).sqrt() * *driving;
        }
        self.activity.touching += touching.min(1);
        self.chatter.count(touching);
        contacts[CONTACTS] = contacts[0];
        let StickForces { all, on_field } = self.sticks.forces(&self.network);
        self.sticks.record(&self.network, h);
        for (number, (kicks, plate)) in kicks.iter_mut().zip(&self.plates).enumerate() {
            let struck = if number == 0 { on_field } else { 0.0 };
            for (kick, force) in kicks[n].iter_mut().zip(contacts) {
                *kick = (h * (struck + plate.weight * force)) as f32;
            }
        }
        FrameForces { sticks: all, contacts: by_contacts }
    }

    /// The last finished contact of a stick since the last call.
    pub fn take_hit(&mut self) -> Option<HitPulse> {
        self.sticks.take_hit()
    }

    /// Ends a turn of 32 control blocks: whether it has been silent for some, by `is_silent` of the loudest sample of each.
    pub fn end_turn(&mut self, is_silent: impl Fn(f64) -> bool) -> bool {
        for plate in &mut self.plates {
            plate.field.flush(FIELD_FLOOR);
        }
        self.frame.flush(FIELD_FLOOR);
        let moves = |(number, plate): (usize, &Plate)| {
            self.network.kinetic_energy(number) > 0.5 * plate.mass * REST_VELOCITY * REST_VELOCITY
        };
        let loud = !is_silent(std::mem::take(&mut self.activity.peak)) || self.plates.iter().enumerate().any(moves);
        let busy = self.sticks.any() || !self.pedal.is_at(&self.target);
        self.activity.quiet = if loud || busy { 0 } else { self.activity.quiet + 1 };
        self.activity.quiet >= QUIET_TURNS
    }

    /// Whether a stick is at it.
    pub fn has_sticks(&self) -> bool {
        self.sticks.any()
    }

    /// Energy [J] of motion of the modes in the network.
    pub fn kinetic_energy(&self) -> f64 {
        (0..PLATES).map(|plate| self.network.kinetic_energy(plate)).sum()
    }

    /// Removes all sticks.
    pub fn remove_all_sticks(&mut self) {
        self.sticks.remove_all(&mut self.network);
    }

    /// Cost since the last call, in samples of one mode of the reference resonator.
    pub fn take_cost(&mut self) -> f32 {
        let network = (self.low + SOFT_POINTS) as f32 * MODE_COST * PLATES as f32 + NETWORK_COST;
        let driven = self.plates.iter().map(|plate| plate.field.padded()).sum::<usize>() + self.frame.moving_modes();
        let field = driven as f32 * FIELD_COST;
        let modes: usize = self.plates.iter().map(|plate| plate.modes.len()).sum();
        let Activity { frames, touching, tuned, .. } = &mut self.activity;
        let charged = (*tuned).min(*frames);
        *tuned -= charged;
        let tuning = TUNING_COST * modes as f32 * charged as f32;
        (network + field) * std::mem::take(frames) as f32 + CONTACTS_COST * std::mem::take(touching) as f32 + tuning
    }

    /// The network, with everything that closes the energy balance.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Enables the energy balance (allocates).
    pub fn enable_energy_balance(&mut self) {
        self.network.enable_energy_balance();
    }
}
