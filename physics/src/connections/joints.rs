//! State of the springs between bodies, in amplitudes whose squares are energies.
//!
//! ```text
//! e = L a     U = a.a/2     C = L L^T     extension e [m], amplitude a [J^1/2]
//! F = C^-1 (e0 + e1)/2 + R (e1 - e0)      R = r'/dt
//! ```
//!
//! In the amplitudes, with T = (1/2 + L^T R L)^-1, and dashpots without a spring as further rows of Y = 1/R:
//!
//! ```text
//! F = (Y + B)^-1 (L T a0 + D)      Y = L T L^T      a1 = a0 + T (L^T F - a0)
//! ```
//!
//! D and B are displacement without force, and compliance, of the ports over a step. Nothing is divided by C: a joint without
//! compliance is a zero column of L, without energy and without state. With y = L (a1 - a0), U1 - U0 = F.y - y.R y exactly.
//!
//! A jump of stiffness keeps the extensions, and loses energy, where that loses any; else the extensions of the changed springs shrink
//! until the energy is the same. The difference is an offset of the joint, which returns to 0 where that costs no energy.

use crate::connections::port_matrix::{Factor, PortMatrix, PortVector};
use crate::modal::MAX_PORTS;

/// Part of an offset that returns in a sample.
const RETURN: f64 = 1e-3;

/// Offset [m] that counts as 0.
const NO_OFFSET: f64 = 1e-15;

/// Which ports have a spring, and which of them have changed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PortFlags {
    pub springs: [bool; MAX_PORTS],
    pub changed: [bool; MAX_PORTS],
}

/// All springs of a network.
#[derive(Clone, Debug)]
pub(crate) struct Joints {
    /// a.
    pub amplitude: PortVector,
    /// L.
    pub factor: Factor,
    /// L transposed.
    pub lower_transposed: PortMatrix,
    offset: PortVector,
    has_offset: bool,
    springs: [bool; MAX_PORTS],
}

impl Joints {
    /// No spring.
    pub const NONE: Self = Self {
        amplitude: [0.0; MAX_PORTS],
        factor: Factor::NONE,
        lower_transposed: PortMatrix::ZERO,
        offset: [0.0; MAX_PORTS],
        has_offset: false,
        springs: [false; MAX_PORTS],
    };

    /// Energy [J].
    pub fn energy(&self) -> f64 {
        0.5 * square(&self.amplitude)
    }

    /// Extensions e [m] of the first n ports.
    pub fn extensions(&self, n: usize) -> PortVector {
        self.factor.lower.times(&self.amplitude, n)
    }

    /// Sets the extensions [m]; those of joints without compliance stay 0.
    pub fn set_extensions(&mut self, extensions: &PortVector) {
        self.amplitude = self.factor.solve(extensions);
    }

    /// Takes over new compliances. No energy is gained.
    pub fn take_over(&mut self, factor: &Factor, flags: &PortFlags) {
        let stored = square(&self.amplitude);
        let mut extensions = self.extensions(MAX_PORTS);
        for ((extension, offset), is_spring) in extensions.iter_mut().zip(&mut self.offset).zip(flags.springs) {
            if !is_spring {
                (*extension, *offset) = (0.0, 0.0);
            }
        }
        self.springs = flags.springs;
        self.factor = factor.clone();
        self.lower_transposed = factor.lower.transposed();
        let part = |of_changed: bool| {
            let mut part = extensions;
            (0..MAX_PORTS).filter(|&port| flags.changed[port] != of_changed).for_each(|port| part[port] = 0.0);
            factor.solve(&part)
        };
        self.amplitude = sum_within(&part(false), &part(true), stored);
        let kept = self.extensions(MAX_PORTS);
        for port in 0..MAX_PORTS {
            self.offset[port] += extensions[port] - kept[port];
        }
        self.has_offset = self.offset.iter().any(|offset| *offset != 0.0);
    }

    /// Whether a port has a spring.
    #[inline]
    pub fn is_spring(&self, port: usize) -> bool {
        self.springs[port]
    }

    /// Whether a joint has an offset.
    #[inline]
    pub fn has_offset(&self) -> bool {
        self.has_offset
    }

    /// A part of every offset returns to 0 if that lowers the energy.
    pub fn return_offsets(&mut self) {
        self.has_offset = false;
        for port in 0..MAX_PORTS {
            let offset = self.offset[port];
            if offset.abs() <= NO_OFFSET {
                self.offset[port] = 0.0;
                continue;
            }
            self.has_offset = true;
            let mut change = [0.0; MAX_PORTS];
            change[port] = RETURN * offset;
            let step = self.factor.solve(&change);
            if self.factor.lower.at(port, port) > 0.0 && 2.0 * product(&self.amplitude, &step) + square(&step) < 0.0 {
                self.amplitude.iter_mut().zip(&step).for_each(|(a, step)| *a += step);
                self.offset[port] -= RETURN * offset;
            }
        }
    }
}

