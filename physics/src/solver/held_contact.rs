//! State of the held modes within a sample, at one contact and at all contacts of a body.

/// Held modes under one contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HeldContact {
    /// Compliance B over a sample [m/N].
    pub compliance: f64,
    /// Displacement D over the present sample without force [m].
    pub way: f64,
    /// The same over the next sample, known at the end of this one as long as the body says so.
    pub next_way: f64,
    /// Sum of weights and displacements at the start of the sample [m].
    pub place: f64,
    /// Displacement since the start of the sample [m].
    pub moved: f64,
    /// Velocity in the last substep [m/s].
    pub velocity: f64,
    /// Impulse of the force since the start of the sample [N s].
    pub impulse: f64,
}

/// Held modes under all contacts of a body.
#[derive(Clone, Debug)]
pub(crate) struct HeldSample {
    /// B_ab of hammers a and b [m/N], row by row; 0 without held modes.
    pub coupling: Vec<f64>,
    /// Work of the contacts in the last substep [J], negative where they give to the held modes.
    pub work: f64,
    /// The same since the start of the sample [J].
    pub total_work: f64,
    /// Sum of the mean of F_a F_b times B_ab since the start of the sample [J].
    pub squares: f64,
}

impl HeldSample {
    /// For `hammers` hammers; allocates.
    pub fn new(hammers: usize) -> Self {
        Self { coupling: vec![0.0; hammers * hammers], work: 0.0, total_work: 0.0, squares: 0.0 }
    }
}
