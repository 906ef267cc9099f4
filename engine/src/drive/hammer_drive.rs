//! Hammer drive: a signal as a force on a hammer that stays on its body, and the trace of its recent motion.
//!
//! ```text
//! side-chain or source -> high-pass -> low-pass -> follower -> gain [N] -> hammer with spring, press force and gravity -> body
//! ```
//!
//! The force is constant over a sample, and its work enters the energy balance. The drive needs no note: before the first note it
//! drives the body of the home key, afterwards the body of the last note at its strike position, unless the note mode
//! specifies otherwise. The hammer is removed when the signal is zero and the body at rest; the next signal attaches it again. At gain 0
//! the drive is off.

use std::ops::Range;

use crate::block::CONTROL_BLOCK;
use crate::context::RenderContext;
use crate::drive::driven_hammers::{DriveFrame, DrivenHammers};
use crate::drive::rolling::{RollingExciter, RollingParams};
use crate::drive::signal_chain::{SignalChain, sanitized};
use crate::drive::source::{PatternStep, SignalGenerator, SourcePitch};
use crate::event::NoteId;
use crate::midi::{Humanise, Note, NoteList, same_note};
use crate::modulation::{BeatClock, FrameTime, Smoother};
use crate::params::{DriveNoteMode, DriveSource, ModTarget, ParamId, ParamValues, VoiceMode};
use crate::patch::{DriveContent, PATTERN};

/// Distance [N] from its target at which the gain is set to it.
const SETTLE_DISTANCE: f64 = 1e-6;
/// Seeds of the two channels, combined with the patch's seed.
const CHANNEL_SEEDS: [u64; 2] = [0x5eed_0001, 0x5eed_0002];
/// Pattern and recording of a patch that has none.
static DEFAULT_CONTENT: DriveContent = DriveContent { pattern: PATTERN, sample: None };

/// Number of points of a trace.
pub const POINTS: usize = 240;

/// Duration of a point of a trace [s].
pub const POINT: f64 = 1e-3;

/// Forces and surface velocities of a control block.
#[derive(Clone, Debug)]
struct DriveBlock {
    forces: [[f64; CONTROL_BLOCK]; 2],
    rises: [[f64; CONTROL_BLOCK]; 2],
    /// Whether any frame processed last excites the body.
    pushes: bool,
}

/// Surface that rolls under the hammers.
#[derive(Clone, Debug)]
struct RollingLayer {
    params: RollingParams,
    exciters: [RollingExciter; 2],
}

/// Notes that may select the driven body.
#[derive(Clone, Debug)]
struct DriveNotes {
    /// Keys that are down or held by a pedal.
    held: NoteList,
    /// The note struck last.
    last: Option<Note>,
    /// The note that currently selects the body; serial 0 without one.
    current: Note,
}

/// The drive of one part: its signal, its hammers, and the notes that select their body.
#[derive(Clone, Debug)]
pub struct HammerDrive {
    muted: bool,
    hammers: DrivenHammers,
    trace: Trace,
    beat: BeatClock,
    notes: DriveNotes,
    /// Force at full scale [N].
    gain: Smoother,
    generators: [SignalGenerator; 2],
    pitch: SourcePitch,
    chain: SignalChain,
    channels: usize,
    block: DriveBlock,
    rolling: RollingLayer,
    /// Whether the signal chain has processed input since it was made.
    has_input: bool,
}

impl HammerDrive {
    /// At rest with the parameters of `settings`, at `rate` [Hz].
    pub fn new(settings: &ParamValues, rate: f64) -> Self {
        let zeros = [[0.0; CONTROL_BLOCK]; 2];
        let mut drive = Self {
            muted: false,
            hammers: DrivenHammers::new(rate),
            trace: Trace::default(),
            beat: BeatClock::default(),
            notes: DriveNotes { held: NoteList::default(), last: None, current: Note::of(NoteId::default()) },
            gain: Smoother::at(0.0),
            generators: [SignalGenerator::default(); 2],
            pitch: SourcePitch { frequency: 1.0, speed: 1.0 },
            chain: SignalChain::new(settings, rate),
            channels: 1,
            block: DriveBlock { forces: zeros, rises: zeros, pushes: false },
            rolling: RollingLayer { params: RollingParams::none(), exciters: [0, 1].map(|side| RollingExciter::new(side, rate)) },
            has_input: false,
        };
        drive.reseed(settings);
        drive
    }

