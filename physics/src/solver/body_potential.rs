//! State of the potential of one body: see `potential`.

use crate::modal::{LentPotential, Mode, ModeBank, Modes, PotentialLevels, PotentialMemory, PotentialSize, Span, dot};
use crate::solver::body_tension::Activity;

/// V + C0 [J] below which its root has no direction.
const LEAST: f64 = 1e-290;

/// Share of the way to the root of V by which psi relaxes in 1/48000 s, and the share of the kinetic energy that this may move.
const RELAXED: f64 = 0.1;
const RELAXED_AT: f64 = 48e3;
const MOST_MOVED: f64 = 0.05;

/// Largest u bq u/2 over a sample, from above: that of a mode at three times the rate. Beyond, rounding would show in the energy balance.
const MOST_DRAG: f64 = 100.0;

/// C0 over the energy of the modes, and the range within which it stays.
const SHIFT: f64 = 2.0;
const SHIFTS: [f64; 2] = [1.25, 8.0];

/// How the potential acts in the present sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PotentialPhase {
    /// By half rotations at both ends.
    #[default]
    Rotating,
    /// By a force along u that is held through all substeps, since something may touch.
    Held,
}

/// The potential of one body.
#[derive(Clone, Debug)]
pub(crate) struct BodyPotential {
    /// Empty without a potential.
    levels: PotentialLevels,
    memory: PotentialMemory,
    activity: Activity,
    /// Factor of V and unit of the rest shape; the length of a sample [s].
    size: PotentialSize,
    h: f64,
    /// Share of the way by which psi relaxes in a sample.
    relaxed: f64,
    /// psi [J^1/2]; psi^2/2 - C0 is the energy that it stores, C0 [J].
    psi: f64,
    shift: f64,
    /// V [J] at the present displacements, if it and its gradient are known.
    value: f64,
    known: bool,
    /// Length of the gradient.
    length: f64,
    phase: PotentialPhase,
    /// u bq u/2 of the span.
    drag: f64,
    fitted: Option<Span>,
    contacts_fitted: Option<Span>,
    /// Mean of psi over the predicted step, and psi after it.
    held: f64,
    next: f64,
    /// V/amount of a mode over the square of its energy, and V/(amount depth) over its power 3/2: the largest of a few, once known.
    steepness: Option<[f64; 2]>,
}

impl BodyPotential {
    /// None, at a sample of h [s].
    pub fn new(h: f64) -> Self {
        Self {
            levels: PotentialLevels::default(),
            memory: PotentialMemory::default(),
            activity: Activity::Resting,
            size: PotentialSize::default(),
            h,
            relaxed: 1.0 - (1.0 - RELAXED).powf(RELAXED_AT * h),
            psi: 0.0,
            shift: 0.0,
            value: 0.0,
            known: false,
            length: 0.0,
            phase: PotentialPhase::Rotating,
            drag: 0.0,
            fitted: None,
            contacts_fitted: None,
            held: 0.0,
            next: 0.0,
            steepness: None,
        }
    }

    /// No potential; the old one is kept until it is taken.
    pub fn clear(&mut self) {
        self.size.amount = 0.0;
        self.set_activity(Activity::Resting);
    }

    /// Exchanges the potential; the body is linear until it is woken.
    pub fn exchange(&mut self, lent: Option<LentPotential>) -> Option<LentPotential> {
        self.clear();
        self.steepness = None;
        let (levels, memory) = lent.map_or_else(Default::default, |lent| (lent.levels, lent.memory));
        let memory = std::mem::replace(&mut self.memory, memory);
        let mut levels = std::mem::replace(&mut self.levels, levels);
        levels.select(0);
        (levels.count() > 0).then_some(LentPotential { levels, memory })
    }

    /// The potentials, with all modes and with fewer.
    pub fn levels(&self) -> &PotentialLevels {
        &self.levels
    }

    /// Selects potential number `level`; psi stays.
    pub fn set_level(&mut self, level: usize) {
        self.levels.select(level);
        self.known = false;
    }

    /// Sets the size of V for a body with these modes, of which the first `felt` places take part. Sizes that are not positive numbers, and
    /// bodies with more modes than there is memory for, have no potential.
    pub fn set_size(&mut self, size: PotentialSize, modes: &Modes, felt: usize) {
        let possible = size.amount > 0.0 && size.amount.is_finite() && size.depth >= 0.0 && size.depth.is_finite();
        self.size = if possible && felt <= self.memory.room() { size } else { PotentialSize { amount: 0.0, ..self.size } };
        if !self.exists() {
            return;
        }
        let PotentialMemory { gradient, direction, place, response, .. } = &mut self.memory;
        [gradient, direction, place, response].into_iter().for_each(|array| array.resize(felt, 0.0));
        self.refresh(modes.list());
        if self.steepness.is_none() {
            let PotentialMemory { gradient, place, .. } = &mut self.memory;
            self.steepness = Some(self.levels.steepness(modes.list(), place, gradient));
        }
        self.levels.set_depth(self.size.depth);
    }

