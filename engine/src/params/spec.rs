//! What the table knows about one parameter: names, unit, range, scale, and when a change takes effect.

use crate::params::choices::SWITCH;
use Scale::{Choice, Cubic, Integer, Logarithmic};

/// How the normalised value 0 to 1 maps to the range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios; the minimum is above 0.
    Logarithmic,
    /// Fine near the minimum: value = min + (max - min) x^3.
    Cubic,
    /// Whole numbers.
    Integer,
    /// One of the choices, with their names in files; the value is the index.
    Choice(&'static [&'static str]),
}

/// When a change takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateRate {
    /// At the frame of the event, without adding energy, also during contact: contact and hammer.
    Immediate,
    /// Smoothed, in control blocks of 16 frames: decay, tuning, mass of the body, pickups, level.
    OnGrid,
    /// From the next strike on.
    NextStrike,
    /// Once a new body is prepared, off the audio thread.
    NewBody,
}

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamSpec {
    /// Stable identity; the key in `--set id=value` and in host states.
    pub id: &'static str,
    /// Displayed name; is unique and clear without the group, because hosts show one list without groups.
    pub name: &'static str,
    /// Group of parameters that it is displayed in.
    pub group: &'static str,
    /// SI unit of the value; empty for dimensionless numbers.
    pub unit: &'static str,
    /// Minimum.
    pub min: f64,
    /// Maximum.
    pub max: f64,
    /// Default value.
    pub default: f64,
    /// How the normalised value maps to the range.
    pub scale: Scale,
    /// Displayed names of the choices; empty for a parameter without choices.
    pub choice_labels: &'static [&'static str],
    /// When a change takes effect.
    pub update_rate: UpdateRate,
    /// Whether hosts may automate it.
    pub automatable: bool,
    /// Whether patches contain it; session parameters describe the controller rather than the sound.
    pub in_patch: bool,
    /// One sentence for users.
    pub hint: &'static str,
}

impl ParamSpec {
    /// Whether it is a macro, or belongs to an LFO, an envelope, or the modulation matrix.
    pub fn is_modulation(&self) -> bool {
        matches!(self.group, "Macros" | "LFO 1" | "LFO 2" | "Envelope 1" | "Envelope 2" | "Modulation")
    }

    /// Whether its values are choices with names of their own, which hosts should show as a list; "Off" and "On" are a switch.
    pub fn has_named_choices(&self) -> bool {
        let labels = self.labels();
        !labels.is_empty() && labels != SWITCH
    }

    /// Name for hosts. Some show two choices as a switch without words, so the name has the words of both.
    pub fn host_name(&self) -> String {
        match self.labels() {
            [off, on] if self.has_named_choices() => format!("{} ({off} / {on})", self.name),
            _ => self.name.to_owned(),
        }
    }

    /// Displayed names of the choices; empty for a parameter without choices. Files and `--set` use those of [`Scale::Choice`].
    pub fn labels(&self) -> &'static [&'static str] {
        self.choice_labels
    }

    /// Normalised value 0 to 1 of a value in range.
    pub fn to_normalized(&self, value: f64) -> f64 {
        let (min, span) = (self.min, self.max - self.min);
        match self.scale {
            Logarithmic => (value / min).ln() / (self.max / min).ln(),
            Cubic => ((value - min) / span).cbrt(),
            _ => (value - min) / span,
        }
    }

    /// Value of a normalised value 0 to 1.
    pub fn from_normalized(&self, normalized: f64) -> f64 {
        let (min, span) = (self.min, self.max - self.min);
        match self.scale {
            Logarithmic => min * (normalized * (self.max / min).ln()).exp(),
            Cubic => min + span * normalized * normalized * normalized,
            _ => min + span * normalized,
        }
    }

    /// `value`, in range, with `offset` added to its normalised value; within the range. Without an offset it is `value` to the last bit.
    pub fn with_offset(&self, value: f64, offset: f64) -> f64 {
        if offset == 0.0 {
            return value;
        }
        if self.scale == Logarithmic {
            return self.clamped(value * (self.max / self.min).powf(offset));
        }
        self.clamped(self.from_normalized((self.to_normalized(value) + offset).clamp(0.0, 1.0)))
    }

    /// The value clamped to the range; rounded for integers and choices; the default for a value that is not a number.
    pub fn clamped(&self, value: f64) -> f64 {
        if value.is_nan() {
            return self.default;
        }
        let value = value.clamp(self.min, self.max);
        match self.scale {
            Integer | Choice(_) => value.round(),
            _ => value,
        }
    }
}
