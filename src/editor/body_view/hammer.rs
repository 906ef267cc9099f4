//! The hammer: a head scaled by its mass, exposures of its swing at equal times (wider spacing means higher speed), and a flash at impact.

use egui::{Color32, Pos2, Rangef, Rect, Vec2, pos2, vec2};

use crate::editor::body_view::floor::ViewGeometry;
use crate::editor::param_context::ParamContext;
use crate::editor::theme::{Face, Size, mix};
use crate::editor::widgets::{Side, ThemePainter};
use urto_body_mesh::{BAR, Form};
use urto_engine::HitPulse;
use urto_engine::params::ParamId;
use urto_engine::params::value_text::with_prefix;

/// Radius [world] of a head of [`REFERENCE_MASS`] [kg]; it scales with the cube root of the mass. Limits: [px] and [world].
const RADIUS: f32 = 0.118;
const REFERENCE_MASS: f64 = 0.024;
const MIN_RADIUS: f32 = 10.0;
const MAX_RADIUS: f32 = 0.22;
/// The far end of the shaft, relative to the point of contact, over the camera's scale.
const PIVOT: Vec2 = vec2(1.80, -0.62);
/// Angle [rad] between exposures at [`REFERENCE_SPEED`] [m/s].
const STEP: f32 = 0.118;
const REFERENCE_SPEED: f64 = 2.1;
/// Margin between the window's edge and the text beside the exposures [px].
const TEXT_MARGIN: f32 = 24.0;
/// Height of the body's title at the top [px].
const TITLE_HEIGHT: f32 = 78.0;
/// Height of the caption at the bottom, and half the height of the strike speed over its font size.
const CAPTION_HEIGHT: f32 = 44.0;
const HALF_LINE: f32 = 0.9;
/// Radius of a pickup's disc [px].
pub const DISC_RADIUS: f32 = 11.0;
/// Number of exposures.
const EXPOSURES: usize = 4;
/// Duration of the flash, and time the hammer takes to return to rest [s].
const FLASH: f32 = 0.45;
const REBOUND: f32 = 0.6;
/// Duration of the still ring that replaces the flash if motion is reduced [s].
const STILL_FLASH: f32 = 0.2;
/// Distance of the resting hammer from the body, in exposures.
const REST_EXPOSURES: f32 = 0.16;
/// Time constant with which the strongest recent hit is forgotten [s].
const STRONGEST_DECAY: f32 = 8.0;

/// The hammer as drawn: time and strength of the last hit.
#[derive(Default)]
pub struct HammerView {
    /// Time since the last hit [s]; none before the first.
    age: Option<f32>,
    /// Peak force over the strongest recent one.
    strength: f32,
    strongest: f64,
}

impl HammerView {
    /// Starts the flash of a new hit.
    pub fn record_hit(&mut self, hit: &HitPulse) {
        self.strongest = self.strongest.max(hit.peak_force);
        self.strength = if self.strongest > 0.0 { (hit.peak_force / self.strongest) as f32 } else { 0.0 };
        self.age = Some(0.0);
    }

    /// Advances the animation by `elapsed` [s].
    pub fn follow(&mut self, elapsed: f32) {
        if let Some(age) = &mut self.age {
            *age += elapsed;
        }
        self.strongest *= f64::from((-elapsed / STRONGEST_DECAY).exp());
    }

    /// Whether the animation is running.
    pub fn is_moving(&self) -> bool {
        self.age.is_some_and(|age| age < REBOUND)
    }

    /// Draws flash, exposures, hammer and speed arrow; `strike` is the point of contact on the window.
    pub fn paint(
        &self,
        painter: &ThemePainter,
        geometry: &ViewGeometry,
        strike: Pos2,
        last: Option<&HitPulse>,
        params: &ParamContext,
    ) {
        self.flash(painter, geometry, strike, params.still);
        let (swing, step, radius) = swing(painter, geometry, strike, last, params);
        for k in (1..=EXPOSURES).rev() {
            let opacity = 0.50 - 0.09 * k as f32;
            let at = swing.at(step * k as f32);
            let color = painter.ink.force.gamma_multiply(opacity);
            painter.line(
                at + radius * (swing.pivot - at).normalized(),
                swing.pivot,
                1.0,
                painter.ink.force.gamma_multiply(0.65 * opacity),
            );
            painter.circle(at, radius, 1.3, color);
        }
        let part = self.age.filter(|_| !params.still).map_or(1.0, |age| (age / REBOUND).min(1.0));
        let away = REST_EXPOSURES * (1.0 - (1.0 - part) * (1.0 - part));
        let center = swing.at(step.min(STEP) * away * 2.0);
        let shaft = painter.ink.text2;
        painter.line(center, swing.pivot, 5.0, mix(shaft, painter.ink.bg, 0.1));
        painter.line(center, swing.pivot, 2.0, mix(shaft, painter.ink.bg, 0.45));
        head(painter, center, radius, params);
        if last.is_some() {
            let (from, to) = swing.speed_arrow(step, radius);
            painter.arrow(from, to, 2.2, 9.0, painter.ink.force);
        }
    }

