//! The pages of modes and of tuning: partials that are dragged, typed and loaded, scales and key maps of files.

use std::path::PathBuf;

use crate::editor::tests::*;
use urto_engine::patch::partial_edits;
use urto_engine::patch::{BodyKind, PartialEdit};

/// A window on the page of `key`, with a marimba bar that has been made.
fn open(key: Key) -> Hand {
    let mut player = Hand::new();
    let mut patch = Patch { name: "Bar".into(), ..Patch::default() };
    patch.settings.set(ParamId::Body, 3.0);
    patch.settings.set(ParamId::Decay, 1.234_567_890_123);
    player.load(patch);
    player.press(key, Modifiers::NONE);
    if key == Key::Num2 {
        until(&mut player, |player| player.has("Partial 3") && !player.face.stage.is_building());
    }
    player
}

/// Looks until something is so.
fn until(player: &mut Hand, so: impl Fn(&mut Hand) -> bool) {
    let begun = Instant::now();
    while !so(player) {
        assert!(begun.elapsed() < Duration::from_secs(30), "it never is");
        std::thread::sleep(Duration::from_millis(2));
        player.look(Vec::new());
    }
}

fn trims(player: &Hand) -> Vec<PartialEdit> {
    player.face.knobs.own_patch().trims
}

fn undo(player: &mut Hand) {
    player.press(Key::Z, Modifiers::COMMAND);
}

#[test]
fn a_head_is_dragged_in_one_step_and_undone_to_the_bit() {
    let mut player = open(Key::Num2);
    let before = player.face.knobs.own_patch();
    let head = player.at("Partial 1");
    let lower = head + vec2(0.0, 60.0);
    player.take(head, lower);
    let moved = player.at("Partial 1") - head;
    assert!((moved - vec2(0.0, 57.0)).length() < 1.5, "it stays under the pointer: {moved:?}");
    player.button(lower, false, Modifiers::NONE);
    player.look(Vec::new());
    let lower = partial_edits::of(&trims(&player), 0);
    assert!(lower.level < -8.0 && (lower.ratio, lower.decay) == (1.0, 1.0), "{lower:?}");
    let head = player.at("Partial 1");
    player.drag(head, head + vec2(40.0, 0.0));
    let moved = partial_edits::of(&trims(&player), 0);
    assert!(moved.ratio > 1.05 && moved.level == lower.level, "{moved:?}");
    let after = player.face.knobs.own_patch();
    undo(&mut player);
    assert_eq!(trims(&player), [lower]);
    undo(&mut player);
    assert_eq!(player.face.knobs.own_patch(), before, "undone");
    player.press(Key::Z, Modifiers::COMMAND | Modifiers::SHIFT);
    player.press(Key::Z, Modifiers::COMMAND | Modifiers::SHIFT);
    assert_eq!(player.face.knobs.own_patch(), after, "done again");
}

#[test]
fn a_foot_is_the_decay_and_a_double_click_gives_it_back() {
    let mut player = open(Key::Num2);
    let foot = player.at("Decay of partial 1");
    player.drag(foot, foot - vec2(0.0, 50.0));
    let shorter = partial_edits::of(&trims(&player), 0);
    assert!(shorter.decay < 0.5 && (shorter.ratio, shorter.level) == (1.0, 0.0), "{shorter:?}");
    let foot = player.at("Decay of partial 1");
    for _ in 0..2 {
        player.button(foot, true, Modifiers::NONE);
        player.button(foot, false, Modifiers::NONE);
    }
    player.look(Vec::new());
    assert!(trims(&player).is_empty());
}

#[test]
fn a_partial_past_another_stays_in_hand() {
    let mut player = open(Key::Num2);
    let (second, third) = (player.at("Partial 2"), player.at("Partial 3"));
    let beyond = pos2(third.x + 40.0, second.y);
    player.take(second, beyond);
    let past = player.at("Partial 3").x - third.x;
    assert!((past - 34.0).abs() < 2.0, "it is the third now: {past}");
    player.button(beyond, false, Modifiers::NONE);
    assert!(partial_edits::of(&trims(&player), 1).ratio > 1.2, "{:?}", trims(&player));
    assert!(player.seen().iter().any(|text| text == "Mode 3"));
}

