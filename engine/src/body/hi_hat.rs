//! A hi-hat: two cymbals in one network, with contact points on their rims, dashpots at other points, and sticks.
//!
//! ```text
//! network      the lowest modes of both plates, the motion of each as a whole on its spring, and what its higher modes let a point give way:
//!              W^2 = sum w_i^2,  omega^2 = sum w_i^2/sum (w_i/omega_i)^2       one mode a point, damping ratio 1/2
//! contacts     f = k x^1.5 (1 + mu x') at seven points of the rims; the pedal moves their gaps
//! dashpots     seven others, each with r = Z c^4: Z = 1/Y of both plates, Y = (pi/2) sum w^2/omega_max, takes the most; every other one
//!              acts on the sum of both displacements: plates that bend together slide along each other
//! field        the higher modes, driven by the forces of sticks and contacts, on which they do not react; each has one of the contacts
//!              losses of the pedal: sigma = (1/2) sum w^2 r/(1 + r Y)^2 over the dashpots
//! ```
//!
//! The lowest modes and their contacts close the energy balance. The one mode of a point has its static compliance and its mobility,
//! which makes contacts as soft, and lets them lose as much, as with all modes. Slow parts of the contacts' forces do not drive the field.

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::body::pedal::{Pedal, PedalSetting};
use crate::body::stick_hit::{StickHitRecorder, StickReading};
use crate::telemetry::HitPulse;
use std::f64::consts::{PI, TAU};
use std::ops::Range;
use urto_physics::bodies::BodyPosition;
use urto_physics::connections::{
    ContactSpec, Joint, Network, NetworkCapacity, NetworkResolution, PointHammer, PortEnd, Side,
};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::{DrivenModes, LANES, Mode};

/// Number of plates: the upper one, which sticks strike, and the lower one.
pub const PLATES: usize = 2;

/// Contact points of the rims, dashpots, and sticks at once: as many ports as a network has.
const CONTACTS: usize = 7;
const DASHPOTS: usize = 7;
const STICKS: usize = 2;

/// Number of points where contacts and dashpots are.
pub const POINTS: usize = CONTACTS + DASHPOTS;

/// Points with a mode of their own in place of the higher modes.
const SOFT_POINTS: usize = CONTACTS + STICKS;

/// Maximum number of the lowest modes of a plate that are in the network, with its motion as a whole.
const MAX_LOW: usize = 111;

/// Frequency [Hz] of the motion of each plate as a whole, on clutch and stand, and its damping ratio.
const SPRINGS: [f64; PLATES] = [40.0, 60.0];
const SPRING_DAMPING: f64 = 0.3;

/// Damping ratio of the modes in place of the higher ones, whose field takes the energy away.
const FIELD_DAMPING: f64 = 0.5;

/// Stiffness [N/m^1.5], exponent and loss [s/m] of a contact between the plates.
const CONTACT: (f64, f64, f64) = (5e8, 1.5, 0.3);

/// Largest distance [m] by which a rim is uneven: the contacts touch one after another.
const UNEVENNESS: f64 = 1e-4;

/// Number of places along a rim that touch independently: its circumference over half a wave of 8 kHz. Each contact stands for some of them when
/// it drives the field.
const RIM_PLACES: f64 = 46.0;

/// Time [s] in which the friction follows the pedal: pressed plates begin to rub after they have struck each other.
const FRICTION_TIME: f64 = 0.015;

/// Frequency [Hz] below which forces of contacts do not drive the field.
const FIELD_HIGH_PASS: f64 = 300.0;

/// Age [s] at which a stick is removed in any case, and the distance [m] at which one that leaves is.
const MAX_STICK_AGE: f64 = 0.1;
const CLEAR_DISTANCE: f64 = 5e-4;

/// Difference of the resistance from its goal, over the largest, that counts as none.
const SETTLED_RESISTANCE: f64 = 1e-6;

/// Motion of the field that counts as none [m/s kg^1/2], far above denormal numbers.
const FIELD_FLOOR: f32 = 1e-25;

/// Velocity [m/s] of a plate below which it is at rest.
const REST_VELOCITY: f64 = 1e-4;

/// Turns in a row, one each 32 control blocks, after which a hi-hat that is quiet may sleep: more than a period of the springs.
const QUIET_TURNS: u32 = 4;

