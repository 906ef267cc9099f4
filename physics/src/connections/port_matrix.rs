//! Small matrices over the ports of a network, their triangular factors and inverses; no allocation.

use crate::modal::MAX_PORTS;

/// One number a port.
pub(crate) type PortVector = [f64; MAX_PORTS];

/// Number of ports up to which a product computes fewer rows.
const FEW: usize = 4;

/// A matrix of one row and one column a port, column by column.
#[derive(Clone, Debug)]
pub(crate) struct PortMatrix {
    columns: [PortVector; MAX_PORTS],
}

impl PortMatrix {
    /// No entry.
    pub const ZERO: Self = Self { columns: [[0.0; MAX_PORTS]; MAX_PORTS] };

    /// The matrix of these entries in its first n rows and columns.
    pub fn from_fn(n: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let mut matrix = Self::ZERO;
        for j in 0..n {
            for i in 0..n {
                matrix.columns[j][i] = entry(i, j);
            }
        }
        matrix
    }

    /// Entry of row i and column j.
    #[inline]
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.columns[j][i]
    }

    /// The same, mutable.
    #[inline]
    pub fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.columns[j][i]
    }

    /// The first n columns times x.
    #[inline]
    pub fn times(&self, x: &PortVector, n: usize) -> PortVector {
        match n {
            0 => [0.0; MAX_PORTS],
            1 => self.rows_times::<2>(x, n),
            2..=FEW => self.rows_times::<FEW>(x, n),
            _ => times_many(&self.columns[..n], x),
        }
    }

    /// The same; rows beyond the first ROWS are 0.
    #[inline]
    fn rows_times<const ROWS: usize>(&self, x: &PortVector, n: usize) -> PortVector {
        let mut some = [0.0; ROWS];
        for (column, x) in self.columns[..n].iter().zip(x) {
            for (sum, entry) in some.iter_mut().zip(column) {
                *sum += entry * x;
            }
        }
        let mut product = [0.0; MAX_PORTS];
        product[..ROWS].copy_from_slice(&some);
        product
    }

    /// Rows and columns exchanged.
    pub fn transposed(&self) -> Self {
        Self::from_fn(MAX_PORTS, |i, j| self.at(j, i))
    }

    /// The first n rows and columns of the product with `other`.
    pub fn product(&self, other: &Self, n: usize) -> Self {
        let mut product = Self::ZERO;
        for j in 0..n {
            product.columns[j] = self.times(&other.columns[j], n);
        }
        product
    }
}

/// Columns times x.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn times_many(columns: &[PortVector], x: &PortVector) -> PortVector {
    let mut product = [0.0; MAX_PORTS];
    for (column, x) in columns.iter().zip(x) {
        for i in 0..MAX_PORTS {
            product[i] += column[i] * x;
        }
    }
    product
}

/// The lower factor of a positive semidefinite matrix A = L L^T.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    /// L; columns whose pivot vanishes are 0.
    pub lower: PortMatrix,
    /// Whether no pivot was negative, within the least ones.
    pub is_semidefinite: bool,
    n: usize,
}

impl Factor {
    /// No port.
    pub const NONE: Self = Self { lower: PortMatrix::ZERO, is_semidefinite: true, n: 0 };

    /// Of the first n rows and columns (Cholesky). Rows and columns whose pivot is at most `least`, one number a row, are left out: the
    /// product L L^T is semidefinite whatever `matrix` is.
    pub fn new(matrix: &PortMatrix, n: usize, least: &PortVector) -> Self {
        let (mut lower, mut is_semidefinite) = (PortMatrix::ZERO, true);
        for j in 0..n {
            let mut column = [0.0; MAX_PORTS];
            for (i, entry) in column.iter_mut().enumerate().take(n).skip(j) {
                *entry = matrix.at(i, j) - (0..j).map(|k| lower.at(i, k) * lower.at(j, k)).sum::<f64>();
            }
            if column[j] > least[j] {
                let root = column[j].sqrt();
                column.iter_mut().for_each(|entry| *entry /= root);
                lower.columns[j] = column;
                continue;
            }
            // of a semidefinite matrix, no entry exceeds the root of the product of the diagonal ones
            let small = |i: usize| column[i] * column[i] <= 4.0 * least[j] * (matrix.at(i, i).abs() + least[i]);
            is_semidefinite &= column[j] >= -least[j] && (j + 1..n).all(small);
        }
        Self { lower, is_semidefinite, n }
    }

