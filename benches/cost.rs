//! What a ringing body and a contact cost, beside a yardstick that any machine can run: medians of interleaved rounds.
//!
//! `cargo xtask bench [--json FILE]`; `cargo bench --bench cost -- PART...` runs the cases whose names have such a part. Figures are
//! nanoseconds on one core, a sample or (`substep_*`) a substep of a contact; `retune_64` is one mode of a body that is retuned,
//! `basis_*` one build of the eigenvectors of a linear contact, `linear_*` a sample of it. `*_ratio` is over the yardstick's.

use std::hint::black_box;
use std::time::Instant;

use urto::engine::body::{Build, Pitch};
use urto::engine::event::{Event, NoteId};
use urto::engine::knob::{KnobId, TARGETS};
use urto::engine::patch::{BodyKind, Patch};
use urto::engine::{Body, BodyRequest, Config, Engine, Expression};
use urto::physics::collision::{Capacity, Collision};
use urto::physics::contact::Law;
use urto::physics::eigenbasis::ContactBasis;
use urto::physics::level::Resolution;
use urto::physics::modes::Mode;
use urto::physics::throw::Hit;

const RATE: f64 = 48_000.0;
const ROUNDS: usize = 200;
/// Samples of a round.
const SAMPLES: usize = 4096;
const BLOCK: usize = 64;
/// What all others are compared with.
const YARDSTICK: &str = "yardstick_64";

/// A biquad in transposed direct form II, one struct a mode.
#[derive(Clone, Copy)]
struct Biquad {
    b0: f32,
    b1: f32,
    b2: f32,
    a1: f32,
    a2: f32,
    s1: f32,
    s2: f32,
}

impl Biquad {
    fn resonator(frequency: f32, decay: f32) -> Self {
        let (radius, angle) = ((-decay / RATE as f32).exp(), std::f32::consts::TAU * frequency / RATE as f32);
        let b0 = angle.sin() * (1.0 - radius);
        Self { b0, b1: 0.1 * b0, b2: -b0, a1: -2.0 * radius * angle.cos(), a2: radius * radius, s1: 0.0, s2: 0.0 }
    }

    fn step(&mut self, x: f32) -> f32 {
        let y = self.b0 * x + self.s1;
        self.s1 = self.b1 * x - self.a1 * y + self.s2;
        self.s2 = self.b2 * x - self.a2 * y;
        y
    }
}

/// Something that is timed: runs one round, gives nanoseconds a sample.
struct Case {
    name: &'static str,
    round: Box<dyn FnMut() -> f64>,
    measured: Vec<f64>,
}

impl Case {
    fn new(name: &'static str, round: impl FnMut() -> f64 + 'static) -> Self {
        Self { name, round: Box::new(round), measured: Vec::with_capacity(ROUNDS) }
    }

    fn median(&self) -> f64 {
        let mut sorted = self.measured.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }
}

fn per_sample(since: Instant, samples: usize) -> f64 {
    since.elapsed().as_secs_f64() * 1e9 / samples as f64
}

/// 64 biquads summed to one output, sample by sample; fed with noise so that nothing becomes denormal.
fn yardstick() -> Case {
    let mut bank: [Biquad; 64] = std::array::from_fn(|n| Biquad::resonator(110.0 * (n as f32 + 1.0), 2.0 + n as f32));
    let mut noise = 1u32;
    let mut output = vec![0.0f32; SAMPLES];
    Case::new(YARDSTICK, move || {
        let since = Instant::now();
        for sample in &mut output {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let x = noise as f32 / u32::MAX as f32 - 0.5;
            *sample = 0.0;
            for biquad in &mut bank {
                *sample += biquad.step(x);
            }
        }
        black_box(&output);
        per_sample(since, SAMPLES)
    })
}

