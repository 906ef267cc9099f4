//! Shallow caps and imperfect discs harden or soften, after Touze, Camier and Thomas.

use crate::support::elliptic_period::measured_omega;
use crate::support::page::{Page, signed};
use crate::support::plot::{Axis, Curve, Line, Mark, Plot};
use crate::support::potential_reference::Body;
use crate::support::round_plate::{curved, curved_disc, gong, stretch, weights};
use crate::support::struck_body::{RATE, empty};
use urto_physics::bodies::{Disc, Material, RestShape};
use urto_physics::modal::Mode;

/// Modes of a disc.
const MODES: usize = 60;

/// Swing of the measurements: root of the mean square over the thickness.
const SWING: f64 = 0.05;

/// A free disc of the papers' Poisson's ratio.
fn disc() -> Disc {
    Disc { material: Material { poisson: 0.33, ..gong().material }, ..gong() }
}

fn dome(height: f64) -> RestShape {
    RestShape { height, ..RestShape::default() }
}

/// A disc with a rest shape, and its mode that moves the middle most: (0, 1) or what dents make of it.
struct Curved {
    rest: RestShape,
    body: Body,
    mode: usize,
}

impl Curved {
    fn new(rest: RestShape) -> Self {
        let (body, shape) = curved(&disc(), rest, MODES);
        let middle = weights(&shape, 1.0, (0.0, 0.0));
        let mode = (0..8).max_by(|a, b| middle[*a].abs().total_cmp(&middle[*b].abs())).expect("there are modes");
        Self { rest, body, mode }
    }

    fn omega(&self) -> f64 {
        self.body.modes[self.mode].omega
    }

    /// (omega'/omega - 1)/(w/h)^2 of small swings, w the root of the mean square: by the mode's own cubic and quartic terms of V and those
    /// with other modes that it drives at 0 and at 2 omega, to second order.
    fn predicted_shift(&self) -> f64 {
        let forms = curved_disc(&disc(), self.rest, MODES).forms();
        let mode = self.mode;
        let count = forms.entries().iter().map(|entry| entry.form + 1).max().unwrap_or(0);
        // H q of every form with q the mode
        let mut along = vec![[0.0; MODES]; count];
        for entry in forms.entries() {
            let [i, j] = entry.modes;
            if i == mode {
                along[entry.form][j] += 0.5 * entry.value;
            }
            if j == mode {
                along[entry.form][i] += 0.5 * entry.value;
            }
        }
        // displacements in units of the depth: q'' + square q = -dV/dq
        let unit = self.body.size.amount * self.body.size.depth.powi(2);
        let square = |i: usize| self.body.modes[i].omega.powi(2) / unit;
        let own = square(mode);
        let mut shift: f64 = 3.0 * along.iter().map(|h| 0.5 * h[mode] * h[mode]).sum::<f64>();
        for j in 0..MODES {
            let slopes = forms.slopes().chunks(MODES);
            let terms =
                along.iter().zip(slopes).map(|(h, b)| b[j] * h[mode] + if j == mode { 0.0 } else { 2.0 * b[mode] * h[j] });
            let coupling = terms.sum::<f64>().powi(2);
            let driven = if j == mode { 7.5 / own } else { 1.0 / square(j) + 0.5 / (square(j) - 4.0 * own) };
            shift -= coupling * driven;
        }
        0.5 * shift / own
    }

    /// The same measured over 0.5 s by the solver.
    fn measured_shift(self) -> f64 {
        let (own, mode) = (self.omega(), self.mode);
        let modes = self.body.modes.iter().map(|mode| Mode { sigma: 0.0, ..*mode }).collect();
        let mut collision = empty(RATE, MODES, 2);
        Body { modes, ..self.body }.set(&mut collision, 1.0);
        collision.ring_parts().2[mode] = own * SWING * stretch(&disc()).size().depth;
        let found = measured_omega(&mut collision, mode, (24_000, RATE), |c| c.ring_with_potential(1.0));
        (found / own - 1.0) / (SWING * SWING)
    }
}