    /// x with L x = y; 0 where a pivot vanishes.
    pub fn solve(&self, y: &PortVector) -> PortVector {
        let mut x = [0.0; MAX_PORTS];
        for i in 0..self.n {
            let pivot = self.lower.at(i, i);
            if pivot > 0.0 {
                let known: f64 = (0..i).map(|k| self.lower.at(i, k) * x[k]).sum();
                x[i] = (y[i] - known) / pivot;
            }
        }
        x
    }

    /// Inverse of A without the rows and columns of vanishing pivots, which are 0 in it.
    pub fn inverse(&self) -> PortMatrix {
        let n = self.n;
        // rows of inverse L, of the ports that remain
        let mut inverse_lower = PortMatrix::ZERO;
        for j in 0..n {
            if self.lower.at(j, j) > 0.0 {
                let mut unit = [0.0; MAX_PORTS];
                unit[j] = 1.0;
                inverse_lower.columns[j] = self.solve(&unit);
            }
        }
        PortMatrix::from_fn(n, |i, j| (i.max(j)..n).map(|k| inverse_lower.at(k, i) * inverse_lower.at(k, j)).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B B^T of some numbers, of rank 3.
    fn semidefinite(n: usize) -> PortMatrix {
        let b = |i: usize, k: usize| (((i + 1) * (2 * k + 3)) as f64).sin();
        PortMatrix::from_fn(n, |i, j| (0..3).map(|k| b(i, k) * b(j, k)).sum())
    }

    #[test]
    fn factor_and_inverse_are_those_of_the_matrix() {
        let n = 6;
        let mut matrix = semidefinite(n);
        for i in 0..n {
            *matrix.at_mut(i, i) += 0.5;
        }
        let factor = Factor::new(&matrix, n, &[1e-13; MAX_PORTS]);
        let (again, one) = (factor.lower.product(&factor.lower.transposed(), n), matrix.product(&factor.inverse(), n));
        let mut y = [0.0; MAX_PORTS];
        y[..n].copy_from_slice(&[1.0, -2.0, 0.3, 4.0, -0.1, 0.7]);
        let back = factor.lower.times(&factor.solve(&y), n);
        for i in 0..n {
            assert!((back[i] - y[i]).abs() < 1e-15);
            for j in 0..n {
                assert!((again.at(i, j) - matrix.at(i, j)).abs() < 1e-15);
                assert!((one.at(i, j) - f64::from(u8::from(i == j))).abs() < 1e-14, "{i} {j}: {}", one.at(i, j));
            }
        }
    }

    #[test]
    fn dependent_rows_are_left_out_and_negative_pivots_are_seen() {
        let matrix = semidefinite(5);
        let factor = Factor::new(&matrix, 5, &[1e-13; MAX_PORTS]);
        assert!(factor.is_semidefinite);
        let again = factor.lower.product(&factor.lower.transposed(), 5);
        let kept: Vec<usize> = (0..5).filter(|&i| factor.lower.at(i, i) > 0.0).collect();
        assert_eq!(kept, [0, 1, 2]);
        let inverse = factor.inverse();
        for &i in &kept {
            for &j in &kept {
                assert!((again.at(i, j) - matrix.at(i, j)).abs() < 1e-15);
                let one: f64 = kept.iter().map(|&k| matrix.at(i, k) * inverse.at(k, j)).sum();
                assert!((one - f64::from(u8::from(i == j))).abs() < 1e-11, "{one}");
            }
        }
        let mut indefinite = matrix;
        *indefinite.at_mut(4, 4) -= 1e-3;
        assert!(!Factor::new(&indefinite, 5, &[1e-13; MAX_PORTS]).is_semidefinite);
    }
}
