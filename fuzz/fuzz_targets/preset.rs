//! Fuzz target: preset files.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urto_fuzz::claims::preset(data));
