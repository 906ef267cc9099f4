//! Tests of the modes page and the tuning page: dragging and typing partials, loading lists, scales and key maps.

use std::path::PathBuf;

use crate::editor::tests::*;
use urto_engine::params::BodyKind;
use urto_engine::patch::{PartialEdit, factory_presets, partial_edits};

/// A window on the page of `key`, with a marimba bar that is ready.
fn open(key: Key) -> WindowDriver {
    let mut window = WindowDriver::new();
    let mut patch = Patch { name: "Bar".into(), ..Patch::default() };
    patch.settings.set(ParamId::Body, 3.0);
    patch.settings.set(ParamId::Decay, 1.234_567_890_123);
    window.load(patch);
    window.press(key, Modifiers::NONE);
    if key == Key::Num2 {
        until(&mut window, |window| window.has("Partial 3") && !window.editor.pages.body_view.is_building());
    }
    window
}

/// Runs frames until a condition holds.
fn until(window: &mut WindowDriver, so: impl Fn(&mut WindowDriver) -> bool) {
    let begun = Instant::now();
    while !so(window) {
        assert!(begun.elapsed() < Duration::from_secs(30), "it never is");
        std::thread::sleep(Duration::from_millis(2));
        window.look(Vec::new());
    }
}

fn trims(window: &WindowDriver) -> Vec<PartialEdit> {
    window.editor.instance.params.own_patch().partial_edits
}

fn undo(window: &mut WindowDriver) {
    window.press(Key::Z, Modifiers::COMMAND);
}

#[test]
fn a_head_is_dragged_in_one_step_and_undone_to_the_bit() {
    let mut window = open(Key::Num2);
    let before = window.editor.instance.params.own_patch();
    let head = window.at("Partial 1");
    let lower = head + vec2(0.0, 60.0);
    window.take(head, lower);
    let moved = window.at("Partial 1") - head;
    assert!((moved - vec2(0.0, 57.0)).length() < 1.5, "it stays under the pointer: {moved:?}");
    window.button(lower, false, Modifiers::NONE);
    window.look(Vec::new());
    let lower = partial_edits::of(&trims(&window), 0);
    assert!(lower.level < -8.0 && (lower.ratio, lower.decay) == (1.0, 1.0), "{lower:?}");
    let head = window.at("Partial 1");
    window.drag(head, head + vec2(40.0, 0.0));
    let moved = partial_edits::of(&trims(&window), 0);
    assert!(moved.ratio > 1.05 && moved.level == lower.level, "{moved:?}");
    let after = window.editor.instance.params.own_patch();
    undo(&mut window);
    assert_eq!(trims(&window), [lower]);
    undo(&mut window);
    assert_eq!(window.editor.instance.params.own_patch(), before, "undone");
    window.press(Key::Z, Modifiers::COMMAND | Modifiers::SHIFT);
    window.press(Key::Z, Modifiers::COMMAND | Modifiers::SHIFT);
    assert_eq!(window.editor.instance.params.own_patch(), after, "done again");
}

#[test]
fn a_foot_is_the_decay_and_a_double_click_gives_it_back() {
    let mut window = open(Key::Num2);
    let foot = window.at("Decay of partial 1");
    window.drag(foot, foot - vec2(0.0, 50.0));
    let shorter = partial_edits::of(&trims(&window), 0);
    assert!(shorter.decay < 0.5 && (shorter.ratio, shorter.level) == (1.0, 0.0), "{shorter:?}");
    let foot = window.at("Decay of partial 1");
    for _ in 0..2 {
        window.button(foot, true, Modifiers::NONE);
        window.button(foot, false, Modifiers::NONE);
    }
    window.look(Vec::new());
    assert!(trims(&window).is_empty());
}

#[test]
fn a_partial_dragged_over_another_stays_selected() {
    let mut window = open(Key::Num2);
    let (second, third) = (window.at("Partial 2"), window.at("Partial 3"));
    let beyond = pos2(third.x + 40.0, second.y);
    window.take(second, beyond);
    let moved = window.at("Partial 3").x - third.x;
    assert!((moved - 34.0).abs() < 2.0, "it is the third now: {moved}");
    window.button(beyond, false, Modifiers::NONE);
    assert!(partial_edits::of(&trims(&window), 1).ratio > 1.2, "{:?}", trims(&window));
    assert!(window.texts().iter().any(|text| text == "Mode 3"));
}

