//! `params`: the table of parameters.

use clap::Args;
use serde::Serialize;
use urto_engine::params::{PARAMS, ParamSpec, Scale};

use crate::io::CliError;
use crate::io::error::print;

/// Lists every parameter with id, name, group, unit and range.
#[derive(Args)]
pub struct Params {
    /// Prints one JSON array of objects.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    id: &'static str,
    name: &'static str,
    group: &'static str,
    unit: &'static str,
    lowest: f64,
    highest: f64,
    default: f64,
    /// Names of the values 0, 1, 2 ..; only for choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<&'static [&'static str]>,
}

impl From<&ParamSpec> for Row {
    fn from(spec: &ParamSpec) -> Self {
        let choices = if let Scale::Choice(names) = spec.scale { Some(names) } else { None };
        let ParamSpec { id, name, group, unit, min: lowest, max: highest, default, .. } = *spec;
        Self { id, name, group, unit, lowest, highest, default, choices }
    }
}

impl Params {
    /// Prints the table.
    pub fn run(&self) -> Result<(), CliError> {
        let rows: Vec<Row> = PARAMS.iter().map(Row::from).collect();
        if self.json {
            let text = serde_json::to_string_pretty(&rows).expect("plain numbers and texts");
            return print(&(text + "\n"));
        }
        let mut text = line("id", "group", "name", ["lowest", "highest", "default"], "unit");
        for row in &rows {
            let show = |value: f64| match row.choices {
                Some(names) => names[value as usize].to_lowercase(),
                None => format!("{value}"),
            };
            let numbers = [show(row.lowest), show(row.highest), show(row.default)];
            text += &line(row.id, row.group, row.name, numbers.each_ref().map(String::as_str), row.unit);
        }
        print(&text)
    }
}

fn line(id: &str, group: &str, name: &str, [lowest, highest, default]: [&str; 3], unit: &str) -> String {
    let line = format!("{id:<16} {group:<8} {name:<16} {lowest:>8} {highest:>9} {default:>9}  {unit}");
    format!("{}\n", line.trim_end())
}
