//! What bodies knock against from behind: snare wires, a buzz bridge, a bolt on a string, rivets. Up to four side by side.
//!
//! They are on a body as long as it is awake. They are no hammers: no note throws them, no hand lifts them, nobody records them. A body
//! that cannot reach them any more rings as if they were not there. All bodies share 64; who comes later has fewer.

use crate::body::{BodyScratch, PreparedBody};
use crate::context::RenderContext;
use crate::event::NoteId;
use crate::midi::Note;
use crate::modulation::ModOffsets;
use crate::params::{ModTarget, ObstacleType, ParamId, ParamValues};
use crate::polyphony::VoiceManager;
use crate::voice::contact_params::law;
use crate::voice::hammers::HammerState;
use crate::voice::silence::is_nearly_at_rest;
use crate::voice::voice::Voice;
use std::cmp::Ordering;
use std::f64::consts::TAU;
use urto_physics::bodies::BodyPosition;
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::Obstacle;

/// Most obstacles of one body.
pub const MAX_OBSTACLES: usize = 4;

/// Distance of one from the next along the body.
const APART: f64 = 0.06;

/// Swing [m] below which something loose may stand still while the body cannot reach it.
const STILL: f64 = 1e-7;

/// A body that knocks against something, which it may lose where all of them take too much.
#[derive(Clone, Copy, Debug)]
pub struct ObstacleOwner {
    /// The drive is on it: it has hardly any energy as long as its note begins, and is meant to be heard.
    driven: bool,
    /// Of the body and what is on it [J].
    energy: f64,
    object: usize,
}

impl ObstacleOwner {
    /// Who loses it first.
    pub fn order(&self, other: &Self) -> Ordering {
        self.driven.cmp(&other.driven).then(self.energy.total_cmp(&other.energy))
    }
}

/// What the knobs and hands say about the obstacles of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ObstacleParams {
    kind: ObstacleType,
    count: usize,
    place: BodyPosition,
    gap: f64,
    press: f64,
    mass: f64,
    tether: Mode,
    law: ContactLaw,
}

impl ObstacleParams {
    fn new(settings: &ParamValues, sway: &ModOffsets) -> Self {
        let get = |knob| settings.get(knob);
        let kind = settings.obstacle_type();
        let mass = get(ParamId::RattleMass);
        let omega = TAU * get(ParamId::RattleFrequency);
        Self {
            kind,
            count: if kind == ObstacleType::Off { 0 } else { (get(ParamId::RattleCount) as usize).clamp(1, MAX_OBSTACLES) },
            place: BodyPosition { along: get(ParamId::RattlePosition), across: get(ParamId::RattleAcross) },
            gap: sway.modulated_value(ParamId::RattleGap, ModTarget::RattleGap, settings),
            press: get(ParamId::RattlePress),
            mass,
            tether: Mode { omega, sigma: omega * get(ParamId::RattleDamping) },
            law: rattle_law(settings, mass),
        }
    }

    /// Where the n-th is.
    fn place(&self, n: usize) -> BodyPosition {
        let beside = n as f64 - 0.5 * (self.count as f64 - 1.0);
        BodyPosition { along: (self.place.along + APART * beside).clamp(0.0, 1.0), ..self.place }
    }

    fn mass(&self) -> Option<f64> {
        (self.kind == ObstacleType::Loose).then_some(self.mass)
    }

    /// Whether those that are there stay, with other numbers.
    fn goes_on_from(&self, last: &Self) -> bool {
        (self.kind, self.count) == (last.kind, last.count)
    }
}

/// The law of the obstacles' contacts. What is fixed has the loss that a hammer of their mass would have where that counts.
fn rattle_law(settings: &ParamValues, mass: f64) -> ContactLaw {
    let get = |knob| settings.get(knob);
    let numbers = [ParamId::RattleStiffness, ParamId::RattleExponent, ParamId::RattleLoss].map(get);
    law(settings.obstacle_contact_model(), numbers, mass)
}

/// The obstacles of one object.
#[derive(Clone, Copy, Debug, Default)]
pub struct Obstacles {
    numbers: [usize; MAX_OBSTACLES],
    count: usize,
    known: Option<ObstacleParams>,
    dormant: bool,
}

impl Obstacles {
    /// Their numbers among the hammers.
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        let Self { numbers, count, .. } = *self;
        numbers.into_iter().take(count)
    }

    /// Whether number `i` is one of them.
    pub fn contain(&self, i: usize) -> bool {
        self.numbers[..self.count].contains(&i)
    }

    /// How many have to be stepped; none while the body cannot reach them.
    pub fn active_count(&self) -> usize {
        if self.dormant { 0 } else { self.count }
    }
}

impl Voice {
    /// Hammers and obstacles that have to be stepped.
    pub fn active_count(&self) -> usize {
        self.hammers + self.obstacles.active_count()
    }

    /// Something is about to touch the body: its obstacles count again.
    pub fn wake_obstacles(&mut self) {
        if std::mem::take(&mut self.obstacles.dormant) {
            self.collision.follow_body();
        }
    }

    /// Obstacles that the body alone cannot reach any more need not be stepped until something touches it.
    pub fn look_for_obstacles(&mut self) {
        if self.obstacles.count == 0 || self.hammers > 0 {
            return;
        }
        self.sync_state();
        self.wake_obstacles();
        let away = |i: usize| self.collision.is_out_of_reach(i) && self.collision.own_swing(i) < STILL;
        self.obstacles.dormant = self.obstacles.iter().all(away);
    }

