//! Limits of the figures, as ratios to other figures.

/// Upper limit of a figure.
pub struct Limit {
    /// Name of the figure.
    pub key: &'static str,
    /// Name of the figure that it is divided by.
    pub reference: &'static str,
    /// Largest allowed ratio.
    pub maximum: f64,
    /// Desired ratio; equal to `maximum` where no further improvement is planned.
    pub goal: f64,
}

const fn limit(key: &'static str, reference: &'static str, maximum: f64, goal: f64) -> Limit {
    Limit { key, reference, maximum, goal }
}

/// Limits of all figures that have one.
pub const LIMITS: [Limit; 31] = [
    limit("ring_stereo_64", "yardstick_64", 0.13, 0.08),
    limit("ring_stereo_1024", "yardstick_64", 2.1, 1.0),
    limit("ring_tension_64", "yardstick_64", 4.0, 2.5),
    limit("ring_plate_192", "yardstick_64", 65.0, 40.0),
    limit("ring_disc_100", "yardstick_64", 42.0, 30.0),
    limit("ring_field_2048", "yardstick_64", 2.7, 2.2),
    limit("connected_pair_64", "single_64_by_sample", 2.5, 2.5),
    limit("connections_16x64", "yardstick_64", 25.0, 18.0),
    limit("contact_substep_64", "yardstick_64", 1.8, 1.4),
    limit("contact_sample_64_p8", "yardstick_64", 2.3, 2.3),
    limit("contact_sample_64_p16", "yardstick_64", 7.5, 7.5),
    limit("contact_sample_256_p16", "yardstick_64", 7.0, 5.5),
    limit("contact_field_2048_k4", "yardstick_64", 28.0, 22.0),
    limit("contact_plate_192", "yardstick_64", 130.0, 80.0),
    limit("offset_sample_64", "yardstick_64", 1.5, 1.5),
    limit("worst_block", "median_contact_block", 2.0, 1.2),
    limit("worst_block", "yardstick_64", 220.0, 220.0),
    limit("worst_block_256", "yardstick_64", 220.0, 220.0),
    limit("worst_block_6x64", "yardstick_64", 220.0, 220.0),
    limit("worst_block_field", "yardstick_64", 220.0, 220.0),
    limit("voices_16x1709_ringing", "yardstick_64", 48.0, 38.0),
    limit("build_field_2048", "yardstick_64", 2e5, 2e5),
    limit("drive_4x10kn", "yardstick_64", 220.0, 220.0),
    limit("engine_64x1024_ringing", "yardstick_64", 80.0, 49.0),
    limit("engine_32x64_contact", "yardstick_64", 250.0, 250.0),
    limit("engine_empty", "yardstick_64", 0.02, 0.02),
    limit("retune_64", "yardstick_64", 11.0, 11.0),
    limit("build_disc_100", "yardstick_64", 1e6, 1e6),
    limit("build_256", "yardstick_64", 14_000.0, 2000.0),
    limit("snapshot", "yardstick_64", 4.0, 4.0),
    limit("held_16x64", "yardstick_64", 75.0, 75.0),
];
