//! Builder of the drawn body, and small pictures of the body types.
//!
//! A background thread builds the mesh of the body with the shape of every mode at every point.

use std::sync::Arc;

use crossbeam_channel::{Receiver, bounded};
use egui::{Id, Rect, vec2};

use crate::editor::body_view::floor::Camera;
use crate::editor::body_view::mesh::MeshPainter;
use crate::editor::partial::{ModeShape, Partial};
use crate::editor::widgets::ThemePainter;
use urto_body_mesh::{BodyMesh, Form, SurfacePoint, mode_shapes};
use urto_engine::body::{BodyScratch, BodySize, BodySpec, BodyTuning, ConnectedParts, KeyScaling, PartRatios, PreparedBody};
use urto_engine::params::{BodyKind, DrumHead, ParamId, ParamValues};
use urto_engine::patch::{ListedMode, PartialEdit, Patch, partial_edits};
use urto_engine::telemetry::MAX_SHOWN_MODES;
use urto_physics::bodies::BodyPosition;

/// Sample rate [Hz] that limits the partials: all that are computed at any rate.
const RATE: f64 = 48e3;

/// Position across the body at which modes without motion on the axis are shown.
const OFF_AXIS: f64 = 0.85;

/// Everything from which a model is built.
#[derive(Clone, PartialEq)]
struct ModelSource {
    request: BodySpec,
    modes: [Vec<ListedMode>; 2],
    edits: Vec<PartialEdit>,
    size: BodySize,
}

impl ModelSource {
    fn of(patch: &Patch) -> Self {
        let size = BodySize { mass: patch.settings.get(ParamId::BodyMass), morph: patch.settings.get(ParamId::Morph) };
        let modes = [patch.modes.clone(), patch.morph_modes.clone()];
        Self { request: BodySpec::of(&patch.settings), modes, edits: patch.partial_edits.clone(), size }
    }

    /// Whether the model built from `other` can be reused; the strike position does not matter.
    fn is_satisfied_by(&self, other: &Self) -> bool {
        let lists = self.modes == other.modes && self.edits == other.edits;
        self.request.is_satisfied_by(&other.request) && lists && self.size == other.size
    }
}

/// A body with all data needed to draw it.
pub struct BodyModel {
    source: ModelSource,
    /// The body as played, and without edits of partials.
    body: Box<PreparedBody>,
    unedited: Box<PreparedBody>,
    scratch: BodyScratch,
    /// The parts of the body, each alone.
    parts: PartRatios,
    /// The mesh.
    pub mesh: BodyMesh,
    /// phi_n/sqrt(M_n) [kg^-1/2] of the first modes at every point.
    shapes: Vec<[f32; MAX_SHOWN_MODES]>,
    /// The partials and the mode shape that were computed last.
    last_partials: Option<(PartialsSource, Arc<[Partial]>)>,
    last_shape: Option<(ModeShapeSource, ModeShape)>,
}

/// Everything but the body that the partials depend on.
#[derive(PartialEq)]
struct PartialsSource {
    settings: ParamValues,
    /// Frequency of the key [Hz].
    hertz: f64,
    edits: Vec<PartialEdit>,
}

/// Everything but the body that a mode shape depends on.
#[derive(PartialEq)]
struct ModeShapeSource {
    partial: usize,
    places: [BodyPosition; 3],
}

impl BodyModel {
    /// Builds the model. Slow: eigenvalues of the body.
    fn make(source: ModelSource) -> Self {
        let plain = PreparedBody::prepare(source.request, &source.modes[0], &source.modes[1]);
        let body = plain.clone().with_partial_edits(&source.edits);
        let mesh = BodyMesh::new(Form::of_body(&source.request, body.family(0).is_some()));
        let scratch = BodyScratch::new(MAX_SHOWN_MODES + 2);
        let (shapes, parts) = (Vec::new(), PartRatios::of(&body));
        let mut model =
            Self { source, body, unedited: plain, scratch, parts, mesh, shapes, last_partials: None, last_shape: None };
        let places: Vec<BodyPosition> = model.mesh.points.iter().map(|point| point.position).collect();
        model.shapes = places.into_iter().map(|place| model.shape(place)).collect();
        model
    }

    /// phi_n/sqrt(M_n) [kg^-1/2] of the first modes at a position.
    pub fn shape(&mut self, place: BodyPosition) -> [f32; MAX_SHOWN_MODES] {
        mode_shapes(&self.body, self.source.size, place, &mut self.scratch)
    }

