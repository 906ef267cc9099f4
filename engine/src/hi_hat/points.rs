//! Points where the plates of a hi-hat touch, rub, and are struck.

use urto_physics::bodies::BodyPosition;

/// Number of plates: the upper one, which sticks strike, and the lower one.
pub const PLATES: usize = 2;

/// Contact points of the rims, dashpots, and sticks at once: as many ports as a network has.
pub(super) const CONTACTS: usize = 7;
pub(super) const DASHPOTS: usize = 7;
pub(super) const STICKS: usize = 2;

/// The contact where tilted plates touch first.
pub(super) const FIRST_CONTACT: usize = 0;

/// Number of points where contacts and dashpots are.
pub const POINTS: usize = CONTACTS + DASHPOTS;

/// Points with a mode of their own in place of the higher modes.
pub(super) const SOFT_POINTS: usize = CONTACTS + STICKS;

/// Number of places along a rim of 1.1 m that touch independently, one in each centimetre, and how many of them the contact where tilted plates touch
/// first stands for when it drives the field. The other contacts share the rest.
const RIM_PLACES: f64 = 110.0;
const FIRST_PLACES: f64 = 4.0;

/// Number of places that contact number `n` stands for.
pub(super) fn places(n: usize) -> f64 {
    if n == FIRST_CONTACT { FIRST_PLACES } else { (RIM_PLACES - FIRST_PLACES) / (CONTACTS - 1) as f64 }
}

/// Number n of a sequence between 0 and 1 that never repeats: multiples of the golden section.
pub(super) fn golden(n: usize) -> f64 {
    (0.618_034 * n as f64).fract()
}

/// The point number `n` on the plates: first the contacts on the rim, then the dashpots between them. The angles are uneven, so that no
/// number of diameters has nodes at all of them.
pub fn point(n: usize) -> BodyPosition {
    let uneven = |n: usize| golden(n) - 0.5;
    if n < CONTACTS {
        BodyPosition { along: 1.0, across: (n as f64 + 0.25 * uneven(n)) / CONTACTS as f64 }
    } else {
        let n = n - CONTACTS;
        BodyPosition { along: 0.96, across: (n as f64 + 0.5 + 0.25 * uneven(n + 3)) / DASHPOTS as f64 }
    }
}
