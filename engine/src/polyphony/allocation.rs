//! Allocation of voices and hammers: the voice of a key, voice stealing; reserving, launching and removing hammers on all voices.

use crate::block::CONTROL_BLOCK;
use crate::context::{RenderContext, decay_rate};
use crate::modulation::NoteParams;
use crate::params::ParamId;
use crate::polyphony::voice_manager::{MAX_OBSTACLES, VoiceManager};
use crate::voice::{KeyPitch, MAX_HAMMERS, NoteHammer, RemovalRank, first_removed};

/// Decay time T60 [s] of a stolen voice.
const STEAL_FADE_TIME: f64 = 0.02;

/// A hammer that may be removed; one that is pressed against its body is protected.
#[derive(Clone, Copy, Debug)]
pub struct HammerCandidate {
    /// Number of the voice.
    voice: usize,
    /// Number of the hammer on it.
    hammer: usize,
}

impl VoiceManager {
    /// Assigns voice `i` a spare hammer for a hammer or an obstacle, unless it has one or has reached its maximum.
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

    /// Launches a hammer at voice `i`; where there is no room for one more, the hammer with the least energy is removed. None on a hi-hat, which
    /// has sticks of its own.
    pub(super) fn add_hammer(
        &mut self,
        i: usize,
        hammer: &NoteHammer,
        params: &NoteParams,
        context: &RenderContext,
    ) -> Option<usize> {
        if self.voices[i].has_hi_hat() {
            let body = self.bodies.body(self.voices[i].body_slot()?)?;
            self.voices[i].strike_hi_hat(body, hammer, params, context, &mut self.scratch);
            return None;
        }
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

impl VoiceManager {
    /// The voice that sounds with the body of `key`, or another that is activated for it; None for a key without a frequency.
    pub(super) fn voice_for_key(&mut self, key: u8, context: &RenderContext) -> Option<usize> {
        let (slot, pitch) = (self.bodies.current(), KeyPitch { key, hertz: context.tuning.hertz(key)? });
        if let Some(i) = self.voices.iter().position(|voice| voice.matches(pitch, slot)) {
            return Some(i);
        }
        if let Some(i) = self.hi_hat_voice() {
            self.voices[i].glide_to(pitch, 1.0);
            return Some(i);
        }
        let i = self.allocate_voice(context)?;
        let body = self.bodies.body(slot)?;
        self.voices[i].activate(pitch, slot, body, context, &mut self.scratch);
        self.voices[i].pitch_mut().set_retuned_at(self.retune_count);
        self.register_active(i);
        self.bodies.retain(slot);
        self.lend_potential(i, slot, context);
        self.lend_hi_hat(i, slot, context);
        Some(i)
    }

    /// The voice that plays the hi-hat of the current body.
    fn hi_hat_voice(&self) -> Option<usize> {
        let current = Some(self.bodies.current());
        self.voices.iter().position(|voice| voice.has_hi_hat() && voice.body_slot() == current && !voice.is_stolen())
    }

    /// Lends voice `i`, just activated as the body in `slot`, the hi-hat that it is.
    fn lend_hi_hat(&mut self, i: usize, slot: usize, context: &RenderContext) {
        if let Some(hi_hat) = self.bodies.lend_hi_hat(slot)
            && let Some(body) = self.bodies.body(slot)
        {
            self.voices[i].take_hi_hat(hi_hat, self.pedal, body, context, &mut self.scratch);
        }
    }

    /// The pedal of the hi-hat has moved: wakes the hi-hat, which may sound without a strike.
    pub fn move_pedal(&mut self, context: &RenderContext) {
        let setting = context.pedal();
        if setting != self.pedal && self.bodies.plays_hi_hat() && self.hi_hat_voice().is_none() {
            self.voice_for_key(context.settings.body_key(0), context);
        }
        self.pedal = setting;
    }

    /// Takes the present place of the pedal, in silence.
    pub fn place_pedal(&mut self, context: &RenderContext) {
        self.pedal = context.pedal();
    }

    /// Lends voice `i`, just activated as the body in `slot`, a copy of its potential, unless it is to be linear.
    fn lend_potential(&mut self, i: usize, slot: usize, context: &RenderContext) {
        if context.nonlinearity() > 0.0
            && let Some(potential) = self.bodies.lend_potential(slot)
            && let Some(body) = self.bodies.body(slot)
        {
            let room = self.struck_room();
            self.voices[i].take_potential(potential, body, context);
            let level = self.voices[i].affordable_level(room);
            self.voices[i].set_potential_level(level);
        }
    }

    /// A voice that sleeps. At the maximum number of voices, not counting the driven one, the voice with the least energy is
    /// stolen and fades. When no spare voice is left to fade, the weakest stolen voice is cut off and its last sample ramps out.
    fn allocate_voice(&mut self, context: &RenderContext) -> Option<usize> {
        let most = (context.settings.get(ParamId::Voices) as usize).min(self.limits.voices);
        let counts = |manager: &Self, i: usize| {
            let voice = &manager.voices[i];
            voice.is_awake() && !voice.is_stolen() && !manager.drive.hammers().is_on(i)
        };
        while (0..self.voices.len()).filter(|&i| counts(self, i)).count() >= most {
            let weakest = self.lowest_energy_voice(counts)?;
            self.steal(weakest);
        }
        if let Some(i) = self.voices.iter().position(|voice| !voice.is_awake()) {
            return Some(i);
        }
        let i = self.lowest_energy_voice(|manager, i| manager.voices[i].is_stolen())?;
        let offset = (context.frame % CONTROL_BLOCK as u64) as usize;
        self.voices[i].ring_to(offset, context.mallet_noise_gain(), &mut self.render_state.step_scratch);
        self.cut_off(i, offset);
        Some(i)
    }

    /// Voice `i` ends at frame `offset` of the control block, up to which it is rendered; its last sample ramps out.
    pub(super) fn cut_off(&mut self, i: usize, offset: usize) {
        self.render_state.tail.start_ramp(offset, self.voices[i].output());
        self.sleep(i);
    }

    /// Voice `i` fades fast, without its hammers; its notes have ended.
    pub(super) fn steal(&mut self, i: usize) {
        for hammer in 0..MAX_HAMMERS {
            self.remove_hammer(i, hammer);
        }
        if self.drive.hammers().is_on(i) {
            self.drive.hammers_mut().forget();
        }
        self.voices[i].steal(decay_rate(STEAL_FADE_TIME), self.limits.rate);
        self.end_notes(i);
    }

    /// Steals all voices with the oldest body, so that its slot becomes free.
    pub fn release_oldest_body(&mut self) {
        let oldest = self.bodies.oldest();
        for i in 0..self.voices.len() {
            let voice = &self.voices[i];
            if voice.is_awake() && !voice.is_stolen() && voice.body_slot() == oldest {
                self.steal(i);
            }
        }
    }
}
