//! The plugin in hosts of this process, as CLAP and as VST3.
//!
//! The output of a host is compared bit for bit with the engine that gets the same events. The tests of the engine check the engine
//! itself, for example its energy balance.

mod automation;
mod buses;
mod clap;
mod controllers;
#[path = "../support/corrupted_files.rs"]
mod corrupted_files;
mod effect;
mod expression;
mod formats;
mod host_states;
mod instance_lifecycle;
mod kits;
mod many_instances;
#[cfg(not(any(windows, target_os = "macos")))]
mod midi_devices;
mod modulation;
mod mpe;
mod mts_esp;
mod pedals;
mod programs;
mod remote_controls;
mod rule_breaking_hosts;
mod side_chain;
mod state_exchange;
mod support;
mod thread_pool;
mod threads;
#[path = "../support/tier.rs"]
mod tier;
mod transport;
mod tunings;
mod vst3;
mod vst3_expression;
mod vst3_outputs;
