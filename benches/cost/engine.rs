//! Whole engines, from events to the two outputs.

use std::hint::black_box;

use urto_engine::event::{Event, NoteId};
use urto_engine::params::{BodyKind, RoomType};
use urto_engine::params::{MOD_SOURCES, MOD_TARGET_IDS, MOD_TARGETS, ParamId};
use urto_engine::patch::{ListedMode, Patch, Zone};
use urto_engine::voice::FRAMES;
use urto_engine::{BodySpec, Engine, EngineConfig, Expression, PreparedBody};

use super::measurement::{Case, RATE};

/// Block size [frames].
pub const BLOCK: usize = 64;

/// A rattle obstacle out of reach of the string.
pub const RATTLE_FAR: [(ParamId, f64); 2] = [(ParamId::Rattle, 1.0), (ParamId::RattleGap, 0.01)];
/// A rattle obstacle within reach of the string, without contact.
pub const RATTLE_NEAR: [(ParamId, f64); 3] =
    [(ParamId::Rattle, 1.0), (ParamId::RattleGap, 1.5e-3), (ParamId::RattlePosition, 0.5)];
/// A rattle obstacle that rests on the string.
pub const RATTLE_RESTING: [(ParamId, f64); 2] = [(ParamId::Rattle, 2.0), (ParamId::RattlePress, 20.0)];
/// Four rattle obstacles that rest on the string.
pub const FOUR_RATTLES: [(ParamId, f64); 3] = [RATTLE_RESTING[0], RATTLE_RESTING[1], (ParamId::RattleCount, 4.0)];

/// An engine and its output buffers.
pub struct Player {
    pub engine: Engine,
    left: [f32; BLOCK],
    right: [f32; BLOCK],
}

impl Player {
    /// An engine at rest with the default configuration.
    pub fn new(patch: &Patch) -> Self {
        Self::with_config(EngineConfig::at(RATE), patch)
    }

    fn with_config(config: EngineConfig, patch: &Patch) -> Self {
        Self { engine: Engine::new(config, patch), left: [0.0; BLOCK], right: [0.0; BLOCK] }
    }

    /// Renders the next block.
    pub fn render_block(&mut self) {
        self.engine.render(black_box(&mut self.left), &mut self.right, [&[]; 2]);
    }

    /// Renders the next block with `signal` as the side-chain.
    pub fn render_driven(&mut self, signal: &[f32; BLOCK]) {
        self.engine.render(black_box(&mut self.left), &mut self.right, [signal, &[]]);
    }

    /// Left and right channel of the last block.
    #[cfg(feature = "plugin")]
    pub fn sound(&self) -> [&[f32]; 2] {
        [&self.left, &self.right]
    }

    /// Renders the next second.
    pub fn render_second(&mut self) {
        (0..RATE as usize / BLOCK).for_each(|_| self.render_block());
    }

    /// Sends a note-on.
    pub fn strike(&mut self, key: u8, velocity: f64) {
        self.engine.event(&Event::NoteOn { note: NoteId { key, ..NoteId::default() }, velocity });
    }

    /// Times `blocks` blocks per round, with a call of `before_block` in each. Panics if the engine does not have `voices` active
    /// voices after a round.
    fn into_case(
        mut self,
        key: &'static str,
        blocks: usize,
        voices: usize,
        mut before_block: impl FnMut(&mut Engine) + 'static,
    ) -> Case {
        Case::new(key, move |stopwatch| {
            stopwatch.lap(|| {
                for _ in 0..blocks {
                    before_block(&mut self.engine);
                    self.render_block();
                }
                blocks * BLOCK
            });
            assert_eq!(self.engine.active_voices(), voices, "{key}: number of active voices");
        })
    }
}

/// A crash cymbal of 18 inches and 0.9 mm with all its modes, some 1700, which exchange energy.
pub const CRASH: [(ParamId, f64); 7] = [
    (ParamId::Body, BodyKind::Disc as u8 as f64),
    (ParamId::Modes, 32.0),
    (ParamId::BodyMass, 1.3),
    (ParamId::Thickness, 0.9e-3),
    (ParamId::Density, 1.0),
    (ParamId::Cascade, 16.0),
    (ParamId::HomeKey, 60.0),
];

