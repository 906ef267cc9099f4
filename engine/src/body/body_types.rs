//! Modal shapes of the body types, and the request for a prepared body.

use crate::body::dense_field::FieldSpec;
use crate::body::hammer_tip::TipSpec;
use crate::body::heavy_structure::HeavySpec;
use crate::body::pickup_model::PickupPlace;
use crate::body::string_course::string_course;
use crate::body::whole_modes::{MAX_WHOLE, whole_modes};
use crate::params::{BodyKind, DrumHead, EdgeMount, ObstacleType, ParamId, ParamValues};
use crate::patch::{ListedMode, mode_list};
use urto_physics::bodies::{
    Bell, BodyPosition, CurvedDisc, CurvedDiscSpec, EdgeSupport, Links, Material, ModalShape, RestShape, Section, StringCourse,
    TunedBar, TwoHeads,
};

/// Number of modes of a dense body from which the audible ones are selected.
const DENSE: usize = 512;

/// Poisson's ratio of discs and plates.
pub(super) const POISSON: f64 = 0.33;

/// Largest number of modes of a disc that share a potential, and its stress functions: with as many the forces are within 1 to 6 % of those
/// with all stress functions, and two discs are within the limit of the cost.
const DISC_MODES: usize = 48;
pub(super) const STRESSES: usize = 80;

/// The same of a free or clamped plate: forces within 0.6 to 5.5 %.
const PLATE_MODES: usize = 40;
pub(super) const PLATE_STRESSES: usize = 56;

/// Number of masses of a chain.
const LINKS: usize = 50;

/// Length, diameter and wall [m] of the aluminium tube.
const TUBE: (f64, f64, f64) = (1.0, 0.05, 2e-3);

/// Length, diameter and wall [m] of the brass chime.
const CHIME: (f64, f64, f64) = (1.6, 0.038, 1.5e-3);

/// The modes of `kind`, as many as `request` has, and the field above them if it has one; `list` is for [`BodyKind::Modes`], `curved` for a
/// disc with a dome or dents. Dense bodies without a field keep the modes that the strike excites most. Allocates.
pub fn shape(kind: BodyKind, request: &BodySpec, list: &[ListedMode], curved: Option<&CurvedDisc>) -> ModalShape {
    let (modes, outline) = (request.modes.max(1), &request.outline);
    let dense = |modes: usize| match curved {
        Some(disc) => Some(disc.shape().lowest(modes)),
        None if kind == BodyKind::TwoHeadedDrum => Some(drum(request, modes).lowest(modes)),
        None => dense_modes(kind, modes, outline),
    };
    let uneven = |shape: ModalShape| {
        let shape = shape.uneven(outline.power, outline.irregularity);
        match &request.tip {
            Some(tip) => tip.applied(kind, request.thickness, outline.aspect, shape),
            None => shape,
        }
    };
    if let Some(spec) = &request.field {
        let exact = dense(modes).unwrap_or_else(|| sparse_modes(kind, modes, outline, list));
        let exact = uneven(exact);
        return match spec.field(kind, request.thickness, outline.aspect, &exact) {
            Some(field) => exact.with_field(&field),
            None => shape(kind, &BodySpec { field: None, ..*request }, list, curved),
        };
    }
    if kind == BodyKind::TwoHeadedDrum {
        return uneven(drum(request, modes.max(DENSE))).thinned_heads(modes, request.strike, request.behind);
    }
    match dense(modes.max(DENSE)) {
        Some(shape) => match request.detail {
            Detail::Excited => uneven(shape).thinned(modes, request.strike),
            Detail::Lowest => uneven(shape).thinned_above(request.stretching_modes(), modes, request.strike),
        },
        None => uneven(sparse_modes(kind, modes, outline, list)),
    }
}

/// A drum with two heads, `modes` modes of each, without those that cannot sound: where nothing touches the resonant head, it moves only with the batter
/// head.
fn drum(request: &BodySpec, modes: usize) -> ModalShape {
    let heads = request.outline.two_heads();
    if heads.stiffness == 0.0 {
        return ModalShape::two_heads(&heads, modes).0;
    }
    let (both, _) = ModalShape::two_heads(&heads, 2 * modes);
    if request.behind.is_some() { both } else { both.shared_by_batter() }
}

