//! Contact of hammers, obstacles and bodies in the instrument.

mod bouncing;
mod contact_models;
mod flams;
mod hammer_types;
mod rattle;
mod strikes;
mod strums;
