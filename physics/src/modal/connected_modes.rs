//! Modes of a body with ports, at which other bodies push: one exact step a sample, or in equal parts of it.
//!
//! ```text
//! y_a = sum Wh_a dq      displacement of port a over a step [m]; the force F_a, held over the step, drives mode i with -Wh_a,i F_a
//! Wh = W/sinc^(2p)(omega h/2)      0 <= p <= 1: see `connections::exponent_rule`
//! ```
//!
//! The same row reads and drives, so that a step does exactly the work -F.y on the modes, whatever p is, and whatever the length of the
//! step. In steps of parts of a sample, the ports of springs keep the rows of the whole sample, so that the extension of a spring is the same
//! number; those of contacts are fitted to the part.

use crate::modal::mode::Mode;
use crate::modal::mode_array::{ModeArray, mode_array};
use crate::modal::modes::Modes;
use crate::modal::port_kernels::{MAX_PORTS, PortRows, PortStep, port_ways, step_ports};
use crate::modal::propagator::StepTable;
use crate::modal::simd::LANES;

/// omega h up to which the logarithm of the hold's correction is its series: it would cancel.
const SLOW: f64 = 0.03;

/// Which step the modes take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// A whole sample.
    Sample,
    /// The part of a sample that [`ConnectedModes::set_part`] set.
    Part,
}

impl Stride {
    /// Its number, 0 or 1.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self == Stride::Part)
    }
}

/// A body's modes, their state, and its ports.
#[derive(Clone, Debug)]
pub struct ConnectedModes {
    h: f64,
    modes: Modes,
    tables: [StepTable; 2],
    tracks_losses: bool,
    /// Logarithm of 1/sinc^2(omega h/2).
    hold: ModeArray,
    /// W, port after port.
    plain: ModeArray,
    /// Wh for a sample and for a part of it, alternating in blocks.
    fitted: [ModeArray; 2],
    pickups: ModeArray,
    ports: usize,
    /// Length of a part of a sample [s].
    part: f64,
}

impl ConnectedModes {
    /// Room for `modes` modes and `ports` ports, at most [`MAX_PORTS`], at a sample of h [s]; the only allocation, except for the losses.
    pub fn new(h: f64, modes: usize, ports: usize) -> Self {
        let padded = modes.next_multiple_of(LANES);
        let rows = || mode_array(padded * ports.min(MAX_PORTS));
        Self {
            h,
            modes: Modes::with_capacity(modes),
            tables: std::array::from_fn(|_| StepTable::with_capacity(modes)),
            tracks_losses: false,
            hold: mode_array(modes),
            plain: rows(),
            fitted: std::array::from_fn(|_| rows()),
            pickups: mode_array(2 * padded),
            ports: 0,
            part: 0.0,
        }
    }

    /// New modes at rest, without ports; modes beyond the capacity are ignored.
    pub fn set(&mut self, modes: impl IntoIterator<Item = Mode>) {
        let Modes { list, omega2, q, v } = &mut self.modes;
        let room = list.capacity();
        list.clear();
        list.extend(modes.into_iter().take(room));
        let padded = list.len().next_multiple_of(LANES);
        for array in [q, v, &mut *omega2, &mut self.hold] {
            array.clear();
            array.resize(padded, 0.0);
        }
        for (omega2, mode) in omega2.iter_mut().zip(&*list) {
            *omega2 = mode.omega * mode.omega;
        }
        self.pickups.clear();
        self.pickups.resize(2 * padded, 0.0);
        self.ports = 0;
        self.update_tables();
    }

    /// New frequencies and decay rates of the same modes, which keep their energies; modes beyond the present number are ignored. The rows
    /// act from the next [`ConnectedModes::fit`] on.
    pub fn retune(&mut self, modes: impl IntoIterator<Item = Mode>) {
        let Modes { list, omega2, q, .. } = &mut self.modes;
        for (i, (mode, new)) in list.iter_mut().zip(modes).enumerate() {
            if new.omega > 0.0 && mode.omega > 0.0 {
                q[i] *= mode.omega / new.omega;
            }
            (*mode, omega2[i]) = (new, new.omega * new.omega);
        }
        self.update_tables();
    }