/// (2 H/h)^2 at which `shift` vanishes, between two heights by straight lines over the square of the height.
fn neutral(points: &[(f64, f64)]) -> f64 {
    let turn = points.windows(2).find(|pair| pair[0].1 > 0.0 && pair[1].1 <= 0.0).expect("it turns");
    let [(a, up), (b, down)] = [turn[0], turn[1]];
    a + (b - a) * up / (up - down)
}

/// Touze, Camier, Favraud, Thomas 2008: the mode (0, 1) of a free shallow cap turns from hard to soft at R^4/(R_c h)^2 = (2 H/h)^2 = 1.93.
#[test]
fn flat_discs_harden_and_domes_soften() {
    let (mut rows, mut known, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let flat = Curved::new(dome(0.0)).omega();
    for height in [0.0, 0.3, 0.5, 0.69, 0.7, 0.9, 1.2, 1.5, 2.0] {
        let cap = Curved::new(dome(height));
        let (rise, predicted) = (cap.omega() / flat, cap.predicted_shift());
        let measured = cap.measured_shift();
        assert!((measured - predicted).abs() < 0.02 + 0.03 * predicted.abs(), "height {height}: {measured} and {predicted}");
        let square = (2.0 * height).powi(2);
        known.push((square, predicted));
        found.push((square, measured));
        let cells = [format!("{height}"), format!("{square:.2}"), format!("{rise:.4}")];
        rows.push(cells.into_iter().chain([predicted, measured].map(|shift| signed(shift, 3))).collect());
    }
    let turns = [neutral(&known), neutral(&found)];
    println!("turns at (2 H/h)^2 = {turns:?}");
    assert!((turns[0] - 1.93).abs() < 0.01 && (turns[1] - 1.93).abs() < 0.04, "{turns:?}");
    let page = Page::of("stiffening");
    page.table("cap", &["H/h", "(2 H/h)^2", "omega over that of the flat disc", "shift, predicted", "measured"], &rows);
    let reference = Curve::new("", Line::Thin, [(0.0, 0.0), (16.0, 0.0)]);
    let curves = vec![
        Curve::new("perturbation", Line::Solid, known),
        Curve::new("solver", Line::None, found).marked(Mark::Circle),
        reference,
    ];
    let (x, y) = (Axis::new("(2 H/h)^2"), Axis::new("(omega'/omega - 1)/(w/h)^2"));
    page.figure("cap", &Plot::new("Mode (0, 1) of a free cap", x, y, curves));
}

/// Camier, Touze, Thomas 2009: imperfections make a flat disc soft too. Here they are dents at random, a sum of twelve modes with diameters.
#[test]
fn dents_soften_a_disc() {
    let mut rows = Vec::new();
    let flat = Curved::new(dome(0.0)).omega();
    for seed in [2, 3] {
        let mut before = f64::INFINITY;
        for dents in [0.2, 0.4, 0.8] {
            let dented = Curved::new(RestShape { dents, seed, ..RestShape::default() });
            let (rise, predicted) = (dented.omega() / flat, dented.predicted_shift());
            let measured = dented.measured_shift();
            println!("seed {seed}, dents {dents}: {predicted} {measured}");
            assert!((measured - predicted).abs() < 0.03 + 0.05 * predicted.abs(), "{seed}, {dents}: {measured} and {predicted}");
            assert!(measured < before, "{seed}, {dents}: {measured} after {before}");
            before = measured;
            let cells = [seed.to_string(), format!("{dents}"), format!("{rise:.4}")];
            rows.push(cells.into_iter().chain([predicted, measured].map(|shift| signed(shift, 3))).collect());
        }
    }
    // the perturbation has no meaning where another mode has twice the frequency
    let resonant = Curved::new(RestShape { dents: 0.8, seed: 1, ..RestShape::default() });
    let near = resonant.body.modes.iter().any(|mode| (mode.omega / resonant.omega() - 1.973).abs() < 5e-4);
    assert!(near && resonant.predicted_shift() > 3.0, "{}", resonant.predicted_shift());
    let header = ["seed", "dents over h", "omega over that of the flat disc", "shift, predicted", "measured"];
    Page::of("stiffening").table("dents", &header, &rows);
}
