//! Passes over modes with several ports: their step under the forces of all ports, the displacement of each port over the next step, and two
//! pickups. As in `simd`, all versions give the same bits.
//!
//! The weights of the ports alternate in blocks of [`LANES`] modes: those of block i of port p begin at (i ports + p) [`LANES`].

use crate::modal::simd::{HAS_FAST_VERSIONS, LANES, blocks, blocks_mut, tree};

/// Maximum number of ports of a body.
pub const MAX_PORTS: usize = 16;

/// Maximum number of ports whose sums are kept in registers.
const FEW: usize = 4;

/// Coefficients of a step, all of the same length: with the whole force g = omega^2 q + a on a mode,
/// q' = q + a12 v - bq g and v' = a22 v - a12 g.
#[derive(Clone, Copy)]
pub(super) struct PortStep<'a> {
    /// omega^2 [1/s^2].
    pub omega2: &'a [f64],
    /// Displacement from velocity, and velocity from force [s].
    pub a12: &'a [f64],
    /// Velocity from velocity.
    pub a22: &'a [f64],
    /// Displacement from force [s^2].
    pub bq: &'a [f64],
}

/// Weights over the modes of a body [kg^-1/2].
#[derive(Clone, Copy)]
pub(super) struct PortRows<'a> {
    /// Of the ports, alternating.
    pub ports: &'a [f64],
    /// Of two pickups, alternating in the same way.
    pub pickups: &'a [f64],
}

/// Sum of weights dq at every port over a step without force, into `ways`, one number a port.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(super) fn port_ways(step: PortStep, rows: &[f64], state: (&[f64], &[f64]), ways: &mut [f64]) {
    match ways.len() {
        0 => (),
        1.. if !HAS_FAST_VERSIONS => ways_of_many(step, rows, state, ways),
        1 => ways_of::<1>(step, rows, state, ways),
        2 => ways_of::<2>(step, rows, state, ways),
        3 => ways_of::<3>(step, rows, state, ways),
        FEW => ways_of::<FEW>(step, rows, state, ways),
        _ => ways_of_many(step, rows, state, ways),
    }
}

/// One step under the forces `forces` [N], one a port, and in the same pass [`port_ways`] after it, to the last bit. Velocities at both
/// pickups after it.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(super) fn step_ports(
    step: PortStep,
    rows: PortRows,
    forces: &[f64],
    state: (&mut [f64], &mut [f64]),
    ways: &mut [f64],
) -> [f64; 2] {
    match *forces {
        [] => step_alone(step, rows.pickups, state),
        [..] if !HAS_FAST_VERSIONS => step_by_many(step, rows, forces, state, ways),
        [a] => step_by(step, rows, [a], state, ways),
        [a, b] => step_by(step, rows, [a, b], state, ways),
        [a, b, c] => step_by(step, rows, [a, b, c], state, ways),
        [a, b, c, d] => step_by::<FEW>(step, rows, [a, b, c, d], state, ways),
        _ => step_by_many(step, rows, forces, state, ways),
    }
}

/// Sums of lanes, into `ways`. Not inlined: the loops would be compiled for narrower registers.
#[inline(never)]
fn all_reduced(sums: &[[f64; LANES]], ways: &mut [f64]) {
    for (way, sum) in ways.iter_mut().zip(sums) {
        *way = tree(sum);
    }
}

/// The same of two sums.
#[inline(never)]
fn both_reduced([a, b]: &[[f64; LANES]; 2]) -> [f64; 2] {
    [tree(a), tree(b)]
}

/// The lanes of a block.
type Lanes = [f64; LANES];

/// Adds a row times the displacements or velocities of a block of modes.
#[inline(always)]
fn add_row(sum: &mut Lanes, row: &Lanes, by: &Lanes) {
    let mut more = *sum;
    for lane in 0..LANES {
        more[lane] += row[lane] * by[lane];
    }
    *sum = more;
}

