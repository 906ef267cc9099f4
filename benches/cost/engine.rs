//! Whole engines, from the bodies to the two outputs.

use std::hint::black_box;

use urto_engine::event::{Event, NoteId};
use urto_engine::params::BodyKind;
use urto_engine::params::{MOD_TARGETS, ParamId};
use urto_engine::patch::{ListedMode, Patch};
use urto_engine::{BodySpec, Engine, EngineConfig, Expression, PreparedBody};

use super::RATE;
use super::case::Case;

/// Frames that are rendered at once.
pub const BLOCK: usize = 64;

/// A stop that the string never reaches.
pub const FAR: [(ParamId, f64); 2] = [(ParamId::Rattle, 1.0), (ParamId::RattleGap, 0.01)];
/// One that it may reach and does not.
pub const NEAR: [(ParamId, f64); 3] = [(ParamId::Rattle, 1.0), (ParamId::RattleGap, 1.5e-3), (ParamId::RattlePosition, 0.5)];
/// Something that lies on it.
pub const LYING: [(ParamId, f64); 2] = [(ParamId::Rattle, 2.0), (ParamId::RattlePress, 20.0)];
/// Four of these.
pub const CROWD: [(ParamId, f64); 3] = [LYING[0], LYING[1], (ParamId::RattleCount, 4.0)];

/// An engine, and where it renders to.
pub struct Played {
    /// It plays.
    pub engine: Engine,
    left: [f32; BLOCK],
    right: [f32; BLOCK],
}

impl Played {
    /// At rest.
    pub fn new(patch: &Patch) -> Self {
        Self::built(EngineConfig::at(RATE), patch)
    }

    fn built(config: EngineConfig, patch: &Patch) -> Self {
        Self { engine: Engine::new(config, patch), left: [0.0; BLOCK], right: [0.0; BLOCK] }
    }

    /// The next block.
    pub fn block(&mut self) {
        self.engine.render(black_box(&mut self.left), &mut self.right, [&[]; 2]);
    }

    /// The block rendered last, left and right.
    #[cfg(feature = "plugin")]
    pub fn sound(&self) -> [&[f32]; 2] {
        [&self.left, &self.right]
    }

    /// The next second.
    pub fn second(&mut self) {
        (0..RATE as usize / BLOCK).for_each(|_| self.block());
    }

    /// A note begins on `key`.
    pub fn strike(&mut self, key: u8, velocity: f64) {
        self.engine.event(&Event::NoteOn { note: NoteId { key, ..NoteId::default() }, velocity });
    }

    /// Blocks that are rendered while `sounding` bodies sound.
    fn blocks(
        mut self,
        key: &'static str,
        blocks: usize,
        sounding: usize,
        mut before: impl FnMut(&mut Engine) + 'static,
    ) -> Case {
        Case::new(key, move |clock| {
            clock.lap(|| {
                for _ in 0..blocks {
                    before(&mut self.engine);
                    self.block();
                }
                blocks * BLOCK
            });
            assert_eq!(self.engine.sounding(), sounding, "{key}: all have to sound");
        })
    }
}

/// The default patch with other knobs.
pub fn patch(knobs: &[(ParamId, f64)]) -> Patch {
    let mut patch = Patch::default();
    knobs.iter().for_each(|&(knob, value)| patch.settings.set(knob, value));
    patch
}

/// A string of `modes` modes that rings for minutes.
fn string(modes: usize, more: &[(ParamId, f64)]) -> Patch {
    let knobs = [
        (ParamId::Body, 0.0),
        (ParamId::Modes, modes as f64),
        (ParamId::Decay, 200.0),
        (ParamId::Loss, 0.0),
        (ParamId::Viscosity, 0.0),
    ];
    patch(&[&knobs, more].concat())
}

/// Nothing sounds.
pub fn empty(key: &'static str) -> Case {
    Played::new(&Patch::default()).blocks(key, 64, 0, |_| {})
}

/// A string of `modes` modes that rings after its hammer has left. `knobs` go beside the string's own.
pub fn ringing(key: &'static str, modes: usize, knobs: &[(ParamId, f64)]) -> Case {
    let mut played = Played::new(&string(modes, knobs));
    // 256 partials of 55 Hz end at 14 kHz
    played.strike(33, 0.8);
    played.second();
    played.blocks(key, 16, 1, |_| {})
}

/// A string of 64 modes that rings, and all others of `bodies` bodies sleep.
pub fn beside(key: &'static str, bodies: usize) -> Case {
    let mut played = Played::built(EngineConfig { voices: bodies, ..EngineConfig::at(RATE) }, &string(64, &[]));
    played.strike(33, 0.8);
    played.second();
    played.blocks(key, 16, 1, |_| {})
}

/// `bodies` bodies of `modes` modes each that ring.
pub fn many(key: &'static str, bodies: u8, modes: usize) -> Case {
    let mode = |n: usize| ListedMode { ratio: 1.0 + 0.005 * n as f64, decay: None, mass: 1.0, shape: Default::default() };
    let list: Vec<_> = (0..modes).map(mode).collect();
    let mut played = Played::built(EngineConfig { modes, ..EngineConfig::at(RATE) }, &string(modes, &[]));
    let body = PreparedBody::prepare(BodySpec::new(BodyKind::Modes, modes), &list, &[]);
    assert!(played.engine.queue_body(body).is_ok(), "there is room for a body");
    for key in 0..bodies {
        played.strike(32 + key, 0.5);
        played.block();
    }
    played.second();
    played.blocks(key, 1, bodies.into(), |_| {})
}

/// What many keys do while they are timed.
#[derive(Clone, Copy, PartialEq)]
pub enum Doing {
    /// They ring.
    Ringing,
    /// A hammer of each is pressed against its body.
    Held,
    /// The same through a linear contact, which is played exactly.
    Leaning,
    /// They ring and turn into bars.
    Morphing,
}

/// So many keys of 64 modes each, at the quality with that number and a sample rate [Hz].
pub fn keys(key: &'static str, (keys, quality): (u8, f64), rate: f64, doing: Doing) -> Case {
    let hold = MOD_TARGETS.iter().position(|target| *target == "Hold").expect("a target of pressure");
    let held = matches!(doing, Doing::Held | Doing::Leaning);
    let patch = string(
        64,
        &[
            (ParamId::MorphTo, if doing == Doing::Morphing { 2.0 } else { 0.0 }),
            (ParamId::Quality, quality),
            (ParamId::PressureTarget, hold as f64),
            (ParamId::PressureAmount, 1.0),
            (ParamId::Contact, if doing == Doing::Leaning { 2.0 } else { 0.0 }),
        ],
    );
    let mut played = Played::built(EngineConfig::at(rate), &patch);
    // 64 partials of 124 Hz end at 8 kHz
    let lowest = 48_u8.saturating_sub(keys);
    for key in lowest..lowest + keys {
        played.strike(key, if held { 0.1 } else { 0.8 });
        if held {
            let note = NoteId { key, ..NoteId::default() };
            played.engine.event(&Event::NoteExpression { note, what: Expression::Pressure, value: 0.7 });
        }
    }
    played.second();
    if doing == Doing::Leaning {
        let before = played.engine.spent().substeps;
        played.block();
        assert_eq!(played.engine.spent().substeps - before, u64::from(keys) * BLOCK as u64, "one step a sample");
    }
    let mut blocks = 0;
    played.blocks(key, 4, keys.into(), move |engine| {
        if doing == Doing::Morphing {
            blocks += 1;
            engine.event(&Event::Set { knob: ParamId::Morph, value: 0.5 + 0.4 * f64::from(blocks).sin() });
        }
    })
}
