//! Microphones and room: delays and levels by geometry, kits, outputs, and sounds that stay the same.

use crate::support::test_engine::*;
use urto_engine::params::ParamId::{self, *};
use urto_engine::params::RoomType as Room;
use urto_engine::patch::{FloorPosition, Patch, Zone};
use urto_engine::{Engine, EngineConfig, Event};

/// Distance at which sound takes 480 frames [m].
const TEN_MILLISECONDS: f64 = 3.432;
/// The other leg of a right triangle with that one, 5 to 12: its third side, 13, takes 520 frames.
const ASIDE: f64 = 1.43;

/// A short sound.
const SHORT: [(ParamId, f64); 3] = [(Modes, 12.0), (Decay, 0.3), (Stiffness, 1e4)];

fn room(kind: Room) -> (ParamId, f64) {
    (RoomType, kind as usize as f64)
}

fn with<const N: usize>(params: [(ParamId, f64); N]) -> Vec<(ParamId, f64)> {
    SHORT.into_iter().chain(params).collect()
}

/// A strike with `params`, `frames` frames of it.
fn struck(params: &[(ParamId, f64)], frames: usize) -> Sound {
    let mut engine = engine(RATE, params);
    engine.event(&on(60, 100));
    play(&mut engine, frames)
}

fn mid(sound: &Sound) -> Vec<f64> {
    sound.left.iter().zip(&sound.right).map(|(left, right)| 0.5 * (f64::from(*left) + f64::from(*right))).collect()
}

/// Largest difference of `heard` from `gain` times `sound`, `delay` frames later, over the largest sample expected.
fn error(heard: &[f32], sound: &[f64], delay: usize, gain: f64) -> f64 {
    let expected: Vec<f64> = (0..heard.len()).map(|n| n.checked_sub(delay).map_or(0.0, |at| gain * sound[at])).collect();
    let largest = expected.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    heard.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((f64::from(*a) - b).abs())) / largest
}

#[test]
fn without_levels_and_room_the_bits_are_the_same() {
    let score = [(0, on(60, 100)), (5_000, on(72, 60)), (9_000, set(FarDistance, 9.0)), (9_500, set(RoomDecay, 0.5))];
    let plain = perform(&mut engine(RATE, &SHORT), &score[..2], 20_000, &[480], &[]);
    let params = with([(OverheadHeight, 2.0), (FarSpacing, 5.0), (InstrumentX, 1.0), (RoomLevel, 0.0), (RoomDecay, 2.0)]);
    let moved = perform(&mut engine(RATE, &params), &score, 20_000, &[480], &[]);
    assert!(plain == moved && plain.peak() > 0.01);
    // levels that went up and down again
    let mut engine = engine(RATE, &SHORT);
    [set(OverheadLevel, 0.0), room(Room::Hall).into_event()].iter().for_each(|event| engine.event(event));
    play(&mut engine, 4_800);
    [set(OverheadLevel, -60.0), room(Room::Off).into_event()].iter().for_each(|event| engine.event(event));
    play(&mut engine, 4_800);
    engine.event(&on(60, 100));
    assert!(play(&mut engine, 5_000).left == plain.left[..5_000]);
}

/// A parameter and its value as an event.
trait IntoEvent {
    fn into_event(self) -> Event;
}

impl IntoEvent for (ParamId, f64) {
    fn into_event(self) -> Event {
        set(self.0, self.1)
    }
}

#[test]
fn pairs_hear_the_sound_after_its_way_and_at_its_level() {
    let close = mid(&struck(&SHORT, 9_600));
    let far = struck(&with([(CloseLevel, -60.0), (FarLevel, 0.0), (FarDistance, TEN_MILLISECONDS), (FarSpacing, 0.0)]), 9_600);
    let overhead = [(CloseLevel, -60.0), (OverheadLevel, 6.0), (OverheadHeight, 1.716), (OverheadSpacing, 0.0)];
    let overhead = struck(&with(overhead), 9_600);
    for (heard, delay, gain) in [(&far, 480, 1.0 / TEN_MILLISECONDS), (&overhead, 240, 1.995_262 / 1.716)] {
        for side in [&heard.left, &heard.right] {
            let error = error(side, &close, delay, gain);
            assert!(error < 2e-6, "{error:e}, {delay} frames");
        }
    }
}

