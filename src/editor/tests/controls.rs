//! Tests that every parameter and every field of a patch has a control.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::editor::tests::*;
use urto_engine::drive::DriveSample;
use urto_engine::patch::{
    Alternation, ChokeGroups, ListedMode, Macro, MacroTarget, PartialEdit, PitchReference, ResidualBand, Zone, ZoneLayer,
    patch_toml,
};
use urto_engine::tuning::{PatchTuning, TuningSource};
use urto_engine::{ControllerAssignment, MidiMap};

/// A patch in which every field is set.
fn full() -> Patch {
    let mode = ListedMode { ratio: 1.0, decay: Some(3.0), mass: 1.0, ..ListedMode::default() };
    let map = "0\n0\n127\n60\n69\n440.0\n12\n".to_owned();
    let source = TuningSource { scale: "pelog".into(), map: None, ..TuningSource::default() };
    let intonation = PatchTuning::new(source).unwrap_or_else(|_| panic!("{map}"));
    let mut patch = Patch {
        name: "All".into(),
        author: "A".into(),
        tags: vec!["b".into()],
        description: "c".into(),
        family: "bars".into(),
        pitch: Some(PitchReference::By(2.0)),
        modes: vec![mode.clone()],
        morph_modes: vec![mode],
        residual: vec![ResidualBand { from: 1.0, to: 2.0, modes: 3, decay: 5.0, sides: [0.1, 0.2], correlation: 0.0 }],
        partial_edits: vec![PartialEdit { level: 1.0, ..PartialEdit::new(0) }],
        tuning: intonation,
        choke_groups: ChokeGroups::new(&[vec![42, 46]]).expect("two keys"),
        ..Patch::default()
    };
    patch.drive_content.sample = DriveSample::new("a.wav", 48e3, &[0.0, 1.0, -1.0]).map(Arc::new);
    patch.settings.set(ParamId::HammerMass, 0.03);
    let layer = ZoneLayer { velocities: [20, 90], fade: 5, group: 1, alternation: Alternation::Random };
    patch.zones = vec![Zone { choke: 1, layer, pressure_chokes: true, ..Zone::new(&patch, (36, 40)) }];
    patch
}

/// Controls for the keys of a patch's text that are not parameters, by path; a list counts as a whole.
const FIELDS: [(&str, &[&str]); 29] = [
    ("name", &["Preset name"]),
    ("author", &["Preset author"]),
    ("tags", &["Preset tags"]),
    ("description", &["Preset description"]),
    ("family", &["Preset family"]),
    ("pitched", &["Pitch Unset", "Pitch None", "Pitch Pitched"]),
    ("reference", &["Preset pitched partial"]),
    ("drive.pattern", &["Pattern step 1", "Pattern step 16"]),
    ("drive.sample", &["Load recording"]),
    ("drive.sample_rate", &["Load recording"]),
    ("drive.sample_data", &["Load recording"]),
    ("tuning", &["Scale", "Key map", "Reference key and frequency, type a value"]),
    ("modes", &["Partials from"]),
    ("morph_modes", &["Partials from"]),
    ("residual", &["Partials from"]),
    ("residual.bands", &["Partials from"]),
    ("trim", &["Partials from"]),
    ("choke", &["Preset chokes"]),
    ("zone.name", &["Zone name"]),
    ("zone.keys", &["Zone lowest key", "Zone highest key"]),
    ("zone.plays", &["Zone lowest plays"]),
    ("zone.level", &["Zone level"]),
    ("zone.pan", &["Zone pan"]),
    ("zone.choke", &["Zone choke group"]),
    ("zone.velocities", &["Zone lowest velocity", "Zone highest velocity"]),
    ("zone.fade", &["Zone velocity fade"]),
    ("zone.alternate", &["Zone alternates"]),
    ("zone.alternate_by", &["Zone order of turns"]),
    ("zone.pressure_chokes", &["Zone pressure chokes"]),
];
/// The rest: fields of a zone's own sound, and of the file format.
const ZONE: [(&str, &[&str]); 1] = [("zone.bus", &["Zone output"])];
const SOUND: &[&str] = &["Zone sound", "Edit as B"];

/// Paths of all keys of a text, down to where one control covers the whole.
fn paths(table: &toml::Table) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (key, value) in table {
        let below = match (key.as_str(), value) {
            ("drive" | "zone", toml::Value::Table(below)) => Some(below),
            ("zone", toml::Value::Array(zones)) => zones.first().and_then(toml::Value::as_table),
            _ => None,
        };
        match below {
            Some(below) => found.extend(below.keys().map(|inner| format!("{key}.{inner}"))),
            None => _ = found.insert(key.clone()),
        }
    }
    found
}

