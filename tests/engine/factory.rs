//! The built-in presets: their order and names, their texts, their pitch.

use crate::playing::*;
use urto::engine::body::{Body, Build, Pitch};
use urto::engine::factory::FAMILIES;
use urto::engine::knob::KnobId;
use urto::engine::patch::{Patch, Pitched};
use urto::engine::preset::{BUILT_IN, built_in, from_toml, to_toml};
use urto::engine::{Config, Engine, Event};
use urto::physics::modes::Mode;

/// In this order, under these names: programs of MIDI and sessions of players count on it.
const NAMES: [&str; 61] = [
    "Rosewood Marimba",
    "Bass Marimba Yarn",
    "Concert Xylophone",
    "Vibraphone Motor Off",
    "Glockenspiel Brass",
    "Thumb Kalimba",
    "Toy Piano Rod",
    "Tank Drum Palm",
    "Orff Metallophone",
    "Parish Bell",
    "Nine-Tonne Bourdon",
    "Handbell C5",
    "Tubular Chime C5",
    "Orchestral Triangle",
    "Himalayan Bowl",
    "Agogo Pair",
    "Wind Chime Tube",
    "Timpano A2",
    "Twelve-Inch Tom",
    "Floor Tom",
    "Felt Kick",
    "Concert Bass Drum",
    "Snare Shell",
    "Djembe Tone",
    "Conga Open",
    "Tabla Dayan Na",
    "Tabla Bayan Ge",
    "Steel Panel",
    "Thunder Sheet",
    "Symphonic Tam-Tam",
    "Bossed Gong C3",
    "Crash Cymbal",
    "Closed Hi-Hat",
    "Oil Drum Lid",
    "Anvil",
    "Piano C2 Wire",
    "Piano C4 Wire",
    "Piano C7 Wire",
    "Cimbalom Cotton",
    "Santur Bare Wood",
    "Prepared Bolt C3",
    "Long Wire Drone",
    "Wine Glass Tap",
    "Window Pane",
    "Marble Lithophone",
    "Green Bottle",
    "Crystal Bars",
    "Flowerpot",
    "Claves",
    "Woodblock High",
    "Temple Block",
    "Slit Log Drum",
    "Cajon Slap",
    "Boomwhacker",
    "Tin Can",
    "Pearl on Glacier",
    "Kalimba of the Titans",
    "Hammer Outweighs Bar",
    "Glass Drumhead",
    "Rubber Bell",
    "Needle Law alpha5",
];

/// Frequency of what the body is tuned to [Hz], of every preset.
const FIGURES: &str = include_str!("../cli/preset_figures.csv");

#[test]
fn order_and_names_stay() {
    let names: Vec<_> = built_in().map(|patch| patch.name).collect();
    assert_eq!(names, NAMES);
    let families: Vec<_> = built_in().map(|patch| patch.family).collect();
    let place = |family: &String| FAMILIES.iter().position(|known| known == family).expect("a family of the list");
    assert!(families.iter().map(place).is_sorted() && FAMILIES.iter().all(|family| families.iter().any(|f| f == family)));
}

#[test]
fn every_preset_says_what_it_is_and_answers_the_hands() {
    for patch in built_in() {
        assert!(patch.author == "Urto" && patch.tags.len() >= 2 && patch.pitch.is_some(), "{}", patch.name);
        assert!(patch.description.ends_with('.') && patch.description.len() < 160, "{}: {}", patch.name, patch.description);
        let knob = |knob| patch.settings.get(knob);
        assert!(knob(KnobId::WheelAmount) != 0.0 && knob(KnobId::PressureAmount) != 0.0, "{}", patch.name);
        assert!(knob(KnobId::SpeedHigh) >= 5.0 * knob(KnobId::SpeedLow), "{}: no room for velocity", patch.name);
    }
}

/// From the text to the state of a session and back, to the last bit.
#[test]
fn texts_lose_nothing() {
    for text in BUILT_IN {
        let patch = from_toml(text).expect("valid");
        assert_eq!(from_toml(&to_toml(&patch)).as_ref(), Ok(&patch), "{}", patch.name);
    }
}

