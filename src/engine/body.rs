//! A prepared body: what is the same for every key, made away from the audio thread.

use super::knob::{KnobId, Settings};
use super::patch::{BodyKind, FreeMode};

/// Which body is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyRequest {
    /// What is struck.
    pub kind: BodyKind,
    /// Number of modes, >= 1.
    pub modes: usize,
}

impl BodyRequest {
    /// The body that `settings` ask for.
    pub fn of(settings: &Settings) -> Self {
        Self { kind: settings.body_kind(), modes: settings.get(KnobId::Modes) as usize }
    }
}

/// A prepared body.
pub struct Body {
    request: BodyRequest,
}

impl Body {
    /// Prepares the body `request`; `free` is the list for [`BodyKind::Modes`] (empty: one mode). Allocates; not for the audio thread.
    pub fn prepare(request: BodyRequest, free: &[FreeMode]) -> Box<Body> {
        let _ = free;
        Box::new(Body { request })
    }

    /// What was asked for.
    pub fn request(&self) -> BodyRequest {
        self.request
    }
}
