//! The mesh of a body: points that move, grids of quads between them, and edges.

use std::f32::consts::TAU;

use crate::outline;
use crate::outline::{BAR, Form, HEADS, PLATES, RADIUS, STRINGS_APART, SurfacePoint, TUBE, Wall};
use urto_physics::bodies::BodyPosition;

/// A grid of quads.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Index of its first point; rows follow each other.
    pub first: usize,
    /// Number of rows of points.
    pub rows: usize,
    /// Number of columns of points.
    pub columns: usize,
    /// Change of brightness per slope along columns and rows; none for sides seen edge-on.
    pub slopes: Option<[f32; 2]>,
}

/// A line on the surface.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Indices of its points.
    pub points: Vec<u32>,
    /// Width [px].
    pub width: f32,
    /// Opacity, 0 to 1.
    pub opacity: f32,
}

/// The mesh of a body.
pub struct BodyMesh {
    /// All points.
    pub points: Vec<SurfacePoint>,
    /// The grids, in the order in which they are drawn.
    pub grids: Vec<Grid>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// Index of the edge that is repeated as ghosts.
    pub ghost: Option<usize>,
    /// What is drawn.
    pub form: Form,
}

/// Position of the axis of a long body across it.
const AXIS: f64 = 0.5;

/// The end of a second surface: places from 1 on are on the first.
const NEARLY_ONE: f64 = 1.0 - 1e-9;

impl BodyMesh {
    /// The mesh of a body of `form`.
    pub fn new(form: Form) -> Self {
        let mut mesh = Self { points: Vec::new(), grids: Vec::new(), edges: Vec::new(), ghost: None, form };
        match form {
            Form::Bar(_, cut) => mesh.bar(cut),
            Form::Round(shell) => mesh.round(shell),
            Form::TwoHeads => mesh.two_heads(),
            Form::TwoPlates => mesh.two_plates(),
            Form::Plate => mesh.plate(),
            Form::String(_) => mesh.string(),
            Form::Course(strings) => mesh.course(strings),
            Form::Wall(wall) => mesh.wall(wall),
            Form::Tube => mesh.tube(),
        }
        mesh
    }

    /// Adds a grid of points; `point` returns the one at (row, column), both from 0 to 1. Returns the index of its first point.
    fn add_grid(
        &mut self,
        rows: usize,
        columns: usize,
        slopes: Option<[f32; 2]>,
        point: impl Fn(f32, f32) -> SurfacePoint,
    ) -> usize {
        let first = self.points.len();
        for row in 0..=rows {
            for column in 0..=columns {
                self.points.push(point(row as f32 / rows as f32, column as f32 / columns as f32));
            }
        }
        self.grids.push(Grid { first, rows: rows + 1, columns: columns + 1, slopes });
        first
    }

    fn edge(&mut self, points: impl Iterator<Item = usize>, width: f32, opacity: f32) {
        self.edges.push(Edge { points: points.map(|i| i as u32).collect(), width, opacity });
    }

    fn bar(&mut self, cut: bool) {
        const N: usize = 64;
        let form = self.form;
        let depth = move |x: f32| if cut { outline::arch_depth(x) } else { BAR.1 };
        let place = |u: f32, across: f64| BodyPosition { along: f64::from(u), across };
        let front = self.add_grid(1, N, None, |row, u| {
            let mut point = form.surface_point(place(u, 0.0));
            point.rest[2] -= row * depth(point.rest[0]);
            point
        });
        let end = self.add_grid(1, 1, None, |row, v| {
            let mut point = form.surface_point(place(1.0, f64::from(v)));
            point.rest[2] -= row * BAR.1;
            point.brightness = 0.6;
            point
        });
        let top = self.add_grid(1, N, Some([2.2, 0.0]), |v, u| form.surface_point(place(u, f64::from(v))));
        let row = |first: usize| (0..=N).map(move |i| first + i);
        for i in (4..N).step_by(4) {
            self.edge([top + i, top + N + 1 + i].into_iter(), 0.8, 0.4);
        }
        self.edge(row(top + N + 1), 1.2, 0.75);
        self.edge(row(front + N + 1), 1.0, 0.55);
        for i in [0, N] {
            self.edge([top + i, top + N + 1 + i].into_iter(), 1.2, 0.75);
            self.edge([front + i, front + N + 1 + i].into_iter(), 1.0, 0.55);
        }
        self.edge([end + 2, end + 3].into_iter(), 1.0, 0.4);
        self.ghost = Some(self.edges.len());
        self.edge(row(top), 2.0, 1.0);
    }

