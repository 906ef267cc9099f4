//! Tests of the whole window, operated like a user does.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use egui::epaint::Shape;
use egui::{Event as Input, FullOutput, Key, Modifiers, PointerButton, Pos2, pos2, vec2};

use crate::editor::editor_window::FRAME_TIME;
use crate::editor::tests::driver::WindowDriver;
use crate::editor::tests::tier::size;
use crate::editor::theme::PAGES;
use crate::editor::{drive, matrix};
use crate::host_params::HostRequest;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig};

mod browser;
mod controller_learning;
mod controls;
mod dense_body;
mod driver;
mod macros;
mod modes_and_tuning;
mod parts;
#[path = "../../../tests/support/tier.rs"]
mod tier;
mod window;

/// Sizes to test: smallest, both sides of the limit of small windows, initial, wide, high, largest.
const SIZES: [[f32; 2]; 7] =
    [[900.0, 600.0], [1119.0, 719.0], [1120.0, 720.0], [1280.0, 800.0], [1920.0, 760.0], [1200.0, 1200.0], [2560.0, 1600.0]];

/// Opens the menu of a control by the secondary button.
fn open_menu(window: &mut WindowDriver, control: &str) {
    let pos = window.at(control);
    for pressed in [true, false] {
        let button = PointerButton::Secondary;
        window.look(vec![Input::PointerMoved(pos), Input::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE }]);
    }
    window.look(Vec::new());
}

/// Collects all texts of a shape.
fn texts(shape: &Shape, found: &mut Vec<String>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, found)),
        Shape::Text(text) => found.push(text.galley.text().to_owned()),
        _ => {}
    }
}

/// Collects all texts of a shape with their bounds and the clip rectangle.
fn places(shape: &Shape, clip: egui::Rect, found: &mut Vec<(String, egui::Rect, egui::Rect)>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| places(shape, clip, found)),
        Shape::Text(text) if !text.galley.text().trim().is_empty() => {
            found.push((text.galley.text().to_owned(), text.galley.mesh_bounds.translate(text.pos.to_vec2()), clip));
        }
        _ => {}
    }
}

/// Whether a shape has a point that is not finite.
fn is_broken(shape: &Shape) -> bool {
    match shape {
        Shape::Vec(shapes) => shapes.iter().any(is_broken),
        Shape::Path(path) => path.points.iter().any(|point| !point.x.is_finite() || !point.y.is_finite()),
        Shape::Mesh(mesh) => mesh.vertices.iter().any(|vertex| !vertex.pos.x.is_finite() || !vertex.pos.y.is_finite()),
        _ => false,
    }
}

#[test]
fn every_page_is_drawn_at_every_size_in_both_themes() {
    let mut window = WindowDriver::new();
    for dark in [true, false] {
        window.editor.prefs.dark = dark;
        window.apply_theme();
        for size in SIZES {
            window.size = size;
            for (page, title) in PAGES.into_iter().enumerate() {
                window.editor.pages.current = page;
                let shown = window.rest();
                let mut found = Vec::new();
                for clipped in &shown.shapes {
                    assert!(!is_broken(&clipped.shape), "{title} at {size:?}");
                    texts(&clipped.shape, &mut found);
                }
                let clash: Vec<_> = found.iter().filter(|text| text.contains("use of")).collect();
                assert!(clash.is_empty(), "{} at {size:?}: {clash:?}", PAGES[page]);
                assert!(
                    found.iter().any(|text| text == "Urto") && found.len() > 40,
                    "{} at {size:?}: {}",
                    PAGES[page],
                    found.len()
                );
            }
        }
    }
}

/// A plate that decays within a second, to keep tests short.
fn brief() -> Patch {
    let mut patch = Patch { name: "Brief".into(), ..Patch::default() };
    patch.settings.set(ParamId::Decay, 0.05);
    patch
}

/// Texts of a frame with their bounds and the clip rectangle.
fn placed_texts(shown: &FullOutput) -> Vec<(String, egui::Rect, egui::Rect)> {
    let mut found = Vec::new();
    shown.shapes.iter().for_each(|clipped| places(&clipped.shape, clipped.clip_rect, &mut found));
    found
}

