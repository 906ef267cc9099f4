//! Values and keys as text, and back: the one parser of hosts, editor, command line and files.
//!
//! Values are shown with three significant figures, the unit with an SI prefix, and a typographic minus. Names of keys count
//! octaves so that A4 is key 69, 440 Hz by default; C4 is key 60.

use crate::params::spec::{ParamSpec, Scale};

/// Number of keys.
const KEYS: f64 = 128.0;
/// Names of the keys of an octave.
const NOTES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];

/// Values with a name of their own, by the id of the parameter.
const NAMED: [(&str, f64, &str); 2] = [("thickness", 0.0, "Usual"), ("cascade", 0.1, "Off")];

/// Name of a key; 69 is A4.
pub fn key_name(key: u8) -> String {
    format!("{}{}", NOTES[usize::from(key % 12)], i32::from(key / 12) - 1)
}

/// The key that `text` gives, as a number from 0 to 127 or as a [`note`]. `None` if it gives none.
pub fn key(text: &str) -> Option<u8> {
    let number = text.trim().parse::<f64>().ok().filter(|key| key.fract() == 0.0 && (0.0..KEYS).contains(key));
    number.map(|key| key as u8).or_else(|| note(text))
}

/// The key of a note such as `C3`, `F#4`, `Bb2` or `c-1`; A4 is 69. `None` for another text, or a note above 127.
pub fn note(text: &str) -> Option<u8> {
    let text = text.trim().replace('−', "-");
    let letter = text.chars().next()?.to_ascii_uppercase().to_string();
    let natural = NOTES.iter().position(|name| *name == letter)? as i32;
    let rest = &text[1..];
    let (accidental, octave) = ["#", "♯", "b", "♭", ""].iter().find_map(|sign| Some((*sign, rest.strip_prefix(sign)?)))?;
    let semitones = match accidental {
        "" => 0,
        "#" | "♯" => 1,
        _ => -1,
    };
    let octave = octave.parse::<i32>().ok().filter(|octave| (-1..=9).contains(octave) && !rest.contains('+'))?;
    u8::try_from(natural + semitones + 12 * (octave + 1)).ok().filter(|key| f64::from(*key) < KEYS)
}

/// The text of a value of `spec`: `24.0 g`, `−6.0 dB`, `0.36`, `Bar`.
pub fn show(spec: &ParamSpec, value: f64) -> String {
    if let Some((.., name)) = NAMED.iter().find(|(id, named, _)| *id == spec.id && *named == value) {
        return (*name).to_owned();
    }
    match (spec.scale, spec.unit) {
        (Scale::Choice(_), _) => spec.labels().get(value as usize).copied().unwrap_or_default().to_owned(),
        (Scale::Integer, _) => true_minus(&format!("{value:.0}")),
        // also below a millimetre
        (_, "m") if spec.id == "thickness" => true_minus(&format!("{} mm", figures(1e3 * value))),
        (_, "dB") => true_minus(&format!("{value:.1} dB")),
        (_, "dB/oct") if value.abs() >= 10.0 => true_minus(&format!("{value:.0} dB/oct")),
        (_, "dB/oct") => true_minus(&format!("{value:.1} dB/oct")),
        (_, "st") => true_minus(&format!("{value:.2} st")),
        (_, "cents") => true_minus(&format!("{value:.1} cents")),
        (Scale::Linear, "Hz") => format!("{value:.1} Hz"),
        (_, unit) => with_prefix(value, unit),
    }
}

/// The value of `spec` that `text` gives, clamped to its range; otherwise as [`parse`].
pub fn read(spec: &ParamSpec, text: &str) -> Option<f64> {
    parse(spec, text).map(|value| spec.clamped(value))
}

/// The value of `spec` that `text` gives, in its unit, also outside its range; `None` if it gives none.
///
/// Accepts the units of [`number`], the names of choices, as displayed or as in files, names of single values, and for the home key a [`note`].
pub fn parse(spec: &ParamSpec, text: &str) -> Option<f64> {
    let text = text.trim();
    if let Scale::Choice(names) = spec.scale {
        let index_in = |list: &[&str]| list.iter().position(|name| name.eq_ignore_ascii_case(text));
        if let Some(index) = index_in(spec.labels()).or_else(|| index_in(names)) {
            return Some(index as f64);
        }
    }
    if let Some((_, value, _)) = NAMED.iter().find(|(id, _, name)| *id == spec.id && name.eq_ignore_ascii_case(text)) {
        return Some(*value);
    }
    let name = if is_key(spec) { note(text) } else { None };
    name.map(f64::from).or_else(|| number(text, spec.unit))
}

