//! Inputs far beyond the limits are refused in time that grows with their size, not with its square.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::support::program::Folder;

/// Longest time of a refusal. A reader whose time grew with the square of the size would take minutes.
const LONGEST: Duration = Duration::from_secs(20);

/// The complaint of a command, which must come soon.
fn refused_soon(folder: &Folder, arguments: &[&str]) -> String {
    let start = Instant::now();
    let complaint = folder.refuse(arguments);
    let time = start.elapsed();
    assert!(time < LONGEST, "{arguments:?} took {time:?}");
    complaint
}

/// `count` lines, each with `text`.
fn lines(count: usize, text: &str) -> String {
    let mut all = String::with_capacity(count * (text.len() + 1));
    (0..count).for_each(|_| writeln!(all, "{text}").expect("a string"));
    all
}

#[test]
fn lists_that_are_too_long_are_refused_soon() {
    let folder = Folder::new("limits");
    let count = 100_001;
    folder.write("m.json", format!("[{}{{\"frequency\": 1}}]", lines(count - 1, "{\"frequency\": 440},")));
    let complaint = refused_soon(&folder, &["modes", "from-file", "m.json"]);
    assert!(
        complaint.contains("m.json, line 257, modes[256]: 100001 modes exceed the maximum of 256; leave out the"),
        "{complaint}"
    );
    folder.write("m.toml", lines(count, "[[modes]]\nfrequency = 440.0"));
    let complaint = refused_soon(&folder, &["modes", "from-file", "m.toml"]);
    assert!(complaint.contains("m.toml, line 513, modes[256]: 100001 modes exceed the maximum of 256"), "{complaint}");
    folder.write("p.toml", format!("schema = 2\n{}", lines(count, "[[modes]]\nratio = 1.0")));
    let complaint = refused_soon(&folder, &["presets", "show", "p.toml"]);
    assert!(complaint.contains("p.toml, line 514, modes[256]: 100001 modes exceed the maximum of 256"), "{complaint}");
    folder.write("p.toml", format!("schema = 2\ntags = [\n{}]\n", lines(10 * count, "\"a\",")));
    let complaint = refused_soon(&folder, &["presets", "show", "p.toml"]);
    assert!(complaint.contains("p.toml, line 2, tags: 1000010 tags exceed the maximum of 100; give at most 100"), "{complaint}");
    let head = "[contact]\nstiffness = 1e7\nexponent = 1.1\n[striker]\nmass = 0.01\nvelocity = 0.3\n[body]\nmodes = [\n";
    folder.write("c.toml", format!("{head}{}]\n", lines(count, "{ frequency = 220.0, decay = 2.0, mass = 0.05 },")));
    let complaint = refused_soon(&folder, &["strike", "c.toml"]);
    assert!(complaint.contains("c.toml, line 4105, body.modes[4096]: more than 4096 modes; give at most 4096"), "{complaint}");
    let strokes = lines(20_000, "{ file = \"in.wav\" },");
    let head = "[[instruments]]\nkind = \"bar\"\npreset = \"Claves\"\nkey = 60\nstrokes = [\n";
    folder.write("map.toml", format!("{head}{strokes}]\n"));
    let complaint = refused_soon(&folder, &["presets", "compare", "map.toml"]);
    assert!(complaint.contains("map.toml, line 6, instruments[0].strokes[0].file: in.wav: no such file"), "{complaint}");
}
