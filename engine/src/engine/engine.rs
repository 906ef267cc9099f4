//! The engine: the main part, the kit player, and the outputs.

use std::ops::Range;
use std::slice;

use crate::block::{CONTROL_BLOCK, amplitude};
use crate::body::{BodySpec, MAX_FIELD, PreparedBody};
use crate::engine::kits::Kits;
use crate::event::Event;
use crate::kit::KitPlayer;
use crate::kit::{OutputBuses, Stems, ZoneOutputs};
use crate::modulation::{LfoMotion, SmoothedChanges};
use crate::output::{DryWetMixer, OutputStage, Outputs};
use crate::params::{ParamId, ParamValues};
use crate::part::{Part, PartConfig};
use crate::patch::{ChokeGroups, FloorPosition, MAX_MODES, MacroTargets, Patch};
use crate::polyphony::limit_costly_bodies;
use crate::room::{BlockStart, RoomStage, SoundSource};
use crate::tasks::{SequentialRunner, TaskRunner};
use crate::tuning::{KeyFrequencies, TuningSet};

/// Size of an [`Engine`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineConfig {
    /// Sample rate [Hz], clamped to 4e3..=1e6; 48e3 for NaN.
    pub sample_rate: f64,
    /// Maximum number of voices, 1 to 256.
    pub voices: usize,
    /// Maximum number of modes of a body, 1 to 4096.
    pub modes: usize,
}

impl EngineConfig {
    /// 64 voices of up to 256 exact modes and a field of [`MAX_FIELD`] at `sample_rate` [Hz].
    pub fn at(sample_rate: f64) -> Self {
        Self { sample_rate, voices: 64, modes: MAX_MODES + MAX_FIELD }
    }
}

/// An instrument: the main part, the zones of a kit, microphones and room, and the outputs.
pub struct Engine {
    pub(super) part: Part,
    /// The main part at its position.
    pub(super) source: SoundSource,
    pub(super) kits: Kits,
    pub(super) room: RoomStage,
    pub(super) outputs: Outputs,
    /// Runs the zones of kits.
    pub(super) runner: Box<dyn TaskRunner>,
    /// Whether all frames are zeros until the next event.
    pub(super) idle: bool,
}

impl Engine {
    /// An engine at rest that plays `patch`; prepares its bodies and allocates everything that it will ever need.
    pub fn new(config: EngineConfig, patch: &Patch) -> Engine {
        let config = PartConfig::new(config.sample_rate, config.voices, config.modes);
        let mut part = Part::new(config, patch);
        let current = KitPlayer::of(patch, config.rate());
        part.voices_mut().drive_mut().set_muted(current.is_some());
        let outputs = Outputs::new(config.rate(), &patch.settings);
        let (source, room) = (SoundSource::at(FloorPosition::default()), RoomStage::new(config.rate(), &patch.settings));
        let runner = Box::new(SequentialRunner);
        Engine { part, source, kits: Kits { current, outgoing: None }, room, outputs, runner, idle: false }
    }

    /// Renders the zones of kits with `runner` instead of the one before, which is returned. No bit depends on it.
    pub fn set_task_runner(&mut self, runner: Box<dyn TaskRunner>) -> Box<dyn TaskRunner> {
        std::mem::replace(&mut self.runner, runner)
    }

    /// Silences everything. Afterwards the engine renders the same bits as a new one with the same parameters and body.
    pub fn reset(&mut self) {
        self.part.reset();
        let settings = self.part.settings();
        self.outputs.all_mut().for_each(|output| output.reset(settings.get(ParamId::Level)));
        self.outputs.dry_wet = DryWetMixer::new(settings);
        self.room.reset(settings);
        self.source.reset();
        self.kits.all_mut().for_each(KitPlayer::reset);
        // its drives stay muted while it is replaced
        if let Some(old) = &mut self.kits.outgoing {
            old.release_drive();
        }
        self.idle = false;
    }

