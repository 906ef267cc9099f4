//! The modules of the crates, and the modules that each of them may import.

/// A module and what it may import. A file belongs to the row with the longest path that it starts with; inside a module the order
/// of files is free, but without circles.
type Row = (&'static str, &'static [&'static str]);

/// Rows from the lowest module to the highest. `/` at the end of an entry allows all modules of that crate.
pub const TABLE: &[Row] = &[
    ("physics/random", &[]),
    ("physics/modal", &[]),
    ("physics/surface", &["physics/random"]),
    ("physics/analysis", &[]),
    ("physics/radiation", &[]),
    ("physics/contact", &[]),
    ("physics/eigenbasis", &["physics/modal"]),
    ("physics/assembly", &["physics/modal", "physics/eigenbasis"]),
    ("physics/bodies", &["physics/modal", "physics/radiation", "physics/random", "physics/assembly"]),
    ("physics/solver", &["physics/modal", "physics/contact", "physics/eigenbasis"]),
    ("physics/connections", &["physics/modal", "physics/contact", "physics/solver"]),
    ("physics/lab", &["physics/modal", "physics/contact", "physics/eigenbasis", "physics/solver"]),
    ("physics/lib", &["physics/"]),
    ("engine/block", &[]),
    ("engine/formats", &[]),
    ("engine/params", &["physics/bodies"]),
    ("engine/event", &["engine/params"]),
    ("engine/tuning", &["engine/params", "engine/formats"]),
    ("engine/midi", &["engine/params", "engine/formats", "engine/event", "physics/random"]),
    ("engine/modulation", &["engine/params", "engine/tuning", "engine/midi", "engine/block", "engine/event", "physics/bodies"]),
    ("engine/patch", &["engine/params", "engine/formats", "engine/tuning", "engine/block", "physics/bodies", "physics/surface"]),
    ("engine/telemetry", &["engine/params", "engine/midi", "engine/modulation", "physics/solver", "physics/contact"]),
    (
        "engine/hi_hat",
        &[
            "engine/params",
            "engine/block",
            "engine/telemetry",
            "physics/bodies",
            "physics/connections",
            "physics/contact",
            "physics/modal",
        ],
    ),
    (
        "engine/body",
        &[
            "engine/hi_hat",
            "engine/params",
            "engine/patch",
            "engine/block",
            "physics/bodies",
            "physics/modal",
            "physics/radiation",
            "physics/random",
        ],
    ),
    (
        "engine/context",
        &["engine/hi_hat", "engine/params", "engine/tuning", "engine/midi", "engine/modulation", "engine/body", "physics/solver"],
    ),
    (
        "engine/drive",
        &[
            "engine/params",
            "engine/event",
            "engine/block",
            "engine/midi",
            "engine/modulation",
            "engine/patch",
            "engine/context",
            "physics/modal",
            "physics/solver",
            "physics/surface",
            "physics/random",
        ],
    ),
    ("engine/output", &["engine/params", "engine/block", "engine/patch", "engine/modulation"]),
    (
        "engine/voice",
        &[
            "engine/hi_hat",
            "engine/params",
            "engine/block",
            "engine/midi",
            "engine/modulation",
            "engine/body",
            "engine/context",
            "engine/telemetry",
            "physics/",
        ],
    ),
    (
        "engine/polyphony",
        &[
            "engine/hi_hat",
            "engine/params",
            "engine/block",
            "engine/event",
            "engine/tuning",
            "engine/midi",
            "engine/modulation",
            "engine/patch",
            "engine/body",
            "engine/context",
            "engine/drive",
            "engine/telemetry",
            "engine/output",
            "engine/voice",
            "physics/modal",
            "physics/solver",
        ],
    ),
    (
        "engine/bleed",
        &[
            "engine/params",
            "engine/block",
            "engine/event",
            "engine/midi",
            "engine/modulation",
            "engine/body",
            "engine/context",
            "engine/voice",
            "engine/polyphony",
            "physics/bodies",
            "physics/modal",
            "physics/solver",
        ],
    ),
    (
        "engine/part",
        &[
            "engine/bleed",
            "engine/hi_hat",
            "engine/params",
            "engine/block",
            "engine/event",
            "engine/tuning",
            "engine/midi",
            "engine/modulation",
            "engine/patch",
            "engine/body",
            "engine/context",
            "engine/drive",
            "engine/telemetry",
            "engine/output",
            "engine/voice",
            "engine/polyphony",
            "physics/solver",
        ],
    ),
    (
        "engine/part_events",
        &[
            "engine/params",
            "engine/block",
            "engine/event",
            "engine/tuning",
            "engine/midi",
            "engine/modulation",
            "engine/patch",
            "engine/body",
            "engine/drive",
            "engine/polyphony",
            "engine/part",
        ],
    ),
    ("engine/room", &["engine/params", "engine/block", "engine/modulation", "engine/patch", "physics/radiation"]),
    ("engine/tasks", &[]),
    (
        "engine/kit",
        &[
            "engine/bleed",
            "engine/room",
            "engine/tasks",
            "engine/params",
            "engine/block",
            "engine/event",
            "engine/tuning",
            "engine/midi",
            "engine/modulation",
            "engine/patch",
            "engine/body",
            "engine/drive",
            "engine/telemetry",
            "engine/output",
            "engine/polyphony",
            "engine/part",
        ],
    ),
    ("engine/engine", &["engine/", "physics/solver"]),
    ("engine/import", &["engine/", "physics/analysis"]),
    ("engine/lib", &["engine/", "physics/"]),
    ("host_params", &["engine/params", "engine/patch", "engine/formats", "engine/lib"]),
    ("preset_pack", &["engine/patch", "engine/formats"]),
    ("mts_esp", &["engine/tuning"]),
    ("loaded_libraries", &[]),
    ("window_system", &[]),
    ("render_threads", &["engine/"]),
    ("threads", &["engine/", "mts_esp", "render_threads"]),
    (
        "editor",
        &[
            "host_params",
            "loaded_libraries",
            "preset_pack",
            "threads",
            "window_system",
            "engine/",
            "physics/bodies",
            "physics/contact",
            "physics/analysis",
            "physics/random",
        ],
    ),
    ("plugin", &["editor", "host_params", "render_threads", "threads", "engine/"]),
    ("clap_entry", &["loaded_libraries", "plugin", "render_threads", "threads", "engine/"]),
    ("vst3_entry", &["loaded_libraries", "plugin", "threads", "engine/"]),
    ("editor_capture", &["editor", "engine/"]),
    ("api", &["engine/", "physics/"]),
    ("dataset", &["api", "engine/", "physics/random"]),
    ("lib", &["api", "dataset", "clap_entry", "vst3_entry", "plugin"]),
    ("main", &["plugin", "editor", "editor_capture"]),
    ("urto-cli/io", &["dataset", "engine/", "physics/"]),
    ("urto-cli/arguments", &["urto-cli/io", "engine/", "physics/"]),
    ("urto-cli/realism", &["urto-cli/io", "engine/", "physics/"]),
    ("urto-cli/sampler", &["urto-cli/io", "engine/"]),
    (
        "urto-cli/commands",
        &[
            "api",
            "dataset",
            "preset_pack",
            "render_threads",
            "urto-cli/io",
            "urto-cli/arguments",
            "urto-cli/realism",
            "urto-cli/sampler",
            "engine/",
            "physics/",
        ],
    ),
    ("urto-cli/main", &["urto-cli/"]),
];

/// Parts of a module from the lowest to the highest: a part may import only parts before it, and no part that is not in its list.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "editor/",
        &[
            "theme",
            "widgets",
            "undo_history",
            "modulation_ranges",
            "controller_learning",
            "value_entry_state",
            "param_context",
            "param_controls",
            "body_view",
        ],
    ),
    ("physics/bodies/", &["position", "material", "far_field", "modal_shape", "beams", "circular", "shells"]),
];

