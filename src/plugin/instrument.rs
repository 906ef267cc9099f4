//! The instrument: notes in, stereo out, and the side-chain "Hammer Drive".

use std::num::NonZeroU32;
use std::sync::Arc;

use nice_plug::prelude::*;

use crate::editor::HostEditor;
use crate::host_params::HostParams;
use crate::plugin::processor::{Input, Ports, Processor, Side};
use crate::plugin::{EVENTS, STEREO, VOICES};
use urto_engine::patch::OUTPUTS;

/// Name of the side-chain input.
const DRIVE: &str = "Hammer Drive";
/// Names of the outputs beside the main one, where a host has chosen them.
const BUSES: [&str; OUTPUTS - 1] = ["Bus 2", "Bus 3", "Bus 4", "Bus 5", "Bus 6", "Bus 7", "Bus 8"];
/// Channels of each of them.
const SIDES: [NonZeroU32; BUSES.len()] = [STEREO; BUSES.len()];

/// The instrument.
pub struct Urto(Processor);

impl Default for Urto {
    fn default() -> Self {
        Self(Processor::new(HostParams::new))
    }
}

impl Plugin for Urto {
    const NAME: &'static str = "Urto";
    const VENDOR: &'static str = "Urto";
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = &[
        AudioIOLayout {
            main_input_channels: None,
            main_output_channels: Some(STEREO),
            aux_input_ports: &[STEREO],
            aux_output_ports: &[],
            names: PortNames { layout: Some("Stereo"), aux_inputs: &[DRIVE], ..PortNames::const_default() },
        },
        AudioIOLayout {
            main_input_channels: None,
            main_output_channels: Some(STEREO),
            aux_input_ports: &[STEREO],
            aux_output_ports: &SIDES,
            names: PortNames {
                layout: Some("Eight outputs"),
                aux_inputs: &[DRIVE],
                aux_outputs: &BUSES,
                ..PortNames::const_default()
            },
        },
    ];

    const MIDI_INPUT: MidiConfig = MidiConfig::MidiCCs;
    const INPUT_EVENT_CAPACITY: usize = EVENTS;
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;

    type Editor = HostEditor;
    type SysExMessage = ();
    type BackgroundTask = ();

    fn params(&self) -> Arc<dyn Params> {
        self.0.knobs().clone()
    }

    fn editor(&mut self, _: AsyncExecutor<Self>) -> Option<Self::Editor> {
        self.0.open("Hit")
    }

    fn filter_state(state: &mut PluginState) {
        HostParams::repair_state(state);
    }

    fn activate(&mut self, _: &AudioIOLayout, buffers: &BufferConfig, context: &mut impl ActivateContext<Self>) -> bool {
        self.0.activate(buffers, context)
    }

    fn reset(&mut self) {
        self.0.reset();
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let frames = buffer.samples();
        let [left, right] = buffer.as_slice() else { return ProcessStatus::Error("no stereo output") };
        let AuxiliaryBuffers { inputs, outputs } = aux;
        let input = Input::Side(drive(inputs, frames));
        self.0.process(Ports { main: [left, right], sides: sides(outputs, frames), input }, context)
    }
}

/// The outputs beside the main one, and how many there are.
fn sides<'a>(outputs: &'a mut [Buffer<'_>], frames: usize) -> ([Side<'a>; OUTPUTS - 1], usize) {
    let mut sides: [Side; OUTPUTS - 1] = Default::default();
    let mut there = 0;
    for (side, buffer) in sides.iter_mut().zip(outputs) {
        if let [left, right] = buffer.as_slice()
            && left.len() == frames
            && right.len() == frames
        {
            *side = [&mut **left, &mut **right];
        }
        there += 1;
    }
    (sides, there)
}

/// The side-chain, left and right, full scale 1; empty when it is not connected. The one place that touches its buffers: without audio
/// from the host they keep the length of an earlier block.
fn drive<'a>(inputs: &'a mut [Buffer<'_>], frames: usize) -> [&'a [f32]; 2] {
    let Some([left, right]) = inputs.first_mut().map(Buffer::as_slice) else { return [&[]; 2] };
    if left.len() != frames || right.len() != frames {
        return [&[]; 2];
    }
    [left, right]
}

impl ClapPlugin for Urto {
    const CLAP_ID: &'static str = "org.urto.urto";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("Percussion from the physics of a collision");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] =
        &[ClapFeature::Instrument, ClapFeature::Drum, ClapFeature::Synthesizer, ClapFeature::Stereo];
    const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> = Some(VOICES);

    fn remote_controls(&self, host: &mut impl RemoteControlsContext) {
        self.0.knobs().lay_out(host);
    }
}

impl Vst3Plugin for Urto {
    const VST3_CLASS_ID: [u8; 16] = *b"UrtoCollisionHit";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] =
        &[Vst3SubCategory::Instrument, Vst3SubCategory::Drum, Vst3SubCategory::Stereo];
}
