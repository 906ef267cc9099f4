//! A hi-hat: two plates and a pedal that closes them while they ring.

use crate::support::counted_memory::calls_in;
use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId::{self, *};
use urto_engine::patch::{Patch, Zone, factory_presets};
use urto_engine::{Engine, EngineConfig, Event, KitPlayer};
use urto_fourier::{signal, spectrum};

/// A hi-hat of two plates of 14 inches.
pub(crate) const HAT: [(ParamId, f64); 24] = [
    (Body, BodyKind::HiHat as usize as f64),
    (BodyMass, 0.96),
    (Thickness, 1.1e-3),
    (Tune, -8.5),
    (DensityTune, -8.5),
    (Density, 1.0),
    (Modes, 8.0),
    (Decay, 4.0),
    (Loss, 5e-5),
    (Viscosity, 1e-9),
    (Irregularity, 0.03),
    (Specimen, 3.0),
    (Stiffness, 80.0),
    (Exponent, 1.5),
    (Damping, 0.25),
    (HammerMass, 0.015),
    (SpeedLow, 0.2),
    (SpeedHigh, 2.0),
    (StrikePosition, 0.9),
    (Radiation, 1.0),
    (Corner, 17e3),
    (PickupLeft, 0.8),
    (HiHatGap, 3e-3),
    (ParamId::Level, 0.0),
];

/// A medium stroke: a stick of 15 g at 2 m/s.
pub(super) const MEDIUM: u8 = 127;

fn hat() -> Engine {
    engine(RATE, &HAT)
}

/// The foot controller.
pub(super) fn foot(position: f64) -> Event {
    Event::Controller { channel: 0, number: 4, value: position }
}

/// A hat with other parameters.
pub(super) fn hat_with(params: &[(ParamId, f64)]) -> Engine {
    engine(RATE, &[&HAT[..], params].concat())
}

/// The next frames, both channels added.
pub(super) fn listen(engine: &mut Engine, frames: usize) -> Vec<f64> {
    let Sound { left, right } = play(engine, frames);
    left.iter().zip(&right).map(|(l, r)| f64::from(l + r)).collect()
}

/// The sound between two frequencies [Hz].
pub(super) fn band(sound: &[f64], [low, high]: [f64; 2]) -> Vec<f64> {
    let mut lines = spectrum(sound);
    let hertz = |i: usize| i as f64 * RATE / sound.len() as f64;
    lines.iter_mut().enumerate().filter(|(i, _)| !(low..high).contains(&hertz(*i))).for_each(|(_, line)| *line *= 0.0);
    signal(lines, sound.len())
}

/// Bands around 5 kHz and 2 kHz.
const BANDS: [[f64; 2]; 2] = [[4.5e3, 5.5e3], [1.5e3, 2.5e3]];

/// T60 [s] of a band from 20 ms on until it has fallen by 15 dB, at most until the end.
pub(super) fn t60(sound: &[f64], limits: [f64; 2]) -> f64 {
    let sound = band(sound, limits);
    let at = |from: usize| level(&sound[from..from + 2_400]);
    let fallen = |from: usize| at(960) - at(from);
    let last = sound.len() - 2_400;
    let until = (1_440..last).step_by(480).find(|from| fallen(*from) >= 15.0).unwrap_or(last);
    60.0 * (until - 960) as f64 / RATE / fallen(until).max(0.1)
}

/// Mean level [dB].
pub(super) fn level(sound: &[f64]) -> f64 {
    10.0 * (sound.iter().map(|x| x * x).sum::<f64>() / sound.len() as f64 + 1e-30).log10()
}

/// T60 [s] at 5 kHz and at 2 kHz after a medium stroke with the pedal at `position`.
fn decay_at(position: f64) -> [f64; 2] {
    let mut engine = hat_with(&[(HiHatPedal, position)]);
    engine.event(&on(60, MEDIUM));
    let sound = listen(&mut engine, 72_000);
    BANDS.map(|limits| t60(&sound, limits))
}

/// The pedal in 64 steps: 5 kHz decays faster with every quarter, and hardly slower from one step to the next.
#[test]
fn the_decay_gets_shorter_with_the_pedal() {
    let steps = size(8, 64);
    let decays: Vec<[f64; 2]> = (0..=steps).map(|step| decay_at(step as f64 / steps as f64)).collect();
    for (step, [high, low]) in decays.iter().enumerate() {
        println!("{:.3}: {high:.3} s at 5 kHz, {low:.3} s at 2 kHz", step as f64 / steps as f64);
    }
    let quarters: Vec<f64> = decays.iter().step_by(steps / 4).map(|[high, _]| *high).collect();
    assert!(quarters.windows(2).all(|pair| pair[1] < pair[0]), "{quarters:?}");
    assert!(decays.windows(2).all(|pair| pair[1][0] < 1.2 * pair[0][0]), "{decays:?}");
    assert!(quarters[4] < 0.25 * quarters[0] && decays[steps][1] < 0.6 * decays[0][1], "{quarters:?}");
}

