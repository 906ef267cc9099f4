//! The presets that are built in: 61 in eight families, kits, and what stays in contact, in the order of their MIDI program numbers.

#![allow(clippy::expect_used, reason = "texts of the program itself, all read by a test; no audio thread reads them")]

use crate::patch::patch::Patch;
use crate::patch::patch_toml::from_toml;

/// What the presets are listed under, in their order.
pub const FAMILIES: [&str; 9] = [
    "bars",
    "bells",
    "skins",
    "plates and gongs",
    "strings",
    "glass and stone",
    "wood and small percussion",
    "impossible",
    "lasting contact",
];

macro_rules! presets {
    ($($folder:literal: $($name:literal)*;)*) => {
        /// The texts of the built-in presets, in the order in which they are listed.
        pub static BUILT_IN: [&str; 61] =
            [$($(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/presets/", $folder, "/", $name, ".toml"))),*),*];
    };
}

presets! {
    "bars":
        "rosewood_marimba"
        "bass_marimba_yarn"
        "concert_xylophone"
        "vibraphone_motor_off"
        "glockenspiel_brass"
        "thumb_kalimba"
        "toy_piano_rod"
        "tank_drum_palm"
        "orff_metallophone"
    ;
    "bells":
        "parish_bell"
        "nine_tonne_bourdon"
        "handbell_c5"
        "tubular_chime_c5"
        "orchestral_triangle"
        "himalayan_bowl"
        "agogo_pair"
        "wind_chime_tube"
    ;
    "skins":
        "timpano_a2"
        "twelve_inch_tom"
        "floor_tom"
        "felt_kick"
        "concert_bass_drum"
        "snare_shell"
        "djembe_tone"
        "conga_open"
        "tabla_dayan_na"
        "tabla_bayan_ge"
    ;
    "plates":
        "steel_panel"
        "thunder_sheet"
        "symphonic_tam_tam"
        "bossed_gong_c3"
        "crash_cymbal"
        "closed_hi_hat"
        "oil_drum_lid"
        "anvil"
    ;
    "strings":
        "piano_c2_wire"
        "piano_c4_wire"
        "piano_c7_wire"
        "cimbalom_cotton"
        "santur_bare_wood"
        "prepared_bolt_c3"
        "long_wire_drone"
    ;
    "glass":
        "wine_glass_tap"
        "window_pane"
        "marble_lithophone"
        "green_bottle"
        "crystal_bars"
        "flowerpot"
    ;
    "wood":
        "claves"
        "woodblock_high"
        "temple_block"
        "slit_log_drum"
        "cajon_slap"
        "boomwhacker"
        "tin_can"
    ;
    "impossible":
        "pearl_on_glacier"
        "kalimba_of_the_titans"
        "hammer_outweighs_bar"
        "glass_drumhead"
        "rubber_bell"
        "needle_law_alpha5"
    ;
}

/// The texts of the built-in kits, mapped as General MIDI has drums; their numbers follow those of the presets.
pub static KITS: [&str; 4] = [
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/kits/studio.toml")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/kits/orchestra.toml")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/kits/hands.toml")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/kits/scrapyard.toml")),
];

macro_rules! lasting {
    ($($name:literal)*) => {
        /// The texts of the built-in presets whose hammers and obstacles stay in contact: driven, rolling, bouncing, rattling. They came
        /// after the kits, and so do their numbers.
        pub static LASTING: &[&str] = &[$(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/presets/lasting/", $name, ".toml"))),*];
    };
}

lasting! {
    "snare_with_wires"
    "press_roll"
    "buzzing_tanpura"
    "sizzle_cymbal"
    "bouncing_marble"
    "rain_on_glockenspiel"
    "gong_under_a_shaker"
    "slit_drum_machine"
    "wires_on_noise"
    "vocal_plate"
    "steel_ball_on_a_board"
    "marble_on_window_glass"
    "superball_on_a_tom"
    "guiro"
    "fingernail_along_a_wound_string"
    "rubbed_bowl"
    "pearl_across_a_glacier"
}

/// The text of what is built in at `place`: a preset, a kit, or what stays in contact.
pub fn text(place: usize) -> Option<&'static str> {
    BUILT_IN.iter().chain(&KITS).chain(LASTING).nth(place).copied()
}

/// The built-in kits.
pub fn kits() -> impl Iterator<Item = Patch> {
    KITS.iter().map(|text| from_toml(text).expect("a built-in kit is valid; a test reads them all"))
}

/// The built-in patches.
pub fn built_in() -> impl Iterator<Item = Patch> {
    BUILT_IN.iter().map(|text| from_toml(text).expect("a built-in preset is valid; a test reads them all"))
}

/// The built-in patches that stay in contact.
pub fn lasting() -> impl Iterator<Item = Patch> {
    LASTING.iter().map(|text| from_toml(text).expect("a built-in preset is valid; a test reads them all"))
}

/// All that is built in, in the order of the program numbers.
pub fn all() -> impl Iterator<Item = Patch> {
    built_in().chain(kits()).chain(lasting())
}
