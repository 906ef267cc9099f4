//! Fuzz target: experiment files of the command line.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| urto_fuzz::claims::case(data));
