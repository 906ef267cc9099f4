//! The fingerprint of a preset, computed on a thread of its own, and its drawing as small diagrams.

use std::collections::{BTreeMap, BTreeSet};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use egui::{Pos2, Rect, pos2};

use crate::editor::widgets::ThemePainter;
use urto_engine::VelocityCurve;
use urto_engine::body::{BodyScratch, BodySize, BodySpec, BodyTuning, KeyScaling, PreparedBody};
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::tuning::KeyFrequencies;
use urto_engine::voice::contact_law;
use urto_physics::contact::{ContactLaw, RigidImpact};

/// Partials of a fingerprint.
const PARTIALS: usize = 24;
/// Velocity of the hit (0 to 1), and time steps of its force pulse.
pub const VELOCITY: f64 = 96.0 / 127.0;
const STEPS: usize = 120;

/// Lowest and highest frequency of a fingerprint [Hz].
pub const RANGE: (f64, f64) = (60.0, 14e3);

/// Fingerprint of a preset: its partials, and the force of a hit against a rigid wall.
#[derive(Clone, Debug, Default)]
pub struct Fingerprint {
    /// Frequency [Hz] and level [0 to 1] of the lowest partials at the home key.
    pub partials: Vec<(f64, f64)>,
    /// Force [N] in equal time steps over the contact, and its duration [s]; none if the contact law has no closed form.
    pub pulse: Option<(Vec<f64>, f64)>,
}

impl Fingerprint {
    /// Computes the fingerprint of a patch; of the first zone for a kit. Takes some milliseconds.
    pub fn of(patch: &Patch) -> Self {
        let zone = patch.zones.first().map(|zone| zone.patch(&patch.settings));
        let patch = zone.as_ref().unwrap_or(patch);
        Self { partials: partials(patch), pulse: pulse(patch) }
    }

    /// Largest force of the pulse [N].
    pub fn peak(&self) -> f64 {
        self.pulse.as_ref().map_or(0.0, |(forces, _)| forces.iter().copied().fold(0.0, f64::max))
    }
}

/// The lowest partials with their level after a short contact.
fn partials(patch: &Patch) -> Vec<(f64, f64)> {
    let settings = &patch.settings;
    let request = BodySpec { modes: PARTIALS.min(settings.get(ParamId::Modes) as usize), ..BodySpec::of(settings) };
    let body = PreparedBody::prepare(request, &patch.modes, &patch.morph_modes).with_partial_edits(&patch.partial_edits);
    let hertz = KeyFrequencies::default().hertz(settings.get(ParamId::HomeKey) as u8).unwrap_or(261.6);
    let pitch = BodyTuning::new(hertz, KeyScaling::default(), |spec| settings.get(spec));
    let (count, rigid) = (body.partials().min(PARTIALS), body.rigid());
    let mut scratch = BodyScratch::new(count + 2);
    let size = BodySize { mass: settings.get(ParamId::BodyMass), morph: settings.get(ParamId::Morph) };
    let weights = body.hammer_weights(settings.strike_position(), size, count + rigid, &mut scratch);
    let strongest = weights[rigid..].iter().fold(1e-12, |largest: f64, weight| largest.max(weight.abs()));
    let duration = wall(patch).map_or(0.0, |wall| wall.duration());
    let level = |i: usize, hertz: f64| {
        // low-pass of a pulse as long as the contact
        let dulled = 1.0 / (1.0 + (hertz * duration).powi(2));
        let decibels = 20.0 * (weights[rigid + i].abs() / strongest * dulled).max(1e-6).log10();
        (1.0 + decibels / 60.0).clamp(0.05, 1.0)
    };
    (0..count).map(|i| (body.partial(i, &pitch), i)).map(|(hertz, i)| (hertz, level(i, hertz))).collect()
}

/// A hit against a rigid wall, if the contact law has a closed form.
fn wall(patch: &Patch) -> Option<RigidImpact> {
    let mass = patch.settings.get(ParamId::HammerMass);
    let ContactLaw::HuntCrossley(law) = contact_law(&patch.settings.hammer_contact(), mass) else { return None };
    let velocity = VelocityCurve::of(&patch.settings).speed(VELOCITY);
    Some(RigidImpact { mass, stiffness: law.stiffness(), exponent: law.exponent(), damping: law.damping(), velocity })
}

/// Its force over time: x'' = -F/m from the first contact, by the midpoint rule.
fn pulse(patch: &Patch) -> Option<(Vec<f64>, f64)> {
    let wall = wall(patch)?;
    let duration = wall.duration();
    let dt = duration / STEPS as f64;
    let force = |x: f64, v: f64| (wall.stiffness * x.max(0.0).powf(wall.exponent) * (1.0 + wall.damping * v)).max(0.0);
    let (mut x, mut v) = (0.0, wall.velocity);
    let forces = (0..STEPS).map(|_| {
        let (half_x, half_v) = (x + 0.5 * dt * v, v - 0.5 * dt * force(x, v) / wall.mass);
        (x, v) = (x + dt * half_v, v - dt * force(half_x, half_v) / wall.mass);
        force(x, v)
    });
    Some((forces.collect(), duration))
}

/// Position of a frequency on the logarithmic axis of a fingerprint, 0 to 1; none outside.
pub fn axis_position(hertz: f64) -> Option<f32> {
    let part = (hertz / RANGE.0).ln() / (RANGE.1 / RANGE.0).ln();
    (0.0..=1.0).contains(&part).then_some(part as f32)
}

