//! Free flight: everything moves exactly to the end of the sample, or to the last grid point before the first onset in it; or the body rings for many
//! samples while all hammers are apart.

use crate::modal::{FirstModeStep, Mode, Span, StepTable};
use crate::solver::collision::Collision;
use crate::solver::hammer::Hammer;
use crate::solver::hammer_slots::HammerSlots;
use crate::solver::hammer_state::WeightKind;
use crate::solver::limits::{MAX_HAMMERS, MAX_WALKED_SUBSTEPS, SAMPLE};

/// Places at which a flight is evaluated that could touch and leave within the step.
const LOOKS: u32 = 16;
/// Maximum number of iterations for the onset.
const MAX_STEPS: u32 = 30;
/// Accuracy of the onset as a fraction of the step.
const ACCURACY: f64 = 1e-9;

/// Compression and its velocity at both ends of a free step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flight {
    /// Compression at the start [m], <= 0.
    pub x0: f64,
    /// Its velocity [m/s].
    pub v0: f64,
    /// Compression at the end [m].
    pub x1: f64,
    /// Its velocity [m/s].
    pub v1: f64,
}

impl Flight {
    /// Coefficients of the cubic Hermite polynomial x0 + u (m0 + u (c2 + u c3)) for a step of dt.
    fn cubic(&self, dt: f64) -> (f64, f64, f64) {
        let (m0, m1) = (self.v0 * dt, self.v1 * dt);
        let c2 = 3.0 * (self.x1 - self.x0) - 2.0 * m0 - m1;
        let c3 = 2.0 * (self.x0 - self.x1) + m0 + m1;
        (m0, c2, c3)
    }

    /// Fraction of the step at which the compression becomes positive, and the closing velocity there [m/s]; None if there is no
    /// contact.
    pub fn onset(&self, dt: f64) -> Option<(f64, f64)> {
        let (m0, c2, c3) = self.cubic(dt);
        let x = |u: f64| self.x0 + u * (m0 + u * (c2 + u * c3));
        let mut high = 1.0;
        if self.x1 <= 0.0 {
            if !(self.v0 > 0.0 && self.v1 < 0.0) {
                return None;
            }
            high = (1..LOOKS).map(|i| f64::from(i) / f64::from(LOOKS)).find(|&u| x(u) > 0.0)?;
        }
        let slope = |u: f64| m0 + u * (2.0 * c2 + 3.0 * c3 * u);
        let onset = if self.x0 >= 0.0 && self.v0 > 0.0 { 0.0 } else { first_above_zero(x, slope, high) };
        Some((onset, (slope(onset) / dt).max(f64::MIN_POSITIVE)))
    }
}

/// First zero of x between 0, where x is not positive, and `high`, where it is: by Newton's method, by bisection where that
/// leaves the interval.
fn first_above_zero(x: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64, mut high: f64) -> f64 {
    let (mut low, mut u) = (0.0, 0.5 * high);
    for _ in 0..MAX_STEPS {
        let value = x(u);
        *(if value > 0.0 { &mut high } else { &mut low }) = u;
        if high - low <= ACCURACY {
            break;
        }
        // slightly beyond the root, to close the interval from both sides
        let newton = u - value / slope(u);
        let beyond = newton - (0.5 * ACCURACY).copysign(value);
        u = if beyond > low && beyond < high { beyond } else { 0.5 * (low + high) };
    }
    low
}

