//! Motion of the body struck last, for display: a few modes, fixed size.

/// Maximum number of modes shown.
pub const MAX_SHOWN_MODES: usize = 12;

/// State of one mode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mode {
    /// Modal displacement [m kg^1/2].
    pub q: f32,
    /// Modal velocity [m kg^1/2/s].
    pub v: f32,
    /// Angular frequency [rad/s]; 0 where there is no mode.
    pub omega: f32,
}

/// State of the lowest partials of one body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyMotion {
    /// Key of the body.
    pub key: u8,
    /// Changes with every strike.
    pub stroke: u64,
    /// Number of partials, at most [`MAX_SHOWN_MODES`].
    pub count: usize,
    /// The partials, without the suspension.
    pub modes: [Mode; MAX_SHOWN_MODES],
}
