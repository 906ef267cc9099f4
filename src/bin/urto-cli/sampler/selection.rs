//! The keys and velocities of an export as text.

use std::str::FromStr;

use urto_engine::params::value_text;

/// Most layers that a number of layers gives.
const MAX_LAYERS: u8 = 32;
/// Highest velocity and key.
const HIGHEST: u8 = 127;

/// Keys as text: a list of keys and of ranges with steps, such as `C2-C7/3,F#3`.
#[derive(Clone, Debug, PartialEq)]
pub struct KeySelection(Vec<u8>);

impl KeySelection {
    /// The keys from `low` to `high` that are `step` apart; `step` is at least 1.
    pub fn range(low: u8, high: u8, step: u8) -> Self {
        Self((low..=high).step_by(usize::from(step)).collect())
    }

    /// These keys.
    pub fn of(mut keys: Vec<u8>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        Self(keys)
    }

    /// The keys in ascending order.
    pub fn keys(&self) -> &[u8] {
        &self.0
    }
}

impl FromStr for KeySelection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut keys = Vec::new();
        for part in text.split(',') {
            let part = part.trim();
            let range = key_range(part).ok_or_else(|| {
                format!(
                    "\"{part}\" is neither a key nor a range of keys; give keys from 0 to 127 or C-1 to G9 and ranges with steps, \
                     for example C2-C7/3 or 36,38,42-46"
                )
            })?;
            keys.extend(range.0);
        }
        Ok(Self::of(keys))
    }
}

/// The keys of `KEY`, `LOW-HIGH` or `LOW-HIGH/STEP`; `None` for another text or an empty range.
fn key_range(text: &str) -> Option<KeySelection> {
    let (range, step) = match text.split_once('/') {
        Some((range, step)) => (range, step.trim().parse().ok().filter(|step| (1..=HIGHEST).contains(step))?),
        None => (text, 1),
    };
    // names of notes contain hyphens too: C-1-C4
    let ends = range
        .char_indices()
        .filter(|&(_, letter)| letter == '-')
        .find_map(|(at, _)| Some((value_text::key(&range[..at])?, value_text::key(&range[at + 1..])?)));
    match (value_text::key(range), ends) {
        (Some(key), _) if range == text => Some(KeySelection(vec![key])),
        (None, Some((low, high))) if low <= high => Some(KeySelection::range(low, high, step)),
        _ => None,
    }
}

/// Velocity layers as text: their number, or a list of velocities such as `40,80,127`.
#[derive(Clone, Debug, PartialEq)]
pub struct VelocityLayers(Vec<u8>);

impl VelocityLayers {
    /// The velocities that are struck, 1 to 127, in ascending order.
    pub fn velocities(&self) -> &[u8] {
        &self.0
    }
}

impl FromStr for VelocityLayers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || {
            format!(
                "\"{text}\" is neither a number of layers nor a list of velocities; give a number from 1 to {MAX_LAYERS}, or \
                 velocities from 1 to 127, for example 4 or 40,80,127"
            )
        };
        let numbers: Option<Vec<u8>> = text.split(',').map(|part| part.trim().parse::<u8>().ok()).collect();
        let numbers = numbers.filter(|numbers| numbers.iter().all(|n| (1..=HIGHEST).contains(n))).ok_or_else(fault)?;
        match numbers[..] {
            [layers] if layers <= MAX_LAYERS => {
                let velocity = |layer: u8| (f64::from(HIGHEST) * f64::from(layer) / f64::from(layers)).round() as u8;
                Ok(Self((1..=layers).map(velocity).collect()))
            }
            [_] => Err(fault()),
            _ => Ok(Self(KeySelection::of(numbers).0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_ranges_are_read() {
        let keys = |text: &str| text.parse::<KeySelection>().map(|keys| keys.0);
        assert_eq!(keys("60"), Ok(vec![60]));
        assert_eq!(keys("C4-D#4/3, 48,60"), Ok(vec![48, 60, 63]));
        assert_eq!(keys("C-1-D-1"), Ok(vec![0, 1, 2]));
        for text in ["", "C4-C3", "128", "60/2", "60-72/0", "60;61", "-"] {
            assert!(keys(text).is_err_and(|fault| fault.contains("for example C2-C7/3")), "{text}");
        }
    }

    #[test]
    fn layers_are_a_number_or_a_list() {
        let layers = |text: &str| text.parse::<VelocityLayers>().map(|layers| layers.0);
        assert_eq!(layers("4"), Ok(vec![32, 64, 95, 127]));
        assert_eq!(layers("1"), Ok(vec![127]));
        assert_eq!(layers("100,40,40"), Ok(vec![40, 100]));
        for text in ["", "0", "33", "40,128", "40,"] {
            assert!(layers(text).is_err(), "{text}");
        }
    }
}
