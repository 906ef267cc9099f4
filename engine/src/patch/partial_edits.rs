//! Single partials of a body as the player wants them; in a patch's text one section a partial:
//!
//! ```toml
//! [[trim]]
//! mode = 2          # which, counted from the lowest of the body as its kind and knobs make it, from 1
//! ratio = 1.01      # factor of its frequency
//! level = -6.0      # dB: its modal mass is more by as much
//! decay = 0.5       # factor of its decay time
//! muted = true      # held: no hammer moves it
//! ```
//!
//! They belong to the body, not to what it may turn into: on the way there they fade.

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::block::amplitude;
use crate::formats::UnknownKeys;
use crate::formats::{Located, TextError, TomlSection};
use urto_physics::bodies;

/// Name of the sections.
pub const SECTION: &str = "trim";
/// Most of them.
pub const MOST_TRIMS: usize = 256;
/// Highest number of a partial, as the knob of modes has it.
pub const MOST_PARTIALS: usize = 256;
/// Ranges of the factor of frequency, of the level [dB], and of the factor of decay time.
pub const RATIOS: RangeInclusive<f64> = 0.05..=20.0;
/// See [`RATIOS`].
pub const LEVELS: RangeInclusive<f64> = -60.0..=24.0;
/// See [`RATIOS`].
pub const DECAYS: RangeInclusive<f64> = 0.01..=100.0;

/// How one partial differs from what the body makes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartialEdit {
    /// Which, counted from the lowest of the body without trims, from 0; below [`MOST_PARTIALS`].
    pub mode: usize,
    /// Factor of its frequency, in [`RATIOS`].
    pub ratio: f64,
    /// Level that a short stroke gives it over its own [dB], in [`LEVELS`].
    pub level: f64,
    /// Factor of its decay time, in [`DECAYS`].
    pub decay: f64,
    /// Whether it is held, and silent.
    pub muted: bool,
}

impl PartialEdit {
    /// The partial as the body makes it.
    pub fn new(mode: usize) -> Self {
        Self { mode, ratio: 1.0, level: 0.0, decay: 1.0, muted: false }
    }

    /// Whether it changes nothing.
    pub fn is_neutral(&self) -> bool {
        *self == Self::new(self.mode)
    }

    /// What it makes of the mode.
    pub(crate) fn to_trim(&self) -> bodies::Trim {
        let gain = if self.muted { 0.0 } else { amplitude(self.level) };
        bodies::Trim { mode: self.mode, ratio: self.ratio, gain, decay: self.decay }
    }
}

/// The trim of partial `mode` in `trims`; a plain one if there is none.
pub fn of(trims: &[PartialEdit], mode: usize) -> PartialEdit {
    trims.iter().copied().find(|trim| trim.mode == mode).unwrap_or(PartialEdit::new(mode))
}

/// Puts `trim` in the place of the one of its partial, in order of partials; a plain one is left out. Nothing where there are
/// [`MOST_TRIMS`] of others.
pub fn put(trims: &mut Vec<PartialEdit>, trim: PartialEdit) {
    trims.retain(|other| other.mode != trim.mode);
    if !trim.is_neutral() && trims.len() < MOST_TRIMS {
        let place = trims.partition_point(|other| other.mode < trim.mode);
        trims.insert(place, trim);
    }
}

/// Reads the sections. Errors: the first thing that is wrong, with line, key and remedy.
pub fn read(sections: Vec<TomlSection>) -> Result<Vec<PartialEdit>, TextError> {
    let mut trims: Vec<PartialEdit> = Vec::new();
    for mut section in sections {
        let (trim, place) = read_trim(&mut section)?;
        if trims.iter().any(|other| other.mode == trim.mode) {
            return Err(place.fault(format!("partial {} is trimmed already", trim.mode + 1), "trim every partial once"));
        }
        section.finish()?;
        trims.push(trim);
    }
    trims.sort_by_key(|trim| trim.mode);
    Ok(trims)
}

