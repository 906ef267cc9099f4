//! The potential of a supported rectangular plate as a list of coefficients: what [`PlatePotential`](super::PlatePotential) is on its
//! grid, for few modes and as its reference.
//!
//! ```text
//! modes (m, n), (m', n') meet the stress functions (|m-m'|, |n-n'|), (m+m', n+n') with  (m n' - n m')^2/4
//!                                                  (|m-m'|, n+n'), (m+m', |n-n'|) with -(m n' + n m')^2/4
//! ```

use crate::modal::{FormEntry, QuadraticForms};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The potential of modes with these numbers of half waves, for edges that slide, in the units of
/// [`PlatePotential`](super::PlatePotential).
pub fn plate_forms(aspect: f64, families: &[(u32, u32)]) -> QuadraticForms {
    let (mut numbers, mut entries) = (BTreeMap::new(), Vec::new());
    for (i, &(m, n)) in families.iter().enumerate() {
        for (j, &(other_m, other_n)) in families.iter().enumerate().skip(i) {
            let [straight, crossed] = [m * other_n, n * other_m].map(f64::from);
            let (less, more) = ((straight - crossed).powi(2) / 4.0, -(straight + crossed).powi(2) / 4.0);
            let (dm, dn, sm, sn) = (m.abs_diff(other_m), n.abs_diff(other_n), m + other_m, n + other_n);
            for (p, r, share) in [(dm, dn, less), (sm, sn, less), (dm, sn, more), (sm, dn, more)] {
                if share == 0.0 || p + r == 0 {
                    continue;
                }
                let count = numbers.len();
                let form = *numbers.entry((p, r)).or_insert(count);
                let kappa = (f64::from(p) * PI).powi(2) / aspect + (f64::from(r) * PI).powi(2) * aspect;
                let doubled = |p: u32| if p == 0 { 2.0_f64 } else { 1.0 };
                let norm = (0.25 * doubled(p) * doubled(r)).sqrt();
                let pair = if i == j { 1.0 } else { 2.0 };
                entries.push(FormEntry { form, modes: [i, j], value: 2.0 * norm / kappa * PI.powi(4) * share * pair });
            }
        }
    }
    QuadraticForms::flat(families.len(), entries)
}
