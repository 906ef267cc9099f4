//! The table of parameters: id, name, group, unit, range, default, scale, and when a change takes effect.
//!
//! Host parameters, the command line and the preset text are all made from this table. A released id never changes or disappears.

use crate::params::choices::*;
use crate::params::modulation_choices::*;
use crate::params::spec::{ParamSpec, Scale, UpdateRate};
use Scale::*;
use UpdateRate::*;

/// Whether `group` has the session parameters, which no patch contains.
const fn is_session(group: &str) -> bool {
    matches!(group.as_bytes(), b"MIDI")
}

with_room_params! { with_modulation_params { params {
    Stage: "stage", "Key layout", "Layout", "", 0.0, 1.0, 0.0, Choice(KEY_LAYOUTS => &["Per key", "One body"]), NextStrike, true,
        "Per key: every key has a body of its own, like the bars of a marimba. One body: all keys strike one body, each at its own position, like a gong.";
    HomeKey: "home_key", "Home key", "Layout", "", 0.0, 127.0, 60.0, Integer, NextStrike, true,
        "MIDI key at which key tracking has no effect; with one body, the key that sets its pitch.";
    Spread: "spread", "Key spread", "Layout", "", -2.0, 2.0, 1.0, Linear, Immediate, true,
        "With one body: distance on the body that four octaves of keys cover, in body lengths. Negative reverses the keys.";
    Hardness: "hardness", "Contact hardness", "Contact", "", -1.0, 1.0, 0.0, Linear, Immediate, true,
        "Scales the stiffness over three decades. Down moves exponent and loss towards felt: soft and dark. Up moves them towards wood: hard and bright.";
    Contact: "contact", "Contact model", "Contact", "", 0.0, CONTACT_MODELS.len() as f64 - 1.0, 0.0, Choice(CONTACT_MODELS), Immediate, true,
        "Law of the contact force. Hunt-Crossley loses more at higher speed, Restitution a fixed share, Linear exact has an exact solution. A contact in progress keeps its law.";
    Stiffness: "stiffness", "Contact stiffness", "Contact", "N", 1e-3, 1e6, 100.0, Logarithmic, Immediate, true,
        "Contact force at a compression of 0.1 mm [N]. Up: shorter contact, brighter sound. Down: softer and darker.";
    Exponent: "alpha", "Contact exponent", "Contact", "", 1.0, 5.0, 1.5, Linear, Immediate, true,
        "Exponent alpha of the contact law. Up: hard hits are brighter than soft ones by a larger amount. 1.5 is a rigid sphere, 2 to 4 is felt.";
    Damping: "mu", "Contact damping", "Contact", "s/m", 0.0, 5.0, 0.15, Cubic, Immediate, true,
        "Loss coefficient mu of the contact [s/m]. Up: more energy is lost in the contact and the hammer rebounds less, like rubber or felt. Down: like steel.";
    Striker: "striker", "Hammer type", "Hammer", "", 0.0, HAMMER_TYPES.len() as f64 - 1.0, 0.0, Choice(HAMMER_TYPES), NextStrike, true,
        "Point mass; a stick or a clapper, which bends; or the bristles of a brush.";
    HammerMass: "hammer_mass", "Hammer mass", "Hammer", "kg", 1e-4, 200.0, 0.02, Logarithmic, Immediate, true,
        "Mass of the hammer [kg]. Up: louder, longer contact, darker. Down: lighter and brighter.";
    Bending: "bending", "Stick bending frequency", "Hammer", "Hz", 20.0, 20e3, 220.0, Logarithmic, NextStrike, true,
        "Lowest bending mode of a stick or a clapper [Hz]. Down: long and flexible. Up: short and rigid.";
    Scatter: "scatter", "Brush bristle scatter", "Hammer", "", 0.0, 1.0, 0.4, Linear, NextStrike, true,
        "Spread of the bristles of a brush in position, speed, mass and time. At 0 all bristles hit at once.";
    TipRadius: "tip_radius", "Hammer tip radius", "Hammer", "m", 0.0, 0.05, 0.0, Cubic, NewBody, true,
        "Radius of the area in which the hammer touches a head, plate or shell [m]. Up: waves shorter than that area are not excited, so the strike is darker. 0: a point.";
    SpeedLow: "speed_low", "Minimum strike speed", "Hammer", "m/s", 0.005, 5.0, 0.1, Logarithmic, NextStrike, true,
        "Hammer speed at velocity 1 [m/s]. Down: a wider dynamic range.";
    SpeedHigh: "speed_high", "Maximum strike speed", "Hammer", "m/s", 0.05, 20.0, 3.0, Logarithmic, NextStrike, true,
        "Hammer speed at velocity 127 [m/s]. Up: harder strikes, louder and brighter.";
    VelocityCurve: "velocity_curve", "Velocity curve", "Hammer", "", 0.25, 4.0, 1.0, Logarithmic, NextStrike, true,
        "Exponent of the curve from velocity to hammer speed. Above 1, a given speed needs a higher velocity; below 1, a lower one.";
    FlamTime: "flam_time", "Flam time", "Flam", "s", 0.0, 0.2, 0.0, Cubic, NextStrike, true,
        "Time from a grace stroke to the strike that it leads to [s]. The grace stroke falls on the note. 0, or with a return force: none.";
    FlamSpeed: "flam_speed", "Flam grace speed", "Flam", "", 0.02, 1.0, 0.3, Logarithmic, NextStrike, true,
        "Speed of the hammer in the grace stroke of a flam, as a part of that of the strike.";
    StrumStrokes: "strum_strokes", "Strum strokes", "Strum", "", 1.0, 8.0, 1.0, Integer, NextStrike, true,
        "Number of strokes that a note plays one after another across the body, like a stick drawn over it. 1, or with a return force: one stroke.";
    StrumTime: "strum_time", "Strum time", "Strum", "s", 0.0, 1.0, 0.12, Cubic, NextStrike, true,
        "Time from the first to the last stroke of a strum [s].";
    StrumWidth: "strum_width", "Strum width", "Strum", "", -1.0, 1.0, 0.6, Linear, NextStrike, true,
        "Part of the body that a strum crosses, with the strike position in its middle where there is room. Negative: in the other direction.";
    StrikePosition: "position", "Strike position", "Hammer", "", 0.0, 1.0, 0.36, Linear, Immediate, true,
        "Position along the body, as a fraction of its length; on round bodies from the centre (0) to the edge (1). Modes with a node there stay silent.";
    StrikeAcross: "position_across", "Strike position Y", "Hammer", "", 0.0, 1.0, 0.5, Linear, Immediate, true,
        "Position across the body: off the axis of a bar, along the second side of a plate, or the angle on a round body in turns.";
    TrackHammer: "tracking_hammer", "Hammer mass key tracking", "Tracking", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "The hammer mass is proportional to (f/f_home)^n. Negative: lighter hammers on higher keys. 0: the same on all keys.";
    TrackStiffness: "tracking_stiffness", "Contact stiffness key tracking", "Tracking", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "The stiffness is proportional to (f/f_home)^n. Positive: harder on higher keys. 0: the same on all keys.";
    TrackBody: "tracking_body", "Body mass key tracking", "Tracking", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "The body mass is proportional to (f/f_home)^n. Negative: lighter bodies on higher keys. 0: the same on all keys.";
    TrackDecay: "tracking_decay", "Body decay key tracking", "Tracking", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "The decay time is proportional to (f/f_home)^n. Negative: higher keys decay faster. 0: the same on all keys.";
    Body: "body", "Body type", "Body", "", 0.0, BODY_KINDS.len() as f64 - 1.0, 1.0, Choice(BODY_KINDS), NewBody, true,
        "Type of the struck body: strings, bars, beams, tubes, membranes, plates, shells, or a list of modes.";
    MorphTo: "morph_to", "Body morph target", "Body", "", 0.0, MORPHS.len() as f64 - 1.0, 0.0, Choice(MORPHS), NewBody, true,
        "Body type that the body morph leads to. With a list of modes it is the second list of the preset.";
    Morph: "morph", "Body morph", "Body", "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
        "Blend from the body (0) to the morph target (1), partial by partial: frequency, loss and shape.";
    BodyMass: "body_mass", "Body mass", "Body", "kg", 1e-3, 10e3, 0.4, Logarithmic, OnGrid, true,
        "Mass of the body [kg]. Up: the body moves less and the hammer rebounds once. Down: louder, longer contact, multiple contacts.";
    Tune: "tune", "Body tune", "Body", "st", -48.0, 48.0, 0.0, Linear, OnGrid, true,
        "Pitch of the body relative to the key [semitones]. It acts like the size of the body.";
    Inharmonicity: "inharmonicity", "Body inharmonicity", "Body", "", 0.0, 0.05, 0.0, Cubic, OnGrid, true,
        "Stiffness coefficient B: partial r moves to f (1 + B r^2)^(1/2), the lowest stays. Up: stretched partials, as on thick strings.";
    Modes: "modes", "Number of modes", "Body", "", 1.0, 256.0, 32.0, Integer, NewBody, true,
        "Number of modes to compute, up to the band limit. Up: a richer sound at a higher CPU cost. Down: cheaper and purer.";
    Decay: "decay", "Body decay time (T60)", "Body", "s", 0.02, 500.0, 12.0, Logarithmic, OnGrid, true,
        "Time to -60 dB that all modes share [s], before the losses that grow with frequency. Up: longer sound.";
    Loss: "loss", "Body loss factor", "Body", "", 0.0, 0.1, 1e-3, Cubic, OnGrid, true,
        "Internal loss factor of the material: a decay rate proportional to frequency. Up: high partials fade sooner.";
    Viscosity: "viscosity", "Body HF damping", "Body", "s", 0.0, 1e-4, 1e-7, Cubic, OnGrid, true,
        "Decay rate proportional to the square of the frequency [s]. Up: the highest partials fade first, as by air and viscosity.";
    Aspect: "aspect", "Plate aspect ratio", "Shape", "", 1.0, 10.0, 1.41, Logarithmic, NewBody, true,
        "Longer side of a plate, or of a soundboard, divided by the shorter. 1 is square; up lowers and groups the partials like a long plate.";
    AirLoad: "air_load", "Membrane air load", "Shape", "", 0.0, 10.0, 0.0, Cubic, NewBody, true,
        "Air moved by a membrane: 2 x air density x radius / mass per area. Up: the low modes become lower and heavier; use it for drums.";
    Split: "split", "Body mode splitting", "Shape", "", 0.0, 0.1, 0.0, Cubic, NewBody, true,
        "Relative frequency difference of the two modes of a pair on a round body, or of neighbouring strings of a course. Up: faster beating.";
    Irregularity: "irregularity", "Body irregularity", "Shape", "", 0.0, 0.1, 0.0, Cubic, NewBody, true,
        "Random deviation of the partials from theory, the same for every note. Up: cast, hammered or cracked metal.";
    RatioPower: "ratio_power", "Body partial stretch", "Shape", "", 0.5, 1.5, 1.0, Linear, NewBody, true,
        "Exponent of the frequency ratios of the partials. Below 1: partials move closer, as on domed gongs and cymbals. Above 1: further apart.";
    Density: "density", "Mode density", "Shape", "", 0.0, 1.0, 0.0, Linear, NewBody, true,
        "Modes above those of Number of modes, as part of those that a real plate, shell or membrane of this mass and thickness has up to 20 kHz. 0: none. 1: all of them, for cymbals and gongs.";
    DensityTune: "density_tune", "Mode density tune", "Shape", "st", -48.0, 48.0, 0.0, Linear, NewBody, true,
        "Body tune at which the modes of Mode density have the frequencies of a real body. Set it to the value of Body tune; later changes of Body tune then transpose the whole body.";
    Specimen: "specimen", "Body specimen", "Shape", "", 0.0, 9999.0, 0.0, Integer, NewBody, true,
        "Which of ten thousand bodies of this kind is struck: each has modes of its own at the places of Mode density.";
    Thickness: "thickness", "Body thickness", "Shape", "m", 0.0, 0.02, 0.0, Cubic, NewBody, true,
        "Thickness of a plate, shell, membrane, string or bar [m], for Mode density, Body cascade and Body nonlinearity. Down: more modes, and brighter when struck hard. 0: usual for the body type.";
    Cascade: "cascade", "Body cascade", "Shape", "", 0.1, 1e5, 0.1, Logarithmic, Immediate, true,
        "Strength with which large motion of a thin body passes energy from low to high modes: hard strikes become brighter after the strike. 16 is a real plate. Off at its minimum.";
    Nonlinearity: "nonlinearity", "Body nonlinearity", "Shape", "", 0.0, 4.0, 0.0, Linear, OnGrid, true,
        "Stiffening of strings, membranes, discs, plates and bars held at both ends by their deflection: hard strikes begin higher and fall in pitch, and sheets and gongs get brighter. 1: as the material has it. Up: as if it were thinner. 0: none.";
    Edges: "edges", "Plate edges", "Shape", "", 0.0, EDGE_MOUNTS.len() as f64 - 1.0, 0.0, Choice(EDGE_MOUNTS), NewBody, true,
        "In-plane motion of the edges of a supported or clamped plate with Body nonlinearity. Sliding: they move as the plate bends. Held: they cannot, and the plate stiffens three to four times as much.";
    Dome: "dome", "Disc dome", "Shape", "", 0.0, 30.0, 0.0, Cubic, NewBody, true,
        "Height of the middle of a disc over its rim, in thicknesses. Up: symmetric modes rise. With Body nonlinearity, a flat disc begins higher after hard strikes and falls in pitch; one with a dome of 1 to 3 begins lower and rises.";
    Dents: "dents", "Disc dents", "Shape", "", 0.0, 3.0, 0.0, Cubic, NewBody, true,
        "Root mean square of the dents of a disc, in thicknesses. Up: partials move apart and mix. Body specimen chooses the dents.";
    ResonantTune: "resonant_tune", "Resonant head tune", "Shape", "st", -24.0, 24.0, 0.0, Linear, NewBody, true,
        "Pitch of the resonant head of a two-headed drum over that of the batter head, each alone in the open air [semitones]. Up: brighter and shorter. 0: both alike, which ring longest. On a string course: lowest mode of the soundboard over the pitch of the strings.";
    ResonantMass: "resonant_mass", "Resonant head mass", "Shape", "", 0.1, 10.0, 1.0, Logarithmic, NewBody, true,
        "Mass of the resonant head of a two-headed drum over that of the batter head. Down: a thinner head, which takes up more of the motion, as under a snare drum (0.4).";
    AirStiffness: "air_stiffness", "Enclosed air stiffness", "Shape", "", 0.0, 20.0, 1.0, Cubic, NewBody, true,
        "Stiffness of the air between the heads of a two-headed drum over that of the batter head: 17 kPa x radius² / (depth x tension). Snare drum 1.2, tom 1 to 3, bass drum 5. Up: the heads move together, and the second mode is higher. 0: no shared air, the batter head alone.";
    DrumDepth: "drum_depth", "Drum depth", "Shape", "", 0.05, 1.5, 0.5, Logarithmic, NewBody, true,
        "Depth of the shell of a two-headed drum over its diameter. Down: air that moves sideways between the heads couples their modes with nodal diameters, too. It acts through Membrane air load.";
    CourseStrings: "course_strings", "Course strings", "Shape", "", 1.0, 3.0, 3.0, Integer, NewBody, true,
        "Number of struck strings of a course. Two or three share the bridge: motion in step decays first, opposed motion rings on. Body mode splitting detunes them.";
    SympatheticStrings: "sympathetic_strings", "Sympathetic strings", "Shape", "", 0.0, SYMPATHETIC.len() as f64 - 1.0, 0.0, Choice(SYMPATHETIC), NewBody, true,
        "Further strings on the bridge of a course, which no hammer meets: octaves, the drones of a tanpura, the partials of the note, or a major scale. They answer to the strokes.";
    BridgeStiffness: "bridge_stiffness", "Bridge stiffness", "Shape", "", 1.0, 1e5, 1e3, Logarithmic, NewBody, true,
        "Stiffness of the bridge of a course under each string, over the string's tension divided by its length. Down: high partials fall in pitch and reach the soundboard less.";
    BoardMass: "board_mass", "Soundboard mass", "Shape", "", 3.0, 1e5, 100.0, Logarithmic, NewBody, true,
        "Mass of the soundboard of a course over that of one string. Down: the board takes more of the motion, the sound is louder and shorter, and strings affect each other more.";
    BoardDamping: "board_damping", "Soundboard damping", "Shape", "", 1e-3, 0.2, 0.01, Logarithmic, NewBody, true,
        "Damping ratio of the soundboard of a course: half of its loss factor. Spruce with varnish 0.01. Up: the board knocks more shortly, and the first part of the decay is faster.";
    KnockLevel: "knock_level", "Knock level", "Knock", "dB", -60.0, 80.0, -60.0, Linear, NewBody, true,
        "Sound of the frame under a bar or of the box of a block, which the strike shakes: 0 dB is as loud as one mode of the body after a very short strike. Off at its minimum.";
    KnockDecay: "knock_decay", "Knock decay time (T60)", "Knock", "s", 0.01, 10.0, 0.19, Logarithmic, NewBody, true,
        "Time to -60 dB of the knock [s], before the losses that grow with frequency. Up: longer.";
    KnockLoss: "knock_loss", "Knock loss factor", "Knock", "", 0.0, 0.2, 1.5e-3, Cubic, NewBody, true,
        "Loss factor of the knock: a decay rate proportional to frequency. Up: its high part fades sooner.";
    KnockLow: "knock_low", "Knock lowest frequency", "Knock", "Hz", 20.0, 2e3, 120.0, Logarithmic, NewBody, true,
        "Frequency of the lowest mode of the knock [Hz]. Down: a larger frame or box.";
    KnockHigh: "knock_high", "Knock highest frequency", "Knock", "Hz", 1e3, 18e3, 9e3, Logarithmic, NewBody, true,
        "Frequency of the highest mode of the knock [Hz]. Its modes are evenly spaced up to there.";
    KnockSlope: "knock_slope", "Knock slope", "Knock", "dB/oct", -24.0, 24.0, 0.0, Linear, NewBody, true,
        "Level of the knock against frequency [dB per octave], around 1 kHz. Up: brighter. Down: darker.";
    ShellLevel: "shell_level", "Shell level", "Shell", "dB", -60.0, 80.0, -60.0, Linear, NewBody, true,
        "Sound of the shell of a drum, which the strike shakes: 0 dB is as loud as one mode of the head after a very short strike. Off at its minimum.";
    ShellDecay: "shell_decay", "Shell decay time (T60)", "Shell", "s", 0.01, 10.0, 0.15, Logarithmic, NewBody, true,
        "Time to -60 dB of the shell [s], before the losses that grow with frequency. Up: longer.";
    ShellLoss: "shell_loss", "Shell loss factor", "Shell", "", 0.0, 0.2, 3e-3, Cubic, NewBody, true,
        "Loss factor of the shell: a decay rate proportional to frequency. Wood 10e-3, steel 1e-3. Up: its high part fades sooner.";
    ShellLow: "shell_low", "Shell lowest frequency", "Shell", "Hz", 20.0, 2e3, 200.0, Logarithmic, NewBody, true,
        "Frequency of the lowest mode of the shell [Hz]. Down: a larger drum.";
    ShellHigh: "shell_high", "Shell highest frequency", "Shell", "Hz", 1e3, 18e3, 12e3, Logarithmic, NewBody, true,
        "Frequency of the highest mode of the shell [Hz]. Its modes are evenly spaced up to there.";
    ShellSlope: "shell_slope", "Shell slope", "Shell", "dB/oct", -24.0, 24.0, 0.0, Linear, NewBody, true,
        "Level of the shell against frequency [dB per octave], around 1 kHz. Up: brighter. Down: darker.";
    ShellModes: "shell_modes", "Shell modes", "Shell", "", 20.0, 400.0, 400.0, Integer, NewBody, true,
        "Number of modes of the shell; its level stays the same. Up: a smoother noise. Down: single modes are heard, and a strike costs less.";
    ShellWidth: "shell_width", "Shell width", "Shell", "", 0.0, 1.0, 1.0, Linear, NewBody, true,
        "Distance of the two pickups around the shell. At 0 both hear the same. Up: wider, because its modes move differently there.";
    ShellDrive: "shell_drive", "Shell drive", "Shell", "", 0.0, SHELL_DRIVES.len() as f64 - 1.0, 0.0, Choice(SHELL_DRIVES), NewBody, true,
        "Strike: the force of hammers shakes the shell. Motion: strands on the body drive it, as snare wires; they buzz as long as the body moves. Rattle position, gap, preload, mass and resonance hold them.";
    Material: "material", "Body material", "Material", "", 0.0, MATERIALS.len() as f64 - 1.0, 0.0, Choice(MATERIALS), OnGrid, true,
        "Material of the body. Its internal losses are added to those of the other parameters.";
    Radiation: "radiation", "Radiation type", "Radiation", "", 0.0, RADIATIONS.len() as f64 - 1.0, 0.0, Choice(RADIATIONS), OnGrid, true,
        "How the vibration becomes sound: velocity of the surface, monopole, dipole, far field, or the force at the end of a string.";
    Corner: "corner", "Radiation cutoff", "Radiation", "Hz", 20.0, 20e3, 500.0, Logarithmic, OnGrid, true,
        "Frequency below which the body radiates weakly [Hz], about c/(2 pi radius). Up: thinner sound, like a small body.";
    CornerTracking: "corner_tracking", "Radiation cutoff key tracking", "Radiation", "", -3.0, 3.0, 0.0, Linear, NextStrike, true,
        "The radiation cutoff is proportional to (f/f_home)^n. 1: the body shrinks as the pitch rises. 0: the same on all keys.";
    Resonator: "resonator", "Resonator tube gain", "Radiation", "dB", 0.0, 24.0, 0.0, Linear, OnGrid, true,
        "Gain of the lowest partial by a tuned tube under the bar [dB]. 0 dB: no tube.";
    ResonatorLoss: "resonator_loss", "Resonator tube damping", "Radiation", "1/s", 0.0, 100.0, 0.0, Cubic, OnGrid, true,
        "Decay rate that the tube adds to the lowest partial [1/s]. Up: a louder tube decays faster.";
    MonopoleLoss: "monopole_loss", "Monopole radiation loss", "Radiation", "1/s", 0.0, 100.0, 0.0, Cubic, OnGrid, true,
        "Decay rate added to modes of a membrane or disc without nodal diameters [1/s]: they radiate most. Up: a shorter thump.";
    DipoleLoss: "dipole_loss", "Dipole radiation loss", "Radiation", "1/s", 0.0, 100.0, 0.0, Cubic, OnGrid, true,
        "Decay rate added to modes of a membrane or disc with one nodal diameter [1/s]. Up: they fade sooner.";
    FieldRadiation: "field_radiation", "Dense mode radiation", "Radiation", "", 0.0, 1.0, 0.0, Linear, NewBody, true,
        "Radiation of the modes of Mode density by the thickness of the body: low modes of a thin body are quiet, high ones are loud and fade sooner. 0: as the other modes.";
    TubeCoupling: "tube_coupling", "Tube coupling", "Tube", "", 0.0, 2.0, 0.0, Linear, OnGrid, true,
        "Rate at which a tuned tube under the body takes energy from it, over the decay rate of the tube. 0: no tube. Up: louder and shorter. Above 1 the lowest partial splits in two and beats.";
    TubeDetune: "tube_detune", "Tube detune", "Tube", "st", -1.0, 1.0, 0.0, Linear, OnGrid, true,
        "Pitch of the tube over the lowest partial [semitones]. 0: loudest and shortest. Up or down: quieter and longer, with a beat at the start.";
    TubeFlapRate: "tube_flap_rate", "Tube flap rate", "Tube", "Hz", 0.0, 12.0, 0.0, Linear, OnGrid, true,
        "How often a motor opens and closes the tubes [Hz]. 0: the flap stands still. It begins open with the first note.";
    TubeFlapDepth: "tube_flap_depth", "Tube flap depth", "Tube", "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
        "Part of the tube that the flap closes. Up: a deeper tremolo. 0: the tubes stay open.";
    PickupLeft: "pickup_left", "Left pickup position", "Pickups", "", 0.0, 1.0, 0.13, Linear, OnGrid, true,
        "Position at which the left channel reads the velocity of the body, as a fraction of its length.";
    PickupLeftAcross: "pickup_left_across", "Left pickup position Y", "Pickups", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
        "Position of the left pickup across the body.";
    PickupRight: "pickup_right", "Right pickup position", "Pickups", "", 0.0, 1.0, 0.91, Linear, OnGrid, true,
        "Position at which the right channel reads the velocity of the body, as a fraction of its length.";
    PickupRightAcross: "pickup_right_across", "Right pickup position Y", "Pickups", "", 0.0, 1.0, 0.5, Linear, OnGrid, true,
        "Position of the right pickup across the body.";
    PickupLeftHead: "pickup_left_head", "Left pickup head", "Pickups", "", 0.0, DRUM_HEADS.len() as f64 - 1.0, 0.0, Choice(DRUM_HEADS), OnGrid, true,
        "Head of a two-headed drum that the left pickup reads, or part of a string course: batter the strings, resonant the soundboard. The far field always has both heads.";
    PickupRightHead: "pickup_right_head", "Right pickup head", "Pickups", "", 0.0, DRUM_HEADS.len() as f64 - 1.0, 0.0, Choice(DRUM_HEADS), OnGrid, true,
        "Head of a two-headed drum that the right pickup reads, or part of a string course: batter the strings, resonant the soundboard. The far field always has both heads.";
    MonoBelow: "mono_below", "Bass mono frequency", "Pickups", "Hz", 0.0, 20e3, 0.0, Cubic, OnGrid, true,
        "Below this frequency left and right are in phase [Hz]; up to twice this frequency they separate. 0: off.";
    Click: "click", "Mallet noise", "Pickups", "dB", -60.0, 40.0, -60.0, Linear, OnGrid, true,
        "Sound radiated by the hammer head itself [dB]. 0 dB: as heard at 10 cm. At the minimum: off.";
    Release: "release", "Release mode", "Release", "", 0.0, 1.0, 0.0, Choice(RELEASES), NextStrike, true,
        "Ring: the body rings on after the key is released. Damp: the release damps it.";
    ReleaseTime: "release_time", "Release time", "Release", "s", 0.01, 10.0, 0.3, Logarithmic, NextStrike, true,
        "Time to -60 dB of a damped body after its key is released [s].";
    ReleaseVelocity: "release_velocity", "Release velocity amount", "Release", "", 0.0, 1.0, 0.0, Linear, NextStrike, true,
        "Effect of the release velocity on the release time. Up: a fast release damps faster, over two decades at 1. 0: none.";
    Voices: "polyphony", "Polyphony", "Voices", "", 1.0, 64.0, 64.0, Integer, NextStrike, true,
        "Number of bodies that sound at once. Beyond it, the body with the least energy fades out.";
    Playing: "playing", "Voice mode", "Voices", "", 0.0, VOICE_MODES.len() as f64 - 1.0, 0.0, Choice(VOICE_MODES), NextStrike, true,
        "Poly: many bodies at once. Mono: one at a time. Legato: one body that glides to the next key while the previous key is held.";
    Legato: "legato", "Legato strike level", "Voices", "", 0.0, 1.0, 0.0, Linear, NextStrike, true,
        "Strike speed of legato notes relative to others. 0: the body glides without a strike. 1: a full strike.";
    Glide: "glide", "Glide time", "Voices", "s", 1e-3, 2.0, 0.05, Logarithmic, NextStrike, true,
        "Time in which a legato note reaches its pitch [s].";
    Bleed: "bleed", "Bleed amount", "Voices", "", 0.0, 2.0, 0.0, Linear, OnGrid, true,
        "How strongly bodies answer to the sound of others: the zones of a kit to other zones, held keys to other keys. Up: louder. 1: as real ones. 0: off.";
    BendRange: "bend_range", "Pitch bend range", "Controllers", "st", 0.0, 48.0, 2.0, Linear, Immediate, true,
        "Range of the pitch bend wheel in either direction [semitones].";
    WheelTarget: "wheel_target", "Mod wheel target", "Controllers", "", 0.0, MOD_TARGETS.len() as f64 - 1.0, 0.0, Choice(MOD_TARGETS), Immediate, true,
        "Parameter that the modulation wheel (CC 1) moves.";
    WheelAmount: "wheel", "Mod wheel amount", "Controllers", "", -1.0, 1.0, 1.0, Linear, Immediate, true,
        "Amount by which the modulation wheel moves its target. Negative reverses it.";
    PressureTarget: "pressure_target", "Key pressure target", "Controllers", "", 0.0, MOD_TARGETS.len() as f64 - 1.0, 8.0, Choice(MOD_TARGETS), Immediate, true,
        "Parameter that key pressure (aftertouch) moves.";
    PressureAmount: "pressure", "Key pressure amount", "Controllers", "", -1.0, 1.0, 0.5, Linear, Immediate, true,
        "Amount by which key pressure moves its target. Negative reverses it.";
    BrightnessTarget: "brightness_target", "Slide (CC 74) target", "Controllers", "", 0.0, MOD_TARGETS.len() as f64 - 1.0, 0.0, Choice(MOD_TARGETS), Immediate, true,
        "Parameter that slide moves: controller 74, the third dimension of MPE, or the brightness of a note.";
    BrightnessAmount: "brightness", "Slide (CC 74) amount", "Controllers", "", -1.0, 1.0, 1.0, Linear, Immediate, true,
        "Amount by which slide moves its target in either direction. Negative reverses it.";
    ExpressionTarget: "expression_target", "Expression target", "Controllers", "", 0.0, MOD_TARGETS.len() as f64 - 1.0, 5.0, Choice(MOD_TARGETS), Immediate, true,
        "Parameter that the expression of a note moves.";
    ExpressionAmount: "expression", "Expression amount", "Controllers", "", -1.0, 1.0, 1.0, Linear, Immediate, true,
        "Amount by which expression moves its target in either direction. Negative reverses it.";
    SoftPedal: "soft_pedal", "Soft pedal amount", "Controllers", "", 0.0, 1.0, 0.5, Linear, Immediate, true,
        "Effect of the soft pedal (CC 67): up makes the hammer softer and slower while the pedal is down. 0: none.";
    HumanTime: "human_time", "Humanise timing", "Humanise", "s", 0.0, 0.05, 0.0, Cubic, NextStrike, true,
        "Largest random delay of a hammer [s]. 0: none.";
    HumanPosition: "human_position", "Humanise strike position", "Humanise", "", 0.0, 0.5, 0.0, Cubic, NextStrike, true,
        "Largest random offset of the strike position in either direction. 0: none.";
    HumanSpeed: "human_speed", "Humanise velocity", "Humanise", "", 0.0, 1.0, 0.0, Cubic, NextStrike, true,
        "Random change of the strike speed. At 1 it ranges from half to twice the speed. 0: none.";
    HumanMass: "human_mass", "Humanise hammer mass", "Humanise", "", 0.0, 1.0, 0.0, Cubic, NextStrike, true,
        "Random change of the hammer mass. At 1 it ranges from half to twice the mass. 0: none.";
    HumanSeed: "human_seed", "Humanise seed", "Humanise", "", 0.0, 999.0, 0.0, Integer, NextStrike, false,
        "Seed of the random numbers. The same seed gives the same variations each time the transport starts.";
    ConcertPitch: "concert_pitch", "Concert pitch", "Pitch", "Hz", 380.0, 500.0, 440.0, Linear, OnGrid, true,
        "Frequency at which an A of 440 Hz in the tuning is played [Hz]; all keys follow.";
    Stretch: "stretch", "Octave stretch", "Pitch", "cents", -100.0, 100.0, 0.0, Linear, OnGrid, true,
        "Widening of every octave around the reference key [cents]. Positive: stretched, as on a piano.";
    Sounding: "sounding", "Held notes keep pitch", "Pitch", "", 0.0, 1.0, 0.0, Choice(RETUNE_POLICIES => SWITCH), OnGrid, true,
        "Off: held notes glide to a new tuning. On: they keep their pitch until the next strike.";
    MtsEsp: "mts_esp", "MTS-ESP tuning", "Pitch", "", 0.0, 1.0, 1.0, Choice(SWITCH), OnGrid, true,
        "On: an MTS-ESP master in the session tunes the keys. Off: the tuning of the preset applies.";
    DriveGain: "drive_gain", "Drive level", "Drive", "N", 0.0, 10e3, 0.0, Cubic, Immediate, true,
        "Force of the drive on its hammer at full scale [N]. 0: no driven hammer, unless a rolling surface is selected.";
    DriveSource: "drive_source", "Drive source", "Drive", "", 0.0, DRIVE_SOURCES.len() as f64 - 1.0, 0.0, Choice(DRIVE_SOURCES), Immediate, true,
        "Signal that drives the hammer: the side-chain, or a built-in generator, sample or pattern.";
    DriveChannels: "drive_channels", "Drive channels", "Drive", "", 0.0, CHANNELS.len() as f64 - 1.0, 0.0, Choice(CHANNELS), Immediate, true,
        "Mono: left and right drive one hammer together. Stereo: each channel drives a hammer of its own.";
    DriveApart: "drive_apart", "Drive hammer spacing", "Drive", "", 0.0, 1.0, 0.3, Linear, Immediate, true,
        "Distance of the two hammers of a stereo drive along the body.";
    DriveNotes: "drive_notes", "Drive note mode", "Drive", "", 0.0, DRIVE_NOTES.len() as f64 - 1.0, 0.0, Choice(DRIVE_NOTES => &["Select", "Gate", "Ignore"]), Immediate, true,
        "Effect of notes on the drive. Select: the last note chooses body and position. Gate: the drive acts only while a note is held. Ignore: no effect.";
    DriveFrequency: "drive_frequency", "Drive frequency", "Drive", "Hz", 0.1, 10e3, 110.0, Logarithmic, Immediate, true,
        "Frequency of sine and saw, mean rate of dust [Hz].";
    DriveTracking: "drive_tracking", "Drive key tracking", "Drive", "", -1.0, 2.0, 0.0, Linear, Immediate, true,
        "The frequency of the source and the speed of the sample are proportional to (f/f_home)^n. 1: they follow the key.";
    DriveStep: "drive_step", "Drive pattern step", "Drive", "", 0.0, STEPS.len() as f64 - 1.0, 4.0, Choice(STEPS), Immediate, true,
        "Note length of one step of the pattern, at the tempo of the host.";
    DriveHighPass: "drive_high_pass", "Drive high-pass", "Drive signal", "Hz", 1.0, 10e3, 1.0, Logarithmic, Immediate, true,
        "High-pass cutoff of the drive [Hz]; off at its minimum.";
    DriveLowPass: "drive_low_pass", "Drive low-pass", "Drive signal", "Hz", 20.0, 20e3, 20e3, Logarithmic, Immediate, true,
        "Low-pass cutoff of the drive [Hz]; off at its maximum.";
    Follow: "follow", "Drive follower depth", "Drive signal", "", -1.0, 1.0, 0.0, Linear, Immediate, true,
        "Depth of the envelope follower of the side-chain, or of the source without one. Positive values open the drive; negative values duck it.";
    FollowAttack: "follow_attack", "Drive follower attack", "Drive signal", "s", 1e-4, 1.0, 5e-3, Logarithmic, Immediate, true,
        "Attack time of the envelope follower [s].";
    FollowRelease: "follow_release", "Drive follower release", "Drive signal", "s", 1e-3, 5.0, 0.1, Logarithmic, Immediate, true,
        "Release time of the envelope follower [s].";
    DryWet: "dry_wet", "Dry/wet", "Drive signal", "", 0.0, 1.0, 1.0, Linear, OnGrid, true,
        "Mix of the side-chain itself (0) and the sound of the body (1).";
    Tether: "tether_stiffness", "Drive tether stiffness", "Mount", "N/m", 0.0, 1e5, 380.0, Cubic, Immediate, true,
        "Spring that holds the driven hammer at its rest position [N/m]. At 0 only press force or gravity return it.";
    TetherDamping: "tether_damping", "Drive tether damping", "Mount", "Ns/m", 0.0, 1000.0, 3.0, Cubic, Immediate, true,
        "Damping of the tether [N s/m]. Up: the hammer swings less.";
    RestHeight: "rest_height", "Drive rest distance", "Mount", "m", 0.0, 0.05, 0.0, Cubic, Immediate, true,
        "Distance from the body at which the tether holds the driven hammer [m]. Up: only a strong drive signal moves the hammer to the body.";
    Hold: "hold", "Hammer press force", "Return", "N", 0.0, 1000.0, 0.0, Cubic, Immediate, true,
        "Force that presses the hammer against the body [N]: a struck hammer while its key is down, a driven hammer always. Up: longer contact.";
    Gravity: "gravity", "Hammer gravity", "Return", "m/s²", 0.0, 1000.0, 0.0, Cubic, Immediate, true,
        "Acceleration towards the body while the key is down [m/s²]: the hammer bounces until it rests. At 0 a struck hammer is caught on the rebound.";
    SpringBack: "spring_back", "Hammer return spring", "Return", "N/m", 0.0, 1e5, 0.0, Cubic, Immediate, true,
        "Spring that pulls a struck hammer back to the body while its key is down [N/m]. Up: faster bounces.";
    KeyStrikes: "key_strikes", "Strike on note", "Return", "", 0.0, 1.0, 1.0, Choice(SWITCH), NextStrike, true,
        "On: a note strikes. Off: a note only presses, rolls, or selects the driven body.";
    Rattle: "rattle", "Rattle type", "Rattle", "", 0.0, RATTLES.len() as f64 - 1.0, 0.0, Choice(RATTLES), Immediate, true,
        "Object behind the body, which the body can hit: none, a fixed obstacle, or a loose mass on a spring.";
    RattleCount: "rattle_count", "Rattle count", "Rattle", "", 1.0, 4.0, 1.0, Integer, Immediate, true,
        "Number of rattle objects, side by side.";
    RattlePosition: "rattle_position", "Rattle position", "Rattle", "", 0.0, 1.0, 0.5, Linear, Immediate, true,
        "Position of the rattle object along the body, like the strike position.";
    RattleAcross: "rattle_across", "Rattle position Y", "Rattle", "", 0.0, 1.0, 0.5, Linear, Immediate, true,
        "Position of the rattle object across the body, like the strike position Y.";
    RattleGap: "rattle_gap", "Rattle gap", "Rattle", "m", 0.0, 0.01, 0.0, Cubic, Immediate, true,
        "Distance the body has to move before it touches the object [m]. Up: only hard hits rattle.";
    RattlePress: "rattle_press", "Rattle preload", "Rattle", "N", 0.0, 100.0, 0.0, Cubic, Immediate, true,
        "Force that presses a loose object against the body [N], like the tension of snare wires. Up: tighter and shorter.";
    RattleHead: "rattle_head", "Rattle head", "Rattle", "", 0.0, DRUM_HEADS.len() as f64 - 1.0, 0.0, Choice(DRUM_HEADS), NewBody, true,
        "Head of a two-headed drum that the rattle object touches. Resonant: under the lower head, like snare wires; the stick reaches them through the air in the drum.";
    RattleMass: "rattle_mass", "Rattle mass", "Rattle contact", "kg", 1e-5, 1.0, 1e-3, Logarithmic, Immediate, true,
        "Mass of a loose object [kg]. Up: slower and heavier rattle.";
    RattleFrequency: "rattle_frequency", "Rattle resonance", "Rattle contact", "Hz", 0.1, 5e3, 40.0, Logarithmic, Immediate, true,
        "Resonance frequency of a loose object on its spring [Hz].";
    RattleDamping: "rattle_damping", "Rattle damping", "Rattle contact", "", 1e-3, 2.0, 0.1, Logarithmic, Immediate, true,
        "Damping ratio of the rattle resonance. Up: the object comes to rest sooner.";
    RattleContact: "rattle_contact", "Rattle contact model", "Rattle contact", "", 0.0, CONTACT_MODELS.len() as f64 - 1.0, 0.0, Choice(CONTACT_MODELS), Immediate, true,
        "Law of the contact force between rattle object and body, as for the hammer.";
    RattleStiffness: "rattle_stiffness", "Rattle contact stiffness", "Rattle contact", "N", 1e-3, 1e6, 1000.0, Logarithmic, Immediate, true,
        "Contact force of the rattle object at a compression of 0.1 mm [N]. Up: brighter rattle.";
    RattleExponent: "rattle_alpha", "Rattle contact exponent", "Rattle contact", "", 1.0, 5.0, 1.5, Linear, Immediate, true,
        "Exponent alpha of the contact law of the rattle object. Up: hard hits rattle more brightly than soft ones.";
    RattleLoss: "rattle_mu", "Rattle contact damping", "Rattle contact", "s/m", 0.0, 5.0, 0.2, Cubic, Immediate, true,
        "Loss coefficient mu of the contact of the rattle object [s/m]. Up: fewer bounces.";
    Roll: "roll", "Rolling surface", "Rolling", "", 0.0, ROLLING_SURFACES.len() as f64 - 1.0, 0.0, Choice(ROLLING_SURFACES), Immediate, true,
        "Surface that the driven hammer rolls or scrapes over: none, random roughness, ribs, or a recorded profile.";
    RollSpeed: "roll_speed", "Rolling speed", "Rolling", "m/s", 0.0, 5.0, 0.2, Cubic, Immediate, true,
        "Speed of rolling or scraping [m/s]. Up: louder and brighter.";
    RollRadius: "roll_radius", "Rolling radius", "Rolling", "m", 1e-5, 0.1, 8e-3, Logarithmic, Immediate, true,
        "Radius of the rolling ball or scraping tip [m]. Up: it skips over narrow grooves and sounds smoother.";
    Roughness: "roughness", "Rolling roughness", "Rolling", "m", 0.0, 1e-3, 2e-6, Cubic, Immediate, true,
        "RMS height of the surface [m]. Polished glass 0.3 µm, planed wood 2 to 10 µm, stone 5 to 50 µm.";
    RollSlope: "roll_slope", "Rolling roughness slope", "Rolling", "", 0.0, 4.0, 2.0, Linear, Immediate, true,
        "Spectral slope of the surface: low is sandy, high is wavy.";
    RollGrain: "roll_grain", "Rolling minimum wavelength", "Rolling", "m", 1e-5, 0.1, 5e-5, Logarithmic, Immediate, true,
        "Shortest wavelength of the surface, or the distance between ribs [m]. Down: finer and brighter.";
    RollLength: "roll_length", "Rolling maximum wavelength", "Rolling", "m", 1e-4, 1.0, 0.02, Logarithmic, Immediate, true,
        "Longest wavelength of the surface [m]. Up: slower variation.";
    RollSway: "roll_sway", "Rolling wobble", "Rolling", "", 0.0, 1.0, 0.0, Linear, Immediate, true,
        "Variation of the roll speed within each turn, as by an uneven ball. 0: none.";
    RollSeed: "roll_seed", "Rolling seed", "Rolling", "", 0.0, 999.0, 0.0, Integer, Immediate, false,
        "Seed of the random surface. The same seed gives the same surface.";
    Level: "level", "Output level", "Output", "dB", -60.0, 48.0, 3.5, Linear, OnGrid, true,
        "Output level [dB]. At 0 dB, full scale is a pickup velocity of 1 m/s.";
    Quality: "quality", "Solver quality", "Output", "", 0.0, 2.0, 1.0, Choice(QUALITIES), NextStrike, false,
        "Substeps per contact: eco 8, fewer in long ones; default 16, reference 48. Up: more accurate at a higher CPU cost.";
    Mpe: "mpe", "MPE zones", "MIDI", "", 0.0, ZONES.len() as f64 - 1.0, 0.0, Choice(ZONES), Immediate, false,
        "MPE zones: one note per channel on channels 2 to 16 (lower), 15 to 1 (upper) or both. Off: the controller decides.";
    MpeBend: "mpe_bend", "MPE pitch bend range", "MIDI", "st", 0.0, 96.0, 48.0, Linear, Immediate, false,
        "Range of the pitch bend of a single MPE note in either direction [semitones].";
    HiHatPedal: "hi_hat_pedal", "Hi-hat pedal", "Hi-hat", "", 0.0, 1.0, 0.0, Linear, OnGrid, true,
        "Position of the pedal of a hi-hat, until the foot controller (CC 4) moves it. 0: open. At 0.5 the cymbals touch. 1: pressed together. A fast pedal strikes the cymbals against each other.";
    HiHatGap: "hi_hat_gap", "Hi-hat gap", "Hi-hat", "m", 0.0, 0.02, 3e-3, Cubic, OnGrid, true,
        "Distance between the cymbals of an open hi-hat [m]. Up: the pedal moves them faster and presses them together more.";
    HiHatFriction: "hi_hat_friction", "Hi-hat friction", "Hi-hat", "", 0.0, 1.0, 1.0, Linear, OnGrid, true,
        "Friction between the cymbals of a hi-hat while the pedal closes it. Up: it rings shorter. 1: as much as two plates can lose.";
    RenderThreads: "render_threads", "Render threads", "Output", "", 0.0, 1.0, 0.0, Choice(SWITCH), Immediate, false,
        "Renders the zones of kits on several processor cores: on threads of the host where it offers them (CLAP), else on threads of the plugin. The sound does not change. On: for kits that are too much for one core.";
}}}

