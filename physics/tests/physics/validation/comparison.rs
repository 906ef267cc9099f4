//! A measurement and what Urto computes for it.

use super::sources::Source;

/// A published value.
#[derive(Clone, Copy, Debug)]
pub enum Measured {
    /// A value, and its uncertainty with that of the dimensions that Urto is given.
    About { value: f64, uncertainty: f64 },
    /// Anything between two values.
    Between(f64, f64),
    /// A lower bound.
    AtLeast(f64),
    /// An upper bound.
    AtMost(f64),
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// Frequency or ratio of frequencies.
    Frequency,
    /// Contact time.
    Contact,
    /// Restitution.
    Restitution,
    /// Decay rate or time.
    Decay,
    /// Change of pitch with the strength of a strike.
    Glide,
}

impl Quantity {
    pub const ALL: [Self; 5] = [Self::Frequency, Self::Contact, Self::Restitution, Self::Decay, Self::Glide];

    /// The word of the tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Frequency => "mode frequencies",
            Self::Contact => "contact time",
            Self::Restitution => "restitution",
            Self::Decay => "decay",
            Self::Glide => "pitch glide",
        }
    }
}

/// A measurement of an object, and Urto's value.
#[derive(Debug)]
pub struct Comparison {
    pub object: &'static str,
    /// What was measured, with its unit.
    pub name: &'static str,
    pub quantity: Quantity,
    pub measured: Measured,
    pub urto: f64,
    pub source: &'static Source,
}

impl Measured {
    /// The value that errors refer to, and half of the width around it; `None` for bounds.
    pub fn centre(self) -> Option<(f64, f64)> {
        match self {
            Self::About { value, uncertainty } => Some((value, uncertainty)),
            Self::Between(low, high) => Some((0.5 * (low + high), 0.5 * (high - low))),
            Self::AtLeast(_) | Self::AtMost(_) => None,
        }
    }

    /// Whether `value` is within it.
    fn contains(self, value: f64) -> bool {
        match self {
            Self::About { value: centre, uncertainty } => (value - centre).abs() <= uncertainty,
            Self::Between(low, high) => (low..=high).contains(&value),
            Self::AtLeast(low) => value >= low,
            Self::AtMost(high) => value <= high,
        }
    }

    /// As text: value and uncertainty.
    fn cells(self) -> [String; 2] {
        match self {
            Self::About { value, uncertainty } => [figure(value), format!("± {}", figure(uncertainty))],
            Self::Between(low, high) => [format!("{} to {}", figure(low), figure(high)), String::new()],
            Self::AtLeast(low) => [format!("at least {}", figure(low)), String::new()],
            Self::AtMost(high) => [format!("at most {}", figure(high)), String::new()],
        }
    }
}

impl Comparison {
    /// Relative error; `None` for bounds.
    pub fn error(&self) -> Option<f64> {
        self.measured.centre().map(|(centre, _)| self.urto / centre - 1.0)
    }

    /// Whether Urto is within the uncertainty or the bound.
    pub fn agrees(&self) -> bool {
        self.measured.contains(self.urto)
    }

    /// The cells of the table.
    pub fn cells(&self) -> Vec<String> {
        let [measured, uncertainty] = self.measured.cells();
        let error = self.error().map_or_else(String::new, |error| format!("{:+.1}", 100.0 * error));
        let agrees = if self.agrees() { "yes" } else { "**no**" };
        let source = format!("{} {}", self.source.number(), self.source.reading.word());
        let texts = [self.object, self.name].map(str::to_owned);
        texts.into_iter().chain([measured, uncertainty, figure(self.urto), error, agrees.to_owned(), source]).collect()
    }
}

/// Three digits, or the whole number.
pub fn figure(value: f64) -> String {
    let decimals = if value == 0.0 { 0 } else { (2 - value.abs().log10().floor() as i32).clamp(0, 4) as usize };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Value and uncertainty.
pub fn about(value: f64, uncertainty: f64) -> Measured {
    Measured::About { value, uncertainty }
}
