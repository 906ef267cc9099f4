//! What the user does on the Modes page, as a value that the page executes.

use urto_engine::patch::{PartialEdit, Patch};

/// A command of the user about partials.
pub enum ModesAction {
    /// Drags a partial: the edit is a draft until the pointer is released.
    Drag(PartialEdit),
    /// Releases the partial that was dragged.
    Release,
    /// Sets the edit of one partial.
    Edit(PartialEdit),
    /// Removes all edits.
    ClearEdits,
    /// Adds the partial with this index to the soloed ones, or removes it from them.
    Solo(usize),
    /// Replaces the patch by one with another body.
    Body(Box<Patch>),
}