/// Costs of a frame, in samples of one mode of the reference resonator: of the network, of each of its modes, of its contacts while any
/// touches, and of each mode of the field.
const NETWORK_COST: f32 = 400.0;
const MODE_COST: f32 = 6.0;
const CONTACTS_COST: f32 = 2_700.0;
const FIELD_COST: f32 = 0.4;

/// The point number `n` on the plates: first the contacts on the rim, then the dashpots between them. The angles are uneven, so that no
/// number of diameters has nodes at all of them.
pub fn point(n: usize) -> BodyPosition {
    let uneven = |n: usize| (0.618_034 * n as f64).fract() - 0.5;
    if n < CONTACTS {
        BodyPosition { along: 1.0, across: (n as f64 + 0.25 * uneven(n)) / CONTACTS as f64 }
    } else {
        let n = n - CONTACTS;
        BodyPosition { along: 0.96, across: (n as f64 + 0.5 + 0.25 * uneven(n + 3)) / DASHPOTS as f64 }
    }
}

/// Sizes for which the memory of a hi-hat is allocated.
#[derive(Clone, Copy, Debug)]
pub struct HiHatCapacity {
    /// Modes of each plate, with the motion as a whole.
    pub modes: [usize; PLATES],
}

/// A stick in front of the upper plate.
#[derive(Clone, Copy, Debug, Default)]
struct Stick {
    /// Frames until it is removed; 0: there is none.
    left: u32,
    /// Root mean square of the field's weights at its place [kg^-1/2].
    weight: f64,
    /// Velocity when it was sent [m/s].
    velocity: f64,
    law: Option<ContactLaw>,
    /// Compression of its contact a sample before [m].
    compression: f64,
}

/// A stroke of a stick.
#[derive(Clone, Copy, Debug)]
pub struct StickStroke {
    /// Contact law.
    pub law: ContactLaw,
    /// Mass [kg].
    pub mass: f64,
    /// Velocity [m/s].
    pub velocity: f64,
    /// Time [s] until it arrives.
    pub delay: f64,
}

/// A plate, as the network and the field have it.
#[derive(Clone, Debug)]
struct Plate {
    /// Its modes: the motion as a whole, then by frequency.
    modes: Vec<Mode>,
    /// For each mode of the field, the weight at its contact over the root mean square there.
    struck: Vec<f32>,
    field: DrivenModes,
    /// Mass [kg].
    mass: f64,
    /// Root mean square of the field's weights at the contacts [kg^-1/2].
    weight: f64,
    /// Angular frequency of the modes in place of the field, and their mobility over that of the network's modes.
    soft: f64,
    /// Sum of squares of the weights at the dashpots [1/kg], of the modes of the network and of those of the field.
    rubbed: [f64; 2],
    /// Factor of the field in a sample by the friction of the pedal.
    decay: f32,
}

/// Two plates, and everything between them.
#[derive(Clone, Debug)]
pub struct HiHat {
    network: Network,
    plates: [Plate; PLATES],
    /// Number of modes of a plate in the network, without those in place of the field.
    low: usize,
    sticks: [Stick; STICKS],
    pedal: Pedal,
    target: PedalSetting,
    /// Resistance [kg/s] of a dashpot that takes the most.
    impedance: f64,
    /// Resistance of the dashpots over it.
    resistance: f64,
    /// Slow parts of the forces of the contacts [N].
    slow: [f64; CONTACTS],
    rate: f64,
    /// It has to be built before it sounds.
    fresh: bool,
    /// Scratch for the rows of a network: weights of the lowest modes, and of those in place of the field.
    row: Vec<f64>,
    rows: [Vec<f64>; 2],
    /// Largest sound since the last turn, and turns in a row in which it was silent.
    peak: f64,
    quiet: u32,
    frames: u64,
    touching: u64,
    hits: StickHitRecorder,
}

