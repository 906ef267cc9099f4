//! Tunings: the frequency of every key in their text and in the sound.

use crate::support::spectrum::{compare, kaiser};
use crate::support::test_engine::*;
use urto_engine::params::ParamId::*;
use urto_engine::params::ParamValues;
use urto_engine::patch::patch_toml;
use urto_engine::patch::{ListedMode, Patch};
use urto_engine::tuning::PatchTuning;
use urto_engine::tuning::TuningSet;
use urto_engine::tuning::{FREQUENCIES, KeyFrequencies, ReferencePitch, SCALES, SourcePart, TuningSource};
use urto_engine::{Engine, EngineConfig};

/// Bound on every frequency [cents].
const CENTS: f64 = 0.01;

fn cents(hertz: f64, wanted: f64) -> f64 {
    1200.0 * (hertz / wanted).log2()
}

fn built_in(scale: &str) -> TuningSource {
    TuningSource { scale: scale.into(), ..TuningSource::default() }
}

fn with_map(scale: &str, map: &str) -> TuningSource {
    TuningSource { map: Some(map.into()), ..built_in(scale) }
}

fn tuning(source: &TuningSource) -> KeyFrequencies {
    source.tuning().unwrap_or_else(|(part, fault)| panic!("{part:?}: {fault}"))
}

/// `hertz` gives the frequency of every key.
fn assert_tuned(source: &TuningSource, hertz: impl Fn(i32) -> Option<f64>) {
    let tuning = tuning(source);
    for key in 0..128 {
        match (tuning.hertz(key), hertz(i32::from(key))) {
            (Some(is), Some(wanted)) => {
                assert!(cents(is, wanted).abs() < CENTS, "{} key {key}: {is} Hz, not {wanted}", source.scale)
            }
            (is, wanted) => assert_eq!(is, wanted, "{} key {key}", source.scale),
        }
    }
}

/// Frequency of the note `degree` over the first note at `first` [Hz].
fn note_of(first: f64, ratios: &[f64], degree: i32) -> f64 {
    let notes = ratios.len() as i32;
    let (period, within) = (degree.div_euclid(notes), degree.rem_euclid(notes) as usize);
    let ratio = if within == 0 { 1.0 } else { ratios[within - 1] };
    first * ratios[ratios.len() - 1].powi(period) * ratio
}

/// A scale whose note 9 on key 69 is 440 Hz, the first on key 60.
fn on_every_key(ratios: &[f64]) -> impl Fn(i32) -> Option<f64> {
    let first = 440.0 / note_of(1.0, ratios, 9);
    move |key| Some(note_of(first, ratios, key - 60)).filter(|hertz| FREQUENCIES.contains(hertz))
}

const JUST: [f64; 12] = [
    16.0 / 15.0,
    9.0 / 8.0,
    6.0 / 5.0,
    5.0 / 4.0,
    4.0 / 3.0,
    45.0 / 32.0,
    3.0 / 2.0,
    8.0 / 5.0,
    5.0 / 3.0,
    9.0 / 5.0,
    15.0 / 8.0,
    2.0,
];
const PELOG: [f64; 7] = [137.0, 446.0, 575.0, 687.0, 820.0, 1098.0, 1200.0];
const SLENDRO: [f64; 5] = [228.0, 484.0, 728.0, 960.0, 1200.0];

/// Seven notes on the white keys, the first on key 60, whose frequency is given.
const WHITE_KEYS: &str = "! white.kbm\n12\n0\n127\n60\n60\n250.0\n7\n0\nx\n1\nx\n2\n3\nx\n4\nx\n5\nx\n6\n";
/// Degree of each key from C to B.
const WHITE: [Option<i32>; 12] = [Some(0), None, Some(1), None, Some(2), Some(3), None, Some(4), None, Some(5), None, Some(6)];

fn ratios(cents: &[f64]) -> Vec<f64> {
    cents.iter().map(|cents| (cents / 1200.0).exp2()).collect()
}