/// The lowest modes of a type with hundreds in the audible band; `None` for other types.
fn dense_modes(kind: BodyKind, modes: usize, outline: &BodyVariation) -> Option<ModalShape> {
    let disc = |rim| ModalShape::disc(rim, POISSON, modes, outline.split);
    let plate = |rim| ModalShape::plate(rim, outline.aspect, POISSON, modes);
    Some(match kind {
        BodyKind::Head => ModalShape::head_with_air(outline.air, modes, outline.split),
        BodyKind::Kettle => ModalShape::timpani(modes, outline.split),
        BodyKind::Disc | BodyKind::SupportedDisc | BodyKind::ClampedDisc => disc(disc_rim(kind)?),
        BodyKind::HiHat => disc(EdgeSupport::Free),
        BodyKind::Plate | BodyKind::SupportedPlate | BodyKind::ClampedPlate => plate(plate_rim(kind)?),
        _ => return None,
    })
}

/// Support of the rim of a disc; None for other types.
pub(super) fn disc_rim(kind: BodyKind) -> Option<EdgeSupport> {
    match kind {
        BodyKind::Disc => Some(EdgeSupport::Free),
        BodyKind::SupportedDisc => Some(EdgeSupport::Supported),
        BodyKind::ClampedDisc => Some(EdgeSupport::Clamped),
        _ => None,
    }
}

/// Support of the edges of a rectangular plate; None for other types.
pub(super) fn plate_rim(kind: BodyKind) -> Option<EdgeSupport> {
    match kind {
        BodyKind::Plate => Some(EdgeSupport::Free),
        BodyKind::SupportedPlate => Some(EdgeSupport::Supported),
        BodyKind::ClampedPlate => Some(EdgeSupport::Clamped),
        _ => None,
    }
}

/// In-plane motion of the edges for the parameters `settings`: nothing holds those of types other than supported and clamped plates.
fn plate_edges(settings: &ParamValues) -> EdgeMount {
    match plate_rim(settings.body_kind()) {
        Some(EdgeSupport::Supported | EdgeSupport::Clamped) => settings.edge_mount(),
        _ => EdgeMount::Sliding,
    }
}

/// The disc with the dome and dents of `request`; None if it is flat or no disc. Allocates.
pub(super) fn curved_disc(request: &BodySpec) -> Option<CurvedDisc> {
    let (rim, rest) = (disc_rim(request.kind)?, request.rest);
    let (modes, stretching) = (request.modes.max(DENSE), request.stretching_modes());
    let spec =
        CurvedDiscSpec { rim, poisson: POISSON, rest, modes, stretching, stresses: STRESSES, split: request.outline.split };
    (rest != RestShape::default()).then(|| CurvedDisc::new(&spec))
}

/// The lowest modes of the other types.
fn sparse_modes(kind: BodyKind, modes: usize, outline: &BodyVariation, list: &[ListedMode]) -> ModalShape {
    let ring = |bell: Bell| ModalShape::bell(&Bell { split: bell.split + outline.split, ..bell }, modes);
    match kind {
        BodyKind::String => ModalShape::string(modes),
        BodyKind::StringCourse => ModalShape::string_course(&outline.course, modes),
        BodyKind::Modes => mode_list::shape(list, modes),
        BodyKind::Marimba => ModalShape::tuned_bar(&TunedBar::MARIMBA, modes),
        BodyKind::Vibraphone => ModalShape::tuned_bar(&TunedBar::VIBRAPHONE, modes),
        BodyKind::Xylophone => ModalShape::tuned_bar(&TunedBar::XYLOPHONE, modes),
        BodyKind::ClampedBar => ModalShape::clamped(modes),
        BodyKind::SupportedBar => ModalShape::hinged(modes),
        BodyKind::Tongue => ModalShape::tongue(0.0, modes),
        BodyKind::Tube => ModalShape::stiff_bar(&tube(TUBE, Material::ALUMINIUM), TUBE.0, modes),
        BodyKind::Chime => ModalShape::chime(&tube(CHIME, Material::BRASS), CHIME.0, modes),
        BodyKind::Chain => ModalShape::chain(&Links::even(LINKS.min(modes), 1.0, 1.0)),
        BodyKind::Bell => ring(Bell::tuned()),
        BodyKind::Handbell => ring(Bell::handbell()),
        BodyKind::Bowl => ring(Bell::large_bowl()),
        BodyKind::Glass => ring(Bell::wine_glass()),
        // all others are dense
        _ => ModalShape::bar(modes),
    }
}

