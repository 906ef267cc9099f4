//! Thin rectangular plate (Kirchhoff): panes, sheets, soundboards.
//!
//! Supported all round, phi = 2 sin(p pi x) sin(q pi y) and Omega = pi^2 (p^2/s + q^2 s) exactly, with s = a/b and
//! Omega = omega a b sqrt(rho h/D). Clamped or free all round there is no closed form: the lowest modes are computed by Rayleigh
//! and Ritz to 5 digits and more, higher ones, dense and far from their rim, are products of bars' shapes with Rayleigh's quotient.

use crate::bodies::material::Material;
use crate::bodies::modal_shape::{Grid, GridSlopes, ModalShape, ShapeFunctions};
use crate::bodies::position::{BodyPosition, EdgeSupport, possible_poisson};
use crate::bodies::rectangular::beam_products::{MAX_SHAPES, Strip, lowest};
use crate::bodies::rectangular::rayleigh_ritz::Ritz;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Modes that are computed by Rayleigh and Ritz.
const MAX_EXACT_MODES: usize = 100;

/// Maximum number of modes; the longest plate then has 330 shapes along its long side.
const MAX_MODES: usize = 4096;

/// Longest plate, a/b; and its inverse.
const LONGEST: f64 = 20.0;

/// A rectangular plate with the same support all round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plate {
    /// Support of its edges.
    pub rim: EdgeSupport,
    /// Side a along x [m].
    pub length: f64,
    /// Side b along y [m].
    pub width: f64,
    /// Thickness h [m].
    pub thickness: f64,
    /// Its material.
    pub material: Material,
}

impl Plate {
    /// Mass [kg].
    pub fn mass(&self) -> f64 {
        self.length * self.width * self.thickness * self.material.density
    }

    /// Bending stiffness D = E h^3/(12 (1 - nu^2)) [N m].
    pub fn stiffness(&self) -> f64 {
        let speed = self.material.plate_speed();
        self.material.density * speed * speed * self.thickness.powi(3) / 12.0
    }

    /// The lowest `modes` of its shape, [`ModalShape::plate`], and its lowest frequency [Hz].
    pub fn shape(&self, modes: usize) -> (ModalShape, f64) {
        let (shape, omega) = shape(self.rim, self.length / self.width, self.material.poisson, modes);
        let bending = self.thickness * self.material.plate_speed() / 12_f64.sqrt();
        (shape, omega * bending / (TAU * self.length * self.width))
    }
}

impl ModalShape {
    /// Rectangular plate of `aspect` a/b (1/20 to 20) and Poisson's ratio `poisson`, with equal support of all edges: the lowest
    /// `modes` (at most 4096), of a free one without its three rigid modes. Families (p, q): half waves along x and y; of a free
    /// plate nodal lines across them. Ratios to the lowest.
    pub fn plate(rim: EdgeSupport, aspect: f64, poisson: f64, modes: usize) -> Self {
        shape(rim, aspect, poisson, modes).0
    }
}

/// The shape and Omega of its lowest mode.
fn shape(rim: EdgeSupport, aspect: f64, poisson: f64, modes: usize) -> (ModalShape, f64) {
    let (plate, modes) = PlateShape::new(rim, aspect, poisson, modes);
    // half waves count from 1, nodal lines from 0
    let first = usize::from(rim != EdgeSupport::Free);
    let unit = modes.first().map_or(1.0, |mode| mode.omega);
    let family = |mode: &PlateMode| ((mode.lines.0 + first) as u32, (mode.lines.1 + first) as u32);
    let families = modes.iter().map(family).collect();
    let ratios = modes.iter().map(|mode| mode.omega / unit).collect();
    (ModalShape { families, ..ModalShape::with(plate, ratios) }, unit)
}

/// Omega of the lowest mode.
pub(super) fn lowest_omega(rim: EdgeSupport, aspect: f64, poisson: f64) -> f64 {
    shape(rim, aspect, poisson, 1).1
}

/// A mode before it has a unit.
struct PlateMode {
    source: Source,
    /// Omega.
    omega: f64,
    /// Numbers of the strips' shapes along x and y that it is most like.
    lines: (usize, usize),
}

