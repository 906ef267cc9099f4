//! Tests of the editor of macros: a parameter is added to a macro, its offsets are changed, macros are named.

use crate::editor::tests::*;
use urto_engine::patch::{Macro, MacroTarget};

fn macros(window: &WindowDriver) -> Vec<Macro> {
    window.editor.instance.params.own_patch().macros
}

#[test]
fn a_parameter_is_added_to_a_macro_from_its_menu_and_taken_back_by_undo() {
    let mut window = WindowDriver::new();
    window.load(Patch { macros: vec![Macro { name: "Mallet".into(), targets: Vec::new() }], ..Patch::default() });
    open_menu(&mut window, ParamId::Hardness.spec().name);
    window.click_on("Add to a macro");
    (0..3).for_each(|_| _ = window.look(Vec::new()));
    window.click_on("Mallet");
    (0..3).for_each(|_| _ = window.look(Vec::new()));
    let added = macros(&window);
    assert_eq!((added[0].name.as_str(), added[0].targets.len(), added[0].targets[0].param), ("Mallet", 1, ParamId::Hardness));
    assert_eq!(added[0].targets[0].to.abs(), 0.25);
    window.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(macros(&window)[0].targets, []);
}

#[test]
fn the_list_changes_offsets_macro_and_name() {
    let mut window = WindowDriver::new();
    let target = |param| MacroTarget { param, from: 0.0, to: 0.5 };
    let targets = vec![target(ParamId::Hardness), target(ParamId::Decay)];
    let named = |name: &str, targets| Macro { name: name.into(), targets };
    let macros_before = vec![named("All", targets), Macro::default(), named("Space", Vec::new())];
    window.load(Patch { macros: macros_before, ..Patch::default() });
    window.open("Matrix");
    window.editor.pages.matrix.edit_macros();
    let decay = format!("{} in Macro 1", ParamId::Decay.spec().name);
    for (end, text) in [("at 0", "-20 %"), ("at 1", "35")] {
        window.look(Vec::new());
        window.click_on(&format!("{decay} {end}"));
        window.look(Vec::new());
        window.press(Key::A, Modifiers::COMMAND);
        window.enter(text);
        window.look(Vec::new());
    }
    assert_eq!(macros(&window)[0].targets[1], MacroTarget { param: ParamId::Decay, from: -0.2, to: 0.35 });
    window.click_on(&format!("Macro of {decay}"));
    (0..3).for_each(|_| _ = window.look(Vec::new()));
    window.click_on("Space");
    (0..3).for_each(|_| _ = window.look(Vec::new()));
    let moved = macros(&window);
    assert_eq!((moved[0].targets.len(), moved[2].targets.len()), (1, 1));
    window.click_on("Name of Macro 3");
    window.press(Key::A, Modifiers::COMMAND);
    window.enter("Ring");
    assert_eq!(macros(&window)[2].name, "Ring");
    window.look(Vec::new());
    window.click_on(&format!("Remove {} in Macro 3", ParamId::Decay.spec().name));
    (0..3).for_each(|_| _ = window.look(Vec::new()));
    assert_eq!(macros(&window)[2].targets, []);
}
