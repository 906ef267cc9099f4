//! Exact transition matrices for the free and for the contact phase, switched with the offset element ([Rath] section 2.2).
//!
//! ```text
//! apart        q_(n+1), v_(n+1) of every mode separately
//! in contact   f = k x + c x' makes all modes one linear system; its eigenvectors: see `eigenbasis`
//! onset        the free step would end with x_(n+1) > 0: the contact begins at n instead, with an offset element
//!              (massless, rigid) that makes x_n = 0, so that the spring adds no energy
//! release      the first sample with x <= 0; the stretched spring is cut and its energy k x^2/2 lost
//! ```
//!
//! Energy never grows. Without the element the spring starts stretched or compressed and adds k x^2/2; this is kept as an option
//! because [Rath] argues from it. A moving contact point rebuilds the basis; the element absorbs the difference.

use crate::contact::ContactLaw;
use crate::eigenbasis::ContactBasis;
use crate::lab::schemes::system::{Cost, Free, Scheme, State, System};

/// How a contact begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Onset {
    /// At the sample before, with the offset element: energy-neutral.
    #[default]
    OffsetElement,
    /// At the sample before, with a stretched spring: adds energy.
    TooEarly,
    /// At the sample after, with a compressed spring: adds energy.
    TooLate,
}

/// Spring [N/m] and damper [N s/m] of a law that is linear while in contact; None for other laws.
pub fn spring_of(law: &ContactLaw) -> Option<(f64, f64)> {
    match law {
        ContactLaw::Linear(law) => Some((law.stiffness(), law.damping())),
        ContactLaw::HuntCrossley(law) if law.exponent() == 1.0 && law.damping() == 0.0 => Some((law.stiffness(), 0.0)),
        _ => None,
    }
}

/// The method of [Rath].
#[derive(Clone, Debug)]
pub struct Offset {
    onset: Onset,
    free: Free,
    next: State,
    basis: ContactBasis,
    /// System for which the basis was built, and whether one was found.
    built: Option<(System, bool)>,
    touching: bool,
    /// Compression [m] at the last sample.
    x: f64,
}

impl Offset {
    /// For systems of up to `modes` modes.
    pub fn new(modes: usize, onset: Onset) -> Self {
        Self {
            onset,
            free: Free::default(),
            next: State::default(),
            basis: ContactBasis::new(modes),
            built: None,
            touching: false,
            x: 0.0,
        }
    }

    /// Whether hammer and body touch.
    pub fn touching(&self) -> bool {
        self.touching
    }

    /// Builds the basis if the system has changed. True if there is a new one.
    fn follow(&mut self, system: &System) -> bool {
        if self.built.as_ref().is_some_and(|(built, _)| built == system) {
            return false;
        }
        let (k, c) = spring_of(&system.law).expect("the law is linear: see Method::can");
        let found = self.basis.build(&system.modes, &system.weights, k, c, system.h);
        self.built = Some((system.clone(), found));
        true
    }

    fn load(&mut self, system: &System, state: &State) {
        if self.built.as_ref().is_some_and(|(_, found)| *found) {
            self.basis.load(&state.q, &state.v, &system.push, system.gap - state.offset);
        }
    }

    /// One sample in contact.
    fn press(&mut self, system: &System, state: &mut State) -> Cost {
        let (k, c) = spring_of(&system.law).expect("the law is linear: see Method::can");
        let found = self.built.as_ref().is_some_and(|(_, found)| *found);
        if found {
            self.basis.step();
            self.basis.store(&mut state.q, &mut state.v);
        } else {
            self.press_without_basis(system, state, (k, c));
        }
        let mut cost = Cost { unconverged: !found, ..Cost::default() };
        self.x = system.compression(state);
        state.force = k * self.x + c * system.closing(state);
        if self.x <= 0.0 {
            self.touching = false;
            cost.cut = 0.5 * k * self.x * self.x;
            state.force = 0.0;
            state.offset = state.offset.min(0.0);
        }
        cost
    }

    /// Where no basis was found: constant force F = k (x0 + x1)/2 + c (x1 - x0)/h over the sample, explicit since all is linear.
    /// Passive; 2nd order.
    fn press_without_basis(&mut self, system: &System, state: &mut State, (k, c): (f64, f64)) {
        let (h, x0) = (system.h, system.compression(state));
        self.free.step(system, state);
        let compliance: f64 = (0..system.modes.len()).map(|i| system.weights[i].powi(2) * self.free.response(i).bq).sum();
        let x = system.compression(state);
        let force = (0.5 * k * (x0 + x) + c * (x - x0) / h) / (1.0 + compliance * (0.5 * k + c / h));
        for i in 0..system.modes.len() {
            state.q[i] -= system.weights[i] * self.free.response(i).bq * force;
            state.v[i] -= system.weights[i] * self.free.response(i).bv * force;
        }
    }
}

impl Scheme for Offset {
    fn step(&mut self, system: &System, state: &mut State) -> Cost {
        if self.touching {
            if self.follow(system) {
                // a contact point that has moved: the element keeps the compression, and with it the energy of the spring
                state.offset += self.x - system.compression(state);
                self.load(system, state);
            }
            return self.press(system, state);
        }
        if system.compression(state) <= state.offset {
            state.offset = 0.0;
        }
        self.next.clone_from(state);
        self.free.step(system, &mut self.next);
        let x = system.compression(&self.next);
        if x <= 0.0 {
            state.clone_from(&self.next);
            return Cost::default();
        }
        self.touching = true;
        self.follow(system);
        if self.onset == Onset::TooLate {
            state.clone_from(&self.next);
            self.x = x;
            self.load(system, state);
            return Cost::default();
        }
        if self.onset == Onset::OffsetElement {
            state.offset -= system.compression(state);
        }
        self.load(system, state);
        self.press(system, state)
    }
}
