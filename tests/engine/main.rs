//! The instrument as a whole: what a player, a host and a physicist may rely on.

// With the plugin, nice-plug brings an allocator of its own, which aborts where the audio thread allocates.
#[cfg(not(feature = "plugin"))]
mod allocation;
mod bits;
mod bodies;
mod bounces;
mod changes;
mod chatter;
mod contact;
mod drive;
mod drive_safety;
mod drive_sources;
mod effort;
mod factory;
mod hands;
mod hostile;
mod human;
mod kits;
mod ledger;
mod listening;
mod morph;
mod pitch;
mod playing;
mod presets;
mod rattle;
mod recordings;
mod ringing;
mod rolling;
mod rolls;
mod schema;
mod sleep;
mod stage;
mod strikers;
mod strokes;
mod surface;
mod tracks;
mod trims;
mod tuning;
mod voices;
