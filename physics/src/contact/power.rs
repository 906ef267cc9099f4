//! Powers of the compression and their growth over a substep, without cancellation.
//!
//! ```text
//! G(r) = ((1 + r)^a - 1)/r      r = d/x0 > -1: displacement over the compression before it
//! ```
//!
//! Every divided difference of powers from x0 to x0 + d follows from G, and where a is a half or whole number G is a polynomial in the
//! root of 1 + r.

/// r up to which log1p and expm1 are more accurate than a power.
const CLOSE: f64 = 0.5;
/// The same up to which the derivative of G is its series: its closed form cancels.
const VERY_CLOSE: f64 = 1e-4;

/// x^a for x >= 0: with a square root for half and whole a up to 3, as of the usual exponents.
#[inline]
pub(crate) fn power(x: f64, a: f64) -> f64 {
    if a == 1.5 {
        x * x.sqrt()
    } else if a == 2.0 {
        x * x
    } else if a == 1.0 {
        x
    } else if a == 3.0 {
        x * x * x
    } else if a == 2.5 {
        x * x * x.sqrt()
    } else {
        any_power(x, a)
    }
}

/// Not inlined: the compiler would compute it in advance for every power.
#[inline(never)]
fn any_power(x: f64, a: f64) -> f64 {
    x.powf(a)
}

/// G(r) and its derivative; `ratio` is 1 + r > 0.
#[inline]
pub(crate) fn growth(ratio: f64, r: f64, a: f64) -> (f64, f64) {
    if a == 1.5 {
        let root = ratio.sqrt();
        let part = 1.0 / (1.0 + root);
        (root + part, 0.5 * part * (1.0 + part))
    } else if a == 2.0 {
        (2.0 + r, 1.0)
    } else if a == 1.0 {
        (1.0, 0.0)
    } else if a == 3.0 {
        (3.0 + r * (3.0 + r), 3.0 + 2.0 * r)
    } else if a == 2.5 {
        let root = ratio.sqrt();
        let part = 1.0 / (1.0 + root);
        (root * (ratio + 1.0) + part, 1.5 * root + 0.5 * part * (1.0 + part))
    } else {
        any_growth(ratio, r, a)
    }
}

/// [`growth`] of any power.
#[inline(never)]
fn any_growth(ratio: f64, r: f64, a: f64) -> (f64, f64) {
    let half = 0.5 * a * (a - 1.0);
    if r.abs() < VERY_CLOSE {
        let third = (a - 2.0) * r * (1.0 / 3.0);
        let g = a + half * r * (1.0 + third * (1.0 + 0.25 * (a - 3.0) * r * (1.0 + 0.2 * (a - 4.0) * r)));
        let slope = 1.0 + third * (2.0 + (a - 3.0) * r * (0.75 + 0.2 * (a - 4.0) * r));
        return (g, half * slope);
    }
    let grown = if r.abs() < CLOSE { (a * r.ln_1p()).exp_m1() } else { ratio.powf(a) - 1.0 };
    let g = grown / r;
    (g, (a * (1.0 + grown) / ratio - g) / r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn powers_are_powers() {
        for a in [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0] {
            for x in [1e-12, 3.3e-7, 1e-4, 0.02, 1.0] {
                assert_relative_eq!(power(x, a), x.powf(a), max_relative = 4e-16);
            }
        }
    }

    /// Nodes and weights of Gauss's rule of eight points on [0, 1].
    const GAUSS: [(f64, f64); 8] = [
        (0.019_855_071_751_231_9, 0.050_614_268_145_188_1),
        (0.101_666_761_293_186_6, 0.111_190_517_226_687_2),
        (0.237_233_795_041_835_5, 0.156_853_322_938_943_6),
        (0.408_282_678_752_175_1, 0.181_341_891_689_181),
        (0.591_717_321_247_825, 0.181_341_891_689_181),
        (0.762_766_204_958_164_5, 0.156_853_322_938_943_6),
        (0.898_333_238_706_813_4, 0.111_190_517_226_687_2),
        (0.980_144_928_248_768_1, 0.050_614_268_145_188_1),
    ];

    /// G is the mean slope of the power: the integral of a (1 + s r)^(a-1) over s from 0 to 1; its derivative likewise.
    #[test]
    fn growth_is_the_mean_slope() {
        for a in [1.0, 1.1, 1.5, 2.0, 2.3, 2.5, 3.0, 4.5] {
            for r in [-0.4, -0.02, -1.01e-4, -0.99e-4, -1e-9, 0.0, 1e-13, 0.99e-4, 1.01e-4, 3e-3, 0.1, 0.49, 0.51] {
                let mean = |of: &dyn Fn(f64) -> f64| GAUSS.iter().map(|(s, weight)| weight * of(*s)).sum::<f64>();
                let (g, slope) = growth(1.0 + r, r, a);
                assert_relative_eq!(g, mean(&|s| a * (1.0 + s * r).powf(a - 1.0)), max_relative = 3e-13);
                let bend = mean(&|s| a * (a - 1.0) * s * (1.0 + s * r).powf(a - 2.0));
                assert_relative_eq!(slope, bend, max_relative = 1e-7, epsilon = 1e-12);
            }
        }
    }
}
