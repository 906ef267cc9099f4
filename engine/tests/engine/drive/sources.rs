//! Signal sources of the drive, filters and the envelope follower.

use std::f64::consts::TAU;

use crate::support::test_engine::*;
use urto_engine::drive::{DriveContent, DriveSample, TracePoint};
use urto_engine::params::DRIVE_SOURCES;
use urto_engine::params::ParamId::*;
use urto_engine::patch::Patch;
use urto_engine::patch::{from_toml, read_in, to_toml};
use urto_engine::{Engine, EngineConfig, Event};

const SINE: f64 = 1.0;
const NOISE: f64 = 3.0;
const SAMPLE: f64 = 5.0;
const PATTERN: f64 = 6.0;

/// A patch whose drive has a recording of a falling ramp.
fn recorded(params: &[(urto_engine::params::ParamId, f64)]) -> Patch {
    let ramp: Vec<_> = (0..480).map(|i| 0.5 - i as f32 / 480.0).collect();
    let sample = DriveSample::new("ramp.wav", 48e3, &ramp).map(Into::into);
    Patch { drive_content: DriveContent { sample, ..DriveContent::default() }, ..patch(params) }
}

/// What the drive does in the next `frames` frames, a point a millisecond.
fn traced(engine: &mut Engine, frames: usize, signal: &[f32]) -> Vec<TracePoint> {
    let mut points = Vec::new();
    for at in (0..frames).step_by(480) {
        play_driven(engine, 480, signal.get(at..at + 480).unwrap_or(&[]));
        points.extend(engine.take_trace());
    }
    points
}

fn loudest(points: &[TracePoint]) -> f32 {
    points.iter().fold(0.0, |most, point| point.push.abs().max(most))
}

/// Far from the body, so that only the signal counts.
const AWAY: [(urto_engine::params::ParamId, f64); 3] = [(RestHeight, 0.05), (Tether, 1e4), (TetherDamping, 50.0)];

#[test]
fn every_source_drives_with_its_level_and_sounds() {
    for (source, name) in DRIVE_SOURCES.iter().enumerate().skip(1) {
        let params = [(DriveGain, 20.0), (DriveSource, source as f64), (DriveFrequency, 80.0)];
        let mut engine = Engine::new(EngineConfig::at(RATE), &recorded(&params));
        let points = traced(&mut engine, 96_000, &[]);
        let most = loudest(&points);
        // grains of dust may come together
        let highest = if *name == "Dust" { 2.0 } else { 1.05 };
        assert!((0.6 * 20.0..highest * 20.0).contains(&most), "{name}: {most} N");
        assert!(points.iter().any(|point| point.contact > 1.0), "{name}");
        let reference = play(&mut engine, 4_800);
        assert!(reference.peak() > 1e-4, "{name}");
    }
}

/// The same bits in any blocks, with notes, a moving tempo and moving params, and again after a reset.
#[test]
fn block_size_does_not_change_the_sources() {
    for (source, name) in DRIVE_SOURCES.iter().enumerate() {
        let params =
            [(DriveGain, 30.0), (DriveSource, source as f64), (DriveChannels, 1.0), (Follow, 0.5), (DriveHighPass, 30.0)];
        let patch = recorded(&params);
        let mut chance = Chance::new(source as u64);
        let drive: Vec<f32> = (0..12_000).map(|_| chance.part() as f32 - 0.5).collect();
        let turned =
            [DriveFrequency, DriveLowPass, DriveHighPass, Follow, DriveGain, DriveTracking, DriveStep, DriveApart, DriveNotes];
        let mut score: Vec<_> =
            (0..80).map(|i| (chance.below(12_000), set(turned[i % 9], chance.value(turned[i % 9].spec())))).collect();
        score.extend([(100, on(64, 80)), (3_000, off(64)), (3_500, on(50, 30))]);
        score
            .extend([(1_111, Event::Tempo { tempo: 133.0, beat: Some(7.3) }), (7_003, Event::Tempo { tempo: 90.0, beat: None })]);
        score.sort_by_key(|(frame, _)| *frame);
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        let whole = perform(&mut engine, &score, 12_000, &[12_000], &drive);
        assert!(whole.peak() > 1e-4);
        for blocks in [&[1][..], &[37], &[64, 1, 480]] {
            let split = perform(&mut Engine::new(EngineConfig::at(RATE), &patch), &score, 12_000, blocks, &drive);
            assert!(split == whole, "{name} in {blocks:?}");
        }
        KnobsOf(&patch).restore(&mut engine);
        engine.reset();
        assert!(perform(&mut engine, &score, 12_000, &[480], &drive) == whole, "{name} after a reset");
    }
}

