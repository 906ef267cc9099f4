//! Fuzz target: Scala scales and key maps.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urto_fuzz::claims::scala(data));
