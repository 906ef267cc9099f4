//! Supply of hammers: reserving, launching and removing them on all voices.

use crate::context::RenderContext;
use crate::modulation::NoteParams;
use crate::polyphony::voice_manager::{MAX_OBSTACLES, VoiceManager};
use crate::voice::{NoteHammer, RemovalRank, first_removed};

/// A hammer that may be removed; one that is pressed against its body is protected.
#[derive(Clone, Copy, Debug)]
pub struct HammerCandidate {
    /// Number of the voice.
    voice: usize,
    /// Number of the hammer on it.
    hammer: usize,
}

impl VoiceManager {
    /// Gives voice `i` a spare hammer for a hammer or an obstacle, unless it has one or has reached its maximum.
    pub(super) fn reserve_hammer(&mut self, i: usize) {
        if self.voices[i].collision().has_spare_hammer() {
            return;
        }
        if self.pool.is_empty() {
            self.voices.iter_mut().for_each(|voice| self.pool.collect(voice.collision_mut()));
        }
        self.pool.lend(self.voices[i].collision_mut());
    }

    /// Whether one more obstacle may be used.
    pub(super) fn may_add_obstacle(&self) -> bool {
        self.voices.iter().map(|voice| voice.obstacles().count()).sum::<usize>() < MAX_OBSTACLES
    }

    /// Makes room for one more hammer on voice `i`: at the limit an unpressed hammer of another voice is removed.
    fn enforce_hammer_limit(&mut self, i: usize) {
        if self.voices.iter().map(|voice| voice.hammer_count()).sum::<usize>() >= self.pool.max_hammers()
            && let Some((rank, hammer)) = self.first_hammer_except(Some(i))
            && !rank.protected
        {
            self.remove_candidate(&hammer);
        }
    }

    /// The hammer to remove first, with its rank; neither the drive's nor obstacles.
    pub(super) fn first_hammer(&self) -> Option<(RemovalRank, HammerCandidate)> {
        self.first_hammer_except(None)
    }

    /// The same without the hammers on voice `except`.
    fn first_hammer_except(&self, except: Option<usize>) -> Option<(RemovalRank, HammerCandidate)> {
        let others = self.active_voices.iter().copied().filter(|&i| Some(i) != except);
        first_removed(others.flat_map(|i| {
            let voice = &self.voices[i];
            voice.note_hammers().map(move |hammer| {
                let rank = RemovalRank { protected: voice.is_pressed(hammer), energy: voice.hammer_energy(hammer) };
                (rank, HammerCandidate { voice: i, hammer })
            })
        }))
    }

    /// Removes a hammer and returns it to the pool.
    pub(super) fn remove_candidate(&mut self, &HammerCandidate { voice, hammer }: &HammerCandidate) {
        self.remove_hammer(voice, hammer);
        self.pool.collect(self.voices[voice].collision_mut());
    }

    /// Launches a hammer at voice `i`; where there is no room for one more, the hammer with the least energy is removed.
    pub(super) fn add_hammer(
        &mut self,
        i: usize,
        hammer: &NoteHammer,
        params: &NoteParams,
        context: &RenderContext,
    ) -> Option<usize> {
        self.render_state.order.clear();
        self.reserve_hammer(i);
        self.enforce_hammer_limit(i);
        let voice = &mut self.voices[i];
        let body = self.bodies.body(voice.body_slot()?)?;
        if let Some(added) = voice.launch_hammer(body, hammer, params, context, &mut self.scratch) {
            return Some(added);
        }
        let weakest = voice.lowest_energy_hammer()?;
        voice.remove_hammer(weakest);
        self.recorder.forget(i, weakest);
        voice.launch_hammer(body, hammer, params, context, &mut self.scratch)
    }
}