#[test]
fn buttons_and_keys_mute_solo_and_reset() {
    let mut window = open(Key::Num2);
    let mute = window.at("Mute");
    window.click(mute);
    assert_eq!(trims(&window), [PartialEdit { muted: true, ..PartialEdit::new(0) }]);
    window.clear_focus();
    window.press(Key::ArrowRight, Modifiers::NONE);
    window.press(Key::ArrowUp, Modifiers::NONE);
    window.press(Key::M, Modifiers::NONE);
    assert_eq!(trims(&window)[1], PartialEdit { level: 1.0, muted: true, ..PartialEdit::new(1) });
    window.press(Key::Delete, Modifiers::NONE);
    assert_eq!(trims(&window).len(), 1);
    let kept = window.editor.instance.params.own_patch();
    window.press(Key::S, Modifiers::NONE);
    assert_eq!(
        (window.editor.pages.modes.soloed().to_vec(), window.editor.instance.params.own_patch()),
        (vec![1], kept),
        "solo is not of the patch"
    );
    let solo = window.at("Solo");
    window.click(solo);
    assert!(window.editor.pages.modes.soloed().is_empty());
    let head = window.at("Partial 3");
    window.click_with(head, Modifiers::ALT);
    assert_eq!(window.editor.pages.modes.soloed().to_vec(), [2], "a click with Alt");
    window.click_with(head, Modifiers::ALT);
    assert!(window.editor.pages.modes.soloed().is_empty());
    let second = window.at("Partial 2");
    window.click(second);
    let reset = window.at("Reset");
    window.clear_focus();
    window.press(Key::ArrowLeft, Modifiers::NONE);
    window.click(reset);
    assert!(trims(&window).is_empty());
}

#[test]
fn numbers_are_typed() {
    let mut window = open(Key::Num2);
    for (name, text, found) in [
        ("Partial Frequency, type a value", "240 Hz", "Partial 1"),
        ("Partial Decay time, type a value", "0.5 s", "Decay of partial 1"),
    ] {
        let field = window.at(name);
        window.click(field);
        window.look(Vec::new());
        window.enter(text);
        let value = window.value(found);
        assert!(value.starts_with("240.0 Hz") || value == "0.500 s", "{name}: {value}");
    }
}

/// A window on the modes page, with the crash cymbal that is ready, and without the edits of its lowest partials.
fn open_crash() -> WindowDriver {
    let mut window = WindowDriver::new();
    let crash = factory_presets::all().find(|patch| patch.name == "Crash Cymbal").expect("a preset");
    window.load(Patch { partial_edits: Vec::new(), ..crash });
    window.press(Key::Num2, Modifiers::NONE);
    until(&mut window, |window| !dense_label(window).is_empty() && !window.editor.pages.body_view.is_building());
    window
}

/// What assistive technology reads of all dense modes; empty if there are none.
fn dense_label(window: &mut WindowDriver) -> String {
    window.names().into_iter().map(|(_, name)| name).find(|name| name.contains("dense modes: from")).unwrap_or_default()
}

#[test]
fn thousands_of_modes_are_one_shade() {
    let mut window = open_crash();
    let label = dense_label(&mut window);
    assert!(label.starts_with("811 dense modes: from 385 Hz to 19.99 kHz"), "{label}");
    assert!(window.texts().iter().any(|text| text.ends_with("of them dense")), "the title counts them");
    let names = window.names().len();
    assert!(names < 250, "{names} items for assistive technology");
}

