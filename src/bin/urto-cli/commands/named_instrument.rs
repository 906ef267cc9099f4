//! An instrument of the map of `presets compare`, with distinct names for its output files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::realism::recording_map::{Instrument, RecordedStroke};

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
    pub fn strokes(&self) -> Vec<&'a RecordedStroke> {
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

/// Place of the hardest stroke, of several the last.
pub fn hardest(strokes: &[&RecordedStroke]) -> usize {
    (0..strokes.len()).max_by_key(|place| strokes[*place].velocity).unwrap_or(0)
}
