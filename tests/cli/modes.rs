//! The table of a body's modes.

use serde_json::Value;

use crate::support::program::Folder;

fn table(name: &str, arguments: &[&str]) -> Value {
    let said = Folder::new(name).succeed(&[&["modes"], arguments, &["--json"]].concat());
    serde_json::from_str(&said).expect("one JSON value")
}

fn column(table: &Value, key: &str) -> Vec<f64> {
    let rows = table["modes"].as_array().expect("an array");
    rows.iter().map(|row| row[key].as_f64().unwrap_or(f64::INFINITY)).collect()
}

fn assert_near(found: &[f64], wanted: &[f64], within: f64) {
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= within), "{found:?} instead of {wanted:?}");
}

/// phi_n = sqrt2 sin(n pi xi): weights in closed form, and every fourth mode has a node at a quarter.
#[test]
fn a_string_agrees_with_its_formula() {
    let set = ["--set", "pickup_left=0.1", "--set", "pickup_right=0.9"];
    let string = table("modes-string", &[&["string", "--modes", "9", "--mass", "0.01", "--strike", "0.25"], &set[..]].concat());
    let weights = |xi: f64| -> Vec<f64> {
        (1..=9).map(|n| 2_f64.sqrt() * (f64::from(n) * std::f64::consts::PI * xi).sin() / 0.1).collect()
    };
    for (key, xi) in [("weight_strike", 0.25), ("weight_left", 0.1), ("weight_right", 0.9)] {
        assert_near(&column(&string, key), &weights(xi), 1e-9);
    }
    let masses = column(&string, "mass_strike");
    let nodes: Vec<_> = (1..=9).filter(|&n: &usize| masses[n - 1].is_infinite()).collect();
    assert_eq!(nodes, [4, 8]);
    assert!((masses[1] - 0.005).abs() < 1e-12, "the second mode weighs half of the string at its belly: {}", masses[1]);
    assert!(string["suspension"].is_null() && string["modes"][0]["family"].is_null());
}

/// (2 k + 1)^2 pi^2/4 and its first terms: 1, 2.7565, 5.4039; an end moves by twice the mean, so it weighs a quarter.
#[test]
fn a_free_bar_has_a_quarter_of_its_mass_at_its_end() {
    let bar = table("modes-bar", &["bar", "--modes", "3", "--hertz", "100", "--mass", "2", "--strike", "0"]);
    assert_near(&column(&bar, "ratio"), &[1.0, 2.756_538_5, 5.403_917_6], 1e-6);
    assert_near(&column(&bar, "hertz"), &[100.0, 275.653_85, 540.391_76], 1e-4);
    assert_near(&column(&bar, "mass_strike"), &[0.5; 3], 1e-9);
    assert!(bar["suspension"]["hertz"].as_f64() < Some(15.0) && bar["key"].is_null());
}

#[test]
fn losses_set_the_decay_times() {
    let all = ["glass", "--modes", "6", "--set", "decay=2.5", "--set", "loss=0", "--set", "viscosity=0"];
    let even = table("modes-even", &all);
    assert_near(&column(&even, "t60"), &[2.5; 6], 1e-9);
    let lossy = table("modes-lossy", &[&all[..4], &["decay=200", "--set", "loss=0.002"]].concat());
    let expected: Vec<_> = column(&lossy, "hertz").iter().map(|f| std::f64::consts::PI * f * 0.002).collect();
    let rates = column(&lossy, "decay_rate");
    assert!(rates.iter().zip(&expected).all(|(rate, structural)| rate > structural && rate < &(1.6 * structural)), "{rates:?}");
}

#[test]
fn keys_families_and_the_band_limit_are_shown() {
    let key = |table: &Value, i: usize| (table["modes"][i]["key"].as_u64(), table["modes"][i]["cents"].as_f64());
    let octave = table("modes-octave", &["string", "--modes", "3", "--key", "69"]);
    assert_eq!([key(&octave, 0).0, key(&octave, 1).0, key(&octave, 2).0], [Some(69), Some(81), Some(88)]);
    assert!((key(&octave, 2).1.expect("a number") - 1.955).abs() < 1e-3, "a pure twelfth");
    let disc = table("modes-disc", &["disc", "--modes", "40", "--key", "36"]);
    assert_eq!(disc["modes"][0]["family"], serde_json::json!([2, 0]), "a free disc's lowest mode has two nodal diameters");
    let count = |rate: &str| {
        let string = table("modes-rate", &["string", "--modes", "64", "--hertz", "1000", "--rate", rate]);
        let shown = string["modes"].as_array().expect("an array").len() as u64;
        assert_eq!(shown + string["left_out"].as_u64().expect("a number"), 64);
        shown
    };
    assert_eq!([count("8000"), count("44100"), count("96000")], [3, 20, 20]);
    let said = Folder::new("modes-said").succeed(&["modes", "string", "--modes", "64", "--hertz", "1000", "--rate", "8000"]);
    assert!(said.ends_with("61 more above 3840 Hz, the limit at 8000 Hz, are omitted.\n"), "{said}");
}

