//! The tooltip of a parameter, and error messages that stay until the user closes them.
//!
//! The tooltip has description, range, default, and the source of the physics.

use egui::accesskit::Role;
use egui::{Rect, Response, RichText, Ui, WidgetInfo, pos2, vec2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::button;
use crate::editor::widgets::button::TARGET;
use crate::editor::widgets::icon;
use crate::editor::widgets::painter::{Side, ThemePainter};
use urto_engine::params::value_text;
use urto_engine::params::{ParamId, Scale};

/// Greatest width of the text of a tooltip.
const WIDEST: f32 = 300.0;

/// Width of the coloured bar at the left of an error message.
const BAR: f32 = 3.0;

/// Shows name, value `text`, description, range, default and source.
pub fn show(response: Response, id: ParamId, text: &str) -> Response {
    let spec = id.spec();
    response.on_hover_ui(|ui| {
        ui.set_max_width(WIDEST);
        line(ui, (Face::SemiBold, Size::Text), &format!("{}: {text}", spec.name));
        line(ui, (Face::Regular, Size::Text), spec.hint);
        line(ui, (Face::Regular, Size::Label), &range(id));
        if let Some(source) = source(id) {
            line(ui, (Face::Regular, Size::Label), source);
        }
    })
}

fn line(ui: &mut Ui, (face, size): (Face, Size), text: &str) {
    ui.label(RichText::new(text).font(theme::font(face, size)));
}

/// Range and default of a parameter.
fn range(id: ParamId) -> String {
    let spec = id.spec();
    let shown = |value: f64| value_text::show(spec, value);
    match spec.scale {
        Scale::Choice(names) => format!("One of {} choices; default {}", names.len(), shown(spec.default)),
        _ => format!("From {} to {}; default {}", shown(spec.min), shown(spec.max), shown(spec.default)),
    }
}

/// Source of the physics behind a parameter; none for performance settings.
pub fn source(id: ParamId) -> Option<&'static str> {
    match id {
        ParamId::Hardness | ParamId::Stiffness | ParamId::Exponent | ParamId::Damping | ParamId::Contact => {
            Some("Papetti, Avanzini, Rocchesso, DAFx 2011; Hunt and Crossley 1975")
        }
        ParamId::RattleContact | ParamId::RattleStiffness | ParamId::RattleExponent | ParamId::RattleLoss => {
            Some("Papetti, Avanzini, Rocchesso, DAFx 2011; Hunt and Crossley 1975")
        }
        ParamId::HammerMass | ParamId::StrikePosition => Some("Avanzini, Rocchesso, DAFx 2001; Woodhouse, Euphonics"),
        ParamId::DriveGain | ParamId::Tether | ParamId::Hold => Some("Rath, DAFx 2008"),
        ParamId::Loss | ParamId::Viscosity | ParamId::Material => Some("Chaigne and Doutaut 1997; Chaigne and Lambourg 2001"),
        ParamId::RatioPower => Some("Rossing and Peterson 1982"),
        _ if id.spec().group == "Rolling" => Some("Rath, DAFx 2003"),
        _ => None,
    }
}

/// Draws `error` about `what` in `rect`. Returns whether the user closes it.
pub fn error_notice(ui: &Ui, rect: Rect, what: &str, error: &str) -> bool {
    let painter = ThemePainter::new(ui);
    painter.rect(rect, theme::FIELD, painter.ink.raised);
    painter.outline(rect, theme::FIELD, theme::HAIRLINE, painter.ink.warn);
    painter.rect(rect.with_max_x(rect.left() + BAR), 0.0, painter.ink.warn);
    let close = Rect::from_center_size(pos2(rect.right() - 16.0, rect.center().y), vec2(TARGET, rect.height()));
    let words = rect.with_max_x(close.left());
    let response = ui.interact(words, ui.scope_id().with(("notice", what)), egui::Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, format!("{what}: {error}")));
    let room = words.width() - 24.0;
    let mut shown = error.char_indices().map(|(end, _)| &error[..end]).chain([error]);
    let fits = |text: &&str| painter.width(text, Face::Regular, Size::Text) <= room;
    let text = if fits(&error) { error.to_owned() } else { format!("{}…", shown.rfind(fits).unwrap_or_default()) };
    painter.text(pos2(rect.left() + 14.0, rect.center().y), Side::Left, &text, (Face::Regular, Size::Text, painter.ink.text));
    response.on_hover_text(error);
    let gone = button::bare(ui, close, &format!("Close: {what}")).clicked();
    icon::cross(&painter, close.center(), painter.ink.text2);
    gone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_knob_has_one_sentence_and_a_range() {
        for id in ParamId::ALL {
            let spec = id.spec();
            assert!(spec.hint.ends_with('.') && spec.hint.len() > 10, "{}: {}", spec.id, spec.hint);
            let range = range(*id);
            assert!(range.contains("; default ") && !range.contains("NaN"), "{}: {range}", spec.id);
        }
        assert!(source(ParamId::Damping).is_some_and(|source| source.contains("Hunt and Crossley")));
    }
}
