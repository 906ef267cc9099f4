//! A prepared body: the part of a body that all keys share.
//!
//! A body is prepared off the audio thread. The body of a key has the partials f_i = f0 r_i sqrt((1 + B r_i^2)/(1 + B)),
//! f0 = 2^(tune/12) times the frequency of the key in the tuning; f_i are damped frequencies. Free bodies hang on a soft
//! suspension, which is their first mode. A body may morph into another ([`crate::body::morph`]); if only that one hangs on a
//! suspension, this is the last mode.

use std::f64::consts::TAU;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::block::band_limit;
use crate::body::body_scratch::BodyScratch;
use crate::body::body_types::BodySpec;
use crate::body::dense_field::{FieldSpec, cascade_thickness};
use crate::body::key_body::{BodySize, BodyTuning};
use crate::body::partials::Partials;
use crate::body::pickup_model::PickupPlace;
use crate::body::potential_copies::{potentials, unit_size};
use crate::body::residual_modes::residual_modes;
use crate::body::{body_types, morph};
use crate::hi_hat::{HiHat, HiHatCapacity};
use crate::params::{BodyKind, DrumHead, ParamValues};
use crate::patch::{DriveContent, ListedMode, PartialEdit, Patch, ResidualBand};
use urto_physics::bodies::{BodyPosition, CurvedDisc, HeavyMode, ModalShape};
use urto_physics::modal::{LANES, LentPotential, Mode, PotentialSize};
use urto_physics::radiation::compact;

/// Frequency [Hz] and damping ratio of the suspension of a free body: soft enough to stay far below the lowest partial, damped enough
/// to come to rest between strikes.
const SUSPENSION: (f64, f64) = (12.0, 0.3);

/// How far the specimens of both plates of a hi-hat are apart.
const LOWER_SPECIMEN: u32 = 5_000;

/// A prepared body.
#[derive(Clone)]
pub struct PreparedBody {
    /// Its number among all bodies of this program.
    serial: u64,
    request: BodySpec,
    shape: ModalShape,
    /// The index of every partial before partial edits; empty if there are none.
    places: Vec<usize>,
    /// Soloed partials, by their index before partial edits; empty: all are audible.
    soloed: Vec<usize>,
    partials: Partials,
    other: Option<Other>,
    /// Modes after all others: see [`PreparedBody::voice_modes`].
    heavy: Vec<HeavyMode>,
    /// Modes that its motion drives.
    driven: Vec<HeavyMode>,
    score: DriveContent,
    /// The disc that it is, if that has a dome or dents.
    curved: Option<Arc<CurvedDisc>>,
    /// The lower plate of a hi-hat.
    lower: Option<Box<PreparedBody>>,
    /// A hi-hat that no voice plays; `None` for other bodies, or while a voice plays it.
    pub(super) hi_hat: Option<Box<HiHat>>,
    /// Copies of its potential that no voice uses, and its size if thickness, mass and lowest omega were 1: see `body_potential`.
    pub(super) potentials: Vec<LentPotential>,
    pub(super) unit_size: PotentialSize,
}

/// The body that another morphs into.
#[derive(Clone)]
struct Other {
    kind: BodyKind,
    shape: ModalShape,
    /// See `crate::body::morph`.
    signs: Vec<f64>,
}

impl PreparedBody {
    /// Prepares the body `request`. `free` and `other_free` are the lists for [`BodyKind::Modes`], of the body and of the one it morphs
    /// into; the lowest modes are kept, an empty list is one mode. Allocates.
    pub fn prepare(request: BodySpec, free: &[ListedMode], other_free: &[ListedMode]) -> Box<PreparedBody> {
        let curved = body_types::curved_disc(&request).map(Arc::new);
        let shape = body_types::shape(request.kind, &request, free, curved.as_deref());
        let other = request.to.map(|kind| {
            let other = body_types::shape(kind, &request, other_free, None);
            Other { kind, signs: morph::phase_signs(&shape, &other), shape: other }
        });
        let partials = Partials::new(&shape, other.as_ref().map(|other| &other.shape));
        let (places, soloed) = (Vec::new(), Vec::new());
        let (heavy, driven) = (request.heavy.modes(), request.heavy.driven_modes());
        let (potentials, unit_size) = (potentials(&request, &shape, curved.as_deref()), unit_size(&request, curved.as_deref()));
        let score = DriveContent::default();
        static PREPARED: AtomicU64 = AtomicU64::new(0);
        Box::new(PreparedBody {
            serial: PREPARED.fetch_add(1, Ordering::Relaxed),
            request,
            shape,
            places,
            soloed,
            partials,
            other,
            heavy,
            driven,
            score,
            curved,
            lower: None,
            hi_hat: None,
            potentials,
            unit_size,
        })
        .with_lower_plate()
        .with_remembered_places()
    }

