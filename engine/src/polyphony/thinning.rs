//! Thinning of dense bodies while all contacts and ringing bodies cost too much, before hammers are removed.

use crate::block::CONTROL_BLOCK;
use crate::context::RenderContext;
use crate::polyphony::voice_cost_budget::SUSTAINED_COST;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::Voice;

/// Part of the sustained cost that has to be free before thinning of a body ends.
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
            let needs = if self.voices[i].active_count() > 0 { self.voices[i].thinning_saving() } else { 0.0 };
            if overload + needs <= -FREE_PART * SUSTAINED_COST && self.voices[i].end_thinning() {
                self.render_state.budget.plan(needs);
            }
        }
    }
}
