//! The system of all ports of a network over a step of one length, prepared for use in every step.

use crate::connections::joints::Joints;
use crate::connections::port_matrix::{Factor, PortMatrix, PortVector};
use crate::modal::MAX_PORTS;

/// Part of the diagonal element of Y + B below which a pivot counts as 0, the rounding of some hundred modes: the joint only repeats others.
const VANISHING: f64 = 1e-13;

/// Resistances of the dashpots of a network [kg/s].
#[derive(Clone, Debug)]
pub(crate) struct Dashpots {
    /// r' of those beside a spring.
    pub beside: PortVector,
    /// r of those without a spring.
    pub alone: PortVector,
}

/// The system of `joints` for a step of one length.
#[derive(Clone, Debug)]
pub(crate) struct PreparedStep {
    /// Length [s].
    pub dt: f64,
    /// B of all ports [m/N].
    pub compliance: PortMatrix,
    /// (Y + B)^-1 [N/m]; 0 for ports without spring and dashpot.
    pub stiffness: PortMatrix,
    /// B - B (Y + B)^-1 B [m/N]: compliance with all springs in place.
    pub left: PortMatrix,
    /// L T.
    displacement: PortMatrix,
    /// T.
    response: PortMatrix,
}

impl PreparedStep {
    /// No port.
    pub const NONE: Self = Self {
        dt: 0.0,
        compliance: PortMatrix::ZERO,
        stiffness: PortMatrix::ZERO,
        left: PortMatrix::ZERO,
        displacement: PortMatrix::ZERO,
        response: PortMatrix::ZERO,
    };

    /// Prepares the first n ports, whose compliance is already that of the step.
    pub fn prepare(&mut self, joints: &Joints, dashpots: &Dashpots, n: usize) {
        let (dt, lower) = (self.dt, &joints.factor.lower);
        let braked = |k: usize, i: usize, j: usize| lower.at(k, i) * lower.at(k, j) * dashpots.beside[k] / dt;
        let mass =
            PortMatrix::from_fn(n, |i, j| 0.5 * f64::from(u8::from(i == j)) + (0..n).map(|k| braked(k, i, j)).sum::<f64>());
        self.response = Factor::new(&mass, n, &[0.0; MAX_PORTS]).inverse();
        self.displacement = lower.product(&self.response, n);
        let mut whole = self.displacement.product(&joints.lower_transposed, n);
        let mut least = [f64::INFINITY; MAX_PORTS];
        for port in 0..n {
            if dashpots.alone[port] > 0.0 {
                *whole.at_mut(port, port) += dt / dashpots.alone[port];
            }
        }
        for i in 0..n {
            for j in 0..n {
                *whole.at_mut(i, j) += self.compliance.at(i, j);
            }
        }
        for (port, least) in least.iter_mut().enumerate().take(n) {
            if joints.is_spring(port) || dashpots.alone[port] > 0.0 {
                *least = VANISHING * whole.at(port, port);
            }
        }
        self.stiffness = inverse_without(&whole, n, &least);
        let by_springs = self.compliance.product(&self.stiffness.product(&self.compliance, n), n);
        self.left = PortMatrix::from_fn(n, |i, j| self.compliance.at(i, j) - by_springs.at(i, j));
    }

    /// Forces [N] of the joints whose points move by `ways` [m] without force.
    #[inline]
    pub fn forces(&self, joints: &Joints, ways: &PortVector, n: usize) -> PortVector {
        let mut right = self.displacement.times(&joints.amplitude, n);
        right[..n].iter_mut().zip(ways).for_each(|(right, way)| *right += way);
        self.stiffness.times(&right, n)
    }

    /// Change of the joints' amplitudes under their forces [N].
    #[inline]
    pub fn amplitude_change(&self, joints: &Joints, forces: &PortVector, n: usize) -> PortVector {
        let mut pulled = joints.lower_transposed.times(forces, n);
        pulled[..n].iter_mut().zip(&joints.amplitude).for_each(|(pulled, a)| *pulled -= a);
        self.response.times(&pulled, n)
    }

    /// Loss [J] of the dashpots in a step with this change of amplitudes and these forces, >= 0.
    pub fn loss(&self, joints: &Joints, dashpots: &Dashpots, (change, forces): (&PortVector, &PortVector), n: usize) -> f64 {
        let ways = joints.factor.lower.times(change, n);
        let of_port = |port: usize| {
            let alone = dashpots.alone[port];
            let by_force = if alone > 0.0 { forces[port] * forces[port] * self.dt / alone } else { 0.0 };
            dashpots.beside[port] / self.dt * ways[port] * ways[port] + by_force
        };
        (0..n).map(of_port).sum()
    }
}

/// Inverse of the rows and columns whose least pivot is finite; 0 elsewhere.
fn inverse_without(matrix: &PortMatrix, n: usize, least: &PortVector) -> PortMatrix {
    let apart =
        PortMatrix::from_fn(n, |i, j| if least[i] < f64::INFINITY && least[j] < f64::INFINITY { matrix.at(i, j) } else { 0.0 });
    Factor::new(&apart, n, least).inverse()
}
