//! The residual of an imported recording: its noise between the partials, as bands of many modes that hammers hardly feel.
//!
//! In the text of a patch, for a body that is a list of modes; at most 72 bands:
//!
//! ```toml
//! [residual]
//! bands = [
//!   { from = 2.0, to = 2.35, modes = 40, decay = 12.0, left = 0.02, right = 0.03, correlation = 0.2 },
//! ]
//! ```
//!
//! `from` and `to` are frequencies over that of the key, `decay` a decay rate [1/s], `left` and `right` the levels of all modes of the band
//! together over that of a mode of mass 1 at a pickup where its shape is 1. Frequencies, signs and levels of the single modes follow from
//! Body specimen.

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::formats::{Located, TextError, TomlSection, UnknownKeys, figure};

/// Name of the section.
pub(crate) const SECTION: &str = "residual";
/// Maximum number of bands.
pub const MAX_BANDS: usize = 72;
/// Maximum number of modes of all bands.
pub const MAX_RESIDUAL_MODES: usize = 2400;
/// Range of edges over the frequency of the key.
const RATIOS: RangeInclusive<f64> = 1e-4..=1e4;
/// Range of decay rates [1/s].
const DECAYS: RangeInclusive<f64> = 1e-3..=1e4;
/// Range of levels.
const LEVELS: RangeInclusive<f64> = 0.0..=1e9;

/// A band of noise that a strike excites.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResidualBand {
    /// Lower edge over the frequency of the key; > 0.
    pub from: f64,
    /// Upper edge over the frequency of the key; > `from`.
    pub to: f64,
    /// Number of modes, at least 1.
    pub modes: usize,
    /// Decay rate [1/s], > 0.
    pub decay: f64,
    /// Levels left and right of all its modes together, over that of a mode of mass 1; >= 0.
    pub sides: [f64; 2],
    /// Correlation of left and right, -1 to 1.
    pub correlation: f64,
}

/// Reads the section of `root`; no bands without it. Errors: the first error, with line, key and fix.
pub(crate) fn read(root: &mut TomlSection) -> Result<Vec<ResidualBand>, TextError> {
    let Some(mut section) = root.section(SECTION)? else { return Ok(Vec::new()) };
    let rows = section.sections("bands")?;
    section.finish()?;
    if let Some(surplus) = rows.get(MAX_BANDS) {
        let problem = format!("{} bands exceed the maximum of {MAX_BANDS}", rows.len());
        return Err(surplus.place().fault(problem, "leave out the weakest"));
    }
    let (mut bands, mut modes) = (Vec::new(), 0);
    for row in rows {
        let place = row.place().clone();
        let band = read_band(row)?;
        modes += band.modes;
        if modes > MAX_RESIDUAL_MODES {
            let remedy = format!("give all bands together at most {MAX_RESIDUAL_MODES}");
            return Err(place.fault(format!("{modes} modes up to this band are too many"), remedy));
        }
        bands.push(band);
    }
    Ok(bands)
}

fn read_band(mut row: TomlSection) -> Result<ResidualBand, TextError> {
    let mut number = |key: &str, range: RangeInclusive<f64>| -> Result<Located<f64>, TextError> {
        let allowed = format!("give a number from {} to {}", figure(*range.start()), figure(*range.end()));
        match row.number(key)? {
            None => Err(row.missing(key).fault("missing", allowed)),
            Some(Located { value, place }) if !range.contains(&value) => {
                Err(place.fault(format!("{} is out of range", figure(value)), allowed))
            }
            Some(number) => Ok(number),
        }
    };
    let (from, to) = (number("from", RATIOS)?.value, number("to", RATIOS)?);
    if to.value <= from {
        return Err(to.place.fault(format!("{} is not above from", figure(to.value)), "give the upper edge of the band"));
    }
    let modes = number("modes", 1.0..=MAX_RESIDUAL_MODES as f64)?;
    if modes.value.fract() != 0.0 {
        return Err(modes.place.fault(format!("{} is not a whole number", figure(modes.value)), "give a whole number of modes"));
    }
    let decay = number("decay", DECAYS)?.value;
    let sides = [number("left", LEVELS)?.value, number("right", LEVELS)?.value];
    let correlation = number("correlation", -1.0..=1.0)?.value;
    row.finish()?;
    Ok(ResidualBand { from, to: to.value, modes: modes.value as usize, decay, sides, correlation })
}

