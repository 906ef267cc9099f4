//! Hammer Drive: a signal as a force on a hammer that stays on its body.
//!
//! ```text
//! side-chain or source -> high-pass -> low-pass -> follower -> gain [N] -> hammer with tether, hold and gravity -> body
//! ```
//!
//! The force is constant over a sample and its work is booked. It needs no note: before the first the body of the home key is driven,
//! afterwards that of the last one, at its place, unless the knob says otherwise. While nothing pushes and the body has come to rest the
//! hammer is put aside; the next push puts it back. At gain 0 there is nothing.

mod beat_clock;
mod driven_hammers;
mod hammer_mount;
mod rolling;
mod signal_chain;
mod source;
mod trace;

use std::ops::Range;

use crate::block::CONTROL_BLOCK;
use crate::context::RenderContext;
use crate::drive::beat_clock::BeatClock;
use crate::drive::driven_hammers::DrivenHammers;
use crate::drive::rolling::{RollingExciter, RollingParams};
use crate::drive::signal_chain::{SignalChain, sanitized};
use crate::drive::source::SignalGenerator;
use crate::drive::trace::Trace;
pub use crate::drive::trace::{POINT, POINTS, TracePoint};
use crate::event::NoteId;
use crate::midi::Humanise;
use crate::midi::{Note, NoteList, same_note};
use crate::modulation::ModOffsets;
use crate::modulation::Smoother;
use crate::params::{DriveNoteMode, DriveSource, ModTarget, ParamId, ParamValues, VoiceMode};
pub use crate::patch::{DriveContent, PATTERN, STEPS};
pub use crate::patch::{DriveSample, MAX_FRAMES};
use crate::polyphony::VoiceManager;

/// Distance from its goal at which a gain [N] has arrived.
const ARRIVED: f64 = 1e-6;
/// Seeds of the two channels beside that of chance.
const SEEDS: [u64; 2] = [0x5eed_0001, 0x5eed_0002];
/// Part of the damper below which the pedal holds a key.
const PEDAL: f64 = 0.25;
/// What plays where the patch says nothing.
static PLAIN: DriveContent = DriveContent { pattern: PATTERN, sample: None };

/// Signal, hammers, and who chooses where they are.
#[derive(Clone, Debug)]
pub struct HammerDrive {
    /// Somebody else drives.
    pub muted: bool,
    /// The hammers.
    pub hung: DrivenHammers,
    /// What happened, for display.
    pub trace: Trace,
    beat: BeatClock,
    /// Keys that are down, and the last that was struck.
    held: NoteList,
    last: Option<Note>,
    /// Who drives.
    note: Note,
    /// Force at full scale [N].
    gain: Smoother,
    generators: [SignalGenerator; 2],
    /// Frequency of the source [Hz] and factor of the recording's speed.
    pitch: (f64, f64),
    chain: SignalChain,
    channels: usize,
    /// Forces [N] of the grid cell; whether any is not 0.
    forces: [[f64; CONTROL_BLOCK]; 2],
    pushing: bool,
    /// What rolls under the hammers, and how fast the profile rises [m/s] in every frame of the grid cell.
    roll: RollingParams,
    rollers: [RollingExciter; 2],
    rises: [[f64; CONTROL_BLOCK]; 2],
    /// Whether the chain has heard anything since it was made.
    listened: bool,
}

impl HammerDrive {
    /// At rest, with the knobs as they stand, at `rate` [Hz].
    pub fn new(settings: &ParamValues, rate: f64) -> Self {
        let mut drive = Self {
            muted: false,
            hung: DrivenHammers::new(rate),
            trace: Trace::default(),
            beat: BeatClock::default(),
            held: NoteList::default(),
            last: None,
            note: Note::of(NoteId::default()),
            gain: Smoother::at(0.0),
            generators: [SignalGenerator::default(); 2],
            pitch: (1.0, 1.0),
            chain: SignalChain::new(settings, rate),
            channels: 1,
            forces: [[0.0; CONTROL_BLOCK]; 2],
            pushing: false,
            roll: RollingParams::none(),
            rollers: [0, 1].map(|side| RollingExciter::new(side, rate)),
            rises: [[0.0; CONTROL_BLOCK]; 2],
            listened: false,
        };
        drive.throw_dice(settings);
        drive
    }

