//! Who plays a kit: an engine for each zone, all at the frame of the instrument, summed into its outputs before its level and limiter.
//!
//! A zone that sleeps costs nothing. All of them share one budget of substeps, so that a crowd of zones takes no longer than a crowd of
//! bodies.

use std::ops::Range;

use crate::block::CONTROL_BLOCK;
use crate::block::amplitude;
use crate::drive::HammerDrive;
use crate::event::{Event, NoteId};
use crate::midi::MidiControllers;
use crate::params::{ParamId, ParamValues};
use crate::patch::Patch;
use crate::patch::{Zone, moved_knob};
use crate::polyphony::VoiceManager;
use crate::polyphony::shed_load;
use crate::polyphony::{CostTotals, VoiceCostBudget};
use crate::telemetry::HitPulse;
use crate::tuning::KEYS;
use crate::tuning::TuningSet;
use crate::{Engine, EngineConfig};

/// Bodies that one zone may sound at the same time.
const OBJECTS: usize = 8;

/// Sound of one output over a grid cell, left and right.
pub type StereoBlock = [[f64; CONTROL_BLOCK]; 2];

/// The players of a kit.
pub struct KitPlayer {
    rate: f64,
    players: Vec<ZonePlayer>,
    budget: VoiceCostBudget,
    /// Which zone the kit's drive goes to: that of the last key, the first before any.
    driven: usize,
}

struct ZonePlayer {
    zone: Zone,
    /// Gains of left and right, over the zone's sound at the default level.
    gains: [f64; 2],
    engine: Engine,
}

impl KitPlayer {
    /// The players of the zones of `patch` at `rate` [Hz]; none without zones. Allocates; not for the audio thread.
    pub fn of(patch: &Patch, rate: f64) -> Option<Box<Self>> {
        let players: Vec<_> = patch.zones.iter().map(|zone| ZonePlayer::new(zone, patch, rate)).collect();
        (!players.is_empty()).then(|| {
            let mut crew = Self { rate, players, budget: VoiceCostBudget::default(), driven: 0 };
            crew.share_drive();
            Box::new(crew)
        })
    }

    /// What the hammers of all zones cost since it was made or reset.
    pub(super) fn spent(&self) -> CostTotals {
        self.budget.spent
    }

    /// Sample rate that it was made for [Hz].
    pub(super) fn rate(&self) -> f64 {
        self.rate
    }

    /// Stands as the knobs and hands of the instrument do now. Before anything sounds.
    pub(super) fn sync_state(&mut self, settings: &ParamValues, hands: &MidiControllers, tunings: &TuningSet) {
        for ZonePlayer { zone, engine, .. } in &mut self.players {
            engine.settings = zone.moved(settings);
            engine.hands = hands.clone();
            engine.tune(tunings);
            engine.reset();
            engine.hands = hands.clone();
        }
        self.share_drive();
    }

    /// The music stands where it does for `drive`.
    pub(super) fn keep_time_with(&mut self, drive: &HammerDrive) {
        self.players.iter_mut().for_each(|player| player.engine.stage.drive.keep_time_with(drive));
    }

    /// The drive goes to the zone that is driven, and to those whose own sound has one.
    fn share_drive(&mut self) {
        for (i, ZonePlayer { zone, engine, .. }) in self.players.iter_mut().enumerate() {
            engine.stage.drive.muted = i != self.driven && !zone.settings.is_driven();
            engine.follow_drive();
        }
    }

    /// Nothing is driven any more.
    pub(super) fn release_drive(&mut self) {
        for ZonePlayer { engine, .. } in &mut self.players {
            engine.stage.drive.muted = true;
            engine.follow_drive();
        }
    }

    /// Takes an event at absolute frame `frame`. Notes go to the zones that hold their key.
    pub(super) fn event(&mut self, event: &Event, frame: u64) {
        if let Event::NoteOn { note, velocity } = event
            && *velocity > 0.0
        {
            self.choke_groups(note.key, frame);
            self.route_drive(note.key, frame);
        }
        for player in &mut self.players {
            player.event(event, frame);
        }
    }

