//! An engine with a few parameters set, scores for it, and measurements of its sound.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use urto_engine::params::{PER_NOTE_PARAMS, ParamId, ParamSpec, Scale};
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, Expression, NoteId};

use crate::tier::repetitions;

/// Sample rate of tests that do not depend on it [Hz].
pub const RATE: f64 = 48e3;

/// Bits of both channels.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sound {
    pub left: Vec<f32>,
    pub right: Vec<f32>,
}

impl Sound {
    pub fn peak(&self) -> f64 {
        self.left.iter().chain(&self.right).fold(0.0, |peak, x| f64::from(x.abs()).max(peak))
    }

    pub fn energy(&self) -> f64 {
        self.left.iter().chain(&self.right).map(|x| f64::from(*x).powi(2)).sum()
    }

    /// Level of the difference of both sides over that of their sum [dB].
    pub fn side_over_mid(&self) -> f64 {
        let power = |sign: f64| -> f64 {
            self.left.iter().zip(&self.right).map(|(l, r)| (f64::from(*l) + sign * f64::from(*r)).powi(2)).sum()
        };
        10.0 * (power(-1.0) / power(1.0)).log10()
    }
}

pub fn note(key: u8) -> NoteId {
    NoteId { voice: None, channel: 0, key }
}

pub fn on(key: u8, velocity: u8) -> Event {
    Event::NoteOn { note: note(key), velocity: f64::from(velocity) / 127.0 }
}

pub fn off(key: u8) -> Event {
    Event::NoteOff { note: note(key), velocity: 0.5 }
}

pub fn set(param: ParamId, value: f64) -> Event {
    Event::Set { param, value }
}

/// A patch with `params` set to other values than their defaults.
pub fn patch(params: &[(ParamId, f64)]) -> Patch {
    let mut patch = Patch::default();
    for &(param, value) in params {
        patch.settings.set(param, value);
    }
    patch
}

pub fn engine(rate: f64, params: &[(ParamId, f64)]) -> Engine {
    Engine::new(EngineConfig::at(rate), &patch(params))
}

/// The next `frames` frames.
pub fn play(engine: &mut Engine, frames: usize) -> Sound {
    play_driven(engine, frames, &[])
}

/// Time [s] until an instrument with these parameters sleeps after a short hard strike; its note has ended by then.
pub fn seconds_until_sleep(params: &[(ParamId, f64)]) -> f64 {
    let mut engine = engine(RATE, params);
    engine.event(&on(60, 120));
    engine.event(&off(60));
    let mut seconds = 0.0;
    while engine.active_voices() > 0 {
        play(&mut engine, 480);
        seconds += 0.01;
        assert!(seconds < 20.0, "it never sleeps");
    }
    assert_eq!(engine.next_ended(), Some(note(60)));
    seconds
}

/// The next `frames` frames with a side-chain.
pub fn play_driven(engine: &mut Engine, frames: usize, drive: &[f32]) -> Sound {
    let mut sound = Sound { left: vec![f32::NAN; frames], right: vec![f32::NAN; frames] };
    engine.render(&mut sound.left, &mut sound.right, [drive, &[]]);
    sound
}

/// A score: events in order of their frames, played in blocks of the given lengths (repeated as needed). `drive` is empty or as
/// long as the piece.
pub fn perform(engine: &mut Engine, score: &[(usize, Event)], frames: usize, blocks: &[usize], drive: &[f32]) -> Sound {
    let mut sound = Sound::default();
    let (mut events, mut blocks) = (score.iter().peekable(), blocks.iter().cycle());
    while sound.left.len() < frames {
        let here = sound.left.len();
        let end = (here + blocks.next().copied().unwrap_or(frames)).min(frames);
        let mut at = here;
        while at < end {
            while let Some((_, event)) = events.next_if(|(frame, _)| *frame <= at) {
                engine.event(event);
            }
            let next = events.peek().map_or(end, |(frame, _)| (*frame).min(end));
            let part = play_driven(engine, next - at, drive.get(at..next).unwrap_or(&[]));
            sound.left.extend(part.left);
            sound.right.extend(part.right);
            at = next;
        }
    }
    sound
}