    /// Takes over the frequencies of the modes.
    pub fn refresh(&mut self, modes: &[Mode]) {
        if !self.exists() {
            return;
        }
        self.memory.tune(modes, self.h);
        self.known = false;
    }

    /// Whether it acts.
    #[inline]
    pub fn acts(&self) -> bool {
        self.activity == Activity::Acting
    }

    /// Whether the body has a potential that may act. One that acts goes on until it rests, also without a factor.
    pub fn exists(&self) -> bool {
        self.is_lent() && (self.size.amount > 0.0 || self.acts())
    }

    /// Whether there is one.
    pub fn is_lent(&self) -> bool {
        self.levels.count() > 0
    }

    /// Whether its force is held in the present sample.
    #[inline]
    pub fn holds(&self) -> bool {
        self.acts() && self.phase == PotentialPhase::Held
    }

    /// Whether V can be negative.
    pub fn is_curved(&self) -> bool {
        self.levels.is_curved()
    }

    /// Cost of an evaluation.
    pub fn cost(&self) -> f32 {
        self.levels.cost(self.levels.present())
    }

    /// Lets it act or rest. What it stores is lost when it rests; when it begins to act, it stores nothing at first.
    pub fn set_activity(&mut self, activity: Activity) {
        if self.activity != activity || activity == Activity::Resting {
            (self.activity, self.psi, self.shift, self.known) = (activity, 0.0, 0.0, false);
            (self.held, self.phase) = (0.0, PotentialPhase::Rotating);
            self.memory.impulses.fill(0.0);
            (self.fitted, self.contacts_fitted) = (None, None);
        }
    }

    /// Energy [J] that psi stores.
    pub fn energy(&self) -> f64 {
        if self.acts() { 0.5 * self.psi * self.psi - self.shift } else { 0.0 }
    }

    /// Largest energy [J] that it can give to the modes.
    pub fn available(&self) -> f64 {
        if self.acts() { 0.5 * self.psi * self.psi } else { 0.0 }
    }

    /// About the largest force of the potential over that of the body's own stiffness, at this energy [J] of the modes.
    pub fn strength(&self, energy: f64) -> f64 {
        let [quartic, cubic] = self.steepness.unwrap_or_default();
        let PotentialSize { amount, depth } = self.size;
        2.0 * amount * (quartic * energy + depth * cubic * energy.max(0.0).sqrt())
    }

    /// Evaluates V and its gradient at the present displacements.
    pub fn evaluate(&mut self, q: &[f64]) {
        let n = self.memory.place.len();
        self.memory.place.copy_from_slice(&q[..n]);
        self.evaluate_place();
        self.length = dot(&self.memory.gradient, &self.memory.gradient).sqrt();
        self.known = true;
    }

    fn evaluate_place(&mut self) {
        let (Some(potential), amount) = (self.levels.present_mut(), self.size.amount) else { return };
        let PotentialMemory { place, taper, gradient, .. } = &mut self.memory;
        place.iter_mut().zip(&*taper).for_each(|(q, t)| *q *= t);
        self.value = amount * potential.evaluate(place, gradient);
        gradient.iter_mut().zip(&*taper).for_each(|(g, t)| *g *= t * amount);
    }

    /// V [J] at the present displacements, if known.
    pub fn value(&self) -> Option<f64> {
        (self.acts() && self.known).then_some(self.value)
    }

    /// Whether V is known at the present displacements.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// Forgets V, before a change of the displacements.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// The root of 2 (V + C0); None where it has no direction.
    fn root(&self) -> Option<f64> {
        let sum = self.value + self.shift;
        (sum > LEAST).then(|| (2.0 * sum).sqrt())
    }

    /// Moves C0 with the `energy` [J] of the modes that take part, if V can be negative; neutral to the rounding of the new C0. A difference of both C0 would
    /// add that of the old one, which may be thousands of times the energy that is left. Where psi stores
    /// a negative energy beyond that of the modes, C0 falls to twice its magnitude.
    pub fn follow_energy(&mut self, energy: f64) {
        let stored = self.energy();
        let least = energy.max(-stored);
        if least <= 0.0 || (SHIFTS[0] * least..=SHIFTS[1] * least).contains(&self.shift) {
            return;
        }
        let shift = if SHIFT * energy > -stored { SHIFT * energy } else { self.shift.min(-SHIFT * stored) };
        let square = 2.0 * (stored + shift);
        if square > 0.0 && shift != self.shift {
            (self.psi, self.shift) = (square.sqrt().copysign(self.psi), shift);
        }
    }

