//! Reads the specification of a data set from TOML.

use std::path::Path;

use toml::{Table, Value};
use urto_engine::formats::{figure, or_nearest};
use urto_engine::params::{PARAMS, ParamId, Scale, value_text};
use urto_engine::patch::{Patch, factory_presets, read_in, value_of};

use crate::dataset::axis::{Axis, Spacing};
use crate::dataset::error::DatasetError;
use crate::dataset::sampling::Sampling;
use crate::dataset::sound_file::SoundFormat;
use crate::dataset::spec::DatasetSpec;

/// Most strokes of a data set.
const MAX_STROKES: u64 = 1_000_000_000;
/// Most frames of all strokes of a shard together; a worker keeps one shard in memory, 8 bytes a frame.
const MAX_SHARD_FRAMES: u64 = 1 << 27;
/// Most values of a list and steps of a range.
const MAX_VALUES: u64 = 1 << 20;
/// Keys of the specification.
const KEYS: &str = "count, seed, sampling, length, hold, rate, format, bits, shard, modes, presets, keys, velocities, parameters";

type Result<T> = std::result::Result<T, DatasetError>;

/// A table whose keys are taken one after another.
struct Section(Table);

impl DatasetSpec {
    /// Reads a specification in TOML; the manual page `datasets` lists its keys. Presets are built in or files, whose names are relative to
    /// `folder`. Errors: the first fault, with its key.
    pub fn from_toml(text: &str, folder: Option<&Path>) -> Result<Self> {
        let table: Table = text.parse().map_err(|error| syntax_fault(text, &error))?;
        let mut root = Section(table);
        let sampling = root.sampling()?;
        let rate = root.number("rate", [4e3, 1e6], true)?.unwrap_or(48e3) as u32;
        let length = root.number("length", [1e-3, 600.0], false)?.unwrap_or(1.0);
        let hold = root.number("hold", [0.0, 600.0], false)?;
        let frames = |seconds: f64| (seconds * f64::from(rate)).round() as usize;
        let format = root.format(rate)?;
        let shard = root.shard(length, frames(length) as u64)?;
        let seed = root.number("seed", [0.0, 9e15], true)?.unwrap_or(0.0) as u64;
        let listed_modes = root.number("modes", [0.0, 512.0], true)?.unwrap_or(8.0) as usize;
        let presets = root.presets(folder)?;
        let mut axes = vec![Axis::List((0..presets.len()).map(|number| number as f64).collect())];
        axes.extend(root.keys_and_velocities()?);
        let mut params = Vec::new();
        for (param, axis) in root.params()? {
            params.push(param);
            axes.push(axis);
        }
        let count = root.count(sampling, &axes)?;
        root.finish()?;
        Ok(Self {
            count,
            seed,
            sampling,
            frames: frames(length),
            hold: hold.map(frames),
            rate,
            format,
            shard,
            listed_modes,
            presets,
            axes,
            params,
            text: text.to_owned(),
        })
    }
}

fn syntax_fault(text: &str, error: &toml::de::Error) -> DatasetError {
    let line = error.span().map(|span| text[..span.start].lines().count().max(1));
    let place = line.map_or_else(String::new, |line| format!("line {line}"));
    let problem = format!("not valid TOML: {}", error.message().replace('\n', " "));
    DatasetError::new(place, problem, "correct the line")
}

impl Section {
    /// Strokes of a shard, each of `length` [s] and `frames`.
    fn shard(&mut self, length: f64, frames: u64) -> Result<u64> {
        let shard = self.number("shard", [1.0, 1e6], true)?.unwrap_or(256.0) as u64;
        let most = MAX_SHARD_FRAMES / frames.max(1);
        if shard <= most {
            return Ok(shard);
        }
        let problem = format!("{shard} strokes of {length} s exceed 1 GB");
        Err(DatasetError::new("shard", problem, format_args!("give at most {most}")))
    }

    fn keys_and_velocities(&mut self) -> Result<[Axis; 2]> {
        let keys = Limits { range: [0.0, 127.0], whole: true };
        let key = |text: &str| value_text::key(text).map(f64::from).ok_or_else(|| problem(text, "a key", "60 or \"C4\""));
        let keys = self.0.remove("keys").map(|value| axis("keys", value, keys, &key)).transpose()?;
        let velocities = Limits { range: [1.0, 127.0], whole: false };
        let velocity = |text: &str| Err(problem(text, "a velocity", "100"));
        let velocities = self.0.remove("velocities").map(|value| axis("velocities", value, velocities, &velocity)).transpose()?;
        let one = |value: f64| Axis::List(vec![value]);
        Ok([keys.unwrap_or_else(|| one(60.0)), velocities.unwrap_or_else(|| one(100.0))])
    }