/// One stop that the string never reaches; one that it may reach and does not; something that lies on it.
const FAR: [(KnobId, f64); 2] = [(KnobId::Rattle, 1.0), (KnobId::RattleGap, 0.01)];
const NEAR: [(KnobId, f64); 3] = [(KnobId::Rattle, 1.0), (KnobId::RattleGap, 1.5e-3), (KnobId::RattlePosition, 0.5)];
const LYING: [(KnobId, f64); 2] = [(KnobId::Rattle, 2.0), (KnobId::RattlePress, 20.0)];

/// A string of `modes` modes that rings in the engine after its hammer has left: everything from there to the two outputs. `knobs` go
/// beside the string's own.
fn ringing(name: &'static str, modes: usize, knobs: &[(KnobId, f64)]) -> Case {
    let mut patch = Patch::default();
    // 256 partials of 55 Hz end at 14 kHz
    for (knob, value) in [
        (KnobId::Body, 0.0),
        (KnobId::Modes, modes as f64),
        (KnobId::Decay, 200.0),
        (KnobId::Loss, 0.0),
        (KnobId::Viscosity, 0.0),
    ]
    .iter()
    .chain(knobs)
    {
        patch.settings.set(*knob, *value);
    }
    let mut engine = Engine::new(Config::at(RATE), &patch);
    let (mut left, mut right) = ([0.0f32; BLOCK], [0.0f32; BLOCK]);
    engine.event(&Event::NoteOn { note: NoteId { key: 33, ..NoteId::default() }, velocity: 0.8 });
    for _ in 0..RATE as usize / BLOCK {
        engine.render(&mut left, &mut right, [&[]; 2]);
    }
    assert_eq!(engine.sounding(), 1, "the string has to ring");
    Case::new(name, move || {
        let since = Instant::now();
        for _ in 0..SAMPLES / BLOCK {
            engine.render(black_box(&mut left), &mut right, [&[]; 2]);
        }
        per_sample(since, SAMPLES)
    })
}

/// What the time of a contact is divided by.
#[derive(Clone, Copy, PartialEq)]
enum Per {
    Sample,
    Substep,
}

/// A hard hammer on a body of 64 modes at rest, from the sample of onset to the end of its first contact;
/// `substeps` is P. Tables of coefficients are there already, as when a key is struck again.
fn contact(name: &'static str, substeps: f64, per: Per) -> Case {
    const MODES: usize = 64;
    const STRIKES: usize = 32;
    let capacity = Capacity { modes: MODES, strikers: 1, striker_modes: 1, levels: 6 };
    let mut collision = Collision::new(RATE, capacity);
    collision.set_resolution(Resolution { substeps_per_contact: substeps, coarsest_level: 0 });
    let shape = |n: usize| (0.36 * std::f64::consts::PI * n as f64).sin() * (2.0 / 0.4f64).sqrt();
    let weights: Vec<f64> = (1..=MODES).map(|n| -shape(n)).collect();
    let law = Law::hunt_crossley(2e9, 1.5, 0.15);
    collision.set_body((1..=MODES).map(|n| Mode::heard_at(110.0 * n as f64, 2.0 + n as f64)));
    Case::new(name, move || {
        let (mut nanoseconds, mut samples, mut substeps) = (0.0, 0, 0);
        for _ in 0..STRIKES {
            collision.damp(0.0);
            let hit = Hit { law, mass: 0.02, velocity: 1.0, tether: Mode::RIGID, weights: &weights };
            let hammer = collision.strike(hit).expect("the last hammer has been taken away");
            let (since, mut ended) = (Instant::now(), false);
            while !ended {
                substeps += collision.step(256, &mut |_, substep| ended |= substep.ended).substeps;
                samples += 1;
            }
            nanoseconds += since.elapsed().as_secs_f64() * 1e9;
            collision.lift(hammer);
        }
        nanoseconds / if per == Per::Sample { samples as f64 } else { f64::from(substeps) }
    })
}