    /// All partials of the body at the key frequency `hertz` [Hz], with `settings` and `edits`. A muted partial has the values it would have
    /// unmuted. Computed when one of them has changed.
    pub fn partials(&mut self, settings: &ParamValues, hertz: f64, edits: &[PartialEdit]) -> Arc<[Partial]> {
        let source = PartialsSource { settings: *settings, hertz, edits: edits.to_vec() };
        let last = self.last_partials.take().filter(|(last, _)| *last == source);
        let partials = last.map_or_else(|| self.computed_partials(&source), |(_, partials)| partials);
        self.last_partials = Some((source, Arc::clone(&partials)));
        partials
    }

    /// The parts of the body at the key frequency `hertz` [Hz], with `settings`.
    pub fn connected_parts(&mut self, settings: &ParamValues, hertz: f64) -> ConnectedParts {
        self.body.connected_parts(&self.parts, settings, hertz, &mut self.scratch)
    }

    /// Number of modes at the key frequency `hertz` [Hz] with `settings`.
    pub fn mode_count(&self, settings: &ParamValues, hertz: f64) -> usize {
        self.body.modes_below_limit(&BodyTuning::new(hertz, KeyScaling::default(), |id| settings.get(id)), RATE)
    }

    fn computed_partials(&self, PartialsSource { settings, hertz, edits }: &PartialsSource) -> Arc<[Partial]> {
        let unmuted: Vec<PartialEdit> = edits.iter().map(|edit| PartialEdit { muted: false, ..*edit }).collect();
        let body = &*self.unedited.clone().with_partial_edits(&unmuted);
        let pitch = BodyTuning::new(*hertz, KeyScaling::default(), |id| settings.get(id));
        let (count, rigid) = (body.modes_below_limit(&pitch, RATE), body.rigid());
        let mut scratch = BodyScratch::new(count + body.suspensions());
        let modes = body.modes(count, &pitch, RATE, &mut scratch.modes).to_vec();
        let weights = self.weights(body, settings, count);
        let largest = weights.each_ref().map(|weights| weights.iter().fold(1e-12, |largest: f64, w| largest.max(w.abs())));
        let loudest = if edits.is_empty() { loudest(&weights) } else { self.loudest_unedited(settings, &pitch) };
        let partial = |i: usize| {
            let index = body.place(i).filter(|place| *place < partial_edits::MAX_PARTIALS);
            Partial {
                hertz: body.partial(i, &pitch),
                t60: 1000_f64.ln() / modes[rigid + i].sigma.max(1e-9),
                weights: std::array::from_fn(|k| weights[k][i] / largest[k]),
                level: 20.0 * (impulse_gain(&weights, i) / loudest).max(1e-6).log10(),
                family: body.family(i),
                is_dense: body.is_statistical(i),
                index,
                edit: index.map_or(PartialEdit::new(0), |place| partial_edits::of(edits, place)),
            }
        };
        (0..count).map(partial).collect()
    }

    /// Weights of the hammer and of both pickups for the partials of `body`.
    fn weights(&self, body: &PreparedBody, settings: &ParamValues, count: usize) -> [Vec<f64>; 3] {
        let (rigid, size) = (body.rigid(), self.source.size);
        let mut scratch = BodyScratch::new(count + body.suspensions());
        let strike = body.hammer_weights(settings.strike_position(), size, count + rigid, &mut scratch)[rigid..].to_vec();
        let [left, right] = body
            .pickup_positions(settings)
            .map(|place| body.pickup_weights(place, size, count + rigid, &mut scratch)[rigid..].to_vec());
        [strike, left, right]
    }

    /// Impulse gain of the loudest unedited partial: the reference of 0 dB.
    fn loudest_unedited(&self, settings: &ParamValues, pitch: &BodyTuning) -> f64 {
        let count = self.unedited.modes_below_limit(pitch, RATE);
        loudest(&self.weights(&self.unedited, settings, count))
    }

    /// Shape of partial `i` along the strike line, and at `places` on the `heads` of a drum, those of the strike and of both pickups; normalised to a
    /// maximum of 1. Computed when one of them has changed.
    pub fn mode_shape(&mut self, i: usize, places: [BodyPosition; 3], heads: [DrumHead; 3]) -> ModeShape {
        let places = std::array::from_fn(|k| self.body.on_head(places[k], heads[k]));
        let source = ModeShapeSource { partial: i, places };
        let last = self.last_shape.take().filter(|(last, _)| *last == source);
        let shape = last.map_or_else(|| self.computed_mode_shape(&source), |(_, shape)| shape);
        self.last_shape = Some((source, shape.clone()));
        shape
    }

