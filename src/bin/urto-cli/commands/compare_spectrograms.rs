//! Spectrograms of `presets compare`: of each instrument one picture, of an earlier preset, of the present one and of the recording.

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
}

/// Both sounds of a stroke.
#[derive(Clone, Copy)]
pub struct StrokeSounds<'a> {
    /// Name of its files on a page, without side and ending.
    pub page_file: &'a str,
    /// The recording.
    pub recording: &'a Sound,
    /// The preset.
    pub preset: &'a Sound,
}

impl Spectrograms<'_> {
    /// Writes the picture of a stroke of an instrument. Errors: the earlier sound cannot be read, or the picture cannot be written.
    pub fn write(&self, named: &NamedInstrument, stroke: StrokeSounds) -> Result<(), CliError> {
        let before = self.before.map(|folder| sound_file(folder, stroke.page_file, Side::Preset));
        let earlier = match before {
            Some(file) if file.exists() => Some(Sound::read(&file)?),
            Some(file) => {
                print_note(format_args!(
                    "{}: there is no {}; its picture has two panels.",
                    named.instrument.kind,
                    file.display()
                ));
                None
            }
            None => None,
        };
        let mut panels: Vec<Panel> = earlier.iter().map(|sound| Panel { title: "before", sound }).collect();
        panels.push(Panel { title: "now", sound: stroke.preset });
        panels.push(Panel { title: "recording", sound: stroke.recording });
        let path = named.picture(self.folder);
        let (pending, open) = PendingFile::create(&path)?;
        let seconds = stroke.recording.seconds().clamp(SHOWN.0, SHOWN.1);
        picture::write_panels(&panels, seconds, std::io::BufWriter::new(open))
            .map_err(|error| CliError::unwritable(&path, &error))?;
        pending.publish()
    }
}