/// No losses but a decay time of 200 s.
const STEADY: [(ParamId, f64); 3] = [(ParamId::Decay, 200.0), (ParamId::Loss, 0.0), (ParamId::Viscosity, 0.0)];

/// `bodies` crash cymbals that ring after hard strikes, with decays so long that no mode is left out.
pub fn ringing_crashes(key: &'static str, bodies: u8) -> Case {
    let mut player = Player::new(&patch(&[&CRASH[..], &STEADY].concat()));
    (0..bodies).for_each(|n| player.strike(60 - bodies / 2 + n, 1.0));
    player.render_second();
    // every body renders once in eight blocks, 512 frames, in its turn
    player.into_case(key, FRAMES / BLOCK, usize::from(bodies), |_| {})
}

/// A hi-hat of some 900 modes on which four loose plates of 46 g rattle after every stroke, 0.05 mm away.
pub fn loose_plates(key: &'static str) -> Case {
    let plates = [
        (ParamId::BodyMass, 0.9),
        (ParamId::Thickness, 1.1e-3),
        (ParamId::Rattle, 2.0),
        (ParamId::RattleCount, 4.0),
        (ParamId::RattleGap, 5e-5),
        (ParamId::RattleMass, 0.046),
    ];
    let mut player = Player::new(&patch(&[&CRASH[..], &plates].concat()));
    let mut blocks = 0;
    player.render_block();
    player.into_case(key, 32, 1, move |engine| {
        if blocks % 32 == 0 {
            engine.event(&Event::NoteOn { note: NoteId { key: 60, ..NoteId::default() }, velocity: 0.8 });
        }
        blocks += 1;
    })
}

/// The default patch with other values of some parameters.
pub fn patch(parameters: &[(ParamId, f64)]) -> Patch {
    let mut patch = Patch::default();
    parameters.iter().for_each(|&(parameter, value)| patch.settings.set(parameter, value));
    patch
}

/// A string of `modes` modes with a decay time of 200 s. `others`: further parameters.
fn string(modes: usize, others: &[(ParamId, f64)]) -> Patch {
    let size = [(ParamId::Body, 0.0), (ParamId::Modes, modes as f64)];
    patch(&[&size[..], &STEADY, others].concat())
}

/// Sixteen ringing bars of 64 modes, each over a tube with the coupling `coupling`; at 0 without one.
pub fn bars_over_tubes(key: &'static str, coupling: f64) -> Case {
    let bar = [(ParamId::Body, BodyKind::Marimba as u8 as f64), (ParamId::Modes, 64.0), (ParamId::TubeCoupling, coupling)];
    let mut player = Player::new(&patch(&[&bar[..], &STEADY].concat()));
    (0..16).for_each(|n| player.strike(41 + n, 0.8));
    player.render_second();
    player.into_case(key, 32, 16, |_| {})
}

/// An engine without active voices.
pub fn empty(key: &'static str) -> Case {
    Player::new(&Patch::default()).into_case(key, 64, 0, |_| {})
}

/// A kit of `zones` zones with one mode each that ring, with the parameters `settings` of the kit.
fn ringing_zones(key: &'static str, zones: u8, settings: &[(ParamId, f64)]) -> Case {
    let sound = string(1, &[]);
    let zone = |n: u8| Zone { pan: 0.1 * f64::from(n) - 0.8, ..Zone::new(&sound, (40 + n, 40 + n)) };
    let mut player = Player::new(&Patch { zones: (0..zones).map(zone).collect(), ..patch(settings) });
    (0..zones).for_each(|n| player.strike(40 + n, 0.8));
    player.render_second();
    // longer rounds: the lines of a room fill a cache that other cases empty
    player.into_case(key, 64, zones.into(), |_| {})
}

