//! The stage: the body as what it is, moving slowly, with the hammer over it, and all that can be placed on it.

mod camera;
pub(crate) mod floor;
mod hammer;
mod mesh;
mod mesh_builder;
pub(crate) mod outline;
mod position_handles;
mod slow_motion;

use std::sync::Arc;

use egui::{Id, Pos2, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::body_view::camera::Camera;
use crate::editor::body_view::hammer::Blow;
use crate::editor::body_view::mesh_builder::MeshBuilder;
use crate::editor::body_view::outline::Form;
use crate::editor::body_view::slow_motion::{LARGEST, Motion};
use crate::editor::modes::Line;
use crate::editor::param_context::ParamContext;
use crate::editor::partial::Partial;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use crate::host_params::value_text::{figures, with_prefix};
use crate::threads::EditorEnd;
use urto_engine::params::KeyLayout;
use urto_engine::params::ParamId;
use urto_engine::patch::{PartialEdit, Patch};
use urto_engine::telemetry::{BodyMotion, MAX_SHOWN_MODES};
use urto_engine::tuning::TuningSet;
use urto_engine::tuning::key_name;
use urto_engine::{Event, HitPulse, NoteId};
use urto_physics::bodies::BodyPosition;

pub use crate::editor::body_view::mesh::Solid;

/// The key that a click plays before any other has been played, and its softest velocity.
const CLICKED: u8 = 57;
const SOFTEST: f64 = 0.1;
/// Pixels beside the body in which a click still strikes it.
const BESIDE: f32 = 26.0;

/// What the stage remembers.
#[derive(Default)]
pub struct Stage {
    workshop: MeshBuilder,
    motion: Motion,
    blow: Blow,
    /// The note that the pointer holds down.
    held: Option<NoteId>,
    coming: bool,
}

/// What is seen at one look: the camera, and how far everything has moved.
struct Scene {
    camera: Camera,
    form: Form,
    /// Modal displacements [m kg^1/2], and the factor to displacements in the picture [world/m].
    q: [f32; MAX_SHOWN_MODES],
    scale: f32,
    /// Displacement of every point [world].
    w: Vec<f32>,
}

impl Stage {
    /// Takes news of the body and goes on by `elapsed` [s].
    pub fn follow(&mut self, swing: Option<BodyMotion>, elapsed: f32) {
        self.motion.follow(swing, elapsed);
        self.blow.follow(elapsed);
    }

    /// A hit has landed.
    pub fn hit(&mut self, hit: &HitPulse) {
        self.blow.strike(hit);
    }

    /// Whether something moves.
    pub fn moves(&mut self) -> bool {
        // another page does not wait for it
        let coming = std::mem::take(&mut self.coming);
        coming || self.motion.moves() || self.blow.moves()
    }

    /// Whether a body is being made that is to be drawn.
    #[cfg(any(test, feature = "standalone"))]
    pub fn is_coming(&self) -> bool {
        self.coming
    }

    /// The partials of the body of `key`, with `trims` in place of those of the patch; none while it is being made.
    pub fn partials(&mut self, patch: &Patch, trims: &[PartialEdit], key: u8, last: Option<&HitPulse>) -> Vec<Partial> {
        let shown = kit_sound(patch, last);
        self.coming = self.workshop.want(&shown);
        let hertz = TuningSet::of(&shown.tuning).effective(&shown.settings).hertz(shown.settings.body_key(key)).unwrap_or(220.0);
        self.workshop.model().map_or_else(Vec::new, |model| model.partials(&shown.settings, hertz, trims))
    }

    /// The shape of partial `i` along the body through the strike.
    pub fn mode_line(&mut self, i: usize, desk: &ParamContext) -> Line {
        let places = crate::editor::body_view::position_handles::places(desk);
        self.workshop.model().map_or_else(Line::default, |model| model.line(i, places[0].across, places))
    }

    /// Key that a click plays.
    pub fn key(&self, patch: &Patch, last: Option<&HitPulse>) -> u8 {
        let first = patch.zones.first().map(|zone| zone.keys.0);
        let home = patch.settings.get(ParamId::HomeKey) as u8;
        let quiet = if patch.settings.key_layout() == KeyLayout::Surface { home } else { first.unwrap_or(CLICKED) };
        last.map_or(quiet, |hit| hit.key)
    }

    /// Draws the stage and follows the player.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, desk: &mut ParamContext, audio: &EditorEnd, last: Option<&HitPulse>) {
        let patch = desk.params.patch();
        let shown = kit_sound(&patch, last);
        self.coming = self.workshop.want(&shown);
        let ground = ui.interact(rect, ui.scope_id().with("stage"), Sense::click_and_drag());
        let pen = ThemePainter::new(ui).inside(rect);
        let Some(scene) = self.scene(rect, desk.still) else { return self.caption(&pen, rect, desk, &patch) };
        crate::editor::body_view::floor::paint(&pen, &scene.camera, scene.form);
        self.body(&pen, &scene);
        crate::editor::body_view::position_handles::shortcuts(ui, desk);
        let places = crate::editor::body_view::position_handles::places(desk);
        let Some(model) = self.workshop.model() else { return };
        let strike = crate::editor::body_view::position_handles::seen(model, &scene, places[0]);
        self.blow.paint(&pen, &scene, strike, last, desk);
        crate::editor::body_view::position_handles::show(ui, &pen, rect, model, &scene, desk);
        self.blow.speed(&pen, &scene, strike, last, desk);
        self.caption(&pen, rect, desk, &patch);
        let key = self.key(&patch, last);
        self.play(ui, &ground, &scene, (desk, audio), key);
    }

    /// The camera and the body's state.
    fn scene(&mut self, rect: Rect, still: bool) -> Option<Scene> {
        let q = self.motion.displacements(still);
        let model = self.workshop.model()?;
        let form = model.solid.form;
        let (yaw, pitch) = form.view();
        let fit = (0.381 * rect.width()).min(0.546 * rect.height());
        let (size, across, down) = match form {
            Form::Wall(_) => (1.05 * fit, 0.5, 0.50),
            Form::Round(_) | Form::Plate => (fit, 0.48, 0.53),
            _ => (fit, 0.468, 0.555),
        };
        let center = pos2(rect.left() + across * rect.width(), rect.top() + down * rect.height());
        let camera = Camera::new(center, size, yaw, pitch);
        let mut w = model.displacements(&q);
        let scale = self.motion.scale(&w);
        w.iter_mut().for_each(|w| *w *= scale);
        Some(Scene { camera, form, q, scale, w })
    }

    /// The body, its ghosts, and where it is at rest.
    fn body(&mut self, pen: &ThemePainter, scene: &Scene) {
        let Some(model) = self.workshop.model() else { return };
        crate::editor::body_view::floor::supports(pen, &scene.camera, scene.form, |place| {
            scene.scale * model.displacement(place, &scene.q)
        });
        let solid = &model.solid;
        solid.paint(pen, &scene.camera, &scene.w, LARGEST);
        let line = scene.form.is_line();
        for (part, opacity) in [(-0.9, 0.32), (-0.45, 0.22), (0.5, 0.20)] {
            let ghost = solid.ghost(&scene.camera, &scene.w, part);
            if ghost.len() > 1 && scene.w.iter().any(|w| w.abs() > 0.05 * LARGEST) {
                pen.path(ghost, 1.0, pen.ink.body.gamma_multiply(opacity));
            }
        }
        crate::editor::body_view::floor::rest(pen, &scene.camera, scene.form, line);
    }

    /// Name of the body and of its note; how slow and how large it is shown.
    fn caption(&self, pen: &ThemePainter, rect: Rect, desk: &ParamContext, patch: &Patch) {
        let ink = pen.ink;
        let left = rect.left() + 24.0;
        let (_, kind) = crate::editor::param_controls::dropdown::chosen(ParamId::Body, desk);
        let title = if patch.zones.is_empty() { kind.to_owned() } else { format!("Kit of {} zones", patch.zones.len()) };
        pen.text(pos2(left, rect.top() + 30.0), Side::Left, &title, (Face::SemiBold, Size::Title, ink.text));
        let text = (Face::Regular, Size::Text, ink.text2);
        if let (Some(hertz), Some(slow)) = (self.motion.hertz(), self.motion.slow()) {
            let note = key_name(self.motion.key()).replace('-', "−");
            let mut below = format!("{note}   {hertz:.1} Hz");
            if !desk.small {
                let ratios: Vec<_> = self.motion.ratios().take(3).map(|ratio| figures(f64::from(ratio))).collect();
                below += &format!("   {}", ratios.join(" : ").replacen("1.00", "1", 1));
            }
            pen.text(pos2(left, rect.top() + 55.0), Side::Left, &below, text);
            let time = pen.text(pos2(left, rect.bottom() - 26.0), Side::Left, &format!("time ÷ {slow:.0}"), pen.label());
            if let Some(deflection) = self.motion.deflection() {
                let at = pos2(time.right() + 24.0, rect.bottom() - 26.0);
                pen.text(at, Side::Left, &format!("deflection {}", with_prefix(f64::from(deflection), "m")), pen.label());
            }
        } else {
            let word = "Click the body to strike it, harder the lower.";
            pen.text(pos2(left, rect.top() + 55.0), Side::Left, word, text);
        }
    }

    /// A click on the body strikes it there, harder the lower; the note lasts as long as the pointer is down.
    fn play(&mut self, ui: &Ui, ground: &egui::Response, scene: &Scene, (desk, audio): (&mut ParamContext, &EditorEnd), key: u8) {
        ground.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, "Stage: strike the body"));
        let down = ground.is_pointer_button_down_on();
        let pointer = ground.interact_pointer_pos();
        // a quick click is over before it has been seen down
        let begins = (down || ground.clicked()) && self.held.is_none();
        if begins && let Some((place, low)) = pointer.and_then(|at| self.under(scene, at)) {
            let note = NoteId { voice: None, channel: 0, key };
            audio.play(Event::NoteOn { note, velocity: f64::from(low).clamp(SOFTEST, 1.0) });
            for (knob, value) in [(ParamId::StrikePosition, place.along), (ParamId::StrikeAcross, place.across)] {
                let travel = value - desk.value(knob);
                audio.play(Event::NoteModulation { note, knob, travel });
            }
            self.held = Some(note);
        }
        if !down && let Some(note) = self.held.take() {
            audio.play(Event::NoteOff { note, velocity: 0.5 });
        }
        if let Some(at) = ground.hover_pos()
            && self.under(scene, at).is_some()
        {
            ui.set_cursor_icon(egui::CursorIcon::PointingHand);
            if desk.hint.is_empty() {
                *desk.hint = "Click: strike here, harder the lower. Drag the discs and marks to place strike and pickups.".into();
            }
        }
    }

    /// The place on the body under the pointer, and how low it is on it, 0 to 1.
    fn under(&mut self, scene: &Scene, at: Pos2) -> Option<(BodyPosition, f32)> {
        let solid = &self.workshop.model()?.solid;
        let seen = solid.points.iter().map(|point| (scene.camera.look(point.rest), point.place));
        let nearest = seen.clone().min_by(|(a, _), (b, _)| nearness(a, at).total_cmp(&nearness(b, at)))?;
        let ((place, _), found) = nearest;
        let (top, bottom) = seen.fold((f32::MAX, f32::MIN), |(top, bottom), ((at, _), _)| (top.min(at.y), bottom.max(at.y)));
        let low = (at.y - (top - BESIDE)) / (bottom - top + 2.0 * BESIDE);
        (place.distance(at) < BESIDE).then_some((found, low.clamp(0.0, 1.0)))
    }
}

