//! Lists of modes: the sections `[[modes]]` and `[[morph_modes]]` of a patch, and the body made of them.
//!
//! ```toml
//! [[modes]]
//! ratio = 2.7            # frequency over that of the key
//! decay = 4.0            # 1/s; without it the losses of [body]
//! mass = 0.5             # modal mass over the body's mass, for a shape whose mean square is 1; 1 without it
//! shape = [1.0, -0.5]    # signed, equally spaced from end to end; or
//! wave = [2.0, -0.5]     # half waves between the ends, phase in half waves: sqrt2 cos(pi (2 xi - 0.5)); or
//! family = [2, 1]        # nodal diameters and circles of a head's mode; [m, 0] is a ring struck on its rim
//! split = 0.002          # relative frequency difference of the two modes of a family with diameters
//! [[modes]]
//! rigid = true           # a free body with rigid motion; no other keys
//! ```
//!
//! Without `shape`, `wave` and `family` the n-th mode of the list is sqrt2 cos(n pi xi).

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::formats::{Located, TextError, TextLocation, TomlSection, UnknownKeys, figure};
use urto_physics::bodies::{ListMode, ListShape, ModalShape, RoundMode};

/// Maximum number of modes in a list.
pub const MAX_MODES: usize = 256;
/// Maximum number of points of a shape.
pub const MAX_PLACES: usize = 1024;
/// Frequencies of modes over that of the key: more than what any import can give.
pub const MODE_RATIOS: RangeInclusive<f64> = 1e-9..=1e9;
/// Maximum decay rate of a mode [1/s].
pub const MAX_DECAY_RATE: f64 = 1e9;
/// Maximum number of nodal diameters and of circles; half waves up to four times that.
const MAX_NODES: f64 = 64.0;

/// One mode of a list, or a degenerate pair.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ListedMode {
    /// Frequency over that of the key; > 0. 0 is rigid motion: the body is free.
    pub ratio: f64,
    /// Decay rate sigma [1/s]; by default from the losses of the body.
    pub decay: Option<f64>,
    /// Modal mass over the body's mass, for a shape whose mean square is 1; > 0.
    pub mass: f64,
    /// Mode shape.
    pub shape: ModeShape,
}

/// Shape of a mode of a list.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum ModeShape {
    /// sqrt2 cos(n pi xi), n the number of the mode in the list, from 1.
    #[default]
    Cosine,
    /// Signed values at equally spaced points from one end to the other.
    Drawn(Vec<f64>),
    /// sqrt2 cos(pi (half_waves xi + phase)).
    Wave {
        /// Half waves between the ends.
        half_waves: f64,
        /// Phase [half waves] at the first end.
        phase: f64,
    },
    /// On a drum head, or on a ring if there are no circles. With diameters it is a pair of a cosine and a sine.
    Family {
        /// Nodal diameters.
        diameters: u32,
        /// Nodal circles, including the rim.
        circles: u32,
        /// Frequency of the second mode over that of the first, minus 1.
        split: f64,
    },
}

impl From<Vec<f64>> for ModeShape {
    /// A drawn shape; a cosine for an empty list.
    fn from(places: Vec<f64>) -> Self {
        if places.is_empty() { Self::Cosine } else { Self::Drawn(places) }
    }
}

/// The body of the lowest `count` modes of `list`; one mode for an empty list.
pub(crate) fn shape(list: &[ListedMode], count: usize) -> ModalShape {
    let is_free = list.iter().any(|mode| mode.ratio == 0.0);
    let present = list.iter().filter(|mode| mode.ratio > 0.0 && mode.mass > 0.0).enumerate();
    let mut modes: Vec<_> = present.flat_map(|(i, mode)| singles(i + 1, mode)).flatten().collect();
    if modes.is_empty() {
        modes.push(ListMode { ratio: 1.0, decay: None, mass: 1.0, shape: ListShape::Cosine(1) });
    }
    modes.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    modes.truncate(count);
    ModalShape::list(&modes, is_free)
}

/// The mode with the number `order`, or both modes of a pair.
fn singles(order: usize, mode: &ListedMode) -> [Option<ListMode>; 2] {
    let single = |ratio, shape| Some(ListMode { ratio, decay: mode.decay, mass: mode.mass, shape });
    match &mode.shape {
        ModeShape::Cosine => [single(mode.ratio, ListShape::Cosine(order)), None],
        ModeShape::Drawn(places) => [single(mode.ratio, ListShape::Drawn(places.clone())), None],
        &ModeShape::Wave { half_waves, phase } => [single(mode.ratio, ListShape::Wave { half_waves, phase }), None],
        &ModeShape::Family { diameters, circles, split } => {
            let round = |second| ListShape::Round(RoundMode { diameters, circles, second });
            let second = (diameters > 0).then(|| single(mode.ratio * (1.0 + split), round(true)));
            [single(mode.ratio, round(false)), second.flatten()]
        }
    }
}

