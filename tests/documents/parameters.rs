//! The page of all parameters.

use std::fmt::Write;

use urto_engine::params::{PARAMS, ParamSpec, Scale, UpdateRate};

/// Why there is each group of parameters, in their order.
const GROUPS: &[(&str, &str)] = &[
    (
        "Stage",
        "A keyboard can be many bodies, as the bars of a marimba are, or one large body with a key for each place on it, as a gong or a drum is. Only on one body do strokes meet what earlier ones have left.",
    ),
    (
        "Contact",
        "The law by which hammer and body push each other. It alone decides how long they touch, and so how bright a blow is, how that changes with its speed, and with how much of it the hammer comes back.",
    ),
    (
        "Hammer",
        "What comes with the blow: mass and speed, and so momentum and energy. A heavier hammer is louder and darker, a faster one louder and brighter. A stick adds its own bending, a brush spreads the blow over time and place.",
    ),
    (
        "Tracking",
        "On real instruments keys differ in more than pitch: treble hammers are lighter and harder, treble bars lighter and shorter in sound. These powers say how much, with the home key unchanged.",
    ),
    (
        "Body",
        "What is struck, and what is heard: which partials there are, how heavy they feel to the hammer, how long they last. Pitch is the body's size; the three losses are what the ear knows materials by.",
    ),
    (
        "Shape",
        "What makes one plate, head or bell another of its kind: proportions, air, the flaws of making. Pairs of modes that lie a little apart beat; dished metal draws its partials together.",
    ),
    ("Material", "The internal losses of what a body is made of, as measured, laid under the three losses of the body."),
    (
        "Radiation",
        "Between a body that swings and an ear there is air. What is small beside a wave pushes it to and fro without sending much; what sends much also dies away sooner. A tube under a bar does both to one partial.",
    ),
    (
        "Pickups",
        "Where one listens. Left and right hear the body at two places, each mode with its own sign and strength there, which is what makes the stereo image; near a node a mode is not heard.",
    ),
    ("Release", "What happens when a key comes up: nothing, or a damper that takes energy out of the body."),
    ("Voices", "How many bodies may sound, and what a key does to one that sounds."),
    (
        "Touch",
        "Where hands reach in while a body sounds: wheel, pressure, brightness and expression each move one quantity of the contact, the hammer or the body by an amount. A contact under way follows at once.",
    ),
    (
        "Human",
        "No hand strikes twice in the same place at the same speed. Since struck bodies are not linear a little of this goes far.",
    ),
    ("Pitch", "What tunes the keys besides the scale of the patch."),
    (
        "Drive",
        "A signal as a force on a hammer that stays on the body. The hammer rattles, bounces and rests; what is heard is its contact, never the signal itself.",
    ),
    (
        "Signal",
        "What is done to the signal before it pushes: filters, because a heavy hammer follows lows alone, and a follower, because a rattle lives on the way in which the force swells and fades.",
    ),
    (
        "Tether",
        "What keeps the driven hammer where it is. Its spring and mass have a resonance of their own; a rest height is a threshold below which nothing is heard.",
    ),
    (
        "Bounce",
        "What brings a struck hammer back: a hand, weight, a spring. At 0 it is caught on the rebound, as a player's hand does.",
    ),
    (
        "Rattle",
        "Something behind the body that it knocks against once it swings far enough: wires, a bridge, a bolt. It gives a sound that changes with loudness and dies before the body does.",
    ),
    ("Obstacle", "What that something is: its mass, its own swing, and the law of its contact."),
    (
        "Rolling",
        "A surface under the driven hammer. A ball rolls on its own asperities, a point scrapes; the noise is made by the contacts that the surface forces, so that speed, load and size are heard as such.",
    ),
    ("Output", "How loud, and how finely contacts are stepped."),
    (
        "MIDI",
        "What belongs to the player's controller and not to the sound: kept with the host's session, left alone by presets.",
    ),
];

#[test]
fn the_parameter_page_matches_the_table() {
    crate::manual::hold("parameters.md", &page());
}

fn page() -> String {
    let mut text = format!(
        "# Every parameter\n\n\
        {} parameters in {} groups. A host shows them under these names; presets, `urto-cli render --set` and host states use the word in \
        type. All values are in SI units. This page is made from the table that the instrument itself plays from.\n\n\
        When a change takes effect: *at once*, on the sample of the event, also during a contact, without bringing energy; *smoothly*, on a grid of \
        16 samples; at the *next strike*; or with a *new body*, which is prepared beside the audio thread and struck from the next note on.\n",
        PARAMS.len(),
        GROUPS.len(),
    );
    let mut last = "";
    for knob in &PARAMS {
        if knob.group != last {
            let why =
                GROUPS.iter().find(|(name, _)| *name == knob.group).unwrap_or_else(|| panic!("why is there {}?", knob.group)).1;
            let _ = write!(
                text,
                "\n## {}\n\n{why}\n\n| parameter | does | range | at first | takes effect |\n|-|-|-|-|-|\n",
                knob.group
            );
            last = knob.group;
        }
        let _ = writeln!(text, "{}", row(knob));
    }
    let groups = text.matches("\n## ").count();
    assert_eq!(groups, GROUPS.len(), "every group once, in one place");
    text
}

fn row(knob: &ParamSpec) -> String {
    let takes = match knob.update_rate {
        UpdateRate::Immediate => "at once",
        UpdateRate::OnGrid => "smoothly",
        UpdateRate::NextStrike => "next strike",
        UpdateRate::NewBody => "new body",
    };
    let fixed = if knob.automatable { "" } else { "; not automated" };
    let (range, default) = match knob.scale {
        Scale::Choice(names) => (names.join(", "), names[knob.default as usize].to_owned()),
        _ => (with_unit(&format!("{} to {}", number(knob.min), number(knob.max)), knob), with_unit(&number(knob.default), knob)),
    };
    format!("| **{}** `{}` | {} | {range} | {default} | {takes}{fixed} |", knob.name, knob.id, knob.hint)
}

fn with_unit(text: &str, knob: &ParamSpec) -> String {
    if knob.unit.is_empty() { text.to_owned() } else { format!("{text} {}", knob.unit) }
}

/// At most five digits, small ones by their power of ten.
fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:e}") } else { format!("{value}") }
}
