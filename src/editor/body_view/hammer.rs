//! The hammer: its head as large as its mass, its swing as exposures at equal times, so that distance is speed; the flash where it hits.

use egui::{Color32, Pos2, Vec2, pos2, vec2};

use crate::editor::body_view::Scene;
use crate::editor::body_view::outline::{BAR, Form};
use crate::editor::param_context::ParamContext;
use crate::editor::theme::{Face, Size, mix};
use crate::editor::widgets::{Side, ThemePainter};
use crate::host_params::value_text::with_prefix;
use urto_engine::HitPulse;
use urto_engine::params::ParamId;

/// Radius [world] of a head of [`MASS`] [kg]; it goes with the cube root. Least [px] and largest [world].
const RADIUS: f32 = 0.118;
const MASS: f64 = 0.024;
const LEAST: f32 = 10.0;
const LARGEST: f32 = 0.22;
/// The shaft's other end from the point of contact, over the camera's scale.
const PIVOT: Vec2 = vec2(1.80, -0.62);
/// Angle [rad] of one exposure at [`SPEED`] [m/s].
const STEP: f32 = 0.118;
const SPEED: f64 = 2.1;
/// Space that the words beside the exposures want at the window's edge [px].
const BESIDE: f32 = 24.0;
/// Room that the body's name takes at the top [px].
const NAMED: f32 = 78.0;
/// Exposures.
const EXPOSURES: usize = 4;
/// How long a flash lasts, and the hammer takes to come to its rest [s].
const FLASH: f32 = 0.45;
const REBOUND: f32 = 0.6;
/// How long the mark stands in place of a flash where there is to be less motion [s].
const MARK: f32 = 0.2;
/// Exposures that the hammer is away when it rests.
const AWAY: f32 = 0.16;
/// Size of a flash beside others: from the strongest hit of late.
const FORGET: f32 = 8.0;

/// The last blow.
#[derive(Default)]
pub struct Blow {
    /// Time since it landed [s], if any has.
    age: Option<f32>,
    /// Force over the strongest of late.
    strength: f32,
    strongest: f64,
}

impl Blow {
    /// A hit has landed.
    pub fn strike(&mut self, hit: &HitPulse) {
        self.strongest = self.strongest.max(hit.peak_force);
        self.strength = if self.strongest > 0.0 { (hit.peak_force / self.strongest) as f32 } else { 0.0 };
        self.age = Some(0.0);
    }

    /// Goes on by `elapsed` [s].
    pub fn follow(&mut self, elapsed: f32) {
        if let Some(age) = &mut self.age {
            *age += elapsed;
        }
        self.strongest *= f64::from((-elapsed / FORGET).exp());
    }

    /// Whether something of it moves.
    pub fn moves(&self) -> bool {
        self.age.is_some_and(|age| age < REBOUND)
    }

    /// Draws flash, exposures, hammer and speed; `strike` is where it meets the body.
    pub fn paint(&self, pen: &ThemePainter, scene: &Scene, strike: Pos2, last: Option<&HitPulse>, desk: &ParamContext) {
        self.flash(pen, scene, strike, desk.still);
        let (swing, step, radius) = swing(pen, scene, strike, last, desk);
        for k in (1..=EXPOSURES).rev() {
            let opacity = 0.50 - 0.09 * k as f32;
            let at = swing.at(step * k as f32);
            let color = pen.ink.force.gamma_multiply(opacity);
            pen.line(
                at + radius * (swing.pivot - at).normalized(),
                swing.pivot,
                1.0,
                pen.ink.force.gamma_multiply(0.65 * opacity),
            );
            pen.circle(at, radius, 1.3, color);
        }
        let part = self.age.filter(|_| !desk.still).map_or(1.0, |age| (age / REBOUND).min(1.0));
        let away = AWAY * (1.0 - (1.0 - part) * (1.0 - part));
        let center = swing.at(step.min(STEP) * away * 2.0);
        let shaft = pen.ink.text2;
        pen.line(center, swing.pivot, 5.0, mix(shaft, pen.ink.bg, 0.1));
        pen.line(center, swing.pivot, 2.0, mix(shaft, pen.ink.bg, 0.45));
        head(pen, center, radius, hardness(desk));
        if last.is_some() {
            let (from, to) = swing.beside(step, radius);
            pen.arrow(from, to, 2.2, 9.0, pen.ink.force);
        }
    }

    /// Circles in the surface.
    fn flash(&self, pen: &ThemePainter, scene: &Scene, strike: Pos2, still: bool) {
        let Some(part) = self.age.map(|age| age / if still { MARK } else { FLASH }).filter(|part| *part < 1.0) else { return };
        let part = if still { 0.0 } else { part };
        let ease = 1.0 - (1.0 - part) * (1.0 - part);
        let reach = 0.29 * (0.6 + 0.4 * self.strength);
        for (first, opacity) in [(0.115, 0.95), (0.075, 0.6), (0.035, 0.32)] {
            let radius = first + ease * (reach - 0.115);
            let color = pen.ink.force.gamma_multiply(opacity * (1.0 - part));
            pen.ring(ring(scene, strike, radius), 2.4 - 1.2 * part, color);
        }
    }

    /// The speed beside the first exposures, in words.
    pub fn speed(&self, pen: &ThemePainter, scene: &Scene, strike: Pos2, last: Option<&HitPulse>, desk: &ParamContext) {
        let Some(hit) = last else { return };
        let (swing, step, radius) = swing(pen, scene, strike, last, desk);
        let (from, _) = swing.beside(step, radius);
        // above what may stand on the body, below its name
        let at = from + vec2(12.0 * swing.side.x.signum(), -4.0);
        let at = pos2(at.x, at.y.max(pen.painter().clip_rect().top() + NAMED));
        let side = if swing.side.x < 0.0 { Side::Right } else { Side::Left };
        pen.text(at, side, &words(hit), (Face::Medium, Size::Text, pen.ink.force));
    }
}

