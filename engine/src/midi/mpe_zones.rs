//! MPE zones: member channels with one note each, and the manager channel that applies to all of them.
//!
//! The manager of the lower zone is channel 1, its members are the channels from 2 upwards; those of the upper zone are channel 16 and
//! the channels from 15 downwards (MIDI Polyphonic Expression 1.0, section 2). Controllers may configure zones (registered parameter 6).

use crate::params::MpeMode;

/// Channel index of the lower zone's manager.
const LOWER: u8 = 0;
/// Channel index of the upper zone's manager.
const UPPER: u8 = 15;
/// Maximum number of members of a zone.
const MAX_MEMBERS: u8 = 15;

/// Number of members of both zones; 0 means that there is no such zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MpeZones {
    lower: u8,
    upper: u8,
}

impl MpeZones {
    /// The zones of a mode.
    pub fn new(mode: MpeMode) -> Self {
        match mode {
            MpeMode::Off => Self::default(),
            MpeMode::Lower => Self { lower: MAX_MEMBERS, upper: 0 },
            MpeMode::Upper => Self { lower: 0, upper: MAX_MEMBERS },
            MpeMode::Both => Self { lower: 7, upper: 7 },
        }
    }

    /// Sets the number of members of the zone with the channel `manager` (0 to 15); the other zone shrinks if needed. Returns whether
    /// `manager` is the manager of a zone.
    pub fn configure(&mut self, manager: u8, members: u8) -> bool {
        let members = members.min(MAX_MEMBERS);
        let remaining = (MAX_MEMBERS - 1).saturating_sub(members);
        match manager {
            LOWER => (self.lower, self.upper) = (members, self.upper.min(remaining)),
            UPPER => (self.upper, self.lower) = (members, self.lower.min(remaining)),
            _ => return false,
        }
        true
    }

    /// Manager of the zone that `channel` (0 to 15) is a member of.
    pub fn manager_of(&self, channel: u8) -> Option<u8> {
        if (1..=self.lower).contains(&channel) {
            return Some(LOWER);
        }
        (channel < UPPER && channel + self.upper >= UPPER).then_some(UPPER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_the_channels_of_the_specification() {
        let members = |zones: MpeZones, manager| (0..16).filter(|&c| zones.manager_of(c) == Some(manager)).collect::<Vec<u8>>();
        assert_eq!(members(MpeZones::new(MpeMode::Lower), 0), (1..16).collect::<Vec<_>>());
        assert_eq!(members(MpeZones::new(MpeMode::Upper), 15), (0..15).collect::<Vec<_>>());
        let both = MpeZones::new(MpeMode::Both);
        assert_eq!((members(both, 0), members(both, 15)), ((1..8).collect(), (8..15).collect()));
        assert!(members(MpeZones::default(), 0).is_empty());
    }

    #[test]
    fn a_new_zone_takes_its_channels_from_the_other() {
        let mut zones = MpeZones::new(MpeMode::Lower);
        assert!(zones.configure(15, 4) && !zones.configure(3, 4));
        assert_eq!((zones.lower, zones.upper), (10, 4));
        zones.configure(0, 15);
        assert_eq!((zones.lower, zones.upper), (15, 0));
        zones.configure(0, 0);
        assert_eq!(zones, MpeZones::default());
    }
}
