//! What a body knocks against from behind: a stop that does not give way, or something loose that a spring and a force hold.
//!
//! ```text
//! x = u + p - gap        u = sum w q: how far the body has come towards it      p: how far it has come towards the body
//! loose                  p'' + 2 sigma p' + omega^2 p = (P - k gap - f)/m,  k = m omega^2, gap = 0 in x: its spring takes the gap
//! fixed                  p = 0
//! ```
//!
//! It is a hammer on the other side: the body's weights have the opposite sign, a stop has the weight 0 of its own (a mass without
//! bounds). Unlike a hammer it stays, and so does its gap: what an onset or a jump takes from the geometry comes back as soon as it is
//! apart, as far as that leaves no compression. Nothing is stored there, so this is neutral in energy.

use crate::contact::ContactLaw;
use crate::contact::Equation;
use crate::modal::Mode;
use crate::modal::{Modes, Span};
use crate::solver::collision::Collision;
use crate::solver::hammer::Hammer;

/// Halvings, in the logarithm, of the interval in which the compression at rest is sought.
const HALVINGS: u32 = 64;
/// Ends of that interval [m].
const DEEPEST: (f64, f64) = (1e-15, 1.0);

/// An obstacle behind the body.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'a> {
    /// The contact's law.
    pub law: ContactLaw,
    /// Mass [kg] > 0 of something loose; None does not give way.
    pub mass: Option<f64>,
    /// Its own spring and damper, omega > 0; a stop has none.
    pub tether: Mode,
    /// How far the body has to come [m], >= 0.
    pub gap: f64,
    /// Force [N] that presses something loose against the body, >= 0.
    pub press: f64,
    /// phi_i/sqrt(M_i) of the body's modes where it is [kg^-1/2], as for a hammer there.
    pub weights: &'a [f64],
}

impl Obstacle<'_> {
    /// Weight of its own at the contact [kg^-1/2].
    fn own(&self) -> f64 {
        self.mass.map_or(0.0, |mass| 1.0 / mass.sqrt())
    }

    /// Force [N] on it towards the body while it is where it would touch the body at rest.
    fn push(&self) -> f64 {
        self.mass.map_or(0.0, |mass| push(mass, self.tether, self.gap, self.press))
    }
}

/// Force [N] towards the body on something loose whose spring rests `gap` [m] away and that `press` [N] presses.
fn push(mass: f64, tether: Mode, gap: f64, press: f64) -> f64 {
    press - mass * tether.omega * tether.omega * gap
}

impl Collision {
    /// Puts an obstacle behind the body, at rest where its spring, its force and the gap let it be; the body gives way nowhere: the
    /// obstacle does. None when all hammers are taken.
    pub fn add_obstacle(&mut self, obstacle: Obstacle) -> Option<usize> {
        self.leave_exact();
        let i = self.hammers.idle()?;
        let (padded, push) = (self.body.modes.padded(), obstacle.push());
        let (own, rigid) = (obstacle.own(), obstacle.mass.is_none());
        let hammer = &mut self.hammers[i];
        let mode = if rigid { Mode::RIGID } else { obstacle.tether };
        hammer.set_up(obstacle.law, [mode], &[own], obstacle.weights, padded);
        hammer.face_behind();
        hammer.stay(if rigid { -obstacle.gap } else { 0.0 });
        hammer.set_push(push);
        if push < 0.0 && mode.omega > 0.0 {
            hammer.bank.modes.q[0] = push * own / (mode.omega * mode.omega);
        }
        hammer.follow_geometry(&self.body.modes);
        Some(self.activate_hammer(i))
    }

    /// A body at rest, on which obstacles have just been put, and nothing else, comes to rest under what presses them: where it is
    /// bent to is where their gaps are counted from. The energy of that is booked as brought along.
    pub fn settle_preload(&mut self) {
        let leaning = |s: &Hammer| s.push() > 0.0;
        if !self.hammers.iter().any(leaning) {
            return;
        }
        let before = self.corrected_energy();
        let mut level = 0;
        for hammer in self.hammers.iter_mut().filter(|s| leaning(s)) {
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
        for hammer in hammers.iter_mut().filter(|s| leaning(s)) {
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

    /// Another gap [m] for obstacle i, and another force [N] that presses it. In contact a stop's gap waits until it is apart; the work
    /// on something loose is booked as supplied.
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
        let padded = self.body.modes.padded();
        self.change_parameters(Some(i), |c| {
            c.hammers[i].set_body_weights(weights, padded);
            c.hammers[i].face_behind();
        });
    }

    /// Where body mode `i` would rest under the forces of now [m kg^1/2].
    pub fn rest(&self, i: usize) -> f64 {
        let omega = self.body.modes.mode(i).omega;
        if omega == 0.0 {
            return 0.0;
        }
        let touching = self.hammers.iter().filter(|s| s.contact.touching);
        let pull: f64 = touching.map(|s| s.felt().get(i).map_or(0.0, |felt| felt * s.substep.solution.force)).sum();
        -pull / (omega * omega)
    }

    /// Whether the body cannot reach obstacle i any more while nothing else acts on either.
    pub fn is_out_of_reach(&self, i: usize) -> bool {
        let (hammer, body) = (&self.hammers[i], &self.body.modes);
        if hammer.contact.touching {
            return false;
        }
        let (now, most) = body.swing(hammer.body_weights());
        let (_, comes) = hammer.own_reach();
        hammer.compression() - now + most + comes < 0.0
    }

    /// How far [m] obstacle i swings about its rest.
    pub fn own_swing(&self, i: usize) -> f64 {
        self.hammers[i].own_reach().0
    }

    /// The body has moved without its hammers and obstacles: they see how far it is.
    pub fn follow_body(&mut self) {
        for hammer in self.hammers.iter_mut().filter(|s| !s.contact.touching) {
            hammer.follow_geometry(&self.body.modes);
        }
    }

    /// A hand on the moving body: v of every mode times `factor`, 0 to 1. Unlike [`Collision::damp`] it leaves a body that is pressed
    /// where it is.
    pub fn slow(&mut self, factor: f64) {
        let factor = factor.clamp(0.0, 1.0);
        self.change_parameters(None, |c| c.body.modes.v.iter_mut().for_each(|v| *v *= factor));
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
    /// On the other side of the body: the body's weights change their sign.
    fn face_behind(&mut self) {
        self.weights.body.iter_mut().for_each(|weight| *weight = -*weight);
    }

    /// Force [N] on the rigid part; 0 on what does not move.
    fn newtons(&self) -> f64 {
        if self.weights.own[0] > 0.0 { self.push / self.weights.own[0] } else { 0.0 }
    }

    /// In contact at the compression x [m].
    fn touch_at(&mut self, x: f64) {
        (self.contact.touching, self.contact.touched) = (true, true);
        self.contact.memory = 0.0;
        self.finish_substep(x);
        self.contact.energy = self.corrected_contact_energy();
    }

    /// Body and own mode go where the force of the solution leaves them at rest.
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

    /// Its gap counts from where body and obstacle are now.
    fn reset_gap(&mut self, body: &Modes) {
        let gap = if self.contact.touching { self.contact.x } else { self.placement.placed + self.position() };
        self.set_geometry(gap, body);
        self.placement.placed = self.placement.offset;
    }

    /// How far [m] its own mode swings about its rest, and how much nearer than now it can come.
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
