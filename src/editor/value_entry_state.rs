//! The one value that is being typed, in place of the text under its control.

use egui::Id;

use urto_engine::params::ParamId;

/// The value being typed. Its field is drawn by `param_controls::value_entry`.
pub struct ValueEntryState {
    /// The parameter.
    pub param: ParamId,
    /// The scope of the user interface in which the field is: a parameter may have two controls.
    pub scope: Id,
    /// The text typed so far.
    pub text: String,
    /// The text that the control showed before.
    pub shown: String,
    /// Whether Enter was pressed and the text could not be read.
    pub invalid: bool,
    /// Whether the field has not been drawn yet.
    pub fresh: bool,
}

impl ValueEntryState {
    /// Starts with the `shown` text of `param` in `scope`, all of it selected.
    pub fn new(param: ParamId, scope: Id, shown: &str) -> Self {
        Self { param, scope, text: shown.to_owned(), shown: shown.to_owned(), invalid: false, fresh: true }
    }
}