/// Displacement of a block of modes over a step without force.
#[inline(always)]
fn way_of([omega2, a12, bq]: [&Lanes; 3], place: &Lanes, speed: &Lanes) -> Lanes {
    let mut way = [0.0; LANES];
    for lane in 0..LANES {
        way[lane] = a12[lane] * speed[lane] - bq[lane] * (omega2[lane] * place[lane]);
    }
    way
}

/// Blocks of `ports` rows each.
#[inline(always)]
fn port_blocks<const PORTS: usize>(rows: &[f64], count: usize) -> &[[[f64; LANES]; PORTS]] {
    &blocks::<LANES>(rows, count * PORTS).as_chunks().0[..count]
}

#[inline(always)]
fn ways_of<const PORTS: usize>(step: PortStep, rows: &[f64], (q, v): (&[f64], &[f64]), ways: &mut [f64]) {
    let n = q.len() / LANES;
    let [omega2, a12, bq, q, v] = [step.omega2, step.a12, step.bq, q, v].map(|column| blocks::<LANES>(column, n));
    let rows = port_blocks::<PORTS>(rows, n);
    let mut sums = [[0.0; LANES]; PORTS];
    for i in 0..n {
        let (omega2, a12, bq, q, v, rows) = (omega2[i], a12[i], bq[i], q[i], v[i], rows[i]);
        let way = way_of([&omega2, &a12, &bq], &q, &v);
        for (sum, row) in sums.iter_mut().zip(&rows) {
            add_row(sum, row, &way);
        }
    }
    all_reduced(&sums, ways);
}

#[inline(always)]
fn ways_of_many(step: PortStep, rows: &[f64], (q, v): (&[f64], &[f64]), ways: &mut [f64]) {
    let (n, ports) = (q.len() / LANES, ways.len().min(MAX_PORTS));
    let [omega2, a12, bq, q, v] = [step.omega2, step.a12, step.bq, q, v].map(|column| blocks::<LANES>(column, n));
    let rows = blocks::<LANES>(rows, n * ports);
    let mut sums = [[0.0; LANES]; MAX_PORTS];
    for i in 0..n {
        let (omega2, a12, bq, q, v) = (omega2[i], a12[i], bq[i], q[i], v[i]);
        let way = way_of([&omega2, &a12, &bq], &q, &v);
        for (sum, row) in sums.iter_mut().zip(&rows[i * ports..(i + 1) * ports]) {
            add_row(sum, row, &way);
        }
    }
    all_reduced(&sums, ways);
}

#[inline(always)]
fn step_alone(step: PortStep, pickups: &[f64], (q, v): (&mut [f64], &mut [f64])) -> [f64; 2] {
    let n = q.len() / LANES;
    let [omega2, a12, a22, bq] = [step.omega2, step.a12, step.a22, step.bq].map(|column| blocks::<LANES>(column, n));
    let (pickups, q, v) = (port_blocks::<2>(pickups, n), blocks_mut::<LANES>(q, n), blocks_mut::<LANES>(v, n));
    let mut heard = [[0.0; LANES]; 2];
    for i in 0..n {
        let (omega2, a12, a22, bq, pickups) = (omega2[i], a12[i], a22[i], bq[i], pickups[i]);
        let (mut place, mut speed) = (q[i], v[i]);
        for lane in 0..LANES {
            let pulled = omega2[lane] * place[lane];
            place[lane] += a12[lane] * speed[lane] - bq[lane] * pulled;
            speed[lane] = a22[lane] * speed[lane] - a12[lane] * pulled;
        }
        for (sum, row) in heard.iter_mut().zip(&pickups) {
            add_row(sum, row, &speed);
        }
        (q[i], v[i]) = (place, speed);
    }
    both_reduced(&heard)
}

