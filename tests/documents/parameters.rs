//! The page of all parameters, their numbers in the README, and the list of their ids.

use std::fmt::Write;

use urto_engine::params::{PARAMS, ParamSpec, Scale, UpdateRate};

/// Purpose of each group of parameters, in the order of the table.
const GROUPS: &[(&str, &str)] = &[
    (
        "Layout",
        "One body per key, like the bars of a marimba, or one body for all keys, like a gong or a drum. A repeated key strikes a body that already vibrates; on one shared body, strikes on other keys meet this vibration too.",
    ),
    (
        "Contact",
        "The law of the force between hammer and body. It sets the contact time and thus the brightness, how both change with speed, and how fast the hammer rebounds.",
    ),
    (
        "Hammer",
        "Mass and speed, and so momentum and energy. A heavier hammer is louder and darker; a faster one is louder and brighter. A stick adds its own bending; a brush spreads the strike over time and position.",
    ),
    (
        "Flam",
        "A soft grace stroke before each strike. Both are hammers on one body, so the strike meets a body that moves already.",
    ),
    ("Strum", "Several strokes of one note in a row across the body. Each is a hammer of its own."),
    (
        "Tracking",
        "On real instruments more than the pitch changes along the keyboard: treble hammers are lighter and harder, and treble bars are lighter and decay faster. These exponents set the change; the home key is unaffected.",
    ),
    (
        "Body",
        "The struck body: its partials, its mass at the hammer, and its decay. Tune acts like the size of the body; the three losses characterise the material.",
    ),
    (
        "Shape",
        "Differences between bodies of one type: proportions, air and irregularities. Pairs of modes close together beat; domed metal has narrower partials.",
    ),
    (
        "Knock",
        "The frame under a bar, or the box of a block: hundreds of modes that the strike drives and the hammer does not feel. They are what is heard between the partials of a strike's first tenth of a second.",
    ),
    (
        "Shell",
        "The shell of a drum, driven in the same way. It moves differently at the two pickups, which makes a drum stereo. Driven by motion, it is the wires of a snare.",
    ),
    ("Material", "Measured internal losses of materials. They are added to the three losses of the body."),
    (
        "Radiation",
        "How vibration becomes sound. A body smaller than the wavelength radiates weakly; a mode that radiates strongly also decays sooner. A tube under a bar makes one partial louder and shorter.",
    ),
    (
        "Pickups",
        "The positions at which left and right read the body. Each mode has its own sign and level there, which gives the stereo image. At a node a mode is silent.",
    ),
    ("Release", "The effect of a released key: none, or a damper that takes energy from the body."),
    ("Voices", "The number of bodies that sound, and the effect of a key on a body that already sounds."),
    (
        "Controllers",
        "Modulation while a body sounds: mod wheel, pressure, slide and expression each move one quantity of the contact, the hammer or the body. A contact in progress follows immediately.",
    ),
    ("Humanise", "Random changes from strike to strike. Struck bodies are nonlinear, so small amounts are enough."),
    ("Pitch", "Tuning of the keys, in addition to the scale of the patch."),
    (
        "Drive",
        "A signal as a force on a hammer that stays on the body. The hammer rattles, bounces and rests; only its contact is heard, never the signal itself.",
    ),
    (
        "Drive signal",
        "Processing of the signal before it becomes a force. A heavy hammer follows low frequencies only, so filters help. The envelope follower lets the force swell and fade with another signal.",
    ),
    (
        "Mount",
        "The spring that holds the driven hammer. Spring and mass have a resonance of their own; a rest distance is a threshold below which nothing is heard.",
    ),
    (
        "Return",
        "The forces that return a struck hammer: press force, gravity, a spring. At 0 the hammer is caught on the rebound, as by a player's hand.",
    ),
    (
        "Rattle",
        "Objects behind the body that it hits once it moves far enough: wires, a bridge, a bolt. It rattles above a certain level only, and stops while the body still sounds.",
    ),
    (
        "Tube",
        "A tuned tube under the middle of the body, connected with it by the air in its mouth, and a flap that a motor turns in all tubes.",
    ),
    ("Rattle contact", "The object itself: its mass, its resonance, and the law of its contact."),
    (
        "Rolling",
        "A surface under the driven hammer. A ball rolls on its roughness, a tip scrapes. The noise comes from the contacts, so it changes with speed, load and size.",
    ),
    (
        "Microphones",
        "Pairs of microphones at a distance from the instrument, beside the close sound of the pickups. Level and delay of each zone of a kit follow from its position.",
    ),
    ("Room", "A room around the instrument: reflections of its walls at the far pair, and reverberation."),
    ("Output", "Output level, and the accuracy of the contact solver."),
    ("MIDI", "Settings of the player's controller. They are stored with the host's session, not with presets."),
    ("Macros", "Knobs that move several parameters, as the preset defines. See [modulation](modulation.md)."),
    ("LFO 1", "The first low-frequency oscillator, a source of the modulation matrix."),
    ("LFO 2", "The second low-frequency oscillator."),
    ("Envelope 1", "The first envelope, a source of the modulation matrix. Each strike begins it."),
    ("Envelope 2", "The second envelope."),
    ("Modulation", "The rows of the modulation matrix. Every continuous parameter can be a target."),
    (
        "Hi-hat",
        "Two cymbals and the pedal that closes them while they ring. Controller 4 moves the pedal as the parameter does, whichever came last.",
    ),
];

