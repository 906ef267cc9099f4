//! Edits of single modes on top of geometry and material.
//!
//! ```text
//! r'     = r R            R: ratio
//! M'     = M/G            G: gain; the level of a short strike at a pickup is as 1/M
//! sigma' = sigma/D        D: decay, on top of the losses at the new frequency
//! ```
//!
//! A gain is a lighter mode, for hammer and pickups alike: the body remains physical and passive. G = 0 is a mode of infinite
//! mass: it does not move and is silent.

use crate::bodies::modal_shape::ModalShape;

/// Edit of one mode.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::edge::EdgeSupport;
    use crate::bodies::modal_shape::tests::shapes;
    use crate::bodies::position::BodyPosition;

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
}
