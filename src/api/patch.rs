//! Patches: built-in presets, parameters by their text ids, and the text format of presets.
//!
//! A [`Patch`] is a sound as plain data. Parameters have stable text ids, for example `hammer_mass`; [`params`] lists them with names,
//! units and ranges.
//!
//! ```
//! use urto::patch::{built_in, from_toml, param, set_param, to_toml};
//!
//! let mut patch = built_in().next().expect("a built-in preset");
//! set_param(&mut patch, "hammer_mass", 0.05).expect("a parameter"); // kg
//! assert_eq!(param(&patch, "hammer_mass"), Some(0.05));
//! assert_eq!(from_toml(&to_toml(&patch)), Ok(patch));
//! ```

use std::error::Error;
use std::fmt;

use urto_engine::params::{PARAMS, ParamId};

#[doc(inline)]
pub use urto_engine::formats::TextError;
#[doc(inline)]
pub use urto_engine::params::{ParamSpec, Scale};
pub use urto_engine::patch::{Patch, built_in, from_toml, kits, to_toml};

/// There is no parameter with this id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownParam(pub String);

impl fmt::Display for UnknownParam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no parameter \"{}\"; urto::patch::params() lists all ids, for example \"hammer_mass\"", self.0)
    }
}

impl Error for UnknownParam {}

/// All parameters with id, name, unit, range and default.
pub fn params() -> &'static [ParamSpec] {
    &PARAMS
}

/// The value of the parameter `id` in its unit; `None` if there is none with this id.
pub fn param(patch: &Patch, id: &str) -> Option<f64> {
    ParamId::from_id(id).map(|id| patch.settings.get(id))
}

/// Sets the parameter `id` to a value in its unit, clamped to its range. Errors: no parameter with this id.
pub fn set_param(patch: &mut Patch, id: &str, value: f64) -> Result<(), UnknownParam> {
    let id = ParamId::from_id(id).ok_or_else(|| UnknownParam(id.to_owned()))?;
    patch.settings.set(id, value);
    Ok(())
}

/// A patch from a table of measured modes. `form` is the file's extension: `csv`, `tsv`, `json` or `toml`; the manual page
/// `command-line` describes the keys. Errors: the first fault, with line, key and remedy.
#[cfg(feature = "import")]
pub fn from_mode_table(text: &str, form: &str) -> Result<Patch, TextError> {
    let form = urto_engine::import::Form::of_extension(form).ok_or_else(|| TextError {
        line: None,
        key: String::new(),
        problem: format!("\"{form}\" is not a form of mode tables"),
        remedy: "give csv, tsv, json or toml".into(),
    })?;
    urto_engine::import::from_text(text, form)
}