    fn round(&mut self, shell: bool) {
        const NT: usize = 56;
        let form = self.form;
        let still = |mut point: SurfacePoint, z: f32| {
            let grown = (RADIUS + 0.03) / RADIUS;
            point.rest = [grown * point.rest[0], grown * point.rest[1], z];
            point.direction = [0.0; 3];
            point
        };
        let rim = |turn: f32| form.surface_point(BodyPosition { along: 1.0, across: f64::from(turn) });
        if shell {
            // the visible half, from front left to front right
            let lower = self.add_grid(1, NT, None, |row, u| {
                let mut point = still(rim(0.46 + 0.60 * u), -0.30 * row);
                point.brightness = 0.35 + 0.5 * (TAU * (0.46 + 0.60 * u) - 2.4).cos().max(-0.4);
                point
            });
            self.edge((0..=NT).map(|i| lower + NT + 1 + i), 1.0, 0.5);
        }
        let rim_of_surface = self.round_surface(false, |point| point);
        if shell {
            let hoop = self.points.len();
            self.points.extend((0..=96).map(|i| still(rim(i as f32 / 96.0), 0.0)));
            self.edge((0..=96).map(|i| hoop + i), 2.0, 1.0);
        } else {
            self.edge(rim_of_surface, 2.0, 1.0);
        }
    }

    /// A round surface with a rim.
    fn disc(&mut self, is_second: bool, point: impl Fn(SurfacePoint) -> SurfacePoint) {
        let rim = self.round_surface(is_second, point);
        self.edge(rim, 2.0, 1.0);
    }

    /// A round surface of places between 0 and 1 along it, or opposite to them; `point` changes its points. Returns those of its rim.
    fn round_surface(
        &mut self,
        is_second: bool,
        point: impl Fn(SurfacePoint) -> SurfacePoint,
    ) -> std::ops::RangeInclusive<usize> {
        const NR: usize = 14;
        const NT: usize = 56;
        let form = self.form;
        let first = self.add_grid(NR, NT, Some([0.0, 1.2]), |r, t| {
            // the rim of the second surface is its own
            let along = if is_second { 2.0 - NEARLY_ONE.min(f64::from(r)) } else { f64::from(r) };
            point(form.surface_point(BodyPosition { along, across: f64::from(t) }))
        });
        let ring = |r: usize| (0..=NT).map(move |i| first + r * (NT + 1) + i);
        (1..NR).for_each(|r| self.edge(ring(r), 0.7, 0.22));
        for t in (0..NT).step_by(2) {
            self.edge((1..=NR).map(|r| first + r * (NT + 1) + t), 0.7, 0.22);
        }
        first + NR * (NT + 1)..=first + NR * (NT + 1) + NT
    }

    /// Both heads, and the lugs between their hoops.
    fn two_heads(&mut self) {
        const LUGS: usize = 8;
        self.disc(true, |point| point);
        for lug in 0..LUGS {
            let (sin, cos) = (TAU * (lug as f32 + 0.5) / LUGS as f32).sin_cos();
            let rim = |z: f32| SurfacePoint {
                rest: [(RADIUS + 0.03) * cos, (RADIUS + 0.03) * sin, z],
                direction: [0.0; 3],
                ..self.form.surface_point(BodyPosition::line(1.0))
            };
            let (first, ends) = (self.points.len(), [-HEADS, HEADS].map(rim));
            self.points.extend(ends);
            self.edge([first, first + 1].into_iter(), 1.2, 0.5);
        }
        self.disc(false, |point| point);
    }

    fn two_plates(&mut self) {
        self.disc(false, |point| {
            let [x, y, _] = point.rest;
            SurfacePoint { rest: [x, y, -PLATES], is_lower_plate: true, ..point }
        });
        self.disc(false, |point| point);
    }

