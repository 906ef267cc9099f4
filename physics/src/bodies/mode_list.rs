//! A body given as a list of modes: measured bodies and others without a formula.

use crate::bodies::circular::{j, membrane_term, zeros};
use crate::bodies::far_field::{FarField, Ray};
use crate::bodies::modal_shape::{ModalShape, ShapeFunctions};
use crate::bodies::position::{BodyPosition, Rotation, RoundMode};
use crate::bodies::shells::TURN;
use std::f64::consts::{PI, SQRT_2, TAU};

/// One mode of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListMode {
    /// Frequency over that of the mode with ratio 1; > 0.
    pub ratio: f64,
    /// Decay rate sigma [1/s] of its own.
    pub decay: Option<f64>,
    /// Modal mass over the body's mass; > 0.
    pub mass: f64,
    /// Its shape.
    pub shape: ListShape,
}

/// Shape phi of one mode of a list, scaled so that its mean square over the body is 1.
#[derive(Clone, Debug, PartialEq)]
pub enum ListShape {
    /// sqrt2 cos(n pi xi), n >= 1.
    Cosine(usize),
    /// Signed values at equally spaced places from one end to the other; in between, the cubic through the four nearest.
    Drawn(Vec<f64>),
    /// sqrt2 cos(pi (half_waves xi + phase)).
    Wave {
        /// Half waves between the ends.
        half_waves: f64,
        /// Phase [half waves] at xi = 0; -0.5 gives a sine.
        phase: f64,
    },
    /// Of a round body, [`RoundMode`].
    Round(RoundMode),
}

impl ModalShape {
    /// Mode i of a drum head or disc.
    pub fn round_mode(&self, i: usize) -> Option<RoundMode> {
        let (diameters, circles) = self.family(i)?;
        Some(RoundMode { diameters, circles, second: self.far.as_ref()?.is_sine(i)? })
    }

    /// A list of modes, in the order given; `free`: the body is unsupported.
    pub fn list(modes: &[ListMode], free: bool) -> Self {
        let family = |mode: &ListMode| match mode.shape {
            ListShape::Round(round) => (round.diameters, round.circles),
            _ => (0, 0),
        };
        let round = modes.iter().any(|mode| matches!(mode.shape, ListShape::Round(_)));
        Self {
            mobilities: modes.iter().map(|mode| 1.0 / mode.mass.sqrt()).collect(),
            decays: modes.iter().map(|mode| mode.decay).collect(),
            families: if round { modes.iter().map(family).collect() } else { Vec::new() },
            far: rays(modes).map(FarField::new),
            ..Self::with(List::new(modes, free), modes.iter().map(|mode| mode.ratio).collect())
        }
    }
}

#[derive(Clone, Debug)]
struct List {
    /// Values of the drawn modes, one after the other.
    values: Vec<f64>,
    drawn: Vec<Drawn>,
    waves: Vec<(usize, f64, f64)>,
    rounds: Vec<Profile>,
    /// (n, mode) of the cosines, n rising.
    cosines: Vec<(usize, usize)>,
    /// Whether the body is unsupported.
    free: bool,
}

/// A mode with a drawn shape.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    mode: usize,
    first: usize,
    places: usize,
}

/// A mode of a round body.
#[derive(Clone, Copy, Debug)]
struct Profile {
    mode: usize,
    round: RoundMode,
    /// (z_mn, sqrt2/|J_{m+1}(z_mn)|, or 1 over it without diameters); none of a ring.
    wave: Option<(f64, f64)>,
}

impl List {
    fn new(modes: &[ListMode], free: bool) -> Self {
        let (drawn, waves, rounds, cosines) = Default::default();
        let mut list = Self { values: Vec::new(), drawn, waves, rounds, cosines, free };
        for (i, mode) in modes.iter().enumerate() {
            match &mode.shape {
                ListShape::Cosine(order) => list.cosines.push(((*order).max(1), i)),
                ListShape::Drawn(values) => {
                    list.drawn.push(Drawn { mode: i, first: list.values.len(), places: values.len() });
                    list.values.extend_from_slice(values);
                }
                ListShape::Wave { half_waves, phase } => list.waves.push((i, PI * half_waves, PI * phase)),
                ListShape::Round(round) => list.rounds.push(Profile { mode: i, round: *round, wave: head_wave(*round) }),
            }
        }
        list.cosines.sort_unstable();
        list
    }
}

