//! Contact sheets: spectrograms of all built-in presets, a page a family.

use crate::demo::host::Stereo;
use crate::plots;
use anyhow::{Context, Result};
use std::path::Path;
use urto_engine::patch::factory_presets::FAMILIES;
use urto_engine::patch::patch_toml::{built_in, lasting};

/// Draws the phrases in `folder`, written by `urto-cli presets render-all`, into `docs/images/presets/`. Errors: a file that cannot be
/// read or written.
pub fn run(folder: &Path) -> Result<()> {
    let pages = Path::new("docs/images/presets");
    std::fs::create_dir_all(pages).with_context(|| format!("cannot create {}", pages.display()))?;
    let font = Path::new("assets/fonts/IBMPlexSans_400Regular.ttf");
    for family in FAMILIES {
        let mut sounds = Vec::new();
        for (number, patch) in built_in().chain(lasting()).enumerate().filter(|(_, patch)| patch.family == family) {
            let (sound, rate) = read(&folder.join(format!("{number:02} {}.wav", patch.name)))?;
            sounds.push((patch.name, sound, rate));
        }
        let rate = sounds.first().map_or(48e3, |(.., rate)| *rate);
        let sounds: Vec<_> = sounds.into_iter().map(|(name, sound, _)| (name, sound)).collect();
        let page = pages.join(format!("{}.png", family.replace(' ', "_")));
        let title = format!("{family}: soft, medium, hard");
        plots::sheet(&page, &title, &sounds, rate, font)?;
        println!("wrote {}", page.display());
    }
    Ok(())
}

/// A stereo WAV of 24 bits, and its rate [Hz].
pub fn read(file: &Path) -> Result<(Stereo, f64)> {
    let mut wav = hound::WavReader::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let rate = f64::from(wav.spec().sample_rate);
    let mut sound: Stereo = Default::default();
    for (i, sample) in wav.samples::<i32>().enumerate() {
        sound[i % 2].push(sample? as f32 / 8_388_608.0);
    }
    Ok((sound, rate))
}
