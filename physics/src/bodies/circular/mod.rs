//! Round bodies: drum heads, with the air about them, drums with two heads, and circular plates.

mod air_load;
mod bessel;
pub(crate) mod circular_modes;
mod circular_plate;
mod curved_disc;
mod disc_fields;
mod disc_orders;
mod disc_potential;
mod disc_products;
mod disc_tables;
mod drum_air;
mod membrane;
mod two_heads;

pub use crate::bodies::circular::air_load::{Air, Head};
pub(crate) use crate::bodies::circular::bessel::{j, zeros};
pub use crate::bodies::circular::circular_plate::Disc;
pub use crate::bodies::circular::curved_disc::{CurvedDisc, CurvedDiscSpec, RestShape};
pub use crate::bodies::circular::disc_potential::{DiscPotential, DiscStretch, disc_forms};
pub(crate) use crate::bodies::circular::membrane::membrane_term;
pub use crate::bodies::circular::two_heads::TwoHeads;
