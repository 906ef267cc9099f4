//! The VST3 entry: nice-plug's wrapper behind a component that handles buses, controllers and the host's data itself.
#![allow(unsafe_code, missing_docs, non_snake_case)]

mod buses;
mod channels;
mod component;
mod factory;
mod midi_mapping;
mod output_buses;
#[cfg(target_os = "linux")]
mod view;
