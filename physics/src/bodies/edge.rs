//! Support of the edge of a plate, and the range of Poisson's ratio.

/// Support of the edge of a plate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeSupport {
    /// Nothing holds it.
    Free,
    /// It cannot move, but can tilt.
    Supported,
    /// It can neither move nor tilt.
    Clamped,
}

/// Poisson's ratio clamped to [0, 0.5], within which every edge has its modes.
pub(crate) fn possible_poisson(poisson: f64) -> f64 {
    if poisson.is_nan() { 0.3 } else { poisson.clamp(0.0, 0.5) }
}