    fn update_tables(&mut self) {
        self.part = 0.0;
        self.tables[0].fill(&self.modes.list, self.h, self.tracks_losses);
        for ((hold, mode), droop) in self.hold.iter_mut().zip(&self.modes.list).zip(self.tables[0].droop.iter()) {
            let turn = mode.omega * self.h;
            *hold = if turn < SLOW { turn * turn / 12.0 * (1.0 + turn * turn / 120.0) } else { droop.ln() };
        }
    }

    /// Sets the length [s] of a sample; new modes have to follow.
    pub fn set_sample(&mut self, h: f64) {
        self.h = h;
    }

    /// Sets the length [s] of [`Stride::Part`].
    pub fn set_part(&mut self, dt: f64) {
        if self.part != dt {
            self.part = dt;
            self.tables[1].fill(&self.modes.list, dt, self.tracks_losses);
        }
    }

    /// Computes the losses of every mode from now on (allocates).
    pub fn track_losses(&mut self) {
        self.tracks_losses = true;
        self.tables[0].fill(&self.modes.list, self.h, true);
        if self.part > 0.0 {
            self.tables[1].fill(&self.modes.list, self.part, true);
        }
    }

    /// The modes and their state.
    pub fn modes(&self) -> &Modes {
        &self.modes
    }

