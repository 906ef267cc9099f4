//! A prepared body: what is the same for every key, made away from the audio thread.
//!
//! A key's own body sounds the partials f_i = f0 r_i sqrt((1 + B r_i^2)/(1 + B)), f0 = 2^(tune/12) times the frequency
//! of the key in the tuning, each heard at its damped frequency. Free bodies hang on a soft suspension, which comes first among their modes.
//! A body may turn into another (`crate::body::morph`); if only that one hangs on a suspension, it comes last.

use crate::block::band_limit;
use std::f64::consts::TAU;

use crate::body::body_types;
use crate::body::body_types::BodyVariation;
use crate::body::morph;
use crate::body::partials::Partials;
use crate::params::BodyKind;
use crate::params::{ParamId, ParamValues};
use crate::patch::DriveContent;
use crate::patch::ListedMode;
use crate::patch::PartialEdit;
use crate::patch::Patch;
use urto_physics::bodies::{BodyPosition, Losses, Material, ModalShape};
use urto_physics::modal::Mode;
use urto_physics::radiation::compact;

/// Frequency [Hz] and damping ratio of the suspension of a free body: soft enough to be out of the way of the lowest partial,
/// damped enough to come to rest between strokes.
const SUSPENSION: (f64, f64) = (12.0, 0.3);

/// Which body is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySpec {
    /// What is struck.
    pub kind: BodyKind,
    /// Number of modes, >= 1.
    pub modes: usize,
    /// Where it is struck: dense bodies are thinned for it.
    pub strike: BodyPosition,
    /// What it may turn into.
    pub to: Option<BodyKind>,
    /// How it differs from an even body of its kind.
    pub outline: BodyVariation,
}

impl BodySpec {
    /// `modes` modes of `kind`, struck where the knobs stand by default.
    pub fn new(kind: BodyKind, modes: usize) -> Self {
        let settings = ParamValues::default();
        Self { kind, modes, strike: settings.strike_position(), to: None, outline: BodyVariation::of(&settings) }
    }

    /// The body that `settings` ask for.
    pub fn of(settings: &ParamValues) -> Self {
        let modes = settings.get(ParamId::Modes) as usize;
        let (kind, strike, to) = (settings.body_kind(), settings.strike_position(), settings.morph_kind());
        Self { kind, modes, strike, to, outline: BodyVariation::of(settings) }
    }

    /// Whether the body of `other` will do: a hammer that moves asks for no other body.
    pub fn is_satisfied_by(&self, other: &Self) -> bool {
        self.kind == other.kind && self.modes == other.modes && self.to == other.to && self.outline == other.outline
    }
}

/// How the body of one key differs from the one that the knobs describe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyScaling {
    /// Factor of its mass.
    pub mass: f64,
    /// Factor of its decay time.
    pub decay: f64,
    /// Factor of the corner of its radiation.
    pub corner: f64,
}

impl Default for KeyScaling {
    fn default() -> Self {
        Self { mass: 1.0, decay: 1.0, corner: 1.0 }
    }
}

impl KeyScaling {
    /// The body of a key whose frequency is `ratio` times that of the home key.
    pub fn new(settings: &ParamValues, ratio: f64) -> Self {
        let power = |knob| ratio.powf(settings.get(knob));
        Self { mass: power(ParamId::TrackBody), decay: power(ParamId::TrackDecay), corner: power(ParamId::CornerTracking) }
    }
}

/// Decay rates [1/s] that a few partials have beside the law of all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExtraDecay {
    /// Of the lowest.
    pub lowest: f64,
    /// Of those with no nodal diameter and with one, on heads and discs.
    pub round: [f64; 2],
}

/// Pitch and losses of one key's body.
#[derive(Clone, Copy, Debug)]
pub struct BodyTuning {
    /// Heard frequency of the ratio 1 [Hz].
    pub lowest: f64,
    /// Coefficient B.
    pub inharmonicity: f64,
    /// Decay rate of a partial by its frequency.
    pub losses: Losses,
    /// Decay rates [1/s] beside that, of a few partials.
    pub added: ExtraDecay,
    /// How far the body has turned into its other, 0 to 1.
    pub morph: f64,
}

