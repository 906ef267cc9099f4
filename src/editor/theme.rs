//! Colours, sizes and fonts of the editor, and the layout of the window with its pages.
//!
//! No other file of the editor names a colour, a font size or a font.
//!
//! Two colours on a neutral background: force (hammer, contact, drive) and body (resonator, response). Form repeats the colour:
//! force is filled, body is outlined, loss is hatched, the previous hit is dashed, theory is dotted.

use std::sync::Arc;

use egui::{Color32, Context, FontData, FontDefinitions, FontFamily, FontId, Rect, Stroke, Theme, Ui, Visuals};

/// The colours of one theme.
#[derive(Debug)]
pub struct Ink {
    /// Whether the background is dark.
    pub dark: bool,
    /// Background.
    pub bg: Color32,
    /// Main controls and footer.
    pub panel: Color32,
    /// Fields and knob faces.
    pub raised: Color32,
    /// Fields and knob faces under the pointer.
    pub hover: Color32,
    /// Lines between areas.
    pub hair: Color32,
    /// Grid lines of plots, and of the floor below the body.
    pub grid: Color32,
    /// Axes and outlines.
    pub line: Color32,
    /// Track of a knob: between background and line.
    pub track: Color32,
    /// Values and titles.
    pub text: Color32,
    /// Labels.
    pub text2: Color32,
    /// Ticks, units, disabled items.
    pub text3: Color32,
    /// Hammer, contact, drive.
    pub force: Color32,
    /// Text on the colour of force.
    pub force_ink: Color32,
    /// The resonator.
    pub body: Color32,
    /// Text on the colour of the body.
    pub body_ink: Color32,
    /// Clipping and invalid input.
    pub warn: Color32,
    /// Material in shade and in light.
    pub solid: [Color32; 2],
    /// Sides of a body facing away from the light.
    pub side: Color32,
    /// Shadows.
    pub shadow: Color32,
}

const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

const DARK: Ink = Ink {
    dark: true,
    bg: hex(0x121416),
    panel: hex(0x181B1E),
    raised: hex(0x23272B),
    hover: hex(0x2C3136),
    hair: hex(0x2B3035),
    grid: hex(0x1F2326),
    line: hex(0x687078),
    track: hex(0x474D53),
    text: hex(0xEEECE6),
    text2: hex(0xB9BBB9),
    text3: hex(0x959A9C),
    force: hex(0xFF7F52),
    force_ink: hex(0x1A0E08),
    body: hex(0x86CBE6),
    body_ink: hex(0x08161D),
    warn: hex(0xF2C14E),
    solid: [hex(0x3A4147), hex(0x6E7A83)],
    side: hex(0x292E32),
    shadow: hex(0x000000),
};

const LIGHT: Ink = Ink {
    dark: false,
    bg: hex(0xF7F4ED),
    panel: hex(0xEFEBE1),
    raised: hex(0xFFFFFF),
    hover: hex(0xE4DED1),
    hair: hex(0xD8D1C2),
    grid: hex(0xECE7DB),
    line: hex(0x837D71),
    track: hex(0xAFAAA0),
    text: hex(0x1B1A18),
    text2: hex(0x47453F),
    text3: hex(0x625F56),
    force: hex(0xB0330A),
    force_ink: hex(0xFFFFFF),
    body: hex(0x12527A),
    body_ink: hex(0xFFFFFF),
    warn: hex(0x835400),
    solid: [hex(0xD5D2C8), hex(0xF3F0E8)],
    side: hex(0xBBB8AE),
    shadow: hex(0x6B5F48),
};

/// The colours of the theme of `context`.
pub fn ink(context: &Context) -> &'static Ink {
    match context.theme() {
        Theme::Dark => &DARK,
        Theme::Light => &LIGHT,
    }
}

/// Group of a control, which sets its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hue {
    /// Hammer, contact, drive.
    Force,
    /// The resonator.
    Body,
    /// Neither.
    Plain,
}

impl Ink {
    /// The colour of `hue`.
    pub fn of(&self, hue: Hue) -> Color32 {
        match hue {
            Hue::Force => self.force,
            Hue::Body => self.body,
            Hue::Plain => self.text2,
        }
    }