impl HiHat {
    /// Allocates for plates of this size; [`HiHat::begin`] makes it ready.
    pub fn new(capacity: HiHatCapacity) -> Self {
        let modes = MAX_LOW + SOFT_POINTS;
        let plate = |modes: usize| Plate {
            modes: Vec::with_capacity(modes.max(MAX_LOW)),
            struck: vec![0.0; modes],
            field: DrivenModes::with_capacity(modes),
            mass: 1.0,
            weight: 0.0,
            soft: 1.0,
            rubbed: [0.0; 2],
            decay: 1.0,
        };
        Self {
            network: Network::new(48e3, NetworkCapacity { bodies: PLATES, modes }),
            plates: capacity.modes.map(plate),
            low: MAX_LOW.min(capacity.modes[0]).min(capacity.modes[1]),
            sticks: [Stick::default(); STICKS],
            pedal: Pedal::default(),
            target: PedalSetting::default(),
            impedance: 0.0,
            resistance: 0.0,
            slow: [0.0; CONTACTS],
            rate: 48e3,
            fresh: true,
            row: vec![0.0; modes],
            rows: [vec![0.0; modes], vec![0.0; modes]],
            peak: 0.0,
            quiet: 0,
            frames: 0,
            touching: 0,
            hits: StickHitRecorder::default(),
        }
    }

    /// Whether it has to be built before it sounds.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Forgets everything; it has to be built before it sounds.
    pub fn reset(&mut self) {
        self.fresh = true;
    }

    /// Begins to build it at `rate` [Hz], at rest, without plates.
    pub fn begin(&mut self, rate: f64) {
        self.rate = rate;
        self.network.clear_at(rate);
        (self.sticks, self.slow) = ([Stick::default(); STICKS], [0.0; CONTACTS]);
        (self.peak, self.quiet, self.frames, self.touching) = (0.0, 0, 0, 0);
    }

    /// Takes the modes of a plate of `mass` [kg], the motion as a whole first; those of a plate that sounds are tuned.
    pub fn set_plate(&mut self, number: usize, modes: &[Mode], mass: f64) {
        let plate = &mut self.plates[number];
        let room = plate.modes.capacity();
        plate.modes.clear();
        plate.modes.extend(modes.iter().take(room));
        plate.mass = mass;
        // where partial edits have removed modes, silent ones take their places
        let silent = Mode { omega: PI * 0.5 * self.rate, sigma: self.rate };
        plate.modes.resize(plate.modes.len().max(self.low), silent);
        if let Some(whole) = plate.modes.first_mut() {
            let omega = TAU * SPRINGS[number];
            *whole = Mode { omega, sigma: SPRING_DAMPING * omega };
        }
        let high = &plate.modes[self.low..];
        let softness = high.iter().map(|mode| mode.omega.powi(-2)).sum::<f64>();
        plate.soft = if high.is_empty() { TAU * 0.25 * self.rate } else { (high.len() as f64 / softness).sqrt() };
        let soft = Mode { omega: plate.soft, sigma: FIELD_DAMPING * plate.soft };
        let all = plate.modes[..self.low].iter().copied().chain([soft; SOFT_POINTS]);
        if self.fresh {
            let _ = self.network.add_body(all);
        } else {
            self.network.retune(number, all);
        }
    }

    /// Connects both plates, with the pedal at `setting`; only while it is built.
    pub fn connect(&mut self, setting: PedalSetting) {
        self.pedal = Pedal::at(setting);
        self.target = setting;
        let ends = [PortEnd { body: 0, weights: &[], side: Side::Plus }, PortEnd { body: 1, weights: &[], side: Side::Minus }];
        let (stiffness, exponent, loss) = CONTACT;
        let law = ContactLaw::hunt_crossley(stiffness, exponent, loss);
        for n in 0..CONTACTS {
            let gap = setting.distance() + UNEVENNESS * (0.618_034 * n as f64).fract();
            let _ = self.network.touch(&ends, ContactSpec { law, gap });
        }
        for _ in 0..DASHPOTS {
            let _ = self.network.connect(&ends, Joint::default());
        }
        for _ in 0..STICKS {
            let _ = self.network.reserve_hammer(0);
        }
    }

    /// The modes of a plate.
    pub fn modes(&self, number: usize) -> &[Mode] {
        &self.plates[number].modes
    }

