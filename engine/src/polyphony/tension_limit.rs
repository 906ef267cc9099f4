//! Limit of the work on tensions and potentials.
//!
//! While potentials cost too much together, fewer modes take part in those of the weakest voices: first in the weaker ones, and in all of them
//! before voices become linear. The modes come back one voice at a time once there has been room for a while.

use crate::block::CONTROL_BLOCK;
use crate::context::RenderContext;
use crate::polyphony::tension_load::max_stiffening;
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{StiffeningUse, Voice};

/// How much weaker a voice is whose potential loses modes a second time before a stronger one does once.
const WEAKER: f64 = 0.25;

/// Time [s] for which there has to be room before modes come back: longer than between the strokes of a roll.
const ROOM_TIME: f64 = 0.25;

impl VoiceManager {
    /// Begins a control block: where tensions and potentials would cost too much, fewer modes take part in potentials, then the weakest
    /// ringing voices become linear; or modes come back.
    pub(super) fn limit_tension(&mut self, context: &RenderContext) {
        for &i in &self.active_voices {
            if self.voices[i].stiffening_use().is_none() {
                self.voices[i].set_potential_level(0);
            }
        }
        for spent_on in [StiffeningUse::Ringing, StiffeningUse::Struck] {
            self.limit_stiffening(spent_on, context);
        }
        let reduced = self.awake().filter(|voice| voice.stiffening_use().is_some() && voice.collision().potential_level() > 0);
        let reduced = reduced.count() as u64;
        self.render_state.budget.add_reduced(reduced * CONTROL_BLOCK as u64);
    }

    /// What potentials of further voices may cost under hammers until the next control block.
    pub(super) fn struck_room(&self) -> f32 {
        max_stiffening(StiffeningUse::Struck) - self.stiffening_cost(StiffeningUse::Struck)
    }

    /// The voices of this use.
    fn stiffening(&self, spent_on: StiffeningUse) -> impl Iterator<Item = (usize, &Voice)> {
        let voices = self.active_voices.iter().map(|&i| (i, &self.voices[i]));
        voices.filter(move |(_, voice)| voice.stiffening_use() == Some(spent_on))
    }

    /// Cost of a frame of all voices of this use.
    pub(super) fn stiffening_cost(&self, spent_on: StiffeningUse) -> f32 {
        let cost = |voice: &Voice| voice.stiffening_cost(spent_on, voice.collision().potential_level());
        self.stiffening(spent_on).map(|(_, voice)| cost(voice)).sum()
    }

    fn limit_stiffening(&mut self, spent_on: StiffeningUse, context: &RenderContext) {
        let mut cost = self.stiffening_cost(spent_on);
        if cost == 0.0 {
            return;
        }
        let granted = self.render_state.budget.reserve_stiffening(spent_on, context.frame, cost);
        if cost <= granted {
            return self.restore_modes(spent_on, context);
        }
        self.render_state.reduced_at = context.frame;
        while cost > granted
            && let Some(saved) = self.reduce_modes(spent_on)
        {
            cost -= saved;
        }
        while spent_on == StiffeningUse::Ringing && cost > granted {
            let strength = |voice: &Voice| voice.collision().stiffening_strength();
            let weakest = self.stiffening(spent_on).min_by(|(_, a), (_, b)| strength(a).total_cmp(&strength(b)));
            let Some((i, voice)) = weakest else { return };
            cost -= voice.stiffening_cost(spent_on, voice.collision().potential_level());
            let had_potential = voice.collision().has_potential();
            self.voices[i].rest_tension();
            self.render_state.budget.add_reduced(if had_potential { CONTROL_BLOCK as u64 } else { 0 });
        }
    }

    /// Lets fewer modes take part in the potential of a weak voice. What that saves; None if no potential can have fewer.
    fn reduce_modes(&mut self, spent_on: StiffeningUse) -> Option<f32> {
        let reducible = self.stiffening(spent_on).filter(|(_, voice)| {
            let collision = voice.collision();
            collision.has_potential() && collision.potential_level() + 1 < collision.potential_levels()
        });
        let (i, voice) = reducible.min_by(|(_, a), (_, b)| worth_of_modes(a, 0).total_cmp(&worth_of_modes(b, 0)))?;
        let level = voice.collision().potential_level();
        let saved = voice.stiffening_cost(spent_on, level) - voice.stiffening_cost(spent_on, level + 1);
        self.voices[i].set_potential_level(level + 1);
        Some(saved)
    }

