//! Edits of single partials of a body. In the text of a patch, one section per partial:
//!
//! ```toml
//! [[trim]]
//! mode = 2          # number of the partial before edits, from 1
//! ratio = 1.01      # factor of its frequency
//! level = -6.0      # dB; scales its modal mass
//! decay = 0.5       # factor of its decay time
//! muted = true      # no hammer excites it
//! ```
//!
//! They apply to the body, not to the one that it morphs into; morphing fades them out.

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::block::amplitude;
use crate::formats::{Located, TextError, TextLocation, TomlSection, UnknownKeys, figure};
use urto_physics::bodies;

/// Name of the sections.
pub const SECTION: &str = "trim";
/// Maximum number of edits.
pub const MAX_EDITS: usize = 256;
/// Maximum number of partials, that of the parameter `modes`.
pub const MAX_PARTIALS: usize = 256;
/// Ranges of the factor of frequency, of the level [dB], and of the factor of decay time.
pub const RATIOS: RangeInclusive<f64> = 0.05..=20.0;
/// See [`RATIOS`].
pub const LEVELS: RangeInclusive<f64> = -60.0..=24.0;
/// See [`RATIOS`].
pub const DECAYS: RangeInclusive<f64> = 0.01..=100.0;

/// The edit of one partial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartialEdit {
    /// Index of the partial before edits, from 0; below [`MAX_PARTIALS`].
    pub mode: usize,
    /// Factor of its frequency, in [`RATIOS`].
    pub ratio: f64,
    /// Change of its level after a short strike [dB], in [`LEVELS`].
    pub level: f64,
    /// Factor of its decay time, in [`DECAYS`].
    pub decay: f64,
    /// Whether it is silent: no hammer excites it.
    pub muted: bool,
}

impl PartialEdit {
    /// The edit that changes nothing.
    pub fn new(mode: usize) -> Self {
        Self { mode, ratio: 1.0, level: 0.0, decay: 1.0, muted: false }
    }

    /// Whether it changes nothing.
    pub fn is_neutral(&self) -> bool {
        *self == Self::new(self.mode)
    }

    /// The edit as factors of frequency, weight and decay time.
    pub(crate) fn to_trim(self) -> bodies::Trim {
        let gain = if self.muted { 0.0 } else { amplitude(self.level) };
        bodies::Trim { mode: self.mode, ratio: self.ratio, gain, decay: self.decay }
    }
}

/// The edit of partial `mode` in `edits`; a neutral one if there is none.
pub fn of(edits: &[PartialEdit], mode: usize) -> PartialEdit {
    edits.iter().copied().find(|edit| edit.mode == mode).unwrap_or(PartialEdit::new(mode))
}

/// Replaces the edit of the same partial, in order of partials; a neutral edit is removed. Ignored if there are [`MAX_EDITS`] others.
pub fn put(edits: &mut Vec<PartialEdit>, edit: PartialEdit) {
    edits.retain(|other| other.mode != edit.mode);
    if !edit.is_neutral() && edits.len() < MAX_EDITS {
        let place = edits.partition_point(|other| other.mode < edit.mode);
        edits.insert(place, edit);
    }
}

/// Reads the sections. Errors: the first error, with line, key and fix.
pub fn read(sections: Vec<TomlSection>) -> Result<Vec<PartialEdit>, TextError> {
    let mut edits: Vec<PartialEdit> = Vec::new();
    for mut section in sections {
        let (edit, place) = read_edit(&mut section)?;
        if edits.iter().any(|other| other.mode == edit.mode) {
            return Err(place.fault(format!("partial {} is edited twice", edit.mode + 1), "edit each partial once"));
        }
        section.finish()?;
        edits.push(edit);
    }
    edits.sort_by_key(|edit| edit.mode);
    Ok(edits)
}

