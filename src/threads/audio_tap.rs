//! The sound for an open window, in chunks of fixed length.

use crossbeam_channel::Sender;

/// Samples of a chunk.
pub const CHUNK_LENGTH: usize = 256;

/// A piece of the sound: the mean of left and right.
pub type AudioChunk = [f32; CHUNK_LENGTH];

/// Collects chunks of the sound and sends them; never allocates, locks or waits.
pub struct AudioTap {
    chunk: AudioChunk,
    filled: usize,
    chunks: Sender<AudioChunk>,
}

impl AudioTap {
    /// A tap that sends to `chunks`.
    pub fn new(chunks: Sender<AudioChunk>) -> Self {
        Self { chunk: [0.0; CHUNK_LENGTH], filled: 0, chunks }
    }

    /// Takes left and right of a block. A chunk for which the channel has no room is dropped.
    pub fn take(&mut self, [left, right]: [&[f32]; 2]) {
        for (left, right) in left.iter().zip(right) {
            self.chunk[self.filled] = 0.5 * (left + right);
            self.filled += 1;
            if self.filled == CHUNK_LENGTH {
                let _ = self.chunks.try_send(self.chunk);
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
    fn chunks_are_contiguous_for_any_block_size() {
        let (send, chunks) = bounded(8);
        let mut tap = AudioTap::new(send);
        let sound: Vec<f32> = (0..1100).map(|k| k as f32).collect();
        for block in sound.chunks(77) {
            tap.take([block, block]);
        }
        let received: Vec<f32> = chunks.try_iter().flatten().collect();
        assert_eq!(received, sound[..1024]);
    }
}
