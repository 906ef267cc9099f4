//! What the window does beside its controls: manual, first marks, the computer's keyboard, shortcuts, settings; and the effect.

use crate::editor::tests::*;
use urto_engine::Event;

#[test]
fn the_manual_opens_in_the_window_and_closes() {
    let mut player = Hand::new();
    player.press(Key::F1, Modifiers::NONE);
    assert!(player.seen().iter().any(|text| text.contains("leads from opening the window to a preset")));
    player.click_on("Chapter Kits");
    assert!(player.seen().iter().any(|text| text.contains("A kit is a patch with zones")));
    player.press(Key::Escape, Modifiers::NONE);
    assert!(player.face.manual.is_none() && player.has("Body: strike"));
    player.click_on("Manual");
    for size in SIZES {
        player.size = size;
        let shown = player.rest();
        let widest = shown.shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) => Some(text.pos.x + text.galley.size().x),
            _ => None,
        });
        let widest = widest.fold(0.0, f32::max);
        assert!(widest <= size[0], "{size:?}: text as far as {widest}");
        let last = player.at("Chapter Glossary").y;
        assert!(last < Frame::of(egui::Rect::from_min_size(Pos2::ZERO, size.into())).middle.bottom() - 8.0, "{size:?}: {last}");
    }
    player.size = [1280.0, 800.0];
    player.press(Key::Num3, Modifiers::NONE);
    assert!(player.face.manual.is_none() && player.face.page == 2, "a page in its place");
}

#[test]
fn the_first_marks_end_with_a_key_and_stay_away() {
    let mut player = Hand::new();
    player.face.prefs.first = true;
    for size in SIZES {
        player.size = size;
        assert!(player.seen().iter().any(|text| text.contains("Turn Hardness")), "{size:?}");
    }
    player.press(Key::Space, Modifiers::NONE);
    assert!(!player.face.prefs.first && !player.seen().iter().any(|text| text.contains("Turn Hardness")));
}

#[test]
fn letters_play_while_the_keyboard_is_on_and_are_shortcuts_otherwise() {
    let mut player = Hand::new();
    assert!(!player.has("Computer keyboard"), "a host has a keyboard of its own");
    player.face.alone = true;
    player.click_on("Computer keyboard");
    let key = |key, pressed| Input::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
    player.press(Key::X, Modifiers::NONE);
    player.press(Key::V, Modifiers::NONE);
    player.look(vec![key(Key::D, true)]);
    player.look(vec![key(Key::D, false)]);
    let played: Vec<_> = player.audio.heard().collect();
    let [Event::NoteOn { note, velocity }, Event::NoteOff { note: ended, .. }] = played[..] else { panic!("{played:?}") };
    assert_eq!((note.key, (velocity * 127.0).round(), ended), (76, 112.0, note), "E an octave higher, harder");
    player.press(Key::B, Modifiers::NONE);
    assert!(player.face.browser.is_none(), "letters are notes");
    player.audio.heard().for_each(drop);
    // notes end with the keyboard
    player.look(vec![key(Key::A, true)]);
    player.click_on("Computer keyboard");
    assert!(player.audio.heard().any(|event| matches!(event, Event::NoteOff { .. })));
    player.press(Key::B, Modifiers::NONE);
    assert!(player.face.browser.is_some());
}

