//! Reduction of the modes of a dense body that keeps the driving-point mobility.
//!
//! Drum heads, plates and gongs have hundreds of modes within the band. Cut off above the first hundred, a body lacks the
//! mobility of the rest: it is too heavy at the strike point, and contacts are too short. Here the lowest modes are kept; above
//! them, each band of equal width in log frequency becomes one mode with
//!
//! ```text
//! w^2     = sum w_i^2                    mobility at the strike point
//! w^2/r^2 = sum w_i^2/r_i^2              compliance at the strike point
//! ```
//!
//! It has the shape of a mode of the band, times a factor from the first sum. The factor applies to hammers. For pickups, the
//! energy of the band, sum w_i^2 phi_i(pickup)^2, is right on average over places without the factor.

use crate::bodies::modal_shape::ModalShape;
use crate::bodies::position::BodyPosition;

/// Number of unchanged modes, at most half of the requested ones.
const STAYING: usize = 40;

/// Modes next to a band's centre among which the one with the smallest factor, for the strike point, is chosen.
const CANDIDATES: usize = 5;

/// The mode that represents a band.
struct Merged {
    mode: usize,
    ratio: f64,
    factor: f64,
    radiation: f64,
}

impl ModalShape {
    /// At most `modes` modes instead of all, for strikes at and near `strike`. A body with no more modes is unchanged.
    pub fn thinned(&self, modes: usize, strike: BodyPosition) -> Self {
        if self.len() <= modes {
            return self.clone();
        }
        let mut weights = vec![0.0; self.len()];
        self.weights_at_place(strike, 1.0, &mut weights);
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| self.ratios[a].total_cmp(&self.ratios[b]));
        let (low, dense) = order.split_at(STAYING.min(modes / 2));
        let stays = low.iter().map(|&mode| self.unchanged(mode));
        let mut merged: Vec<Merged> =
            stays.chain(self.bands(dense, modes - low.len()).map(|band| self.merge(band, &weights))).collect();
        merged.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
        self.made_of(&merged)
    }

    fn unchanged(&self, mode: usize) -> Merged {
        Merged { mode, ratio: self.ratios[mode], factor: 1.0, radiation: self.radiation(mode) }
    }

    /// `dense`, in order of frequency, in `count` bands of equal width in log frequency, without empty ones.
    fn bands<'a>(&self, dense: &'a [usize], count: usize) -> impl Iterator<Item = &'a [usize]> {
        let log = |mode: usize| self.ratios[mode].ln();
        let first = dense.first().map_or(0.0, |&mode| log(mode));
        let width = dense.last().map_or(0.0, |&mode| log(mode)) - first;
        let scale = if width > 0.0 { count as f64 / width } else { 0.0 };
        let band = move |mode: usize| (((self.ratios[mode].ln() - first) * scale) as usize).min(count.max(1) - 1);
        dense.chunk_by(move |&a, &b| band(a) == band(b))
    }

    /// One mode for those of `band`.
    fn merge(&self, band: &[usize], weights: &[f64]) -> Merged {
        if let [mode] = band {
            return self.unchanged(*mode);
        }
        let sum = |value: &dyn Fn(usize) -> f64| band.iter().map(|&mode| weights[mode].powi(2) * value(mode)).sum::<f64>();
        let mobility = sum(&|_| 1.0);
        if mobility < f64::MIN_POSITIVE {
            // struck at a node of all modes: their mean weight elsewhere
            let middle = band[band.len() / 2];
            return Merged { factor: (band.len() as f64).sqrt(), ..self.unchanged(middle) };
        }
        let ratio = (mobility / sum(&|mode| self.ratios[mode].powi(-2))).sqrt();
        let mut near = band.to_vec();
        near.sort_by(|&a, &b| (self.ratios[a] - ratio).abs().total_cmp(&(self.ratios[b] - ratio).abs()));
        near.truncate(CANDIDATES);
        let best = near.into_iter().max_by(|&a, &b| weights[a].abs().total_cmp(&weights[b].abs()));
        let best = best.filter(|&mode| weights[mode] != 0.0);
        // all of the nearest may have a node there
        let strongest = || band.iter().copied().max_by(|&a, &b| weights[a].abs().total_cmp(&weights[b].abs()));
        let mode = best.or_else(strongest).unwrap_or(band[0]);
        let radiation = sum(&|mode| self.radiation(mode)) / mobility;
        Merged { mode, ratio, factor: mobility.sqrt() / weights[mode].abs(), radiation }
    }

    fn made_of(&self, merged: &[Merged]) -> Self {
        let kept: Vec<usize> = merged.iter().map(|one| one.mode).collect();
        Self {
            ratios: merged.iter().map(|one| one.ratio).collect(),
            mobilities: kept.iter().map(|&mode| self.mobilities[mode]).collect(),
            factors: merged.iter().map(|one| one.factor * self.factor(one.mode)).collect(),
            decays: kept.iter().map(|&mode| self.decays[mode]).collect(),
            slowness: kept.iter().filter_map(|&mode| self.slowness.get(mode).copied()).collect(),
            families: kept.iter().filter_map(|&mode| self.families.get(mode).copied()).collect(),
            radiations: merged.iter().map(|one| one.radiation).collect(),
            far: self.far.as_ref().map(|far| far.subset(&kept)),
            functions: self.functions_of(&kept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::circular_modes::tests::phi;
    use crate::bodies::edge::EdgeSupport;
    use crate::bodies::material::Losses;
    use crate::contact::ContactLaw;
    use crate::lab::Contact;
    use crate::lab::Corrections;
    use crate::lab::Method;
    use crate::lab::{Experiment, LabMode, LabStriker};

    fn moments(shape: &ModalShape, place: BodyPosition) -> (f64, f64) {
        let weights = phi(shape, place);
        let squares = weights.iter().map(|w| w * w);
        let mobility = squares.clone().sum();
        (mobility, squares.enumerate().map(|(i, square)| square / shape.ratio(i).powi(2)).sum())
    }

    #[test]
    fn mobility_and_compliance_stay() {
        let strike = BodyPosition { along: 0.3, across: 0.07 };
        for shape in
            [ModalShape::head(520, 0.004), ModalShape::disc(EdgeSupport::Free, 0.33, 800, 0.004), ModalShape::string(700)]
        {
            let thin = shape.thinned(96, strike);
            assert!((80..=96).contains(&thin.len()), "{}", thin.len());
            for i in 0..STAYING {
                assert_eq!((thin.ratio(i), thin.family(i)), (shape.ratio(i), shape.family(i)));
            }
            assert!((1..thin.len()).all(|i| thin.ratio(i) >= thin.ratio(i - 1)));
            let (all, left) = (moments(&shape, strike), moments(&thin, strike));
            assert!((left.0 / all.0 - 1.0).abs() < 1e-12 && (left.1 / all.1 - 1.0).abs() < 1e-12, "{all:?} {left:?}");
            assert_eq!(thin.suspended(), shape.suspended());
        }
    }

    #[test]
    fn a_body_with_few_modes_stays_as_it_is() {
        let (shape, strike) = (ModalShape::head(90, 0.0), BodyPosition { along: 0.4, across: 0.0 });
        assert_eq!(phi(&shape.thinned(96, strike), strike), phi(&shape, strike));
    }

    /// At the centre all modes with diameters have a node: they are kept, with their weights elsewhere.
    #[test]
    fn a_strike_at_the_centre_leaves_modes_for_other_places() {
        let centre = BodyPosition { along: 0.0, across: 0.0 };
        let shape = ModalShape::head(520, 0.0);
        let thin = shape.thinned(96, centre);
        assert!((moments(&thin, centre).0 / moments(&shape, centre).0 - 1.0).abs() < 1e-12);
        let elsewhere = phi(&thin, BodyPosition { along: 0.5, across: 0.1 });
        assert!(elsewhere.iter().all(|w| w.is_finite()) && elsewhere.iter().filter(|w| w.abs() > 0.1).count() > 60);
    }

    /// Energy at pickups after a strike, sum (w_i(strike) phi_i(pickup))^2 above the unchanged modes, on average over places.
    #[test]
    fn pickup_energy_of_thinned_modes_is_that_of_all() {
        let strike = BodyPosition { along: 0.3, across: 0.07 };
        let shape = ModalShape::head(520, 0.004);
        let thin = shape.thinned(96, strike);
        let heard = |shape: &ModalShape| {
            let (struck, mut sum, mut levels) = (phi(shape, strike), 0.0, vec![0.0; shape.len()]);
            for step in 0..4000 {
                let (u, turn) = (f64::from(step) + 0.5, f64::from(step) * 0.618_033_988_749_895);
                shape.heard_at_place(BodyPosition { along: (u / 4000.0).sqrt(), across: turn.fract() }, 1.0, &mut levels);
                sum += struck.iter().zip(&levels).skip(STAYING).map(|(w, phi)| (w * phi).powi(2)).sum::<f64>();
            }
            sum
        };
        let off = heard(&thin) / heard(&shape);
        assert!((off - 1.0).abs() < 0.02, "{off}");
    }

    /// First contact of a stick of 15 g at 2 m/s on a head of 26 g at 150 Hz with the mass of its air and second head.
    fn stroke(shape: &ModalShape, strike: BodyPosition) -> Contact {
        let (pitch, mass) = (150.0, 0.026 * 1.8);
        let skin = Losses { constant: 5.0, structural: 0.012 / std::f64::consts::PI, viscous: 0.0 };
        let weights = phi(shape, strike);
        let body = (0..shape.len()).map(|i| {
            let frequency = pitch * shape.ratio(i);
            let round = if shape.family(i).is_some_and(|(m, _)| m == 0) { 3.0 } else { 0.0 };
            LabMode { frequency, decay: skin.sigma(frequency) + round, mass, shape: weights[i] }
        });
        let experiment = Experiment {
            sample_rate: 48e3,
            duration: None,
            substeps_per_contact: 48.0,
            law: ContactLaw::hunt_crossley(5e6, 1.5, 0.25),
            method: Method::Edg,
            corrections: Corrections::None,
            striker: LabStriker { mass: 0.015, velocity: 2.0, position: 0.0, gravity: 0.0, modes: Vec::new() },
            body: body.collect(),
        };
        let report = experiment.run(&mut |_| ());
        report.contacts[0].clone()
    }

    #[test]
    fn a_thinned_tom_rebounds_the_stick_like_the_full_one() {
        for strike in [
            BodyPosition { along: 0.3, across: 0.0 },
            BodyPosition { along: 0.55, across: 0.07 },
            BodyPosition { along: 0.0, across: 0.0 },
        ] {
            let whole = ModalShape::head(520, 0.004);
            let all = stroke(&whole, strike);
            let thin = stroke(&whole.thinned(96, strike), strike);
            let cut = stroke(&ModalShape::head(96, 0.004), strike);
            let time = |contact: &Contact| contact.duration.unwrap();
            assert!((thin.energy_body / all.energy_body - 1.0).abs() < 0.01);
            assert!(strike.along == 0.0 || (time(&cut) / time(&all) - 1.0).abs() > 0.05, "a plain cut is far off");
            assert!((time(&thin) / time(&all) - 1.0).abs() < 0.01);
            assert!((thin.peak_force / all.peak_force - 1.0).abs() < 0.01);
        }
    }
}
