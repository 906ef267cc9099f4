//! A plate of a hi-hat, as the network and the field have it.

use crate::hi_hat::exchange::PlateExchange;
use crate::hi_hat::points::{CONTACTS, DASHPOTS, SOFT_POINTS};
use std::f64::consts::{PI, TAU};
use urto_physics::modal::{DrivenModes, LANES, Mode};

/// Frequency and mass of the lower plate over those of the upper one: bottom cymbals are heavier.
pub const LOWER_PITCH: f64 = 1.12;
pub const LOWER_MASS: f64 = 1.2;

/// Frequency [Hz] of the motion of each plate as a whole, on clutch and stand, and its damping ratio.
const SPRINGS: [f64; 2] = [40.0, 60.0];
const SPRING_DAMPING: f64 = 0.3;

/// Damping ratio of the modes in place of the higher ones, whose field takes the energy away.
const FIELD_DAMPING: f64 = 0.5;

/// A plate: its modes, the lowest of which are in a network, and the field of the others.
#[derive(Clone, Debug)]
pub(super) struct Plate {
    /// Its modes: the motion as a whole, then by frequency.
    pub modes: Vec<Mode>,
    /// Number of those in the network.
    low: usize,
    /// For each mode of the field, the weight at its contact over the root mean square there.
    struck: Vec<f32>,
    pub field: DrivenModes,
    /// Mass [kg].
    pub mass: f64,
    /// Root mean square of the field's weights at the contacts [kg^-1/2].
    pub weight: f64,
    /// Angular frequency of the modes in place of the field.
    soft: f64,
    /// Sum of squares of all weights at a dashpot [1/kg], on average.
    pub rubbed: f64,
    /// The same of the modes of the field, of all dashpots.
    field_rubbed: f64,
    /// Factor of the field in a sample by the friction of the pedal.
    pub decay: f32,
    pub exchange: PlateExchange,
}

impl Plate {
    /// Room for `modes` modes, of which `low` are in the network. Allocates.
    pub fn new(modes: usize, low: usize) -> Self {
        Self {
            modes: Vec::with_capacity(modes.max(low)),
            low,
            struck: vec![0.0; modes],
            field: DrivenModes::with_capacity(modes),
            mass: 1.0,
            weight: 0.0,
            soft: 1.0,
            rubbed: 0.0,
            field_rubbed: 0.0,
            decay: 1.0,
            exchange: PlateExchange::new(modes),
        }
    }

    /// Takes the modes of plate number `number` of `mass` [kg], the motion as a whole first, at `rate` [Hz]. Those of the network follow.
    pub fn set_modes(&mut self, number: usize, modes: &[Mode], mass: f64, rate: f64) -> impl Iterator<Item = Mode> + '_ {
        let room = self.modes.capacity();
        self.modes.clear();
        self.modes.extend(modes.iter().take(room));
        // where partial edits have removed modes, silent ones take their places
        let silent = Mode { omega: 0.5 * PI * rate, sigma: rate };
        self.modes.resize(self.modes.len().max(self.low), silent);
        self.mass = mass;
        if let Some(whole) = self.modes.first_mut() {
            let omega = TAU * SPRINGS[number];
            *whole = Mode { omega, sigma: SPRING_DAMPING * omega };
        }
        let high = &self.modes[self.low..];
        let softness = high.iter().map(|mode| mode.omega.powi(-2)).sum::<f64>();
        self.soft = if high.is_empty() { 0.5 * PI * rate } else { (high.len() as f64 / softness).sqrt() };
        let soft = Mode { omega: self.soft, sigma: FIELD_DAMPING * self.soft };
        self.modes[..self.low].iter().copied().chain([soft; SOFT_POINTS])
    }

    /// Number of modes of the field.
    fn field_len(&self) -> usize {
        self.modes.len().saturating_sub(self.low)
    }

    /// The weights of the field among those of all modes.
    pub fn field_of<'a>(&self, weights: &'a [f64]) -> &'a [f64] {
        &weights[self.low.min(weights.len())..]
    }

    /// Takes the weights [kg^-1/2] of all modes at the point number `n`; the points follow in their order.
    pub fn set_point(&mut self, n: usize, weights: &[f64]) {
        let field = self.field_of(weights);
        if n == 0 {
            (self.weight, self.rubbed, self.field_rubbed) = (0.0, 0.0, 0.0);
        }
        let square = field.iter().map(|weight| weight * weight).sum::<f64>();
        if n >= CONTACTS {
            self.rubbed += weights.iter().skip(1).map(|weight| weight * weight).sum::<f64>() / DASHPOTS as f64;
            self.field_rubbed += square;
            return;
        }
        let root = (square / field.len().max(1) as f64).sqrt();
        self.weight += root / CONTACTS as f64;
        for (i, (struck, weight)) in self.struck.iter_mut().zip(field).enumerate() {
            if i % LANES % CONTACTS == n {
                *struck = if root > 0.0 { (weight / root) as f32 } else { 0.0 };
            }
        }
    }

    /// Writes the row of the network for these weights; `soft`: the number of the mode in place of the field.
    pub fn fill_row(&self, row: &mut [f64], weights: &[f64], soft: Option<usize>) {
        let low = self.low.min(weights.len());
        row.fill(0.0);
        row[..low].copy_from_slice(&weights[..low]);
        if let Some(whole) = row.first_mut() {
            *whole = 1.0 / self.mass.sqrt();
        }
        let field = weights[low..].iter().zip(self.modes.iter().skip(low));
        let given = field.map(|(weight, mode)| (weight / mode.omega).powi(2)).sum::<f64>();
        if let Some(place) = soft.and_then(|soft| row.get_mut(self.low + soft)) {
            *place = self.soft * given.sqrt();
        }
    }

    /// Writes the row of the network for a pickup, with the first `audible` of these weights; the motion as a whole is not heard.
    pub fn fill_pickup(&self, row: &mut [f64], weights: &[f64], audible: usize) {
        let low = self.low.min(audible).min(weights.len());
        row.fill(0.0);
        row[..low].copy_from_slice(&weights[..low]);
        if let Some(whole) = row.first_mut() {
            *whole = 0.0;
        }
    }

    /// Sets the field by the weights of both pickups, for the first `audible` modes, with samples of h [s]; one that sounds is tuned.
    pub fn set_field(&mut self, pickups: [&[f64]; 2], audible: usize, h: f64, is_new: bool) {
        let Self { modes, struck, field, low, exchange, .. } = self;
        let heard = |i: usize| if i < audible { pickups.map(|weights| weights[i]) } else { [0.0; 2] };
        let high = modes.iter().enumerate().skip(*low).zip(&*struck);
        let high = high.map(|((i, mode), struck)| (*mode, heard(i).map(|heard| heard * f64::from(*struck))));
        if is_new {
            field.set(high, h);
            field.rest();
        } else {
            field.retune(high, h);
        }
        let whole = modes.len().min(1);
        field.set_growth(0..modes.len(), 1.0);
        exchange.set_modes(&modes[whole..], low.saturating_sub(1), audible.saturating_sub(1));
    }

    /// Lets the field lose what dashpots of `resistance` [kg/s], `part` of the one that takes the most, take in samples of h [s].
    pub fn set_friction(&mut self, resistance: f64, part: f64, h: f64) {
        let sigma = 0.5 * self.field_rubbed / self.field_len().max(1) as f64 * resistance / (1.0 + part).powi(2);
        self.decay = (-sigma * h).exp() as f32;
    }
}
