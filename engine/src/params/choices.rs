//! The names that knobs choose among, as players read them and patches hold them.

/// Names of the body kinds, in the order of [`crate::patch::BodyKind`].
pub const BODY_KINDS: &[&str] = &[
    "String",
    "Bar",
    "Modes",
    "Marimba",
    "Vibraphone",
    "Xylophone",
    "Clamped bar",
    "Supported bar",
    "Tongue",
    "Tube",
    "Chime",
    "Chain",
    "Head",
    "Kettle",
    "Disc",
    "Supported disc",
    "Clamped disc",
    "Plate",
    "Supported plate",
    "Clamped plate",
    "Bell",
    "Handbell",
    "Bowl",
    "Glass",
];
/// Names of what a body may turn into: nothing, or one of [`BODY_KINDS`].
pub const MORPHS: &[&str] = &{
    let mut names = ["None"; BODY_KINDS.len() + 1];
    let mut i = 0;
    while i < BODY_KINDS.len() {
        names[i + 1] = BODY_KINDS[i];
        i += 1;
    }
    names
};
/// Names of what a body is made of: nothing in particular, or one of [`urto_physics::bodies::Material::NAMED`].
pub const MATERIALS: &[&str] = &[
    "None",
    "Rosewood",
    "Padouk",
    "Maple",
    "Spruce",
    "Steel",
    "Aluminium",
    "Brass",
    "Bell bronze",
    "Glass",
    "Marble",
    "Calfskin",
    "Polyester",
    "Nylon",
];
/// Names of how a body is heard, in the order of [`crate::body::Radiation`].
pub const RADIATIONS: &[&str] = &["Surface", "Monopole", "Dipole", "Far field", "Bridge"];
/// Names of what strikes, in the order of [`crate::voice::HammerType`].
pub const HAMMER_TYPES: &[&str] = &["Point mass", "Stick", "Clapper", "Brush"];
/// Names of the contact models, in the order of [`crate::voice::ContactModel`].
pub const CONTACT_MODELS: &[&str] = &["Hunt-Crossley", "Restitution", "Linear exact"];
/// Names of the stages, in the order of [`crate::patch::KeyLayout`].
pub const KEY_LAYOUTS: &[&str] = &["Keys", "Surface"];
/// Names of what a controller may move, in the order of `sway::Target`.
pub const MOD_TARGETS: &[&str] = &[
    "Hardness",
    "Stiffness",
    "Exponent",
    "Loss",
    "Mass",
    "Position",
    "Across",
    "Pitch",
    "Damping",
    "Hold",
    "Speed",
    "Gravity",
    "Drive",
    "Roll speed",
    "Rattle gap",
];
/// Names of how voices follow each other, in the order of [`crate::patch::VoiceMode`].
pub const VOICE_MODES: &[&str] = &["Poly", "Mono", "Legato"];
/// Names of the MPE zones, in the order of `zone::Zones`.
pub const ZONES: &[&str] = &["Off", "Lower", "Upper", "Both"];
/// Names of what becomes of sounding notes when the tuning changes, in the order of [`crate::tuning::RetunePolicy`].
pub const RETUNE_POLICIES: &[&str] = &["Follow", "Keep"];
/// Names of what drives the hammer, in the order of [`crate::drive::DriveSource`].
pub const DRIVE_SOURCES: &[&str] = &["Side-chain", "Sine", "Saw", "Noise", "Dust", "Sample", "Pattern"];
/// Names of how left and right drive.
pub const CHANNELS: &[&str] = &["Mono", "Stereo"];
/// Names of what notes do to the drive.
pub const DRIVE_NOTES: &[&str] = &["Choose", "Gate", "Nothing"];
/// Names of the lengths of a pattern's steps, of a whole note.
pub const STEPS: &[&str] =
    &["1/1", "1/2", "1/4", "1/8", "1/16", "1/32", "1/4 T", "1/8 T", "1/16 T", "1/32 T", "1/4 D", "1/8 D", "1/16 D"];
/// Names of what a body may knock against.
pub const RATTLES: &[&str] = &["Off", "Fixed", "Loose"];
/// Names of what the driven hammer rolls over.
pub const ROLLING_SURFACES: &[&str] = &["Off", "Rough", "Ribs", "Recorded"];
/// Names of a switch.
pub const SWITCH: &[&str] = &["Off", "On"];
/// Names of what a released key does.
pub const RELEASES: &[&str] = &["Ring", "Damp"];
/// Names of the qualities, in the order of [`crate::patch::SolverQuality`].
pub const QUALITIES: &[&str] = &["Eco", "Default", "Reference"];
