//! Recent motion of the driven hammer for display: height, contact force and signal, one point a millisecond.

/// Number of points kept.
pub const POINTS: usize = 240;

/// Duration of a point [s].
pub const POINT: f64 = 1e-3;

/// One millisecond of the drive.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct TracePoint {
    /// Height of the hammer over the body [m], the lowest if they touched; of two hammers that of the left one.
    pub height: f32,
    /// Largest contact force [N].
    pub contact: f32,
    /// Largest force of the signal on the hammer [N], with its sign: above 0 towards the body.
    pub push: f32,
    /// Largest |sample| of the side-chain.
    pub input: f32,
}

/// The recent points.
#[derive(Clone, Debug)]
pub struct Trace {
    points: [TracePoint; POINTS],
    /// Place of the next point.
    next: usize,
    /// Number of points not taken yet.
    new: usize,
    /// The point being filled.
    current: TracePoint,
    /// Frames until it is complete.
    frames_left: u32,
}

impl Default for Trace {
    fn default() -> Self {
        Self { points: [TracePoint::default(); POINTS], next: 0, new: 0, current: TracePoint::default(), frames_left: 0 }
    }
}

impl Trace {
    /// Adds one frame of the signal before it is rendered: force [N], input level, sample rate [Hz].
    pub fn add_signal(&mut self, push: f64, input: f64, rate: f64) {
        if self.frames_left == 0 {
            self.finish_point(rate);
        }
        self.frames_left -= 1;
        let push = push as f32;
        if push.abs() > self.current.push.abs() {
            self.current.push = push;
        }
        self.current.input = self.current.input.max(input as f32);
    }

    /// Adds one frame of the hammers: height [m] of the left one if it is attached, largest contact force [N].
    pub fn add_hammers(&mut self, height: Option<f64>, contact: f64) {
        let touched = self.current.contact > 0.0;
        self.current.contact = self.current.contact.max(contact as f32);
        if let Some(height) = height {
            let height = height as f32;
            self.current.height = if touched { self.current.height.min(height) } else { height };
        }
    }

    fn finish_point(&mut self, rate: f64) {
        self.frames_left = ((POINT * rate).round() as u32).max(1);
        self.points[self.next] = self.current;
        self.next = (self.next + 1) % POINTS;
        self.new = (self.new + 1).min(POINTS);
        self.current = TracePoint { height: self.current.height, ..TracePoint::default() };
    }

    /// Points since the last call, oldest first.
    pub fn take(&mut self) -> impl Iterator<Item = TracePoint> + '_ {
        let new = std::mem::take(&mut self.new);
        let first = self.next + POINTS - new;
        (0..new).map(move |k| self.points[(first + k) % POINTS])
    }
}
