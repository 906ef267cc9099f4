//! What the fuzzer has found, one test each.