/// Source of the shape of a mode.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A mode of [`Ritz`].
    Ritz(usize),
    /// Two shapes of a strip.
    Product(usize, usize),
}

/// The modes of a plate.
#[derive(Clone, Debug)]
struct PlateShape {
    strip: Strip,
    ritz: Option<Ritz>,
    sources: Vec<Source>,
    /// Whether it is free.
    free: bool,
}

impl PlateShape {
    /// The lowest `modes` of a plate, with frequency and name of each.
    fn new(rim: EdgeSupport, aspect: f64, poisson: f64, modes: usize) -> (Self, Vec<PlateMode>) {
        let (poisson, modes) = (possible_poisson(poisson), modes.min(MAX_MODES));
        let aspect = if aspect.is_nan() { 1.0 } else { aspect.clamp(1.0 / LONGEST, LONGEST) };
        let strip = Strip::new(rim);
        let product = |(p, q, omega)| PlateMode { source: Source::Product(p, q), omega, lines: (p, q) };
        let mut modes: Vec<PlateMode> = lowest(&strip, aspect, poisson, modes).into_iter().map(product).collect();
        let mut ritz = None;
        if rim != EdgeSupport::Supported {
            let count = modes.len().min(MAX_EXACT_MODES);
            let (exact, found) = Ritz::new(rim, &strip, aspect, poisson, count);
            for (i, (mode, found)) in modes.iter_mut().zip(&found).enumerate() {
                *mode = PlateMode { source: Source::Ritz(i), omega: found.omega, lines: found.nearest };
            }
            ritz = Some(exact);
            modes.sort_by(|a, b| a.omega.total_cmp(&b.omega));
        }
        let plate =
            PlateShape { strip, ritz, sources: modes.iter().map(|mode| mode.source).collect(), free: rim == EdgeSupport::Free };
        (plate, modes)
    }
}

impl ShapeFunctions for PlateShape {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        let (mut x, mut y) = ([0.0; MAX_SHAPES], [0.0; MAX_SHAPES]);
        let needed = self.sources.iter().map(Source::strips).max().unwrap_or(0);
        self.strip.shapes_at(place.along, &mut x[..needed]);
        self.strip.shapes_at(place.across, &mut y[..needed]);
        let exact = self.ritz.as_ref().map(|ritz| (ritz, ritz.values(place.along, place.across)));
        for (phi, source) in out.iter_mut().zip(&self.sources) {
            *phi = match (source, &exact) {
                (&Source::Product(p, q), _) => x[p] * y[q],
                (&Source::Ritz(mode), Some((ritz, values))) => ritz.shape(mode, values),
                (Source::Ritz(_), None) => 0.0,
            };
        }
    }

    fn is_free(&self) -> bool {
        self.free
    }

    fn tilts(&self, _place: BodyPosition, x: f64, y: f64) -> f64 {
        3.0 * (x * x + y * y)
    }

    fn slopes_on(&self, modes: usize, grid: Grid) -> Vec<Option<GridSlopes>> {
        let Some(ritz) = &self.ritz else { return Vec::new() };
        let tables = ritz.tables(grid);
        let slopes = |source: &Source| if let Source::Ritz(mode) = *source { Some(ritz.slopes(mode, &tables)) } else { None };
        self.sources.iter().take(modes).map(slopes).collect()
    }

    fn subset(&self, kept: &[usize]) -> Option<Arc<dyn ShapeFunctions>> {
        let sources = kept.iter().map(|&mode| self.sources[mode]).collect();
        Some(Arc::new(Self { sources, ..self.clone() }))
    }
}

