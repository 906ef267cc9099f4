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

/// Name of the group of the course of strings.
pub const STRING_COURSE: &str = "String course";

/// Its parameters.
const STRING_COURSE_PARAMS: [ParamId; 5] =
    [ParamId::CourseStrings, ParamId::SympatheticStrings, ParamId::BridgeStiffness, ParamId::BoardMass, ParamId::BoardDamping];

/// The group of the parameter `id` in the editor: that of the table, except for those of the dense body, the drum with two heads, and the
/// course of strings.
pub fn group_of(id: ParamId) -> &'static str {
    if DENSE_BODY_PARAMS.contains(&id) {
        DENSE_BODY
    } else if TWO_HEADS_PARAMS.contains(&id) {
        TWO_HEADS
    } else if STRING_COURSE_PARAMS.contains(&id) {
        STRING_COURSE
    } else {
        id.spec().group
    }
}
