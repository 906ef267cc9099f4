//! The Parts page: joints that are dragged, and frequencies that follow.

use crate::editor::tests::*;
use urto_engine::params::{BodyKind, ParamId};
use urto_engine::patch::Patch;

/// Middle of the name of a row.
fn row(window: &mut WindowDriver, name: &str) -> f32 {
    let found = placed_texts(window.rest());
    let place = found.iter().find(|(text, ..)| text == name);
    place.unwrap_or_else(|| panic!("{name} is not shown")).1.center().y
}

/// x of the points of the first joint.
const JOINT: f32 = 182.0;

#[test]
fn a_tube_is_joined_and_separated_by_dragging() {
    let mut window = WindowDriver::new();
    let mut patch = Patch { name: "Bar".into(), ..Patch::default() };
    patch.settings.set(ParamId::Body, BodyKind::Marimba as usize as f64);
    window.load(patch);
    window.open("Parts");
    let [body, tube] = ["Body", "Tube"].map(|name| pos2(JOINT, row(&mut window, name)));
    let coupling = |window: &WindowDriver| window.editor.instance.params.value(ParamId::TubeCoupling);
    assert_eq!(coupling(&window), 0.0);
    window.drag(body, tube);
    assert_eq!(coupling(&window), 1.0, "joined");
    let texts = window.texts();
    assert!(texts.iter().any(|text| text.ends_with(" c")), "the split partials have a shift: {texts:?}");
    window.drag(tube, tube + egui::vec2(200.0, 60.0));
    assert_eq!(coupling(&window), 0.0, "separated");
}

#[test]
fn every_connected_body_shows_its_parts() {
    for (kind, parts) in [
        (BodyKind::TwoHeadedDrum, &["Batter head", "Resonant head", "Tube", "Together"][..]),
        (BodyKind::StringCourse, &["Strings", "Soundboard", "Tube", "Together"]),
        (BodyKind::HiHat, &["Upper cymbal", "Lower cymbal"]),
    ] {
        let mut window = WindowDriver::new();
        let mut patch = Patch { name: "Parts".into(), ..Patch::default() };
        patch.settings.set(ParamId::Body, kind as usize as f64);
        window.load(patch);
        window.open("Parts");
        let begun = Instant::now();
        let mut texts = window.texts();
        // the model is built in the background
        while !texts.iter().any(|text| text == parts[0]) && begun.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(FRAME_TIME);
            texts = window.texts();
        }
        assert!(parts.iter().all(|part| texts.iter().any(|text| text == part)), "{kind:?}: {texts:?}");
    }
}
