//! An array of numbers that begins at a cache line.
//!
//! The passes over thousands of modes read eight and more arrays side by side. Where a block of eight numbers crosses two cache lines, each of
//! its loads takes two accesses.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::slice::{Iter, IterMut};

/// Length of a cache line [bytes].
const LINE: usize = 64;

/// Numbers that a cache line holds.
const LINE_NUMBERS: usize = LINE / size_of::<f64>();

/// Numbers in a row, the first of them at the beginning of a cache line. Used as a slice.
#[derive(Default)]
pub struct AlignedArray {
    data: Vec<f64>,
    /// Where the array begins in `data`.
    start: usize,
}

impl AlignedArray {
    /// Empty, with room for `count` numbers; the only allocation unless it becomes longer.
    pub fn with_capacity(count: usize) -> Self {
        let mut data: Vec<f64> = Vec::with_capacity(count + LINE_NUMBERS - 1);
        let start = data.as_ptr().align_offset(LINE).min(LINE_NUMBERS - 1);
        data.resize(start, 0.0);
        Self { data, start }
    }

    /// The array shortened or lengthened to `len` numbers, the new ones equal to `value`. Allocates beyond the capacity.
    pub fn resize(&mut self, len: usize, value: f64) {
        if self.start + len > self.data.capacity() {
            let mut longer = Self::with_capacity(len);
            longer.data.extend_from_slice(self);
            *self = longer;
        }
        self.data.resize(self.start + len, value);
    }

    /// Removes all numbers.
    pub fn clear(&mut self) {
        self.data.truncate(self.start);
    }
}

impl Deref for AlignedArray {
    type Target = [f64];

    #[inline(always)]
    fn deref(&self) -> &[f64] {
        &self.data[self.start..]
    }
}

impl DerefMut for AlignedArray {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.data[self.start..]
    }
}

impl Clone for AlignedArray {
    fn clone(&self) -> Self {
        let mut clone = Self::with_capacity(self.data.capacity() - self.start);
        clone.data.extend_from_slice(self);
        clone
    }
}

impl fmt::Debug for AlignedArray {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(to)
    }
}

impl PartialEq for AlignedArray {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'a> IntoIterator for &'a AlignedArray {
    type Item = &'a f64;
    type IntoIter = Iter<'a, f64>;

    fn into_iter(self) -> Iter<'a, f64> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut AlignedArray {
    type Item = &'a mut f64;
    type IntoIter = IterMut<'a, f64>;

    fn into_iter(self) -> IterMut<'a, f64> {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also after a clone and beyond the capacity, and without an allocation within it.
    #[test]
    fn array_begins_at_a_cache_line() {
        for count in [0, 1, 8, 13, 1000] {
            let mut array = AlignedArray::with_capacity(count);
            let place = array.as_ptr();
            array.resize(count, 2.0);
            assert!(array.as_ptr() == place && array.iter().all(|x| *x == 2.0) && array.len() == count);
            let mut clone = array.clone();
            assert_eq!(clone, array);
            clone.resize(count + 100, 3.0);
            assert!(clone[..count] == array[..] && clone[count..].iter().all(|x| *x == 3.0), "{count}");
            for aligned in [&array, &clone] {
                assert!(aligned.as_ptr().addr().is_multiple_of(LINE), "{count}");
            }
            clone.clear();
            assert!(clone.is_empty());
        }
    }
}
