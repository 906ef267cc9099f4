//! Report of the figures, as a table with limits and as JSON.

use super::limits::{LIMITS, Limit};
use super::measurement::Case;
use super::reference_resonator;

/// Value of a figure.
struct Value {
    key: &'static str,
    /// Time per sample or call [ns].
    time: f64,
}

/// Values of all figures.
pub struct Report {
    rounds: usize,
    values: Vec<Value>,
}

impl Report {
    /// Collects the values of `cases` after `rounds` rounds.
    pub fn new(rounds: usize, cases: &[Case]) -> Self {
        let values = cases.iter().flat_map(|case| {
            case.figures.iter().map(|figure| Value { key: figure.key, time: case.time_per_unit(figure.statistic) })
        });
        Self { rounds, values: values.collect() }
    }

    /// Ratio of a time to the figure `reference`; NaN if that was not measured.
    fn ratio(&self, time: f64, reference: &str) -> f64 {
        let found = self.values.iter().find(|value| value.key == reference);
        found.map_or(f64::NAN, |reference| time / reference.time)
    }

    /// Prints the table.
    pub fn print(&self) {
        println!("{:<24} {:>12} {:>14}  limit", "figure", "ns", "reference cost");
        for &Value { key, time } in &self.values {
            let limits = LIMITS.iter().filter(|limit| limit.key == key);
            let verdicts: Vec<String> = limits.map(|limit| self.verdict(time, limit)).collect();
            println!("{key:<24} {time:>12.1} {:>14.3}  {}", self.ratio(time, reference_resonator::KEY), verdicts.join("; "));
        }
    }

    /// A limit, and whether the figure meets it.
    fn verdict(&self, time: f64, limit: &Limit) -> String {
        let ratio = self.ratio(time, limit.reference);
        let verdict = if ratio <= limit.goal {
            "met"
        } else if ratio <= limit.maximum {
            "met, goal missed"
        } else {
            "MISSED"
        };
        let reference = if limit.reference == reference_resonator::KEY {
            String::new()
        } else {
            format!(" times {} (ratio {ratio:.2})", limit.reference)
        };
        let goal = if limit.goal < limit.maximum { format!(", goal {}", limit.goal) } else { String::new() };
        format!("{}{reference}{goal}: {verdict}", limit.maximum)
    }

    /// The figures [ns] as JSON. Keys with the suffix `_ratio` contain the ratio to the reference cost.
    pub fn json(&self) -> String {
        let mut entries = vec!["\"unit\": \"ns\"".to_owned(), format!("\"rounds\": {}", self.rounds)];
        for &Value { key, time } in &self.values {
            entries.push(format!("\"{key}\": {time:.3}"));
            entries.push(format!("\"{key}_ratio\": {:.4}", self.ratio(time, reference_resonator::KEY)));
        }
        format!("{{\n  {}\n}}\n", entries.join(",\n  "))
    }
}
