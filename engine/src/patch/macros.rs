//! Macros: knobs that move several parameters together, each within a range of its own. In the text of a patch, one section per
//! macro, in their order:
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
use crate::params::{MOD_TARGET_PARAMS, ParamId, ParamValues};

/// Name of the sections.
pub const SECTION: &str = "macro";
/// Number of macros.
pub const MACROS: usize = 8;
/// Maximum number of targets of all macros.
pub const MAX_MACRO_TARGETS: usize = 64;

/// The parameters of the macros, in their order.
pub const MACRO_PARAMS: [ParamId; MACROS] = [
    ParamId::Macro1,
    ParamId::Macro2,
    ParamId::Macro3,
    ParamId::Macro4,
    ParamId::Macro5,
    ParamId::Macro6,
    ParamId::Macro7,
    ParamId::Macro8,
];

/// A parameter that a macro moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MacroTarget {
    /// The parameter; a continuous one.
    pub param: ParamId,
    /// Offset of its normalised value at macro value 0, -1 to 1.
    pub from: f64,
    /// The same at macro value 1.
    pub to: f64,
}

impl MacroTarget {
    /// The offset of the normalised value at the macro value `value`, 0 to 1.
    pub fn offset(&self, value: f64) -> f64 {
        self.from + (self.to - self.from) * value
    }
}

/// A macro.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Macro {
    /// Displayed name; empty if it has none.
    pub name: String,
    /// What it moves; each parameter at most once.
    pub targets: Vec<MacroTarget>,
}

/// The targets of all macros, for the audio thread. Plain data of fixed size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MacroTargets {
    list: [(usize, MacroTarget); MAX_MACRO_TARGETS],
    count: usize,
}

impl Default for MacroTargets {
    fn default() -> Self {
        let none = MacroTarget { param: ParamId::Macro1, from: 0.0, to: 0.0 };
        Self { list: [(0, none); MAX_MACRO_TARGETS], count: 0 }
    }
}

impl MacroTargets {
    /// Those of `macros`; targets beyond the limits are left out.
    pub fn of(macros: &[Macro]) -> Self {
        let mut targets = Self::default();
        let numbered = macros.iter().take(MACROS).enumerate();
        let all = numbered.flat_map(|(number, one)| one.targets.iter().map(move |target| (number, *target)));
        for (place, target) in targets.list.iter_mut().zip(all) {
            *place = target;
            targets.count += 1;
        }
        targets
    }

    /// The targets, each with the index of its macro.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &MacroTarget)> {
        self.list[..self.count].iter().map(|(number, target)| (*number, target))
    }

    /// The parameters `base`, moved by the macros.
    pub fn applied_to(&self, base: &ParamValues) -> ParamValues {
        let mut moved = *base;
        for (_, MacroTarget { param, .. }) in self.iter() {
            let own = self.iter().filter(|(_, target)| target.param == *param);
            let offset = own.map(|(number, target)| target.offset(base.get(MACRO_PARAMS[number]))).sum();
            moved.set(*param, param.spec().with_offset(base.get(*param), offset));
        }
        moved
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

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
        if !targets.is_empty() {
            let _ = writeln!(text, "[{SECTION}.ranges]");
        }
        for MacroTarget { param, from, to } in targets {
            let _ = writeln!(text, "{} = [{from:?}, {to:?}]", param.spec().id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
