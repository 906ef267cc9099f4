//! The channels of a bus, of a host and for nice-plug.

use std::ptr::null_mut;
use std::slice;

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::AudioBusBuffers;

/// The channels of a stereo bus for nice-plug.
pub struct Channels {
    pointers: [*mut f32; 2],
}

impl Channels {
    /// Mono gives the same channel twice.
    pub fn new([left, right]: [Option<*mut f32>; 2]) -> Self {
        let left = left.unwrap_or(null_mut());
        Self { pointers: [left, right.unwrap_or(left)] }
    }

    /// Fills the channels with silence.
    ///
    /// # Safety
    /// The host's channels must have `frames` samples.
    pub unsafe fn silence(&self, frames: usize) {
        for channel in self.pointers {
            // SAFETY: by contract.
            unsafe { slice::from_raw_parts_mut(channel, frames) }.fill(0.0);
        }
    }

    /// The bus of these channels, which points to them.
    pub fn bus(&mut self) -> AudioBusBuffers {
        // SAFETY: all zeros are a valid value of numbers and raw pointers.
        let mut bus: AudioBusBuffers = unsafe { std::mem::zeroed() };
        bus.numChannels = 2;
        bus.__field0.channelBuffers32 = self.pointers.as_mut_ptr();
        bus
    }

    /// First bus and number of buses, in `bus`.
    pub fn first_bus(channels: &mut Option<Self>, bus: &mut Option<AudioBusBuffers>) -> (*mut AudioBusBuffers, i32) {
        match channels {
            Some(channels) => (bus.insert(channels.bus()), 1),
            None => (null_mut(), 0),
        }
    }
}

/// Left and, if any, right channel of the host's first bus; `None` without a left channel.
///
/// # Safety
/// `buses` must be null or point to `count` buses whose channel counts are true.
pub unsafe fn channels(buses: *const AudioBusBuffers, count: i32) -> Option<[Option<*mut f32>; 2]> {
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
