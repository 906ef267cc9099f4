//! Painting of the mesh of a body: shaded quads and edges.

use egui::epaint::Mesh;
use egui::{Color32, Pos2};

use crate::editor::body_view::floor::Camera;
use crate::editor::theme::mix;
use crate::editor::widgets::ThemePainter;
use urto_body_mesh::{BodyMesh, Grid, SurfacePoint};

/// Paints a mesh.
#[derive(Clone, Copy)]
pub struct MeshPainter<'a>(pub &'a BodyMesh);

impl MeshPainter<'_> {
    /// Position of point `i` with the displacement `w` [world].
    fn displaced(&self, i: usize, w: f32) -> [f32; 3] {
        let SurfacePoint { rest, direction: way, .. } = self.0.points[i];
        std::array::from_fn(|k| rest[k] + w * way[k])
    }

    /// Paints the body with the displacements `w`, at most `most` [world].
    pub fn paint(&self, painter: &ThemePainter, camera: &Camera, w: &[f32], largest: f32) {
        let projected: Vec<(Pos2, f32)> =
            (0..self.0.points.len()).map(|i| camera.project_with_depth(self.displaced(i, w[i]))).collect();
        for grid in &self.0.grids {
            painter.mesh(self.triangles(grid, painter, &projected, w, largest));
        }
        for edge in &self.0.edges {
            let points = edge.points.iter().map(|&i| projected[i as usize].0).collect();
            painter.path(points, edge.width, painter.ink.body.gamma_multiply(edge.opacity));
        }
    }

    /// Paints the body as a small picture: outlines only, with even shading.
    pub fn paint_small(&self, painter: &ThemePainter, camera: &Camera, w: &[f32]) {
        let projected: Vec<(Pos2, f32)> =
            (0..self.0.points.len()).map(|i| camera.project_with_depth(self.displaced(i, w[i]))).collect();
        for grid in &self.0.grids {
            painter.mesh(self.triangles(grid, painter, &projected, w, 0.3));
        }
        for edge in self.0.edges.iter().filter(|edge| edge.width >= 1.0) {
            let points = edge.points.iter().map(|&i| projected[i as usize].0).collect();
            painter.path(points, if edge.width >= 2.0 { 1.6 } else { 0.8 }, painter.ink.body.gamma_multiply(edge.opacity));
        }
    }

    /// Points of the ghost edge, displaced by `part` times `w`; empty if the form has none.
    pub fn ghost_edge(&self, camera: &Camera, w: &[f32], part: f32) -> Vec<Pos2> {
        let Some(edge) = self.0.ghost.and_then(|i| self.0.edges.get(i)) else { return Vec::new() };
        edge.points.iter().map(|&i| camera.project(self.displaced(i as usize, part * w[i as usize]))).collect()
    }

    /// A grid of quads as triangles, from the farthest quad to the nearest.
    fn triangles(&self, grid: &Grid, painter: &ThemePainter, projected: &[(Pos2, f32)], w: &[f32], largest: f32) -> Mesh {
        let mut mesh = Mesh::default();
        let Grid { first, rows, columns, slopes } = *grid;
        let at = |row: usize, column: usize| first + row * columns + column;
        for row in 0..rows {
            for column in 0..columns {
                let i = at(row, column);
                let slope = slopes.map(|slopes| self.slope(grid, row, column, w, slopes));
                mesh.colored_vertex(projected[i].0, self.shade(painter, i, w[i] / largest, slope));
            }
        }
        let mut quads: Vec<(f32, u32)> = (0..rows - 1)
            .flat_map(|row| (0..columns - 1).map(move |column| (row, column)))
            .map(|(row, column)| {
                let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(r, c)| projected[at(row + r, column + c)].1);
                (corners.iter().sum(), (row * columns + column) as u32)
            })
            .collect();
        quads.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, i) in quads {
            let below = i + columns as u32;
            mesh.add_triangle(i, i + 1, below);
            mesh.add_triangle(i + 1, below, below + 1);
        }
        mesh
    }

    /// Slope of the displacement along columns and rows, weighted by `x` and `y`.
    fn slope(&self, grid: &Grid, row: usize, column: usize, w: &[f32], [x, y]: [f32; 2]) -> f32 {
        let between = |(r0, c0): (usize, usize), (r1, c1): (usize, usize)| {
            let (a, b) = (grid.first + r0 * grid.columns + c0, grid.first + r1 * grid.columns + c1);
            let way: f32 = (0..3).map(|k| (self.0.points[b].rest[k] - self.0.points[a].rest[k]).powi(2)).sum();
            if way > 1e-9 { (w[b] - w[a]) / way.sqrt() } else { 0.0 }
        };
        let (right, below) = ((column + 1).min(grid.columns - 1), (row + 1).min(grid.rows - 1));
        x * between((row, column.saturating_sub(1)), (row, right)) - y * between((row.saturating_sub(1), column), (below, column))
    }

    /// Colour of point `i` at the displacement `w` over the maximum: brightness by slope, tint by displacement.
    fn shade(&self, painter: &ThemePainter, i: usize, w: f32, slope: Option<f32>) -> Color32 {
        let ink = painter.ink;
        match slope {
            Some(slope) => {
                let material = mix(ink.solid[0], ink.solid[1], self.0.points[i].brightness - slope);
                mix(material, ink.body, 0.62 * w.abs().min(1.0).powf(1.1))
            }
            None if self.0.points[i].direction == [0.0; 3] => mix(ink.side, ink.solid[0], self.0.points[i].brightness),
            None => mix(mix(ink.side, ink.solid[0], self.0.points[i].brightness - 0.42), ink.body, 0.3 * w.abs().min(1.0)),
        }
    }
}
