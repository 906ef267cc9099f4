//! The parts of a connected body, as each would be alone, and the joints between them, for display.
//!
//! A tube and a partial of a body with the rate u of their exchange, decay rates s_t and s_b, and frequencies w_t and w_b have together
//!
//! ```text
//! w = (w_t + w_b)/2 +- Im sqrt(d^2 - u^2)      d = (i (w_b - w_t) - (s_b - s_t))/2
//! ```

use std::f64::consts::TAU;

use crate::body::body_scratch::BodyScratch;
use crate::body::body_types::BodySpec;
use crate::body::key_body::{BodySize, BodyTuning, KeyScaling};
use crate::body::pickup_model::PickupModel;
use crate::body::prepared_body::PreparedBody;
use crate::body::tube_modes::{MAX_TUBE, TubeMode, TubeSetting};
use crate::hi_hat::LOWER_PITCH;
use crate::params::{BodyKind, ParamId, ParamValues};
use urto_physics::bodies::{ModalShape, StringCourse, TwoHeads};

/// Number of frequencies of a part.
const SHOWN: usize = 24;

/// Coupling of a tube that is not connected, so that it has modes; they are those of any coupling.
const ANY_COUPLING: f64 = 1.0;

/// A part.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPart {
    /// Its name.
    pub name: &'static str,
    /// Its lowest frequencies alone [Hz], rising.
    pub hertz: Vec<f64>,
}

/// A joint between two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartJoint {
    /// The numbers of the parts.
    pub between: [usize; 2],
    /// What joins them.
    pub name: &'static str,
    /// The parameter that says how firmly; at its minimum the parts are apart.
    pub param: ParamId,
    /// Whether they are not.
    pub is_connected: bool,
}

/// The parts of a body on one key.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectedParts {
    /// Type of the body.
    pub kind: BodyKind,
    /// All parts.
    pub parts: Vec<BodyPart>,
    /// The joints between them.
    pub joints: Vec<PartJoint>,
    /// Their lowest frequencies together [Hz], rising; empty where the parts meet in contacts only.
    pub together: Vec<f64>,
}

/// Lowest frequencies of a part over that of the ratio 1 of the whole body.
#[derive(Clone, Debug, PartialEq)]
struct PartRatio {
    name: &'static str,
    ratios: Vec<f64>,
}

/// The same of all parts of a body, without a tube.
#[derive(Clone, Debug, PartialEq)]
pub struct PartRatios(Vec<PartRatio>);

impl PartRatios {
    /// Those of `body`. Slow: the modes of heads.
    pub fn of(body: &PreparedBody) -> Self {
        let own = || ratios_of(body.own_shape());
        let BodySpec { kind, outline, .. } = body.request();
        Self(match kind {
            BodyKind::TwoHeadedDrum => heads(&outline.two_heads()),
            BodyKind::StringCourse => strings(&outline.course),
            BodyKind::HiHat => vec![
                PartRatio { name: "Upper cymbal", ratios: own() },
                PartRatio { name: "Lower cymbal", ratios: scaled(LOWER_PITCH, &own()) },
            ],
            _ => vec![PartRatio { name: "Body", ratios: own() }],
        })
    }
}

/// The lowest ratios of a shape.
fn ratios_of(shape: &ModalShape) -> Vec<f64> {
    (0..shape.len().min(SHOWN)).map(|i| shape.ratio(i)).collect()
}

fn scaled(factor: f64, ratios: &[f64]) -> Vec<f64> {
    ratios.iter().map(|ratio| factor * ratio).collect()
}

/// Both heads of a drum, each with the air outside.
fn heads(drum: &TwoHeads) -> Vec<PartRatio> {
    let lowest = if drum.stiffness > 0.0 { 1.0 / ModalShape::two_heads(drum, SHOWN).1 } else { 1.0 };
    let head = |air: f64, pitch: f64| scaled(pitch, &ratios_of(&ModalShape::head_with_air(air, SHOWN, drum.split)));
    vec![
        PartRatio { name: "Batter head", ratios: head(drum.air, lowest) },
        PartRatio { name: "Resonant head", ratios: head(drum.air / drum.mass, lowest * drum.tuning) },
    ]
}

