//! MIDI learn in the window: the controllers that the user has assigned, and the parameter that waits for one.

use std::sync::Arc;

use crate::threads::{ControllerStore, MovedController};
use urto_engine::params::ParamId;
use urto_engine::{ControllerAssignment, DrumModule, FIRST_CHANNEL_MESSAGE, MAX_ASSIGNMENTS, MidiMap};

/// The assigned controllers as the window shows and changes them.
#[derive(Default)]
pub struct ControllerLearning {
    map: Arc<MidiMap>,
    waiting: Option<ParamId>,
    change: Option<MidiMap>,
}

impl ControllerLearning {
    /// The assignment of a parameter.
    pub fn of_param(&self, param: ParamId) -> Option<&ControllerAssignment> {
        self.map.of_param(param)
    }

    /// All assignments.
    pub fn assignments(&self) -> &[ControllerAssignment] {
        self.map.assignments()
    }

    /// The module whose pads play kits.
    pub fn drums(&self) -> DrumModule {
        self.map.drums
    }

    /// Changes the module whose pads play kits.
    pub fn set_drums(&mut self, drums: DrumModule) {
        let mut map = MidiMap::clone(&self.map);
        map.drums = drums;
        self.change = Some(map);
    }

    /// The parameter to which the next controller that moves is assigned.
    pub fn waiting(&self) -> Option<ParamId> {
        self.waiting
    }

    /// Waits for a controller for `param`.
    pub fn wait_for(&mut self, param: ParamId) {
        self.waiting = Some(param);
    }

    /// Stops waiting. Returns whether a parameter waited.
    pub fn cancel(&mut self) -> bool {
        self.waiting.take().is_some()
    }

    /// Changes or adds an assignment.
    pub fn assign(&mut self, assignment: ControllerAssignment) {
        let mut map = MidiMap::clone(&self.map);
        if map.assign(assignment) {
            self.change = Some(map);
        }
    }

    /// Removes the assignment of a parameter.
    pub fn remove(&mut self, param: ParamId) {
        let mut map = MidiMap::clone(&self.map);
        map.remove(param);
        self.change = Some(map);
    }

    /// Reads the assignments of `store`. Assigns `moved`, if a parameter waits for a controller.
    pub fn follow(&mut self, store: &ControllerStore, moved: Option<MovedController>) {
        self.map = store.map();
        let Some(MovedController { number, .. }) = moved.filter(|moved| moved.number < FIRST_CHANNEL_MESSAGE) else { return };
        if let Some(param) = self.waiting.take() {
            let own = self.map.of_param(param).copied().unwrap_or(ControllerAssignment::new(number, param));
            self.assign(ControllerAssignment { number, channel: None, ..own });
        }
    }

    /// Sends a change of the user to `store`. Errors: why it is not saved or not made, in one sentence.
    pub fn store(&mut self, store: &ControllerStore) -> Result<(), String> {
        self.change.take().map_or(Ok(()), |map| store.set(map))
    }

    /// The hint while a parameter waits for a controller.
    pub fn hint(&self) -> Option<String> {
        let name = self.waiting?.spec().name;
        let is_full = self.map.assignments().len() >= MAX_ASSIGNMENTS && self.map.of_param(self.waiting?).is_none();
        Some(if is_full {
            format!("All {MAX_ASSIGNMENTS} assignments are in use: remove one on the page Tuning. Esc cancels.")
        } else {
            format!("Move a controller of your MIDI device to assign it to {name}. Esc cancels.")
        })
    }
}
