//! What the command line asks for.

/// What to do.
#[derive(Default)]
pub struct Order {
    /// File for the figures as JSON.
    pub json: Option<String>,
    /// Folder for the plots of how the cost grows.
    pub plots: Option<String>,
    /// Rounds that are run of one case and not timed, for whoever counts instructions.
    pub count: Option<usize>,
    /// Parts of the names of the figures; none for all.
    pub parts: Vec<String>,
}

impl Order {
    /// Of the program's arguments. Errors: what is wrong with them.
    pub fn read(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        // cargo adds --bench
        let mut arguments = arguments.filter(|argument| argument != "--bench");
        let mut order = Self::default();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("something is missing after {argument}"));
            match argument.as_str() {
                "--json" => order.json = Some(value()?),
                "--plots" => order.plots = Some(value()?),
                "--count" => {
                    let rounds = value()?;
                    order.count = Some(rounds.parse().map_err(|_| format!("--count takes a number of rounds, not `{rounds}`"))?);
                }
                other if other.starts_with('-') => {
                    return Err(format!(
                        "there is no option `{other}`; there are --json FILE, --plots FOLDER and --count ROUNDS"
                    ));
                }
                _ => order.parts.push(argument),
            }
        }
        Ok(order)
    }

    /// Whether a figure with one of these names is asked for.
    pub fn names(&self, keys: &[&str]) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|part| keys.iter().any(|key| key.contains(part.as_str())))
    }
}
