//! The knobs as one note's hammer has them: what holds for all, and what hardness, key, hands, chance and host make of it.
//!
//! ```text
//! stiffness   s 10^(1.5 H) r^p 10^(2 a)        H: hardness, -1 to 1     r: frequency of the key over that of the home key
//! exponent    to 1.5 (H > 0) or 2.6 (H < 0) by |H|/2, + 1.5 a             a: how far the hands move it, -1 to 1
//! loss        mu 10^(-H/2), then by travel a/2
//! mass        m r^p 10^a, times chance
//! place       place + a/2 + chance, on the surface + spread st/48 and folded back at the ends
//! speed       v 10^(a/2) 10^(-soft/2), times chance                       H also falls by the soft pedal
//! ```
//!
//! The way of the hardness is that of real mallets: felt and yarn have exponents of 2.2 to 3 and high losses, wood, plastic and steel
//! are Hertzian (1.5) and lose little. At rest every number is the knob's own, to the last bit.

use crate::midi::MidiControllers;
use crate::midi::Note;
use crate::modulation::mod_matrix::ModOffsets;
use crate::params::{KeyLayout, ModTarget, PER_NOTE_PARAMS, ParamId, ParamValues};
use crate::tuning::KeyFrequencies;

/// Decades of stiffness and of loss over the hardness, one way.
const STIFFNESS: f64 = 1.5;
const LOSS: f64 = 0.5;
/// Exponents of what is hardest and of what is softest, and the part of the way there at full hardness.
const HERTZ: f64 = 1.5;
const FELT: f64 = 2.6;
const WAY: f64 = 0.5;
/// Decades of speed that the soft pedal takes, and that a source moves, at full amount.
const SPEED: f64 = 0.5;
/// Keys over which the spread reaches.
const SPREAD: f64 = 48.0;

/// What there is to make a grip from.
#[derive(Clone, Copy)]
pub struct NoteParamContext<'a> {
    /// The value of every knob.
    pub settings: &'a ParamValues,
    /// The frequency of every key.
    pub tuning: &'a KeyFrequencies,
    /// What the player does beside striking.
    pub hands: &'a MidiControllers,
}

impl NoteParamContext<'_> {
    /// The knobs that hold for the hammer of `note`; a note that is none has those of the home key.
    pub fn resolve(&self, note: &Note) -> ParamValues {
        let sway = ModOffsets::new(note, self.hands, self.settings);
        let mut grip = *self.settings;
        modulate(&mut grip, note);
        let soft = self.settings.get(ParamId::SoftPedal) * self.hands.soft(note);
        apply_hardness(&mut grip, sway.get(ModTarget::Hardness) - soft);
        let ratio = if note.serial == 0 { 1.0 } else { self.ratio(note.id.key) };
        self.apply_key_tracking(&mut grip, ratio);
        apply_mod_offsets(&mut grip, &sway);
        grip.set(ParamId::HammerMass, grip.get(ParamId::HammerMass) * note.chance.mass);
        self.resolve_position(&mut grip, note, &sway);
        grip
    }

    /// Factor of the speed of a strike.
    pub fn speed(&self, note: &Note) -> f64 {
        let sway = ModOffsets::new(note, self.hands, self.settings);
        let soft = self.settings.get(ParamId::SoftPedal) * self.hands.soft(note);
        note.chance.speed * 10_f64.powf(SPEED * (sway.get(ModTarget::Speed) - soft))
    }

    /// Frequency of `key` over that of the home key; 1 where one of them is silent.
    pub fn ratio(&self, key: u8) -> f64 {
        let home = self.settings.get(ParamId::HomeKey) as u8;
        match (self.tuning.hertz(key), self.tuning.hertz(home)) {
            (Some(hertz), Some(of)) => hertz / of,
            _ => 1.0,
        }
    }

    /// Semitones by which the body under `note` is bent; on the surface those of the note alone move its place instead.
    pub fn bend(&self, note: &Note) -> f64 {
        let (together, alone) = self.hands.bend(note, self.settings);
        let sway = ModOffsets::new(note, self.hands, self.settings).semitones();
        match self.settings.layout() {
            KeyLayout::Keys => together + alone + sway,
            KeyLayout::Surface => together + sway,
        }
    }

    fn apply_key_tracking(&self, grip: &mut ParamValues, ratio: f64) {
        for (knob, power) in [(ParamId::HammerMass, ParamId::TrackHammer), (ParamId::Stiffness, ParamId::TrackStiffness)] {
            grip.set(knob, grip.get(knob) * ratio.powf(self.settings.get(power)));
        }
    }

    fn resolve_position(&self, grip: &mut ParamValues, note: &Note, sway: &ModOffsets) {
        let mut along = grip.get(ParamId::StrikePosition) + 0.5 * sway.get(ModTarget::Position) + note.chance.along;
        if self.settings.layout() == KeyLayout::Surface && note.serial != 0 {
            let (_, alone) = self.hands.bend(note, self.settings);
            let keys = f64::from(note.id.key) - self.settings.get(ParamId::HomeKey) + alone;
            along = reflect_into_unit(along + self.settings.get(ParamId::Spread) * keys / SPREAD);
        }
        grip.set(ParamId::StrikePosition, along);
        let across = grip.get(ParamId::StrikeAcross) + 0.5 * sway.get(ModTarget::Across) + note.chance.across;
        grip.set(ParamId::StrikeAcross, across);
    }
}

