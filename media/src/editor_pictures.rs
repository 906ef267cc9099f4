//! Conversion of the editor's screenshots to the pictures of the manual.

use anyhow::{Context, Result, bail};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{RgbImage, imageops};
use std::fs;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Start of the names of the scenes whose body views are combined on one sheet.
const BODY_SCENES: &str = "body_";
/// Area of the body view in a window of 900 x 600.
const BODY_VIEW: Area = Area { x: 0, y: 53, width: 556, height: 403 };
/// Body views per row of the sheet.
const COLUMNS: u32 = 3;
/// Name of the sheet.
const SHEET: &str = "bodies";

/// A rectangle of a picture [px].
struct Area {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

/// Converts the pixmaps in `raw` to pictures in `docs/images/editor/`.
pub fn run(raw: &Path) -> Result<()> {
    let folder = Path::new("docs/images/editor");
    let mut bodies = Vec::new();
    for file in pixmaps(raw)? {
        let picture = image::open(&file).with_context(|| format!("cannot read {}", file.display()))?.into_rgb8();
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with(BODY_SCENES) {
            bodies.push(picture);
        } else {
            save(&picture, &folder.join(name).with_extension("png"))?;
        }
    }
    save(&body_sheet(&bodies)?, &folder.join(SHEET).with_extension("png"))
}

/// All pixmaps of a folder, sorted by name.
fn pixmaps(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ppm"));
    files.sort();
    Ok(files)
}

fn save(picture: &RgbImage, file: &Path) -> Result<()> {
    let context = || format!("cannot write {}", file.display());
    let open = BufWriter::new(File::create(file).with_context(context)?);
    // takes some seconds and makes the files smaller, without loss
    let encoder = PngEncoder::new_with_quality(open, CompressionType::Best, FilterType::Adaptive);
    picture.write_with_encoder(encoder).with_context(context)?;
    println!("wrote {}", file.display());
    Ok(())
}

/// The body views of `pictures` in rows.
fn body_sheet(pictures: &[RgbImage]) -> Result<RgbImage> {
    let Area { x, y, width, height } = BODY_VIEW;
    if pictures.iter().any(|picture| picture.width() < x + width || picture.height() < y + height) {
        bail!("docs/images/editor/scenes.toml: the scenes {BODY_SCENES}* need windows of at least 900 x 600");
    }
    let rows = (pictures.len() as u32).div_ceil(COLUMNS);
    let mut sheet = RgbImage::new(COLUMNS * width, rows * height);
    for (i, picture) in (0..).zip(pictures) {
        let view = imageops::crop_imm(picture, x, y, width, height).to_image();
        imageops::replace(&mut sheet, &view, i64::from(i % COLUMNS * width), i64::from(i / COLUMNS * height));
    }
    Ok(sheet)
}
