//! Player of one zone of a kit: its notes, gains, and turn in a control block.

use std::ops::Range;

use crate::bleed::{AnswerParams, AnswerTurn, ZonePlace};
use crate::block::{CONTROL_BLOCK, StereoBlock, amplitude};
use crate::body::{MAX_FIELD, PreparedBody, heavy_room};
use crate::event::{Event, Expression, NoteId};
use crate::kit::settlement::{FramesAhead, SETTLED_BLOCKS, settled_block};
use crate::kit::zone_block::ZoneBlock;
use crate::modulation::{LfoMotion, SmoothedChanges};
use crate::params::ParamId;
use crate::part::{Activity, Part, PartConfig, PartInContext};
use crate::patch::{Patch, Zone, offset_value};
use crate::polyphony::{BlockCosts, VoiceCostBudget, VoiceManager, ZoneDemand};
use crate::room::SoundSource;
use crate::tasks::{NO_THREAD, Work};
use crate::tuning::KEYS;

/// Maximum number of voices of one zone.
const ZONE_VOICES: usize = 8;

/// Most control blocks that a zone renders ahead: half of what other bodies do. All zones wait for the longest rendering of a control block, so that
/// shorter ones are shared better by several threads. On one they cost 2 % more.
const ZONE_BLOCKS_AHEAD: usize = 16;

/// Velocity of a stroke that only prepares others.
const PREPARED_VELOCITY: f64 = 0.8;

/// Pressure from which a zone is choked: e-drums send full pressure for a hand on a cymbal.
const CHOKE_PRESSURE: f64 = 0.5;

/// Plays one zone.
pub(crate) struct ZonePlayer {
    /// The zone.
    pub zone: Zone,
    /// Gains of left and right, relative to the zone's sound at the default level.
    pub gains: [f64; 2],
    /// Gain of its sound where microphones and room hear it.
    pub gain: f64,
    /// Its sound at its position.
    pub source: SoundSource,
    /// Its sound.
    pub part: Part,
    /// Gain of the last strike of each key by its layer; None for a zone that does not fade.
    layer_gains: Option<Box<[f32; KEYS]>>,
    /// Whether it has to be rendered in the present run.
    pub is_awake: bool,
    /// Least cost of a frame of its hammers, at the beginning of the control block or after the last event.
    pub least: f32,
    /// Its cost in the present control block.
    pub costs: BlockCosts,
    /// Whether the frames that it renders next have a budget of their own.
    pub has_own_budget: bool,
    /// What it takes, as of the last settlement.
    pub demand: ZoneDemand,
    /// The control blocks that it has rendered last, in the order of [`settled_block`].
    pub blocks: [ZoneBlock; SETTLED_BLOCKS],
    next: ZoneWork,
    /// Cost of its hammers in the last control block.
    last_hammers: f32,
    /// Number of the thread that rendered it last.
    last_thread: u8,
}

/// What a zone does next, at the same time as other zones.
#[derive(Clone, Debug)]
enum ZoneWork {
    /// Begins a control block: smoothed parameters, pitches, pickups, voices that have ended.
    BeginBlock,
    /// Renders frames that have begun into the block of its part.
    Render(Range<usize>, Activity),
    /// Renders frames of several control blocks, without other zones.
    Ahead(FramesAhead, AnswerTurn),
}

/// What an event has done to a zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Handled {
    /// Its notes have been choked.
    Choked,
    /// Anything else.
    Otherwise,
}

impl AsRef<VoiceManager> for ZonePlayer {
    fn as_ref(&self) -> &VoiceManager {
        self.part.voices()
    }
}

impl AsMut<VoiceManager> for ZonePlayer {
    fn as_mut(&mut self) -> &mut VoiceManager {
        self.part.voices_mut()
    }
}