/// Number of targets of modulation, with "off".
const TARGET_COUNT: usize = {
    let (mut count, mut i) = (1, 0);
    while i < TARGETS.len() {
        count += TARGETS[i].0 as usize;
        i += 1;
    }
    count
};

/// The targets of modulation, in the order of [`MOD_TARGET_IDS`]; none for "off".
pub static MOD_TARGET_PARAMS: [Option<ParamId>; TARGET_COUNT] = {
    let (mut params, mut count, mut i) = ([None; TARGET_COUNT], 1, 0);
    while i < TARGETS.len() {
        if TARGETS[i].0 {
            params[count] = Some(ParamId::ALL[i]);
            count += 1;
        }
        i += 1;
    }
    params
};

/// The texts of the targets of modulation; `texts` chooses one of id and name.
const fn target_texts(off: &'static str, is_id: bool) -> [&'static str; TARGET_COUNT] {
    let (mut texts, mut count, mut i) = ([off; TARGET_COUNT], 1, 0);
    while i < TARGETS.len() {
        if TARGETS[i].0 {
            texts[count] = if is_id { TARGETS[i].1 } else { TARGETS[i].2 };
            count += 1;
        }
        i += 1;
    }
    texts
}

/// Ids of the targets of modulation, as in files: all continuous parameters of patches.
pub const MOD_TARGET_IDS: &[&str] = &target_texts("off", true);