/// The params of a patch, to be set again.
struct KnobsOf<'a>(&'a Patch);

impl KnobsOf<'_> {
    fn restore(&self, engine: &mut Engine) {
        for &param in urto_engine::params::ParamId::ALL {
            engine.event(&set(param, self.0.settings.get(param)));
        }
    }
}

/// Second-order Butterworth: 3.01 dB at the cut-off, 12 dB an octave beyond, nothing where the params are at their ends.
#[test]
fn the_filters_are_butterworth() {
    let level = |param, cutoff: f64, hertz: f64| {
        let params = [&AWAY[..], &[(DriveGain, 1.0), (DriveSource, SINE), (DriveFrequency, hertz), (param, cutoff)]].concat();
        let points = traced(&mut engine(96e3, &params), 96_000, &[]);
        20.0 * f64::from(loudest(&points[points.len() / 2..])).log10()
    };
    let butterworth = |ratio: f64| -10.0 * (1.0 + ratio.powi(4)).log10();
    for (hertz, ratio) in [(500.0, 0.5), (1000.0, 1.0), (4000.0, 4.0)] {
        let low = level(DriveLowPass, 1000.0, hertz);
        // the bilinear transform squeezes what lies high
        let warped = |hertz: f64| (std::f64::consts::PI * hertz / 96e3).tan();
        assert!((low - butterworth(warped(hertz) / warped(1000.0))).abs() < 0.05, "low-pass at {ratio}: {low} dB");
        let high = level(DriveHighPass, 1000.0, hertz);
        assert!((high - butterworth(warped(1000.0) / warped(hertz))).abs() < 0.05, "high-pass at {ratio}: {high} dB");
    }
    assert!(level(DriveLowPass, 20e3, 1000.0).abs() < 0.01 && level(DriveHighPass, 1.0, 50.0).abs() < 0.01);
}

/// The loudness of the side-chain opens a source, or holds it down.
#[test]
fn the_follower_scales_the_drive() {
    let signal: Vec<f32> = (0..48_000).map(|i| if i < 24_000 { 0.5 } else { 0.0 }).collect();
    let levels = |follow: f64| {
        let params = [&AWAY[..], &[(DriveGain, 10.0), (DriveSource, NOISE), (Follow, follow), (FollowRelease, 0.02)]].concat();
        let points = traced(&mut engine(RATE, &params), 48_000, &signal);
        [loudest(&points[200..490]), loudest(&points[800..])]
    };
    let [open, shut] = levels(1.0);
    assert!((open - 5.0).abs() < 0.05 && shut < 1e-3, "{open} {shut}");
    let [down, up] = levels(-1.0);
    assert!((down - 5.0).abs() < 0.05 && (up - 10.0).abs() < 0.05, "{down} {up}");
    assert!(levels(0.0).iter().all(|level| (level - 10.0).abs() < 0.05));
}

/// Sixteen steps at the tempo and from the position of the host.
#[test]
fn the_pattern_follows_the_tempo() {
    let mut pattern = [0.0; 16];
    (pattern[0], pattern[5]) = (1.0, 0.5);
    let params = [&AWAY[..], &[(DriveGain, 8.0), (DriveSource, PATTERN), (DriveFrequency, 100.0)]].concat();
    let patch = Patch { drive_content: DriveContent { pattern, sample: None }, ..patch(&params) };
    let pulses = |tempo: Option<Event>| {
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        tempo.iter().for_each(|tempo| engine.event(tempo));
        let points = traced(&mut engine, 96_000, &[]);
        let peak =
            |i: &usize| points[*i].push > 1.0 && points[*i].push >= points[i - 1].push && points[*i].push > points[i + 1].push;
        (1..points.len() - 1).filter(peak).map(|i| (i, points[i].push.round())).collect::<Vec<_>>()
    };
    // at 120 a minute a sixteenth is 125 ms; a pulse has its peak after 2.5 ms
    let near = |found: &[(usize, f32)], wanted: &[(usize, f32)]| {
        let same = found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| a.0.abs_diff(b.0) <= 2 && a.1 == b.1);
        assert!(same, "{found:?} {wanted:?}");
    };
    near(&pulses(None), &[(3, 8.0), (628, 4.0)]);
    near(&pulses(Some(Event::Tempo { tempo: 240.0, beat: Some(3.0) })), &[(253, 8.0), (565, 4.0), (1253, 8.0), (1565, 4.0)]);
}

