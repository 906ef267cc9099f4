//! Far field of round bodies: Rayleigh's integral over a disc in a baffle.
//!
//! A mode phi = R(r) cos m theta with the velocity v produces, at the distance d and the angle beta from the axis, the pressure
//!
//! ```text
//! p = rho c v (a/d) (omega a/c) H(k) cos m theta        k = (omega a/c) sin beta,  H(k) = integral of R(s) J_m(k s) s ds
//! ```
//!
//! Here d = a/2, at which a piston is as loud as a volume source with its corner at c/(2 pi a) is below it. H has a closed form
//! for J_m(l s) and I_m(l s) (Lommel):
//!
//! ```text
//! J_m   (l J_{m+1}(l) J_m(k) - k J_m(l) J_{m+1}(k))/(l^2 - k^2)
//! I_m   (l I_{m+1}(l) J_m(k) + k I_m(l) J_{m+1}(k))/(l^2 + k^2)
//! ```
//!
//! with J_m(k) from a table: four places, error 1e-5.
//!
//! A drum with two heads radiates from both. With the pressures P and Q of the batter and the resonant head alone, and the delay 2 psi of the way
//! around the shell, psi = (omega/2c)(L + 0.85 a) cos beta, the sum P e^(i psi) - Q e^(-i psi) is a monopole P - Q and a dipole psi (P + Q) a quarter of
//! a period apart. Taken in phase, over the value with one head,
//!
//! ```text
//! p = P - tan(pi/4 - psi) Q     psi < pi/4;     p = P beyond, where the drum shades its other head
//! ```
//!
//! This is exact for heads apart and for heads in step as long as psi is small. 0.85 a is the way around a disc without depth (the
//! dipole of a moving disc: 8 rho a^3/3).

use crate::bodies::position::{BodyPosition, Rotation};
use std::f64::consts::{FRAC_PI_4, SQRT_2, TAU};
use std::sync::Arc;

/// Table entries per unit of k.
const FINENESS: f64 = 8.0;

/// Largest k of the tables; beyond it the last value is used.
const REACH: usize = 64;

/// Way of the sound around a drum without depth [radii]: 8/(3 pi).
pub(super) const AROUND: f64 = 0.85;

/// |l - k|/l below which the quotient is computed on both sides of it: numerator and denominator vanish there.
const BESIDE: f64 = 2e-3;

/// A part of a radial profile: (j J_m(k) + k j1 J_{m+1}(k))/(l^2 - k^2) + (i J_m(k) + k i1 J_{m+1}(k))/(l^2 + k^2).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Term {
    /// l, > 0.
    pub(super) wave: f64,
    pub(super) j: f64,
    pub(super) j1: f64,
    pub(super) i: f64,
    pub(super) i1: f64,
}

impl Term {
    /// The same times `factor`.
    pub(crate) fn scaled(self, factor: f64) -> Self {
        let Self { wave, j, j1, i, i1 } = self;
        Self { wave, j: factor * j, j1: factor * j1, i: factor * i, i1: factor * i1 }
    }
}

/// Radial profile and symmetry of one mode.
#[derive(Clone, Debug)]
pub(super) struct Ray {
    /// Nodal diameters m.
    pub(super) diameters: usize,
    /// Whether it has the factor sin m theta.
    pub(super) sine: bool,
    /// Its profile; empty where it is not known.
    pub(super) terms: Vec<Term>,
    /// Of a drum with two heads.
    pub(super) behind: Option<Behind>,
}

/// The part of a mode on the resonant head of a drum.
#[derive(Clone, Debug)]
pub(super) struct Behind {
    /// Its profile there, in the same direction as on the batter head.
    pub(super) terms: Vec<Term>,
    /// [`crate::bodies::ModalShape::flow`].
    pub(super) flow: f64,
    /// Whether it moves the resonant head most.
    pub(super) is_main: bool,
    /// Whether it moves the batter head as well.
    pub(super) is_shared: bool,
}

