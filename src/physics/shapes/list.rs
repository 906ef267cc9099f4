//! A free list of modes: measured bodies, bells, whatever has no formula.

use super::Rotation;
use std::f64::consts::{PI, SQRT_2};

/// One mode of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListMode {
    /// Frequency over that of the mode with ratio 1; > 0.
    pub ratio: f64,
    /// Decay rate sigma [1/s] of its own.
    pub decay: Option<f64>,
    /// Modal mass over the body's mass; > 0.
    pub mass: f64,
    /// Shape at equally spaced places from one end to the other, signed, scaled so that its mean square over the body is 1;
    /// between them a cubic runs through the four nearest. Empty: sqrt2 cos(n pi xi).
    pub shape: Vec<f64>,
    /// n of the cosine, >= 1, where no shape is given.
    pub order: usize,
}

#[derive(Clone, Debug)]
pub(super) struct List {
    /// Places of the modes that have them, one after the other.
    values: Vec<f64>,
    drawn: Vec<Drawn>,
    /// (n, mode) of the cosines, n rising.
    cosines: Vec<(usize, usize)>,
}

/// A mode whose shape is given by places.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    mode: usize,
    first: usize,
    places: usize,
}

impl List {
    pub(super) fn new(modes: &[ListMode]) -> Self {
        let mut list = Self { values: Vec::new(), drawn: Vec::new(), cosines: Vec::new() };
        for (i, mode) in modes.iter().enumerate() {
            if mode.shape.is_empty() {
                list.cosines.push((mode.order.max(1), i));
            } else {
                list.drawn.push(Drawn { mode: i, first: list.values.len(), places: mode.shape.len() });
                list.values.extend_from_slice(&mode.shape);
            }
        }
        list.cosines.sort_unstable();
        list
    }

    /// phi_i(xi) of every mode.
    pub(super) fn shapes_at(&self, xi: f64, out: &mut [f64]) {
        for drawn in &self.drawn {
            if let Some(phi) = out.get_mut(drawn.mode) {
                *phi = between(&self.values[drawn.first..drawn.first + drawn.places], xi);
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
    use super::super::Shape;
    use super::super::tests::shapes;
    use super::*;

    fn mode(order: usize, shape: Vec<f64>) -> ListMode {
        ListMode { ratio: order as f64, decay: None, mass: 1.0, shape, order }
    }

    #[test]
    fn a_mode_without_shape_is_a_cosine_whatever_its_place_in_the_list() {
        let shape = Shape::list(&[mode(3, vec![]), mode(200, vec![]), mode(1, vec![])]);
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
        let shape = Shape::list(&[mode(1, values.clone()), mode(2, vec![0.5]), mode(3, vec![1.0, -1.0])]);
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
        let shape = Shape::list(&[mode(1, values)]);
        for step in 0..=1000 {
            let xi = f64::from(step) / 1000.0;
            let off = (shapes(&shape, xi)[0] / SQRT_2 - (4.0 * PI * xi).cos()).abs();
            let inside = (1.0 / 64.0..=63.0 / 64.0).contains(&xi);
            assert!(off < if inside { 3.6e-5 } else { 6.2e-5 }, "{off:e} at {xi}");
        }
    }

    #[test]
    fn modal_mass_and_decay_are_the_modes_own() {
        let heavy = ListMode { ratio: 2.0, decay: Some(3.0), mass: 4.0, shape: vec![1.0], order: 1 };
        let shape = Shape::list(&[heavy, mode(1, vec![1.0])]);
        assert_eq!(shapes(&shape, 0.3), [0.5, 1.0]);
        assert_eq!((shape.own_decay(0), shape.own_decay(1), shape.ratio(0)), (Some(3.0), None, 2.0));
        assert!(!shape.suspended());
    }
}
