//! Curved contact laws by linear segments: every segment is solved exactly, every knot passed at its exact time.
//!
//! [Rath] names this as future work: "several linear phases" and a transition matrix computed at run time. A segment has its own
//! contact basis, built when a contact first enters it. Between two knots the motion is exact; the time at which a knot is passed
//! is a root in continuous time, so that no energy is cut off and no offset element is needed, except for a moving contact point.
//!
//! Each passage costs O(N^2), too much for real time.

use crate::contact::ContactLaw;
use crate::contact::RigidImpact;
use crate::eigenbasis::ContactBasis;
use crate::lab::schemes::crossing::{End, first_exit};
use crate::lab::schemes::free_step::Free;
use crate::lab::schemes::piecewise_law::BrokenLine;
use crate::lab::schemes::system::{Cost, Scheme, State, System};
use std::collections::BTreeMap;

/// Maximum number of knots passed in a sample; the rest of it is stepped in the segment reached.
const MAX_PASSAGES: u32 = 1000;

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
