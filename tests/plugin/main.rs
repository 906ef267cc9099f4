//! The plugin in hosts, in this process: as CLAP and as VST3.
//!
//! What comes out of a host is compared bit for bit with the engine that is handed the same events; what the engine does with
//! them, down to the energy ledger, is the business of its own tests.

mod automation;
mod bundle;
mod buses;
mod clap;
mod com;
mod controllers;
mod cue;
mod drums;
mod effect;
mod expression;
mod extensions;
#[path = "../../src/bin/urto-cli/io/host_state.rs"]
#[allow(dead_code)]
mod file;
mod formats;
mod gauge;
mod host;
mod kits;
mod lifecycle;
mod many_instances;
mod modulation;
mod mpe;
mod mts_esp;
mod pages;
mod pedals;
mod programs;
mod recall;
mod reference;
mod rough;
mod side_chain;
#[path = "../spoil/mod.rs"]
mod spoil;
mod state;
mod threads;
#[path = "../support/tier.rs"]
mod tier;
mod transport;
mod tunings;
mod vst3;
mod vst3_touch;
