//! Shapes on a round body: a radial profile times cos m theta or sin m theta.
//!
//! ```text
//! phi = R(r)                          m = 0
//! phi = sqrt2 R(r) cos m theta        m > 0, and its partner with sin m theta
//! ```
//!
//! The integral of 2 r R^2 from 0 to 1 is 1, hence the mean square of phi over the disc is 1. Profiles are tables of value and
//! slope, with Hermite's cubic between: (lambda h)^4/384 = 4e-6 of the amplitude for lambda h = 0.2. The angles follow from one
//! rotation per nodal diameter.

use crate::bodies::far_field::{FarField, Ray, Term};
use crate::bodies::modal_shape::{ModalShape, ShapeFunctions};
use crate::bodies::position::{BodyPosition, Rotation};
use std::f64::consts::{SQRT_2, TAU};
use std::sync::Arc;

/// lambda h, waves [rad] between two entries of a table.
const SPACING: f64 = 0.2;

/// Minimum number of intervals of a table.
const FEWEST_INTERVALS: usize = 8;

/// Which of the two modes with the same nodal lines, a quarter of a wave apart; without diameters there is only the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twin {
    Cosine,
    Sine,
}

/// A pair of modes, or a mode without diameters.
pub(crate) struct Pair {
    /// Nodal diameters and circles.
    pub family: (usize, usize),
    /// Frequency of the cosine mode, in any unit.
    pub frequency: f64,
    /// Waves [rad] over the radius: how fine its table must be.
    pub wave: f64,
}

/// Enough pairs for `modes` single modes, frequency = wave: `roots(m, end)` gives the waves of m diameters up to `end`, rising,
/// all above 0.8 m; `circles(m)` numbers the first of them.
pub(crate) fn pairs(modes: usize, roots: impl Fn(usize, f64) -> Vec<f64>, circles: impl Fn(usize) -> usize) -> Vec<Pair> {
    // Weyl: wave^2/4 modes are below
    let mut end = 2.0 * (modes as f64).sqrt() + 4.0;
    loop {
        let mut pairs = Vec::new();
        for m in (0..).take_while(|&m| 0.8 * m as f64 <= end) {
            let first = circles(m);
            pairs.extend(roots(m, end).into_iter().enumerate().map(|(i, wave)| Pair {
                family: (m, first + i),
                frequency: wave,
                wave,
            }));
        }
        if pairs.iter().map(Pair::singles).sum::<usize>() >= modes {
            return pairs;
        }
        end *= 1.1;
    }
}

impl Pair {
    /// Intervals of its table.
    pub(crate) fn intervals(&self) -> usize {
        ((self.wave / SPACING).ceil() as usize).max(FEWEST_INTERVALS)
    }

    /// Number of modes: two with diameters.
    fn singles(&self) -> usize {
        if self.family.0 > 0 { 2 } else { 1 }
    }
}

/// The lowest `modes` single modes of `pairs`, rising: (pair, twin, frequency); sine modes are `split` (relative) higher.
pub(crate) fn lowest(pairs: &[Pair], modes: usize, split: f64) -> Vec<(usize, Twin, f64)> {
    let mut singles = Vec::new();
    for (i, pair) in pairs.iter().enumerate() {
        singles.push((i, Twin::Cosine, pair.frequency));
        if pair.family.0 > 0 {
            singles.push((i, Twin::Sine, pair.frequency * (1.0 + split)));
        }
    }
    singles.sort_by(|a, b| a.2.total_cmp(&b.2));
    singles.truncate(modes);
    singles
}

#[derive(Clone, Debug)]
pub(crate) struct Round {
    /// (R, h R') of all tables, one after the other.
    entries: Vec<(f64, f64)>,
    /// By m, rising.
    profiles: Vec<Profile>,
    /// Whether the rim is free.
    pub free: bool,
}

/// A radial profile and the modes that have it.
#[derive(Clone, Copy, Debug)]
struct Profile {
    m: usize,
    first: usize,
    intervals: usize,
    cosine: Option<usize>,
    sine: Option<usize>,
}

