//! Strands on a voice: how the parameters hold them, and where they lie.

use std::f64::consts::TAU;

use crate::block::band_limit;
use crate::body::{BodyScratch, PreparedBody};
use crate::context::RenderContext;
use crate::midi::Note;
use crate::params::{ModTarget, ParamId};
use crate::voice::motion_drive::FOLLOWED;
use crate::voice::voice::Voice;
use urto_physics::bodies::BodyPosition;
use urto_physics::modal::Mode;
use urto_physics::solver::StrandSupport;

impl Voice {
    /// Puts strands on its body, which is at rest, if the body has modes that they drive.
    pub(super) fn start_motion_drive(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        if body.driven().is_empty() {
            return self.motion.turn_off();
        }
        let support = self.strand_support(context);
        self.motion.turn_on(body, band_limit(context.rate), support, 1.0 / context.rate);
        self.place_strands(body, context, scratch);
    }

    /// Takes the parameters of the strands at the beginning of a control block.
    #[inline]
    pub fn update_motion_drive(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        if self.motion.is_on() {
            self.update_strands(body, context, scratch);
        }
    }

    #[inline(never)]
    fn update_strands(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        let support = self.strand_support(context);
        self.motion.set_support(support, 1.0 / context.rate);
        if self.strands_at != strand_place(body, context) {
            self.place_strands(body, context, scratch);
        }
    }

    /// Updates the weights of the body's modes under the strands.
    pub(super) fn place_strands(&mut self, body: &PreparedBody, context: &RenderContext, scratch: &mut BodyScratch) {
        if self.motion.is_on() {
            self.strands_at = strand_place(body, context);
            let count = self.modes_without_heavy(body).min(FOLLOWED);
            let size = context.body_size(self.key_scaling);
            let weights = body.pickup_weights(self.strands_at, size, count, scratch);
            self.motion.set_weights(weights);
        }
    }

    /// How the parameters, modulated by the last note, hold the strands.
    fn strand_support(&self, context: &RenderContext) -> StrandSupport {
        self.notes.iter().last().map_or_else(|| unmodulated_strand_support(context), |note| strand_support(note, context))
    }
}

/// How the parameters hold the strands without a note.
pub fn unmodulated_strand_support(context: &RenderContext) -> StrandSupport {
    strand_support(&Note::of(Default::default()), context)
}

/// How the parameters, modulated by `note`, hold the strands.
fn strand_support(note: &Note, context: &RenderContext) -> StrandSupport {
    let get = |param| context.settings.get(param);
    let offsets = context.note_param_context().offsets(note);
    let omega = TAU * get(ParamId::RattleFrequency);
    StrandSupport {
        preload: get(ParamId::RattlePress) / get(ParamId::RattleMass),
        spring: Mode { omega, sigma: omega * get(ParamId::RattleDamping) },
        gap: offsets.modulated_value(ParamId::RattleGap, ModTarget::RattleGap, context.settings),
    }
}

/// The place of the strands: that of the rattle object.
pub fn strand_place(body: &PreparedBody, context: &RenderContext) -> BodyPosition {
    body.on_head(context.settings.rattle_position(), context.settings.rattle_head())
}
