//! Tests of the page in Node and in headless Chromium.

use crate::c_interface;
use crate::commands::{is_installed, run as run_command};
use crate::paths::Paths;
use crate::setup;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Drives the browser; the version is part of the test.
const DRIVER: &str = "playwright-core@1.65.1";

/// Variable with the path of the browser, if it is not /usr/bin/chromium.
const BROWSER: &str = "URTO_CHROMIUM";

/// Runs all tests. Errors: missing programs, with the line that installs them; or a test that fails.
pub fn run(paths: &Paths, page: &Path) -> Result<()> {
    provide_programs()?;
    let folder = paths.output("web-test")?;
    provide_driver(&folder)?;
    let native = c_interface::build_renderer(paths)?;
    let mut tests = Command::new("node");
    tests.current_dir(&paths.root).arg("web/tests/run.mjs").arg(page).arg(&native).arg(&folder);
    // cargo's path of libraries leads to the plugin, whose library has the name of the one that the program in C needs
    run_command(tests.env_remove("LD_LIBRARY_PATH").env("NODE_PATH", folder.join("node_modules")))
}

fn provide_programs() -> Result<()> {
    let missing: Vec<&str> = [("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")]
        .into_iter()
        // another browser of this family may take its place
        .filter(|(program, _)| *program != "chromium" || std::env::var_os(BROWSER).is_none())
        .filter(|(program, _)| !is_installed(&mut Command::new(program)))
        .map(|(_, package)| package)
        .collect();
    setup::packages(missing)
}

/// Installs the driver with npm, once.
fn provide_driver(folder: &Path) -> Result<()> {
    let (name, version) = DRIVER.split_once('@').context("the driver has a version")?;
    let manifest = folder.join("node_modules").join(name).join("package.json");
    if fs::read_to_string(&manifest).is_ok_and(|text| text.contains(&format!("\"version\": \"{version}\""))) {
        return Ok(());
    }
    println!("installing {DRIVER} into target/web-test; this needs the network once");
    fs::write(folder.join("package.json"), "{ \"private\": true }\n")?;
    run_command(Command::new("npm").current_dir(folder).args(["install", "--no-audit", "--no-fund", "--ignore-scripts", DRIVER]))
        .context("npm cannot install the driver of the browser: check the network")?;
    ensure!(manifest.exists(), "npm has not installed {DRIVER}");
    Ok(())
}