#[test]
fn every_field_of_a_patch_and_of_a_kit_has_a_control() {
    let mut window = WindowDriver::new();
    let patch = full();
    let text = patch_toml::to_toml(&patch);
    window.load(patch);
    let mut reached: BTreeSet<String> = everything(&mut window).into_iter().map(|(_, name)| name).collect();
    for source in ["Sample", "Pattern"] {
        let place = urto_engine::params::DRIVE_SOURCES.iter().position(|name| *name == source).expect("a source");
        let mut patch = window.editor.instance.params.own_patch();
        patch.settings.set(ParamId::DriveSource, place as f64);
        window.load(patch);
        window.open("Drive");
        reached.extend(window.names().into_iter().map(|(_, name)| name));
    }
    window.press(Key::B, Modifiers::NONE);
    for side in 0..3 {
        window.editor.pages.browser.as_mut().expect("open").side = side;
        window.look(Vec::new());
        reached.extend(window.names().into_iter().map(|(_, name)| name));
    }
    window.click_on("Zone Velocity");
    reached.extend(window.names().into_iter().map(|(_, name)| name));
    let params: BTreeSet<String> = ParamId::ALL.iter().map(|id| urto_engine::patch::key_of(id.spec()).0).collect();
    let drives: BTreeSet<String> = ParamId::ALL.iter().map(|id| urto_engine::patch::key_of(id.spec()).1).collect();
    let table: toml::Table = text.parse().expect("its own text");
    for path in paths(&table) {
        let (group, key) = path.split_once('.').unwrap_or((&path, ""));
        let controls = match FIELDS.iter().chain(&ZONE).find(|(known, _)| *known == path) {
            Some((_, controls)) => *controls,
            // the versions of format and sound, and parameters, which have a test of their own
            None if path == "schema" || path == "sound" || group == "drive" && drives.contains(key) => continue,
            None if key.is_empty() && params.contains(group) => continue,
            None if group == "zone" => SOUND,
            None => panic!("{path} has no control"),
        };
        for control in controls {
            assert!(reached.contains(*control), "{path} is set by {control}, which cannot be reached");
        }
    }
}

#[test]
fn every_knob_of_the_table_stands_on_a_page_or_in_the_drawer_of_its_group() {
    let mut window = WindowDriver::new();
    let names: BTreeSet<String> = everything(&mut window).into_iter().map(|(_, name)| name).collect();
    // the command line lists the same table
    let missing: Vec<_> = ParamId::ALL.iter().map(|id| id.spec()).filter(|spec| !names.contains(spec.name)).collect();
    assert!(missing.is_empty(), "{:?}", missing.iter().map(|spec| spec.id).collect::<Vec<_>>());
    assert!(!window.has("All"), "no page of all parameters is needed");
}

