//! Choices of parameters: each enum with the names that patches contain and users read, in one list.

/// Declares enums of choices. The list fixes the order of the variants and of their names, so that the two cannot differ.
macro_rules! choices {
    ($($(#[$doc:meta])* enum $name:ident, $names:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl $name {
            /// All variants; the index is the value of the parameter.
            pub const ALL: [Self; $names.len()] = [$(Self::$variant),*];

            /// The variant at a parameter's value; the last one for values beyond the list.
            pub fn from_value(value: f64) -> Self {
                Self::ALL[(value as usize).min(Self::ALL.len() - 1)]
            }
        }

        #[doc = concat!("Names of [`", stringify!($name), "`].")]
        pub const $names: &[&str] = &[$($text),*];
    )*};
}

choices! {
    /// The body that is struck.
    enum BodyKind, BODY_KINDS {
        /// Stiff string between two rigid ends.
        String = "String",
        /// Uniform bar, free at both ends, on a soft suspension.
        Bar = "Bar",
        /// A list of modes.
        Modes = "Modes",
        /// Marimba bar: rosewood, cut to 1 : 4 : 9.9, with torsion.
        Marimba = "Marimba",
        /// Vibraphone bar: aluminium, cut to 1 : 4 : 9.9, with torsion.
        Vibraphone = "Vibraphone",
        /// Xylophone bar: rosewood, cut to 1 : 3 : 5.9, with torsion.
        Xylophone = "Xylophone",
        /// Bar clamped at both ends.
        ClampedBar = "Clamped bar",
        /// Bar supported at both ends.
        SupportedBar = "Supported bar",
        /// Bar clamped at one end.
        Tongue = "Tongue",
        /// Short free tube with shear and rotary inertia.
        Tube = "Tube",
        /// Tubular bell: the key is its strike note.
        Chime = "Chime",
        /// Equal masses on equal springs between two walls.
        Chain = "Chain",
        /// Ideal drum head; the key is its lowest mode.
        Head = "Head",
        /// Timpani: head over a kettle of air; the key is the mode with one nodal diameter.
        Kettle = "Kettle",
        /// Circular plate, free.
        Disc = "Disc",
        /// Circular plate, supported at its rim.
        SupportedDisc = "Supported disc",
        /// Circular plate, clamped at its rim.
        ClampedDisc = "Clamped disc",
        /// Rectangular plate, free.
        Plate = "Plate",
        /// Rectangular plate, supported at all edges.
        SupportedPlate = "Supported plate",
        /// Rectangular plate, clamped at all edges.
        ClampedPlate = "Clamped plate",
        /// Church bell; the key is its prime, an octave above the hum.
        Bell = "Bell",
        /// Handbell.
        Handbell = "Handbell",
        /// Singing bowl.
        Bowl = "Bowl",
        /// Wine glass.
        Glass = "Glass",
        /// Drum with a batter head and a resonant head over one volume of air; the key is its lowest mode.
        TwoHeadedDrum = "Two-headed drum",
        /// Two cymbals over each other, which a pedal closes.
        HiHat = "Hi-hat",
        /// One to three strings of a note, and undamped neighbours, on a bridge and a soundboard.
        StringCourse = "String course",
    }

    /// Which velocity or force of a body reaches the output.
    enum Radiation, RADIATIONS {
        /// The velocity under the pickup.
        Surface = "Surface",
        /// A monopole: bells, plates, bars over tubes.
        Monopole = "Monopole",
        /// A dipole: rods, thin tubes.
        Dipole = "Dipole",
        /// The far field of a head or disc: x is the sine of the angle from its axis, y the direction. Other bodies: as `Monopole`.
        FarField = "Far field",
        /// The force at the bridge of a string over its impedance, as a soundboard radiates it: as `Monopole`.
        Bridge = "Bridge",
    }

    /// The hammer that strikes.
    enum HammerType, HAMMER_TYPES {
        /// One point mass.
        PointMass = "Point mass",
        /// A drum stick.
        Stick = "Stick",
        /// The clapper of a bell.
        Clapper = "Clapper",
        /// A cluster of point masses.
        Brush = "Brush",
    }

    /// The force between hammer and body.
    enum ContactModel, CONTACT_MODELS {
        /// Hunt-Crossley: f = k x^alpha (1 + mu x').
        HuntCrossley = "Hunt-Crossley",
        /// Hertz's spring k x^alpha, which loses a share of its energy when it returns.
        Restitution = "Restitution",
        /// A linear spring and damper, solved with exact transition matrices where one hammer meets a body of up to 64 modes.
        Linear = "Linear exact",
    }

    /// Which body a key strikes.
    enum KeyLayout, KEY_LAYOUTS {
        /// Each key has its own.
        Keys = "Keys",
        /// All keys share one body, each at its own position.
        Surface = "Surface",
    }

    /// The quantity that a modulation source moves; in brackets how far at full amount.
    enum ModTarget, MOD_TARGETS {
        /// Hardness of the contact (its whole range either way).
        Hardness = "Hardness",
        /// Stiffness of the contact (two decades).
        Stiffness = "Stiffness",
        /// Exponent of the contact (1.5).
        Exponent = "Exponent",
        /// Damping of the contact (half of the parameter's normalised range).
        Loss = "Loss",
        /// Mass of the hammer (one decade).
        Mass = "Mass",
        /// Strike position (half of the body's length).
        Position = "Position",
        /// Strike position Y (half of the body's width).
        Across = "Across",
        /// Pitch of the body (an octave).
        Pitch = "Pitch",
        /// Damping of the body (40/s more decay; never less).
        Damping = "Damping",
        /// Force that presses the hammer against the body (20 N; never away from it).
        Hold = "Hold",
        /// Strike speed (10 dB).
        Speed = "Speed",
        /// Acceleration that returns the hammer to the body (100 m/s^2; never away from it).
        Gravity = "Gravity",
        /// Force of the hammer drive (its whole normalised range).
        Drive = "Drive",
        /// Speed of rolling (its whole normalised range).
        RollSpeed = "Roll speed",
        /// Gap of the rattle (its whole normalised range).
        RattleGap = "Rattle gap",
    }

    /// How many voices notes use.
    enum VoiceMode, VOICE_MODES {
        /// One for each note, up to the polyphony.
        Poly = "Poly",
        /// One at a time.
        Mono = "Mono",
        /// One at a time, which glides to the next key while another is held.
        Legato = "Legato",
    }

    /// The MPE zones in use.
    enum MpeMode, ZONES {
        /// None.
        Off = "Off",
        /// The lower zone with 15 member channels.
        Lower = "Lower",
        /// The upper zone with 15 member channels.
        Upper = "Upper",
        /// Both zones with 7 member channels each.
        Both = "Both",
    }

    /// The pitch of held notes after a change of tuning.
    enum RetunePolicy, RETUNE_POLICIES {
        /// They glide to the new pitch.
        Follow = "Follow",
        /// They keep their pitch; the next strike of the key has the new one.
        Keep = "Keep",
    }

    /// The signal that drives the hammer.
    enum DriveSource, DRIVE_SOURCES {
        /// The side-chain.
        SideChain = "Side-chain",
        /// A sine.
        Sine = "Sine",
        /// A sawtooth.
        Saw = "Saw",
        /// White noise.
        Noise = "Noise",
        /// Grains at random times.
        Dust = "Dust",
        /// A looped recording.
        Sample = "Sample",
        /// Sixteen steps in the host's tempo.
        Pattern = "Pattern",
    }

    /// What notes do to the hammer drive.
    enum DriveNoteMode, DRIVE_NOTES {
        /// The latest note selects body and position.
        Choose = "Choose",
        /// As `Choose`, and the drive sounds only while a note is held.
        Gate = "Gate",
        /// Nothing.
        Nothing = "Nothing",
    }

    /// The obstacle that a body rattles against.
    enum ObstacleType, RATTLES {
        /// None.
        Off = "Off",
        /// A rigid one.
        Fixed = "Fixed",
        /// A mass on a spring.
        Loose = "Loose",
    }

    /// What drives the modes of a shell.
    enum ShellDriveKind, SHELL_DRIVES {
        /// The force of hammers and obstacles.
        Strike = "Strike",
        /// The motion of the body, through strands that lie on it.
        Motion = "Motion",
    }

    /// Undamped strings on the bridge of a course, over the pitch of its own strings.
    enum Sympathetic, SYMPATHETIC {
        /// None.
        None = "None",
        /// An octave below and one above.
        Octaves = "Octaves",
        /// A fourth below, the same note, and an octave below, as on a tanpura.
        Drones = "Drones",
        /// The second to the sixth partial.
        Partials = "Partials",
        /// A just major scale.
        Scale = "Scale",
    }

    /// A head of a drum with two heads, or a part of a course of strings.
    enum DrumHead, DRUM_HEADS {
        /// The one that is struck; the strings of a course.
        Batter = "Batter",
        /// The other one; the soundboard of a course.
        Resonant = "Resonant",
    }

    /// What the edges of a supported or clamped plate do in its plane while it bends.
    enum EdgeMount, EDGE_MOUNTS {
        /// They slide: those of a supported plate stay straight, those of a clamped plate need not.
        Sliding = "Sliding",
        /// They are held.
        Held = "Held",
    }

    /// The surface that the driven hammer rolls over.
    enum RollingSurface, ROLLING_SURFACES {
        /// None: the hammer does not roll.
        Off = "Off",
        /// Random roughness.
        Rough = "Rough",
        /// Equally spaced ribs.
        Ribs = "Ribs",
        /// The patch's recording.
        Recorded = "Recorded",
    }

    /// The room around the instrument.
    enum RoomType, ROOM_TYPES {
        /// None.
        Off = "Off",
        /// A dry booth.
        Booth = "Booth",
        /// A recording room.
        Studio = "Studio",
        /// An echo chamber.
        Chamber = "Chamber",
        /// A concert hall.
        Hall = "Hall",
        /// A church.
        Church = "Church",
    }

    /// How finely a contact is resolved: substeps per contact, and at least 2^jmin a sample.
    enum SolverQuality, QUALITIES {
        /// 8 substeps, jmin = 0.
        Eco = "Eco",
        /// 16 substeps, jmin = 2.
        Default = "Default",
        /// 48 substeps, jmin = 2.
        Reference = "Reference",
    }
}