/// Texts of a frame that are clipped or overlap, for `place`.
fn crowded(shown: &FullOutput, place: &str) -> Vec<String> {
    let (found, mut faults) = (placed_texts(shown), Vec::new());
    for (i, (text, at, clip)) in found.iter().enumerate() {
        if !clip.expand(0.5).contains_rect(*at) {
            faults.push(format!("{place}: {text:?} is cut off: {at:?} in {clip:?}"));
        }
        let over = found[i + 1..].iter().find(|(_, other, _)| at.shrink(1.0).intersects(other.shrink(1.0)));
        if let Some((other, ..)) = over {
            faults.push(format!("{place}: {text:?} lies over {other:?}"));
        }
    }
    faults
}

#[test]
fn no_text_is_cut_off_or_lies_over_another() {
    let mut window = WindowDriver::new();
    window.play(brief());
    let mut faults = BTreeSet::new();
    for size in SIZES {
        window.size = size;
        for (page, title) in PAGES.into_iter().enumerate() {
            window.editor.pages.current = page;
            window.live();
            for velocity in [0.3, 0.9] {
                window.strike(57, velocity);
                (0..8).for_each(|_| _ = window.live());
            }
            faults.extend(crowded(window.live(), &format!("{title} at {size:?}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Roles and names of all controls on pages, rows of the drive page, and drawers.
fn everything(window: &mut WindowDriver) -> Vec<(egui::accesskit::Role, String)> {
    let mut found = Vec::new();
    for (page, title) in PAGES.into_iter().enumerate() {
        window.editor.pages.current = page;
        let tabs = match title {
            "Drive" => drive::ROWS.len() + 1,
            "Matrix" => matrix::ROWS.len() + 1,
            _ => 1,
        };
        for row in 0..tabs {
            window.editor.pages.drive.select_tab(row);
            window.editor.pages.matrix.select_tab(row);
            window.look(Vec::new());
            found.extend(window.names());
        }
    }
    for (place, drawer) in crate::editor::panels::main_controls::DRAWERS.iter().enumerate() {
        for row in 0..drawer.rows.len() {
            window.editor.pages.drawer.show_row(place, row);
            window.look(Vec::new());
            found.extend(window.names());
        }
    }
    window.editor.pages.drawer = Default::default();
    found
}

#[test]
fn every_knob_can_be_reached_and_everything_has_a_name() {
    let found = everything(&mut WindowDriver::new());
    for (role, name) in &found {
        use egui::accesskit::Role::{Button, CheckBox, ComboBox, RadioButton, Slider, Tab};
        assert!(!matches!(role, Button | CheckBox | ComboBox | RadioButton | Slider | Tab) || !name.is_empty(), "{role:?}");
    }
    let reached: BTreeSet<_> = found.into_iter().map(|(_, name)| name).collect();
    for id in ParamId::ALL {
        let name = id.spec().name;
        assert!(reached.contains(name), "{name} cannot be reached");
    }
}

#[test]
fn a_drag_is_one_gesture_and_is_undone_to_the_bit() {
    let mut window = WindowDriver::new();
    let mut patch = Patch { name: "Odd".into(), ..Patch::default() };
    patch.settings.set(ParamId::HammerMass, 0.012_345_678_901);
    window.editor.play(patch);
    window.look(Vec::new());
    let before = window.editor.instance.params.own_patch();
    window.drag(pos2(162.0, 686.0), pos2(162.0, 640.0));
    let requests = window.host.requests();
    let (first, last) = (requests.first().copied(), requests.last().copied());
    assert_eq!(
        (first, last),
        (Some(HostRequest::Begin(ParamId::HammerMass)), Some(HostRequest::End(ParamId::HammerMass))),
        "{requests:?}"
    );
    let sets = requests[1..requests.len() - 1]
        .iter()
        .filter(|request| matches!(request, HostRequest::Set(ParamId::HammerMass, _)))
        .count();
    assert!(sets == requests.len() - 2 && sets >= 7, "{requests:?}");
    assert!(window.editor.instance.params.own_patch().settings.get(ParamId::HammerMass) > 0.02);
    let after = window.editor.instance.params.own_patch();
    window.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(window.editor.instance.params.own_patch(), before, "undone");
    window.press(Key::Z, Modifiers::COMMAND | Modifiers::SHIFT);
    assert_eq!(window.editor.instance.params.own_patch(), after, "done again");
}

#[test]
fn a_value_is_typed_with_its_unit() {
    let mut window = WindowDriver::new();
    window.click(pos2(162.0, 753.0));
    window.look(Vec::new());
    window.look(vec![Input::Text("2.5 g".into())]);
    window.press(Key::Enter, Modifiers::NONE);
    let mass = window.editor.instance.params.value(ParamId::HammerMass);
    assert!((mass / 2.5e-3 - 1.0).abs() < 1e-5, "{mass}");
}

#[test]
fn a_click_on_the_body_strikes_it_there() {
    let mut window = WindowDriver::new();
    let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
    let begun = Instant::now();
    while window.editor.pages.body_view.is_moving()
        || window.look(Vec::new()).shapes.is_empty()
        || begun.elapsed() < Duration::from_millis(50)
    {
        assert!(begun.elapsed() < Duration::from_secs(20), "no body");
        window.look(Vec::new());
    }
    let mut hits = Vec::new();
    for x in [180.0, 560.0] {
        // the remaining vibration of the last strike does not matter
        window.click(pos2(x, 380.0));
        window.audio.take_editor_events(&mut engine);
        let [left, right] = &mut [[0.0f32; 4096], [0.0; 4096]];
        engine.render(left, right, [&[]; 2]);
        window.audio.send_telemetry(&mut engine);
        window.look(Vec::new());
        hits.push(*window.editor.pages.hit_scope.last().unwrap_or_else(|| panic!("no hit at {x}")));
        engine.reset();
    }
    assert!(hits.iter().all(|hit| hit.velocity_in > 0.05), "struck with speed");
    assert!((hits[0].duration / hits[1].duration - 1.0).abs() > 1e-6, "at two places");
    assert!(window.host.requests().is_empty(), "no parameter changes");
}

#[test]
fn the_browser_hears_restores_and_keeps() {
    let mut window = WindowDriver::new();
    let before = window.editor.instance.params.own_patch();
    window.press(Key::B, Modifiers::NONE);
    assert!(window.editor.pages.browser.is_some());
    window.press(Key::ArrowDown, Modifiers::NONE);
    let played = window.editor.instance.params.name();
    assert!(!played.is_empty(), "the first is played");
    window.press(Key::Escape, Modifiers::NONE);
    assert_eq!(
        (window.editor.instance.params.own_patch(), window.editor.pages.browser.is_none()),
        (before.clone(), true),
        "all is as it was"
    );
    window.press(Key::B, Modifiers::NONE);
    window.press(Key::ArrowDown, Modifiers::NONE);
    window.press(Key::ArrowDown, Modifiers::NONE);
    window.press(Key::Enter, Modifiers::NONE);
    assert!(window.editor.pages.browser.is_none() && window.editor.instance.params.name() != before.name);
    window.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(window.editor.instance.params.own_patch(), before, "one step back");
}

/// Delay until the next frame.
fn wait(shown: &egui::FullOutput) -> Duration {
    shown.viewport_output.values().map(|viewport| viewport.repaint_delay).min().unwrap_or_default()
}

/// Delay after the next frame.
fn next(window: &mut WindowDriver) -> Duration {
    wait(window.live())
}

#[test]
fn a_window_moves_with_a_hit_and_comes_to_rest_after_it() {
    let mut window = WindowDriver::new();
    window.play(brief());
    (0..120).for_each(|_| _ = next(&mut window));
    assert_eq!(next(&mut window), Duration::MAX, "before");
    window.strike(57, 0.7);
    for look in 0..30 {
        assert!(next(&mut window) <= FRAME_TIME, "look {look}");
    }
    (0..600).for_each(|_| _ = next(&mut window));
    assert_eq!(next(&mut window), Duration::MAX, "after");
}

#[test]
fn nothing_is_asked_for_while_nothing_moves() {
    let mut window = WindowDriver::new();
    // some pages do not show the last change of a body
    for (page, title) in PAGES.into_iter().enumerate() {
        let mut patch = Patch { name: title.into(), ..Patch::default() };
        patch.settings.set(ParamId::Modes, 5.0 + page as f64);
        window.editor.play(patch);
        window.editor.pages.current = 0;
        window.look(Vec::new());
        window.editor.pages.current = page;
        let begun = Instant::now();
        loop {
            let wait = wait(window.look(Vec::new()));
            if wait == Duration::MAX {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{title} asks for the next look in {wait:?}");
        }
    }
}
