//! Rendering neither allocates nor frees, and the instrument stays below a limit of memory.

use crate::support::counted_memory::{calls_in, held_bytes};
use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::drive::{DriveContent, DriveSample};
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId::{
    self, Bleed, Body as BodyKnob, BodyMass, Cascade, Contact, Density, Dents, Dome, DriveChannels, DriveFrequency, DriveGain,
    DriveHighPass, DriveNotes, DriveSource, FarDistance, FarLevel, HammerMass, Hold, InstrumentY, Modes, Nonlinearity,
    OverheadLevel, PickupLeft, RestHeight, RoomDecay, RoomType, Sounding, StrikePosition, Striker, Tether, Thickness, Tune,
};
use urto_engine::params::{CONTACT_MODELS, HAMMER_TYPES};
use urto_engine::patch::Patch;
use urto_engine::patch::Zone;
use urto_engine::tuning::TuningSource;
use urto_engine::{BodySpec, Engine, EngineConfig, Event, KitPlayer, PreparedBody};
use urto_physics::eigenbasis::ContactBasis;
use urto_physics::eigenbasis::Probe;
use urto_physics::modal::Mode;

#[test]
fn rendering_neither_allocates_nor_frees() {
    assert!(calls_in(|| drop(std::hint::black_box(Box::new(1)))) > 0, "the count works");
    let mut chance = Chance::new(3);
    let mut score = chance.score(4000, 96_000);
    score.extend((0..96).map(|i| (i * 1_000, set(Striker, (i % HAMMER_TYPES.len()) as f64))));
    score.extend((0..480).map(|i| (i * 200, set(Contact, (i % CONTACT_MODELS.len()) as f64))));
    score.sort_by_key(|(frame, _)| *frame);
    let drive: Vec<f32> = (0..480).map(|_| chance.part() as f32 - 0.5).collect();
    let mut engine = engine(RATE, &[]);
    let mut bodies: Vec<_> =
        [(BodyKind::String, None), (BodyKind::Modes, Some(BodyKind::Plate)), (BodyKind::Kettle, Some(BodyKind::Bar))]
            .into_iter()
            .map(|(kind, to)| Some(PreparedBody::prepare(BodySpec { to, ..BodySpec::new(kind, 256) }, &[], &[])))
            .collect();
    let mut returned = Vec::with_capacity(bodies.len());
    let zone = |keys| Zone { choke: 1, ..Zone::new(&Patch::default(), keys) };
    let kit = Patch { zones: vec![zone((0, 60)), zone((50, 127))], ..Patch::default() };
    let mut players = [None, Some(KitPlayer::of(&kit, RATE))];
    let mut gone = Vec::with_capacity(200);
    let (mut left, mut right) = (vec![0.0; 480], vec![0.0; 480]);
    let tunings =
        ["just", "pelog"].map(|scale| TuningSource { scale: scale.into(), ..TuningSource::default() }.tuning().unwrap());
    let mut events = score.iter().peekable();
    let calls = calls_in(|| {
        for block in 0..200 {
            while let Some((_, event)) = events.next_if(|(frame, _)| *frame < block * 480) {
                engine.event(event);
            }
            if block % 60 == 30 {
                returned.push(engine.queue_body(bodies[block / 60].take().unwrap()));
            }
            if let Some(player) = players[usize::from(block % 100 == 20)].take() {
                // for half of the time zones play
                gone.push(engine.install_kit(player));
            }
            if block == 70 {
                gone.push(engine.install_kit(None));
            }
            if block % 7 == 0 {
                engine.event(&set(Sounding, (block / 7 % 2) as f64));
                engine.tune(&tunings[block % 2].into());
            }
            engine.render(&mut left, &mut right, [&drive, &drive]);
            engine.take_hit();
            engine.take_meters();
            engine.next_ended();
        }
        engine.reset();
    });
    assert_eq!(calls, 0);
}

/// Calls of the allocator while keys of `patch` are struck, `params` move in turn every `interval` blocks, and a kit is replaced.
fn calls_of_performance(patch: &Patch, interval: usize, params: &[ParamId]) -> u64 {
    let mut engine = Engine::new(EngineConfig::at(RATE), patch);
    let mut player = Some(KitPlayer::of(patch, RATE));
    let mut gone = Vec::with_capacity(4);
    let (mut left, mut right) = ([0.0; 441], [0.0; 441]);
    let mut chance = Chance::new(4);
    // reading the tier allocates
    let blocks = size(120, 200);
    calls_in(|| {
        for block in 0..blocks {
            if block % 3 == 0 {
                engine.event(&on(35 + chance.below(25) as u8, 1 + chance.below(127) as u8));
            }
            if block % interval == 0 {
                let param = params[block / interval % params.len()];
                engine.event(&set(param, chance.value(param.spec())));
            }
            if block == 100
                && let Some(player) = player.take()
            {
                gone.push(engine.install_kit(player));
            }
            engine.render(&mut left, &mut right, [&[], &[]]);
        }
        engine.reset();
    })
}

