//! The modulation sources of one voice, and what its rows of the matrix move.

use crate::midi::{MidiControllers, Note};
use crate::modulation::common_sources::{CommonSources, HammerPresence, VoiceRow};
use crate::modulation::envelope::{ENVELOPES, Envelope};
use crate::modulation::lfo::{LFOS, Lfo};
use crate::modulation::mod_matrix::{ROWS, TargetScope};
use crate::modulation::param_offsets::ParamOffsets;
use crate::modulation::param_smoother::{SmoothedChanges, ThreePoleSmoother};
use crate::params::{LfoMode, ModSource, ParamId, UpdateRate};

/// Number of keys from the home key at which the key source is 1.
const KEY_RANGE: f64 = 60.0;
/// Force [N] at which the source of the contact force is 0, and decades up to 1.
const FORCE_RANGE: (f64, f64) = (0.1, 5.0);
/// Duration [s] at which the source of the contact time is 0, and decades up to 1.
const TIME_RANGE: (f64, f64) = (20e-6, 3.0);

/// Distance from its target, as a part of the range, at which a smoothed offset is set to it: a tenth of a cent of the tune.
const SETTLE_DISTANCE: f32 = 1e-5;

/// Offsets of the parameters of one voice.
pub type VoiceOffsets = ParamOffsets<ROWS>;

/// A finished contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactReading {
    /// Largest force [N].
    pub force: f64,
    /// Duration [s].
    pub time: f64,
}

/// The strike that a voice's sources begin with.
#[derive(Clone, Copy, Debug)]
pub struct StrikeSources {
    /// Velocity, 0 to 1.
    pub velocity: f64,
    /// Distance of the key from the home key.
    pub keys: f64,
    /// The random number of the strike, -1 to 1.
    pub random: f64,
}

/// The sources of one voice: those of its last strike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NoteSources {
    velocity: f64,
    key: f64,
    random: f64,
    lfos: [Lfo; LFOS],
    envelopes: [Envelope; ENVELOPES],
    contact: ContactReading,
}

impl NoteSources {
    /// A strike begins LFOs and envelopes.
    pub fn strike(&mut self, strike: StrikeSources, common: &CommonSources) {
        self.velocity = strike.velocity;
        self.key = (strike.keys / KEY_RANGE).clamp(-1.0, 1.0);
        self.random = strike.random;
        self.lfos = Default::default();
        self.envelopes.iter_mut().zip(&common.envelopes).for_each(|(envelope, settings)| envelope.strike(settings));
    }

    /// Advances by one control block. `contact` is the last contact of the voice.
    pub fn advance(&mut self, common: &CommonSources, is_held: bool, contact: ContactReading) {
        self.lfos.iter_mut().zip(&common.turns).for_each(|(lfo, turn)| lfo.periods += turn);
        self.envelopes.iter_mut().zip(&common.envelopes).for_each(|(envelope, settings)| envelope.advance(settings, is_held));
        self.contact = contact;
    }

    /// The value of a source for `note`.
    pub fn value(&self, source: ModSource, note: &Note, common: &CommonSources, controllers: &MidiControllers) -> f64 {
        let lfo = |i: usize| match common.lfos[i].mode {
            LfoMode::Common => common.values[i],
            LfoMode::PerNote => self.lfos[i].value(&common.lfos[i], self.random.to_bits()),
        };
        match source {
            ModSource::Off => 0.0,
            ModSource::Lfo1 => lfo(0),
            ModSource::Lfo2 => lfo(1),
            ModSource::Envelope1 => self.envelopes[0].level(),
            ModSource::Envelope2 => self.envelopes[1].level(),
            ModSource::Random => self.random,
            ModSource::Key => self.key,
            ModSource::Velocity => self.velocity,
            ModSource::Wheel => controllers.wheel(note),
            ModSource::Pressure => controllers.pressure(note),
            ModSource::Slide => controllers.brightness(note),
            ModSource::Expression => controllers.expression(note),
            ModSource::ContactForce => within(self.contact.force, FORCE_RANGE),
            ModSource::ContactTime => within(self.contact.time, TIME_RANGE),
            ModSource::Playhead => common.playhead,
            other => common.macros[(other as usize).saturating_sub(ModSource::Macro1 as usize).min(common.macros.len() - 1)],
        }
    }
}

