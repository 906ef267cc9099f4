//! Spectrograms of `presets compare`: of each instrument one picture, of an earlier preset, of the present one and of the recording, for the
//! hardest stroke or for every one.

use std::path::Path;

use crate::commands::named_instrument::NamedInstrument;
use crate::io::error::print_note;
use crate::io::{CliError, PendingFile, Sound};
use crate::realism::page::{Side, sound_file};
use crate::realism::picture::{self, Panel};

/// Shortest and longest time that is shown [s].
const SHOWN: (f64, f64) = (0.25, 2.0);

/// Where pictures go, and where the sounds of earlier presets are.
#[derive(Clone, Copy)]
pub struct Spectrograms<'a> {
    /// Folder of the pictures.
    pub folder: &'a Path,
    /// Folder of a page that an earlier version wrote.
    pub before: Option<&'a Path>,
    /// Whether every stroke is shown, and not only the hardest.
    pub every_stroke: bool,
}

/// Both sounds of a stroke.
pub struct StrokeSounds<'a> {
    /// Name of its files on a page, without side and ending.
    pub page_file: String,
    /// The recording.
    pub recording: &'a Sound,
    /// The preset.
    pub preset: Sound,
}

impl Spectrograms<'_> {
    /// Writes the picture of an instrument, with one row for each of `strokes`. Errors: an earlier sound cannot be read, or the picture cannot
    /// be written.
    pub fn write(&self, named: &NamedInstrument, strokes: &[StrokeSounds]) -> Result<(), CliError> {
        let earlier: Vec<Option<Sound>> = strokes.iter().map(|stroke| self.earlier(named, stroke)).collect::<Result<_, _>>()?;
        let panels = |(stroke, earlier)| {
            let StrokeSounds { recording, preset, .. }: &StrokeSounds = stroke;
            let earlier: &Option<Sound> = earlier;
            let mut panels: Vec<Panel> = earlier.iter().map(|sound| Panel { title: "before", sound }).collect();
            panels.push(Panel { title: "now", sound: preset });
            panels.push(Panel { title: "recording", sound: recording });
            panels
        };
        let rows: Vec<Vec<Panel>> = strokes.iter().zip(&earlier).map(panels).collect();
        let path = named.picture(self.folder);
        let (pending, open) = PendingFile::create(&path)?;
        let longest = strokes.iter().map(|stroke| stroke.recording.seconds()).fold(0.0, f64::max);
        picture::write_panels(&rows, longest.clamp(SHOWN.0, SHOWN.1), std::io::BufWriter::new(open))
            .map_err(|error| CliError::unwritable(&path, error))?;
        pending.publish()
    }

    /// The earlier preset of a stroke, if there is one. Errors: its sound cannot be read.
    fn earlier(&self, named: &NamedInstrument, stroke: &StrokeSounds) -> Result<Option<Sound>, CliError> {
        let Some(folder) = self.before else { return Ok(None) };
        let file = sound_file(folder, &stroke.page_file, Side::Preset);
        if file.exists() {
            return Sound::read(&file).map(Some);
        }
        print_note(format_args!("{}: there is no {}; its picture has two panels.", named.instrument.kind, file.display()));
        Ok(None)
    }
}