/// Reads the modes under `key`. Errors: the first error, with line, key and fix.
pub(crate) fn read(root: &mut TomlSection, key: &str) -> Result<Vec<ListedMode>, TextError> {
    let sections = root.sections(key)?;
    if let Some(surplus) = sections.get(MAX_MODES) {
        let problem = format!("{} modes exceed the maximum of {MAX_MODES}", sections.len());
        return Err(surplus.place().fault(problem, "leave out the weakest"));
    }
    sections.into_iter().map(read_mode).collect()
}

fn read_mode(mut section: TomlSection) -> Result<ListedMode, TextError> {
    let positive = |number: Located<f64>, what: &str| {
        if number.value > 0.0 {
            return Ok(number.value);
        }
        Err(number.place.fault(format!("the {what} {} is not above zero", number.value), format!("give a {what} above zero")))
    };
    if let Some(Located { value, place }) = section.flag("rigid")? {
        section.finish()?;
        return if value {
            Ok(ListedMode { ratio: 0.0, mass: 1.0, ..ListedMode::default() })
        } else {
            Err(place.fault("\"false\" is not an allowed value", "write rigid = true, or leave it out"))
        };
    }
    let ratio = match section.number("ratio")? {
        Some(Located { value, place }) if value > 0.0 && !MODE_RATIOS.contains(&value) => {
            let remedy = format!("give a ratio from {:e} to {:e}", MODE_RATIOS.start(), MODE_RATIOS.end());
            return Err(place.fault(format!("the ratio {} is out of range", figure(value)), remedy));
        }
        Some(ratio) => positive(ratio, "ratio")?,
        None => return Err(section.missing("ratio").fault("missing", "give the mode's frequency over that of the key")),
    };
    let decay = match section.number("decay")? {
        Some(Located { value, place }) if value > MAX_DECAY_RATE => return Err(too_fast(value, &place)),
        decay => decay.map(|decay| positive(decay, "decay rate")).transpose()?,
    };
    let mass = section.number("mass")?.map_or(Ok(1.0), |mass| positive(mass, "mass"))?;
    let shape = read_shape(&mut section)?;
    section.finish()?;
    Ok(ListedMode { ratio, decay, mass, shape })
}

/// The fault of a mode that decays at `rate` [1/s].
pub(crate) fn too_fast(rate: f64, place: &TextLocation) -> TextError {
    let problem = format!("a decay rate of {} 1/s is out of range", figure(rate));
    place.fault(problem, format!("give a decay rate of at most {MAX_DECAY_RATE:e} 1/s"))
}

fn read_shape(section: &mut TomlSection) -> Result<ModeShape, TextError> {
    let found = [drawn(section)?, wave(section)?, family(section)?];
    let mut found = found.into_iter().flatten();
    let first = found.next().unwrap_or_default();
    if found.next().is_some() {
        return Err(section.place().fault("more than one shape", "keep only one of shape, wave and family"));
    }
    Ok(first)
}

fn drawn(section: &mut TomlSection) -> Result<Option<ModeShape>, TextError> {
    let Some(Located { value, place }) = section.numbers("shape")? else { return Ok(None) };
    if !(2..=MAX_PLACES).contains(&value.len()) || value.iter().all(|&phi| phi == 0.0) {
        let remedy = format!("give 2 to {MAX_PLACES} values, not all zero, or leave it out");
        return Err(place.fault("invalid shape", remedy));
    }
    Ok(Some(ModeShape::Drawn(value)))
}

fn wave(section: &mut TomlSection) -> Result<Option<ModeShape>, TextError> {
    let Some(Located { value, place }) = section.numbers("wave")? else { return Ok(None) };
    match value[..] {
        [half_waves, phase] if (0.0..=MAX_NODES * 4.0).contains(&half_waves) && phase.abs() <= 2.0 => {
            Ok(Some(ModeShape::Wave { half_waves, phase }))
        }
        _ => Err(place.fault("invalid wave", format!("give half waves from 0 to {} and a phase from -2 to 2", MAX_NODES * 4.0))),
    }
}

fn family(section: &mut TomlSection) -> Result<Option<ModeShape>, TextError> {
    let split = section.number("split")?;
    let Some(Located { value, place }) = section.numbers("family")? else {
        return match split {
            Some(split) => Err(split.place.fault("there is no family to split", "give family = [m, n], or leave it out")),
            None => Ok(None),
        };
    };
    let whole = |number: f64| (number.fract() == 0.0 && (0.0..=MAX_NODES).contains(&number)).then_some(number as u32);
    let (diameters, circles) = match value[..] {
        [m, n] => whole(m).zip(whole(n)).filter(|&family| family != (0, 0)),
        _ => None,
    }
    .ok_or_else(|| {
        place.fault("invalid family", format!("give nodal diameters and circles, whole numbers from 0 to {MAX_NODES}"))
    })?;
    let split = match split {
        Some(Located { value, place }) if !(0.0..=1.0).contains(&value) => {
            return Err(place.fault(format!("the split {} is out of range", figure(value)), "give a number from 0 to 1"));
        }
        split => split.map_or(0.0, |split| split.value),
    };
    Ok(Some(ModeShape::Family { diameters, circles, split }))
}