/// The partials of `key` [Hz].
fn partials(patch: &Patch, key: u8) -> Vec<f64> {
    let engine = Engine::new(Config { objects: 1, ..Config::at(RATE) }, patch);
    let hertz = engine.tuning().hertz(key).expect("every key has a pitch");
    let pitch = Pitch::new(hertz, Build::default(), |knob| patch.settings.get(knob));
    let body = Body::of(patch);
    let count = body.fitting(&pitch, RATE);
    let mut modes = vec![Mode::RIGID; body.suspensions() + count];
    body.modes(count, &pitch, RATE, &mut modes);
    modes[body.rigid()..body.rigid() + count].iter().map(Mode::heard_frequency).collect()
}

/// Distance of the nearest partial from `hertz` [cents].
fn off(partials: &[f64], hertz: f64) -> f64 {
    partials.iter().map(|partial| 1200.0 * (partial / hertz).log2()).min_by(|a, b| a.abs().total_cmp(&b.abs())).expect("partials")
}

#[test]
fn pitched_presets_follow_the_key() {
    let mut pitched = 0;
    for patch in built_in() {
        let Some(Pitched::By(reference)) = patch.pitch else { continue };
        pitched += 1;
        let home = patch.settings.get(KnobId::HomeKey) as u8;
        for key in home - 12..=home + 12 {
            let hertz = 440.0 * ((f64::from(key) - 69.0) / 12.0).exp2();
            let cents = off(&partials(&patch, key), reference * hertz);
            assert!(cents.abs() < 1.0, "{}, key {key}: {cents} cents", patch.name);
        }
    }
    assert!(pitched >= 30);
}

#[test]
fn home_keys_sound_at_the_frequencies_of_the_table() {
    for (patch, line) in built_in().zip(FIGURES.lines().skip(1)) {
        let mut cells = line.split(',');
        assert_eq!(cells.next(), Some(patch.name.as_str()));
        let lowest: f64 = cells.next().and_then(|cell| cell.parse().ok()).expect("a frequency");
        let home = patch.settings.get(KnobId::HomeKey) as u8;
        let body = 440.0 * ((f64::from(home) - 69.0 + patch.settings.get(KnobId::Tune)) / 12.0).exp2();
        let cents = 1200.0 * (body / lowest).log2();
        // what has a pitch stands on the nearest key, what has none on its own frequency
        let most = if patch.pitch == Some(Pitched::No) { 0.1 } else { 25.0 };
        assert!(cents.abs() < most, "{}: {body} Hz instead of {lowest}", patch.name);
        if patch.pitch == Some(Pitched::No) {
            let cents = off(&partials(&patch, home), lowest);
            assert!(cents.abs() < 1.0, "{}: {cents} cents from {lowest} Hz", patch.name);
        }
    }
}

/// Every way to play a preset gives another sound, none of it beyond the ceiling.
#[test]
fn velocity_wheel_and_pressure_are_heard() {
    for patch in built_in() {
        let home = patch.settings.get(KnobId::HomeKey) as u8;
        let sound = |velocity: u8, gesture: Option<Event>| {
            let mut engine = Engine::new(Config { objects: 2, ..Config::at(RATE) }, &patch);
            gesture.iter().filter(|event| matches!(event, Event::Controller { .. })).for_each(|event| engine.event(event));
            engine.event(&on(home, velocity));
            let before = play(&mut engine, 480);
            gesture.iter().filter(|event| matches!(event, Event::Pressure { .. })).for_each(|event| engine.event(event));
            let after = play(&mut engine, 9_600);
            Sound { left: [before.left, after.left].concat(), right: [before.right, after.right].concat() }
        };
        let [plain, soft, hard] = [100, 20, 127].map(|velocity| sound(velocity, None));
        let wheel = sound(100, Some(Event::Controller { channel: 0, number: 1, value: 1.0 }));
        let pressed = sound(100, Some(Event::Pressure { channel: 0, value: 1.0 }));
        let change = |other: &Sound| {
            let difference: f64 = plain.left.iter().zip(&other.left).map(|(a, b)| f64::from(a - b).powi(2)).sum();
            (difference / plain.left.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>()).sqrt()
        };
        println!("{}: wheel {:.3}, pressure {:.3}", patch.name, change(&wheel), change(&pressed));
        assert!(soft.energy() < 0.5 * plain.energy() && plain.energy() < hard.energy(), "{}", patch.name);
        assert!(change(&wheel) > 0.03 && change(&pressed) > 0.03, "{}: {} {}", patch.name, change(&wheel), change(&pressed));
        for sound in [&plain, &soft, &hard, &wheel, &pressed] {
            assert!(sound.peak() <= f64::from(urto::engine::CEILING) && sound.peak() > 1e-4, "{}", patch.name);
        }
    }
}
