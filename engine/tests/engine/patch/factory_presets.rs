//! The factory presets: order, names, text, pitch and level.

use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::body::{BodyTuning, KeyScaling, PreparedBody};
use urto_engine::params::ParamId;
use urto_engine::patch::FAMILIES;
use urto_engine::patch::{Patch, PitchReference};
use urto_engine::patch::{added, all, built_in, factory_texts, from_toml, kits, sustained, to_toml};
use urto_engine::{Engine, EngineConfig, Event};
use urto_physics::modal::Mode;

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

/// The same of those that stay in contact; the kits come before them.
const LASTING_NAMES: [&str; 17] = [
    "Snare with Wires",
    "Press Roll",
    "Buzzing Tanpura",
    "Sizzle Cymbal",
    "Bouncing Marble",
    "Rain on Glockenspiel",
    "Gong under a Shaker",
    "Slit Drum Machine",
    "Wires on Noise",
    "Vocal Plate",
    "Steel Ball on a Board",
    "Marble on Window Glass",
    "Superball on a Tom",
    "Guiro",
    "Fingernail along a Wound String",
    "Rubbed Bowl",
    "Pearl across a Glacier",
];

/// The same of what was added later, presets and kits.
const ADDED_NAMES: [&str; 42] = [
    "Falling Tom",
    "Falling Kick",
    "Foil Drum",
    "Talking Drum",
    "Slack Wire",
    "Slack Zither",
    "Berimbau",
    "Washtub Bass",
    "Clamped Blade",
    "Baking Tray",
    "Steel Door",
    "Stage Thunder",
    "Shaken Sheet",
    "Opera Gong Falling",
    "Opera Gong Rising",
    "Water Gong",
    "Dented Pot Lid",
    "Hand Splash",
    "Bending Kit",
    "Two-Headed Tom",
    "Open Bass Drum",
    "Field Snare",
    "Dhol",
    "Pedal Hi-Hat",
    "Pedal Kit",
    "Marimba with Resonators",
    "Vibraphone Motor On",
    "Upright Course",
    "Santur Course",
    "Four-String Tanpura",
    "Bongo",
    "Timbale",
    "Taiko",
    "Frame Drum",
    "Orchestral Bass Drum",
    "Crotale",
    "Celesta",
    "Steel Pan",
    "Handpan",
    "Glass Harmonica",
    "Brushes Kit",
    "Orchestral Percussion Kit",
];

/// Number of the presets up to Four-String Tanpura, which are sorted by family. Later ones belong to the family of their instrument.
const SORTED: usize = 106;

/// Number of the kits that come before [`LASTING_NAMES`].
const FIRST_KITS: usize = 4;

/// Frequency of what the body is tuned to [Hz], of every preset.
const FIGURES: &str = include_str!("../../../../tests/cli/preset_figures.csv");

#[test]
fn preset_order_and_names_are_stable() {
    let names: Vec<_> = built_in().map(|patch| patch.name).collect();
    assert_eq!(names, NAMES);
    let names: Vec<_> = sustained().map(|patch| patch.name).collect();
    assert_eq!(names, LASTING_NAMES);
    let after: Vec<_> = all().skip(NAMES.len() + FIRST_KITS).map(|patch| patch.name).collect();
    assert_eq!(after[..LASTING_NAMES.len()], names, "they follow the first kits");
    let after = &after[LASTING_NAMES.len()..];
    assert_eq!(after[..ADDED_NAMES.len()], ADDED_NAMES, "later ones have the last numbers");
    assert!(
        after.iter().filter(|name| kits().all(|kit| kit.name != **name)).eq(&added().map(|patch| patch.name).collect::<Vec<_>>())
    );
    let families: Vec<_> = built_in().chain(sustained()).chain(added()).map(|patch| patch.family).collect();
    assert!(families.iter().all(|family| FAMILIES.contains(&family.as_str())));
    let place = |family: &String| FAMILIES.iter().position(|known| known == family).expect("a family of the list");
    assert!(
        families.iter().take(SORTED).map(place).is_sorted() && FAMILIES.iter().all(|family| families.iter().any(|f| f == family))
    );
}

#[test]
fn every_preset_has_metadata_and_modulation() {
    for patch in built_in().chain(sustained()).chain(added()) {
        assert!(patch.author == "Urto" && patch.tags.len() >= 2 && patch.pitch.is_some(), "{}", patch.name);
        assert!(patch.description.ends_with('.') && patch.description.len() < 160, "{}: {}", patch.name, patch.description);
        let param = |param| patch.settings.get(param);
        assert!(param(ParamId::WheelAmount) != 0.0 && param(ParamId::PressureAmount) != 0.0, "{}", patch.name);
        let strikes = param(ParamId::KeyStrikes) > 0.5;
        assert!(!strikes || param(ParamId::SpeedHigh) >= 5.0 * param(ParamId::SpeedLow), "{}: no room for velocity", patch.name);
    }
}

/// From the text to the state of a session and back, to the last bit.
#[test]
fn preset_texts_round_trip() {
    for text in factory_texts::texts().filter(|text| !text.contains("[[zone]]")) {
        let patch = from_toml(text).expect("valid");
        assert_eq!(from_toml(&to_toml(&patch)).as_ref(), Ok(&patch), "{}", patch.name);
    }
}

