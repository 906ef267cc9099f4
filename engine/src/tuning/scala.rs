//! Scala files: a scale (.scl), a key map (.kbm), and the key frequencies that result from both.
//!
//! The crate `tune` parses scales and counts degrees over the map. Key maps are parsed here, because the parser of that crate takes
//! the reference key for the middle key. Source: <https://www.huygens-fokker.org/scala/scl_format.html> and the help on mappings.

use std::borrow::Cow;
use std::str::FromStr;

use tune::key::PianoKey;
use tune::pitch::Pitch;
use tune::scala::{Kbm, KbmRoot, Scl, SclImportError, SclStructuralError};
use tune::tuning::KeyboardMapping;

use crate::formats::TextError;
use crate::tuning::key_frequencies::{FREQUENCIES, KEYS, KeyFrequencies, ReferencePitch};

/// Key of a scale's first note without a key map.
const MIDDLE: u8 = 60;
/// Maximum number of keys of a map before it repeats.
const MAX_MAPPED: usize = 1024;
/// Maximum magnitude of a degree of a map.
const MAX_DEGREE: i16 = 10_000;

/// A scale: intervals above its first note; the last one is its period.
pub struct Scale(Scl);

impl Scale {
    /// Parses the text of a .scl file. Errors: line, problem and fix.
    pub fn read(text: &str) -> Result<Self, TextError> {
        let text = with_description(text.trim_start_matches('\u{feff}'));
        let scl = Scl::import(text.as_bytes()).map_err(|error| scale_error(error, &text))?;
        // the period first: all other pitches depend on it
        let pitches: Vec<_> = items(&text).skip(2).enumerate().collect();
        for &(i, (line, item)) in pitches.iter().rev() {
            let ratio = scl.relative_pitch_of(i as i32 + 1).as_float();
            if !(ratio.is_finite() && ratio > 0.0) {
                return Err(no_interval(line, item));
            }
        }
        Ok(Self(scl))
    }

    /// The description in the file.
    pub fn description(&self) -> &str {
        self.0.description()
    }

    /// Number of notes in a period.
    pub fn notes(&self) -> u16 {
        self.0.num_items()
    }
}

/// The lines of a key map before those of its keys.
const HEAD: [&str; 7] =
    ["size of the map", "first key", "last key", "middle key", "reference key", "reference frequency", "formal octave"];

/// A key map: which key plays which note of a scale.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyMap {
    /// First and last audible key.
    range: [u8; 2],
    /// Key at which the pattern begins.
    middle: u8,
    reference: ReferencePitch,
    /// Degrees from one pattern to the next; 0 means the period of the scale.
    octave: i16,
    /// Degree of each key of the pattern, `None` for silent keys; empty: each key is one degree.
    degrees: Vec<Option<i16>>,
}

impl KeyMap {
    /// Each key is one note; the first note is on key 60.
    pub fn linear() -> Self {
        Self { range: [0, KEYS as u8 - 1], middle: MIDDLE, reference: ReferencePitch::default(), octave: 0, degrees: Vec::new() }
    }

    /// Parses the text of a .kbm file. Keys outside its range and unmapped keys are silent. Errors: line, problem and fix.
    pub fn read(text: &str) -> Result<Self, TextError> {
        let text = text.trim_start_matches('\u{feff}');
        if let Some((line, what)) = empty_line(text) {
            return Err(error_at(Some(line), format!("the {what} is empty"), missing(what).remedy));
        }
        let mut lines = items(text);
        let mut next = |what| lines.next().ok_or_else(|| missing(what));
        let size = number(next(HEAD[0])?, "size of the map", 0..=MAX_MAPPED)?;
        let keys = 0..=KEYS as u8 - 1;
        let first = number(next(HEAD[1])?, "first key", keys.clone())?;
        let last = number(next(HEAD[2])?, "last key", first..=*keys.end())?;
        let middle = number(next(HEAD[3])?, "middle key", keys.clone())?;
        let key = number(next(HEAD[4])?, "reference key", keys)?;
        let hertz = number(next(HEAD[5])?, "reference frequency in Hz", FREQUENCIES)?;
        let octave = number(next(HEAD[6])?, "formal octave", 0..=MAX_DEGREE)?;
        let mut degrees = Vec::with_capacity(size);
        for (line, item) in lines {
            if degrees.len() == size {
                let problem = format!("more keys than the {size} of the map's size");
                return Err(error_at(Some(line), problem, "correct the size in the first line, or remove the line"));
            }
            degrees.push(if item.eq_ignore_ascii_case("x") {
                None
            } else {
                Some(number((line, item), "degree (or x for a silent key)", -MAX_DEGREE..=MAX_DEGREE)?)
            });
        }
        degrees.resize(size, None);
        Ok(Self { range: [first, last], middle, reference: ReferencePitch { key, hertz }, octave, degrees })
    }

    /// The reference pitch of the file.
    pub fn reference(&self) -> ReferencePitch {
        self.reference
    }

