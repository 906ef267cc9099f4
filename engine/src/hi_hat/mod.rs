//! A hi-hat: two cymbals in one network, a pedal that closes them, and sticks.

mod building;
mod chatter;
mod exchange;
mod frame;
mod hi_hat;
mod pedal;
mod plate;
mod points;
mod stick_hit;
mod sticks;

pub use crate::hi_hat::hi_hat::{HiHat, HiHatCapacity, HiHatChanges};
pub use crate::hi_hat::pedal::PedalSetting;
pub use crate::hi_hat::plate::{LOWER_MASS, LOWER_PITCH};
pub use crate::hi_hat::points::{PLATES, POINTS, point};
pub use crate::hi_hat::sticks::StickStroke;
