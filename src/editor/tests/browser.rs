//! The browser's right column: what is said of a sound, its zones, and presets that are taken away or cannot be read.

use std::fs;
use std::path::PathBuf;

use crate::editor::tests::*;
use urto_engine::patch::{factory_presets, preset_library};

/// A folder of its own, gone with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let place = std::env::temp_dir().join(format!("urto-editor-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).expect("a folder");
        Self(place)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The browser open on `side`, with a kit.
fn kit(side: usize) -> Hand {
    let mut player = Hand::new();
    player.load(factory_presets::kits().next().expect("a kit"));
    player.press(Key::B, Modifiers::NONE);
    player.face.browser.as_mut().expect("open").side = side;
    player.look(Vec::new());
    player
}

#[test]
fn a_zone_is_edited_and_undone_to_the_bit() {
    let mut player = kit(2);
    let before = player.face.knobs.own_patch();
    let at = player.at("Zone level");
    player.drag(at, at + vec2(80.0, 0.0));
    let zone = |player: &Hand, i: usize| player.face.knobs.own_patch().zones[i].clone();
    assert!((zone(&player, 0).level - before.zones[0].level - 2.0).abs() < 0.2, "{}", zone(&player, 0).level);
    player.click_on("Zone highest key");
    player.enter("48");
    assert_eq!(zone(&player, 0).keys, (before.zones[0].keys.0, 48));
    player.click_on("Zone name");
    player.enter("Deep");
    assert_eq!(zone(&player, 0).name, "Deep");
    player.click_on("Add zone");
    assert_eq!(player.face.knobs.own_patch().zones.len(), before.zones.len() + 1);
    assert_eq!(zone(&player, 1).keys, (49, 49), "on the next key");
    player.click_on("Remove zone");
    assert_eq!(zone(&player, 1), before.zones[1]);
    for _ in 0..5 {
        player.press(Key::Z, Modifiers::COMMAND);
    }
    assert_eq!(player.face.knobs.own_patch(), before);
}

#[test]
fn a_sound_becomes_a_kit_and_esc_keeps_what_was_made() {
    let mut player = Hand::new();
    let before = player.face.knobs.own_patch();
    player.press(Key::B, Modifiers::NONE);
    player.face.browser.as_mut().expect("open").side = 2;
    player.click_on("Make it a kit");
    let made = player.face.knobs.own_patch();
    assert_eq!((made.zones.len(), made.zones[0].keys), (1, (0, 127)));
    player.press(Key::Escape, Modifiers::NONE);
    assert_eq!((player.face.knobs.own_patch(), player.face.browser.is_none()), (made, true));
    player.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(player.face.knobs.own_patch(), before, "one step back");
}

#[test]
fn a_zone_is_edited_as_the_other_sound() {
    let mut player = kit(2);
    let before = player.face.knobs.own_patch();
    player.click_on("Edit as B");
    let alone = player.face.knobs.own_patch();
    assert_eq!((alone.zones.len(), alone.settings.get(ParamId::Body)), (0, before.zones[0].settings.get(ParamId::Body)));
    player.press(Key::Escape, Modifiers::NONE);
    player.press(Key::A, Modifiers::NONE);
    assert_eq!(player.face.knobs.own_patch(), before, "the kit waits as A");
}

#[test]
fn what_is_said_of_a_sound_is_typed() {
    let mut player = kit(1);
    player.click_on("Preset tags");
    player.enter("dry, wood");
    player.click_on("Preset chokes");
    player.enter("42 44; 50 51");
    player.click_on("Pitch None");
    let patch = player.face.knobs.own_patch();
    assert_eq!(patch.tags, ["dry", "wood"]);
    assert_eq!(patch.chokes.groups(), [vec![42, 44], vec![50, 51]]);
    assert_eq!(patch.pitch, Some(urto_engine::patch::PitchReference::No));
    player.click_on("Preset chokes");
    player.enter("42; 42");
    assert_eq!(player.face.knobs.own_patch().chokes, patch.chokes, "the last good stays");
    assert!(player.seen().iter().any(|text| text.contains("key 42 stands in two groups")));
}

#[test]
fn presets_of_ones_own_are_taken_away_and_broken_ones_are_told() {
    let folder = Folder::new("shelf");
    let patch = Patch { name: "Mine".into(), ..Patch::default() };
    let file = preset_library::save(&folder.0, &patch).expect("saved");
    fs::write(folder.0.join("Spoiled.toml"), "schema = 2\n[body]\ndecay = \"long\"").expect("a file");
    let mut player = Hand::new();
    player.load(patch);
    player.press(Key::B, Modifiers::NONE);
    player.face.shelf.read_from(Some(&folder.0));
    player.click_on("Spoiled cannot be read");
    let seen = player.seen();
    assert!(seen.iter().any(|text| text.contains("line 3, body.decay: expected a number")), "{seen:?}");
    player.face.browser.as_mut().expect("open").side = 1;
    player.click_on("Delete preset");
    assert!(file.exists(), "not at the first press");
    player.click_on("Delete preset");
    assert!(!file.exists());
}

#[test]
fn the_list_comes_to_what_is_heard() {
    let mut player = kit(0);
    (0..60).for_each(|_| _ = player.look(Vec::new()));
    assert!(player.has("Favourite Studio Kit"), "far down in the list");
    player.press(Key::ArrowDown, Modifiers::NONE);
    (0..60).for_each(|_| _ = player.look(Vec::new()));
    assert!(player.has("Favourite Orchestra Kit"));
}
