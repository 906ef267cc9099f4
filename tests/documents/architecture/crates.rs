//! Crates that only some modules may use.

use super::exceptions::{Fault, hold};
use super::sources::sources;

/// A crate, and the starts of the paths (as in `engine/voice/pickup.rs`) that may name it.
const CRATES: &[(&str, &[&str])] = &[
    ("nice_plug", &["host_params/", "plugin/", "clap_entry/", "vst3_entry/", "lib.rs", "main.rs", "editor/"]),
    ("nice_plug_egui", &["plugin/", "editor/", "editor_capture/"]),
    ("egui", &["editor/", "editor_capture/"]),
    ("urto_body_mesh", &["editor/body_view/"]),
    ("egui_glow", &["editor_capture/"]),
    ("libloading", &["loaded_libraries.rs", "mts_esp.rs"]),
    ("x11rb", &["window_system/x11.rs"]),
    ("raw_window_handle", &["window_system/x11.rs"]),
    ("percent_encoding", &["window_system/x11.rs"]),
    ("fragile", &["editor/"]),
    ("accesskit_unix", &["editor/screen_reader.rs"]),
    ("clap_sys", &["clap_entry/"]),
    ("pulldown_cmark", &["editor/manual/"]),
    ("rfd", &["editor/widgets/"]),
    ("nalgebra", &["physics/"]),
    ("urto_fourier", &["physics/analysis/", "editor/modes/", "urto-cli/realism/"]),
    ("multiversion", &["physics/", "engine/body/", "engine/bleed/", "engine/voice/"]),
    ("hound", &["dataset/", "urto-cli/io/", "engine/formats/"]),
    ("csv", &["dataset/", "engine/import/"]),
    ("sha2", &["dataset/"]),
    ("sobol_burley", &["dataset/"]),
    ("midly", &["urto-cli/io/", "urto-cli/arguments/"]),
    ("rubato", &["urto-cli/io/"]),
    ("claxon", &["urto-cli/io/"]),
    ("nanomp3", &["urto-cli/io/"]),
    ("png", &["urto-cli/realism/"]),
    ("ebur128", &["urto-cli/"]),
    ("indicatif", &["urto-cli/io/"]),
    ("plotters", &["urto-cli/commands/"]),
];

#[test]
fn crates_are_used_only_where_allowed() {
    let mut faults = Vec::new();
    for file in sources() {
        let short = file.short();
        for (name, places) in CRATES {
            let is_named = file.code.windows(2).any(|pair| pair[0].is(name) && pair[1].is("::"));
            if is_named && !places.iter().any(|place| short.starts_with(place)) {
                let message = format!("{} uses the crate {name}, which only {places:?} may use", file.path);
                faults.push(Fault { key: format!("{short} {name}"), message });
            }
        }
    }
    hold("crates_are_used_only_where_allowed", &faults);
}