/// The partials of `key` [Hz].
fn partials(patch: &Patch, key: u8) -> Vec<f64> {
    let engine = Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, patch);
    let hertz = engine.tuning().hertz(key).expect("every key has a pitch");
    let pitch = BodyTuning::new(hertz, KeyScaling::default(), |param| patch.settings.get(param));
    let body = PreparedBody::of(patch);
    let count = body.modes_below_limit(&pitch, RATE);
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
    for patch in built_in().chain(added()) {
        let Some(PitchReference::By(reference)) = patch.pitch else { continue };
        pitched += 1;
        let home = patch.settings.get(ParamId::HomeKey) as u8;
        for key in (home - 12..=home + 12).step_by(size(8, 1)) {
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
        let home = patch.settings.get(ParamId::HomeKey) as u8;
        let body = 440.0 * ((f64::from(home) - 69.0 + patch.settings.get(ParamId::Tune)) / 12.0).exp2();
        let cents = 1200.0 * (body / lowest).log2();
        // what has a pitch stands on the nearest key, what has none on its own frequency
        let most = if patch.pitch == Some(PitchReference::No) { 0.1 } else { 25.0 };
        assert!(cents.abs() < most, "{}: {body} Hz instead of {lowest}", patch.name);
        if patch.pitch == Some(PitchReference::No) {
            let cents = off(&partials(&patch, home), lowest);
            assert!(cents.abs() < 1.0, "{}: {cents} cents from {lowest} Hz", patch.name);
        }
    }
}

/// Whether its notes strike.
fn strikes(patch: &Patch) -> bool {
    patch.settings.get(ParamId::KeyStrikes) > 0.5
}

/// Every way to play a preset gives another sound, none of it beyond the ceiling.
#[test]
fn velocity_wheel_and_pressure_change_the_sound() {
    for patch in built_in().chain(added().filter(strikes)).step_by(size(12, 1)) {
        let home = patch.settings.get(ParamId::HomeKey) as u8;
        let sound = |velocity: u8, gesture: Option<Event>| {
            let mut engine = Engine::new(EngineConfig { voices: 2, ..EngineConfig::at(RATE) }, &patch);
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
            assert!(sound.peak() <= f64::from(urto_engine::CEILING) && sound.peak() > 1e-4, "{}", patch.name);
        }
    }
}

/// Energy of every half second of ten seconds, in the first two of which the home key is down.
fn held(patch: &Patch, gesture: Option<Event>, input: &[f32]) -> [f64; 20] {
    let mut engine = Engine::new(EngineConfig { voices: 2, ..EngineConfig::at(RATE) }, patch);
    let home = patch.settings.get(ParamId::HomeKey) as u8;
    gesture.iter().for_each(|event| engine.event(event));
    let sound =
        perform(&mut engine, &[(0, on(home, 100)), (96_000, crate::support::test_engine::off(home))], 480_000, &[480], input);
    assert!(sound.peak() <= f64::from(urto_engine::CEILING), "{}", patch.name);
    let energy = |side: &[f32]| side.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
    let part = |n: usize| n * 24_000..(n + 1) * 24_000;
    std::array::from_fn(|n| energy(&sound.left[part(n)]) + energy(&sound.right[part(n)]))
}

/// What is driven sounds as long as its key is down, in its last half second as in its first, and dies away after; the wheel pushes.
#[test]
fn driven_presets_sustain_while_their_key_is_held() {
    let driven = |patch: &Patch| {
        let get = |param| patch.settings.get(param) > 0.0;
        get(ParamId::DriveGain) && get(ParamId::DriveSource) || get(ParamId::Roll)
    };
    let mut known = 0;
    for patch in sustained().chain(added()).filter(driven).step_by(size(4, 1)) {
        known += 1;
        let sound = held(&patch, None, &[]);
        let (begin, end, after) = (sound[1], sound[3], sound[19]);
        println!("{}: {begin:.2e} {end:.2e}, after its key is up {after:.2e}", patch.name);
        assert!(end > 0.1 * begin && begin > 0.1 * end && after < 0.1 * end, "{}", patch.name);
        let wheel = held(&patch, Some(Event::Controller { channel: 0, number: 1, value: 1.0 }), &[]);
        // half a second of a chaotic contact is as loud as chance has it
        let ratio = wheel[1..4].iter().sum::<f64>() / sound[1..4].iter().sum::<f64>();
        assert!((ratio - 1.0).abs() > 0.1, "{}: the wheel changes the energy by the factor {ratio:.3}", patch.name);
    }
    assert!(known >= size(3, 12));
}

/// A preset for the side-chain waits for it.
#[test]
fn the_vocal_plate_follows_its_input() {
    let patch = sustained().find(|patch| patch.name == "Vocal Plate").expect("it is there");
    let voice: Vec<f32> =
        (0..480_000).map(|i| 0.5 * (std::f64::consts::TAU * 140.0 * f64::from(i) / RATE).sin() as f32).collect();
    let (alone, with) = (held(&patch, None, &[])[16], held(&patch, None, &voice)[16]);
    assert!(alone < 1e-9 && with > 1e-2, "{alone:e} {with:e}");
}

#[test]
fn one_note_of_the_default_patch_at_velocity_100_peaks_near_minus_9_db() {
    let mut engine = Engine::new(EngineConfig::at(RATE), &Patch::default());
    engine.event(&on(60, 100));
    let peak = 20.0 * play(&mut engine, 96_000).peak().log10();
    assert!((peak + 9.0).abs() < 1.5, "{peak:.2} dB");
}
