//! Products of small matrices in single precision, row by row, and sums over them.
//!
//! As in `simd`, every version multiplies and adds in the same order without fused operations, so that all give the same bits.

/// Unit of the widths of matrices.
pub(crate) const BLOCK: usize = 4;

/// A matrix within an array: rows of `width` numbers, `stride` apart.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    pub data: &'a [f32],
    pub stride: usize,
    pub width: usize,
}

impl<'a> Block<'a> {
    /// All of `data` in rows of `width` numbers.
    pub fn whole(data: &'a [f32], width: usize) -> Self {
        Self { data, stride: width, width }
    }
}

/// Where a product goes: rows of `stride` numbers.
pub(crate) struct Target<'a> {
    pub data: &'a mut [f32],
    pub stride: usize,
}

/// c = a b, with as many rows as `rows`; the width of b is a multiple of [`BLOCK`], and b has as many rows as a is wide. Without closures:
/// they would be compiled for narrower registers.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn multiply(rows: usize, a: Block, b: Block, c: Target) {
    let mut row = 0;
    while row + 4 <= rows {
        strip::<4>(row, a, b, c.data, c.stride);
        row += 4;
    }
    if row + 2 <= rows {
        strip::<2>(row, a, b, c.data, c.stride);
        row += 2;
    }
    if row < rows {
        strip::<1>(row, a, b, c.data, c.stride);
    }
}

/// The rows of a product from `row` on, in the registers of the caller.
#[inline(always)]
pub(crate) fn strip<const ROWS: usize>(row: usize, a: Block, b: Block, out: &mut [f32], stride: usize) {
    let mut factors: [&[f32]; ROWS] = [&[]; ROWS];
    for (u, factors) in factors.iter_mut().enumerate() {
        let start = (row + u) * a.stride;
        *factors = &a.data[start..start + a.width];
    }
    let out = &mut out[row * stride..];
    let mut at = 0;
    while at + 16 <= b.width {
        tile::<ROWS, 16>(factors, a.width, b, at, out, stride);
        at += 16;
    }
    if at + 8 <= b.width {
        tile::<ROWS, 8>(factors, a.width, b, at, out, stride);
        at += 8;
    }
    if at + BLOCK <= b.width {
        tile::<ROWS, BLOCK>(factors, a.width, b, at, out, stride);
    }
}

/// As many columns of them from `at` on.
#[expect(clippy::needless_range_loop, reason = "it indexes the rows of both matrices")]
#[inline(always)]
fn tile<const ROWS: usize, const WIDE: usize>(
    factors: [&[f32]; ROWS],
    inner: usize,
    b: Block,
    at: usize,
    out: &mut [f32],
    stride: usize,
) {
    let mut sums = [[0.0_f32; WIDE]; ROWS];
    for p in 0..inner {
        let start = p * b.stride + at;
        let row = &b.data[start..start + WIDE];
        for u in 0..ROWS {
            let factor = factors[u][p];
            for lane in 0..WIDE {
                sums[u][lane] += factor * row[lane];
            }
        }
    }
    for (u, sums) in sums.iter().enumerate() {
        let start = u * stride + at;
        out[start..start + WIDE].copy_from_slice(sums);
    }
}

/// (a, b) := (a + b, a - b).
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn fold(a: &mut [f32], b: &mut [f32]) {
    for (a, b) in a.iter_mut().zip(b) {
        (*a, *b) = (*a + *b, *a - *b);
    }
}

/// out = 2 (a b - c^2).
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn curl([a, b, c]: [&[f32]; 3], out: &mut [f32]) {
    for (((a, b), c), out) in a.iter().zip(b).zip(c).zip(out) {
        *out = 2.0 * (a * b - c * c);
    }
}

/// The derivatives of sum p 2 (a b - c^2) by a, b and c, in their places.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn product_slopes(p: &[f32], [a, b, c]: [&mut [f32]; 3]) {
    for (((a, b), c), p) in a.iter_mut().zip(b).zip(c).zip(p) {
        let twice = 2.0 * p;
        (*a, *b, *c) = (twice * *b, twice * *a, -2.0 * twice * *c);
    }
}

/// Half of the sum of w x^2, and x := w x.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(crate) fn weigh(weights: &[f32], x: &mut [f32]) -> f64 {
    let mut sums = [0.0_f64; 4];
    for (w, x) in weights.as_chunks::<4>().0.iter().zip(x.as_chunks_mut::<4>().0) {
        for lane in 0..4 {
            let weighed = w[lane] * x[lane];
            sums[lane] += f64::from(weighed) * f64::from(x[lane]);
            x[lane] = weighed;
        }
    }
    0.5 * ((sums[0] + sums[2]) + (sums[1] + sums[3]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_every_shape_are_sums() {
        for (rows, inner, width) in [(1, 3, 4), (6, 7, 12), (7, 5, 28), (20, 8, 16)] {
            let number = |k: usize| ((k * 37 % 64) as f32 - 31.0) / 8.0;
            let a: Vec<f32> = (0..rows * inner).map(number).collect();
            let b: Vec<f32> = (0..inner * width).map(|k| number(k + 5)).collect();
            let mut c = vec![0.0; rows * width];
            multiply(rows, Block::whole(&a, inner), Block::whole(&b, width), Target { data: &mut c, stride: width });
            for i in 0..rows {
                for j in 0..width {
                    let sum: f32 = (0..inner).map(|p| a[i * inner + p] * b[p * width + j]).sum();
                    assert_eq!(c[i * width + j], sum, "{rows} {inner} {width} at {i} {j}");
                }
            }
        }
    }
}
