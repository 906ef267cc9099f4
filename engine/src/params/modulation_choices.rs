//! Choices of modulation: sources of the matrix, shapes and modes of LFOs, modes of envelopes.

choices! {
    /// What moves a target of the modulation matrix; in brackets its range.
    enum ModSource, MOD_SOURCES {
        /// Nothing.
        Off = "off",
        /// The first LFO (-1 to 1).
        Lfo1 = "lfo_1",
        /// The second LFO (-1 to 1).
        Lfo2 = "lfo_2",
        /// The first envelope (0 to 1).
        Envelope1 = "envelope_1",
        /// The second envelope (0 to 1).
        Envelope2 = "envelope_2",
        /// A random number that each strike draws (-1 to 1).
        Random = "random",
        /// Distance of the key from the home key, five octaves up or down (-1 to 1).
        Key = "key",
        /// Velocity of the strike (0 to 1).
        Velocity = "velocity",
        /// The modulation wheel (0 to 1).
        Wheel = "wheel",
        /// Pressure on the key (0 to 1).
        Pressure = "pressure",
        /// Slide, controller 74 (-1 to 1).
        Slide = "slide",
        /// Expression, controller 11 (-1 to 1).
        Expression = "expression",
        /// Largest force of the last contact, from 0.1 N to 10 kN by its logarithm (0 to 1).
        ContactForce = "contact_force",
        /// Duration of the last contact, from 20 us to 20 ms by its logarithm (0 to 1).
        ContactTime = "contact_time",
        /// Position of the host within four beats (0 to 1).
        Playhead = "playhead",
        /// The first macro (0 to 1), and so on.
        Macro1 = "macro_1",
        /// The second macro.
        Macro2 = "macro_2",
        /// The third macro.
        Macro3 = "macro_3",
        /// The fourth macro.
        Macro4 = "macro_4",
        /// The fifth macro.
        Macro5 = "macro_5",
        /// The sixth macro.
        Macro6 = "macro_6",
        /// The seventh macro.
        Macro7 = "macro_7",
        /// The eighth macro.
        Macro8 = "macro_8",
    }

    /// The shape of an LFO.
    enum LfoShape, LFO_SHAPES {
        /// Begins at 0 and rises.
        Sine = "Sine",
        /// Begins at 0 and rises.
        Triangle = "Triangle",
        /// Rises from -1 to 1.
        Up = "Ramp up",
        /// Falls from 1 to -1.
        Down = "Ramp down",
        /// 1 in the first half, -1 in the second.
        Square = "Square",
        /// A random value in every period.
        Steps = "Random steps",
        /// The same values, joined smoothly.
        Smooth = "Random smooth",
    }

    /// Whose an LFO is.
    enum LfoMode, LFO_MODES {
        /// All notes share one.
        Common = "Common",
        /// Each strike begins its own.
        PerNote = "Per note",
    }

    /// When an envelope ends.
    enum EnvelopeMode, ENVELOPE_MODES {
        /// Sustains until the key is released.
        Key = "Key",
        /// Runs from the strike to its end.
        OneShot = "One-shot",
    }
}

impl ModSource {
    /// Whether it ranges from -1 to 1; others range from 0 to 1.
    pub fn is_bipolar(self) -> bool {
        matches!(self, Self::Lfo1 | Self::Lfo2 | Self::Random | Self::Key | Self::Slide | Self::Expression)
    }
}

/// Displayed names of [`MOD_SOURCES`].
pub const MOD_SOURCE_NAMES: &[&str] = &[
    "Off",
    "LFO 1",
    "LFO 2",
    "Envelope 1",
    "Envelope 2",
    "Random",
    "Key",
    "Velocity",
    "Mod wheel",
    "Pressure",
    "Slide",
    "Expression",
    "Contact force",
    "Contact time",
    "Playhead",
    "Macro 1",
    "Macro 2",
    "Macro 3",
    "Macro 4",
    "Macro 5",
    "Macro 6",
    "Macro 7",
    "Macro 8",
];

/// Lengths of a period of an LFO: none, four and two whole notes, then those of [`STEPS`].
pub const SYNC_LENGTHS: &[&str] = &[
    "Off", "4/1", "2/1", "1/1", "1/2", "1/4", "1/8", "1/16", "1/32", "1/4 T", "1/8 T", "1/16 T", "1/32 T", "1/4 D", "1/8 D",
    "1/16 D",
];