/// The foot controller in 64 steps while the hat rings: no step is louder than the louder of the two before, which beat, but for 1 dB.
#[test]
fn no_step_of_the_pedal_is_loud() {
    let mut engine = hat();
    engine.event(&on(60, MEDIUM));
    listen(&mut engine, 4_800);
    let mut before = [0; 2].map(|_| level(&listen(&mut engine, 1_440)));
    let mut most = f64::NEG_INFINITY;
    for step in 1..=64 {
        engine.event(&foot(f64::from(step) / 64.0));
        let now = level(&listen(&mut engine, 1_440));
        println!("{step}: {now:.1} dB");
        most = most.max(now - before[0].max(before[1]));
        before = [now, before[0]];
    }
    assert!(most < 1.0, "{most} dB");
}

/// Level [dB] of a tenth of a second after a stroke on the open hat.
fn stroke_level(mut open: Engine, velocity: u8) -> f64 {
    open.event(&on(60, velocity));
    level(&listen(&mut open, 4_800))
}

/// The sound from its beginning on.
fn from_onset(sound: &[f64]) -> &[f64] {
    let most = sound.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let onset = sound.iter().position(|x| x.abs() > 0.02 * most).expect("there is a sound");
    &sound[onset..]
}

/// The foot alone, without a stroke, closes the cymbals as fast as feet do: a chick that is 10 to 25 dB softer than a medium stroke, louder the faster,
/// and short.
#[test]
fn a_foot_makes_a_chick() {
    chicks(hat, (3e-3, MEDIUM), 0.4);
}

#[test]
fn a_foot_makes_a_chick_on_the_preset() {
    let preset = factory_presets::all().find(|preset| preset.name == "Pedal Hi-Hat").expect("a preset");
    let gap = preset.settings.get(HiHatGap);
    chicks(|| Engine::new(EngineConfig::at(RATE), &preset), (gap, 64), 0.6);
}

/// Chicks of `hat`, open by `gap` [m], against its stroke of the velocity `medium`; they may ring for `longest` [s].
fn chicks(hat: impl Fn() -> Engine, (gap, medium): (f64, u8), longest: f64) {
    let stroke = stroke_level(hat(), medium);
    let levels = [0.1, 0.25, 0.5].map(|speed| {
        let mut engine = hat();
        play(&mut engine, 100);
        assert!(engine.is_asleep());
        // the whole way of the pedal closes the gap and presses as far again
        let steps = (2.0 * gap / speed * 1e3) as usize;
        let mut sound = Vec::new();
        for step in 1..=steps {
            engine.event(&foot(step as f64 / steps as f64));
            sound.extend(listen(&mut engine, 48));
        }
        sound.extend(listen(&mut engine, 24_000));
        let chick = from_onset(&sound);
        let (level, decay) = (level(&chick[..4_800]) - stroke, t60(chick, BANDS[0]));
        println!("{speed} m/s: {level:.1} dB, {decay:.2} s at 5 kHz");
        assert!(decay < longest, "{decay} s");
        level
    });
    assert!(levels.is_sorted() && levels.iter().all(|level| (-25.0..=-10.0).contains(level)), "{levels:?} dB");
}

/// Opened again after 50 ms, the cymbals ring; kept closed, they do not.
#[test]
fn a_splash_rings_and_a_chick_does_not() {
    let [splash, chick] = [0.0, 1.0].map(|then| {
        let mut engine = hat();
        engine.event(&foot(1.0));
        listen(&mut engine, 2_400);
        engine.event(&foot(then));
        listen(&mut engine, 9_600);
        listen(&mut engine, 24_000)
    });
    let (ringing, gone) = (level(&splash[..4_800]), level(&chick[..4_800]));
    let decay = t60(&splash, BANDS[0]);
    println!("{ringing:.1} dB and {gone:.1} dB after 0.25 s, the splash rings for {decay:.2} s");
    assert!(ringing > gone + 15.0 && ringing > stroke_level(hat(), MEDIUM) - 40.0 && decay > 0.8);
}

/// Keys strike one pair of plates: the foot dampens what another key has struck.
#[test]
fn all_keys_strike_the_same_plates() {
    let mut engine = hat();
    for key in [46, 42, 60, 99] {
        engine.event(&on(key, MEDIUM));
        play(&mut engine, 2_400);
        assert_eq!(engine.active_voices(), 1, "key {key}");
    }
    let open = level(&listen(&mut engine, 4_800));
    engine.event(&foot(1.0));
    listen(&mut engine, 14_400);
    let closed = level(&listen(&mut engine, 4_800));
    assert!(closed < open - 30.0, "{open} dB, then {closed} dB");
}

