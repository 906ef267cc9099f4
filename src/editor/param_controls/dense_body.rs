//! The group of the dense body: its parameters, a sentence that says what they do to this body, and a button for another specimen.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::knob::Spot;
use crate::editor::partial::thousands;
use crate::editor::widgets::{TARGET, ThemePainter, button, icon};
use urto_engine::body::{cascade_thickness, sheet_thickness};
use urto_engine::params::{BodyKind, ParamId, value_text};
use urto_physics::random::SplitMix64;

/// Name and hint of the button.
const DICE: &str = "Another specimen at random";
const DICE_HINT: &str = "Another specimen at random: a body of the same kind with other modes. Undo brings the last one back.";
/// Distance of the button's centre from the edge of the knob [px].
const BESIDE: f32 = 24.0;

/// What the group does to the body.
pub struct DenseBodyState {
    /// Whether any of its parameters acts.
    pub acts: bool,
    /// A sentence for the user.
    pub note: String,
}

impl DenseBodyState {
    /// For the parameters of `context`.
    pub fn of(context: &ParamContext) -> Self {
        let settings = context.params.settings();
        let (kind, target) = (settings.body_kind(), settings.morph_kind());
        let has_field = |kind: BodyKind| sheet_thickness(kind, 0.0).is_some();
        if !context.params.own_patch().zones.is_empty() {
            return Self { acts: false, note: "No effect here: each zone of a kit has its own body.".into() };
        }
        if !has_field(kind) && !target.is_some_and(has_field) {
            let name = ParamId::Body.spec().labels().get(kind as usize).copied().unwrap_or_default();
            let note = format!(
                "No effect on the body type {name}. They act on discs, plates, heads, drums, kettles, bells, bowls, glasses and lists of modes."
            );
            return Self { acts: false, note };
        }
        let modes = match context.modes {
            None => "Computing the body…".to_owned(),
            Some(modes) => format!("{} modes", thousands(modes)),
        };
        let dense = if settings.get(ParamId::Density) > 0.0 { "" } else { ", none of them dense: Mode density is 0" };
        let thickness = settings.get(ParamId::Thickness);
        let sheet = sheet_thickness(kind, thickness)
            .map_or_else(String::new, |real| format!(", {} thick", value_text::show(ParamId::Thickness.spec(), real)));
        let heads = if cascade_thickness(kind, thickness).is_none() { ". Body cascade does not act on heads" } else { "" };
        Self { acts: true, note: format!("{modes}{dense}{sheet}{heads}.") }
    }
}

/// Draws the button beside the knob of the specimen in `column`.
pub fn dice(ui: &Ui, column: Rect, context: &mut ParamContext) {
    let spot = Spot::in_column(column, "", context.small);
    let center = spot.center + vec2(spot.radius + BESIDE, 0.0);
    let center = pos2(center.x.min(column.right() - 0.5 * TARGET), center.y);
    let response = button::bare(ui, Rect::from_center_size(center, vec2(TARGET, TARGET)), DICE);
    let painter = ThemePainter::new(ui);
    icon::die(&painter, center, painter.ink.text2);
    if response.hovered() || response.has_focus() {
        *context.hint = DICE_HINT.into();
    }
    if response.clicked() {
        let specimen = other_specimen(context.value(ParamId::Specimen), context.now.to_bits());
        context.jump(ParamId::Specimen, context.params.travel_of(ParamId::Specimen, specimen));
    }
}

/// A random specimen that is not `current`.
fn other_specimen(current: f64, seed: u64) -> f64 {
    let spec = ParamId::Specimen.spec();
    let others = (spec.max - spec.min) as u64;
    let drawn = spec.min + (SplitMix64::new(seed).next_u64() % others) as f64;
    if drawn >= current { drawn + 1.0 } else { drawn }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drawn_specimen_is_another_one_within_the_range() {
        let spec = ParamId::Specimen.spec();
        // enough that each value is drawn some times
        for seed in 0..60_000 {
            for current in [spec.min, 4321.0, spec.max] {
                let drawn = other_specimen(current, seed);
                assert!(drawn != current && (spec.min..=spec.max).contains(&drawn), "{drawn} instead of {current}");
            }
        }
    }
}
