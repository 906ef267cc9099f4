//! The buses: one stereo output, and one input that a host may arrange as stereo, mono or empty and switch on and off. The input is the
//! side-chain of the instrument, or the main input of the effect.

use std::ptr::null_mut;
use std::slice;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64};

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::SpeakerArr::{kEmpty, kMono, kStereo};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::SymbolicSampleSizes_::kSample32;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{AudioBusBuffers, ProcessData, SpeakerArrangement};

/// The host's bus configuration; the audio thread reads it.
pub struct Buses {
    input: AtomicU64,
    is_input_on: AtomicBool,
    /// Whether the main output holds the input before it is overwritten.
    has_main_input: bool,
    /// Longest block that the host has announced [frames]; 0 before.
    max_frames: AtomicI32,
}

impl Buses {
    /// The initial configuration: a stereo input. A side-chain is off; a main input is on, because some hosts never switch it on.
    pub fn new(has_main_input: bool) -> Self {
        Self {
            input: AtomicU64::new(kStereo),
            is_input_on: AtomicBool::new(has_main_input),
            has_main_input,
            max_frames: AtomicI32::new(0),
        }
    }

    /// Accepts an arrangement, or refuses it and changes nothing. An arrangement without inputs keeps the present one.
    pub fn arrange(&self, inputs: &[SpeakerArrangement], outputs: &[SpeakerArrangement]) -> bool {
        let is_supported =
            outputs == [kStereo] && inputs.len() <= 1 && inputs.iter().all(|i| [kEmpty, kMono, kStereo].contains(i));
        if let (true, &[input]) = (is_supported, inputs) {
            self.input.store(input, Relaxed);
        }
        is_supported
    }

    /// The arrangement of the input.
    pub fn input(&self) -> SpeakerArrangement {
        self.input.load(Relaxed)
    }

    /// Switches the input on or off.
    pub fn switch_input(&self, is_on: bool) {
        self.is_input_on.store(is_on, Relaxed);
    }

    /// Sets the length of the longest block [frames].
    pub fn set_max_frames(&self, max_frames: i32) {
        self.max_frames.store(max_frames, Relaxed);
    }

    /// The host's block, corrected for nice-plug: f32 samples, not longer than announced, two output channels, and two input channels or
    /// none. `None` if that is not possible. Other output channels keep the host's content.
    ///
    /// # Safety
    /// The host's counts of buses, channels and frames must be true. The result must not outlive `storage`.
    pub unsafe fn correct(&self, data: &ProcessData, storage: &mut BusStorage) -> Option<ProcessData> {
        if !(0..=self.max_frames.load(Relaxed)).contains(&data.numSamples) || data.symbolicSampleSize != kSample32 as i32 {
            return None;
        }
        let mut data = *data;
        // SAFETY: the counts are true by contract.
        unsafe {
            storage.output = channels(data.outputs, data.numOutputs).filter(|[_, right]| right.is_some()).map(Channels::new);
            let connected = channels(data.inputs, data.numInputs).filter(|_| self.is_input_on.load(Relaxed));
            storage.input = connected.map(Channels::new);
            if let Some(output) = &storage.output {
                (*data.outputs).silenceFlags = 0;
                if self.has_main_input && storage.input.is_none() {
                    output.silence(data.numSamples as usize);
                }
            }
        }
        (data.outputs, data.numOutputs) = Channels::bus(&mut storage.output);
        (data.inputs, data.numInputs) = Channels::bus(&mut storage.input);
        Some(data)
    }
}

/// Storage for the corrected buses of one block.
#[derive(Default)]
pub struct BusStorage {
    input: Option<Channels>,
    output: Option<Channels>,
}

/// A stereo bus for nice-plug.
struct Channels {
    pointers: [*mut f32; 2],
    bus: AudioBusBuffers,
}

impl Channels {
    /// Mono gives the same channel twice.
    fn new([left, right]: [Option<*mut f32>; 2]) -> Self {
        let left = left.unwrap_or(null_mut());
        // SAFETY: all zeros are a valid value of numbers and raw pointers.
        Self { pointers: [left, right.unwrap_or(left)], bus: unsafe { std::mem::zeroed() } }
    }

    /// Fills the channels with silence.
    ///
    /// # Safety
    /// The host's channels must have `frames` samples.
    unsafe fn silence(&self, frames: usize) {
        for channel in self.pointers {
            // SAFETY: by contract.
            unsafe { slice::from_raw_parts_mut(channel, frames) }.fill(0.0);
        }
    }

    /// First bus and number of buses.
    fn bus(channels: &mut Option<Self>) -> (*mut AudioBusBuffers, i32) {
        let Some(Self { pointers, bus }) = channels else { return (null_mut(), 0) };
        bus.numChannels = 2;
        bus.__field0.channelBuffers32 = pointers.as_mut_ptr();
        (bus, 1)
    }
}

/// Left and, if any, right channel of the host's first bus; `None` without a left channel.
///
/// # Safety
/// `buses` must be null or point to `count` buses whose channel counts are true.
unsafe fn channels(buses: *const AudioBusBuffers, count: i32) -> Option<[Option<*mut f32>; 2]> {
    if buses.is_null() || count < 1 {
        return None;
    }
    // SAFETY: at least one bus, by contract.
    unsafe {
        let (channel_count, pointers) = ((*buses).numChannels, (*buses).__field0.channelBuffers32);
        let channel =
            |i: i32| (i < channel_count && !pointers.is_null()).then(|| *pointers.add(i as usize)).filter(|p| !p.is_null());
        channel(0).map(|left| [Some(left), channel(1)])
    }
}
