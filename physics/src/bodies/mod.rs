//! Geometry -> modes with signed shape functions: what a body is before it has a pitch and a mass.
//!
//! A mode of a shape has a ratio r_i to the lowest frequency, a shape phi_i(xi) along the strike line, xi from 0 to 1, with mean
//! square 1 over the body, and a modal mass that is a factor of the body's mass. A contact or a pickup at xi feels it with the
//! weight w_i = phi_i(xi)/sqrt(M_i).
//!
//! Shapes are evaluated by recurrences over the modes or from tables drawn when the body is made: one sine or exponential per place,
//! none per mode, no memory taken.

pub(crate) mod beams;
pub(crate) mod circular;
mod far_field;
mod irregularity;
mod material;
mod mode_list;
mod mode_thinning;
mod partial_edit;
mod position;
mod rectangular;
mod shape_table;
pub(crate) mod shells;

use crate::bodies::beams::Chain;
pub use crate::bodies::beams::Links;
pub use crate::bodies::beams::Rod;
pub use crate::bodies::beams::Section;
use crate::bodies::beams::Tongue;
use crate::bodies::beams::Tuned;
pub use crate::bodies::beams::TunedBar;
use crate::bodies::beams::{Bar, Ends};
pub use crate::bodies::circular::Air;
pub use crate::bodies::circular::Head;
use crate::bodies::circular::Round;
pub use crate::bodies::circular::{Disc, EdgeSupport};
use crate::bodies::far_field::FarField;
pub use crate::bodies::material::{Losses, Material};
use crate::bodies::mode_list::List;
pub use crate::bodies::mode_list::{ListMode, ListShape, Round as RoundMode};
use crate::bodies::mode_thinning::ModeThinning;
pub use crate::bodies::partial_edit::Trim;
pub use crate::bodies::position::BodyPosition;
pub use crate::bodies::rectangular::Plate;
use crate::bodies::rectangular::Sheet;
use crate::bodies::shape_table::Table;
use crate::bodies::shells::Rings;
pub use crate::bodies::shells::{Bell, Partial, Wall};
pub use crate::bodies::shells::{Bowl, Glass};

/// The modes of a body of a certain kind.
#[derive(Clone, Debug)]
pub struct ModalShape {
    ratios: Vec<f64>,
    /// 1/sqrt(modal mass/body mass), one a mode.
    mobilities: Vec<f64>,
    decays: Vec<Option<f64>>,
    /// Factors of decay times, one a mode; empty: 1.
    slowness: Vec<f64>,
    /// (nodal diameters, circles) or (p, q), one a mode; empty where a number along the strike line says all.
    families: Vec<(u32, u32)>,
    /// Damping ratios by radiation, one a mode; empty where none are known.
    radiations: Vec<f64>,
    /// How much stronger a hammer feels a mode than a pickup does: it stands for others, [`Shape::thinned`]. Empty: 1.
    factors: Vec<f64>,
    /// What is heard from afar; of heads and discs.
    far: Option<FarField>,
    form: ShapeFunctions,
}

#[derive(Clone, Debug)]
enum ShapeFunctions {
    String,
    Bar(Bar),
    Chain(Chain),
    List(List),
    Rings(Rings),
    Round(Round),
    Sheet(Sheet),
    Sieve(ModeThinning),
    Stiff(Table),
    Tongue(Tongue),
    Tuned(Tuned),
}

impl ModalShape {
    /// String between two rigid ends: r_n = n, phi_n = sqrt2 sin(n pi xi). Stiffness is the caller's (inharmonicity).
    pub fn string(modes: usize) -> Self {
        let ratios = (1..=modes).map(|n| n as f64).collect();
        Self::with(ShapeFunctions::String, ratios)
    }

    /// Uniform bar, free at both ends, without its two rigid modes: r_n = (b_n/b_1)^2, cos b cosh b = 1.
    pub fn bar(modes: usize) -> Self {
        let bar = Bar::new(modes, Ends::Free);
        let ratios = bar.ratios();
        Self::with(ShapeFunctions::Bar(bar), ratios)
    }

