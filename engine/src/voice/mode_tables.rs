//! What single modes and clusters are rendered with: eight numbers side by side, tables of eight modes, sums of frames.

use crate::voice::step_power::LANES;

/// Most chunks of eight modes that are rendered together.
pub(super) const GROUP: usize = 8;

/// Number of moments of a cluster of modes: one for each lane.
pub(super) const ORDERS: usize = LANES;

/// Eight numbers side by side.
pub(super) type Lanes = [f32; LANES];

/// Sums of both pickups over four groups of eight frames, those of a pair of control blocks.
pub(super) type Sums = [[Lanes; 2]; 4];

/// Empty sums.
pub(super) const EMPTY: Sums = [[[0.0; LANES]; 2]; 4];

/// What renders eight modes, two rows a mode: their velocity in frames 1 to 8 from displacement and from velocity; in a cluster the powers of their
/// offset from the carrier, real and imaginary parts, times what turns their amplitude to the middle of the frames. Aligned to cache lines of 64
/// bytes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Tables(pub [[Lanes; 2]; LANES]);

/// a b + c, rounded once where the processor fuses them.
#[inline(always)]
pub(super) fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}
