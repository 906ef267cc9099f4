//! The group in which the editor shows a parameter.

use urto_engine::params::ParamId;

/// Name of the group of the dense body.
pub const DENSE_BODY: &str = "Dense body";

/// Its parameters; the table has them in the groups of what they change.
const DENSE_BODY_PARAMS: [ParamId; 6] =
    [ParamId::Density, ParamId::DensityTune, ParamId::Specimen, ParamId::Thickness, ParamId::Cascade, ParamId::FieldRadiation];

/// Name of the group of the drum with two heads.
pub const TWO_HEADS: &str = "Two heads";

/// Its parameters.
const TWO_HEADS_PARAMS: [ParamId; 7] = [
    ParamId::ResonantTune,
    ParamId::ResonantMass,
    ParamId::AirStiffness,
    ParamId::DrumDepth,
    ParamId::PickupLeftHead,
    ParamId::PickupRightHead,
    ParamId::RattleHead,
];

/// The group of the parameter `id` in the editor: that of the table, except for those of the dense body and of the drum with two heads.
pub fn group_of(id: ParamId) -> &'static str {
    if DENSE_BODY_PARAMS.contains(&id) {
        DENSE_BODY
    } else if TWO_HEADS_PARAMS.contains(&id) {
        TWO_HEADS
    } else {
        id.spec().group
    }
}