#[test]
fn a_mode_in_the_shade_is_counted_and_selected() {
    let mut window = open_crash();
    let shade = dense_label(&mut window);
    let middle = window.at(&shade) - vec2(0.0, 100.0);
    window.look(vec![Input::PointerMoved(middle)]);
    window.look(Vec::new());
    let hint = window.editor.controls.hint.clone();
    assert!(hint.contains(" modes between ") && hint.contains(", decay "), "{hint}");
    window.click(middle);
    let texts = window.texts();
    assert!(texts.iter().any(|text| text == "dense"), "{texts:?}");
    let right = middle + vec2(150.0, 0.0);
    window.drag(right, right + vec2(0.0, 60.0));
    assert!(trims(&window).is_empty(), "the shade is not dragged");
    window.click(right);
    assert!(window.texts().iter().any(|text| text == "Only the lowest 256 modes can be edited."));
    for key in [Key::ArrowUp, Key::M, Key::S] {
        window.press(key, Modifiers::NONE);
    }
    assert!(trims(&window).is_empty() && window.editor.pages.modes.soloed().is_empty());
}

/// A temporary file for a test.
fn file(name: &str, text: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("urto {} {name}", std::process::id()));
    std::fs::write(&file, text).expect("written");
    file
}

#[test]
fn a_list_that_is_dropped_becomes_the_body() {
    let mut window = open(Key::Num2);
    let before = window.editor.instance.params.own_patch();
    window.drop_file(&file("bar.csv", "frequency,t60\n440,2\n1210,0.5\n"));
    until(&mut window, |window| window.editor.instance.params.own_patch().modes.len() == 2);
    assert_eq!(window.editor.instance.params.settings().body_kind(), BodyKind::Modes);
    undo(&mut window);
    assert_eq!(window.editor.instance.params.own_patch(), before);
    window.drop_file(&file("bad.csv", "frequency,t60\n440,2\nhigh,0.5\n"));
    until(&mut window, |window| window.names().iter().any(|(_, name)| name.contains("bad.csv: line 3")));
    assert_eq!(window.editor.instance.params.own_patch(), before, "all is as it was");
}

#[test]
fn a_broken_scale_leaves_the_last_good() {
    let mut window = open(Key::Num5);
    let plain = window.editor.instance.params.own_patch();
    window.drop_file(&file("five.scl", "! five.scl\nFive\n 5\n 240.\n 480.\n 720.\n 960.\n 2/1\n"));
    let good = window.editor.instance.params.own_patch();
    assert!(good.tuning.source().scale.contains("960."));
    window.drop_file(&file("bad.scl", "! bad.scl\nBad\n 2\n 100.\n hello\n"));
    assert_eq!(window.editor.instance.params.own_patch(), good, "the last good stays");
    let messages = window.names();
    assert!(messages.iter().any(|(_, name)| name.starts_with("Tuning: ") && name.contains("bad.scl: line 5")), "{messages:?}");
    window.drop_file(&file("map.kbm", "5\n0\n127\n60\n69\n440.0\n5\n0\n1\n2\n3\n4\n"));
    assert!(window.editor.instance.params.own_patch().tuning.source().map.is_some());
    let equal = window.at("Tuning from Equal");
    window.click(equal);
    let source = window.editor.instance.params.own_patch().tuning.source().clone();
    assert_eq!((source.scale.as_str(), source.map), ("equal", None));
    (0..3).for_each(|_| undo(&mut window));
    assert_eq!(window.editor.instance.params.own_patch(), plain);
}

#[test]
fn a_reference_is_typed() {
    let mut window = open(Key::Num5);
    let field = window.at("Reference key and frequency, type a value");
    window.click(field);
    window.look(Vec::new());
    window.enter("C4 256");
    let hertz = window.editor.instance.params.own_patch().tuning.tuning().hertz(60);
    assert_eq!(hertz, Some(256.0));
}

#[test]
fn enter_chooses_a_scale_and_closes_the_list() {
    let mut window = open(Key::Num5);
    let before = window.editor.instance.params.own_patch().tuning;
    window.click_on("Scale");
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowDown, Key::Enter] {
        window.press(key, Modifiers::NONE);
        window.rest();
    }
    assert!(!egui::Popup::is_any_open(window.context()));
    assert_ne!(window.editor.instance.params.own_patch().tuning, before);
}
