//! The context of every parameter control, and the one value that is being typed.
//!
//! All changes of parameters go through the context, which records them for undo.

use egui::Id;
use nice_plug::prelude::ParamSetter;

use crate::editor::command::PatchChange;
use crate::editor::controller_learning::ControllerLearning;
use crate::editor::modulation_ranges::ModulationRanges;
use crate::editor::undo_history::UndoHistory;
use crate::editor::widgets::StiffeningMeter;
use crate::host_params::HostParams;
use urto_engine::params::ParamId;
use urto_engine::patch::{MACRO_PARAMS, Macro, MacroTarget};

/// Offset at 1 of a new target of a macro, as a part of the parameter's range.
const NEW_RANGE: f64 = 0.25;

/// The parameters, the host, and the state shared by all controls.
pub struct ParamContext<'a> {
    /// All parameters.
    pub params: &'a HostParams,
    /// The host that changes are sent to.
    pub host: &'a ParamSetter<'a>,
    /// The value being typed.
    pub entry: &'a mut Option<ValueEntryState>,
    /// The undo history.
    pub history: &'a mut UndoHistory,
    /// The hint in the footer; empty for the default hint.
    pub hint: &'a mut String,
    /// Whether the window is small.
    pub small: bool,
    /// Whether motion is reduced.
    pub still: bool,
    /// Time since the window was opened [s].
    pub now: f64,
    /// Number of modes of a voice; none while the body is being computed.
    pub modes: Option<usize>,
    /// Meter of how far bodies stiffen.
    pub stiffening: StiffeningMeter,
    /// How far modulation can move each parameter.
    pub modulation: ModulationRanges,
    /// The controllers that the user has assigned.
    pub learning: &'a mut ControllerLearning,
    /// A change of the patch that no parameter makes, for the end of the frame.
    pub change: &'a mut Option<PatchChange>,
}

impl ParamContext<'_> {
    /// Begins a gesture on a parameter.
    pub fn begin(&mut self, id: ParamId) {
        self.history.remember(self.params, Some(id), self.now);
        self.params.begin(id, self.host);
    }

    /// Moves a parameter to the normalised value `travel`, 0 to 1, within a gesture.
    pub fn set(&mut self, id: ParamId, travel: f32) {
        self.params.set_travel(id, self.host, travel);
    }

    /// Ends the gesture.
    pub fn end(&mut self, id: ParamId) {
        self.params.end(id, self.host);
        self.history.touch(self.now);
    }

    /// Sets a parameter to the normalised value `travel`: a gesture of its own.
    pub fn jump(&mut self, id: ParamId, travel: f32) {
        self.begin(id);
        self.set(id, travel);
        self.end(id);
    }

    /// Changes what the macros of the patch move, and their names: one undo step.
    pub fn edit_macros(&mut self, edit: impl FnOnce(&mut Vec<Macro>)) {
        let mut patch = self.params.own_patch();
        edit(&mut patch.macros);
        *self.change = Some(PatchChange { patch, fresh: true });
    }

    /// Lets the macro with the index `number` move a parameter: at 1 by a quarter of its range, towards the end that is farther away.
    pub fn add_to_macro(&mut self, number: usize, param: ParamId) {
        let to = if self.params.travel(param).0 > 0.5 { -NEW_RANGE } else { NEW_RANGE };
        self.edit_macros(|macros| {
            macro_at(macros, number).targets.push(MacroTarget { param, from: 0.0, to });
        });
    }

    /// The value of a parameter in its unit, without host modulation.
    pub fn value(&self, id: ParamId) -> f64 {
        self.params.value_at(id, self.params.travel(id).0)
    }

    /// Shows name, value and description of a parameter in the footer.
    pub fn show_hint(&mut self, id: ParamId, value: &str) {
        let spec = id.spec();
        *self.hint = format!("{} {value}: {}", spec.name, spec.hint);
    }
}

/// The macro with the index `number`, which is added if it is missing.
pub fn macro_at(macros: &mut Vec<Macro>, number: usize) -> &mut Macro {
    if macros.len() <= number {
        macros.resize(number + 1, Macro::default());
    }
    &mut macros[number]
}

/// Displayed name of the macro with the index `number`: that of the patch, or else that of its parameter.
pub fn macro_name(macros: &[Macro], number: usize) -> &str {
    let named = macros.get(number).map(|one| one.name.as_str()).filter(|name| !name.is_empty());
    named.unwrap_or(MACRO_PARAMS[number].spec().name)
}

/// The value being typed, in place of the text under its control. Its field is drawn by `param_controls::value_entry`.
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