/// How to write a value in `unit`, for messages: a bare number, and a text with each unit that [`number`] accepts.
pub fn examples(unit: &str) -> String {
    let (units, example) = match unit {
        "" => return "1.0, or in percent, for example \"50 %\"".into(),
        "kg" => ("mg, g, kg or t", "12 g"),
        "s" => ("µs, ms, s, min or h", "5 ms"),
        "m" => ("µm, mm, cm, m or km", "2 mm"),
        "Hz" => ("Hz, kHz or MHz", "1.2 kHz"),
        "st" => ("st or cents", "50 cents"),
        "cents" => ("cents or st", "50 cents"),
        unit => return format!("1.0, or with the unit, for example \"2 {unit}\""),
    };
    format!("1.0, or with a unit ({units}), for example \"{example}\"")
}

/// How to write a key, for messages.
pub const KEY_EXAMPLES: &str = "60, or as a note from \"C-1\" to \"G9\", for example \"C4\"";

/// Whether the value of `spec` is a key.
pub fn is_key(spec: &ParamSpec) -> bool {
    spec.id == "home_key"
}

/// The number in `unit` that `text` gives; `None` if it gives none, or another quantity.
///
/// Accepts the unit with any SI prefix, `k` alone for kHz, minutes and hours for seconds, cents for semitones and back, and percent
/// for a pure number. A bare number is in `unit`. Both a point and a comma are decimal.
pub fn number(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim().replace('−', "-").replace(',', ".");
    let (number, given) = split(&text)?;
    let (factor, divisor) = factor(unit, given)?;
    Some(number * factor / divisor).filter(|number| number.is_finite())
}

/// As [`read`], but a bare number is in the unit and prefix of `shown`, the text that it replaces.
pub fn read_over(spec: &ParamSpec, text: &str, shown: &str) -> Option<f64> {
    let bare = text.trim().replace('−', "-").replace(',', ".").parse::<f64>().is_ok();
    let unit = shown.split_once(' ').map_or("", |(_, unit)| unit);
    if bare { read(spec, &format!("{} {unit}", text.trim())) } else { read(spec, text) }
}

/// The text of a value in an SI `unit`: `1.57 ms`, `105 N`.
pub fn with_prefix(value: f64, unit: &str) -> String {
    let (scale, unit) = prefixed(value, unit);
    let space = if unit.is_empty() { "" } else { " " };
    true_minus(&format!("{}{space}{unit}", figures(value / scale)))
}

/// The scale and the name of the prefixed unit for values of the size of `value`. Pure numbers and quotients take no prefix.
pub fn prefixed(value: f64, unit: &str) -> (f64, String) {
    let prefixes: &[(f64, &str)] = match unit {
        "" => &[(1.0, "")],
        unit if unit.contains('/') => &[(1.0, "")],
        "kg" => &[(1e-3, ""), (1.0, "k")],
        "s" | "m" => &[(1e-9, "n"), (1e-6, "µ"), (1e-3, "m"), (1.0, "")],
        _ => &[(1e-6, "µ"), (1e-3, "m"), (1.0, ""), (1e3, "k")],
    };
    let size = three(value.abs());
    let reached = |(scale, _): &&(f64, &str)| size >= *scale * (1.0 - 1e-9);
    let base = || prefixes.iter().find(|(_, prefix)| prefix.is_empty());
    let chosen = if size == 0.0 { base() } else { prefixes.iter().rev().find(reached) };
    let &(scale, prefix) = chosen.unwrap_or(&prefixes[0]);
    (scale, format!("{prefix}{}", if unit == "kg" { "g" } else { unit }))
}

/// Three significant figures, without zeros after the second decimal; below 1e-3 with a power of ten.
pub fn figures(value: f64) -> String {
    let size = three(value.abs());
    if size == 0.0 || !value.is_finite() {
        return true_minus(if size == 0.0 { "0" } else { "?" });
    }
    if size < 1e-3 {
        return true_minus(&format!("{value:.2e}"));
    }
    let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
    let mut text = format!("{value:.decimals$}");
    while decimals > 2 && text.ends_with('0') && text.len() - text.find('.').unwrap_or(0) > 3 {
        text.pop();
    }
    true_minus(&text)
}

