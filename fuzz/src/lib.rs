//! The claims of the tests, as a library for the fuzz targets.

#[path = "../../tests/fuzz_claims/careless_host.rs"]
pub mod careless_host;
#[path = "../../src/bin/urto-cli/arguments/case_file.rs"]
pub mod case_file;
#[path = "../../tests/fuzz_claims/claims.rs"]
pub mod claims;
#[path = "../../tests/fuzz_claims/io.rs"]
pub mod io;
#[cfg(feature = "plugin")]
#[path = "../../tests/fuzz_claims/state.rs"]
pub mod state;