#[test]
fn the_parameter_page_matches_the_table() {
    crate::manual::hold("parameters.md", &page());
}

#[test]
fn the_readme_counts_the_parameters() {
    let count = |rate: UpdateRate| PARAMS.iter().filter(|spec| spec.automatable && spec.update_rate == rate).count();
    let automatable = PARAMS.iter().filter(|spec| spec.automatable).count();
    let sentence = format!(
        "* **{} parameters in SI units.** A host can automate {automatable} of them: {} act on the sample of the event, also \
        during a contact, {}\n  are smoothed, {} apply at the next strike and {} need a new body.\n",
        PARAMS.len(),
        count(UpdateRate::Immediate),
        count(UpdateRate::OnGrid),
        count(UpdateRate::NextStrike),
        count(UpdateRate::NewBody),
    );
    crate::manual::hold_file("README.md", |current| {
        let (end, text) = (" need a new body.\n", " parameters in SI units.**");
        let bold = current.find(text).expect("the README states the number of parameters");
        let start = current[..bold].rfind("* **").expect("the sentence is an item of a list");
        let end = start + current[start..].find(end).expect("the sentence names the update rates") + end.len();
        format!("{}{sentence}{}", &current[..start], &current[end..])
    });
}

/// Hosts store the numbers of parameters, so the list may grow but loses no id.
#[test]
fn the_list_of_parameter_ids_is_complete() {
    crate::manual::hold_file("tests/plugin/parameter_ids.csv", |current| {
        let rows: Vec<_> = PARAMS.iter().map(|spec| format!("{},{}", spec.id, host_number(spec.id))).collect();
        for listed in current.lines().skip(1) {
            assert!(rows.iter().any(|row| row == listed), "the released parameter {listed} is missing or has another number");
        }
        format!("id,number\n{}\n", rows.join("\n"))
    });
}

/// The number by which hosts know a parameter: the fingerprint that nice-plug computes from its id.
fn host_number(id: &str) -> u32 {
    id.bytes().fold(0_u32, |number, byte| number.wrapping_mul(31).wrapping_add(byte.into())) & !(1 << 31)
}

fn page() -> String {
    let mut text = format!(
        "# Every parameter\n\n\
        {} parameters in {} groups. A host shows them under these names; presets, `urto-cli render --set` and host states use the \
        identifier in code type. All values are in SI units. This page is generated from the parameter table of the program.\n\n\
        When a change takes effect: *at once*, at the sample of the event, also during a contact, without adding energy; *smoothly*, in control blocks of \
        16 samples; at the *next strike*; or with a *new body*, which is prepared on another thread and used from the next note on.\n",
        PARAMS.len(),
        GROUPS.len(),
    );
    // parameters that were added later are at the end of the table, and here in their group
    let mut groups: Vec<&str> = Vec::new();
    for spec in &PARAMS {
        if groups.contains(&spec.group) {
            continue;
        }
        groups.push(spec.group);
        let purpose = GROUPS
            .iter()
            .find(|(name, _)| *name == spec.group)
            .unwrap_or_else(|| panic!("no purpose of the group {}", spec.group))
            .1;
        let _ = write!(
            text,
            "\n## {}\n\n{purpose}\n\n| parameter | purpose | range | default | takes effect |\n|-|-|-|-|-|\n",
            spec.group
        );
        for spec in PARAMS.iter().filter(|other| other.group == spec.group) {
            let _ = writeln!(text, "{}", row(spec));
        }
    }
    let groups = text.matches("\n## ").count();
    assert_eq!(groups, GROUPS.len(), "every group once, in one place");
    text
}

fn row(spec: &ParamSpec) -> String {
    let takes = match spec.update_rate {
        UpdateRate::Immediate => "at once",
        UpdateRate::OnGrid => "smoothly",
        UpdateRate::NextStrike => "next strike",
        UpdateRate::NewBody => "new body",
    };
    let fixed = if spec.automatable { "" } else { "; not automated" };
    let (range, default) = match spec.scale {
        Scale::Choice(_) => (spec.labels().join(", "), spec.labels()[spec.default as usize].to_owned()),
        _ => (with_unit(&format!("{} to {}", number(spec.min), number(spec.max)), spec), with_unit(&number(spec.default), spec)),
    };
    format!("| **{}** `{}` | {} | {range} | {default} | {takes}{fixed} |", spec.name, spec.id, spec.hint)
}

fn with_unit(text: &str, spec: &ParamSpec) -> String {
    if spec.unit.is_empty() { text.to_owned() } else { format!("{text} {}", spec.unit) }
}

/// At most five digits, small ones by their power of ten.
fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:e}") } else { format!("{value}") }
}