/// fixed + s changed with the largest s <= 1 for which its square is at most `most`; if there is none, both are scaled.
fn sum_within(fixed: &PortVector, changed: &PortVector, most: f64) -> PortVector {
    let sum = |part: f64, scale: f64| std::array::from_fn(|i| scale * (fixed[i] + part * changed[i]));
    let whole: PortVector = sum(1.0, 1.0);
    if square(&whole) <= most {
        return whole;
    }
    let (f, fc, c) = (square(fixed), product(fixed, changed), square(changed));
    let mut found = whole;
    if f <= most && c > 0.0 {
        let root = (fc * fc + c * (most - f)).max(0.0).sqrt();
        let part = if fc > 0.0 { (most - f) / (fc + root) } else { (root - fc) / c };
        found = sum(part.clamp(0.0, 1.0), 1.0);
    }
    let rest = square(&found);
    if rest > most { found.map(|a| a * (most / rest).sqrt()) } else { found }
}

/// a.b.
fn product(a: &PortVector, b: &PortVector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn square(a: &PortVector) -> f64 {
    product(a, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn springs(stiffness: [f64; 2], coupling: f64) -> Factor {
        let [a, b] = stiffness.map(|k| 1.0 / k);
        let matrix = PortMatrix::from_fn(2, |i, j| if i == j { [a, b][i] } else { coupling * (a * b).sqrt() });
        Factor::new(&matrix, 2, &[0.0; MAX_PORTS])
    }

    const CHANGED_FIRST: PortFlags = {
        let mut flags = PortFlags { springs: [false; MAX_PORTS], changed: [false; MAX_PORTS] };
        (flags.springs[0], flags.springs[1], flags.changed[0]) = (true, true, true);
        flags
    };

    fn loaded(extensions: [f64; 2]) -> Joints {
        let mut joints = Joints::NONE;
        joints.take_over(&springs([100.0, 400.0], 0.0), &CHANGED_FIRST);
        let mut all = [0.0; MAX_PORTS];
        all[..2].copy_from_slice(&extensions);
        joints.set_extensions(&all);
        joints
    }

    #[test]
    fn a_stiffer_spring_keeps_its_energy_and_a_softer_one_its_extension() {
        let mut joints = loaded([2e-3, -1e-3]);
        assert!((joints.energy() - 4e-4).abs() < 1e-18, "k e^2/2 of both");
        joints.take_over(&springs([900.0, 400.0], 0.0), &CHANGED_FIRST);
        let extensions = joints.extensions(2);
        assert!((joints.energy() - 4e-4).abs() < 1e-18);
        assert!((extensions[0] - 2e-3 / 3.0).abs() < 1e-17 && (extensions[1] + 1e-3).abs() < 1e-17, "{extensions:?}");
        assert!((joints.offset[0] - 4e-3 / 3.0).abs() < 1e-17);
        joints.take_over(&springs([9.0, 400.0], 0.0), &CHANGED_FIRST);
        assert!((joints.extensions(2)[0] - 2e-3 / 3.0).abs() < 1e-17);
        assert!((joints.energy() - (2e-4 + 4.5 * 4e-6 / 9.0)).abs() < 1e-18);
    }

    #[test]
    fn an_offset_returns_only_where_that_costs_energy() {
        let mut joints = loaded([2e-3, -1e-3]);
        joints.take_over(&springs([900.0, 400.0], 0.0), &CHANGED_FIRST);
        let offset = joints.offset[0];
        joints.return_offsets();
        assert_eq!(joints.offset[0], offset, "the offset would stretch the spring further");
        joints.set_extensions(&joints.extensions(2).map(|e| -e));
        let before = (joints.energy(), joints.offset[0], joints.extensions(2)[0]);
        joints.return_offsets();
        let after = (joints.energy(), joints.offset[0], joints.extensions(2)[0]);
        assert!(after.0 < before.0 && after.1 < before.1, "{before:?} {after:?}");
        assert!((after.1 + after.2 - before.1 - before.2).abs() < 1e-18, "extension and offset exchange");
    }

    #[test]
    fn coupled_springs_gain_nothing_either() {
        for (stiffness, coupling) in [([900.0, 400.0], 0.5), ([1e9, 400.0], -0.9), ([900.0, 4e5], 0.99), ([1e-3, 1e-3], 0.0)] {
            for extensions in [[2e-3, -1e-3], [1e-3, 1e-3], [0.0, 3e-3]] {
                let mut joints = loaded(extensions);
                let before = joints.energy();
                joints.take_over(&springs(stiffness, coupling), &CHANGED_FIRST);
                assert!(joints.energy() <= before * (1.0 + 4e-16), "{stiffness:?} {coupling} {extensions:?}");
            }
        }
    }
}