/// Appends the modes to `text` as sections `key`, with their unknown keys.
pub(crate) fn write(key: &str, modes: &[ListedMode], unknown: &UnknownKeys, text: &mut String) {
    for (i, mode) in modes.iter().enumerate() {
        let _ = writeln!(text, "\n[[{key}]]");
        if mode.ratio == 0.0 {
            let _ = writeln!(text, "rigid = true");
            continue;
        }
        let _ = writeln!(text, "ratio = {:?}", mode.ratio);
        if let Some(decay) = mode.decay {
            let _ = writeln!(text, "decay = {decay:?}  # 1/s");
        }
        let _ = writeln!(text, "mass = {:?}", mode.mass);
        let line = match &mode.shape {
            ModeShape::Cosine => String::new(),
            ModeShape::Drawn(places) => format!("shape = {places:?}\n"),
            ModeShape::Wave { half_waves, phase } => format!("wave = [{half_waves:?}, {phase:?}]\n"),
            ModeShape::Family { diameters, circles, split } => format!("family = [{diameters}, {circles}]\nsplit = {split:?}\n"),
        };
        text.push_str(&line);
        unknown.write(&format!("{key}[{i}]"), |_| false, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::patch_toml::{from_toml, to_toml};

    fn error_of(line: &str) -> String {
        from_toml(&format!("schema = 2\n[[modes]]\nratio = 1.0\n{line}")).expect_err(line).to_string()
    }

    #[test]
    fn a_mode_has_at_most_one_shape() {
        for (line, expected) in [
            ("wave = [1.0]", "line 4, modes[0].wave: invalid wave"),
            ("wave = [-1.0, 0.0]", "line 4, modes[0].wave: invalid wave"),
            ("family = [0, 0]", "line 4, modes[0].family: invalid family"),
            ("family = [1.5, 1]", "line 4, modes[0].family: invalid family"),
            ("family = [65, 1]", "line 4, modes[0].family: invalid family"),
            ("split = 0.1", "line 4, modes[0].split: there is no family to split"),
            ("family = [2, 0]\nsplit = -0.1", "line 5, modes[0].split: the split -0.1 is out of range"),
            ("family = [2, 0]\nwave = [1, 0]", "line 2, modes[0]: more than one shape"),
            (
                "decay = 1e300",
                "line 4, modes[0].decay: a decay rate of 1e300 1/s is out of range; give a decay rate of at most 1e9 1/s",
            ),
            ("decay = 0", "line 4, modes[0].decay: the decay rate 0 is not above zero"),
        ] {
            let fault = error_of(line);
            assert!(fault.starts_with(expected), "{fault}");
        }
    }

    #[test]
    fn a_ratio_out_of_range_is_refused() {
        for (ratio, expected) in [
            ("1e300", "line 3, modes[0].ratio: the ratio 1e300 is out of range; give a ratio from 1e-9 to 1e9"),
            ("1e-300", "line 3, modes[0].ratio: the ratio 1e-300 is out of range"),
            ("-1", "line 3, modes[0].ratio: the ratio -1 is not above zero"),
        ] {
            let fault = from_toml(&format!("schema = 2\n[[modes]]\nratio = {ratio}")).expect_err(ratio).to_string();
            assert!(fault.starts_with(expected), "{fault}");
        }
    }

    #[test]
    fn every_shape_is_written_and_read() {
        let lines = ["", "shape = [1.0, -0.3]", "wave = [2.5, -0.25]", "family = [3, 0]\nsplit = 0.002", "family = [0, 2]"];
        let modes: String = lines.iter().map(|line| format!("[[modes]]\nratio = 1.5\n{line}\n")).collect();
        let patch = from_toml(&format!("schema = 2\n{modes}[[modes]]\nrigid = true\n")).expect("valid");
        assert_eq!(patch.modes[3].shape, ModeShape::Family { diameters: 3, circles: 0, split: 0.002 });
        assert_eq!((patch.modes.len(), patch.modes[5].ratio), (6, 0.0));
        let fault = from_toml("schema = 2\n[[modes]]\nrigid = true\nratio = 1.0\n").expect_err("both").to_string();
        assert!(fault.starts_with("line 4, modes[0].ratio: unknown key; the keys here are rigid"), "{fault}");
        assert_eq!(from_toml(&to_toml(&patch)), Ok(patch));
    }

    #[test]
    fn a_family_with_diameters_is_a_pair_and_the_lowest_modes_are_kept() {
        let family = |ratio, diameters| {
            let shape = ModeShape::Family { diameters, circles: 1, split: 0.01 };
            ListedMode { ratio, decay: None, mass: 1.0, shape }
        };
        let list = [family(2.0, 2), family(1.0, 0), ListedMode { ratio: 0.0, mass: 1.0, ..ListedMode::default() }];
        let body = shape(&list, 9);
        assert_eq!((body.len(), body.ratio(0), body.ratio(1), body.ratio(2)), (3, 1.0, 2.0, 2.02));
        assert!(body.suspended() && !shape(&list[..2], 9).suspended());
        assert_eq!(shape(&list, 2).len(), 2);
        assert_eq!(shape(&[], 9).len(), 1);
    }
}