/// The arc of the hammer, the angle between exposures, and the head's radius [px]. Before the first hit it has the loudest key's speed.
fn swing(pen: &ThemePainter, scene: &Scene, strike: Pos2, last: Option<&HitPulse>, desk: &ParamContext) -> (Swing, f32, f32) {
    let mass = desk.value(ParamId::HammerMass);
    let radius = (RADIUS * (mass / MASS).cbrt() as f32).min(LARGEST);
    let radius = (radius * scene.camera.scale).max(LEAST);
    let speed = last.map_or_else(|| desk.value(ParamId::SpeedHigh), |hit| hit.velocity_in);
    let step = (STEP * (speed / SPEED).sqrt() as f32).clamp(0.03, 0.22);
    let mut swing = Swing::new(scene, strike, radius);
    // beside a strike near the left edge there is no room for words
    let room = last.map_or(0.0, |hit| pen.width(&words(hit), Face::Medium, Size::Text) + BESIDE);
    if swing.side.x < 0.0 && swing.beside(step, radius).0.x - room < pen.painter().clip_rect().left() {
        swing.side = -swing.side;
    }
    (swing, step, radius)
}

/// The speed of a hit.
fn words(hit: &HitPulse) -> String {
    format!("*v*~in~ {}", with_prefix(hit.velocity_in, "m/s"))
}

/// How hard the head looks, 0 to 1: by its stiffness.
pub fn hardness(desk: &ParamContext) -> f32 {
    let stiffness =
        ParamId::Stiffness.spec().to_normalized(desk.value(ParamId::Stiffness)) + 0.17 * desk.value(ParamId::Hardness);
    stiffness.clamp(0.0, 1.0) as f32
}

/// A head: the core grows with its hardness, thin rings outside are what it is wrapped in.
pub fn head(pen: &ThemePainter, center: Pos2, radius: f32, hardness: f32) {
    let ink = pen.ink;
    pen.disc(center, radius, ink.force, 0.0, ink.force);
    let core = radius * (0.18 + 0.68 * hardness);
    let step = ((radius - core) / 3.2).max(3.2);
    let mut ring = core;
    while ring < radius - 2.0 {
        pen.circle(center, ring, 1.0, mix(ink.force, ink.bg, 0.22));
        ring += step;
    }
    pen.disc(center, core, mix(ink.force, ink.bg, 0.34), 0.0, ink.force);
    pen.circle(center, radius - 0.75, 1.5, mix(ink.force, ink.text, 0.18));
}

/// The arc on which the hammer swings.
struct Swing {
    pivot: Pos2,
    radius: f32,
    start: f32,
    /// Which way the angle grows on the way back.
    turn: f32,
    /// Beside the arc, away from the shaft.
    side: Vec2,
}

impl Swing {
    fn new(scene: &Scene, strike: Pos2, head: f32) -> Self {
        let scale = scene.camera.scale;
        // what is round and upright is struck from its side, all else from above
        let upright = matches!(scene.form, Form::Wall(_));
        let out = if strike.x < scene.camera.see([0.0; 3]).x { -1.0 } else { 1.0 };
        let (center, pivot, turn) = if upright {
            let center = strike + vec2(0.93 * out, -0.30) * (head - 2.0);
            (center, center + vec2(0.9 * out, -1.15) * scale, out)
        } else {
            let center = strike - vec2(0.0, head - 3.0);
            (center, center + PIVOT * scale, 1.0)
        };
        let way = center - pivot;
        let side = if upright { vec2(-0.35 * out, -0.94) } else { vec2(-0.94, 0.34) };
        Self { pivot, radius: way.length(), start: way.angle(), turn, side }
    }

    /// Beginning and end of the arrow beside the first exposures.
    fn beside(&self, step: f32, radius: f32) -> (Pos2, Pos2) {
        let off = self.side * (radius + 12.0);
        (self.at(2.65 * step) + off, self.at(1.05 * step) + off)
    }

    /// Where the head is, turned back by `angle`.
    fn at(&self, angle: f32) -> Pos2 {
        self.pivot + self.radius * Vec2::angled(self.start + self.turn * angle)
    }
}

/// A circle of `radius` [world] round the strike as it lies in the surface.
fn ring(scene: &Scene, strike: Pos2, radius: f32) -> Vec<Pos2> {
    let middle = scene.camera.see([0.0; 3]);
    let to = |x: f32, y: f32| strike + (scene.camera.see([x, y, 0.0]) - middle);
    let narrow = if matches!(scene.form, Form::Bar(..)) { BAR.0 } else { radius };
    let point = |i: usize| {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / 48.0).sin_cos();
        match scene.form {
            Form::Wall(_) => pos2(strike.x, strike.y) + 0.6 * radius * scene.camera.scale * vec2(cos, sin),
            _ => to(radius * cos, (radius * sin).clamp(-narrow, narrow)),
        }
    };
    (0..48).map(point).collect()
}

/// A disc with a letter, as pickups have.
pub fn lettered(pen: &ThemePainter, at: Pos2, letter: &str, lit: bool) {
    let fill = if lit { pen.ink.hover } else { pen.ink.bg };
    pen.disc(at, 11.0, fill, 1.8, pen.ink.body);
    let color: Color32 = pen.ink.text;
    pen.text(at, Side::Center, letter, (Face::SemiBold, Size::Label, color));
}
