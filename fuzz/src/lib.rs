//! The claims of the tests, as a library for the fuzz targets.

#[path = "../../tests/anything/careless.rs"]
pub mod careless;
#[path = "../../src/bin/urto-cli/arguments/case_file.rs"]
pub mod case_file;
#[path = "../../tests/anything/claims.rs"]
pub mod claims;
#[path = "../../tests/anything/io.rs"]
pub mod io;
#[cfg(feature = "plugin")]
#[path = "../../tests/anything/state.rs"]
pub mod state;
