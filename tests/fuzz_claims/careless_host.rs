//! A host that follows no rule, made from bytes.

use arbitrary::{Result, Unstructured};
use urto_engine::params::{ParamId, Scale};
use urto_engine::patch::Patch;
use urto_engine::patch::factory_presets;
use urto_engine::{CEILING, Engine, EngineConfig, Event, Expression, NoteId};

use crate::claims::BALANCE;

/// Most frames of a performance.
const MOST_FRAMES: usize = 4_096;
/// Most events of a performance.
const MOST_EVENTS: usize = 256;
const RATES: [f64; 6] = [8e3, 22.05e3, 44.1e3, 48e3, 96e3, 192e3];

/// An engine whose every sample is looked at.
pub struct Listener {
    engine: Engine,
    sound: [Vec<f32>; 2],
    drive: Vec<f32>,
}

impl Listener {
    /// Hears `engine`, and books its energy.
    pub fn new(mut engine: Engine) -> Self {
        engine.enable_energy_balance();
        Self { engine, sound: Default::default(), drive: Vec::new() }
    }

    /// Hands an event on.
    pub fn tell(&mut self, event: &Event) {
        self.engine.event(event);
    }

    /// Renders `frames` with `drive` on the side-chain. Panics where a sample is no number or too large, or the ledger does not balance.
    pub fn hear(&mut self, frames: usize, drive: f32) {
        self.sound.iter_mut().for_each(|channel| channel.resize(frames, f32::NAN));
        self.drive.clear();
        self.drive.resize(frames, drive);
        let [left, right] = &mut self.sound;
        self.engine.render(left, right, [&self.drive, &[]]);
        // what is mixed in dry is cut at 16
        let most = if drive == 0.0 { CEILING } else { 16.0 + CEILING };
        let worst = left.iter().chain(right.iter()).find(|sample| !sample.is_finite() || sample.abs() > most);
        assert_eq!(worst, None, "{:?}", self.engine.settings());
        let worst = self.engine.energy_balance_report();
        assert!(worst.balance <= BALANCE && worst.unsupplied <= BALANCE, "{worst:?} {:?}", self.engine.settings());
    }
}

/// Plays any patch with any events. Errors: no more bytes.
pub fn host(chance: &mut Unstructured) -> Result<()> {
    let patch = patch(chance)?;
    let config = EngineConfig { sample_rate: *chance.choose(&RATES)?, voices: chance.int_in_range(1..=4)?, modes: 64 };
    let mut listener = Listener::new(Engine::new(config, &patch));
    let mut frames = 0;
    for _ in 0..MOST_EVENTS {
        listener.tell(&event(chance)?);
        let run = usize::from(chance.arbitrary::<u8>()?).min(MOST_FRAMES - frames);
        frames += run;
        let drive = if chance.ratio(1, 8)? { chance.arbitrary()? } else { 0.0 };
        listener.hear(run, drive);
    }
    Ok(())
}

/// One that is built in, with some params elsewhere.
fn patch(chance: &mut Unstructured) -> Result<Patch> {
    let mut patch = factory_presets::all().nth(chance.int_in_range(0..=127)?).unwrap_or_default();
    for _ in 0..chance.int_in_range(0..=40)? {
        let param = *chance.choose(ParamId::ALL)?;
        patch.settings.set(param, value(chance, param)?);
    }
    Ok(patch)
}

/// Where a param may stand: mostly in its range, now and then anywhere.
fn value(chance: &mut Unstructured, param: ParamId) -> Result<f64> {
    if chance.ratio(1, 16)? {
        return chance.arbitrary();
    }
    let param = param.spec();
    if let Scale::Choice(names) = param.scale {
        return Ok(chance.int_in_range(0..=names.len() - 1)? as f64);
    }
    Ok(param.from_normalized(f64::from(chance.arbitrary::<u16>()?) / f64::from(u16::MAX)))
}

/// 0 to 1 mostly, now and then any number.
fn part(chance: &mut Unstructured) -> Result<f64> {
    if chance.ratio(1, 16)? { chance.arbitrary() } else { Ok(f64::from(chance.arbitrary::<u8>()?) / 255.0) }
}

fn note(chance: &mut Unstructured) -> Result<NoteId> {
    Ok(NoteId { voice: chance.arbitrary()?, channel: chance.arbitrary()?, key: chance.arbitrary()? })
}

fn event(chance: &mut Unstructured) -> Result<Event> {
    let param = *chance.choose(ParamId::ALL)?;
    Ok(match chance.int_in_range(0..=15)? {
        0..4 => Event::NoteOn { note: note(chance)?, velocity: part(chance)? },
        4 => Event::NoteOff { note: note(chance)?, velocity: part(chance)? },
        5 => Event::Choke { note: note(chance)? },
        6 => Event::ChokeAll,
        7 => Event::Controller { channel: chance.arbitrary()?, number: chance.arbitrary()?, value: part(chance)? },
        8 => Event::Bend { channel: chance.arbitrary()?, value: 2.0 * part(chance)? - 1.0 },
        9 => Event::Pressure { channel: chance.arbitrary()?, value: part(chance)? },
        10 => Event::NoteExpression { note: note(chance)?, what: *chance.choose(&Expression::ALL)?, value: 4.0 * part(chance)? },
        11 => Event::NoteModulation { note: note(chance)?, param, travel: 2.0 * part(chance)? - 1.0 },
        12 => Event::TransportRestart,
        13 => Event::Tempo { tempo: 300.0 * part(chance)?, beat: chance.arbitrary()? },
        _ => Event::Set { param, value: value(chance, param)? },
    })
}
