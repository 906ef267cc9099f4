//! A program change: the worker reads the preset with that number, and the plugin plays it as if the host had loaded its state.

use std::sync::Weak;

use nice_plug::prelude::{nice_error, nice_log};

use crate::host_params::HostParams;
use crate::threads::Loader;
use crate::threads::ParamRescanFlag;
use urto_engine::PreparedBody;
use urto_engine::patch::preset_library;

/// Loads the preset `number` of the library. A number without a preset changes nothing, nor does one that cannot be read, which the
/// log tells. For the worker.
pub fn load(number: u8, knobs: &Weak<HostParams>, loader: &Loader, bell: &ParamRescanFlag) {
    let Some(entry) = preset_library::list(preset_library::folder().as_deref()).into_iter().nth(usize::from(number)) else {
        return;
    };
    let (patch, notes) = match entry.read() {
        Ok(read) => read,
        Err(trouble) => return nice_error!("Program {number} is not loaded: {trouble}"),
    };
    notes.iter().for_each(|note| nice_log!("Program {number}, {}: {note}", entry.name));
    let body = PreparedBody::of(&patch);
    if let Some(knobs) = knobs.upgrade() {
        knobs.load_patch(knobs.fitted(patch), |patch| loader.send(patch, body));
        bell.request();
    }
}
