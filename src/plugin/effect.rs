//! The effect: its input drives the hammer, and notes, where the host sends any, select the body.

use std::sync::Arc;

use nice_plug::prelude::*;

use crate::host_params::HostParams;
use crate::plugin::processor::{DriveInput, Ports, Processor, STEREO, SideOutputs, forward_to_processor};

/// The effect.
pub struct FonoBump(Processor);

impl Default for FonoBump {
    fn default() -> Self {
        Self(Processor::new(HostParams::of_effect))
    }
}

impl Plugin for FonoBump {
    const NAME: &'static str = "Urto FonoBump";

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = &[AudioIOLayout {
        main_input_channels: Some(STEREO),
        main_output_channels: Some(STEREO),
        ..AudioIOLayout::const_default()
    }];

    forward_to_processor!(Plugin, page: "Drive");

    fn process(
        &mut self,
        buffer: &mut Buffer,
        _: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let [left, right] = buffer.as_slice() else { return ProcessStatus::Error("no stereo output") };
        self.0.process(Ports { main: [left, right], sides: SideOutputs::default(), drive: DriveInput::MainInput }, context)
    }
}

impl ClapPlugin for FonoBump {
    const CLAP_ID: &'static str = "org.urto.fonobump";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("The input drives a hammer that strikes a vibrating body");
    const CLAP_FEATURES: &'static [ClapFeature] = &[ClapFeature::AudioEffect, ClapFeature::Stereo];

    forward_to_processor!(ClapPlugin);
}

impl Vst3Plugin for FonoBump {
    const VST3_CLASS_ID: [u8; 16] = *b"UrtoFonoBumpPush";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] = &[Vst3SubCategory::Fx, Vst3SubCategory::Stereo];
}