    /// Stores `energy` [J] >= 0 more.
    pub fn receive(&mut self, energy: f64) {
        self.psi = (self.psi * self.psi + 2.0 * energy).sqrt().copysign(self.psi);
    }

    /// Rotates velocities and psi over dt [s] along the known gradient: exact for a constant u = gradient/root.
    pub fn rotate(&mut self, v: &mut [f64], dt: f64) {
        self.phase = PotentialPhase::Rotating;
        let Some(root) = self.root() else { return };
        let (gradient, length) = (&self.memory.gradient, self.length);
        let v = &mut v[..gradient.len()];
        if length < 1e-150 * root || !length.is_finite() {
            return;
        }
        let (along, angle) = (dot(gradient, v) / length, length / root * dt);
        let (sine, cosine, half) = (angle.sin(), angle.cos(), (0.5 * angle).sin());
        let gained = (-2.0 * half * half * along - self.psi * sine) / length;
        v.iter_mut().zip(gradient).for_each(|(v, g)| *v += gained * g);
        self.psi = self.psi * cosine + along * sine;
    }

    /// Moves psi a part of the way to the root of V, with energy from or to the velocities.
    pub fn relax(&mut self, v: &mut [f64]) {
        let Some(root) = self.root() else { return };
        let v = &mut v[..self.memory.gradient.len()];
        let kinetic = 0.5 * dot(v, v);
        if kinetic <= 0.0 {
            return;
        }
        let nearer = self.psi + self.relaxed * (root - self.psi);
        let freed = 0.5 * (self.psi - nearer) * (self.psi + nearer);
        if freed.abs() <= MOST_MOVED * kinetic {
            self.scale_to(v, kinetic, freed);
            self.psi = nearer;
        } else {
            let freed = (MOST_MOVED * kinetic).copysign(freed);
            self.scale_to(v, kinetic, freed);
            self.psi = (self.psi * self.psi - 2.0 * freed).max(0.0).sqrt().copysign(nearer);
        }
    }

    fn scale_to(&self, v: &mut [f64], kinetic: f64, freed: f64) {
        let factor = (1.0 + freed / kinetic).max(0.0).sqrt();
        v.iter_mut().for_each(|v| *v *= factor);
    }

    /// Lowers psi to the root of V after a change: energy that is lost. Where V has grown, psi stays, and relaxation fetches the rest
    /// from the motion.
    pub fn limit_energy(&mut self, q: &[f64]) {
        self.evaluate(q);
        let most = (2.0 * (self.value + self.shift).max(0.0)).sqrt();
        self.psi = self.psi.clamp(-most, most);
    }

    /// The state takes the factor `decay`; V is unknown then.
    pub fn decay(&mut self, decay: f64) {
        self.known = false;
        if self.shift == 0.0 {
            self.psi *= decay * decay;
        }
    }