#[test]
fn a_preset_includes_its_body_and_tuning() {
    let folder = Folder::new("modes-preset");
    folder.write(
        "p.toml",
        "schema = 1\n[body]\nkind = \"modes\"\nmass = 0.5\n[tuning]\nreference = 400.0\nreference_key = 60\n\
         [[modes]]\nratio = 1.0\n[[modes]]\nratio = 2.5\ndecay = 4.0\nmass = 0.5\nshape = [1.0, 1.0]\n",
    );
    let said = folder.succeed(&["modes", "p.toml", "--json"]);
    let own: Value = serde_json::from_str(&said).expect("one JSON value");
    assert_near(&column(&own, "hertz"), &[400.0, 1000.0], 1e-9);
    assert!((column(&own, "decay_rate")[1] - 4.0).abs() < 1e-12);
    assert!(folder.succeed(&["modes", "piano c4 wire"]).starts_with("string, 0.0117 kg, 261.626 Hz on key 60"));
}

/// Frequencies go by equal ratios from one body to the other.
#[test]
fn a_morphed_body_is_shown_at_its_morph_value() {
    let morph = |part: &str| table("modes-morph", &["bar", "--modes", "3", "--set", "morph_to=string", "--set", part]);
    assert_near(&column(&morph("morph=0"), "ratio"), &[1.0, 2.756_538_5, 5.403_917_6], 1e-6);
    let half = morph("morph=0.5");
    assert_near(&column(&half, "ratio"), &[1.0, (2.0 * 2.756_538_5_f64).sqrt(), (3.0 * 5.403_917_6_f64).sqrt()], 1e-6);
    assert_eq!(half["morph"], serde_json::json!(["string", 0.5]));
    let whole = morph("morph=1");
    assert_near(&column(&whole, "ratio"), &[1.0, 2.0, 3.0], 1e-9);
    assert!(whole["suspension"].is_null() && half["suspension"].is_object(), "a string does not hang");
    let other_way = table("modes-morph", &["string", "--modes", "3", "--set", "morph_to=bar", "--set", "morph=0.5"]);
    assert_eq!(other_way["suspension"], half["suspension"]);
}

#[test]
fn tracking_makes_the_body_of_a_high_key_lighter() {
    let set = ["--set", "tracking_body=-1", "--set", "tracking_decay=-0.5", "--set", "loss=0", "--set", "viscosity=0"];
    let high = table("modes-track", &[&["bar", "--modes", "2", "--mass", "2", "--key", "84"], &set[..]].concat());
    assert!((high["mass"].as_f64().expect("a number") - 0.5).abs() < 1e-9, "two octaves above the home key");
    assert_near(&column(&high, "t60"), &[6.0; 2], 1e-9);
}

#[test]
fn invalid_bodies_are_rejected() {
    let folder = Folder::new("modes-bad");
    folder.write("silent.toml", "schema = 1\n[tuning]\nmap = \"12\\n0\\n127\\n60\\n60\\n250.0\\n12\\n0\\nx\\n2\\n\"\n");
    for (arguments, message) in [
        (&["brick"][..], "no body \"brick\"; the body types are string, bar, modes"),
        (&["none.toml"], "none.toml: no such file"),
        (&["bar", "--modes", "0"], "--modes 0: 0 is out of range; give a whole number from 1 to 256"),
        (&["bar", "--mass", "-1"], "--mass -1: -1 is out of range"),
        (&["bar", "--strike", "0.5,2"], "--strike 0.5,2: 2 is out of range; give a number from 0 to 1"),
        (&["bar", "--strike", "left"], "--strike left: \"left\" is not an allowed value"),
        (
            &["bar", "--hertz", "-5"],
            "--hertz -5: -5 is out of range; give a frequency from 0.1 to 100000 Hz, for example 440 or 0.2 kHz",
        ),
        (&["bar", "--set", "decay=0"], "--set decay=0: 0 is out of range"),
        (&["silent.toml", "--key", "61"], "key 61 has no pitch in this tuning; give another --key, or --hertz"),
    ] {
        let complaint = folder.refuse(&[&["modes"], arguments].concat());
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
    }
    for (key, problem) in [("128", "\"128\" is not a key"), ("-1", "\"-1\" is not a key"), ("H4", "\"H4\" is not a key")] {
        let complaint = folder.refuse(&["modes", "bar", "--key", key]);
        let allowed = "give a key from 0 to 127 or a note from C-1 to G9, for example 60 or C4 (A4 is key 69)";
        assert!(complaint.contains(&format!("--key {key}: {problem}; {allowed}")), "{complaint}");
    }
}

