//! The examples of the library, run as a reader would.

use crate::place::{Place, cargo, run as run_command};
use anyhow::Result;

/// All of `examples/`; a test compares them with what is there.
const EXAMPLES: [&str; 5] = ["one_strike", "bouncing_ball", "contact_time", "body_from_csv", "drum_machine"];

/// Runs every example; what they write stays in `target/examples/`.
pub fn run(place: &Place) -> Result<()> {
    let (folder, manifest) = (place.output("examples")?, place.root.join("Cargo.toml"));
    for example in EXAMPLES {
        let mut command = cargo();
        // the profile in which the tests have built them
        command.args(["run", "--quiet", "--profile", "test", "--no-default-features", "--example", example, "--manifest-path"]);
        run_command(command.arg(&manifest).current_dir(&folder))?;
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
