//! Fuzz target: plugin states of hosts.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urto_fuzz::state::state(data));
