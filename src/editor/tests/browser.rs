//! Tests of the browser's right column: details, zones, deleting presets, files that cannot be read.
//!
//! Tests of drawn patterns, and of files that are loaded or dropped.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nice_plug::prelude::Params;

use crate::editor::editor_window::EditorWindow;
use crate::editor::tests::*;
use crate::host_params::HostParams;
use urto_engine::params::DRIVE_SOURCES;
use urto_engine::patch::{PartialEdit, factory_presets, preset_library};

/// A temporary folder, deleted when dropped.
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

/// The browser open on view `side`, with a kit.
fn kit(side: usize) -> WindowDriver {
    let mut window = WindowDriver::new();
    window.load(factory_presets::kits().next().expect("a kit"));
    window.press(Key::B, Modifiers::NONE);
    window.editor.pages.browser.as_mut().expect("open").side = side;
    window.look(Vec::new());
    window
}

#[test]
fn zones_are_chosen_moved_and_widened_on_a_keyboard() {
    let mut window = kit(2);
    let before = window.editor.instance.params.own_patch();
    let keyboard = window.area("Keyboard with the zones");
    let zone = before.zones.iter().position(|zone| zone.holds(46)).expect("an open hat");
    let middle = |key: f32| keyboard.left_center() + vec2((key + 0.5) * keyboard.width() / 128.0, 0.0);
    let end = |key: f32| keyboard.left_center() + vec2(key * keyboard.width() / 128.0, 0.0);
    window.click(middle(46.0));
    assert_eq!(window.value("Zone lowest key"), "A#2 46", "a click chooses the zone of the key");
    let keys = |window: &WindowDriver| window.editor.instance.params.own_patch().zones[zone].keys;
    window.drag(middle(46.0), middle(100.0));
    assert_eq!(keys(&window), (100, 100));
    window.drag(end(101.0) + vec2(1.0, 0.0), middle(108.0));
    assert_eq!(keys(&window), (100, 108));
    window.drag(end(100.0) - vec2(1.0, 0.0), middle(96.0));
    assert_eq!(keys(&window), (96, 108));
    window.drag(middle(102.0), middle(122.0));
    assert_eq!(keys(&window), (115, 127), "not beyond the last key");
    (0..4).for_each(|_| window.press(Key::Z, Modifiers::COMMAND));
    assert_eq!(window.editor.instance.params.own_patch(), before, "each drag is one step");
}

#[test]
fn a_zone_is_edited_and_undone_to_the_bit() {
    let mut window = kit(2);
    let before = window.editor.instance.params.own_patch();
    let at = window.at("Zone level");
    window.drag(at, at + vec2(80.0, 0.0));
    let zone = |window: &WindowDriver, i: usize| window.editor.instance.params.own_patch().zones[i].clone();
    assert!((zone(&window, 0).level - before.zones[0].level - 2.0).abs() < 0.2, "{}", zone(&window, 0).level);
    window.click_on("Zone highest key");
    window.enter("48");
    assert_eq!(zone(&window, 0).keys, (before.zones[0].keys.0, 48));
    window.click_on("Zone name");
    window.enter("Deep");
    assert_eq!(zone(&window, 0).name, "Deep");
    window.click_on("Add zone");
    assert_eq!(window.editor.instance.params.own_patch().zones.len(), before.zones.len() + 1);
    assert_eq!(zone(&window, 1).keys, (49, 49), "on the next key");
    window.click_on("Remove zone");
    assert_eq!(zone(&window, 1), before.zones[1]);
    for _ in 0..5 {
        window.press(Key::Z, Modifiers::COMMAND);
    }
    assert_eq!(window.editor.instance.params.own_patch(), before);
}

#[test]
fn a_sound_becomes_a_kit_and_esc_keeps_what_was_made() {
    let mut window = WindowDriver::new();
    let before = window.editor.instance.params.own_patch();
    window.press(Key::B, Modifiers::NONE);
    window.editor.pages.browser.as_mut().expect("open").side = 2;
    window.click_on("Convert to kit");
    let made = window.editor.instance.params.own_patch();
    assert_eq!((made.zones.len(), made.zones[0].keys), (1, (0, 127)));
    window.press(Key::Escape, Modifiers::NONE);
    assert_eq!((window.editor.instance.params.own_patch(), window.editor.pages.browser.is_none()), (made, true));
    window.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(window.editor.instance.params.own_patch(), before, "one step back");
}

#[test]
fn a_zone_is_edited_as_the_other_sound() {
    let mut window = kit(2);
    let before = window.editor.instance.params.own_patch();
    window.click_on("Edit as B");
    let alone = window.editor.instance.params.own_patch();
    assert_eq!((alone.zones.len(), alone.settings.get(ParamId::Body)), (0, before.zones[0].settings.get(ParamId::Body)));
    window.press(Key::Escape, Modifiers::NONE);
    window.press(Key::A, Modifiers::NONE);
    assert_eq!(window.editor.instance.params.own_patch(), before, "the kit waits as A");
}