    /// Displacements [m kg^1/2] and velocities [m kg^1/2/s], padded with zeros.
    pub fn state_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.modes.q, &mut self.modes.v)
    }

    /// Weights [kg^-1/2] of two pickups, one a mode; missing ones are 0.
    pub fn set_pickups(&mut self, pickups: [&[f64]; 2]) {
        for i in 0..self.modes.len() {
            for (side, weights) in pickups.iter().enumerate() {
                let at = (i / LANES * 2 + side) * LANES + i % LANES;
                self.pickups[at] = weights.get(i).copied().unwrap_or(0.0);
            }
        }
    }

    /// Number of ports.
    pub fn ports(&self) -> usize {
        self.ports
    }

    /// Adds a port with the weights `sign` W [kg^-1/2], one a mode; missing ones are 0. Its number; None without room.
    pub fn add_port(&mut self, weights: &[f64], sign: f64) -> Option<usize> {
        let padded = self.modes.padded();
        let (port, rows) = (self.ports, (self.ports + 1) * padded);
        if port == MAX_PORTS || rows > self.plain.capacity() {
            return None;
        }
        self.ports = port + 1;
        self.plain.resize(rows, 0.0);
        self.fitted.iter_mut().for_each(|fitted| fitted.resize(rows, 0.0));
        self.set_weights(port, weights, sign);
        Some(port)
    }

    /// New weights of a port; they act from the next [`ConnectedModes::fit`] on.
    pub fn set_weights(&mut self, port: usize, weights: &[f64], sign: f64) {
        let padded = self.modes.padded();
        let row = &mut self.plain[port * padded..(port + 1) * padded];
        row.fill(0.0);
        for (to, weight) in row[..self.modes.len()].iter_mut().zip(weights) {
            *to = sign * weight;
        }
    }

    /// Removes a port: the last one takes its number. The number of the last one.
    pub fn remove_port(&mut self, port: usize) -> usize {
        let (padded, last) = (self.modes.padded(), self.ports - 1);
        self.plain.copy_within(last * padded..(last + 1) * padded, port * padded);
        self.plain.truncate(last * padded);
        self.fitted.iter_mut().for_each(|fitted| fitted.truncate(last * padded));
        self.ports = last;
        last
    }

    /// Fits the rows of all ports to the hold over a sample: Wh = W/sinc^(2p), one exponent p a port.
    pub fn fit(&mut self, exponents: &[f64]) {
        let (padded, ports) = (self.modes.padded(), self.ports);
        for (port, &exponent) in exponents.iter().enumerate().take(ports) {
            let row = &self.plain[port * padded..(port + 1) * padded];
            for (i, weight) in row.iter().enumerate() {
                let at = (i / LANES * ports + port) * LANES + i % LANES;
                let exact = exponent == 1.0;
                self.fitted[0][at] = weight * if exact { self.tables[0].droop[i] } else { (exponent * self.hold[i]).exp() };
            }
        }
    }

    /// Fits the rows to a part of a sample: those of contacts, `is_contact`, to its hold, and the others as for the sample.
    pub fn fit_part(&mut self, is_contact: impl Fn(usize) -> bool) {
        let (padded, ports) = (self.modes.padded(), self.ports);
        let [sample, part] = &mut self.fitted;
        part.copy_from_slice(sample);
        for port in (0..ports).filter(|port| is_contact(*port)) {
            let row = &self.plain[port * padded..(port + 1) * padded];
            for (i, (weight, droop)) in row.iter().zip(self.tables[1].droop.iter()).enumerate() {
                part[(i / LANES * ports + port) * LANES + i % LANES] = weight * droop;
            }
        }
    }

    /// Weight Wh of mode i at a port [kg^-1/2].
    #[inline]
    fn weight(&self, stride: Stride, port: usize, i: usize) -> f64 {
        self.fitted[stride.index()][(i / LANES * self.ports + port) * LANES + i % LANES]
    }

    /// Displacement [m] of a port by its fitted row.
    pub fn place(&self, port: usize) -> f64 {
        (0..self.modes.len()).map(|i| self.weight(Stride::Sample, port, i) * self.modes.q[i]).sum()
    }

    /// Compliance B_ab [m/N] between two ports over a step.
    pub fn compliance(&self, stride: Stride, [a, b]: [usize; 2]) -> f64 {
        let bq = &self.tables[stride.index()].bq;
        (0..self.modes.len()).map(|i| self.weight(stride, a, i) * self.weight(stride, b, i) * bq[i]).sum()
    }

    /// Compliance [m/N] between two ports at rest by their fitted rows, of the modes that do not move freely.
    pub fn rest_compliance(&self, [a, b]: [usize; 2]) -> f64 {
        let of_mode = |i: usize| self.weight(Stride::Sample, a, i) * self.weight(Stride::Sample, b, i) / self.modes.omega2[i];
        (0..self.modes.len()).filter(|i| self.modes.omega2[*i] > 0.0).map(of_mode).sum()
    }

    /// Sets all modes to rest under constant forces of the ports [N]; those that move freely stop where they are.
    pub fn rest_under(&mut self, forces: &[f64]) {
        for i in 0..self.modes.len() {
            let omega2 = self.modes.omega2[i];
            if omega2 > 0.0 {
                let pushed = |(port, force): (usize, &f64)| self.weight(Stride::Sample, port, i) * force;
                let all: f64 = forces[..self.ports].iter().enumerate().map(pushed).sum();
                self.modes.q[i] = -all / omega2;
            }
            self.modes.v[i] = 0.0;
        }
    }

    /// Static compliance [m/N] between two ports, sum of W_a W_b/omega^2 of the modes that do not move freely.
    pub fn static_compliance(&self, [a, b]: [usize; 2]) -> f64 {
        self.pairs([a, b]).filter(|(i, _)| self.modes.omega2[*i] > 0.0).map(|(i, product)| product / self.modes.omega2[i]).sum()
    }

    /// Compliance [m/N] by which the fitted rows of two ports with these exponents are too soft far above the frequencies played,
    /// E_ab = sum W_a W_b (1/sinc^(2 p_a + 2 p_b) - 1)/omega^2.
    pub fn excess(&self, ports: [usize; 2], [p_a, p_b]: [f64; 2]) -> f64 {
        let exponent = p_a + p_b;
        let free = exponent * self.h * self.h / 12.0;
        let of_mode = |(i, product): (usize, f64)| {
            let omega2 = self.modes.omega2[i];
            product * if omega2 > 0.0 { (exponent * self.hold[i]).exp_m1() / omega2 } else { free }
        };
        self.pairs(ports).map(of_mode).sum()
    }

    /// Number of each mode and its W_a W_b [1/kg].
    fn pairs(&self, ports: [usize; 2]) -> impl Iterator<Item = (usize, f64)> {
        let padded = self.modes.padded();
        let [a, b] = ports.map(|port| &self.plain[port * padded..port * padded + self.modes.len()]);
        a.iter().zip(b).map(|(a, b)| a * b).enumerate()
    }

    fn step_of(&self, stride: Stride) -> PortStep<'_> {
        let StepTable { a12, a22, bq, .. } = &self.tables[stride.index()];
        PortStep { omega2: &self.modes.omega2, a12, a22, bq }
    }

    /// Displacement [m] of every port over the next step without force, into `ways`, one a port.
    pub fn ways(&self, stride: Stride, ways: &mut [f64]) {
        port_ways(self.step_of(stride), &self.fitted[stride.index()], (&self.modes.q, &self.modes.v), &mut ways[..self.ports]);
    }

    /// One step under the forces of the ports [N], and in the same pass the displacements of the next one as by [`ConnectedModes::ways`].
    /// Velocities at both pickups after it.
    #[inline]
    pub fn step(&mut self, stride: Stride, forces: &[f64], ways: &mut [f64]) -> [f64; 2] {
        let StepTable { a12, a22, bq, .. } = &self.tables[stride.index()];
        let Modes { omega2, q, v, .. } = &mut self.modes;
        let rows = PortRows { ports: &self.fitted[stride.index()], pickups: &self.pickups };
        step_ports(PortStep { omega2, a12, a22, bq }, rows, &forces[..self.ports], (q, v), &mut ways[..self.ports])
    }

    /// Loss [J] of the modes over the next step under the forces of the ports [N], >= 0; 0 unless losses are tracked.
    pub fn loss(&self, stride: Stride, forces: &[f64]) -> f64 {
        let damped = self.modes.list.iter().zip(&self.tables[stride.index()].loss).enumerate();
        damped
            .filter(|(_, (mode, _))| mode.omega > 0.0)
            .map(|(i, (mode, [l11, l12, l22]))| {
                let pulled: f64 =
                    forces[..self.ports].iter().enumerate().map(|(port, force)| self.weight(stride, port, i) * force).sum();
                let (y, v) = (self.modes.q[i] + pulled / self.modes.omega2[i], self.modes.v[i]);
                2.0 * mode.sigma * (y * y * l11 + 2.0 * y * v * l12 + v * v * l22)
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modal::mode::Response;

    /// One port and a constant force: the exact response of every mode, and what E says about the static compliance.
    #[test]
    fn a_port_pushes_its_modes_exactly() {
        let (h, force) = (1.0 / 48e3, 3.0);
        let list = [Mode::RIGID, Mode { omega: 700.0, sigma: 2.0 }, Mode { omega: 5e4, sigma: 40.0 }];
        let weights = [0.4, 1.5, -0.7];
        let mut modes = ConnectedModes::new(h, 3, 1);
        modes.set(list);
        assert_eq!(modes.add_port(&weights, -1.0), Some(0));
        assert_eq!(modes.add_port(&weights, 1.0), None, "there is room for one");
        modes.fit(&[0.5]);
        let (mut excess, mut static_sum) = (0.0, 0.0);
        modes.step(Stride::Sample, &[force], &mut [0.0]);
        for (i, (mode, weight)) in list.into_iter().zip(weights).enumerate() {
            let response = Response::new(mode, h);
            let row = -weight * response.droop.sqrt();
            assert!((modes.modes().q[i] + row * response.bq * force).abs() < 1e-15 * response.bq * force, "mode {i}");
            assert!((modes.modes().v[i] + row * response.bv * force).abs() < 1e-15 * response.bv * force, "mode {i}");
            let omega2 = mode.omega * mode.omega;
            excess +=
                if omega2 > 0.0 { weight * weight * (response.droop - 1.0) / omega2 } else { weight * weight * h * h / 12.0 };
            static_sum += if omega2 > 0.0 { weight * weight / omega2 } else { 0.0 };
        }
        assert!((modes.excess([0, 0], [0.5, 0.5]) / excess - 1.0).abs() < 1e-9);
        assert!((modes.static_compliance([0, 0]) / static_sum - 1.0).abs() < 1e-15);
    }
}
