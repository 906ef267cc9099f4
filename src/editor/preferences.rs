//! Preferences of the user, in a file beside the preset folder.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::editor::theme::ZOOMS;
use urto_engine::patch::preset_library;

/// Name of the file.
const FILE: &str = "editor.toml";

/// The preferences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prefs {
    /// Dark theme.
    pub dark: bool,
    /// Zoom factor.
    pub zoom: f32,
    /// Reduced motion.
    pub still: bool,
    /// Amount of random change, as a part of each parameter's range.
    pub chance: f64,
    /// Whether the hints of the first run are still to be shown.
    pub first: bool,
    /// Names of favourite presets.
    pub favourites: BTreeSet<String>,
}

impl Default for Prefs {
    fn default() -> Self {
        Self { dark: true, zoom: 1.0, still: false, chance: 0.12, first: false, favourites: BTreeSet::new() }
    }
}

impl Prefs {
    /// Reads the preferences; defaults if there is no readable file.
    pub fn load() -> Self {
        let text = place().and_then(|file| std::fs::read_to_string(file).ok());
        text.map_or_else(|| Self { first: true, ..Self::default() }, |text| Self::read(&text))
    }

    /// Writes the preferences. Failures are ignored: only settings of the window would be lost.
    pub fn save(&self) {
        if let (Some(file), Ok(text)) = (place(), toml::to_string(self)) {
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = std::fs::write(file, text);
        }
    }

    fn read(text: &str) -> Self {
        let prefs: Self = toml::from_str(text).unwrap_or_default();
        let (smallest, largest) = (ZOOMS[0], ZOOMS[ZOOMS.len() - 1]);
        let zoom = if prefs.zoom >= smallest && prefs.zoom <= largest { prefs.zoom } else { 1.0 };
        let chance = if prefs.chance > 0.0 && prefs.chance <= 1.0 { prefs.chance } else { 0.12 };
        Self { zoom, chance, ..prefs }
    }
}

fn place() -> Option<PathBuf> {
    Some(preset_library::folder()?.parent()?.join(FILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_survive_a_round_trip_and_invalid_values_are_replaced() {
        let favourites = BTreeSet::from(["Parish Bell".to_owned()]);
        let prefs = Prefs { dark: false, zoom: 1.5, still: true, chance: 0.3, first: true, favourites };
        assert_eq!(Prefs::read(&toml::to_string(&prefs).expect("plain data")), prefs);
        assert_eq!(Prefs::read("zoom = nan\nchance = -3.0\ndark = false"), Prefs { dark: false, ..Prefs::default() });
        assert_eq!(Prefs::read("dark = 7"), Prefs::default());
        assert_eq!(Prefs::read("new = 1"), Prefs::default());
    }
}
