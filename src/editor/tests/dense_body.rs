//! Tests of the group of the dense body in the drawer.

use crate::editor::panels::main_controls;
use crate::editor::param_controls::group::DENSE_BODY;
use crate::editor::tests::*;
use urto_engine::params::BodyKind;

/// Index of the row of the dense body in the drawer of the body.
pub(super) fn dense_row() -> usize {
    let rows = main_controls::DRAWERS[1].rows;
    rows.iter().position(|(name, _)| *name == DENSE_BODY).expect("a row")
}

#[test]
fn the_dice_draws_another_specimen_in_one_gesture_that_is_undone() {
    let mut window = WindowDriver::new();
    let mut patch = Patch::default();
    patch.settings.set(ParamId::Body, f64::from(BodyKind::Disc as u8));
    patch.settings.set(ParamId::Specimen, 7.0);
    window.load(patch);
    window.editor.pages.drawer.show_row(1, dense_row());
    window.host.requests();
    window.click_on("Another specimen at random");
    let drawn = window.editor.instance.params.value(ParamId::Specimen);
    assert!(drawn != 7.0 && drawn.fract() == 0.0, "{drawn}");
    let requests = window.host.requests();
    let id = ParamId::Specimen;
    assert_eq!((requests.first(), requests.last()), (Some(&HostRequest::Begin(id)), Some(&HostRequest::End(id))), "{requests:?}");
    assert_eq!(requests.len(), 3, "{requests:?}");
    window.press(Key::Z, Modifiers::COMMAND);
    assert_eq!(window.editor.instance.params.value(ParamId::Specimen), 7.0);
}

#[test]
fn the_dense_body_says_why_it_has_no_effect() {
    let mut window = WindowDriver::new();
    for (kind, part) in [
        (BodyKind::Bar, "No effect on the body type Bar."),
        (BodyKind::Head, "Body cascade does not act on heads."),
        (BodyKind::Disc, "none of them dense: Mode density is 0, 1.00 mm thick."),
    ] {
        let mut patch = Patch::default();
        patch.settings.set(ParamId::Body, f64::from(kind as u8));
        window.play(patch);
        window.editor.pages.drawer.show_row(1, dense_row());
        let texts = window.texts();
        assert!(texts.iter().any(|text| text.contains(part)), "{part}: {texts:?}");
    }
    window.load(urto_engine::patch::kits().next().expect("a kit"));
    window.editor.pages.drawer.show_row(1, dense_row());
    assert!(window.texts().iter().any(|text| text.contains("each zone of a kit has its own body")));
}
