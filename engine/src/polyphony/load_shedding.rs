//! Load shedding: removes obstacles and hammers when even their least cost is too much, in one part or in all zones of a kit.

use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{Voice, first_removed};

/// Maximum number of removals at once: each searches all hammers.
const MAX_REMOVALS: usize = 64;

/// Removes the part `part`, 0 to 1, of the hammers of `managers`. First the voices with obstacles lose them until they are struck again,
/// the voice with the least energy first and a driven one last, but not the last of these voices; then hammers are removed, the weakest
/// first, but not those of the drive. Returns the number removed.
#[cold]
pub fn shed_load<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(managers: &mut [S], part: f32) -> u64 {
    let hammers: usize = managers.iter().flat_map(|manager| manager.as_ref().awake()).map(Voice::active_count).sum();
    // the conversion saturates
    let excess = (hammers as f32 * part).ceil() as usize;
    let mut removed = 0;
    for _ in 0..MAX_REMOVALS {
        if removed >= excess {
            break;
        }
        match drop_quietest_obstacles(managers) {
            0 if drop_weakest_hammer(managers) => removed += 1,
            0 => break,
            obstacles => removed += obstacles,
        }
    }
    removed as u64
}

/// The voice with the least energy loses its obstacles, unless it is the last with any. Returns their number.
fn drop_quietest_obstacles<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(managers: &mut [S]) -> usize {
    let mut owners: usize = 0;
    let voices = managers
        .iter()
        .enumerate()
        .flat_map(|(n, manager)| manager.as_ref().obstacle_owners().map(move |(rank, owner)| (rank, (n, owner))));
    let first = first_removed(voices.inspect(|_| owners += 1));
    match first.filter(|_| owners > 1) {
        Some((_, (n, owner))) => managers[n].as_mut().remove_obstacles(&owner),
        None => 0,
    }
}

/// Removes the weakest hammer. Returns whether there was one.
fn drop_weakest_hammer<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(managers: &mut [S]) -> bool {
    let hammers = managers.iter().enumerate().filter_map(|(n, manager)| {
        let (rank, hammer) = manager.as_ref().first_hammer()?;
        Some((rank, (n, hammer)))
    });
    let Some((_, (n, hammer))) = first_removed(hammers) else { return false };
    managers[n].as_mut().remove_candidate(&hammer);
    true
}