/// The right microphone is 3.432 m away, the left one 1.43 m further to the side.
#[test]
fn an_instrument_aside_is_louder_and_earlier_on_its_side() {
    let close = mid(&struck(&SHORT, 9_600));
    let pair = [(FarDistance, TEN_MILLISECONDS), (FarSpacing, ASIDE), (InstrumentX, 0.5 * ASIDE)];
    let heard = struck(&[&with([(CloseLevel, -60.0), (FarLevel, 0.0)])[..], &pair].concat(), 9_600);
    for (side, distance, delay) in [(&heard.right, TEN_MILLISECONDS, 480), (&heard.left, TEN_MILLISECONDS * 13.0 / 12.0, 520)] {
        let error = error(side, &close, delay, 1.0 / distance);
        assert!(error < 2e-6, "{error:e} after {delay} frames");
    }
}

/// A kit of two zones, at the left and at the right.
fn kit(settings: &[(ParamId, f64)]) -> Patch {
    let sound = patch(&SHORT);
    let at = |key: u8, x: f64| Zone {
        plays: 60,
        position: Some(FloorPosition { x, y: 0.0 }),
        bus: key - 59,
        ..Zone::new(&sound, (key, key))
    };
    Patch { zones: vec![at(60, -0.25 * ASIDE), at(61, 0.25 * ASIDE)], ..patch(settings) }
}

/// Each is under one of the microphones; those at half the height and width of the test above.
#[test]
fn zones_are_heard_from_their_positions() {
    let height = 0.5 * TEN_MILLISECONDS;
    let overhead = [(CloseLevel, -60.0), (OverheadLevel, 0.0), (OverheadHeight, height), (OverheadSpacing, 0.5 * ASIDE)];
    let play_kit = |settings: &[(ParamId, f64)], key: u8| {
        let mut engine = Engine::new(EngineConfig::at(RATE), &kit(settings));
        engine.event(&on(key, 100));
        play(&mut engine, 9_600)
    };
    let close = mid(&play_kit(&[], 60));
    let [left, right] = [60, 61].map(|key| play_kit(&overhead, key));
    assert!(left.left == right.right && left.right == right.left, "one is the mirror image of the other");
    for (side, distance, delay) in [(&left.left, height, 240), (&left.right, height * 13.0 / 12.0, 260)] {
        let error = error(side, &close, delay, 1.0 / distance);
        assert!(error < 2e-6, "{error:e} after {delay} frames");
    }
}

/// Zones with an output of their own are dry there, and heard by the room on the main output.
#[test]
fn other_outputs_stay_dry() {
    let render = |settings: &[(ParamId, f64)]| {
        let mut engine = Engine::new(EngineConfig::at(RATE), &kit(settings));
        let mut sound = vec![vec![0.0_f32; 9_600]; 4];
        engine.event(&on(61, 100));
        let [main_left, main_right, left, right] = &mut sound[..] else { unreachable!("four channels") };
        engine.render_outputs([main_left, main_right], &mut [[&mut left[..], &mut right[..]]], [&[]; 2]);
        sound
    };
    let (dry, wet) = (render(&[]), render(&[room(Room::Studio), (CloseLevel, -6.0)]));
    assert!(dry[2] == wet[2] && dry[3] == wet[3] && dry[2].iter().any(|x| *x != 0.0));
    assert!(dry[0].iter().all(|x| *x == 0.0) && wet[0].iter().any(|x| x.abs() > 1e-3));
}

/// Levels, rooms, positions and distances that move while sounds begin and end.
fn moves(frames: usize) -> Vec<(usize, Event)> {
    let mut chance = Chance::new(5);
    let mut score: Vec<_> = (0..40).map(|_| (chance.below(frames), on(48 + chance.below(20) as u8, 100))).collect();
    let params = [
        RoomType,
        RoomDecay,
        FarDistance,
        OverheadLevel,
        InstrumentX,
        CloseLevel,
        FarLevel,
        RoomLevel,
        OverheadHeight,
        FarSpacing,
    ];
    for i in 0..120 {
        let param = params[i % params.len()];
        score.push((chance.below(frames), set(param, chance.value(param.spec()))));
    }
    score.sort_by_key(|(frame, _)| *frame);
    score
}

#[test]
fn blocks_do_not_change_a_bit_and_a_reset_restores() {
    let params = with([room(Room::Chamber), (OverheadLevel, 0.0), (FarLevel, -3.0)]);
    assert_same_in_blocks(&params, &moves(40_000), 40_000, &[&[1], &[16], &[37], &[64, 1, 480]]);
    assert_reset_restores(&params, &moves(20_000), 20_000);
}