/// Cross-section of a tube (length, diameter, wall) [m].
fn tube((_, diameter, wall): (f64, f64, f64), material: Material) -> Section {
    Section::tube(diameter, wall, material)
}

/// Differences from the ideal body of a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyVariation {
    /// Longer over shorter side of a plate.
    pub aspect: f64,
    /// Air load of a head, 2 rho a/sigma.
    pub air: f64,
    /// Relative frequency difference of the modes of a pair; added to that of the bell.
    pub split: f64,
    /// Relative random detuning of partials.
    pub irregularity: f64,
    /// Exponent of all frequency ratios.
    pub power: f64,
    /// Resonant head and shell of a drum.
    pub drum: DrumVariation,
    /// Strings, bridge and soundboard of a course.
    pub course: StringCourse,
}

/// Resonant head and shell of a drum with two heads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrumVariation {
    /// Pitch of the resonant head over that of the batter head [semitones].
    pub tune: f64,
    /// Mass of the resonant head over that of the batter head.
    pub mass: f64,
    /// Stiffness of the enclosed air over that of the batter head.
    pub air_stiffness: f64,
    /// Depth over diameter.
    pub depth: f64,
}

impl BodyVariation {
    /// The heads of a drum with two.
    pub(super) fn two_heads(&self) -> TwoHeads {
        let Self { air, split, drum: DrumVariation { tune, mass, air_stiffness, depth }, .. } = *self;
        TwoHeads { air, stiffness: air_stiffness, depth, tuning: (tune / 12.0).exp2(), mass, split }
    }

    /// The differences for the parameters `settings`.
    pub fn of(settings: &ParamValues) -> Self {
        Self {
            aspect: settings.get(ParamId::Aspect),
            air: settings.get(ParamId::AirLoad),
            split: settings.get(ParamId::Split),
            irregularity: settings.get(ParamId::Irregularity),
            power: settings.get(ParamId::RatioPower),
            drum: DrumVariation {
                tune: settings.get(ParamId::ResonantTune),
                mass: settings.get(ParamId::ResonantMass),
                air_stiffness: settings.get(ParamId::AirStiffness),
                depth: settings.get(ParamId::DrumDepth),
            },
            course: string_course(settings),
        }
    }
}

/// Which modes of a dense body are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The lowest few, and those that the strike excites most.
    #[default]
    Excited,
    /// As many of the lowest as share a potential, and those that the strike excites most.
    Lowest,
}

impl Detail {
    /// The detail for the parameters `settings`.
    fn of(settings: &ParamValues) -> Self {
        let bends = disc_rim(settings.body_kind()).is_some() || plate_rim(settings.body_kind()).is_some();
        if bends && settings.get(ParamId::Nonlinearity) > 0.0 { Self::Lowest } else { Self::Excited }
    }
}

/// Dome and dents for the parameters `settings`; flat for all types but discs.
fn rest_shape(settings: &ParamValues) -> RestShape {
    let (height, dents) = (settings.get(ParamId::Dome), settings.get(ParamId::Dents));
    if disc_rim(settings.body_kind()).is_none() {
        return RestShape::default();
    }
    // the number counts for dents only
    let seed = if dents > 0.0 { settings.get(ParamId::Specimen) as u64 } else { 0 };
    RestShape { height, dents, seed }
}

/// Where the parameters `settings` put objects on the resonant head of a drum with two heads; None if nothing touches it.
fn behind(settings: &ParamValues) -> Option<BodyPosition> {
    let is_drum = [Some(settings.body_kind()), settings.morph_kind()].contains(&Some(BodyKind::TwoHeadedDrum));
    let touches = settings.rattle_head() == DrumHead::Resonant && settings.obstacle_type() != ObstacleType::Off;
    (is_drum && touches).then(|| resonant_place(settings.rattle_position()))
}

/// The place on the resonant head of a drum that is opposite to `place` on the batter head: see [`BodyPosition`].
pub(super) fn resonant_place(place: BodyPosition) -> BodyPosition {
    BodyPosition { along: 2.0 - place.along.clamp(0.0, 1.0), ..place }
}

