//! The files of `presets compare`: distinct names for the outputs of every instrument, and no input among them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::arguments::load_patch_and_files;
use crate::commands::compared_instrument::{Outputs, hardest};
use crate::io::output_file::check_distinct_files;
use crate::io::{CliError, recording};
use crate::realism::page::{Side, page_path, picture_file, sound_file};
use crate::realism::recording_map::{Instrument, RecordedStroke, Recordings};

/// Most characters of the name of a preset in the name of a file.
const MAX_LETTERS: usize = 60;

/// An instrument of the map, and the beginnings of the names of its files, which no other instrument has.
pub struct NamedInstrument<'a> {
    /// The instrument.
    pub instrument: &'a Instrument,
    page: String,
    picture: String,
}

impl<'a> NamedInstrument<'a> {
    /// The instruments that have a preset, in their order. The first of several equal names stays as it is, the others get a number.
    pub fn of(all: &'a [Instrument]) -> Vec<Self> {
        let (mut pages, mut pictures) = (HashSet::new(), HashSet::new());
        let compared = all.iter().filter_map(|instrument| Some((instrument, instrument.preset.as_deref()?)));
        let named = compared.map(|(instrument, preset)| {
            let preset: String = plain(preset, '-').chars().take(MAX_LETTERS).collect();
            let page = distinct(&mut pages, format!("{preset}-{}", plain(&instrument.kind, '-')), '-');
            let picture = distinct(&mut pictures, plain(&instrument.kind, '_').to_ascii_lowercase(), '_');
            Self { instrument, page, picture }
        });
        named.collect()
    }

    /// The name of the files of a stroke, without side and ending: letters, digits and hyphens.
    pub fn page_file(&self, stroke: &RecordedStroke, place: usize) -> String {
        format!("{}-{}-{place}", self.page, stroke.velocity)
    }

    /// Its picture in `folder`, named after its kind.
    pub fn picture(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.png", self.picture))
    }

    /// The strokes that are compared.
    fn strokes(&self) -> Vec<&'a RecordedStroke> {
        self.instrument.strokes.iter().filter(|stroke| stroke.is_compared).collect()
    }
}

/// `text` with `other` in place of everything but letters and digits of ASCII.
fn plain(text: &str, other: char) -> String {
    text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { other }).collect()
}

/// `name`, or with a number if it is among `given` in upper or lower case.
fn distinct(given: &mut HashSet<String>, name: String, separator: char) -> String {
    let mut numbered = std::iter::once(name.clone()).chain((2_usize..).map(|number| format!("{name}{separator}{number}")));
    numbered.find(|name| given.insert(name.to_ascii_lowercase())).unwrap_or(name)
}

/// Refuses outputs that are the map, a recording of the map, or a preset. Errors: such an output, or a preset that cannot be read.
pub fn check(
    wanted: &[NamedInstrument],
    all: &[Instrument],
    recordings: Recordings,
    outputs: Outputs,
) -> Result<(), CliError> {
    let mut inputs = vec![recordings.map.to_owned()];
    for instrument in all {
        let files = instrument.strokes.iter().map(|stroke| &stroke.file).chain(&instrument.others);
        inputs.extend(files.map(|file| recording::file_of(&recordings.folder.join(file))));
    }
    let mut written: Vec<PathBuf> = outputs.page.map(page_path).into_iter().collect();
    for named in wanted {
        let places = &named.instrument.places;
        let loaded = load_patch_and_files(named.instrument.preset.as_deref().unwrap_or_default());
        inputs.extend(loaded.map_err(|error| recordings.at(&places.preset, error))?.files);
        let strokes = named.strokes();
        for (place, stroke) in strokes.iter().enumerate() {
            let name = named.page_file(stroke, place);
            if let Some(page) = outputs.page {
                let of_side = |side| [sound_file(page, &name, side), picture_file(page, &name, side)];
                written.extend([Side::Recording, Side::Preset].into_iter().flat_map(of_side));
            }
            if let Some(spectrograms) = outputs.spectrograms.filter(|_| place == hardest(&strokes)) {
                written.push(named.picture(spectrograms.folder));
                inputs.extend(spectrograms.before.map(|before| sound_file(before, &name, Side::Preset)));
            }
        }
    }
    check_distinct_files(&inputs, &written.iter().map(|file| Some(file.as_path())).collect::<Vec<_>>())
}