    /// The text colour on `hue`.
    pub fn on(&self, hue: Hue) -> Color32 {
        match hue {
            Hue::Force => self.force_ink,
            Hue::Body => self.body_ink,
            Hue::Plain => self.bg,
        }
    }
}

/// Initial size of the window [logical pixels].
pub const SIZE: [f32; 2] = [1280.0, 800.0];
/// Names of the pages in their order.
pub const PAGES: [&str; 6] = ["Hit", "Modes", "Parts", "Drive", "Tuning", "Matrix"];
/// Margin of the window, and between areas.
pub const MARGIN: f32 = 24.0;
/// Height of the header.
pub const HEADER: f32 = 52.0;
/// Height of the footer.
pub const FOOTER: f32 = 28.0;
/// Height of the main controls (normal, small window).
pub const STRIP: [f32; 2] = [156.0, 116.0];
/// Height of tabs.
pub const TABS: f32 = 30.0;
/// Height of one row of a parameter grid (normal, small window).
pub const ROW: [f32; 2] = [128.0, 108.0];
/// Height of a group's title.
pub const TITLE: f32 = 26.0;
/// Windows below this size are small [logical pixels].
pub const SMALL: [f32; 2] = [1120.0, 720.0];
/// Space between groups of controls.
pub const GAP: f32 = 24.0;
/// Corner radius of fields, segments and popovers.
pub const FIELD: f32 = 4.0;
/// Corner radius of a row of segments.
pub const SEGMENTS: f32 = 5.0;
/// Corner radius of floating cards.
pub const POPOVER: f32 = 6.0;
/// Width of a hairline.
pub const HAIRLINE: f32 = 1.0;
/// Width of a focus ring.
pub const FOCUS: f32 = 1.5;
/// Width of a curve.
pub const CURVE: f32 = 2.4;
/// Width of the line of a tab or a group, and of a knob's pointer.
pub const RULE: f32 = 2.5;
/// Width of a knob's track, of its arc, and of its arc while dragged.
pub const ARC: [f32; 3] = [3.0, 3.5, 4.5];
/// Radius of a knob (normal, small window).
pub const KNOB: [f32; 2] = [26.0, 21.0];
/// Radius of the hardness knob (normal, small window).
pub const MACRO: [f32; 2] = [29.0, 21.0];
/// Zoom factors.
pub const ZOOMS: [f32; 7] = [0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5];

/// Font weights, and the italic for symbols.
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

/// Font sizes, in half logical pixels.
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

impl Size {
    /// Size [logical pixels].
    pub fn points(self) -> f32 {
        // half pixels, so that 13.5 and 12.5 are possible
        f32::from(self as u8) / 2.0
    }
}

/// A font.
pub fn font(face: Face, size: Size) -> FontId {
    FontId::new(size.points(), FontFamily::Name(face.name().into()))
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
            Face::Regular => include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/IBMPlexSans_400Regular.ttf")),
            Face::Medium => include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/IBMPlexSans_500Medium.ttf")),
            Face::SemiBold => include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/IBMPlexSans_600SemiBold.ttf")),
            Face::Symbol => {
                include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/IBMPlexSerif_400Regular_Italic.ttf"))
            }
        }
    }
}

/// Sets fonts and colours of a window.
pub fn install(context: &Context) {
    let mut fonts = FontDefinitions::empty();
    for face in [Face::Regular, Face::Medium, Face::SemiBold, Face::Symbol] {
        fonts.font_data.insert(face.name().to_owned(), Arc::new(FontData::from_static(face.file())));
        let fallback = Face::Regular.name().to_owned();
        fonts.families.insert(FontFamily::Name(face.name().into()), vec![face.name().to_owned(), fallback]);
    }
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec![Face::Regular.name().to_owned()]);
    }
    context.set_fonts(fonts);
    for (theme, ink) in [(Theme::Dark, &DARK), (Theme::Light, &LIGHT)] {
        context.style_mut_of(theme, |style| style.visuals = visuals(ink));
    }
}

