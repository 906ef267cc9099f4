//! The CLAP entry: nice-plug's wrapper behind a factory that corrects the host's data of each block.
#![allow(unsafe_code)]

mod audio_ports;
mod audio_unit;
mod event_list;
mod factory;
mod host;
mod thread_pool;

pub use crate::clap_entry::factory::clap_entry;