    /// The same body with its shapes at strike and pickups computed once: those of a field take longer than all else that a strike needs. The lower plate
    /// of a hi-hat is read by the hi-hat itself.
    fn with_remembered_places(mut self: Box<Self>) -> Box<Self> {
        if self.is_dense() {
            let [left, right] = self.request.pickups.map(|pickup| self.on_head(pickup.place, pickup.head));
            self.shape = self.shape.remembering(&[self.request.strike, left, right]);
        }
        self
    }

    /// A hi-hat gets its lower plate, which is another specimen.
    fn with_lower_plate(mut self: Box<Self>) -> Box<Self> {
        if self.request.kind != BodyKind::HiHat {
            return self;
        }
        let field = self.request.field.map(|field| FieldSpec { specimen: field.specimen + LOWER_SPECIMEN, ..field });
        let shape = body_types::shape(BodyKind::HiHat, &BodySpec { field, ..self.request }, &[], None);
        let (partials, request) = (Partials::new(&shape, None), BodySpec { field, to: None, ..self.request });
        let capacity = HiHatCapacity { modes: [self.partials.len() + 1, shape.len() + 1], frame: self.heavy.len() };
        let lower = Self { request, shape, partials, other: None, heavy: Vec::new(), driven: Vec::new(), ..(*self).clone() };
        (self.lower, self.hi_hat) = (Some(Box::new(lower)), Some(Box::new(HiHat::new(capacity))));
        self
    }

    /// Prepares the body of a patch, as [`PreparedBody::prepare`].
    pub fn of(patch: &Patch) -> Box<PreparedBody> {
        let body = Self::prepare(BodySpec::of(&patch.settings_with_macros()), &patch.modes, &patch.morph_modes);
        let body = body.with_partial_edits(&patch.partial_edits).with_residual(&patch.residual);
        body.with_drive_content(patch.drive_content.clone())
    }

    /// The same body with the residual `bands` of a recording, which only lists of modes have; it must have none yet. Allocates.
    pub fn with_residual(mut self: Box<Self>, bands: &[ResidualBand]) -> Box<Self> {
        if self.request.kind == BodyKind::Modes {
            self.heavy.extend(residual_modes(bands, self.request.specimen));
        }
        self
    }

    /// The same body with the drive content of the patch, which is sent together with the body.
    pub fn with_drive_content(mut self: Box<Self>, score: DriveContent) -> Box<Self> {
        self.score = score;
        self
    }

    /// The same body with `edits`; it must have none yet. Allocates.
    pub fn with_partial_edits(mut self: Box<Self>, edits: &[PartialEdit]) -> Box<Self> {
        if edits.is_empty() {
            return self;
        }
        let edits: Vec<_> = edits.iter().copied().map(PartialEdit::to_trim).collect();
        (self.shape, self.places) = self.shape.trimmed(&edits);
        if let Some(other) = &mut self.other {
            other.signs = morph::phase_signs(&self.shape, &other.shape);
        }
        self.partials = Partials::new(&self.shape, self.other.as_ref().map(|other| &other.shape));
        self.potentials = potentials(&self.request, &self.shape, self.curved.as_deref());
        self.with_remembered_places()
    }

    /// The same body with only the partials `places` audible, by their index before partial edits; all if empty. Allocates.
    pub fn soloed(mut self: Box<Self>, places: &[usize]) -> Box<Self> {
        self.soloed = places.to_vec();
        self
    }

    /// The index of partial `i` before partial edits, by which an edit names it; `None` if only the body that it morphs into has it.
    pub fn place(&self, i: usize) -> Option<usize> {
        (i < self.shape.len()).then(|| self.places.get(i).copied().unwrap_or(i))
    }