    /// Lets more modes take part again in the potential of the strongest voice for which there is room.
    fn restore_modes(&mut self, spent_on: StiffeningUse, context: &RenderContext) {
        let waits = (ROOM_TIME * context.rate) as u64;
        if context.frame.saturating_sub(self.render_state.reduced_at) < waits {
            return;
        }
        let room = self.render_state.budget.stiffening_room(spent_on, context.frame);
        let more = |voice: &Voice| {
            let level = voice.collision().potential_level();
            voice.stiffening_cost(spent_on, level.saturating_sub(1)) - voice.stiffening_cost(spent_on, level)
        };
        let reduced = self.stiffening(spent_on).filter(|(_, voice)| voice.collision().potential_level() > 0);
        let fitting = reduced.filter(|(_, voice)| more(voice) <= room);
        let Some((i, voice)) = fitting.max_by(|(_, a), (_, b)| worth_of_modes(a, 1).total_cmp(&worth_of_modes(b, 1))) else {
            return;
        };
        let (level, cost) = (voice.collision().potential_level() - 1, more(voice));
        self.render_state.budget.reserve_stiffening(spent_on, context.frame, cost);
        self.voices[i].set_potential_level(level);
    }
}

/// What the modes are worth that only potential number `finer` below the present one has.
fn worth_of_modes(voice: &Voice, finer: usize) -> f64 {
    let level = voice.collision().potential_level().saturating_sub(finer);
    voice.collision().stiffening_strength() * WEAKER.recip().powi(level as i32)
}

#[cfg(test)]
mod tests {
    use crate::block::CONTROL_BLOCK;
    use crate::body::{BodySpec, PreparedBody};
    use crate::context::ContextSetup;
    use crate::event::NoteId;
    use crate::modulation::SmoothedChanges;
    use crate::params::{BodyKind, ParamId, ParamValues};
    use crate::polyphony::tension_load::max_stiffening;
    use crate::polyphony::voice_manager::VoiceManager;
    use crate::voice::StiffeningUse;

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
                most = most.max(ringing().map(|voice| voice.stiffening_cost(StiffeningUse::Ringing, 0)).sum());
            }
            rang = rang.max(ringing().count());
        }
        let left = manager.awake().filter(|voice| voice.rings_with_tension()).count();
        assert!(most <= 48.0 * 64.0 && rang > 5, "{most} of {}, {rang} bodies", 48.0 * 64.0);
        assert!(left < rang, "{left} of {rang} still ring under their tension after a decay of 90 dB");
    }

    /// Eight plates are struck hard at once: fewer modes take part in their potentials, which never cost more than the limits allow and act in
    /// all of them as long as they are loud. All modes are back once most plates have faded.
    #[test]
    fn fewer_modes_take_part_while_potentials_cost_too_much() {
        let mut settings = ParamValues::default();
        let kind = BodyKind::SupportedPlate as usize as f64;
        let params = [
            (ParamId::Body, kind),
            (ParamId::BodyMass, 0.5),
            (ParamId::Modes, 96.0),
            (ParamId::Nonlinearity, 2.0),
            (ParamId::Tune, -36.0),
            (ParamId::Decay, 0.4),
        ];
        params.iter().for_each(|&(param, value)| settings.set(param, value));
        let setup = ContextSetup::new(settings, RATE);
        let mut manager = VoiceManager::new(RATE, 8, 96, PreparedBody::prepare(BodySpec::of(&setup.settings), &[], &[]));
        let mut out = [[0.0; CONTROL_BLOCK]; 2];
        let (mut most, mut coarsest, mut back) = ([0.0_f32; 2], 0, false);
        for block in 0..3_000 {
            let context = setup.at((block * CONTROL_BLOCK) as u64);
            manager.begin_control_block(SmoothedChanges::default(), 1.0, &context);
            if block == 0 {
                let mut strike = |key: u8| manager.note_on(NoteId { voice: None, channel: 0, key }, 2.0, &context);
                (48..56).for_each(&mut strike);
            }
            manager.render(0..CONTROL_BLOCK, &context, &mut out);
            for (most, spent_on) in most.iter_mut().zip([StiffeningUse::Ringing, StiffeningUse::Struck]) {
                // a body whose hammer is removed within the block is limited in the next one
                let cost = if block > 200 || spent_on == StiffeningUse::Struck { manager.stiffening_cost(spent_on) } else { 0.0 };
                *most = most.max(cost / max_stiffening(spent_on));
            }
            let acting = || manager.awake().filter(|voice| voice.collision().has_potential());
            if block < 600 {
                assert_eq!(acting().count(), 8, "no potential is left out in block {block}");
                coarsest = acting().map(|voice| voice.collision().potential_level()).fold(coarsest, usize::max);
            } else {
                back |= acting().count() > 0 && acting().all(|voice| voice.collision().potential_level() == 0);
            }
        }
        println!("{most:?} of the limits, level {coarsest}, {} frames", manager.cost_totals().reduced);
        assert!(most.iter().all(|most| *most <= 1.0) && most[1] > 0.5, "{most:?}");
        assert!(coarsest == 2 && back && manager.cost_totals().reduced > 0);
    }
}