/// A string of 64 modes retuned, up to the table of its next sample: nanoseconds a mode.
fn retuning(name: &'static str) -> Case {
    const MODES: usize = 64;
    const TIMES: usize = 256;
    let body = Body::prepare(BodyRequest::new(BodyKind::String, MODES), &[], &[]);
    let mut pitch = Pitch::new(110.0, Build::default(), |knob| knob.knob().default);
    pitch.inharmonicity = 1e-4;
    let mut modes = [Mode::RIGID; MODES];
    let mut collision = Collision::new(RATE, Capacity { modes: MODES, strikers: 1, striker_modes: 1, levels: 6 });
    collision.set_body(body.modes(MODES, &pitch, RATE, &mut modes).iter().copied());
    Case::new(name, move || {
        let since = Instant::now();
        for bend in 0..TIMES {
            pitch.lowest = 110.0 + 0.01 * bend as f64;
            collision.retune(body.modes(MODES, &pitch, RATE, &mut modes).iter().copied());
            black_box(collision.ring_parts());
        }
        per_sample(since, TIMES * MODES)
    })
}

/// What sixteen keys do while they are timed.
#[derive(Clone, Copy, PartialEq)]
enum Sixteen {
    Ring,
    /// A hammer of each is pressed against its body.
    Held,
    /// They ring and turn into bars.
    Morph,
}

/// Sixteen keys of 64 modes each, P = 8: a sample of all together, from the bodies to the two outputs.
fn sixteen(name: &'static str, what: Sixteen) -> Case {
    let mut patch = Patch::default();
    for (knob, value) in [
        (KnobId::Body, 0.0),
        (KnobId::MorphTo, if what == Sixteen::Morph { 2.0 } else { 0.0 }),
        (KnobId::Modes, 64.0),
        (KnobId::Decay, 200.0),
        (KnobId::Loss, 0.0),
        (KnobId::Viscosity, 0.0),
        (KnobId::Quality, 0.0),
        (KnobId::PressureTarget, TARGETS.iter().position(|target| *target == "Hold").expect("a target of pressure") as f64),
        (KnobId::PressureAmount, 1.0),
    ] {
        patch.settings.set(knob, value);
    }
    let mut engine = Engine::new(Config::at(RATE), &patch);
    let (mut left, mut right) = ([0.0f32; BLOCK], [0.0f32; BLOCK]);
    // 64 partials of 196 Hz end at 12.5 kHz
    for key in 40..56 {
        let note = NoteId { key, ..NoteId::default() };
        engine.event(&Event::NoteOn { note, velocity: if what == Sixteen::Held { 0.1 } else { 0.8 } });
        if what == Sixteen::Held {
            engine.event(&Event::Express { note, what: Expression::Pressure, value: 0.7 });
        }
    }
    for _ in 0..RATE as usize / BLOCK {
        engine.render(&mut left, &mut right, [&[]; 2]);
    }
    let mut blocks = 0;
    Case::new(name, move || {
        let since = Instant::now();
        for _ in 0..SAMPLES / BLOCK {
            if what == Sixteen::Morph {
                blocks += 1;
                engine.event(&Event::Set { knob: KnobId::Morph, value: 0.5 + 0.4 * f64::from(blocks).sin() });
            }
            engine.render(black_box(&mut left), &mut right, [&[]; 2]);
        }
        let cost = per_sample(since, SAMPLES);
        assert_eq!(engine.sounding(), 16, "all have to sound");
        cost
    })
}

/// What is timed of a linear contact.
#[derive(Clone, Copy, PartialEq)]
enum Linear {
    Build,
    Step,
}