/// Names of the targets of modulation, as displayed.
const MOD_TARGET_NAMES: &[&str] = &target_texts("Off", false);

/// The parameters of hammers, which hosts may modulate for one note.
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
    /// Whether it moves nothing but hammers, in flight or in contact: a voice without any takes its value at the next strike.
    pub(crate) fn moves_hammers(self) -> bool {
        PER_NOTE_PARAMS.contains(&self)
    }

    /// Its entry in the table.
    pub fn spec(self) -> &'static ParamSpec {
        &PARAMS[self as usize]
    }

    /// The parameter with this id.
    pub fn from_id(id: &str) -> Option<ParamId> {
        Self::ALL.iter().copied().find(|param| param.spec().id == id)
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
            assert!(!matches!(param.scale, Logarithmic) || param.min > 0.0, "{}", param.id);
        }
    }

    /// Names of one word that are clear without a group.
    const CLEAR_WORDS: [&str; 2] = ["Polyphony", "Dry/wet"];

    #[test]
    fn names_are_unique_and_clear_without_their_group() {
        for (i, param) in PARAMS.iter().enumerate() {
            // some hosts find parameters by name, and not all of them distinguish capital letters
            let is_same = |other: &ParamSpec| other.name.eq_ignore_ascii_case(param.name);
            assert!(!PARAMS[i + 1..].iter().any(is_same), "{} is there twice", param.name);
            let is_clear = param.name.contains(' ') || CLEAR_WORDS.contains(&param.name);
            assert!(is_clear, "{}: \"{}\" needs its group {}", param.id, param.name, param.group);
        }
    }

    #[test]
    fn two_choices_are_in_the_name_for_hosts_unless_they_are_off_and_on() {
        assert_eq!(ParamId::Stage.spec().host_name(), "Key layout (Per key / One body)");
        assert_eq!(ParamId::Release.spec().host_name(), "Release mode (Ring / Damp)");
        assert_eq!(ParamId::DriveChannels.spec().host_name(), "Drive channels (Mono / Stereo)");
        for id in [ParamId::Sounding, ParamId::MtsEsp, ParamId::KeyStrikes] {
            assert_eq!((id.spec().labels(), id.spec().host_name().as_str()), (SWITCH, id.spec().name));
        }
        assert_eq!(ParamId::Mpe.spec().host_name(), "MPE zones");
    }
}
