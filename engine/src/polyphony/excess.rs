//! Hammers that exceed the cost budget.

/// Hammers that cost too much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// Part of them, 0 to 1.
    pub part: f32,
    /// Whether the obstacles of the last voice that has any stay.
    pub last: LastObstacles,
}

/// Whether the obstacles of the last voice that has any stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastObstacles {
    /// They stay, whatever they cost.
    Stay,
    /// They leave once no other hammer can: the cost is at its upper limit. Those of a driven hammer on a body of many modes may cost more than can be
    /// sustained.
    Leave,
}
