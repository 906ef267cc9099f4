//! Tests of manual, hints of the first run, computer keyboard, shortcuts, settings, and of the effect.

use crate::editor::command::Command;
use crate::editor::tests::*;
use crate::editor::theme::WindowLayout;
use crate::host_params::HostParams;
use urto_engine::Event;
use urto_engine::params::BodyKind;

#[test]
fn the_manual_opens_in_the_window_and_closes() {
    let mut window = WindowDriver::new();
    window.press(Key::F1, Modifiers::NONE);
    assert!(window.texts().iter().any(|text| text.contains("leads from opening the window to a preset")));
    window.click_on("Chapter Kits");
    assert!(window.texts().iter().any(|text| text.contains("A kit is a patch with zones")));
    window.press(Key::Escape, Modifiers::NONE);
    assert!(window.editor.pages.manual.is_none() && window.has("Body: strike"));
    window.click_on("Manual");
    for size in SIZES {
        window.size = size;
        let shown = window.rest();
        let widest = shown.shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) => Some(text.pos.x + text.galley.size().x),
            _ => None,
        });
        let widest = widest.fold(0.0, f32::max);
        assert!(widest <= size[0], "{size:?}: text as far as {widest}");
        let last = window.at("Chapter Glossary").y;
        assert!(
            last < WindowLayout::of(egui::Rect::from_min_size(Pos2::ZERO, size.into())).middle.bottom() - 8.0,
            "{size:?}: {last}"
        );
    }
    window.size = [1280.0, 800.0];
    window.press(Key::Num4, Modifiers::NONE);
    assert!(window.editor.pages.manual.is_none() && PAGES[window.editor.pages.current] == "Drive", "a page in its place");
}

#[test]
fn the_first_marks_end_with_a_key_and_stay_away() {
    let mut window = WindowDriver::new();
    window.editor.prefs.first = true;
    for size in SIZES {
        window.size = size;
        assert!(window.texts().iter().any(|text| text.contains("Turn Hardness")), "{size:?}");
    }
    window.press(Key::Space, Modifiers::NONE);
    assert!(!window.editor.prefs.first && !window.texts().iter().any(|text| text.contains("Turn Hardness")));
}

#[test]
fn letters_play_while_the_keyboard_is_on_and_are_shortcuts_otherwise() {
    let mut window = WindowDriver::new();
    assert!(!window.has("Computer keyboard"), "a host has a keyboard of its own");
    window.editor.instance.standalone = true;
    window.click_on("Computer keyboard");
    let key = |key, pressed| Input::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
    window.press(Key::X, Modifiers::NONE);
    window.press(Key::V, Modifiers::NONE);
    window.look(vec![key(Key::D, true)]);
    window.look(vec![key(Key::D, false)]);
    let played: Vec<_> = window.audio.heard().collect();
    let [Event::NoteOn { note, velocity }, Event::NoteOff { note: ended, .. }] = played[..] else { panic!("{played:?}") };
    assert_eq!((note.key, (velocity * 127.0).round(), ended), (76, 112.0, note), "E an octave higher, harder");
    window.press(Key::B, Modifiers::NONE);
    assert!(window.editor.pages.browser.is_none(), "letters are notes");
    window.audio.heard().for_each(drop);
    // switching the keyboard off ends its notes
    window.look(vec![key(Key::A, true)]);
    window.click_on("Computer keyboard");
    assert!(window.audio.heard().any(|event| matches!(event, Event::NoteOff { .. })));
    window.press(Key::B, Modifiers::NONE);
    assert!(window.editor.pages.browser.is_some());
}