    /// Rings on the surface.
    fn flash(&self, painter: &ThemePainter, geometry: &ViewGeometry, strike: Pos2, still: bool) {
        let Some(part) = self.age.map(|age| age / if still { STILL_FLASH } else { FLASH }).filter(|part| *part < 1.0) else {
            return;
        };
        let part = if still { 0.0 } else { part };
        let ease = 1.0 - (1.0 - part) * (1.0 - part);
        let reach = 0.29 * (0.6 + 0.4 * self.strength);
        for (first, opacity) in [(0.115, 0.95), (0.075, 0.6), (0.035, 0.32)] {
            let radius = first + ease * (reach - 0.115);
            let color = painter.ink.force.gamma_multiply(opacity * (1.0 - part));
            painter.ring(ring(geometry, strike, radius), 2.4 - 1.2 * part, color);
        }
    }

    /// Writes the speed beside the first exposures and off the `discs` of the pickups; `strike` is the point of contact on the body at
    /// rest, so that the text does not vibrate.
    pub fn speed(
        &self,
        painter: &ThemePainter,
        geometry: &ViewGeometry,
        (strike, discs): (Pos2, [Rect; 2]),
        last: Option<&HitPulse>,
        params: &ParamContext,
    ) {
        let Some(hit) = last else { return };
        let (swing, step, radius) = swing(painter, geometry, strike, last, params);
        let (from, _) = swing.speed_arrow(step, radius);
        // below the body's title
        let view = painter.painter().clip_rect();
        let rows = Rangef::new(view.top() + TITLE_HEIGHT, view.bottom() - CAPTION_HEIGHT);
        let at = from + vec2(12.0 * swing.side.x.signum(), -4.0);
        let at = pos2(at.x, at.y.max(rows.min));
        let text = speed_text(hit);
        let size = vec2(painter.width(&text, Face::Medium, Size::Text), 2.0 * HALF_LINE * Size::Text.points());
        let (side, left) = if swing.side.x < 0.0 { (Side::Right, at.x - size.x) } else { (Side::Left, at.x) };
        let area = Rect::from_min_size(pos2(left, at.y - 0.5 * size.y), size);
        painter.text(at + vec2(0.0, clear_shift(area, discs, rows)), side, &text, (Face::Medium, Size::Text, painter.ink.force));
    }
}

/// The least vertical move that takes `text` off `discs`, with its centre within `rows`; 0 if there is none.
fn clear_shift(text: Rect, discs: [Rect; 2], rows: Rangef) -> f32 {
    let beside = discs.iter().flat_map(|disc| [disc.top() - text.bottom(), disc.bottom() - text.top()]);
    let is_clear = |shift: f32| {
        let moved = text.translate(vec2(0.0, shift)).shrink(0.01);
        rows.contains(moved.center().y) && !discs.iter().any(|disc| disc.intersects(moved))
    };
    let shifts = std::iter::once(0.0).chain(beside).filter(|shift| is_clear(*shift));
    shifts.min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0)
}

/// The arc of the hammer, the angle between exposures [rad], and the head's radius [px]. Before the first hit the speed is the maximum
/// strike speed.
fn swing(
    painter: &ThemePainter,
    geometry: &ViewGeometry,
    strike: Pos2,
    last: Option<&HitPulse>,
    params: &ParamContext,
) -> (SwingArc, f32, f32) {
    let mass = params.value(ParamId::HammerMass);
    let radius = (RADIUS * (mass / REFERENCE_MASS).cbrt() as f32).min(MAX_RADIUS);
    let radius = (radius * geometry.camera.scale).max(MIN_RADIUS);
    let speed = last.map_or_else(|| params.value(ParamId::SpeedHigh), |hit| hit.velocity_in);
    let step = (STEP * (speed / REFERENCE_SPEED).sqrt() as f32).clamp(0.03, 0.22);
    let mut swing = SwingArc::new(geometry, strike, radius);
    // near the left edge the text does not fit on this side
    let room = last.map_or(0.0, |hit| painter.width(&speed_text(hit), Face::Medium, Size::Text) + TEXT_MARGIN);
    if swing.side.x < 0.0 && swing.speed_arrow(step, radius).0.x - room < painter.painter().clip_rect().left() {
        swing.side = -swing.side;
    }
    (swing, step, radius)
}

