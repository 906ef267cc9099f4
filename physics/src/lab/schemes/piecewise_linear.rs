//! Scheme for curved contact laws in linear segments: every segment is solved exactly, every knot passed at its exact time.
//!
//! [Rath] names this as future work: "several linear phases" and a transition matrix computed at run time. A segment has its own
//! contact basis, built when a contact first enters it. Between two knots the motion is exact; the time at which a knot is passed
//! is a root in continuous time, so that no energy is cut off and no offset element is needed, except for a moving contact point.
//!
//! Each passage costs O(N^2), too much for real time.

use std::collections::BTreeMap;

use crate::contact::{ContactLaw, HuntCrossley, RigidImpact};
use crate::eigenbasis::ContactBasis;
use crate::lab::schemes::system::{Cost, Free, Scheme, State, System};

/// Maximum number of knots passed in a sample; the rest of it is stepped in the segment reached.
const MAX_PASSAGES: u32 = 1000;

/// Segments beyond x_top, in units of L; the last of them is unbounded.
const BEYOND: usize = 8;

/// Minimum and maximum number of pieces of the time in the search for a knot; else one for each radian of the fastest mode, so that
/// no piece has two turns.
const PIECES: (f64, f64) = (4.0, 1e6);
/// Maximum number of steps to a root.
const MAX_STEPS: u32 = 80;

/// The method: linear segments up to the compression expected from the closing speed.
#[derive(Clone, Debug)]
pub struct Piecewise {
    count: usize,
    /// The line of the present contact; None before the first.
    line: Option<BrokenLine>,
    bases: BTreeMap<usize, ContactBasis>,
    /// Segment of the present state; None: apart.
    segment: Option<usize>,
    built: Option<System>,
    /// Compression [m] at the last sample.
    x: f64,
}

impl Piecewise {
    /// With `segments` >= 1 up to the expected deepest compression.
    pub fn new(segments: usize) -> Self {
        Self { count: segments.max(1), line: None, bases: BTreeMap::new(), segment: None, built: None, x: 0.0 }
    }

    /// Energy [J] of the segments at compression x [m].
    pub fn potential(&self, x: f64) -> f64 {
        self.segment.zip(self.line.as_ref()).map_or(0.0, |(l, line)| line.segments()[l].potential(x))
    }

    /// The segments of the present or last contact.
    pub fn line(&self) -> Option<&BrokenLine> {
        self.line.as_ref()
    }

    /// Sets the segments for a contact that begins now: up to the deepest compression on a rigid partner of the same mobility.
    fn touch(&mut self, system: &System, state: &State) {
        let ContactLaw::HuntCrossley(law) = &system.law else { unreachable!("the law is Hunt and Crossley's: see Method::can") };
        let impact = RigidImpact {
            mass: 1.0 / system.along(&system.weights),
            stiffness: law.stiffness(),
            exponent: law.exponent(),
            damping: law.damping(),
            velocity: system.closing(state).max(1e-9),
        };
        self.line = Some(BrokenLine::new(law, self.count, impact.max_compression()));
        self.bases.clear();
    }

    /// Continues in segment l from the present state. False if no basis was found.
    fn enter(&mut self, l: usize, system: &System, state: &State) -> bool {
        self.segment = Some(l);
        let segment = self.line.as_ref().expect("there is a line in contact").segments()[l];
        let mut built = true;
        let basis = self.bases.entry(l).or_insert_with(|| {
            let mut basis = ContactBasis::new(system.modes.len());
            built = basis.build(&system.modes, &system.weights, segment.stiffness, segment.damping, system.h);
            basis
        });
        if built {
            basis.load(&state.q, &state.v, &system.push, system.gap - state.offset + segment.relaxed);
        }
        built
    }

    /// Continues from x after the contact point has moved, or from a start inside a segment.
    fn resume(&mut self, system: &System, state: &State) -> bool {
        let l = self.line.as_ref().expect("there is a line in contact").at(self.x);
        self.enter(l, system, state)
    }

    /// Apart for at most `time`; the time used.
    fn fly(&mut self, system: &System, state: &mut State, time: f64, cost: &mut Cost) -> f64 {
        let fastest = system.modes.iter().fold(0.0f64, |fastest, mode| fastest.max(mode.omega));
        let exit = first_exit(|t| Free::motion_after(system, state, t), fastest, (f64::NEG_INFINITY, 0.0), time);
        let used = exit.map_or(time, |(t, _)| t);
        Free::advance(system, state, used);
        if exit.is_some() {
            self.touch(system, state);
            cost.unconverged |= !self.enter(0, system, state);
        }
        used
    }