#[test]
fn every_shortcut_of_the_window_does_what_it_says() {
    let mut window = WindowDriver::new();
    let plain = Modifiers::NONE;
    for (page, key) in [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5].into_iter().enumerate() {
        window.press(key, plain);
        assert_eq!(window.editor.pages.current, page);
    }
    window.press(Key::Num1, plain);
    window.press(Key::F, plain);
    assert!(window.editor.prefs.favourites.is_empty(), "what has no name is no favourite");
    window.load(Patch { name: "Named".into(), ..Patch::default() });
    window.press(Key::F, plain);
    assert!(window.editor.prefs.favourites.contains(&window.editor.instance.params.name()));
    window.press(Key::F, plain);
    assert!(window.editor.prefs.favourites.is_empty());
    let before = window.editor.instance.params.own_patch();
    window.press(Key::R, plain);
    assert_ne!(window.editor.instance.params.own_patch(), before);
    window.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(window.editor.instance.params.own_patch(), before, "chance is one step");
    window.press(Key::A, plain);
    assert!(window.editor.history.is_second());
    window.press(Key::A, plain);
    window.press(Key::H, plain);
    assert!(window.audio.heard().any(|event| matches!(event, Event::NoteOn { .. })));
    for (key, id) in [
        (Key::ArrowRight, ParamId::StrikePosition),
        (Key::CloseBracket, ParamId::PickupLeft),
        (Key::CloseCurlyBracket, ParamId::PickupRight),
    ] {
        let value = window.editor.instance.params.value(id);
        window.press(key, plain);
        assert!(window.editor.instance.params.value(id) > value, "{key:?}");
    }
    // the windowing library reports these characters as text
    let sign = |window: &mut WindowDriver, sign: &str| _ = window.look(vec![Input::Text(sign.into())]);
    let left = window.editor.instance.params.value(ParamId::PickupLeft);
    sign(&mut window, "[");
    assert!(window.editor.instance.params.value(ParamId::PickupLeft) < left);
    sign(&mut window, "?");
    assert!(window.editor.pages.manual.is_some());
    sign(&mut window, "?");
    assert!(window.editor.pages.manual.is_none());
    sign(&mut window, "/");
    assert!(window.editor.pages.browser.is_some());
    window.press(Key::Escape, plain);
    for (text, zoom) in [("=", 1.25), ("+", 1.5), ("-", 1.25), ("-", 1.0)] {
        sign(&mut window, text);
        assert_eq!(window.editor.prefs.zoom, zoom, "{text}");
    }
    for (key, zoom) in [(Key::Plus, 1.25), (Key::Minus, 1.0), (Key::Minus, 0.75), (Key::Num0, 1.0)] {
        window.press(key, Modifiers::COMMAND);
        assert_eq!(window.editor.prefs.zoom, zoom, "{key:?}");
    }
}

#[test]
fn a_drawer_unfolds_over_the_page_and_esc_folds_it() {
    let mut window = WindowDriver::new();
    for (place, group) in ["Hammer", "Body", "FonoBump", "Output"].into_iter().enumerate() {
        window.click_on(&format!("All of {group}"));
        if place == crate::editor::panels::main_controls::DRIVE {
            assert_eq!(
                (PAGES[window.editor.pages.current], window.editor.pages.drawer.group),
                ("Drive", None),
                "the drive has a page"
            );
            window.editor.pages.current = 0;
            continue;
        }
        assert_eq!(window.editor.pages.drawer.group, Some(place));
        window.press(Key::Escape, Modifiers::NONE);
        assert_eq!(window.editor.pages.drawer.group, None);
    }
}

#[test]
fn settings_do_what_they_say() {
    let mut window = WindowDriver::new();
    window.click_on("Settings");
    window.click_on("Light theme");
    assert!(!window.editor.prefs.dark);
    window.click_on("Settings");
    window.click_on("Reduce motion");
    assert!(window.editor.prefs.still);
    window.editor.instance.host = Some(window.gui.clone());
    for (command, id, value) in [(Command::Quality(2), ParamId::Quality, 2.0), (Command::Mpe(1), ParamId::Mpe, 1.0)] {
        window.within(|window, ui| window.editor.execute(ui, command, 0.0));
        assert_eq!(window.editor.instance.params.value(id), value);
        let requests = window.host.requests();
        assert_eq!(
            (requests.first(), requests.last()),
            (Some(&HostRequest::Begin(id)), Some(&HostRequest::End(id))),
            "{requests:?}"
        );
    }
}

#[test]
fn an_effect_has_an_input_and_one_output() {
    let mut window = WindowDriver::of(HostParams::of_effect(|_| ()));
    window.open("Drive");
    let shown = window.texts();
    assert!(shown.iter().any(|text| text == "Input") && shown.iter().all(|text| text != "Side-chain"), "{shown:?}");
    window.load(urto_engine::patch::kits().next().expect("a kit"));
    window.press(Key::B, Modifiers::NONE);
    window.editor.pages.browser.as_mut().expect("open").side = 2;
    assert!(window.has("Zone pan") && !window.has("Zone output"));
}

