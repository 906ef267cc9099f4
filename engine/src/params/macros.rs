//! Macros: knobs that move several parameters together, each within a range of its own.

use crate::params::table::{MACRO_PARAMS, ParamId};
use crate::params::values::ParamValues;

/// Number of macros.
pub const MACROS: usize = MACRO_PARAMS.len();
/// Maximum number of targets of all macros.
pub const MAX_MACRO_TARGETS: usize = 64;

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
