//! A probe: displacement and velocity of a point of hammer or body in contact, O(N) a sample, where the whole state costs O(N^2).

use crate::eigenbasis::phasors::Turns;
use crate::eigenbasis::uncoupled::Four;
use nalgebra::Complex;

/// Maximum number of probes that are read in one pass.
pub const MAX_PROBES: usize = 4;

/// Reads sum y_i q_i and its velocity from a contact basis: `ContactBasis::aim_probe`, `ContactBasis::read_probe`.
#[derive(Clone, Debug)]
pub struct Probe {
    /// sum_g y_g u_gj for each root, doubled for conjugates; the same times s_j.
    pub(super) place: Turns,
    pub(super) speed: Turns,
    /// y of each uncoupled part.
    pub(super) apart: Vec<Four>,
    /// y of each coordinate.
    pub(super) coordinates: Vec<f64>,
    pub(super) shape: Vec<Complex<f64>>,
}

impl Probe {
    /// Room for `capacity` modes. The only allocation.
    pub fn new(capacity: usize) -> Self {
        Self {
            place: Turns::new(2 * capacity),
            speed: Turns::new(2 * capacity),
            apart: Vec::with_capacity(capacity),
            coordinates: Vec::with_capacity(capacity),
            shape: Vec::with_capacity(2 * capacity),
        }
    }
}