/// Fingerprints by the names of their presets. Those that are drawn are computed, on a thread of their own.
#[derive(Default)]
pub struct FingerprintCache {
    made: BTreeMap<String, Fingerprint>,
    /// Names of the presets whose fingerprints are being computed.
    awaited: BTreeSet<String>,
    worker: Option<Worker>,
}

/// The thread that computes fingerprints. It ends when this is dropped.
struct Worker {
    wanted: Sender<Patch>,
    made: Receiver<(String, Fingerprint)>,
}

impl Worker {
    /// Starts the thread. None if the system has no thread left.
    fn start() -> Option<Self> {
        let (wanted, patches) = unbounded::<Patch>();
        let (done, made) = unbounded();
        let make = move || {
            for patch in patches {
                let fingerprint = Fingerprint::of(&patch);
                if done.send((patch.name, fingerprint)).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("urto prints".into()).spawn(make).ok()?;
        Some(Self { wanted, made })
    }
}

impl FingerprintCache {
    /// Receives the fingerprints that are ready.
    pub fn take(&mut self) {
        while let Some(worker) = &self.worker {
            match worker.made.try_recv() {
                Ok((name, fingerprint)) => {
                    self.awaited.remove(&name);
                    self.made.insert(name, fingerprint);
                }
                Err(TryRecvError::Empty) => return,
                // the thread has ended by a fault: missing fingerprints stay empty
                Err(TryRecvError::Disconnected) => return self.awaited.clear(),
            }
        }
    }

    /// Whether fingerprints are being computed.
    pub fn is_waiting(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// The fingerprint of a preset, if it is ready; otherwise it is computed. Without a thread none becomes ready.
    pub fn get(&mut self, patch: &Patch) -> Option<&Fingerprint> {
        let name = &patch.name;
        if !self.made.contains_key(name) && !self.awaited.contains(name) {
            self.worker = self.worker.take().or_else(Worker::start);
            if self.worker.as_ref().is_some_and(|worker| worker.wanted.send(patch.clone()).is_ok()) {
                self.awaited.insert(name.clone());
            }
        }
        self.made.get(name)
    }
}

/// Draws the partials as lines on a logarithmic axis.
pub fn draw_partials(painter: &ThemePainter, rect: Rect, fingerprint: Option<&Fingerprint>) {
    painter.hline(rect.x_range(), rect.bottom(), painter.ink.hair);
    let width = if rect.width() > 150.0 { 2.2 } else { 1.5 };
    for &(hertz, level) in fingerprint.iter().flat_map(|fingerprint| &fingerprint.partials) {
        if let Some(part) = axis_position(hertz) {
            let x = rect.left() + rect.width() * part;
            let top = rect.bottom() - rect.height() * level as f32;
            painter.line(pos2(x, rect.bottom()), pos2(x, top), width, painter.ink.body);
        }
    }
}

/// Draws the force pulse over `longest` [s], scaled to its own peak.
pub fn draw_pulse(painter: &ThemePainter, rect: Rect, fingerprint: Option<&Fingerprint>, longest: f64) {
    painter.hline(rect.x_range(), rect.bottom(), painter.ink.hair);
    let Some((fingerprint, (forces, duration))) =
        fingerprint.and_then(|fingerprint| Some((fingerprint, fingerprint.pulse.as_ref()?)))
    else {
        return;
    };
    let peak = fingerprint.peak().max(1e-12);
    let width = rect.width() * ((duration / longest) as f32).clamp(0.06, 1.0);
    let point = |(i, force): (usize, &f64)| -> Pos2 {
        let x = rect.left() + width * i as f32 / forces.len() as f32;
        pos2(x, rect.bottom() - rect.height() * (force / peak) as f32)
    };
    let curve: Vec<Pos2> = forces.iter().enumerate().map(point).collect();
    let ink = painter.ink.force.gamma_multiply(0.9);
    painter.fill_to(&curve, rect.bottom(), [ink, ink]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::patch::factory_presets;

    #[test]
    fn a_pulse_is_as_the_closed_form_has_it() {
        let patch = factory_presets::built_in().next().expect("the first");
        let wall = wall(&patch).expect("Hunt and Crossley's law");
        let (forces, duration) = pulse(&patch).expect("a pulse");
        // the impulse reverses the hammer
        let impulse: f64 = forces.iter().sum::<f64>() * duration / STEPS as f64;
        let expected = wall.mass * (wall.velocity - wall.velocity_out());
        assert!((impulse / expected - 1.0).abs() < 0.01, "{impulse} {expected}");
        let peak = wall.phase_portrait(400).map(|point| point.force).fold(0.0, f64::max);
        assert!((Fingerprint::of(&patch).peak() / peak - 1.0).abs() < 0.01);
    }

    #[test]
    fn partials_stand_where_the_body_has_them() {
        let patch = factory_presets::built_in().next().expect("the first");
        let fingerprint = Fingerprint::of(&patch);
        let home = patch.settings.get(ParamId::HomeKey);
        let lowest = 440.0 * ((home - 69.0 + patch.settings.get(ParamId::Tune)) / 12.0).exp2();
        assert!((fingerprint.partials[0].0 / lowest - 1.0).abs() < 0.01, "{:?} {lowest}", fingerprint.partials[0]);
        assert!(fingerprint.partials.iter().all(|(_, level)| (0.0..=1.0).contains(level)));
        assert!(axis_position(60.0) == Some(0.0) && axis_position(20.0).is_none());
    }
}
