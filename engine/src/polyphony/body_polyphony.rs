//! Polyphony of bodies that are costly for as long as they ring: the quietest fade while too many sound.
//!
//! ```text
//! dense bodies     their ringing alone could take all of the budget
//! networks         at most 64 ports play at once, those of four hi-hats: each is stepped frame by frame
//! ```
//!
//! Hammers can be removed when too much has been spent, and bodies under them thinned. Ringing has to go on, and how much it costs depends on what moves:
//! control block by control block it is several times as much as in long renderings. So the limits hold for the highest cost, before that is spent.

use crate::polyphony::voice_cost_budget::SUSTAINED_COST;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{MOVING_BLOCK_COST, RemovalRank, Voice, first_removed};

/// A limit over all bodies of one kind.
struct Limit {
    /// Size of a body; 0: it does not count.
    size: fn(&Voice) -> usize,
    /// Sum of the sizes of the bodies that may sound, without those that fade.
    most: usize,
    /// The same with those that fade: beyond it, they are cut off.
    most_fading: usize,
}

/// Modes of dense bodies: 13 of 2,816 modes, or 22 crash cymbals.
const DENSE_BODIES: Limit = {
    let most = (SUSTAINED_COST / MOVING_BLOCK_COST) as usize;
    let size = |voice: &Voice| if voice.is_dense() { voice.collision().modes().len() } else { 0 };
    Limit { size, most, most_fading: most + most / 4 }
};

/// Ports of networks.
const NETWORKS: Limit = {
    let most = 64;
    let size = |voice: &Voice| voice.hi_hat().map_or(0, |hi_hat| hi_hat.network().ports());
    Limit { size, most, most_fading: most + most / 4 }
};

/// Bodies that are counted.
#[derive(Clone, Copy, PartialEq)]
enum Counted {
    /// Those that do not fade.
    Lasting,
    /// Those that fade after they were stolen.
    Fading,
}

impl VoiceManager {
    /// Bodies that sound and count for `limit`.
    fn counted_bodies(&self, limit: &Limit, counted: Counted) -> impl Iterator<Item = (usize, &Voice)> {
        let (is_fading, size) = (counted == Counted::Fading, limit.size);
        self.numbered_awake().filter(move |(_, voice)| size(voice) > 0 && voice.is_stolen() == is_fading)
    }

    /// The body without hammers that moves least; energies of dense bodies are of as long ago as their last rendering began.
    fn weakest_body(&self, limit: &Limit, counted: Counted) -> Option<(RemovalRank, usize)> {
        let free = self.counted_bodies(limit, counted).filter(|(_, voice)| !voice.is_struck());
        first_removed(free.map(|(i, voice)| (RemovalRank::of_energy(voice.energy_of_motion()), i)))
    }

    /// Counts `bodies` that have begun to fade because all together could cost too much.
    pub fn add_faded(&mut self, bodies: u64) {
        self.render_state.budget.add_faded(bodies);
    }
}

/// Sum of the sizes of the bodies of all `managers`, with modes that can no longer be heard: the next touch moves them again.
fn total_size<S: AsRef<VoiceManager>>(managers: &[S], limit: &Limit, counted: Counted) -> usize {
    let bodies = managers.iter().flat_map(|manager| manager.as_ref().counted_bodies(limit, counted));
    bodies.map(|(_, voice)| (limit.size)(voice)).sum()
}

/// At the beginning of a control block: as long as too many costly bodies sound, the one that moves least fades; as long as too many fade as well,
/// they are cut off. Bodies under hammers stay. Returns how many have begun to fade.
pub fn limit_costly_bodies<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(managers: &mut [S]) -> u64 {
    let mut faded = 0;
    for limit in [&DENSE_BODIES, &NETWORKS] {
        faded += remove_beyond(managers, limit, (Counted::Lasting, limit.most), VoiceManager::steal);
        let lasting = total_size(managers, limit, Counted::Lasting);
        let most_fading = limit.most_fading.saturating_sub(lasting);
        remove_beyond(managers, limit, (Counted::Fading, most_fading), |manager, i| manager.cut_off(i, 0));
    }
    faded
}

/// Removes bodies until no more than `most` are left of those that count. Returns how many.
fn remove_beyond<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(
    managers: &mut [S],
    limit: &Limit,
    (counted, most): (Counted, usize),
    remove: fn(&mut VoiceManager, usize),
) -> u64 {
    let mut removed = 0;
    while total_size(managers, limit, counted) > most {
        let weakest = |(n, manager): (usize, &S)| {
            let (rank, i) = manager.as_ref().weakest_body(limit, counted)?;
            Some((rank, (n, i)))
        };
        let Some((_, (n, i))) = first_removed(managers.iter().enumerate().filter_map(weakest)) else { break };
        remove(managers[n].as_mut(), i);
        removed += 1;
    }
    removed
}