impl Ray {
    /// A mode whose profile is not known.
    pub(super) const UNKNOWN: Self = Self { diameters: 0, sine: false, terms: Vec::new(), behind: None };

    /// A mode of a body with one surface.
    pub(super) fn new(diameters: usize, sine: bool, terms: Vec<Term>) -> Self {
        Self { diameters, sine, terms, behind: None }
    }

    /// Whether its profile is known.
    fn is_known(&self) -> bool {
        !self.terms.is_empty() || self.behind.is_some()
    }
}

/// All modes of a round body.
#[derive(Clone, Debug)]
pub(super) struct FarField {
    rays: Vec<Ray>,
    /// Places of `rays` in order of m.
    order: Vec<usize>,
    /// Way from head to head of a drum for the sound, in radii; 0 for bodies with one surface.
    way: f64,
    /// J_0, J_1, ... at k = 0, 1/8, ...
    tables: Arc<Vec<Vec<f64>>>,
}

impl FarField {
    pub(super) fn new(rays: Vec<Ray>) -> Self {
        let most = rays.iter().map(|ray| ray.diameters).max().unwrap_or(0);
        let entries = REACH * FINENESS as usize + 4;
        let table = |m: usize| (0..entries).map(|k| libm::jn(m as i32, k as f64 / FINENESS)).collect();
        Self { order: by_diameters(&rays), rays, way: 0.0, tables: Arc::new((0..=most + 1).map(table).collect()) }
    }

    /// Only the modes `kept`, in that order.
    pub(super) fn subset(&self, kept: &[usize]) -> Self {
        let rays: Vec<Ray> = kept.iter().map(|&mode| self.rays[mode].clone()).collect();
        Self { order: by_diameters(&rays), rays, way: self.way, tables: self.tables.clone() }
    }

    /// The same with `modes` modes more, whose profiles are not known.
    pub(super) fn extended(&self, modes: usize) -> Self {
        let rays: Vec<Ray> = self.rays.iter().cloned().chain(std::iter::repeat_n(Ray::UNKNOWN, modes)).collect();
        Self { order: by_diameters(&rays), rays, way: self.way, tables: self.tables.clone() }
    }

    /// Sets the distance of the two heads of a drum [radii].
    pub(super) fn set_depth(&mut self, depth: f64) {
        self.way = depth + AROUND;
    }

    /// See [`crate::bodies::ModalShape::flow`].
    pub(super) fn flow(&self, i: usize) -> f64 {
        self.rays.get(i).and_then(|ray| ray.behind.as_ref()).map_or(1.0, |behind| behind.flow)
    }

    /// Whether mode i moves the batter head of a drum, or the only surface of another body.
    pub(super) fn is_shared(&self, i: usize) -> bool {
        self.rays.get(i).and_then(|ray| ray.behind.as_ref()).is_none_or(|behind| behind.is_shared)
    }

    /// Whether mode i moves the resonant head of a drum most.
    pub(super) fn is_behind(&self, i: usize) -> bool {
        self.rays.get(i).and_then(|ray| ray.behind.as_ref()).is_some_and(|behind| behind.is_main)
    }

    /// Nodal diameters of mode i, if its profile is known.
    pub(super) fn diameters(&self, i: usize) -> Option<usize> {
        self.rays.get(i).filter(|ray| ray.is_known()).map(|ray| ray.diameters)
    }

    /// Whether mode i has the factor sin m theta, if its profile is known.
    pub(super) fn is_sine(&self, i: usize) -> Option<bool> {
        self.rays.get(i).filter(|ray| ray.is_known()).map(|ray| ray.sine)
    }

