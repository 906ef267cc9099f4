//! The engine alone, with the events that a host sends to the plugin.

use urto::host_params::HostParams;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, NoteId};

/// Left and right, full scale 1.
pub type Stereo = [Vec<f32>; 2];

/// Renders `frames` of the default patch with `events` (in order of frames) and a side-chain, which is empty or as long.
pub fn render(rate: f64, frames: usize, events: &[(usize, Event)], drive: &[f32]) -> Stereo {
    render_patch(&Patch::default(), rate, frames, events, drive)
}

/// As [`render`], with another patch.
pub fn render_patch(patch: &Patch, rate: f64, frames: usize, events: &[(usize, Event)], drive: &[f32]) -> Stereo {
    render_driven(patch, rate, frames, events, [drive, &[]])
}

/// As [`render_patch`], with a side-chain of left and right.
pub fn render_driven(patch: &Patch, rate: f64, frames: usize, events: &[(usize, Event)], drive: [&[f32]; 2]) -> Stereo {
    let mut engine = Engine::new(EngineConfig::at(rate), patch);
    let mut sound = [vec![0.0; frames], vec![0.0; frames]];
    let mut frame = 0;
    for &(at, event) in events.iter().chain([&(frames, Event::ChokeAll)]) {
        let [left, right] = &mut sound;
        engine.render(
            &mut left[frame..at],
            &mut right[frame..at],
            drive.map(|channel| channel.get(frame..at).unwrap_or_default()),
        );
        frame = at;
        engine.event(&event);
    }
    sound
}

/// A note-on without a host's voice id.
pub fn on(key: u8, velocity: f64) -> Event {
    Event::NoteOn { note: NoteId { voice: None, channel: 0, key }, velocity: f64::from(velocity as f32) }
}

/// The engine event for a host that moves `param` to `travel`, 0 to 1.
pub fn turn(params: &HostParams, param: ParamId, travel: f64) -> Event {
    Event::Set { param, value: params.value_at(param, travel as f32) }
}

/// The five params that act at their own frame during contact.
pub const IN_CONTACT: [ParamId; 5] =
    [ParamId::Stiffness, ParamId::Exponent, ParamId::Damping, ParamId::HammerMass, ParamId::StrikePosition];

/// Where `param` stands at `frame`, 0 to 1: near its default, each param and frame differently.
pub fn wander(params: &HostParams, param: ParamId, frame: usize) -> f64 {
    let swing = 0.08 * (0.37 * frame as f64 + param as usize as f64).sin();
    (f64::from(params.default_travel(param)) + swing).clamp(0.0, 1.0)
}

/// Both channels hold the same bits; otherwise panics with the first frame that differs.
pub fn assert_same(heard: &Stereo, expected: &Stereo) {
    for (channel, (heard, expected)) in heard.iter().zip(expected).enumerate() {
        assert_eq!(heard.len(), expected.len());
        let differs = heard.iter().zip(expected).position(|(a, b)| a.to_bits() != b.to_bits());
        if let Some(frame) = differs {
            panic!("channel {channel}, frame {frame}: {} instead of {}", heard[frame], expected[frame]);
        }
    }
}

/// Largest |sample|.
pub fn peak(sound: &Stereo) -> f32 {
    sound.iter().flatten().fold(0.0, |peak, sample| peak.max(sample.abs()))
}

/// Numbers that look random and are the same every time.
pub fn dice(seed: u64) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    }
}

/// Noise in -1..1, different left and right.
pub fn noise(frames: usize) -> [Vec<f32>; 2] {
    let mut next = dice(1);
    let mut channel = || (0..frames).map(|_| next() as f32 / (1u32 << 30) as f32 - 1.0).collect();
    [channel(), channel()]
}
