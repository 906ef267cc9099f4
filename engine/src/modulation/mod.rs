//! TODO.

pub(crate) mod mod_matrix;
pub(crate) mod note_params;
pub(crate) mod param_smoother;
pub(crate) mod pitch_bend;
pub(crate) mod smoother;
