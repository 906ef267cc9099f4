//! The list of assigned controllers: number, channel, form of its messages and range of each, and a button that removes it.

use egui::{Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use crate::editor::controller_learning::ControllerLearning;
use crate::editor::param_context::ParamContext;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Number, Side, ThemePainter, button, icon, menu, text_field, title};
use urto_engine::{ControllerAssignment, ControllerMode, FIRST_CHANNEL_MESSAGE};

/// Height of a row and of a field [px].
const LINE: f32 = 38.0;
const FIELD: f32 = 28.0;
/// Left edges of the columns, as parts of the width, and their headings.
const COLUMNS: [f32; 6] = [0.0, 0.34, 0.45, 0.56, 0.76, 0.86];
const HEADINGS: [&str; 6] = ["Parameter", "CC", "Channel", "Messages", "At 0", "At 127"];
/// Space between two fields, and width of the button that removes a row [px].
const GAP: f32 = 8.0;
const REMOVE: f32 = 26.0;
/// Number of channels.
const CHANNELS: f64 = 16.0;
/// Text of an empty list.
const EMPTY: &str = "No controller is assigned yet. Right-click a knob, choose \"Learn a controller\", and move a controller of your MIDI \
                     device. It then sets the parameter in all songs and with all presets.";

/// Draws the list in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, context: &mut ParamContext) {
    let painter = ThemePainter::new(ui);
    title(&painter, rect, "Learned controllers", "");
    let inside = rect.shrink2(vec2(theme::MARGIN, 0.0)).with_min_y(rect.top() + 56.0);
    let learning = &mut *context.learning;
    if learning.assignments().is_empty() {
        let galley = painter.painter().layout(
            EMPTY.to_owned(),
            theme::font(Face::Regular, Size::Value),
            painter.ink.text2,
            inside.width().min(520.0),
        );
        painter.painter().galley(inside.min + vec2(0.0, 6.0), galley, painter.ink.text2);
        return;
    }
    for (part, heading) in COLUMNS.into_iter().zip(HEADINGS) {
        let at = pos2(inside.left() + part * (inside.width() - REMOVE), inside.top() + 4.0);
        painter.text(at, Side::Left, heading, painter.label());
    }
    let body = inside.with_min_y(inside.top() + 18.0).with_max_y(inside.bottom() - 12.0);
    let mut list = ui.new_child(egui::UiBuilder::new().id_salt("learned controllers").max_rect(body));
    list.spacing_mut().item_spacing.y = 0.0;
    let assignments = learning.assignments().to_vec();
    ScrollArea::vertical().auto_shrink(false).show_rows(&mut list, LINE, assignments.len(), |ui, rows| {
        for assignment in &assignments[rows] {
            let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
            line(ui, row, assignment, learning);
        }
    });
}

/// Draws the row of one assignment, and makes the changes of the user.
fn line(ui: &mut Ui, row: Rect, assignment: &ControllerAssignment, learning: &mut ControllerLearning) {
    let painter = ThemePainter::new(ui);
    painter.hline(row.x_range(), row.top(), painter.ink.hair);
    let name = assignment.param.spec().name;
    let width = row.width() - REMOVE;
    let cell = |i: usize| {
        let right = COLUMNS.get(i + 1).copied().unwrap_or(1.0);
        let left = pos2(row.left() + COLUMNS[i] * width, row.center().y - 0.5 * FIELD);
        Rect::from_min_size(left, vec2((right - COLUMNS[i]) * width - GAP, FIELD))
    };
    let shown = painter.fitting(name, Face::Regular, Size::Value, cell(0).width());
    painter.text(cell(0).left_center(), Side::Left, &shown, (Face::Regular, Size::Value, painter.ink.text));
    let changed = [
        number(ui, cell(1), name, assignment),
        channel(ui, cell(2), name, assignment),
        mode(ui, cell(3), name, assignment),
        end(ui, cell(4), (name, 0), assignment),
        end(ui, cell(5), (name, 1), assignment),
    ];
    changed.into_iter().flatten().for_each(|changed| learning.assign(changed));
    let place = Rect::from_center_size(pos2(row.right() - 0.5 * REMOVE, row.center().y), vec2(REMOVE, REMOVE));
    let response = button::bare(ui, place, &format!("Remove the controller of {name}"));
    icon::cross(&ThemePainter::new(ui), place.center(), painter.ink.text2);
    if response.on_hover_text("Remove").clicked() {
        learning.remove(assignment.param);
    }
}

/// The number of the controller.
fn number(ui: &mut Ui, field: Rect, name: &str, assignment: &ControllerAssignment) -> Option<ControllerAssignment> {
    let range = 0.0..=f64::from(FIRST_CHANNEL_MESSAGE - 1);
    let number = Number { value: f64::from(assignment.number), range, step: 1.0, show: &whole, read: &read };
    let changed = text_field::number(ui, field, &format!("Controller of {name}"), &number);
    changed.map(|number| ControllerAssignment { number: number as u8, ..*assignment })
}

/// The channel, or all.
fn channel(ui: &mut Ui, field: Rect, name: &str, assignment: &ControllerAssignment) -> Option<ControllerAssignment> {
    let show = |value: f64| if value == 0.0 { "all".to_owned() } else { whole(value) };
    let read = |text: &str| if text.trim().eq_ignore_ascii_case("all") { Some(0.0) } else { read(text) };
    let value = assignment.channel.map_or(0.0, |channel| f64::from(channel) + 1.0);
    let number = Number { value, range: 0.0..=CHANNELS, step: 1.0, show: &show, read: &read };
    let changed = text_field::number(ui, field, &format!("Channel of the controller of {name}"), &number);
    changed.map(|channel| ControllerAssignment { channel: (channel as u8).checked_sub(1), ..*assignment })
}

/// The form of its messages.
fn mode(ui: &Ui, field: Rect, name: &str, assignment: &ControllerAssignment) -> Option<ControllerAssignment> {
    let label = format!("Messages of the controller of {name}");
    let response = button::drop_down(ui, field, &label, assignment.mode.name());
    let mut chosen = None;
    menu(&response).width(field.width()).show(|ui| {
        for mode in ControllerMode::ALL {
            let text = RichText::new(mode.name()).font(theme::font(Face::Regular, Size::Row));
            if ui.selectable_label(mode == assignment.mode, text).clicked() {
                chosen = Some(ControllerAssignment { mode, ..*assignment });
                ui.close();
            }
        }
    });
    chosen
}

/// The normalised value of the parameter at 0 (`index` 0) or at 127 (1), in percent of the parameter's range.
fn end(
    ui: &mut Ui,
    field: Rect,
    (name, index): (&str, usize),
    assignment: &ControllerAssignment,
) -> Option<ControllerAssignment> {
    let show = |value: f64| format!("{value:.0} %");
    let read = |text: &str| read(text.trim().trim_end_matches('%'));
    let number = Number { value: 100.0 * assignment.range[index], range: 0.0..=100.0, step: 1.0, show: &show, read: &read };
    let changed = text_field::number(ui, field, &format!("{name} {}", ["at 0", "at 127"][index]), &number)?;
    let mut changed_assignment = *assignment;
    changed_assignment.range[index] = changed / 100.0;
    Some(changed_assignment)
}

fn whole(value: f64) -> String {
    format!("{value:.0}")
}

fn read(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}
