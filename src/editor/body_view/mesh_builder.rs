//! The body that is drawn: its solid with the shape of every mode at every point, made away from the window's thread.

use crossbeam_channel::{Receiver, bounded};

use crate::editor::body_view::mesh::Solid;
use crate::editor::body_view::outline::Form;
use crate::editor::modes::Line;
use crate::editor::partial::Partial;
use urto_engine::body::{BodyScratch, BodySpec, BodyTuning, KeyScaling, PreparedBody};
use urto_engine::params::{ParamId, ParamValues};
use urto_engine::patch::partial_edits;
use urto_engine::patch::{ListedMode, PartialEdit, Patch};
use urto_engine::telemetry::MAX_SHOWN_MODES;
use urto_physics::bodies::BodyPosition;

/// Sample rate [Hz] that decides which partials fit: all up to the highest that are computed at any rate.
const RATE: f64 = 48e3;

/// Where across a body shapes are shown that do not move its axis.
const BESIDE: f64 = 0.85;

/// What a model is made from.
#[derive(Clone, PartialEq)]
struct Recipe {
    request: BodySpec,
    modes: [Vec<ListedMode>; 2],
    trims: Vec<PartialEdit>,
    /// Mass of the body [kg], and how far it has turned into its other.
    size: (f64, f64),
}

impl Recipe {
    fn of(patch: &Patch) -> Self {
        let size = (patch.settings.get(ParamId::BodyMass), patch.settings.get(ParamId::Morph));
        let modes = [patch.modes.clone(), patch.morph_modes.clone()];
        Self { request: BodySpec::of(&patch.settings), modes, trims: patch.partial_edits.clone(), size }
    }

    /// Whether the model made from `other` will do: the place of the strike does not matter.
    fn is_met_by(&self, other: &Self) -> bool {
        let lists = self.modes == other.modes && self.trims == other.trims;
        self.request.is_satisfied_by(&other.request) && lists && self.size == other.size
    }
}

/// A body with all that is needed to draw it.
pub struct Model {
    recipe: Recipe,
    /// The body as it is played, and before its partials were trimmed.
    body: Box<PreparedBody>,
    plain: Box<PreparedBody>,
    scratch: BodyScratch,
    /// What is painted.
    pub solid: Solid,
    /// phi_n/sqrt(M_n) [kg^-1/2] of the first modes at every point.
    shapes: Vec<[f32; MAX_SHOWN_MODES]>,
}

impl Model {
    /// Takes its time.
    fn make(recipe: Recipe) -> Self {
        let plain = PreparedBody::prepare(recipe.request, &recipe.modes[0], &recipe.modes[1]);
        let body = plain.clone().with_partial_edits(&recipe.trims);
        let solid = Solid::new(Form::of(recipe.request.kind, body.family(0).is_some()));
        let scratch = BodyScratch::new(MAX_SHOWN_MODES + 2);
        let mut model = Self { recipe, body, plain, scratch, solid, shapes: Vec::new() };
        let places: Vec<BodyPosition> = model.solid.points.iter().map(|point| point.place).collect();
        model.shapes = places.into_iter().map(|place| model.shape(place)).collect();
        model
    }

    /// phi_n/sqrt(M_n) [kg^-1/2] of the first modes at a place.
    pub fn shape(&mut self, place: BodyPosition) -> [f32; MAX_SHOWN_MODES] {
        let rigid = self.body.rigid();
        let count = (MAX_SHOWN_MODES + rigid).min(self.body.partials() + rigid);
        let weights = self.body.pickup_weights(place, self.recipe.size, count, &mut self.scratch);
        std::array::from_fn(|n| weights.get(rigid + n).map_or(0.0, |weight| *weight as f32))
    }

    /// All partials of the body of a key of `hertz` [Hz], with the knobs of `settings` and with `trims`. A muted one is told of as it
    /// would sound.
    pub fn partials(&self, settings: &ParamValues, hertz: f64, trims: &[PartialEdit]) -> Vec<Partial> {
        let heard: Vec<PartialEdit> = trims.iter().map(|trim| PartialEdit { muted: false, ..*trim }).collect();
        let body = &*self.plain.clone().with_partial_edits(&heard);
        let pitch = BodyTuning::new(hertz, KeyScaling::default(), |knob| settings.get(knob));
        let (count, rigid) = (body.modes_below_limit(&pitch, RATE), body.rigid());
        let mut scratch = BodyScratch::new(count + body.suspensions());
        let modes = body.modes(count, &pitch, RATE, &mut scratch.modes).to_vec();
        let weights = self.weights(body, settings, count);
        let most = weights.each_ref().map(|weights| weights.iter().fold(1e-12, |most: f64, w| most.max(w.abs())));
        let loudest = self.loudest(settings, &pitch);
        (0..count)
            .map(|i| Partial {
                hertz: body.partial(i, &pitch),
                t60: 1000_f64.ln() / modes[rigid + i].sigma.max(1e-9),
                weights: std::array::from_fn(|k| weights[k][i] / most[k]),
                level: 20.0 * (gain(&weights, i) / loudest).max(1e-6).log10(),
                family: body.family(i),
                place: body.place(i),
                trim: body.place(i).map_or(PartialEdit::new(0), |place| partial_edits::of(trims, place)),
            })
            .collect()
    }