/// A closed hat sleeps pressed together, and wakes in silence.
#[test]
fn a_closed_hat_sleeps() {
    let mut engine = hat_with(&[(HiHatPedal, 0.8)]);
    let mut seconds = [0.0; 2];
    let mut sounds = Vec::new();
    for seconds in &mut seconds {
        engine.event(&on(60, 100));
        engine.event(&off(60));
        sounds.push(play(&mut engine, 9_600));
        *seconds = 0.2;
        while engine.active_voices() > 0 {
            play(&mut engine, 480);
            *seconds += 0.01;
            assert!(*seconds < 8.0, "it never sleeps");
        }
    }
    println!("asleep after {seconds:?} s");
    let [first, second] = &sounds[..] else { unreachable!() };
    let ratio = 10.0 * (second.energy() / first.energy()).log10();
    assert!(ratio.abs() < 1.0, "the second stroke is {ratio} dB louder");
    // at rest, but for what has nearly died away
    engine.event(&set(HiHatPedal, 0.8));
    engine.event(&foot(0.8));
    assert!(play(&mut engine, 9_600).peak() < 1e-4 * first.peak());
}

/// An engine with room for fewer modes than the plates have plays the lowest.
#[test]
fn plates_with_more_modes_than_there_is_room_for_sound() {
    let patch = patch(&[(Body, f64::from(BodyKind::HiHat as u8)), (Modes, 256.0)]);
    let mut engine = Engine::new(EngineConfig { modes: 32, ..EngineConfig::at(RATE) }, &patch);
    engine.event(&on(60, 100));
    let sound = play(&mut engine, 4_800);
    assert!(sound.peak() > 1e-4 && sound.peak().is_finite(), "{}", sound.peak());
}

/// Strokes, the foot and parameters at odd frames.
fn busy_score(seed: u64, frames: usize) -> Vec<(usize, Event)> {
    let mut chance = Chance::new(seed);
    let turned =
        [HiHatPedal, HiHatGap, HiHatFriction, Cascade, Tune, BodyMass, Decay, PickupLeft, Stiffness, HammerMass, Quality];
    let mut score = Vec::new();
    for n in 0..frames / 400 {
        score.push((chance.below(frames), on(60, 1 + chance.below(127) as u8)));
        score.push((chance.below(frames), foot(chance.part())));
        let param = turned[n % turned.len()];
        score.push((chance.below(frames), set(param, chance.value(param.spec()))));
    }
    score.push((frames / 2, Event::ChokeAll));
    score.sort_by_key(|(frame, _)| *frame);
    score
}

#[test]
fn blocks_do_not_change_a_bit() {
    let frames = size(9_600, 48_000);
    assert_same_in_blocks(&HAT, &busy_score(5, frames), frames, &[&[1], &[16], &[37], &[64, 1, 480]]);
}

/// Also where its parameters stay: then its plates keep their weights, and only come to rest.
#[test]
fn a_reset_restores_the_hat() {
    let score = busy_score(6, 9_600);
    assert_reset_restores(&HAT, &score, 9_600);
    let played: Vec<_> = score.into_iter().filter(|(_, event)| !matches!(event, Event::Set { .. })).collect();
    assert_reset_restores(&HAT, &played, 9_600);
}

#[test]
fn the_energy_balance_closes() {
    for seed in 1..=size(1, 8) as u64 {
        let mut engine = hat();
        engine.enable_energy_balance();
        perform(&mut engine, &busy_score(seed, 24_000), 24_000, &[480], &[]);
        let report = engine.energy_balance_report();
        println!("{report:?}");
        assert!(report.balance > 0.0 && report.balance <= 1e-12 && report.unsupplied <= 1e-14, "{report:?}");
    }
}

/// Alone and as a zone of a kit, asleep and awake, with strokes from other bodies to it and back.
#[test]
fn a_hat_neither_allocates_nor_frees() {
    let score = busy_score(7, 24_000);
    let sound = patch(&HAT);
    let kit = Patch { zones: vec![Zone::new(&sound, (0, 127))], ..Patch::default() };
    let mut alone = hat();
    let mut zone = Engine::new(EngineConfig::at(RATE), &Patch::default());
    assert!(zone.install_kit(KitPlayer::of(&kit, RATE)).is_ok());
    for engine in [&mut alone, &mut zone] {
        let (mut left, mut right) = ([0.0; 100], [0.0; 100]);
        let mut heard = 0.0_f32;
        let mut hits = 0;
        let calls = calls_in(|| {
            let mut events = score.iter().peekable();
            for block in 0..240 {
                while let Some((_, event)) = events.next_if(|(frame, _)| *frame < block * 100) {
                    engine.event(event);
                }
                engine.render(&mut left, &mut right, [&[], &[]]);
                heard = left.iter().fold(heard, |most, x| most.max(x.abs()));
                hits += usize::from(engine.take_hit().is_some());
            }
            engine.reset();
        });
        assert_eq!(calls, 0);
        assert!(heard > 1e-3 && hits > 10, "{heard}, {hits} hits");
    }
}

