//! The body of a course: shapes of its modes on the strings and on the board.
//!
//! A string whose bridge moves at the frequency omega has the shape sin(pi omega x/p), so that one of its components gives its amplitude.

use std::f64::consts::{PI, SQRT_2};

use crate::assembly::Assembly;
use crate::bodies::modal_shape::{ModalShape, ShapeFunctions, Table};
use crate::bodies::position::{BodyPosition, within};
use crate::bodies::strings::soundboard::HalfWaves;
use crate::bodies::strings::string_course::{CourseParts, Part, StringCourse, joined_modes};

/// Places of a table for each half wave of the shortest wave.
const PLACES: f64 = 6.0;

/// Shapes on the struck strings and on the board.
#[derive(Clone, Debug)]
pub(super) struct CourseShapes {
    /// One table a struck string.
    strings: Vec<Table>,
    /// Half waves along and across of the board's own modes.
    board: Vec<(usize, usize)>,
    /// For each of these, the amplitudes in all modes of the course.
    amplitudes: Vec<Vec<f64>>,
    /// Force on the bridge, for each mode: [`ShapeFunctions::bridge`].
    bridge: Vec<f64>,
}

/// Part of sin(a x) in sqrt2 sin(b x), both over 0 to 1.
fn projection(a: f64, b: f64) -> f64 {
    let over = |x: f64| if x.abs() < 1e-9 { 1.0 } else { x.sin() / x };
    SQRT_2 * 0.5 * (over(a - b) - over(a + b))
}

/// Amplitude of sin(pi omega x/p) on a string in the mode `n` of frequency `omega`.
fn amplitude(string: &Part, assembly: &Assembly, n: usize, omega: f64) -> f64 {
    let wave = omega / string.pitch;
    let nearest = (wave as usize).min(string.modes - 1);
    let part = assembly.component(string.first + nearest, n);
    part / (string.mass.sqrt() * projection(PI * wave, (nearest as f64 + 0.5) * PI))
}

impl CourseShapes {
    /// Those of the lowest modes, of frequencies `omegas`. Allocates.
    pub(super) fn new(parts: &CourseParts, assembly: &Assembly, course: &StringCourse, omegas: &[f64]) -> Self {
        let struck = &parts.strings[..course.strings.clamp(1, 3)];
        let table = |string: &Part| {
            let amplitudes: Vec<f64> =
                omegas.iter().enumerate().map(|(n, omega)| amplitude(string, assembly, n, *omega)).collect();
            let shortest = omegas.iter().fold(1.0_f64, |most, omega| most.max(omega / string.pitch));
            Table::new(omegas.len(), (PLACES * shortest) as usize + 1, |x, row| {
                let shapes = row.iter_mut().zip(omegas).zip(&amplitudes);
                shapes.for_each(|((out, omega), amplitude)| *out = amplitude * (PI * omega * x / string.pitch).sin());
            })
        };
        let root = course.board.mass.sqrt();
        let row = |b: usize| (0..omegas.len()).map(|n| assembly.component(b, n) / root).collect();
        let mut bridge = vec![0.0; omegas.len()];
        for joint in &parts.joints {
            for (n, (force, omega)) in bridge.iter_mut().zip(omegas).enumerate() {
                let stretch: f64 = joint.row.iter().enumerate().map(|(i, weight)| weight * assembly.component(i, n)).sum();
                *force -= PI * joint.stiffness * stretch / omega;
            }
        }
        Self {
            strings: struck.iter().map(table).collect(),
            board: parts.board.iter().map(|mode| mode.half_waves).collect(),
            amplitudes: (0..parts.board.len()).map(row).collect(),
            bridge,
        }
    }

    /// Share of string `i` in a contact at `across`, which is wide enough for all strings at 0.5: the shares add up to 1.
    fn share(&self, i: usize, across: f64) -> f64 {
        let last = self.strings.len() - 1;
        let aside = (2.0 * across - 1.0).abs();
        let single = if across < 0.5 { 0 } else { last };
        (1.0 - aside) / self.strings.len() as f64 + if i == single { aside } else { 0.0 }
    }
}

impl ModalShape {
    /// A course of strings: its lowest `modes` modes, with the bridge, the board and all strings. Ratios to the pitch of the struck strings with the
    /// bridge at rest; weights for the mass of one struck string. Places from 0 (far end) over 1 (bridge) are on the struck strings: at across 0 on
    /// the first, at 0.5 on all, at 1 on the last; those from 1 to 2 on the board, whose along is 2 less that of the place. Impossible values make a
    /// string. Allocates.
    pub fn string_course(course: &StringCourse, modes: usize) -> Self {
        let joined = course.is_possible().then(|| {
            let parts = course.parts(joined_modes(modes));
            parts.joined().ok().map(|assembly| (parts, assembly))
        });
        let Some((parts, assembly)) = joined.flatten() else { return ModalShape::string(modes) };
        let found = assembly.modes();
        let count = modes.min(found.len());
        let ratios: Vec<f64> = found[..count].iter().map(|mode| mode.omega).collect();
        let radiations = found[..count].iter().map(|mode| mode.sigma / mode.omega).collect();
        let functions = CourseShapes::new(&parts, &assembly, course, &ratios);
        Self { radiations, ..Self::with(functions, ratios) }
    }
}

impl ShapeFunctions for CourseShapes {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        out.fill(0.0);
        if place.along <= 1.0 {
            for (i, string) in self.strings.iter().enumerate() {
                string.add_shapes_at(place.along, self.share(i, place.across), out);
            }
            return;
        }
        let (along, across) = (HalfWaves::at(2.0 - place.along), HalfWaves::at(place.across));
        for ((p, q), amplitudes) in self.board.iter().zip(&self.amplitudes) {
            let value = along.of(*p) * across.of(*q);
            out.iter_mut().zip(amplitudes).for_each(|(phi, amplitude)| *phi += value * amplitude);
        }
    }

    fn inside(&self, place: BodyPosition) -> BodyPosition {
        BodyPosition { along: within(place.along, 0.0, 2.0), ..place.inside() }
    }

    fn bridge(&self, out: &mut [f64]) -> bool {
        out.iter_mut().zip(&self.bridge).for_each(|(force, of_mode)| *force = *of_mode);
        true
    }
}