    fn number(&mut self, key: &str, range: [f64; 2], whole: bool) -> Result<Option<f64>> {
        let Some(value) = self.0.remove(key) else { return Ok(None) };
        let unit = |_: &str| Err(problem(&value.to_string(), "a number", &figure(range[0])));
        number(&value, Limits { range, whole }, &unit)
            .map(Some)
            .map_err(|(problem, remedy)| DatasetError::new(key, problem, remedy))
    }

    fn word(&mut self, key: &str, words: &[&str]) -> Result<Option<String>> {
        match self.0.remove(key) {
            None => Ok(None),
            Some(Value::String(word)) if words.contains(&&*word) => Ok(Some(word)),
            Some(other) => Err(DatasetError::new(
                key,
                format_args!("{other} is not allowed"),
                format_args!("give \"{}\"", words.join("\" or \"")),
            )),
        }
    }

    fn sampling(&mut self) -> Result<Sampling> {
        Ok(match self.word("sampling", &["random", "sobol", "grid"])?.as_deref() {
            None | Some("random") => Sampling::Random,
            Some("sobol") => Sampling::Sobol,
            _ => Sampling::Grid,
        })
    }

    fn format(&mut self, rate: u32) -> Result<SoundFormat> {
        let is_flac = self.word("format", &["wav", "flac"])?.as_deref() == Some("flac");
        let bits = self.number("bits", [16.0, 32.0], true)?.unwrap_or(if is_flac { 24.0 } else { 32.0 }) as u16;
        SoundFormat::new(is_flac, bits, rate)
    }

    fn presets(&mut self, folder: Option<&Path>) -> Result<Vec<Patch>> {
        let Some(value) = self.0.remove("presets") else { return Ok(vec![Patch::default()]) };
        let names = match value {
            Value::String(name) => vec![Value::String(name)],
            Value::Array(names) => names,
            other => {
                return Err(DatasetError::new(
                    "presets",
                    format_args!("{other} is not a list of names"),
                    "give a list of names or files",
                ));
            }
        };
        if names.is_empty() {
            return Err(DatasetError::new("presets", "the list is empty", "give a name, or leave it out"));
        }
        let names = names.into_iter().enumerate();
        names
            .map(|(n, name)| preset(&name, folder).map_err(|error| DatasetError { place: format!("presets[{n}]"), ..error }))
            .collect()
    }

    /// The drawn parameters, in the order of their ids.
    fn params(&mut self) -> Result<Vec<(ParamId, Axis)>> {
        let table = match self.0.remove("parameters") {
            None => return Ok(Vec::new()),
            Some(Value::Table(table)) => table,
            Some(other) => {
                return Err(DatasetError::new(
                    "parameters",
                    format_args!("{other} is not a table"),
                    "write a section [parameters]",
                ));
            }
        };
        table.into_iter().map(|(id, value)| parameter(&id, value)).collect()
    }

    fn count(&mut self, sampling: Sampling, axes: &[Axis]) -> Result<u64> {
        let given = self.number("count", [1.0, MAX_STROKES as f64], true)?.map(|count| count as u64);
        if sampling == Sampling::Sobol && axes.len() > Sampling::MAX_DIMENSIONS {
            let remedy = format!("give at most {}", Sampling::MAX_DIMENSIONS - 3);
            return Err(DatasetError::new("parameters", "too many for a Sobol sequence", remedy));
        }
        if sampling != Sampling::Grid {
            return given
                .ok_or_else(|| DatasetError::new("count", "missing", "give the number of strokes, for example count = 1000"));
        }
        if given.is_some() {
            return Err(DatasetError::new(
                "count",
                "a grid has as many strokes as combinations",
                "leave it out, or choose \"sobol\"",
            ));
        }
        let all = axes.iter().try_fold(1_u64, |product, axis| axis.count().and_then(|count| product.checked_mul(count)));
        all.filter(|&count| count <= MAX_STROKES).ok_or_else(|| {
            let problem = format!("a range without steps, or more than {MAX_STROKES} combinations");
            DatasetError::new(
                "sampling",
                problem,
                "give every range of a grid steps, for example { from = 0.1, to = 0.5, steps = 5 }",
            )
        })
    }

    fn finish(self) -> Result<()> {
        let Some(key) = self.0.keys().next() else { return Ok(()) };
        let near = or_nearest(key, KEYS.split(", "));
        Err(DatasetError::new(key, format_args!("unknown key{near}"), format_args!("the keys are {KEYS}")))
    }
}

