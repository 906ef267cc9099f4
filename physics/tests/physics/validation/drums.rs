//! Drum heads in air, over a kettle and in pairs; their pitch under a full blow, and sticks on them.

use super::comparison::{Comparison, Measured, Quantity, about};
use super::sources::{self, Source};
use crate::support::elliptic_period::measured_omega;
use crate::support::struck_body::empty;
use std::f64::consts::TAU;
use urto_physics::bodies::{Air, BodyPosition, Head, Material, ModalShape, StretchStiffness, TwoHeads};
use urto_physics::contact::ContactLaw;
use urto_physics::lab::{Corrections, Experiment, LabMode, LabStriker, Method};
use urto_physics::modal::Mode;
use urto_physics::solver::TensionLaw;

/// Surface density of a head of polyester of 0.19 mm [kg/m^2], and of a snare head.
const SKIN: f64 = 0.262;
const SNARE_SKIN: f64 = 0.1;
/// First zero of J_0.
const LOWEST_WAVE: f64 = 2.404_825_557_695_773;

/// Which mode of `shape` is the `nth` of `family`.
fn find(shape: &ModalShape, family: (u32, u32), nth: usize) -> usize {
    let mut matching = (0..shape.len()).filter(|&i| shape.family(i) == Some(family));
    matching.nth(nth).expect("the mode is computed")
}

fn frequency(object: &'static str, name: &'static str, measured: Measured, urto: f64, source: &'static Source) -> Comparison {
    Comparison { object, name, quantity: Quantity::Frequency, measured, urto, source }
}

/// A head of 26 inches without and with a kettle. The tension is that of 150 Hz; the ratios hardly depend on it.
fn timpani() -> Vec<Comparison> {
    let head = Head { radius: 0.33, surface_density: SKIN, tension: 3990.0 };
    let (open, _) = ModalShape::head_in_air(&head, &Air::ROOM, 40, 0.0);
    let (kettle, _) = ModalShape::head_in_air(&head, &Air { volume: Some(0.14), ..Air::ROOM }, 40, 0.0);
    let bare = |family, name, value| {
        let urto = open.ratio(find(&open, family, 0));
        frequency("timpani head, 26 in", name, about(value, 0.02), urto, &sources::TIMPANI)
    };
    let over = |family, name, value| {
        let urto = kettle.ratio(find(&kettle, family, 0));
        frequency("the same over a kettle", name, about(value, 0.02), urto, &sources::KETTLE)
    };
    vec![
        bare((2, 1), "(2,1) over (1,1)", 1.48),
        bare((3, 1), "(3,1) over (1,1)", 1.92),
        bare((4, 1), "(4,1) over (1,1)", 2.36),
        bare((5, 1), "(5,1) over (1,1)", 2.78),
        over((0, 1), "(0,1) over (1,1)", 0.85),
        over((2, 1), "(2,1) over (1,1)", 1.51),
        over((3, 1), "(3,1) over (1,1)", 1.99),
    ]
}

/// A snare drum of 14 inches with the tensions of both heads.
fn snare() -> Vec<Comparison> {
    let (radius, depth, sigma, tension) = (0.178, 0.14, [SKIN, SNARE_SKIN], [3300.0_f64, 2500.0]);
    let air = |side: usize| 2.0 * Air::ROOM.density * radius / sigma[side];
    let at_centre = |shape: &ModalShape| {
        let mut weights = [0.0];
        shape.weights_at(0.0, 1.0, &mut weights);
        weights[0]
    };
    // the air's mass lowers weight and frequency alike
    let alone = |side: usize| {
        let loaded = at_centre(&ModalShape::head_with_air(air(side), 1, 0.0)) / at_centre(&ModalShape::head(1, 0.0));
        LOWEST_WAVE / (TAU * radius) * (tension[side] / sigma[side]).sqrt() * loaded
    };
    let spring = Air::ROOM.density * Air::ROOM.sound.powi(2) * radius * radius / (depth * tension[0]);
    let drum = TwoHeads {
        air: air(0),
        stiffness: 4.0 * spring / LOWEST_WAVE.powi(4),
        depth: 0.5 * depth / radius,
        tuning: alone(1) / alone(0),
        mass: sigma[1] / sigma[0],
        split: 0.0,
    };
    let (shape, pitch) = ModalShape::two_heads(&drum, 40);
    let hertz = |family, nth| alone(0) * pitch * shape.ratio(find(&shape, family, nth));
    let row = |name, value: f64, urto| frequency("snare drum, 14 in", name, about(value, 0.03 * value), urto, &sources::SNARE);
    // each mode with a diameter is there twice
    vec![
        row("(0,1) in step, Hz", 182.0, hertz((0, 1), 0)),
        row("(0,1) apart, Hz", 330.0, hertz((0, 1), 1)),
        row("lower (1,1), Hz", 278.0, hertz((1, 1), 0)),
        row("higher (1,1), Hz", 341.0, hertz((1, 1), 2)),
    ]
}