#[inline(always)]
fn step_by<const PORTS: usize>(
    step: PortStep,
    rows: PortRows,
    forces: [f64; PORTS],
    (q, v): (&mut [f64], &mut [f64]),
    ways: &mut [f64],
) -> [f64; 2] {
    let n = q.len() / LANES;
    let [omega2, a12, a22, bq] = [step.omega2, step.a12, step.a22, step.bq].map(|column| blocks::<LANES>(column, n));
    let (ports, pickups) = (port_blocks::<PORTS>(rows.ports, n), port_blocks::<2>(rows.pickups, n));
    let (q, v) = (blocks_mut::<LANES>(q, n), blocks_mut::<LANES>(v, n));
    let (mut sums, mut heard) = ([[0.0; LANES]; PORTS], [[0.0; LANES]; 2]);
    for i in 0..n {
        let (omega2, a12, a22, bq, ports, pickups) = (omega2[i], a12[i], a22[i], bq[i], ports[i], pickups[i]);
        let (before, speed_before) = (q[i], v[i]);
        let (mut pulled, mut place, mut speed) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            pulled[lane] = omega2[lane] * before[lane];
        }
        for (row, force) in ports.iter().zip(forces) {
            for lane in 0..LANES {
                pulled[lane] += row[lane] * force;
            }
        }
        for lane in 0..LANES {
            place[lane] = before[lane] + (a12[lane] * speed_before[lane] - bq[lane] * pulled[lane]);
            speed[lane] = a22[lane] * speed_before[lane] - a12[lane] * pulled[lane];
        }
        let way = way_of([&omega2, &a12, &bq], &place, &speed);
        for (sum, row) in sums.iter_mut().zip(&ports) {
            add_row(sum, row, &way);
        }
        for (sum, row) in heard.iter_mut().zip(&pickups) {
            add_row(sum, row, &speed);
        }
        (q[i], v[i]) = (place, speed);
    }
    all_reduced(&sums, ways);
    both_reduced(&heard)
}

/// Maximum number of blocks whose displacements many ports hear after one pass over them.
const TILE: usize = 16;

#[inline(always)]
fn step_by_many(step: PortStep, rows: PortRows, forces: &[f64], (q, v): (&mut [f64], &mut [f64]), ways: &mut [f64]) -> [f64; 2] {
    let (n, count) = (q.len() / LANES, forces.len().min(MAX_PORTS));
    let [omega2, a12, a22, bq] = [step.omega2, step.a12, step.a22, step.bq].map(|column| blocks::<LANES>(column, n));
    let (ports, pickups) = (blocks::<LANES>(rows.ports, n * count), port_blocks::<2>(rows.pickups, n));
    let (q, v) = (blocks_mut::<LANES>(q, n), blocks_mut::<LANES>(v, n));
    let (mut sums, mut heard) = ([[0.0; LANES]; MAX_PORTS], [[0.0; LANES]; 2]);
    let mut moved = [[0.0; LANES]; TILE];
    for first in (0..n).step_by(TILE) {
        let tile = first..n.min(first + TILE);
        for (i, moved) in tile.clone().zip(&mut moved) {
            let (omega2, a12, a22, bq, pickups) = (omega2[i], a12[i], a22[i], bq[i], pickups[i]);
            let (mut place, mut speed, mut pulled) = (q[i], v[i], [0.0; LANES]);
            for lane in 0..LANES {
                pulled[lane] = omega2[lane] * place[lane];
            }
            for (row, force) in ports[i * count..(i + 1) * count].iter().zip(forces) {
                for lane in 0..LANES {
                    pulled[lane] += row[lane] * force;
                }
            }
            for lane in 0..LANES {
                place[lane] += a12[lane] * speed[lane] - bq[lane] * pulled[lane];
                speed[lane] = a22[lane] * speed[lane] - a12[lane] * pulled[lane];
            }
            *moved = way_of([&omega2, &a12, &bq], &place, &speed);
            for (sum, row) in heard.iter_mut().zip(&pickups) {
                add_row(sum, row, &speed);
            }
            (q[i], v[i]) = (place, speed);
        }
        add_ways(&ports[tile.start * count..tile.end * count], &moved[..tile.len()], &mut sums[..count]);
    }
    all_reduced(&sums, ways);
    both_reduced(&heard)
}