#[test]
fn every_tuning_source_gives_its_frequencies() {
    assert_tuned(&built_in("equal"), |key| Some(440.0 * 2_f64.powf(f64::from(key - 69) / 12.0)));
    assert_tuned(&built_in("equal-22"), |key| Some(440.0 * 2_f64.powf(f64::from(key - 69) / 22.0)));
    assert_tuned(&built_in("just"), on_every_key(&JUST));
    assert_tuned(&built_in("pelog"), on_every_key(&ratios(&PELOG)));
    assert_tuned(&built_in("slendro"), on_every_key(&ratios(&SLENDRO)));
    let thirteen: Vec<f64> = (1..=13).map(|n| 3_f64.powf(f64::from(n) / 13.0)).collect();
    let lines: String = (1..=13).map(|n| format!("{:.9}\n", 1200.0 * 3_f64.log2() * f64::from(n) / 13.0)).collect();
    assert_tuned(&built_in(&format!("Thirteen steps to the twelfth\n13\n{lines}")), on_every_key(&thirteen));
    assert_tuned(&with_map("pelog", WHITE_KEYS), |key| {
        let degree = WHITE[key.rem_euclid(12) as usize]? + 7 * (key - 60).div_euclid(12);
        Some(note_of(250.0, &ratios(&PELOG), degree))
    });
    // some by hand
    for (scale, key, hertz) in [
        ("just", 60, 264.0),
        ("just", 64, 330.0),
        ("just", 67, 396.0),
        ("pythagorean", 62, 440.0 * 2.0 / 3.0),
        ("meantone", 65, 352.0),
        ("shruti", 69, 440.0),
        ("bohlen-pierce", 69 + 13, 1320.0),
        ("bohlen-pierce", 60, 440.0 * 7.0 / 15.0),
    ] {
        let is = tuning(&built_in(scale)).hertz(key).unwrap();
        assert!(cents(is, hertz).abs() < CENTS, "{scale} key {key}: {is} Hz");
    }
}

/// The closed form that serves the scale "equal" and the way of all others.
#[test]
fn equal_divisions_agree_in_both_notations() {
    let text = SCALES.iter().find(|(name, _)| *name == "equal").unwrap().1;
    assert_tuned(&built_in(text), |key| tuning(&built_in("equal")).hertz(key as u8));
}

#[test]
fn reference_pitch_and_stretch_move_all_keys() {
    let source = TuningSource { reference: Some(ReferencePitch { key: 60, hertz: 256.0 }), ..built_in("just") };
    assert_tuned(&source, |key| Some(256.0 * note_of(1.0, &JUST, key - 60)));
    let mut patch = Patch { tuning: PatchTuning::new(source).unwrap(), ..Patch::default() };
    patch.settings.set(Stretch, 6.0);
    patch.settings.set(ConcertPitch, 415.0);
    let tunings = TuningSet::of(&patch.tuning);
    for key in 0..128 {
        let wanted = 256.0 * 415.0 / 440.0 * note_of(1.0, &JUST, key - 60).powf(1206.0 / 1200.0);
        let is = tunings.effective(&patch.settings).hertz(key as u8).unwrap();
        assert!(cents(is, wanted).abs() < CENTS, "key {key}: {is} Hz, not {wanted}");
    }
    // where the params stand at their defaults they change no bit
    assert_eq!(tunings.effective(&ParamValues::default()), *patch.tuning.tuning());
    // in place of the map's own reference
    let source = TuningSource { reference: Some(ReferencePitch { key: 69, hertz: 442.0 }), ..with_map("pelog", WHITE_KEYS) };
    let tuning = tuning(&source);
    assert!(cents(tuning.hertz(69).unwrap(), 442.0).abs() < CENTS);
    assert!(cents(tuning.hertz(60).unwrap(), 442.0 / (820_f64 / 1200.0).exp2()).abs() < CENTS);
}