impl Collision {
    /// Free flight to the end of the sample, or to the last grid point before the first onset in it, or to an earlier one from
    /// which a few substeps lead there.
    pub(crate) fn fly(&mut self, done: u32) -> u32 {
        let left = SAMPLE - done;
        let span = if done == 0 { Span::Level(0) } else { self.span_of(left) };
        let dt = span.seconds(self.h);
        if self.touches_now() {
            self.begin_contact(done, 2);
            return done;
        }
        let mut flights = [Flight::default(); MAX_HAMMERS];
        for (i, hammer) in self.hammers.numbered() {
            let flight = &mut flights[i];
            (flight.x0, flight.v0) = (hammer.contact.x, hammer.closing_within(&self.body));
        }
        self.predict_flight(span);
        let mut first: Option<(f64, f64)> = None;
        for (i, hammer) in self.hammers.numbered() {
            let flight = &mut flights[i];
            (flight.x1, flight.v1) = hammer.foresee(&self.body);
            if let Some((fraction, velocity)) = flight.onset(dt) {
                let level = self.resolution.level(hammer, velocity, self.h);
                let earlier = first.is_none_or(|(earliest, _)| fraction < earliest);
                self.phase.level = if first.is_none() { level } else { self.phase.level.max(level) };
                if earlier {
                    first = Some((fraction, velocity));
                }
            }
        }
        let Some((fraction, _)) = first else {
            self.land(dt);
            return SAMPLE;
        };
        self.phase.level = self.budget.level(self.phase.level);
        let tick = SAMPLE >> self.phase.level;
        let target = (done + (fraction * f64::from(left)) as u32) / tick * tick;
        let ahead = target.saturating_sub(done);
        let flown = if ahead <= MAX_WALKED_SUBSTEPS * tick || self.budget.is_spent() { 0 } else { self.approach(ahead, tick) };
        self.begin_contact(done + flown, ((ahead - flown) / tick).min(MAX_WALKED_SUBSTEPS) + 2);
        done + flown
    }

    /// Predicts everything over a span without contacts.
    fn predict_flight(&mut self, span: Span) {
        self.predict(span, WeightKind::Plain);
        if self.tension.acts() {
            self.predict_tension(span);
        } else if self.potential.holds() {
            self.predict_potential(span);
        }
    }

    /// Whether the only hammer touches its body and approaches, as one just added does: then there is no flight to predict, and
    /// the level is that of its contact.
    fn touches_now(&mut self) -> bool {
        let Some(i) = self.only_hammer() else { return false };
        let Self { hammers, body, resolution, h, .. } = self;
        let hammer = &mut hammers[i];
        if hammer.contact.x < 0.0 {
            return false;
        }
        let v = hammer.closing_within(body);
        if v > 0.0 {
            let level = hammer.level_at(v * v, true, *resolution, *h);
            self.phase.level = self.budget.level(level);
        }
        v > 0.0
    }

    /// Flies to the grid point `ahead` ticks away, or to an earlier one if a hammer were already in contact there.
    fn approach(&mut self, mut ahead: u32, tick: u32) -> u32 {
        let mut back = tick;
        while ahead > 0 {
            let span = self.span_of(ahead);
            self.budget.charge_table(self.body.felt());
            self.predict_flight(span);
            let apart = self.hammers.iter().all(|s| s.foresee(&self.body).0 <= 0.0);
            if apart {
                self.land(span.seconds(self.h));
                return ahead;
            }
            ahead = ahead.saturating_sub(back);
            back = back.saturating_mul(4);
        }
        0
    }

    /// Commits the predicted free flight of dt [s], and records it.
    fn land(&mut self, dt: f64) {
        self.hammers.iter_mut().for_each(|hammer| hammer.substep.solution.force = 0.0);
        self.record_step(false, |c| {
            c.commit();
            c.potential.end_step();
            c.move_held(dt);
            let left = c.tension.end_step(dt, &c.body.modes.q);
            (left + c.hammers.iter_mut().map(|hammer| hammer.relax(dt)).sum::<f64>(), ())
        });
        for hammer in self.hammers.iter_mut() {
            hammer.follow_geometry_within(&self.body.modes);
        }
    }
}

/// A point mass, or an obstacle, apart from the body.
#[derive(Clone, Copy, Debug)]
pub struct FreeHammer<'a> {
    /// Compression [m], < 0.
    pub compression: f64,
    /// Its own motion.
    pub motion: FreeMotion,
    /// Weights of the body's modes at the contact point, negative of shape over root of mass [kg^-1/2]: of the felt modes, and of the held modes after them.
    pub weights: [&'a [f64]; 2],
}

