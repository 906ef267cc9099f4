//! Changes of the modes of a body: reduction of their number, edits of single modes, and irregularity.
//!
//! The reduction of a dense body keeps the driving-point mobility. Drum heads, plates and gongs have hundreds of modes within the
//! band. Cut off above the first hundred, a body lacks the mobility of the rest: it is too heavy at the strike point, and contacts
//! are too short. Here the lowest modes are kept; above them, each band of equal width in log frequency becomes one mode with
//!
//! ```text
//! w^2     = sum w_i^2                    mobility at the strike point
//! w^2/r^2 = sum w_i^2/r_i^2              compliance at the strike point
//! ```
//!
//! It has the shape of a mode of the band, times a factor from the first sum. The factor applies to hammers. For pickups, the
//! energy of the band, sum w_i^2 phi_i(pickup)^2, is right on average over places without the factor.
//!
//! Irregular bodies have frequency ratios changed by dishing, and a random detuning of each family of modes:
//!
//! ```text
//! r'  = r^p (1 + s g)      g: random, mean square 1, between -3.5 and 3.5, the same for the modes of a pair
//! ```
//!
//! Flat plates follow Chladni's law f = C (m + 2 n)^2 for m diameters and n circles, dished ones, gongs and cymbals, one with a
//! power of 1.4 to 2 (Rossing and Peterson, "Vibrations of plates, gongs, and cymbals", Percussive Notes 1982): p is half of it.

use crate::bodies::modal_shape::{ModalShape, selected};
use crate::bodies::position::BodyPosition;
use crate::random::SplitMix64;

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
        self.thinned_above(STAYING.min(modes / 2), modes, strike)
    }

    /// The same with the lowest `staying` modes unchanged.
    pub fn thinned_above(&self, staying: usize, modes: usize, strike: BodyPosition) -> Self {
        if self.len() <= modes {
            return self.clone();
        }
        let order = self.rising();
        let (low, dense) = order.split_at(staying.min(modes.saturating_sub(1)));
        let dense = self.merged(dense, modes - low.len(), strike);
        self.made_in_order(low.iter().map(|&mode| self.unchanged(mode)).chain(dense).collect())
    }

    /// The same of a drum with two heads. `behind`: where something touches the resonant head, which then keeps up to half of the modes above the
    /// lowest, else up to a quarter.
    pub fn thinned_heads(&self, modes: usize, strike: BodyPosition, behind: Option<BodyPosition>) -> Self {
        if self.len() <= modes {
            return self.clone();
        }
        let order = self.rising();
        let (low, dense) = order.split_at(STAYING.min(modes / 2));
        let (resonant, batter): (Vec<usize>, Vec<usize>) = dense.iter().partition(|&&mode| self.is_resonant(mode));
        let places = modes - low.len();
        let most = if behind.is_some() { places / 2 } else { places / 4 };
        let resonant = self.merged(&resonant, most.min(resonant.len()), behind.unwrap_or(strike));
        let batter = self.merged(&batter, places - resonant.len(), strike);
        self.made_in_order(low.iter().map(|&mode| self.unchanged(mode)).chain(resonant).chain(batter).collect())
    }

    /// Without the modes that move the resonant head of a drum alone: no strike on the batter head makes them sound.
    pub fn shared_by_batter(&self) -> Self {
        let kept: Vec<usize> = (0..self.len()).filter(|&mode| self.is_shared(mode)).collect();
        if kept.len() == self.len() { self.clone() } else { self.only(&kept) }
    }

    /// Its modes in order of frequency.
    fn rising(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| self.ratios[a].total_cmp(&self.ratios[b]));
        order
    }

    /// At most `count` modes for those of `dense`, for strikes at `place`.
    fn merged(&self, dense: &[usize], count: usize, place: BodyPosition) -> Vec<Merged> {
        let mut weights = vec![0.0; self.len()];
        self.weights_at_place(place, 1.0, &mut weights);
        self.bands(dense, count).map(|band| self.merge(band, &weights)).collect()
    }

    fn made_in_order(&self, mut merged: Vec<Merged>) -> Self {
        merged.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
        self.made_of(&merged)
    }

    /// Its `count` lowest modes, in rising order.
    pub fn lowest(&self, count: usize) -> Self {
        let mut order = self.rising();
        order.truncate(count);
        self.only(&order)
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

    /// Mean square slope of the mode that represents a band: that of its frequency.
    fn slope_at(&self, one: &Merged) -> f64 {
        self.slope_square(one.mode) * (one.ratio / self.ratios[one.mode]).powi(2)
    }

    fn made_of(&self, merged: &[Merged]) -> Self {
        let kept: Vec<usize> = merged.iter().map(|one| one.mode).collect();
        Self {
            ratios: merged.iter().map(|one| one.ratio).collect(),
            mobilities: kept.iter().map(|&mode| self.mobilities[mode]).collect(),
            factors: merged.iter().map(|one| one.factor * self.factor(one.mode)).collect(),
            decays: kept.iter().map(|&mode| self.decays[mode]).collect(),
            slowness: kept.iter().filter_map(|&mode| self.slowness.get(mode).copied()).collect(),
            slopes: if self.stretches() { merged.iter().map(|one| self.slope_at(one)).collect() } else { Vec::new() },
            families: kept.iter().filter_map(|&mode| self.families.get(mode).copied()).collect(),
            radiations: merged.iter().map(|one| one.radiation).collect(),
            far: self.far.as_ref().map(|far| far.subset(&kept)),
            statistical: 0,
            functions: selected(&self.functions, &kept),
        }
    }
}