    /// Takes the weights [kg^-1/2] of all modes of a plate at the point number `n`.
    pub fn set_point(&mut self, number: usize, n: usize, weights: &[f64]) {
        let low = self.low;
        let field = &weights[low.min(weights.len())..];
        let plate = &mut self.plates[number];
        if n == 0 {
            (plate.weight, plate.rubbed) = (0.0, [0.0; 2]);
        }
        let square = field.iter().map(|weight| weight * weight).sum::<f64>();
        if n < CONTACTS {
            let root = (square / field.len().max(1) as f64).sqrt();
            plate.weight += root / CONTACTS as f64;
            for (i, struck) in plate.struck.iter_mut().take(field.len()).enumerate() {
                if i % LANES % CONTACTS == n {
                    *struck = if root > 0.0 { (field[i] / root) as f32 } else { 0.0 };
                }
            }
        } else {
            plate.rubbed[0] += weights.iter().skip(1).map(|weight| weight * weight).sum::<f64>() / DASHPOTS as f64;
            plate.rubbed[1] += square;
        }
        let soft = (n < CONTACTS).then_some(n);
        self.fill_row(number, weights, soft);
        let is_sum = n >= CONTACTS && !(n - CONTACTS).is_multiple_of(2);
        let side = if number == 0 || is_sum { Side::Plus } else { Side::Minus };
        self.network.set_weights(n, PortEnd { body: number, weights: &self.row, side });
    }

    /// Writes the row of the network for these weights; `soft`: the number of the mode in place of the field.
    fn fill_row(&mut self, number: usize, weights: &[f64], soft: Option<usize>) {
        let Self { row, plates, low, .. } = self;
        let (plate, low) = (&plates[number], (*low).min(weights.len()));
        row.fill(0.0);
        row[..low].copy_from_slice(&weights[..low]);
        if let Some(whole) = row.first_mut() {
            *whole = 1.0 / plate.mass.sqrt();
        }
        let given = weights[low..].iter().zip(plate.modes.iter().skip(low)).map(|(weight, mode)| (weight / mode.omega).powi(2));
        if let Some(place) = soft.and_then(|soft| row.get_mut(low + soft)) {
            *place = plate.soft * given.sum::<f64>().sqrt();
        }
    }

    /// Takes the weights [kg^-1/2] of both pickups on a plate, for its first `audible` modes.
    pub fn set_pickups(&mut self, number: usize, pickups: [&[f64]; 2], audible: usize) {
        let Self { network, plates, rows, low, fresh, rate, .. } = self;
        let heard_low = (*low).min(audible);
        for (row, weights) in rows.iter_mut().zip(pickups) {
            row.fill(0.0);
            row[..heard_low].copy_from_slice(&weights[..heard_low]);
            if let Some(whole) = row.first_mut() {
                *whole = 0.0;
            }
        }
        network.set_pickups(number, [&rows[0], &rows[1]]);
        let Plate { modes, struck, field, .. } = &mut plates[number];
        let heard = |i: usize| if i < audible { pickups.map(|weights| weights[i]) } else { [0.0; 2] };
        let high = modes.iter().enumerate().skip(*low).zip(&*struck);
        let high = high.map(|((i, mode), struck)| (*mode, heard(i).map(|heard| heard * f64::from(*struck))));
        if *fresh {
            field.set(high, 1.0 / *rate);
            field.rest();
        } else {
            field.retune(high, 1.0 / *rate);
        }
    }

    /// Ends a change of plates, points or pickups.
    pub fn finish(&mut self) {
        let omega = self.plates.iter().filter_map(|plate| plate.modes.last()).map(|mode| mode.omega).fold(1.0, f64::max);
        let mobility = 0.5 * PI * self.plates.iter().map(|plate| plate.rubbed[0]).sum::<f64>() / omega;
        self.impedance = if mobility > 0.0 { 1.0 / mobility } else { 0.0 };
        self.set_resistance(if self.fresh { self.pedal.now().resistance() } else { self.resistance });
        if std::mem::take(&mut self.fresh) {
            self.network.settle();
        }
    }

    fn set_resistance(&mut self, part: f64) {
        self.resistance = part;
        let joint = Joint { damping: part * self.impedance, ..Joint::default() };
        (CONTACTS..POINTS).for_each(|port| self.network.set_joint(port, joint));
        for plate in &mut self.plates {
            let all = plate.modes.len().saturating_sub(self.low).max(1) as f64;
            let sigma = 0.5 * plate.rubbed[1] / all * joint.damping / (1.0 + part).powi(2);
            plate.decay = (-sigma / self.rate).exp() as f32;
        }
    }

