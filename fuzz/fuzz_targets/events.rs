//! Fuzz target: event sequences of a host.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urto_fuzz::claims::events(data));