impl BodyTuning {
    /// Pitch of a key of `hertz` [Hz] with the values that `knob` gives for the knobs of the body.
    pub fn new(hertz: f64, build: KeyScaling, knob: impl Fn(ParamId) -> f64) -> Self {
        let material = Material::NAMED.get((knob(ParamId::Material) as usize).wrapping_sub(1));
        let internal = material.map_or(Losses::default(), |(_, material)| material.losses);
        Self {
            lowest: hertz * (knob(ParamId::Tune) / 12.0).exp2(),
            inharmonicity: knob(ParamId::Inharmonicity),
            losses: Losses {
                constant: 1000_f64.ln() / (knob(ParamId::Decay) * build.decay),
                structural: knob(ParamId::Loss),
                viscous: knob(ParamId::Viscosity),
            } + internal,
            added: ExtraDecay {
                lowest: knob(ParamId::ResonatorLoss),
                round: [knob(ParamId::MonopoleLoss), knob(ParamId::DipoleLoss)],
            },
            morph: knob(ParamId::Morph),
        }
    }
}

/// Where weights and modes are worked out before an object takes them.
pub struct BodyScratch {
    /// Weights of one contact or pickup.
    pub weights: Vec<f64>,
    /// The same of the body that another turns into.
    pub others: Vec<f64>,
    /// What left and right hear.
    pub ears: [Vec<f64>; 2],
    /// Modes of one key.
    pub modes: Vec<Mode>,
}

impl BodyScratch {
    /// Room for `modes` modes; the only allocation.
    pub fn new(modes: usize) -> Self {
        let weights = || vec![0.0; modes];
        Self { weights: weights(), others: weights(), ears: [weights(), weights()], modes: vec![Mode::RIGID; modes] }
    }
}

/// A prepared body.
#[derive(Clone)]
pub struct PreparedBody {
    request: BodySpec,
    shape: ModalShape,
    /// The place that every partial had before it was trimmed; empty: the same.
    places: Vec<usize>,
    /// Partials that alone are heard, by their places before trims; empty: all.
    soloed: Vec<usize>,
    partials: Partials,
    other: Option<Other>,
    score: DriveContent,
}

/// What a body may turn into.
#[derive(Clone)]
struct Other {
    kind: BodyKind,
    shape: ModalShape,
    /// See `crate::body::morph`.
    signs: Vec<f64>,
}

impl PreparedBody {
    /// Prepares the body `request`; `free` and `other_free` are the lists for [`BodyKind::Modes`], of the body and of what it may turn
    /// into, lowest modes first to stay (empty: one mode). Allocates; not for the audio thread.
    pub fn prepare(request: BodySpec, free: &[ListedMode], other_free: &[ListedMode]) -> Box<PreparedBody> {
        let shape = body_types::shape(request.kind, &request, free);
        let other = request.to.map(|kind| {
            let other = body_types::shape(kind, &request, other_free);
            Other { kind, signs: morph::phase_signs(&shape, &other), shape: other }
        });
        let partials = Partials::new(&shape, other.as_ref().map(|other| &other.shape));
        Box::new(PreparedBody {
            request,
            shape,
            places: Vec::new(),
            soloed: Vec::new(),
            partials,
            other,
            score: DriveContent::default(),
        })
    }

    /// Prepares the body of a patch, as [`Body::prepare`].
    pub fn of(patch: &Patch) -> Box<PreparedBody> {
        let body = Self::prepare(BodySpec::of(&patch.settings), &patch.modes, &patch.morph_modes);
        body.with_partial_edits(&patch.trims).with(patch.score.clone())
    }

    /// The same with what the drive plays of its own, which goes where the body goes.
    pub fn with(mut self: Box<Self>, score: DriveContent) -> Box<Self> {
        self.score = score;
        self
    }

    /// The same with `trims`; of a body that has none yet. Allocates.
    pub fn with_partial_edits(mut self: Box<Self>, trims: &[PartialEdit]) -> Box<Self> {
        if trims.is_empty() {
            return self;
        }
        let trims: Vec<_> = trims.iter().map(PartialEdit::shaped).collect();
        (self.shape, self.places) = self.shape.trimmed(&trims);
        if let Some(other) = &mut self.other {
            other.signs = morph::phase_signs(&self.shape, &other.shape);
        }
        self.partials = Partials::new(&self.shape, self.other.as_ref().map(|other| &other.shape));
        self
    }