/// Motion of a point mass, or of an obstacle on its spring, without a contact.
#[derive(Clone, Copy, Debug)]
pub struct FreeMotion {
    mode: Mode,
    state: (f64, f64),
    push: f64,
    /// Displacement of the contact point over that of the mode [kg^-1/2].
    weight: f64,
}

impl FreeMotion {
    /// How far it has moved towards the body [m] after 1, 2, 3 .. times `time` [s].
    pub fn displacements(&self, time: f64) -> impl Iterator<Item = f64> + use<> {
        let Self { mode, state: start, push, weight } = *self;
        let (step, mut state) = (FirstModeStep::over(mode, time), start);
        std::iter::repeat_with(move || {
            state = step.step(state, push, 0.0);
            weight * (state.0 - start.0)
        })
    }

    /// Displacement and velocity of the mode after `time` [s].
    fn after(&self, time: f64) -> (f64, f64) {
        FirstModeStep::over(self.mode, time).step(self.state, self.push, 0.0)
    }
}

/// A body that can ring by itself while all of its hammers fly freely.
pub struct FreeFlight<'a> {
    /// Sample [s].
    pub h: f64,
    /// Step of a sample.
    pub table: &'a StepTable,
    /// Displacements of the body's modes, padded.
    pub q: &'a mut [f64],
    /// Velocities, padded.
    pub v: &'a mut [f64],
    /// The hammers.
    pub hammers: FreeHammers<'a>,
}

/// The hammers beside such a body.
#[derive(Clone, Copy)]
pub struct FreeHammers<'a>(&'a HammerSlots);

impl<'a> FreeHammers<'a> {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = FreeHammer<'a>> + use<'a> {
        self.0.iter().map(|hammer| {
            let felt = hammer.weights.felt;
            FreeHammer {
                compression: hammer.contact.x,
                motion: hammer.free_motion(),
                weights: [&hammer.weights.body[..felt], &hammer.fit.body[felt..]],
            }
        })
    }
}

impl Collision {
    /// The body and its hammers if all of them are apart from it, point masses without forces or obstacles, and it would ring by itself: until one of
    /// them touches it, [`Collision::fly_freely`] after any number of samples leads to the same state as single steps. `None` otherwise.
    pub fn free_flight(&mut self) -> Option<FreeFlight<'_>> {
        let free = !self.phase.in_contact && !self.is_exact() && !self.rings_by_samples();
        if !free || !self.hammers.iter().all(Hammer::is_free) {
            return None;
        }
        self.potential.forget();
        self.body.take(Span::Level(0));
        let (table, modes) = self.body.parts();
        Some(FreeFlight { h: self.h, table, q: &mut modes.q, v: &mut modes.v, hammers: FreeHammers(&self.hammers) })
    }

    /// Moves all hammers, which fly freely, by `samples` samples, after the body has rung for as long without them.
    pub fn fly_freely(&mut self, samples: usize) {
        self.body.forget_ahead();
        let time = samples as f64 * self.h;
        for hammer in self.hammers.iter_mut() {
            hammer.substep.solution.force = 0.0;
            let motion = hammer.free_motion();
            (hammer.bank.modes.q[0], hammer.bank.modes.v[0]) = motion.after(time);
            hammer.relax(time);
            hammer.follow_geometry(&self.body.modes);
        }
    }
}

impl Hammer {
    /// Whether it is apart from the body, and a point mass on which no force acts or an obstacle.
    fn is_free(&self) -> bool {
        let (modes, placement) = (&self.bank.modes, &self.placement);
        let is_apart = !self.contact.touching && self.contact.x < 0.0 && placement.rise == 0.0;
        let (is_unforced, is_obstacle) = (self.push == 0.0 && modes.mode(0) == Mode::RIGID, placement.stays);
        is_apart && modes.len() == 1 && (is_unforced || is_obstacle)
    }

