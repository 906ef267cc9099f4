//! Which keys of a kit choke each other, and how keys answer to their release.

use std::collections::BTreeSet;

use urto_engine::params::ParamId;
use urto_engine::patch::{Patch, Zone};

/// Number of keys.
const KEYS: u8 = 128;

/// The choke group of `key`, from 1; `None` without one.
pub fn group(patch: &Patch, key: u8) -> Option<u8> {
    if patch.zones.is_empty() {
        let groups = patch.choke_groups.groups();
        return groups.iter().position(|keys| keys.contains(&key)).map(|place| place as u8 + 1);
    }
    zones(patch, key).map(|zone| zone.choke).find(|&group| group > 0)
}

/// The keys whose strikes choke the sound of `key`, in ascending order.
pub fn choking_keys(patch: &Patch, key: u8) -> Vec<u8> {
    if patch.zones.is_empty() {
        return (0..KEYS).filter(|&other| patch.choke_groups.chokes(other, key)).collect();
    }
    let of_zone = |zone: &Zone| -> Vec<u8> {
        let group = zone.choke;
        let chokes = |other: &u8| !zone.holds(*other) && zones(patch, *other).any(|there| there.choke == group);
        if group == 0 { Vec::new() } else { (0..KEYS).filter(chokes).collect() }
    };
    zones(patch, key).flat_map(of_zone).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Time in which the release of `key` damps its sound by 60 dB [s]; `None` if the sound rings on.
pub fn release_time(patch: &Patch, key: u8) -> Option<f64> {
    let of = |settings: &urto_engine::params::ParamValues| {
        (settings.get(ParamId::Release) > 0.0).then(|| settings.get(ParamId::ReleaseTime))
    };
    if patch.zones.is_empty() {
        return of(&patch.settings);
    }
    let times: Option<Vec<f64>> = zones(patch, key).map(|zone| of(&zone.with_offsets(&patch.settings))).collect();
    times.and_then(|times| times.into_iter().reduce(f64::max))
}

/// The zones that `key` plays.
pub fn zones(patch: &Patch, key: u8) -> impl Iterator<Item = &Zone> {
    patch.zones.iter().filter(move |zone| zone.played_key(key).is_some())
}