    /// The same, of which pickups hear the partials `places` alone, by their places before trims; all if there are none. Allocates.
    pub fn soloed(mut self: Box<Self>, places: &[usize]) -> Box<Self> {
        self.soloed = places.to_vec();
        self
    }

    /// The place of partial `i` before it was trimmed: the one by which a trim names it. None if only what the body turns into has it.
    pub fn place(&self, i: usize) -> Option<usize> {
        (i < self.shape.len()).then(|| self.places.get(i).copied().unwrap_or(i))
    }

    /// What the drive plays of its own.
    pub fn drive_content(&self) -> &DriveContent {
        &self.score
    }

    /// What was asked for.
    pub fn request(&self) -> BodySpec {
        self.request
    }

    /// Number of partials, without the suspension.
    pub fn partials(&self) -> usize {
        self.partials.len()
    }

    /// Number of modes that come before the partials: 1 on a suspension, else 0.
    pub fn rigid(&self) -> usize {
        usize::from(self.shape.suspended())
    }

    /// Number of modes that come after the partials: 1 if only what it turns into hangs on a suspension.
    fn trailing(&self) -> usize {
        usize::from(self.rigid() == 0 && self.other.as_ref().is_some_and(|other| other.shape.suspended()))
    }

    /// Number of modes that are no partials.
    pub fn suspensions(&self) -> usize {
        self.rigid() + self.trailing()
    }

    /// Whether it may turn into another.
    pub fn morphs(&self) -> bool {
        self.other.is_some()
    }

    /// What partial `i` is called on its body: (nodal diameters, circles) on what is round, (p, q) on plates, (nodes, 0 or for twist 1)
    /// on bars that are cut; none where its number says all.
    pub fn family(&self, i: usize) -> Option<(u32, u32)> {
        self.shape.family(i)
    }

    /// Heard frequency of partial `i` [Hz].
    pub fn partial(&self, i: usize, pitch: &BodyTuning) -> f64 {
        self.partials.frequency(i, pitch)
    }

    /// Number of partials below the band limit at `rate` [Hz].
    pub fn modes_below_limit(&self, pitch: &BodyTuning, rate: f64) -> usize {
        self.partials.count_below(band_limit(rate), pitch)
    }

    /// Number of partials below the band limit at `rate` [Hz] however far the body turns into its other.
    pub fn reach(&self, pitch: &BodyTuning, rate: f64) -> usize {
        let at = |morph: f64| self.modes_below_limit(&BodyTuning { morph, ..*pitch }, rate);
        if self.morphs() { at(0.0).max(at(1.0)) } else { self.modes_below_limit(pitch, rate) }
    }

