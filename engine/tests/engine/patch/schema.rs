//! Patches of other schemas: older ones are migrated, and newer ones load their known keys.

use urto_engine::formats::PROGRAM;
use urto_engine::params::ParamId::*;
use urto_engine::params::{ParamId, ParamValues};
use urto_engine::patch::ListedMode;
use urto_engine::patch::factory_texts;
use urto_engine::patch::{SCHEMA, from_toml, read, to_toml};
use urto_engine::tuning::ReferencePitch;

const SCHEMA_1: &str = include_str!("../preset_regression/states/schema_1.toml");

#[test]
fn a_patch_of_schema_1_loads_completely() {
    let (patch, notes) = read(SCHEMA_1).expect("schema 1 is read");
    assert_eq!(notes, []);
    assert_eq!((patch.name.as_str(), patch.author.as_str()), ("Old Saron", "Somebody"));
    assert_eq!((patch.tags.join(" "), patch.description.as_str()), ("metal old".into(), "Written by the first schema"));
    let mut settings = ParamValues::default();
    #[rustfmt::skip]
    let params: &[(ParamId, f64)] = &[
        (Contact, 1.0), (Stiffness, 350.0), (Exponent, 2.0), (Damping, 0.2), (Striker, 1.0), (HammerMass, 0.03), (Bending, 300.0),
        (Scatter, 0.25), (SpeedLow, 0.2), (SpeedHigh, 2.5), (VelocityCurve, 1.5), (StrikePosition, 0.4), (StrikeAcross, 0.6),
        (Body, 2.0), (BodyMass, 0.7), (Tune, -12.0), (Inharmonicity, 0.001), (Modes, 2.0), (Decay, 8.0), (Loss, 0.002),
        (Viscosity, 2e-7), (PickupLeft, 0.2), (PickupLeftAcross, 0.3), (PickupRight, 0.8), (PickupRightAcross, 0.7),
        (Release, 1.0), (ReleaseTime, 0.5), (DriveGain, 2.0), (Level, -3.0), (Quality, 2.0),
        (Stretch, -2.5), (Sounding, 1.0), (MtsEsp, 0.0),
    ];
    params.iter().for_each(|&(param, value)| settings.set(param, value));
    assert_eq!(patch.settings, settings);
    let source = patch.tuning.source();
    assert_eq!((source.scale.as_str(), source.reference), ("slendro", Some(ReferencePitch { key: 62, hertz: 330.0 })));
    assert!(source.map.as_deref().is_some_and(|map| map.starts_with("6\n0\n127\n60\n60\n300.0\n")));
    let mode = |ratio, decay, mass, shape: &[f64]| ListedMode { ratio, decay, mass, shape: shape.to_vec().into() };
    assert_eq!(patch.modes, [mode(1.0, None, 1.0, &[]), mode(2.7, Some(4.0), 0.5, &[1.0, -0.5, 1.0])]);
    let text = to_toml(&patch);
    assert!(
        text.starts_with(&format!("schema = {SCHEMA}\n")) && SCHEMA > 1 && text.contains(&format!("\n# written by {PROGRAM}\n")),
        "{text}"
    );
    assert_eq!(from_toml(&text), Ok(patch), "written and read in the present schema");
}

#[test]
fn errors_in_an_older_patch_name_its_lines() {
    let message = |from: &str, to: &str| from_toml(&SCHEMA_1.replace(from, to)).expect_err(to).to_string();
    let line = |start: &str| 1 + SCHEMA_1.lines().position(|line| line.starts_with(start)).expect(start);
    let fault = message("sounding = \"keep\"", "sounding = \"maybe\"");
    assert_eq!(
        fault,
        format!("line {}, tuning.sounding: \"maybe\" is not an allowed value; give follow or keep", line("sounding"))
    );
    let fault = message("stretch = -2.5", "stretch = 201");
    assert!(fault.starts_with(&format!("line {}, tuning.stretch: 201 is out of range", line("stretch"))), "{fault}");
    let fault = message("mts_esp = false", "mts_esp = 0");
    assert!(fault.starts_with(&format!("line {}, tuning.mts_esp: expected text", line("mts_esp"))), "{fault}");
    let fault = message("[release]", "[relase]");
    assert!(fault.starts_with(&format!("line {}, relase: unknown key", line("[release]"))), "{fault}");
    // a key that stands in both schemas' places is one too many
    let fault = message("[drive]", "[pitch]\nstretch = 1.0\n[drive]");
    assert!(fault.contains("tuning.stretch: unknown key"), "{fault}");
}

#[test]
fn an_octave_stretch_out_of_range_gives_a_warning() {
    for (written, played) in [("150", 100.0), ("-200.0", -100.0)] {
        let (patch, notes) = read(&SCHEMA_1.replace("stretch = -2.5", &format!("stretch = {written}"))).expect("read");
        assert_eq!(patch.settings.get(Stretch), played);
        assert!(notes.len() == 1 && notes[0].key == "tuning.stretch" && notes[0].line == Some(70), "{notes:?}");
    }
}

/// A patch as a later schema may have it.
const NEWER: &str = r#"
schema = 9
name = "Later"
resonance = { gain = 1e-3, made = 2031-05-06T07:08:09Z, "odd key\n" = [1, -2, [0x10]] }

[contact]
kind = "sticky"
grip = 0.25
stiffness = 1e9

[body]
kind = "modes"
mass = [1.0, 2.0]
decay = 3.0

[tuning]
scale = "just"
drift = "slow"

[[modes]]
ratio = 1.0
phase = 0.5
[[modes]]
ratio = 2.0

[[partners]]
key = 42
"#;

