//! Thinning of dense bodies while all contacts and ringing bodies cost too much, before hammers are removed.

use crate::block::CONTROL_BLOCK;
use crate::context::RenderContext;
use crate::polyphony::voice_cost_budget::DENSE_COST;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::Voice;

/// Part of [`DENSE_COST`] that has to be free before thinning of a body ends.
const FREE_PART: f32 = 0.3;

/// Part of the cost of ringing in the last control block in its average.
const RINGING_STEP: f32 = 1.0 / 32.0;

impl VoiceManager {
    /// Begins a control block: counts the cost of the ringing of dense bodies in the last one, thins the bodies struck last as far as the cost of
    /// their modes is too high, or ends thinning of one.
    pub(super) fn balance_cost(&mut self, context: &RenderContext) {
        // without hammers and dense bodies nothing has a cost that counts
        if self.ringing_cost == 0.0
            && self.awake().all(|voice| voice.active_count() == 0 && !voice.is_dense() && !voice.has_hi_hat())
        {
            return;
        }
        let ringing: f32 = self.active_voices.iter().map(|&i| self.voices[i].take_ringing_cost()).sum();
        self.ringing_cost += RINGING_STEP * (ringing / CONTROL_BLOCK as f32 - self.ringing_cost);
        let touched: f32 = self.awake().map(Voice::planned_cost).sum();
        let budget = &mut self.render_state.budget;
        budget.begin(context.frame);
        budget.charge(ringing);
        let mut overload = budget.plan(self.ringing_cost + touched);
        while overload > 0.0 {
            let candidates = self.active_voices.iter().copied().filter(|&i| self.voices[i].can_be_thinned());
            let Some(i) = candidates.max_by_key(|&i| (self.voices[i].last_strike(), i)) else { break };
            let saving = self.voices[i].thinning_saving();
            self.voices[i].begin_thinning();
            self.render_state.budget.add_thinned();
            overload = self.render_state.budget.plan(-saving);
        }
        let touched_modes = self.active_voices.iter().map(|&i| self.voices[i].touched_dense_modes()).sum();
        self.render_state.budget.add_touched_modes(touched_modes);
        let thinned =
            self.active_voices.iter().copied().filter(|&i| self.voices[i].is_thinned() && !self.voices[i].rests_briefly());
        if let Some(i) = thinned.min_by_key(|&i| (self.voices[i].last_strike(), i)) {
            let needs = if self.voices[i].expects_steps() { self.voices[i].thinning_saving() } else { 0.0 };
            if overload + needs <= -FREE_PART * DENSE_COST && self.voices[i].end_thinning() {
                self.render_state.budget.plan(needs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{BodySpec, PreparedBody};
    use crate::context::ContextSetup;
    use crate::event::NoteId;
    use crate::modulation::SmoothedChanges;
    use crate::patch::built_in;

    /// A reset forgets what bodies have cost since it was last counted: otherwise the first notes after it had less to spend.
    #[test]
    fn a_reset_forgets_the_cost_of_ringing() {
        let crash = built_in().find(|patch| patch.name == "Crash Cymbal").expect("a preset");
        let setup = ContextSetup::new(crash.settings, 48e3);
        let body = PreparedBody::prepare(BodySpec::of(&setup.settings), &[], &[]);
        let mut manager = VoiceManager::new(setup.rate, 1, 4096, body);
        let strike = NoteId { voice: None, channel: 0, key: 45 };
        let play = |manager: &mut VoiceManager, blocks: usize| {
            manager.note_on(strike, 3.0, &setup.at(0));
            for block in 0..blocks {
                let context = setup.at((block * CONTROL_BLOCK) as u64);
                manager.begin_control_block(SmoothedChanges::default(), 1.0, &context);
                manager.render(0..CONTROL_BLOCK, &context, &mut [[0.0; CONTROL_BLOCK]; 2]);
            }
        };
        // some blocks render many frames ahead, others none
        for blocks in 400..432 {
            play(&mut manager, blocks);
            assert!(manager.ringing_cost > 0.0);
            manager.reset(&setup.settings);
            play(&mut manager, 1);
            assert_eq!(manager.ringing_cost, 0.0);
        }
    }
}