impl ZonePlayer {
    /// The player of a zone of `kit` at `rate` [Hz]. Allocates.
    pub fn new(zone: &Zone, kit: &Patch, rate: f64) -> Self {
        let sound = zone.sound_in(kit);
        let field = if sound.settings.get(ParamId::Density) > 0.0 { MAX_FIELD } else { 0 };
        let modes = sound.settings.get(ParamId::Modes) as usize + field + heavy_room(&sound);
        let level = zone.level + sound.settings.get(ParamId::Level) - ParamId::Level.spec().default;
        let sides = [1.0 - zone.pan, 1.0 + zone.pan];
        let mut part = Part::new(PartConfig::new(rate, ZONE_VOICES, modes), &sound);
        part.voices_mut().set_most_blocks_ahead(ZONE_BLOCKS_AHEAD);
        prepare_stroke(&mut part, zone.plays);
        Self {
            zone: zone.clone(),
            gains: sides.map(|side| amplitude(level) * side.min(1.0)),
            gain: amplitude(level),
            source: SoundSource::at(zone.floor_position()),
            part: if zone.keys.0 == zone.keys.1 { part.without_answers() } else { part },
            layer_gains: zone.layer.fades().then(|| Box::new([1.0; KEYS])),
            is_awake: false,
            least: 0.0,
            costs: BlockCosts::default(),
            has_own_budget: false,
            demand: ZoneDemand::default(),
            blocks: [ZoneBlock::default(); SETTLED_BLOCKS],
            next: ZoneWork::BeginBlock,
            last_thread: NO_THREAD,
            last_hammers: 0.0,
        }
    }

    /// How the other zones hear it.
    pub fn place(&self) -> ZonePlace {
        let Zone { pan, choke, level, plays, .. } = self.zone;
        let gain = self.gains[0].max(self.gains[1]);
        ZonePlace { pan, group: choke, gain, own_gain: gain / amplitude(level), key: plays }
    }

    /// Adds the frames `run` of `sound` to `bus`, at the level and pan of the zone.
    pub fn add_to(&self, run: Range<usize>, sound: &StereoBlock, bus: &mut StereoBlock) {
        for ((sum, sound), gain) in bus.iter_mut().zip(sound).zip(self.gains) {
            for (sum, sound) in sum[run.clone()].iter_mut().zip(&sound[run.clone()]) {
                *sum += gain * sound;
            }
        }
    }

    /// The zone's note for a note of the engine; None for a key outside of the zone.
    fn zone_note(&self, note: NoteId) -> Option<NoteId> {
        self.zone.played_key(note.key).map(|key| NoteId { key, ..note })
    }

    /// The engine's note for a note of the zone.
    pub fn engine_note(&self, note: NoteId) -> Option<NoteId> {
        let key = i16::from(note.key) - i16::from(self.zone.plays) + i16::from(self.zone.keys.0);
        u8::try_from(key).ok().map(|key| NoteId { key, ..note })
    }

    /// Whether a note of the engine sounds here.
    pub fn has_note(&self, note: NoteId) -> bool {
        self.zone_note(note).is_some_and(|note| self.part.voices().has_note(note))
    }

    /// Gain of the last strike of a key of the engine, by the layer.
    fn layer_gain(&self, key: u8) -> f64 {
        self.layer_gains.as_ref().and_then(|gains| gains.get(usize::from(key))).map_or(1.0, |&gain| f64::from(gain))
    }

    /// Notes the gain of a strike. Returns the event that gives it to the note.
    fn fade_strike(&mut self, note: NoteId, velocity: f64) -> Option<Event> {
        let gain = self.zone.layer.gain(velocity)?;
        *self.layer_gains.as_mut()?.get_mut(usize::from(note.key))? = gain as f32;
        Some(Event::NoteExpression { note: self.zone_note(note)?, what: Expression::Volume, value: self.layer_gain(note.key) })
    }

    /// The zone's event for an event of the engine; None if it does not concern the zone.
    fn zone_event(&self, event: &Event) -> Option<Event> {
        match *event {
            Event::NoteOn { note, velocity } => self.zone_note(note).map(|note| Event::NoteOn { note, velocity }),
            Event::NoteOff { note, velocity } => self.zone_note(note).map(|note| Event::NoteOff { note, velocity }),
            Event::Choke { note } => self.zone_note(note).map(|note| Event::Choke { note }),
            Event::NoteExpression { note, what: Expression::Pressure, value } if self.zone.pressure_chokes => {
                let is_choke = value >= CHOKE_PRESSURE && self.zone.holds(note.key);
                is_choke.then_some(Event::ChokeAll)
            }
            Event::NoteExpression { note, what, value } => {
                let factor = if what == Expression::Volume { self.layer_gain(note.key) } else { 1.0 };
                self.zone_note(note).map(|note| Event::NoteExpression { note, what, value: value * factor })
            }
            Event::NoteModulation { note, param, travel } => {
                self.zone_note(note).map(|note| Event::NoteModulation { note, param, travel })
            }
            Event::Set { param, value } => {
                let value = offset_value(param, self.zone.settings.get(param), param.spec().clamped(value));
                (self.part.base().get(param) != value).then_some(Event::Set { param, value })
            }
            other => Some(other),
        }
    }