#[test]
fn key_maps_can_be_linear_shifted_and_sparse() {
    // size 0: every key is one note; keys outside 40 to 80 are silent; the reference may lie there too
    let source = with_map("slendro", "0\n40\n80\n62\n90\n300.0\n0\n");
    assert_tuned(&source, |key| {
        let first = 300.0 / note_of(1.0, &ratios(&SLENDRO), 90 - 62);
        (40..=80).contains(&key).then(|| note_of(first, &ratios(&SLENDRO), key - 62))
    });
    // formal octave 0: the period of the scale; keys at the end of the pattern that are not listed are silent
    let source = with_map("slendro", "6\n0\n127\n60\n60\n300.0\n0\n0\n1\n2\n3\n4\n");
    assert_tuned(&source, |key| {
        let (pattern, within) = ((key - 60).div_euclid(6), (key - 60).rem_euclid(6));
        (within < 5).then(|| note_of(300.0, &ratios(&SLENDRO), 5 * pattern + within)).filter(|hertz| *hertz <= 1e5)
    });
}

#[test]
fn scala_files_are_read_in_their_usual_variants() {
    let plain = tuning(&built_in("Plain\n2\n3/2\n2/1\n"));
    for text in [
        "\u{feff}Plain\r\n2\r\n3/2\r\n2/1\r\n",
        "! comment\n\n 2\n!\n 3/2 a fifth\n\t2 ! octave\n",
        "Plain\n 2 notes\n! 9/8\n701.9550008653874\n1200.0 cents\n\n",
    ] {
        assert_tuned(&built_in(text), |key| plain.hertz(key as u8));
    }
    // falling and unordered scales, and one of no notes
    assert_tuned(&built_in("Falling\n1\n-100.0\n"), |key| Some(440.0 * 2_f64.powf(f64::from(69 - key) / 12.0)));
    assert_tuned(&built_in("One pitch\n0\n"), |_| Some(440.0));
    // keys that nobody could hear are silent
    assert_tuned(&built_in("Octaves\n1\n2/1\n"), |key| {
        Some(440.0 * 2_f64.powi(key - 69)).filter(|hertz| (0.1..=1e5).contains(hertz))
    });
}