    /// At rest as new; stays muted if it was.
    pub fn reset(&mut self, settings: &ParamValues, rate: f64) {
        *self = Self { muted: self.muted, ..Self::new(settings, rate) };
    }

    /// Restarts the random sources from the patch's seed.
    pub fn reseed(&mut self, settings: &ParamValues) {
        let seed = settings.get(ParamId::HumanSeed) as u64;
        self.generators = CHANNEL_SEEDS.map(|channel| SignalGenerator::seeded(seed ^ channel));
    }

    /// Mutes or unmutes the drive. It is muted while another part is driven.
    pub fn set_muted(&mut self, muted: bool) {
        self.muted = muted;
    }

    /// Tempo and position of the host.
    pub fn beat_clock(&self) -> &BeatClock {
        &self.beat
    }

    /// Sets the tempo [beats a minute] from `time` on, and the position `beat` [beats] there if it is known.
    pub fn set_tempo(&mut self, tempo: f64, beat: Option<f64>, time: FrameTime) {
        self.beat.set(tempo, beat, time);
    }

    /// Copies tempo and position from `other`, which counts the same frames.
    pub fn sync_clock(&mut self, other: &Self) {
        self.beat = other.beat;
    }

    /// Adds a note whose key is pressed.
    pub fn note_on(&mut self, note: Note, settings: &ParamValues) {
        let note = Note { down: true, humanise: Humanise::default(), ..note };
        self.notes.held.note_on(note);
        self.notes.last = Some(note);
        if settings.drive_note_mode() == DriveNoteMode::Gate {
            self.generators.iter_mut().for_each(SignalGenerator::restart);
        }
    }

    /// Releases the oldest held note that matches `id`.
    pub fn note_off(&mut self, id: NoteId) {
        self.notes.held.release(id);
    }

    /// Releases the notes that `which` selects.
    pub fn release_where(&mut self, which: impl Fn(&Note) -> bool) {
        self.notes.held.iter_mut().filter(|note| which(note)).for_each(|note| note.down = false);
    }

    /// Releases all notes, including those held by a pedal.
    pub fn release_all(&mut self) {
        self.notes.held.clear();
    }

    /// Changes the notes that match `id`.
    pub fn change(&mut self, id: NoteId, change: &mut impl FnMut(&mut Note)) {
        self.notes.held.of(id).for_each(&mut *change);
        self.notes.last.iter_mut().filter(|note| same_note(id, note.id)).for_each(change);
    }

    /// A copy of the notes that are held.
    pub fn held_notes(&self) -> NoteList {
        self.notes.held
    }

    /// Replaces the notes that are held.
    pub fn set_held_notes(&mut self, held: NoteList) {
        self.notes.held = held;
    }

    /// Whether notes have any effect on it.
    pub fn uses_notes(&self, settings: &ParamValues) -> bool {
        settings.drive_note_mode() != DriveNoteMode::Nothing
    }

    /// The note that selects the driven body; None for the home key.
    pub fn selecting_note(&self, settings: &ParamValues) -> Option<Note> {
        let latest = || self.notes.held.iter().last().copied();
        match settings.drive_note_mode() {
            DriveNoteMode::Nothing => None,
            DriveNoteMode::Gate => latest().or(self.notes.last),
            DriveNoteMode::Choose if settings.voice_mode() == VoiceMode::Legato => latest().or(self.notes.last),
            DriveNoteMode::Choose => self.notes.last,
        }
    }

    /// The note that currently selects the body; serial 0 for the home key.
    pub fn note(&self) -> &Note {
        &self.notes.current
    }

    /// Key of the body to drive.
    pub fn body_key(&self, settings: &ParamValues) -> u8 {
        let note = self.notes.current;
        let home = settings.get(ParamId::HomeKey) as u8;
        if note.serial == 0 { home } else { settings.body_key(note.id.key) }
    }

    /// Number of channels, 1 or 2; each has its hammer.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// The hammers.
    pub fn hammers(&self) -> &DrivenHammers {
        &self.hammers
    }

    /// The hammers, mutable.
    pub fn hammers_mut(&mut self) -> &mut DrivenHammers {
        &mut self.hammers
    }

