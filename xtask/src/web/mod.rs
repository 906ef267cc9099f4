//! The page for browsers: a folder of static files in `target/web/`, and its tests in Node and Chromium.

mod licences;
mod module;
mod page;
mod trial;

use crate::paths::Paths;
use anyhow::Result;

/// What the task does besides building.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Check {
    /// Nothing.
    None,
    /// Tests in Node and in headless Chromium.
    Browser,
}

/// Builds the folder, and tests it. Errors: a missing compiler, with the line that installs it; or a test that fails.
pub fn run(paths: &Paths, check: Check) -> Result<()> {
    let module = module::build(paths)?;
    let folder = page::write(paths, &module)?;
    println!("the page is in {}; serve it with `python3 -m http.server --directory {0}`", folder.display());
    if check == Check::Browser { trial::run(paths, &folder) } else { Ok(()) }
}