    /// Weights of the hammer, of left and of right for the partials of `body`.
    fn weights(&self, body: &PreparedBody, settings: &ParamValues, count: usize) -> [Vec<f64>; 3] {
        let (rigid, size) = (body.rigid(), self.recipe.size);
        let mut scratch = BodyScratch::new(count + body.suspensions());
        let place = |along, across| BodyPosition { along: settings.get(along), across: settings.get(across) };
        let ears = [(ParamId::PickupLeft, ParamId::PickupLeftAcross), (ParamId::PickupRight, ParamId::PickupRightAcross)];
        let strike = body.hammer_weights(settings.strike_position(), size, count + rigid, &mut scratch)[rigid..].to_vec();
        let [left, right] = ears.map(|(along, across)| {
            body.pickup_weights(place(along, across), size, count + rigid, &mut scratch)[rigid..].to_vec()
        });
        [strike, left, right]
    }

    /// What a very short stroke brings of the loudest partial, without trims: the level 0 dB.
    fn loudest(&self, settings: &ParamValues, pitch: &BodyTuning) -> f64 {
        let count = self.plain.modes_below_limit(pitch, RATE);
        let weights = self.weights(&self.plain, settings, count);
        (0..count).map(|i| gain(&weights, i)).fold(1e-12, f64::max)
    }

    /// The shape of partial `i` along the strike line at `across`, and at `places`; its largest value there is 1.
    pub fn line(&self, i: usize, across: f64, places: [BodyPosition; 3]) -> Line {
        const POINTS: usize = 96;
        let rigid = self.body.rigid();
        let count = rigid + i + 1;
        if i >= self.body.partials() {
            return Line::default();
        }
        let mut scratch = BodyScratch::new(count);
        let mut at =
            |place: BodyPosition| self.body.pickup_weights(place, self.recipe.size, count, &mut scratch)[rigid + i] as f32;
        let along = |k: usize| BodyPosition { along: k as f64 / (POINTS - 1) as f64, across };
        let mut shape: Vec<f32> = (0..POINTS).map(|k| at(along(k))).collect();
        // twist does not move the axis: it is shown beside it
        if shape.iter().all(|value| value.abs() < 1e-6) {
            shape = (0..POINTS).map(|k| at(BodyPosition { across: BESIDE, ..along(k) })).collect();
        }
        let marks = places.map(|place| (place.along as f32, at(place)));
        let values = shape.iter().copied().chain(marks.map(|mark| mark.1));
        let most = values.fold(1e-9, |most: f32, value| most.max(value.abs()));
        shape.iter_mut().for_each(|value| *value /= most);
        Line { shape, marks: marks.map(|(place, value)| (place, value / most)) }
    }

    /// Displacement [m] of every point when the modes stand at `q` [m kg^1/2].
    pub fn displacements(&self, q: &[f32; MAX_SHOWN_MODES]) -> Vec<f32> {
        self.shapes.iter().map(|shape| dot(shape, q)).collect()
    }

    /// Displacement [m] at one place.
    pub fn displacement(&mut self, place: BodyPosition, q: &[f32; MAX_SHOWN_MODES]) -> f32 {
        dot(&self.shape(place), q)
    }
}

/// What a very short stroke brings of partial `i` to both pickups together.
fn gain(weights: &[Vec<f64>; 3], i: usize) -> f64 {
    weights[0][i].abs() * weights[1][i].hypot(weights[2][i])
}

fn dot(a: &[f32; MAX_SHOWN_MODES], b: &[f32; MAX_SHOWN_MODES]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The model that there is, and the one that is being made.
#[derive(Default)]
pub struct MeshBuilder {
    model: Option<Model>,
    coming: Option<Receiver<Model>>,
}

impl MeshBuilder {
    /// Sees to it that there will be the model of `patch`. Whether one is being made.
    pub fn want(&mut self, patch: &Patch) -> bool {
        if let Some(model) = self.coming.as_ref().and_then(|coming| coming.try_recv().ok()) {
            (self.model, self.coming) = (Some(model), None);
        }
        let recipe = Recipe::of(patch);
        let met = self.model.as_ref().is_some_and(|model| recipe.is_met_by(&model.recipe));
        if !met && self.coming.is_none() {
            let (done, coming) = bounded(1);
            // if no thread can be had the body stays as it was
            let made = std::thread::Builder::new().name("urto model".into());
            if made.spawn(move || drop(done.send(Model::make(recipe)))).is_ok() {
                self.coming = Some(coming);
            }
        }
        self.coming.is_some()
    }

    /// The model that there is.
    pub fn model(&mut self) -> Option<&mut Model> {
        self.model.as_mut()
    }
}