    /// The drive goes to a zone that holds `key`, unless notes mean nothing to it.
    fn route_drive(&mut self, key: u8, frame: u64) {
        let holds =
            |player: &ZonePlayer| player.zone.holds(key) && player.engine.stage.drive.hears_notes(&player.engine.settings);
        if let Some(zone) = self.players.iter().position(holds).filter(|&zone| zone != self.driven) {
            self.driven = zone;
            self.players.iter_mut().for_each(|player| player.engine.frame = frame);
            self.share_drive();
        }
    }

    /// Damps the other zones of the groups of those that `key` plays.
    fn choke_groups(&mut self, key: u8, frame: u64) {
        for i in 0..self.players.len() {
            let group = self.players[i].zone.choke;
            if group != 0 && self.players[i].zone.holds(key) {
                let others = self.players.iter_mut().filter(|other| other.zone.choke == group && !other.zone.holds(key));
                others.for_each(|other| other.event(&Event::ChokeAll, frame));
            }
        }
    }

    /// Takes other tunings.
    pub(super) fn tune(&mut self, tunings: &TuningSet) {
        self.players.iter_mut().for_each(|player| player.engine.tune(tunings));
    }

    /// Silence.
    pub(super) fn reset(&mut self) {
        self.players.iter_mut().for_each(|player| player.engine.reset());
        self.budget = VoiceCostBudget::default();
        self.driven = 0;
        self.share_drive();
    }

    /// Adds the frames `run` of a grid cell, of which the first is the absolute frame `frame`, to `buses`; zones whose bus is not there
    /// go to the first.
    pub(super) fn render(&mut self, run: Range<usize>, drive: [&[f32]; 2], frame: u64, buses: &mut [StereoBlock]) {
        for player in &mut self.players {
            if !player.render(run.clone(), drive, frame, &mut self.budget) {
                continue;
            }
            let place = usize::from(player.zone.bus.saturating_sub(1));
            let bus = &mut buses[if place < buses.len() { place } else { 0 }];
            for ((sum, sound), gain) in bus.iter_mut().zip(&player.engine.sound).zip(player.gains) {
                for (sum, sound) in sum[run.clone()].iter_mut().zip(&sound[run.clone()]) {
                    *sum += gain * sound;
                }
            }
        }
        self.relieve();
    }

    /// Of zones that are too many together hammers leave, whichever zone they are in: each zone relieves but itself.
    fn relieve(&mut self) {
        let part = std::mem::take(&mut self.budget.too_many);
        if part > 0.0 {
            self.budget.spent.relieved += shed_load(&mut self.players, part);
        }
    }

    /// The engine of the zone that is driven.
    pub(super) fn driven_mut(&mut self) -> Option<&mut Engine> {
        self.players.get_mut(self.driven).map(|player| &mut player.engine)
    }

    /// All engines.
    pub(super) fn engines(&self) -> impl Iterator<Item = &Engine> {
        self.players.iter().map(|player| &player.engine)
    }

    /// All engines.
    pub(super) fn engines_mut(&mut self) -> impl Iterator<Item = &mut Engine> {
        self.players.iter_mut().map(|player| &mut player.engine)
    }

    /// Nothing sounds.
    pub(super) fn is_asleep(&self) -> bool {
        self.engines().all(|engine| engine.stage.is_asleep())
    }

    /// A note that no zone sounds any more, as the instrument knows it.
    pub(super) fn next_ended(&mut self) -> Option<NoteId> {
        for i in 0..self.players.len() {
            while let Some(ended) = self.players[i].engine.next_ended() {
                let Some(note) = self.players[i].heard(ended) else { continue };
                if !self.players.iter().any(|player| player.sounds(note)) {
                    return Some(note);
                }
            }
        }
        None
    }

