//! The folder of recordings with which `urto-cli presets compare` compares presets, out of what Debian packages contain.

use crate::{paths, setup};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

/// Name in the folder, Debian package, and where the package puts it.
const SOURCES: [(&str, &str, &str); 3] = [
    ("hydrogen-drumkits", "hydrogen-drumkits", "/usr/share/hydrogen/data/drumkits"),
    ("fluid-soundfont-gm.sf2", "fluid-soundfont-gm", "/usr/share/sounds/sf2/FluidR3_GM.sf2"),
    ("sonic-pi-samples", "sonic-pi-samples", "/usr/share/sonic-pi/samples"),
];
/// Folders of recordings that no package contains, samples of the Philharmonia Orchestra and of a grand piano; and the instruments that need them.
const UNPACKAGED: [(&str, &str); 2] = [("phil", "tam-tam, gong and some others"), ("salamander", "a second piano")];
/// The map of the recordings.
const MAP: &str = include_str!("../recordings.toml");

/// Puts recordings and their map into `folder`. Errors: a missing package that cannot be installed, or a folder that cannot be written.
pub fn run(folder: &Path) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!(
            "the recordings are those of Debian packages; copy {} by hand, see docs/realism.md",
            SOURCES.map(|(name, ..)| name).join(", ")
        );
    }
    setup::packages(SOURCES.iter().filter(|(.., place)| !Path::new(place).exists()).map(|(_, package, _)| *package).collect())?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    for (name, _, place) in SOURCES {
        let copy = folder.join(name);
        if !copy.exists() {
            println!("copying {name}");
            paths::copy(Path::new(place), &copy)?;
        }
    }
    let map = folder.join("recordings.toml");
    let mut known = MAP.to_owned();
    for (name, what) in UNPACKAGED {
        if !folder.join(name).is_dir() {
            known = without(&known, name);
            println!("no folder {name}/, so the map leaves out {what}; docs/realism.md tells where to get it");
        }
    }
    fs::write(&map, known).with_context(|| format!("cannot write {}", map.display()))?;
    println!("urto-cli presets compare {} --page page", map.display());
    Ok(())
}

/// The map without the lines that name files in `folder`, and without the instruments that then have no strokes.
fn without(map: &str, folder: &str) -> String {
    let name = format!("\"{folder}/");
    let is_empty = |section: &str| {
        section.starts_with("[[instruments]]") && !section.lines().any(|line| line.trim_start().starts_with("{ file"))
    };
    let lines = map.lines().filter(|line| !line.contains(&name)).map(|line| line.to_owned() + "\n").collect::<String>();
    let sections: Vec<&str> = lines.split("\n\n").filter(|section| !is_empty(section)).collect();
    let kinds: Vec<&str> =
        sections.iter().flat_map(|section| section.lines()).filter_map(|line| line.strip_prefix("kind = ")).collect();
    let is_known = |line: &&str| line.strip_prefix("neighbour = ").is_none_or(|kind| kinds.contains(&kind));
    sections.join("\n\n").lines().filter(is_known).map(|line| line.to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_folder_leaves_out_its_strokes_and_what_is_then_empty() {
        let map = "[[instruments]]\nkind = \"gong\"\nstrokes = [\n  { file = \"phil/a.mp3\" },\n]\n\n[[instruments]]\nkind = \"crash\"\nneighbour = \"gong\"\nstrokes = [\n  { file = \"x/b.wav\" },\n]\n";
        assert_eq!(without(map, "phil"), "[[instruments]]\nkind = \"crash\"\nstrokes = [\n  { file = \"x/b.wav\" },\n]\n");
        assert!(
            without(MAP, "nowhere").contains("kind = \"tam-tam\"")
                && UNPACKAGED.iter().all(|(name, _)| !without(MAP, name).contains(&format!("\"{name}/")))
        );
    }
}