#[test]
fn an_open_list_obeys_escape_enter_and_arrows() {
    let mut window = WindowDriver::new();
    let (spec, plain) = (ParamId::Body.spec(), Modifiers::NONE);
    let (field, names) = (spec.name, spec.labels());
    let chosen = |window: &WindowDriver| window.editor.instance.params.value(ParamId::Body) as usize;
    let is_open = |window: &mut WindowDriver| {
        window.rest();
        egui::Popup::is_any_open(window.context())
    };
    let (first, strike) = (chosen(&window), window.editor.instance.params.value(ParamId::StrikePosition));
    window.click_on(field);
    assert!(is_open(&mut window) && window.has(names[first + 1]));
    for key in [Key::ArrowDown, Key::ArrowDown, Key::Escape] {
        window.press(key, plain);
        window.rest();
    }
    assert!(!is_open(&mut window), "Escape");
    assert_eq!(chosen(&window), first, "unchanged");
    assert!(window.host.requests().is_empty());
    window.click_on(field);
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowUp, Key::Enter] {
        assert!(is_open(&mut window), "{key:?}");
        window.press(key, plain);
    }
    assert!(!is_open(&mut window), "Enter");
    assert_eq!(chosen(&window), first + 1, "the highlighted choice");
    // the field has the keys again: Enter opens, and the choice is the highlighted one
    window.press(Key::Enter, plain);
    assert!(is_open(&mut window), "opened by Enter");
    assert_eq!(chosen(&window), first + 1);
    for key in [Key::ArrowUp, Key::Enter] {
        window.press(key, plain);
        window.rest();
    }
    assert_eq!((chosen(&window), is_open(&mut window)), (first, false));
    assert_eq!(window.editor.instance.params.value(ParamId::StrikePosition), strike, "arrows stay in the list");
}

#[test]
fn escape_closes_a_list_before_what_is_below_it() {
    let mut window = WindowDriver::new();
    window.click_on("All of Body");
    window.click_on("Settings");
    window.press(Key::H, Modifiers::NONE);
    assert!(window.audio.heard().any(|event| matches!(event, Event::NoteOn { .. })), "other shortcuts remain");
    for is_open in [true, false] {
        window.rest();
        assert_eq!(egui::Popup::is_any_open(window.context()), is_open);
        assert_eq!(window.editor.pages.drawer.group, Some(1));
        window.press(Key::Escape, Modifiers::NONE);
    }
    assert_eq!(window.editor.pages.drawer.group, None);
    window.press(Key::B, Modifiers::NONE);
    window.click_on("Settings");
    window.press(Key::Escape, Modifiers::NONE);
    window.rest();
    assert!(!egui::Popup::is_any_open(window.context()) && window.editor.pages.browser.is_some());
}