/// A linear contact on a body of `modes` modes: the search for its eigenvectors, which a new hammer or a moved contact point asks for,
/// or one sample with the compression read.
fn linear(name: &'static str, modes: usize, what: Linear) -> Case {
    let shape = |n: usize| (0.36 * std::f64::consts::PI * n as f64).sin() * (2.0 / 0.4f64).sqrt();
    let highest = 19_000.0 / modes as f64;
    let all: Vec<Mode> =
        (0..=modes).map(|n| if n == 0 { Mode::RIGID } else { Mode::heard_at(highest * n as f64, 2.0 + n as f64) }).collect();
    let mut weights: Vec<f64> = (0..=modes).map(|n| -shape(n)).collect();
    weights[0] = 1.0 / 0.02f64.sqrt();
    let mut basis = ContactBasis::new(modes + 1);
    assert!(basis.build(&all, &weights, 1e6, 10.0, 1.0 / RATE));
    let (rest, push) = (vec![0.0; modes + 1], vec![0.0; modes + 1]);
    let rounds = if what == Linear::Build { 200 / modes + 1 } else { SAMPLES };
    Case::new(name, move || {
        basis.load(&rest, &weights, &push, 0.0);
        let since = Instant::now();
        for _ in 0..rounds {
            if what == Linear::Build {
                black_box(basis.build(&all, &weights, 1e6, 10.0, 1.0 / RATE));
            } else {
                basis.step();
                black_box(basis.motion());
            }
        }
        per_sample(since, rounds)
    })
}

fn main() {
    let mut cases = vec![
        yardstick(),
        ringing("ringing_64", 64, &[]),
        ringing("ringing_256", 256, &[]),
        ringing("rattle_far_64", 64, &FAR),
        ringing("rattle_near_64", 64, &NEAR),
        ringing("rattle_lying_64", 64, &LYING),
        ringing("rattle_4x64", 64, &[LYING[0], LYING[1], (KnobId::RattleCount, 4.0)]),
        sixteen("ringing_16x64", Sixteen::Ring),
        sixteen("held_16x64", Sixteen::Held),
        sixteen("morph_16x64", Sixteen::Morph),
        contact("contact_64_p8", 8.0, Per::Sample),
        contact("contact_64_p16", 16.0, Per::Sample),
        contact("contact_64_p32", 32.0, Per::Sample),
        contact("substep_64_p32", 32.0, Per::Substep),
        retuning("retune_64"),
        linear("basis_3", 3, Linear::Build),
        linear("basis_16", 16, Linear::Build),
        linear("basis_64", 64, Linear::Build),
        linear("basis_200", 200, Linear::Build),
        linear("linear_3", 3, Linear::Step),
        linear("linear_16", 16, Linear::Step),
        linear("linear_64", 64, Linear::Step),
        linear("linear_200", 200, Linear::Step),
    ];
    let wanted = wanted();
    cases.retain(|case| {
        case.name == YARDSTICK || wanted.is_empty() || wanted.iter().any(|part| case.name.contains(part.as_str()))
    });
    for _ in 0..ROUNDS {
        for case in &mut cases {
            let measured = (case.round)();
            case.measured.push(measured);
        }
    }
    let yardstick = cases[0].median();
    println!("{:<16} {:>12} {:>14}", "case", "ns", "of yardstick");
    let mut entries = vec!["\"unit\": \"ns\"".to_owned(), format!("\"rounds\": {ROUNDS}")];
    for case in &cases {
        let (median, ratio) = (case.median(), case.median() / yardstick);
        println!("{:<16} {median:>12.1} {ratio:>14.2}", case.name);
        entries.push(format!("\"{}\": {median:.3}", case.name));
        entries.push(format!("\"{}_ratio\": {ratio:.4}", case.name));
    }
    if let Some(file) = file() {
        std::fs::write(&file, format!("{{\n  {}\n}}\n", entries.join(",\n  "))).expect("the file can be written");
        println!("wrote {file}");
    }
}

/// Parts of the names of the cases to run; none: all.
fn wanted() -> Vec<String> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let mut wanted = Vec::new();
    while let Some(argument) = arguments.next() {
        if argument == "--json" {
            arguments.next();
        } else {
            wanted.push(argument);
        }
    }
    wanted
}

/// The argument after `--json`.
fn file() -> Option<String> {
    std::env::args().skip_while(|argument| argument != "--json").nth(1)
}