    /// Motion of its only mode.
    fn free_motion(&self) -> FreeMotion {
        let modes = &self.bank.modes;
        FreeMotion { mode: modes.mode(0), state: (modes.q[0], modes.v[0]), push: self.push, weight: self.weights.own[0] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactLaw;
    use crate::solver::hammer_control::PointHammerSpec;
    use crate::solver::limits::{Capacity, MAX_SUBSTEPS};
    use crate::solver::obstacle::Obstacle;

    /// Flights that meet, turn round and leave: the onset is in the step, at x = 0, without contact before it.
    #[test]
    fn an_onset_is_the_first_crossing_within_the_step() {
        let dt = 1e-4;
        let numbers = || (-12..=12).map(|i| f64::from(i) * 0.25);
        let mut found = 0;
        for (x1, v0, v1) in numbers().flat_map(|x1| numbers().flat_map(move |v0| numbers().map(move |v1| (x1, v0, v1)))) {
            let flight = Flight { x0: -1e-6, v0: v0 * 0.01, x1: x1 * 1e-6, v1: v1 * 0.01 };
            let Some((onset, _)) = flight.onset(dt) else { continue };
            found += 1;
            let (m0, c2, c3) = flight.cubic(dt);
            let x = |u: f64| flight.x0 + u * (m0 + u * (c2 + u * c3));
            assert!((0.0..=1.0).contains(&onset), "{flight:?}: {onset}");
            let size = flight.x0.abs() + m0.abs() + c2.abs() + c3.abs();
            assert!(x(onset).abs() <= 1e-9 * size, "{flight:?}: {} at {onset}", x(onset));
        }
        assert!(found > 1_000, "{found} onsets");
    }

    /// A body with felt and held modes and a hammer that flies towards it or away from it; another hammer waits farther away.
    fn with_hammers(velocity: f64) -> Collision {
        let capacity = Capacity { modes: 64, held: 64, hammer_modes: 1, hammers: 2, levels: 8 };
        let mut collision = Collision::new(48e3, capacity);
        let modes: Vec<Mode> = (1..=64).map(|n| Mode::heard_at(90.0 * f64::from(n), 0.5)).collect();
        collision.set_body_held(modes.iter().copied(), 16);
        collision.change_state(|q, v| {
            for i in 0..modes.len() {
                (q[i], v[i]) = (1e-6 / (i + 1) as f64, 0.01 * (i as f64).sin());
            }
        });
        let weights = vec![2.0; modes.len()];
        for gap in [5e-3, 8e-3] {
            let law = ContactLaw::hunt_crossley(1e8, 1.5, 0.3);
            let hit = PointHammerSpec { law, mass: 0.02, velocity, tether: Mode::RIGID, weights: &weights };
            let i = collision.strike(hit).expect("there is room");
            collision.set_hammer_gap(i, gap);
        }
        collision
    }

    /// Lets one of two equal systems fly for so many samples and steps the other; both hammers are in the same places then.
    fn fly_and_step(flown: &mut Collision, stepped: &mut Collision, samples: usize) {
        let FreeFlight { table, q, v, .. } = flown.free_flight().expect("nothing touches");
        for _ in 0..samples {
            for i in 0..q.len() {
                (q[i], v[i]) = (table.a11[i] * q[i] + table.a12[i] * v[i], table.a21[i] * q[i] + table.a22[i] * v[i]);
            }
        }
        flown.fly_freely(samples);
        (0..samples).for_each(|_| _ = stepped.step(MAX_SUBSTEPS, &mut |_, _| ()));
        for i in 0..2 {
            let [flown, stepped] = [&*flown, &*stepped].map(|c| (c.hammer(i).compression(), c.hammer(i).position()));
            assert!((flown.0 - stepped.0).abs() < 1e-14 && (flown.1 - stepped.1).abs() < 1e-14, "{flown:?} {stepped:?}");
        }
    }

    /// Flying for many samples beside a ringing body is the same as so many steps.
    #[test]
    fn a_long_flight_ends_where_single_steps_do() {
        for velocity in [0.5, -1.0] {
            let (mut stepped, mut flown) = (with_hammers(velocity), with_hammers(velocity));
            [1, 16, 5].into_iter().for_each(|samples| fly_and_step(&mut flown, &mut stepped, samples));
            let [flown, stepped] = [flown, stepped].map(|mut c| {
                (0..500).for_each(|_| _ = c.step(MAX_SUBSTEPS, &mut |_, _| ()));
                [c.hammer(0).velocity(), c.body().energy()]
            });
            let apart = (flown[0] - stepped[0]).abs().max((flown[1] / stepped[1] - 1.0).abs());
            assert!(apart < 1e-9, "the contact after it: {flown:?} {stepped:?}");
        }
    }

    /// A loose obstacle that a ringing body has pushed away flies on its spring as it does in single steps, also under the force that presses it; a stop stays.
    #[test]
    fn obstacles_fly_as_they_do_in_single_steps() {
        let with_obstacles = || {
            let mut collision = with_hammers(-1.0);
            (0..2).for_each(|i| _ = collision.remove_hammer(i));
            let (law, weights) = (ContactLaw::hunt_crossley(1e8, 1.5, 0.3), vec![2.0; 64]);
            let tether = Mode { omega: 75.0, sigma: 11.0 };
            let loose = Obstacle { law, mass: Some(8e-4), tether, gap: 0.0, press: 1e-4, weights: &weights };
            collision.add_obstacle(loose);
            collision.add_obstacle(Obstacle { mass: None, tether: Mode::RIGID, gap: 8e-3, press: 0.0, ..loose });
            while collision.hammer(0).compression() > -5e-4 {
                collision.step(MAX_SUBSTEPS, &mut |_, _| ());
            }
            collision
        };
        let (mut stepped, mut flown) = (with_obstacles(), with_obstacles());
        let start = flown.hammer(0).position();
        for samples in [1, 16, 5] {
            let FreeFlight { h, hammers, .. } = flown.free_flight().expect("nothing touches");
            let moves: Vec<f64> = hammers.iter().filter_map(|hammer| hammer.motion.displacements(h).nth(samples - 1)).collect();
            let before = [0, 1].map(|i| stepped.hammer(i).position());
            fly_and_step(&mut flown, &mut stepped, samples);
            for (i, moved) in moves.iter().enumerate() {
                assert!((before[i] + moved - stepped.hammer(i).position()).abs() < 1e-14, "obstacle {i}: {moves:?}");
            }
        }
        assert!((flown.hammer(0).position() - start).abs() > 1e-6, "the loose one moves");
        let [flown, stepped] = [flown, stepped].map(|mut c| {
            (0..5_000).for_each(|_| _ = c.step(MAX_SUBSTEPS, &mut |_, _| ()));
            [c.hammer(0).position(), c.body().energy()]
        });
        let apart = ((flown[0] - stepped[0]) / 1e-3).abs().max((flown[1] / stepped[1] - 1.0).abs());
        assert!(apart < 1e-6, "the contacts after it: {flown:?} {stepped:?}");
    }

    /// A hammer that touches, is pushed or has a spring does not fly freely, and neither does one beside a rising profile.
    #[test]
    fn forces_and_contacts_end_a_free_flight() {
        let refused = |change: fn(&mut Collision)| {
            let mut collision = with_hammers(0.5);
            assert!(collision.free_flight().is_some());
            change(&mut collision);
            collision.free_flight().is_none()
        };
        assert!(refused(|c| c.set_push(1, 1.0)));
        assert!(refused(|c| c.set_rise(1, 0.1)));
        assert!(refused(|c| c.set_tether(1, Mode::heard_at(5.0, 1.0))));
        assert!(refused(|c| c.set_hammer_gap(0, 0.0)));
        assert!(refused(|c| {
            c.set_hammer_gap(0, 1e-9);
            c.step(MAX_SUBSTEPS, &mut |_, _| ());
            assert!(c.any_touching());
        }));
    }
}