    /// The frequencies of all keys for `scale`, with `reference` instead of that of the map. Errors: a reference key without a pitch, or no key
    /// with one.
    pub fn tuning(&self, scale: &Scale, reference: ReferencePitch) -> Result<KeyFrequencies, TextError> {
        let key = |key: u8| PianoKey::from_midi_number(key);
        let octave = if self.octave == 0 { scale.notes().min(i16::MAX as u16) as i16 } else { self.octave };
        let mut root = KbmRoot { ref_key: key(self.middle), ref_pitch: Pitch::from_hz(reference.hertz), root_offset: 0 };
        let start = Kbm::builder(root).formal_octave(octave);
        let builder = self.degrees.iter().fold(start, |builder, degree| match degree {
            Some(degree) => builder.push_mapped_key(*degree),
            None => builder.push_unmapped_key(),
        });
        let mut map = builder.build().map_err(|error| {
            error_at(None, format!("the key map cannot be used ({error:?})"), "write a key map with fewer keys")
        })?;
        let Some(degree) = map.scale_degree_of(key(reference.key)) else {
            let problem = format!("the reference key {} is silent in the map", reference.key);
            return Err(error_at(None, problem, "assign a degree to it, or choose another reference key"));
        };
        root.root_offset = -degree;
        map.set_kbm_root(root);
        let sounds = |k: &u8| (self.range[0]..=self.range[1]).contains(k);
        let hertz = |k: u8| (&scale.0, &map).maybe_pitch_of(key(k)).map(Pitch::as_hz);
        let tuning = KeyFrequencies::new(|k| Some(k).filter(sounds).and_then(hertz));
        if (0..KEYS as u8).any(|key| tuning.hertz(key).is_some()) {
            return Ok(tuning);
        }
        Err(error_at(None, "no key has a pitch from 0.1 to 100000 Hz", "correct the intervals or the map"))
    }
}

/// The first word of each line that is neither empty nor a comment, with the line number.
fn items(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let relevant = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('!'));
    relevant.map(|(i, line)| (i, line.split_ascii_whitespace().next().unwrap_or("")))
}

/// The first empty line among those before the keys of a key map, and what should be there: without it, each later line would have the
/// meaning of the one before.
fn empty_line(text: &str) -> Option<(usize, &'static str)> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())).filter(|(_, line)| !line.starts_with('!'));
    let head = lines.skip_while(|(_, line)| line.is_empty()).zip(HEAD);
    let rest_is_empty = |line: usize| text.lines().skip(line).all(|line| line.trim().is_empty());
    head.filter(|((_, line), _)| line.is_empty()).map(|((line, _), what)| (line, what)).find(|(line, _)| !rest_is_empty(*line))
}

/// Fills an empty description, which the format allows and `tune` would skip.
fn with_description(text: &str) -> Cow<'_, str> {
    let first = text.lines().map(str::trim).position(|line| !line.starts_with('!'));
    let is_number = |item: Option<(usize, &str)>| item.is_some_and(|(_, item)| item.parse::<u16>().is_ok());
    let (mut all, mut lines) = (items(text), text.lines());
    match first {
        Some(i) if lines.nth(i).is_some_and(|line| line.trim().is_empty()) && is_number(all.next()) => {
            let filled = text.lines().enumerate().map(|(j, line)| if i == j { "unnamed" } else { line });
            Cow::Owned(filled.collect::<Vec<_>>().join("\n"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// Parses the number `what`, which must lie in `range`.
fn number<T>((line, item): (usize, &str), what: &str, range: std::ops::RangeInclusive<T>) -> Result<T, TextError>
where
    T: FromStr + PartialOrd + std::fmt::Display,
{
    item.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
        let remedy = format!("give a number from {} to {}", range.start(), range.end());
        error_at(Some(line), format!("{item:?} is not a valid {what}"), remedy)
    })
}

fn missing(what: &str) -> TextError {
    let order = "size, first, last, middle and reference key, reference frequency, formal octave, then the keys";
    error_at(None, format!("the {what} is missing"), format!("a key map has one line for each of these: {order}"))
}

fn no_interval(line: usize, item: &str) -> TextError {
    let remedy = "write a ratio such as 3/2, or cents with a point such as 701.955";
    error_at(Some(line), format!("{item:?} is not an interval"), remedy)
}

/// An error of `tune` about `text`, with line and item.
fn scale_error(error: SclImportError, text: &str) -> TextError {
    let count = items(text).nth(1);
    let pitches = items(text).skip(2).count();
    match error {
        SclImportError::ParseError { line_number, .. } => {
            let item = items(text).find(|(line, _)| *line == line_number).map_or("", |(_, item)| item);
            if count.is_some_and(|(line, _)| line == line_number) {
                let remedy = "after the description, give the number of lines with intervals, up to 65535";
                return error_at(Some(line_number), format!("{item:?} is not a number of notes"), remedy);
            }
            no_interval(line_number, item)
        }
        SclImportError::StructuralError(SclStructuralError::InconsistentNumberOfNotes) => {
            let (line, stated) = count.unzip();
            let problem = format!("the file declares {} intervals but has {pitches}", stated.unwrap_or("no"));
            error_at(line, problem, "correct the number, or the lines after it")
        }
        SclImportError::StructuralError(_) => {
            let remedy = "a scale has a line of description, the number of notes, and a line for each interval";
            error_at(None, "the number of notes is missing", remedy)
        }
        SclImportError::BuildError(_) => error_at(None, "too many intervals", "give at most 65535"),
        SclImportError::IoError(error) => error_at(None, format!("the scale is not text ({error})"), "give a Scala scale"),
    }
}

fn error_at(line: Option<usize>, problem: impl Into<String>, remedy: impl Into<String>) -> TextError {
    TextError { line, key: String::new(), problem: problem.into(), remedy: remedy.into() }
}