    /// The drive content of the patch.
    pub fn drive_content(&self) -> &DriveContent {
        &self.score
    }

    /// A number that no other body has, except the lower plate of the same hi-hat.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// The request that it was prepared for.
    pub fn request(&self) -> BodySpec {
        self.request
    }

    /// Whether it is a hi-hat.
    pub fn is_hi_hat(&self) -> bool {
        self.lower.is_some()
    }

    /// The plate of a hi-hat: the upper one, number 0, which is the body itself, or the lower one.
    pub fn plate(&self, number: usize) -> &Self {
        self.lower.as_deref().filter(|_| number > 0).unwrap_or(self)
    }

    /// Number of partials, suspensions excluded.
    pub fn partials(&self) -> usize {
        self.partials.len()
    }

    /// Number of modes before the partials: 1 on a suspension, else 0.
    pub fn rigid(&self) -> usize {
        usize::from(self.shape.suspended())
    }

    /// Number of modes after the partials: 1 if only the body that it morphs into hangs on a suspension.
    fn trailing(&self) -> usize {
        usize::from(self.rigid() == 0 && self.other.as_ref().is_some_and(|other| other.shape.suspended()))
    }

    /// Number of suspension modes.
    pub fn suspensions(&self) -> usize {
        self.rigid() + self.trailing()
    }

    /// Whether it has a field of modes above its exact ones.
    pub fn is_dense(&self) -> bool {
        self.shape.statistical() > 0 || self.other.as_ref().is_some_and(|other| other.shape.statistical() > 0)
    }

    /// Whether its highest modes fade long before the others.
    pub fn is_pruned(&self) -> bool {
        self.is_dense() || !self.heavy.is_empty()
    }

    /// Number of modes of a voice that its heavy modes need, with those that fill up the modes before them to whole blocks of [`LANES`].
    pub fn heavy_room(&self) -> usize {
        if self.heavy.is_empty() { 0 } else { self.heavy.len() + LANES - 1 }
    }

    /// Whether partial `i` belongs to the field: it is known by its statistics only.
    pub fn is_statistical(&self, i: usize) -> bool {
        let exact = self.shape.len() - self.shape.statistical().min(self.shape.len());
        self.place(i).map_or(self.is_dense(), |place| place >= exact)
    }

    /// Thickness [m] for the exchange of energy between its modes; None for bodies that are no plates or shells.
    pub fn cascade_thickness(&self) -> Option<f64> {
        cascade_thickness(self.request.kind, self.request.thickness)
    }

    /// Whether it may morph.
    pub fn morphs(&self) -> bool {
        self.other.is_some()
    }

    /// The mode family of partial `i`: (nodal diameters, circles) on round bodies, (p, q) on plates, (nodes, 0 for bending or 1 for
    /// torsion) on tuned bars; `None` where the index identifies the mode.
    pub fn family(&self, i: usize) -> Option<(u32, u32)> {
        self.shape.family(i)
    }

    /// Damped frequency of partial `i` [Hz].
    pub fn partial(&self, i: usize, pitch: &BodyTuning) -> f64 {
        self.partials.frequency(i, pitch)
    }

    /// Number of partials below the band limit at `rate` [Hz].
    pub fn modes_below_limit(&self, pitch: &BodyTuning, rate: f64) -> usize {
        self.partials.count_below(band_limit(rate), pitch)
    }

    /// Number of partials below the band limit at `rate` [Hz] at any morph amount.
    pub fn reach(&self, pitch: &BodyTuning, rate: f64) -> usize {
        let at = |morph: f64| self.modes_below_limit(&BodyTuning { morph, ..*pitch }, rate);
        if self.morphs() { at(0.0).max(at(1.0)) } else { self.modes_below_limit(pitch, rate) }
    }

    /// Writes the first `partials` modes and the suspensions into `out`, at most its length; frequencies above the band limit are set to
    /// it. Returns the part that was written.
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

    /// The place of a pickup or an obstacle at `place` of `head`; only drums with two heads, and courses of strings, have two surfaces.
    pub fn on_head(&self, place: BodyPosition, head: DrumHead) -> BodyPosition {
        let has_two = self.shapes().any(|(kind, _)| matches!(kind, BodyKind::TwoHeadedDrum | BodyKind::StringCourse));
        if has_two && head == DrumHead::Resonant { body_types::resonant_place(place) } else { place }
    }

