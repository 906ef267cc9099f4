//! Bessel functions of whole order, as round bodies need them: J_m with derivative and zeros, I_m without overflow.
//!
//! Ratios rho_k = I_{k+1}/I_k follow downwards from rho_k = 1/(2 (k + 1)/x + rho_{k+1}), where every term is positive and each
//! step divides an error by 1/rho_k^2: no digits are lost. e^x = I_0 + 2 (I_1 + I_2 + ...) then gives e^-x I_m.

/// Orders above the highest of order and argument at which the recurrence starts: rho < 0.42 there, 0.42^60 < 1e-22.
const HEAD_START: usize = 30;

/// J_m(x) and J_m'(x), x >= 0.
pub(crate) fn j(m: usize, x: f64) -> (f64, f64) {
    let (here, next) = two_orders(m, x);
    match (x > 0.0, m) {
        (true, _) => (here, m as f64 / x * here - next),
        (false, 1) => (0.0, 0.5),
        (false, _) => (here, 0.0),
    }
}

/// J_m(x) and J_{m+1}(x), bit for bit as `libm` has them: where both follow upwards from J_0 and J_1, in one recurrence.
fn two_orders(m: usize, x: f64) -> (f64, f64) {
    if (m + 1) as f64 > x {
        return (libm::jn(m as i32, x), libm::jn(m as i32 + 1, x));
    }
    let (mut here, mut next) = (libm::j0(x), libm::j1(x));
    for k in 1..=m {
        (here, next) = (next, next * (2.0 * k as f64 / x) - here);
    }
    (here, next)
}

/// I_{m+1}(x)/I_m(x), x >= 0.
pub(crate) fn i_ratio(m: usize, x: f64) -> f64 {
    let mut ratio = 0.0;
    for k in (m..m.max(x as usize) + HEAD_START).rev() {
        ratio = 1.0 / (2.0 * (k + 1) as f64 / x + ratio);
    }
    ratio
}

/// e^-x I_m(x), x >= 0.
pub(crate) fn i_scaled(m: usize, x: f64) -> f64 {
    // from above: `sum` = (I_{k+1} + I_{k+2} + ...)/I_k, `part` = I_m/I_k as soon as k <= m
    let (mut ratio, mut sum, mut part) = (0.0, 0.0, 1.0);
    for k in (0..m.max(x as usize) + HEAD_START).rev() {
        ratio = 1.0 / (2.0 * (k + 1) as f64 / x + ratio);
        sum = ratio * (1.0 + sum);
        if k < m {
            part *= ratio;
        }
    }
    part / (1.0 + 2.0 * sum)
}

/// Every change of sign of `f` between `start` and `end`, found in strides of `stride` and bisected to the last bit.
pub(crate) fn roots(f: impl Fn(f64) -> f64, start: f64, end: f64, stride: f64) -> Vec<f64> {
    let mut found = Vec::new();
    let (mut left, mut value) = (start, f(start));
    while left < end {
        let right = left + stride;
        let next = f(right);
        if (value < 0.0) != (next < 0.0) {
            let root = halved(&f, left, right, value < 0.0);
            if root <= end {
                found.push(root);
            }
        }
        (left, value) = (right, next);
    }
    found
}

fn halved(f: &impl Fn(f64) -> f64, mut left: f64, mut right: f64, rises: bool) -> f64 {
    loop {
        let middle = 0.5 * (left + right);
        if middle <= left || middle >= right {
            return middle;
        }
        if (f(middle) < 0.0) == rises { left = middle } else { right = middle }
    }
}

/// Zeros of J_m in (0, end]: all are above m, at least 3 apart.
pub(crate) fn zeros(m: usize, end: f64) -> Vec<f64> {
    roots(|x| libm::jn(m as i32, x), (m as f64).max(0.1), end, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Zeros by mpmath.besseljzero, 30 digits, rounded.
    #[test]
    fn zeros_have_twelve_digits() {
        let known: &[(usize, usize, f64)] = &[
            (0, 1, 2.404_825_557_695_773),
            (1, 1, 3.831_705_970_207_512_5),
            (2, 1, 5.135_622_301_840_683),
            (0, 2, 5.520_078_110_286_311),
            (3, 1, 6.380_161_895_923_983),
            (1, 2, 7.015_586_669_815_619),
            (0, 3, 8.653_727_912_911_013),
            (0, 12, 36.917_098_353_664_045),
            (5, 7, 28.626_618_307_291_14),
            (20, 1, 25.417_140_814_072_525),
            (20, 9, 55.246_575_614_639_26),
            (60, 3, 78.618_362_385_424_62),
        ];
        for &(m, n, zero) in known {
            let found = zeros(m, zero + 1.0)[n - 1];
            assert!((found / zero - 1.0).abs() < 1e-13, "J_{m}, zero {n}: {found} instead of {zero}");
        }
    }

    #[test]
    fn no_zero_is_missed() {
        for m in 0..120 {
            let found = zeros(m, 160.0);
            assert!(found.windows(2).all(|pair| (3.0..8.0).contains(&(pair[1] - pair[0]))), "order {m}: {found:?}");
            // between two zeros of J_m there is one of J_{m+1}
            let next = zeros(m + 1, 160.0);
            assert!(found.len() - next.len() <= 1 && found.iter().zip(&next).all(|(a, b)| a < b), "order {m}");
        }
    }

    /// e^-x I_m by mpmath, rounded.
    #[test]
    fn scaled_modified_functions_are_exact() {
        let known: &[(usize, f64, f64)] = &[
            (0, 0.01, 0.990_074_585_149_707_5),
            (0, 1.0, 0.465_759_607_593_640_43),
            (1, 2.5, 0.206_584_649_531_266_54),
            (3, 0.5, 0.001_604_341_507_565_460_8),
            (5, 5.0, 0.014_540_318_125_234_77),
            (0, 40.0, 0.063_278_279_875_235_34),
            (12, 9.0, 7.813_372_561_915_36e-5),
            (30, 31.5, 8.997_954_033_086_323e-8),
            (80, 70.0, 2.206_647_644_086_001_4e-20),
            (2, 120.0, 0.035_851_326_527_546_766),
        ];
        for &(m, x, value) in known {
            let found = i_scaled(m, x);
            assert!((found / value - 1.0).abs() < 1e-13, "I_{m}({x}): {found:e} instead of {value:e}");
            let ratio = i_scaled(m + 1, x) / value;
            assert!((i_ratio(m, x) / ratio - 1.0).abs() < 1e-13);
        }
        assert_eq!((i_scaled(0, 0.0), i_scaled(3, 0.0), i_ratio(2, 0.0)), (1.0, 0.0, 0.0));
    }

    #[test]
    fn two_orders_are_those_of_libm_to_the_last_bit() {
        for m in 0..60 {
            for x in (0..900).map(|i| 0.1 * f64::from(i)) {
                let expected = (libm::jn(m as i32, x), libm::jn(m as i32 + 1, x));
                assert!(two_orders(m, x) == expected, "{m} {x}: {:?} {expected:?}", two_orders(m, x));
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_functions() {
        for m in [0, 1, 2, 7] {
            for x in [0.0, 0.3, 4.0, 11.0] {
                let h = 1e-5;
                let numeric =
                    if x > 0.0 { (j(m, x + h).0 - j(m, x - h).0) / (2.0 * h) } else { j(m, h).0 / h * f64::from(m > 0) };
                assert!((j(m, x).1 - numeric).abs() < 2e-5 * f64::from(x == 0.0) + 1e-9, "J_{m}'({x})");
            }
        }
    }
}
