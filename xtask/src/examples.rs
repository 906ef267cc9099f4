//! The examples of the library, run as a reader would.

use crate::build::Artifacts;
use crate::commands::run as run_command;
use crate::paths::Paths;
use anyhow::Result;
use std::process::Command;

/// All of `examples/`; a test compares them with what is there.
const EXAMPLES: [&str; 5] = ["one_strike", "bouncing_ball", "contact_time", "body_from_csv", "drum_machine"];

/// Builds every example with `features` of the library and runs it; what they write stays in `target/examples/`.
pub fn run(paths: &Paths, features: &str) -> Result<()> {
    let built = Artifacts::build(paths, &["build", "--workspace", "--examples", "--features", features])?;
    let folder = paths.output("examples")?;
    for example in EXAMPLES {
        run_command(Command::new(built.program(example)?).current_dir(&folder))?;
    }
    println!("written to {}", folder.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_run() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
        let files = std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("can be read").path());
        let mut there: Vec<String> = files.filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned())).collect();
        there.sort();
        let mut run = EXAMPLES.map(String::from);
        run.sort();
        assert_eq!(there, run);
    }
}