#[test]
fn every_shortcut_of_the_window_does_what_it_says() {
    let mut player = Hand::new();
    let plain = Modifiers::NONE;
    for (page, key) in [Key::Num1, Key::Num2, Key::Num3, Key::Num4].into_iter().enumerate() {
        player.press(key, plain);
        assert_eq!(player.face.page, page);
    }
    player.press(Key::Num1, plain);
    player.press(Key::F, plain);
    assert!(player.face.prefs.favourites.is_empty(), "what has no name is no favourite");
    player.load(Patch { name: "Named".into(), ..Patch::default() });
    player.press(Key::F, plain);
    assert!(player.face.prefs.favourites.contains(&player.face.knobs.name()));
    player.press(Key::F, plain);
    assert!(player.face.prefs.favourites.is_empty());
    let before = player.face.knobs.own_patch();
    player.press(Key::R, plain);
    assert_ne!(player.face.knobs.own_patch(), before);
    player.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(player.face.knobs.own_patch(), before, "chance is one step");
    player.press(Key::A, plain);
    assert!(player.face.past.is_second());
    player.press(Key::A, plain);
    player.press(Key::H, plain);
    assert!(player.audio.heard().any(|event| matches!(event, Event::NoteOn { .. })));
    for (key, id) in [
        (Key::ArrowRight, ParamId::StrikePosition),
        (Key::CloseBracket, ParamId::PickupLeft),
        (Key::CloseCurlyBracket, ParamId::PickupRight),
    ] {
        let value = player.face.knobs.value(id);
        player.press(key, plain);
        assert!(player.face.knobs.value(id) > value, "{key:?}");
    }
    // the window's library hands signs on as text
    let sign = |player: &mut Hand, sign: &str| _ = player.look(vec![Input::Text(sign.into())]);
    let left = player.face.knobs.value(ParamId::PickupLeft);
    sign(&mut player, "[");
    assert!(player.face.knobs.value(ParamId::PickupLeft) < left);
    sign(&mut player, "?");
    assert!(player.face.manual.is_some());
    sign(&mut player, "?");
    assert!(player.face.manual.is_none());
    sign(&mut player, "/");
    assert!(player.face.browser.is_some());
    player.press(Key::Escape, plain);
    for (key, zoom) in [(Key::Plus, 1.25), (Key::Minus, 1.0), (Key::Minus, 0.75), (Key::Num0, 1.0)] {
        player.press(key, Modifiers::COMMAND);
        assert_eq!(player.face.prefs.zoom, zoom, "{key:?}");
    }
}

#[test]
fn a_drawer_unfolds_over_the_page_and_esc_folds_it() {
    let mut player = Hand::new();
    for (place, group) in ["Hammer", "Body", "FonoBump", "Output"].into_iter().enumerate() {
        player.click_on(&format!("All of {group}"));
        if place == crate::editor::panels::drawer::DRIVE {
            assert_eq!((player.face.page, player.face.drawer.group), (2, None), "the drive has a page");
            player.face.page = 0;
            continue;
        }
        assert_eq!(player.face.drawer.group, Some(place));
        player.press(Key::Escape, Modifiers::NONE);
        assert_eq!(player.face.drawer.group, None);
    }
}

#[test]
fn settings_do_what_they_say() {
    let mut player = Hand::new();
    player.click_on("Settings");
    player.click_on("Light theme");
    assert!(!player.face.prefs.dark);
    player.click_on("Settings");
    player.click_on("Reduce motion");
    assert!(player.face.prefs.still);
    player.face.host = Some(player.gui.clone());
    for (wish, id, value) in [(Command::Quality(2), ParamId::Quality, 2.0), (Command::Mpe(1), ParamId::Mpe, 1.0)] {
        player.within(|player, ui| player.face.execute(ui, wish, 0.0));
        assert_eq!(player.face.knobs.value(id), value);
        let asked = player.host.asked();
        assert_eq!((asked.first(), asked.last()), (Some(&Asked::Begin(id)), Some(&Asked::End(id))), "{asked:?}");
    }
}

#[test]
fn an_effect_has_an_input_and_one_output() {
    let mut player = Hand::of(HostParams::of_effect(|_| ()));
    player.face.page = 2;
    let seen = player.seen();
    assert!(seen.iter().any(|text| text == "Input") && seen.iter().all(|text| text != "Side-chain"), "{seen:?}");
    player.load(urto_engine::patch::kits().next().expect("a kit"));
    player.press(Key::B, Modifiers::NONE);
    player.face.browser.as_mut().expect("open").side = 2;
    assert!(player.has("Zone pan") && !player.has("Zone output"));
}