/// Such a kit in a hall, with overhead and far pair.
pub fn room_stage(key: &'static str, zones: u8) -> Case {
    let room = RoomType::Hall as u8 as f64;
    ringing_zones(key, zones, &[(ParamId::OverheadLevel, 0.0), (ParamId::FarLevel, 0.0), (ParamId::RoomType, room)])
}

/// Such a kit with the close sound only.
pub fn close_zones(key: &'static str, zones: u8) -> Case {
    ringing_zones(key, zones, &[])
}

/// A string of `modes` modes that rings after the contact. `parameters` are added to those of the string.
pub fn ringing(key: &'static str, modes: usize, parameters: &[(ParamId, f64)]) -> Case {
    let mut player = Player::new(&string(modes, parameters));
    // key 33 is 55 Hz: 256 partials reach 14 kHz
    player.strike(33, 0.8);
    player.render_second();
    player.into_case(key, 16, 1, |_| {})
}

/// A ringing string of 64 modes in an engine with `bodies` bodies; the others are inactive.
pub fn one_of(key: &'static str, bodies: usize) -> Case {
    let mut player = Player::with_config(EngineConfig { voices: bodies, ..EngineConfig::at(RATE) }, &string(64, &[]));
    player.strike(33, 0.8);
    player.render_second();
    player.into_case(key, 16, 1, |_| {})
}

/// Numbers of dense bodies of a case.
pub struct Bodies {
    /// Those that are struck one after another.
    pub struck: u8,
    /// Those of them that may ring at the same time: the quietest of the others fade.
    pub ringing: u8,
}

/// Ringing bodies of `modes` modes each.
pub fn many_ringing(key: &'static str, Bodies { struck, ringing }: Bodies, modes: usize) -> Case {
    let mode = |n: usize| ListedMode { ratio: 1.0 + 0.005 * n as f64, decay: None, mass: 1.0, shape: Default::default() };
    let list: Vec<_> = (0..modes).map(mode).collect();
    let mut player = Player::with_config(EngineConfig { modes, ..EngineConfig::at(RATE) }, &string(modes, &[]));
    let body = PreparedBody::prepare(BodySpec::new(BodyKind::Modes, modes), &list, &[]);
    assert!(player.engine.queue_body(body).is_ok(), "the engine accepts the body");
    for key in 0..struck {
        player.strike(32 + key, 0.5);
        player.render_block();
    }
    player.render_second();
    player.into_case(key, 1, ringing.into(), |_| {})
}

/// Rows of the modulation matrix of a case.
#[derive(Clone, Copy, PartialEq)]
pub enum Matrix {
    /// None.
    Empty,
    /// Sixteen that move hammers, contacts and output.
    Contacts,
    /// Sixteen, five of which move pitch, losses and pickups of all bodies in every control block.
    Bodies,
}

/// Amount of all rows: so small that the contacts of all cases take the same time.
const AMOUNT: f64 = 1e-3;

/// Source and target of eleven rows that move hammers, contacts and output: sources of notes and of all voices.
const COMMON_ROWS: [(&str, &str); 11] = [
    ("velocity", "hardness"),
    ("velocity", "hammer_mass"),
    ("random", "position"),
    ("random", "stiffness"),
    ("key", "stiffness"),
    ("key", "position_across"),
    ("wheel", "mu"),
    ("macro_1", "hardness"),
    ("contact_force", "mu"),
    ("playhead", "level"),
    ("envelope_2", "stiffness"),
];
/// Five more of this kind.
const CONTACT_ROWS: [(&str, &str); 5] = [
    ("lfo_1", "hardness"),
    ("envelope_1", "mu"),
    ("lfo_2", "position"),
    ("pressure", "position_across"),
    ("contact_time", "hammer_mass"),
];
/// Five rows that move bodies.
const BODY_ROWS: [(&str, &str); 5] =
    [("lfo_1", "tune"), ("envelope_1", "decay"), ("envelope_1", "loss"), ("lfo_2", "pickup_left"), ("contact_force", "corner")];

