//! The rows of the manifest: one for each stroke, as CSV.

use urto_engine::params::Scale;

use crate::dataset::spec::DatasetSpec;
use crate::dataset::stroke::Stroke;

/// Columns before those of the drawn parameters, and after them.
const FIRST: [&str; 7] = ["stroke", "shard", "start_frame", "frames", "preset", "key", "velocity"];
const LAST: [&str; 20] = [
    "frequency_hz",
    "mode_count",
    "mode_frequencies_hz",
    "mode_t60_s",
    "mode_weights",
    "contacts",
    "contact_time_s",
    "peak_force_n",
    "max_compression_m",
    "velocity_in_m_s",
    "velocity_out_m_s",
    "hammer_mass_kg",
    "energy_in_j",
    "energy_hammer_j",
    "energy_body_j",
    "energy_contact_loss_j",
    "energy_decay_j",
    "peak",
    "seed",
    "urto_version",
];

/// The names of the columns.
pub fn header(spec: &DatasetSpec) -> Vec<String> {
    let params = spec.params.iter().map(|param| match param.spec().unit {
        "" => param.spec().id.to_owned(),
        unit => format!("{} [{unit}]", param.spec().id),
    });
    let fixed = |names: &'static [&str]| names.iter().map(|name| (*name).to_owned());
    fixed(&FIRST).chain(params).chain(fixed(&LAST)).collect()
}

/// The row of a stroke in the file `shard`.
pub fn row(spec: &DatasetSpec, stroke: &Stroke, shard: &str, place: u64) -> Vec<String> {
    let Stroke { draw, hit, modes, .. } = stroke;
    let mut row = vec![
        draw.index.to_string(),
        shard.to_owned(),
        (place * spec.frames as u64).to_string(),
        spec.frames.to_string(),
        spec.presets[draw.preset].name.clone(),
        draw.key.to_string(),
        draw.velocity.to_string(),
    ];
    row.extend(draw.params.iter().map(|(param, value)| match param.spec().scale {
        Scale::Choice(names) => names.get(*value as usize).map_or_else(String::new, |name| name.to_lowercase()),
        _ => value.to_string(),
    }));
    let list = |values: Vec<f64>| values.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    row.push(stroke.frequency.map_or_else(String::new, |frequency| frequency.to_string()));
    row.push(stroke.mode_count.to_string());
    row.push(list(modes.iter().map(|mode| mode.frequency).collect()));
    row.push(list(modes.iter().map(|mode| 1000_f64.ln() / mode.decay_rate).collect()));
    row.push(list(modes.iter().map(|mode| mode.weight_strike).collect()));
    row.push(stroke.contacts.to_string());
    let figures = hit.map(|hit| {
        [
            hit.contact_time,
            hit.peak_force,
            hit.max_compression,
            hit.velocity_in,
            hit.velocity_out,
            hit.mass,
            hit.energy_in,
            hit.energy_hammer,
            hit.energy_body,
            hit.energy_contact_loss,
            hit.energy_decay,
        ]
    });
    match figures {
        Some(figures) => row.extend(figures.iter().map(f64::to_string)),
        None => row.extend(std::iter::repeat_n(String::new(), 11)),
    }
    row.extend([stroke.peak.to_string(), spec.seed.to_string(), env!("CARGO_PKG_VERSION").to_owned()]);
    row
}

/// Rows as CSV. Errors: those of the writer, as text.
pub fn to_csv(rows: &[Vec<String>]) -> Result<Vec<u8>, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|error| error.to_string())?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}