/// Distance on the window, what is in front first.
fn nearness((seen, depth): &(Pos2, f32), at: Pos2) -> f32 {
    seen.distance_sq(at) + 40.0 * depth
}

/// The zone that was struck last, of a kit.
pub fn zone_struck(patch: &Patch, last: Option<&HitPulse>) -> Option<usize> {
    let struck = last.and_then(|hit| patch.zones.iter().position(|zone| zone.holds(hit.key)));
    struck.or(Some(0)).filter(|zone| *zone < patch.zones.len())
}

/// The patch of the zone that was struck last, of a kit.
fn kit_sound(patch: &Patch, last: Option<&HitPulse>) -> Patch {
    zone_struck(patch, last).map_or_else(|| patch.clone(), |zone| patch.zones[zone].patch(&patch.settings))
}

/// A hammer's head as hard as the knobs have it.
pub fn head(pen: &ThemePainter, center: Pos2, radius: f32, desk: &ParamContext) {
    hammer::head(pen, center, radius, hammer::hardness(desk));
}

/// A small picture of the body of `kind` in `rect`.
pub fn miniature(pen: &ThemePainter, rect: Rect, kind: urto_engine::params::BodyKind) {
    let form = Form::of(kind, false);
    // points and edges are the same at every look
    let id = Id::unique(("urto miniature", format!("{form:?}")));
    let context = pen.painter().ctx();
    let solid = context.data_mut(|data| Arc::clone(data.get_temp_mut_or_insert_with(id, || Arc::new(Solid::new(form)))));
    let (yaw, pitch) = form.view();
    let reach = if matches!(form, Form::Wall(_)) { 0.62 } else { 0.5 };
    let flat = if form.is_line() { 1.6 } else { 1.0 };
    let scale = (0.47 * rect.width()).min(flat * reach * 1.24 * rect.height());
    let camera = Camera::new(rect.center() + vec2(0.0, 1.0), scale, yaw, pitch);
    let w: Vec<f32> =
        solid.points.iter().map(|point| if form.is_line() { -0.06 * (1.6 * point.rest[0]).cos() } else { 0.0 }).collect();
    solid.paint_small(pen, &camera, &w);
}