    /// Chance begins anew.
    pub fn throw_dice(&mut self, settings: &ParamValues) {
        let seed = settings.get(ParamId::HumanSeed) as u64;
        self.generators = SEEDS.map(|channel| SignalGenerator::seeded(seed ^ channel));
    }

    /// The music goes on at `tempo` [beats a minute] from absolute frame `frame` on, at the position `beat` if it is told.
    pub fn set_tempo(&mut self, tempo: f64, beat: Option<f64>, frame: (u64, f64)) {
        self.beat.set(tempo, beat, frame);
    }

    /// The music stands where it does for `other`, at the same frames.
    pub fn keep_time_with(&mut self, other: &Self) {
        self.beat = other.beat;
    }

    /// A key goes down.
    pub fn press(&mut self, note: Note, settings: &ParamValues) {
        let note = Note { down: true, chance: Humanise::default(), ..note };
        self.held.note_on(note);
        self.last = Some(note);
        if settings.drive_note_mode() == DriveNoteMode::Gate {
            self.generators.iter_mut().for_each(SignalGenerator::begin);
        }
    }

    /// The keys that `which` chooses go up.
    pub fn release(&mut self, which: impl Fn(&Note) -> bool) {
        self.held.iter_mut().filter(|note| which(note)).for_each(|note| note.down = false);
    }

    /// All keys go up, whatever a pedal holds.
    pub fn let_go(&mut self) {
        self.held.clear();
    }

    /// The oldest key that is down and is meant goes up.
    pub fn release_one(&mut self, id: NoteId) {
        self.held.release(id);
    }

    /// The note goes on as `now`, which a host has changed.
    pub fn change(&mut self, id: NoteId, change: &mut impl FnMut(&mut Note)) {
        self.held.of(id).for_each(&mut *change);
        self.last.iter_mut().filter(|note| same_note(id, note.id)).for_each(change);
    }

    /// Whether notes mean anything to it.
    pub fn hears_notes(&self, settings: &ParamValues) -> bool {
        settings.drive_note_mode() != DriveNoteMode::Nothing
    }

    /// Whether there is nothing to drive, and nothing to drive with.
    pub fn is_idle(&self) -> bool {
        self.is_over() && !self.hung.is_there()
    }

    /// The same, and what it has heard has been forgotten.
    pub fn is_still(&self) -> bool {
        self.is_idle() && !self.listened
    }

    /// Whether something pushes in the frames listened to last.
    pub fn is_pushing(&self) -> bool {
        self.pushing
    }

    /// Whether the hammers have nothing to do and may go.
    fn is_over(&self) -> bool {
        self.gain == Smoother::at(0.0) && self.roll.relief.is_none() && self.rollers.iter().all(RollingExciter::rests)
    }

    /// Who drives: without one, the home key.
    fn driver(&self, settings: &ParamValues) -> Option<Note> {
        let latest = || self.held.iter().last().copied();
        match settings.drive_note_mode() {
            DriveNoteMode::Nothing => None,
            DriveNoteMode::Gate => latest().or(self.last),
            DriveNoteMode::Choose if settings.playing() == VoiceMode::Legato => latest().or(self.last),
            DriveNoteMode::Choose => self.last,
        }
    }

    /// Gain, frequencies and channels head for where knobs and hands want them.
    fn aim(&mut self, scene: &RenderContext) {
        let (settings, note) = (scene.settings, &self.note);
        let sway = ModOffsets::new(note, scene.hands, settings);
        let open = !self.muted && (settings.drive_note_mode() != DriveNoteMode::Gate || self.held.iter().next().is_some());
        self.gain.target = if open { sway.modulated_value(ParamId::DriveGain, ModTarget::Drive, settings) } else { 0.0 };
        self.roll = if open { RollingParams::of(settings, &sway) } else { RollingParams::none() };
        let ratio = if note.serial == 0 { 1.0 } else { scene.note_param_context().ratio(note.id.key) };
        let pace = ratio.powf(settings.get(ParamId::DriveTracking));
        self.pitch = (settings.get(ParamId::DriveFrequency) * pace, pace);
        self.channels = if settings.get(ParamId::DriveChannels) < 0.5 { 1 } else { 2 };
        self.chain.aim(settings);
        if !self.hung.is_there() {
            self.gain = Smoother::at(self.gain.target);
        }
    }

