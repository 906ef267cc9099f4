//! Colours, sizes and type. Nothing else in the editor names a colour, a size or a font.
//!
//! Two inks on neutral paper: force (hammer, contact, drive) and body (what is struck, its answer). Form repeats the ink: force is
//! filled, the body is lined, loss is hatched.

use std::sync::Arc;

use egui::{Color32, Context, FontData, FontDefinitions, FontFamily, FontId, Stroke, Visuals};

/// Ground.
pub const BG: Color32 = Color32::from_rgb(0x12, 0x14, 0x16);
/// Strip and footer.
pub const PANEL: Color32 = Color32::from_rgb(0x18, 0x1B, 0x1E);
/// Fields and knob faces.
pub const RAISED: Color32 = Color32::from_rgb(0x23, 0x27, 0x2B);
/// What is raised, under the pointer.
pub const HOVER: Color32 = Color32::from_rgb(0x2C, 0x31, 0x36);
/// Hairlines between parts.
pub const HAIR: Color32 = Color32::from_rgb(0x2B, 0x30, 0x35);
/// Lines of a plot's grid.
pub const GRID: Color32 = Color32::from_rgb(0x1F, 0x23, 0x26);
/// Axes and outlines.
pub const LINE: Color32 = Color32::from_rgb(0x68, 0x70, 0x78);
/// Track of a knob: between ground and line.
pub const TRACK: Color32 = Color32::from_rgb(0x47, 0x4D, 0x53);
/// Values and titles.
pub const TEXT: Color32 = Color32::from_rgb(0xEE, 0xEC, 0xE6);
/// Labels.
pub const TEXT2: Color32 = Color32::from_rgb(0xB9, 0xBB, 0xB9);
/// Ticks and units.
pub const TEXT3: Color32 = Color32::from_rgb(0x95, 0x9A, 0x9C);
/// Ink of hammer, contact, drive.
pub const FORCE: Color32 = Color32::from_rgb(0xFF, 0x7F, 0x52);
/// Ink of the body.
pub const BODY: Color32 = Color32::from_rgb(0x86, 0xCB, 0xE6);
/// Clipping and bad input.
pub const WARN: Color32 = Color32::from_rgb(0xF2, 0xC1, 0x4E);

/// Space from the window's edge, and between parts.
pub const MARGIN: f32 = 24.0;
/// Heights of header and footer.
pub const HEADER: f32 = 52.0;
/// Height of the footer.
pub const FOOTER: f32 = 28.0;
/// Height of the strip's tabs.
pub const TABS: f32 = 30.0;
/// Height of one row of controls in the strip, and in a small window.
pub const ROW: [f32; 2] = [136.0, 112.0];
/// Height of a group's title.
pub const TITLE: f32 = 22.0;
/// Width of what stands on every page of the strip, and in a small window.
pub const ALWAYS: [f32; 2] = [176.0, 152.0];
/// Windows below this are small.
pub const SMALL: [f32; 2] = [1120.0, 720.0];
/// Space between groups of controls.
pub const GAP: f32 = 24.0;
/// Rounding of fields.
pub const FIELD: f32 = 4.0;
/// Width of a hairline.
pub const HAIRLINE: f32 = 1.0;
/// Width of a curve.
pub const CURVE: f32 = 2.4;
/// Width of a tab's or a group's rule, and of a needle.
pub const RULE: f32 = 2.5;
/// Width of a knob's track, of its arc, and of that while it is dragged.
pub const ARC: [f32; 3] = [3.0, 3.5, 4.5];
/// Radius of a knob, and in a small window.
pub const KNOB: [f32; 2] = [26.0, 21.0];

/// Weights of the one family, and the italic of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Labels and text.
    Regular,
    /// Values.
    Medium,
    /// Titles.
    SemiBold,
    /// Symbols of formulas.
    Symbol,
}

/// Sizes of type [logical pixels].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// Titles.
    Title = 40,
    /// Readings.
    Reading = 32,
    /// Rows and fields.
    Row = 28,
    /// Values.
    Value = 27,
    /// Text.
    Text = 26,
    /// Labels.
    Label = 25,
    /// Ticks and units.
    Tick = 24,
}

/// A font.
pub fn font(face: Face, size: Size) -> FontId {
    // Half pixels, so that 13.5 and 12.5 can be named.
    FontId::new(size as u8 as f32 / 2.0, FontFamily::Name(face.name().into()))
}

impl Face {
    fn name(self) -> &'static str {
        match self {
            Face::Regular => "regular",
            Face::Medium => "medium",
            Face::SemiBold => "semibold",
            Face::Symbol => "symbol",
        }
    }

    fn file(self) -> &'static [u8] {
        match self {
            Face::Regular => include_bytes!("../../assets/fonts/IBMPlexSans_400Regular.ttf"),
            Face::Medium => include_bytes!("../../assets/fonts/IBMPlexSans_500Medium.ttf"),
            Face::SemiBold => include_bytes!("../../assets/fonts/IBMPlexSans_600SemiBold.ttf"),
            Face::Symbol => include_bytes!("../../assets/fonts/IBMPlexSerif_400Regular_Italic.ttf"),
        }
    }
}

/// Gives a window its type and its colours.
pub fn dress(context: &Context) {
    let mut fonts = FontDefinitions::empty();
    for face in [Face::Regular, Face::Medium, Face::SemiBold, Face::Symbol] {
        fonts.font_data.insert(face.name().to_owned(), Arc::new(FontData::from_static(face.file())));
        // The italic has no Greek letters.
        let fallback = Face::Regular.name().to_owned();
        fonts.families.insert(FontFamily::Name(face.name().into()), vec![face.name().to_owned(), fallback]);
    }
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec![Face::Regular.name().to_owned()]);
    }
    context.set_fonts(fonts);
    context.all_styles_mut(|style| style.visuals = visuals());
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = BG;
    visuals.window_fill = RAISED;
    visuals.window_stroke = Stroke::new(HAIRLINE, LINE);
    visuals.override_text_color = Some(TEXT);
    visuals.extreme_bg_color = RAISED;
    visuals.selection.bg_fill = TRACK;
    visuals.selection.stroke = Stroke::new(HAIRLINE, TEXT);
    visuals.widgets.hovered.weak_bg_fill = HOVER;
    visuals.widgets.hovered.bg_stroke = Stroke::NONE;
    visuals.widgets.active.weak_bg_fill = HOVER;
    visuals.widgets.inactive.weak_bg_fill = RAISED;
    visuals
}

/// `color` with a part of its opacity.
pub fn faint(color: Color32, opacity: f32) -> Color32 {
    color.gamma_multiply(opacity)
}
