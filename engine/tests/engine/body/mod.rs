//! Prepared bodies: tuning, morph, partial edits, ringing, pickups and radiation.

mod body_types;
mod dense_bodies;
mod heavy_modes;
pub(crate) mod hi_hat;
mod hi_hat_field;
mod morph;
mod motion_drive;
mod partial_edits;
mod pickups_and_radiation;
mod plate;
mod ringing;
mod string_course;
mod tension;
mod tubes;
mod two_heads;
