//! The knobs and the host, as every control gets them: all that a control changes goes through here, and is remembered on its way.

use nice_plug::prelude::ParamSetter;

use crate::editor::undo_history::UndoHistory;
use crate::editor::value_entry_state::ValueEntryState;
use crate::host_params::HostParams;
use urto_engine::params::ParamId;

/// What every control gets.
pub struct ParamContext<'a> {
    /// All knobs.
    pub params: &'a HostParams,
    /// Where changes go.
    pub host: &'a ParamSetter<'a>,
    /// The one value that is being typed.
    pub entry: &'a mut Option<ValueEntryState>,
    /// What can be undone.
    pub history: &'a mut UndoHistory,
    /// What the footer says about what is under the pointer; empty for nothing.
    pub hint: &'a mut String,
    /// Small window.
    pub small: bool,
    /// Less motion.
    pub still: bool,
    /// Time [s] since the window was opened.
    pub now: f64,
}

impl ParamContext<'_> {
    /// The player takes hold of a knob.
    pub fn begin(&mut self, id: ParamId) {
        self.history.remember(self.params, Some(id), self.now);
        self.params.begin(id, self.host);
    }

    /// A knob that is held moves to `travel`, 0 to 1.
    pub fn set(&mut self, id: ParamId, travel: f32) {
        self.params.set_travel(id, self.host, travel);
    }

    /// The player lets go.
    pub fn end(&mut self, id: ParamId) {
        self.params.end(id, self.host);
        self.history.touch(self.now);
    }

    /// A gesture in one go.
    pub fn jump(&mut self, id: ParamId, travel: f32) {
        self.begin(id);
        self.set(id, travel);
        self.end(id);
    }

    /// The value of a knob where it stands, in its unit.
    pub fn value(&self, id: ParamId) -> f64 {
        self.params.value_at(id, self.params.travel(id).0)
    }

    /// Says in the footer what a knob is.
    pub fn tell(&mut self, id: ParamId, value: &str) {
        let spec = id.knob();
        *self.hint = format!("{} {value}: {}", spec.name, spec.hint);
    }
}