/// What a host moves for the note alone.
fn modulate(grip: &mut ParamValues, note: &Note) {
    for (knob, &travel) in PER_NOTE_PARAMS.into_iter().zip(&note.modulation) {
        if travel != 0.0 {
            let row = knob.knob();
            grip.set(knob, row.from_normalized((row.to_normalized(grip.get(knob)) + travel).clamp(0.0, 1.0)));
        }
    }
}

/// Turns the hardness, `more` beside the knob's own, into stiffness, exponent and loss.
fn apply_hardness(grip: &mut ParamValues, more: f64) {
    let hardness = (grip.get(ParamId::Hardness) + more).clamp(-1.0, 1.0);
    if hardness == 0.0 {
        return;
    }
    let exponent = grip.get(ParamId::Exponent);
    let goal = if hardness > 0.0 { exponent.min(HERTZ) } else { exponent.max(FELT) };
    grip.set(ParamId::Exponent, exponent + WAY * hardness.abs() * (goal - exponent));
    grip.set(ParamId::Stiffness, grip.get(ParamId::Stiffness) * 10_f64.powf(STIFFNESS * hardness));
    grip.set(ParamId::Damping, grip.get(ParamId::Damping) * 10_f64.powf(-LOSS * hardness));
}

/// What the hands move of the contact.
fn apply_mod_offsets(grip: &mut ParamValues, sway: &ModOffsets) {
    let by = |target| sway.get(target);
    if by(ModTarget::Loss) != 0.0 {
        let row = ParamId::Damping.knob();
        let travel = row.to_normalized(grip.get(ParamId::Damping)) + 0.5 * by(ModTarget::Loss);
        grip.set(ParamId::Damping, row.from_normalized(travel.clamp(0.0, 1.0)));
    }
    grip.set(ParamId::Stiffness, grip.get(ParamId::Stiffness) * 100_f64.powf(by(ModTarget::Stiffness)));
    grip.set(ParamId::Exponent, grip.get(ParamId::Exponent) + 1.5 * by(ModTarget::Exponent));
    grip.set(ParamId::HammerMass, grip.get(ParamId::HammerMass) * 10_f64.powf(by(ModTarget::Mass)));
}

/// A place beyond an end comes back from it.
fn reflect_into_unit(place: f64) -> f64 {
    let turn = place.rem_euclid(2.0);
    if turn > 1.0 { 2.0 - turn } else { turn }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::NoteId;

    fn resolve(settings: &ParamValues, note: &Note) -> ParamValues {
        NoteParamContext { settings, tuning: &KeyFrequencies::default(), hands: &MidiControllers::default() }.resolve(note)
    }

    fn note(key: u8) -> Note {
        Note { serial: 1, ..Note::of(NoteId { key, ..NoteId::default() }) }
    }

    #[test]
    fn at_rest_a_note_has_the_knobs_as_they_stand() {
        let mut settings = ParamValues::default();
        settings.set(ParamId::Stiffness, 123.456_789);
        settings.set(ParamId::Damping, 0.123_456);
        for key in [0, 31, 60, 127] {
            assert_eq!(resolve(&settings, &note(key)), settings);
        }
    }

    #[test]
    fn hardness_goes_from_felt_to_steel() {
        let of = |hardness: f64, exponent: f64| {
            let mut settings = ParamValues::default();
            settings.set(ParamId::Hardness, hardness);
            settings.set(ParamId::Exponent, exponent);
            let grip = resolve(&settings, &note(60));
            [ParamId::Stiffness, ParamId::Exponent, ParamId::Damping].map(|knob| grip.get(knob))
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
        let grip = resolve(&settings, &note(72));
        assert!((grip.get(ParamId::HammerMass) - 0.01).abs() < 1e-12 && (grip.get(ParamId::Stiffness) - 400.0).abs() < 1e-9);
    }

    #[test]
    fn the_surface_spreads_the_keys_and_folds_them_back() {
        let mut settings = ParamValues::default();
        settings.set(ParamId::Stage, 1.0);
        settings.set(ParamId::StrikePosition, 0.5);
        let place = |key: u8| resolve(&settings, &note(key)).get(ParamId::StrikePosition);
        for (key, wanted) in [(60, 0.5), (72, 0.75), (84, 1.0), (96, 0.75), (36, 0.0), (24, 0.25), (12, 0.5)] {
            assert!((place(key) - wanted).abs() < 1e-12, "key {key}: {}", place(key));
        }
    }

    #[test]
    fn a_host_moves_one_note_by_travel() {
        let modulated = Note { modulation: [0.0, 1.0 / 9.0, 0.0, 0.0, 0.0, 0.2, 9.0], ..note(60) };
        let grip = resolve(&ParamValues::default(), &modulated);
        assert!((grip.get(ParamId::Stiffness) - 1000.0).abs() < 1e-9, "one of nine decades");
        assert!((grip.get(ParamId::StrikePosition) - 0.56).abs() < 1e-12 && grip.get(ParamId::StrikeAcross) == 1.0);
    }
}
