//! The sound on its way to an open window, in strips of fixed length.

use crossbeam_channel::Sender;

/// Samples of a strip.
pub const STRIP: usize = 256;

/// A piece of the sound: the mean of left and right.
pub type AudioChunk = [f32; STRIP];

/// Gathers strips and sends them off; allocates, locks and waits nowhere.
pub struct AudioTap {
    strip: AudioChunk,
    filled: usize,
    strips: Sender<AudioChunk>,
}

impl AudioTap {
    /// Sends to `strips`.
    pub fn new(strips: Sender<AudioChunk>) -> Self {
        Self { strip: [0.0; STRIP], filled: 0, strips }
    }

    /// Takes left and right of a block; a strip that nobody takes is lost.
    pub fn take(&mut self, [left, right]: [&[f32]; 2]) {
        for (left, right) in left.iter().zip(right) {
            self.strip[self.filled] = 0.5 * (left + right);
            self.filled += 1;
            if self.filled == STRIP {
                let _ = self.strips.try_send(self.strip);
                self.filled = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::bounded;

    use super::*;

    #[test]
    fn strips_follow_each_other_whatever_the_blocks() {
        let (send, strips) = bounded(8);
        let mut tap = AudioTap::new(send);
        let sound: Vec<f32> = (0..1100).map(|k| k as f32).collect();
        for block in sound.chunks(77) {
            tap.take([block, block]);
        }
        let heard: Vec<f32> = strips.try_iter().flatten().collect();
        assert_eq!(heard, sound[..1024]);
    }
}