fn read_edit(section: &mut TomlSection) -> Result<(PartialEdit, TextLocation), TextError> {
    let Some(Located { value, place }) = section.number("mode")? else {
        return Err(section.missing("mode").fault("missing", "give the number of the partial, the lowest is 1"));
    };
    if value.fract() != 0.0 || !(1.0..=MAX_PARTIALS as f64).contains(&value) {
        return Err(
            place.fault(format!("{} is not a partial", figure(value)), format!("give a whole number from 1 to {MAX_PARTIALS}"))
        );
    }
    let mut number = |key: &str, range: RangeInclusive<f64>, default: f64| match section.number(key)? {
        Some(Located { value, place }) if !range.contains(&value) => {
            let remedy = format!("give a number from {} to {}", range.start(), range.end());
            Err(place.fault(format!("{} is out of range", figure(value)), remedy))
        }
        read => Ok(read.map_or(default, |read| read.value)),
    };
    let (ratio, level) = (number("ratio", RATIOS, 1.0)?, number("level", LEVELS, 0.0)?);
    let decay = number("decay", DECAYS, 1.0)?;
    let muted = section.flag("muted")?.is_some_and(|muted| muted.value);
    Ok((PartialEdit { mode: value as usize - 1, ratio, level, decay, muted }, place))
}

/// Appends the sections `section` to `text`, with their unknown keys. Reading them returns the same edits.
pub fn write(section: &str, edits: &[PartialEdit], unknown: &UnknownKeys, text: &mut String) {
    for (i, PartialEdit { mode, ratio, level, decay, muted }) in edits.iter().enumerate() {
        let _ = writeln!(text, "\n[[{section}]]\nmode = {}\nratio = {ratio:?}\nlevel = {level:?}  # dB", mode + 1);
        let _ = writeln!(text, "decay = {decay:?}\nmuted = {muted}");
        unknown.write(&format!("{section}[{i}]"), |_| false, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::patch_toml::{from_toml, to_toml};

    #[test]
    fn text_preserves_edits_exactly() {
        let text = "schema = 2\n[[trim]]\nmode = 3\nratio = 1.059463094359295\nmuted = true\n[[trim]]\nmode = 1\nlevel = -7.25\n\
            decay = 3.0\n[[zone]]\nkeys = [36]\n[[zone.trim]]\nmode = 256\nlevel = 24";
        let patch = from_toml(text).expect("valid");
        let first = PartialEdit { level: -7.25, decay: 3.0, ..PartialEdit::new(0) };
        let third = PartialEdit { ratio: 1.059_463_094_359_295, muted: true, ..PartialEdit::new(2) };
        assert_eq!(patch.partial_edits, [first, third]);
        assert_eq!(patch.zones[0].partial_edits, [PartialEdit { level: 24.0, ..PartialEdit::new(255) }]);
        assert_eq!(from_toml(&to_toml(&patch)), Ok(patch));
    }

    #[test]
    fn errors_name_line_key_and_fix() {
        let error_of = |lines: &str| from_toml(&format!("schema = 2\n[[trim]]\n{lines}")).expect_err(lines).to_string();
        for (lines, expected) in [
            ("level = 1", "line 2, trim[0].mode: missing; give the number"),
            ("mode = 0", "line 3, trim[0].mode: 0 is not a partial; give a whole number from 1 to 256"),
            ("mode = 1\nratio = 0", "line 4, trim[0].ratio: 0 is out of range; give a number from 0.05 to 20"),
            ("mode = 1\nlevel = 25", "line 4, trim[0].level: 25 is out of range; give a number from -60 to 24"),
            ("mode = 1\ndecay = nan", "line 4, trim[0].decay: not a finite number"),
            ("mode = 1\nmuted = \"no\"", "line 4, trim[0].muted: \"no\" is not an allowed value; give true or false"),
            ("mode = 1\n[[trim]]\nmode = 1", "line 5, trim[1].mode: partial 1 is edited twice"),
            ("mode = 1\ngain = 1", "line 4, trim[0].gain: unknown key"),
        ] {
            let fault = error_of(lines);
            assert!(fault.starts_with(expected), "{fault}");
        }
    }

    #[test]
    fn a_partial_has_at_most_one_edit_and_no_neutral_one() {
        let mut edits = Vec::new();
        for mode in [4, 1, 2] {
            put(&mut edits, PartialEdit { level: 1.0, ..PartialEdit::new(mode) });
        }
        put(&mut edits, PartialEdit { muted: true, ..PartialEdit::new(1) });
        put(&mut edits, PartialEdit::new(4));
        assert_eq!(
            edits,
            [PartialEdit { muted: true, ..PartialEdit::new(1) }, PartialEdit { level: 1.0, ..PartialEdit::new(2) }]
        );
        assert_eq!((of(&edits, 1).muted, of(&edits, 4)), (true, PartialEdit::new(4)));
    }
}