fn pedal_kit() -> Patch {
    urto_engine::patch::factory_presets::all().find(|patch| patch.name == "Pedal Kit").unwrap()
}

/// A kit whose zones answer to each other, and strings that answer to each other, while parameters move.
#[test]
fn answers_neither_allocate_nor_free() {
    for patch in [pedal_kit(), patch(&[(BodyKnob, 0.0), (Modes, 64.0)])] {
        assert_eq!(calls_of_performance(&patch, 5, &[Bleed, Tune, BodyMass, PickupLeft, Bleed]), 0, "{}", patch.name);
    }
}

/// Rooms and positions of microphones and instrument that change.
#[test]
fn rooms_neither_allocate_nor_free() {
    let params = [RoomType, OverheadLevel, FarDistance, RoomDecay, InstrumentY, FarLevel];
    assert_eq!(calls_of_performance(&pedal_kit(), 4, &params), 0);
}

/// Bodies with tension or a potential that are struck, ring, rest and change.
#[test]
fn stiffening_bodies_neither_allocate_nor_free() {
    for kind in [
        BodyKind::Head,
        BodyKind::TwoHeadedDrum,
        BodyKind::SupportedPlate,
        BodyKind::Plate,
        BodyKind::ClampedPlate,
        BodyKind::Disc,
    ] {
        let plate = [(BodyMass, 0.03), (Modes, 64.0), (Nonlinearity, 1.0), (Dome, 2.0), (Dents, 0.5)];
        let params = [&[(BodyKnob, kind as usize as f64)], &plate[..]].concat();
        let mut engine = engine(RATE, &params);
        let (mut left, mut right) = ([0.0; 441], [0.0; 441]);
        let (mut chance, blocks) = (Chance::new(9), size(50, 200));
        let calls = calls_in(|| {
            for block in 0..blocks {
                if block % 5 == 0 {
                    engine.event(&on(50 + (block / 5) as u8, 1 + chance.below(127) as u8));
                }
                if block % 7 == 0 {
                    let param = [Nonlinearity, BodyMass, Tune][block / 7 % 3];
                    engine.event(&set(param, chance.value(param.spec())));
                }
                engine.render(&mut left, &mut right, [&[], &[]]);
            }
            engine.reset();
        });
        assert_eq!(calls, 0, "{kind:?}");
    }
}

/// Every source, with a recording, in stereo, while params and the tempo move.
#[test]
fn the_drive_neither_allocates_nor_frees() {
    let sample = DriveSample::new("steps", 48e3, &[0.5, 1.0, -1.0, 0.25]).map(Into::into);
    let params = [(DriveGain, 50.0), (DriveChannels, 1.0), (Modes, 32.0)];
    let patch = Patch { drive_content: DriveContent { sample, ..DriveContent::default() }, ..patch(&params) };
    let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
    let (mut left, mut right) = ([0.0; 441], [0.0; 441]);
    let drive: Vec<f32> = (0..441).map(|i| (i as f32 * 0.1).sin()).collect();
    let turned = [Tether, RestHeight, Hold, DriveHighPass, DriveFrequency, DriveNotes, HammerMass, DriveGain];
    let mut chance = Chance::new(8);
    let calls = calls_in(|| {
        for block in 0..280 {
            engine.event(&set(DriveSource, (block / 40) as f64));
            let param = turned[block % turned.len()];
            engine.event(&set(param, chance.value(param.spec())));
            engine.event(&Event::Tempo { tempo: 100.0 + block as f64, beat: None });
            if block % 9 == 0 {
                engine.event(&on(50 + (block % 20) as u8, 80));
            }
            engine.render(&mut left, &mut right, [&drive, &drive]);
            engine.take_trace().for_each(drop);
        }
        engine.reset();
    });
    assert_eq!(calls, 0);
}

/// The search for the eigenvectors of a linear contact, also where it takes its longest way: doublets, overdamped modes.
#[test]
fn linear_contacts_start_and_run_without_allocation() {
    const MODES: usize = 65;
    let mut chance = Chance::new(4);
    let (mut basis, mut probe) = (ContactBasis::new(MODES), Probe::new(MODES));
    let (mut q, mut v, push) = ([0.0; MODES], [1e-3; MODES], [0.1; MODES]);
    let mut most = 0;
    for round in 0..40 {
        let mut modes = [Mode::RIGID; MODES];
        let mut weights = [7.0; MODES];
        for i in 1..MODES {
            let omega = 400.0 * i as f64 * (1.0 + chance.part());
            let sigma = omega * if round % 2 == 0 { 1e-3 } else { 2.0 * chance.part() };
            modes[i] = if chance.part() < 0.1 { modes[i - 1] } else { Mode { omega, sigma } };
            weights[i] = if chance.part() < 0.1 { 0.0 } else { 10.0 * chance.part() - 5.0 };
        }
        let calls = calls_in(|| {
            assert!(basis.build(&modes, &weights, 1e6, 20.0, 1.0 / RATE));
            basis.aim_probe(&mut probe, &weights);
            basis.load(&q, &v, &push, 0.0);
            basis.step();
            basis.advance(0.3 / RATE);
            basis.read_probe(&probe);
            basis.store(&mut q, &mut v);
        });
        assert_eq!(calls, 0);
        most = most.max(basis.sweeps());
    }
    assert!(most > 24, "the longer way has been gone");
}

