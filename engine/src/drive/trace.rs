//! What the drive did lately, for display: hammer, contact and force, a point a millisecond.

/// Points that are kept.
pub const POINTS: usize = 240;

/// Time of a point [s].
pub const POINT: f64 = 1e-3;

/// A millisecond of the drive.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct TracePoint {
    /// Height of the hammer over the body [m], the lowest if they touched; that of two hammers is the left one's.
    pub height: f32,
    /// Largest force between them [N].
    pub contact: f32,
    /// Force of the signal on the hammer [N] where it was largest, with its sign: above 0 towards the body.
    pub push: f32,
    /// Largest |sample| of what came in from outside.
    pub input: f32,
}

/// The last points.
#[derive(Clone, Debug)]
pub struct Trace {
    points: [TracePoint; POINTS],
    /// Where the next one goes, and how many have not been asked for.
    next: usize,
    new: usize,
    /// The one under way, and frames that it still takes.
    now: TracePoint,
    left: u32,
}

impl Default for Trace {
    fn default() -> Self {
        Self { points: [TracePoint::default(); POINTS], next: 0, new: 0, now: TracePoint::default(), left: 0 }
    }
}

impl Trace {
    /// One frame before it is played, at a sample rate [Hz].
    pub fn note_signal(&mut self, push: f64, input: f64, rate: f64) {
        if self.left == 0 {
            self.close(rate);
        }
        self.left -= 1;
        let push = push as f32;
        if push.abs() > self.now.push.abs() {
            self.now.push = push;
        }
        self.now.input = self.now.input.max(input as f32);
    }

    /// What the hammers did in a frame: height [m] of the left one if it is there, largest contact force [N].
    pub fn note_hammers(&mut self, height: Option<f64>, contact: f64) {
        let touched = self.now.contact > 0.0;
        self.now.contact = self.now.contact.max(contact as f32);
        if let Some(height) = height {
            let height = height as f32;
            self.now.height = if touched { self.now.height.min(height) } else { height };
        }
    }

    fn close(&mut self, rate: f64) {
        self.left = ((POINT * rate).round() as u32).max(1);
        self.points[self.next] = self.now;
        self.next = (self.next + 1) % POINTS;
        self.new = (self.new + 1).min(POINTS);
        self.now = TracePoint { height: self.now.height, ..TracePoint::default() };
    }

    /// The points since last asked, oldest first.
    pub fn take(&mut self) -> impl Iterator<Item = TracePoint> + '_ {
        let new = std::mem::take(&mut self.new);
        let first = self.next + POINTS - new;
        (0..new).map(move |k| self.points[(first + k) % POINTS])
    }
}