    /// Begins a control block of `time` [s], in which the pedal moves towards `target`.
    pub fn begin_block(&mut self, target: PedalSetting, time: f64) {
        self.target = target;
        let before = self.pedal.now();
        self.pedal.advance(target, time);
        let now = self.pedal.now();
        let speed = (before.distance() - now.distance()) / time;
        (0..CONTACTS).for_each(|port| self.network.set_closing(port, speed));
        let (goal, step) = (now.resistance(), -(-time / FRICTION_TIME).exp_m1());
        if goal != self.resistance {
            let next = self.resistance + step * (goal - self.resistance);
            self.set_resistance(if (goal - next).abs() < SETTLED_RESISTANCE { goal } else { next });
        }
    }

    /// Strikes the upper plate; `weights` [kg^-1/2] are those of all its modes. With two sticks there the older one is removed.
    pub fn strike(&mut self, stroke: &StickStroke, weights: &[f64]) {
        let slot = if self.sticks[1].left < self.sticks[0].left { 1 } else { 0 };
        let field = &weights[self.low.min(weights.len())..];
        let mean = field.iter().map(|weight| weight * weight).sum::<f64>() / field.len().max(1) as f64;
        self.hits.forget(slot);
        let gap = stroke.velocity * stroke.delay;
        self.sticks[slot] = Stick {
            left: ((MAX_STICK_AGE + stroke.delay) * self.rate) as u32,
            weight: mean.sqrt(),
            velocity: stroke.velocity,
            law: Some(stroke.law),
            compression: -gap,
        };
        self.fill_row(0, weights, Some(CONTACTS + slot));
        let contact = ContactSpec { law: stroke.law, gap };
        let hammer = PointHammer { mass: stroke.mass, velocity: stroke.velocity };
        self.network.launch(POINTS + slot, &self.row, contact, hammer);
        self.quiet = 0;
    }

    /// Sets how finely contacts with sticks are resolved.
    pub fn set_resolution(&mut self, resolution: NetworkResolution) {
        self.network.set_resolution(resolution);
    }

    /// Renders the frames `run` of a control block into `out`; its motion takes the factor `decay` in each. The forces of sticks [N] are
    /// written to `forces`.
    pub fn render(&mut self, run: Range<usize>, decay: f64, out: &mut StereoBlock, forces: &mut [f64; CONTROL_BLOCK]) {
        let mut kicks = [[[0.0; LANES]; CONTROL_BLOCK]; PLATES];
        for (n, frame) in run.clone().enumerate() {
            if decay < 1.0 {
                // its own weight may hold it bent: only its velocity is damped, twice as much for the same decay
                self.network.damp_motion(decay * decay);
            }
            self.network.step();
            let [upper, lower] = [0, 1].map(|plate| self.network.heard(plate));
            (out[0][frame], out[1][frame]) = (upper[0] + lower[0], upper[1] + lower[1]);
            forces[frame] = self.kick(n, &mut kicks);
        }
        let mut sound = [[0.0_f32; 2]; CONTROL_BLOCK];
        for (plate, kicks) in self.plates.iter_mut().zip(&kicks) {
            plate.field.render(&kicks[..run.len()], plate.decay * decay as f32, &mut sound[..run.len()]);
            for (frame, sound) in run.clone().zip(&sound) {
                (out[0][frame], out[1][frame]) = (out[0][frame] + f64::from(sound[0]), out[1][frame] + f64::from(sound[1]));
            }
        }
        let loudest = |out: &[f64]| out[run.clone()].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        self.peak = self.peak.max(loudest(&out[0])).max(loudest(&out[1]));
        self.frames += run.len() as u64;
        if run.end == CONTROL_BLOCK {
            self.remove_sticks();
        }
    }

