//! The table of parameters: id, name, group, unit, range, default, scale, and when a change takes effect.
//!
//! Host parameters, the command line and the preset text are all made from this table. A released id never changes or disappears.

/// How the normalised value 0 to 1 maps to the range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios; the minimum is above 0.
    Logarithmic,
    /// Fine near the minimum: value = min + (max - min) x^3.
    Cubic,
    /// Whole numbers.
    Integer,
    /// One of the named choices; the value is its index.
    Choice(&'static [&'static str]),
}

/// When a change takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateRate {
    /// At the frame of the event, without adding energy, also during contact: contact and hammer.
    Immediate,
    /// Smoothed, in control blocks of 16 frames: decay, tuning, mass of the body, pickups, level.
    OnGrid,
    /// From the next strike on.
    NextStrike,
    /// Once a new body is prepared, off the audio thread.
    NewBody,
}

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamSpec {
    /// Stable identity; the key in `--set id=value` and in host states.
    pub id: &'static str,
    /// Displayed name; does not repeat the group.
    pub name: &'static str,
    /// Group of parameters that it is displayed in.
    pub group: &'static str,
    /// SI unit of the value; empty for dimensionless numbers.
    pub unit: &'static str,
    /// Minimum.
    pub min: f64,
    /// Maximum.
    pub max: f64,
    /// Default value.
    pub default: f64,
    /// How the normalised value maps to the range.
    pub scale: Scale,
    /// When a change takes effect.
    pub update_rate: UpdateRate,
    /// Whether hosts may automate it.
    pub automatable: bool,
    /// Whether patches contain it; session parameters describe the controller rather than the sound.
    pub in_patch: bool,
    /// One sentence for users.
    pub hint: &'static str,
}

/// Whether `group` has the session parameters, which no patch contains.
const fn is_session(group: &str) -> bool {
    matches!(group.as_bytes(), b"MIDI")
}

