//! Roughness profiles and rolling.

mod profiles;
mod rolling;