/// Number of ports whose sums are kept in registers together.
const HEARD: usize = if HAS_FAST_VERSIONS { FEW } else { 1 };

/// Adds the displacements of many ports by those of the blocks `moved`.
#[inline(always)]
fn add_ways(rows: &[Lanes], moved: &[Lanes], sums: &mut [Lanes]) {
    let count = sums.len();
    let (groups, rest) = sums.as_chunks_mut::<HEARD>();
    let single = count - rest.len();
    for (group, sums) in groups.iter_mut().enumerate() {
        add_ways_of(rows, count, group * HEARD, moved, sums);
    }
    for (i, sum) in rest.as_chunks_mut::<1>().0.iter_mut().enumerate() {
        add_ways_of(rows, count, single + i, moved, sum);
    }
}

/// Adds those of the ports from number `first` of `count` on, whose sums stay in registers.
#[inline(always)]
fn add_ways_of<const PORTS: usize>(rows: &[Lanes], count: usize, first: usize, moved: &[Lanes], sums: &mut [Lanes; PORTS]) {
    let mut all = *sums;
    for (rows, way) in rows.chunks_exact(count).zip(moved) {
        let rows: &[Lanes; PORTS] = rows[first..].first_chunk().unwrap_or(&[[0.0; LANES]; PORTS]);
        for (sum, row) in all.iter_mut().zip(rows) {
            add_row(sum, row, way);
        }
    }
    *sums = all;
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: usize = 9 * LANES;

    fn column(seed: usize, length: usize) -> Vec<f64> {
        (0..length).map(|i| ((seed * 97 + i * 31) as f64).sin()).collect()
    }

    /// State, ways and pickups after one step with the first `count` of the weights of `row`, and forces of 1 N.
    fn stepped(count: usize, row: impl Fn(usize, usize) -> f64) -> (Vec<f64>, Vec<f64>, [f64; 2]) {
        let columns: Vec<_> = (0..4).map(|n| column(n, MODES)).collect();
        let step = PortStep { omega2: &columns[0], a12: &columns[1], a22: &columns[2], bq: &columns[3] };
        let block = |i: usize, port: usize| (i * LANES..(i + 1) * LANES).map(move |mode| (port, mode));
        let all = (0..MODES / LANES).flat_map(|i| (0..count).flat_map(move |port| block(i, port)));
        let ports: Vec<f64> = all.map(|(port, mode)| row(port, mode)).collect();
        let (mut q, mut v, mut ways) = (column(6, MODES), column(7, MODES), vec![0.0; count]);
        let rows = PortRows { ports: &ports, pickups: &column(5, 2 * MODES) };
        let heard = step_ports(step, rows, &vec![1.0; count], (&mut q, &mut v), &mut ways);
        let mut after = vec![0.0; count];
        port_ways(step, &ports, (&q, &v), &mut after);
        assert_eq!(ways, after, "{count} ports: the pass knows the ways of the next step");
        q.extend(v);
        (q, ways, heard)
    }

    /// Ports without weights change nothing, whichever of the passes steps them.
    #[test]
    fn every_number_of_ports_takes_the_same_step() {
        let alone = stepped(0, |_, _| 0.0);
        for count in 1..=MAX_PORTS {
            let silent = stepped(count, |_, _| 0.0);
            assert_eq!((&alone.0, alone.2), (&silent.0, silent.2), "{count} ports");
        }
        let weight = |port: usize, mode: usize| if port < 2 { ((port * 41 + mode * 7) as f64).cos() } else { 0.0 };
        let two = stepped(2, weight);
        for count in 3..=MAX_PORTS {
            let more = stepped(count, weight);
            assert_eq!((&two.0, &two.1[..], two.2), (&more.0, &more.1[..2], more.2), "{count} ports");
        }
    }
}
