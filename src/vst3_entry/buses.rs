//! The buses: one stereo output, and one input, which a host may arrange as stereo, mono or empty and switch on and off: the side-chain
//! of the instrument, the main input of the effect.

use std::ptr::null_mut;
use std::slice;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64};

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::SpeakerArr::{kEmpty, kMono, kStereo};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::SymbolicSampleSizes_::kSample32;
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{AudioBusBuffers, ProcessData, SpeakerArrangement};

/// What the host has arranged; the audio thread reads it.
pub struct Buses {
    input: AtomicU64,
    input_on: AtomicBool,
    /// Whether what comes in is in the output before it is overwritten.
    through: bool,
    /// Longest block that was announced [frames]; 0 before.
    longest: AtomicI32,
}

impl Buses {
    /// As a host finds them: the input is stereo; a side-chain is switched off, a main input, which some hosts never switch, on.
    pub fn new(through: bool) -> Self {
        Self { input: AtomicU64::new(kStereo), input_on: AtomicBool::new(through), through, longest: AtomicI32::new(0) }
    }

    /// Takes an arrangement, or refuses it and changes nothing. A host that names no input leaves it as it is.
    pub fn arrange(&self, inputs: &[SpeakerArrangement], outputs: &[SpeakerArrangement]) -> bool {
        let known = outputs == [kStereo] && inputs.len() <= 1 && inputs.iter().all(|i| [kEmpty, kMono, kStereo].contains(i));
        if let (true, &[input]) = (known, inputs) {
            self.input.store(input, Relaxed);
        }
        known
    }

    pub fn input(&self) -> SpeakerArrangement {
        self.input.load(Relaxed)
    }

    pub fn switch_input(&self, on: bool) {
        self.input_on.store(on, Relaxed);
    }

    pub fn announce(&self, longest: i32) {
        self.longest.store(longest, Relaxed);
    }

    /// The host's block as nice-plug can take it: float samples, not longer than announced, with two channels out, and two in or
    /// none. `None` if there is no such block. Unneeded output channels stay as the host left them.
    ///
    /// # Safety
    /// What the host's pointers point to must be as long as it says. The result may not outlive `room`.
    pub unsafe fn straight(&self, data: &ProcessData, room: &mut Room) -> Option<ProcessData> {
        if !(0..=self.longest.load(Relaxed)).contains(&data.numSamples) || data.symbolicSampleSize != kSample32 as i32 {
            return None;
        }
        let mut data = *data;
        // SAFETY: as long as the host says, by contract.
        unsafe {
            room.output = channels(data.outputs, data.numOutputs).filter(|[_, right]| right.is_some()).map(Channels::new);
            let connected = channels(data.inputs, data.numInputs).filter(|_| self.input_on.load(Relaxed));
            room.input = connected.map(Channels::new);
            if let Some(output) = &room.output {
                (*data.outputs).silenceFlags = 0;
                if self.through && room.input.is_none() {
                    output.silence(data.numSamples as usize);
                }
            }
        }
        (data.outputs, data.numOutputs) = Channels::bus(&mut room.output);
        (data.inputs, data.numInputs) = Channels::bus(&mut room.input);
        Some(data)
    }
}

/// Where the straightened buses of one block live.
#[derive(Default)]
pub struct Room {
    input: Option<Channels>,
    output: Option<Channels>,
}

/// A stereo bus on its way to nice-plug.
struct Channels {
    pointers: [*mut f32; 2],
    bus: AudioBusBuffers,
}

impl Channels {
    /// Mono counts as the same left and right.
    fn new([left, right]: [Option<*mut f32>; 2]) -> Self {
        let left = left.unwrap_or(null_mut());
        // SAFETY: of plain numbers and pointers, all zero is a value.
        Self { pointers: [left, right.unwrap_or(left)], bus: unsafe { std::mem::zeroed() } }
    }

    /// Silence, as long as the block.
    ///
    /// # Safety
    /// The host's channels must be so long.
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

/// Left and, if there is one, right channel of the first of the host's buses; nothing if it has no left one.
///
/// # Safety
/// `buses` must be null or point to `count` buses with as many channel pointers as they say.
unsafe fn channels(buses: *const AudioBusBuffers, count: i32) -> Option<[Option<*mut f32>; 2]> {
    if buses.is_null() || count < 1 {
        return None;
    }
    // SAFETY: at least one bus, by contract.
    unsafe {
        let (count, pointers) = ((*buses).numChannels, (*buses).__field0.channelBuffers32);
        let channel = |i: i32| (i < count && !pointers.is_null()).then(|| *pointers.add(i as usize)).filter(|p| !p.is_null());
        channel(0).map(|left| [Some(left), channel(1)])
    }
}