/// The preset of a name or a file.
fn preset(name: &Value, folder: Option<&Path>) -> Result<Patch> {
    let fault = |problem: String, remedy: &str| DatasetError::new("", problem, remedy);
    let Value::String(name) = name else {
        return Err(fault(format!("{name} is not a name"), "give the name of a preset or a file"));
    };
    if let Some(patch) = factory_presets::find(name) {
        return Ok(patch);
    }
    let file = folder.unwrap_or(Path::new("")).join(name);
    if !name.ends_with(".toml") {
        let near = or_nearest(name, factory_presets::names());
        return Err(fault(
            format!("no preset \"{name}\"{near}"),
            "give the name of a built-in preset, or a file that ends in .toml",
        ));
    }
    let text = std::fs::read_to_string(&file).map_err(|error| {
        let DatasetError { place, problem, remedy } = DatasetError::unreadable(&file, &error);
        fault(format!("{place}: {problem}"), &remedy)
    })?;
    let (mut patch, _) =
        read_in(file.parent(), &text).map_err(|error| fault(format!("{name}: {}", error.problem), &error.remedy))?;
    if patch.name.is_empty() {
        patch.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(patch)
}

fn parameter(id: &str, value: Value) -> Result<(ParamId, Axis)> {
    let place = format!("parameters.{id}");
    let param = ParamId::from_id(id).ok_or_else(|| {
        let near = or_nearest(id, PARAMS.iter().map(|param| param.id));
        DatasetError::new(&place, format_args!("no parameter has this id{near}"), "urto-cli params lists all ids")
    })?;
    let spec = param.spec();
    let whole = matches!(spec.scale, Scale::Integer | Scale::Choice(_));
    let text = |text: &str| value_of(spec, text);
    let limits = Limits { range: [spec.min, spec.max], whole };
    axis(&place, value, limits, &text).map(|axis| (param, axis))
}

/// What the values of an axis may be.
#[derive(Clone, Copy)]
struct Limits {
    range: [f64; 2],
    whole: bool,
}

/// Problem and remedy.
type Fault = (String, String);
type ReadText<'a> = &'a dyn Fn(&str) -> std::result::Result<f64, Fault>;

/// A value, a list, or a range `{ from, to, steps, spacing }`.
fn axis(place: &str, value: Value, limits: Limits, text: ReadText) -> Result<Axis> {
    let fault = |(problem, remedy): Fault| DatasetError::new(place, problem, remedy);
    match value {
        Value::Array(values) if values.is_empty() => Err(fault(("the list is empty".into(), "give at least one value".into()))),
        Value::Array(values) if values.len() as u64 > MAX_VALUES => {
            Err(fault(("the list is too long".into(), format!("give at most {MAX_VALUES} values, or a range"))))
        }
        Value::Array(values) => {
            let values: std::result::Result<_, _> = values.iter().map(|value| number(value, limits, text)).collect();
            values.map(Axis::List).map_err(fault)
        }
        Value::Table(table) => range(place, Section(table), limits, text),
        value => number(&value, limits, text).map(|value| Axis::List(vec![value])).map_err(fault),
    }
}

fn range(place: &str, mut section: Section, limits: Limits, text: ReadText) -> Result<Axis> {
    let at = |key: &str| format!("{place}.{key}");
    let mut limit = |key: &str| {
        let missing = || DatasetError::new(at(key), "missing", "write a range as { from = 0.1, to = 0.5 }");
        let value = section.0.remove(key).ok_or_else(missing)?;
        number(&value, limits, text).map_err(|(problem, remedy)| DatasetError::new(at(key), problem, remedy))
    };
    let [low, high] = [limit("from")?, limit("to")?];
    if low >= high {
        let problem = format!("the range from {} to {} is empty", figure(low), figure(high));
        return Err(DatasetError::new(place, problem, "give a higher number after to than after from"));
    }
    let inner = |error: DatasetError| DatasetError { place: at(&error.place), ..error };
    let steps = section.number("steps", [2.0, MAX_VALUES as f64], true).map_err(inner)?.map(|steps| steps as u32);
    let spacing = match section.word("spacing", &["linear", "log"]).map_err(inner)?.as_deref() {
        Some("log") if low <= 0.0 => {
            return Err(DatasetError::new(
                at("spacing"),
                "a logarithmic range begins above 0",
                "raise from, or choose \"linear\"",
            ));
        }
        Some("log") => Spacing::Logarithmic,
        _ => Spacing::Linear,
    };
    if let Some(key) = section.0.keys().next() {
        return Err(DatasetError::new(at(key), "unknown key", "the keys of a range are from, to, steps, spacing"));
    }
    Ok(Axis::Range { limits: [low, high], spacing, steps, whole: limits.whole && steps.is_none() })
}

/// A number within `limits`, or a text that `text` reads.
fn number(value: &Value, Limits { range: [low, high], whole }: Limits, text: ReadText) -> std::result::Result<f64, Fault> {
    let number = match value {
        Value::Integer(number) => *number as f64,
        Value::Float(number) => *number,
        Value::String(words) => text(words)?,
        other => return Err(problem(&other.to_string(), "a number", &figure(low))),
    };
    let remedy =
        || format!("give {} from {} to {}", if whole { "a whole number" } else { "a number" }, figure(low), figure(high));
    if !(low..=high).contains(&number) {
        return Err((format!("{} is out of range", figure(number)), remedy()));
    }
    if whole && number.fract() != 0.0 {
        return Err((format!("{number} is not a whole number"), remedy()));
    }
    Ok(number)
}

fn problem(value: &str, noun: &str, example: &str) -> Fault {
    (format!("{value} is not {noun}"), format!("give {noun}, for example {example}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_their_key_and_remedy() {
        for (text, message) in [
            ("count = 0", "count: 0 is out of range; give a whole number from 1 to 1000000000"),
            ("", "count: missing; give the number of strokes, for example count = 1000"),
            ("count = 3\ncolour = 1", "colour: unknown key; the keys are count, seed,"),
            (
                "count = 3\n[parameters]\nhamer_mass = 1",
                "parameters.hamer_mass: no parameter has this id (did you mean \"hammer_mass\"?); urto-cli params lists all ids",
            ),
            (
                "count = 3\n[parameters]\nposition = { from = 0.5, to = 0.5 }",
                "parameters.position: the range from 0.5 to 0.5 is empty; give a higher number after to than after from",
            ),
            (
                "count = 3\n[parameters]\nposition = { from = 0.5, to = 2 }",
                "parameters.position.to: 2 is out of range; give a number from 0 to 1",
            ),
            ("count = 3\n[parameters]\nposition = []", "parameters.position: the list is empty; give at least one value"),
            ("count = 3\n[parameters]\nbody = \"bra\"", "parameters.body: \"bra\" is not an allowed value"),
            ("count = 3\nkeys = { from = 60 }", "keys.to: missing; write a range as { from = 0.1, to = 0.5 }"),
            ("count = 3\nkeys = [60, 128]", "keys: 128 is out of range; give a whole number from 0 to 127"),
            ("count = 3\nvelocities = 0", "velocities: 0 is out of range; give a number from 1 to 127"),
            (
                "count = 3\npresets = [\"Rosewod Marimba\"]",
                "presets[0]: no preset \"Rosewod Marimba\" (did you mean \"Rosewood Marimba\"?); give the name",
            ),
            (
                "sampling = \"grid\"\nkeys = [60, 61]\nvelocities = { from = 1, to = 2 }",
                "sampling: a range without steps, or more than",
            ),
            ("count = 3\nsampling = \"grid\"", "count: a grid has as many strokes as combinations; leave it out"),
            ("count = 3\nformat = \"mp3\"", "format: \"mp3\" is not allowed; give \"wav\" or \"flac\""),
            ("count = 3\nformat = \"flac\"\nbits = 32", "bits: FLAC has no 32-bit floating point; give 16 or 24"),
            ("count = 3\nlength = 600\nshard = 1000", "shard: 1000 strokes of 600 s exceed 1 GB; give at most 4"),
            ("count = 3\nshard = \"4\"", "shard: \"4\" is not a number"),
            ("count = ", "line 1: not valid TOML: "),
        ] {
            let error = DatasetSpec::from_toml(text, None).expect_err(text).to_string();
            assert!(error.starts_with(message), "{text}\n{error}");
        }
    }

    #[test]
    fn values_are_read_with_units_and_words() {
        let text = "sampling = \"grid\"\nkeys = [\"C4\", 61]\nvelocities = [64.5]\n[parameters]\nhammer_mass = [\"12 g\", 0.02]\n\
                    body = [\"bar\", \"string\"]\nmodes = { from = 8, to = 10 }\n";
        let spec = DatasetSpec::from_toml(text, None).expect("a specification");
        // parameters in the order of their ids
        let ids: Vec<_> = spec.params.iter().map(|param| param.spec().id).collect();
        assert_eq!((spec.count, ids), (2 * 2 * 2 * 3, vec!["body", "hammer_mass", "modes"]));
        let first = spec.draw(0);
        assert_eq!((first.preset, first.key, first.velocity, first.params[1].1, first.params[2].1), (0, 60, 64.5, 0.012, 8.0));
        let last = spec.draw(spec.count - 1);
        assert_eq!((last.key, last.params[1].1, last.params[2].1), (61, 0.02, 10.0));
        assert_eq!(spec.patch(&last).settings.get(ParamId::HammerMass), 0.02);
    }
}