    /// A free list of modes, in the order given; `free`: nothing holds the body.
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
            far: crate::bodies::mode_list::rays(modes).map(FarField::new),
            ..Self::with(ShapeFunctions::List(List::new(modes, free)), modes.iter().map(|mode| mode.ratio).collect())
        }
    }

    /// Every modal mass the body's, no decay of its own, no families.
    fn with(form: ShapeFunctions, ratios: Vec<f64>) -> Self {
        let modes = ratios.len();
        Self {
            ratios,
            mobilities: vec![1.0; modes],
            decays: vec![None; modes],
            slowness: Vec::new(),
            families: Vec::new(),
            radiations: Vec::new(),
            factors: Vec::new(),
            far: None,
            form,
        }
    }

    /// Number of modes.
    pub fn len(&self) -> usize {
        self.ratios.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ratios.is_empty()
    }

    /// Frequency of mode i over that of the mode with ratio 1.
    pub fn ratio(&self, i: usize) -> f64 {
        self.ratios[i]
    }

    /// Decay rate sigma [1/s] of mode i, where it has one of its own.
    pub fn own_decay(&self, i: usize) -> Option<f64> {
        self.decays[i]
    }

    /// Factor of the decay time of mode i, whatever its losses; [`Shape::trimmed`].
    pub fn decay_factors(&self, i: usize) -> f64 {
        self.slowness.get(i).copied().unwrap_or(1.0)
    }

    /// (Nodal diameters, circles) of mode i on what is round, (p, q) on rectangular plates; none elsewhere.
    pub fn family(&self, i: usize) -> Option<(u32, u32)> {
        self.families.get(i).copied()
    }

    /// Damping ratio of mode i by the sound that it radiates, sigma/omega, beside the material's losses; 0 where it is not known.
    pub fn radiation(&self, i: usize) -> f64 {
        self.radiations.get(i).copied().unwrap_or(0.0)
    }

    /// Whether the body is free and needs a suspension: a rigid mode that the hammer feels and no pickup hears.
    pub fn suspended(&self) -> bool {
        self.form.is_free()
    }

    /// Weight times root of the mass with which a contact at `place` moves a free body as a whole, shifting and tilting: the root of the
    /// sum of squares of its rigid shapes, 1 at its middle, 2 at the end of a uniform bar. One suspension mode with this
    /// weight stands for all rigid modes, which hang equally soft. 0 for a body that is held.
    pub fn rigid_at(&self, place: BodyPosition) -> f64 {
        if self.suspended() { self.form.rigid_at(place.inside()) } else { 0.0 }
    }

    /// [`Shape::weights_at_place`] on the strike line, xi in [0, 1].
    pub fn weights_at(&self, xi: f64, mass: f64, out: &mut [f64]) {
        self.weights_at_place(BodyPosition::line(xi), mass, out);
    }

    /// Weights w_i = phi_i/sqrt(M_i) [kg^-1/2] of the first modes for a body of `mass` [kg] at `place` (brought into [0, 1]);
    /// what is left of `out` is 0. Exact to 1e-11 of the largest shape for 4096 modes of string and bar. These are what a contact
    /// feels; of a thinned body a pickup hears [`Shape::heard_at_place`].
    pub fn weights_at_place(&self, place: BodyPosition, mass: f64, out: &mut [f64]) {
        self.heard_at_place(place, mass, out);
        for (weight, factor) in out.iter_mut().zip(&self.factors) {
            *weight *= factor;
        }
    }

    /// The same without what a mode of a thinned body has beyond its own: for pickups.
    pub fn heard_at_place(&self, place: BodyPosition, mass: f64, out: &mut [f64]) {
        let (out, rest) = out.split_at_mut(self.len().min(out.len()));
        rest.fill(0.0);
        self.form.shapes_at(place.inside(), out);
        let root = 1.0 / mass.sqrt();
        for (weight, mobility) in out.iter_mut().zip(&self.mobilities) {
            *weight *= mobility * root;
        }
    }

    /// How much more a hammer feels of mode i than a pickup hears.
    fn factor(&self, i: usize) -> f64 {
        self.factors.get(i).copied().unwrap_or(1.0)
    }
}

