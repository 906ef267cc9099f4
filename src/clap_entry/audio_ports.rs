//! A host's audio ports as nice-plug can take them: two channels each, or none.
//!
//! nice-plug 0.4.2 takes channel pointers unseen, overflows over an output of more than two channels, looks one port too far where
//! the host gives a count of zero, and leaves in its buffer what the host's output held where a main input is missing.

use std::ptr::null;

use clap_sys::audio_buffer::clap_audio_buffer;
use clap_sys::process::clap_process;

use urto_engine::patch::OUTPUTS;

/// Channels of every port.
const CHANNELS: u32 = 2;

/// Where the straightened ports of one block live.
pub struct Sound {
    input: clap_audio_buffer,
    channels: [*mut f32; CHANNELS as usize],
    /// One more than there can be, all empty where the host gives none.
    outputs: [clap_audio_buffer; OUTPUTS + 1],
}

impl Sound {
    /// Empty.
    pub fn new() -> Self {
        // SAFETY: of plain numbers and pointers, all zero is a value.
        unsafe { std::mem::zeroed() }
    }

    /// Sets the ports of `block` straight. With `through`, what comes in is in nice-plug's output before it is overwritten; silence
    /// if nothing comes in.
    ///
    /// # Safety
    /// The block's ports must be as many, have as many channels and be as long as it says. The block may not outlive `self`.
    pub unsafe fn straighten(&mut self, block: &mut clap_process, through: bool) {
        // SAFETY: by contract.
        unsafe {
            let input = first(block);
            self.outputs(block);
            (block.audio_inputs, block.audio_inputs_count) = match input {
                Some((port, channels)) => {
                    self.channels = channels;
                    let data32 = self.channels.as_mut_ptr();
                    // nice-plug copies as many channels into the output as come in
                    let channel_count = if through { self.outputs[0].channel_count } else { CHANNELS };
                    self.input = clap_audio_buffer { data32, channel_count, ..port };
                    (&raw const self.input, 1)
                }
                None => (null(), 0),
            };
            if through && input.is_none() {
                self.silence(block.frames_count as usize);
            }
        }
    }

    /// # Safety
    /// As for [`Sound::straighten`].
    unsafe fn outputs(&mut self, block: &mut clap_process) {
        if block.audio_outputs_count == 0 || block.audio_outputs.is_null() {
            return;
        }
        let given = (block.audio_outputs_count as usize).min(OUTPUTS);
        for (i, output) in self.outputs.iter_mut().enumerate().take(given) {
            // SAFETY: as many ports as said.
            unsafe {
                let host = block.audio_outputs.add(i);
                (*host).constant_mask = 0;
                *output = clap_audio_buffer { channel_count: (*host).channel_count.min(CHANNELS), ..*host };
            }
        }
        (block.audio_outputs, block.audio_outputs_count) = (self.outputs.as_mut_ptr(), given as u32);
    }

    /// Silence in the main output.
    ///
    /// # Safety
    /// As for [`Sound::straighten`].
    unsafe fn silence(&self, frames: usize) {
        let main = &self.outputs[0];
        if main.data32.is_null() {
            return;
        }
        for i in 0..main.channel_count as usize {
            // SAFETY: as many channels as said, each as long as the block.
            unsafe {
                let channel = *main.data32.add(i);
                if !channel.is_null() {
                    std::slice::from_raw_parts_mut(channel, frames).fill(0.0);
                }
            }
        }
    }
}

/// The first input port and its two channels, of which mono has the same twice; nothing if the host gives no float samples.
///
/// # Safety
/// The block's input ports must be as many, and have as many channels, as it says.
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
