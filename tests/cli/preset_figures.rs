//! Figures of the factory presets, compared with an independent simulation of the same strikes.
//!
//! `preset_figures.csv`: contact times at the minimum and the maximum strike speed and at their geometric mean, and the strongest
//! partial with its time to -60 dB. Another program with the same contact law on lists of modes computed it once.

use std::collections::BTreeMap;
use urto_engine::patch::factory_presets;

use serde_json::Value;

use crate::support::program::Folder;
use crate::tier::size;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::patch::patch_toml;

const REFERENCE: &str = include_str!("preset_figures.csv");
const DOCUMENT: &str = include_str!("../../docs/manual/presets.md");

/// Loudness of all presets at velocity 100 [LUFS], and how far one may be from another.
const LOUDNESS: (f64, f64) = (-24.0, 1.5);
/// How far the limiter may lower a preset at velocity 127 [dB].
const MAX_LIMITED: f64 = 2.0;
/// How far a figure may be from the reference.
const TOLERANCE: f64 = 0.1;

/// Runs of a preset whose loudness depends on random numbers.
const RUNS: u32 = 12;

/// Contact times [ms] of three strokes, main partial [Hz], its time to -60 dB [s].
type Figures = [f64; 5];

fn reference() -> BTreeMap<&'static str, Figures> {
    let row = |line: &'static str| {
        let mut cells = line.split(',');
        let name = cells.next().expect("a name");
        let numbers: Vec<f64> = cells.skip(1).map(|cell| cell.parse().expect("a number")).collect();
        (name, numbers.try_into().expect("five figures"))
    };
    REFERENCE.lines().skip(1).map(row).collect()
}

/// The table of docs/manual/presets.md: name, figures as simulated, figures as played.
fn documented() -> BTreeMap<&'static str, (Figures, Figures)> {
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let rows = DOCUMENT.lines().filter(|line| line.starts_with("| ") && line.matches('|').count() == 8);
    let numbers = |cell: &str| -> Figures {
        let numbers: Vec<f64> = cell.split(' ').map(|number| number.parse().expect("a number")).collect();
        numbers.try_into().expect("five figures")
    };
    let mut found = BTreeMap::new();
    for row in rows.map(cells) {
        let [name, .., reason] = row[..] else { panic!("a row: {row:?}") };
        if name == "preset" {
            continue;
        }
        assert!(reason.len() > 20, "{name}: a reason");
        let pair: Vec<[&str; 2]> =
            row[1..6].iter().map(|cell| cell.split_once(" / ").map(|(old, new)| [old, new]).expect("old / new")).collect();
        let side = |i: usize| numbers(&pair.iter().map(|both| both[i]).collect::<Vec<_>>().join(" "));
        found.insert(name, (side(0), side(1)));
    }
    found
}

fn close(found: &Figures, wanted: &Figures, tolerance: f64) -> bool {
    found.iter().zip(wanted).all(|(found, wanted)| (found / wanted - 1.0).abs() <= tolerance)
}

