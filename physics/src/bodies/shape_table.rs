//! Tables of shapes at equally spaced places of the strike line, for bodies whose shapes have no recurrence.
//!
//! Between two places the shape is the cubic with the values and slopes there; slopes are differences of fourth order. With p
//! places a half wave the error is 4e-4 (4/p)^4 of the shape's amplitude inside, about 4 times that next to the ends.

/// Minimum number of panels of a table: the slope at an end needs five places.
const FEWEST_PANELS: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Table {
    modes: usize,
    panels: usize,
    /// For each place: the values of all modes, then their slopes per panel.
    rows: Vec<f64>,
}

impl Table {
    /// Computes `modes` shapes at `panels` + 1 places; `draw(xi, values)` gives those of one place.
    pub(super) fn new(modes: usize, panels: usize, mut draw: impl FnMut(f64, &mut [f64])) -> Self {
        let panels = panels.max(FEWEST_PANELS);
        let mut table = Self { modes, panels, rows: vec![0.0; 2 * modes * (panels + 1)] };
        for place in 0..=panels {
            let first = 2 * modes * place;
            draw(place as f64 / panels as f64, &mut table.rows[first..first + modes]);
        }
        for place in 0..=panels {
            for mode in 0..modes {
                table.rows[2 * modes * place + modes + mode] = table.slope(place, mode);
            }
        }
        table
    }

    /// d phi per panel, by five places.
    fn slope(&self, place: usize, mode: usize) -> f64 {
        let first = place.saturating_sub(2).min(self.panels - 4);
        let factors = match place - first {
            0 => [-25.0, 48.0, -36.0, 16.0, -3.0],
            1 => [-3.0, -10.0, 18.0, -6.0, 1.0],
            2 => [1.0, -8.0, 0.0, 8.0, -1.0],
            3 => [-1.0, 6.0, -18.0, 10.0, 3.0],
            _ => [3.0, -16.0, 36.0, -48.0, 25.0],
        };
        let value = |at: usize| self.rows[2 * self.modes * (first + at) + mode];
        (0..5).map(|at| factors[at] * value(at)).sum::<f64>() / 12.0
    }

    /// phi_i(xi) of every mode, xi in [0, 1].
    pub(super) fn shapes_at(&self, xi: f64, out: &mut [f64]) {
        let place = xi * self.panels as f64;
        let panel = (place as usize).min(self.panels - 1);
        let t = place - panel as f64;
        let s = 1.0 - t;
        let (left, right) = (s * s * (1.0 + 2.0 * t), t * t * (1.0 + 2.0 * s));
        let (left_slope, right_slope) = (s * s * t, -t * t * s);
        let n = self.modes;
        let rows = &self.rows[2 * n * panel..2 * n * (panel + 2)];
        let (here, there) = rows.split_at(2 * n);
        for (i, phi) in out.iter_mut().take(n).enumerate() {
            *phi = left * here[i] + left_slope * here[n + i] + right * there[i] + right_slope * there[n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn cubics_are_met_exactly() {
        let cubic = |x: f64| 1.0 - 2.0 * x + 3.0 * x * x - 5.0 * x * x * x;
        let table = Table::new(2, 4, |xi, row| row.copy_from_slice(&[cubic(xi), 1.0]));
        let mut phi = [0.0; 2];
        for step in 0..=100 {
            let xi = f64::from(step) / 100.0;
            table.shapes_at(xi, &mut phi);
            assert!((phi[0] - cubic(xi)).abs() < 1e-14 && (phi[1] - 1.0).abs() < 1e-15, "{phi:?} at {xi}");
        }
    }

    #[test]
    fn twelve_places_a_half_wave_keep_five_digits() {
        let table = Table::new(1, 60, |xi, row| row[0] = (5.0 * PI * xi).cos());
        let (mut inside, mut ends) = (0.0_f64, 0.0_f64);
        for step in 0..=3000 {
            let xi = f64::from(step) / 3000.0;
            let mut phi = [0.0];
            table.shapes_at(xi, &mut phi);
            let off = (phi[0] - (5.0 * PI * xi).cos()).abs();
            if (2.0 / 60.0..=58.0 / 60.0).contains(&xi) { inside = inside.max(off) } else { ends = ends.max(off) }
        }
        assert!(inside < 2.2e-5 && ends < 1e-4, "{inside:e} {ends:e}");
    }
}
