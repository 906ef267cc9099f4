//! Exact steps of modes.

mod propagators;