    /// Whether it exerts no force and has no hammer on a body.
    pub fn is_idle(&self) -> bool {
        self.is_over() && !self.hammers.is_attached()
    }

    /// Whether it is idle and its filters have been cleared since.
    pub fn is_still(&self) -> bool {
        self.is_idle() && !self.has_input
    }

    /// Whether a frame processed last excites a body.
    pub fn is_pushing(&self) -> bool {
        self.block.pushes
    }

    /// Whether gain and rolling are off, so that the hammers may be removed.
    pub fn is_over(&self) -> bool {
        let rolls = !self.rolling.params.is_off() || self.rolling.exciters.iter().any(|exciter| !exciter.is_at_rest());
        self.gain == Smoother::at(0.0) && !rolls
    }

    /// Updates the note that selects the body, and sets the targets of gain, frequencies and channels by parameters and controllers.
    pub fn update(&mut self, note: Note, context: &RenderContext) {
        self.notes.current = note;
        let (settings, note) = (context.settings, &self.notes.current);
        let offsets = context.note_param_context().offsets(note);
        let gate = settings.drive_note_mode() == DriveNoteMode::Gate;
        let open = !self.muted && (!gate || self.notes.held.iter().next().is_some());
        self.gain.target = if open { offsets.modulated_value(ParamId::DriveGain, ModTarget::Drive, settings) } else { 0.0 };
        self.rolling.params = if open { RollingParams::of(settings, &offsets) } else { RollingParams::none() };
        let ratio = if note.serial == 0 { 1.0 } else { context.note_param_context().ratio(note.id.key) };
        let speed = ratio.powf(settings.get(ParamId::DriveTracking));
        self.pitch = SourcePitch { frequency: settings.get(ParamId::DriveFrequency) * speed, speed };
        self.channels = if settings.get(ParamId::DriveChannels) < 0.5 { 1 } else { 2 };
        self.chain.update(settings);
        if !self.hammers.is_attached() {
            self.gain = Smoother::at(self.gain.target);
        }
    }

    /// Processes the frames `run` of a control block, of which `context.frame` is the first, with the side-chain `input` (left and right,
    /// or mono in the first). Returns whether a frame excites the body.
    pub fn process_input(
        &mut self,
        run: Range<usize>,
        input: [&[f32]; 2],
        content: Option<&DriveContent>,
        context: &RenderContext,
    ) -> bool {
        self.block.pushes = false;
        if self.is_idle() {
            if std::mem::take(&mut self.has_input) {
                self.chain = SignalChain::new(context.settings, context.rate);
            }
            return false;
        }
        self.has_input = true;
        self.render(run, input, content.unwrap_or(&DEFAULT_CONTENT), context);
        self.block.pushes
    }

    /// Fills the frames `run` of the block.
    fn render(&mut self, run: Range<usize>, input: [&[f32]; 2], content: &DriveContent, context: &RenderContext) {
        let [left, right] = input;
        let right = if right.is_empty() { left } else { right };
        for (n, k) in run.enumerate() {
            let input = [left, right].map(|channel| channel.get(n).map_or(0.0, |&sample| sanitized(sample)));
            let signal = self.source_frame(input, content, context, context.frame + n as u64);
            let input_level = input[0].abs().max(input[1].abs());
            let shaped = self.chain.process(signal, self.channels, input_level, context.settings);
            self.gain.advance(self.chain.step(), SETTLE_DISTANCE);
            for (forces, signal) in self.block.forces.iter_mut().zip(shaped) {
                forces[k] = self.gain.value() * signal;
                self.block.pushes |= forces[k] != 0.0;
            }
            let RollingLayer { params, exciters } = &mut self.rolling;
            for (exciter, rises) in exciters[..self.channels].iter_mut().zip(&mut self.block.rises) {
                rises[k] = exciter.next(params, content.track());
            }
            self.block.pushes |= params.is_moving();
            self.trace.add_signal(self.block.forces[0][k], input_level, context.rate);
        }
    }

