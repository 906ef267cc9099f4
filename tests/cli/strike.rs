//! The laboratory through the command line.

use serde_json::Value;

use crate::support::program::Folder;
use urto_engine::formats::PROGRAM;

/// A hammer of 10 g at 0.3 m/s on a rigid wall: k = 1e7, alpha = 1.1, mu = 0.1.
const WALL: &str = "[contact]\nstiffness = 1e7\nexponent = 1.1\ndamping = 0.1\n[striker]\nmass = 0.01\nvelocity = 0.3\n";

const CASE: &str = r#"
sample_rate = 44100.0
duration = 0.01
scheme = "edg"
substeps_per_contact = 16
[contact]
law = "hunt-crossley"
stiffness = 1e7
exponent = 1.1
damping = 0.1
[striker]
mass = 0.01
velocity = 0.3
position = 0.0
gravity = 0.0
modes = []
[body]
modes = [ { frequency = 220.0, decay = 2.0, mass = 0.05, shape = 1.0 } ]
"#;

fn strike(folder: &Folder, case: &str) -> Value {
    folder.write("case.toml", case);
    serde_json::from_str(&folder.succeed(&["strike", "case.toml", "--json"])).expect("exactly one JSON object")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn near(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().expect("a number");
    assert!((value - expected).abs() <= tolerance * expected.abs(), "{value} is not {expected}");
}

/// Half of the energy comes back from a spring with restitution; of felt less than it took, more when it relaxes less.
#[test]
fn every_contact_law_can_be_selected() {
    let folder = Folder::new("laws");
    let with = |law: &str| WALL.replace("exponent = 1.1\ndamping = 0.1", law);
    let report = strike(&folder, &with("law = \"restitution\"\nexponent = 1.1\nrestitution = 0.5"));
    near(&report["contacts"][0]["velocity_out"], -0.3 * 0.5_f64.sqrt(), 2e-3);
    near(&report["closed_form"]["velocity_out"], -0.3 * 0.5_f64.sqrt(), 1e-12);
    near(&report["energy"]["lost_in_contact"], 0.5 * 0.5 * 0.01 * 0.09, 4e-3);
    let felt = |relaxation: f64| {
        let law = format!("law = \"felt\"\nexponent = 1.1\nrelaxation = {relaxation}\nrelaxation_time = 1e-4");
        strike(&folder, &with(&law))["contacts"][0]["energy_striker"].as_f64().expect("a number")
    };
    assert!(felt(0.9) < felt(0.5) && felt(0.5) < 0.99 * felt(0.0));
    let spring = strike(&folder, &with("law = \"linear\"\ndamping = 0"));
    near(&spring["contacts"][0]["duration"], std::f64::consts::PI * 1e-9_f64.sqrt(), 1e-4);
}

#[test]
fn a_rigid_wall_agrees_with_the_closed_forms() {
    let report = strike(&Folder::new("wall"), WALL);
    let (contact, exact) = (&report["contacts"][0], &report["closed_form"]);
    assert_eq!(report["contacts"].as_array().map(Vec::len), Some(1));
    for (key, expected, tolerance) in [
        ("velocity_out", -0.294_117_420_895_5, 1e-4),
        ("duration", 1.738_643_043_335e-4, 1e-4),
        ("max_compression", 1.668_440_633_211e-5, 2e-4),
    ] {
        near(&contact[key], expected, tolerance);
        near(&exact[key], expected, 1e-12);
    }
    near(&contact["peak_force"], 55.555_186_445_98, 1e-3);
    near(&contact["velocity_in"], 0.3, 1e-12);
    assert_eq!(contact["start"], 0.0);
}

#[test]
fn the_report_has_the_documented_keys() {
    let report = strike(&Folder::new("keys"), CASE);
    assert_eq!(keys(&report), ["contacts", "energy", "final", "solver"]);
    let contact = [
        "duration",
        "end",
        "energy_body",
        "energy_striker",
        "max_compression",
        "peak_force",
        "start",
        "velocity_in",
        "velocity_out",
    ];
    assert_eq!(keys(&report["contacts"][0]), contact);
    let last = ["energy_body", "energy_striker", "energy_total", "striker_position", "striker_velocity", "time"];
    assert_eq!(keys(&report["final"]), last);
    let energy = [
        "initial",
        "largest",
        "largest_balance_residual",
        "largest_unsupplied_increase",
        "lost_in_contact",
        "lost_in_modes",
        "supplied",
    ];
    assert_eq!(keys(&report["energy"]), energy);
    assert_eq!(keys(&report["solver"]), ["most_iterations", "most_substeps_in_a_sample", "substeps"]);
    near(&report["final"]["time"], 0.01, 1e-12);
    assert_eq!(keys(&strike(&Folder::new("keys-wall"), WALL)["closed_form"]), ["duration", "max_compression", "velocity_out"]);
}

#[test]
fn omitted_keys_have_their_defaults() {
    let folder = Folder::new("defaults");
    let long = format!(
        "sample_rate = 44100\nscheme = \"edg\"\nsubsteps_per_contact = 16.0\n{WALL}position = 0\ngravity = 0\nmodes = []\n[body]\n"
    );
    assert_eq!(strike(&folder, WALL), strike(&folder, &long));
}

#[test]
fn a_lasting_contact_has_no_end_time() {
    let report = strike(&Folder::new("lasting"), &format!("duration = 1e-4\n{WALL}"));
    let contact = &report["contacts"][0];
    assert!(["end", "duration", "velocity_out"].iter().all(|key| contact[key].is_null()), "{contact}");
}

#[test]
fn piecewise_linear_segments_approach_the_curved_law() {
    let folder = Folder::new("piecewise");
    let error = |segments: u32| {
        let report = strike(&folder, &format!("scheme = \"piecewise\"\nsegments = {segments}\n{WALL}"));
        report["contacts"][0]["velocity_out"].as_f64().expect("a number") + 0.294_117_420_895_5
    };
    let (few, many) = (error(8).abs() / 0.3, error(64).abs() / 0.3);
    assert!(few < 3e-4 && many < 0.05 * few, "{few:e} {many:e}");
}

#[test]
fn a_linear_contact_is_exact_except_for_the_sampled_release() {
    let wall = WALL.replace("exponent = 1.1", "exponent = 1").replace("damping = 0.1", "damping = 0");
    let report = strike(&Folder::new("offset"), &format!("scheme = \"offset\"\n{wall}"));
    // half a period is 4.4 samples: the release is late by .6 of one and cuts the stretched spring
    let late = 5.0 / 44_100.0 * (1e7f64 / 0.01).sqrt();
    near(&report["contacts"][0]["velocity_out"], 0.3 * late.cos(), 1e-12);
    near(&report["energy"]["lost_in_contact"], 0.5 * 0.01 * (0.3 * late.sin()).powi(2), 1e-9);
    assert!(report["energy"]["largest_balance_residual"].as_f64().expect("a number") < 1e-17);
}

#[test]
fn a_hammer_with_a_gap_arrives_later() {
    let contact = strike(&Folder::new("apart"), &format!("{WALL}position = -0.0003\n"))["contacts"][0].clone();
    near(&contact["start"], 1e-3, 1e-6);
    near(&contact["velocity_out"], -0.294_117_420_895_5, 1e-4);
}

#[test]
fn a_free_mass_takes_its_share_of_the_momentum() {
    let lossless = WALL.replace("damping = 0.1", "damping = 0");
    let free = format!("{lossless}[body]\nmodes = [{{ frequency = 0, decay = 0, mass = 0.03 }}]\n");
    let contact = strike(&Folder::new("free"), &free)["contacts"][0].clone();
    near(&contact["velocity_out"], -0.15, 1e-9);
    near(&contact["energy_body"], 0.5 * 0.03 * 0.15 * 0.15, 1e-9);
}

#[test]
fn trace_and_plot_contain_the_strike() {
    let folder = Folder::new("trace");
    folder.write("case.toml", WALL);
    let table = folder.succeed(&["strike", "case.toml", "--trace", "trace.csv", "--plot", "plot.svg"]);
    assert!(table.contains("-0.294117") && table.contains("1.66844e-5"), "{table}");
    let trace = String::from_utf8(folder.read("trace.csv")).expect("UTF-8");
    let mut lines = trace.lines();
    let names: Vec<_> = lines.next().expect("a header").split(',').collect();
    let column = |name| names.iter().position(|found| *found == name).expect(name);
    let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
    assert!(rows.len() > 16 && rows.iter().all(|row| row.len() == names.len()));
    assert!(rows.windows(2).all(|pair| pair[0][column("time")] < pair[1][column("time")]));
    let deepest = rows.iter().map(|row| row[column("compression")]).fold(0.0, f64::max);
    assert!((deepest - 1.668e-5).abs() < 0.05e-5, "{deepest}");
    let svg = String::from_utf8(folder.read("plot.svg")).expect("UTF-8");
    assert!(svg.starts_with("<svg") && svg.contains("contact force (N)"));
    assert!(svg.ends_with(&format!("</svg>\n<!-- {PROGRAM} -->\n")));
    assert_eq!(folder.names(), ["case.toml", "plot.svg", "trace.csv"]);
}

#[test]
fn numbers_of_a_case_may_have_units() {
    let folder = Folder::new("case-units");
    let report = |duration: &str, mass: &str, velocity: &str| {
        let striker = format!("[striker]\nmass = {mass}\nvelocity = {velocity}\n");
        folder.write("case.toml", format!("duration = {duration}\n[contact]\nstiffness = 1e7\nexponent = 1.1\n{striker}"));
        folder.succeed(&["strike", "case.toml", "--json"])
    };
    assert_eq!(report("\"10 ms\"", "\"12 g\"", "\"30 cm/s\""), report("0.01", "0.012", "0.3"));
}
