//! TODO.

mod air_load;
mod bessel;
pub(crate) mod circular_modes;
mod circular_plate;
mod membrane;

pub use crate::bodies::circular::air_load::Air;
pub(crate) use crate::bodies::circular::bessel::{j, zeros};
pub(crate) use crate::bodies::circular::circular_modes::Round;
pub(crate) use crate::bodies::circular::circular_plate::possible;
pub use crate::bodies::circular::circular_plate::{Disc, EdgeSupport};
pub use crate::bodies::circular::membrane::Head;
pub(crate) use crate::bodies::circular::membrane::membrane;
