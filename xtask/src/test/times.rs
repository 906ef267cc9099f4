//! Times of tests and steps in their last run, stored in the target folder.

use super::options::{Part, Tier};
use crate::paths::Paths;
use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// Seconds by tier, part and name.
#[derive(Default)]
pub struct Times(Map<String, Value>);

impl Times {
    /// Reads the times of earlier runs; empty without a readable file.
    pub fn read(paths: &Paths) -> Self {
        let text = std::fs::read_to_string(file(paths)).unwrap_or_default();
        Self(serde_json::from_str(&text).unwrap_or_default())
    }

    /// Writes the file.
    pub fn write(&self, paths: &Paths) -> Result<()> {
        let file = file(paths);
        std::fs::write(&file, serde_json::to_string_pretty(&self.0)?).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Records the time of a test or step [s].
    pub fn record(&mut self, tier: Tier, part: Part, name: &str, seconds: f64) {
        let tier = self.0.entry(tier.name()).or_insert_with(|| json!({}));
        if let Some(parts) = tier.as_object_mut() {
            let part = parts.entry(part.name()).or_insert_with(|| json!({}));
            part[name] = json!((seconds * 1e3).round() / 1e3);
        }
    }

    /// Time of a test in the last run of the tier [s].
    pub fn test_seconds(&self, tier: Tier, name: &str) -> Option<f64> {
        self.0.get(tier.name())?.as_object()?.values().find_map(|part| part.get(name)?.as_f64())
    }

    /// Time of a part in the last run of the tier, summed over its processes [s].
    pub fn part_seconds(&self, tier: Tier, part: Part) -> Option<f64> {
        let tests = self.0.get(tier.name())?.get(part.name())?.as_object()?;
        Some(tests.values().filter_map(Value::as_f64).sum())
    }
}

fn file(paths: &Paths) -> PathBuf {
    paths.target.join("test-times.json")
}