/// Sixteen strings of 64 modes, one of which is struck every 10.7 ms.
pub fn struck(key: &'static str, matrix: Matrix) -> Case {
    let place = |names: &[&str], name: &str| names.iter().position(|other| *other == name).expect(name) as f64;
    let param = |row: usize, part: &str| ParamId::from_id(&format!("mod_{}_{part}", row + 1)).expect(part);
    let chosen = match matrix {
        Matrix::Empty => Vec::new(),
        Matrix::Contacts => [&COMMON_ROWS[..], &CONTACT_ROWS].concat(),
        Matrix::Bodies => [&COMMON_ROWS[..], &BODY_ROWS].concat(),
    };
    let rows = chosen.iter().enumerate().flat_map(|(row, (source, target))| {
        let target = place(MOD_TARGET_IDS, target);
        [(param(row, "source"), place(MOD_SOURCES, source)), (param(row, "target"), target), (param(row, "amount"), AMOUNT)]
    });
    let rows: Vec<_> = rows.chain([(ParamId::Lfo1Mode, 1.0)]).collect();
    let mut player = Player::new(&string(64, &rows));
    let mut blocks = 0;
    let strike = move |engine: &mut Engine| {
        if blocks % 8 == 0 {
            let note = NoteId { key: 32 + (blocks / 8 * 7 % 16) as u8, ..NoteId::default() };
            engine.event(&Event::NoteOn { note, velocity: 0.8 });
        }
        blocks += 1;
    };
    (0..16).for_each(|n| player.strike(32 + n, 0.8));
    player.render_second();
    player.into_case(key, 128, 16, strike)
}

/// State of the keys of a case.
#[derive(Clone, Copy, PartialEq)]
pub enum KeyState {
    /// They ring without contact.
    Ringing,
    /// A hammer is pressed against each body.
    Held,
    /// As `Held`, through a linear contact with an exact solution.
    HeldLinear,
    /// They ring and morph between string and bar.
    Morphing,
}

/// Keys of a case.
#[derive(Clone, Copy)]
pub struct Keys {
    pub count: u8,
    /// Value of the parameter Quality.
    pub quality: f64,
}

/// Keys of 64 modes each at a sample rate [Hz].
pub fn keys(key: &'static str, keys: Keys, rate: f64, state: KeyState) -> Case {
    let hold = MOD_TARGETS.iter().position(|target| *target == "Hold").expect("pressure has the target Hold");
    let held = matches!(state, KeyState::Held | KeyState::HeldLinear);
    let patch = string(
        64,
        &[
            (ParamId::MorphTo, if state == KeyState::Morphing { 2.0 } else { 0.0 }),
            (ParamId::Quality, keys.quality),
            (ParamId::PressureTarget, hold as f64),
            (ParamId::PressureAmount, 1.0),
            (ParamId::Contact, if state == KeyState::HeldLinear { 2.0 } else { 0.0 }),
        ],
    );
    let mut player = Player::with_config(EngineConfig::at(rate), &patch);
    // key 47 is 124 Hz: 64 partials reach 8 kHz
    let lowest = 48_u8.saturating_sub(keys.count);
    for key in lowest..lowest + keys.count {
        player.strike(key, if held { 0.1 } else { 0.8 });
        if held {
            let note = NoteId { key, ..NoteId::default() };
            player.engine.event(&Event::NoteExpression { note, what: Expression::Pressure, value: 0.7 });
        }
    }
    player.render_second();
    if state == KeyState::HeldLinear {
        let before = player.engine.cost_totals().substeps;
        player.render_block();
        assert_eq!(player.engine.cost_totals().substeps - before, u64::from(keys.count) * BLOCK as u64, "one substep per sample");
    }
    let mut blocks = 0;
    player.into_case(key, 4, keys.count.into(), move |engine| {
        if state == KeyState::Morphing {
            blocks += 1;
            engine.event(&Event::Set { param: ParamId::Morph, value: 0.5 + 0.4 * f64::from(blocks).sin() });
        }
    })
}