    /// J_m(k).
    fn bessel(&self, m: usize, k: f64) -> f64 {
        let place = k.min(REACH as f64) * FINENESS;
        let first = (place as usize).saturating_sub(1);
        let t = place - first as f64;
        let Some([a, b, c, d]) = self.tables[m].get(first..).and_then(|rest| rest.first_chunk()).copied() else { return 0.0 };
        let (t1, t2, t3) = (t - 1.0, t - 2.0, t - 3.0);
        -a * t1 * t2 * t3 / 6.0 + b * t * t2 * t3 / 2.0 - c * t * t1 * t3 / 2.0 + d * t * t1 * t2 / 6.0
    }

    /// H(k) of a profile with `m` diameters.
    fn transform(&self, m: usize, terms: &[Term], k: f64) -> f64 {
        let (j, j1) = (self.bessel(m, k), self.bessel(m + 1, k));
        let sum = |sum: f64, term: &Term| {
            let square = term.wave * term.wave;
            let radiated = (term.i * j + term.i1 * k * j1) / (square + k * k);
            let gap = term.wave - k;
            if gap.abs() > BESIDE * term.wave {
                return sum + radiated + (term.j * j + term.j1 * k * j1) / (square - k * k);
            }
            // the mean of both sides
            let at = |k: f64| (term.j * self.bessel(m, k) + term.j1 * k * self.bessel(m + 1, k)) / (square - k * k);
            sum + radiated + 0.5 * (at(term.wave * (1.0 - 2.0 * BESIDE)) + at(term.wave * (1.0 + 2.0 * BESIDE)))
        };
        terms.iter().fold(0.0, sum)
    }

    /// What the other head of a drum adds at `size` = omega a/c, in the direction whose cosine from the axis is `ahead`.
    fn other_head(&self, ray: &Ray, size: f64, (along, ahead): (f64, f64)) -> f64 {
        let Some(behind) = &ray.behind else { return 0.0 };
        let late = 0.5 * size * self.way * ahead;
        let share = if late < FRAC_PI_4 { (FRAC_PI_4 - late).tan() } else { 0.0 };
        // outward there is the other direction
        if share > 0.0 { -share * self.transform(ray.diameters, &behind.terms, size * along) } else { 0.0 }
    }

    /// (a/d) (omega a/c) H(k) cos m theta of every mode; along: sin beta, across: theta in turns; `size(i)`: omega a/c of mode i.
    pub(super) fn heard(&self, place: BodyPosition, size: impl Fn(usize) -> f64, out: &mut [f64]) {
        let mut angle = Rotation::new(0.0, TAU * place.across);
        let ahead = (1.0 - place.along * place.along).max(0.0).sqrt();
        let mut reached = 0;
        for &mode in &self.order {
            let ray = &self.rays[mode];
            if !ray.is_known() {
                continue;
            }
            while reached < ray.diameters {
                angle.advance();
                reached += 1;
            }
            let Some(out) = out.get_mut(mode) else { continue };
            let turned = if ray.sine { angle.sin } else { angle.cos };
            let scale = if ray.diameters > 0 { 2.0 * SQRT_2 * turned } else { 2.0 };
            let size = size(mode);
            let own = self.transform(ray.diameters, &ray.terms, size * place.along);
            *out = scale * size * (own + self.other_head(ray, size, (place.along, ahead)));
        }
    }
}

