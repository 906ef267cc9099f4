//! Hosts, events and measurements for the tests.

pub mod clap_extensions;
pub mod clap_host;
pub mod drum_loop;
pub mod engine_reference;
#[path = "../../../src/bin/urto-cli/io/host_state.rs"]
#[allow(dead_code)]
pub mod host_state_file;
pub mod measurements;
pub mod mts_library;
pub mod timed_events;
pub mod vst3_bundle;
pub mod vst3_com_host;
