//! Modes from a file.

use serde_json::Value;

use crate::support::program::Folder;

const TOML: &str = "name = \"Glass bar\"\nbody_mass = 0.3\n[[modes]]\nfrequency = 523.25\nt60 = 2.5\ngain = 1\n\
    [[modes]]\nfrequency = 1441.2\ndecay = 5.75\ngain = -0.5\n[[modes]]\nfrequency = 2830\nq = 800\ngain = 0.25\nshape = [1.0, -0.6, 0.5]\n";
const JSON: &str = "{\"name\": \"Glass bar\", \"body_mass\": 0.3, \"modes\": [\n{\"frequency\": 523.25, \"t60\": 2.5, \"gain\": 1},\n\
    {\"frequency\": 1441.2, \"decay\": 5.75, \"gain\": -0.5},\n{\"frequency\": 2830, \"q\": 800, \"gain\": 0.25, \"shape\": [1.0, -0.6, 0.5]}]}";
const CSV: &str =
    "# a glass bar\nfrequency;t60;decay;q;gain;shape\n523,25;2,5;;;1;\n1441,2;;5,75;;-0,5;\n2830;;;800;0,25;1 -0,6 0,5\n";

fn shown(folder: &Folder, file: &str) -> Value {
    let said = folder.succeed(&["modes", "from-file", file, "--json"]);
    serde_json::from_str(&said).expect("one JSON value")
}

fn column(table: &Value, key: &str) -> Vec<f64> {
    table["modes"].as_array().expect("an array").iter().map(|row| row[key].as_f64().expect("a number")).collect()
}

fn assert_near(found: &[f64], wanted: &[f64], within: f64) {
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().zip(wanted).all(|(a, b)| (a / b - 1.0).abs() <= within), "{found:?} instead of {wanted:?}");
}

/// A partial's velocity at a pickup after a push at the strike is the product of its weights there.
#[test]
fn the_three_formats_agree_and_gains_set_the_levels() {
    let folder = Folder::new("from-file-forms");
    folder.write("bar.toml", TOML);
    folder.write("bar.json", JSON);
    folder.write("bar.csv", CSV);
    let table = shown(&folder, "bar.toml");
    assert_eq!(table["modes"], shown(&folder, "bar.json")["modes"]);
    assert_near(&column(&table, "hertz"), &[523.25, 1441.2, 2830.0], 1e-12);
    let rates = [1000_f64.ln() / 2.5, 5.75, std::f64::consts::PI * 2830.0 / 800.0];
    assert_near(&column(&table, "decay_rate"), &rates, 1e-12);
    let (strike, left) = (column(&table, "weight_strike"), column(&table, "weight_left"));
    let heard: Vec<_> = strike.iter().zip(&left).map(|(strike, left)| strike * left).collect();
    assert_near(&[heard[1] / heard[0], heard[2] / heard[0]], &[-0.5, 0.25], 1e-12);
    let other = shown(&folder, "bar.csv");
    for key in ["hertz", "decay_rate"] {
        assert_near(&column(&other, key), &column(&table, key), 1e-12);
    }
}

#[test]
fn the_patch_has_the_frequencies_of_the_file_on_its_home_key() {
    let folder = Folder::new("from-file-patch");
    folder.write("bar.toml", TOML);
    folder.succeed(&["modes", "from-file", "bar.toml", "--out", "patch.toml"]);
    let said = folder.succeed(&["modes", "patch.toml", "--key", "72", "--json"]);
    let table: Value = serde_json::from_str(&said).expect("one JSON value");
    assert_near(&column(&table, "hertz"), &[523.25, 1441.2, 2830.0], 1e-12);
    let text = String::from_utf8(folder.read("patch.toml")).expect("a text");
    assert!(text.contains("name = \"Glass bar\"") && text.contains("home_key = 72"), "{text}");
}

#[test]
fn modal_masses_are_kilograms_and_ratios_follow_the_reference() {
    let folder = Folder::new("from-file-mass");
    folder.write("two.csv", "ratio,mass,t60,shape\n1,0.05,1,1 1\n2.5,0.2,1,1 1\n");
    let table = shown(&folder, "two.csv");
    assert_near(&column(&table, "mass_strike"), &[0.05, 0.2], 1e-12);
    assert_near(&column(&table, "hertz"), &[261.625_565, 654.063_913], 1e-8);
    folder.write("two.json", "{\"reference\": 100, \"modes\": [{\"ratio\": 2.5}, {\"frequency\": 120}]}");
    assert_near(&column(&shown(&folder, "two.json"), "hertz"), &[120.0, 250.0], 1e-12);
}

