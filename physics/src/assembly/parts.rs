//! Parts joined to one body.

use crate::assembly::rank_one::rank_one;
use crate::eigenbasis::Compliance;
use crate::modal::Mode;
use nalgebra::{DMatrix, DVector};
use std::fmt;

/// What joins the parts along a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StaticJoint {
    /// A spring of this stiffness [N/m], or a volume of air [N/m^5]; at least 0.
    Spring(f64),
    /// A mass [kg], at least 0, which moves with the row.
    Mass(f64),
    /// No motion along the row: one mode is lost.
    Pin,
}

/// Why parts cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JoinError {
    /// The row has another number of weights than there are modes.
    WrongLength {
        /// Weights of the row.
        row: usize,
        /// Modes of all parts.
        modes: usize,
    },
    /// A weight, or the stiffness or mass of the joint, is not a number or is infinite, or the latter is negative.
    NotANumber,
    /// A mass on a mode that moves freely: suspend the part first.
    FreeMode {
        /// Number of the mode.
        mode: usize,
    },
    /// The pin does not touch any mode.
    NothingToPin,
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JoinError::WrongLength { row, modes } => {
                write!(f, "the row has {row} weights for {modes} modes; give one for each mode")
            }
            JoinError::NotANumber => {
                write!(
                    f,
                    "a weight, stiffness or mass is negative or not a finite number; give finite ones, stiffness and mass from 0"
                )
            }
            JoinError::FreeMode { mode } => write!(f, "mode {mode} moves freely; suspend its part before a mass is joined to it"),
            JoinError::NothingToPin => write!(f, "all weights of the pin are 0; place it where a mode moves"),
        }
    }
}

impl std::error::Error for JoinError {}

/// A dashpot between points of the parts.
#[derive(Clone, Debug)]
struct Dashpot {
    row: DVector<f64>,
    /// Resistance [kg/s].
    resistance: f64,
}

/// The modes of all parts, of unit modal mass, and of the body that the joints make of them.
#[derive(Clone, Debug)]
pub struct Assembly {
    parts: Vec<Mode>,
    /// Squares of the angular frequencies of the present modes, rising after the first joint [rad^2/s^2].
    omega2: Vec<f64>,
    /// Present modes as columns over the modes of the parts; None: the parts.
    shapes: Option<DMatrix<f64>>,
    dashpots: Vec<Dashpot>,
}

impl Assembly {
    /// Parts that are not joined yet: their modes, one part after the other.
    pub fn new(parts: Vec<Mode>) -> Self {
        let omega2 = parts.iter().map(|mode| mode.omega * mode.omega).collect();
        Self { parts, omega2, shapes: None, dashpots: Vec::new() }
    }

    /// Number of present modes.
    pub fn len(&self) -> usize {
        self.omega2.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.omega2.is_empty()
    }

    /// Joins the parts along `row`, the weights of the modes of all parts [kg^-1/2]. Takes N^2 to N^3 operations for N modes, and allocates. Errors: see
    /// [`JoinError`]; the assembly then stays as it is.
    pub fn join(&mut self, row: &[f64], joint: StaticJoint) -> Result<(), JoinError> {
        self.check(row)?;
        let weights = self.seen(row);
        let pairs = match joint {
            StaticJoint::Spring(size) | StaticJoint::Mass(size) if !(size >= 0.0 && size.is_finite()) => {
                return Err(JoinError::NotANumber);
            }
            StaticJoint::Spring(stiffness) => rank_one(&self.omega2, weights.as_slice(), stiffness, Compliance::Finite),
            StaticJoint::Pin if weights.iter().all(|weight| *weight == 0.0) => return Err(JoinError::NothingToPin),
            StaticJoint::Pin => rank_one(&self.omega2, weights.as_slice(), 1.0, Compliance::None),
            StaticJoint::Mass(mass) => return self.load(&weights, mass),
        };
        self.take(pairs.values, pairs.vectors);
        Ok(())
    }

    /// Joins the parts along `row` by a dashpot of `resistance` [kg/s]: it changes the decays, to first order. Errors: as [`Assembly::join`].
    pub fn damp(&mut self, row: &[f64], resistance: f64) -> Result<(), JoinError> {
        self.check(row)?;
        if !(resistance >= 0.0 && resistance.is_finite()) {
            return Err(JoinError::NotANumber);
        }
        self.dashpots.push(Dashpot { row: DVector::from_column_slice(row), resistance });
        Ok(())
    }

    fn check(&self, row: &[f64]) -> Result<(), JoinError> {
        if row.len() != self.parts.len() {
            return Err(JoinError::WrongLength { row: row.len(), modes: self.parts.len() });
        }
        if row.iter().all(|weight| weight.is_finite()) { Ok(()) } else { Err(JoinError::NotANumber) }
    }

