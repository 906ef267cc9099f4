//! The main controls on every page (hammer, body, drive, output), and the drawer above them.
//!
//! The drawer has all parameters of a group, in rows that tabs select.

use egui::{Pos2, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::{Row, Spot, dropdown, group, knob, param_grid, param_row, velocity_curve};
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{Meter, Side, ThemePainter, Way, icon};
use crate::editor::{body_view, theme};
use urto_engine::params::{BodyKind, ParamId};

/// A group: name, colour, left edge and width in a normal and in a small window.
type Group = (&'static str, Hue, [f32; 2], [f32; 2]);

const GROUPS: [Group; 4] = [
    ("Hammer", Hue::Force, [24.0, 412.0], [16.0, 336.0]),
    ("Body", Hue::Body, [460.0, 456.0], [364.0, 312.0]),
    ("FonoBump", Hue::Force, [940.0, 104.0], [688.0, 64.0]),
    ("Output", Hue::Plain, [1068.0, 188.0], [764.0, 120.0]),
];

/// A knob: parameter, labels (normal, small), colour, and centre in both windows.
type KnobSpec = (ParamId, [&'static str; 2], Hue, [f32; 2]);

const PARAMS: [KnobSpec; 9] = [
    (ParamId::Hardness, ["Hardness", "Hardness"], Hue::Force, [66.0, 48.0]),
    (ParamId::HammerMass, ["Mass", "Mass"], Hue::Force, [162.0, 120.0]),
    (ParamId::StrikePosition, ["Position", "Position"], Hue::Force, [398.0, 314.0]),
    (ParamId::Tune, ["Tune", "Tune"], Hue::Body, [622.0, 474.0]),
    (ParamId::BodyMass, ["Mass", "Mass"], Hue::Body, [708.0, 532.0]),
    (ParamId::Decay, ["Decay time", "Decay"], Hue::Body, [794.0, 590.0]),
    (ParamId::Loss, ["Loss factor", "Loss"], Hue::Body, [880.0, 648.0]),
    (ParamId::DriveGain, ["Drive level", "Level"], Hue::Force, [992.0, 720.0]),
    (ParamId::Level, ["Level", "Level"], Hue::Plain, [1106.0, 796.0]),
];

/// Centres of the tiles for speed and body type, and left edge of the meter, in both windows.
const SPEED: [f32; 2] = [280.0, 212.0];
const KIND: [f32; 2] = [516.0, 402.0];
const METER: [f32; 2] = [1184.0, 846.0];
/// Window widths that these positions are for.
const DESIGN_WIDTH: [f32; 2] = [1280.0, 900.0];
/// Margins at both sides.
const SIDES: [f32; 2] = [24.0, 16.0];
/// Centre of the knobs below the top, and offsets of label and value.
const MIDDLE: [f32; 2] = [70.0, 42.0];
const BELOW: [[f32; 2]; 2] = [[47.0, 20.0], [36.0, 18.0]];
/// Width of a value in both windows.
const VALUE_WIDTH: [f32; 2] = [84.0, 57.0];
/// Height of the area that opens a group in a small window.
const SMALL_TITLE: f32 = 16.0;
/// Sizes of the tiles.
const SPEED_TILE: [[f32; 2]; 2] = [[124.0, 58.0], [96.0, 44.0]];
const KIND_TILE: [[f32; 2]; 2] = [[112.0, 58.0], [76.0, 44.0]];

/// Width of the chevron at the right of the body tile.
const CHEVRON: f32 = 20.0;

/// Positions in an area of a certain width.
struct Layout {
    rect: Rect,
    small: usize,
}

impl Layout {
    fn new(rect: Rect, small: bool) -> Self {
        Self { rect, small: usize::from(small) }
    }

    /// Scales a design position: distances from the margin grow with the width.
    fn x(&self, x: f32) -> f32 {
        let margin = SIDES[self.small];
        self.rect.left() + margin + (x - margin) * self.growth()
    }

    /// Width over the design width.
    fn growth(&self) -> f32 {
        let margins = 2.0 * SIDES[self.small];
        (self.rect.width() - margins) / (DESIGN_WIDTH[self.small] - margins)
    }

    fn middle(&self, x: [f32; 2]) -> Pos2 {
        pos2(self.x(x[self.small]), self.rect.top() + MIDDLE[self.small])
    }

    fn spot(&self, (id, names, _, x): KnobSpec) -> Spot<'static> {
        let radii = if id == ParamId::Hardness { theme::MACRO } else { theme::KNOB };
        let name = names[self.small];
        let width = VALUE_WIDTH[self.small] * self.growth().min(1.0);
        Spot { center: self.middle(x), radius: radii[self.small], width, below: BELOW[self.small], name }
    }

    fn tile(&self, x: [f32; 2], size: [[f32; 2]; 2]) -> Rect {
        let [width, height] = size[self.small];
        Rect::from_center_size(self.middle(x) + vec2(0.0, 1.0 - self.small as f32), vec2(width, height))
    }

    /// Centre of the label below the tile at `x`.
    fn below(&self, x: [f32; 2]) -> Pos2 {
        self.middle(x) + vec2(0.0, BELOW[self.small][0])
    }
}

/// Draws the main controls. `open` is the group whose drawer is open. Returns the group that the user opens or closes.
pub fn show(ui: &mut Ui, rect: Rect, context: &mut ParamContext, meter: &Meter, open: Option<usize>) -> Option<usize> {
    let layout = Layout::new(rect, context.small);
    let painter = ThemePainter::new(ui);
    painter.rect(rect, 0.0, painter.ink.panel);
    painter.hline(rect.x_range(), rect.top(), painter.ink.hair);
    let mut turned = None;
    for (place, group) in GROUPS.iter().enumerate() {
        if title(ui, &layout, group, open == Some(place), context) {
            turned = Some(place);
        }
    }
    // in the order of keyboard focus
    for (i, turned) in PARAMS.into_iter().enumerate() {
        let response = knob::at(ui, &layout.spot(turned), turned.0, turned.2, context);
        if turned.0 == ParamId::Hardness {
            param_row::hardness_popover(ui, &response, context);
        }
        match i {
            1 => velocity_curve::show(ui, layout.tile(SPEED, SPEED_TILE), layout.below(SPEED), BELOW[layout.small][1], context),
            2 => kind(ui, &layout, context),
            _ => {}
        }
    }
    output(&painter, &layout, meter, context.small);
    turned
}

/// The coloured line and the name of a group; a click opens its drawer.
fn title(ui: &Ui, layout: &Layout, &(name, hue, large, small): &Group, open: bool, context: &mut ParamContext) -> bool {
    let ([left, width], top) = (if context.small { small } else { large }, layout.rect.top());
    let rule = Rect::from_x_y_ranges(layout.x(left)..=layout.x(left + width), top..=top + theme::RULE);
    let painter = ThemePainter::new(ui);
    let color = if hue == Hue::Plain { painter.ink.text3 } else { painter.ink.of(hue) };
    painter.rect(rule, 0.0, color);
    let at = pos2(rule.left(), top + 19.0);
    // a small window has room for the arrow only
    let word = if context.small { 0.0 } else { painter.width(name, Face::SemiBold, Size::Label) + 8.0 };
    let arrow = if context.small { pos2(rule.right() - 7.0, top + 9.0) } else { pos2(at.x + word + 5.0, at.y) };
    let target = if context.small {
        Rect::from_x_y_ranges(rule.x_range(), top..=top + SMALL_TITLE)
    } else {
        Rect::from_min_max(pos2(at.x - 6.0, top + theme::RULE), pos2(arrow.x + 10.0, top + 32.0))
    };
    let response = ui.interact(target, ui.scope_id().with(("unfold", name)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Button, true, open, format!("All of {name}")));
    let lit = response.hovered() || open;
    if lit {
        painter.rect(target.with_min_y(top + theme::RULE), theme::FIELD, painter.ink.hover);
    }
    if !context.small {
        painter.text(at, Side::Left, name, (Face::SemiBold, Size::Label, painter.ink.of(hue)));
    }
    icon::chevron(
        &painter,
        arrow,
        if open { Way::Down } else { Way::Up },
        3.0,
        if lit { painter.ink.text } else { painter.ink.text3 },
    );
    if response.has_focus() {
        painter.focus(target.shrink(2.0), theme::FIELD);
    }
    if response.hovered() {
        *context.hint = format!("{name}: click to show all parameters of the group.");
    }
    response.clicked()
}

/// Centre of the hardness knob, for main controls in `rect`.
pub fn hardness(rect: Rect, small: bool) -> Pos2 {
    Layout::new(rect, small).middle(PARAMS[0].3)
}

/// The tile of the body type.
fn kind(ui: &mut Ui, layout: &Layout, context: &mut ParamContext) {
    let rect = layout.tile(KIND, KIND_TILE);
    dropdown::field_of(ui, rect, ParamId::Body, context);
    let painter = ThemePainter::new(ui);
    let (place, name) = dropdown::chosen(ParamId::Body, context);
    kind_picture(&painter, rect, place);
    let below = layout.below(KIND);
    painter.text(below, Side::Center, "Body type", painter.label());
    let face = if painter.width(name, Face::Medium, Size::Value) > rect.width() + 8.0 { Size::Tick } else { Size::Value };
    painter.text(below + vec2(0.0, BELOW[layout.small][1]), Side::Center, name, (Face::Medium, face, painter.ink.text));
}

/// Draws the picture of the body type with index `place` in `rect`.
fn kind_picture(painter: &ThemePainter, rect: Rect, place: usize) {
    let kind = BodyKind::ALL[place.min(BodyKind::ALL.len() - 1)];
    let picture = rect.with_max_x(rect.right() - CHEVRON).shrink2(vec2(6.0, 5.0));
    body_view::miniature(&painter.inside(rect), picture, kind);
    icon::chevron(painter, pos2(rect.right() - 13.0, rect.center().y), Way::Down, 4.0, painter.ink.text2);
}

fn output(painter: &ThemePainter, layout: &Layout, meter: &Meter, small: bool) {
    let left = layout.x(METER[layout.small]);
    let (top, height) = if small { (layout.rect.top() + 18.0, 66.0) } else { (layout.rect.top() + 40.0, 62.0) };
    meter.paint(painter, pos2(left, top), height, !small);
    let label = layout.rect.top() + MIDDLE[layout.small] + BELOW[layout.small][0];
    let value = label + BELOW[layout.small][1];
    let (limiter, works) = meter.limiter();
    if small {
        let peak = meter.peak().replace(" dB", "");
        let color = if works { painter.ink.warn } else { painter.ink.text };
        painter.text(pos2(left + 10.0, value), Side::Center, &peak, (Face::Medium, Size::Value, color));
    } else {
        let color = if works { painter.ink.warn } else { painter.ink.text2 };
        let right = layout.x(GROUPS[3].2[0] + GROUPS[3].2[1]);
        let wide = left + painter.width(&limiter, Face::Regular, Size::Label) > right;
        let (x, side) = if wide { (right, Side::Right) } else { (left, Side::Left) };
        painter.text(pos2(x, label), side, &limiter, (Face::Regular, Size::Label, color));
        painter.text(pos2(left, value), Side::Left, &meter.peak(), (Face::Medium, Size::Value, painter.ink.text));
    }
}

/// The drawer of a group of the main controls.
pub struct Drawer {
    /// Its colour.
    pub hue: Hue,
    /// Its rows.
    pub rows: &'static [Row],
}

/// The drawers, in the order of the groups of the main controls; the drive has a page instead.
pub const DRAWERS: [Drawer; 4] = [
    Drawer {
        hue: Hue::Force,
        rows: &[
            ("Strike", &[("Hammer", Hue::Force)]),
            ("Flam and strum", &[("Flam", Hue::Force), ("Strum", Hue::Force)]),
            ("Contact", &[("Contact", Hue::Force), ("Return", Hue::Force)]),
            ("Controllers", &[("Controllers", Hue::Force)]),
            ("Humanise", &[("Humanise", Hue::Force)]),
        ],
    },
    Drawer {
        hue: Hue::Body,
        rows: &[
            ("Body", &[("Body", Hue::Body)]),
            ("Shape", &[("Shape", Hue::Body), ("Material", Hue::Body), ("Release", Hue::Body)]),
            ("Two heads", &[(group::TWO_HEADS, Hue::Body)]),
            ("String course", &[(group::STRING_COURSE, Hue::Body)]),
            ("Dense body", &[(group::DENSE_BODY, Hue::Body)]),
            ("Knock", &[("Knock", Hue::Body)]),
            ("Shell", &[("Shell", Hue::Body)]),
            ("Hi-hat", &[("Hi-hat", Hue::Body)]),
            ("Tube", &[("Tube", Hue::Body)]),
            ("Keys", &[("Layout", Hue::Body), ("Tracking", Hue::Body)]),
            ("Pitch", &[("Pitch", Hue::Body)]),
        ],
    },
    Drawer { hue: Hue::Force, rows: &[] },
    Drawer {
        hue: Hue::Plain,
        rows: &[
            ("Pickups", &[("Pickups", Hue::Body), ("Output", Hue::Plain)]),
            ("Radiation", &[("Radiation", Hue::Body)]),
            ("Microphones", &[("Microphones", Hue::Plain)]),
            ("Room", &[("Room", Hue::Plain)]),
            ("Voices", &[("Voices", Hue::Plain), ("MIDI", Hue::Plain)]),
        ],
    },
];

/// Index of the drive's group.
pub const DRIVE: usize = 2;

/// The open drawer, and the row shown last in each.
#[derive(Default)]
pub struct OpenDrawer {
    /// Index of the group.
    pub group: Option<usize>,
    rows: [usize; DRAWERS.len()],
}

impl OpenDrawer {
    /// Opens the drawer of the group with index `place`, or closes it if it is open.
    pub fn toggle(&mut self, place: usize) {
        self.group = Some(place).filter(|_| self.group != Some(place));
    }

    /// Shows row `row` of the drawer with index `place`.
    #[cfg(test)]
    pub fn show_row(&mut self, place: usize, row: usize) {
        self.group = Some(place);
        self.rows[place] = row;
    }

    /// Draws the open drawer at the lower edge of `rect`, over the page.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, context: &mut ParamContext) {
        let Some((place, drawer)) = self.group.and_then(|place| Some((place, DRAWERS.get(place)?))) else { return };
        let rect = rect.with_min_y(rect.bottom() - param_grid::TABS - param_grid::height(context.small) - 14.0);
        // keeps pointer events from the page below
        let ground = ui.interact(rect, ui.scope_id().with("drawer"), Sense::CLICK | Sense::DRAG);
        ground.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Pane, true, "Drawer"));
        let painter = ThemePainter::new(ui);
        painter.rect(rect, 0.0, painter.ink.panel);
        painter.rect(
            rect.with_max_y(rect.top() + theme::RULE),
            0.0,
            if drawer.hue == Hue::Plain { painter.ink.text3 } else { painter.ink.of(drawer.hue) },
        );
        let inside = rect.shrink2(vec2(theme::MARGIN, 0.0)).with_min_y(rect.top() + 6.0);
        param_grid::tabbed(ui, inside, drawer.rows, &mut self.rows[place], context);
    }
}