#[test]
fn buttons_and_keys_mute_solo_and_reset() {
    let mut player = open(Key::Num2);
    let mute = player.at("Mute");
    player.click(mute);
    assert_eq!(trims(&player), [PartialEdit { muted: true, ..PartialEdit::new(0) }]);
    player.look_away();
    player.press(Key::ArrowRight, Modifiers::NONE);
    player.press(Key::ArrowUp, Modifiers::NONE);
    player.press(Key::M, Modifiers::NONE);
    assert_eq!(trims(&player)[1], PartialEdit { level: 1.0, muted: true, ..PartialEdit::new(1) });
    player.press(Key::Delete, Modifiers::NONE);
    assert_eq!(trims(&player).len(), 1);
    let kept = player.face.knobs.own_patch();
    player.press(Key::S, Modifiers::NONE);
    assert_eq!((player.face.modes.soloed().to_vec(), player.face.knobs.own_patch()), (vec![1], kept), "solo is not of the patch");
    let solo = player.at("Solo");
    player.click(solo);
    assert!(player.face.modes.soloed().is_empty());
    let head = player.at("Partial 3");
    player.click_with(head, Modifiers::ALT);
    assert_eq!(player.face.modes.soloed().to_vec(), [2], "a click with Alt");
    player.click_with(head, Modifiers::ALT);
    assert!(player.face.modes.soloed().is_empty());
    let second = player.at("Partial 2");
    player.click(second);
    let reset = player.at("Reset");
    player.look_away();
    player.press(Key::ArrowLeft, Modifiers::NONE);
    player.click(reset);
    assert!(trims(&player).is_empty());
}

#[test]
fn numbers_are_typed() {
    let mut player = open(Key::Num2);
    for (name, text, found) in [
        ("Partial Frequency, type a value", "240 Hz", "Partial 1"),
        ("Partial Decay time, type a value", "0.5 s", "Decay of partial 1"),
    ] {
        let field = player.at(name);
        player.click(field);
        player.look(Vec::new());
        player.enter(text);
        let value = player.value(found);
        assert!(value.starts_with("240.0 Hz") || value == "0.500 s", "{name}: {value}");
    }
}

/// Files that are read in tests.
fn file(name: &str, text: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("urto {} {name}", std::process::id()));
    std::fs::write(&file, text).expect("written");
    file
}

#[test]
fn a_list_that_is_dropped_becomes_the_body() {
    let mut player = open(Key::Num2);
    let before = player.face.knobs.own_patch();
    player.drop_file(&file("bar.csv", "frequency,t60\n440,2\n1210,0.5\n"));
    until(&mut player, |player| player.face.knobs.own_patch().modes.len() == 2);
    assert_eq!(player.face.knobs.settings().body_kind(), BodyKind::Modes);
    undo(&mut player);
    assert_eq!(player.face.knobs.own_patch(), before);
    player.drop_file(&file("bad.csv", "frequency,t60\n440,2\nhigh,0.5\n"));
    until(&mut player, |player| player.names().iter().any(|(_, name)| name.contains("bad.csv: line 3")));
    assert_eq!(player.face.knobs.own_patch(), before, "all is as it was");
}

#[test]
fn a_broken_scale_leaves_the_last_good() {
    let mut player = open(Key::Num4);
    let plain = player.face.knobs.own_patch();
    player.drop_file(&file("five.scl", "! five.scl\nFive\n 5\n 240.\n 480.\n 720.\n 960.\n 2/1\n"));
    let good = player.face.knobs.own_patch();
    assert!(good.intonation.source().scale.contains("960."));
    player.drop_file(&file("bad.scl", "! bad.scl\nBad\n 2\n 100.\n hello\n"));
    assert_eq!(player.face.knobs.own_patch(), good, "the last good stays");
    let told = player.names();
    assert!(told.iter().any(|(_, name)| name.starts_with("Tuning: ") && name.contains("bad.scl: line 5")), "{told:?}");
    player.drop_file(&file("map.kbm", "5\n0\n127\n60\n69\n440.0\n5\n0\n1\n2\n3\n4\n"));
    assert!(player.face.knobs.own_patch().intonation.source().map.is_some());
    let equal = player.at("Tuning from Equal");
    player.click(equal);
    let source = player.face.knobs.own_patch().intonation.source().clone();
    assert_eq!((source.scale.as_str(), source.map), ("equal", None));
    (0..3).for_each(|_| undo(&mut player));
    assert_eq!(player.face.knobs.own_patch(), plain);
}

#[test]
fn a_reference_is_typed() {
    let mut player = open(Key::Num4);
    let field = player.at("Reference key and frequency, type a value");
    player.click(field);
    player.look(Vec::new());
    player.enter("C4 256");
    let hertz = player.face.knobs.own_patch().intonation.tuning().hertz(60);
    assert_eq!(hertz, Some(256.0));
}
