//! Smoothing of parameters, and the modulation matrix.

mod matrix;
mod param_smoothing;