/// Names of the body that another morphs into: none, or one of [`BODY_KINDS`].
pub const MORPHS: &[&str] = &{
    let mut names = ["None"; BODY_KINDS.len() + 1];
    let mut i = 0;
    while i < BODY_KINDS.len() {
        names[i + 1] = BODY_KINDS[i];
        i += 1;
    }
    names
};

/// Names of materials: none, or one of [`urto_physics::bodies::Material::NAMED`].
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

/// Names of the channels of the hammer drive.
pub const CHANNELS: &[&str] = &["Mono", "Stereo"];

/// Lengths of a pattern's steps, as parts of a whole note.
pub const STEPS: &[&str] =
    &["1/1", "1/2", "1/4", "1/8", "1/16", "1/32", "1/4 T", "1/8 T", "1/16 T", "1/32 T", "1/4 D", "1/8 D", "1/16 D"];

/// Lengths of a step of the pattern [beats], in the order of its choices: a whole note is 4; triplets two thirds, dotted one and a half.
pub const STEP_LENGTHS: [f64; STEPS.len()] =
    [4.0, 2.0, 1.0, 0.5, 0.25, 0.125, 2.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 12.0, 1.5, 0.75, 0.375];

/// Names of a switch.
pub const SWITCH: &[&str] = &["Off", "On"];

/// Names of the release modes.
pub const RELEASES: &[&str] = &["Ring", "Damp"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_the_list_choose_the_last_variant() {
        assert_eq!(
            [0.0, 1.0, 2.0, 99.0].map(VoiceMode::from_value)[1..],
            [VoiceMode::Mono, VoiceMode::Legato, VoiceMode::Legato]
        );
        assert_eq!((BODY_KINDS[BodyKind::HiHat as usize], BodyKind::HiHat as usize), ("Hi-hat", 25));
        assert_eq!((MORPHS.len(), MORPHS[1]), (BodyKind::ALL.len() + 1, "String"));
    }

    #[test]
    fn every_named_material_is_listed() {
        let named: Vec<_> = urto_physics::bodies::Material::NAMED.iter().map(|(name, _)| name.to_lowercase()).collect();
        assert_eq!(MATERIALS[1..].iter().map(|name| name.to_lowercase()).collect::<Vec<_>>(), named);
    }
}
