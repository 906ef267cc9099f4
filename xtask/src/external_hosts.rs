//! The bundled plugin in hosts of other developers: DawDreamer and pedalboard from a Python environment in `target/hosts/`, and
//! Ardour and Qtractor on a display of their own where the system has them.

use crate::commands::run as run_command;
use crate::paths::Paths;
use crate::{bundle, command_line, python_environment, setup};
use anyhow::{Result, bail, ensure};
use std::process::Command;

/// Python packages with versions, relative to the root.
const REQUIREMENTS: &str = "tests/external_hosts/requirements.txt";
/// Hosts that are Python packages.
const LIBRARIES: [&str; 2] = ["pedalboard", "dawdreamer"];
/// Hosts with windows, by the names of their packages and programs.
const PROGRAMS: [&str; 2] = ["ardour", "qtractor"];

/// Bundles the plugin and tests it in the hosts that `names` lists, or in all of them. A host with a window whose packages are
/// missing is skipped, with a reason in the last lines; if it is named, the packages are provided first.
pub fn run(paths: &Paths, names: &[String]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| !LIBRARIES.contains(&name.as_str()) && !PROGRAMS.contains(&name.as_str())) {
        bail!("no host `{unknown}`; the hosts are {} and {}", LIBRARIES.join(", "), PROGRAMS.join(", "));
    }
    let Choice { hosts, skipped } = choose(names)?;
    let python = python_environment::provide(paths, "hosts", REQUIREMENTS)?;
    let bundles = bundle::run(paths)?;
    let program = command_line::build(paths)?;
    let folder = paths.output("hosts/windows")?;
    let mut tests = Command::new(python);
    tests.env_remove("DISPLAY").arg("tests/external_hosts/run.py");
    tests.arg(&bundles.vst3).arg(program).arg(&bundles.clap).arg(&folder).args(&hosts);
    for reason in &skipped {
        tests.arg("--skipped").arg(reason);
    }
    run_command(&mut tests)?;
    println!(
        "DawDreamer, pedalboard and Ardour load VST3, Qtractor loads CLAP; `cargo xtask test` plays the CLAP in clack-host."
    );
    Ok(())
}

/// The hosts of a run, and why others are left out.
struct Choice {
    hosts: Vec<String>,
    skipped: Vec<String>,
}

fn choose(names: &[String]) -> Result<Choice> {
    if !names.is_empty() {
        for name in PROGRAMS.into_iter().filter(|program| names.iter().any(|name| name == program)) {
            ensure!(cfg!(target_os = "linux"), "{name} is tested under Xvfb, which needs Linux");
            setup::host_with_window(name)?;
        }
        return Ok(Choice { hosts: names.to_vec(), skipped: Vec::new() });
    }
    let mut choice = Choice { hosts: LIBRARIES.map(String::from).to_vec(), skipped: Vec::new() };
    for name in PROGRAMS {
        let missing = setup::missing_for_host_with_window(name);
        if !cfg!(target_os = "linux") {
            choice.skipped.push(format!("{name}: needs Linux"));
        } else if missing.is_empty() {
            choice.hosts.push(name.into());
        } else {
            let packages = missing.join(" ");
            choice.skipped.push(format!(
                "{name}: missing packages; install them with `apt-get install --no-install-recommends {packages}`"
            ));
        }
    }
    Ok(choice)
}
