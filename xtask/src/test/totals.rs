//! Totals of one run of the checks.

/// Counts of all tests and steps, and their times.
#[derive(Default)]
pub struct Totals {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// Time of building [s].
    pub build_seconds: f64,
    pub timed_tests: Vec<TimedTest>,
}

/// A test and its time.
pub struct TimedTest {
    pub name: String,
    pub seconds: f64,
}
