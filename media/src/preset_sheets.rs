//! Spectrograms of all built-in presets, one page per family.

use crate::plots::{self, NamedSound};
use crate::wav::{self, Recording};
use anyhow::{Context, Result};
use std::path::Path;
use urto_engine::patch::FAMILIES;
use urto_engine::patch::{added, built_in, sustained};

/// Draws the phrases in `folder`, written by `urto-cli presets render-all`, into `docs/images/presets/`.
pub fn run(folder: &Path) -> Result<()> {
    let pages = Path::new("docs/images/presets");
    std::fs::create_dir_all(pages).with_context(|| format!("cannot create {}", pages.display()))?;
    let font = Path::new("assets/fonts/IBMPlexSans_400Regular.ttf");
    for family in FAMILIES {
        let mut rate = None;
        let mut sounds = Vec::new();
        for (number, patch) in
            built_in().chain(sustained()).chain(added()).enumerate().filter(|(_, patch)| patch.family == family)
        {
            let recording: Recording = wav::read(&folder.join(format!("{number:02} {}.wav", patch.name)))?;
            rate.get_or_insert(recording.rate);
            sounds.push(NamedSound { name: patch.name, sound: recording.sound });
        }
        let page = pages.join(format!("{}.png", family.replace(' ', "_")));
        let title = format!("{family}: soft, medium, hard");
        plots::spectrograms(&page, &title, &sounds, rate.unwrap_or(48e3), font)?;
        println!("wrote {}", page.display());
    }
    Ok(())
}
