//! The text of macros. One section per macro, in their order:
//!
//! ```toml
//! [[macro]]
//! name = "Mallet"
//! [macro.ranges]           # offsets at 0 and at 1 of the macro, as parts of the parameter's range
//! hardness = [-0.4, 0.4]
//! hammer_mass = [0.1, -0.1]
//! ```
//!
//! The values of the macros are parameters (`[macros] macro_1 = 0.5`). An offset is added to the normalised value of its parameter.

use std::fmt::Write;

use crate::formats::{Located, TextError, TomlSection, UnknownKeys};
use crate::params::{MACROS, MAX_MACRO_TARGETS, MOD_TARGET_PARAMS, Macro, MacroTarget};

/// Name of the sections.
pub const SECTION: &str = "macro";
/// Reads the sections. Errors: the first error, with line, key and fix.
pub fn read(sections: Vec<TomlSection>) -> Result<Vec<Macro>, TextError> {
    if let Some(surplus) = sections.get(MACROS) {
        let problem = format!("{} macros exceed the maximum of {MACROS}", sections.len());
        return Err(surplus.place().fault(problem, "leave some out"));
    }
    let (mut macros, mut count) = (Vec::new(), 0);
    for mut section in sections {
        let name = section.string("name")?.map(|name| name.value).unwrap_or_default();
        let targets = match section.section("ranges")? {
            Some(mut ranges) => read_targets(&mut ranges)?,
            None => Vec::new(),
        };
        count += targets.len();
        if count > MAX_MACRO_TARGETS {
            let problem = format!("the macros have more than {MAX_MACRO_TARGETS} targets together");
            return Err(section.place().fault(problem, "leave some out"));
        }
        section.finish()?;
        macros.push(Macro { name, targets });
    }
    Ok(macros)
}

fn read_targets(ranges: &mut TomlSection) -> Result<Vec<MacroTarget>, TextError> {
    let mut targets = Vec::new();
    for param in MOD_TARGET_PARAMS.iter().copied().flatten() {
        let Some(Located { value, place }) = ranges.numbers(param.spec().id)? else { continue };
        match value[..] {
            [from, to] if [from, to].iter().all(|offset| offset.abs() <= 1.0) => {
                targets.push(MacroTarget { param, from, to });
            }
            _ => return Err(place.fault("not a range", "give the offsets at 0 and at 1, from -1 to 1, as in [-0.5, 0.5]")),
        }
    }
    ranges.finish()?;
    Ok(targets)
}

/// Appends the sections to `text`, with their unknown keys. Reading them returns the same macros.
pub fn write(macros: &[Macro], unknown: &UnknownKeys, text: &mut String) {
    for (i, Macro { name, targets }) in macros.iter().enumerate() {
        let _ = writeln!(text, "\n[[{SECTION}]]\nname = {}", toml::Value::from(name.as_str()));
        unknown.write(&format!("{SECTION}[{i}]"), |_| false, text);
        let mut ranges = String::new();
        unknown.write(&format!("{SECTION}[{i}].ranges"), |_| false, &mut ranges);
        for MacroTarget { param, from, to } in targets {
            let _ = writeln!(ranges, "{} = [{from:?}, {to:?}]", param.spec().id);
        }
        if !ranges.is_empty() {
            let _ = write!(text, "[{SECTION}.ranges]\n{ranges}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{MacroTargets, ParamId};

    fn parse(text: &str) -> Result<Vec<Macro>, String> {
        let mut root = TomlSection::parse(text).map_err(|error| error.to_string())?;
        read(root.sections(SECTION).map_err(|error| error.to_string())?).map_err(|error| error.to_string())
    }

    #[test]
    fn text_preserves_macros_exactly() {
        let text =
            "[[macro]]\nname = \"Mallet\"\n[macro.ranges]\nhardness = [-0.4, 0.4]\ndecay = [0.1, -0.3]\n[[macro]]\nname = \"\"";
        let macros = parse(text).unwrap();
        assert_eq!((macros.len(), macros[0].targets.len(), macros[1].targets.len()), (2, 2, 0));
        assert_eq!(macros[0].targets[0], MacroTarget { param: ParamId::Hardness, from: -0.4, to: 0.4 });
        assert!(macros[0].targets[0].offset(0.5).abs() < 1e-15);
        let mut written = String::new();
        write(&macros, &UnknownKeys::default(), &mut written);
        assert_eq!(parse(&written), Ok(macros.clone()));
        let targets = MacroTargets::of(&macros);
        assert_eq!(
            targets.iter().map(|(number, target)| (number, target.param)).collect::<Vec<_>>(),
            [(0, ParamId::Hardness), (0, ParamId::Decay)]
        );
    }

    #[test]
    fn errors_name_line_key_and_problem() {
        let error_of = |text: &str| parse(text).unwrap_err();
        let range = error_of("[[macro]]\n[macro.ranges]\ndecay = [0.1, 1.5]");
        assert!(range.starts_with("line 3, macro[0].ranges.decay: not a range"), "{range}");
        assert!(error_of("[[macro]]\n[macro.ranges]\ndecoy = [0.1, 0.5]").contains("decay"), "the nearest key");
        // a choice has no range
        assert!(error_of("[[macro]]\n[macro.ranges]\nbody = [0.0, 0.5]").contains("body"));
        assert!(error_of(&"[[macro]]\n".repeat(9)).contains("9 macros exceed the maximum of 8"));
    }
}