    /// The parts that sound, the main part first.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.part).chain(self.kits.all().flat_map(KitPlayer::parts))
    }

    /// Sets the smoothed parameters of all that is silent to their values without smoothing: those of voices if no voice sounds, and those of outputs,
    /// microphones and room if these are silent too.
    fn snap_smoothers(&mut self) {
        if !self.are_voices_silent() {
            return;
        }
        if !self.room.is_silent() {
            return self.part.snap_voice_smoothers();
        }
        self.part.snap_smoothers();
        let settings = self.part.settings();
        let level = settings.get(ParamId::Level);
        self.outputs.all_mut().for_each(|output| output.jump(level));
        self.room.jump(settings);
    }

    /// Whether notes go to the zones of a kit.
    pub fn plays_kit(&self) -> bool {
        self.kits.current.is_some()
    }

    /// Applies one event at the current frame.
    pub fn event(&mut self, event: &Event) {
        self.idle = false;
        if self.begin_modulation() {
            self.snap_smoothers();
        }
        let strikes = matches!(event, Event::NoteOn { velocity, .. } if *velocity > 0.0);
        let frame = self.part.frame();
        if let Some(kit) = &mut self.kits.current {
            kit.handle_event(event, frame);
        }
        if let Some(kit) = &mut self.kits.outgoing
            && !strikes
        {
            kit.handle_event(event, frame);
        }
        if strikes && self.kits.current.is_some() {
            return;
        }
        self.part.handle_event(event);
        if matches!(event, Event::Set { .. }) {
            self.snap_smoothers();
        }
    }

    /// Renders `left.len()` frames over the contents of the slices, all zones of a kit on the main output. `right` has the same length
    /// (otherwise the shorter length applies and the rest is zero). `drive` is the side-chain, full scale 1: left and right, each empty or as
    /// long; without a right channel it is mono. Its dry part goes to the main output.
    pub fn render(&mut self, left: &mut [f32], right: &mut [f32], drive: [&[f32]; 2]) {
        self.render_outputs([left, right], &mut [], drive);
    }

    /// As [`Engine::render`]; zones with another bus go to `sides`, the first of which is bus 2. Those of an empty one go to the main output.
    pub fn render_outputs(&mut self, main: [&mut [f32]; 2], sides: &mut [[&mut [f32]; 2]], drive: [&[f32]; 2]) {
        self.render_all(main, sides, drive, None);
    }

    /// As [`Engine::render`], and renders the stems of the same frames. Allocates where the frames are more than ever before. The share of the dry
    /// signal is in no stem.
    pub fn render_stems(&mut self, main: [&mut [f32]; 2], drive: [&[f32]; 2], stems: &mut Stems) {
        self.render_all(main, &mut [], drive, Some(stems));
    }

    fn render_all(
        &mut self,
        [left, right]: [&mut [f32]; 2],
        sides: &mut [[&mut [f32]; 2]],
        drive: [&[f32]; 2],
        mut stems: Option<&mut Stems>,
    ) {
        let frames = left.len().min(right.len());
        left[frames..].fill(0.0);
        right[frames..].fill(0.0);
        if let Some(stems) = &mut stems {
            stems.begin(frames);
        }
        sides.iter_mut().flatten().for_each(|channel| channel.fill(0.0));
        let mut done = 0;
        while done < frames {
            let offset = (self.part.frame() % CONTROL_BLOCK as u64) as usize;
            if offset == 0 && !self.idle {
                self.begin_control_block();
                self.idle = self.is_still();
            }
            if self.idle {
                left[done..frames].fill(0.0);
                right[done..frames].fill(0.0);
                if let Some(stems) = stems {
                    // their means still decay
                    (done..frames).for_each(|frame| stems.write(0..1, frame, &self.outputs.main));
                }
                self.part.set_frame(self.part.frame() + (frames - done) as u64);
                return;
            }
            let run = offset..CONTROL_BLOCK.min(offset + frames - done);
            let ahead = frames - done;
            let part = done..done + run.len();
            done = part.end;
            let drive = drive.map(|channel| channel.get(part.clone()).unwrap_or(&[]));
            let mut buses = OutputBuses::silent(sides);
            self.render_parts((run.clone(), ahead), drive, &mut buses, &mut stems);
            stems.iter_mut().for_each(|stems| stems.write(run.clone(), part.start, &self.outputs.main));
            let outputs = &mut self.outputs;
            outputs.main.write(self.part.block(), run.start, &mut left[part.clone()], &mut right[part.clone()]);
            outputs.dry_wet.mix(run.start, drive, [&mut left[part.clone()], &mut right[part.clone()]]);
            outputs.write_sides(&buses.sums[1..], run.start, part, sides);
            self.part.set_frame(self.part.frame() + run.len() as u64);
        }
    }

    /// Renders the frames `run` of a control block: the main bus into the block of the main part, the others into `buses`, which are 0. No event comes
    /// in the next `ahead` frames.
    fn render_parts(
        &mut self,
        (run, ahead): (Range<usize>, usize),
        drive: [&[f32]; 2],
        buses: &mut OutputBuses,
        stems: &mut Option<&mut Stems>,
    ) {
        if run.start == 0 {
            let voices = self.part.voices_mut();
            let faded = limit_costly_bodies(slice::from_mut(voices));
            voices.add_faded(faded);
        }
        self.part.render(run.clone(), drive);
        if self.room.hears() && !self.part.is_silent() {
            self.source.hear(run.clone(), 1.0, self.part.block());
        }
        stems.iter_mut().for_each(|stems| stems.sums().add_main(run.clone(), self.part.block()));
        if !self.kits.is_empty() {
            buses.sums[0] = *self.part.block();
            let (frame, room) = (self.part.frame(), &self.room);
            let mut outputs = ZoneOutputs { buses, stems: stems.as_mut().map(|stems| stems.sums()) };
            for kit in self.kits.all_mut() {
                kit.render((run.clone(), ahead), drive, frame, &mut outputs, (room, &mut *self.runner));
            }
            *self.part.block_mut() = outputs.buses.sums[0];
        }
        stems.iter_mut().for_each(|stems| stems.split_room(run.clone(), &self.room));
        self.room.mix(run.clone(), self.part.block_mut());
        if run.end == CONTROL_BLOCK && self.room.hears() {
            let sources = std::iter::once(&mut self.source).chain(self.kits.all_mut().flat_map(KitPlayer::sources_mut));
            sources.for_each(|source| self.room.collect(source));
        }
    }

    /// Computes the modulation of the main part in the present control block; common LFOs begin again while nothing sounds. Returns whether parameters
    /// have moved.
    fn begin_modulation(&mut self) -> bool {
        let motion = if self.are_voices_silent() { LfoMotion::Restart } else { LfoMotion::Advance };
        self.part.begin_modulation(motion)
    }

    fn begin_control_block(&mut self) {
        self.begin_modulation();
        let is_silent = self.is_silent();
        self.snap_smoothers();
        let changes = if is_silent { SmoothedChanges::default() } else { self.part.advance_smoothers() };
        let (settings, smoothers) = (self.part.settings(), self.part.smoothers());
        if self.part.frame() == 0 {
            self.outputs.dry_wet = DryWetMixer::new(settings);
        }
        self.outputs.dry_wet.set_target(settings, smoothers.step());
        let level = amplitude(smoothers.get(ParamId::Level));
        self.outputs.all_mut().for_each(|output| output.set_target(level));
        if !is_silent {
            self.room.begin_block(settings, BlockStart { step: smoothers.step(), level });
        }
        self.part.begin_control_block(changes, level);
    }

    /// Plays `patch` from this frame on with `body`, prepared for it; sounding voices continue. Parameters outside of patches keep their values. Returns
    /// and errors as [`Engine::queue_body`].
    pub fn load(&mut self, patch: &Patch, body: Box<PreparedBody>) -> Result<Option<Box<PreparedBody>>, Box<PreparedBody>> {
        for &param in ParamId::ALL.iter().filter(|param| param.spec().in_patch) {
            self.part.set_param(param, patch.settings.get(param));
        }
        self.part.set_macros(&MacroTargets::of(&patch.macros));
        self.snap_smoothers();
        self.tune(&TuningSet::of(&patch.tuning));
        self.set_choke_groups(&patch.choke_groups);
        let queued = self.queue_body(body);
        self.install_body();
        queued
    }

    /// Sets the tunings for later strikes. Held notes glide to them or keep their pitch, according to the parameter; a key without a
    /// frequency in the new tuning rings out.
    pub fn tune(&mut self, tunings: &TuningSet) {
        self.idle = false;
        self.part.tune(tunings);
        self.kits.all_mut().for_each(|kit| kit.tune(tunings));
    }

    /// Plays the zones of `kit` from this frame on, or none; the previous kit rings out. Returns a kit that has rung out. Errors:
    /// returns `kit` while the kit before the previous one still sounds; that kit is then choked, and the call can be repeated.
    pub fn install_kit(&mut self, kit: Option<Box<KitPlayer>>) -> Result<Option<Box<KitPlayer>>, Option<Box<KitPlayer>>> {
        self.idle = false;
        let frame = self.part.frame();
        let Kits { current, outgoing } = &mut self.kits;
        if current.is_some()
            && let Some(old) = outgoing.as_mut().filter(|kit| !kit.is_silent())
        {
            old.handle_event(&Event::ChokeAll, frame);
            return Err(kit);
        }
        let retired = if current.is_some() { outgoing.take() } else { None };
        if let Some(mut old) = current.take() {
            old.release_drive();
            *outgoing = Some(old);
        }
        *current = kit.filter(|kit| kit.rate() == self.part.config().rate());
        if let Some(kit) = current {
            kit.sync_state(self.part.base(), self.part.controllers(), self.part.tunings());
            kit.sync_clock(self.part.voices().drive());
        }
        let muted = current.is_some();
        self.part.voices_mut().drive_mut().set_muted(muted);
        Ok(retired)
    }

    /// A kit that has rung out, to be freed on another thread; call this regularly.
    pub fn take_retired_kit(&mut self) -> Option<Box<KitPlayer>> {
        self.kits.outgoing.take_if(|kit| kit.is_silent())
    }

    /// Sets the keys that choke each other from the next strike on.
    pub fn set_choke_groups(&mut self, chokes: &ChokeGroups) {
        self.part.voices_mut().set_choke_groups(chokes);
    }

    /// Sets what the macros move, in the main part; zones have those of their kit.
    pub fn set_macros(&mut self, macros: &MacroTargets) {
        self.idle = false;
        self.part.set_macros(macros);
        self.snap_smoothers();
    }

    /// The frequency of every key, as of the last strike or control block.
    pub fn tuning(&self) -> &KeyFrequencies {
        self.part.key_frequencies()
    }

    /// The value of every parameter, before modulation.
    pub fn settings(&self) -> &ParamValues {
        self.part.base()
    }

    /// Its size, with clamped values.
    pub fn config(&self) -> EngineConfig {
        let config = self.part.config();
        EngineConfig { sample_rate: config.rate(), voices: config.voices(), modes: config.modes() }
    }

    /// The body to prepare on another thread, if the parameters require another one than the current body.
    pub fn requested_body(&self) -> Option<BodySpec> {
        self.part.requested_body()
    }

    /// Queues a prepared body for the strikes of the next control block. Returns a body that no voice uses any more, to be freed on
    /// another thread. Errors: returns `body` when too many old bodies still sound, and steals the voices of the oldest; the call can
    /// be repeated.
    pub fn queue_body(&mut self, body: Box<PreparedBody>) -> Result<Option<Box<PreparedBody>>, Box<PreparedBody>> {
        self.idle = false;
        self.part.queue_body(body)
    }

    /// Uses the queued body for strikes from this frame on, instead of from the next control block.
    pub fn install_body(&mut self) {
        self.part.voices_mut().bodies_mut().install();
    }

    /// A body that no voice uses any more, to be freed on another thread; call this regularly.
    pub fn take_retired_body(&mut self) -> Option<Box<PreparedBody>> {
        self.part.voices_mut().bodies_mut().take_unused()
    }

    /// Whether nothing sounds: rendering costs almost nothing and gives exact zeros, except for the dry signal.
    pub fn is_asleep(&self) -> bool {
        self.outputs.all().all(OutputStage::is_at_rest) && self.is_silent()
    }

    /// Whether no voice sounds, nor anything that answers to others.
    fn are_voices_silent(&self) -> bool {
        self.part.is_silent() && self.kits.all().all(KitPlayer::is_silent)
    }

    /// Whether neither voices nor microphones and room sound.
    fn is_silent(&self) -> bool {
        self.are_voices_silent() && self.room.is_silent()
    }

    /// Time after which a sound that has ended has fallen by 60 dB [s], as far as a room prolongs it; 0 without one.
    pub fn room_tail(&self) -> f64 {
        self.room.tail()
    }

    /// Whether all frames are zeros until the next event, whatever the side-chain.
    fn is_still(&self) -> bool {
        self.is_silent()
            && self.room.is_still()
            && self.outputs.dry_wet.is_wet()
            && self.outputs.all().all(OutputStage::is_still)
            && self.parts().all(|part| part.voices().drive().is_still())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::NoteId;
    use crate::midi::Rng;
    use crate::patch::Zone;

    /// Number of the changes of `apply_change`.
    const CHANGES: usize = 14;

    /// Applies event number `which`, or another change of the engine.
    fn apply_change(engine: &mut Engine, which: usize, rng: &mut Rng) {
        let (key, value) = (50 + (8.0 * rng.uniform()) as u8, rng.uniform());
        let note = NoteId { key, ..NoteId::default() };
        let set = |param, value| Event::Set { param, value };
        let events = [
            Event::NoteOn { note, velocity: 0.2 + 0.8 * value },
            Event::NoteOff { note, velocity: 0.5 },
            Event::ChokeAll,
            set(ParamId::Level, -12.0 * value),
            set(ParamId::DryWet, if value < 0.5 { 1.0 } else { value }),
            set(ParamId::DriveGain, if value < 0.5 { 0.0 } else { 4.0 * value }),
            set(ParamId::StrikePosition, value),
            set(ParamId::Tune, 12.0 * value),
            set(ParamId::FarDistance, 1.0 + value),
            Event::Bend { channel: 0, value: 2.0 * value - 1.0 },
            Event::Controller { channel: 0, number: 64, value: value.round() },
            Event::TransportRestart,
        ];
        if let Some(event) = events.get(which) {
            engine.event(event);
        } else if which == events.len() {
            engine.tune(&TuningSet::of(&Patch::default().tuning));
        } else {
            let settings = *engine.settings();
            assert!(engine.queue_body(PreparedBody::prepare(BodySpec::of(&settings), &[], &[])).is_ok());
        }
    }

    /// Whether the engine may skip idle blocks.
    #[derive(Clone, Copy, PartialEq)]
    enum Idling {
        Allowed,
        Prevented,
    }

    /// Renders control blocks, one of a hundred with a change, with a sine in the side-chain; returns the bits of all outputs and the
    /// number of idle blocks.
    fn session(patch: &Patch, idling: Idling) -> (Vec<u32>, usize) {
        let mut engine = Engine::new(EngineConfig { voices: 6, ..EngineConfig::at(48e3) }, patch);
        let (mut rng, mut bits, mut idle_blocks) = (Rng::seeded(11), Vec::new(), 0);
        for block in 0..30_000 {
            let split = if rng.uniform() < 0.01 { (CONTROL_BLOCK as f64 * rng.uniform()) as usize } else { 0 };
            let mut out = [[f32::NAN; CONTROL_BLOCK]; 4];
            let tone: [f32; CONTROL_BLOCK] = std::array::from_fn(|n| (0.07 * (block * CONTROL_BLOCK + n) as f32).sin());
            for (part, changes) in [(0..split, false), (split..CONTROL_BLOCK, split > 0)] {
                if changes {
                    apply_change(&mut engine, (CHANGES as f64 * rng.uniform()) as usize, &mut rng);
                }
                engine.idle &= idling == Idling::Allowed;
                let [left, right, a, b] = out.each_mut().map(|channel| &mut channel[part.clone()]);
                engine.render_outputs([left, right], &mut [[a, b]], [&tone[part.clone()], &[]]);
            }
            bits.extend(out.iter().flatten().map(|x| x.to_bits()));
            idle_blocks += usize::from(engine.idle);
        }
        (bits, idle_blocks)
    }

    #[test]
    fn idle_blocks_change_no_bit() {
        let mut patch = Patch::default();
        for (param, value) in [(ParamId::Decay, 0.05), (ParamId::Modes, 8.0), (ParamId::HumanSpeed, 0.3)] {
            patch.settings.set(param, value);
        }
        let zones = vec![Zone::new(&patch, (0, 53)), Zone::new(&patch, (54, 127))];
        let kit = Patch { zones, ..patch.clone() };
        let mut answering = [kit.clone(), patch.clone()];
        answering.iter_mut().for_each(|patch| patch.settings.set(ParamId::Bleed, 1.0));
        let mut in_a_booth = kit.clone();
        for (param, value) in [(ParamId::RoomType, 1.0), (ParamId::RoomDecay, 0.25), (ParamId::OverheadLevel, 0.0)] {
            in_a_booth.settings.set(param, value);
        }
        for patch in [kit, patch, in_a_booth].iter().chain(&answering) {
            let (plain, checked) = session(patch, Idling::Prevented);
            let (skipped, idle_blocks) = session(patch, Idling::Allowed);
            println!("{idle_blocks} idle blocks");
            // bodies that answer stay awake while their keys are down
            let least = if patch.settings.get(ParamId::Bleed) > 0.0 { 200 } else { 1_000 };
            assert!(idle_blocks > least, "{idle_blocks} idle blocks, {checked} when checked again");
            assert!(plain.iter().filter(|bits| **bits != 0).count() > plain.len() / 10);
            let first = plain.iter().zip(&skipped).position(|(a, b)| a != b);
            assert_eq!(first.map(|at| at / (4 * CONTROL_BLOCK)), None, "first block that differs");
        }
    }

    /// Number of control blocks of the test of the lookahead.
    const RING_BLOCKS: usize = 1_500;

    /// Strikes a body, and again off the grid while it rings; returns its sound and the number of frames rendered ahead. Without
    /// `lookahead` every control block comes from the state.
    fn struck_twice(lookahead: bool) -> (Vec<[f32; 2]>, usize) {
        let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
        let strike = Event::NoteOn { note: NoteId { voice: None, channel: 0, key: 60 }, velocity: 0.8 };
        let (mut sound, mut ahead) = (Vec::new(), 0);
        let mut play = |engine: &mut Engine, frames: usize| {
            let (mut left, mut right) = ([0.0; CONTROL_BLOCK], [0.0; CONTROL_BLOCK]);
            engine.render(&mut left[..frames], &mut right[..frames], [&[], &[]]);
            sound.extend(left.into_iter().zip(right).take(frames).map(|(left, right)| [left, right]));
        };
        engine.event(&strike);
        for block in 0..RING_BLOCKS {
            if !lookahead {
                engine.part.voices_mut().ring_block_by_block();
            }
            if block == RING_BLOCKS / 3 {
                play(&mut engine, 7);
                engine.event(&strike);
                play(&mut engine, CONTROL_BLOCK - 7);
            } else {
                play(&mut engine, CONTROL_BLOCK);
            }
            ahead +=
                engine.part.voices().awake().filter(|voice| voice.lookahead_frames() > CONTROL_BLOCK).count() * CONTROL_BLOCK;
        }
        (sound, ahead)
    }

    #[test]
    fn contacts_begin_and_end_without_a_step_in_the_lookahead() {
        let ((exact, none), (sound, ahead)) = (struck_twice(false), struck_twice(true));
        assert_eq!(none, 0);
        assert!(ahead > RING_BLOCKS * CONTROL_BLOCK / 2, "{ahead} frames ahead");
        for side in 0..2 {
            let peak = exact.iter().map(|frame| f64::from(frame[side].abs())).fold(0.0, f64::max);
            let error = exact.iter().zip(&sound).map(|(a, b)| f64::from((a[side] - b[side]).abs())).fold(0.0, f64::max);
            println!("side {side}: {:.1} dB, {ahead} frames ahead", 20.0 * (error / peak).log10());
            assert!(peak > 0.01 && error < 1e-6 * peak, "{:.1} dB", 20.0 * (error / peak).log10());
        }
    }
}