    /// In segment l for at most `time`; the time used.
    fn press(&mut self, l: usize, system: &System, state: &mut State, time: f64, cost: &mut Cost) -> f64 {
        let segment = self.line.as_ref().expect("there is a line in contact").segments()[l];
        let basis = self.bases.get_mut(&l).expect("a segment in use has a basis");
        let origin = system.gap - state.offset;
        let ahead = |t: f64| {
            let (x, closing) = basis.motion_after(t);
            (x - origin, closing)
        };
        let bounds = if cost.pieces < MAX_PASSAGES { (segment.from, segment.to) } else { (f64::NEG_INFINITY, f64::INFINITY) };
        let fastest = basis.eigenvalues().map(|s| s.im.abs()).fold(0.0, f64::max);
        let exit = first_exit(ahead, fastest, bounds, time);
        let used = exit.map_or(time, |(t, _)| t);
        basis.advance(used);
        basis.store(&mut state.q, &mut state.v);
        match exit {
            None => (),
            Some((_, End::Lower)) if l == 0 => {
                self.segment = None;
                state.offset = state.offset.min(0.0);
            }
            Some((_, End::Lower)) => cost.unconverged |= !self.enter(l - 1, system, state),
            Some((_, End::Upper)) => cost.unconverged |= !self.enter(l + 1, system, state),
        }
        used
    }
}

impl Scheme for Piecewise {
    fn step(&mut self, system: &System, state: &mut State) -> Cost {
        let mut cost = Cost::default();
        if self.built.as_ref() != Some(system) {
            self.built = Some(system.clone());
            self.bases.clear();
            if self.segment.is_some() {
                state.offset += self.x - system.compression(state);
                cost.unconverged |= !self.resume(system, state);
            }
        }
        if self.segment.is_none() && system.compression(state) <= state.offset {
            state.offset = 0.0;
        }
        let mut left = system.h;
        while left > 0.0 && !cost.unconverged {
            let used = match self.segment {
                None => self.fly(system, state, left, &mut cost),
                Some(l) => self.press(l, system, state, left, &mut cost),
            };
            cost.pieces += 1;
            left -= used;
        }
        if left > 0.0 {
            // no basis: the contact ends, which only loses energy
            self.segment = None;
            Free::advance(system, state, left);
        }
        self.x = system.compression(state);
        let force = |l: usize| self.line.as_ref().map_or(0.0, |line| line.segments()[l].force(self.x, system.closing(state)));
        state.force = self.segment.map_or(0.0, force);
        state.surplus = self.segment.map_or(0.0, |_| self.potential(self.x) - system.law.stored(self.x, 0.0, 0.0));
        cost
    }
}

/// One linear segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Its beginning [m].
    pub from: f64,
    /// Its end [m]; infinite for the last.
    pub to: f64,
    /// Stiffness k_l [N/m].
    pub stiffness: f64,
    /// Compression e_l [m] at which its spring alone would be relaxed.
    pub relaxed: f64,
    /// Damping c_l [N s/m].
    pub damping: f64,
    /// Energy [J] at its beginning.
    energy: f64,
}

/// Contact law of several linear segments that approximates a curved one ([Rath] section 3: "several linear phases").
///
/// ```text
/// f = k_l (x - e_l) + c_l x'   for x_l < x <= x_(l+1)       continuous in x where x' = 0
/// x_l = x_top (l/L)^(2/alpha)                                the same error of the chord in every segment: width ~ f''^(-1/2)
/// c_l = mean of mu k x^alpha over the segment
/// ```
///
/// x_top is the deepest compression to be expected; deeper knots follow the same rule. The knots' forces are slightly below the
/// curve, by f'' (x_(l+1) - x_(l-1))^2/48, so that the energy under the line is right to the next order.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenLine {
    segments: Vec<Segment>,
}

impl Segment {
    /// Energy U [J] at compression x [m] within.
    pub fn potential(&self, x: f64) -> f64 {
        let (start, end) = (self.from - self.relaxed, x - self.relaxed);
        self.energy + 0.5 * self.stiffness * (end - start) * (end + start)
    }

    /// Force [N] at compression x [m] within, and velocity v [m/s].
    pub fn force(&self, x: f64, v: f64) -> f64 {
        self.stiffness * (x - self.relaxed) + self.damping * v
    }
}