impl ShapeFunctions for List {
    fn is_free(&self) -> bool {
        self.free
    }

    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        let xi = place.along;
        for drawn in &self.drawn {
            if let Some(phi) = out.get_mut(drawn.mode) {
                *phi = between(&self.values[drawn.first..drawn.first + drawn.places], xi);
            }
        }
        for &(mode, turn, phase) in &self.waves {
            if let Some(phi) = out.get_mut(mode) {
                *phi = SQRT_2 * (turn * xi + phase).cos();
            }
        }
        for profile in &self.rounds {
            if let Some(phi) = out.get_mut(profile.mode) {
                *phi = profile.shape_at(place);
            }
        }
        let mut angle = Rotation::new(PI * xi, PI * xi);
        let mut reached = 1;
        for &(order, mode) in &self.cosines {
            while reached < order {
                angle.advance();
                reached += 1;
            }
            if let Some(phi) = out.get_mut(mode) {
                *phi = SQRT_2 * angle.cos;
            }
        }
    }
}

impl Profile {
    fn shape_at(&self, place: BodyPosition) -> f64 {
        let RoundMode { diameters, second, .. } = self.round;
        let angle = f64::from(diameters) * TAU * place.across;
        let turned = |angle: f64| if second { angle.sin() } else { angle.cos() };
        match self.wave {
            Some((wave, amplitude)) => amplitude * j(diameters as usize, wave * place.along).0 * turned(angle),
            None => SQRT_2 * turned(angle - TURN),
        }
    }
}

/// Far field of a list of drum head modes; none for other lists.
fn rays(modes: &[ListMode]) -> Option<Vec<Ray>> {
    let ray = |mode: &ListMode| {
        let ListShape::Round(round) = mode.shape else { return None };
        let (wave, _) = head_wave(round)?;
        let diameters = round.diameters as usize;
        Some(Ray::new(diameters, round.second, vec![membrane_term(diameters, wave, 1.0)]))
    };
    modes.iter().map(ray).collect()
}

/// Wave and amplitude of a mode of a head; none for a ring.
fn head_wave(RoundMode { diameters, circles, .. }: RoundMode) -> Option<(f64, f64)> {
    let m = diameters as usize;
    let place = (circles as usize).checked_sub(1)?;
    // the n-th zero of J_m is below pi (n + m/2) + 2 for all m and n >= 1
    let mut end = PI * (circles as f64 + 0.5 * m as f64) + 2.0;
    let wave = loop {
        match zeros(m, end).get(place) {
            Some(&wave) => break wave,
            None => end *= 1.5,
        }
    };
    let pair: f64 = if m > 0 { SQRT_2 } else { 1.0 };
    Some((wave, pair / j(m, wave).1.abs()))
}

