//! The parameters of the hammers of one note: values, key tracking, modulation, humanise and host modulation combined.
//!
//! ```text
//! stiffness   s 10^(1.5 H) r^p 10^(2 a)       H: hardness, -1 to 1, lowered by the soft pedal
//! exponent    towards 1.5 (H > 0) or 2.6 (H < 0) by |H|/2, + 1.5 a         a: offset of the modulation matrix, -1 to 1
//! damping     mu 10^(-H/2), normalised value + a/2                         r: frequency of the key over that of the home key
//! mass        m r^p 10^a, times humanise                                   p: exponent of key tracking
//! position    x + a/2 + humanise; with one body + spread st/48, reflected at the ends
//! speed       v 10^(a/2) 10^(-soft/2), times humanise
//! ```
//!
//! Hardness follows real mallets: felt and yarn have exponents of 2.2 to 3 and high losses; wood, plastic and steel are Hertzian (1.5)
//! and lose little. Without tracking and modulation every value is that of its parameter, to the last bit.

use crate::midi::{MidiControllers, Note};
use crate::modulation::controller_offsets::ControllerOffsets;
use crate::params::{ContactParams, HammerType, KeyLayout, ModTarget, PER_NOTE_PARAMS, ParamId, ParamValues};
use crate::tuning::KeyFrequencies;
use urto_physics::bodies::BodyPosition;

/// Decades of stiffness and of damping at full hardness.
const STIFFNESS_DECADES: f64 = 1.5;
const DAMPING_DECADES: f64 = 0.5;
/// Exponents of the hardest and of the softest contact, and the share of the distance to them at full hardness.
const HERTZ_EXPONENT: f64 = 1.5;
const FELT_EXPONENT: f64 = 2.6;
const EXPONENT_SHARE: f64 = 0.5;
/// Decades of speed by which the soft pedal lowers the speed, and by which a source moves it, at full amount.
const SPEED_DECADES: f64 = 0.5;
/// Number of keys over which the key spread reaches.
const SPREAD_KEYS: f64 = 48.0;

/// The input of [`NoteParams::resolve`]: parameters, tuning and controllers.
#[derive(Clone, Copy)]
pub struct NoteParamContext<'a> {
    /// The value of every parameter.
    pub settings: &'a ParamValues,
    /// The frequency of every key.
    pub tuning: &'a KeyFrequencies,
    /// The MIDI controllers.
    pub controllers: &'a MidiControllers,
}

/// Strike speed as a function of velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityCurve {
    /// Speed [m/s] at velocity 1/127.
    pub min_speed: f64,
    /// Speed [m/s] at velocity 1.
    pub max_speed: f64,
    /// Exponent of the normalised velocity.
    pub exponent: f64,
}

impl VelocityCurve {
    /// The curve of `settings`.
    pub fn of(settings: &ParamValues) -> Self {
        Self {
            min_speed: settings.get(ParamId::SpeedLow),
            max_speed: settings.get(ParamId::SpeedHigh),
            exponent: settings.get(ParamId::VelocityCurve),
        }
    }

    /// Speed [m/s] for a velocity in (0, 1]: min (max/min)^(t^exponent), t = (127 velocity - 1)/126.
    pub fn speed(&self, velocity: f64) -> f64 {
        let normalized = ((127.0 * velocity - 1.0) / 126.0).clamp(0.0, 1.0);
        self.min_speed * (self.max_speed / self.min_speed).powf(normalized.powf(self.exponent))
    }
}

/// The hammer of a note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HammerParams {
    /// Its type.
    pub hammer_type: HammerType,
    /// Mass [kg].
    pub mass: f64,
    /// Lowest bending frequency of a stick or clapper [Hz].
    pub bending: f64,
    /// Scatter of a brush, 0 to 1.
    pub scatter: f64,
    /// Strike speed as a function of velocity, before modulation.
    pub velocity_curve: VelocityCurve,
}

/// The forces that return a struck hammer to the body while its key is down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReturnForces {
    /// Acceleration [m/s^2], >= 0.
    pub gravity: f64,
    /// Press force [N] on one of the note's hammers, >= 0.
    pub force: f64,
    /// Stiffness [N/m] of a spring that all hammers of the note share by mass, >= 0.
    pub spring: f64,
}

impl ReturnForces {
    /// Without the press force, which acts on one hammer only.
    pub fn without_press(&self) -> Self {
        Self { force: 0.0, ..*self }
    }

