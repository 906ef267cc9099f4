//! The VST3 entry: nice-plug's own export, of the plugin without the side-chain bus. Floor: roof.
#![allow(unsafe_code, missing_docs)]

use crate::plugin::Urto;

/// The plugin as VST3 has it.
type Plugin = Urto<false>;

nice_plug::nice_export_vst3!(Plugin);
