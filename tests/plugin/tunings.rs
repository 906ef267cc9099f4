//! Tunings in a host: states with scales and key maps, measured from the sound.

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::tuning::PatchTuning;
use urto_engine::tuning::TuningSource;

use crate::support::engine_reference::peak;
use crate::support::measurements::cents;
use crate::support::timed_events::Cue::{Midi, On, Turn};
use crate::support::timed_events::{sine, take};

/// Bound on every frequency [cents].
const CENTS: f64 = 0.01;
/// Five notes, the first on key 60 at 250 Hz; black keys, F and B are silent.
const GAPS: &str = "12\n0\n127\n60\n60\n250.0\n5\n0\nx\n1\nx\n2\nx\nx\n3\nx\n4\nx\nx\n";

/// Scale, key map, and the frequencies [Hz] of some keys.
type Kind<'a> = (&'a str, Option<&'a str>, &'a [(u8, f64)]);

fn tuned(scale: &str, map: Option<&str>, params: &[(ParamId, f64)]) -> Patch {
    let source = TuningSource { scale: scale.into(), map: map.map(str::to_owned), reference: None };
    Patch { tuning: PatchTuning::new(source).expect("a tuning"), ..sine(params) }
}

/// Distance of the measured pitch of `key` from `hertz`; a strong sine has to sound.
fn off(patch: &Patch, key: u8, hertz: f64) -> f64 {
    let heard = take(patch, 9_600, &[(0, On { voice: 1, key })]);
    assert!(peak(&heard) > 1e-3, "key {key} is too soft to be measured");
    cents(&heard[0], 4_800, hertz)
}

#[test]
fn every_tuning_source_works_in_a_host() {
    let over = |cents: f64| (cents / 1200.0).exp2();
    let pelog = 440.0 / over(1646.0);
    #[rustfmt::skip]
    let kinds: [Kind; 7] = [
        ("equal", None, &[(60, 440.0 * over(-900.0)), (69, 440.0), (93, 1760.0)]),
        ("just", None, &[(60, 264.0), (64, 330.0), (67, 396.0), (79, 792.0)]),
        ("equal-22", None, &[(58, 440.0 * over(-600.0)), (91, 880.0), (80, 440.0 * over(600.0))]),
        ("pelog", None, &[(60, pelog), (61, pelog * over(137.0)), (62, pelog * over(446.0)), (67, 2.0 * pelog)]),
        ("bohlen-pierce", None, &[(60, 440.0 * 7.0 / 15.0), (82, 1320.0)]),
        ("slendro", Some(GAPS), &[(60, 250.0), (64, 250.0 * over(484.0)), (72, 500.0), (57, 125.0 * over(960.0))]),
        ("Quarters of a twelfth\n4\n475.48875\n950.9775\n1426.46625\n3/1\n", None, &[(69, 440.0), (73, 1320.0), (70, 440.0 * over(475.48875))]),
    ];
    for (scale, map, keys) in kinds {
        let patch = tuned(scale, map, &[]);
        for &(key, hertz) in keys {
            let off = off(&patch, key, hertz);
            assert!(off.abs() < CENTS, "{scale} key {key}: {off} cents from {hertz} Hz");
        }
    }
    let silent = take(&tuned("slendro", Some(GAPS), &[]), 2_400, &[(0, On { voice: 1, key: 61 })]);
    assert_eq!(peak(&silent), 0.0, "a key that the map leaves out");
}

#[test]
fn concert_pitch_and_stretch_are_host_parameters() {
    let patch = tuned("just", None, &[]);
    let (concert, stretch) = (ParamId::ConcertPitch.spec(), ParamId::Stretch.spec());
    let turns = [(ParamId::ConcertPitch, concert.to_normalized(415.0)), (ParamId::Stretch, stretch.to_normalized(12.0))];
    let turns = turns.map(|(param, travel)| Turn { param, travel });
    let wanted = 415.0 / 440.0 * 440.0 * (792.0_f64 / 440.0).powf(1212.0 / 1200.0);
    // before the note, and while it sounds: it glides there
    for turned in [0, 4_803] {
        let mut score = vec![(0, On { voice: 1, key: 79 })];
        score.extend(turns.map(|turn| (turned, turn)));
        score.sort_by_key(|&(frame, cue)| (frame, matches!(cue, On { .. })));
        let heard = take(&patch, 24_000, &score);
        let off = cents(&heard[0], 19_200, wanted);
        assert!(off.abs() < CENTS, "turned at {turned}: {off} cents from {wanted} Hz");
    }
    // a bend is on top of it
    let bent = take(
        &tuned("equal", None, &[(ParamId::ConcertPitch, 430.0)]),
        24_000,
        &[(0, On { voice: 1, key: 69 }), (10, Midi([0xe0, 0x7f, 0x7f]))],
    );
    let off = cents(&bent[0], 19_200, 430.0 * (2.0_f64 / 12.0).exp2());
    assert!(off.abs() < CENTS, "{off} cents");
}
