//! An array of one number a mode. It begins at a cache line, so that no register is read from or written to two lines: loops over many modes take up
//! to twice as long otherwise, depending on where the allocator happens to put their arrays.

use crate::modal::simd::LANES;
use aligned_vec::{AVec, ConstAlign};

/// A cache line, and the widest register [bytes].
const ALIGNMENT: usize = 64;

/// An array of one number a mode.
pub type ModeArray = AVec<f64, ConstAlign<ALIGNMENT>>;

/// Room for the numbers of `modes` modes, padded to a multiple of [`LANES`]; the only allocation.
pub fn mode_array(modes: usize) -> ModeArray {
    ModeArray::with_capacity(ALIGNMENT, modes.next_multiple_of(LANES))
}
