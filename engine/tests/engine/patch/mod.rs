//! Presets and their text.

mod factory_presets;
mod schema;