/// Position of `value` in a range that begins at a value and spans a number of decades, 0 to 1.
fn within(value: f64, (from, decades): (f64, f64)) -> f64 {
    if value > 0.0 { ((value / from).log10() / decades).clamp(0.0, 1.0) } else { 0.0 }
}

/// What has changed for a voice.
#[derive(Clone, Copy, Debug, Default)]
pub struct VoiceChanges {
    /// Parameters of hammers and contact.
    pub hammers: bool,
    /// Forces that return hammers, which may put one on the body.
    pub forces: bool,
    /// Pitch, losses, pickups or radiation.
    pub smoothed: SmoothedChanges,
}

impl VoiceChanges {
    /// Adds the change of a parameter.
    fn add(&mut self, id: ParamId) {
        match id {
            _ if id.moves_hammers() => self.hammers = true,
            _ if id.spec().update_rate == UpdateRate::Immediate => self.forces = true,
            _ => self.smoothed.add(id),
        }
    }
}

/// The modulation of one voice.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoteModulators {
    /// Its sources.
    pub sources: NoteSources,
    /// What its rows move, smoothed where the parameter is.
    offsets: VoiceOffsets,
    smoothers: [ThreePoleSmoother<f32>; ROWS],
    /// All smoothed offsets have arrived.
    is_settled: bool,
}

impl NoteModulators {
    /// The offsets of its parameters.
    pub fn offsets(&self) -> &VoiceOffsets {
        &self.offsets
    }

    /// Without offsets.
    pub fn clear(&mut self) {
        self.offsets.clear();
    }

    /// All offsets for `note` at a strike. A voice that has been silent begins there; others move there smoothly.
    pub fn strike(&mut self, note: &Note, common: &CommonSources, controllers: &MidiControllers, begins: bool) {
        self.offsets = *common.targets_of_voices();
        self.is_settled = false;
        for VoiceRow { number, place, row, .. } in common.rows_of_voices() {
            let offset = row.offset(self.sources.value(row.source, note, common, controllers));
            if begins {
                self.smoothers[*number] = ThreePoleSmoother::at(offset as f32);
            }
            *self.offsets.at(*place) += if row.is_smoothed { self.smoothers[*number].value().into() } else { offset };
        }
    }

    /// Whether no offset moves in this control block.
    pub fn is_at_rest(&self, common: &CommonSources, hammers: HammerPresence) -> bool {
        self.is_settled && !common.moves_voices(hammers)
    }

    /// Moves the offsets by one control block. Those of a strike stay, and without `hammers` those that move hammers.
    pub fn advance(
        &mut self,
        note: &Note,
        common: &CommonSources,
        controllers: &MidiControllers,
        hammers: HammerPresence,
    ) -> VoiceChanges {
        let mut changes = VoiceChanges::default();
        if !self.offsets.has_params_of(common.targets_of_voices()) {
            self.take_targets(common, &mut changes);
        }
        let before = self.offsets;
        self.is_settled = true;
        for VoiceRow { number, place, is_first, needs_hammers, row } in common.rows_of_voices() {
            if row.scope == TargetScope::Strike || *needs_hammers && hammers == HammerPresence::Absent {
                continue;
            }
            let target = row.offset(self.sources.value(row.source, note, common, controllers));
            let offset = if row.is_smoothed { self.smooth(*number, target as f32, common).into() } else { target };
            let sum = self.offsets.at(*place);
            *sum = if *is_first { offset } else { *sum + offset };
        }
        self.offsets.moved_since(&before).for_each(|id| changes.add(id));
        changes
    }

    /// Other parameters have offsets than before. Those that have none any more are added to `changes`.
    fn take_targets(&mut self, common: &CommonSources, changes: &mut VoiceChanges) {
        let before = std::mem::replace(&mut self.offsets, *common.targets_of_voices());
        for (id, offset) in before.iter() {
            let place = self.offsets.iter().position(|(other, _)| other == id);
            match place {
                Some(place) => *self.offsets.at(place) = offset,
                None if offset != 0.0 => changes.add(id),
                None => {}
            }
        }
    }

    /// Moves the smoothed offset of a row towards `target` and returns it.
    fn smooth(&mut self, number: usize, target: f32, common: &CommonSources) -> f32 {
        let smoother = &mut self.smoothers[number];
        let value = smoother.advance(target, common.smoothing_step as f32);
        if smoother.is_within(SETTLE_DISTANCE, target) {
            *smoother = ThreePoleSmoother::at(target);
            return target;
        }
        self.is_settled = false;
        value
    }
}