    /// Whether none of the obstacles will move the body any more.
    pub fn obstacles_rest(&self) -> bool {
        let rests = |i: usize| {
            let striker = self.collision.hammer(i);
            striker.mass().is_infinite() || is_nearly_at_rest(striker.energy_about_equilibrium(), striker.mass())
        };
        self.obstacles.iter().all(|i| rests(i) || self.collision.is_out_of_reach(i))
    }

    /// Takes all obstacles away.
    fn clear_obstacles(&mut self) {
        self.wake_obstacles();
        for i in self.obstacles.iter() {
            self.collision.remove_hammer(i);
        }
        self.obstacles = Obstacles::default();
    }

    /// Puts up one more. Whether there was room.
    fn put_obstacle(
        &mut self,
        rattle: &ObstacleParams,
        body: &PreparedBody,
        scene: &RenderContext,
        scratch: &mut BodyScratch,
    ) -> bool {
        let n = self.obstacles.count;
        let weights = self.hammer_weights(body, rattle.place(n), scene, scratch);
        let ObstacleParams { law, tether, gap, press, .. } = *rattle;
        let Some(i) = self.collision.add_obstacle(Obstacle { law, mass: rattle.mass(), tether, gap, press, weights }) else {
            return false;
        };
        self.hammer_states[i] = HammerState::default();
        self.obstacles.numbers[n] = i;
        self.obstacles.count += 1;
        true
    }

    /// The obstacles that are there take other numbers.
    fn move_obstacles(
        &mut self,
        rattle: &ObstacleParams,
        last: &ObstacleParams,
        body: &PreparedBody,
        scene: &RenderContext,
        scratch: &mut BodyScratch,
    ) {
        self.wake_obstacles();
        for i in self.obstacles.iter() {
            if rattle.kind == ObstacleType::Loose && rattle.mass != last.mass {
                self.collision.set_mass(i, rattle.mass);
            }
            if rattle.kind == ObstacleType::Loose && rattle.tether != last.tether {
                self.collision.set_tether(i, rattle.tether);
            }
            if rattle.law != last.law {
                self.collision.set_law(i, rattle.law);
            }
            self.collision.set_obstacle_gap(i, rattle.gap, rattle.press);
        }
        if rattle.place != last.place {
            self.obstacles.known = Some(*rattle);
            self.reweigh_obstacles(body, scene, scratch);
        }
    }

    /// Every obstacle feels the scene's body mass at its place.
    pub fn reweigh_obstacles(&mut self, body: &PreparedBody, scene: &RenderContext, scratch: &mut BodyScratch) {
        let Some(rattle) = self.obstacles.known else { return };
        for (n, i) in self.obstacles.iter().enumerate() {
            let weights = self.hammer_weights(body, rattle.place(n), scene, scratch);
            self.collision.set_weights_behind(i, weights);
        }
    }
}

impl VoiceManager {
    /// Object `i` has the obstacles that knobs and the hands of its last note ask for.
    pub fn rattle(&mut self, i: usize, scene: &RenderContext) {
        let last = self.objects[i].obstacles.known;
        if !self.objects[i].is_awake() || last.is_none() && scene.settings.get(ParamId::Rattle) < 0.5 {
            return;
        }
        let note = self.objects[i].notes.iter().last().copied().unwrap_or_else(|| Note::of(NoteId::default()));
        let rattle = ObstacleParams::new(scene.settings, &ModOffsets::new(&note, scene.hands, scene.settings));
        if last == Some(rattle) {
            return;
        }
        self.objects[i].discard_lookahead();
        if let Some(last) = last.filter(|last| rattle.goes_on_from(last)) {
            let Some(body) = self.objects[i].place.and_then(|place| self.shelf.body(place)) else { return };
            self.objects[i].move_obstacles(&rattle, &last, body, scene, &mut self.scratch);
        } else {
            self.put_obstacles(i, &rattle, scene);
        }
        self.objects[i].obstacles.known = (rattle.kind != ObstacleType::Off).then_some(rattle);
    }

    /// Bodies that knock against something.
    pub(crate) fn knocking(&self) -> impl Iterator<Item = ObstacleOwner> {
        let knocking = self.active_voices.iter().copied().filter(|&i| self.objects[i].obstacles.active_count() > 0);
        knocking.map(|i| ObstacleOwner {
            driven: self.drive.hung.is_on(i),
            energy: self.objects[i].collision.energy(),
            object: i,
        })
    }

    /// A body loses what it knocks against until it is struck again. How many obstacles that were.
    pub(crate) fn hush(&mut self, body: &ObstacleOwner) -> usize {
        let object = &mut self.objects[body.object];
        let lost = object.obstacles.count;
        object.clear_obstacles();
        self.pool.collect(object);
        lost
    }

    /// Puts up the obstacles of object `i` anew; on a body that is at rest they are at rest.
    fn put_obstacles(&mut self, i: usize, rattle: &ObstacleParams, scene: &RenderContext) {
        self.order.clear();
        self.objects[i].clear_obstacles();
        let at_rest = self.objects[i].activated_at == scene.frame && !self.objects[i].collision.any_active();
        for _ in 0..rattle.count {
            if !self.has_obstacle() {
                break;
            }
            self.reserve_hammer(i);
            let object = &mut self.objects[i];
            let Some(body) = object.place.and_then(|place| self.shelf.body(place)) else { return };
            object.collision.set_resolution(scene.resolution());
            if !object.put_obstacle(rattle, body, scene, &mut self.scratch) {
                break;
            }
        }
        if at_rest {
            self.objects[i].collision.settle_preload();
        }
    }
}
