//! A hi-hat: two plates of 14 inches, contact points on the rim, dashpots between them.

use super::bodies::{RATE, normal};
use crate::support::rng::Rng;
use std::f64::consts::{PI, TAU};
use urto_physics::connections::{ContactSpec, Joint, Network, NetworkCapacity, PointHammer, PortEnd, Side};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::{Mode, Response};

/// Mass of a plate [kg].
const MASS: f64 = 0.96;
/// Contact points, and points of dashpots: with the stick, as many ports as a network has.
const CONTACTS: usize = 7;
const DASHPOTS: usize = 8;
/// Stiffness [N/m^1.5] and loss [s/m] of a contact point.
const LAW: (f64, f64) = (5e7, 0.3);
/// Modes of a plate, and the highest frequency [Hz].
const MODES: usize = 300;
const TOP: f64 = 7000.0;
/// Specimens whose levels are averaged.
const SPECIMENS: u64 = 3;

/// One plate: its modes, and its shapes at the contacts, the dashpots, the stick and the ear.
struct Plate {
    modes: Vec<Mode>,
    contacts: Vec<Vec<f64>>,
    dashpots: Vec<Vec<f64>>,
    stick: Vec<f64>,
    ear: Vec<f64>,
}

impl Plate {
    /// `modes` modes up to 7 kHz and a rigid one at `rigid` [Hz].
    fn new(modes: usize, rigid: f64, rng: &mut Rng) -> Self {
        let mut frequencies: Vec<f64> =
            (0..modes).map(|n| 60.0 + ((n as f64 + 0.5 + 0.37 * normal(rng)) * (TOP - 60.0) / modes as f64).abs()).collect();
        frequencies.sort_by(f64::total_cmp);
        let flexible = |f: f64| Mode { omega: TAU * f, sigma: 1.3 + 1.5e-4 * f + 2.9e-9 * f * f };
        let rigid_mode = Mode { omega: TAU * rigid, sigma: 0.3 * TAU * rigid };
        let rigid_shape = 1.0 / MASS.sqrt();
        let mut shape = |rigid: f64, square: f64| -> Vec<f64> {
            std::iter::once(rigid).chain((0..modes).map(|_| normal(rng) * (square / MASS).sqrt())).collect()
        };
        let contacts = (0..CONTACTS).map(|_| shape(rigid_shape, 3.46)).collect();
        let dashpots = (0..DASHPOTS).map(|_| shape(rigid_shape, 3.46)).collect();
        let (stick, ear) = (shape(rigid_shape, 3.0), shape(0.0, 1.0));
        let modes = std::iter::once(rigid_mode).chain(frequencies.into_iter().map(flexible)).collect();
        Self { modes, contacts, dashpots, stick, ear }
    }
}

struct HiHat {
    plates: [Plate; 2],
}

impl HiHat {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self { plates: [40.0, 60.0].map(|rigid| Plate::new(MODES, rigid, &mut rng)) }
    }

    /// Impedance [kg/s] of the field across both plates.
    fn impedance(&self) -> f64 {
        let square = |plate: &Plate| plate.contacts.iter().flatten().map(|w| w * w).sum::<f64>() / CONTACTS as f64;
        let mean = square(&self.plates[0]) + square(&self.plates[1]);
        TAU * TOP / (0.5 * PI * mean)
    }

    /// Closed by `closing`, 0 open to 1, at rest under the force of the foot; contacts first, then dashpots.
    fn network(&self, closing: f64) -> Network {
        self.network_with_gap(closing, (0.8e-3 * (1.0 - 2.0 * closing)).max(0.0))
    }

    /// The same with this gap [m] before the foot presses.
    fn network_with_gap(&self, closing: f64, gap: f64) -> Network {
        let mut network = Network::new(RATE, NetworkCapacity { bodies: 2, modes: self.plates[0].modes.len() });
        self.plates.iter().for_each(|plate| assert!(network.add_body(plate.modes.iter().copied()).is_some()));
        let force = 60.0 * (2.0 * closing - 1.0).max(0.0).powf(1.5) / CONTACTS as f64;
        let compression = (force / LAW.0).powf(1.0 / 1.5);
        let gap = gap - compression;
        let ends = |of: fn(&Plate) -> &Vec<Vec<f64>>, n: usize| {
            let end = |body: usize, side| PortEnd { body, weights: &of(&self.plates[body])[n], side };
            [end(0, Side::Plus), end(1, Side::Minus)]
        };
        let law = ContactLaw::hunt_crossley(LAW.0, 1.5, LAW.1);
        for n in 0..CONTACTS {
            network.touch(&ends(|plate| &plate.contacts, n), ContactSpec { law, gap }).expect("there is room");
        }
        let damping = self.impedance() * closing * closing;
        for n in 0..DASHPOTS {
            let joint = Joint { damping, ..Joint::default() };
            network.connect(&ends(|plate| &plate.dashpots, n), joint).expect("there is room");
        }
        for (body, sign) in [(0, -1.0), (1, 1.0)] {
            let plate = &self.plates[body];
            let (q, _) = network.state_mut(body);
            for (i, mode) in plate.modes.iter().enumerate() {
                let loaded: f64 = plate.contacts.iter().map(|shape| shape[i] * force).sum();
                q[i] = sign * loaded * Response::new(*mode, 1.0 / RATE).droop / (mode.omega * mode.omega);
            }
        }
        network
    }

    fn strike(&self, network: &mut Network) {
        let contact = ContactSpec { law: ContactLaw::hunt_crossley(8e7, 1.5, LAW.1), gap: 1e-5 };
        let hammer = PointHammer { mass: 0.015, velocity: 2.0 };
        network.strike(0, &self.plates[0].stick, contact, hammer).expect("there is room");
    }

    /// Two ears on both plates, each for the modes between two frequencies [Hz].
    fn listen_at(&self, network: &mut Network, bands: [[f64; 2]; 2]) {
        for (body, plate) in self.plates.iter().enumerate() {
            let pickups = bands.map(|[low, high]| {
                let audible = |mode: &Mode| mode.omega > TAU * low && mode.omega < TAU * high;
                let weight = |(mode, ear): (&Mode, &f64)| if audible(mode) { *ear } else { 0.0 };
                plate.modes.iter().zip(&plate.ear).map(weight).collect::<Vec<f64>>()
            });
            network.set_pickups(body, [&pickups[0], &pickups[1]]);
        }
    }
}

