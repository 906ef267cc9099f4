//! How the body that was struck last swings now, for display: a few modes, fixed size.

use crate::Engine;
use crate::voice::Voice;

/// Modes that are told of.
pub const MAX_SHOWN_MODES: usize = 12;

/// One mode now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mode {
    /// Modal displacement [m kg^1/2].
    pub q: f32,
    /// Modal velocity [m kg^1/2/s].
    pub v: f32,
    /// Angular frequency [rad/s]; 0 where there is no mode.
    pub omega: f32,
}

/// The lowest partials of one body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyMotion {
    /// Key of the body.
    pub key: u8,
    /// Changes with every stroke.
    pub stroke: u64,
    /// Partials that there are, at most [`SHOWN`].
    pub count: usize,
    /// The partials, without the suspension.
    pub modes: [Mode; MAX_SHOWN_MODES],
}

impl Engine {
    /// The body that was struck last of those that sound.
    pub fn swing(&self) -> Option<BodyMotion> {
        let engine = self.engines().filter(|engine| !engine.stage.is_asleep()).max_by_key(|engine| engine.last_stroke())?;
        let object = engine.stage.awake().max_by_key(|object| object.last_strike)?;
        let body = engine.stage.shelf.body(object.place?)?;
        Some(object.swing(body.rigid(), body.suspensions()))
    }

    fn last_stroke(&self) -> u64 {
        self.stage.awake().map(|object| object.last_strike).max().unwrap_or(0)
    }
}

impl Voice {
    /// `rigid` modes come before the partials, `suspensions` are no partials.
    fn swing(&self, rigid: usize, suspensions: usize) -> BodyMotion {
        let modes = self.collision.modes();
        let count = modes.len().saturating_sub(suspensions).min(MAX_SHOWN_MODES);
        let mut swing = BodyMotion { key: self.key, stroke: self.last_strike, count, ..BodyMotion::default() };
        for (i, mode) in swing.modes[..count].iter_mut().enumerate() {
            let i = rigid + i;
            let (q, v) = self.collision.state(i);
            *mode = Mode { q: q as f32, v: v as f32, omega: modes[i].omega as f32 };
        }
        swing
    }
}
