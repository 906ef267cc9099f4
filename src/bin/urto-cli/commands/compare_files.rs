//! The files of `presets compare`: no output is an input.

use std::path::PathBuf;

use crate::arguments::load_patch_and_files;
use crate::commands::compared_instrument::Outputs;
use crate::commands::named_instrument::{NamedInstrument, hardest};
use crate::io::output_file::check_distinct_files;
use crate::io::{CliError, recording};
use crate::realism::page::{Side, page_path, picture_file, sound_file};
use crate::realism::recording_map::{Instrument, Recordings};

/// Refuses outputs that are the map, a recording of the map, or a preset. Errors: such an output, or a preset that cannot be read.
pub fn check(wanted: &[NamedInstrument], all: &[Instrument], recordings: Recordings, outputs: Outputs) -> Result<(), CliError> {
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
            if let Some(spectrograms) = outputs.spectrograms.filter(|outputs| outputs.every_stroke || place == hardest(&strokes))
            {
                if place == hardest(&strokes) {
                    written.push(named.picture(spectrograms.folder));
                }
                inputs.extend(spectrograms.before.map(|before| sound_file(before, &name, Side::Preset)));
            }
        }
    }
    check_distinct_files(&inputs, &written.iter().map(|file| Some(file.as_path())).collect::<Vec<_>>())
}
