//! Round bodies: drum heads, with the air about them, and circular plates.

mod air_load;
mod bessel;
pub(crate) mod circular_modes;
mod circular_plate;
mod membrane;

pub use crate::bodies::circular::air_load::{Air, Head};
pub(crate) use crate::bodies::circular::bessel::{j, zeros};
pub use crate::bodies::circular::circular_plate::Disc;
pub(crate) use crate::bodies::circular::membrane::membrane_term;
