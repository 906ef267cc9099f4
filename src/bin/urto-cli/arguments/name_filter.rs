//! Names that contain one of several texts, in upper or lower case: the option `--only`.

/// The texts of `--only`; without one, every name is selected.
pub struct NameFilter(Vec<String>);

impl NameFilter {
    /// Of the texts as given.
    pub fn new(texts: &[String]) -> Self {
        Self(texts.iter().map(|text| text.to_lowercase()).collect())
    }

    /// Whether it selects `name`.
    pub fn selects(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.0.is_empty() || self.0.iter().any(|text| name.contains(text))
    }

    /// The options as they were typed, for messages.
    pub fn typed(texts: &[String]) -> String {
        format!("--only {}", texts.join(" --only "))
    }
}
