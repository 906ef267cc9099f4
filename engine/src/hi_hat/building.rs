//! How a hi-hat is built: its plates, the points between them, its pickups and its frame; and how it comes back to rest.

use crate::hi_hat::chatter::Chatter;
use crate::hi_hat::hi_hat::{Activity, CONTACT, HiHat, TURN_FRAMES, distance};
use crate::hi_hat::pedal::{Pedal, PedalSetting};
use crate::hi_hat::points::{CONTACTS, DASHPOTS, PLATES, POINTS, STICKS};
use crate::hi_hat::sticks::Sticks;
use std::f64::consts::PI;
use urto_physics::connections::{ContactSpec, Joint, PortEnd, Side};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::{CascadeLaw, Mode};

impl HiHat {
    /// Whether it has to be built before it sounds.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Forgets everything; it has to be built before it sounds.
    pub fn reset(&mut self) {
        self.fresh = true;
    }

    /// Whether it has been built from what has this number.
    pub fn is_built_from(&self, number: u64) -> bool {
        self.built_from == number
    }

    /// Notes the number, above 0, of all that its plates, points and pickups now follow from.
    pub fn set_built_from(&mut self, number: u64) {
        self.built_from = number;
    }

    /// Begins to build it at `rate` [Hz], at rest, without plates.
    pub fn begin(&mut self, rate: f64) {
        self.rate = rate;
        self.network.clear_at(rate);
        self.forget_motion();
    }

    /// Puts it to rest with the pedal at `setting`, as if it had just been built from the same plates: their weights at all points, which take most of
    /// the time, stay.
    pub fn return_to_rest(&mut self, setting: PedalSetting) {
        self.forget_motion();
        self.network.rest();
        for slot in 0..STICKS {
            self.network.set_weights(POINTS + slot, PortEnd { body: 0, weights: &[], side: Side::Minus });
        }
        self.place_pedal(setting);
        for n in 0..CONTACTS {
            self.network.set_contact(n, contact_at(&setting, n));
        }
        (CONTACTS..POINTS).for_each(|port| self.network.set_joint(port, Joint::default()));
        for plate in &mut self.plates {
            plate.field.rest();
            plate.field.set_growth(0..plate.modes.len(), 1.0);
        }
        self.frame.rest();
        self.finish();
    }

    fn forget_motion(&mut self) {
        let rate = self.rate;
        (self.sticks, self.activity) = (Sticks::default(), Activity::default());
        (self.slow, self.driving) = ([0.0; CONTACTS], [0.0; CONTACTS]);
        (self.chatter, self.slip) = (Chatter::default(), 1.0);
        self.plates.iter_mut().for_each(|plate| plate.exchange.begin(rate));
    }

    /// Takes the modes of a plate of `mass` [kg], the motion as a whole first; those of a plate that sounds are tuned.
    pub fn set_plate(&mut self, number: usize, modes: &[Mode], mass: f64) {
        let Self { network, plates, rate, fresh, .. } = self;
        let low = plates[number].set_modes(number, modes, mass, *rate);
        if *fresh {
            let _ = network.add_body(low);
        } else {
            network.retune(number, low);
        }
    }

    /// Connects both plates, with the pedal at `setting`; only while it is built.
    pub fn connect(&mut self, setting: PedalSetting) {
        self.place_pedal(setting);
        let ends = [PortEnd { body: 0, weights: &[], side: Side::Plus }, PortEnd { body: 1, weights: &[], side: Side::Minus }];
        for n in 0..CONTACTS {
            let _ = self.network.touch(&ends, contact_at(&setting, n));
        }
        for _ in 0..DASHPOTS {
            let _ = self.network.connect(&ends, Joint::default());
        }
        for _ in 0..STICKS {
            let _ = self.network.reserve_hammer(0);
        }
    }

    fn place_pedal(&mut self, setting: PedalSetting) {
        (self.pedal, self.target) = (Pedal::at(setting), setting);
    }

    /// The modes of a plate.
    pub fn modes(&self, number: usize) -> &[Mode] {
        &self.plates[number].modes
    }

    /// Takes the weights [kg^-1/2] of all modes of a plate at the point number `n`; the points follow in their order.
    pub fn set_point(&mut self, number: usize, n: usize, weights: &[f64]) {
        let Self { network, plates, rows: [row, _], .. } = self;
        let plate = &mut plates[number];
        plate.set_point(n, weights);
        plate.fill_row(row, weights, (n < CONTACTS).then_some(n));
        let is_sum = n >= CONTACTS && !(n - CONTACTS).is_multiple_of(2);
        let side = if number == 0 || is_sum { Side::Plus } else { Side::Minus };
        network.set_weights(n, PortEnd { body: number, weights: row, side });
    }

    /// Takes the weights [kg^-1/2] of both pickups on a plate, for its first `audible` modes.
    pub fn set_pickups(&mut self, number: usize, pickups: [&[f64]; 2], audible: usize) {
        let Self { network, plates, rows, fresh, rate, .. } = self;
        for (row, weights) in rows.iter_mut().zip(pickups) {
            plates[number].fill_pickup(row, weights, audible);
        }
        network.set_pickups(number, [&rows[0], &rows[1]]);
        plates[number].set_field(pickups, audible, 1.0 / *rate, *fresh);
    }

    /// Takes the heavy modes of the frame, with their gains [kg^-1] for left and right.
    pub fn set_frame(&mut self, modes: impl Iterator<Item = (Mode, [f64; 2])>) {
        self.frame.set(modes, 1.0 / self.rate, self.fresh);
    }

    /// Takes the law of the exchange of energy within each plate; None: none.
    pub fn set_cascade(&mut self, laws: [Option<CascadeLaw>; PLATES]) {
        self.plates.iter_mut().zip(laws).for_each(|(plate, law)| plate.exchange.set_law(law));
    }

    /// Ends a change of plates, points or pickups.
    pub fn finish(&mut self) {
        let omega = self.plates.iter().filter_map(|plate| plate.modes.last()).map(|mode| mode.omega).fold(1.0, f64::max);
        let mobility = 0.5 * PI * self.plates.iter().map(|plate| plate.rubbed).sum::<f64>() / omega;
        self.impedance = if mobility > 0.0 { 1.0 / mobility } else { 0.0 };
        self.set_resistance(if self.fresh { self.pedal.now().resistance() } else { self.resistance });
        self.activity.tuned = if self.fresh { 0 } else { TURN_FRAMES };
        if std::mem::take(&mut self.fresh) {
            self.network.settle();
            for (port, slow) in self.slow.iter_mut().enumerate() {
                *slow = self.network.force(port);
            }
        }
    }
}

/// Contact number `n` between the plates, at rest.
fn contact_at(setting: &PedalSetting, n: usize) -> ContactSpec {
    let (stiffness, exponent, loss) = CONTACT;
    ContactSpec { law: ContactLaw::hunt_crossley(stiffness, exponent, loss), gap: distance(setting, n) }
}
