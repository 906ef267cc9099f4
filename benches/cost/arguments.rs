//! Command-line arguments of the benchmark.

/// Parsed arguments.
#[derive(Default)]
pub struct Arguments {
    /// JSON file for the figures.
    pub json: Option<String>,
    /// Folder for the scaling plots.
    pub plots: Option<String>,
    /// Rounds of one case that run without timing, so that another program can count their instructions.
    pub count: Option<usize>,
    /// Whether the MIDI file of the fill is written, and nothing timed.
    pub composes: bool,
    /// Parts of the names of the selected figures; empty selects all.
    pub parts: Vec<String>,
}

impl Arguments {
    /// Parses the arguments of the program. Errors: an unknown option, a missing or invalid value.
    pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        // cargo adds --bench
        let mut arguments = arguments.filter(|argument| argument != "--bench");
        let mut parsed = Self::default();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument}: the value is missing"));
            match argument.as_str() {
                "--json" => parsed.json = Some(value()?),
                "--plots" => parsed.plots = Some(value()?),
                "--count" => {
                    let rounds = value()?;
                    let rounds = rounds.parse().map_err(|_| format!("--count: `{rounds}` is not a whole number of rounds"))?;
                    parsed.count = Some(rounds);
                }
                "--compose" => parsed.composes = true,
                other if other.starts_with('-') => {
                    return Err(format!(
                        "unknown option `{other}`; the options are --json FILE, --plots FOLDER, --count ROUNDS and --compose"
                    ));
                }
                _ => parsed.parts.push(argument),
            }
        }
        Ok(parsed)
    }

    /// Whether a figure with one of these names is selected.
    pub fn select(&self, keys: &[&str]) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|part| keys.iter().any(|key| key.contains(part.as_str())))
    }
}
