//! The instrument as a whole: what a player, a host and a physicist may rely on.

mod allocation;
mod bits;
mod changes;
mod drive;
mod hostile;
mod ledger;
mod playing;
mod presets;
mod ringing;
mod stage;
mod strokes;
