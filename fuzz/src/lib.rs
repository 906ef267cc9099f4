//! The claims of the tests, for the fuzzer.

#[path = "../../tests/anything/careless.rs"]
pub mod careless;
#[path = "../../src/bin/urto-cli/case.rs"]
pub mod case;
#[path = "../../tests/anything/claims.rs"]
pub mod claims;
#[path = "../../src/bin/urto-cli/complaint.rs"]
pub mod complaint;
#[path = "../../src/bin/urto-cli/midi.rs"]
pub mod midi;
#[cfg(feature = "plugin")]
#[path = "../../tests/anything/state.rs"]
pub mod state;