/// An instrument of 64 bodies of 256 modes: built, and all 128 keys played in turn. 64 of them sound together, each
/// with room for 16 hammers that bend; the others were stolen, and the last of these still fade. 1 MB of it is for the paths of microphones and of the largest room. The tables that a process builds once for all
/// its instruments (rough surfaces, 262 kB) are counted apart, so that the figure does not depend on the order of tests.
#[test]
fn all_keys_of_256_modes_take_less_than_12_megabytes() {
    let config = EngineConfig { sample_rate: RATE, voices: 64, modes: 256 };
    let without = held_bytes();
    drop(Engine::new(EngineConfig { voices: 1, ..config }, &Patch::default()));
    let before = held_bytes();
    let shared = (before - without) as f64 * 1e-6;
    let mut engine = Engine::new(config, &patch(&[(Modes, 256.0), (BodyKnob, 0.0)]));
    for key in 0..128 {
        engine.event(&on(key, 100));
        play(&mut engine, 16);
    }
    assert_eq!(engine.active_voices(), 64 + 16, "as many as there are, and stolen ones that fade");
    let megabytes = (held_bytes() - before) as f64 * 1e-6;
    println!("{megabytes:.3} MB, and {shared:.3} MB for all instruments");
    assert!(megabytes > 1.0 && megabytes < 12.0, "{megabytes} MB");
    assert!(shared < 0.3, "{shared} MB");
}

/// Dense bodies with the cascade on: notes, moving pickups, pitch and pruning allocate nothing. The room of a voice for its field.
#[test]
fn dense_bodies_allocate_when_built_only() {
    let disc = BodyKind::Disc as usize as f64;
    let params = [(Density, 1.0), (Cascade, 1e3), (BodyKnob, disc), (Thickness, 0.9e-3), (BodyMass, 1.2856), (Modes, 16.0)];
    let before = held_bytes();
    let mut engine = Engine::new(EngineConfig { voices: 16, ..EngineConfig::at(RATE) }, &patch(&params));
    let (body, held) = (PreparedBody::of(&patch(&params)), held_bytes() - before);
    let per_voice = held as f64 / 24.0;
    println!("{} partials, {:.0} kB a voice with its share of hammers and bodies", body.partials(), per_voice * 1e-3);
    assert!(per_voice < 1.4e6, "{per_voice}");
    let mut sound = Sound { left: vec![0.0; 480], right: vec![0.0; 480] };
    let calls = calls_in(|| {
        for round in 0..60_u8 {
            engine.event(&on(48 + round % 5, 40 + round));
            engine.event(&set(PickupLeft, f64::from(round) / 60.0));
            engine.event(&set(Tune, f64::from(round % 3)));
            engine.event(&set(Cascade, if round % 4 == 0 { 0.1 } else { 1e3 }));
            engine.render(&mut sound.left, &mut sound.right, [&[], &[]]);
        }
    });
    assert!(calls == 0 && sound.peak() > 0.0, "{calls} calls");
}

/// Hammers that strike and lean through linear contacts, which are lent what plays them, while pickups and body move.
#[test]
fn exact_contacts_are_reused_without_allocation() {
    let mut engine = Engine::new(EngineConfig::at(RATE), &patch(&[(Contact, 2.0), (Hold, 20.0), (Modes, 64.0), (BodyKnob, 0.0)]));
    let (mut left, mut right) = ([0.0; 480], [0.0; 480]);
    let mut exact_blocks = 0;
    let calls = calls_in(|| {
        for block in 0..120_usize {
            match block % 12 {
                0 => engine.event(&on(45 + (block / 24) as u8, 60)),
                5 => engine.event(&set(PickupLeft, 0.1 + 0.005 * block as f64)),
                8 if block % 24 == 8 => engine.event(&set(StrikePosition, 0.1 + 0.005 * block as f64)),
                9 if block % 24 == 9 => engine.event(&Event::ChokeAll),
                _ => (),
            }
            let before = engine.cost_totals();
            engine.render(&mut left, &mut right, [&[]; 2]);
            let spent = engine.cost_totals();
            let frames = spent.frames - before.frames;
            exact_blocks += u32::from(frames >= 480 && spent.substeps - before.substeps == frames);
        }
        engine.reset();
    });
    assert_eq!(calls, 0);
    assert!(exact_blocks > 4, "{exact_blocks} blocks in which all are played exactly");
}