/// Faulty files: name, text and the message that has to appear.
const FAULTY: &[(&str, &str, &str)] = &[
    ("a.toml", "[[modes]]\nfrequency = -3\n", "a.toml, line 2, modes[0].frequency: -3 is not above zero; give"),
    (
        "a.toml",
        "[[modes]]\nfrequency = 1e300\n",
        "modes[0].frequency: 1e300 Hz is not the frequency of a partial; give 0.01 to 1000000 Hz",
    ),
    ("a.toml", "[[modes]]\nt60 = 1\n", "a.toml, line 1, modes[0].frequency: missing; give the mode's frequency in Hz"),
    ("a.toml", "[[modes]]\nfrequency = 3\nratio = 1\n", "line 3, modes[0].ratio: conflicts with frequency"),
    ("a.toml", "[[modes]]\nfrequency = 3\nt60 = 1\nq = 1\n", "line 4, modes[0].q: conflicts with t60"),
    ("a.toml", "[[modes]]\nfrequency = 3\nmode = 1\n", "line 3, modes[0].mode: unknown key; the keys here are frequency, ratio"),
    ("a.toml", "[[modes]]\nfrequency = \"low\"\n", "line 2, modes[0].frequency: expected a number, found text"),
    ("a.toml", "[[modes]]\nfrequency = nan\n", "line 2, modes[0].frequency: not a finite number"),
    ("a.toml", "name = \"x\"\n", "modes: there are no modes; give at least one"),
    ("a.toml", "[[modes\n", "a.toml, line 1: not valid TOML"),
    ("a.toml", "[[modes]]\nfrequency = 9\n[[modes]]\nratio = 2\n", "line 4, modes[1].ratio: a ratio among frequencies; give"),
    ("a.toml", "[[modes]]\nratio = 2\nshape = [1.0, \"a\"]\n", "line 3, modes[0].shape[1]: does not match the type of this list"),
    ("a.toml", "[[modes]]\nratio = 2\nshape = [0, 0]\n", "line 3, modes[0].shape: invalid shape; give 2 to 1024 values"),
    (
        "a.toml",
        "body_mass = 1e9\n[[modes]]\nratio = 2\n",
        "line 1, body_mass: 1000000000 is out of range; give 0.001 to 10000 kg",
    ),
    ("a.json", "{\"modes\": [\n{\"frequency\": 3, \"gain\": 0}]}", "a.json, line 2, modes[0].gain: the gain is 0"),
    ("a.json", "[\n{\"frequency\": 3},\n{\"frequency\": null}]", "line 3, modes[1].frequency: expected a number, found null"),
    ("a.json", "[\n{\"frequency\": 3,\n\"frequency\": 4}]", "line 3, modes[0].frequency: duplicate key; keep one"),
    ("a.json", "{\"modes\": [\n{\"frequency\" 3}]}", "a.json, line 2: not valid JSON"),
    ("a.json", "12", "a.json, neither an object nor a list"),
    ("a.csv", "frequency,gain\n100,1\n200,loud\n", "a.csv, line 3, modes[1].gain: expected a number, found text"),
    ("a.csv", "frequency,gain\n100,1\n200,1,3\n", "a.csv, line 3, modes[1]: 3 values under 2 column names"),
    ("a.csv", "frequency,colour\n100,1\n", "a.csv, line 2, modes[0].colour: unknown key; the keys here are frequency"),
    ("a.csv", "", "there are no modes"),
    ("a.txt", "1", "a.txt: unknown type of file; give a name that ends in .toml, .json, .csv or .tsv"),
];

#[test]
fn errors_name_file_line_key_and_fix() {
    let folder = Folder::new("from-file-bad");
    for (name, text, message) in FAULTY {
        folder.write(name, text);
        let complaint = folder.refuse(&["modes", "from-file", name]);
        assert!(complaint.contains(message), "{text}: {complaint}");
    }
    folder.write("many.csv", format!("ratio\n{}", "1\n".repeat(257)));
    assert!(
        folder.refuse(&["modes", "from-file", "many.csv"]).contains("line 258, modes[256]: 257 modes exceed the maximum of 256")
    );
    folder.write("deep.json", "[".repeat(100_000));
    assert!(folder.refuse(&["modes", "from-file", "deep.json"]).contains("not valid JSON"));
    folder.write("a.toml", TOML);
    assert!(folder.refuse(&["modes", "from-file", "a.toml", "--out", "a.toml"]).contains("this is also an input file"));
    assert!(folder.refuse(&["modes", "from-file", "a.toml", "--out", "no/a.toml"]).contains("create the folder first"));
}