fn by_diameters(rays: &[Ray]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rays.len()).collect();
    order.sort_by_key(|&mode| rays[mode].diameters);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::{Air, Head};
    use crate::bodies::modal_shape::ModalShape;
    use crate::bodies::mode_list::{ListMode, ListShape};
    use crate::bodies::position::EdgeSupport;

    /// H(k) cos m theta by Simpson's rule over pickup weights on the body.
    fn integral(shape: &ModalShape, mode: usize, k: f64) -> f64 {
        const PANELS: usize = 2000;
        let m = shape.diameters(mode).unwrap() as i32;
        let mut phi = vec![0.0; shape.len()];
        let at = |step: usize, phi: &mut Vec<f64>| {
            let r = step as f64 / PANELS as f64;
            shape.heard_at_place(BodyPosition { along: r, across: 0.03 }, 1.0, phi);
            phi[mode] * libm::jn(m, k * r) * r
        };
        let weight = |step: usize| if step == 0 || step == PANELS { 1.0 } else { 2.0 + 2.0 * (step % 2) as f64 };
        (0..=PANELS).map(|step| weight(step) * at(step, &mut phi)).sum::<f64>() / (3 * PANELS) as f64
    }

    /// A list of modes of a drum head.
    fn drums() -> ModalShape {
        let mode = |(i, (diameters, circles, second)): (usize, (u32, u32, bool))| ListMode {
            ratio: 1.0 + i as f64,
            decay: None,
            mass: 1.0,
            shape: ListShape::Round(crate::bodies::position::RoundMode { diameters, circles, second }),
        };
        let modes = [(0, 1, false), (1, 1, false), (1, 1, true), (0, 2, false), (4, 3, true)];
        ModalShape::list(&modes.into_iter().enumerate().map(mode).collect::<Vec<_>>(), false)
    }

    #[test]
    fn far_field_is_rayleighs_integral() {
        let drum = Head { radius: 0.328, surface_density: 0.262, tension: 3990.0 };
        let kettle = Air { volume: Some(0.14), ..Air::ROOM };
        let bodies = [
            ModalShape::head(60, 0.01),
            ModalShape::disc(EdgeSupport::Free, 0.33, 60, 0.0),
            ModalShape::disc(EdgeSupport::Clamped, 0.3, 60, 0.0),
            ModalShape::disc(EdgeSupport::Supported, 0.3, 60, 0.0),
            ModalShape::head_in_air(&drum, &kettle, 60, 0.0).0,
            drums(),
            ModalShape::head(300, 0.0).thinned(60, BodyPosition { along: 0.3, across: 0.1 }),
        ];
        for (number, shape) in bodies.iter().enumerate() {
            let mut heard = vec![0.0; shape.len()];
            for size in [0.05, 0.9, 4.0, 17.3] {
                let place = BodyPosition { along: 0.6, across: 0.03 };
                shape.far_at_place(place, 1.0, |_| size, &mut heard);
                for (mode, heard) in heard.iter().enumerate() {
                    let known = 2.0 * size * integral(shape, mode, 0.6 * size);
                    let off = heard - known;
                    assert!(off.abs() < 2e-3 * size.max(0.2), "{number}: {:?} at {size}: {heard} is {known}", shape.family(mode));
                }
            }
        }
    }

    /// On the axis only modes that displace volume radiate.
    #[test]
    fn nodal_diameters_are_silent_on_the_axis() {
        let shape = ModalShape::head(60, 0.0);
        let mut heard = vec![0.0; 60];
        shape.far_at_place(BodyPosition { along: 0.0, across: 0.1 }, 1.0, |_| 1.0, &mut heard);
        for (i, heard) in heard.iter().enumerate() {
            assert_eq!(heard.abs() > 1e-3, shape.diameters(i) == Some(0), "{:?}: {heard}", shape.family(i));
        }
    }

    /// The force at the end of a string over 2 f0 M, from its slope there: T dphi/dx q, T = 4 L f0^2 M.
    #[test]
    fn bridge_force_follows_the_slope_of_the_string() {
        let (string, mass, f0, length) = (ModalShape::string(20), 0.01, 200.0, 0.6);
        let (mut near, mut bridge, step) = (vec![0.0; 20], vec![0.0; 20], 1e-6);
        string.weights_at(1.0 - step, mass, &mut near);
        string.bridge(mass, &mut bridge);
        for n in 1..=20 {
            let slope = -near[n - 1] / (step * length);
            // an amplitude q moves with 2 pi n f0 q
            let known = 4.0 * length * f0 * f0 * mass * slope / (2.0 * f0 * mass) / (TAU * n as f64 * f0);
            assert!((bridge[n - 1] / known - 1.0).abs() < 1e-6, "{n}: {} instead of {known}", bridge[n - 1]);
        }
    }
}
