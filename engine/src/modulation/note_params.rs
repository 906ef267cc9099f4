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

use crate::midi::controllers::Hands;
use crate::midi::notes::Note;
use crate::modulation::mod_matrix::{Sway, Target};
use crate::params::table::{KnobId, MODULATED, Settings};
use crate::patch::patch::Layout;
use crate::tuning::key_frequencies::Tuning;

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
pub struct Grasp<'a> {
    /// The value of every knob.
    pub settings: &'a Settings,
    /// The frequency of every key.
    pub tuning: &'a Tuning,
    /// What the player does beside striking.
    pub hands: &'a Hands,
}

impl Grasp<'_> {
    /// The knobs that hold for the hammer of `note`; a note that is none has those of the home key.
    pub fn grip(&self, note: &Note) -> Settings {
        let sway = Sway::new(note, self.hands, self.settings);
        let mut grip = *self.settings;
        modulate(&mut grip, note);
        let soft = self.settings.get(KnobId::SoftPedal) * self.hands.soft(note);
        harden(&mut grip, sway.get(Target::Hardness) - soft);
        let ratio = if note.serial == 0 { 1.0 } else { self.ratio(note.id.key) };
        self.track(&mut grip, ratio);
        shift(&mut grip, &sway);
        grip.set(KnobId::HammerMass, grip.get(KnobId::HammerMass) * note.chance.mass);
        self.place(&mut grip, note, &sway);
        grip
    }

    /// Factor of the speed of a strike.
    pub fn speed(&self, note: &Note) -> f64 {
        let sway = Sway::new(note, self.hands, self.settings);
        let soft = self.settings.get(KnobId::SoftPedal) * self.hands.soft(note);
        note.chance.speed * 10_f64.powf(SPEED * (sway.get(Target::Speed) - soft))
    }

    /// Frequency of `key` over that of the home key; 1 where one of them is silent.
    pub fn ratio(&self, key: u8) -> f64 {
        let home = self.settings.get(KnobId::HomeKey) as u8;
        match (self.tuning.hertz(key), self.tuning.hertz(home)) {
            (Some(hertz), Some(of)) => hertz / of,
            _ => 1.0,
        }
    }

    /// Semitones by which the body under `note` is bent; on the surface those of the note alone move its place instead.
    pub fn bend(&self, note: &Note) -> f64 {
        let (together, alone) = self.hands.bend(note, self.settings);
        let sway = Sway::new(note, self.hands, self.settings).semitones();
        match self.settings.layout() {
            Layout::Keys => together + alone + sway,
            Layout::Surface => together + sway,
        }
    }

    fn track(&self, grip: &mut Settings, ratio: f64) {
        for (knob, power) in [(KnobId::HammerMass, KnobId::TrackHammer), (KnobId::Stiffness, KnobId::TrackStiffness)] {
            grip.set(knob, grip.get(knob) * ratio.powf(self.settings.get(power)));
        }
    }

    fn place(&self, grip: &mut Settings, note: &Note, sway: &Sway) {
        let mut along = grip.get(KnobId::StrikePosition) + 0.5 * sway.get(Target::Position) + note.chance.along;
        if self.settings.layout() == Layout::Surface && note.serial != 0 {
            let (_, alone) = self.hands.bend(note, self.settings);
            let keys = f64::from(note.id.key) - self.settings.get(KnobId::HomeKey) + alone;
            along = folded(along + self.settings.get(KnobId::Spread) * keys / SPREAD);
        }
        grip.set(KnobId::StrikePosition, along);
        let across = grip.get(KnobId::StrikeAcross) + 0.5 * sway.get(Target::Across) + note.chance.across;
        grip.set(KnobId::StrikeAcross, across);
    }
}

/// What a host moves for the note alone.
fn modulate(grip: &mut Settings, note: &Note) {
    for (knob, &travel) in MODULATED.into_iter().zip(&note.modulation) {
        if travel != 0.0 {
            let row = knob.knob();
            grip.set(knob, row.value_at((row.travel(grip.get(knob)) + travel).clamp(0.0, 1.0)));
        }
    }
}

