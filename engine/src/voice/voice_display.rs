//! What a voice shows: the motion of its body, and how far it has stiffened.

use crate::telemetry::{BodyMotion, MAX_SHOWN_MODES, Mode, StiffeningReading};
use crate::voice::voice::Voice;

impl Voice {
    /// How far it has stiffened since the last call, for display.
    pub fn take_stiffening(&mut self) -> StiffeningReading {
        self.stiffening_meter.take()
    }

    /// Motion of its lowest partials, for display. `rigid` modes come before the partials.
    pub fn body_motion(&self, rigid: usize) -> BodyMotion {
        let plates = self.hi_hat().map(|hi_hat| [0, 1].map(|plate| hi_hat.network().modes(plate)));
        let upper = plates.map(|[upper, _]| upper);
        let modes = upper.map_or(self.collision.modes(), |upper| upper.list());
        let partials = if upper.is_some() { modes.len() } else { self.partials.all };
        let count = modes.len().saturating_sub(rigid).min(partials).min(MAX_SHOWN_MODES);
        let mut motion = BodyMotion { key: self.key, stroke: self.last_strike, count, ..BodyMotion::default() };
        for (i, mode) in motion.modes[..count].iter_mut().enumerate() {
            let i = rigid + i;
            let (q, v) = upper.map_or_else(|| self.collision.state(i), |upper| (upper.q[i], upper.v[i]));
            *mode = Mode { q: q as f32, v: v as f32, omega: modes[i].omega as f32 };
        }
        if let Some([_, lower]) = plates {
            let states = lower.list().iter().zip(lower.q.iter().zip(lower.v.iter())).skip(rigid);
            for (mode, (own, (q, v))) in motion.lower[..count].iter_mut().zip(states) {
                *mode = Mode { q: *q as f32, v: *v as f32, omega: own.omega as f32 };
            }
        }
        motion
    }
}
