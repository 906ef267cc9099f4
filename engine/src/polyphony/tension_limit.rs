//! Limit of the voices that ring under their tension.

use crate::context::RenderContext;
use crate::polyphony::voice_manager::VoiceManager;

impl VoiceManager {
    /// Begins a control block of the voices that ring under their tension: the weakest become linear where all would cost too much.
    pub(super) fn limit_tension(&mut self, context: &RenderContext) {
        let mut cost: f32 = self.awake().filter(|voice| voice.rings_with_tension()).map(|voice| voice.tension_cost()).sum();
        if cost == 0.0 {
            return;
        }
        let granted = self.render_state.budget.reserve_tension(context.frame, cost);
        while cost > granted {
            let ringing = self.active_voices.iter().copied().filter(|&i| self.voices[i].rings_with_tension());
            let strength = |i: usize| self.voices[i].collision().stiffening_strength();
            let Some(weakest) = ringing.min_by(|&a, &b| strength(a).total_cmp(&strength(b))) else { return };
            cost -= self.voices[weakest].tension_cost();
            self.voices[weakest].rest_tension();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::block::CONTROL_BLOCK;
    use crate::body::{BodySpec, PreparedBody};
    use crate::context::ContextSetup;
    use crate::event::NoteId;
    use crate::modulation::SmoothedChanges;
    use crate::params::{BodyKind, ParamId, ParamValues};
    use crate::polyphony::voice_manager::VoiceManager;

    const RATE: f64 = 48e3;
    /// More than the limit allows: about 19 heads of 64 modes.
    const HEADS: usize = 40;

    /// Many heads are struck hard: some ring under their tension, never more than the limit allows, and all of them are linear in the end.
    #[test]
    fn no_more_bodies_ring_under_their_tension_than_the_limit_allows() {
        let mut settings = ParamValues::default();
        let kind = BodyKind::Head as usize as f64;
        let params = [
            (ParamId::Body, kind),
            (ParamId::BodyMass, 0.03),
            (ParamId::Modes, 64.0),
            (ParamId::Nonlinearity, 2.0),
            (ParamId::Decay, 1.0),
        ];
        params.iter().for_each(|&(param, value)| settings.set(param, value));
        let setup = ContextSetup::new(settings, RATE);
        let mut manager = VoiceManager::new(RATE, HEADS, 64, PreparedBody::prepare(BodySpec::of(&setup.settings), &[], &[]));
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        let (mut most, mut rang) = (0.0_f32, 0);
        for block in 0..4_500 {
            let context = setup.at((block * CONTROL_BLOCK) as u64);
            manager.begin_control_block(SmoothedChanges::default(), 1.0, &context);
            if block < HEADS {
                manager.note_on(NoteId { voice: None, channel: 0, key: 36 + block as u8 }, 1.0, &context);
            }
            manager.render(0..CONTROL_BLOCK, &context, &mut out);
            let ringing = || manager.awake().filter(|voice| voice.rings_with_tension());
            // a body whose hammer is removed within the block is limited in the next one
            if block > 400 {
                most = most.max(ringing().map(|voice| voice.tension_cost()).sum());
            }
            rang = rang.max(ringing().count());
        }
        let left = manager.awake().filter(|voice| voice.rings_with_tension()).count();
        assert!(most <= 48.0 * 64.0 && rang > 5, "{most} of {}, {rang} bodies", 48.0 * 64.0);
        assert!(left < rang, "{left} of {rang} still ring under their tension after a decay of 90 dB");
    }
}
