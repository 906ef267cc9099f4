//! The MIDI devices of the user: the module of electronic drums, and the list of assigned controllers with number, channel, form of its messages and range
//! of each, and a button that removes it.

use egui::{Rect, RichText, Ui, vec2};

use crate::editor::controller_learning::ControllerLearning;
use crate::editor::param_context::ParamContext;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::text_field::{read_number, show_whole};
use crate::editor::widgets::{Number, Side, Table, TableRow, ThemePainter, button, menu, text_field, title};
use urto_engine::{ControllerAssignment, ControllerMode, DrumModule, FIRST_CHANNEL_MESSAGE};

/// The columns of the list.
const TABLE: Table = Table {
    name: "learned controllers",
    columns: &[(0.0, "Parameter"), (0.34, "CC"), (0.45, "Channel"), (0.56, "Messages"), (0.76, "At 0"), (0.86, "At 127")],
    row: 38.0,
};
/// Number of channels.
const CHANNELS: f64 = 16.0;
/// Label of the list of drum modules; its height, the width of the label and of the list [px].
const DRUMS: &str = "Pads that play kits";
const DRUMS_HEIGHT: f32 = 28.0;
const DRUMS_LABEL: f32 = 132.0;
const DRUMS_WIDTH: f32 = 190.0;
/// Text of an empty list, and its greatest width [px].
const EMPTY: &str = "No controller is assigned yet. Right-click a knob, choose \"Learn a controller\", and move a controller of your MIDI \
                     device. It then sets the parameter in all songs and with all presets.";
const EMPTY_WIDTH: f32 = 520.0;

/// Draws the list in `rect`.
pub fn show(ui: &mut Ui, rect: Rect, context: &mut ParamContext) {
    let painter = ThemePainter::new(ui);
    title(&painter, rect, "Learned controllers", "");
    let inside = rect.shrink2(vec2(theme::MARGIN, 0.0)).with_min_y(rect.top() + 56.0).with_max_y(rect.bottom() - 12.0);
    drums(ui, inside.with_max_y(inside.top() + DRUMS_HEIGHT), context.learning);
    let inside = inside.with_min_y(inside.top() + DRUMS_HEIGHT + 20.0);
    let assignments = context.learning.assignments().to_vec();
    if assignments.is_empty() {
        let width = inside.width().min(EMPTY_WIDTH);
        let look = theme::font(Face::Regular, Size::Value);
        let galley = painter.painter().layout(EMPTY.to_owned(), look, painter.ink.text2, width);
        painter.painter().galley(inside.min + vec2(0.0, 6.0), galley, painter.ink.text2);
        return;
    }
    TABLE.show(ui, inside, &assignments, |ui, row, assignment| line(ui, row, assignment, context.learning));
}

/// Draws the list of drum modules in `row`, and makes the choice of the user.
fn drums(ui: &mut Ui, row: Rect, learning: &mut ControllerLearning) {
    let painter = ThemePainter::new(ui);
    let field = row.with_min_x(row.left() + DRUMS_LABEL).with_max_x((row.left() + DRUMS_LABEL + DRUMS_WIDTH).min(row.right()));
    painter.text(row.left_center(), Side::Left, DRUMS, (Face::Regular, Size::Value, painter.ink.text));
    let response = button::drop_down(ui, field, DRUMS, learning.drums().name());
    menu(&response).width(field.width()).show(|ui| {
        for module in DrumModule::ALL {
            let text = RichText::new(module.name()).font(theme::font(Face::Regular, Size::Row));
            if ui.selectable_label(module == learning.drums(), text).clicked() {
                learning.set_drums(module);
                ui.close();
            }
        }
    });
}

/// Draws the row of one assignment, and makes the changes of the user.
fn line(ui: &mut Ui, row: &TableRow, assignment: &ControllerAssignment, learning: &mut ControllerLearning) {
    let name = assignment.param.spec().name;
    row.title(ui, name);
    let changed = [
        number(ui, row.cell(1), name, assignment),
        channel(ui, row.cell(2), name, assignment),
        mode(ui, row.cell(3), name, assignment),
        end(ui, row.cell(4), (name, 0), assignment),
        end(ui, row.cell(5), (name, 1), assignment),
    ];
    changed.into_iter().flatten().for_each(|changed| learning.assign(changed));
    if row.remove(ui, &format!("Remove the controller of {name}")) {
        learning.remove(assignment.param);
    }
}

/// The number of the controller.
fn number(ui: &mut Ui, field: Rect, name: &str, assignment: &ControllerAssignment) -> Option<ControllerAssignment> {
    let range = 0.0..=f64::from(FIRST_CHANNEL_MESSAGE - 1);
    let number = Number { value: f64::from(assignment.number), range, step: 1.0, show: &show_whole, read: &read_number };
    let changed = text_field::number(ui, field, &format!("Controller of {name}"), &number);
    changed.map(|number| ControllerAssignment { number: number as u8, ..*assignment })
}

/// The channel, or all.
fn channel(ui: &mut Ui, field: Rect, name: &str, assignment: &ControllerAssignment) -> Option<ControllerAssignment> {
    let show = |value: f64| if value == 0.0 { "all".to_owned() } else { show_whole(value) };
    let read = |text: &str| if text.trim().eq_ignore_ascii_case("all") { Some(0.0) } else { read_number(text) };
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
    let read = |text: &str| read_number(text.trim().trim_end_matches('%'));
    let number = Number { value: 100.0 * assignment.range[index], range: 0.0..=100.0, step: 1.0, show: &show, read: &read };
    let changed = text_field::number(ui, field, &format!("{name} {}", ["at 0", "at 127"][index]), &number)?;
    let mut changed_assignment = *assignment;
    changed_assignment.range[index] = changed / 100.0;
    Some(changed_assignment)
}
