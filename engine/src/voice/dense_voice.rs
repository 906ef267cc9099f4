//! What only voices of dense bodies need: the strength of the exchange between bands, rest for modes that nobody hears, and weights that
//! are updated in turn.

use crate::body::PreparedBody;
use crate::context::RenderContext;
use crate::voice::voice::Voice;
use urto_physics::modal::CascadeLaw;

/// Level at the output below which the highest modes of a dense body are no longer rendered: 100 dB below full scale.
const INAUDIBLE: f64 = 1e-5;

impl Voice {
    /// Whether most of its modes take one step a sample.
    pub fn is_dense(&self) -> bool {
        self.collision.held_count() > 0
    }

    /// Whether its weights have to be updated.
    pub fn weights_due(&self) -> bool {
        self.outdated_weights
    }

    /// Requests an update of its weights.
    pub fn request_weights(&mut self) {
        self.outdated_weights = true;
    }

    /// When its weights were updated.
    pub fn weights_updated_at(&self) -> u64 {
        self.last_weights
    }

    /// Records that its weights were updated at `count`.
    pub fn set_weights_updated(&mut self, count: u64) {
        (self.outdated_weights, self.last_weights) = (false, count);
    }

    /// Takes the strength of the exchange between bands from the parameters.
    pub fn update_cascade(&mut self, body: &PreparedBody, context: &RenderContext) {
        let law = |(strength, thickness)| CascadeLaw { strength, thickness, mass: context.body_size(self.key_scaling).mass };
        self.cascade.set_law(context.cascade_strength().zip(body.cascade_thickness()).map(law));
    }

    /// Sets the highest modes of a dense body, or its heavy ones, to rest that can no longer be heard at `level` (a factor) of the output: 100 dB below full scale.
    /// Those that strands follow keep moving: a jump of the body would be a blow on the strands.
    pub fn prune(&mut self, body: &PreparedBody, level: f64) {
        if body.is_pruned() && self.active_count() == 0 {
            let kept = self.cascade.settled_from().max(self.motion.followed_modes());
            self.lookahead.prune(&mut self.collision, kept, INAUDIBLE / level.max(f64::MIN_POSITIVE));
        }
    }
}