    /// With y = omega q, the mass changes diag(1/omega^2) by m (w/omega)(w/omega)^T, whose eigenvalues are 1/omega^2 of the new modes.
    fn load(&mut self, weights: &DVector<f64>, mass: f64) -> Result<(), JoinError> {
        if let Some(mode) = self.omega2.iter().zip(weights).position(|(omega2, weight)| *omega2 == 0.0 && *weight != 0.0) {
            return Err(JoinError::FreeMode { mode });
        }
        if let Some(mode) = self.omega2.iter().position(|omega2| *omega2 == 0.0) {
            return Err(JoinError::FreeMode { mode });
        }
        let inverse: Vec<f64> = self.omega2.iter().map(|omega2| 1.0 / omega2).collect();
        let scaled: Vec<f64> = weights.iter().zip(&inverse).map(|(weight, inverse)| weight * inverse.sqrt()).collect();
        let pairs = rank_one(&inverse, &scaled, mass, Compliance::Finite);
        // rising frequencies are falling inverses
        let count = pairs.values.len();
        let values: Vec<f64> = pairs.values.iter().rev().map(|inverse| 1.0 / inverse).collect();
        let mut vectors = DMatrix::zeros(count, count);
        for n in 0..count {
            for (i, inverse) in inverse.iter().enumerate() {
                vectors[(i, n)] = pairs.vectors[(i, count - 1 - n)] * (inverse * values[n]).sqrt();
            }
        }
        self.take(values, vectors);
        Ok(())
    }

    fn take(&mut self, values: Vec<f64>, vectors: DMatrix<f64>) {
        self.omega2 = values;
        self.shapes = Some(match self.shapes.take() {
            Some(shapes) => shapes * vectors,
            None => vectors,
        });
    }

    /// Amplitude of mode `i` of the parts in the present mode `n`; both below their numbers.
    pub fn component(&self, i: usize, n: usize) -> f64 {
        match &self.shapes {
            Some(shapes) => shapes[(i, n)],
            None => f64::from(u8::from(i == n)),
        }
    }

    /// The weights of a row over the modes of the parts for the present modes.
    fn seen(&self, row: &[f64]) -> DVector<f64> {
        let row = DVector::from_column_slice(row);
        match &self.shapes {
            Some(shapes) => shapes.tr_mul(&row),
            None => row,
        }
    }

    /// The weights [kg^-1/2] of the present modes at a place with the weights `row` for the modes of all parts: for hammers and pickups on any part. Errors: a
    /// row of another length, or with a weight that is not finite.
    pub fn weights(&self, row: &[f64]) -> Result<Vec<f64>, JoinError> {
        self.check(row)?;
        Ok(self.seen(row).as_slice().to_vec())
    }

    /// The present modes: frequencies, and decays to first order in the losses of parts and dashpots.
    pub fn modes(&self) -> Vec<Mode> {
        let losses: Vec<f64> = (0..self.len()).map(|n| self.shared_loss(n, n)).collect();
        let added = self.dashpot_rows();
        let of_mode = |(n, omega2): (usize, &f64)| {
            let dashpots = added.iter().map(|(row, resistance)| 0.5 * resistance * row[n] * row[n]);
            Mode { omega: omega2.max(0.0).sqrt(), sigma: losses[n] + dashpots.sum::<f64>() }
        };
        self.omega2.iter().enumerate().map(of_mode).collect()
    }

    /// Sum of U_im U_in sigma_i: what the losses of the parts make of the present modes m and n.
    fn shared_loss(&self, m: usize, n: usize) -> f64 {
        match &self.shapes {
            Some(shapes) => {
                let losses = self.parts.iter().enumerate();
                losses.map(|(i, mode)| mode.sigma * shapes[(i, m)] * shapes[(i, n)]).sum()
            }
            None if m == n => self.parts[m].sigma,
            None => 0.0,
        }
    }

    fn dashpot_rows(&self) -> Vec<(DVector<f64>, f64)> {
        self.dashpots.iter().map(|dashpot| (self.seen(dashpot.row.as_slice()), dashpot.resistance)).collect()
    }

    /// How much the losses mix the present modes below the angular frequency `below` [rad/s]: the largest |U^T C U/2| of two modes over the difference of their
    /// frequencies. Up to 0.04 the decays are right to 1 %; beyond, connect the parts while playing.
    pub fn mixing(&self, below: f64) -> f64 {
        let added = self.dashpot_rows();
        let omega: Vec<f64> =
            self.omega2.iter().map(|omega2| omega2.max(0.0).sqrt()).take_while(|omega| *omega < below).collect();
        let mut most = 0.0_f64;
        for m in 0..omega.len() {
            for n in 0..m {
                let dashpots = added.iter().map(|(row, resistance)| 0.5 * resistance * row[m] * row[n]);
                let mixed = (self.shared_loss(m, n) + dashpots.sum::<f64>()).abs();
                if mixed > 0.0 {
                    most = most.max(mixed / (omega[m] - omega[n]).abs().max(f64::MIN_POSITIVE));
                }
            }
        }
        most
    }
}

/// Static compliance [m/N] that the missing modes of a body have at a point: `compliance` of the whole body less that of its kept `modes` with
/// their `weights` there; at least 0. Free modes have none.
pub fn missing_flexibility(compliance: f64, modes: &[Mode], weights: &[f64]) -> f64 {
    let oscillating = modes.iter().zip(weights).filter(|(mode, _)| mode.omega > 0.0);
    (compliance - oscillating.map(|(mode, weight)| (weight / mode.omega).powi(2)).sum::<f64>()).max(0.0)
}

/// Stiffness [N/m] of a spring in series with the missing flexibilities [m/N] of both ends.
pub fn spring_in_series(stiffness: f64, missing: f64) -> f64 {
    stiffness / (1.0 + stiffness * missing)
}
