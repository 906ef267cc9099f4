//! Tests of MIDI learn: a controller is learned, listed, changed and removed.

use crate::editor::tests::*;
use urto_engine::params::ParamId;
use urto_engine::{ControllerAssignment, ControllerMode, DrumModule};

/// Opens the menu of a control and chooses an entry.
fn choose(window: &mut WindowDriver, control: &str, entry: &str) {
    open_menu(window, control);
    window.click_on(entry);
}

/// Moves a controller, and shows the next frames.
fn turn(window: &mut WindowDriver, number: u8) {
    window.turn(number);
    (0..3).for_each(|_| _ = window.look(Vec::new()));
}

fn assigned(window: &WindowDriver) -> Vec<ControllerAssignment> {
    window.editor.instance.audio.controllers().map().assignments().to_vec()
}

#[test]
fn a_controller_is_learned_from_the_menu_of_a_knob_and_escape_stops_waiting() {
    let mut window = WindowDriver::new();
    window.press(Key::Num1, Modifiers::NONE);
    let name = ParamId::Hardness.spec().name;
    turn(&mut window, 20);
    choose(&mut window, name, "Learn a controller");
    assert!(window.texts().iter().any(|text| text.starts_with("Move a controller of your MIDI device")));
    window.press(Key::Escape, Modifiers::NONE);
    turn(&mut window, 20);
    assert_eq!(assigned(&window), [], "Escape stops waiting");
    choose(&mut window, name, "Learn a controller");
    turn(&mut window, 123);
    assert_eq!(assigned(&window), [], "a message to the channel");
    turn(&mut window, 21);
    let learned = ControllerAssignment::new(21, ParamId::Hardness);
    assert_eq!(assigned(&window), [learned]);
    turn(&mut window, 22);
    assert_eq!(assigned(&window), [learned], "only one is learned");
    choose(&mut window, name, "Remove controller 21");
    window.look(Vec::new());
    assert_eq!(assigned(&window), []);
}

#[test]
fn the_list_changes_number_channel_messages_and_range() {
    let mut window = WindowDriver::new();
    let store = window.editor.instance.audio.clone();
    let mut map = urto_engine::MidiMap::default();
    for (number, param) in [(21, ParamId::Hardness), (22, ParamId::Decay)] {
        assert!(map.assign(ControllerAssignment::new(number, param)));
    }
    store.controllers().set(map).expect("no file");
    window.open("Tuning");
    window.editor.pages.tuning.show_learned();
    let name = ParamId::Decay.spec().name;
    for (field, text) in
        [("Controller of", "44"), ("Channel of the controller of", "5"), ("at 0", "25 %"), ("at 127", "75")].into_iter()
    {
        window.look(Vec::new());
        let field = if field.starts_with("at") { format!("{name} {field}") } else { format!("{field} {name}") };
        window.click_on(&field);
        window.look(Vec::new());
        window.press(Key::A, Modifiers::COMMAND);
        window.enter(text);
    }
    window.click_on(&format!("Messages of the controller of {name}"));
    window.look(Vec::new());
    window.click_on("sign bit");
    (0..3).for_each(|_| _ = window.look(Vec::new()));
    let expected = ControllerAssignment {
        number: 44,
        channel: Some(4),
        param: ParamId::Decay,
        mode: ControllerMode::SignBit,
        range: [0.25, 0.75],
    };
    assert_eq!(assigned(&window), [ControllerAssignment::new(21, ParamId::Hardness), expected]);
    window.click_on(&format!("Remove the controller of {name}"));
    (0..3).for_each(|_| _ = window.look(Vec::new()));
    assert_eq!(assigned(&window).len(), 1);
}

#[test]
fn a_drum_module_is_chosen_and_keeps_the_controllers() {
    let mut window = WindowDriver::new();
    let store = window.editor.instance.audio.clone();
    let mut map = urto_engine::MidiMap::default();
    assert!(map.assign(ControllerAssignment::new(21, ParamId::Hardness)));
    store.controllers().set(map.clone()).expect("no file");
    window.open("Tuning");
    window.editor.pages.tuning.show_learned();
    window.look(Vec::new());
    window.click_on("Pads that play kits");
    window.look(Vec::new());
    window.click_on("Roland TD-17");
    (0..3).for_each(|_| _ = window.look(Vec::new()));
    map.drums = DrumModule::RolandTd17;
    assert_eq!(*store.controllers().map(), map);
}
