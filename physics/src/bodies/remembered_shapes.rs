//! Shapes that are computed once at a few places, because they are read there often.

use std::sync::Arc;

use crate::bodies::modal_shape::{Grid, GridSlopes, ModalShape, ShapeFunctions, selected};
use crate::bodies::position::BodyPosition;

/// Shape functions with their values at some places.
#[derive(Clone, Debug)]
pub(super) struct RememberedShapes {
    functions: Arc<dyn ShapeFunctions>,
    places: Vec<RememberedPlace>,
}

/// phi of all modes at a place on the body.
#[derive(Clone, Debug)]
struct RememberedPlace {
    place: BodyPosition,
    shapes: Vec<f64>,
}

impl ModalShape {
    /// The same body with its shapes at `places` computed once: reading them there is a copy. Allocates.
    pub fn remembering(mut self, places: &[BodyPosition]) -> Self {
        self.functions = Arc::new(RememberedShapes::new(&self.functions, self.ratios.len(), places));
        self
    }
}

impl RememberedShapes {
    /// The first `modes` modes of `functions`, with their values at `places`, each of which is stored once. Allocates.
    pub fn new(functions: &Arc<dyn ShapeFunctions>, modes: usize, places: &[BodyPosition]) -> Self {
        let mut remembered = Vec::<RememberedPlace>::with_capacity(places.len());
        for place in places.iter().map(|&place| functions.inside(place)) {
            if remembered.iter().all(|known| known.place != place) {
                let mut shapes = vec![0.0; modes];
                functions.shapes_at(place, &mut shapes);
                remembered.push(RememberedPlace { place, shapes });
            }
        }
        Self { functions: functions.clone(), places: remembered }
    }
}

impl ShapeFunctions for RememberedShapes {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        match self.places.iter().find(|known| known.place == place && known.shapes.len() >= out.len()) {
            Some(known) => out.copy_from_slice(&known.shapes[..out.len()]),
            None => self.functions.shapes_at(place, out),
        }
    }

    fn inside(&self, place: BodyPosition) -> BodyPosition {
        self.functions.inside(place)
    }

    fn is_free(&self) -> bool {
        self.functions.is_free()
    }

    fn rigid_at(&self, place: BodyPosition) -> f64 {
        self.functions.rigid_at(place)
    }

    fn slopes_on(&self, modes: usize, grid: Grid) -> Vec<Option<GridSlopes>> {
        self.functions.slopes_on(modes, grid)
    }

    fn bridge(&self, out: &mut [f64]) -> bool {
        self.functions.bridge(out)
    }

    fn subset(&self, kept: &[usize]) -> Option<Arc<dyn ShapeFunctions>> {
        Some(selected(&self.functions, kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::position::EdgeSupport;

    /// Reading a place has the same bits whether it is remembered or not, for all modes or the first of them, and after a choice of modes.
    #[test]
    fn remembered_places_have_the_shapes_of_the_body() {
        let plain = ModalShape::plate(EdgeSupport::Supported, 1.3, 0.3, 64);
        let [near, far, other] = [(0.2, 0.3), (0.71, 0.4), (0.5, 0.9)].map(|(along, across)| BodyPosition { along, across });
        let remembering = plain.clone().remembering(&[near, far, near]);
        let kept: Vec<usize> = (0..40).rev().collect();
        for (plain, remembering) in [(plain.clone(), remembering.clone()), (plain.only(&kept), remembering.only(&kept))] {
            for place in [near, far, other] {
                for count in [plain.len(), 7] {
                    let weights = |shape: &ModalShape| {
                        let mut out = vec![0.0; count];
                        shape.weights_at_place(place, 0.5, &mut out);
                        out
                    };
                    assert_eq!(weights(&plain), weights(&remembering), "{place:?}");
                }
            }
        }
    }

    /// A place is stored once, and read from where it is stored.
    #[test]
    fn a_remembered_place_is_not_evaluated_again() {
        let plain = ModalShape::plate(EdgeSupport::Supported, 1.3, 0.3, 16);
        let place = BodyPosition { along: 0.2, across: 0.3 };
        let mut remembered = RememberedShapes::new(&plain.functions, 16, &[place, place]);
        assert_eq!(remembered.places.len(), 1);
        remembered.places[0].shapes.fill(5.0);
        let mut out = [0.0; 12];
        remembered.shapes_at(place, &mut out);
        assert_eq!(out, [5.0; 12]);
    }
}