/// Asserts that the sound of `score`, timed events, over `frames` frames is the same to the last bit in blocks of any of these lengths, repeated,
/// and that it is not silent. An emulator plays the first [`repetitions`] of the frames.
pub fn assert_same_in_blocks(params: &[(ParamId, f64)], score: &[(usize, Event)], frames: usize, lengths: &[&[usize]]) {
    let frames = repetitions(frames);
    let whole = perform(&mut engine(RATE, params), score, frames, &[frames], &[]);
    assert!(whole.peak() > 1e-3);
    for blocks in lengths {
        let split = perform(&mut engine(RATE, params), score, frames, blocks, &[]);
        let first = (0..frames).find(|&i| split.left[i] != whole.left[i] || split.right[i] != whole.right[i]);
        assert_eq!(first, None, "{params:?}, blocks {blocks:?}");
    }
}

/// Asserts that an engine which has played `score` for `frames` frames plays it after a reset as a new one. An emulator plays the first
/// [`repetitions`] of them.
pub fn assert_reset_restores(params: &[(ParamId, f64)], score: &[(usize, Event)], frames: usize) {
    let frames = repetitions(frames);
    let mut played = engine(RATE, params);
    perform(&mut played, score, frames, &[480], &[]);
    let settings = patch(params).settings;
    for &param in ParamId::ALL {
        played.event(&set(param, settings.get(param)));
    }
    played.reset();
    assert!(played.is_asleep());
    let again = perform(&mut played, score, frames, &[480], &[]);
    let new = perform(&mut engine(RATE, params), score, frames, &[480], &[]);
    assert!(again == new);
}

/// Seeded chance.
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// 0 to 1.
    pub fn part(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    /// A value of a param, spread over its travel.
    pub fn value(&mut self, param: &ParamSpec) -> f64 {
        let (low, high, part) = (param.min, param.max, self.part());
        match param.scale {
            Scale::Logarithmic => low * (high / low).powf(part),
            Scale::Cubic => low + (high - low) * part.powi(3),
            _ => low + (high - low) * part,
        }
    }

    /// An event as a busy and careless host may send it.
    pub fn event(&mut self) -> Event {
        let note = NoteId { voice: None, channel: 0, key: self.below(128) as u8 };
        match self.below(16) {
            0..4 => Event::NoteOn { note, velocity: self.part() },
            4..7 => Event::NoteOff { note, velocity: 0.5 },
            7 if self.below(4) == 0 => Event::Choke { note },
            8 if self.below(16) == 0 => Event::ChokeAll,
            9 | 10 => self.gesture(note),
            _ => {
                let param = ParamId::ALL[self.below(ParamId::ALL.len())];
                Event::Set { param, value: self.value(param.spec()) }
            }
        }
    }

    /// What hands and hosts do beside striking.
    fn gesture(&mut self, note: NoteId) -> Event {
        let (channel, value) = (self.below(16) as u8, self.part());
        match self.below(6) {
            0 => Event::Controller { channel, number: self.below(128) as u8, value },
            1 => Event::Bend { channel, value: 2.0 * value - 1.0 },
            2 => Event::Pressure { channel, value },
            3 => Event::NoteExpression {
                note,
                what: Expression::ALL[self.below(Expression::ALL.len())],
                value: value * if self.below(2) == 0 { 1.0 } else { 9.0 },
            },
            4 => Event::NoteModulation {
                note,
                param: PER_NOTE_PARAMS[self.below(PER_NOTE_PARAMS.len())],
                travel: 2.0 * value - 1.0,
            },
            _ => Event::TransportRestart,
        }
    }

    /// So many events, in order, within so many frames.
    pub fn score(&mut self, events: usize, frames: usize) -> Vec<(usize, Event)> {
        let mut score: Vec<_> = (0..events).map(|_| (self.below(frames), self.event())).collect();
        score.sort_by_key(|(frame, _)| *frame);
        score
    }
}
