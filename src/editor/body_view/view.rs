//! The view of the body: it shows the body in slow motion with hammer and handles, and plays it by clicks.

use std::sync::Arc;

use egui::{Pos2, Rect, Sense, Ui, WidgetInfo, pos2};

use crate::editor::body_view::floor::{Camera, ViewGeometry, screen_distance};
use crate::editor::body_view::hammer::HammerView;
use crate::editor::body_view::mesh::MeshPainter;
use crate::editor::body_view::mesh_builder::MeshBuilder;
use crate::editor::body_view::slow_motion::{MAX_DISPLACEMENT, SlowMotion};
use crate::editor::body_view::{floor, position_handles};
use crate::editor::param_context::ParamContext;
use crate::editor::partial::{ModeShape, Partial};
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use crate::threads::EditorEnd;
use urto_body_mesh::Form;
use urto_engine::body::ConnectedParts;
use urto_engine::params::value_text::{figures, with_prefix};
use urto_engine::params::{BodyKind, KeyLayout, ParamId};
use urto_engine::patch::{PartialEdit, Patch};
use urto_engine::telemetry::BodyMotion;
use urto_engine::tuning::{TuningSet, key_name};
use urto_engine::{Event, HitPulse, NoteId};
use urto_physics::bodies::BodyPosition;

/// Key that a click plays before the first hit, and minimum velocity of a click.
const DEFAULT_KEY: u8 = 57;
const MIN_VELOCITY: f64 = 0.1;
/// Velocity of a strike by Enter.
const KEY_VELOCITY: f64 = 96.0 / 127.0;
/// Distance from the body within which a click strikes it [px].
const CLICK_MARGIN: f32 = 26.0;

/// State of the view.
#[derive(Default)]
pub struct BodyView {
    builder: MeshBuilder,
    motion: SlowMotion,
    hammer: HammerView,
    /// The note that the pointer holds.
    pressed_note: Option<NoteId>,
    is_pending: bool,
}

impl BodyView {
    /// Takes new motion data, if any, and advances by `elapsed` [s].
    pub fn follow(&mut self, swing: Option<BodyMotion>, elapsed: f32) {
        self.motion.follow(swing, elapsed);
        self.hammer.follow(elapsed);
    }

    /// Starts the flash of a new hit.
    pub fn record_hit(&mut self, hit: &HitPulse) {
        self.hammer.record_hit(hit);
    }

    /// Whether the view is animated.
    pub fn is_moving(&mut self) -> bool {
        // if the view is not drawn again, nothing is pending for it
        let pending = std::mem::take(&mut self.is_pending);
        pending || self.motion.is_moving() || self.hammer.is_moving()
    }

    /// Whether a model of the body is being built.
    #[cfg(any(test, feature = "standalone"))]
    pub fn is_building(&self) -> bool {
        self.is_pending
    }

    /// The partials of the body of `key`, with `edits` in place of those of the patch; none until the first model is built.
    pub fn partials(&mut self, patch: &Patch, edits: &[PartialEdit], key: u8, last: Option<&HitPulse>) -> Arc<[Partial]> {
        let shown = kit_sound(patch, last);
        self.is_pending = self.builder.request(&shown);
        let hertz = body_hertz(&shown, key);
        self.builder.model().map_or_else(|| Arc::from([]), |model| model.partials(&shown.settings, hertz, edits))
    }

    /// The parts of the body of the key that was struck last; none until the first model is built.
    pub fn connected_parts(&mut self, patch: &Patch, last: Option<&HitPulse>) -> Option<ConnectedParts> {
        let key = self.strike_key(patch, last);
        let shown = kit_sound(patch, last);
        self.is_pending = self.builder.request(&shown);
        let hertz = body_hertz(&shown, key);
        self.builder.model().map(|model| model.connected_parts(&shown.settings, hertz))
    }

    /// Number of modes of a voice of the key that was struck last; none until its model is built.
    pub fn mode_count(&mut self, patch: &Patch, last: Option<&HitPulse>) -> Option<usize> {
        let key = self.strike_key(patch, last);
        let shown = kit_sound(patch, last);
        self.is_pending = self.builder.request(&shown);
        if self.is_pending {
            return None;
        }
        let hertz = body_hertz(&shown, key);
        self.builder.model().map(|model| model.mode_count(&shown.settings, hertz))
    }

    /// Shape of partial `i` along the body, on the line of the strike.
    pub fn mode_shape(&mut self, i: usize, params: &ParamContext) -> ModeShape {
        let (places, heads) = (position_handles::positions(params), position_handles::heads(params));
        self.builder.model().map_or_else(ModeShape::default, |model| model.mode_shape(i, places, heads))
    }

    /// Key that a click plays: the last one, else the home key or the first key of the kit.
    pub fn strike_key(&self, patch: &Patch, last: Option<&HitPulse>) -> u8 {
        let first = patch.zones.first().map(|zone| zone.keys.0);
        let home = patch.settings.get(ParamId::HomeKey) as u8;
        let quiet = if patch.settings.key_layout() == KeyLayout::Surface { home } else { first.unwrap_or(DEFAULT_KEY) };
        last.map_or(quiet, |hit| hit.key)
    }

