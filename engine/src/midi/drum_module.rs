//! Modules of electronic drums: the keys that their pads send, and the keys of the same instruments in kits.

/// A module of electronic drums as it leaves the factory. Its pads send keys that General MIDI gives other instruments, such as a rim of a tom on the
/// key of the next tom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrumModule {
    /// Keys as in General MIDI.
    #[default]
    GeneralMidi,
    /// Roland TD-17 and modules with the same keys; source: Roland's note map of the TD-17, read through another text.
    RolandTd17,
    /// Alesis Nitro and modules with the same keys; source: pad note numbers of its user guide, read through another text.
    AlesisNitro,
}

/// Keys of a module that differ from those of a kit: sent key, key of the kit.
type Differences = &'static [(u8, u8)];

/// Rims of toms to the toms, edges of hats and crashes to hats and crashes. Rim and cross stick of the snare and the parts of the ride have their keys.
const ROLAND_TD17: Differences = &[(22, 42), (26, 46), (47, 45), (50, 48), (52, 57), (55, 49), (58, 43)];
/// Rims of toms to the toms, the half open hat to the open one, the splash of the pedal to the pedal.
const ALESIS_NITRO: Differences = &[(21, 44), (23, 46), (39, 41), (47, 45), (50, 48), (58, 43)];

impl DrumModule {
    /// All modules, in the order of their names.
    pub const ALL: [Self; 3] = [Self::GeneralMidi, Self::RolandTd17, Self::AlesisNitro];
    /// Their names in files and in the window.
    pub const NAMES: [&'static str; 3] = ["General MIDI", "Roland TD-17", "Alesis Nitro"];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The module with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|module| module.name() == name)
    }

    /// The key of a kit, 0 to 127, for the key `sent` of a pad.
    pub fn kit_key(self, sent: u8) -> u8 {
        let differences = match self {
            Self::GeneralMidi => &[],
            Self::RolandTd17 => ROLAND_TD17,
            Self::AlesisNitro => ALESIS_NITRO,
        };
        differences.iter().find(|(from, _)| *from == sent).map_or(sent, |(_, key)| *key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::factory_presets;

    #[test]
    fn every_pad_of_a_module_strikes_the_instrument_of_its_pad() {
        let kit = factory_presets::find("Studio Kit").expect("a kit");
        let struck = |module: DrumModule, sent: u8| {
            let key = module.kit_key(sent);
            kit.zones.iter().find(|zone| zone.holds(key)).map_or("", |zone| zone.name.as_str())
        };
        let roland = [
            (36, "Kick"),
            (38, "Snare"),
            (40, "Rim shot"),
            (37, "Side stick"),
            (48, "High mid tom"),
            (50, "High mid tom"),
            (45, "Low tom"),
            (47, "Low tom"),
            (43, "High floor tom"),
            (58, "High floor tom"),
            (22, "Closed hat"),
            (26, "Open hat"),
            (44, "Pedal hat"),
            (49, "Crash"),
            (55, "Crash"),
            (57, "Second crash"),
            (52, "Second crash"),
            (51, "Ride"),
            (53, "Ride bell"),
            (59, "Ride at the edge"),
        ];
        roland.iter().for_each(|&(sent, name)| assert_eq!(struck(DrumModule::RolandTd17, sent), name, "{sent}"));
        let alesis = [(23, "Open hat"), (21, "Pedal hat"), (39, "Low floor tom"), (41, "Low floor tom"), (50, "High mid tom")];
        alesis.iter().for_each(|&(sent, name)| assert_eq!(struck(DrumModule::AlesisNitro, sent), name, "{sent}"));
        assert!((0..128).all(|key| DrumModule::GeneralMidi.kit_key(key) == key));
    }
}
