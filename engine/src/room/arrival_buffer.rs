//! Sound between its source and a microphone: what arrives in each of the next frames.

use crate::block::CONTROL_BLOCK;

/// Sums of what arrives in the next frames.
pub struct ArrivalBuffer {
    /// A ring.
    frames: Box<[f64]>,
    /// Place of the next control block in it.
    next: usize,
    /// Frames from there on in which something may arrive.
    pending: usize,
}

impl ArrivalBuffer {
    /// Empty, for delays up to `longest` [frames]. Allocates.
    pub fn new(longest: usize) -> Self {
        let length = (longest + 2 * CONTROL_BLOCK).next_multiple_of(CONTROL_BLOCK);
        Self { frames: vec![0.0; length].into(), next: 0, pending: 0 }
    }

    /// Whether nothing arrives.
    pub fn is_empty(&self) -> bool {
        self.pending == 0
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        if self.pending > 0 {
            self.frames.fill(0.0);
        }
        (self.next, self.pending) = (0, 0);
    }

    /// Adds `sound`, the control block before the next one, `delay` frames later; at least a control block, and no more than the longest.
    pub fn add(&mut self, sound: &[f64; CONTROL_BLOCK], delay: usize, gain: f64) {
        let length = self.frames.len();
        let ahead = delay.saturating_sub(CONTROL_BLOCK).min(length - CONTROL_BLOCK);
        self.pending = self.pending.max(ahead + CONTROL_BLOCK);
        let start = (self.next + ahead) % length;
        if let Some(frames) = self.frames.get_mut(start..start + CONTROL_BLOCK) {
            frames.iter_mut().zip(sound).for_each(|(sum, x)| *sum += gain * x);
            return;
        }
        for (n, x) in sound.iter().enumerate() {
            self.frames[(start + n) % length] += gain * x;
        }
    }

    /// Removes and returns what arrives in the next control block.
    pub fn take(&mut self) -> [f64; CONTROL_BLOCK] {
        let mut block = [0.0; CONTROL_BLOCK];
        if self.pending > 0 {
            block.copy_from_slice(&self.frames[self.next..self.next + CONTROL_BLOCK]);
            self.frames[self.next..self.next + CONTROL_BLOCK].fill(0.0);
            self.next = (self.next + CONTROL_BLOCK) % self.frames.len();
            self.pending = self.pending.saturating_sub(CONTROL_BLOCK);
        }
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also across the end of the ring.
    #[test]
    fn sound_arrives_after_its_delay() {
        let mut buffer = ArrivalBuffer::new(100);
        let mut sound = [0.0; CONTROL_BLOCK];
        (sound[0], sound[15]) = (1.0, 0.5);
        for round in 0..40 {
            let delay = 16 + round * 2;
            buffer.add(&sound, delay, 2.0);
            let mut heard = Vec::new();
            while !buffer.is_empty() {
                heard.extend(buffer.take());
            }
            let expected = [(delay - 16, 2.0), (delay - 1, 1.0)];
            let found: Vec<_> = heard.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect();
            assert_eq!(found, expected);
            assert!(buffer.frames.iter().all(|x| *x == 0.0));
        }
    }

    #[test]
    fn a_delay_beyond_the_longest_stays_in_the_ring() {
        let mut buffer = ArrivalBuffer::new(20);
        buffer.add(&[1.0; CONTROL_BLOCK], 10_000, 1.0);
        buffer.add(&[1.0; CONTROL_BLOCK], 0, 1.0);
        let (mut sum, mut blocks) = (0.0, 0);
        while !buffer.is_empty() {
            sum += buffer.take().iter().sum::<f64>();
            blocks += 1;
        }
        assert_eq!((sum, blocks * CONTROL_BLOCK), (32.0, buffer.frames.len()));
    }
}