    fn computed_mode_shape(&self, &ModeShapeSource { partial: i, places }: &ModeShapeSource) -> ModeShape {
        const POINTS: usize = 96;
        let rigid = self.body.rigid();
        let count = rigid + i + 1;
        if i >= self.body.partials() {
            return ModeShape::default();
        }
        let across = places[0].across;
        let mut scratch = BodyScratch::new(count);
        let mut at =
            |place: BodyPosition| self.body.pickup_weights(place, self.source.size, count, &mut scratch)[rigid + i] as f32;
        let along = |k: usize| BodyPosition { along: k as f64 / (POINTS - 1) as f64, across };
        let mut shape: Vec<f32> = (0..POINTS).map(|k| at(along(k))).collect();
        // torsion does not move the axis: show a line beside it
        if shape.iter().all(|value| value.abs() < 1e-6) {
            shape = (0..POINTS).map(|k| at(BodyPosition { across: OFF_AXIS, ..along(k) })).collect();
        }
        // places on the other surface are drawn opposite to it
        let shown = |place: BodyPosition| place.along.min(2.0 - place.along) as f32;
        let marks = places.map(|place| (shown(place), at(place)));
        let values = shape.iter().copied().chain(marks.map(|mark| mark.1));
        let largest = values.fold(1e-9, |largest: f32, value| largest.max(value.abs()));
        shape.iter_mut().for_each(|value| *value /= largest);
        ModeShape { values: shape, marks: marks.map(|(place, value)| (place, value / largest)) }
    }

    /// Displacement [m] of every point at the modal displacements `q` [m kg^1/2], those of the body and those of the lower plate of two.
    pub fn displacements(&self, q: &[[f32; MAX_SHOWN_MODES]; 2]) -> Vec<f32> {
        let own = |point: &SurfacePoint| &q[usize::from(point.is_lower_plate)];
        self.shapes.iter().zip(&self.mesh.points).map(|(shape, point)| dot(shape, own(point))).collect()
    }

    /// Displacement [m] at one position.
    pub fn displacement(&mut self, place: BodyPosition, q: &[f32; MAX_SHOWN_MODES]) -> f32 {
        dot(&self.shape(place), q)
    }
}

/// Largest impulse gain.
fn loudest(weights: &[Vec<f64>; 3]) -> f64 {
    (0..weights[0].len()).map(|i| impulse_gain(weights, i)).fold(1e-12, f64::max)
}

/// Amplitude of partial `i` at both pickups together after an impulse.
fn impulse_gain(weights: &[Vec<f64>; 3], i: usize) -> f64 {
    weights[0][i].abs() * weights[1][i].hypot(weights[2][i])
}

fn dot(a: &[f32; MAX_SHOWN_MODES], b: &[f32; MAX_SHOWN_MODES]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The current model, and the one that is being built.
#[derive(Default)]
pub struct MeshBuilder {
    model: Option<BodyModel>,
    pending: Option<Receiver<BodyModel>>,
}

impl MeshBuilder {
    /// Starts to build the model of `patch` unless the current one satisfies it. Returns whether one is being built.
    pub fn request(&mut self, patch: &Patch) -> bool {
        if let Some(model) = self.pending.as_ref().and_then(|receiver| receiver.try_recv().ok()) {
            (self.model, self.pending) = (Some(model), None);
        }
        let source = ModelSource::of(patch);
        let met = self.model.as_ref().is_some_and(|model| source.is_satisfied_by(&model.source));
        if !met && self.pending.is_none() {
            let (sender, receiver) = bounded(1);
            // without a thread the previous model stays
            let made = std::thread::Builder::new().name("urto model".into());
            if made.spawn(move || drop(sender.send(BodyModel::make(source)))).is_ok() {
                self.pending = Some(receiver);
            }
        }
        self.pending.is_some()
    }

    /// The current model.
    pub fn model(&mut self) -> Option<&mut BodyModel> {
        self.model.as_mut()
    }
}

/// Draws a small picture of a body of `kind` in `rect`, for lists and buttons.
pub fn miniature(painter: &ThemePainter, rect: Rect, kind: BodyKind) {
    let form = Form::of(kind, false);
    // the mesh depends on the form only: it is kept between frames
    let id = Id::unique(("urto miniature", format!("{form:?}")));
    let context = painter.painter().ctx();
    let mesh = context.data_mut(|data| Arc::clone(data.get_temp_mut_or_insert_with(id, || Arc::new(BodyMesh::new(form)))));
    let (yaw, pitch) = form.best_view();
    let reach = if matches!(form, Form::Wall(_)) { 0.62 } else { 0.5 };
    let flat = if form.is_line() { 1.6 } else { 1.0 };
    let scale = (0.47 * rect.width()).min(flat * reach * 1.24 * rect.height());
    let camera = Camera::new(rect.center() + vec2(0.0, 1.0), scale, yaw, pitch);
    let w: Vec<f32> =
        mesh.points.iter().map(|point| if form.is_line() { -0.06 * (1.6 * point.rest[0]).cos() } else { 0.0 }).collect();
    MeshPainter(&mesh).paint_small(painter, &camera, &w);
}
