//! Instruments for samplers: strokes of a preset as samples, and the files that map them to keys and velocities.

pub(crate) mod chokes;
pub(crate) mod decent_sampler;
pub(crate) mod recorder;
pub(crate) mod sample_list;
pub(crate) mod sample_map;
pub(crate) mod selection;
pub(crate) mod sf2;
pub(crate) mod sf2_tables;
pub(crate) mod sfz;

pub use crate::sampler::recorder::{Recorder, RecorderLimits, Sample};
pub use crate::sampler::sample_map::{Region, SampleMap, plain_name};
pub use crate::sampler::selection::{KeySelection, VelocityLayers};