    /// The first `partials` modes and the suspensions, written into `out` (as many as it has room for); what lies above the band
    /// limit is held there. Gives back what was written.
    pub fn modes<'a>(&self, partials: usize, pitch: &BodyTuning, rate: f64, out: &'a mut [Mode]) -> &'a [Mode] {
        let (hertz, ratio) = SUSPENSION;
        let suspension = Mode { omega: TAU * hertz, sigma: TAU * hertz * ratio };
        let rigid = self.rigid();
        let count = partials.min(self.partials()).min(out.len().saturating_sub(self.suspensions()));
        let all = (count + self.suspensions()).min(out.len());
        out[..all].fill(suspension);
        self.partials.modes(pitch, band_limit(rate), &mut out[rigid.min(all)..(rigid + count).min(all)]);
        &out[..all]
    }

    /// Weights phi(`place`)/sqrt(modal mass) of all modes [kg^-1/2] for a hammer on a body of `mass` [kg], which has turned into its
    /// other by `morph`, in the order of [`Body::modes`] as far as `weights` of `scratch` goes. `count`: number of modes.
    pub fn hammer_weights<'a>(
        &self,
        place: BodyPosition,
        (mass, morph): (f64, f64),
        count: usize,
        scratch: &'a mut BodyScratch,
    ) -> &'a mut [f64] {
        let rigid = |kind, shape: &ModalShape| rigid_at(kind, shape, place) / mass.sqrt();
        let suspension = (rigid(self.request.kind, &self.shape), self.other.as_ref().map_or(0.0, |o| rigid(o.kind, &o.shape)));
        self.mix(morph, suspension, count, scratch, |shape, out| shape.weights_at_place(place, mass, out))
    }

    /// The same for a pickup, which does not hear the suspension.
    pub fn pickup_weights<'a>(
        &self,
        place: BodyPosition,
        (mass, morph): (f64, f64),
        count: usize,
        scratch: &'a mut BodyScratch,
    ) -> &'a mut [f64] {
        let weights = self.mix(morph, (0.0, 0.0), count, scratch, |shape, out| shape.heard_at_place(place, mass, out));
        self.listen(weights)
    }

    /// Weights from afar of `modes`, those of one key, for a body as large as the wave at `corner` [Hz] over 2 pi. What is not round
    /// is heard as a source of volume.
    pub fn far_weights<'a>(
        &self,
        place: BodyPosition,
        (mass, morph): (f64, f64),
        (modes, corner): (&[Mode], f64),
        scratch: &'a mut BodyScratch,
    ) -> &'a mut [f64] {
        let (partials, scale) = (&modes[self.rigid().min(modes.len())..], 1.0 / (TAU * corner));
        let weights = self.mix(morph, (0.0, 0.0), modes.len(), scratch, |shape, out| {
            let size = |i: usize| partials.get(i).map_or(0.0, |mode| mode.omega * scale);
            if shape.has_far_field() {
                return shape.far_at_place(place, mass, size, out);
            }
            shape.heard_at_place(place, mass, out);
            out.iter_mut().enumerate().for_each(|(i, weight)| *weight *= compact(size(i)));
        });
        self.listen(weights)
    }

    /// Weights of a body that is heard by the force at its end.
    pub fn bridge_weights<'a>(&self, (mass, morph): (f64, f64), count: usize, scratch: &'a mut BodyScratch) -> &'a mut [f64] {
        let weights = self.mix(morph, (0.0, 0.0), count, scratch, |shape, out| shape.bridge(mass, out));
        self.listen(weights)
    }

    /// Weights of a pickup, without what is not soloed.
    fn listen<'a>(&self, weights: &'a mut [f64]) -> &'a mut [f64] {
        if !self.soloed.is_empty() {
            let heard = |i: usize| self.place(i).is_some_and(|place| self.soloed.contains(&place));
            let partials = weights.iter_mut().skip(self.rigid()).enumerate();
            partials.filter(|(i, _)| !heard(*i)).for_each(|(_, weight)| *weight = 0.0);
        }
        weights
    }

    /// Weights of `count` modes, those of the suspension by themselves.
    fn mix<'a>(
        &self,
        morph: f64,
        (before, after): (f64, f64),
        count: usize,
        scratch: &'a mut BodyScratch,
        weights: impl Fn(&ModalShape, &mut [f64]),
    ) -> &'a mut [f64] {
        let BodyScratch { weights: out, others, .. } = scratch;
        let out = &mut out[..count];
        let morph = if self.morphs() { morph } else { 0.0 };
        out.fill((1.0 - morph) * before + morph * after);
        let partials = self.rigid().min(count)..count.saturating_sub(self.trailing()).max(self.rigid().min(count));
        weights(&self.shape, &mut out[partials.clone()]);
        if let Some(other) = self.other.as_ref().filter(|_| morph > 0.0) {
            weights(&other.shape, &mut others[..partials.len()]);
            let signs = other.signs.iter().copied().chain(std::iter::repeat(0.0));
            for ((weight, other), sign) in out[partials].iter_mut().zip(others.iter()).zip(signs) {
                *weight = (1.0 - morph) * *weight + morph * sign * *other;
            }
        }
        out
    }
}

/// Share of the root of its mass with which a free body moves as a whole at `place`. A uniform bar hangs such that it does not tilt.
fn rigid_at(kind: BodyKind, shape: &ModalShape, place: BodyPosition) -> f64 {
    if kind == BodyKind::Bar { 1.0 } else { shape.rigid_at(place) }
}
