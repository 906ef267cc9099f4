//! Totals of the cost of hammers, for readings and tests.

/// Cost since the budget was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostTotals {
    /// Frames of voices with hammers.
    pub frames: u64,
    /// Substeps, counted once for every hammer in them; none while no hammer touches its body.
    pub substeps: u64,
    /// Frames of voices in which the budget lengthened substeps or ended the iteration of forces early.
    pub bound: u64,
    /// Hammers and obstacles removed because all together cost too much.
    pub relieved: u64,
    /// Dense bodies of which half of the high modes were put to rest because all together cost too much.
    pub thinned: u64,
    /// Dense bodies and networks that faded because all together could cost too much.
    pub faded: u64,
    /// Frames of voices whose potential had fewer modes, or none, because all together cost too much.
    pub reduced: u64,
    /// Cost, in samples of one mode of the reference resonator.
    pub work: f64,
    /// Largest cost of one frame of all voices, in samples of one mode of the reference resonator.
    pub most_in_frame: f32,
    /// Largest cost of 64 consecutive frames.
    pub most_in_window: f32,
}

impl CostTotals {
    /// The sum of both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            frames: self.frames + other.frames,
            substeps: self.substeps + other.substeps,
            bound: self.bound + other.bound,
            relieved: self.relieved + other.relieved,
            thinned: self.thinned + other.thinned,
            faded: self.faded + other.faded,
            reduced: self.reduced + other.reduced,
            work: self.work + other.work,
            most_in_frame: self.most_in_frame.max(other.most_in_frame),
            most_in_window: self.most_in_window.max(other.most_in_window),
        }
    }
}