    /// One frame of the source: left and right, or both in the first.
    fn source_frame(&mut self, input: [f64; 2], content: &DriveContent, context: &RenderContext, frame: u64) -> [f64; 2] {
        let source = context.settings.drive_source();
        if source == DriveSource::SideChain {
            return if self.channels == 1 { [0.5 * (input[0] + input[1]), 0.0] } else { input };
        }
        let time = FrameTime { frame, rate: context.rate };
        let step = match source {
            DriveSource::Pattern => PatternStep::at(&self.beat, context.settings, content, time),
            _ => PatternStep::default(),
        };
        self.generators.each_mut().map(|generator| generator.next(source, self.pitch, context.rate, step, content))
    }

    /// Frame `offset` of the control block.
    pub fn frame(&self, offset: usize) -> DriveFrame {
        let [forces, rises] = [&self.block.forces, &self.block.rises].map(|block| block.map(|channel| channel[offset]));
        let pushes = self.rolling.params.is_moving() || forces[..self.channels].iter().any(|&force| force != 0.0);
        DriveFrame { forces, rises, pushes }
    }

    /// Records one frame of the hammers for display: height [m] of the left one if it is attached, largest contact force [N].
    pub fn trace_hammers(&mut self, height: Option<f64>, contact: f64) {
        self.trace.add_hammers(height, contact);
    }

    /// Display points since the last call, oldest first.
    pub fn take_trace(&mut self) -> impl Iterator<Item = TracePoint> + '_ {
        self.trace.take()
    }
}

/// Whether the parameters let the drive act, directly or by a controller.
pub fn is_drive_possible(settings: &ParamValues) -> bool {
    let targets = [ParamId::WheelTarget, ParamId::PressureTarget, ParamId::BrightnessTarget, ParamId::ExpressionTarget];
    settings.is_driven() || targets.iter().any(|&target| settings.get(target) as usize == ModTarget::Drive as usize)
}

/// One millisecond of the drive.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct TracePoint {
    /// Height of the hammer over the body [m], the lowest if they touched; of two hammers that of the left one.
    pub height: f32,
    /// Largest contact force [N].
    pub contact: f32,
    /// Largest force of the signal on the hammer [N], with its sign: above 0 towards the body.
    pub push: f32,
    /// Largest |sample| of the side-chain.
    pub input: f32,
}

/// Recent motion of the driven hammer for display: height, contact force and signal, one point a millisecond.
#[derive(Clone, Debug)]
pub struct Trace {
    points: [TracePoint; POINTS],
    /// Index of the next point.
    next: usize,
    /// Number of points not read yet.
    new: usize,
    /// The point being filled.
    current: TracePoint,
    /// Frames until it is complete.
    frames_left: u32,
}

impl Default for Trace {
    fn default() -> Self {
        Self { points: [TracePoint::default(); POINTS], next: 0, new: 0, current: TracePoint::default(), frames_left: 0 }
    }
}

impl Trace {
    /// Adds one frame of the signal before it is rendered: force [N], input level, sample rate [Hz].
    pub fn add_signal(&mut self, push: f64, input: f64, rate: f64) {
        if self.frames_left == 0 {
            self.finish_point(rate);
        }
        self.frames_left -= 1;
        let push = push as f32;
        if push.abs() > self.current.push.abs() {
            self.current.push = push;
        }
        self.current.input = self.current.input.max(input as f32);
    }

    /// Adds one frame of the hammers: height [m] of the left one if it is attached, largest contact force [N].
    pub fn add_hammers(&mut self, height: Option<f64>, contact: f64) {
        let touched = self.current.contact > 0.0;
        self.current.contact = self.current.contact.max(contact as f32);
        if let Some(height) = height {
            let height = height as f32;
            self.current.height = if touched { self.current.height.min(height) } else { height };
        }
    }

    fn finish_point(&mut self, rate: f64) {
        self.frames_left = ((POINT * rate).round() as u32).max(1);
        self.points[self.next] = self.current;
        self.next = (self.next + 1) % POINTS;
        self.new = (self.new + 1).min(POINTS);
        self.current = TracePoint { height: self.current.height, ..TracePoint::default() };
    }

    /// Points since the last call, oldest first.
    pub fn take(&mut self) -> impl Iterator<Item = TracePoint> + '_ {
        let new = std::mem::take(&mut self.new);
        let first = self.next + POINTS - new;
        (0..new).map(move |k| self.points[(first + k) % POINTS])
    }
}
