//! The numerical schemes of the papers through the command line.

use serde_json::Value;

use crate::support::program::Folder;

const CASE_1: &str = "[contact]\nstiffness = 1e7\nexponent = 1.1\ndamping = 0.1\n[striker]\nmass = 0.01\nvelocity = 0.3\n";
const CASE_2: &str = "[contact]\nstiffness = 1e9\nexponent = 1.5\ndamping = 0.5\n[striker]\nmass = 0.01\nvelocity = 1.0\n";

fn strike(folder: &Folder, case: &str) -> Value {
    folder.write("case.toml", case);
    serde_json::from_str(&folder.succeed(&["strike", "case.toml", "--json"])).expect("exactly one JSON object")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// v_out of Papetti, Avanzini and Rocchesso's (7) and (8), to which their table 1(b) refers; in case 1 it is that of (6).
fn approximation(mu: f64, v: f64) -> f64 {
    let z = mu * v;
    let sum = 1.0 + z + 2.0 / 3.0 * z.powi(2) + 2.0 / 9.0 * z.powi(3) + 14.0 / 135.0 * z.powi(4);
    -(1.0 - sum * (-2.0 * z).exp()) / mu
}

/// Scheme, x_max (None: not exceeded), v_out and H_tau as printed in table 1, in percent.
type Entry = (&'static str, Option<f64>, f64, f64);

#[test]
fn table_1_of_papetti_2011_is_reproduced() {
    let folder = Folder::new("table-1");
    let first: [Entry; 4] = [
        ("k-method", None, 1.293, 2.603),
        ("verlet", Some(1.122), 1.660, 3.348),
        ("heun", Some(1.254), 1.467, 2.955),
        ("rk4", None, -0.125, -0.250),
    ];
    let second: [Entry; 4] = [
        ("k-method", None, 2.551, 5.166),
        ("verlet", None, 0.839, 1.685),
        ("heun", None, -4.692, -9.164),
        ("rk4", None, -0.105, -0.211),
    ];
    for (case, mu, v, entries) in [(CASE_1, 0.1, 0.3, first), (CASE_2, 0.5, 1.0, second)] {
        for (scheme, deepest, velocity, energy) in entries {
            let report = strike(&folder, &format!("scheme = \"{scheme}\"\n{case}"));
            let (contact, exact, known) = (&report["contacts"][0], &report["closed_form"], approximation(mu, v));
            let percent = |value: f64, exact: f64| 100.0 * (value / exact - 1.0);
            let out = percent(number(&contact["velocity_out"]), known);
            assert!((out - velocity).abs() <= 1e-3, "{scheme}: v_out {out} instead of {velocity}");
            let end = percent(number(&contact["energy_striker"]), 0.5 * 0.01 * known * known);
            assert!((end - energy).abs() <= 1e-3, "{scheme}: H_tau {end} instead of {energy}");
            let most = percent(number(&contact["max_compression"]), number(&exact["max_compression"]));
            let met = deepest.map_or(most <= 0.0, |deepest| (most - deepest).abs() <= 1e-3);
            assert!(met, "{scheme}: x_max {most} instead of {deepest:?}");
        }
    }
}

#[test]
fn corrections_apply_the_closed_forms() {
    let folder = Folder::new("corrections");
    for scheme in ["k-method", "k-method-safe", "verlet", "heun", "rk4"] {
        for (corrections, known) in [("true", approximation(0.5, 1.0)), ("\"exact\"", -0.748_434_931_597_434_2)] {
            let report = strike(&folder, &format!("scheme = \"{scheme}\"\ncorrections = {corrections}\n{CASE_2}"));
            let contact = &report["contacts"][0];
            assert!((number(&contact["velocity_out"]) - known).abs() < 1e-12, "{scheme}, {corrections}: {contact}");
            assert!(number(&contact["max_compression"]) <= 3.892_573_778_223_98e-5, "{scheme}, {corrections}: {contact}");
        }
        let clipped = strike(&folder, &format!("scheme = \"{scheme}\"\ncorrections = true\n{CASE_1}"));
        let deepest = number(&clipped["contacts"][0]["max_compression"]);
        assert!(deepest <= 1.668_440_633_210_76e-5, "{scheme}: {deepest}");
        let plain = strike(&folder, &format!("scheme = \"{scheme}\"\n{CASE_2}"));
        assert_eq!(plain, strike(&folder, &format!("scheme = \"{scheme}\"\ncorrections = false\n{CASE_2}")));
    }
}

/// A method that explodes says when, and ends; its report is still JSON with numbers.
#[test]
fn a_diverging_state_ends_the_run() {
    let hard = CASE_2.replace("1e9", "1e13");
    let report = strike(&Folder::new("explodes"), &format!("scheme = \"rk4\"\n{hard}"));
    assert!(number(&report["solver"]["diverged_at"]) < 1e-3, "{report}");
    assert!(number(&report["final"]["energy_total"]) > 1.0, "{report}");
}

/// Every scheme on a body with modes: the trace has one row a sample.
#[test]
fn schemes_strike_bodies_and_write_traces() {
    let folder = Folder::new("bodies");
    let body =
        "[body]\nmodes = [{ frequency = 220.0, decay = 2.0, mass = 0.05 }, { frequency = 950.0, decay = 4.0, mass = 0.05 }]\n";
    let soft = CASE_1.replace("1e7", "1e5");
    let known = number(&strike(&folder, &format!("{soft}{body}"))["contacts"][0]["velocity_out"]);
    for scheme in ["k-method", "k-method-safe", "verlet", "heun", "rk4"] {
        folder.write("case.toml", format!("scheme = \"{scheme}\"\nduration = 0.01\n{soft}{body}"));
        folder.succeed(&["strike", "case.toml", "--trace", "trace.csv", "--plot", "plot.svg"]);
        let trace = String::from_utf8(folder.read("trace.csv")).expect("UTF-8");
        assert_eq!(trace.lines().count(), 2 + 441, "{scheme}");
        let report = strike(&folder, &format!("scheme = \"{scheme}\"\n{soft}{body}"));
        let out = number(&report["contacts"][0]["velocity_out"]);
        assert!((out / known - 1.0).abs() < 0.02, "{scheme}: {out} instead of {known}");
    }
}

/// A damped linear spring, which all schemes but the broken line can do; the fewer samples a contact has the less they agree.
#[test]
fn all_capable_schemes_agree_on_a_linear_spring() {
    let folder = Folder::new("spring");
    let spring = CASE_1.replace("exponent = 1.1\ndamping = 0.1", "law = \"linear\"\ndamping = 0.5").replace("1e7", "1e4");
    let known = number(&strike(&folder, &spring)["contacts"][0]["velocity_out"]);
    for scheme in ["k-method", "k-method-safe", "verlet", "heun", "rk4", "offset"] {
        let report = strike(&folder, &format!("scheme = \"{scheme}\"\n{spring}"));
        let out = number(&report["contacts"][0]["velocity_out"]);
        assert!((out / known - 1.0).abs() < 0.02, "{scheme}: {out} instead of {known}");
    }
}

#[test]
fn an_unsupported_scheme_is_rejected_with_the_supported_ones() {
    let folder = Folder::new("bad-schemes");
    let modal = format!("{CASE_1}[body]\nmodes = [{{ frequency = 220.0, decay = 2.0, mass = 0.05 }}]\n");
    for (case, parts) in [
        (
            format!("scheme = \"euler\"\n{CASE_1}"),
            vec!["line 1, scheme: \"euler\" is unknown", "\"edg\" or \"k-method\" or ", "\"verlet\"", "\"heun\"", "\"rk4\""],
        ),
        (
            format!("scheme = \"verlet\"\n{}", CASE_1.replace("damping = 0.1", "law = \"restitution\"\nrestitution = 0.5")),
            vec![
                "line 1, scheme: this scheme does not support this law",
                "scheme = \"edg\"; \"verlet\" supports law = \"hunt-crossley\" or",
            ],
        ),
        (
            format!("scheme = \"offset\"\n{CASE_1}"),
            vec![
                "line 1, scheme: this scheme does not support this law",
                "\"edg\" or \"k-method\" or ",
                "\"offset\" supports law = \"linear\"",
            ],
        ),
        (format!("scheme = 4\n{CASE_1}"), vec!["line 1, scheme: expected text"]),
        (
            format!("corrections = true\n{CASE_1}"),
            vec!["line 1, corrections: the scheme \"edg\" is not corrected", "another scheme"],
        ),
        (
            format!("scheme = \"rk4\"\ncorrections = \"some\"\n{CASE_1}"),
            vec!["line 2, corrections: \"some\" is unknown", "false, true or \"exact\""],
        ),
        (
            format!("scheme = \"rk4\"\ncorrections = true\n{modal}"),
            vec!["line 2, corrections: there are closed forms for a point mass on a rigid wall only", "or the modes"],
        ),
    ] {
        folder.write("case.toml", case);
        let complaint = folder.refuse(&["strike", "case.toml", "--json"]);
        assert!(parts.iter().all(|part| complaint.contains(part)), "{parts:?} missing in: {complaint}");
    }
}
