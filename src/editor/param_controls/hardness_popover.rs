//! The popover of hardness: stiffness, exponent and damping of the contact, with a plot of the law.

use egui::{Popup, Rect, Response, Sense, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::knob;
use crate::editor::param_controls::knob::Spot;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::params::ParamId;

/// Size of the popover, and of the plot.
const SIZE: [f32; 2] = [470.0, 176.0];
const LAW: [f32; 2] = [150.0, 112.0];
/// Points of a curve.
const POINTS: usize = 40;

/// Opens on a click of the label below the hardness knob with the response `dial`.
pub fn show(ui: &mut Ui, dial: &Response, context: &mut ParamContext) {
    let label = Rect::from_center_size(pos2(dial.rect.center().x, dial.rect.bottom() + 10.0), vec2(70.0, 18.0));
    let response = ui.interact(label, ui.scope_id().with("unfold hardness"), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, "Contact parameters of hardness"));
    let painter = ThemePainter::new(ui);
    if response.hovered() {
        painter.hline(label.x_range().shrink(8.0), label.bottom() - 1.0, painter.ink.text2);
        *context.hint = "Click for stiffness, exponent and damping of the contact, with a plot of the law.".into();
    }
    if response.has_focus() {
        painter.focus(label, theme::FIELD);
    }
    Popup::menu(&response).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(SIZE[0], SIZE[1]), Sense::hover());
        unfolded(ui, rect, context);
    });
}

fn unfolded(ui: &mut Ui, rect: Rect, context: &mut ParamContext) {
    let params = [(ParamId::Stiffness, "Stiffness *k*"), (ParamId::Exponent, "Exponent *α*"), (ParamId::Damping, "Damping *μ*")];
    for (i, (id, name)) in params.into_iter().enumerate() {
        let center = pos2(rect.left() + 50.0 + 94.0 * i as f32, rect.center().y - 20.0);
        let spot = Spot { center, radius: theme::KNOB[0], width: 90.0, below: [47.0, 20.0], name };
        knob::at(ui, &spot, id, Hue::Force, context);
    }
    let corner = pos2(rect.right() - LAW[0] - 8.0, rect.center().y - 0.5 * LAW[1]);
    law(&ThemePainter::new(ui), Rect::from_min_size(corner, vec2(LAW[0], LAW[1])), context);
}

/// Force over compression of a hit against a rigid wall at 1 m/s, loading and unloading.
fn law(painter: &ThemePainter, rect: Rect, context: &ParamContext) {
    let (exponent, damping) = (context.value(ParamId::Exponent), context.value(ParamId::Damping));
    let wall = urto_physics::contact::RigidImpact { mass: 1.0, stiffness: 1.0, exponent, damping, velocity: 1.0 };
    let points: Vec<_> = wall.phase_portrait(2 * POINTS).collect();
    let deepest = wall.max_compression();
    let strongest = points.iter().map(|point| point.force).fold(0.0, f64::max);
    let at = |x: f64, force: f64| {
        let (x, y) = ((0.92 * x / deepest) as f32, (0.92 * force / strongest) as f32);
        pos2(rect.left() + rect.width() * x, rect.bottom() - rect.height() * y)
    };
    let curve: Vec<_> = points.iter().map(|point| at(point.compression, point.force)).collect();
    painter.path(curve, 2.0, painter.ink.force);
    let spring = (0..=POINTS).map(|i| i as f64 / POINTS as f64);
    let peak = deepest.powf(exponent);
    painter.path(spring.map(|x| at(x * deepest, peak * x.powf(exponent))).collect(), 1.2, painter.ink.text);
    painter.vline(rect.left(), rect.y_range(), painter.ink.line);
    painter.hline(rect.x_range(), rect.bottom(), painter.ink.line);
    let look = (Face::Regular, Size::Label, painter.ink.text3);
    painter.text(pos2(rect.left(), rect.top() - 11.0), Side::Left, "force *F*", look);
    painter.text(pos2(rect.right(), rect.bottom() + 13.0), Side::Right, "compression *x*", look);
}
