//! Products X_p(x) Y_q(y) of the shapes of two strips: rectangular plates to first order.
//!
//! X and Y are sines, or the shapes of a clamped or free bar, with mean square 1. With A = mean of X''^2, E of X'^2, C of X X'' on
//! a strip of length 1 and s = a/b the aspect of the plate, Rayleigh's quotient of one product is
//!
//! ```text
//! Omega^2 = A_p/s^2 + s^2 A_q + 2 nu C_p C_q + 2 (1 - nu) E_p E_q        Omega = omega a b sqrt(rho h/D)
//! ```
//!
//! (Warburton, "The vibration of rectangular plates", 1954). It is exact when all edges are supported.

use crate::bodies::beams::{Bar, Ends, string_shapes_at};
use crate::bodies::position::EdgeSupport;
use std::f64::consts::PI;

/// Maximum number of shapes of a strip.
pub(crate) const MAX_SHAPES: usize = 512;

/// b of a free bar's lowest mode.
const LOWEST_WAVE: f64 = 4.730_040_744_862_704;

/// b beyond which cosh b and sinh b agree to the last bit.
const LARGE_WAVE: f64 = 20.0;

/// The shapes of a strip.
#[derive(Clone, Debug)]
pub(crate) enum Strip {
    /// sqrt2 sin((i + 1) pi x).
    Supported,
    /// Clamped bar.
    Clamped(Bar),
    /// 1, sqrt3 (2 x - 1), then those of the free bar.
    Free(Bar),
}

/// A, E and C of a shape.
#[derive(Clone, Copy, Debug)]
struct Means {
    bend: f64,
    slope: f64,
    mixed: f64,
}

impl Strip {
    pub(crate) fn new(rim: EdgeSupport) -> Self {
        match rim {
            EdgeSupport::Supported => Self::Supported,
            EdgeSupport::Clamped => Self::Clamped(Bar::new(MAX_SHAPES, Ends::Clamped)),
            EdgeSupport::Free => Self::Free(Bar::new(MAX_SHAPES, Ends::Free)),
        }
    }

    /// X_0(x), X_1(x), ... in `out`.
    pub(crate) fn shapes_at(&self, x: f64, out: &mut [f64]) {
        match self {
            Self::Supported => string_shapes_at(x, out),
            Self::Clamped(bar) => bar.shapes_at(x, out),
            Self::Free(bar) => {
                for (value, rigid) in out.iter_mut().zip([1.0, 3_f64.sqrt() * (2.0 * x - 1.0)]) {
                    *value = rigid;
                }
                if let Some(bending) = out.get_mut(2..) {
                    bar.shapes_at(x, bending);
                }
            }
        }
    }

    fn means(&self) -> Vec<Means> {
        let sine = |i: usize| {
            let square = ((i + 1) as f64 * PI).powi(2);
            Means { bend: square * square, slope: square, mixed: -square }
        };
        match self {
            Self::Supported => (0..MAX_SHAPES).map(sine).collect(),
            Self::Clamped(bar) => bar.ratios().into_iter().map(|ratio| bar_means(ratio, -2.0, true)).collect(),
            Self::Free(bar) => {
                let rigid = [0.0, 12.0].map(|slope| Means { bend: 0.0, slope, mixed: 0.0 });
                rigid
                    .into_iter()
                    .chain(bar.ratios().into_iter().map(|ratio| bar_means(ratio, 6.0, false)))
                    .take(MAX_SHAPES)
                    .collect()
            }
        }
    }
}

/// With t = b s, s = (cosh b - cos b)/(sinh b - sin b): E = t (t + 6) free, t (t - 2) clamped; C = t (2 - t) of both.
fn bar_means(ratio: f64, added: f64, clamped: bool) -> Means {
    let wave = LOWEST_WAVE * ratio.sqrt();
    let t = if wave > LARGE_WAVE { wave } else { wave * (wave.cosh() - wave.cos()) / (wave.sinh() - wave.sin()) };
    let slope = t * (t + added);
    Means { bend: wave.powi(4), slope, mixed: if clamped { -slope } else { t * (2.0 - t) } }
}

/// The lowest `modes` products without rigid ones, rising: (p, q, Omega).
pub(crate) fn lowest(strip: &Strip, aspect: f64, poisson: f64, modes: usize) -> Vec<(usize, usize, f64)> {
    let means = strip.means();
    let square = |p: usize, q: usize| {
        let (x, y) = (means[p], means[q]);
        let bend = x.bend / (aspect * aspect) + y.bend * aspect * aspect;
        bend + 2.0 * poisson * x.mixed * y.mixed + 2.0 * (1.0 - poisson) * x.slope * y.slope
    };
    // Weyl: Omega/(4 pi) modes are below
    let mut end = 4.0 * PI * (modes + 8) as f64;
    loop {
        let mut found = Vec::new();
        let reached = |p: usize, q: usize| square(p, q) <= end * end;
        for p in (0..MAX_SHAPES).take_while(|&p| reached(p, 0)) {
            found.extend((0..MAX_SHAPES).take_while(|&q| reached(p, q)).map(|q| (p, q, square(p, q).sqrt())));
        }
        found.retain(|&(.., omega)| omega > 0.0);
        if found.len() >= modes {
            found.sort_by(|a, b| a.2.total_cmp(&b.2));
            found.truncate(modes);
            return found;
        }
        end *= 1.2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Means over a strip by Simpson's rule, derivatives by differences.
    #[test]
    fn means_of_shapes_are_those_of_the_closed_forms() {
        const PANELS: usize = 4000;
        let h = 1.0 / PANELS as f64;
        for rim in [EdgeSupport::Free, EdgeSupport::Supported, EdgeSupport::Clamped] {
            let strip = Strip::new(rim);
            let rows: Vec<[f64; 5]> = (0..=PANELS)
                .map(|k| {
                    let mut row = [0.0; 5];
                    strip.shapes_at(k as f64 * h, &mut row);
                    row
                })
                .collect();
            for (i, means) in strip.means().into_iter().take(5).enumerate() {
                let (mut slope, mut mixed) = (0.0, 0.0);
                for k in 0..PANELS {
                    slope += ((rows[k + 1][i] - rows[k][i]) / h).powi(2) * h;
                    if k > 0 {
                        mixed += rows[k][i] * (rows[k + 1][i] - 2.0 * rows[k][i] + rows[k - 1][i]) / h;
                    }
                }
                assert!((slope - means.slope).abs() < 1e-4 * (1.0 + means.slope), "{rim:?} {i}: {slope}, {means:?}");
                assert!((mixed - means.mixed).abs() < 1e-3 * (1.0 + means.slope), "{rim:?} {i}: {mixed}, {means:?}");
            }
        }
    }

    /// Warburton's square: 36.1 clamped, where 35.985 is exact; 22.37 (p, 0) of a free strip.
    #[test]
    fn one_product_is_near() {
        let clamped = lowest(&Strip::new(EdgeSupport::Clamped), 1.0, 0.3, 4);
        assert_eq!((clamped[0].0, clamped[0].1), (0, 0));
        assert!((clamped[0].2 - 36.1).abs() < 0.02, "{}", clamped[0].2);
        let free = lowest(&Strip::new(EdgeSupport::Free), 1.0, 0.3, 3);
        assert_eq!((free[0].0, free[0].1), (1, 1));
        assert!((free[1].2 - 22.373).abs() < 1e-3);
    }
}