#[test]
fn keys_may_be_notes_and_numbers_may_have_units() {
    let said = |arguments: &[&str]| Folder::new("modes-units").succeed(&[&["modes", "bar"], arguments].concat());
    assert_eq!(said(&["--key", "A4"]), said(&["--key", "69"]));
    assert_eq!(said(&["--key", "gb3"]), said(&["--key", "54"]));
    assert!(said(&["--key", "A4"]).starts_with("bar, 0.4 kg, 440.000 Hz on key 69"));
    let plain = ["--hertz", "220", "--mass", "0.3", "--strike", "0.4", "--rate", "44100", "--set", "decay=0.5"];
    let units = ["--hertz", "0.22kHz", "--mass", "300 g", "--strike", "40 %", "--rate", "44.1 kHz", "--set", "decay=500 ms"];
    assert_eq!(said(&units), said(&plain));
    assert_eq!(
        said(&["--set", "home_key=C3", "--set", "tracking_body=-1"]),
        said(&["--set", "home_key=48", "--set", "tracking_body=-1"])
    );
}

/// A kit has no body of its own: its zones have.
#[test]
fn a_kit_shows_the_modes_of_the_zone_that_is_named() {
    let folder = Folder::new("modes-kit");
    let whole = folder.refuse(&["modes", "Studio Kit"]);
    let wanted =
        "\"Studio Kit\" is a kit of 36 zones; name one with --zone \"Acoustic kick\" or --key 35: \"Acoustic kick\" on key 35, ";
    assert!(whole.contains(wanted) && whole.contains("\"Snare\" on key 38"), "{whole}");
    let snare = folder.succeed(&["modes", "studio kit", "--zone", "snare"]);
    assert!(snare.starts_with("two-headed drum, ") && snare.contains(" on key 60, "), "{snare}");
    assert_eq!(folder.succeed(&["modes", "Studio Kit", "--key", "38"]), snare);
    let lighter = folder.succeed(&["modes", "Studio Kit", "--key", "D2", "--mass", "40 g", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&lighter).expect("one JSON value")["mass"].as_f64(), Some(0.04));
    folder.write(
        "two.toml",
        "schema = 2\n[tuning]\nreference = 400.0\nreference_key = 60\n[[zone]]\nname = \"Low\"\nkeys = [40, 50]\nplays = 60\n\
         [zone.body]\nkind = \"string\"\n[[zone]]\nname = \"High\"\nkeys = [50, 60]\n",
    );
    assert!(folder.succeed(&["modes", "two.toml", "--zone", "Low"]).starts_with("string, 0.4 kg, 400.000 Hz on key 60"));
    let second = folder.succeed(&["modes", "two.toml", "--key", "42"]);
    assert!(second.starts_with("string, ") && second.contains(" on key 62, "), "{second}");
    for (arguments, message) in [
        (
            &["two.toml", "--zone", "Hihg"][..],
            "--zone Hihg: no such zone in \"two.toml\" (did you mean \"High\"?); its zones are",
        ),
        (
            &["two.toml", "--key", "39"],
            "--key 39: no zone of \"two.toml\" is on this key; its zones are \"Low\" on keys 40 to 50, \"High\"",
        ),
        (
            &["two.toml", "--key", "50"],
            "several zones of \"two.toml\" fit: \"Low\" on keys 40 to 50, \"High\" on keys 50 to 60; choose",
        ),
        (&["bar", "--zone", "Low"], "--zone Low: \"bar\" is not a kit; leave out --zone"),
    ] {
        let complaint = folder.refuse(&[&["modes"], arguments].concat());
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
    }
    assert!(folder.succeed(&["modes", "two.toml", "--key", "50", "--zone", "low"]).contains(" on key 70, "));
}
