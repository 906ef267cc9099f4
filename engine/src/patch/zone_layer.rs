//! Which strikes of its keys a zone plays: a range of velocities, and turns with other zones. In the text of a zone:
//!
//! ```toml
//! velocities = [1, 80]     # MIDI velocities; default: all
//! fade = 20                # velocities over which it fades in and out at the ends of its range
//! alternate = 1            # zones with the same number take turns
//! alternate_by = "random"  # never the same twice in a row; or "turn", one after the other
//! ```

use std::fmt::Write;

use crate::formats::{Located, TextError, TomlSection, figure};

/// Lowest and highest velocity of a strike, as in MIDI.
pub const VELOCITIES: [u8; 2] = [1, 127];

/// Number of groups of zones that take turns.
pub const TURN_GROUPS: usize = 16;

/// How zones that alternate follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alternation {
    /// In the order of the zones.
    #[default]
    Turn,
    /// At random, never the same twice in a row.
    Random,
}

impl Alternation {
    /// All of them, in the order of their names.
    pub const ALL: [Self; 2] = [Self::Turn, Self::Random];
    /// Their names in files.
    pub const NAMES: [&'static str; 2] = ["turn", "random"];
}

/// Which strikes a zone plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneLayer {
    /// Lowest and highest velocity, 1 to 127.
    pub velocities: [u8; 2],
    /// Velocities over which it fades in from the lowest and out to the highest, 0 to 126; an end at 1 or 127 does not fade.
    pub fade: u8,
    /// Group of zones that take turns, 1 to [`TURN_GROUPS`]; 0: none.
    pub group: u8,
    /// How the zones of the group alternate; the first one of them that may play decides.
    pub alternation: Alternation,
}

impl Default for ZoneLayer {
    fn default() -> Self {
        Self { velocities: VELOCITIES, fade: 0, group: 0, alternation: Alternation::default() }
    }
}

impl ZoneLayer {
    /// Gain of a strike with `velocity`, above 0 to 1; None if it is not in the range. Where two zones fade into each other over the same velocities, the sum
    /// of their powers is that of one zone: bodies that differ sound together without a relation of phase.
    pub fn gain(&self, velocity: f64) -> Option<f64> {
        let [low, high] = self.velocities.map(f64::from);
        let steps = (velocity * f64::from(VELOCITIES[1])).max(f64::from(VELOCITIES[0]));
        if steps < low - 0.5 || steps >= high + 0.5 {
            return None;
        }
        let rise = |distance: f64, is_end: bool| {
            let fades = self.fade > 0 && !is_end;
            if fades { ((distance + 0.5) / f64::from(self.fade)).clamp(0.0, 1.0) } else { 1.0 }
        };
        let ends = VELOCITIES.map(f64::from);
        Some((rise(steps - low, low == ends[0]) * rise(high - steps, high == ends[1])).sqrt())
    }

    /// Whether it fades, so that strikes have gains of their own.
    pub fn fades(&self) -> bool {
        self.fade > 0 && self.velocities != VELOCITIES
    }

    /// Reads the keys of a zone. Errors: the first error, with line, key and fix.
    pub(crate) fn read(section: &mut TomlSection) -> Result<Self, TextError> {
        let mut layer = Self::default();
        let [lowest, highest] = VELOCITIES;
        let is_whole = |x: f64, from: u8, to: u8| x.fract() == 0.0 && (f64::from(from)..=f64::from(to)).contains(&x);
        if let Some(Located { value, place }) = section.numbers("velocities")? {
            layer.velocities = match value[..] {
                [low, high] if is_whole(low, lowest, highest) && is_whole(high, lowest, highest) && low <= high => {
                    [low as u8, high as u8]
                }
                _ => return Err(place.fault("not a range of velocities", "give the lowest and the highest, from 1 to 127")),
            };
        }
        let mut whole = |key: &str, to: u8, remedy: String| match section.number(key)? {
            Some(Located { value, .. }) if is_whole(value, 0, to) => Ok(value as u8),
            Some(Located { value, place }) => Err(place.fault(format!("{} is out of range", figure(value)), remedy)),
            None => Ok(0),
        };
        layer.fade = whole("fade", highest - lowest, format!("give a whole number from 0 to {}", highest - lowest))?;
        layer.group =
            whole("alternate", TURN_GROUPS as u8, format!("give a whole number from 1 to {TURN_GROUPS}, or leave it out"))?;
        if let Some(Located { value, place }) = section.string("alternate_by")? {
            let found = Alternation::NAMES.iter().position(|name| *name == value);
            let unknown = || place.fault(format!("no order \"{value}\""), "give \"turn\" or \"random\"");
            layer.alternation = Alternation::ALL[found.ok_or_else(unknown)?];
        }
        Ok(layer)
    }

    /// Appends the keys that differ from the default to `text`. Reading them returns the same layer.
    pub(crate) fn write(&self, text: &mut String) {
        let Self { velocities, fade, group, alternation } = *self;
        let default = Self::default();
        if velocities != default.velocities {
            let _ = writeln!(text, "velocities = {velocities:?}");
        }
        if fade != default.fade {
            let _ = writeln!(text, "fade = {fade}");
        }
        if group != default.group {
            let _ = writeln!(text, "alternate = {group}");
        }
        if alternation != default.alternation {
            let _ = writeln!(text, "alternate_by = \"{}\"", Alternation::NAMES[alternation as usize]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(velocities: [u8; 2], fade: u8) -> ZoneLayer {
        ZoneLayer { velocities, fade, ..ZoneLayer::default() }
    }

    #[test]
    fn zones_that_overlap_by_their_fade_keep_the_power_at_every_velocity() {
        let (soft, hard) = (layer([1, 80], 20), layer([61, 127], 20));
        let mut velocities = 0;
        for velocity in 1..=127u8 {
            let power = |layer: ZoneLayer| layer.gain(f64::from(velocity) / 127.0).map_or(0.0, |gain| gain * gain);
            let sum = power(soft) + power(hard);
            assert!((sum - 1.0).abs() < 1e-12, "{velocity}: {sum}");
            velocities += usize::from(power(soft) > 0.0 && power(hard) > 0.0);
        }
        assert_eq!(velocities, 20);
        assert_eq!((soft.gain(1e-6), soft.gain(80.6 / 127.0), hard.gain(1.0)), (Some(1.0), None, Some(1.0)));
    }

    #[test]
    fn velocities_between_two_steps_belong_to_one_of_two_adjoining_zones() {
        let (soft, hard) = (layer([1, 63], 0), layer([64, 127], 0));
        for step in 0..1270 {
            let velocity = f64::from(step) / 1270.0;
            assert_ne!(soft.gain(velocity).is_some(), hard.gain(velocity).is_some(), "{velocity}");
        }
    }
}