#[test]
fn details_of_a_sound_are_typed() {
    let mut window = kit(1);
    window.click_on("Preset tags");
    window.enter("dry, wood");
    window.click_on("Preset chokes");
    window.enter("42 44; 50 51");
    window.click_on("Pitch None");
    let patch = window.editor.instance.params.own_patch();
    assert_eq!(patch.tags, ["dry", "wood"]);
    assert_eq!(patch.choke_groups.groups(), [vec![42, 44], vec![50, 51]]);
    assert_eq!(patch.pitch, Some(urto_engine::patch::PitchReference::No));
    window.click_on("Preset chokes");
    window.enter("42; 42");
    assert_eq!(window.editor.instance.params.own_patch().choke_groups, patch.choke_groups, "the last good stays");
    assert!(window.texts().iter().any(|text| text.contains("Key 42 is listed twice")));
}

#[test]
fn user_presets_are_deleted_and_unreadable_files_are_listed() {
    let folder = Folder::new("presets");
    let patch = Patch { name: "Mine".into(), ..Patch::default() };
    let file = preset_library::save(&folder.0, &patch).expect("saved");
    fs::write(folder.0.join("Spoiled.toml"), "schema = 2\n[body]\ndecay = \"long\"").expect("a file");
    let mut window = WindowDriver::new();
    window.load(patch);
    window.press(Key::B, Modifiers::NONE);
    window.editor.presets.read_from(Some(&folder.0));
    window.click_on("Spoiled cannot be read");
    let shown = window.texts();
    assert!(shown.iter().any(|text| text.contains("line 3, body.decay: expected a number")), "{shown:?}");
    window.editor.pages.browser.as_mut().expect("open").side = 1;
    window.click_on("Delete preset");
    assert!(file.exists(), "not at the first press");
    window.click_on("Delete preset");
    assert!(!file.exists());
}

/// The field of *Save as* proposes the name of the selected preset, which the library refuses for a built-in one.
#[test]
fn the_name_of_a_built_in_preset_is_refused_in_the_save_field() {
    let mut window = kit(0);
    window.click_on("Save as");
    window.press(Key::Enter, Modifiers::NONE);
    let shown = window.texts();
    let wanted = "the name \"Studio Kit\" is that of a built-in preset; give another name, for example \"My Studio Kit\"";
    assert!(shown.iter().any(|text| text == wanted), "{shown:?}");
    assert!(!window.has("Save as"), "the field waits for another name");
}

#[test]
fn the_list_scrolls_to_the_selected_preset() {
    let mut window = kit(0);
    (0..60).for_each(|_| _ = window.look(Vec::new()));
    assert!(window.has("Favourite Studio Kit"), "far down in the list");
    window.press(Key::ArrowDown, Modifiers::NONE);
    (0..60).for_each(|_| _ = window.look(Vec::new()));
    assert!(window.has("Favourite Orchestra Kit"));
}

/// A dropped file.
#[derive(Debug)]
struct Falling(PathBuf);

impl egui::DroppedFile for Falling {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

impl WindowDriver {
    /// Drops a file on the window.
    pub fn drop_file(&mut self, file: &Path) {
        self.falling.push(Arc::new(Falling(file.to_owned())));
        self.rest();
    }

    /// The drive page with `source`.
    fn driven(source: &str) -> Self {
        let mut window = Self::new();
        let mut patch = Patch::default();
        patch.settings.set(ParamId::DriveSource, DRIVE_SOURCES.iter().position(|name| *name == source).expect("a source") as f64);
        window.load(patch);
        window.press(Key::Num4, Modifiers::NONE);
        window.look(Vec::new());
        window
    }
}

/// A temporary file.
fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("urto-editor-{}-{name}", std::process::id()))
}

#[test]
fn a_pattern_is_drawn_in_one_step() {
    let mut window = WindowDriver::driven("Pattern");
    let before = window.editor.instance.params.own_patch();
    let (first, third) = (window.at("Pattern step 1"), window.at("Pattern step 3"));
    window.drag(first + vec2(0.0, 20.0), third + vec2(0.0, 20.0));
    let pattern = window.editor.instance.params.own_patch().drive_content.pattern;
    assert!(pattern[..3].iter().all(|level| (-1.0..0.0).contains(level)) && pattern[0] == pattern[2], "{pattern:?}");
    assert_eq!(pattern[3..], before.drive_content.pattern[3..]);
    window.press(Key::ArrowUp, Modifiers::NONE);
    assert_ne!(window.editor.instance.params.own_patch().drive_content.pattern, pattern, "keys move it too");
    window.press(Key::Z, Modifiers::COMMAND);
    window.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(window.editor.instance.params.own_patch(), before);
}