impl Source {
    /// Shapes of a strip that it needs.
    fn strips(&self) -> usize {
        match *self {
            Self::Ritz(_) => 0,
            Self::Product(p, q) => p.max(q) + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::circular_modes::tests::phi;

    /// Omega of the lowest modes of a square plate: clamped by Leissa 1973 (35.992, 73.413, 108.27, 131.64, 132.24 from above) and
    /// with more terms; free, nu 0.3, by Liew, Xiang and Kitipornchai 1993.
    #[test]
    fn squares_have_the_published_frequencies() {
        let known: [(EdgeSupport, [f64; 6]); 2] = [
            (EdgeSupport::Clamped, [35.985, 73.394, 73.394, 108.217, 131.581, 132.205]),
            (EdgeSupport::Free, [13.468, 19.596, 24.270, 34.801, 34.801, 61.093]),
        ];
        for (rim, omegas) in known {
            let (shape, unit) = shape(rim, 1.0, 0.3, 6);
            for (i, omega) in omegas.into_iter().enumerate() {
                let found = unit * shape.ratio(i);
                assert!((found / omega - 1.0).abs() < 5e-5, "{rim:?} {i}: {found} instead of {omega}");
            }
        }
    }

    #[test]
    fn a_supported_plate_is_exact() {
        let pane = Plate { rim: EdgeSupport::Supported, length: 0.6, width: 0.4, thickness: 3e-3, material: Material::GLASS };
        let (shape, lowest) = pane.shape(200);
        let known = std::f64::consts::FRAC_PI_2
            * (pane.stiffness() / (pane.material.density * pane.thickness)).sqrt()
            * (pane.length.powi(-2) + pane.width.powi(-2));
        assert!((lowest / known - 1.0).abs() < 1e-12 && (pane.mass() - 1.8).abs() < 1e-12);
        let place = BodyPosition { along: 0.31, across: 0.83 };
        for (i, phi) in phi(&shape, place).into_iter().enumerate() {
            let (p, q) = shape.family(i).map(|(p, q)| (f64::from(p), f64::from(q))).unwrap();
            let ratio = (p * p / 2.25 + q * q) / (1.0 / 2.25 + 1.0);
            assert!((shape.ratio(i) / ratio - 1.0).abs() < 1e-12);
            let sines = (p * std::f64::consts::PI * 0.31).sin() * (q * std::f64::consts::PI * 0.83).sin();
            assert!((phi - 2.0 * sines).abs() < 1e-12);
        }
        assert!((1..200).all(|i| shape.ratio(i) >= shape.ratio(i - 1)) && !shape.suspended());
    }

    /// Mean of phi_i phi_j over the plate by Simpson's rule: exact modes among each other, products among each other.
    #[test]
    fn modes_are_orthogonal_with_mean_square_one() {
        const PANELS: usize = 160;
        let simpson = |k: usize| if k == 0 || k == PANELS { 1.0 } else { 2.0 + 2.0 * (k % 2) as f64 } / (3 * PANELS) as f64;
        for rim in [EdgeSupport::Free, EdgeSupport::Clamped] {
            let shape = ModalShape::plate(rim, 1.3, 0.3, 140);
            let mut sums = vec![0.0; 140 * 140];
            for row in 0..=PANELS {
                for column in 0..=PANELS {
                    let at = |k: usize| k as f64 / PANELS as f64;
                    let phi = phi(&shape, BodyPosition { along: at(row), across: at(column) });
                    let share = simpson(row) * simpson(column);
                    for (sums, a) in sums.chunks_mut(140).zip(&phi) {
                        sums.iter_mut().zip(&phi).for_each(|(sum, b)| *sum += share * a * b);
                    }
                }
            }
            let (plate, _) = PlateShape::new(rim, 1.3, 0.3, 140);
            let exact = |i: usize| matches!(plate.sources[i], Source::Ritz(_));
            for (k, sum) in sums.into_iter().enumerate() {
                let (i, j) = (k / 140, k % 140);
                let expected = f64::from(u8::from(i == j));
                assert!(exact(i) != exact(j) || (sum - expected).abs() < 2e-4, "{rim:?} modes {i} and {j}: {sum}");
            }
        }
    }

    /// A force at the middle of a square: 0.011600 a^2/D supported, 0.0056121 a^2/D clamped (Timoshenko and Woinowsky-Krieger).
    #[test]
    fn compliance_at_the_middle_is_that_of_statics() {
        for (rim, factor) in [(EdgeSupport::Supported, 0.011_600), (EdgeSupport::Clamped, 0.005_612_1)] {
            let (shape, omega) = shape(rim, 1.0, 0.3, 4000);
            let weights = phi(&shape, BodyPosition { along: 0.5, across: 0.5 });
            let bend: f64 = (0..shape.len()).map(|i| (weights[i] / (omega * shape.ratio(i))).powi(2)).sum();
            assert!((bend / factor - 1.0).abs() < 1e-3, "{rim:?}: {}", bend / factor);
        }
    }

    /// Slopes on a grid against differences of the shapes, also of a part of the modes.
    #[test]
    fn slopes_are_those_of_the_shapes() {
        let (along, across, step) = ([0.12, 0.77], [0.4], 1e-5);
        for rim in [EdgeSupport::Free, EdgeSupport::Clamped] {
            let plate = ModalShape::plate(rim, 1.3, 0.3, 130).lowest(60);
            let slopes = plate.slopes_on(70, Grid { along: &along, across: &across });
            assert!(slopes.len() == 70 && slopes[60..].iter().all(Option::is_none));
            for (row, along) in along.into_iter().enumerate() {
                let at = |dx: f64, dy: f64| phi(&plate, BodyPosition { along: along + dx, across: across[0] + dy });
                let [right, left, up, down] = [at(step, 0.0), at(-step, 0.0), at(0.0, step), at(0.0, -step)];
                for (i, slopes) in slopes[..60].iter().enumerate() {
                    let slopes = slopes.as_ref().expect("by Rayleigh and Ritz");
                    let known = [(right[i] - left[i]) / (2.0 * step), (up[i] - down[i]) / (2.0 * step)];
                    let found = [slopes.along[(row, 0)], slopes.across[(row, 0)]];
                    assert!((0..2).all(|k| (found[k] - known[k]).abs() < 1e-5), "{rim:?} {i}: {found:?} {known:?}");
                }
            }
        }
        assert!(
            ModalShape::plate(EdgeSupport::Supported, 1.3, 0.3, 2).slopes_on(2, Grid { along: &along, across: &across })[1]
                .is_none()
        );
    }

    #[test]
    fn a_plate_turned_by_a_right_angle_is_the_same() {
        for rim in [EdgeSupport::Free, EdgeSupport::Supported, EdgeSupport::Clamped] {
            let (long, wide) = (ModalShape::plate(rim, 1.7, 0.3, 130), ModalShape::plate(rim, 1.0 / 1.7, 0.3, 130));
            let here = phi(&long, BodyPosition { along: 0.21, across: 0.64 });
            let there = phi(&wide, BodyPosition { along: 0.64, across: 0.21 });
            for i in 0..130 {
                assert!((long.ratio(i) / wide.ratio(i) - 1.0).abs() < 1e-6, "{rim:?} {i}");
                assert!((here[i].abs() - there[i].abs()).abs() < 1e-5, "{rim:?} {i}: {} and {}", here[i], there[i]);
            }
        }
    }

    #[test]
    fn a_thinned_plate_keeps_its_low_modes_and_its_mobility() {
        let strike = BodyPosition { along: 0.3, across: 0.35 };
        for rim in [EdgeSupport::Free, EdgeSupport::Supported, EdgeSupport::Clamped] {
            let plate = ModalShape::plate(rim, 1.55, 0.3, 1600);
            let thin = plate.thinned(96, strike);
            let mobility = |shape: &ModalShape| phi(shape, strike).iter().map(|w| w * w).sum::<f64>();
            assert!(thin.len() <= 96 && (mobility(&thin) / mobility(&plate) - 1.0).abs() < 1e-12);
            assert_eq!(phi(&thin, strike)[..40], phi(&plate, strike)[..40]);
            assert_eq!(thin.suspended(), rim == EdgeSupport::Free);
        }
    }

    #[test]
    fn hostile_sizes_make_a_plate_still() {
        for aspect in [0.0, 1e9, f64::NAN, -3.0] {
            let shape = ModalShape::plate(EdgeSupport::Supported, aspect, 0.3, 50);
            assert!(shape.len() == 50 && (0..50).all(|i| shape.ratio(i).is_finite()));
        }
        assert!(
            ModalShape::plate(EdgeSupport::Free, 1.0, 0.3, 0).is_empty()
                && ModalShape::plate(EdgeSupport::Free, 1.0, 0.3, 1).len() == 1
        );
    }
}