/// Parameters that change while only the room sounds are in force at once for the next strike, as in silence.
#[test]
fn a_strike_into_the_reverberation_sounds_as_one_into_silence() {
    let params = with([room(Room::Church), (RoomDecay, 0.25)]);
    let after = |history: &[Event], next: &[Event]| {
        let mut engine = engine(RATE, &params);
        history.iter().for_each(|event| engine.event(event));
        play(&mut engine, 48_000);
        assert!(engine.active_voices() == 0 && engine.is_asleep() == history.is_empty());
        next.iter().for_each(|event| engine.event(event));
        play(&mut engine, 9_600)
    };
    let next = [set(Tune, 12.0), on(60, 100)];
    let (both, tail, alone) = (after(&[on(60, 100)], &next), after(&[on(60, 100)], &[]), after(&[], &next));
    for ((both, tail), alone) in both.left.iter().zip(&tail.left).zip(&alone.left) {
        assert!((both - tail - alone).abs() < 1e-6, "{both} - {tail} is not {alone}");
    }
    assert!(tail.peak() > 1e-4 && alone.peak() > 0.05);
}

/// Every room ends in exact silence, some three reverberation times after the sound.
#[test]
fn rooms_fall_asleep() {
    for (kind, longest) in [(Room::Booth, 0.26), (Room::Studio, 0.62), (Room::Chamber, 2.8)] {
        let mut engine = engine(RATE, &with([room(kind), (FarLevel, 0.0), (RoomDecay, 0.5)]));
        assert_eq!(engine.room_tail(), 0.5 * longest);
        engine.event(&on(60, 100));
        engine.event(&off(60));
        let mut seconds = 0.0;
        while !engine.is_asleep() {
            play(&mut engine, 4_800);
            seconds += 0.1;
            assert!(seconds < 20.0, "{kind:?} never ends");
        }
        println!("{kind:?}: {seconds:.1} s");
        assert!(seconds < 1.5 + 1.6 * longest, "{kind:?}: {seconds} s");
        assert_eq!(play(&mut engine, 4_800).energy(), 0.0);
    }
}

#[test]
fn a_room_changes_the_loudness_by_a_few_decibels() {
    let dry = struck(&SHORT, 48_000).energy();
    for kind in Room::ALL.into_iter().skip(1) {
        let level = 10.0 * (struck(&with([room(kind)]), 48_000).energy() / dry).log10();
        println!("{kind:?}: {level:.2} dB");
        assert!((-1.0..3.0).contains(&level), "{kind:?}: {level} dB");
    }
}

/// A low tone has no high frequencies while rooms and distances change.
#[test]
fn changes_make_no_clicks() {
    let tone = [(Modes, 1.0), (Decay, 50.0), (Stiffness, 1.0), (Tune, -12.0), (FarLevel, 0.0), (RoomLevel, 0.0)];
    let steps = |score: &[(usize, Event)]| {
        let mut engine = engine(RATE, &tone);
        engine.event(&on(48, 60));
        play(&mut engine, 24_000);
        let sound = perform(&mut engine, score, 48_000, &[480], &[]);
        // third differences: 65 Hz is 81 dB lower there
        let third = |side: &[f32]| side.windows(4).map(|x| (x[3] - 3.0 * x[2] + 3.0 * x[1] - x[0]).abs()).fold(0.0, f32::max);
        (third(&sound.left).max(third(&sound.right)), sound.peak())
    };
    let (still, peak) = steps(&[]);
    let at = |frame: usize, (param, value): (ParamId, f64)| (frame, set(param, value));
    let changes = [
        at(3, room(Room::Hall)),
        at(9_000, room(Room::Chamber)),
        at(15_000, (RoomDecay, 0.3)),
        at(20_000, (FarDistance, 0.6)),
        at(28_000, (FarDistance, 15.0)),
        at(34_000, room(Room::Off)),
        at(40_000, (CloseLevel, -20.0)),
    ];
    let (moved, _) = steps(&changes);
    println!("{still:e} without, {moved:e} with changes, peak {peak}");
    assert!(f64::from(moved) < 1e-3 * peak, "{moved:e}, {still:e} without changes, peak {peak}");
}
