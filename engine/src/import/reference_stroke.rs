//! The stroke that gives a recording back: the home key at velocity 100.

use std::f64::consts::TAU;

use crate::engine::{Engine, EngineConfig};
use crate::event::{Event, NoteId};
use crate::params::ParamId;
use crate::patch::Patch;
use crate::telemetry::HitPulse;

/// Velocity of the note.
const VELOCITY: f64 = 100.0 / 127.0;
/// Sample rate [Hz], frames of a block, and number of blocks: 50 ms.
const RATE: f64 = 48e3;
const BLOCK: usize = 96;
const BLOCKS: usize = 25;

/// The first contact of the stroke, and its sound.
pub struct ReferenceStroke {
    /// The contact.
    pub pulse: HitPulse,
    /// Peak of the first 50 ms of the sound; full scale is 1.
    pub peak: f64,
}

impl ReferenceStroke {
    /// Strikes the home key of `patch`. None without a contact.
    pub fn on(patch: &Patch) -> Option<Self> {
        let mut engine = Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, patch);
        let key = patch.settings.get(ParamId::HomeKey) as u8;
        engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key }, velocity: VELOCITY });
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        let mut first = None;
        for _ in 0..BLOCKS {
            engine.render(&mut left, &mut right, [&[]; 2]);
            first = first.or(engine.take_hit());
        }
        let peaks = engine.take_meters().peaks;
        first.map(|pulse| Self { pulse, peak: f64::from(peaks[0].max(peaks[1])) })
    }

    /// |F| at `hertz` [N s], by the trapezoidal rule.
    pub fn force(&self, hertz: f64) -> f64 {
        let (mut re, mut im) = (0.0, 0.0);
        for pair in self.pulse.points().windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|point| (f64::from(point.time), f64::from(point.force)));
            for (time, force) in [a, b] {
                let (sin, cos) = (TAU * hertz * time).sin_cos();
                re += 0.5 * (b.0 - a.0) * force * cos;
                im += 0.5 * (b.0 - a.0) * force * sin;
            }
        }
        re.hypot(im)
    }
}