#[test]
fn the_footer_has_room_for_every_load_and_number_of_voices() {
    let mut faults = BTreeSet::new();
    for size in SIZES.into_iter().step_by(tier::size(3, 1)) {
        for (load, voices) in [(0.0, 0), (1.0, 64), (4.44, 44), (88.8, 88), (1e9, 64), (f32::INFINITY, 64)] {
            let mut window = WindowDriver::new();
            window.size = size;
            window.rest();
            (window.editor.readings.load, window.editor.readings.voices) = (load, voices);
            let audio = &window.audio;
            audio.measure(0.0, load);
            faults.extend(crowded(window.look(Vec::new()), &format!("{load} at {size:?}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_hint_that_is_too_long_ends_with_an_ellipsis() {
    for size in SIZES {
        let mut window = WindowDriver::new();
        window.size = size;
        window.editor.pages.drawer.show_row(1, super::dense_body::dense_row());
        window.rest();
        let knob = window.at(ParamId::Cascade.spec().name);
        window.look(vec![Input::PointerMoved(knob)]);
        let shown = window.look(Vec::new());
        // what the drawer covers is not in question
        let faults = crowded(shown, &format!("{size:?}")).into_iter().filter(|fault| fault.contains("Body cascade "));
        assert_eq!(faults.collect::<Vec<_>>(), [""; 0]);
        let hint = window.texts().into_iter().find(|text| text.starts_with("Body cascade ")).expect("a hint");
        assert_eq!(hint.ends_with('…'), size[0] < 1500.0, "{size:?}: {hint}");
    }
}

#[test]
fn the_footer_tells_the_modes_and_the_cost_of_a_voice() {
    let mut window = WindowDriver::new();
    let crash = urto_engine::patch::built_in().find(|patch| patch.name == "Crash Cymbal").expect("a preset");
    window.play(crash);
    let modes = |window: &mut WindowDriver| window.texts().into_iter().find(|text| text == "826");
    assert!(modes(&mut window).is_some(), "{:?}", window.texts());
    let mut fewer = window.editor.instance.params.own_patch();
    fewer.settings.set(ParamId::Density, 0.0);
    window.play(fewer);
    assert!(modes(&mut window).is_none() && window.texts().iter().any(|text| text == "8"), "{:?}", window.texts());
}

#[test]
fn the_processor_load_says_what_it_is() {
    let mut window = WindowDriver::new();
    let at = window.at("Processor load 0 %");
    window.look(vec![Input::PointerMoved(at)]);
    let begun = Instant::now();
    while !window.texts().iter().any(|text| text.contains("time that the audio thread computes")) {
        assert!(begun.elapsed() < Duration::from_secs(20), "no tooltip");
    }
}

/// Areas of the strike speed and of the discs of both pickups in the view of the body.
fn speed_and_discs(window: &mut WindowDriver) -> (egui::Rect, Vec<egui::Rect>) {
    let stage = WindowLayout::of(egui::Rect::from_min_size(Pos2::ZERO, window.size.into())).stage;
    let mut found = Vec::new();
    window.look(Vec::new()).shapes.iter().for_each(|clipped| places(&clipped.shape, clipped.clip_rect, &mut found));
    found.retain(|(_, at, _)| stage.contains_rect(*at));
    let named = |names: &[&str]| {
        let is_meant = |text: &str| names.contains(&text.trim()) || names.contains(&"m/s") && text.ends_with("m/s");
        found.iter().filter(|(text, ..)| is_meant(text)).map(|(_, at, _)| *at).collect::<Vec<_>>()
    };
    let speed = named(&["v", "in", "m/s"]).into_iter().fold(egui::Rect::NOTHING, egui::Rect::union);
    (speed, named(&["L", "R"]).iter().map(|at| egui::Rect::from_center_size(at.center(), vec2(23.0, 23.0))).collect())
}

#[test]
fn the_strike_speed_never_lies_over_a_pickup() {
    let mut faults = BTreeSet::new();
    for kind in [BodyKind::Bar, BodyKind::Plate, BodyKind::Head, BodyKind::Bell] {
        let mut window = WindowDriver::new();
        let mut patch = brief();
        patch.settings.set(ParamId::Body, f64::from(kind as u8));
        window.play(patch.clone());
        window.strike(57, 0.8);
        (0..8).for_each(|_| _ = window.live());
        for (size, i, j) in [[900.0, 600.0], [1280.0, 800.0]]
            .iter()
            .flat_map(|size| (0..77).step_by(tier::size(5, 1)).map(move |k| (size, k / 11, k % 11)))
        {
            let (strike, left) = (f64::from(i) / 6.0, f64::from(j) / 10.0);
            for (id, value) in [
                (ParamId::StrikePosition, strike),
                (ParamId::PickupLeft, left),
                (ParamId::PickupLeftAcross, 0.3 + 0.4 * strike),
                (ParamId::PickupRight, 1.0 - 0.8 * left),
            ] {
                patch.settings.set(id, value);
            }
            window.editor.instance.params.load_patch(patch.clone(), |_| ());
            window.size = *size;
            let (speed, discs) = speed_and_discs(&mut window);
            assert!(speed.width() > 30.0 && discs.len() >= 2, "{speed:?} {discs:?} {kind:?} {size:?}");
            if discs.iter().any(|disc| disc.intersects(speed)) {
                faults.insert(format!("{kind:?} at {size:?}: strike {strike:.2}, left {left:.2}"));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.into_iter().collect::<Vec<_>>().join("\n"));
}
