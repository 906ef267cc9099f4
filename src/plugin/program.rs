//! A program change: the worker reads the preset with that number, and the plugin plays it as if the host had loaded its state.

use std::sync::Weak;

use nice_plug::prelude::{nice_error, nice_log};

use crate::host_params::Knobs;
use crate::threads::Loader;
use crate::threads::rescan_flag::Bell;
use urto_engine::Body;
use urto_engine::patch::preset_library;

/// Loads the preset `number` of the library. A number without a preset changes nothing, nor does one that cannot be read, which the
/// log tells. For the worker.
pub fn load(number: u8, knobs: &Weak<Knobs>, loader: &Loader, bell: &Bell) {
    let Some(entry) = preset_library::list(preset_library::folder().as_deref()).into_iter().nth(usize::from(number)) else {
        return;
    };
    let (patch, notes) = match entry.read() {
        Ok(read) => read,
        Err(trouble) => return nice_error!("Program {number} is not loaded: {trouble}"),
    };
    notes.iter().for_each(|note| nice_log!("Program {number}, {}: {note}", entry.name));
    let body = Body::of(&patch);
    if let Some(knobs) = knobs.upgrade() {
        knobs.take_up(knobs.fitted(patch), |patch| loader.send(patch, body));
        bell.ring();
    }
}