impl ShapeFunctions {
    /// phi_i of the first modes.
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        match self {
            ShapeFunctions::String => crate::bodies::beams::shapes_at(place.along, out),
            ShapeFunctions::Bar(bar) => bar.shapes_at(place.along, out),
            ShapeFunctions::Chain(chain) => chain.shapes_at(place.along, out),
            ShapeFunctions::List(list) => list.shapes_at(place, out),
            ShapeFunctions::Rings(rings) => rings.shapes_at(place, out),
            ShapeFunctions::Round(round) => round.shapes_at(place, out),
            ShapeFunctions::Sheet(sheet) => sheet.shapes_at(place, out),
            ShapeFunctions::Sieve(sieve) => sieve.shapes_at(place, out),
            ShapeFunctions::Stiff(table) => table.shapes_at(place.along, out),
            ShapeFunctions::Tongue(tongue) => tongue.shapes_at(place.along, out),
            ShapeFunctions::Tuned(tuned) => tuned.shapes_at(place, out),
        }
    }

    /// Whether nothing holds it.
    fn is_free(&self) -> bool {
        match self {
            ShapeFunctions::Bar(bar) => bar.is_free(),
            ShapeFunctions::Chain(chain) => chain.free,
            ShapeFunctions::Round(round) => round.free,
            ShapeFunctions::Sheet(sheet) => sheet.free,
            ShapeFunctions::Sieve(sieve) => sieve.is_free(),
            ShapeFunctions::List(list) => list.free,
            ShapeFunctions::Stiff(_) | ShapeFunctions::Tuned(_) => true,
            ShapeFunctions::String | ShapeFunctions::Rings(_) | ShapeFunctions::Tongue(_) => false,
        }
    }

    /// Root of the sum of squares of its rigid shapes, each of mean square 1, if nothing holds it.
    fn rigid_at(&self, place: BodyPosition) -> f64 {
        let (x, y) = (2.0 * place.along - 1.0, 2.0 * place.across - 1.0);
        let tilts = match self {
            ShapeFunctions::Bar(_) | ShapeFunctions::Stiff(_) => 3.0 * x * x,
            ShapeFunctions::Round(_) => 4.0 * place.along * place.along,
            ShapeFunctions::Sheet(_) => 3.0 * (x * x + y * y),
            ShapeFunctions::Tuned(tuned) => tuned.tilts(x, y),
            ShapeFunctions::Sieve(sieve) => return sieve.rigid_at(place),
            ShapeFunctions::String
            | ShapeFunctions::Chain(_)
            | ShapeFunctions::List(_)
            | ShapeFunctions::Rings(_)
            | ShapeFunctions::Tongue(_) => 0.0,
        };
        (1.0 + tilts).sqrt()
    }

    /// Only the modes `kept`, in that order.
    fn subset(&self, kept: &[usize]) -> Self {
        match self {
            ShapeFunctions::Round(round) => ShapeFunctions::Round(round.subset(kept)),
            ShapeFunctions::Sheet(sheet) => ShapeFunctions::Sheet(sheet.subset(kept)),
            other => ShapeFunctions::Sieve(ModeThinning::new(other, kept)),
        }
    }
}

/// cos and sin of a growing angle: one multiplication of complex numbers per step.
#[derive(Clone, Copy, Debug)]
struct Rotation {
    cos: f64,
    sin: f64,
    turn: (f64, f64),
}

impl Rotation {
    /// Starts at `angle` [rad], goes on by `turn` [rad].
    fn new(angle: f64, turn: f64) -> Self {
        let ((sin, cos), (turn_sin, turn_cos)) = (angle.sin_cos(), turn.sin_cos());
        Self { cos, sin, turn: (turn_cos, turn_sin) }
    }

