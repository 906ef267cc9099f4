//! Obstacles behind a body: a rigid stop, or a loose mass held by a spring and a force.
//!
//! ```text
//! x = u + p - gap        u = sum w q: deflection of the body towards it       p: displacement of the obstacle towards the body
//! loose                  p'' + 2 sigma p' + omega^2 p = (P - k gap - f)/m,  k = m omega^2, gap = 0 in x: its spring takes the gap
//! fixed                  p = 0
//! ```
//!
//! An obstacle is a hammer on the other side: the body's weights have the opposite sign, and a stop has the own weight 0
//! (infinite mass). Unlike a hammer it keeps its gap: an offset added by an onset or a parameter change returns as soon as it is
//! apart, as far as that leaves no compression. No energy is stored there, so this is neutral in energy.

use crate::contact::{ContactLaw, Equation};
use crate::modal::{Mode, Modes, Span};
use crate::solver::collision::Collision;
use crate::solver::hammer::Hammer;

/// Halvings, in the logarithm, of the interval that contains the compression at rest.
const HALVINGS: u32 = 64;
/// Ends of that interval [m].
const DEEPEST: (f64, f64) = (1e-15, 1.0);

/// An obstacle behind the body.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'a> {
    /// The contact's law.
    pub law: ContactLaw,
    /// Mass [kg] > 0 of a loose obstacle; None: a rigid stop.
    pub mass: Option<f64>,
    /// Its own spring and damper, omega > 0; a stop has none.
    pub tether: Mode,
    /// Distance to the body at rest [m], >= 0.
    pub gap: f64,
    /// Force [N] that presses a loose obstacle against the body, >= 0.
    pub press: f64,
    /// phi_i/sqrt(M_i) of the body's modes at its position [kg^-1/2], as for a hammer there.
    pub weights: &'a [f64],
}

impl Obstacle<'_> {
    /// Its own weight at the contact [kg^-1/2].
    fn own(&self) -> f64 {
        self.mass.map_or(0.0, |mass| 1.0 / mass.sqrt())
    }

    /// Force [N] on it towards the body at the position where it touches the body at rest.
    fn push(&self) -> f64 {
        self.mass.map_or(0.0, |mass| push(mass, self.tether, self.gap, self.press))
    }
}

/// Force [N] towards the body on a loose obstacle whose spring rests `gap` [m] away and that `press` [N] preloads.
fn push(mass: f64, tether: Mode, gap: f64, press: f64) -> f64 {
    press - mass * tether.omega * tether.omega * gap
}

impl Collision {
    /// Adds an obstacle behind the body, at rest in the equilibrium of spring, force and gap; the body keeps its position. None
    /// if there is no spare hammer.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> Option<usize> {
        self.leave_exact();
        let i = self.hammers.idle()?;
        let (arrays, push) = (self.body.arrays(), obstacle.push());
        let (own, rigid) = (obstacle.own(), obstacle.mass.is_none());
        let hammer = &mut self.hammers[i];
        let mode = if rigid { Mode::RIGID } else { obstacle.tether };
        hammer.set_up(obstacle.law, [mode], &[own], obstacle.weights, arrays);
        hammer.face_behind();
        hammer.stay(if rigid { -obstacle.gap } else { 0.0 });
        hammer.set_push(push);
        if push < 0.0 && mode.omega > 0.0 {
            hammer.bank.modes.q[0] = push * own / (mode.omega * mode.omega);
        }
        self.fit_held(i);
        self.hammers[i].follow_geometry(&self.body.modes);
        Some(self.activate_hammer(i))
    }

    /// Brings a body at rest, to which only obstacles have been added, into equilibrium under their preloads. Gaps count from the
    /// deflected position; the energy of the deflection is recorded as supplied.
    pub fn settle_preload(&mut self) {
        let is_pressed = |s: &Hammer| s.push() > 0.0;
        if !self.hammers.iter().any(is_pressed) {
            return;
        }
        let before = self.corrected_energy();
        let mut level = 0;
        for hammer in self.hammers.iter_mut().filter(|s| is_pressed(s)) {
            let force = hammer.newtons();
            hammer.touch_at(compression_under(
                force,
                &hammer.contact.law,
                Equation { b: 0.0, beta: 0.0, ..hammer.substep.equation },
            ));
            let speed = (2.0 * hammer.contact_energy() * hammer.mobility()).sqrt();
            level = level.max(self.resolution.level(hammer, speed, self.h));
        }
        self.phase.level = level;
        self.begin_contact(0, 0);
        self.update_coupling(Span::Level(level));
        let Self { hammers, body, .. } = self;
        for hammer in hammers.iter_mut().filter(|s| is_pressed(s)) {
            let force = hammer.newtons();
            let equation = Equation { b: hammer.fit.compliance, beta: hammer.fit.beta, dt: self.h, ..hammer.substep.equation };
            hammer.touch_at(compression_under(force, &hammer.contact.law, equation));
            hammer.substep.solution.force = force;
            body.forget_ahead();
            hammer.deflect(&mut body.modes);
        }
        for hammer in self.hammers.iter_mut() {
            hammer.reset_gap(&self.body.modes);
        }
        let after = self.corrected_energy();
        if let Some(balance) = &mut self.balance {
            balance.record_hammer(after - before);
        }
    }

    /// Sets gap [m] and preload [N] of obstacle i. In contact, a stop takes its new gap when it is apart; the work on a loose
    /// obstacle is recorded as supplied.
    pub fn set_obstacle_gap(&mut self, i: usize, gap: f64, press: f64) {
        let hammer = &self.hammers[i];
        if hammer.mass().is_finite() {
            let force = push(hammer.mass(), hammer.modes().mode(0), gap, press);
            self.set_push(i, force);
        } else {
            self.change_parameters(Some(i), |c| {
                c.hammers[i].stay(-gap);
            });
        }
    }

    /// Weights of the body's modes at obstacle i, as [`Collision::set_weights`] for a hammer.
    pub fn set_weights_behind(&mut self, i: usize, weights: &[f64]) {
        let arrays = self.body.arrays();
        self.change_parameters(Some(i), |c| {
            c.hammers[i].set_body_weights(weights, arrays);
            c.hammers[i].face_behind();
            c.fit_held(i);
        });
    }

    /// Equilibrium of body mode `i` under the present forces [m kg^1/2].
    pub fn rest(&self, i: usize) -> f64 {
        let omega = self.body.modes.mode(i).omega;
        if omega == 0.0 {
            return 0.0;
        }
        let touching = self.hammers.iter().filter(|s| s.contact.touching);
        let force: f64 = touching.map(|s| s.fitted_weights().get(i).map_or(0.0, |felt| felt * s.substep.solution.force)).sum();
        -force / (omega * omega)
    }

    /// Whether the body cannot reach obstacle i any more while nothing else acts on either.
    pub fn is_out_of_reach(&self, i: usize) -> bool {
        let hammer = &self.hammers[i];
        if hammer.contact.touching {
            return false;
        }
        let (_, comes) = hammer.own_reach();
        let left = -hammer.compression() - comes;
        left > 0.0 && self.body_overshoot(hammer.body_weights(), left) < left
    }

    /// Amplitude [m] of obstacle i about its rest.
    pub fn own_swing(&self, i: usize) -> f64 {
        self.hammers[i].own_reach().0
    }

    /// Updates hammers and obstacles after the body has moved without them.
    pub fn follow_body(&mut self) {
        for hammer in self.hammers.iter_mut().filter(|s| !s.contact.touching) {
            hammer.follow_geometry(&self.body.modes);
        }
    }

    /// Damps the motion: v of every mode times `factor`, 0 to 1. Unlike [`Collision::damp`] it keeps the deflection of a
    /// preloaded body.
    pub fn damp_motion(&mut self, factor: f64) {
        let factor = factor.clamp(0.0, 1.0);
        self.change_parameters(None, |c| {
            c.body.forget_ahead();
            c.body.modes.v.iter_mut().for_each(|v| *v *= factor);
            c.tube.damp(factor);
        });
    }
}