/// A request for a prepared body: its type, its number of modes, and its differences from the ideal body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySpec {
    /// Body type.
    pub kind: BodyKind,
    /// Number of modes, >= 1.
    pub modes: usize,
    /// Strike position; dense bodies keep the modes that this position excites most.
    pub strike: BodyPosition,
    /// Where something touches the resonant head of a drum; None: nowhere, then the modes of that head alone are left out.
    pub behind: Option<BodyPosition>,
    /// Body type that it morphs into.
    pub to: Option<BodyKind>,
    /// Differences from the ideal body of its type.
    pub outline: BodyVariation,
    /// Thickness [m]; 0: usual for the type.
    pub thickness: f64,
    /// Modes above the exact ones.
    pub field: Option<FieldSpec>,
    /// Tip of the hammer; None: a point.
    pub tip: Option<TipSpec>,
    /// Number of the specimen.
    pub specimen: u32,
    /// Frame and shell.
    pub heavy: HeavySpec,
    /// Modes that are kept.
    pub detail: Detail,
    /// In-plane motion of the edges of a plate.
    pub edges: EdgeMount,
    /// Pickups, left and right: dense bodies remember their shapes there, but can be heard elsewhere too.
    pub pickups: [PickupPlace; 2],
    /// Dome and dents of a disc; flat for all other types.
    pub rest: RestShape,
}

impl BodySpec {
    /// `modes` modes of `kind`; everything else has its default.
    pub fn new(kind: BodyKind, modes: usize) -> Self {
        let settings = ParamValues::default();
        let (strike, outline) = (settings.strike_position(), BodyVariation::of(&settings));
        let heavy = HeavySpec::default();
        Self {
            kind,
            modes,
            strike,
            behind: None,
            to: None,
            outline,
            thickness: 0.0,
            field: None,
            tip: None,
            specimen: 0,
            heavy,
            detail: Detail::default(),
            edges: EdgeMount::Sliding,
            pickups: PickupPlace::both(|param| settings.get(param)),
            rest: RestShape::default(),
        }
    }

    /// The body for the parameters `settings`.
    pub fn of(settings: &ParamValues) -> Self {
        let modes = settings.get(ParamId::Modes) as usize;
        let (kind, strike, to) = (settings.body_kind(), settings.strike_position(), settings.morph_kind());
        let (thickness, field, heavy) = (settings.get(ParamId::Thickness), FieldSpec::of(settings), HeavySpec::of(settings));
        let (tip, specimen) = (TipSpec::of(settings), settings.get(ParamId::Specimen) as u32);
        let (outline, detail, edges) = (BodyVariation::of(settings), Detail::of(settings), plate_edges(settings));
        let (rest, behind, pickups) = (rest_shape(settings), behind(settings), PickupPlace::both(|param| settings.get(param)));
        Self { kind, modes, strike, behind, to, outline, thickness, field, tip, specimen, heavy, detail, edges, pickups, rest }
    }

    /// Whether the body can have a potential; one that morphs has none.
    pub(super) fn has_potential(&self) -> bool {
        self.detail == Detail::Lowest && self.to.is_none()
    }

    /// How many of its lowest modes share a potential, if it has one.
    pub(super) fn stretching_modes(&self) -> usize {
        let most = match self.kind {
            BodyKind::Plate | BodyKind::ClampedPlate => PLATE_MODES,
            kind if disc_rim(kind).is_some() => DISC_MODES,
            _ => MAX_WHOLE,
        };
        if self.field.is_some() { most } else { most.min(whole_modes(self.modes)) }
    }

    /// Whether the body of `other` can be used instead. A moved hammer or obstacle needs no other body.
    pub fn is_satisfied_by(&self, other: &Self) -> bool {
        let same_type = self.kind == other.kind && self.modes == other.modes && self.to == other.to;
        let same_size = self.outline == other.outline && self.thickness == other.thickness;
        // the residual of a recording belongs to lists of modes only
        let same_specimen = self.specimen == other.specimen || self.kind != BodyKind::Modes;
        let same_specimen = same_specimen && self.field == other.field;
        same_type
            && same_size
            && same_specimen
            && self.tip == other.tip
            && self.heavy == other.heavy
            && self.detail == other.detail
            && self.rest == other.rest
            && self.behind.is_some() == other.behind.is_some()
            // edges count only in the potential
            && (self.edges == other.edges || self.detail == Detail::Excited)
    }
}
