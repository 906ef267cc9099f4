//! What the figures may be.

/// A bound on a figure.
pub struct Bound {
    /// Its name.
    pub key: &'static str,
    /// What it is compared with.
    pub over: &'static str,
    /// Most that it may be over that.
    pub most: f64,
    /// What is hoped for.
    pub goal: f64,
}

const fn bound(key: &'static str, over: &'static str, most: f64, goal: f64) -> Bound {
    Bound { key, over, most, goal }
}

/// All of them. Where nothing more is hoped for the goal is the bound.
pub const BOUNDS: [Bound; 18] = [
    bound("ring_stereo_64", "yardstick_64", 0.13, 0.08),
    bound("ring_stereo_1024", "yardstick_64", 2.1, 1.3),
    bound("contact_substep_64", "yardstick_64", 1.8, 1.4),
    bound("contact_sample_64_p8", "yardstick_64", 2.3, 2.3),
    bound("contact_sample_64_p16", "yardstick_64", 7.5, 7.5),
    bound("contact_sample_256_p16", "yardstick_64", 20.0, 20.0),
    bound("offset_sample_64", "yardstick_64", 1.5, 1.5),
    bound("worst_block", "median_contact_block", 2.0, 1.2),
    bound("worst_block", "yardstick_64", 220.0, 220.0),
    bound("worst_block_256", "yardstick_64", 220.0, 220.0),
    bound("worst_block_6x64", "yardstick_64", 220.0, 220.0),
    bound("engine_64x1024_ringing", "yardstick_64", 140.0, 85.0),
    bound("engine_32x64_contact", "yardstick_64", 250.0, 250.0),
    bound("engine_empty", "yardstick_64", 0.02, 0.02),
    bound("retune_64", "yardstick_64", 11.0, 11.0),
    bound("build_256", "yardstick_64", 14_000.0, 2000.0),
    bound("snapshot", "yardstick_64", 4.0, 4.0),
    bound("held_16x64", "yardstick_64", 75.0, 75.0),
];