    /// The last contact that has ended in a zone.
    pub(super) fn take_hit(&mut self) -> Option<HitPulse> {
        self.players.iter_mut().find_map(|player| {
            let hit = player.engine.take_hit()?;
            let key = player.heard(NoteId { key: hit.key, ..NoteId::default() }).map_or(hit.key, |note| note.key);
            Some(HitPulse { key, ..hit })
        })
    }
}

impl AsRef<VoiceManager> for ZonePlayer {
    fn as_ref(&self) -> &VoiceManager {
        &self.engine.stage
    }
}

impl AsMut<VoiceManager> for ZonePlayer {
    fn as_mut(&mut self) -> &mut VoiceManager {
        &mut self.engine.stage
    }
}

impl ZonePlayer {
    fn new(zone: &Zone, kit: &Patch, rate: f64) -> Self {
        let own = zone.patch(&kit.settings);
        let modes = own.settings.get(ParamId::Modes) as usize;
        let level = zone.level + own.settings.get(ParamId::Level) - ParamId::Level.knob().default;
        let sides = [1.0 - zone.pan, 1.0 + zone.pan];
        let patch = Patch { intonation: kit.intonation.clone(), ..own };
        Self {
            zone: zone.clone(),
            gains: sides.map(|side| amplitude(level) * side.min(1.0)),
            engine: Engine::new(EngineConfig { sample_rate: rate, voices: OBJECTS, modes }, &patch),
        }
    }

    /// The note that it plays for one of the instrument.
    fn plays(&self, note: NoteId) -> Option<NoteId> {
        let key = i16::from(note.key) - i16::from(self.zone.keys.0) + i16::from(self.zone.plays);
        let key = u8::try_from(key).ok().filter(|&key| usize::from(key) < KEYS && self.zone.holds(note.key))?;
        Some(NoteId { key, ..note })
    }

    /// The note of the instrument that it plays as `note`.
    fn heard(&self, note: NoteId) -> Option<NoteId> {
        let key = i16::from(note.key) - i16::from(self.zone.plays) + i16::from(self.zone.keys.0);
        u8::try_from(key).ok().map(|key| NoteId { key, ..note })
    }

    /// Whether a note of the instrument sounds here.
    fn sounds(&self, note: NoteId) -> bool {
        self.plays(note).is_some_and(|note| self.engine.stage.awake().any(|object| object.notes.hold(note)))
    }

    fn event(&mut self, event: &Event, frame: u64) {
        let own = match *event {
            Event::NoteOn { note, velocity } => self.plays(note).map(|note| Event::NoteOn { note, velocity }),
            Event::NoteOff { note, velocity } => self.plays(note).map(|note| Event::NoteOff { note, velocity }),
            Event::Choke { note } => self.plays(note).map(|note| Event::Choke { note }),
            Event::NoteExpression { note, what, value } => {
                self.plays(note).map(|note| Event::NoteExpression { note, what, value })
            }
            Event::NoteModulation { note, knob, travel } => {
                self.plays(note).map(|note| Event::NoteModulation { note, knob, travel })
            }
            Event::Set { knob, value } => {
                let value = moved_knob(knob, self.zone.settings.get(knob), knob.knob().clamped(value));
                (self.engine.settings.get(knob) != value).then_some(Event::Set { knob, value })
            }
            other => Some(other),
        };
        if let Some(own) = own {
            self.engine.frame = frame;
            self.engine.event(&own);
        }
    }

    /// Whether it sounds in the frames `run`: then they are in its engine.
    fn render(&mut self, run: Range<usize>, drive: [&[f32]; 2], frame: u64, budget: &mut VoiceCostBudget) -> bool {
        let engine = &mut self.engine;
        engine.frame = frame;
        if engine.stage.is_asleep() && engine.stage.drive.is_idle() {
            return false;
        }
        if run.start == 0 {
            engine.begin_control_block();
        }
        std::mem::swap(&mut engine.stage.budget, budget);
        engine.play(run, drive);
        std::mem::swap(&mut engine.stage.budget, budget);
        true
    }
}