    /// Begins a sample in which the force is held: u at the middle of the sample. `forces`: weights of the body, number, of every hammer
    /// that takes part.
    pub fn begin_held<'a>(&mut self, body: &ModeBank, hammers: impl Iterator<Item = (usize, &'a [f64])>) {
        let force = self.root().filter(|_| self.known).map_or(0.0, |root| self.psi / root);
        let PotentialMemory { half: [a11, a12, bq], place, gradient, impulses, .. } = &mut self.memory;
        let n = place.len();
        for (place, gradient) in place.iter_mut().zip(gradient) {
            *place = -force * *gradient;
        }
        for (i, weights) in hammers {
            let mean = impulses.get(i).copied().unwrap_or(0.0) / self.h;
            if mean != 0.0 {
                place.iter_mut().zip(weights).for_each(|(f, w)| *f -= mean * w);
            }
        }
        let (q, v) = (&body.modes.q[..n], &body.modes.v[..n]);
        for i in 0..n {
            place[i] = a11[i] * q[i] + a12[i] * v[i] + bq[i] * place[i];
        }
        self.evaluate_place();
        self.known = false;
        let over = 1.0 / self.root().unwrap_or((2.0 * LEAST).sqrt());
        // any u is passive
        let PotentialMemory { direction, gradient, .. } = &mut self.memory;
        let drag = 0.25 * (self.h * over).powi(2) * dot(gradient, gradient);
        let over = if drag > MOST_DRAG { over * (MOST_DRAG / drag).sqrt() } else { over };
        direction.iter_mut().zip(gradient).for_each(|(u, g)| *u = over * *g);
        (self.phase, self.fitted, self.contacts_fitted) = (PotentialPhase::Held, None, None);
        self.memory.impulses.fill(0.0);
    }

    /// Fits bq u to a span of the selected table.
    pub fn fit(&mut self, span: Span, bq: &[f64]) {
        if self.fitted != Some(span) {
            self.fitted = Some(span);
            let PotentialMemory { direction, response, .. } = &mut self.memory;
            response.iter_mut().zip(&*direction).zip(bq).for_each(|((response, u), bq)| *response = bq * u);
            self.drag = 0.5 * dot(direction, response);
        }
    }

    /// bq u.
    pub fn response(&self) -> &[f64] {
        &self.memory.response
    }

    /// 1 + u bq u/2.
    pub fn resistance(&self) -> f64 {
        1.0 + self.drag
    }

    /// Whether couplings and contacts are fitted to `span`; from now on they are.
    pub fn note_contacts(&mut self, span: Span) -> bool {
        self.contacts_fitted.replace(span) == Some(span)
    }

    /// The contacts have been fitted without the potential.
    pub fn forget_contacts(&mut self) {
        self.contacts_fitted = None;
    }

    /// Sum of Wt bq u of hammer i.
    pub fn coupling(&self, i: usize) -> f64 {
        self.memory.couplings.get(i).copied().unwrap_or(0.0)
    }

    /// Sets it.
    pub fn set_coupling(&mut self, i: usize, coupling: f64) {
        if let Some(to) = self.memory.couplings.get_mut(i) {
            *to = coupling;
        }
    }

    /// P: the mean of psi over a step that moves the modes by dq without the potential.
    pub fn free_mean(&self, dq: &[f64]) -> f64 {
        let direction = &self.memory.direction;
        (self.psi + 0.5 * dot(direction, &dq[..direction.len()])) / self.resistance()
    }

    /// Adds the force of the mean `held` of psi to the predicted step.
    pub fn hold(&mut self, held: f64, body: &mut ModeBank) {
        let direction = &self.memory.direction;
        body.apply_force(direction, held);
        self.held = held;
        self.next = self.psi + dot(direction, &body.dq[..direction.len()]);
    }

    /// Makes the predicted step.
    pub fn end_step(&mut self) {
        if self.holds() {
            self.psi = self.next;
        }
    }

    /// Adds the force of hammer i over dt [s].
    pub fn note_force(&mut self, i: usize, force: f64, dt: f64) {
        if let Some(impulse) = self.memory.impulses.get_mut(i) {
            *impulse += force * dt;
        }
    }

    /// Force [m kg^1/2/s^2] on mode i over the predicted step.
    pub fn force_on(&self, i: usize) -> f64 {
        if self.holds() { -self.held * self.memory.direction.get(i).copied().unwrap_or(0.0) } else { 0.0 }
    }

    /// The phase of the last sample.
    pub fn phase(&self) -> PotentialPhase {
        self.phase
    }

    /// Length of the way at a contact in `time` [s] if all modes moved alike: root of the sum of (w v)^2.
    pub fn spread(&mut self, weights: &[f64], v: &[f64], time: f64) -> f64 {
        let response = &mut self.memory.response;
        let n = response.len();
        response.iter_mut().zip(&weights[..n]).zip(&v[..n]).for_each(|((out, w), v)| *out = w * v);
        time * dot(response, response).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When hammers take most of the energy away, C0 falls by orders of magnitude; what psi stores keeps all digits of the rest.
    #[test]
    fn a_smaller_shift_keeps_the_stored_energy() {
        let mut potential = BodyPotential::new(1.0 / 48e3);
        potential.set_activity(Activity::Acting);
        potential.follow_energy(1e3);
        potential.psi *= 1.0 + 1e-7;
        let before = potential.energy();
        potential.follow_energy(1e-3);
        let rounding = 4.0 * f64::EPSILON * potential.shift;
        assert!(potential.shift < 0.1 && (potential.energy() - before).abs() <= rounding, "{before} {}", potential.energy());
    }

    /// While psi stores a negative energy and the modes have less than its magnitude, C0 falls with it, so that the rounding of the old C0 does not stay.
    #[test]
    fn the_shift_falls_with_a_negative_energy_beyond_that_of_the_modes() {
        let mut potential = BodyPotential::new(1.0 / 48e3);
        potential.set_activity(Activity::Acting);
        potential.follow_energy(1e3);
        potential.psi *= 1.0 - 1e-9;
        let stored = potential.energy();
        for energy in [1e-18, 1e-12, 1e-18] {
            potential.follow_energy(energy);
            let rounding = 4.0 * f64::EPSILON * 1e3;
            assert!(
                potential.shift <= -8.0 * stored && (potential.energy() - stored).abs() <= rounding,
                "{stored} {potential:?}"
            );
        }
        // a negative energy never raises it
        let shift = potential.shift;
        potential.psi *= 0.1;
        potential.follow_energy(1e-18);
        assert_eq!(potential.shift, shift);
    }
}
