//! The force pulse of one contact, for display: fixed size, thinned out as it grows.

/// Most points of a pulse.
pub const POINTS: usize = 128;

/// One point of a pulse.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct HitPoint {
    /// Time since the contact began [s].
    pub time: f32,
    /// Compression [m].
    pub compression: f32,
    /// Compression velocity [m/s].
    pub velocity: f32,
    /// Contact force [N].
    pub force: f32,
}

/// One finished contact. Plain data, copied across threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitPulse {
    /// Counts finished contacts since the engine was built.
    pub number: u32,
    /// Key of the body that was struck.
    pub key: u8,
    /// Compression velocity when the contact began [m/s].
    pub velocity_in: f64,
    /// Compression velocity when it ended [m/s], below 0.
    pub velocity_out: f64,
    /// Hammer mass [kg].
    pub mass: f64,
    /// Time from begin to end [s].
    pub duration: f64,
    /// Largest force [N].
    pub peak_force: f64,
    /// Largest compression [m].
    pub max_compression: f64,
    /// Substeps that the contact took.
    pub substeps: u32,
    /// Energy of the hammer when the contact began [J].
    pub energy_in: f64,
    /// Energy of the hammer when it ended [J].
    pub energy_hammer: f64,
    /// Energy that the body gained meanwhile [J].
    pub energy_body: f64,
    /// Energy lost inside the contact [J].
    pub energy_contact_loss: f64,
    /// The pulse; only the first `count` points count.
    pub points: [HitPoint; POINTS],
    /// Number of points, 2 to [`POINTS`].
    pub count: usize,
}

impl HitPulse {
    /// The points, in order of time.
    pub fn points(&self) -> &[HitPoint] {
        &self.points[..self.count.min(POINTS)]
    }
}