    /// Writes the change of velocity of the fields in frame `n`. The force of all sticks [N].
    fn kick(&mut self, n: usize, kicks: &mut [[[f32; LANES]; CONTROL_BLOCK]; PLATES]) -> f64 {
        let h = 1.0 / self.rate;
        let part = (TAU * FIELD_HIGH_PASS * h).min(1.0);
        let rim = (RIM_PLACES / CONTACTS as f64).sqrt();
        let mut contacts = [0.0; LANES];
        let mut touches = false;
        for (port, slow) in self.slow.iter_mut().enumerate() {
            let force = self.network.force(port);
            touches |= force > 0.0;
            contacts[port] = force - *slow;
            *slow += part * contacts[port];
        }
        self.touching += u64::from(touches);
        contacts[CONTACTS] = contacts[0];
        let (mut struck, mut all) = (0.0, 0.0);
        for (slot, stick) in self.sticks.iter().enumerate().filter(|(_, stick)| stick.left > 0) {
            let force = self.network.force(POINTS + slot);
            struck += stick.weight * force;
            all += force;
        }
        self.record_sticks(h);
        for (number, (kicks, plate)) in kicks.iter_mut().zip(&self.plates).enumerate() {
            let struck = if number == 0 { struck } else { 0.0 };
            for (kick, force) in kicks[n].iter_mut().zip(contacts) {
                *kick = (h * (struck + rim * plate.weight * force)) as f32;
            }
        }
        all
    }

    fn record_sticks(&mut self, h: f64) {
        let Self { network, sticks, hits, .. } = self;
        for (slot, stick) in sticks.iter_mut().enumerate().filter(|(_, stick)| stick.left > 0) {
            let port = POINTS + slot;
            let (Some(compression), Some(hammer), Some(law)) = (network.compression(port), network.hammer(port), stick.law) else {
                continue;
            };
            let before = std::mem::replace(&mut stick.compression, compression);
            let (mass, velocity, velocity_in) = (hammer.mass, hammer.velocity, stick.velocity);
            let reading = StickReading { compression, before, force: network.force(port), mass, velocity, velocity_in, law };
            hits.record(slot, &reading, h, || network.modes(0).energy() + network.modes(1).energy());
        }
    }

    /// The last finished contact of a stick since the last call.
    pub fn take_hit(&mut self) -> Option<HitPulse> {
        self.hits.take()
    }

    /// Removes the sticks that have left or are too old, at the end of a control block: however the block is split.
    fn remove_sticks(&mut self) {
        for slot in 0..STICKS {
            let (left, port) = (self.sticks[slot].left, POINTS + slot);
            if left == 0 {
                continue;
            }
            let leaves = self.network.hammer(port).is_none_or(|hammer| hammer.velocity <= 0.0);
            let clear = leaves && self.network.compression(port).is_none_or(|x| x < -CLEAR_DISTANCE);
            self.sticks[slot].left = left.saturating_sub(CONTROL_BLOCK as u32);
            if clear || self.sticks[slot].left == 0 {
                self.hits.forget(slot);
                self.network.retract(port);
                self.sticks[slot].left = 0;
            }
        }
    }

    /// Ends a turn of 32 control blocks: whether it has been silent for some, by `is_silent` of the loudest sample of each.
    pub fn end_turn(&mut self, is_silent: impl Fn(f64) -> bool) -> bool {
        self.plates.iter_mut().for_each(|plate| plate.field.flush(FIELD_FLOOR));
        let moves = |(number, plate): (usize, &Plate)| {
            self.network.kinetic_energy(number) > 0.5 * plate.mass * REST_VELOCITY * REST_VELOCITY
        };
        let loud = !is_silent(std::mem::take(&mut self.peak)) || self.plates.iter().enumerate().any(moves);
        let busy = self.sticks.iter().any(|stick| stick.left > 0) || !self.pedal.is_at(&self.target);
        self.quiet = if loud || busy { 0 } else { self.quiet + 1 };
        self.quiet >= QUIET_TURNS
    }

    /// Removes all sticks.
    pub fn remove_all_sticks(&mut self) {
        for (slot, stick) in self.sticks.iter_mut().enumerate().filter(|(_, stick)| stick.left > 0) {
            self.network.retract(POINTS + slot);
            self.hits.forget(slot);
            stick.left = 0;
        }
    }

    /// Cost since the last call, in samples of one mode of the reference resonator.
    pub fn take_cost(&mut self) -> f32 {
        let network = (self.low + SOFT_POINTS) as f32 * MODE_COST * PLATES as f32 + NETWORK_COST;
        let field = self.plates.iter().map(|plate| plate.field.padded() as f32 * FIELD_COST).sum::<f32>();
        (network + field) * std::mem::take(&mut self.frames) as f32 + CONTACTS_COST * std::mem::take(&mut self.touching) as f32
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