/// `size` >= 0 rounded to three significant figures.
fn three(size: f64) -> f64 {
    if size == 0.0 || !size.is_finite() {
        return size;
    }
    let step = 10f64.powi(size.log10().floor() as i32 - 2);
    (size / step).round() * step
}

fn true_minus(text: &str) -> String {
    text.replace('-', "−")
}

/// The number at the start of `text`, and the rest.
fn split(text: &str) -> Option<(f64, &str)> {
    let ends = (1..=text.len()).rev().filter(|&end| text.is_char_boundary(end));
    for end in ends {
        if let Ok(number) = text[..end].trim().parse::<f64>() {
            return number.is_finite().then(|| (number, text[end..].trim()));
        }
    }
    None
}

/// The size of `given` in `unit` as factor and divisor, so that 12 g is exactly 0.012 kg. `None` if it is another quantity.
fn factor(unit: &str, given: &str) -> Option<(f64, f64)> {
    if given.is_empty() || given == unit {
        return Some((1.0, 1.0));
    }
    let lower = given.to_lowercase();
    match (unit, lower.as_str()) {
        ("", "%") | ("st", "cents" | "cent" | "ct") => return Some((1.0, 100.0)),
        ("cents", "st" | "semitone" | "semitones") => return Some((100.0, 1.0)),
        ("dB", "db") | ("st", "semitone" | "semitones") | ("cents", "cent" | "ct") | ("Hz", "hz") => return Some((1.0, 1.0)),
        ("Hz", "k" | "khz") | ("kg", "t") => return Some((1e3, 1.0)),
        ("s", "min") => return Some((60.0, 1.0)),
        ("s", "h") => return Some((3600.0, 1.0)),
        _ => {}
    }
    let (unit, divisor) = if unit == "kg" { ("g", 1e3) } else { (unit, 1.0) };
    let prefix = given.strip_suffix(unit).filter(|_| !matches!(unit, "" | "dB" | "st" | "cents"))?;
    let (factor, below) = match prefix {
        "" => (1.0, 1.0),
        "n" => (1.0, 1e9),
        "µ" | "μ" | "u" => (1.0, 1e6),
        "m" => (1.0, 1e3),
        "c" => (1.0, 1e2),
        "k" => (1e3, 1.0),
        "M" => (1e6, 1.0),
        _ => return None,
    };
    Some((factor, below * divisor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::table::ParamId;

    fn shown(param: ParamId, value: f64) -> String {
        show(param.spec(), value)
    }

    #[test]
    fn values_are_shown_with_three_figures_and_a_prefix() {
        use ParamId::*;
        assert_eq!(shown(HammerMass, 0.024), "24.0 g");
        assert_eq!(shown(HammerMass, 0.9996), "1.00 kg");
        assert_eq!(shown(HammerMass, 0.9994), "999 g");
        assert_eq!(shown(BodyMass, 1000.0), "1000 kg");
        assert_eq!(shown(Stiffness, 1e-3), "1.00 mN");
        assert_eq!(shown(Stiffness, 12_345.0), "12.3 kN");
        assert_eq!(shown(Decay, 0.3), "300 ms");
        assert_eq!(shown(Decay, 1.8), "1.80 s");
        assert_eq!(shown(Viscosity, 1e-7), "100 ns");
        assert_eq!(shown(Viscosity, 0.0), "0 s");
        assert_eq!(shown(Damping, 0.34), "0.34 s/m");
        assert_eq!(shown(SpeedLow, 0.005), "0.005 m/s");
        assert_eq!(shown(Level, -6.0), "−6.0 dB");
        assert_eq!(shown(Tune, -12.0), "−12.00 st");
        assert_eq!(shown(ConcertPitch, 442.5), "442.5 Hz");
        assert_eq!(shown(Stretch, -1.25), "−1.2 cents");
        assert_eq!(shown(Loss, 1.234e-5), "1.23e−5");
        assert_eq!(shown(Body, 1.0), "Bar");
        assert_eq!(shown(Modes, 32.0), "32");
        assert_eq!([shown(Thickness, 0.0), shown(Thickness, 7e-4), shown(Cascade, 0.1)], ["Usual", "0.70 mm", "Off"]);
        assert_eq!((read(Thickness.spec(), "usual"), read(Cascade.spec(), " Off")), (Some(0.0), Some(0.1)));
    }

    #[test]
    fn a_shown_value_can_be_typed() {
        for &id in ParamId::ALL {
            let spec = id.spec();
            for step in 0..=50 {
                let value = spec.clamped(spec.min + (spec.max - spec.min) * (f64::from(step) / 50.0).powi(3));
                let text = show(spec, value);
                let read = read(spec, &text).unwrap_or_else(|| panic!("{}: {text}", spec.id));
                assert_eq!(show(spec, read), text, "{}", spec.id);
            }
        }
    }

    #[test]
    fn units_prefixes_commas_and_percent_are_read() {
        use ParamId::*;
        let typed = |param: ParamId, text: &str| read(param.spec(), text);
        assert_eq!(typed(HammerMass, "24 g"), Some(0.024));
        assert_eq!(typed(HammerMass, "2,5kg"), Some(2.5));
        assert_eq!(typed(HammerMass, "2.5"), Some(2.5));
        assert_eq!(typed(Stiffness, "3.6e3"), Some(3600.0));
        assert_eq!(typed(Stiffness, "0.5 kN"), Some(500.0));
        assert_eq!(typed(Decay, "250 ms"), Some(0.25));
        assert_eq!(typed(Level, "−3"), Some(-3.0));
        assert_eq!(typed(StrikePosition, "46 %"), Some(0.46));
        assert_eq!(typed(Body, "string"), Some(0.0));
        assert_eq!(typed(Release, "1"), Some(1.0));
        assert_eq!(typed(HammerMass, "1e9"), Some(200.0));
        for invalid in ["", "heavy", "12 V", "nan g", "inf", "%", "1 mdB"] {
            assert_eq!(typed(HammerMass, invalid), None, "{invalid}");
        }
        assert_eq!(typed(Level, "3 mdB"), None);
    }

    #[test]
    fn quantities_are_read_exactly_in_every_usual_unit() {
        for (text, unit, wanted) in [
            ("12 g", "kg", 0.012),
            ("9g", "kg", 0.009),
            ("1 kg", "kg", 1.0),
            ("0.3 m/s", "m/s", 0.3),
            ("30 cm/s", "m/s", 0.3),
            ("500 Hz", "Hz", 500.0),
            ("44.1 kHz", "Hz", 44_100.0),
            ("44.1k", "Hz", 44_100.0),
            ("48KHZ", "Hz", 48_000.0),
            ("10 ms", "s", 0.01),
            ("2 min", "s", 120.0),
            ("2 mm", "m", 0.002),
            ("-6 db", "dB", -6.0),
            ("50 cents", "st", 0.5),
            ("-1 st", "cents", -100.0),
            ("3", "N", 3.0),
        ] {
            assert_eq!(number(text, unit), Some(wanted), "{text}");
        }
        for (text, unit) in
            [("12 g", "s"), ("3 m", "m/s"), ("5k", "kg"), ("C4", "Hz"), ("1e308 kHz", "Hz"), ("4 kcents", "cents")]
        {
            assert_eq!(number(text, unit), None, "{text}");
        }
    }

    #[test]
    fn keys_are_numbers_or_notes_with_a4_as_key_69() {
        for (text, wanted) in
            [("A4", 69), ("C4", 60), ("c3", 48), ("F#4", 66), ("gb4", 66), ("B♭2", 46), ("C-1", 0), ("C−1", 0), ("G9", 127)]
        {
            assert_eq!((note(text), key(text)), (Some(wanted), Some(wanted)), "{text}");
        }
        for (text, wanted) in [("B#3", 60), ("Cb4", 59), (" 60 ", 60)] {
            assert_eq!(key(text), Some(wanted), "{text}");
        }
        for text in
            ["", "H4", "C", "C#", "#4", "G#9", "Cb-1", "C10", "C+4", "C4.5", "Cmaj", "♯", "128", "-1", "60.5", "ü4", "C##4"]
        {
            assert_eq!(key(text), None, "{text}");
        }
        (0..128).for_each(|number| assert_eq!(note(&key_name(number)), Some(number)));
        assert_eq!((parse(ParamId::HomeKey.spec(), "a4"), parse(ParamId::Modes.spec(), "a4")), (Some(69.0), None));
    }

    #[test]
    fn a_bare_number_keeps_the_prefix_of_the_text_it_replaces() {
        let mass = ParamId::HammerMass.spec();
        assert_eq!(read_over(mass, "30", "24.0 g"), Some(0.03));
        assert_eq!(read_over(mass, "0.5 kg", "24.0 g"), Some(0.5));
        assert_eq!(read_over(ParamId::Body.spec(), "2", "Bar"), Some(2.0));
    }
}
