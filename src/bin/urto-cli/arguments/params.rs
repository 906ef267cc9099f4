//! Parameters that options set: `--set ID=VALUE` and the short forms.

use std::fmt;

use urto_engine::params::{ParamId, ParamValues};
use urto_engine::patch::value_of;

use crate::io::CliError;

/// Sets one parameter from the argument of `--set`, `id=value`. Errors: no such parameter, or a value out of its range.
pub fn set(settings: &mut ParamValues, given: &str) -> Result<(), CliError> {
    let fault = |problem: String, remedy: &str| CliError::new(format_args!("--set {given}: {problem}"), remedy);
    let (id, value) = given.split_once('=').ok_or_else(|| fault("no value".into(), "write it as id=value"))?;
    let knob =
        ParamId::from_id(id.trim()).ok_or_else(|| fault(format!("no parameter \"{id}\""), "urto-cli params lists them"))?;
    put(settings, knob, value, format_args!("--set {given}"))
}

/// Sets one parameter to the text `value`; the error names `option`. Errors: a value out of range.
pub fn put(settings: &mut ParamValues, knob: ParamId, value: &str, option: impl fmt::Display) -> Result<(), CliError> {
    let value = value_of(knob.spec(), value.trim());
    let value = value.map_err(|(problem, remedy)| CliError::new(format_args!("{option}: {problem}"), remedy))?;
    settings.set(knob, value);
    Ok(())
}