    fn advance(&mut self) {
        let (c, s) = self.turn;
        (self.cos, self.sin) = (self.cos * c - self.sin * s, self.sin * c + self.cos * s);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// phi_i(xi) of a body of 1 kg.
    pub(super) fn shapes(shape: &ModalShape, xi: f64) -> Vec<f64> {
        let mut out = vec![0.0; shape.len()];
        shape.weights_at(xi, 1.0, &mut out);
        out
    }

    /// Mean of phi_i phi_j over the body by Simpson's rule.
    pub(super) fn gram(shape: &ModalShape, modes: &[usize]) -> Vec<Vec<f64>> {
        const PANELS: usize = 20_000;
        let mut means = vec![vec![0.0; modes.len()]; modes.len()];
        for place in 0..=PANELS {
            let weight = match place {
                0 | PANELS => 1.0,
                _ if place % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let phi = shapes(shape, place as f64 / PANELS as f64);
            for (row, &i) in means.iter_mut().zip(modes) {
                for (mean, &j) in row.iter_mut().zip(modes) {
                    *mean += weight / (3.0 * PANELS as f64) * phi[i] * phi[j];
                }
            }
        }
        means
    }

    #[test]
    fn shapes_are_orthogonal_with_mean_square_one() {
        let modes = [0, 1, 2, 3, 7, 24, 63, 127, 254, 255];
        for shape in [ModalShape::string(256), ModalShape::bar(256)] {
            for (a, row) in gram(&shape, &modes).iter().enumerate() {
                for (b, mean) in row.iter().enumerate() {
                    let wanted = if a == b { 1.0 } else { 0.0 };
                    assert!((mean - wanted).abs() < 1e-7, "modes {} and {}: {mean}", modes[a], modes[b]);
                }
            }
        }
    }

    /// As many rigid modes as there are, each of mean square 1: 2 of a bar, 3 of a plate.
    #[test]
    fn rigid_motion_is_shifting_and_tilting() {
        let near = |value: f64, wanted: f64| assert!((value - wanted).abs() < 1e-5, "{value} instead of {wanted}");
        let mean = |square: &dyn Fn(f64) -> f64| (0..1000).map(|k| square((f64::from(k) + 0.5) / 1000.0)).sum::<f64>() / 1000.0;
        let (bar, disc) = (ModalShape::bar(3), ModalShape::disc(EdgeSupport::Free, 0.3, 60, 0.0));
        let sheet = ModalShape::plate(EdgeSupport::Free, 1.5, 0.3, 3);
        near(mean(&|xi| bar.rigid_at(BodyPosition::line(xi)).powi(2)), 2.0);
        near(mean(&|r| 2.0 * r * disc.rigid_at(BodyPosition { along: r, across: 0.2 }).powi(2)), 3.0);
        near(mean(&|x| mean(&|y| sheet.rigid_at(BodyPosition { along: x, across: y }).powi(2))), 3.0);
        let edge = BodyPosition { along: 1.0, across: 0.5 };
        near(disc.thinned(50, edge).rigid_at(edge), 5_f64.sqrt());
        near(ModalShape::string(3).rigid_at(edge), 0.0);
    }

    #[test]
    fn weights_follow_the_mass_and_leave_no_rubbish() {
        let shape = ModalShape::bar(3);
        let mut out = [7.0; 5];
        shape.weights_at(0.0, 4.0, &mut out);
        for (weight, wanted) in out.iter().zip([1.0, 1.0, 1.0, 0.0, 0.0]) {
            assert!((weight.abs() - wanted).abs() < 1e-14, "{out:?}");
        }
        let mut short = [0.0; 2];
        shape.weights_at(f64::NAN, 1.0, &mut short);
        assert!(short.iter().all(|w| w.is_finite()));
        let (mut beyond, mut end) = ([0.0; 3], [0.0; 3]);
        shape.weights_at(1.5, 1.0, &mut beyond);
        shape.weights_at(1.0, 1.0, &mut end);
        assert_eq!(beyond, end);
    }
}