/// Compression [m] at which the law holds `force` [N] over a substep at rest.
fn compression_under(force: f64, law: &ContactLaw, equation: Equation) -> f64 {
    let holds = |x: f64| {
        let equation = Equation { x0: x, df: 0.0, memory: law.remembering(0.0, x), ..equation };
        law.substep_force(&equation, 0.0).0
    };
    let (mut low, mut high) = DEEPEST;
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if holds(middle) > force {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

impl Hammer {
    /// Moves it to the other side of the body: the body's weights change their sign.
    fn face_behind(&mut self) {
        self.weights.body.iter_mut().for_each(|weight| *weight = -*weight);
    }

    /// Force [N] on the rigid part; 0 on a stop.
    fn newtons(&self) -> f64 {
        if self.weights.own[0] > 0.0 { self.push / self.weights.own[0] } else { 0.0 }
    }

    /// Puts it in contact at the compression x [m].
    fn touch_at(&mut self, x: f64) {
        (self.contact.touching, self.contact.touched) = (true, true);
        self.contact.memory = 0.0;
        self.finish_substep(x);
        self.contact.energy = self.corrected_contact_energy();
    }

    /// Deflects body and own mode into equilibrium with the force of the solution.
    fn deflect(&mut self, body: &mut Modes) {
        let force = self.substep.solution.force;
        for i in 0..body.len() {
            let omega = body.mode(i).omega;
            if omega > 0.0 {
                body.q[i] -= self.fit.body[i] * force / (omega * omega);
            }
        }
        let omega = self.bank.modes.mode(0).omega;
        if omega > 0.0 {
            self.bank.modes.q[0] = (self.push - self.fit.own[0] * force) / (omega * omega);
        }
    }

    /// Makes the present positions of body and obstacle the reference of its gap.
    fn reset_gap(&mut self, body: &Modes) {
        let gap = if self.contact.touching { self.contact.x } else { self.placement.placed + self.position() };
        self.set_geometry(gap, body);
        self.placement.placed = self.placement.offset;
    }

    /// Amplitude [m] of its own mode about its rest, and how much nearer than now it can come.
    fn own_reach(&self) -> (f64, f64) {
        let (mode, own) = (self.bank.modes.mode(0), self.weights.own[0]);
        if mode.omega == 0.0 {
            return (0.0, 0.0);
        }
        let (q, v) = (self.bank.modes.q[0], self.bank.modes.v[0] / mode.omega);
        let rest = self.push / (mode.omega * mode.omega);
        let swing = (q - rest).hypot(v);
        (own * swing, own * (rest + swing - q))
    }
}