    /// Whether a note without a hammer gets one that rests on the body: because it is pressed, or because keys do not strike.
    pub fn rests_hammer(&self, strikes: bool) -> bool {
        self.force > 0.0 || !strikes && self.gravity > 0.0
    }
}

/// The parameters of the hammers of one note: values, key tracking, modulation, humanise and host modulation combined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoteParams {
    /// The hammer.
    pub hammer: HammerParams,
    /// The contact.
    pub contact: ContactParams,
    /// Strike position.
    pub position: BodyPosition,
    /// Factor of the strike speed.
    pub speed_factor: f64,
    /// Return forces of its hammers while its key is down.
    pub return_forces: ReturnForces,
}

impl NoteParams {
    /// The parameters of `note`; the note with serial number 0 has those of the home key.
    pub fn resolve(note: &Note, context: &NoteParamContext) -> Self {
        let settings = context.settings;
        let offsets = context.offsets(note);
        let hardness = offsets.get(ModTarget::Hardness) - context.soft_pedal(note);
        let ratio = if note.serial == 0 { 1.0 } else { context.ratio(note.id.key) };
        let mut values = PerNoteValues::of(settings, note);
        values.apply_hardness(hardness);
        values.apply_key_tracking(settings, ratio);
        values.apply_mod_offsets(&offsets);
        values.set_mass(values.mass * note.humanise.mass);
        Self {
            hammer: HammerParams {
                hammer_type: settings.hammer_type(),
                mass: values.mass,
                bending: settings.get(ParamId::Bending),
                scatter: settings.get(ParamId::Scatter),
                velocity_curve: VelocityCurve::of(settings),
            },
            contact: ContactParams {
                model: settings.contact_model(),
                stiffness: values.stiffness,
                exponent: values.exponent,
                damping: values.damping,
            },
            position: context.position(note, &offsets, values.position),
            speed_factor: context.speed_factor(note, &offsets),
            return_forces: ReturnForces {
                gravity: offsets.gravity(settings),
                force: offsets.hold() + settings.get(ParamId::Hold),
                spring: settings.get(ParamId::SpringBack),
            },
        }
    }

    /// Strike speed [m/s] for a velocity in (0, 1]. `level` is that of a legato strike, 0 to 1; 1 for other strikes.
    pub fn strike_speed(&self, velocity: f64, level: f64) -> f64 {
        level * self.hammer.velocity_curve.speed(velocity) * self.speed_factor
    }
}

impl NoteParamContext<'_> {
    /// Bend of the body under `note` [semitones]. If all keys share one body, the bend of the note alone moves its position instead.
    pub fn bend(&self, note: &Note) -> f64 {
        let offsets = self.offsets(note);
        let (together, alone) = self.controllers.bend(note, self.settings);
        match self.settings.key_layout() {
            KeyLayout::Keys => together + alone + offsets.semitones(),
            KeyLayout::Surface => together + offsets.semitones(),
        }
    }

    /// The offsets of the modulation matrix for `note`.
    pub fn offsets(&self, note: &Note) -> ControllerOffsets {
        ControllerOffsets::new(note, self.controllers, self.settings)
    }

    /// Frequency of `key` over that of the home key; 1 if one of them is silent.
    pub fn ratio(&self, key: u8) -> f64 {
        let home = self.settings.get(ParamId::HomeKey) as u8;
        match (self.tuning.hertz(key), self.tuning.hertz(home)) {
            (Some(hertz), Some(of)) => hertz / of,
            _ => 1.0,
        }
    }

    /// Effect of the soft pedal on `note`, 0 to 1.
    fn soft_pedal(&self, note: &Note) -> f64 {
        self.settings.get(ParamId::SoftPedal) * self.controllers.soft(note)
    }

    fn speed_factor(&self, note: &Note, offsets: &ControllerOffsets) -> f64 {
        note.humanise.speed * 10_f64.powf(SPEED_DECADES * (offsets.get(ModTarget::Speed) - self.soft_pedal(note)))
    }

    fn position(&self, note: &Note, offsets: &ControllerOffsets, position: BodyPosition) -> BodyPosition {
        let mut along = position.along + 0.5 * offsets.get(ModTarget::Position) + note.humanise.along;
        if self.settings.key_layout() == KeyLayout::Surface && note.serial != 0 {
            let (_, alone) = self.controllers.bend(note, self.settings);
            let keys = f64::from(note.id.key) - self.settings.get(ParamId::HomeKey) + alone;
            along = reflect_into_unit(along + self.settings.get(ParamId::Spread) * keys / SPREAD_KEYS);
        }
        let across = position.across + 0.5 * offsets.get(ModTarget::Across) + note.humanise.across;
        BodyPosition {
            along: ParamId::StrikePosition.spec().clamped(along),
            across: ParamId::StrikeAcross.spec().clamped(across),
        }
    }
}

