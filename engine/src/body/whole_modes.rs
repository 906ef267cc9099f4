//! How many modes of a body share a potential.

/// Maximum number of modes that share a potential: those that every substep can compute.
pub const MAX_WHOLE: usize = 72;

/// How many of the lowest modes of a body of `modes` modes are kept as they are, so that they can share a potential.
pub fn whole_modes(modes: usize) -> usize {
    MAX_WHOLE.min(modes - modes / 4)
}
