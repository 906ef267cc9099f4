//! The pictures of the editor.

use anyhow::{Context, Result, bail};
use image::{RgbImage, imageops};
use std::fs;
use std::path::{Path, PathBuf};

/// Pictures whose stages make one sheet: how their names begin, the stage of a window of 900 x 600, and stages side by side.
const BODIES: &str = "body_";
const STAGE: [u32; 4] = [0, 53, 556, 403];
const BESIDE: u32 = 3;
/// Name of that sheet.
const SHEET: &str = "bodies";

/// Keeps the pixmaps in `raw` as pictures in `docs/images/editor/`. Errors: a file that cannot be read or written.
pub fn run(raw: &Path) -> Result<()> {
    let pictures = Path::new("docs/images/editor");
    let mut bodies = Vec::new();
    for file in pixmaps(raw)? {
        let picture = image::open(&file).with_context(|| format!("cannot read {}", file.display()))?.into_rgb8();
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with(BODIES) {
            bodies.push(picture);
        } else {
            keep(&picture, &pictures.join(name).with_extension("png"))?;
        }
    }
    keep(&sheet(&bodies)?, &pictures.join(SHEET).with_extension("png"))
}

/// All pixmaps of a folder, by name.
fn pixmaps(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.retain(|file| file.extension().is_some_and(|ending| ending == "ppm"));
    found.sort();
    Ok(found)
}

fn keep(picture: &RgbImage, file: &Path) -> Result<()> {
    picture.save(file).with_context(|| format!("cannot write {}", file.display()))?;
    println!("wrote {}", file.display());
    Ok(())
}

/// The stages side by side.
fn sheet(pictures: &[RgbImage]) -> Result<RgbImage> {
    let [x, y, width, height] = STAGE;
    if pictures.iter().any(|picture| picture.width() < x + width || picture.height() < y + height) {
        bail!("the scenes {BODIES}.. need windows of at least 900 x 600");
    }
    let rows = (pictures.len() as u32).div_ceil(BESIDE);
    let mut sheet = RgbImage::new(BESIDE * width, rows * height);
    for (i, picture) in (0..).zip(pictures) {
        let stage = imageops::crop_imm(picture, x, y, width, height).to_image();
        imageops::replace(&mut sheet, &stage, i64::from(i % BESIDE * width), i64::from(i / BESIDE * height));
    }
    Ok(sheet)
}