/// The values of [`PER_NOTE_PARAMS`] while they are resolved; each stays within the range of its parameter.
struct PerNoteValues {
    hardness: f64,
    stiffness: f64,
    exponent: f64,
    damping: f64,
    mass: f64,
    position: BodyPosition,
}

impl PerNoteValues {
    /// The values of `settings`, with the modulation of `note` by the host.
    fn of(settings: &ParamValues, note: &Note) -> Self {
        let mut values = PER_NOTE_PARAMS.map(|id| settings.get(id));
        for ((id, value), &offset) in PER_NOTE_PARAMS.into_iter().zip(&mut values).zip(&note.modulation) {
            if offset != 0.0 {
                let param = id.spec();
                *value = param.clamped(param.from_normalized((param.to_normalized(*value) + offset).clamp(0.0, 1.0)));
            }
        }
        let [hardness, stiffness, exponent, damping, mass, along, across] = values;
        Self { hardness, stiffness, exponent, damping, mass, position: BodyPosition { along, across } }
    }

    /// Converts the hardness, plus `offset`, to stiffness, exponent and damping.
    fn apply_hardness(&mut self, offset: f64) {
        let hardness = (self.hardness + offset).clamp(-1.0, 1.0);
        if hardness == 0.0 {
            return;
        }
        let exponent = self.exponent;
        let target = if hardness > 0.0 { exponent.min(HERTZ_EXPONENT) } else { exponent.max(FELT_EXPONENT) };
        self.set_exponent(exponent + EXPONENT_SHARE * hardness.abs() * (target - exponent));
        self.set_stiffness(self.stiffness * 10_f64.powf(STIFFNESS_DECADES * hardness));
        self.set_damping(self.damping * 10_f64.powf(-DAMPING_DECADES * hardness));
    }

    /// Applies key tracking for a key at `ratio` times the frequency of the home key.
    fn apply_key_tracking(&mut self, settings: &ParamValues, ratio: f64) {
        self.set_mass(self.mass * ratio.powf(settings.get(ParamId::TrackHammer)));
        self.set_stiffness(self.stiffness * ratio.powf(settings.get(ParamId::TrackStiffness)));
    }

    /// Applies the modulation matrix to contact and mass.
    fn apply_mod_offsets(&mut self, offsets: &ControllerOffsets) {
        let loss = offsets.get(ModTarget::Loss);
        if loss != 0.0 {
            let param = ParamId::Damping.spec();
            let normalized = param.to_normalized(self.damping) + 0.5 * loss;
            self.set_damping(param.from_normalized(normalized.clamp(0.0, 1.0)));
        }
        self.set_stiffness(self.stiffness * 100_f64.powf(offsets.get(ModTarget::Stiffness)));
        self.set_exponent(self.exponent + 1.5 * offsets.get(ModTarget::Exponent));
        self.set_mass(self.mass * 10_f64.powf(offsets.get(ModTarget::Mass)));
    }

    fn set_stiffness(&mut self, stiffness: f64) {
        self.stiffness = ParamId::Stiffness.spec().clamped(stiffness);
    }

    fn set_exponent(&mut self, exponent: f64) {
        self.exponent = ParamId::Exponent.spec().clamped(exponent);
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = ParamId::Damping.spec().clamped(damping);
    }

    fn set_mass(&mut self, mass: f64) {
        self.mass = ParamId::HammerMass.spec().clamped(mass);
    }
}