#[test]
fn a_patch_of_a_newer_schema_loads_its_known_keys() {
    let (patch, notes) = read(NEWER).expect("a newer patch is read");
    let message: Vec<_> = notes.iter().map(|note| note.to_string()).collect();
    let keys: Vec<_> = notes.iter().map(|note| (note.line.expect("a line"), note.key.as_str())).collect();
    assert_eq!(
        keys,
        [
            (7, "contact.kind"),
            (9, "contact.stiffness"),
            (8, "contact.grip"),
            (13, "body.mass"),
            (22, "modes[0].phase"),
            (18, "tuning.drift"),
            (4, "resonance"),
            (26, "partners"),
        ],
        "{message:?}"
    );
    assert_eq!(message[0], "line 7, contact.kind: \"sticky\" is not an allowed value; kept unchanged");
    assert_eq!(message[2], "line 8, contact.grip: unknown key; kept unchanged");
    for param in [Contact, Stiffness, BodyMass] {
        assert_eq!(patch.settings.get(param), param.spec().default, "{param:?}");
    }
    assert_eq!((patch.settings.get(Decay), patch.settings.get(Body)), (3.0, 2.0));
    assert_eq!((patch.modes.len(), patch.tuning.source().scale.as_str()), (2, "just"));
}

#[test]
fn unknown_keys_are_written_back() {
    let (mut patch, notes) = read(NEWER).expect("read");
    let text = to_toml(&patch);
    let parsed = |text: &str| text.parse::<toml::Table>().expect("TOML");
    let (before, after) = (parsed(NEWER), parsed(&text));
    for key in ["schema", "name", "resonance", "partners"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    for (section, key) in
        [("contact", "kind"), ("contact", "grip"), ("contact", "stiffness"), ("body", "mass"), ("tuning", "drift")]
    {
        assert_eq!(after[section][key], before[section][key], "{section}.{key}");
    }
    assert_eq!(after["modes"][0]["phase"], before["modes"][0]["phase"]);
    let (again, noted) = read(&text).expect("its own text is read");
    assert!(again == patch && noted.len() == notes.len(), "{text}");
    // a param that has moved since has its own value
    patch.settings.set(Contact, 1.0);
    let moved = parsed(&to_toml(&patch));
    assert_eq!(moved["contact"]["kind"].as_str(), Some("restitution"));
    assert_eq!(moved["contact"]["grip"], before["contact"]["grip"]);
}

/// A tuning or a list of modes that cannot be read is kept whole.
#[test]
fn newer_keys_in_tunings_and_lists_are_kept() {
    let text = "schema = 3\n[tuning]\nscale = \"carnatic\"\n[[modes]]\nratio = 1.0\nodd = 1\n[[modes]]\nratio = \"golden\"\n";
    let (patch, notes) = read(text).expect("read");
    assert_eq!((patch.tuning, patch.modes), (Default::default(), Vec::new()));
    assert_eq!(notes.len(), 2, "{notes:?}");
    let again = read(text).expect("read").0;
    let parsed = to_toml(&again).parse::<toml::Table>().expect("TOML");
    assert_eq!(parsed["tuning"]["scale"].as_str(), Some("carnatic"));
    assert_eq!((parsed["modes"][0]["odd"].as_integer(), parsed["modes"][1]["ratio"].as_str()), (Some(1), Some("golden")));
    assert_eq!(again.unknown_keys.kept.len(), 2, "each once");
    assert_eq!(from_toml(&to_toml(&again)), Ok(again));
}

#[test]
fn unknown_keys_and_values_in_the_current_schema_are_errors() {
    for (line, message) in [
        ("resonance = 1", "line 2, resonance: unknown key"),
        ("[contact]\ngrip = 1", "line 3, contact.grip: unknown key"),
        ("[contact]\nkind = \"sticky\"", "line 3, contact.kind: \"sticky\" is not an allowed value"),
        ("[contact]\nstiffness = 1e9", "line 3, contact.stiffness: 1000000000 is out of range"),
        ("[tuning]\ndrift = 1", "line 3, tuning.drift: unknown key"),
        ("[midi]\nmpe = \"lower\"", "line 2, midi: unknown key"),
    ] {
        let fault = from_toml(&format!("schema = {SCHEMA}\n{line}")).expect_err(line).to_string();
        assert!(fault.starts_with(message), "{fault}");
    }
    for schema in ["0", "-1", "1.5", "1e99"] {
        let fault = from_toml(&format!("schema = {schema}")).expect_err(schema).to_string();
        assert!(fault.contains("is unknown; write schema = 2 or the one"), "{fault}");
    }
    assert!(from_toml("name = \"x\"").expect_err("no schema").to_string().starts_with("schema: missing"));
    // a whole number that no file can hold
    let fault = from_toml("schema = 3\nbig = 99999999999999999999").expect_err("too long").to_string();
    assert!(fault.starts_with("line 2, big: a number of more than 64 bits"), "{fault}");
}

#[test]
fn factory_presets_use_the_current_schema() {
    for text in factory_texts::texts() {
        assert!(text.lines().any(|line| line == format!("schema = {SCHEMA}")), "{text}");
        assert_eq!(read(text).expect("valid").1, []);
    }
}

/// What nests without end is refused before it fills the stack, also where what is unknown is kept.
#[test]
fn deeply_nested_texts_are_rejected() {
    for schema in [SCHEMA, SCHEMA + 1] {
        for deep in [
            format!("{}a = 1", "a.".repeat(50_000)),
            format!("a = {}", "[".repeat(50_000)),
            format!("a = {}{}", "[".repeat(50_000), "]".repeat(50_000)),
            format!("a = {}1{}", "{ a = ".repeat(50_000), " }".repeat(50_000)),
            format!("[{}a]", "a.".repeat(50_000)),
        ] {
            assert!(from_toml(&format!("schema = {schema}\n{deep}")).is_err());
        }
    }
}
