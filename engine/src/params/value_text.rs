//! Values as text: three significant figures, the unit with an SI prefix, a typographic minus; and back.

use urto_engine::params::{ParamSpec, Scale};

/// The text of a value of `knob`: `24.0 g`, `−6.0 dB`, `0.36`, `Bar`.
pub fn show(knob: &ParamSpec, value: f64) -> String {
    match (knob.scale, knob.unit) {
        (Scale::Choice(_), _) => knob.labels().get(value as usize).copied().unwrap_or_default().to_owned(),
        (Scale::Integer, _) => true_minus(&format!("{value:.0}")),
        (_, "dB") => true_minus(&format!("{value:.1} dB")),
        (_, "st") => true_minus(&format!("{value:.2} st")),
        (_, "cents") => true_minus(&format!("{value:.1} cents")),
        (Scale::Linear, "Hz") => format!("{value:.1} Hz"),
        (_, unit) => with_prefix(value, unit),
    }
}

/// The value of `knob` that `text` gives, in its unit and clamped to its range; `None` if it gives none.
///
/// Accepts the parameter's unit with any SI prefix, percent for a pure number, and the names of choices, as displayed or as in files. A bare number is in the
/// parameter's unit.
pub fn read(knob: &ParamSpec, text: &str) -> Option<f64> {
    let text = text.trim();
    if let Scale::Choice(names) = knob.scale {
        let index_in = |list: &[&str]| list.iter().position(|name| name.eq_ignore_ascii_case(text));
        if let Some(index) = index_in(knob.labels()).or_else(|| index_in(names)) {
            return Some(index as f64);
        }
    }
    let text = text.replace('−', "-").replace(',', ".");
    let (number, unit) = split(&text)?;
    Some(knob.clamped(number * factor(knob.unit, unit)?))
}

/// The number in `unit` that `text` gives, with any SI prefix; a bare number is in `unit`. `None` if it gives none.
pub fn number(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim().replace('−', "-").replace(',', ".");
    let (number, given) = split(&text)?;
    Some(number * factor(unit, given)?)
}

/// As [`read`], but a bare number is in the unit and prefix of `shown`, the text that it replaces.
pub fn read_over(knob: &ParamSpec, text: &str, shown: &str) -> Option<f64> {
    let bare = text.trim().replace('−', "-").replace(',', ".").parse::<f64>().is_ok();
    let unit = shown.split_once(' ').map_or("", |(_, unit)| unit);
    if bare { read(knob, &format!("{} {unit}", text.trim())) } else { read(knob, text) }
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
        "s" => &[(1e-9, "n"), (1e-6, "µ"), (1e-3, "m"), (1.0, "")],
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

/// The size of `given` in `unit`; `None` if it is another quantity.
fn factor(unit: &str, given: &str) -> Option<f64> {
    if given.is_empty() || given == unit {
        return Some(1.0);
    }
    match (unit, given) {
        ("", "%") => return Some(0.01),
        ("kg", "t") => return Some(1e3),
        _ => {}
    }
    let (unit, scale) = if unit == "kg" { ("g", 1e-3) } else { (unit, 1.0) };
    let prefix = given.strip_suffix(unit).filter(|_| !matches!(unit, "" | "dB" | "st" | "cents"))?;
    let prefix = match prefix {
        "" => 1.0,
        "n" => 1e-9,
        "µ" | "μ" | "u" => 1e-6,
        "m" => 1e-3,
        "c" => 1e-2,
        "k" => 1e3,
        "M" => 1e6,
        _ => return None,
    };
    Some(scale * prefix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::params::ParamId;

    fn shown(knob: ParamId, value: f64) -> String {
        show(knob.spec(), value)
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
    }

    #[test]
    fn a_shown_value_can_be_typed() {
        for &id in ParamId::ALL {
            let knob = id.spec();
            for step in 0..=50 {
                let value = knob.clamped(knob.min + (knob.max - knob.min) * (f64::from(step) / 50.0).powi(3));
                let text = show(knob, value);
                let read = read(knob, &text).unwrap_or_else(|| panic!("{}: {text}", knob.id));
                assert_eq!(show(knob, read), text, "{}", knob.id);
            }
        }
    }

    #[test]
    fn units_prefixes_commas_and_percent_are_read() {
        use ParamId::*;
        let typed = |knob: ParamId, text: &str| read(knob.spec(), text);
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
    fn a_bare_number_keeps_the_prefix_of_the_text_it_replaces() {
        let mass = ParamId::HammerMass.spec();
        assert_eq!(read_over(mass, "30", "24.0 g"), Some(0.03));
        assert_eq!(read_over(mass, "0.5 kg", "24.0 g"), Some(0.5));
        assert_eq!(read_over(ParamId::Body.spec(), "2", "Bar"), Some(2.0));
    }
}