/// Appends the section named `section` to `text`; nothing without bands.
pub(crate) fn write(section: &str, bands: &[ResidualBand], unknown: &UnknownKeys, text: &mut String) {
    if bands.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n[{section}]\nbands = [");
    for ResidualBand { from, to, modes, decay, sides: [left, right], correlation } in bands {
        let _ = write!(text, "  {{ from = {from:?}, to = {to:?}, modes = {modes}, decay = {decay:?}, ");
        let _ = writeln!(text, "left = {left:?}, right = {right:?}, correlation = {correlation:?} }},");
    }
    text.push_str("]\n");
    unknown.write(section, |key| key == "bands", text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::patch_toml::{from_toml, to_toml};

    const ROW: &str = "from = 1.0, to = 1.5, modes = 20, decay = 7.5, left = 0.25, right = 0.0, correlation = -0.5";

    fn text_of(rows: &str) -> String {
        format!("schema = 2\n[residual]\nbands = [\n{rows}\n]\n")
    }

    #[test]
    fn bands_are_written_and_read_in_patches_and_zones() {
        let patch = from_toml(&text_of(&format!("{{ {ROW} }},"))).expect("valid");
        let expected = ResidualBand { from: 1.0, to: 1.5, modes: 20, decay: 7.5, sides: [0.25, 0.0], correlation: -0.5 };
        assert_eq!(patch.residual, [expected]);
        assert_eq!(from_toml(&to_toml(&patch)), Ok(patch));
        let kit = format!("schema = 2\n[[zone]]\nkeys = [36]\n[zone.residual]\nbands = [{{ {ROW} }}]\n");
        let kit = from_toml(&kit).expect("valid");
        assert_eq!(kit.zones[0].residual, [expected]);
        assert_eq!(from_toml(&to_toml(&kit)), Ok(kit));
    }

    #[test]
    fn errors_name_line_key_and_fix() {
        for (from, to, expected) in [
            ("from = 1.0, ", "", "line 4, residual.bands[0].from: missing; give a number from 0.0001 to 10000"),
            ("to = 1.5", "to = 1.0", "line 4, residual.bands[0].to: 1 is not above from; give the upper edge"),
            ("modes = 20", "modes = 2.5", "line 4, residual.bands[0].modes: 2.5 is not a whole number"),
            ("decay = 7.5", "decay = 0", "line 4, residual.bands[0].decay: 0 is out of range; give a number from"),
            ("left = 0.25", "left = -1", "line 4, residual.bands[0].left: -1 is out of range"),
            (
                "correlation = -0.5",
                "correlation = 2",
                "line 4, residual.bands[0].correlation: 2 is out of range; give a number from -1 to 1",
            ),
            ("right = 0.0", "rihgt = 0.0", "line 4, residual.bands[0].right: missing"),
            ("right = 0.0", "right = 0.0, side = 1", "line 4, residual.bands[0].side: unknown key"),
        ] {
            let fault = from_toml(&text_of(&format!("{{ {} }}", ROW.replace(from, to)))).expect_err(to).to_string();
            assert!(fault.starts_with(expected), "{fault}");
        }
        let many = from_toml(&text_of(&format!("{{ {ROW} }},\n").repeat(MAX_BANDS + 1))).expect_err("too many").to_string();
        assert!(many.contains("73 bands exceed the maximum of 72"), "{many}");
        let dense = format!("{{ {} }},\n", ROW.replace("modes = 20", "modes = 2000")).repeat(2);
        let dense = from_toml(&text_of(&dense)).expect_err("too many modes").to_string();
        assert!(dense.starts_with("line 5, residual.bands[1]: 4000 modes up to this band are too many; give all"), "{dense}");
    }
}
