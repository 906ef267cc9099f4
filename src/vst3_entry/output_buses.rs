//! The output buses: the main one, and those that a host may switch on for zones of kits. nice-plug always gets all of them.

use std::ptr::null_mut;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize};

use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::SpeakerArr::{kEmpty, kStereo};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{AudioBusBuffers, ProcessData, SpeakerArrangement};

use crate::vst3_entry::channels::{Channels, channels};
use urto_engine::patch::OUTPUTS;

/// The main bus in a set of buses.
const MAIN: u8 = 1;

/// The host's configuration of the outputs; the audio thread reads it.
pub struct OutputBuses {
    count: usize,
    /// Buses that the host has switched on, a bit each.
    active: AtomicU8,
    /// Buses that the host has arranged without channels.
    empty: AtomicU8,
    /// Buffers for buses without those of the host.
    spare: SpareChannels,
}

impl OutputBuses {
    /// `count` stereo buses, of which the main one is on.
    pub fn new(count: usize) -> Self {
        Self { count, active: AtomicU8::new(MAIN), empty: AtomicU8::new(0), spare: SpareChannels::new(2 * (count - 1)) }
    }

    /// Accepts an arrangement, or refuses it and changes nothing: the main bus is stereo, the others are stereo or empty. Those that are left out keep
    /// theirs.
    pub fn arrange(&self, outputs: &[SpeakerArrangement]) -> bool {
        let is_supported = outputs.first() == Some(&kStereo)
            && outputs.len() <= self.count
            && outputs.iter().all(|output| [kEmpty, kStereo].contains(output));
        if is_supported {
            let mut empty = self.empty.load(Relaxed);
            for (i, output) in outputs.iter().enumerate() {
                empty = if *output == kEmpty { empty | MAIN << i } else { empty & !(MAIN << i) };
            }
            self.empty.store(empty, Relaxed);
        }
        is_supported
    }

    /// The arrangement of bus `index`; `None` if there is no such bus.
    pub fn arrangement(&self, index: i32) -> Option<SpeakerArrangement> {
        let index = usize::try_from(index).ok().filter(|&index| index < self.count)?;
        Some(if self.empty.load(Relaxed) & MAIN << index != 0 { kEmpty } else { kStereo })
    }

    /// Switches bus `index` on or off. The main bus is always on.
    pub fn switch(&self, index: i32, is_on: bool) {
        let Some(bit) = usize::try_from(index).ok().filter(|&index| index < self.count).map(|index| MAIN << index) else {
            return;
        };
        if is_on {
            self.active.fetch_or(bit, Relaxed);
        } else {
            self.active.fetch_and(!bit | MAIN, Relaxed);
        }
    }

    /// Makes room for blocks of `frames` frames. Allocates; only while nothing is processed.
    pub fn set_max_frames(&self, frames: usize) {
        self.spare.make_room(frames);
    }

    /// Fills `storage` with the outputs of the host's block, or with spare channels where it has none or has switched the bus off; those are never
    /// heard. Returns the set of buses that the host hears; `None` without a stereo main bus.
    ///
    /// # Safety
    /// The host's counts of buses and channels must be true.
    pub unsafe fn correct(&self, data: &ProcessData, storage: &mut OutputStorage) -> Option<u8> {
        let heard = self.active.load(Relaxed) & !self.empty.load(Relaxed);
        let mut open = 0;
        for (i, output) in storage.outputs.iter_mut().enumerate().take(self.count) {
            let is_given = heard & MAIN << i != 0 && (i as i32) < data.numOutputs && !data.outputs.is_null();
            // SAFETY: the bus is within the host's count.
            let host = is_given.then(|| unsafe {
                let bus = data.outputs.add(i);
                (bus, channels(bus, 1))
            });
            *output = match host {
                Some((bus, Some([Some(left), Some(right)]))) => {
                    // SAFETY: as above.
                    unsafe { (*bus).silenceFlags = 0 };
                    open |= MAIN << i;
                    Some(Channels::new([Some(left), Some(right)]))
                }
                _ if i == 0 => return None,
                _ => Some(Channels::new(self.spare.pair(i - 1).map(Some))),
            };
        }
        Some(open)
    }
}

/// Storage for the corrected outputs of one block.
#[derive(Default)]
pub struct OutputStorage {
    outputs: [Option<Channels>; OUTPUTS],
    buses: Option<[AudioBusBuffers; OUTPUTS]>,
}

impl OutputStorage {
    /// The main bus.
    pub fn main(&self) -> Option<&Channels> {
        self.outputs[0].as_ref()
    }

    /// The first of `count` buses, which point into this storage.
    pub fn buses(&mut self, count: usize) -> (*mut AudioBusBuffers, i32) {
        // SAFETY: all zeros are a valid value of numbers and raw pointers.
        let buses = self.buses.insert(unsafe { std::mem::zeroed() });
        for (bus, channels) in buses.iter_mut().zip(&mut self.outputs).take(count) {
            if let Some(channels) = channels {
                *bus = channels.bus();
            }
        }
        (buses.as_mut_ptr(), count as i32)
    }
}

/// Channels that nobody hears.
struct SpareChannels {
    count: usize,
    first: AtomicPtr<f32>,
    frames: AtomicUsize,
}

impl SpareChannels {
    fn new(count: usize) -> Self {
        Self { count, first: AtomicPtr::new(null_mut()), frames: AtomicUsize::new(0) }
    }

    fn make_room(&self, frames: usize) {
        if frames > self.frames.load(Relaxed) {
            self.free();
            let samples = vec![0.0_f32; self.count * frames].into_boxed_slice();
            self.first.store(Box::into_raw(samples).cast(), Relaxed);
            self.frames.store(frames, Relaxed);
        }
    }

    fn free(&self) {
        let (first, frames) = (self.first.swap(null_mut(), Relaxed), self.frames.swap(0, Relaxed));
        if !first.is_null() {
            // SAFETY: made by `make_room` with this length, and no block is processed.
            drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(first, self.count * frames)) });
        }
    }

    /// Left and right of pair number `i`.
    fn pair(&self, i: usize) -> [*mut f32; 2] {
        let (first, frames) = (self.first.load(Relaxed), self.frames.load(Relaxed));
        [2 * i, 2 * i + 1].map(|channel| first.wrapping_add(channel * frames))
    }
}

impl Drop for SpareChannels {
    fn drop(&mut self) {
        self.free();
    }
}
