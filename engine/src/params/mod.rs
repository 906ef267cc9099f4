//! TODO.

pub(crate) mod choices;
pub mod table;

pub use crate::params::table::{
    BODY_KINDS, CONTACT_MODELS, DRIVE_SOURCES, HAMMER_TYPES, MATERIALS, MOD_TARGETS, PARAMS, PER_NOTE_PARAMS, ParamId, ParamSpec,
    ParamValues, QUALITIES, RADIATIONS, ROLLING_SURFACES, Scale, UpdateRate, ZONES,
};