/// Edit of one mode on top of geometry and material.
///
/// ```text
/// r'     = r R            R: ratio
/// M'     = M/G            G: gain; the level of a short strike at a pickup is as 1/M
/// sigma' = sigma/D        D: decay, on top of the losses at the new frequency
/// ```
///
/// A gain is a lighter mode, for hammer and pickups alike: the body remains physical and passive. G = 0 is a mode of infinite mass:
/// it does not move and is silent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trim {
    /// Number of the mode, from 0.
    pub mode: usize,
    /// Factor of its frequency, > 0.
    pub ratio: f64,
    /// Factor of its level, >= 0.
    pub gain: f64,
    /// Factor of its decay time, > 0.
    pub decay: f64,
}

impl ModalShape {
    /// The same body with `trims`, in rising order of frequency, and the former number of each mode. Trims of modes that do not
    /// exist are ignored.
    pub fn trimmed(&self, trims: &[Trim]) -> (Self, Vec<usize>) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        let mut moved = self.clone();
        moved.slowness.resize(self.len(), 1.0);
        for trim in trims.iter().filter(|trim| trim.mode < self.len()) {
            moved.ratios[trim.mode] *= trim.ratio;
            moved.mobilities[trim.mode] *= trim.gain.sqrt();
            moved.slowness[trim.mode] *= trim.decay;
        }
        if moved.slowness.iter().all(|&slowness| slowness == 1.0) {
            moved.slowness.clear();
        }
        order.sort_by(|&a, &b| moved.ratios[a].total_cmp(&moved.ratios[b]));
        if order.is_sorted() {
            return (moved, order);
        }
        (moved.only(&order), order)
    }
}

impl ModalShape {
    /// The same modes with their ratios to the power of `power` and detuned by `irregularity` (relative, root mean square),
    /// except for the one nearest to 1 and its partner of the same family; in rising order. The detuning is the same every time.
    pub fn uneven(&self, power: f64, irregularity: f64) -> Self {
        if power == 1.0 && irregularity == 0.0 {
            return self.clone();
        }
        let name = |i: usize| self.family(i).unwrap_or((i as u32, 0));
        let distance = |i: &usize| self.ratios[*i].ln().abs();
        let pitch = (0..self.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).map(name);
        let ratio = |i: usize| {
            let off = if Some(name(i)) == pitch { 0.0 } else { irregularity * deviation(name(i)) };
            self.ratios[i].powf(power) * (1.0 + off).max(0.1)
        };
        let ratios: Vec<f64> = (0..self.len()).map(ratio).collect();
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&a, &b| ratios[a].total_cmp(&ratios[b]));
        let mut moved = self.only(&order);
        moved.ratios = order.iter().map(|&i| ratios[i]).collect();
        moved
    }
}