    /// Draws the view and handles input.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, params: &mut ParamContext, audio: &EditorEnd, last: Option<&HitPulse>) {
        let patch = params.params.patch();
        let shown = kit_sound(&patch, last);
        self.is_pending = self.builder.request(&shown);
        let ground = ui.interact(rect, ui.scope_id().with("stage"), Sense::click_and_drag());
        let painter = ThemePainter::new(ui).inside(rect);
        let Some(geometry) = self.geometry(rect, params.still) else {
            return self.caption(&painter, rect, params, (&patch, &shown));
        };
        floor::paint(&painter, &geometry.camera, geometry.form);
        if matches!(geometry.form, Form::Bar(..)) && shown.settings.get(ParamId::TubeCoupling) > 0.0 {
            floor::resonator(&painter, &geometry.camera, geometry.form);
        }
        self.body(&painter, &geometry);
        if ground.has_focus() {
            painter.outline(rect.shrink(8.0), theme::FIELD, theme::FOCUS, painter.ink.text);
        }
        position_handles::shortcuts(ui, &ground, params);
        let places = position_handles::positions(params);
        let Some(model) = self.builder.model() else { return };
        let strike = position_handles::on_screen(model, &geometry, places[0]);
        self.hammer.paint(&painter, &geometry, strike, last, params);
        position_handles::show(ui, &painter, rect, model, &geometry, params);
        let resting = geometry.camera.project(model.mesh.form.surface_point(places[0]).rest);
        let discs = position_handles::disc_areas(model, &geometry, rect, params);
        self.hammer.speed(&painter, &geometry, (resting, discs), last, params);
        self.caption(&painter, rect, params, (&patch, &shown));
        let key = self.strike_key(&patch, last);
        self.play(ui, &ground, &geometry, (params, audio), key);
    }

    /// Camera and displacements of this frame; none until the first model is built.
    fn geometry(&mut self, rect: Rect, still: bool) -> Option<ViewGeometry> {
        let q = self.motion.displacements(still);
        let model = self.builder.model()?;
        let form = model.mesh.form;
        let (yaw, pitch) = form.best_view();
        let fit = (0.381 * rect.width()).min(0.546 * rect.height());
        let (size, across, down) = match form {
            Form::Wall(_) => (1.05 * fit, 0.5, 0.50),
            Form::Round(_) | Form::TwoHeads | Form::TwoPlates | Form::Plate => (fit, 0.48, 0.53),
            _ => (fit, 0.468, 0.555),
        };
        let center = pos2(rect.left() + across * rect.width(), rect.top() + down * rect.height());
        let camera = Camera::new(center, size, yaw, pitch);
        let mut w = model.displacements(&q);
        let scale = self.motion.scale(&w);
        w.iter_mut().for_each(|w| *w *= scale);
        Some(ViewGeometry { camera, form, q, scale, w })
    }

    /// Draws the body, its ghosts and its rest position.
    fn body(&mut self, painter: &ThemePainter, geometry: &ViewGeometry) {
        let Some(model) = self.builder.model() else { return };
        floor::supports(painter, &geometry.camera, geometry.form, |place| {
            geometry.scale * model.displacement(place, &geometry.q[0])
        });
        let mesh = MeshPainter(&model.mesh);
        mesh.paint(painter, &geometry.camera, &geometry.w, MAX_DISPLACEMENT);
        let line = geometry.form.is_line();
        for (part, opacity) in [(-0.9, 0.32), (-0.45, 0.22), (0.5, 0.20)] {
            let ghost = mesh.ghost_edge(&geometry.camera, &geometry.w, part);
            if ghost.len() > 1 && geometry.w.iter().any(|w| w.abs() > 0.05 * MAX_DISPLACEMENT) {
                painter.path(ghost, 1.0, painter.ink.body.gamma_multiply(opacity));
            }
        }
        floor::rest(painter, &geometry.camera, geometry.form, line);
    }

    /// Writes the kind of body, its note and partials, the slow-motion factor and the maximum displacement.
    fn caption(&self, painter: &ThemePainter, rect: Rect, params: &ParamContext, (patch, shown): (&Patch, &Patch)) {
        let ink = painter.ink;
        let left = rect.left() + 24.0;
        let (_, kind) = crate::editor::param_controls::dropdown::chosen(ParamId::Body, params);
        let title = if patch.zones.is_empty() { kind.to_owned() } else { format!("Kit of {} zones", patch.zones.len()) };
        painter.text(pos2(left, rect.top() + 30.0), Side::Left, &title, (Face::SemiBold, Size::Title, ink.text));
        let text = (Face::Regular, Size::Text, ink.text2);
        if let (Some(hertz), Some(slow)) = (self.motion.hertz(), self.motion.slow()) {
            let note = key_name(self.motion.key()).replace('-', "−");
            // strings over a soundboard have lower modes, of the board
            let is_course = shown.settings.body_kind() == BodyKind::StringCourse;
            let pitch = if is_course { body_hertz(shown, self.motion.key()) } else { f64::from(hertz) };
            let mut below = format!("{note}   {pitch:.1} Hz");
            if !params.small && !is_course {
                let ratios: Vec<_> = self.motion.ratios().take(3).map(|ratio| figures(f64::from(ratio))).collect();
                below += &format!("   {}", ratios.join(" : ").replacen("1.00", "1", 1));
            }
            painter.text(pos2(left, rect.top() + 55.0), Side::Left, &below, text);
            let time = painter.text(pos2(left, rect.bottom() - 26.0), Side::Left, &format!("time ÷ {slow:.0}"), painter.label());
            if let Some(deflection) = self.motion.deflection() {
                let at = pos2(time.right() + 24.0, rect.bottom() - 26.0);
                painter.text(at, Side::Left, &format!("deflection {}", with_prefix(f64::from(deflection), "m")), painter.label());
            }
        } else {
            let word = "Click the body to strike it; click lower for a harder hit.";
            painter.text(pos2(left, rect.top() + 55.0), Side::Left, word, text);
        }
    }

    /// Strikes the body at the pointer while it is pressed; lower on the body is harder.
    fn play(
        &mut self,
        ui: &Ui,
        ground: &egui::Response,
        geometry: &ViewGeometry,
        (params, audio): (&mut ParamContext, &EditorEnd),
        key: u8,
    ) {
        ground.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, "Body: strike"));
        let down = ground.is_pointer_button_down_on();
        let pointer = ground.interact_pointer_pos();
        // Enter or a screen reader: at the strike position
        if ground.clicked() && pointer.is_none() && self.pressed_note.is_none() {
            let note = NoteId { voice: None, channel: 0, key };
            audio.play(Event::NoteOn { note, velocity: KEY_VELOCITY });
            self.pressed_note = Some(note);
        }
        // a quick click is released before a frame shows it pressed
        let begins = (down || ground.clicked()) && self.pressed_note.is_none();
        if begins && let Some((place, low)) = pointer.and_then(|at| self.position_under(geometry, at)) {
            let note = NoteId { voice: None, channel: 0, key };
            audio.play(Event::NoteOn { note, velocity: f64::from(low).clamp(MIN_VELOCITY, 1.0) });
            for (id, value) in [(ParamId::StrikePosition, place.along), (ParamId::StrikeAcross, place.across)] {
                let travel = value - params.value(id);
                audio.play(Event::NoteModulation { note, param: id, travel });
            }
            self.pressed_note = Some(note);
        }
        if !down && let Some(note) = self.pressed_note.take() {
            audio.play(Event::NoteOff { note, velocity: 0.5 });
        }
        if let Some(at) = ground.hover_pos()
            && self.position_under(geometry, at).is_some()
        {
            ui.set_cursor_icon(egui::CursorIcon::PointingHand);
            if params.hint.is_empty() {
                *params.hint =
                    "Click to strike here; click lower for a harder hit. Drag the discs and markers to move the strike and the pickups.".into();
            }
        }
    }

    /// Position on the body under the pointer, and velocity by height: 0 at the top, 1 at the bottom.
    fn position_under(&mut self, geometry: &ViewGeometry, at: Pos2) -> Option<(BodyPosition, f32)> {
        let mesh = &self.builder.model()?.mesh;
        let projected = mesh.points.iter().map(|point| (geometry.camera.project_with_depth(point.rest), point.position));
        let nearest = projected.clone().min_by(|(a, _), (b, _)| screen_distance(a, at).total_cmp(&screen_distance(b, at)))?;
        let ((place, _), found) = nearest;
        let (top, bottom) = projected.fold((f32::MAX, f32::MIN), |(top, bottom), ((at, _), _)| (top.min(at.y), bottom.max(at.y)));
        let low = (at.y - (top - CLICK_MARGIN)) / (bottom - top + 2.0 * CLICK_MARGIN);
        (place.distance(at) < CLICK_MARGIN).then_some((found, low.clamp(0.0, 1.0)))
    }
}

/// Frequency [Hz] of the body that `key` strikes.
fn body_hertz(patch: &Patch, key: u8) -> f64 {
    let keys = TuningSet::of(&patch.tuning).effective(&patch.settings);
    keys.hertz(patch.settings.body_key(key)).unwrap_or(220.0)
}

/// Index of the zone of a kit that was struck last; none if the patch is not a kit.
pub fn struck_zone(patch: &Patch, last: Option<&HitPulse>) -> Option<usize> {
    let struck = last.and_then(|hit| patch.zones.iter().position(|zone| zone.holds(hit.key)));
    struck.or(Some(0)).filter(|zone| *zone < patch.zones.len())
}

/// The sound of the zone of a kit that was struck last; the patch itself if it is not a kit.
fn kit_sound(patch: &Patch, last: Option<&HitPulse>) -> Patch {
    struck_zone(patch, last).map_or_else(|| patch.clone(), |zone| patch.zones[zone].patch(&patch.settings))
}
