//! The context menu of a parameter: type, default, copy, lock against random change.

use egui::{Response, RichText, Ui};

use crate::editor::param_context::ParamContext;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::value_entry_state::ValueEntryState;
use crate::host_params::value_text;
use urto_engine::params::ParamId;

/// Opens on a right click of `response`; `text` is the displayed value.
pub fn show(ui: &Ui, response: &Response, id: ParamId, text: &str, context: &mut ParamContext) {
    let place = ui.scope_id();
    response.context_menu(|ui| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        let default = value_text::show(id.spec(), id.spec().default);
        if entry(ui, "Type a value") {
            *context.entry = Some(ValueEntryState::new(id, place, text));
        }
        if entry(ui, &format!("Default: {default}")) {
            context.jump(id, context.params.default_travel(id));
        }
        if entry(ui, &format!("Copy {text}")) {
            ui.ctx().copy_text(text.to_owned());
        }
        let lock = if context.history.is_locked(id) { "Unlock for random changes" } else { "Lock against random changes" };
        if entry(ui, lock) {
            context.history.toggle_lock(id);
        }
        let group = id.spec().group;
        let lock = !context.history.is_group_locked(group);
        let words = if lock { "Lock all parameters of" } else { "Unlock all parameters of" };
        if entry(ui, &format!("{words} {group}")) {
            context.history.lock_group(group, lock);
        }
    });
}

/// A line of a menu; whether it was clicked.
pub fn entry(ui: &mut Ui, text: &str) -> bool {
    let chosen = ui.button(RichText::new(text).font(theme::font(Face::Regular, Size::Text))).clicked();
    if chosen {
        ui.close();
    }
    chosen
}