macro_rules! params {
    ($($variant:ident: $id:literal, $name:literal, $group:literal, $unit:literal, $min:expr, $max:expr, $default:expr,
       $scale:expr, $takes:expr, $automatable:expr, $hint:literal;)*) => {
        /// Names of the parameters; `as usize` is the index in [`PARAMS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(usize)]
        pub enum ParamId { $(#[doc = $hint] $variant),* }

        impl ParamId {
            /// All parameters in their fixed order.
            pub const ALL: &'static [ParamId] = &[$(ParamId::$variant),*];
        }

        /// The table of all parameters, in the order of [`ParamId`].
        pub static PARAMS: [ParamSpec; ParamId::ALL.len()] = [$(ParamSpec {
            id: $id, name: $name, group: $group, unit: $unit, min: $min, max: $max, default: $default,
            scale: $scale, update_rate: $takes, automatable: $automatable, in_patch: !is_session($group), hint: $hint,
        }),*];
    };
}

use crate::params::choices::*;
use Scale::*;
use UpdateRate::*;

params! {
    Stage: "stage", "Stage", "Stage", "", 0.0, 1.0, 0.0, Choice(KEY_LAYOUTS), NextStrike, true,
        "Keys: every key has a body of its own. Surface: all keys strike one body, each at its own place.";
    HomeKey: "home_key", "Home key", "Stage", "", 0.0, 127.0, 60.0, Integer, NextStrike, true,
        "Key of the one body of the surface, and the key at which tracking changes nothing.";
    Spread: "spread", "Spread", "Stage", "", -2.0, 2.0, 1.0, Linear, Immediate, true,
        "How far across the surface four octaves of keys reach; folded back at its ends.";
    Hardness: "hardness", "Hardness", "Contact", "", -1.0, 1.0, 0.0, Linear, Immediate, true,
        "Softer or harder than the patch: stiffness over three decades, with the exponent and loss of felt or of wood.";
    Contact: "contact", "Model", "Contact", "", 0.0, CONTACT_MODELS.len() as f64 - 1.0, 0.0, Choice(CONTACT_MODELS), Immediate, true,
        "Law of the contact: its loss grows with speed, or is a fixed share, or all is linear; a contact under way ends as it began.";
    Stiffness: "stiffness", "Stiffness", "Contact", "N", 1e-3, 1e6, 100.0, Logarithmic, Immediate, true,
        "Contact force at a compression of 0.1 mm: harder is brighter and shorter.";
    Exponent: "alpha", "Exponent", "Contact", "", 1.0, 5.0, 1.5, Linear, Immediate, true,
        "Exponent alpha of the contact law: how much a hard hit is harder than a soft one.";
    Damping: "mu", "Contact damping", "Contact", "s/m", 0.0, 5.0, 0.15, Cubic, Immediate, true,
        "Loss mu inside the contact: rubber and felt lose more than steel.";
    Striker: "striker", "Striker", "Hammer", "", 0.0, HAMMER_TYPES.len() as f64 - 1.0, 0.0, Choice(HAMMER_TYPES), NextStrike, true,
        "What strikes: a point mass, a stick or a clapper that bends, or the bristles of a brush.";
    HammerMass: "hammer_mass", "Mass", "Hammer", "kg", 1e-4, 200.0, 0.02, Logarithmic, Immediate, true,
        "Mass of the hammer: heavier is louder, longer in contact and darker.";
    Bending: "bending", "Bending", "Hammer", "Hz", 20.0, 20e3, 220.0, Logarithmic, NextStrike, true,
        "Lowest bending of a stick or a clapper: long and thin is low, short and thick is high and rigid.";
    Scatter: "scatter", "Scatter", "Hammer", "", 0.0, 1.0, 0.4, Linear, NextStrike, true,
        "How far the bristles of a brush are from each other: in place, in speed, in mass, and in time.";
    SpeedLow: "speed_low", "Slowest speed", "Hammer", "m/s", 0.005, 5.0, 0.1, Logarithmic, NextStrike, true,
        "Speed of the hammer at velocity 1.";
    SpeedHigh: "speed_high", "Fastest speed", "Hammer", "m/s", 0.05, 20.0, 3.0, Logarithmic, NextStrike, true,
        "Speed of the hammer at velocity 127.";
    VelocityCurve: "velocity_curve", "Velocity curve", "Hammer", "", 0.25, 4.0, 1.0, Logarithmic, NextStrike, true,
        "Bend of the way from velocity to speed: above 1 needs more force for the same speed.";
    StrikePosition: "position", "Position", "Hammer", "", 0.0, 1.0, 0.36, Linear, Immediate, true,
        "Where the hammer meets the body, as a fraction of its length; from the middle to the rim of what is round.";
    StrikeAcross: "position_across", "Across", "Hammer", "", 0.0, 1.0, 0.5, Linear, Immediate, true,
        "Where across the body: beside the axis of a bar, along the other side of a plate, around a head in turns.";
    TrackHammer: "tracking_hammer", "Hammer mass by key", "Tracking", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "Power of the key's frequency, over the home key's, with which the hammer's mass goes.";
    TrackStiffness: "tracking_stiffness", "Stiffness by key", "Tracking", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "Power of the key's frequency, over the home key's, with which the stiffness goes.";
    TrackBody: "tracking_body", "Body mass by key", "Tracking", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "Power of the key's frequency, over the home key's, with which the body's mass goes.";
    TrackDecay: "tracking_decay", "Decay by key", "Tracking", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "Power of the key's frequency, over the home key's, with which the decay time goes.";
    Body: "body", "Kind", "Body", "", 0.0, BODY_KINDS.len() as f64 - 1.0, 1.0, Choice(BODY_KINDS), NewBody, true,
        "What is struck: strings, bars, beams, tubes, heads, plates, or a list of modes.";
    MorphTo: "morph_to", "Morph to", "Body", "", 0.0, MORPHS.len() as f64 - 1.0, 0.0, Choice(MORPHS), NewBody, true,
        "What the body may turn into; the patch's second list of modes where that is a list.";
    Morph: "morph", "Morph", "Body", "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
        "How far the body has turned into the other, partial by partial: pitch, losses and shapes.";
    BodyMass: "body_mass", "Body mass", "Body", "kg", 1e-3, 10e3, 0.4, Logarithmic, OnGrid, true,
        "Mass of the body: a light body throws the hammer back late or more than once.";
    Tune: "tune", "Tune", "Body", "st", -48.0, 48.0, 0.0, Linear, OnGrid, true,
        "Pitch of the body against the key, in semitones: its size.";
    Inharmonicity: "inharmonicity", "Inharmonicity", "Body", "", 0.0, 0.05, 0.0, Cubic, OnGrid, true,
        "Stiffness coefficient B: spreads the partials as f (1 + B r^2)^(1/2), the lowest kept.";
    Modes: "modes", "Modes", "Body", "", 1.0, 256.0, 32.0, Integer, NewBody, true,
        "Number of modes that are computed, as far as they fit below the band limit.";
    Decay: "decay", "Decay", "Body", "s", 0.02, 500.0, 12.0, Logarithmic, OnGrid, true,
        "Time to -60 dB that all modes share, before the losses that grow with frequency.";
    Loss: "loss", "Loss factor", "Body", "", 0.0, 0.1, 1e-3, Cubic, OnGrid, true,
        "Internal loss factor of the material: decay rate in proportion to frequency.";
    Viscosity: "viscosity", "High damping", "Body", "s", 0.0, 1e-4, 1e-7, Cubic, OnGrid, true,
        "Decay rate in proportion to frequency squared: air and viscous loss of the high modes.";
    Aspect: "aspect", "Aspect", "Shape", "", 1.0, 10.0, 1.41, Logarithmic, NewBody, true,
        "Longer side of a plate over the shorter.";
    AirLoad: "air_load", "Air load", "Shape", "", 0.0, 10.0, 0.0, Cubic, NewBody, true,
        "Air that a head carries, 2 x density of air x radius over its mass per area: it lowers and slows the low modes most.";
    Split: "split", "Split", "Shape", "", 0.0, 0.1, 0.0, Cubic, NewBody, true,
        "How far the two modes of a pair lie apart on what is round, beside what a bell has of its own: they beat.";
    Irregularity: "irregularity", "Irregularity", "Shape", "", 0.0, 0.1, 0.0, Cubic, NewBody, true,
        "How far partials lie beside where theory puts them: cast, hammered or cracked.";
    RatioPower: "ratio_power", "Ratio power", "Shape", "", 0.5, 1.5, 1.0, Linear, NewBody, true,
        "Power of the partials' ratios: below 1 they gather, as on gongs and cymbals, which are dished.";
    Material: "material", "Material", "Material", "", 0.0, MATERIALS.len() as f64 - 1.0, 0.0, Choice(MATERIALS), OnGrid, true,
        "What the body is made of: its internal losses, beside those of the other knobs.";
    Radiation: "radiation", "Radiation", "Radiation", "", 0.0, RADIATIONS.len() as f64 - 1.0, 0.0, Choice(RADIATIONS), OnGrid, true,
        "How the body is heard: at its surface, as it radiates, from afar, or by the force at its end.";
    Corner: "corner", "Corner", "Radiation", "Hz", 20.0, 20e3, 500.0, Logarithmic, OnGrid, true,
        "Where a body is as large as its sound is long: below it radiates less and less; c/(2 pi radius).";
    CornerTracking: "corner_tracking", "Corner by key", "Radiation", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "Power of the key's frequency, over the home key's, with which the corner goes.";
    Resonator: "resonator", "Resonator", "Radiation", "dB", 0.0, 24.0, 0.0, Linear, OnGrid, true,
        "How much louder a tube makes the lowest partial.";
    ResonatorLoss: "resonator_loss", "Resonator loss", "Radiation", "1/s", 0.0, 100.0, 0.0, Cubic, OnGrid, true,
        "Decay rate that the tube adds to the lowest partial.";
    MonopoleLoss: "monopole_loss", "Monopole loss", "Radiation", "1/s", 0.0, 100.0, 0.0, Cubic, OnGrid, true,
        "Decay rate that a head or disc adds to partials without nodal diameters, which push air to and fro as a whole.";
    DipoleLoss: "dipole_loss", "Dipole loss", "Radiation", "1/s", 0.0, 100.0, 0.0, Cubic, OnGrid, true,
        "Decay rate that a head or disc adds to partials with one nodal diameter, whose halves push air past each other.";
    PickupLeft: "pickup_left", "Left pickup", "Pickups", "", 0.0, 1.0, 0.13, Linear, OnGrid, true,
        "Where the left channel listens to the body's velocity.";
    PickupLeftAcross: "pickup_left_across", "Left across", "Pickups", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
        "Where across the body the left channel listens.";
    PickupRight: "pickup_right", "Right pickup", "Pickups", "", 0.0, 1.0, 0.91, Linear, OnGrid, true,
        "Where the right channel listens to the body's velocity.";
    PickupRightAcross: "pickup_right_across", "Right across", "Pickups", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
        "Where across the body the right channel listens.";
    MonoBelow: "mono_below", "Mono below", "Pickups", "Hz", 0.0, 20e3, 0.0, Cubic, OnGrid, true,
        "Frequency below which left and right no longer cancel when they are added; up to twice it they come apart.";
    Click: "click", "Click", "Pickups", "dB", -60.0, 40.0, -60.0, Linear, OnGrid, true,
        "Sound of the hammer itself, thrown to and fro by the contact: at 0 dB as 10 cm from it, at the bottom none.";
    Release: "release", "Release", "Release", "", 0.0, 1.0, 0.0, Choice(RELEASES), NextStrike, true,
        "Whether a released key lets its body ring or damps it.";
    ReleaseTime: "release_time", "Damping time", "Release", "s", 0.01, 10.0, 0.3, Logarithmic, NextStrike, true,
        "Time to -60 dB of a damped body after its key is released.";
    ReleaseVelocity: "release_velocity", "Release velocity", "Release", "", 0.0, 1.0, 0.0, Linear, NextStrike, true,
        "How much a fast release damps faster: at 1 the damping time goes over two decades.";
    Voices: "polyphony", "Polyphony", "Voices", "", 1.0, 64.0, 64.0, Integer, NextStrike, true,
        "Bodies that sound at the same time; beyond that the one with the least energy fades.";
    Playing: "playing", "Playing", "Voices", "", 0.0, VOICE_MODES.len() as f64 - 1.0, 0.0, Choice(VOICE_MODES), NextStrike, true,
        "Many bodies at once, one at a time, or one that glides to the next key while the last is held.";
    Legato: "legato", "Legato strike", "Voices", "", 0.0, 1.0, 0.0, Linear, NextStrike, true,
        "How hard a key played legato strikes, over one played apart: at 0 the body only glides.";
    Glide: "glide", "Glide", "Voices", "s", 1e-3, 2.0, 0.05, Logarithmic, NextStrike, true,
        "Time in which a legato note comes to its pitch.";
    BendRange: "bend_range", "Bend range", "Touch", "st", 0.0, 48.0, 2.0, Linear, Immediate, true,
        "Semitones that the pitch bend reaches either way.";
    WheelTarget: "wheel_target", "Wheel to", "Touch", "", 0.0, MOD_TARGETS.len() as f64 - 1.0, 0.0, Choice(MOD_TARGETS), Immediate, true,
        "What the modulation wheel moves.";
    WheelAmount: "wheel", "Wheel", "Touch", "", -1.0, 1.0, 1.0, Linear, Immediate, true,
        "How far the modulation wheel moves it.";
    PressureTarget: "pressure_target", "Pressure to", "Touch", "", 0.0, MOD_TARGETS.len() as f64 - 1.0, 8.0, Choice(MOD_TARGETS), Immediate, true,
        "What the pressure on a key moves.";
    PressureAmount: "pressure", "Pressure", "Touch", "", -1.0, 1.0, 0.5, Linear, Immediate, true,
        "How far the pressure on a key moves it.";
    BrightnessTarget: "brightness_target", "Brightness to", "Touch", "", 0.0, MOD_TARGETS.len() as f64 - 1.0, 0.0, Choice(MOD_TARGETS), Immediate, true,
        "What brightness moves: controller 74, the third dimension of MPE, or a note's own.";
    BrightnessAmount: "brightness", "Brightness", "Touch", "", -1.0, 1.0, 1.0, Linear, Immediate, true,
        "How far brightness moves it, either way.";
    ExpressionTarget: "expression_target", "Expression to", "Touch", "", 0.0, MOD_TARGETS.len() as f64 - 1.0, 5.0, Choice(MOD_TARGETS), Immediate, true,
        "What a note's expression moves.";
    ExpressionAmount: "expression", "Expression", "Touch", "", -1.0, 1.0, 1.0, Linear, Immediate, true,
        "How far a note's expression moves it, either way.";
    SoftPedal: "soft_pedal", "Soft pedal", "Touch", "", 0.0, 1.0, 0.5, Linear, Immediate, true,
        "How much softer and slower the hammer is while the soft pedal is down.";
    HumanTime: "human_time", "Time", "Human", "s", 0.0, 0.05, 0.0, Cubic, NextStrike, true,
        "Chance: how much later a hammer may come.";
    HumanPosition: "human_position", "Place", "Human", "", 0.0, 0.5, 0.0, Cubic, NextStrike, true,
        "Chance: how far from its place a hammer may strike, either way.";
    HumanSpeed: "human_speed", "Speed", "Human", "", 0.0, 1.0, 0.0, Cubic, NextStrike, true,
        "Chance: how much faster or slower a hammer may be; at 1 from half to twice.";
    HumanMass: "human_mass", "Mass by chance", "Human", "", 0.0, 1.0, 0.0, Cubic, NextStrike, true,
        "Chance: how much heavier or lighter a hammer may be; at 1 from half to twice.";
    HumanSeed: "human_seed", "Seed", "Human", "", 0.0, 999.0, 0.0, Integer, NextStrike, false,
        "Which chance: the same seed plays the same each time the transport starts.";
    ConcertPitch: "concert_pitch", "Concert pitch", "Pitch", "Hz", 380.0, 500.0, 440.0, Linear, OnGrid, true,
        "What an A of 440 Hz in the tuning is played at; all keys go with it.";
    Stretch: "stretch", "Stretch", "Pitch", "cents", -100.0, 100.0, 0.0, Linear, OnGrid, true,
        "Cents that every octave is wider, around the reference key of the tuning.";
    Sounding: "sounding", "Sounding", "Pitch", "", 0.0, 1.0, 0.0, Choice(RETUNE_POLICIES), OnGrid, true,
        "Whether notes that sound glide to a new tuning, or keep their pitch.";
    MtsEsp: "mts_esp", "MTS-ESP", "Pitch", "", 0.0, 1.0, 1.0, Choice(SWITCH), OnGrid, true,
        "Whether an MTS-ESP master in the session tunes the keys in place of the patch.";
    DriveGain: "drive_gain", "Drive", "Drive", "N", 0.0, 10e3, 0.0, Cubic, Immediate, true,
        "Force of the drive at full scale on its hammer; at 0 there is no such hammer, unless it rolls.";
    DriveSource: "drive_source", "Source", "Drive", "", 0.0, DRIVE_SOURCES.len() as f64 - 1.0, 0.0, Choice(DRIVE_SOURCES), Immediate, true,
        "What drives the hammer: the side-chain, or a source that needs none.";
    DriveChannels: "drive_channels", "Channels", "Drive", "", 0.0, CHANNELS.len() as f64 - 1.0, 0.0, Choice(CHANNELS), Immediate, true,
        "Left and right together on one hammer, or each on a hammer of its own.";
    DriveApart: "drive_apart", "Apart", "Drive", "", 0.0, 1.0, 0.3, Linear, Immediate, true,
        "How far the hammers of left and right are apart along the body.";
    DriveNotes: "drive_notes", "Notes", "Drive", "", 0.0, DRIVE_NOTES.len() as f64 - 1.0, 0.0, Choice(DRIVE_NOTES), Immediate, true,
        "What notes do to the drive: the last one chooses body and place, or it sounds only while one is held, or nothing.";
    DriveFrequency: "drive_frequency", "Frequency", "Drive", "Hz", 0.1, 10e3, 110.0, Logarithmic, Immediate, true,
        "Frequency of sine and saw, mean rate of dust.";
    DriveTracking: "drive_tracking", "Drive by key", "Drive", "", -1.0, 2.0, 0.0, Linear, Immediate, true,
        "Power of the key's frequency, over the home key's, with which the source's frequency and the sample's speed go.";
    DriveStep: "drive_step", "Step", "Drive", "", 0.0, STEPS.len() as f64 - 1.0, 4.0, Choice(STEPS), Immediate, true,
        "Length of one step of the pattern, in the host's tempo.";
    DriveHighPass: "drive_high_pass", "High-pass", "Signal", "Hz", 1.0, 10e3, 1.0, Logarithmic, Immediate, true,
        "Takes out of the drive what is lower; at the bottom nothing.";
    DriveLowPass: "drive_low_pass", "Low-pass", "Signal", "Hz", 20.0, 20e3, 20e3, Logarithmic, Immediate, true,
        "Takes out of the drive what is higher; at the top nothing.";
    Follow: "follow", "Follower", "Signal", "", -1.0, 1.0, 0.0, Linear, Immediate, true,
        "How far the loudness of the side-chain, or of the source where there is none, scales the drive; below 0 it holds it down.";
    FollowAttack: "follow_attack", "Attack", "Signal", "s", 1e-4, 1.0, 5e-3, Logarithmic, Immediate, true,
        "Time in which the follower rises.";
    FollowRelease: "follow_release", "Fall", "Signal", "s", 1e-3, 5.0, 0.1, Logarithmic, Immediate, true,
        "Time in which the follower falls.";
    DryWet: "dry_wet", "Dry/wet", "Signal", "", 0.0, 1.0, 1.0, Linear, OnGrid, true,
        "How much of the body is heard, and how much of the side-chain itself.";
    Tether: "tether_stiffness", "Tether", "Tether", "N/m", 0.0, 1e5, 380.0, Cubic, Immediate, true,
        "Spring that holds the driven hammer where it rests; without one it needs hold or gravity to come back.";
    TetherDamping: "tether_damping", "Tether loss", "Tether", "Ns/m", 0.0, 1000.0, 3.0, Cubic, Immediate, true,
        "What takes the swing out of the tether.";
    RestHeight: "rest_height", "Rest height", "Tether", "m", 0.0, 0.05, 0.0, Cubic, Immediate, true,
        "How far from the body the tether holds the driven hammer: a push has to bridge that first.";
    Hold: "hold", "Hold", "Bounce", "N", 0.0, 1000.0, 0.0, Cubic, Immediate, true,
        "Presses the hammer against the body: a struck one while its key is down, a driven one always.";
    Gravity: "gravity", "Gravity", "Bounce", "m/s²", 0.0, 1000.0, 0.0, Cubic, Immediate, true,
        "Draws the hammer back to the body while its key is down: it bounces until it rests. At 0 it is caught on the rebound.";
    SpringBack: "spring_back", "Spring-back", "Bounce", "N/m", 0.0, 1e5, 0.0, Cubic, Immediate, true,
        "Spring by which the hand draws a struck hammer back to the body while its key is down.";
    KeyStrikes: "key_strikes", "Strikes", "Bounce", "", 0.0, 1.0, 1.0, Choice(SWITCH), NextStrike, true,
        "Whether a key strikes; if not, it only holds, rolls, or chooses what is driven.";
    Rattle: "rattle", "Rattle", "Rattle", "", 0.0, RATTLES.len() as f64 - 1.0, 0.0, Choice(RATTLES), Immediate, true,
        "What the body may knock against from behind: nothing, something fixed, or something loose.";
    RattleCount: "rattle_count", "Count", "Rattle", "", 1.0, 4.0, 1.0, Integer, Immediate, true,
        "How many of them, side by side.";
    RattlePosition: "rattle_position", "Rattle place", "Rattle", "", 0.0, 1.0, 0.5, Linear, Immediate, true,
        "Where on the body it is, as the hammer's position.";
    RattleAcross: "rattle_across", "Rattle across", "Rattle", "", 0.0, 1.0, 0.5, Linear, Immediate, true,
        "Where across the body it is, as the hammer's.";
    RattleGap: "rattle_gap", "Gap", "Rattle", "m", 0.0, 0.01, 0.0, Cubic, Immediate, true,
        "How far the body has to come to touch it.";
    RattlePress: "rattle_press", "Press", "Rattle", "N", 0.0, 100.0, 0.0, Cubic, Immediate, true,
        "Force by which something loose is pressed against the body, as the tension of snare wires.";
    RattleMass: "rattle_mass", "Rattle mass", "Obstacle", "kg", 1e-5, 1.0, 1e-3, Logarithmic, Immediate, true,
        "Mass of what is loose.";
    RattleFrequency: "rattle_frequency", "Swing", "Obstacle", "Hz", 0.1, 5e3, 40.0, Logarithmic, Immediate, true,
        "Frequency at which what is loose swings by itself.";
    RattleDamping: "rattle_damping", "Swing loss", "Obstacle", "", 1e-3, 2.0, 0.1, Logarithmic, Immediate, true,
        "Damping ratio of that swing.";
    RattleContact: "rattle_contact", "Knock model", "Obstacle", "", 0.0, CONTACT_MODELS.len() as f64 - 1.0, 0.0, Choice(CONTACT_MODELS), Immediate, true,
        "Law of its contact, as the hammer's.";
    RattleStiffness: "rattle_stiffness", "Knock force", "Obstacle", "N", 1e-3, 1e6, 1000.0, Logarithmic, Immediate, true,
        "Force of its contact at a compression of 0.1 mm.";
    RattleExponent: "rattle_alpha", "Knock power", "Obstacle", "", 1.0, 5.0, 1.5, Linear, Immediate, true,
        "Exponent alpha of its contact.";
    RattleLoss: "rattle_mu", "Knock loss", "Obstacle", "s/m", 0.0, 5.0, 0.2, Cubic, Immediate, true,
        "Loss mu inside its contact.";
    Roll: "roll", "Surface", "Rolling", "", 0.0, ROLLING_SURFACES.len() as f64 - 1.0, 0.0, Choice(ROLLING_SURFACES), Immediate, true,
        "What the driven hammer rolls or scrapes over: nothing, chance, ribs, or a recorded profile.";
    RollSpeed: "roll_speed", "Roll speed", "Rolling", "m/s", 0.0, 5.0, 0.2, Cubic, Immediate, true,
        "How fast it rolls or scrapes.";
    RollRadius: "roll_radius", "Radius", "Rolling", "m", 1e-5, 0.1, 8e-3, Logarithmic, Immediate, true,
        "Radius of what rolls or of the point that scrapes: it does not reach into what is narrower.";
    Roughness: "roughness", "Roughness", "Rolling", "m", 0.0, 1e-3, 2e-6, Cubic, Immediate, true,
        "Height of the surface, root mean square: polished glass 0.3 µm, planed wood 2 to 10 µm, stone 5 to 50 µm.";
    RollSlope: "roll_slope", "Fractal", "Rolling", "", 0.0, 4.0, 2.0, Linear, Immediate, true,
        "Power of its wavelength with which the surface's height goes, squared: small is sandy, large is wavy.";
    RollGrain: "roll_grain", "Grain", "Rolling", "m", 1e-5, 0.1, 5e-5, Logarithmic, Immediate, true,
        "Shortest wavelength of the surface; distance of its ribs.";
    RollLength: "roll_length", "Longest", "Rolling", "m", 1e-4, 1.0, 0.02, Logarithmic, Immediate, true,
        "Longest wavelength of the surface.";
    RollSway: "roll_sway", "Unevenness", "Rolling", "", 0.0, 1.0, 0.0, Linear, Immediate, true,
        "How far a ball that is not quite round speeds up and slows down with every turn.";
    RollSeed: "roll_seed", "Roll seed", "Rolling", "", 0.0, 999.0, 0.0, Integer, Immediate, false,
        "Which surface: the same seed is the same surface.";
    Level: "level", "Level", "Output", "dB", -60.0, 48.0, 3.5, Linear, OnGrid, true,
        "Output level: at 0 dB full scale is a pickup velocity of 1 m/s.";
    Quality: "quality", "Quality", "Output", "", 0.0, 2.0, 1.0, Choice(QUALITIES), NextStrike, false,
        "Substeps per contact: eco 8, default 16, reference 48.";
    Mpe: "mpe", "MPE", "MIDI", "", 0.0, ZONES.len() as f64 - 1.0, 0.0, Choice(ZONES), Immediate, false,
        "Channels that carry one note each: 2 to 16, or 15 down to 1; or as the controller asks for.";
    MpeBend: "mpe_bend", "MPE bend range", "MIDI", "st", 0.0, 96.0, 48.0, Linear, Immediate, false,
        "Semitones that the bend of a single note reaches either way.";
}

/// The parameters that hosts may modulate for one note.
pub const PER_NOTE_PARAMS: [ParamId; 7] = [
    ParamId::Hardness,
    ParamId::Stiffness,
    ParamId::Exponent,
    ParamId::Damping,
    ParamId::HammerMass,
    ParamId::StrikePosition,
    ParamId::StrikeAcross,
];

impl ParamId {
    /// Its entry in the table.
    pub fn spec(self) -> &'static ParamSpec {
        &PARAMS[self as usize]
    }

    /// The parameter with this id.
    pub fn from_id(id: &str) -> Option<ParamId> {
        Self::ALL.iter().copied().find(|param| param.spec().id == id)
    }
}

impl ParamSpec {
    /// Normalised value 0 to 1 of a value in range.
    pub fn to_normalized(&self, value: f64) -> f64 {
        let (min, span) = (self.min, self.max - self.min);
        match self.scale {
            Logarithmic => (value / min).ln() / (self.max / min).ln(),
            Cubic => ((value - min) / span).cbrt(),
            _ => (value - min) / span,
        }
    }

    /// Value of a normalised value 0 to 1.
    pub fn from_normalized(&self, normalized: f64) -> f64 {
        let (min, span) = (self.min, self.max - self.min);
        match self.scale {
            Logarithmic => min * (normalized * (self.max / min).ln()).exp(),
            Cubic => min + span * normalized * normalized * normalized,
            _ => min + span * normalized,
        }
    }

    /// The value clamped to the range; rounded for integers and choices; the default for a value that is not a number.
    pub fn clamped(&self, value: f64) -> f64 {
        if value.is_nan() {
            return self.default;
        }
        let value = value.clamp(self.min, self.max);
        match self.scale {
            Integer | Choice(_) => value.round(),
            _ => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_defaults_in_range() {
        for (i, param) in PARAMS.iter().enumerate() {
            assert_eq!(param.clamped(param.default), param.default, "{}", param.id);
            assert!(PARAMS[i + 1..].iter().all(|other| other.id != param.id), "{} is there twice", param.id);
            // hosts list names without groups, and some find parameters by name
            assert!(PARAMS[i + 1..].iter().all(|other| other.name != param.name), "{} is there twice", param.name);
            assert!(!matches!(param.scale, Logarithmic) || param.min > 0.0, "{}", param.id);
        }
    }
}