/// Strings of a course with the bridge at rest, those beside them, and the soundboard.
fn strings(course: &StringCourse) -> Vec<PartRatio> {
    let harmonics = |pitches: &mut dyn Iterator<Item = f64>| -> Vec<f64> {
        let mut all: Vec<f64> = pitches.flat_map(|pitch| (1..=SHOWN).map(move |n| n as f64 * pitch)).collect();
        all.sort_by(f64::total_cmp);
        all.truncate(SHOWN);
        all
    };
    let mut parts = vec![PartRatio { name: "Strings", ratios: harmonics(&mut course.pitches()) }];
    if !course.sympathetic.is_empty() {
        let ratios = harmonics(&mut course.sympathetic.iter().copied());
        parts.push(PartRatio { name: "Sympathetic strings", ratios });
    }
    parts.push(PartRatio { name: "Soundboard", ratios: course.board.ratios(SHOWN) });
    parts
}

/// The joint of two parts by the parameter `param` of `settings`.
fn joint(between: [usize; 2], name: &'static str, param: ParamId, settings: &ParamValues) -> PartJoint {
    PartJoint { between, name, param, is_connected: settings.get(param) > param.spec().min }
}

/// The joints between so many parts, at least 1, of a body of one type, without a tube.
fn joints(kind: BodyKind, parts: usize, settings: &ParamValues) -> Vec<PartJoint> {
    let last = parts - 1;
    match kind {
        BodyKind::TwoHeadedDrum => vec![joint([0, 1], "Air", ParamId::AirStiffness, settings)],
        BodyKind::HiHat => vec![joint([0, 1], "Pedal", ParamId::HiHatPedal, settings)],
        BodyKind::StringCourse => {
            let bridge = joint([0, last], "Bridge", ParamId::BridgeStiffness, settings);
            let beside = (last > 1).then(|| joint([1, last], "Strings", ParamId::SympatheticStrings, settings));
            std::iter::once(bridge).chain(beside).collect()
        }
        _ => Vec::new(),
    }
}

impl PreparedBody {
    /// The parts of this body on a key of `hertz` [Hz], with the parameters `settings`; `ratios` are those of the same body.
    pub fn connected_parts(
        &self,
        ratios: &PartRatios,
        settings: &ParamValues,
        hertz: f64,
        scratch: &mut BodyScratch,
    ) -> ConnectedParts {
        let tuning = BodyTuning::new(hertz, KeyScaling::default(), |id| settings.get(id));
        let kind = self.request().kind;
        let part = |part: &PartRatio| BodyPart { name: part.name, hertz: scaled(tuning.lowest, &part.ratios) };
        let parts: Vec<BodyPart> = ratios.0.iter().map(part).collect();
        let (joints, meet_in_contacts) = (joints(kind, parts.len(), settings), kind == BodyKind::HiHat);
        let count = self.partials().min(SHOWN);
        let together = if meet_in_contacts { Vec::new() } else { (0..count).map(|i| self.partial(i, &tuning)).collect() };
        let mut connected = ConnectedParts { kind, parts, joints, together };
        if !meet_in_contacts {
            self.add_tube(&mut connected, settings, &tuning, scratch);
        }
        connected
    }

    /// Adds the tube under the body, which need not be connected.
    fn add_tube(&self, connected: &mut ConnectedParts, settings: &ParamValues, tuning: &BodyTuning, scratch: &mut BodyScratch) {
        let coupling = settings.get(ParamId::TubeCoupling);
        let shown = TubeSetting {
            coupling: if coupling > 0.0 { coupling } else { ANY_COUPLING },
            detune: settings.get(ParamId::TubeDetune),
        };
        let size = BodySize { mass: settings.get(ParamId::BodyMass), morph: settings.get(ParamId::Morph) };
        let pickups = PickupModel::new(KeyScaling::default(), |id| settings.get(id));
        let mut modes = [None; MAX_TUBE];
        self.tube_modes(shown, (tuning, size, &pickups), (SHOWN, f64::INFINITY), scratch, &mut modes);
        let tube: Vec<TubeMode> = modes.into_iter().flatten().collect();
        let place = connected.parts.len();
        connected.parts.push(BodyPart { name: "Tube", hertz: tube.iter().map(|mode| mode.mode.omega / TAU).collect() });
        connected.joints.push(joint([0, place], "Air", ParamId::TubeCoupling, settings));
        if coupling > 0.0 {
            for mode in &tube {
                self.split(&mut connected.together, mode, tuning);
            }
            connected.together.sort_by(f64::total_cmp);
        }
    }