/// Strike speed of a hit, as shown.
fn speed_text(hit: &HitPulse) -> String {
    format!("*v*~in~ {}", with_prefix(hit.velocity_in, "m/s"))
}

/// Hardness of the drawn head, 0 to 1, from the contact stiffness.
fn hardness(params: &ParamContext) -> f32 {
    let stiffness =
        ParamId::Stiffness.spec().to_normalized(params.value(ParamId::Stiffness)) + 0.17 * params.value(ParamId::Hardness);
    stiffness.clamp(0.0, 1.0) as f32
}

/// Draws a hammer head: the core grows with its hardness, the thin rings around it are the wrapping.
pub fn head(painter: &ThemePainter, center: Pos2, radius: f32, params: &ParamContext) {
    let (ink, hardness) = (painter.ink, hardness(params));
    painter.disc(center, radius, ink.force, 0.0, ink.force);
    let core = radius * (0.18 + 0.68 * hardness);
    let step = ((radius - core) / 3.2).max(3.2);
    let mut ring = core;
    while ring < radius - 2.0 {
        painter.circle(center, ring, 1.0, mix(ink.force, ink.bg, 0.22));
        ring += step;
    }
    painter.disc(center, core, mix(ink.force, ink.bg, 0.34), 0.0, ink.force);
    painter.circle(center, radius - 0.75, 1.5, mix(ink.force, ink.text, 0.18));
}

/// The arc on which the hammer swings.
struct SwingArc {
    pivot: Pos2,
    radius: f32,
    start: f32,
    /// Sign of the angle on the way back.
    turn: f32,
    /// Direction from the arc to its label, away from the shaft.
    side: Vec2,
}

impl SwingArc {
    fn new(geometry: &ViewGeometry, strike: Pos2, head: f32) -> Self {
        let scale = geometry.camera.scale;
        // upright walls are struck from the side, everything else from above
        let upright = matches!(geometry.form, Form::Wall(_));
        let out = if strike.x < geometry.camera.project([0.0; 3]).x { -1.0 } else { 1.0 };
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

    /// Start and end of the speed arrow beside the first exposures.
    fn speed_arrow(&self, step: f32, radius: f32) -> (Pos2, Pos2) {
        let off = self.side * (radius + 12.0);
        (self.at(2.65 * step) + off, self.at(1.05 * step) + off)
    }

    /// Position of the head, turned back by `angle` [rad].
    fn at(&self, angle: f32) -> Pos2 {
        self.pivot + self.radius * Vec2::angled(self.start + self.turn * angle)
    }
}

/// A circle of `radius` [world] around the strike, in the plane of the surface.
fn ring(geometry: &ViewGeometry, strike: Pos2, radius: f32) -> Vec<Pos2> {
    let middle = geometry.camera.project([0.0; 3]);
    let to = |x: f32, y: f32| strike + (geometry.camera.project([x, y, 0.0]) - middle);
    let narrow = if matches!(geometry.form, Form::Bar(..)) { BAR.0 } else { radius };
    let point = |i: usize| {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / 48.0).sin_cos();
        match geometry.form {
            Form::Wall(_) => pos2(strike.x, strike.y) + 0.6 * radius * geometry.camera.scale * vec2(cos, sin),
            _ => to(radius * cos, (radius * sin).clamp(-narrow, narrow)),
        }
    };
    (0..48).map(point).collect()
}

/// A disc with a letter, the handle of a pickup.
pub fn pickup_disc(painter: &ThemePainter, at: Pos2, letter: &str, lit: bool) {
    let fill = if lit { painter.ink.hover } else { painter.ink.bg };
    painter.disc(at, DISC_RADIUS, fill, 1.8, painter.ink.body);
    let color: Color32 = painter.ink.text;
    painter.text(at, Side::Center, letter, (Face::SemiBold, Size::Label, color));
}
