//! Corrects a host's audio ports for nice-plug: two channels each, or none.
//!
//! nice-plug 0.4.2 does not check channel pointers, writes past an output of more than two channels, reads one port too far when the
//! host gives a count of zero, and keeps the content of the host's output where a main input is missing.

use std::ptr::null;

use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::process::clap_process;

use urto_engine::patch::OUTPUTS;

/// Channels of every port.
const CHANNELS: u32 = 2;

/// Storage for the corrected ports of one block.
pub struct AudioPorts {
    input: clap_audio_buffer,
    channels: [*mut f32; CHANNELS as usize],
    /// One more than the maximum; empty where the host gives none.
    outputs: [clap_audio_buffer; OUTPUTS + 1],
}

impl AudioPorts {
    /// No ports.
    pub fn new() -> Self {
        // SAFETY: all zeros are a valid value of numbers and raw pointers.
        unsafe { std::mem::zeroed() }
    }

    /// Corrects the ports of `block`. With `has_main_input`, nice-plug's output holds the input before it is overwritten, or silence
    /// without input.
    ///
    /// # Safety
    /// The block's counts of ports, channels and frames must be true. The block must not outlive `self`.
    pub unsafe fn correct(&mut self, block: &mut clap_process, has_main_input: bool) {
        // SAFETY: by contract.
        unsafe {
            let input = first(block);
            self.outputs(block);
            (block.audio_inputs, block.audio_inputs_count) = match input {
                Some((port, channels)) => {
                    self.channels = channels;
                    let data32 = self.channels.as_mut_ptr();
                    // nice-plug copies all channels of the input into the output
                    let channel_count = if has_main_input { self.outputs[0].channel_count } else { CHANNELS };
                    self.input = clap_audio_buffer { data32, channel_count, ..port };
                    (&raw const self.input, 1)
                }
                None => (null(), 0),
            };
            if has_main_input && input.is_none() {
                self.silence(block.frames_count as usize);
            }
        }
    }

    /// # Safety
    /// As for [`AudioPorts::correct`].
    unsafe fn outputs(&mut self, block: &mut clap_process) {
        if block.audio_outputs_count == 0 || block.audio_outputs.is_null() {
            return;
        }
        let given = (block.audio_outputs_count as usize).min(OUTPUTS);
        for (i, output) in self.outputs.iter_mut().enumerate().take(given) {
            // SAFETY: the count is true by contract.
            unsafe {
                let host = block.audio_outputs.add(i);
                (*host).constant_mask = 0;
                *output = clap_audio_buffer { channel_count: (*host).channel_count.min(CHANNELS), ..*host };
            }
        }
        (block.audio_outputs, block.audio_outputs_count) = (self.outputs.as_mut_ptr(), given as u32);
    }

    /// Fills the main output with silence.
    ///
    /// # Safety
    /// As for [`AudioPorts::correct`].
    unsafe fn silence(&self, frames: usize) {
        let main = &self.outputs[0];
        if main.data32.is_null() {
            return;
        }
        for i in 0..main.channel_count as usize {
            // SAFETY: the counts of channels and frames are true by contract.
            unsafe {
                let channel = *main.data32.add(i);
                if !channel.is_null() {
                    std::slice::from_raw_parts_mut(channel, frames).fill(0.0);
                }
            }
        }
    }
}

/// The first input port and its two channels, equal for mono; `None` if the host gives no f32 samples.
///
/// # Safety
/// The block's counts of input ports and channels must be true.
unsafe fn first(block: &clap_process) -> Option<(clap_audio_buffer, [*mut f32; 2])> {
    if block.audio_inputs.is_null() || block.audio_inputs_count == 0 {
        return None;
    }
    // SAFETY: at least one port, by contract.
    unsafe {
        let port = *block.audio_inputs;
        let channel = |i: u32| (i < port.channel_count && !port.data32.is_null()).then(|| *port.data32.add(i as usize));
        let left = channel(0).filter(|left| !left.is_null())?;
        let right = channel(1).filter(|right| !right.is_null()).unwrap_or(left);
        Some((port, [left, right]))
    }
}