/// What two ears hear of both plates in `samples` samples.
fn listen(network: &mut Network, samples: usize) -> [Vec<f64>; 2] {
    let mut heard = [Vec::new(), Vec::new()];
    for _ in 0..samples {
        network.step();
        let (upper, lower) = (network.heard(0), network.heard(1));
        heard.iter_mut().enumerate().for_each(|(ear, heard)| heard.push(upper[ear] + lower[ear]));
    }
    heard
}

/// T60 [s] by the energy left, from -3 to -18 dB.
fn t60(signal: &[f64]) -> f64 {
    let mut left: Vec<f64> = signal
        .iter()
        .rev()
        .scan(0.0, |sum, x| {
            *sum += x * x;
            Some(*sum)
        })
        .collect();
    left.reverse();
    let level = |at: usize| 10.0 * (left[at] / left[0] + 1e-30).log10();
    let below = |limit: f64| (0..left.len()).find(|&at| level(at) < limit);
    let first = below(-3.0).expect("it decays");
    let last = below(-18.0).unwrap_or(left.len() * 3 / 5).max(first + 20);
    60.0 * (last - first) as f64 / RATE / (level(first) - level(last))
}

fn mean_level(signal: &[f64]) -> f64 {
    10.0 * (signal.iter().map(|x| x * x).sum::<f64>() / signal.len() as f64).log10()
}

/// The decay at 5 kHz gets shorter with every quarter of the pedal.
#[test]
fn a_closing_hat_rings_shorter() {
    let hat = HiHat::new(11);
    let mut heard = Vec::new();
    for closing in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let mut network = hat.network(closing);
        hat.listen_at(&mut network, [[4500.0, 5500.0], [300.0, 800.0]]);
        hat.strike(&mut network);
        let [high, low] = listen(&mut network, 24_000).map(|signal| t60(&signal[600..]));
        println!("closed {closing}: {high:.2} s at 5 kHz, {low:.2} s at 0.5 kHz");
        heard.push((high, low));
    }
    assert!(heard.windows(2).all(|pair| pair[1].0 < pair[0].0), "{heard:?}");
    assert!(heard[0].0 > 1.2 && heard[4].0 < 0.15 && heard[4].1 < 0.4 * heard[0].1, "{heard:?}");
}

/// The foot alone, faster and faster, against a medium stroke on the open hat [dB].
fn chicks(seed: u64) -> [f64; 3] {
    let (hat, all) = (HiHat::new(seed), [[100.0, TOP]; 2]);
    let after_touch = |heard: &[f64]| {
        let touched = heard.iter().position(|x| x.abs() > 1e-9).expect("the plates touch");
        mean_level(&heard[touched..touched + 4800])
    };
    let mut open = hat.network(0.0);
    hat.listen_at(&mut open, all);
    hat.strike(&mut open);
    let stroke = after_touch(&listen(&mut open, 4900)[0]);
    [0.1, 0.3, 1.0].map(|speed| {
        let mut network = hat.network_with_gap(0.0, 3e-3);
        hat.listen_at(&mut network, all);
        (0..CONTACTS).for_each(|port| network.set_closing(port, speed));
        // the gap, and the way into the compression
        let [mut heard, _] = listen(&mut network, ((3e-3 + 0.4e-3) / speed * RATE) as usize);
        (0..CONTACTS).for_each(|port| network.set_closing(port, 0.0));
        let joint = Joint { damping: hat.impedance(), ..Joint::default() };
        (CONTACTS..CONTACTS + DASHPOTS).for_each(|port| network.set_joint(port, joint));
        let [after, _] = listen(&mut network, 4800);
        heard.extend(after);
        after_touch(&heard) - stroke
    })
}

/// 7 to 25 dB below the stroke, on the average of some specimens.
#[test]
fn a_foot_makes_a_chick() {
    let all: Vec<[f64; 3]> = (0..SPECIMENS).map(|n| chicks(11 + n)).collect();
    println!("{all:.1?} dB");
    let mean: [f64; 3] = std::array::from_fn(|speed| all.iter().map(|chicks| chicks[speed]).sum::<f64>() / SPECIMENS as f64);
    assert!(mean.is_sorted() && mean.iter().all(|chick| (-25.0..=-7.0).contains(chick)), "{mean:?} dB");
}