#[test]
fn errors_name_line_and_fix() {
    let refused = |source: TuningSource, part: SourcePart, message: &str| {
        let (found, fault) = source.tuning().expect_err(message);
        assert!(found == part && fault.to_string().contains(message), "{found:?} {fault}");
    };
    for (text, message) in [
        ("dur", "there is no scale \"dur\"; give equal, just"),
        ("\n", "the number of notes is missing; a scale has a line of description"),
        ("Scale\n", "the number of notes is missing"),
        ("Scale\ntwo\n3/2\n2\n", "line 2: \"two\" is not a number of notes; after the description"),
        ("! c\n\nScale\n-1\n", "line 4: \"-1\" is not a number of notes"),
        ("Scale\n3\n3/2\n2\n", "line 2: the file declares 3 intervals but has 2; correct the number"),
        ("Scale\n1\n3/2\n2\n", "line 2: the file declares 1 intervals but has 2"),
        ("Scale\n2\n!\n3/\n2\n", "line 4: \"3/\" is not an interval; write a ratio such as 3/2"),
        ("Scale\n2\n-3/2\n2\n", "line 3: \"-3/2\" is not an interval"),
        ("Scale\n2\n0\n2\n", "line 3: \"0\" is not an interval"),
        ("Scale\n2\n3/2\n2/0\n", "line 4: \"2/0\" is not an interval"),
        ("Scale\n2\n100,5\n2\n", "line 3: \"100,5\" is not an interval"),
        ("Scale\n2\n100.0c\n2\n", "line 3: \"100.0c\" is not an interval"),
        ("Scale\n1\n1.0e300\n", "line 3: \"1.0e300\" is not an interval"),
        ("\n2\n100.0\nfifth\n", "line 4: \"fifth\" is not an interval"),
    ] {
        refused(built_in(text), SourcePart::Scale, message);
    }
    let map = |line: usize, item: &str| {
        let lines: Vec<_> = WHITE_KEYS.lines().enumerate().map(|(i, old)| if i + 1 == line { item } else { old }).collect();
        with_map("pelog", &lines.join("\n"))
    };
    for (line, item, message) in [
        (2, "many", "line 2: \"many\" is not a valid size of the map; give a number from 0 to 1024"),
        (2, "11", "line 20: more keys than the 11 of the map's size; correct the size"),
        (3, "-1", "line 3: \"-1\" is not a valid first key; give a number from 0 to 127"),
        (4, "2147483647", "line 4: \"2147483647\" is not a valid last key; give a number from 0 to 127"),
        (5, "C", "line 5: \"C\" is not a valid middle key"),
        (6, "128", "line 6: \"128\" is not a valid reference key"),
        (6, "61", "the reference key 61 is silent in the map; assign a degree to it"),
        (7, "0.0", "line 7: \"0.0\" is not a valid reference frequency in Hz; give a number from 0.1 to 100000"),
        (7, "nan", "line 7: \"nan\" is not a valid reference frequency"),
        (8, "-7", "line 8: \"-7\" is not a valid formal octave"),
        (9, "0.5", "line 9: \"0.5\" is not a valid degree (or x for a silent key)"),
        (9, "99999", "line 9: \"99999\" is not a valid degree"),
    ] {
        refused(map(line, item), SourcePart::Map, message);
    }
    refused(
        with_map("pelog", "12\n0\n"),
        SourcePart::Map,
        "the last key is missing; a key map has one line for each of these: size",
    );
    refused(
        with_map("Wide\n1\n100000.0\n", "0\n61\n70\n60\n60\n440.0\n0"),
        SourcePart::Map,
        "no key has a pitch from 0.1 to 100000 Hz",
    );
    let reference = |key, hertz| TuningSource { reference: Some(ReferencePitch { key, hertz }), ..TuningSource::default() };
    refused(reference(128, 440.0), SourcePart::Reference, "key 128 at 440 Hz is out of range");
    refused(reference(69, f64::NAN), SourcePart::Reference, "give a key from 0 to 127");
}

