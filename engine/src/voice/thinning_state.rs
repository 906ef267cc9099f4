//! Whether the high modes of a voice move: all of them, half of them, or on the way.

use urto_physics::modal::ThinningGains;

/// Whether the high modes of a voice move.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::large_enum_variant, reason = "a voice has one, and a box would be allocated on the audio thread")]
pub(super) enum Thinning {
    /// All of them.
    #[default]
    Off,
    /// The pickups fade to half of them.
    Fading(ThinningGains),
    /// Half of them.
    On,
}
