//! The buses: the [outputs](super::output_buses), and one input that a host may arrange as stereo, mono or empty and switch on and off. The input is
//! the side-chain of the instrument, or the main input of the effect.

use std::ptr::null_mut;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64};

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::SpeakerArr::{kEmpty, kMono, kStereo};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::SymbolicSampleSizes_::kSample32;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{AudioBusBuffers, ProcessData, SpeakerArrangement};

use crate::vst3_entry::channels::{Channels, channels};
use crate::vst3_entry::output_buses::{OutputBuses, OutputStorage};

/// The host's bus configuration; the audio thread reads it.
pub struct Buses {
    input: AtomicU64,
    is_input_on: AtomicBool,
    /// Whether the main output holds the input before it is overwritten.
    has_main_input: bool,
    outputs: OutputBuses,
    output_count: usize,
    /// Longest block that the host has announced [frames]; 0 before.
    max_frames: AtomicI32,
}

impl Buses {
    /// The initial configuration: a stereo input, and `outputs` outputs of which the main one is on. A side-chain is off; a main input is on, because
    /// some hosts never switch it on.
    pub fn new(has_main_input: bool, outputs: usize) -> Self {
        Self {
            input: AtomicU64::new(kStereo),
            is_input_on: AtomicBool::new(has_main_input),
            has_main_input,
            outputs: OutputBuses::new(outputs),
            output_count: outputs,
            max_frames: AtomicI32::new(0),
        }
    }

    /// Accepts an arrangement, or refuses it and changes nothing. An arrangement without inputs keeps the present one.
    pub fn arrange(&self, inputs: &[SpeakerArrangement], outputs: &[SpeakerArrangement]) -> bool {
        let is_supported =
            inputs.len() <= 1 && inputs.iter().all(|i| [kEmpty, kMono, kStereo].contains(i)) && self.outputs.arrange(outputs);
        if let (true, &[input]) = (is_supported, inputs) {
            self.input.store(input, Relaxed);
        }
        is_supported
    }

    /// The arrangement of the input.
    pub fn input(&self) -> SpeakerArrangement {
        self.input.load(Relaxed)
    }

    /// The outputs.
    pub fn outputs(&self) -> &OutputBuses {
        &self.outputs
    }

    /// Switches the input on or off.
    pub fn switch_input(&self, is_on: bool) {
        self.is_input_on.store(is_on, Relaxed);
    }

    /// Sets the length of the longest block [frames]. Allocates; only while nothing is processed.
    pub fn set_max_frames(&self, max_frames: i32) {
        self.outputs.set_max_frames(usize::try_from(max_frames).unwrap_or(0));
        self.max_frames.store(max_frames, Relaxed);
    }

    /// The host's block, corrected for nice-plug: f32 samples, not longer than announced, two channels of each output, and two input channels or
    /// none, with the set of outputs that the host hears. `None` if that is not possible. Other output channels keep the host's content.
    ///
    /// # Safety
    /// The host's counts of buses, channels and frames must be true. The result must not outlive `storage`.
    pub unsafe fn correct(&self, data: &ProcessData, storage: &mut BusStorage) -> Option<(ProcessData, u8)> {
        if !(0..=self.max_frames.load(Relaxed)).contains(&data.numSamples) || data.symbolicSampleSize != kSample32 as i32 {
            return None;
        }
        let mut data = *data;
        // SAFETY: the counts are true by contract.
        unsafe {
            let connected = channels(data.inputs, data.numInputs).filter(|_| self.is_input_on.load(Relaxed));
            storage.input = connected.map(Channels::new);
            let heard = self.outputs.correct(&data, &mut storage.outputs);
            if let Some(output) = storage.outputs.main().filter(|_| self.has_main_input && storage.input.is_none()) {
                output.silence(data.numSamples as usize);
            }
            // without a stereo output nice-plug handles events only
            (data.outputs, data.numOutputs) =
                if heard.is_some() { storage.outputs.buses(self.output_count) } else { (null_mut(), 0) };
            (data.inputs, data.numInputs) = Channels::first_bus(&mut storage.input, &mut storage.input_bus);
            Some((data, heard.unwrap_or(0)))
        }
    }
}

/// Storage for the corrected buses of one block.
#[derive(Default)]
pub struct BusStorage {
    input: Option<Channels>,
    input_bus: Option<AudioBusBuffers>,
    outputs: OutputStorage,
}