fn visuals(ink: &Ink) -> Visuals {
    let mut visuals = if ink.dark { Visuals::dark() } else { Visuals::light() };
    visuals.panel_fill = ink.bg;
    visuals.window_fill = ink.raised;
    visuals.window_stroke = Stroke::new(HAIRLINE, ink.line);
    visuals.override_text_color = Some(ink.text);
    visuals.extreme_bg_color = ink.raised;
    visuals.selection.bg_fill = mix(ink.raised, ink.text, 0.22);
    visuals.selection.stroke = Stroke::new(HAIRLINE, ink.text);
    visuals.widgets.hovered.weak_bg_fill = ink.hover;
    visuals.widgets.hovered.bg_stroke = Stroke::NONE;
    visuals.widgets.active.weak_bg_fill = ink.hover;
    visuals.widgets.inactive.weak_bg_fill = ink.raised;
    visuals
}

/// The style of lists and menus: the entry with the focus has a ring.
pub fn menu_style(style: &mut egui::Style) {
    egui::containers::menu::menu_style(style);
    style.visuals.widgets.active.bg_stroke = Stroke::new(FOCUS, style.visuals.override_text_color.unwrap_or_default());
}

/// `color` with a part of its opacity.
pub fn faint(color: Color32, opacity: f32) -> Color32 {
    color.gamma_multiply(opacity)
}

/// Linear interpolation of two sRGB colours; `t` is clamped to 0 to 1.
pub fn mix(a: Color32, b: Color32, t: f32) -> Color32 {
    let t = if t > 0.0 { t.min(1.0) } else { 0.0 };
    let between = |a: u8, b: u8| (f32::from(a) + t * (f32::from(b) - f32::from(a))).round() as u8;
    Color32::from_rgb(between(a.r(), b.r()), between(a.g(), b.g()), between(a.b(), b.b()))
}

/// The areas of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowLayout {
    /// The whole window.
    pub window: Rect,
    /// The header, at the top.
    pub header: Rect,
    /// The page, between header and main controls.
    pub middle: Rect,
    /// The left part of the page: the body.
    pub stage: Rect,
    /// The right part of the page: the hit scope.
    pub scope: Rect,
    /// The main controls, on every page.
    pub strip: Rect,
    /// The footer, at the bottom.
    pub footer: Rect,
    /// Whether the window is small.
    pub small: bool,
}

impl WindowLayout {
    /// The areas of `window`.
    pub fn of(window: Rect) -> Self {
        let small = window.width() < SMALL[0] || window.height() < SMALL[1];
        let (header, rest) = window.split_top_bottom_at_y(window.top() + HEADER);
        let (rest, footer) = rest.split_top_bottom_at_y(rest.bottom() - FOOTER);
        let (middle, strip) = rest.split_top_bottom_at_y(rest.bottom() - STRIP[usize::from(small)]);
        let width = if small { 344.0 } else { (0.369 * window.width()).clamp(472.0, 640.0) };
        let (stage, scope) = middle.split_left_right_at_x(middle.right() - width.round());
        Self { window, header, middle, stage, scope, strip, footer, small }
    }
}

/// A child area with its own identifiers, so that a parameter may have a control in two areas. For assistive technology it is a group
/// called `name`.
pub fn part(ui: &mut Ui, name: &str, rect: egui::Rect) -> Ui {
    let part = ui.new_child(egui::UiBuilder::new().id_salt(name).max_rect(rect));
    ui.ctx().accesskit_node_builder(part.unique_id(), |node| {
        node.set_role(egui::accesskit::Role::Group);
        node.set_label(name);
    });
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2.2).
    fn luminance(color: Color32) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    }

    fn contrast(a: Color32, b: Color32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_text_stands_out_from_every_ground() {
        for ink in [&DARK, &LIGHT] {
            for ground in [ink.bg, ink.panel, ink.raised, ink.hover] {
                for text in [ink.text, ink.text2, ink.text3, ink.force, ink.body, ink.warn] {
                    assert!(contrast(ground, text) >= 4.5, "{text:?} on {ground:?}: {}", contrast(ground, text));
                }
                assert!(contrast(ground, ink.line) >= 2.5, "{:?} on {ground:?}", ink.line);
            }
            for hue in [Hue::Force, Hue::Body, Hue::Plain] {
                assert!(contrast(ink.of(hue), ink.on(hue)) >= 4.5, "{hue:?}");
            }
        }
    }
}