#[cfg(test)]
mod tests {
    use egui::{Context, RawInput};

    use super::*;
    use crate::editor::param_controls::value_entry;
    use urto_engine::params::value_text;

    #[test]
    fn nothing_overlaps_and_every_value_fits() {
        let mut faults = Vec::new();
        for (width, small) in [(900.0, true), (1119.0, true), (1120.0, false), (1280.0, false), (2560.0, false)] {
            let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, theme::STRIP[usize::from(small)]));
            let layout = Layout::new(rect, small);
            let context = Context::default();
            theme::install(&context);
            let mut shown = context.run_ui(RawInput::default(), |ui| {
                let mut places = vec![
                    ("speed", layout.tile(SPEED, SPEED_TILE)),
                    ("kind", layout.tile(KIND, KIND_TILE)),
                    ("meter", Rect::from_min_size(pos2(layout.x(METER[layout.small]), 20.0), vec2(22.0, 80.0))),
                ];
                for turned in PARAMS {
                    let (spot, spec) = (layout.spot(turned), turned.0.spec());
                    places.push((
                        spec.id,
                        Rect::from_center_size(spot.center, vec2(spot.width.min(2.0 * spot.radius + 8.0), 2.0 * spot.radius)),
                    ));
                    for step in 0..=40 {
                        let text = value_text::show(spec, spec.clamped(spec.from_normalized(f64::from(step) / 40.0)));
                        let needed = value_entry::layout_value(ui, &text, spot.width).size().x;
                        if needed > spot.width {
                            faults.push(format!("{}: {text} takes {needed} at {width}", spec.id));
                        }
                    }
                }
                for (i, (name, place)) in places.iter().enumerate() {
                    let over = places[i + 1..].iter().find(|(_, other)| place.shrink(0.01).intersects(*other));
                    if let Some((other, _)) = over {
                        faults.push(format!("{name} lies over {other} at {width}"));
                    }
                    if !rect.contains_rect(*place) {
                        faults.push(format!("{name} leaves the strip at {width}: {place:?}"));
                    }
                }
            });
            shown.textures_delta.clear();
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