/// Reflects a position beyond an end of the body.
fn reflect_into_unit(position: f64) -> f64 {
    let period = position.rem_euclid(2.0);
    if period > 1.0 { 2.0 - period } else { period }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Expression, NoteId};

    fn resolve(settings: &ParamValues, note: &Note) -> NoteParams {
        let context = NoteParamContext { settings, tuning: &KeyFrequencies::default(), controllers: &MidiControllers::default() };
        NoteParams::resolve(note, &context)
    }

    fn note(key: u8) -> Note {
        Note { serial: 1, ..Note::of(NoteId { key, ..NoteId::default() }) }
    }

    #[test]
    fn neutral_modulation_keeps_parameters() {
        let mut settings = ParamValues::default();
        settings.set(ParamId::Stiffness, 123.456_789);
        settings.set(ParamId::Damping, 0.123_456);
        for key in [0, 31, 60, 127] {
            let params = resolve(&settings, &note(key));
            assert_eq!((params.contact, params.position), (settings.hammer_contact(), settings.strike_position()));
            assert_eq!((params.hammer.mass, params.speed_factor), (settings.get(ParamId::HammerMass), 1.0));
        }
    }

    #[test]
    fn hardness_goes_from_felt_to_steel() {
        let of = |hardness: f64, exponent: f64| {
            let mut settings = ParamValues::default();
            settings.set(ParamId::Hardness, hardness);
            settings.set(ParamId::Exponent, exponent);
            let ContactParams { stiffness, exponent, damping, .. } = resolve(&settings, &note(60)).contact;
            [stiffness, exponent, damping]
        };
        let near = |a: [f64; 3], b: [f64; 3]| assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9 * b), "{a:?} {b:?}");
        let root = 10_f64.sqrt();
        near(of(1.0, 2.5), [100.0 * 10.0 * root, 2.0, 0.15 / root]);
        near(of(-1.0, 1.5), [100.0 / (10.0 * root), 2.05, 0.15 * root]);
        near(of(1.0, 1.2), [100.0 * 10.0 * root, 1.2, 0.15 / root]);
        near(of(-1.0, 3.0), [100.0 / (10.0 * root), 3.0, 0.15 * root]);
    }

    #[test]
    fn tracking_follows_powers_of_the_frequency() {
        let mut settings = ParamValues::default();
        settings.set(ParamId::TrackHammer, -1.0);
        settings.set(ParamId::TrackStiffness, 2.0);
        let params = resolve(&settings, &note(72));
        assert!((params.hammer.mass - 0.01).abs() < 1e-12 && (params.contact.stiffness - 400.0).abs() < 1e-9);
    }

    #[test]
    fn key_spread_is_reflected_at_the_ends_of_the_body() {
        let mut settings = ParamValues::default();
        settings.set(ParamId::Stage, 1.0);
        settings.set(ParamId::StrikePosition, 0.5);
        let position = |key: u8| resolve(&settings, &note(key)).position.along;
        for (key, expected) in [(60, 0.5), (72, 0.75), (84, 1.0), (96, 0.75), (36, 0.0), (24, 0.25), (12, 0.5)] {
            assert!((position(key) - expected).abs() < 1e-12, "key {key}: {}", position(key));
        }
    }

    #[test]
    fn host_modulation_offsets_the_normalised_values_of_one_note() {
        let modulated = Note { modulation: [0.0, 1.0 / 9.0, 0.0, 0.0, 0.0, 0.2, 9.0], ..note(60) };
        let params = resolve(&ParamValues::default(), &modulated);
        assert!((params.contact.stiffness - 1000.0).abs() < 1e-9, "one of nine decades");
        assert!((params.position.along - 0.56).abs() < 1e-12 && params.position.across == 1.0);
    }

    #[test]
    fn all_parts_of_note_params_agree_with_the_settings() {
        let mut settings = ParamValues::default();
        for (id, value) in
            [(ParamId::Hold, 2.0), (ParamId::Gravity, 9.81), (ParamId::SpringBack, 50.0), (ParamId::SoftPedal, 1.0)]
        {
            settings.set(id, value);
        }
        let mut controllers = MidiControllers::default();
        controllers.set_bend(0, 0.5);
        controllers.control(0, 67, 1.0);
        let context = NoteParamContext { settings: &settings, tuning: &KeyFrequencies::default(), controllers: &controllers };
        let mut note = Note { serial: 1, down: true, ..note(60) };
        note.set_expression(Expression::Pressure, 0.5);
        let params = NoteParams::resolve(&note, &context);
        let offsets = context.offsets(&note);
        assert_eq!((context.bend(&note), offsets.damping()), (1.0, 10.0), "half of two semitones; pressure damps");
        assert_eq!(params.return_forces, ReturnForces { gravity: 9.81, force: 2.0, spring: 50.0 });
        assert!((params.strike_speed(1.0, 1.0) - 3.0 / 10_f64.sqrt()).abs() < 1e-12, "the soft pedal takes 10 dB");
        assert_eq!((params.hammer.hammer_type, params.contact.model), (HammerType::PointMass, settings.contact_model()));
        assert_eq!(params.hammer.mass, settings.get(ParamId::HammerMass));
    }
}