/// A text with a few accidents in it.
fn spoiled(text: &str, chance: &mut Chance) -> String {
    const JUNK: [&str; 24] = [
        "",
        "\n",
        "\0",
        "!",
        "x",
        "-",
        ".",
        "/",
        "0",
        "1/0",
        "-1",
        "1e999.",
        "1.e308",
        "nan",
        "inf.",
        "2147483648",
        "-2147483648",
        "4294967295/1",
        "65536",
        "99999999999999999999",
        "é",
        "\u{feff}",
        "\r",
        " ",
    ];
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + chance.below(4) {
        let (at, junk) = (chance.below(lines.len()), JUNK[chance.below(JUNK.len())]);
        match chance.below(5) {
            0 => lines[at] = junk.into(),
            1 => lines.insert(at, junk.into()),
            2 if lines.len() > 1 => drop(lines.remove(at)),
            3 => {
                let other = chance.below(lines.len());
                lines.swap(at, other);
            }
            _ => {
                let places: Vec<usize> = lines[at].char_indices().map(|(i, _)| i).chain([lines[at].len()]).collect();
                let place = places[chance.below(places.len())];
                lines[at].insert_str(place, junk);
            }
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn corrupted_texts_give_a_tuning_or_an_error() {
    let mut chance = Chance::new(23);
    let (mut read, mut refused) = (0, 0);
    for i in 0..1_000 {
        let (_, text) = SCALES[i % SCALES.len()];
        let scale = if chance.below(3) == 0 { text.to_owned() } else { spoiled(text, &mut chance) };
        let map = (chance.below(3) > 0).then(|| spoiled(WHITE_KEYS, &mut chance));
        match (TuningSource { scale: scale.clone(), map: map.clone(), ..TuningSource::default() }).tuning() {
            Ok(tuning) => {
                let hertz: Vec<f64> = (0..=255).filter_map(|key| tuning.hertz(key)).collect();
                assert!(!hertz.is_empty() && hertz.iter().all(|hertz| FREQUENCIES.contains(hertz)), "{scale} {map:?}");
                read += 1;
            }
            Err((_, fault)) => {
                assert!(!fault.problem.is_empty() && !fault.remedy.is_empty());
                let lines = scale.lines().count().max(map.map_or(0, |map| map.lines().count()));
                assert!(fault.line.is_none_or(|line| (1..=lines).contains(&line)), "{fault}");
                refused += 1;
            }
        }
    }
    println!("{read} read, {refused} refused");
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}

#[test]
fn the_text_of_a_patch_keeps_its_tuning_exactly() {
    let sources = SCALES.iter().map(|(name, _)| built_in(name)).chain([
        with_map("pelog", WHITE_KEYS),
        TuningSource { reference: Some(ReferencePitch { key: 60, hertz: 261.625_565_300_6 }), ..built_in("just") },
        with_map("! \"quoted\" \\ \t\r\n\r\n2\r\n3/2 '''\r\n2 \"\"\"\r\n", "\r\n0\n0\n127\n60\n60\n262\n0"),
    ]);
    for (i, source) in sources.enumerate() {
        let mut patch = Patch { tuning: PatchTuning::new(source).unwrap(), ..Patch::default() };
        patch.settings.set(MtsEsp, (i % 2) as f64);
        patch.settings.set(Sounding, (i / 2 % 2) as f64);
        patch.settings.set(Stretch, i as f64 / -3.0);
        let text = patch_toml::to_toml(&patch);
        assert_eq!(patch_toml::from_toml(&text), Ok(patch), "{text}");
    }
    assert_eq!(patch_toml::from_toml("schema = 2").unwrap().tuning, PatchTuning::default());
}

#[test]
fn errors_in_a_tuning_section_name_line_and_key() {
    for (section, message) in [
        ("scale = \"dur\"", "line 3, tuning.scale: there is no scale \"dur\"; give equal"),
        ("\nscale = \"\"\"\nScale\n1\nx\n\"\"\"", "line 4, tuning.scale: in line 3 of the text, \"x\" is not an interval; write"),
        ("map = \"1\"", "line 3, tuning.map: the first key is missing"),
        ("reference = 0", "line 3, tuning.reference: 0 is out of range; give a frequency from 0.1"),
        ("reference_key = 60", "line 3, tuning.reference_key: a reference key has no frequency; add its frequency"),
        ("reference = 440\nreference_key = 60.5", "line 4, tuning.reference_key: 60.5 is not a key"),
        ("stretch = 1", "line 3, tuning.stretch: unknown key; the keys here are scale, map"),
        ("\n[pitch]\nstretch = 101", "line 5, pitch.stretch: 101 is out of range; give a number from -100 to 100 cents"),
        ("skale = \"just\"", "line 3, tuning.skale: unknown key; the keys here are scale, map"),
    ] {
        let fault = patch_toml::from_toml(&format!("schema = 2\n[tuning]\n{section}\n")).expect_err(message).to_string();
        assert!(fault.starts_with(message), "{fault}");
    }
}

/// One mode that lasts, so that a key is one partial.
fn one_mode(source: &TuningSource) -> Patch {
    let mut patch = patch(&[(Body, 2.0), (Modes, 1.0), (Decay, 60.0), (Loss, 0.0), (Viscosity, 0.0)]);
    patch.modes = vec![ListedMode { ratio: 1.0, decay: None, mass: 1.0, shape: vec![1.0].into() }];
    patch.tuning = PatchTuning::new(source.clone()).unwrap();
    patch
}

/// Deviation [cents] of what sounds in the next half second from `hertz`.
fn deviation(engine: &mut Engine, hertz: f64) -> f64 {
    let sound = play(engine, 24_000);
    assert!(sound.peak() > 1e-3, "too soft to be measured");
    compare(&sound.left, 0, 9_600, &kaiser(12_000, 24.0), hertz, RATE).0
}

#[test]
fn tunings_change_the_measured_pitch() {
    for source in [built_in("just"), built_in("slendro"), built_in("bohlen-pierce"), with_map("pelog", WHITE_KEYS)] {
        let (patch, tuning) = (one_mode(&source), tuning(&source));
        for key in [48, 60, 61, 64, 69, 72] {
            let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
            engine.event(&on(key, 100));
            let Some(hertz) = tuning.hertz(key) else {
                assert_eq!((engine.next_ended(), engine.active_voices()), (Some(note(key)), 0), "the note ends at once");
                assert!(play(&mut engine, 480).peak() == 0.0 && engine.is_asleep());
                assert_eq!((key, engine.left_out(key)), (61, 0));
                continue;
            };
            play(&mut engine, 2_400);
            let off = deviation(&mut engine, hertz);
            assert!(off.abs() < CENTS, "{} key {key}: {off} cents", source.scale);
        }
    }
}

#[test]
fn held_notes_follow_or_keep_their_pitch() {
    let (equal, just) = (tuning(&built_in("equal")), tuning(&built_in("just")));
    for follows in [true, false] {
        let mut engine = Engine::new(EngineConfig::at(RATE), &one_mode(&built_in("equal")));
        engine.event(&set(Sounding, if follows { 0.0 } else { 1.0 }));
        engine.enable_energy_balance();
        engine.event(&on(64, 100));
        play(&mut engine, 2_405);
        engine.tune(&just.into());
        play(&mut engine, 12_000);
        let heard = if follows { &just } else { &equal };
        let off = deviation(&mut engine, heard.hertz(64).unwrap());
        assert!(off.abs() < CENTS, "follows {follows}: {off} cents");
        // the next strike has the new pitch, on the same body only if that has it
        engine.event(&on(64, 100));
        assert_eq!(engine.active_voices(), if follows { 1 } else { 2 });
        engine.event(&urto_engine::Event::ChokeAll);
        play(&mut engine, 9_600);
        engine.event(&on(64, 100));
        play(&mut engine, 2_400);
        let off = deviation(&mut engine, just.hertz(64).unwrap());
        assert!(off.abs() < CENTS, "follows {follows}, struck again: {off} cents");
        let worst = engine.energy_balance_report();
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    }
}

#[test]
fn an_unmapped_key_rings_out() {
    let silent = tuning(&with_map("pelog", WHITE_KEYS));
    let mut engine = Engine::new(EngineConfig::at(RATE), &one_mode(&built_in("equal")));
    engine.event(&on(61, 100));
    play(&mut engine, 2_400);
    engine.tune(&silent.into());
    let off = deviation(&mut engine, tuning(&built_in("equal")).hertz(61).unwrap());
    assert!(off.abs() < CENTS && engine.next_ended().is_none(), "{off} cents");
    engine.event(&on(61, 100));
    assert_eq!(engine.next_ended(), Some(note(61)));
}

/// A new tuning in the middle of a block gives the same bits as at the end of one.
#[test]
fn a_tuning_change_applies_on_its_frame() {
    let retuned = |blocks: &[usize]| {
        let mut engine = engine(RATE, &[]);
        let mut sound = perform(&mut engine, &[(0, on(60, 100)), (500, on(64, 90))], 1_003, blocks, &[]);
        engine.tune(&tuning(&built_in("just")).into());
        let rest = perform(&mut engine, &[(700, on(67, 100))], 4_000, blocks, &[]);
        sound.left.extend(rest.left);
        sound
    };
    let whole = retuned(&[4_000]);
    assert!(retuned(&[1]) == whole && retuned(&[37, 512]) == whole);
}