fn read_trim(section: &mut TomlSection) -> Result<(PartialEdit, crate::formats::TextLocation), TextError> {
    let Some(Located { value, place }) = section.number("mode")? else {
        return Err(section.missing("mode").fault("missing", "give the number of the partial, the lowest is 1"));
    };
    if value.fract() != 0.0 || !(1.0..=MOST_PARTIALS as f64).contains(&value) {
        return Err(place.fault(format!("{value} is no partial"), format!("give a whole number from 1 to {MOST_PARTIALS}")));
    }
    let mut number = |key: &str, range: RangeInclusive<f64>, own: f64| match section.number(key)? {
        Some(Located { value, place }) if !range.contains(&value) => {
            let remedy = format!("give a number from {} to {}", range.start(), range.end());
            Err(place.fault(format!("{value} is out of range"), remedy))
        }
        read => Ok(read.map_or(own, |read| read.value)),
    };
    let (ratio, level) = (number("ratio", RATIOS, 1.0)?, number("level", LEVELS, 0.0)?);
    let decay = number("decay", DECAYS, 1.0)?;
    let muted = match section.word("muted")? {
        None => false,
        Some(Located { value, place }) => match value.as_str() {
            "true" | "false" => value == "true",
            _ => return Err(place.fault(format!("\"{value}\" is not a value"), "give true or false")),
        },
    };
    Ok((PartialEdit { mode: value as usize - 1, ratio, level, decay, muted }, place))
}

/// The sections as text, called `section`. Reading them gives back the same.
pub fn write(section: &str, trims: &[PartialEdit], beyond: &UnknownKeys, text: &mut String) {
    for (i, PartialEdit { mode, ratio, level, decay, muted }) in trims.iter().enumerate() {
        let _ = writeln!(text, "\n[[{section}]]\nmode = {}\nratio = {ratio:?}\nlevel = {level:?}  # dB", mode + 1);
        let _ = writeln!(text, "decay = {decay:?}\nmuted = {muted}");
        beyond.write(&format!("{section}[{i}]"), |_| false, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::patch_toml::{from_toml, to_toml};

    #[test]
    fn text_holds_trims_exactly() {
        let text = "schema = 2\n[[trim]]\nmode = 3\nratio = 1.059463094359295\nmuted = true\n[[trim]]\nmode = 1\nlevel = -7.25\n\
            decay = 3.0\n[[zone]]\nkeys = [36]\n[[zone.trim]]\nmode = 256\nlevel = 24";
        let patch = from_toml(text).expect("valid");
        let first = PartialEdit { level: -7.25, decay: 3.0, ..PartialEdit::new(0) };
        let third = PartialEdit { ratio: 1.059_463_094_359_295, muted: true, ..PartialEdit::new(2) };
        assert_eq!(patch.trims, [first, third]);
        assert_eq!(patch.zones[0].trims, [PartialEdit { level: 24.0, ..PartialEdit::new(255) }]);
        assert_eq!(from_toml(&to_toml(&patch)), Ok(patch));
    }

    #[test]
    fn complaints_name_line_key_and_remedy() {
        let complaint = |lines: &str| from_toml(&format!("schema = 2\n[[trim]]\n{lines}")).expect_err(lines).to_string();
        for (lines, told) in [
            ("level = 1", "line 2, trim[0].mode: missing; give the number"),
            ("mode = 0", "line 3, trim[0].mode: 0 is no partial; give a whole number from 1 to 256"),
            ("mode = 1\nratio = 0", "line 4, trim[0].ratio: 0 is out of range; give a number from 0.05 to 20"),
            ("mode = 1\nlevel = 25", "line 4, trim[0].level: 25 is out of range; give a number from -60 to 24"),
            ("mode = 1\ndecay = nan", "line 4, trim[0].decay: not a finite number"),
            ("mode = 1\nmuted = \"no\"", "line 4, trim[0].muted: \"no\" is not a value; give true or false"),
            ("mode = 1\n[[trim]]\nmode = 1", "line 5, trim[1].mode: partial 1 is trimmed already"),
            ("mode = 1\ngain = 1", "line 4, trim[0].gain: unknown key"),
        ] {
            let fault = complaint(lines);
            assert!(fault.starts_with(told), "{fault}");
        }
    }

    #[test]
    fn a_partial_has_one_trim_and_a_plain_one_none() {
        let mut trims = Vec::new();
        for mode in [4, 1, 2] {
            put(&mut trims, PartialEdit { level: 1.0, ..PartialEdit::new(mode) });
        }
        put(&mut trims, PartialEdit { muted: true, ..PartialEdit::new(1) });
        put(&mut trims, PartialEdit::new(4));
        assert_eq!(
            trims,
            [PartialEdit { muted: true, ..PartialEdit::new(1) }, PartialEdit { level: 1.0, ..PartialEdit::new(2) }]
        );
        assert_eq!((of(&trims, 1).muted, of(&trims, 4)), (true, PartialEdit::new(4)));
    }
}
