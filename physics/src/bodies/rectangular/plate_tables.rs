//! Tables of the transforms of `plate_potential`, in single precision.

use crate::bodies::rectangular::plate_axis::{Axis, WaveKind};
use crate::modal::BLOCK;

/// Tables of a plate: they do not change.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// Of the rows' modes, by class: sin, bent, slope over the points of half the grid, [3 points x modes], and transposed.
    pub rows: [Vec<f32>; 2],
    pub rows_back: [Vec<f32>; 2],
    /// Of the columns' modes, by field and class: [modes x points], and transposed.
    pub columns: [[Vec<f32>; 2]; 3],
    pub columns_back: [[Vec<f32>; 2]; 3],
    /// Stress functions of the rows, by class: [functions x points], and transposed.
    pub row_stress: [Vec<f32>; 2],
    pub row_stress_back: [Vec<f32>; 2],
    /// The same of the columns.
    pub column_stress: [Vec<f32>; 2],
    pub column_stress_back: [Vec<f32>; 2],
    /// Weight of every stress function.
    pub weights: Vec<f32>,
}

/// A width in whole blocks.
pub(super) fn padded(n: usize) -> usize {
    n.next_multiple_of(BLOCK)
}

fn flat(rows: &[Vec<f64>], width: usize) -> Vec<f32> {
    let mut out = Vec::with_capacity(rows.len() * width);
    for row in rows {
        out.extend(row.iter().map(|x| *x as f32));
        out.resize(out.len() + width - row.len(), 0.0);
    }
    out
}

/// Columns as rows, padded to `width`; `rows` rows.
fn turned(rows: &[Vec<f64>], points: usize, width: usize) -> Vec<f32> {
    let column = |i: usize| rows.iter().map(|row| row[i]).collect::<Vec<f64>>();
    flat(&(0..points).map(column).collect::<Vec<_>>(), width)
}

impl Tables {
    /// The tables of two axes, whose columns of a class have the padded `width`; allocates.
    pub fn new(rows: &Axis, columns: &Axis, width: usize) -> Self {
        const FIELDS: [[WaveKind; 2]; 3] =
            [[WaveKind::Sine, WaveKind::Bent], [WaveKind::Bent, WaveKind::Sine], [WaveKind::Slope, WaveKind::Slope]];
        // shapes are 2 sin sin
        let of_rows = |class: usize| {
            let mut joined: Vec<Vec<f64>> = vec![Vec::new(); rows.count(class)];
            for [kind, _] in FIELDS {
                for (row, more) in joined.iter_mut().zip(rows.table(kind, class)) {
                    row.extend(more.iter().map(|x| 2.0 * x));
                }
            }
            joined
        };
        let classes = |make: &dyn Fn(usize) -> Vec<f32>| [make(0), make(1)];
        let fields = |make: &dyn Fn(WaveKind, usize) -> Vec<f32>| FIELDS.map(|[_, kind]| classes(&|class| make(kind, class)));
        let mut weights = Vec::new();
        for class in 0..2 {
            for i in 0..rows.stresses {
                for k in 0..2 * columns.stresses {
                    let (p, r) = (2 * i + class, 2 * (k % columns.stresses) + k / columns.stresses);
                    let ((of_row, row), (of_column, column)) = (rows.stress(p), columns.stress(r));
                    let kappa = of_row + of_column;
                    let norm = row * row * column * column;
                    weights.push(if kappa > 0.0 { (0.25 * norm / (kappa * kappa)) as f32 } else { 0.0 });
                }
            }
        }
        weights.resize(padded(weights.len()), 0.0);
        Self {
            rows: classes(&|class| turned(&of_rows(class), 3 * rows.points, rows.count(class))),
            rows_back: classes(&|class| flat(&of_rows(class), 3 * rows.points)),
            columns: fields(&|kind, class| flat(&columns.table(kind, class), columns.points)),
            columns_back: fields(&|kind, class| turned(&columns.table(kind, class), columns.points, width)),
            row_stress: classes(&|class| flat(&rows.stress_table(class), rows.points)),
            row_stress_back: classes(&|class| turned(&rows.stress_table(class), rows.points, rows.stresses)),
            column_stress: classes(&|class| flat(&columns.stress_table(class), columns.points)),
            column_stress_back: classes(&|class| turned(&columns.stress_table(class), columns.points, columns.stresses)),
            weights,
        }
    }
}