#[test]
fn no_text_of_the_drive_is_cut_off_or_lies_over_another() {
    let mut window = WindowDriver::new();
    let mut faults = BTreeSet::new();
    let sources =
        |name: &str| urto_engine::params::DRIVE_SOURCES.iter().position(|known| *known == name).expect("a source") as f64;
    for size in SIZES {
        window.size = size;
        for source in ["Side-chain", "Sample", "Pattern"] {
            let mut patch = full();
            patch.settings.set(ParamId::DriveSource, sources(source));
            window.load(patch);
            window.open("Drive");
            for row in 0..=drive::ROWS.len() {
                window.editor.pages.drive.select_tab(row);
                faults.extend(crowded(window.rest(), &format!("Drive, {source}, row {row} at {size:?}")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Place of the browser with the velocities of a zone.
const VELOCITIES: &str = "Velocities of zones";

/// Opens one place of the window after another, and calls `look` with its name.
fn tour(window: &mut WindowDriver, mut look: impl FnMut(&mut WindowDriver, &str)) {
    window.play(brief());
    for velocity in [0.3, 0.5, 0.8] {
        window.strike(57, velocity);
        (0..8).for_each(|_| _ = window.live());
    }
    for (page, title) in PAGES.into_iter().enumerate() {
        window.editor.pages.current = page;
        look(window, title);
    }
    let mut map = MidiMap::default();
    assert!(map.assign(ControllerAssignment::new(21, ParamId::Hardness)));
    window.editor.instance.audio.controllers().set(map).expect("no file");
    window.open("Tuning");
    window.editor.pages.tuning.show_learned();
    look(window, "Learned controllers");
    let target = MacroTarget { param: ParamId::Decay, from: 0.0, to: 0.5 };
    window.load(Patch { macros: vec![Macro { name: "Ring".into(), targets: vec![target] }], ..brief() });
    window.open("Matrix");
    window.editor.pages.matrix.edit_macros();
    look(window, "Editor of macros");
    window.open("Drive");
    window.editor.pages.drive.select_tab(1);
    let mut patch = full();
    patch.zones = Vec::new();
    for source in ["Sample", "Pattern"] {
        let place = urto_engine::params::DRIVE_SOURCES.iter().position(|name| *name == source).expect("a source");
        patch.settings.set(ParamId::DriveSource, place as f64);
        window.load(patch.clone());
        look(window, source);
    }
    window.editor.pages.current = 0;
    for place in [0, 1, 3] {
        window.editor.pages.drawer.show_row(place, 0);
        look(window, ["Hammer drawer", "Body drawer", "", "Output drawer"][place]);
    }
    window.editor.pages.drawer = Default::default();
    for (side, name) in [(0, "Preview"), (1, "Details"), (2, "Zones"), (2, VELOCITIES)] {
        window.editor.pages.browser = None;
        window.load(full());
        window.clear_focus();
        window.press(Key::B, Modifiers::NONE);
        // the first preset of the list
        window.press(Key::ArrowDown, Modifiers::NONE);
        window.editor.pages.browser.as_mut().expect("open").side = side;
        // zones are those of the sound that plays
        window.editor.play(full());
        if name == VELOCITIES {
            window.look(Vec::new());
            window.click_on("Zone Velocity");
        }
        look(window, &format!("Browser, {name}"));
    }
    window.clear_focus();
    window.press(Key::Escape, Modifiers::NONE);
    window.press(Key::F1, Modifiers::NONE);
    look(window, "Manual");
    window.press(Key::F1, Modifiers::NONE);
}

/// Whether the keyboard needs no way to a control: the text of a value, which Enter on its control opens; the ground of the drawer; a
/// scroll bar.
fn is_for_pointer(control: &driver::Control) -> bool {
    use egui::accesskit::Role::{Label, Pane, ScrollBar};
    matches!(control.node.as_ref().map(|node| node.role), Some(Label | Pane | ScrollBar))
}

#[test]
fn tab_and_arrow_keys_reach_every_control_with_a_visible_focus() {
    use egui::accesskit::Role::{Button, CheckBox, ComboBox, ListBox, ListBoxOption, RadioButton, Slider, Tab, TextInput};
    let mut window = WindowDriver::new();
    let (mut missed, mut reached, mut faults) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    let mut sum = [0; 4];
    tour(&mut window, |window, place| {
        let controls: Vec<_> = window.controls().into_iter().filter(|control| !is_for_pointer(control)).collect();
        let count = |test: fn(&driver::Control) -> bool| controls.iter().filter(|control| test(control)).count();
        let row = [controls.len(), count(|c| c.by_tab), count(|c| c.by_arrow), count(|c| c.ringed)];
        println!("{place:20} {:3} controls, {:3} by Tab, {:3} by arrow keys, {:3} with a ring", row[0], row[1], row[2], row[3]);
        sum.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        let mut known = BTreeSet::new();
        for control in controls {
            let Some(node) = &control.node else {
                faults.insert(format!("{place}: {:?} is unknown to assistive technology", control.id));
                continue;
            };
            let (name, role) = (&node.name, node.role);
            if !known.insert(format!("{role:?} {name} in {:?}", node.groups)) {
                faults.insert(format!("{place}: two of {role:?} {name:?} in {:?}", node.groups));
            }
            let mut fault = |what: &str| _ = faults.insert(format!("{place}: {role:?} {name:?} {what}"));
            if control.by_tab || control.by_arrow {
                reached.insert(control.id.value());
                if !control.ringed {
                    fault("has no ring");
                }
            } else {
                missed.insert(control.id.value(), format!("{place}: {role:?} {name:?} is not reached"));
            }
            match role {
                _ if name.trim().is_empty() => fault("has no name"),
                Slider => {
                    let inside = |(value, low, high): (f64, Option<f64>, Option<f64>)| low <= Some(value) && Some(value) <= high;
                    if !node.number.is_some_and(inside) || node.value.as_ref().is_none_or(|text| text.trim().is_empty()) {
                        fault("has no number, range and text");
                    }
                }
                ComboBox if node.value.as_ref().is_none_or(|text| text.is_empty()) => fault("has no value"),
                RadioButton | CheckBox | Tab | ListBoxOption if !node.has_state => fault("does not tell its state"),
                Button | ComboBox | RadioButton | CheckBox | Tab | ListBox | ListBoxOption | TextInput => {}
                _ => fault("has no role of a control"),
            }
        }
    });
    println!(
        "{:20} {:3} controls, {:3} by Tab, {:3} by arrow keys, {:3} with a ring",
        "together", sum[0], sum[1], sum[2], sum[3]
    );
    // a list that scrolls is followed to its end in one of the places
    faults.extend(missed.into_iter().filter(|(id, _)| !reached.contains(id)).map(|(_, fault)| fault));
    assert!(sum[0] > 700 && faults.is_empty(), "{}", faults.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn arrow_keys_play_every_preset_and_the_focus_follows() {
    let mut window = WindowDriver::new();
    window.press(Key::B, Modifiers::NONE);
    window.press(Key::ArrowDown, Modifiers::NONE);
    let first = window.editor.instance.params.name();
    window.focus_on(&first);
    let all: BTreeSet<String> = window.editor.presets.presets().iter().map(|preset| preset.patch.name.clone()).collect();
    let mut played = BTreeSet::from([first.clone()]);
    // more than a page of the list in the everyday tier
    let count = size(24, all.len());
    for step in 1..count {
        window.press(Key::ArrowDown, Modifiers::NONE);
        played.insert(window.editor.instance.params.name());
        (0..4).for_each(|_| _ = window.look(Vec::new()));
        assert_eq!(window.focused_name(), Some(window.editor.instance.params.name()), "after {step} steps");
    }
    assert!(played.len() == count && played.is_subset(&all), "{played:?}");
    window.press(Key::Home, Modifiers::NONE);
    (0..60).for_each(|_| _ = window.look(Vec::new()));
    assert_eq!((window.focused_name(), window.editor.instance.params.name()), (Some(first.clone()), first));
    // Enter presses a focused button instead of closing the browser
    window.focus_on("Save as");
    window.press(Key::Enter, Modifiers::NONE);
    window.look(Vec::new());
    assert!(window.editor.pages.browser.is_some() && window.has("Name of the new preset"));
}

#[test]
fn arrow_page_and_end_keys_move_values_in_fine_and_coarse_steps() {
    let mut window = WindowDriver::new();
    let travel = |window: &WindowDriver, id| f64::from(window.editor.instance.params.travel(id).0);
    let moved = |window: &mut WindowDriver, id, key, modifiers| {
        let before = travel(window, id);
        window.press(key, modifiers);
        travel(window, id) - before
    };
    let mass = ParamId::HammerMass;
    window.focus_on("Hammer mass");
    for (key, modifiers, expected) in [
        (Key::ArrowUp, Modifiers::NONE, 0.01),
        (Key::ArrowLeft, Modifiers::NONE, -0.01),
        (Key::ArrowRight, Modifiers::SHIFT, 0.001),
        (Key::PageUp, Modifiers::NONE, 0.1),
        (Key::PageDown, Modifiers::NONE, -0.1),
    ] {
        let found = moved(&mut window, mass, key, modifiers);
        assert!((found - expected).abs() < 1e-4, "{key:?}: {found}");
    }
    assert_eq!(window.focused_name().as_deref(), Some("Hammer mass"), "no arrow key moved the focus");
    let default = f64::from(window.editor.instance.params.default_travel(mass));
    for (key, expected) in [(Key::End, 1.0), (Key::Home, 0.0), (Key::Delete, default)] {
        window.press(key, Modifiers::NONE);
        assert!((travel(&window, mass) - expected).abs() < 1e-6, "{key:?}");
    }
    // a key that belongs to the host or is a shortcut changes nothing
    for modifiers in [Modifiers::COMMAND, Modifiers::ALT] {
        assert_eq!(moved(&mut window, mass, Key::ArrowUp, modifiers), 0.0);
    }
    // a list downward, and handles along and across the body
    window.focus_on("Body type");
    let kind = |window: &WindowDriver| window.editor.instance.params.value(ParamId::Body);
    let before = kind(&window);
    window.press(Key::ArrowDown, Modifiers::NONE);
    assert_eq!(kind(&window), before + 1.0);
    window.press(Key::ArrowUp, Modifiers::NONE);
    assert_eq!(kind(&window), before);
    window.play(brief());
    window.look(Vec::new());
    window.focus_on("Left pickup on the body");
    assert!(moved(&mut window, ParamId::PickupLeft, Key::ArrowRight, Modifiers::NONE) > 0.009);
    assert!(moved(&mut window, ParamId::PickupLeft, Key::PageDown, Modifiers::NONE) < -0.09);
    // Enter strikes the focused body
    window.focus_on("Body: strike");
    _ = window.audio.heard().count();
    window.press(Key::Enter, Modifiers::NONE);
    let heard: Vec<_> = window.audio.heard().collect();
    assert!(matches!(heard[..], [urto_engine::Event::NoteOn { .. }, urto_engine::Event::NoteOff { .. }]), "{heard:?}");
}

#[test]
fn assistive_technology_changes_values() {
    use egui::accesskit::{Action, ActionData};
    let mut window = WindowDriver::new();
    let name = "Hammer mass";
    let mass = |window: &WindowDriver| window.editor.instance.params.value(ParamId::HammerMass);
    window.ask(name, Action::SetValue, Some(ActionData::NumericValue(0.02)));
    assert!((mass(&window) / 0.02 - 1.0).abs() < 1e-5);
    window.ask(name, Action::SetValue, Some(ActionData::Value("35 g".into())));
    assert!((mass(&window) / 0.035 - 1.0).abs() < 1e-5);
    assert_eq!(window.value(name), "35.0 g");
    window.ask(name, Action::SetValue, Some(ActionData::NumericValue(1e9)));
    assert_eq!(mass(&window), ParamId::HammerMass.spec().max, "within the range");
    let before = mass(&window);
    window.ask(name, Action::Decrement, None);
    assert!(mass(&window) < before);
    window.ask(name, Action::Increment, None);
    assert!((mass(&window) / before - 1.0).abs() < 1e-5);
    let requests = window.host.requests();
    let begun = requests.iter().filter(|request| matches!(request, HostRequest::Begin(_))).count();
    let ended = requests.iter().filter(|request| matches!(request, HostRequest::End(_))).count();
    assert_eq!((begun, ended), (5, 5), "each change is a gesture for the host");
    window.ask("Drive", Action::Click, None);
    assert_eq!(PAGES[window.editor.pages.current], "Drive");
    window.ask(name, Action::Focus, None);
    assert_eq!(window.focused_name().as_deref(), Some(name));
}

#[test]
fn the_entries_of_every_list_have_a_ring() {
    let mut window = WindowDriver::new();
    window.rest();
    for (name, key) in [("Settings", Key::Enter), ("Zoom", Key::Enter), ("Body type", Key::Enter), ("Hammer mass", Key::F10)] {
        let resting = window.rings();
        window.focus_on(name);
        let before: BTreeSet<_> = window.tab_stops(&resting).into_iter().map(|stop| stop.id.value()).collect();
        window.focus_on(name);
        window.press(key, if key == Key::F10 { Modifiers::SHIFT } else { Modifiers::NONE });
        window.rest();
        let stops = window.tab_stops(&resting);
        let entries: Vec<_> = stops.iter().filter(|stop| !before.contains(&stop.id.value())).collect();
        assert!(entries.len() > 3, "{name}: {} entries", entries.len());
        let names: std::collections::HashMap<_, _> =
            window.controls().into_iter().map(|control| (control.id, control.node.map(|node| node.name))).collect();
        let bare: Vec<_> = entries.iter().filter(|stop| !stop.ringed).map(|stop| names.get(&stop.id)).collect();
        assert!(bare.is_empty(), "{name}: entries without a ring: {bare:?}");
        window.press(Key::Escape, Modifiers::NONE);
        window.rest();
    }
}

#[test]
fn tab_visits_header_page_and_main_controls_in_reading_order() {
    let mut window = WindowDriver::new();
    window.rest();
    let stops = window.tab_stops(&Default::default());
    let places: Vec<_> = stops.iter().filter_map(|stop| window.place(stop.id)).collect();
    let layout = crate::editor::theme::WindowLayout::of(egui::Rect::from_min_size(Pos2::ZERO, window.size.into()));
    let area = |place: &egui::Rect| {
        let areas = [layout.header, layout.middle, layout.strip, layout.window];
        areas.iter().position(|area| area.contains(place.center())).expect("inside the window")
    };
    let areas: Vec<_> = places.iter().map(area).collect();
    assert!(areas.is_sorted() && areas.contains(&2), "{areas:?}");
    let header: Vec<_> = places.iter().zip(&areas).filter(|(_, area)| **area == 0).map(|(place, _)| place.left()).collect();
    assert!(header.is_sorted() && header.len() > 12, "{header:?}");
}
