//! One stroke of a data set: its sound, and the figures of its first contact.

use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, HitPulse, NoteId};

use crate::api::body::{BodyMode, BodyModes};
use crate::dataset::spec::{DatasetSpec, Draw};

/// Time within which every contact is recorded [s]; later ones are recorded once in [`BLOCK`] frames.
const CONTACT_TIME: f64 = 0.05;
/// Frames that are rendered at a time after [`CONTACT_TIME`].
const BLOCK: usize = 16;

/// The figures of the first contact of a stroke, in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitFigures {
    /// Duration [s].
    pub contact_time: f64,
    /// Largest force [N].
    pub peak_force: f64,
    /// Largest compression [m].
    pub max_compression: f64,
    /// Compression velocity when the contact began [m/s].
    pub velocity_in: f64,
    /// Compression velocity when it ended [m/s], below 0.
    pub velocity_out: f64,
    /// Hammer mass [kg].
    pub mass: f64,
    /// Energy of the hammer when the contact began [J].
    pub energy_in: f64,
    /// Energy of the hammer when it ended [J].
    pub energy_hammer: f64,
    /// Energy that the body gained meanwhile [J].
    pub energy_body: f64,
    /// Energy lost inside the contact [J].
    pub energy_contact_loss: f64,
    /// Energy lost to the body's damping meanwhile [J].
    pub energy_decay: f64,
}

/// A rendered stroke.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// The values that were drawn.
    pub draw: Draw,
    /// Left and right in turn, full scale 1.
    pub samples: Vec<f32>,
    /// Largest |sample|.
    pub peak: f32,
    /// Number of contacts.
    pub contacts: u32,
    /// The first contact; `None` without one, as of a hammer that is driven or a key without a pitch.
    pub hit: Option<HitFigures>,
    /// Frequency of the key [Hz]; `None` for a key without a pitch, and for kits.
    pub frequency: Option<f64>,
    /// Number of modes of the body below the band limit.
    pub mode_count: usize,
    /// The lowest modes, as many as the specification lists; none of kits.
    pub modes: Vec<BodyMode>,
}

impl From<&HitPulse> for HitFigures {
    fn from(hit: &HitPulse) -> Self {
        Self {
            contact_time: hit.duration,
            peak_force: hit.peak_force,
            max_compression: hit.max_compression,
            velocity_in: hit.velocity_in,
            velocity_out: hit.velocity_out,
            mass: hit.mass,
            energy_in: hit.energy_in,
            energy_hammer: hit.energy_hammer,
            energy_body: hit.energy_body,
            energy_contact_loss: hit.energy_contact_loss,
            energy_decay: hit.energy_decay(),
        }
    }
}

impl Stroke {
    /// Renders stroke `index` of `spec`.
    pub fn render(spec: &DatasetSpec, index: u64) -> Self {
        let draw = spec.draw(index);
        let patch = spec.patch(&draw);
        let rate = f64::from(spec.rate);
        let mut stroke = Self::played(spec, draw, &patch);
        if patch.zones.is_empty()
            && let Some(body) = BodyModes::of_key(&patch, stroke.draw.key, rate)
        {
            stroke.frequency = Some(body.frequency);
            stroke.mode_count = body.modes.len();
            stroke.modes = body.modes.into_iter().take(spec.listed_modes).collect();
        }
        stroke
    }

    /// Plays one note after silence, and releases it after the time to hold.
    fn played(spec: &DatasetSpec, draw: Draw, patch: &Patch) -> Self {
        let mut engine = Engine::new(EngineConfig { voices: 2, ..EngineConfig::at(f64::from(spec.rate)) }, patch);
        let note = NoteId { voice: None, channel: 0, key: draw.key };
        engine.event(&Event::NoteOn { note, velocity: f64::from(draw.velocity as f32 / 127.0) });
        let mut samples = Vec::with_capacity(2 * spec.frames);
        let every_frame = (CONTACT_TIME * f64::from(spec.rate)) as usize;
        let (mut frame, mut contacts, mut hit) = (0, 0, None);
        let [mut left, mut right] = [[0.0; BLOCK]; 2];
        while frame < spec.frames {
            if spec.hold == Some(frame) {
                engine.event(&Event::NoteOff { note, velocity: 0.5 });
            }
            let block = if frame < every_frame { 1 } else { BLOCK };
            let next = spec.hold.filter(|&hold| hold > frame).unwrap_or(spec.frames).min(spec.frames);
            let count = block.min(next - frame);
            engine.render(&mut left[..count], &mut right[..count], [&[]; 2]);
            samples.extend(left.iter().zip(&right).take(count).flat_map(|(&left, &right)| [left, right]));
            if let Some(pulse) = engine.take_hit() {
                contacts = pulse.number;
                hit = hit.or_else(|| Some(HitFigures::from(&pulse)));
            }
            frame += count;
        }
        let peak = samples.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
        Self { draw, samples, peak, contacts, hit, frequency: None, mode_count: 0, modes: Vec::new() }
    }
}