impl BrokenLine {
    /// `count` >= 1 segments up to compression `top` [m] > 0.
    pub fn new(law: &HuntCrossley, count: usize, top: f64) -> Self {
        let (k, alpha, mu) = (law.stiffness(), law.exponent(), law.damping());
        let knot = |l: usize| top * (l as f64 / count as f64).powf(2.0 / alpha);
        let force = |l: usize| {
            let x = knot(l);
            let curvature = if l > 0 { alpha * (alpha - 1.0) * k * x.powf(alpha - 2.0) } else { 0.0 };
            k * x.powf(alpha) - if l > 0 { curvature * (knot(l + 1) - knot(l - 1)).powi(2) / 48.0 } else { 0.0 }
        };
        let area = |x: f64| k * x.powf(alpha + 1.0) / (alpha + 1.0);
        let (mut segments, mut energy) = (Vec::with_capacity(BEYOND * count), 0.0);
        for l in 0..BEYOND * count {
            let (from, to) = (knot(l), knot(l + 1));
            let (low, high) = (force(l), force(l + 1));
            let stiffness = (high - low) / (to - from);
            let damping = mu * (area(to) - area(from)) / (to - from);
            segments.push(Segment { from, to, stiffness, relaxed: from - low / stiffness, damping, energy });
            energy += 0.5 * (low + high) * (to - from);
        }
        if let Some(last) = segments.last_mut() {
            last.to = f64::INFINITY;
        }
        Self { segments }
    }

    /// All segments.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The number of the segment that contains compression x [m] > 0.
    pub fn at(&self, x: f64) -> usize {
        self.segments.partition_point(|segment| segment.to < x).min(self.segments.len() - 1)
    }

    /// Energy U [J] at compression x [m]; 0 for x <= 0.
    pub fn potential(&self, x: f64) -> f64 {
        if x > 0.0 { self.segments[self.at(x)].potential(x) } else { 0.0 }
    }
}

/// Which end was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Lower,
    Upper,
}

/// The first time in (0, `time`] [s] at which `motion`, which gives x and x', leaves [low, high], and at which end; None if it
/// stays inside. `fastest` is the largest rate |s| [1/s] in it. A start on an end, or by rounding beyond it, counts as inside
/// while the motion leads inwards.
pub(super) fn first_exit(
    motion: impl Fn(f64) -> (f64, f64),
    fastest: f64,
    (low, high): (f64, f64),
    time: f64,
) -> Option<(f64, End)> {
    let pieces = (time * fastest).ceil().clamp(PIECES.0, PIECES.1);
    let (mut from, mut before) = (0.0, motion(0.0));
    for piece in 1..=pieces as u32 {
        let to = time * f64::from(piece) / pieces;
        let after = motion(to);
        if before.1 * after.1 < 0.0 {
            let turn = root(|t| motion(t).1, from, to, before.1);
            let turned = motion(turn);
            if let Some(exit) = monotone_exit(&motion, (low, high), (from, before.0), (turn, turned.0)) {
                return Some(exit);
            }
            (from, before) = (turn, turned);
        }
        if let Some(exit) = monotone_exit(&motion, (low, high), (from, before.0), (to, after.0)) {
            return Some(exit);
        }
        (from, before) = (to, after);
    }
    None
}

fn monotone_exit(
    motion: impl Fn(f64) -> (f64, f64),
    (low, high): (f64, f64),
    (t0, x0): (f64, f64),
    (t1, x1): (f64, f64),
) -> Option<(f64, End)> {
    let (edge, end) = match () {
        () if x1 > high && x1 > x0 => (high, End::Upper),
        () if x1 < low && x1 < x0 => (low, End::Lower),
        () => return None,
    };
    let inside = if end == End::Upper { x0 < edge } else { x0 > edge };
    Some((if inside { root(|t| motion(t).0 - edge, t0, t1, x0 - edge) } else { t0 }, end))
}

/// The root of `value` between t0, where it is `start`, and t1, where it has the other sign (Illinois variant of regula falsi).
fn root(value: impl Fn(f64) -> f64, mut t0: f64, mut t1: f64, start: f64) -> f64 {
    let (mut y0, mut y1) = (start, value(t1));
    let mut t = t1;
    for step in 0..MAX_STEPS {
        let middle = 0.5 * (t0 + t1);
        t = if step % 8 == 7 || y1 == y0 { middle } else { t1 - y1 * (t1 - t0) / (y1 - y0) };
        if !(t > t0.min(t1) && t < t0.max(t1)) {
            t = middle;
        }
        if (t - t1).abs() <= f64::EPSILON * t.abs() || y1 == 0.0 {
            break;
        }
        let y = value(t);
        if y * y1 < 0.0 {
            (t0, y0) = (t1, y1);
        } else {
            y0 *= 0.5;
        }
        (t1, y1) = (t, y);
    }
    if y1 == 0.0 { t1 } else { t }
}
