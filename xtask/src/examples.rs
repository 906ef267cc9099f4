//! The examples of the library: builds and runs each of them.

use crate::build::Artifacts;
use crate::commands::run as run_command;
use crate::paths::Paths;
use anyhow::Result;
use std::process::Command;

/// All programs of `examples/`; a test compares the list with the folder.
const EXAMPLES: [&str; 5] = ["one_strike", "bouncing_ball", "contact_time", "body_from_csv", "drum_machine"];

/// Builds the examples with `features` of the library and runs them in `target/examples/`, where they write their files.
pub fn run(paths: &Paths, features: &str) -> Result<()> {
    let built = Artifacts::build(paths, &["build", "--workspace", "--examples", "--features", features])?;
    let folder = paths.output("examples")?;
    for example in EXAMPLES {
        run_command(Command::new(built.program(example)?).current_dir(&folder))?;
    }
    println!("wrote the files of the examples to {}", folder.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_run() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
        let files = std::fs::read_dir(folder).expect("examples/ exists").map(|entry| entry.expect("a readable entry").path());
        let mut programs: Vec<String> = files.filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned())).collect();
        programs.sort();
        let mut listed = EXAMPLES.map(String::from);
        listed.sort();
        assert_eq!(programs, listed);
    }
}