#[test]
fn presets_are_equally_loud_end_and_agree_with_the_simulation() {
    let wanted: Vec<_> = factory_presets::all().map(|patch| patch.name).step_by(size(6, 1)).collect();
    // without names, all are checked
    let rows = checked(&Folder::new("figures"), if size(6, 1) == 1 { &[] } else { &wanted });
    let names: Vec<_> = rows.iter().map(|row| row["name"].as_str().expect("a name")).collect();
    assert_eq!(names, wanted, "in the order of the list");
    let (reference, documented) = (reference(), documented());
    let (rows, others): (Vec<_>, Vec<_>) =
        rows.iter().partition(|row| reference.contains_key(row["name"].as_str().expect("a name")));
    assert_eq!((rows.len(), others.len()), size((11, 10), (61, 63)));
    for row in others {
        let is_kit = factory_presets::kits().any(|kit| row["name"] == kit.name.as_str());
        assert!(row["sound"] == true && row["loudness_lufs"].as_f64() > Some(-30.0), "{row}");
        assert_eq!((row["key"].is_null(), row["main_hz"].is_null()), (is_kit, is_kit), "{row}");
    }
    let (mut agreeing, mut deviating) = (0, 0);
    for row in &rows {
        let name = row["name"].as_str().expect("a name");
        let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{name}: {key}"));
        assert!((number("loudness_lufs") - LOUDNESS.0).abs() <= 0.5 * LOUDNESS.1, "{name}: {} LUFS", row["loudness_lufs"]);
        assert_eq!(row["sound"], true, "{name}: finite and below the ceiling");
        assert!(
            number("limited_db") < MAX_LIMITED,
            "{name}: the limiter takes {} dB, at most {MAX_LIMITED}; lower the level of the preset",
            row["limited_db"]
        );
        assert!(number("mono_db") <= 3.0, "{name}: {} dB lost in mono", row["mono_db"]);
        assert!(number("asleep_s") > 0.1, "{name} never sleeps");
        let contacts = row["contact_ms"].as_array().expect("three strokes");
        let contact = |i: usize| contacts[i].as_f64().unwrap_or_else(|| panic!("{name}: a contact"));
        let found = [contact(0), contact(1), contact(2), number("main_hz"), number("main_t60_s")];
        let wanted = reference[name];
        println!("{name}: {found:.3?}, simulated {wanted:.3?}");
        match documented.get(name) {
            None => {
                assert!(close(&found, &wanted, TOLERANCE), "{name}: {found:?} instead of {wanted:?}");
                agreeing += 1;
            }
            Some((old, new)) => {
                assert!(!close(&found, &wanted, TOLERANCE), "{name} agrees: leave it out of docs/manual/presets.md");
                assert!(
                    close(old, &wanted, 0.02) && close(new, &found, 0.02),
                    "{name}: docs/manual/presets.md should say {found:.4?}"
                );
                deviating += 1;
            }
        }
    }
    assert_eq!((agreeing, agreeing + deviating), (size(4, 32), rows.len()), "presets that agree, and all");
    assert!(deviating == documented.len() || size(true, false), "the table names {} presets", documented.len());
}

/// The rows of `presets check`.
fn checked(folder: &Folder, names: &[String]) -> Vec<Value> {
    let mut call = vec!["presets", "check", "--json"];
    call.extend(names.iter().map(String::as_str));
    serde_json::from_str(&folder.succeed(&call)).expect("JSON")
}

/// Loudness [LUFS] in the mean of runs whose hammers differ by ten millionths: where contact is chaotic, one run is as good as another
/// and as loud as chance has it.
fn mean_loudness(patch: &Patch) -> f64 {
    let folder = Folder::new("lasting-runs");
    let mass = patch.settings.get(ParamId::HammerMass);
    let save = |run: u32| {
        let mut patch = Patch { name: format!("Run {run}"), ..patch.clone() };
        patch.settings.set(ParamId::HammerMass, mass * (1.0 + 1e-7 * f64::from(run)));
        folder.write("run.toml", patch_toml::to_toml(&patch));
        folder.succeed(&["presets", "save", "run.toml"]);
        patch.name
    };
    let names: Vec<String> = (0..RUNS).map(save).collect();
    let loudness: Vec<f64> =
        checked(&folder, &names).iter().map(|row| row["loudness_lufs"].as_f64().expect("a number")).collect();
    println!("{}: {loudness:.1?} LUFS", patch.name);
    loudness.iter().sum::<f64>() / f64::from(RUNS)
}

/// Presets that stay in contact, and those added later, are as loud as the others while their key is down, and end after.
#[test]
fn sustained_presets_are_equally_loud_and_end() {
    let patches: Vec<Patch> = factory_presets::sustained().chain(factory_presets::added()).step_by(size(10, 1)).collect();
    let names: Vec<String> = patches.iter().map(|patch| patch.name.clone()).collect();
    let is_right = |loudness: f64| (loudness - LOUDNESS.0).abs() <= 0.5 * LOUDNESS.1;
    for (patch, row) in patches.iter().zip(checked(&Folder::new("lasting-figures"), &names)) {
        assert_eq!(row["name"].as_str(), Some(patch.name.as_str()));
        let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{}: {key}", patch.name));
        let loudness = number("loudness_lufs");
        let is_rolled = patch.settings.get(ParamId::Roll) != 0.0;
        assert!(is_right(loudness) || is_rolled && is_right(mean_loudness(patch)), "{}: {loudness} LUFS", patch.name);
        assert!(row["sound"] == true && number("asleep_s") > 0.1 && number("mono_db") <= 3.0, "{row}");
        assert!(
            number("limited_db") < MAX_LIMITED,
            "{}: the limiter takes {} dB, at most {MAX_LIMITED}; lower the level of the preset",
            row["name"],
            row["limited_db"]
        );
    }
}