    /// One frame of the source: left and right, or both in the first.
    fn sound(&mut self, heard: [f64; 2], score: &DriveContent, scene: &RenderContext, frame: u64) -> [f64; 2] {
        let source = scene.settings.drive_source();
        if source == DriveSource::SideChain {
            return if self.channels == 1 { [0.5 * (heard[0] + heard[1]), 0.0] } else { heard };
        }
        let step =
            if source == DriveSource::Pattern { self.beat.step(scene.settings, score, (frame, scene.rate)) } else { (0.0, 0.0) };
        self.generators.each_mut().map(|generator| generator.next(source, self.pitch, scene.rate, step, score))
    }

    /// Takes the frames `run` of a grid cell with what comes in from outside, left and right.
    fn process_input(&mut self, run: Range<usize>, input: [&[f32]; 2], score: &DriveContent, scene: &RenderContext) {
        let [left, right] = input;
        let right = if right.is_empty() { left } else { right };
        for (n, k) in run.enumerate() {
            let heard = [left, right].map(|channel| channel.get(n).map_or(0.0, |&sample| sanitized(sample)));
            let drive = self.sound(heard, score, scene, scene.frame + n as u64);
            let loud = heard[0].abs().max(heard[1].abs());
            let shaped = self.chain.hear(drive, self.channels, loud, scene.settings);
            self.gain.advance(self.chain.step(), ARRIVED);
            for (forces, signal) in self.forces.iter_mut().zip(shaped) {
                forces[k] = self.gain.value() * signal;
                self.pushing |= forces[k] != 0.0;
            }
            for (roller, rises) in self.rollers[..self.channels].iter_mut().zip(&mut self.rises) {
                rises[k] = roller.next(&self.roll, score.track());
            }
            self.pushing |= self.roll.moves();
            self.trace.note_signal(self.forces[0][k], loud, scene.rate);
        }
    }
}

/// Whether the knobs let anything be driven, at once or by hands.
pub fn is_drive_possible(settings: &ParamValues) -> bool {
    let targets = [ParamId::WheelTarget, ParamId::PressureTarget, ParamId::BrightnessTarget, ParamId::ExpressionTarget];
    settings.is_driven() || targets.iter().any(|&knob| settings.get(knob) as usize == ModTarget::Drive as usize)
}

impl VoiceManager {
    /// The drive takes what player and knobs do now. At every event and on the grid.
    pub fn follow_drive(&mut self, scene: &RenderContext) {
        if self.drive.is_idle() && !is_drive_possible(scene.settings) {
            return;
        }
        self.prune(scene);
        let driver = self.drive.driver(scene.settings);
        self.drive.note = driver.map_or(Note::of(NoteId::default()), |note| self.as_it_is(note));
        self.drive.aim(scene);
        self.update_driven_hammers(scene);
    }

    /// The note with what has happened to it since.
    fn as_it_is(&self, note: Note) -> Note {
        let now = self.objects.iter().find_map(|object| object.notes.number(note.serial));
        now.map_or(note, |now| Note { chance: Humanise::default(), ..*now })
    }

    /// Forgets keys that are up and that no pedal holds.
    fn prune(&mut self, scene: &RenderContext) {
        let mut held = self.drive.held;
        held.keep(|note| {
            let now = self.as_it_is(*note);
            note.down && now.down || now.sostenuto || scene.hands.damper(&now) < PEDAL
        });
        self.drive.held = held;
    }

    /// Listens to the frames `run` of a grid cell, of which `scene.frame` is the first; `input` is what comes in from outside, left and
    /// right or in mono. Whether something pushes in them.
    pub fn process_input(&mut self, run: Range<usize>, input: [&[f32]; 2], scene: &RenderContext) -> bool {
        self.drive.pushing = false;
        if self.drive.is_idle() {
            if std::mem::take(&mut self.drive.listened) {
                self.drive.chain = SignalChain::new(scene.settings, scene.rate);
            }
            return false;
        }
        self.drive.listened = true;
        let score = self.shelf.body(self.shelf.current()).map_or(&PLAIN, |body| body.drive_content());
        self.drive.process_input(run, input, score, scene);
        self.drive.pushing
    }
}
