//! A delay line whose length may change while it is at rest. What was written before the rest is not read, so that nothing has to be cleared.

use crate::block::CONTROL_BLOCK;

/// A ring of frames.
pub struct DelayLine {
    frames: Box<[f64]>,
    /// Place of the next control block.
    next: usize,
    /// Delay [frames].
    length: usize,
    /// Frames written since the line was at rest, as far as they are in the ring.
    written: usize,
}

impl DelayLine {
    /// At rest, with room for a delay of up to `longest` frames. Allocates.
    pub fn new(longest: usize) -> Self {
        let capacity = (longest + CONTROL_BLOCK).next_multiple_of(CONTROL_BLOCK);
        Self { frames: vec![0.0; capacity].into(), next: 0, length: CONTROL_BLOCK, written: 0 }
    }

    /// At rest, with the delay `length` [frames]; at least a control block, and no more than the longest.
    pub fn set_length(&mut self, length: usize) {
        self.length = length.clamp(CONTROL_BLOCK, self.frames.len() - CONTROL_BLOCK);
        self.rest();
    }

    /// Delay [frames].
    pub fn length(&self) -> usize {
        self.length
    }

    /// Removes everything.
    pub fn rest(&mut self) {
        (self.next, self.written) = (0, 0);
    }

    /// What leaves the line in the next control block.
    pub fn read(&self) -> [f64; CONTROL_BLOCK] {
        let capacity = self.frames.len();
        let start = (self.next + capacity - self.length) % capacity;
        let unwritten = self.length.saturating_sub(self.written);
        let mut block = [0.0; CONTROL_BLOCK];
        if unwritten == 0
            && let Some(frames) = self.frames.get(start..start + CONTROL_BLOCK)
        {
            block.copy_from_slice(frames);
            return block;
        }
        for (n, x) in block.iter_mut().enumerate().skip(unwritten) {
            *x = self.frames[(start + n) % capacity];
        }
        block
    }

    /// Adds the next control block, which ends it.
    pub fn write(&mut self, block: &[f64; CONTROL_BLOCK]) {
        self.frames[self.next..self.next + CONTROL_BLOCK].copy_from_slice(block);
        self.next = (self.next + CONTROL_BLOCK) % self.frames.len();
        self.written = (self.written + CONTROL_BLOCK).min(self.frames.len());
    }

    /// Energy of the frames that have not left it.
    #[cfg(test)]
    pub fn energy(&self) -> f64 {
        let back = |n: usize| self.frames[(self.next + self.frames.len() - 1 - n) % self.frames.len()].powi(2);
        (0..self.length.min(self.written)).map(back).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also over the end of the ring and after a rest.
    #[test]
    fn sound_leaves_after_the_length() {
        let mut line = DelayLine::new(100);
        for length in [16, 17, 40, 97, 100] {
            line.set_length(length);
            let input = |n: usize| 1.0 + (length * 1000 + n) as f64;
            for block in 0..30 {
                let start = block * CONTROL_BLOCK;
                let expected: Vec<f64> =
                    (start..start + CONTROL_BLOCK).map(|n| n.checked_sub(length).map_or(0.0, input)).collect();
                assert_eq!(line.read()[..], expected, "{length} frames, block {block}");
                line.write(&std::array::from_fn(|n| input(start + n)));
            }
        }
    }
}