/// A foot controller that is no number changes nothing; without one the parameter holds the pedal, and whichever moved last applies.
#[test]
fn controller_and_parameter_share_the_pedal() {
    let ring = |events: &[Event]| {
        let mut engine = hat();
        events.iter().for_each(|event| engine.event(event));
        listen(&mut engine, 9_600);
        engine.event(&on(60, MEDIUM));
        listen(&mut engine, 14_400)
    };
    let late = |sound: &[f64]| level(&sound[9_600..]) - level(&sound[..2_400]);
    let open = ring(&[]);
    assert_eq!(ring(&[foot(f64::NAN)]), open);
    assert_eq!(ring(&[set(HiHatPedal, f64::NAN)]), open);
    let closed = late(&ring(&[foot(1.0)]));
    assert!(closed < late(&open) - 20.0, "{closed} dB");
    let reset = Event::Controller { channel: 0, number: 121, value: 0.0 };
    for [first, second] in [[foot(1.0), set(HiHatPedal, 0.0)], [set(HiHatPedal, 1.0), foot(0.0)], [foot(1.0), reset]] {
        let again = late(&ring(&[first, second]));
        assert!((again - late(&open)).abs() < 3.0, "{again} dB, {first:?}, {second:?}");
    }
}

/// A contact of a stick is recorded as those of other hammers are.
#[test]
fn a_stroke_is_recorded() {
    let mut engine = hat();
    engine.event(&on(60, MEDIUM));
    let mut hit = None;
    for _ in 0..480 {
        play(&mut engine, 1);
        hit = hit.or(engine.take_hit());
    }
    let hit = hit.expect("a stroke");
    println!(
        "{} ms, {} N, {} to {} m/s, {} points",
        1e3 * hit.duration,
        hit.peak_force,
        hit.velocity_in,
        hit.velocity_out,
        hit.count
    );
    assert!(hit.mass == 0.015 && (1e-4..2e-3).contains(&hit.duration) && hit.peak_force > 10.0 && hit.velocity_out < 0.0);
    assert!(hit.energy_in > hit.energy_hammer && hit.energy_body > 0.0 && hit.count > 4);
}

/// Rolls on a half open hat leave all contacts their work.
#[test]
fn a_hat_stays_within_the_cost_budget() {
    let mut engine = hat_with(&[(HiHatPedal, 0.48)]);
    for n in 0..24 {
        engine.event(&on(60, 50 + 3 * n));
        engine.event(&foot(f64::from(n % 3) * 0.4));
        play(&mut engine, 2_400);
    }
    let spent = engine.cost_totals();
    let mean = spent.work / f64::from(24 * 2_400);
    println!("{mean:.0} of one mode a sample: {spent:?}");
    assert!(spent.bound == 0 && spent.relieved == 0 && mean < 0.5 * f64::from(208 * 64), "{spent:?}");
}

/// A hat whose pitch moves costs more than one that rings: the budget knows what new weights of all modes take.
#[test]
fn the_budget_counts_new_pitches() {
    let [still, moving] = [0.0, 0.01].map(|step| {
        let mut engine = hat_with(&[(HiHatGap, 0.02)]);
        engine.event(&on(60, 60));
        for n in 0..40 {
            engine.event(&set(Tune, -8.5 + step * f64::from(n % 2)));
            play(&mut engine, 480);
        }
        engine.cost_totals().work / (40.0 * 480.0)
    });
    println!("{still:.0} and {moving:.0} of one mode a sample");
    assert!(moving > still + 500.0 && moving < still + 1_500.0);
}

/// The motion for display has both plates: a stroke on an open hat moves the upper one only, closed plates move together.
#[test]
fn the_shown_motion_is_that_of_both_plates() {
    let swing = |position: f64| {
        let mut engine = hat_with(&[(HiHatPedal, position)]);
        engine.event(&on(60, MEDIUM));
        play(&mut engine, 960);
        let motion = engine.body_motion().expect("it rings");
        [motion.modes, motion.lower].map(|modes| modes.iter().map(|mode| f64::from(mode.v).powi(2)).sum::<f64>())
    };
    let ([upper, lower], [closed, below]) = (swing(0.0), swing(1.0));
    assert!(upper > 0.0 && lower < 1e-3 * upper, "{upper} {lower}");
    assert!(below > 0.03 * closed, "{closed} {below}");
}
