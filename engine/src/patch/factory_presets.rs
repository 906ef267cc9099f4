//! The factory presets, in the order of their MIDI program numbers: 61 in eight families, four kits, those with sustained excitation,
//! and presets and kits that were added later.

#![allow(clippy::expect_used, reason = "the texts are part of the program and all parsed by a test; never on the audio thread")]

use crate::patch::factory_texts::{ADDED, BUILT_IN, LASTING, is_kit, name_in, texts};
use crate::patch::patch::Patch;
use crate::patch::patch_toml::from_toml;

/// The families of instruments, in the order of the browser.
pub const FAMILIES: [&str; 11] = [
    "bars",
    "bells",
    "skins",
    "plates and gongs",
    "strings",
    "glass and stone",
    "wood and small percussion",
    "impossible",
    "lasting contact",
    "nonlinear bodies",
    "connected bodies",
];

/// The kits.
pub fn kits() -> impl Iterator<Item = Patch> {
    read(texts().filter(|text| is_kit(text)))
}

/// The presets of the first eight families.
pub fn built_in() -> impl Iterator<Item = Patch> {
    read(BUILT_IN.iter().copied())
}

/// The presets with sustained excitation.
pub fn sustained() -> impl Iterator<Item = Patch> {
    read(LASTING.iter().copied())
}

/// The presets that were added later; kits are not among them.
pub fn added() -> impl Iterator<Item = Patch> {
    read(ADDED.iter().copied().filter(|text| !is_kit(text)))
}

/// All factory presets, in the order of their program numbers.
pub fn all() -> impl Iterator<Item = Patch> {
    read(texts())
}

/// The names of all factory presets, in the order of their program numbers. Reads only the names, a thousandth of the work of [`all`].
pub fn names() -> impl Iterator<Item = &'static str> {
    texts().map(name_in)
}

/// The factory preset or kit with the name `name`, in upper or lower case. Reads only that one.
pub fn find(name: &str) -> Option<Patch> {
    let name = name.to_lowercase();
    read(texts().filter(move |text| name_in(text).to_lowercase() == name)).next()
}

fn read(texts: impl Iterator<Item = &'static str>) -> impl Iterator<Item = Patch> {
    texts.map(|text| from_toml(text).expect("a factory preset is valid; a test reads them all"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::ParamId;
    use urto_physics::contact::RigidImpact;

    #[test]
    fn every_factory_preset_is_valid_and_has_its_own_name() {
        let names: Vec<_> = all().map(|patch| patch.name).collect();
        assert!(names.iter().eq(super::names()), "the first line that begins with `name` is that of the preset");
        assert!(names.iter().all(|name| find(&name.to_uppercase()).is_some_and(|patch| patch.name == *name)));
        assert!(names.iter().enumerate().all(|(i, name)| !name.is_empty() && !names[..i].contains(name)), "{names:?}");
    }

    /// Even those with the highest losses, fingertips and felt at maximum speed, keep a quarter of their speed.
    #[test]
    fn factory_hammers_rebound() {
        for patch in built_in().chain(added()) {
            let [damping, velocity] = [ParamId::Damping, ParamId::SpeedHigh].map(|id| patch.settings.get(id));
            let wall = RigidImpact { mass: 1.0, stiffness: 1.0, exponent: 1.0, damping, velocity };
            assert!(wall.restitution() > 0.25, "{}: {}", patch.name, wall.restitution());
        }
    }
}