    /// Positions of the left and the right pickup for the parameters `settings`.
    pub fn pickup_positions(&self, settings: &ParamValues) -> [BodyPosition; 2] {
        PickupPlace::both(|param| settings.get(param)).map(|pickup| self.on_head(pickup.place, pickup.head))
    }

    /// Weights phi(`place`)/sqrt(modal mass) [kg^-1/2] of `count` modes for a hammer on a body of `mass` [kg] at the given morph amount,
    /// in the order of [`PreparedBody::modes`].
    pub fn hammer_weights<'a>(
        &self,
        place: BodyPosition,
        BodySize { mass, morph }: BodySize,
        count: usize,
        scratch: &'a mut BodyScratch,
    ) -> &'a mut [f64] {
        let rigid = |kind, shape: &ModalShape| rigid_at(kind, shape, place) / mass.sqrt();
        let suspension = (rigid(self.request.kind, &self.shape), self.other.as_ref().map_or(0.0, |o| rigid(o.kind, &o.shape)));
        self.mix(morph, suspension, count, scratch, |shape, out| shape.weights_at_place(place, mass, out))
    }

    /// The same weights for a pickup; that of the suspension is 0.
    pub fn pickup_weights<'a>(
        &self,
        place: BodyPosition,
        BodySize { mass, morph }: BodySize,
        count: usize,
        scratch: &'a mut BodyScratch,
    ) -> &'a mut [f64] {
        let weights = self.mix(morph, (0.0, 0.0), count, scratch, |shape, out| shape.heard_at_place(place, mass, out));
        self.apply_solo(weights)
    }

    /// Weights in the far field of `modes`, those of one key, with the radiation cutoff `corner` [Hz]. Bodies that are not round radiate
    /// as monopoles.
    pub fn far_weights<'a>(
        &self,
        place: BodyPosition,
        BodySize { mass, morph }: BodySize,
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
        self.apply_solo(weights)
    }

    /// Weights of the force at the end of the body.
    pub fn bridge_weights<'a>(
        &self,
        BodySize { mass, morph }: BodySize,
        count: usize,
        scratch: &'a mut BodyScratch,
    ) -> &'a mut [f64] {
        let weights = self.mix(morph, (0.0, 0.0), count, scratch, |shape, out| shape.bridge(mass, out));
        self.apply_solo(weights)
    }

    /// The shapes that it is made of, with their types: its own, and the one it morphs into.
    pub(super) fn shapes(&self) -> impl Iterator<Item = (BodyKind, &ModalShape)> {
        std::iter::once((self.request.kind, &self.shape)).chain(self.other.as_ref().map(|other| (other.kind, &other.shape)))
    }

    /// The shape of its type, without a morph.
    pub(super) fn own_shape(&self) -> &ModalShape {
        &self.shape
    }

    /// The heavy modes.
    pub(super) fn heavy(&self) -> &[HeavyMode] {
        &self.heavy
    }

    /// The modes that its motion drives; none while partials are soloed.
    pub fn driven(&self) -> &[HeavyMode] {
        if self.has_solo() { &[] } else { &self.driven }
    }

    /// Whether only some partials are audible.
    pub(super) fn has_solo(&self) -> bool {
        !self.soloed.is_empty()
    }

    /// Sets the weights of partials that are not soloed to 0.
    fn apply_solo<'a>(&self, weights: &'a mut [f64]) -> &'a mut [f64] {
        if self.has_solo() {
            let is_audible = |i: usize| self.place(i).is_some_and(|place| self.soloed.contains(&place));
            let partials = weights.iter_mut().skip(self.rigid()).enumerate();
            partials.filter(|(i, _)| !is_audible(*i)).for_each(|(_, weight)| *weight = 0.0);
        }
        weights
    }

    /// Weights of `count` modes of both bodies, mixed by the morph amount; those of the suspensions are (`before`, `after`).
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

/// Rigid motion of a free body at `place`, times the root of its mass. A uniform bar hangs such that it does not tilt.
fn rigid_at(kind: BodyKind, shape: &ModalShape, place: BodyPosition) -> f64 {
    if kind == BodyKind::Bar { 1.0 } else { shape.rigid_at(place) }
}
