//! A step of modes that share one tension, with a single contact.
//!
//! ```text
//! e1 - e0 = c0 - c1 F + c2 F^2         F: force of the contact; the other symbols as in `tension_loops`
//! ```
//!
//! With a single contact G = Wt F. One pass under T yields the coefficients, and no displacement is stored before T and F are found.

use crate::modal::mode_bank::ModeBank;
use crate::modal::propagator::StepTable;
use crate::modal::simd::{blocks, blocks_mut};
use crate::modal::tension_loops::{HALF, StretchChange, both};

/// A step under a tension at the only contact, as a function of its force F.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StretchAtContact {
    /// Sum of Wt p [m].
    pub way: f64,
    /// Sum of Wt^2 bq d [m/N].
    pub compliance: f64,
    /// Coefficients of 1, -F and F^2 in e1 - e0.
    change: [f64; 3],
    /// The same of -d e1/dT.
    slope: [f64; 3],
}

impl StretchAtContact {
    /// The change of e under the force F [N].
    pub fn under(&self, force: f64) -> StretchChange {
        let at = |[a, b, c]: [f64; 3]| a - force * (b - force * c);
        StretchChange { change: at(self.change), slope: at(self.slope), curvature: 0.0 }
    }
}

/// A tension and the force of the only contact.
#[derive(Clone, Copy)]
pub(crate) struct ContactLoad<'a> {
    /// T.
    pub tension: f64,
    /// Wt.
    pub weights: &'a [f64],
    /// F [N].
    pub force: f64,
}

impl ModeBank {
    /// The step under a tension at the only contact: see [`stretch_at_contact`]. Writes d into `softness`.
    pub(crate) fn stretch_at_contact(
        &self,
        half_stretch: &[f64],
        weights: &[f64],
        tension: f64,
        softness: &mut [f64],
    ) -> StretchAtContact {
        let felt = self.felt;
        let state = [&self.modes.q[..felt], &self.dq[..felt]];
        stretch_at_contact(
            [&self.table().bq[..felt], &half_stretch[..felt]],
            &weights[..felt],
            tension,
            state,
            &mut softness[..felt],
        )
    }

    /// Makes that step, under the tension and the force of `load`, the predicted one; `sums` become the displacements before and after it, added.
    /// e1 - e0.
    pub(crate) fn load_at_contact(&mut self, half_stretch: &[f64], load: ContactLoad, softness: &[f64], sums: &mut [f64]) -> f64 {
        let Self { tables, current, modes, dq, vf, felt, .. } = self;
        let (StepTable { bq, a12, .. }, felt) = (&tables[*current], *felt);
        let load = ContactLoad { weights: &load.weights[..felt], ..load };
        let changed = [&mut sums[..felt], &mut dq[..felt], &mut vf[..felt]];
        step_at_contact([&bq[..felt], &a12[..felt], &half_stretch[..felt]], load, [&softness[..felt], &modes.q[..felt]], changed)
    }
}

/// The step under the tension T at the only contact, with the weights Wt. Writes d.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn stretch_at_contact(
    [bq, half_stretch]: [&[f64]; 2],
    weights: &[f64],
    tension: f64,
    [q, dq]: [&[f64]; 2],
    softness: &mut [f64],
) -> StretchAtContact {
    let n = q.len() / HALF;
    let (bq, half_stretch, weights) = (blocks::<HALF>(bq, n), blocks::<HALF>(half_stretch, n), blocks::<HALF>(weights, n));
    let (q, dq, softness) = (blocks::<HALF>(q, n), blocks::<HALF>(dq, n), blocks_mut::<HALF>(softness, n));
    let (mut way, mut compliance) = ([0.0; HALF], [0.0; HALF]);
    let (mut change, mut slope) = ([[0.0; HALF]; 3], [[0.0; HALF]; 3]);
    for i in 0..n {
        let (bq, half_stretch, weights, q, dq) = (bq[i], half_stretch[i], weights[i], q[i], dq[i]);
        let mut d = [0.0; HALF];
        for lane in 0..HALF {
            let held = bq[lane] * half_stretch[lane] * tension;
            d[lane] = 1.0 / (1.0 + held);
            let p = (dq[lane] - 2.0 * held * q[lane]) * d[lane];
            let sum = (2.0 * q[lane] + dq[lane]) * d[lane];
            let soft = bq[lane] * d[lane];
            let yielding = soft * weights[lane];
            way[lane] += weights[lane] * p;
            compliance[lane] += weights[lane] * yielding;
            let (stretched, pulled) = (half_stretch[lane] * sum, half_stretch[lane] * yielding);
            change[0][lane] += stretched * p;
            change[1][lane] += pulled * (sum + p);
            change[2][lane] += pulled * yielding;
            let (steep, after) = (2.0 * half_stretch[lane] * soft, q[lane] + p);
            slope[0][lane] += steep * (stretched * after);
            slope[1][lane] += steep * (pulled * (sum + after));
            slope[2][lane] += steep * (pulled * yielding);
        }
        softness[i] = d;
    }
    let (way, compliance) = both(&way, &compliance);
    let ((a, b), (c, d)) = (both(&change[0], &change[1]), both(&change[2], &slope[0]));
    let (e, f) = both(&slope[1], &slope[2]);
    StretchAtContact { way, compliance, change: [a, b, c], slope: [d, e, f] }
}

/// The step under the tension and the force that have been found, with d of that tension: dq becomes m, vf the velocity after it, `sums` q0 + q1.
/// e1 - e0.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn step_at_contact(
    [bq, a12, half_stretch]: [&[f64]; 3],
    ContactLoad { tension, weights, force }: ContactLoad,
    [softness, q]: [&[f64]; 2],
    [sums, dq, vf]: [&mut [f64]; 3],
) -> f64 {
    let n = q.len() / HALF;
    let (bq, a12, half_stretch) = (blocks::<HALF>(bq, n), blocks::<HALF>(a12, n), blocks::<HALF>(half_stretch, n));
    let (weights, softness, q) = (blocks::<HALF>(weights, n), blocks::<HALF>(softness, n), blocks::<HALF>(q, n));
    let [sums, dq, vf] = [sums, dq, vf].map(|array| blocks_mut::<HALF>(array, n));
    let mut change = [0.0; HALF];
    for i in 0..n {
        let (bq, a12, half_stretch, weights) = (bq[i], a12[i], half_stretch[i], weights[i]);
        let (d, q, free, mut speed) = (softness[i], q[i], dq[i], vf[i]);
        let (mut moved, mut sum) = ([0.0; HALF], [0.0; HALF]);
        for lane in 0..HALF {
            let held = bq[lane] * half_stretch[lane] * tension;
            let load = weights[lane] * force;
            let pulled = bq[lane] * d[lane] * load;
            moved[lane] = (free[lane] - 2.0 * held * q[lane]) * d[lane] - pulled;
            sum[lane] = (2.0 * q[lane] + free[lane]) * d[lane] - pulled;
            let stretched = half_stretch[lane] * sum[lane];
            change[lane] += stretched * moved[lane];
            speed[lane] -= a12[lane] * (load + tension * stretched);
        }
        (sums[i], dq[i], vf[i]) = (sum, moved, speed);
    }
    both(&change, &change).0
}