/// A recording repeats at its own rate, is kept with the patch to the last bit, and follows the key if it has to.
#[test]
fn a_recording_repeats_at_its_rate() {
    let params = [&AWAY[..], &[(DriveGain, 1.0), (DriveSource, SAMPLE), (DriveTracking, 1.0)]].concat();
    let cycle: Vec<_> = (0..441).map(|i| (0.25 * (TAU * f64::from(i) / 441.0).sin()) as f32).collect();
    let sample = DriveSample::new("cycle.wav", 44.1e3, &cycle).map(Into::into);
    let patch = Patch { drive_content: DriveContent { sample, ..DriveContent::default() }, ..patch(&params) };
    let rises = |key: u8| {
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        engine.event(&set(KeyStrikes, 0.0));
        engine.event(&on(key, 1));
        let points = traced(&mut engine, 48_000, &[]);
        assert!((loudest(&points) - 1.0).abs() < 1e-3, "its loudest point is full scale");
        points.windows(2).filter(|pair| pair[0].push < 0.0 && pair[1].push >= 0.0).count()
    };
    assert!(rises(60).abs_diff(100) <= 1 && rises(72).abs_diff(200) <= 1, "{} {}", rises(60), rises(72));
    assert_eq!(from_toml(&to_toml(&patch)).expect("a patch"), patch);
}

#[test]
fn a_drive_recording_is_read_beside_its_preset_and_errors_are_specific() {
    let folder = std::env::temp_dir().join(format!("urto-drive-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let wav = |name: &str, frames: usize, size: f32| {
        let spec =
            hound::WavSpec { channels: 1, sample_rate: 8_000, bits_per_sample: 32, sample_format: hound::SampleFormat::Float };
        let mut wav = hound::WavWriter::create(folder.join(name), spec).expect("a file");
        (0..frames).for_each(|i| wav.write_sample(size * (i as f32 * 0.1).sin()).expect("a sample"));
        wav.finalize().expect("a file");
    };
    wav("loop.wav", 100, 0.1);
    wav("silent.wav", 100, 0.0);
    wav("long.wav", (1 << 19) + 1, 1.0);
    let read = |lines: &str| read_in(Some(&folder), &format!("schema = 2\n[drive]\n{lines}")).map_err(|fault| fault.to_string());
    let (patch, _) = read("sample = \"loop.wav\"").expect("a patch");
    let sample = patch.drive_content.sample.clone().expect("a recording");
    assert_eq!((sample.name(), sample.rate(), sample.len()), ("loop.wav", 8e3, 100));
    assert_eq!(from_toml(&to_toml(&patch)).expect("needs no file any more"), patch);
    let refused = |lines: &str| read(lines).expect_err(lines);
    let missing = refused("sample = \"gone.wav\"");
    assert!(
        missing.starts_with("line 3, drive.sample: ") && missing.ends_with("gone.wav: no such file; check the name"),
        "{missing}"
    );
    assert!(refused("sample = \"silent.wav\"").contains("silent.wav: silent; give a recording that is not silent"));
    assert!(refused("sample = \"long.wav\"").contains("524289 frames exceed the maximum of 524288; cut it to 65.5 s"));
    assert!(refused("sample_data = \"AAAA\"").contains("drive.sample_rate: missing; give the rate"));
    assert!(refused("sample_rate = 8000\nsample_data = \"A?\"").starts_with("line 4, drive.sample_data: not base64"));
    assert!(refused("sample_rate = 8000\nsample_data = \"AAAA\"").contains("3 bytes are not"));
    assert!(refused("sample_rate = -1\nsample_data = \"AAA=\"").contains("line 3, drive.sample_rate: -1 is out of range"));
    assert!(refused("pattern = [1, 0]").starts_with("line 3, drive.pattern: 2 levels are not 16; give 16 levels"));
    let loud = format!("pattern = [2{}]", ", 0".repeat(15));
    assert!(refused(&loud).contains("the level 2 is out of range"));
    let alone = from_toml("schema = 2\n[drive]\nsample = \"loop.wav\"").expect_err("there is no folder").to_string();
    assert!(alone.contains("there is no folder") && alone.contains("read the preset from its file"), "{alone}");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}