    /// Strings side by side over a board.
    fn course(&mut self, strings: usize) {
        const NX: usize = 36;
        const NY: usize = 14;
        const N: usize = 120;
        let form = self.form;
        let first = self.add_grid(NY, NX, Some([1.4, 0.9]), |v, u| {
            form.surface_point(BodyPosition { along: 2.0 - NEARLY_ONE.min(f64::from(u)), across: f64::from(v) })
        });
        let row = |v: usize| (0..=NX).map(move |i| first + v * (NX + 1) + i);
        let column = |u: usize| (0..=NY).map(move |i| first + i * (NX + 1) + u);
        (2..NY).step_by(2).for_each(|v| self.edge(row(v), 0.7, 0.16));
        [row(0), row(NY)].into_iter().for_each(|edge| self.edge(edge, 1.2, 0.6));
        [column(0), column(NX)].into_iter().for_each(|edge| self.edge(edge, 1.2, 0.6));
        let strings = strings.max(1);
        for string in 0..strings {
            let side = string as f32 - 0.5 * (strings - 1) as f32;
            let across = if strings > 1 { f64::from(string as f32 / (strings - 1) as f32) } else { AXIS };
            let first = self.points.len();
            self.points.extend((0..=N).map(|i| {
                let mut point = form.surface_point(BodyPosition { along: i as f64 / N as f64, across });
                point.rest[1] = side * STRINGS_APART;
                point
            }));
            self.ghost = Some(self.edges.len());
            self.edge(first..first + N + 1, 2.0, 1.0);
        }
    }

    fn plate(&mut self) {
        const NX: usize = 36;
        const NY: usize = 22;
        let form = self.form;
        let first = self.add_grid(NY, NX, Some([1.4, 0.9]), |v, u| {
            form.surface_point(BodyPosition { along: f64::from(u), across: f64::from(v) })
        });
        let row = |v: usize| (0..=NX).map(move |i| first + v * (NX + 1) + i);
        let column = |u: usize| (0..=NY).map(move |i| first + i * (NX + 1) + u);
        (1..NY).for_each(|v| self.edge(row(v), 0.7, 0.22));
        (1..NX).for_each(|u| self.edge(column(u), 0.7, 0.22));
        self.edge(row(NY), 1.2, 0.7);
        self.edge(column(0), 1.4, 0.8);
        self.edge(column(NX), 1.4, 0.8);
        self.edge(row(0), 2.0, 1.0);
    }

    fn string(&mut self) {
        const N: usize = 120;
        let form = self.form;
        self.points.extend((0..=N).map(|i| form.surface_point(BodyPosition { along: i as f64 / N as f64, across: AXIS })));
        self.ghost = Some(0);
        self.edge(0..N + 1, 3.0, 1.0);
    }

    fn tube(&mut self) {
        const NX: usize = 60;
        const NT: usize = 28;
        let form = self.form;
        let around = |u: f32, t: f32| {
            let mut point = form.surface_point(BodyPosition { along: f64::from(u), across: AXIS });
            let (sin, cos) = (TAU * t).sin_cos();
            (point.rest[1], point.rest[2]) = (TUBE * cos, TUBE * sin);
            point.brightness = 0.30 + 0.5 * (TAU * t + 0.5).sin();
            point
        };
        let first = self.add_grid(NT, NX, Some([0.6, 0.0]), |t, u| around(u, t));
        let ring = |u: usize| (0..=NT).map(move |t| first + t * (NX + 1) + u);
        for u in (4..NX).step_by(4) {
            // the half that faces the eye
            self.edge((NT / 8..=5 * NT / 8).map(|t| first + t * (NX + 1) + u), 0.8, 0.30);
        }
        self.edge(ring(NX), 1.6, 1.0);
        self.edge(ring(0), 1.0, 0.5);
    }

    fn wall(&mut self, wall: Wall) {
        const NZ: usize = 40;
        const NT: usize = 64;
        let form = self.form;
        let _ = wall;
        let first = self.add_grid(NZ, NT, Some([0.0, 0.0]), |s, t| {
            form.surface_point(BodyPosition { along: f64::from(s), across: f64::from(t) })
        });
        // the front half: angles from a half to a whole turn
        let ring = |s: usize| (NT / 2 - 2..=NT).map(move |t| first + s * (NT + 1) + t);
        for s in (4..NZ).step_by(4) {
            self.edge(ring(s), 0.7, 0.22);
        }
        for t in (NT / 2..=NT).step_by(2) {
            self.edge((1..=NZ).map(|s| first + s * (NT + 1) + t), 0.7, 0.22);
        }
        self.edge((0..=NT).map(|t| first + NZ * (NT + 1) + t), 1.0, 0.45);
        self.edge(ring(NZ), 2.0, 1.0);
    }
}