impl Round {
    /// The modes `singles` of `pairs`; `profile(i, r)` gives R and dR/dr of pair i.
    pub(crate) fn new(pairs: &[Pair], singles: &[(usize, Twin, f64)], profile: impl Fn(usize, f64) -> (f64, f64)) -> Self {
        let mut round = Self { entries: Vec::new(), profiles: Vec::new(), free: false };
        let mut places = vec![(None, None); pairs.len()];
        for (mode, &(i, twin, _)) in singles.iter().enumerate() {
            match twin {
                Twin::Cosine => places[i].0 = Some(mode),
                Twin::Sine => places[i].1 = Some(mode),
            }
        }
        for (i, (pair, (cosine, sine))) in pairs.iter().zip(places).enumerate() {
            if cosine.is_none() && sine.is_none() {
                continue;
            }
            let intervals = pair.intervals();
            round.profiles.push(Profile { m: pair.family.0, first: round.entries.len(), intervals, cosine, sine });
            let h = 1.0 / intervals as f64;
            round.entries.extend((0..=intervals).map(|k| {
                let (value, slope) = profile(i, (k as f64 * h).min(1.0));
                (value, h * slope)
            }));
        }
        round.profiles.sort_by_key(|profile| profile.m);
        round
    }

    fn radial(&self, profile: &Profile, r: f64) -> f64 {
        let place = r * profile.intervals as f64;
        let interval = (place as usize).min(profile.intervals - 1);
        let t = place - interval as f64;
        let (left, left_slope) = self.entries[profile.first + interval];
        let (right, right_slope) = self.entries[profile.first + interval + 1];
        let rise = right - left;
        left + t * (left_slope + t * (3.0 * rise - 2.0 * left_slope - right_slope + t * (left_slope + right_slope - 2.0 * rise)))
    }

    /// The round body with these shapes, whose modal masses are all its mass; ratios to `unit`, `terms(i)` the profile of pair i.
    pub(crate) fn shape(
        self,
        pairs: &[Pair],
        singles: &[(usize, Twin, f64)],
        unit: f64,
        terms: impl Fn(usize) -> Vec<Term>,
    ) -> ModalShape {
        let ray = |&(i, twin, _): &(usize, Twin, f64)| Ray::new(pairs[i].family.0, twin == Twin::Sine, terms(i));
        let far = Some(FarField::new(singles.iter().map(ray).collect()));
        let families = singles.iter().map(|&(i, ..)| (pairs[i].family.0 as u32, pairs[i].family.1 as u32)).collect();
        let ratios = singles.iter().map(|&(.., frequency)| frequency / unit).collect();
        ModalShape { families, far, ..ModalShape::with(self, ratios) }
    }
}

impl ShapeFunctions for Round {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        let turn = TAU * place.across;
        let mut angle = Rotation::new(0.0, turn);
        let mut reached = 0;
        for profile in &self.profiles {
            while reached < profile.m {
                angle.advance();
                reached += 1;
            }
            let value = self.radial(profile, place.along) * if profile.m > 0 { SQRT_2 } else { 1.0 };
            for (mode, factor) in [(profile.cosine, angle.cos), (profile.sine, angle.sin)] {
                if let Some(phi) = mode.and_then(|i| out.get_mut(i)) {
                    *phi = value * factor;
                }
            }
        }
    }

    fn is_free(&self) -> bool {
        self.free
    }

    fn tilts(&self, place: BodyPosition, _x: f64, _y: f64) -> f64 {
        4.0 * place.along * place.along
    }

    fn subset(&self, kept: &[usize]) -> Option<Arc<dyn ShapeFunctions>> {
        Some(Arc::new(self.selected(kept)))
    }
}

impl Round {
    /// Without the profiles that are 0 everywhere: they take no time.
    pub(crate) fn without_still_profiles(mut self) -> Self {
        let entries = std::mem::take(&mut self.entries);
        let moves =
            |profile: &Profile| entries[profile.first..=profile.first + profile.intervals].iter().any(|&(value, _)| value != 0.0);
        self.profiles.retain(moves);
        for profile in &mut self.profiles {
            let own = profile.first..=profile.first + profile.intervals;
            profile.first = self.entries.len();
            self.entries.extend_from_slice(&entries[own]);
        }
        self
    }

