//! The tooltip of a parameter: description, range, default, and the source of its physics.

use egui::{Response, RichText, Ui};

use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::host_params::value_text;
use urto_engine::params::{ParamId, Scale};

/// Greatest width of the text.
const WIDEST: f32 = 300.0;

/// Shows group, name, value `text`, description, range, default and source.
pub fn show(response: Response, id: ParamId, text: &str) -> Response {
    let spec = id.spec();
    response.on_hover_ui(|ui| {
        ui.set_max_width(WIDEST);
        line(ui, (Face::SemiBold, Size::Text), &format!("{} {}: {text}", spec.group, spec.name.to_lowercase()));
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