#[test]
fn a_recording_comes_by_path_or_drop_and_a_broken_one_leaves_the_last() {
    let (good, bad) = (file("good.wav"), file("bad.wav"));
    let spec = hound::WavSpec { channels: 1, sample_rate: 48_000, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(&good, spec).expect("a file");
    (0..4800).for_each(|i| writer.write_sample(((i % 100) * 300) as i16).expect("a sample"));
    writer.finalize().expect("a file");
    std::fs::write(&bad, "no sound").expect("a file");
    let mut window = WindowDriver::driven("Sample");
    window.click_on("Recording, type a path");
    window.look(vec![Input::Text(good.display().to_string())]);
    window.press(Key::Enter, Modifiers::NONE);
    window.look(Vec::new());
    let loaded = window.editor.instance.params.own_patch().drive_content.sample.expect("loaded");
    assert_eq!((loaded.len(), loaded.rate()), (4800, 48e3));
    window.drop_file(&bad);
    assert_eq!(window.editor.instance.params.own_patch().drive_content.sample.as_ref(), Some(&loaded), "the last good stays");
    assert!(window.texts().iter().any(|text| text.contains("bad.wav")), "the message names the file");
    window.click_on("Remove recording");
    assert_eq!(window.editor.instance.params.own_patch().drive_content.sample, None);
    window.drop_file(&good);
    assert_eq!(window.editor.instance.params.own_patch().drive_content.sample, Some(loaded));
    for place in [good, bad] {
        let _ = std::fs::remove_file(place);
    }
}

/// Whether a notice about a file contains `text`.
fn has_notice(window: &mut WindowDriver, text: &str) -> bool {
    window.names().iter().any(|(_, name)| name.starts_with("File: ") && name.contains(text))
}

#[test]
fn a_dropped_file_plays_or_opens_the_page_that_reads_it() {
    let scale = file("five.scl");
    std::fs::write(&scale, "! five.scl\nFive\n 5\n 240.\n 480.\n 720.\n 960.\n 2/1\n").expect("a file");
    let preset = file("Anvil.toml");
    let patch = urto_engine::patch::all().last().expect("presets");
    std::fs::write(&preset, urto_engine::patch::to_toml(&patch)).expect("a file");
    let other = file("song.mp3");
    let mut window = WindowDriver::new();
    window.press(Key::B, Modifiers::NONE);
    window.drop_file(&scale);
    assert!(window.editor.pages.browser.is_none() && PAGES[window.editor.pages.current] == "Tuning");
    assert!(window.editor.instance.params.own_patch().tuning.source().scale.contains("960."));
    let before = window.editor.instance.params.own_patch();
    window.drop_file(&preset);
    assert_eq!(window.editor.instance.params.own_patch().settings, patch.settings);
    window.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(window.editor.instance.params.own_patch(), before, "one undo step");
    window.drop_file(&other);
    assert_eq!(window.editor.instance.params.own_patch(), before);
    assert!(has_notice(&mut window, "song.mp3: this kind of file cannot be read"));
    window.click_on("Close: File");
    assert!(!has_notice(&mut window, "song.mp3"));
    std::fs::write(&preset, "schema = 2\nbody = 7\n").expect("a file");
    window.drop_file(&preset);
    assert_eq!(window.editor.instance.params.own_patch(), before, "the last good sound stays");
    assert!(has_notice(&mut window, "Anvil.toml"));
    for place in [scale, preset] {
        let _ = std::fs::remove_file(place);
    }
}

/// The parameters of an instance that recalls `patch` from a session.
fn recalled(patch: &Patch) -> HostParams {
    let (before, after) = (HostParams::new(|_| ()), HostParams::new(|_| ()));
    before.load_patch(patch.clone(), |_| ());
    // a host sets the parameters first
    after.load_patch(Patch { settings: patch.settings, ..Patch::default() }, |_| ());
    after.deserialize_fields(&before.serialize_fields());
    after
}

#[test]
fn a_recalled_patch_is_marked_where_it_differs_from_its_preset() {
    let is_marked = |patch: &Patch| {
        let mut window = WindowDriver::of(recalled(patch));
        window.rest();
        let EditorWindow { presets, instance, .. } = &mut window.editor;
        presets.is_changed(&instance.params)
    };
    for preset in urto_engine::patch::all().step_by(31) {
        assert!(!is_marked(&preset), "{} as it is", preset.name);
        let mut moved = preset.clone();
        moved.settings.set(ParamId::Decay, 1.01 * preset.settings.get(ParamId::Decay));
        assert!(is_marked(&moved), "{} with another decay", preset.name);
        let muted = PartialEdit { level: -3.0, ..PartialEdit::new(1) };
        let edited = Patch { partial_edits: vec![muted], ..preset.clone() };
        assert!(is_marked(&edited), "{} with another partial", preset.name);
        assert!(!is_marked(&Patch { name: "No such preset".into(), ..moved }), "a name without a preset");
    }
}

#[test]
fn a_preset_that_the_effect_drives_is_not_marked() {
    let mut window = WindowDriver::of(HostParams::of_effect(|_| ()));
    window.click_on("Next preset");
    window.rest();
    let EditorWindow { presets, instance, .. } = &mut window.editor;
    assert!(!instance.params.name().is_empty() && !presets.is_changed(&instance.params));
    let mut patch = instance.params.own_patch();
    patch.settings.set(ParamId::DriveGain, 7.0);
    instance.params.load_patch(patch, |_| ());
    assert!(presets.is_changed(&instance.params));
}
