//! Turns of the zones of a kit that alternate: at each strike one zone of a group plays.

use crate::midi::Rng;
use crate::patch::{Alternation, TURN_GROUPS, Zone};

/// The turns of all groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct ZoneTurns {
    /// The zone of each group that played last.
    last: [Option<usize>; TURN_GROUPS],
    rng: Rng,
}

/// A strike on a kit, and the zones whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KitStrike {
    /// Its key.
    pub key: u8,
    velocity: f64,
    /// The zone of each group that plays it; None: no zone of the group may.
    chosen: [Option<usize>; TURN_GROUPS],
}

impl KitStrike {
    /// Whether `zone`, which is zone number `index` of the kit, plays it.
    pub fn is_played_by(&self, zone: &Zone, index: usize) -> bool {
        let is_its_turn = zone.layer.group == 0 || self.chosen[usize::from(zone.layer.group) - 1] == Some(index);
        is_its_turn && zone.plays_strike(self.key, self.velocity)
    }
}

impl ZoneTurns {
    /// A strike of `key` with `velocity`, above 0 to 1, for which each group chooses one of its zones. `zones`: all of the kit.
    pub fn strike<'a>(&mut self, zones: impl Iterator<Item = &'a Zone> + Clone, key: u8, velocity: f64) -> KitStrike {
        let candidates = zones.enumerate().filter(|(_, zone)| zone.layer.group > 0 && zone.plays_strike(key, velocity));
        let mut strike = KitStrike { key, velocity, chosen: [None; TURN_GROUPS] };
        if candidates.clone().next().is_none() {
            return strike;
        }
        for group in 1..=TURN_GROUPS as u8 {
            let of_group = candidates.clone().filter(|(_, zone)| zone.layer.group == group);
            let Some((first, zone)) = of_group.clone().next() else { continue };
            let last = &mut self.last[usize::from(group) - 1];
            let next = match zone.layer.alternation {
                Alternation::Turn => of_group.map(|(i, _)| i).find(|&i| last.is_some_and(|last| i > last)),
                Alternation::Random => {
                    let others = of_group.map(|(i, _)| i).filter(|&i| Some(i) != *last);
                    let count = others.clone().count();
                    others.clone().nth((self.rng.uniform() * count as f64) as usize)
                }
            };
            *last = Some(next.unwrap_or(first));
            strike.chosen[usize::from(group) - 1] = *last;
        }
        strike
    }

    /// Begins again: the first strikes are the same as after the last reset.
    pub fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{Patch, ZoneLayer};

    fn zones(alternation: Alternation) -> Vec<Zone> {
        let zone = |key: u8| Zone {
            layer: ZoneLayer { group: 3, alternation, ..ZoneLayer::default() },
            ..Zone::new(&Patch::default(), (key, key))
        };
        vec![zone(36), zone(38), zone(38), zone(38)]
    }

    fn order(turns: &mut ZoneTurns, zones: &[Zone], count: usize) -> Vec<usize> {
        let strike = |turns: &mut ZoneTurns| {
            let strike = turns.strike(zones.iter(), 38, 0.5);
            let mut played = (0..zones.len()).filter(|&i| strike.is_played_by(&zones[i], i));
            let first = played.next().expect("three may");
            assert_eq!(played.next(), None, "only one");
            first
        };
        (0..count).map(|_| strike(turns)).collect()
    }

    #[test]
    fn zones_take_turns_in_their_order() {
        let (mut turns, zones) = (ZoneTurns::default(), zones(Alternation::Turn));
        assert_eq!(order(&mut turns, &zones, 5), [1, 2, 3, 1, 2]);
        assert_eq!(turns.strike(zones.iter(), 40, 0.5).chosen, [None; TURN_GROUPS], "none on this key");
    }

    #[test]
    fn random_zones_never_repeat_and_the_same_piece_sounds_the_same() {
        let (mut turns, zones) = (ZoneTurns::default(), zones(Alternation::Random));
        let drawn = order(&mut turns, &zones, 300);
        assert!(drawn.windows(2).all(|pair| pair[0] != pair[1]));
        for zone in 1..=3 {
            let count = drawn.iter().filter(|&&drawn| drawn == zone).count();
            assert!((80..120).contains(&count), "zone {zone} played {count} of 300 strikes");
        }
        turns.reset();
        assert_eq!(order(&mut turns, &zones, 300), drawn);
    }
}