    /// Applies an event of the engine.
    pub fn handle_event(&mut self, event: &Event, frame: u64) -> Handled {
        let fade = match *event {
            Event::NoteOn { note, velocity } if velocity > 0.0 => self.fade_strike(note, velocity),
            _ => None,
        };
        let Some(event) = self.zone_event(event) else { return Handled::Otherwise };
        self.part.set_frame(frame);
        if self.begin_modulation() && self.part.is_silent() {
            self.part.snap_smoothers();
        }
        self.part.handle_event(&event);
        if let Some(fade) = fade {
            self.part.handle_event(&fade);
        }
        if matches!(event, Event::Set { .. }) && self.part.is_silent() {
            self.part.snap_smoothers();
        }
        if matches!(event, Event::Choke { .. } | Event::ChokeAll) { Handled::Choked } else { Handled::Otherwise }
    }

    /// Computes the modulation of the present control block. Returns whether parameters have moved.
    fn begin_modulation(&mut self) -> bool {
        let motion = if self.part.is_silent() { LfoMotion::Restart } else { LfoMotion::Advance };
        self.part.begin_modulation(motion)
    }

    /// Moves to frame `frame`; its next work begins a control block. Returns false if it sleeps.
    pub fn wake(&mut self, frame: u64) -> bool {
        let part = &mut self.part;
        part.set_frame(frame);
        self.next = ZoneWork::BeginBlock;
        self.is_awake = self.can_sound();
        self.is_awake
    }

    /// Whether something sounds or a drive acts.
    pub fn can_sound(&self) -> bool {
        !(self.part.is_silent() && self.part.voices().drive().is_idle())
    }

    /// Begins a control block.
    fn begin_block(&mut self) {
        self.begin_modulation();
        let part = &mut self.part;
        let changes = if part.is_silent() {
            part.snap_smoothers();
            SmoothedChanges::default()
        } else {
            part.advance_smoothers()
        };
        let level = amplitude(part.smoothers().get(ParamId::Level));
        part.begin_control_block(changes, level);
    }

    /// About what its next work costs, in samples of one reference resonator: hammers cost what they did in the last control block, or twice their
    /// least cost if they are new.
    pub fn expected_cost(&self) -> f32 {
        let least = self.least * CONTROL_BLOCK as f32;
        let hammers = if self.last_hammers == 0.0 { 2.0 * least } else { self.last_hammers.max(least) };
        match self.next {
            ZoneWork::BeginBlock => 0.0,
            ZoneWork::Render(..) => hammers + self.part.voices().expected_ringing_cost(),
            ZoneWork::Ahead(frames, _) => {
                hammers * (frames.count as f32 / CONTROL_BLOCK as f32) + self.part.voices().expected_ringing_cost()
            }
        }
    }

    /// Keeps the frames `run` that it has rendered, from the absolute frame `frame` on, for the mix, and what its hammers have cost in a control block
    /// that ends.
    pub fn keep_run(&mut self, run: &Range<usize>, frame: u64) {
        let (part, costs) = (&self.part, &self.costs);
        let block = &mut self.blocks[settled_block(frame)];
        (block.is_awake, block.is_silent_after) = (self.is_awake, part.is_silent());
        if self.is_awake {
            (block.sound, block.struck, block.costs) = (*part.block(), *part.struck(), *costs);
        }
        if run.end == CONTROL_BLOCK {
            let costs = costs.in_block(BlockCosts::place_of(frame).0);
            self.last_hammers = (0..CONTROL_BLOCK).map(|place| costs.hammers(place)).sum();
        }
    }

    /// Whether hammers may act on it in the frames that have begun, so that it needs a budget.
    pub fn has_hammers(&self) -> bool {
        self.least > 0.0
            || !self.part.voices().drive().is_idle()
            || self.part.voices().awake().any(|voice| voice.active_count() > 0)
    }

