//! The two plugins: instrument and effect.

use std::num::NonZeroU32;
use std::sync::Arc;

use nice_plug::prelude::*;

use crate::host_params::HostParams;
use crate::plugin::heard_outputs::is_heard;
use crate::plugin::processor::{DriveInput, Ports, Processor, STEREO, SideOutputs, forward_to_processor};
use urto_engine::patch::OUTPUTS;

/// Name of the side-chain input.
const SIDE_CHAIN_NAME: &str = "Hammer Drive";
/// Names of the outputs other than the main one, in the layout that has them.
const BUS_NAMES: [&str; OUTPUTS - 1] = ["Bus 2", "Bus 3", "Bus 4", "Bus 5", "Bus 6", "Bus 7", "Bus 8"];
/// Channels of each of them.
const BUS_CHANNELS: [NonZeroU32; BUS_NAMES.len()] = [STEREO; BUS_NAMES.len()];

/// The instrument: notes in, stereo out, and the side-chain "Hammer Drive".
pub struct Urto(Processor);

impl Default for Urto {
    fn default() -> Self {
        Self(Processor::new(HostParams::new))
    }
}

impl Plugin for Urto {
    const NAME: &'static str = "Urto";

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = &[
        AudioIOLayout {
            main_input_channels: None,
            main_output_channels: Some(STEREO),
            aux_input_ports: &[STEREO],
            aux_output_ports: &[],
            names: PortNames { layout: Some("Stereo"), aux_inputs: &[SIDE_CHAIN_NAME], ..PortNames::const_default() },
        },
        AudioIOLayout {
            main_input_channels: None,
            main_output_channels: Some(STEREO),
            aux_input_ports: &[STEREO],
            aux_output_ports: &BUS_CHANNELS,
            names: PortNames {
                layout: Some("Eight outputs"),
                aux_inputs: &[SIDE_CHAIN_NAME],
                aux_outputs: &BUS_NAMES,
                ..PortNames::const_default()
            },
        },
    ];

    forward_to_processor!(Plugin, page: "Hit");

    fn process(
        &mut self,
        buffer: &mut Buffer,
        aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let frames = buffer.samples();
        let [left, right] = buffer.as_slice() else { return ProcessStatus::Error("no stereo output") };
        let AuxiliaryBuffers { inputs, outputs } = aux;
        let drive = DriveInput::SideChain(side_chain(inputs, frames));
        self.0.process(Ports { main: [left, right], sides: side_outputs(outputs, frames), drive }, context)
    }
}

/// The outputs other than the main one; empty where the host does not hear them.
fn side_outputs<'a>(outputs: &'a mut [Buffer<'_>], frames: usize) -> SideOutputs<'a> {
    let mut sides = SideOutputs::default();
    for (number, (side, buffer)) in sides.outputs.iter_mut().zip(outputs).enumerate() {
        if is_heard(number + 1)
            && let [left, right] = buffer.as_slice()
            && left.len() == frames
            && right.len() == frames
        {
            *side = [&mut **left, &mut **right];
        }
        sides.count += 1;
    }
    sides
}

/// The side-chain, left and right, full scale 1; empty when it is not connected. Without audio from the host its buffers keep the length
/// of an earlier block, so only this function reads them.
fn side_chain<'a>(inputs: &'a mut [Buffer<'_>], frames: usize) -> [&'a [f32]; 2] {
    let Some([left, right]) = inputs.first_mut().map(Buffer::as_slice) else { return [&[]; 2] };
    if left.len() != frames || right.len() != frames {
        return [&[]; 2];
    }
    [left, right]
}

impl ClapPlugin for Urto {
    const CLAP_ID: &'static str = "org.urto.urto";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("Percussion from the physics of a collision");
    const CLAP_FEATURES: &'static [ClapFeature] =
        &[ClapFeature::Instrument, ClapFeature::Drum, ClapFeature::Synthesizer, ClapFeature::Stereo];

    forward_to_processor!(ClapPlugin);
}

impl Vst3Plugin for Urto {
    const VST3_CLASS_ID: [u8; 16] = *b"UrtoCollisionHit";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] =
        &[Vst3SubCategory::Instrument, Vst3SubCategory::Drum, Vst3SubCategory::Stereo];
}

/// The effect: its input drives the hammer, and notes, where the host sends any, select the body.
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