/// Turns the hardness, `more` beside the knob's own, into stiffness, exponent and loss.
fn harden(grip: &mut Settings, more: f64) {
    let hardness = (grip.get(KnobId::Hardness) + more).clamp(-1.0, 1.0);
    if hardness == 0.0 {
        return;
    }
    let exponent = grip.get(KnobId::Exponent);
    let goal = if hardness > 0.0 { exponent.min(HERTZ) } else { exponent.max(FELT) };
    grip.set(KnobId::Exponent, exponent + WAY * hardness.abs() * (goal - exponent));
    grip.set(KnobId::Stiffness, grip.get(KnobId::Stiffness) * 10_f64.powf(STIFFNESS * hardness));
    grip.set(KnobId::Damping, grip.get(KnobId::Damping) * 10_f64.powf(-LOSS * hardness));
}

/// What the hands move of the contact.
fn shift(grip: &mut Settings, sway: &Sway) {
    let by = |target| sway.get(target);
    if by(Target::Loss) != 0.0 {
        let row = KnobId::Damping.knob();
        let travel = row.travel(grip.get(KnobId::Damping)) + 0.5 * by(Target::Loss);
        grip.set(KnobId::Damping, row.value_at(travel.clamp(0.0, 1.0)));
    }
    grip.set(KnobId::Stiffness, grip.get(KnobId::Stiffness) * 100_f64.powf(by(Target::Stiffness)));
    grip.set(KnobId::Exponent, grip.get(KnobId::Exponent) + 1.5 * by(Target::Exponent));
    grip.set(KnobId::HammerMass, grip.get(KnobId::HammerMass) * 10_f64.powf(by(Target::Mass)));
}

/// A place beyond an end comes back from it.
fn folded(place: f64) -> f64 {
    let turn = place.rem_euclid(2.0);
    if turn > 1.0 { 2.0 - turn } else { turn }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::NoteId;

    fn grip(settings: &Settings, note: &Note) -> Settings {
        Grasp { settings, tuning: &Tuning::default(), hands: &Hands::default() }.grip(note)
    }

    fn note(key: u8) -> Note {
        Note { serial: 1, ..Note::of(NoteId { key, ..NoteId::default() }) }
    }

    #[test]
    fn at_rest_a_note_has_the_knobs_as_they_stand() {
        let mut settings = Settings::default();
        settings.set(KnobId::Stiffness, 123.456_789);
        settings.set(KnobId::Damping, 0.123_456);
        for key in [0, 31, 60, 127] {
            assert_eq!(grip(&settings, &note(key)), settings);
        }
    }

    #[test]
    fn hardness_goes_from_felt_to_steel() {
        let of = |hardness: f64, exponent: f64| {
            let mut settings = Settings::default();
            settings.set(KnobId::Hardness, hardness);
            settings.set(KnobId::Exponent, exponent);
            let grip = grip(&settings, &note(60));
            [KnobId::Stiffness, KnobId::Exponent, KnobId::Damping].map(|knob| grip.get(knob))
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
        let mut settings = Settings::default();
        settings.set(KnobId::TrackHammer, -1.0);
        settings.set(KnobId::TrackStiffness, 2.0);
        let grip = grip(&settings, &note(72));
        assert!((grip.get(KnobId::HammerMass) - 0.01).abs() < 1e-12 && (grip.get(KnobId::Stiffness) - 400.0).abs() < 1e-9);
    }

    #[test]
    fn the_surface_spreads_the_keys_and_folds_them_back() {
        let mut settings = Settings::default();
        settings.set(KnobId::Stage, 1.0);
        settings.set(KnobId::StrikePosition, 0.5);
        let place = |key: u8| grip(&settings, &note(key)).get(KnobId::StrikePosition);
        for (key, wanted) in [(60, 0.5), (72, 0.75), (84, 1.0), (96, 0.75), (36, 0.0), (24, 0.25), (12, 0.5)] {
            assert!((place(key) - wanted).abs() < 1e-12, "key {key}: {}", place(key));
        }
    }

    #[test]
    fn a_host_moves_one_note_by_travel() {
        let modulated = Note { modulation: [0.0, 1.0 / 9.0, 0.0, 0.0, 0.0, 0.2, 9.0], ..note(60) };
        let grip = grip(&Settings::default(), &modulated);
        assert!((grip.get(KnobId::Stiffness) - 1000.0).abs() < 1e-9, "one of nine decades");
        assert!((grip.get(KnobId::StrikePosition) - 0.56).abs() < 1e-12 && grip.get(KnobId::StrikeAcross) == 1.0);
    }
}