/// A number of mean square 1 for a family: four uniform random numbers added.
fn deviation((m, n): (u32, u32)) -> f64 {
    let mut random = SplitMix64::new((u64::from(m) << 32 | u64::from(n)) ^ 0x5EED);
    3_f64.sqrt() * (0..4).map(|_| random.uniform() - 0.5).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::circular_modes::tests::phi;
    use crate::bodies::material::Losses;
    use crate::bodies::modal_shape::tests::shapes;
    use crate::bodies::position::{BodyPosition, EdgeSupport};
    use crate::bodies::shells::Bell;
    use crate::contact::ContactLaw;
    use crate::lab::{Contact, Corrections, Experiment, LabMode, LabStriker, Method};

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

    fn trim(mode: usize, ratio: f64, gain: f64) -> Trim {
        Trim { mode, ratio, gain, decay: 1.0 }
    }

    #[test]
    fn a_gain_is_as_much_less_mass_for_hammer_and_pickup() {
        let bar = ModalShape::bar(5);
        let (louder, order) = bar.trimmed(&[trim(2, 1.0, 4.0), trim(3, 1.0, 0.0), trim(9, 1.0, 7.0)]);
        assert_eq!(order, [0, 1, 2, 3, 4]);
        let (before, after) = (shapes(&bar, 0.13), shapes(&louder, 0.13));
        for (i, factor) in [1.0, 1.0, 2.0, 0.0, 1.0].into_iter().enumerate() {
            assert!((after[i] - factor * before[i]).abs() < 1e-15, "mode {i}");
        }
    }

    /// A mode that is moved past others keeps its shape, its family and its far field.
    #[test]
    fn modes_stay_in_order_of_frequency() {
        let disc = ModalShape::disc(EdgeSupport::Free, 0.33, 40, 0.004);
        let (moved, order) = disc.trimmed(&[trim(1, 3.0, 1.0), Trim { decay: 5.0, ..trim(6, 0.5, 1.0) }]);
        assert!((1..40).all(|i| moved.ratio(i) >= moved.ratio(i - 1)));
        let place = BodyPosition { along: 0.7, across: 0.1 };
        let weights = |shape: &ModalShape| {
            let (mut near, mut far) = (vec![0.0; 40], vec![0.0; 40]);
            shape.weights_at_place(place, 1.0, &mut near);
            shape.far_at_place(place, 1.0, |_| 1.0, &mut far);
            (near, far)
        };
        let (before, after) = (weights(&disc), weights(&moved));
        assert_ne!(order, (0..40).collect::<Vec<_>>());
        for (i, &from) in order.iter().enumerate() {
            assert_eq!((moved.family(i), moved.decay_factors(i)), (disc.family(from), if from == 6 { 5.0 } else { 1.0 }));
            assert!((after.0[i] - before.0[from]).abs() < 1e-12 && (after.1[i] - before.1[from]).abs() < 1e-12, "mode {i}");
        }
    }

    #[test]
    fn no_edits_change_nothing() {
        let (bar, order) = ModalShape::bar(7).trimmed(&[]);
        assert_eq!((order, shapes(&bar, 0.3)), ((0..7).collect(), shapes(&ModalShape::bar(7), 0.3)));
        assert!(bar.slowness.is_empty());
    }

    #[test]
    fn deviations_have_mean_square_one() {
        let all: Vec<f64> = (0..60).flat_map(|m| (0..60).map(move |n| deviation((m, n)))).collect();
        let mean = |of: fn(f64) -> f64| all.iter().map(|&g| of(g)).sum::<f64>() / all.len() as f64;
        assert!(mean(|g| g).abs() < 0.05 && (mean(|g| g * g) - 1.0).abs() < 0.05);
        assert!(all.iter().all(|g| g.abs() < 3.5));
    }

    /// Pairs keep their split, shapes follow their modes, the pitch is unchanged.
    #[test]
    fn modes_move_by_families() {
        let disc = ModalShape::disc(EdgeSupport::Free, 0.33, 80, 0.004);
        let moved = disc.uneven(0.9, 0.03);
        assert!((1..80).all(|i| moved.ratio(i) >= moved.ratio(i - 1)));
        let place = BodyPosition { along: 0.8, across: 0.1 };
        let (before, after) = (phi(&disc, place), phi(&moved, place));
        for (i, before) in before.iter().enumerate() {
            let family = disc.family(i);
            let twin = (0..i).any(|k| disc.family(k) == family);
            let there = (0..80).filter(|&k| moved.family(k) == family).nth(usize::from(twin)).unwrap();
            assert!((after[there] - before).abs() < 1e-12, "{family:?}");
            if twin {
                let pair = (0..80).find(|&k| moved.family(k) == family).unwrap();
                assert!((moved.ratio(there) / moved.ratio(pair) - 1.004_f64.powf(0.9)).abs() < 1e-9);
            }
            let off = moved.ratio(there) / disc.ratio(i).powf(0.9) - 1.0;
            assert!(off.abs() < 0.03 * 3.5 && (off == 0.0 || i > 1), "{family:?}: {off}");
        }
        assert_eq!(moved.ratio(0), 1.0);
        let bell = ModalShape::bell(&Bell::tuned(), 20);
        let off = bell.uneven(1.0, 0.02);
        assert!((2..4).all(|i| off.ratio(i) == bell.ratio(i)) && off.ratio(5) != bell.ratio(5));
    }
}
