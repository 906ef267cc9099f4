//! The figures as a table beside their bounds, and as JSON.

use super::limits::BOUNDS;
use super::measurement::Case;
use super::reference_resonator;

/// What came of all cases.
pub struct Report {
    rounds: usize,
    /// Name and figure [ns].
    figures: Vec<(&'static str, f64)>,
}

impl Report {
    /// Of so many rounds of `cases`.
    pub fn new(rounds: usize, cases: &[Case]) -> Self {
        let figures = cases.iter().flat_map(|case| case.keys.iter().map(|&(key, figure)| (key, case.figure(figure))));
        Self { rounds, figures: figures.collect() }
    }

    fn figure(&self, of: &str) -> Option<f64> {
        self.figures.iter().find(|(key, _)| *key == of).map(|(_, figure)| *figure)
    }

    /// Ratio to another figure.
    fn over(&self, figure: f64, other: &str) -> f64 {
        self.figure(other).map_or(f64::NAN, |other| figure / other)
    }

    /// As a table.
    pub fn print(&self) {
        println!("{:<24} {:>12} {:>14}  bound", "case", "ns", "of yardstick");
        for &(key, figure) in &self.figures {
            let bounds: Vec<String> = BOUNDS
                .iter()
                .filter(|bound| bound.key == key)
                .map(|bound| {
                    let ratio = self.over(figure, bound.over);
                    let verdict = if ratio <= bound.goal {
                        "met"
                    } else if ratio <= bound.most {
                        "met, goal missed"
                    } else {
                        "MISSED"
                    };
                    let of = if bound.over == reference_resonator::KEY {
                        String::new()
                    } else {
                        format!(" of {} ({ratio:.2})", bound.over)
                    };
                    let goal = if bound.goal < bound.most { format!(", goal {}", bound.goal) } else { String::new() };
                    format!("{}{of}{goal}: {verdict}", bound.most)
                })
                .collect();
            println!("{key:<24} {figure:>12.1} {:>14.3}  {}", self.over(figure, reference_resonator::KEY), bounds.join("; "));
        }
    }

    /// As JSON: every figure [ns], and with the ending `_ratio` over the yardstick's.
    pub fn json(&self) -> String {
        let mut entries = vec!["\"unit\": \"ns\"".to_owned(), format!("\"rounds\": {}", self.rounds)];
        for &(key, figure) in &self.figures {
            entries.push(format!("\"{key}\": {figure:.3}"));
            entries.push(format!("\"{key}_ratio\": {:.4}", self.over(figure, reference_resonator::KEY)));
        }
        format!("{{\n  {}\n}}\n", entries.join(",\n  "))
    }
}