    /// Replaces the partial that exchanges energy with `tube` by the two frequencies of both together.
    fn split(&self, together: &mut Vec<f64>, tube: &TubeMode, tuning: &BodyTuning) {
        let partner = tube.body_mode - self.rigid();
        let Some(hertz) = together.get(partner).copied() else { return };
        let (body, air) = (TAU * hertz, tube.mode.omega);
        let decay = 1000_f64.ln() / tuning.losses.t60(hertz);
        // the root of a complex number, by its parts
        let (apart, unlike) = (0.5 * (body - air), 0.5 * (tube.mode.sigma - decay));
        let (real, imaginary) = (unlike * unlike - apart * apart - tube.rate * tube.rate, 2.0 * unlike * apart);
        let shift = (0.5 * (real.hypot(imaginary) - real)).max(0.0).sqrt();
        let middle = 0.5 * (body + air);
        together[partner] = (middle - shift) / TAU;
        together.push((middle + shift) / TAU);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(values: &[(ParamId, f64)]) -> ConnectedParts {
        let mut settings = ParamValues::default();
        values.iter().for_each(|&(id, value)| settings.set(id, value));
        let body = PreparedBody::prepare(BodySpec::of(&settings), &[], &[]);
        let ratios = PartRatios::of(&body);
        body.connected_parts(&ratios, &settings, 110.0, &mut BodyScratch::new(200))
    }

    fn kind(kind: BodyKind) -> (ParamId, f64) {
        (ParamId::Body, kind as usize as f64)
    }

    /// Without air between them the batter head is the drum; with it, modes without diameters part, the others stay near.
    #[test]
    fn heads_alone_are_those_of_the_drum_without_air() {
        let apart = parts(&[kind(BodyKind::TwoHeadedDrum), (ParamId::AirStiffness, 0.0), (ParamId::ResonantTune, 4.0)]);
        let names: Vec<_> = apart.parts.iter().map(|part| part.name).collect();
        assert_eq!(names, ["Batter head", "Resonant head", "Tube"]);
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        assert!(apart.together.iter().zip(&apart.parts[0].hertz).take(16).all(|(a, b)| near(*a, *b)), "{apart:?}");
        assert!(near(apart.parts[1].hertz[0], 110.0 * (4.0 / 12.0_f64).exp2()));
        let joined = parts(&[kind(BodyKind::TwoHeadedDrum), (ParamId::AirStiffness, 2.0), (ParamId::ResonantTune, 4.0)]);
        assert!(joined.together[0] < joined.parts[0].hertz[0].max(joined.parts[1].hertz[0]));
        assert!(near(joined.together[0], 110.0), "{}", joined.together[0]);
    }

    /// A tube in tune splits the lowest partial symmetrically, by the rate of the exchange less the losses.
    #[test]
    fn a_tube_splits_the_lowest_partial() {
        let bar = |coupling: f64| parts(&[kind(BodyKind::Marimba), (ParamId::TubeCoupling, coupling), (ParamId::Decay, 20.0)]);
        let [apart, joined] = [0.0, 2.0].map(bar);
        assert_eq!(apart.together[0], apart.parts[0].hertz[0]);
        assert_eq!(apart.parts[1].name, "Tube");
        let [low, high] = [joined.together[0], joined.together[1]];
        let middle = 0.5 * (low + high);
        assert!((middle - apart.together[0]).abs() < 1e-9 && high > low + 1.0, "{low} {high}");
        assert_eq!(joined.together.len(), apart.together.len() + 1);
    }

    #[test]
    fn strings_are_joined_to_the_board() {
        let course = parts(&[kind(BodyKind::StringCourse), (ParamId::SympatheticStrings, 1.0), (ParamId::Split, 0.0)]);
        let names: Vec<_> = course.parts.iter().map(|part| part.name).collect();
        assert_eq!(names, ["Strings", "Sympathetic strings", "Soundboard", "Tube"]);
        assert!((course.parts[0].hertz[0] - 110.0).abs() < 1e-9);
        assert_eq!(course.joints.iter().map(|joint| joint.between).collect::<Vec<_>>(), [[0, 2], [1, 2], [0, 3]]);
    }

    #[test]
    fn cymbals_meet_in_contacts() {
        let hat = parts(&[kind(BodyKind::HiHat)]);
        assert!(hat.together.is_empty() && hat.parts.len() == 2 && hat.joints[0].param == ParamId::HiHatPedal);
        assert!(hat.parts[1].hertz[0] > hat.parts[0].hertz[0]);
    }
}