/// Ratios of the modes of a bass drum of 82 cm, whose air does not join the heads there.
fn gran_cassa() -> Vec<Comparison> {
    let head = Head { radius: 0.41, surface_density: SKIN, tension: 3000.0 };
    let (shape, _) = ModalShape::head_in_air(&head, &Air::ROOM, 40, 0.0);
    let over = |m| shape.ratio(find(&shape, (m, 1), 0)) / shape.ratio(find(&shape, (2, 1), 0));
    let row = |name, hertz: f64, m| frequency("bass drum", name, about(hertz / 136.0, 0.02), over(m), &sources::GRAN_CASSA);
    vec![row("(3,1) over (2,1)", 182.0, 3), row("(5,1) over (2,1)", 273.0, 5)]
}

/// Pitch of (0,1) of that head at a deflection of 6 mm in its middle over that of a soft stroke.
fn full_blow() -> Comparison {
    const DEFLECTION: f64 = 6e-3;
    const RATE: f64 = 48e3;
    let head = Head { radius: 0.41, surface_density: SKIN, tension: 3000.0 };
    let (shape, pitch) = ModalShape::head_in_air(&head, &Air::ROOM, 40, 0.0);
    let mode = find(&shape, (0, 1), 0);
    let film = StretchStiffness::film(&Material::POLYESTER, head.mass(), 0.19e-3);
    let (mut stretches, mut weights) = ([0.0; 40], [0.0; 40]);
    shape.stretch_weights(&film, head.mass(), &mut stretches);
    shape.weights_at(0.0, head.mass(), &mut weights);
    let omega = TAU * pitch * shape.ratio(mode);
    let mut collision = empty(RATE, 1, 2);
    collision.set_body([Mode { omega, sigma: 0.0 }]);
    collision.set_tension(&TensionLaw { stiffness: film.stiffness, stretches: &[stretches[mode]] });
    collision.wake_tension();
    // energy at the turning point: omega^2 q^2/2 + K g^2 q^4/8
    let q = DEFLECTION / weights[mode].abs();
    collision.ring_parts().2[0] = q * (omega * omega + 0.25 * film.stiffness * (stretches[mode] * q).powi(2)).sqrt();
    let raised = measured_omega(&mut collision, 0, (24_000, RATE), |collision| collision.ring_with_tension(1.0));
    Comparison {
        object: "bass drum, full blow",
        name: "rise of (0,1), %",
        quantity: Quantity::Glide,
        measured: about(10.0, 3.0),
        urto: 100.0 * (raised / omega - 1.0),
        source: &sources::FULL_BLOW,
    }
}

/// Time [s] from the first to the last touch of a stick on the batter head of the snare drum, its mass at the tip 15 g (a stick of 60 g, held
/// at 28 cm), its tip of wood (Hertz).
fn stick_contact() -> f64 {
    let head = Head { radius: 0.178, surface_density: SKIN, tension: 3300.0 };
    let (shape, pitch) = ModalShape::head_in_air(&head, &Air::ROOM, 300, 0.0);
    let mut weights = vec![0.0; shape.len()];
    shape.weights_at_place(BodyPosition { along: 0.3, across: 0.0 }, head.mass(), &mut weights);
    let mode = |i: usize| LabMode { frequency: pitch * shape.ratio(i), decay: 10.0, mass: 1.0, shape: weights[i] };
    let experiment = Experiment {
        sample_rate: 48e3,
        duration: Some(0.012),
        substeps_per_contact: 16.0,
        law: ContactLaw::hunt_crossley(8e7, 1.5, 0.2),
        method: Method::Edg,
        corrections: Corrections::None,
        striker: LabStriker { mass: 0.015, velocity: 3.0, position: 0.0, gravity: 0.0, modes: vec![] },
        body: (0..shape.len()).map(mode).collect(),
    };
    let contacts = experiment.run(&mut |_| ()).contacts;
    contacts.last().and_then(|last| last.end).expect("the stick has left") - contacts[0].start
}

fn sticks() -> Vec<Comparison> {
    let urto = 1e3 * stick_contact();
    let row = |object, measured, source| Comparison {
        object,
        name: "contact time, ms",
        quantity: Quantity::Contact,
        measured,
        urto,
        source,
    };
    vec![
        row("stick on a drum head", Measured::Between(3.0, 6.0), &sources::WAGNER),
        row("stick on a snare drum", Measured::Between(5.12, 5.65), &sources::DRUMMING),
    ]
}

pub fn comparisons() -> Vec<Comparison> {
    [timpani(), snare(), gran_cassa(), vec![full_blow()], sticks()].into_iter().flatten().collect()
}