/// Parts that are outside the order of [`LAYERS`]: data and layout that every part may use.
const SHARED: &[&str] = &[
    "editor/layout",
    "editor/command",
    "editor/partial",
    "physics/bodies/edge",
    "physics/bodies/irregularity",
    "physics/bodies/rotation",
    "physics/bodies/shape_table",
];

/// The module of a file, given as `engine/voice/pickup.rs`.
pub fn row(short: &str) -> Option<&'static str> {
    let path = short.trim_end_matches(".rs");
    let holds = |name: &&str| path == *name || path.starts_with(&format!("{name}/"));
    TABLE.iter().map(|(name, _)| *name).filter(holds).max_by_key(|name| name.len())
}

/// Whether the module `here` may import the module `there`.
pub fn may_import(here: &str, there: &str) -> bool {
    let allowed = TABLE.iter().find(|(name, _)| *name == here).map_or(&[][..], |(_, allowed)| *allowed);
    here == there || allowed.iter().any(|entry| *entry == there || entry.ends_with('/') && there.starts_with(entry))
}

/// Whether an import inside a module keeps the order of its parts.
pub fn is_within_layers(importer: &str, definer: &str) -> bool {
    let part = |short: &str, folder: &str| -> Option<String> {
        let below = short.strip_prefix(folder)?;
        Some(below.split('/').next()?.trim_end_matches(".rs").to_owned())
    };
    LAYERS.iter().all(|(folder, order)| {
        let (Some(here), Some(there)) = (part(importer, folder), part(definer, folder)) else { return true };
        let place = |part: &str| order.iter().position(|name| *name == part);
        let is_shared = SHARED.contains(&format!("{folder}{there}").as_str());
        match place(&here) {
            Some(here) => is_shared || place(&there).is_some_and(|there| there <= here),
            None => true,
        }
    })
}

#[test]
fn the_table_is_ordered_and_names_only_modules_that_it_has() {
    for (at, (name, allowed)) in TABLE.iter().enumerate() {
        for entry in allowed.iter().filter(|entry| !entry.ends_with('/')) {
            let there = TABLE.iter().position(|(other, _)| other == entry);
            let upward = entry.starts_with("engine/lib");
            assert!(there.is_some_and(|there| there < at || upward), "{name} may import {entry}, which is not below it");
        }
    }
}
