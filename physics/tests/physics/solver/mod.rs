//! Hammers on one body, one sample at a time.

pub mod bouncing;
mod convergence;
mod disc_potential;
mod energy_balance;
pub mod exact_contact;
mod exact_pair;
mod hammer_removal;
mod heavy_modes;
mod held_modes;
mod many_hammers;
mod moving_profile;
mod multi_substep;
mod obstacles;
mod outlasting_contacts;
mod parameter_changes;
mod potential;
mod potential_fuzz;
mod preload;
mod random_systems;
mod reference_strikes;
mod stretch_potential;
mod tension;
mod tension_diagonal;
mod thinning;
mod tube;
