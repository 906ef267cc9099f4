//! The texts of the factory presets.

use crate::patch::compact_text::asset_text;

macro_rules! presets {
    ($($folder:literal: $($name:literal)*;)*) => {
        /// The texts of the presets, by family, in the order of their numbers.
        pub static BUILT_IN: [&str; 61] =
            [$($(asset_text!("presets/", $folder, "/", $name)),*),*];
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

macro_rules! texts {
    ($(#[$doc:meta])* $list:ident: $($file:literal)*) => {
        $(#[$doc])*
        pub static $list: &[&str] = &[$(asset_text!($file)),*];
    };
}

texts! {
    /// The texts of the first kits, mapped to keys as in General MIDI; their numbers follow those of [`BUILT_IN`].
    KITS:
    "kits/studio"
    "kits/orchestra"
    "kits/hands"
    "kits/scrapyard"
}

texts! {
    /// The texts of the presets with sustained excitation: driven, rolling, bouncing, rattling. Their numbers follow those of the kits, because
    /// they were added later.
    LASTING:
    "presets/lasting/snare_with_wires"
    "presets/lasting/press_roll"
    "presets/lasting/buzzing_tanpura"
    "presets/lasting/sizzle_cymbal"
    "presets/lasting/bouncing_marble"
    "presets/lasting/rain_on_glockenspiel"
    "presets/lasting/gong_under_a_shaker"
    "presets/lasting/slit_drum_machine"
    "presets/lasting/wires_on_noise"
    "presets/lasting/vocal_plate"
    "presets/lasting/steel_ball_on_a_board"
    "presets/lasting/marble_on_window_glass"
    "presets/lasting/superball_on_a_tom"
    "presets/lasting/guiro"
    "presets/lasting/fingernail_along_a_wound_string"
    "presets/lasting/rubbed_bowl"
    "presets/lasting/pearl_across_a_glacier"
}

texts! {
    /// The texts of presets and kits that were added after those of [`LASTING`]; their numbers follow.
    ADDED:
    "presets/nonlinear/falling_tom"
    "presets/nonlinear/falling_kick"
    "presets/nonlinear/foil_drum"
    "presets/nonlinear/talking_drum"
    "presets/nonlinear/slack_wire"
    "presets/nonlinear/slack_zither"
    "presets/nonlinear/berimbau"
    "presets/nonlinear/washtub_bass"
    "presets/nonlinear/clamped_blade"
    "presets/nonlinear/baking_tray"
    "presets/nonlinear/steel_door"
    "presets/nonlinear/stage_thunder"
    "presets/nonlinear/shaken_sheet"
    "presets/nonlinear/opera_gong_falling"
    "presets/nonlinear/opera_gong_rising"
    "presets/nonlinear/water_gong"
    "presets/nonlinear/dented_pot_lid"
    "presets/nonlinear/hand_splash"
    "kits/bending"
    "presets/connected/two_headed_tom"
    "presets/connected/open_bass_drum"
    "presets/connected/field_snare"
    "presets/connected/dhol"
    "presets/connected/pedal_hi_hat"
    "kits/pedal"
    "presets/connected/marimba_with_resonators"
    "presets/connected/vibraphone_motor_on"
    "presets/connected/upright_course"
    "presets/connected/santur_course"
    "presets/connected/four_string_tanpura"
    "presets/skins/bongo"
    "presets/skins/timbale"
    "presets/skins/taiko"
    "presets/skins/frame_drum"
    "presets/skins/orchestral_bass_drum"
    "presets/bells/crotale"
    "presets/bars/celesta"
    "presets/bells/steel_pan"
    "presets/bells/handpan"
    "presets/lasting/glass_harmonica"
    "kits/brushes"
    "kits/orchestral_percussion"
}

/// The texts of all factory presets and kits, in the order of their numbers.
pub fn texts() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().chain(KITS).chain(LASTING).chain(ADDED).copied()
}

/// Whether `text` is that of a kit.
pub(crate) fn is_kit(text: &str) -> bool {
    text.contains("\n[[zone]]\n")
}

/// The text of the factory preset with the number `place`.
pub fn text(place: usize) -> Option<&'static str> {
    texts().nth(place)
}

/// The text of the factory preset with the given name; kits are not among them.
pub fn text_named(name: &str) -> Option<&'static str> {
    texts().find(|text| name_in(text) == name && !is_kit(text))
}

/// The names of the presets that zones of kits may start from.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    texts().filter(|text| !is_kit(text)).map(name_in)
}

/// The name in the text of a factory preset, without reading the rest: its first line that begins with `name`. Empty if there is none. On the page
/// texts have no spaces outside of strings.
pub(crate) fn name_in(text: &str) -> &str {
    text.lines().find_map(name_on).unwrap_or_default()
}

fn name_on(line: &str) -> Option<&str> {
    line.strip_prefix("name")?.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?.strip_suffix('"')
}