    /// Only the modes `kept`, in that order.
    pub(crate) fn selected(&self, kept: &[usize]) -> Self {
        let own = self.profiles.iter().flat_map(|profile| [profile.cosine, profile.sine]).flatten();
        let modes = own.chain(kept.iter().copied()).max().map_or(0, |last| last + 1);
        let mut places = vec![None; modes];
        for (new, &old) in kept.iter().enumerate() {
            places[old] = Some(new);
        }
        let mut entries = Vec::new();
        let mut profiles = Vec::new();
        for profile in &self.profiles {
            let moved = |mode: Option<usize>| mode.and_then(|old| places[old]);
            let (cosine, sine) = (moved(profile.cosine), moved(profile.sine));
            if cosine.is_some() || sine.is_some() {
                profiles.push(Profile { first: entries.len(), cosine, sine, ..*profile });
                entries.extend_from_slice(&self.entries[profile.first..=profile.first + profile.intervals]);
            }
        }
        Self { entries, profiles, free: self.free }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// phi_i of a body of 1 kg.
    pub fn phi(shape: &ModalShape, place: BodyPosition) -> Vec<f64> {
        let mut out = vec![0.0; shape.len()];
        shape.weights_at_place(place, 1.0, &mut out);
        out
    }

    /// Calls `see` with places on the whole disc and their shares of its area: Simpson along the radius, exact in angle.
    fn sweep(shape: &ModalShape, mut see: impl FnMut(&[f64], f64)) {
        const RINGS: usize = 400;
        const RAYS: usize = 128;
        for ring in 0..=RINGS {
            let r = ring as f64 / RINGS as f64;
            let simpson = if ring == 0 || ring == RINGS { 1.0 } else { 2.0 + 2.0 * (ring % 2) as f64 };
            for ray in 0..RAYS {
                let place = BodyPosition { along: r, across: ray as f64 / RAYS as f64 };
                see(&phi(shape, place), 2.0 * r * simpson / (3 * RINGS * RAYS) as f64);
            }
        }
    }

    /// Largest difference of mean phi_i phi_j from the unit matrix.
    pub fn gram(shape: &ModalShape) -> f64 {
        let modes = shape.len();
        let mut sums = vec![0.0; modes * modes];
        sweep(shape, |phi, share| {
            for (row, a) in sums.chunks_mut(modes).zip(phi) {
                row.iter_mut().zip(phi).for_each(|(sum, b)| *sum += share * a * b);
            }
        });
        let off = |i: usize| (sums[i] - f64::from(u8::from(i / modes == i % modes))).abs();
        (0..sums.len()).map(off).fold(0.0, f64::max)
    }

    /// Mean of phi_i over the body.
    pub fn means(shape: &ModalShape) -> Vec<f64> {
        let mut sums = vec![0.0; shape.len()];
        sweep(shape, |phi, share| sums.iter_mut().zip(phi).for_each(|(sum, phi)| *sum += share * phi));
        sums
    }

    #[test]
    fn a_subset_keeps_its_modes() {
        let pairs = pairs(40, crate::bodies::circular::bessel::zeros, |_| 1);
        let singles = lowest(&pairs, 40, 0.01);
        let round = Round::new(&pairs, &singles, |i, r| crate::bodies::circular::bessel::j(pairs[i].family.0, pairs[i].wave * r));
        let kept = [0, 2, 3, 17, 38];
        let place = BodyPosition { along: 0.4, across: 0.3 };
        let (mut all, mut some) = ([0.0; 40], [0.0; 5]);
        round.shapes_at(place, &mut all);
        round.subset(&kept).expect("a round body selects its modes").shapes_at(place, &mut some);
        assert_eq!(some, kept.map(|i| all[i]));
        assert!(all.iter().all(|&phi| phi != 0.0));
    }
}
