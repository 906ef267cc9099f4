//! The potential of a supported rectangular plate as a list of coefficients: what [`PlatePotential`](super::PlatePotential) is on its
//! grid, for few modes and as its reference.
//!
//! ```text
//! modes (m, n), (m', n') meet the stress functions (|m-m'|, |n-n'|), (m+m', n+n') with  (m n' - n m')^2/4
//!                                                  (|m-m'|, n+n'), (m+m', |n-n'|) with -(m n' + n m')^2/4
//! held edges            two more with i = j: c (g_x + nu g_y), c (1 - nu^2)^1/2 g_y, c = (1 - nu^2)^-1/2/2, g the squares of the wave numbers
//! ```

use crate::bodies::rectangular::plate_potential::PlateEdges;
use crate::modal::{FormEntry, QuadraticForms};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The potential of modes with these numbers of half waves, in the units of [`PlatePotential`](super::PlatePotential). `aspect`: length over
/// width. Allocates.
pub fn plate_forms(aspect: f64, families: &[(u32, u32)], edges: PlateEdges) -> QuadraticForms {
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
    if let PlateEdges::Held(poisson) = edges {
        entries.extend(mean_strain(aspect, families, poisson, numbers.len()));
    }
    QuadraticForms::flat(families.len(), entries)
}

/// Coefficients of the mean strain of held edges, as forms number `first` and the next.
fn mean_strain(aspect: f64, families: &[(u32, u32)], poisson: f64, first: usize) -> Vec<FormEntry> {
    let rest = (1.0 - poisson * poisson).sqrt();
    let of_mode = |(i, &(m, n)): (usize, &(u32, u32))| {
        let (along, across) = ((f64::from(m) * PI).powi(2) / aspect, (f64::from(n) * PI).powi(2) * aspect);
        let entry = |form: usize, value: f64| FormEntry { form, modes: [i, i], value };
        [entry(first, 0.5 / rest * (along + poisson * across)), entry(first + 1, 0.5 * across)]
    };
    families.iter().enumerate().flat_map(of_mode).collect()
}
