//! TODO.

pub(crate) mod hammer_pool;
pub(crate) mod load_shedding;
pub(crate) mod note_handling;
pub(crate) mod render;
pub(crate) mod retuning;
pub(crate) mod voice_allocation;
pub(crate) mod voice_manager;
