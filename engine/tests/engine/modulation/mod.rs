//! Smoothing of parameters.

mod param_smoothing;