    /// Begins the frames `run` with the `budget` of all zones, in their order. The zone then [works](Work::work).
    pub fn begin_run(&mut self, run: Range<usize>, drive: [&[f32]; 2], budget: &mut Box<VoiceCostBudget>) {
        let part = &mut self.part;
        part.voices_mut().swap_budget(budget);
        let activity = part.begin_run(run.clone(), drive);
        part.voices_mut().swap_budget(budget);
        self.next = ZoneWork::Render(run, activity);
    }

    /// Forgets what it has rendered and spent: frames begin again.
    pub fn forget(&mut self) {
        self.costs = BlockCosts::default();
        self.blocks.fill(ZoneBlock::default());
    }

    /// What it takes at absolute frame `frame`.
    pub fn demand_at(&self, frame: u64) -> ZoneDemand {
        let (number, _) = BlockCosts::place_of(frame);
        let is_recent = self.costs.number + 1 >= number;
        self.part.voices().demand(if is_recent { self.costs.charged } else { 0.0 })
    }

    /// Its next work renders `frames`. `turn`: its place among all zones.
    pub fn begin_ahead(&mut self, frames: FramesAhead, turn: AnswerTurn) {
        self.next = ZoneWork::Ahead(frames, turn);
    }

    /// Renders `frames`; while nothing sounds and no drive acts it sleeps.
    pub fn render_ahead(&mut self, frames: FramesAhead, turn: AnswerTurn) {
        for (frame, run) in frames.runs() {
            let is_awake = self.wake(frame);
            if run.start == 0 {
                if is_awake {
                    self.begin_block();
                }
                self.keep_answer_params(turn);
            }
            if is_awake {
                let activity = self.part.begin_run(run.clone(), [&[], &[]]);
                self.part.finish_run(run.clone(), activity);
                self.costs = self.part.voices().budget().end_turn();
            }
            self.keep_run(&run, frame);
        }
    }

    /// Keeps what its answer depends on in the control block that has begun. `turn`: its place among all zones.
    pub fn keep_answer_params(&mut self, turn: AnswerTurn) {
        let place = self.place();
        let PartInContext { voices, context } = self.part.in_context();
        self.blocks[settled_block(context.frame)].answer = AnswerParams::of(&place, turn, current_body(voices), &context);
    }
}

/// Strikes `key` of `part`, renders a control block, and resets: what the first stroke would compute of body, contact and pickups is ready then. It takes
/// up to ten times as long as later strokes. Not for the audio thread.
fn prepare_stroke(part: &mut Part, key: u8) {
    let note = NoteId { voice: None, channel: 0, key };
    part.handle_event(&Event::NoteOn { note, velocity: PREPARED_VELOCITY });
    part.begin_control_block(SmoothedChanges::default(), 1.0);
    part.render(0..CONTROL_BLOCK, [&[], &[]]);
    part.reset();
}

/// The body that strikes go to.
pub(crate) fn current_body(voices: &VoiceManager) -> Option<&PreparedBody> {
    voices.bodies().body(voices.bodies().current())
}

impl Work for ZonePlayer {
    fn work(&mut self) {
        match self.next.clone() {
            ZoneWork::BeginBlock => self.begin_block(),
            ZoneWork::Render(run, activity) => self.part.finish_run(run, activity),
            ZoneWork::Ahead(frames, turn) => self.render_ahead(frames, turn),
        }
    }

    fn last_thread(&mut self) -> &mut u8 {
        &mut self.last_thread
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::factory_presets;

    /// The first stroke of a zone finds what it needs, as the second does; on a hi-hat too.
    #[test]
    fn first_strokes_are_prepared() {
        for name in ["Crash Cymbal", "Pedal Hi-Hat"] {
            let sound = factory_presets::find(name).expect("a preset");
            let mut player = ZonePlayer::new(&Zone::new(&sound, (40, 40)), &Patch::default(), 48e3);
            let prepared = player.part.voices().pickup_changes();
            assert!(prepared > 0 && player.part.is_silent());
            let note = NoteId { voice: None, channel: 0, key: 40 };
            player.handle_event(&Event::NoteOn { note, velocity: 0.4 }, 0);
            assert!(!player.part.is_silent());
            assert_eq!(player.part.voices().pickup_changes(), prepared, "{name}");
        }
    }
}
