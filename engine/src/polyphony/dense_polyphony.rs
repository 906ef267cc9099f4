//! Polyphony of dense bodies: the quietest fade while so many sound that their ringing alone could take all of the budget.
//!
//! Hammers can be removed when too much has been spent, and bodies under them thinned. Ringing has to go on, and how much it costs depends on what moves:
//! control block by control block it is several times as much as in long renderings. So the limit holds for the highest cost, before that is spent.

use crate::polyphony::voice_cost_budget::SUSTAINED_COST;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{MOVING_BLOCK_COST, RemovalRank, Voice, first_removed};

/// Modes of all dense bodies that may sound, not counting bodies that fade: 13 of 2,816 modes, or 22 crash cymbals.
const MOST_MODES: usize = (SUSTAINED_COST / MOVING_BLOCK_COST) as usize;

/// The same with those that fade: beyond it, they are cut off.
const MOST_FADING_MODES: usize = MOST_MODES + MOST_MODES / 4;

/// Bodies that are counted.
#[derive(Clone, Copy, PartialEq)]
enum Counted {
    /// Those that do not fade.
    Lasting,
    /// Those that fade after they were stolen.
    Fading,
}

impl VoiceManager {
    /// Dense bodies that sound.
    fn dense_bodies(&self, counted: Counted) -> impl Iterator<Item = (usize, &Voice)> {
        let is_fading = counted == Counted::Fading;
        self.numbered_awake().filter(move |(_, voice)| voice.is_dense() && voice.is_stolen() == is_fading)
    }

    /// The dense body without hammers that has the least energy, of as long ago as its last rendering began.
    fn weakest_dense_body(&self, counted: Counted) -> Option<(RemovalRank, usize)> {
        let free = self.dense_bodies(counted).filter(|(_, voice)| voice.active_count() == 0);
        first_removed(free.map(|(i, voice)| (RemovalRank::of_energy(voice.energy()), i)))
    }

    /// Voice `i` fades; its notes have ended.
    fn fade(&mut self, i: usize) {
        self.steal(i);
        self.render_state.budget.add_faded();
    }
}

/// Modes of the dense bodies of all `managers`, also those that can no longer be heard, which the next touch moves again.
fn dense_modes<S: AsRef<VoiceManager>>(managers: &[S], counted: Counted) -> usize {
    let bodies = managers.iter().flat_map(|manager| manager.as_ref().dense_bodies(counted));
    bodies.map(|(_, voice)| voice.collision().modes().len()).sum()
}

/// At the beginning of a control block: as long as too many dense bodies sound, the one with the least energy fades; as long as too many fade as well,
/// they are cut off. Bodies under hammers stay.
pub fn limit_dense_bodies<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(managers: &mut [S]) {
    remove_beyond(managers, Counted::Lasting, MOST_MODES, VoiceManager::fade);
    let lasting = dense_modes(managers, Counted::Lasting);
    remove_beyond(managers, Counted::Fading, MOST_FADING_MODES.saturating_sub(lasting), |manager, i| manager.cut_off(i, 0));
}

fn remove_beyond<S: AsRef<VoiceManager> + AsMut<VoiceManager>>(
    managers: &mut [S],
    counted: Counted,
    most: usize,
    remove: fn(&mut VoiceManager, usize),
) {
    while dense_modes(managers, counted) > most {
        let weakest = |(n, manager): (usize, &S)| {
            let (rank, i) = manager.as_ref().weakest_dense_body(counted)?;
            Some((rank, (n, i)))
        };
        let Some((_, (n, i))) = first_removed(managers.iter().enumerate().filter_map(weakest)) else { return };
        remove(managers[n].as_mut(), i);
    }
}
