//! TODO.

pub mod contact_params;
pub(crate) mod exact_contacts;
pub mod hammer;
pub(crate) mod hammer_forces;
pub(crate) mod hammers;
pub(crate) mod lookahead;
pub(crate) mod obstacles;
pub(crate) mod pickup;
pub mod resonator_bank;
pub(crate) mod ring;
pub(crate) mod silence;
pub(crate) mod voice;