/// Polynomial through the (at most) four places next to xi, by Lagrange.
fn between(values: &[f64], xi: f64) -> f64 {
    let last = values.len() - 1;
    let place = xi * last as f64;
    let count = values.len().min(4);
    let first = (place as usize).saturating_sub(1).min(values.len() - count);
    let t = place - first as f64;
    let mut sum = 0.0;
    for (i, value) in values[first..first + count].iter().enumerate() {
        let others = (0..count).filter(|&j| j != i);
        sum += value * others.map(|j| (t - j as f64) / (i as f64 - j as f64)).product::<f64>();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::modal_shape::tests::shapes;

    fn mode(order: usize, shape: Vec<f64>) -> ListMode {
        let shape = if shape.is_empty() { ListShape::Cosine(order) } else { ListShape::Drawn(shape) };
        ListMode { ratio: order as f64, decay: None, mass: 1.0, shape }
    }

    #[test]
    fn a_mode_without_shape_is_a_cosine_whatever_its_place_in_the_list() {
        let shape = ModalShape::list(&[mode(3, vec![]), mode(200, vec![]), mode(1, vec![])], false);
        for xi in [0.0, 0.13, 0.5, 0.77, 1.0] {
            for (phi, n) in shapes(&shape, xi).into_iter().zip([3.0, 200.0, 1.0]) {
                assert!((phi - SQRT_2 * (n * PI * xi).cos()).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn places_are_met_and_cubics_run_between() {
        let cubic = |x: f64| 1.0 - 2.0 * x + 3.0 * x * x - 5.0 * x * x * x;
        let values: Vec<f64> = (0..7).map(|i| cubic(f64::from(i) / 6.0)).collect();
        let shape = ModalShape::list(&[mode(1, values.clone()), mode(2, vec![0.5]), mode(3, vec![1.0, -1.0])], false);
        for step in 0..=60 {
            let xi = f64::from(step) / 60.0;
            let phi = shapes(&shape, xi);
            assert!((phi[0] - cubic(xi)).abs() < 1e-14 && phi[1] == 0.5 && (phi[2] - (1.0 - 2.0 * xi)).abs() < 1e-15);
        }
        assert_eq!(shapes(&shape, 0.5)[0], values[3]);
    }

    /// 32 places a wave: the cubic errs by 3.5e-5 of the shape, by 6e-5 between the last two places.
    #[test]
    fn a_finely_drawn_shape_is_smooth() {
        let values = (0..65).map(|i| SQRT_2 * (4.0 * PI * f64::from(i) / 64.0).cos()).collect();
        let shape = ModalShape::list(&[mode(1, values)], false);
        for step in 0..=1000 {
            let xi = f64::from(step) / 1000.0;
            let off = (shapes(&shape, xi)[0] / SQRT_2 - (4.0 * PI * xi).cos()).abs();
            let inside = (1.0 / 64.0..=63.0 / 64.0).contains(&xi);
            assert!(off < if inside { 3.6e-5 } else { 6.2e-5 }, "{off:e} at {xi}");
        }
    }

    #[test]
    fn modal_mass_and_decay_are_the_modes_own() {
        let heavy = ListMode { ratio: 2.0, decay: Some(3.0), mass: 4.0, shape: ListShape::Drawn(vec![1.0]) };
        let shape = ModalShape::list(&[heavy, mode(1, vec![1.0])], false);
        assert_eq!(shapes(&shape, 0.3), [0.5, 1.0]);
        assert_eq!((shape.own_decay(0), shape.own_decay(1), shape.ratio(0)), (Some(3.0), None, 2.0));
        assert!(!shape.suspended());
    }

    fn phi(shape: ListShape, place: BodyPosition) -> f64 {
        let shape = ModalShape::list(&[ListMode { ratio: 1.0, decay: None, mass: 1.0, shape }], false);
        let mut out = [0.0];
        shape.weights_at_place(place, 1.0, &mut out);
        out[0]
    }

    fn round(diameters: u32, circles: u32, second: bool) -> ListShape {
        ListShape::Round(RoundMode { diameters, circles, second })
    }

    #[test]
    fn waves_are_cosines_with_a_phase() {
        let sine = |xi: f64| phi(ListShape::Wave { half_waves: 3.0, phase: -0.5 }, BodyPosition::line(xi));
        for xi in [0.0, 0.1, 0.77, 1.0] {
            assert!((sine(xi) - SQRT_2 * (3.0 * PI * xi).sin()).abs() < 1e-14);
        }
    }

    /// The shapes are those of a head, selected by family instead of by frequency.
    #[test]
    fn modes_of_a_head_are_those_of_the_membrane() {
        let head = ModalShape::head(40, 0.0);
        for place in [BodyPosition { along: 0.3, across: 0.1 }, BodyPosition { along: 0.8, across: 0.45 }] {
            let mut all = [0.0; 40];
            head.weights_at_place(place, 1.0, &mut all);
            for (i, expected) in all.into_iter().enumerate() {
                let (diameters, circles) = head.family(i).expect("a head has families");
                let second = i > 0 && head.family(i - 1) == head.family(i);
                let found = phi(round(diameters, circles, second), place);
                assert!((found - expected).abs() < 3e-5, "({diameters}, {circles}): {found} instead of {expected}");
            }
        }
    }

    #[test]
    fn far_field_of_listed_head_modes_is_that_of_the_membrane() {
        let head = ModalShape::head(20, 0.0);
        let second = |i: usize| i > 0 && head.family(i - 1) == head.family(i);
        let single = |i: usize| {
            let (diameters, circles) = head.family(i).expect("a head has families");
            ListMode { ratio: head.ratio(i), decay: None, mass: 1.0, shape: round(diameters, circles, second(i)) }
        };
        let list = ModalShape::list(&(0..20).map(single).collect::<Vec<_>>(), false);
        let (mut expected, mut found) = ([0.0; 20], [0.0; 20]);
        let place = BodyPosition { along: 0.64, across: 0.08 };
        head.far_at_place(place, 0.2, |i| 0.7 * head.ratio(i), &mut expected);
        list.far_at_place(place, 0.2, |i| 0.7 * head.ratio(i), &mut found);
        assert!(list.has_far_field() && !ModalShape::list(&[mode(1, vec![])], false).has_far_field());
        assert!(expected.iter().zip(found).all(|(expected, found)| (expected - found).abs() < 1e-12), "{expected:?} {found:?}");
    }

    /// A ring moves as the rim of a bell does: both of a pair together as much at every angle.
    #[test]
    fn a_pair_on_a_ring_moves_alike_at_every_angle() {
        for step in 0..12 {
            let place = BodyPosition { along: 0.2, across: f64::from(step) / 12.0 };
            let [first, second] = [false, true].map(|second| phi(round(3, 0, second), place));
            assert!((first.hypot(second) - SQRT_2).abs() < 1e-14);
            assert!((second.atan2(first) - (3.0 * TAU * place.across - 0.35)).sin().abs() < 1e-13);
        }
    }

    #[test]
    fn a_free_list_hangs_on_a_suspension() {
        let free = ModalShape::list(&[mode(1, vec![])], true);
        assert!(free.suspended() && free.rigid_at(BodyPosition::line(0.9)) == 1.0);
    }
}
