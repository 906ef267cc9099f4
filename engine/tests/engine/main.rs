//! The instrument as a whole: properties that players, hosts and the physics rely on.

mod bleed;
mod body;
mod contact;
mod drive;
mod import;
mod kit;
mod kit_fills;
mod kit_tasks;
mod midi;
mod modulation;
mod patch;
mod polyphony;
mod preset_regression;
mod room;
mod safety;
mod soak;
mod support;
#[path = "../../../tests/support/tier.rs"]
mod tier;
mod tuning;
