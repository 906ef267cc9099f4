//! The effect: what comes in drives the hammer, and notes, where the host sends any, choose what it plays on.

use std::sync::Arc;

use nice_plug::prelude::*;

use crate::editor::HostEditor;
use crate::host_params::HostParams;
use crate::plugin::processor::{Input, Ports, Processor};
use crate::plugin::{EVENTS, STEREO, VOICES};

/// The effect.
pub struct FonoBump(Processor);

impl Default for FonoBump {
    fn default() -> Self {
        Self(Processor::new(HostParams::of_effect))
    }
}

impl Plugin for FonoBump {
    const NAME: &'static str = "Urto FonoBump";
    const VENDOR: &'static str = "Urto";
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = &[AudioIOLayout {
        main_input_channels: Some(STEREO),
        main_output_channels: Some(STEREO),
        ..AudioIOLayout::const_default()
    }];

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
        self.0.open("Drive")
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
        _: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let [left, right] = buffer.as_slice() else { return ProcessStatus::Error("no stereo output") };
        self.0.process(Ports { main: [left, right], sides: Default::default(), input: Input::Through }, context)
    }
}

impl ClapPlugin for FonoBump {
    const CLAP_ID: &'static str = "org.urto.fonobump";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("Sound pushes a hammer that chatters on a body");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] = &[ClapFeature::AudioEffect, ClapFeature::Stereo];
    const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> = Some(VOICES);

    fn remote_controls(&self, host: &mut impl RemoteControlsContext) {
        self.0.knobs().lay_out(host);
    }
}

impl Vst3Plugin for FonoBump {
    const VST3_CLASS_ID: [u8; 16] = *b"UrtoFonoBumpPush";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] = &[Vst3SubCategory::Fx, Vst3SubCategory::Stereo];
}
