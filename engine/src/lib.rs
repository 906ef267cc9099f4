//! Floor 1: an instrument. Notes and knobs go in at their frames, samples come out. Allocates only when built.
//!
//! Time is a count of frames since the last reset. What is smoothed moves on a grid of 16 such frames, everything else at its own
//! frame; nothing happens at the ends of the caller's blocks, so any split of `render` gives the same bits.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
// nothing that plays panics: docs/real-time.md
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented,
        clippy::get_unwrap
    )
)]
// units and papers stand in brackets, [kg], [PAR 11]; links in brackets and backticks, which `cargo xtask test` follows
#![allow(rustdoc::broken_intra_doc_links)]

pub mod block;
pub mod body;
pub(crate) mod context;
pub mod drive;
pub mod event;
pub mod formats;
#[cfg(feature = "import")]
pub mod import;
pub(crate) mod kit_player;
pub(crate) mod midi;
pub(crate) mod modulation;
pub(crate) mod output;
pub mod params;
pub mod patch;
pub(crate) mod polyphony;
pub(crate) mod report;
pub(crate) mod rest;
pub mod telemetry;
pub mod tuning;
pub mod voice;

pub use crate::body::{BodySpec, PreparedBody};
pub use crate::drive::{POINT, POINTS, TracePoint};
pub use crate::event::{Event, Expression, NoteId};
pub use crate::kit_player::KitPlayer;
pub use crate::output::{CEILING, Meters};
pub use crate::polyphony::CostTotals;
pub use crate::report::EnergyBalanceReport;
pub use crate::telemetry::HitPulse;

use crate::block::CONTROL_BLOCK;
use crate::context::RenderContext;
use crate::kit_player::StereoBlock;
use crate::midi::MidiControllers;
use crate::modulation::{ParamSmoothers, SmoothedChanges};
use crate::output::DryWetMixer;
use crate::output::OutputStage;
use crate::params::{ParamId, ParamValues};
use crate::patch::ChokeGroups;
use crate::patch::OUTPUTS;
use crate::patch::Patch;
use crate::polyphony::VoiceManager;
use crate::tuning::KeyFrequencies;
use crate::tuning::RetunePolicy;
use crate::tuning::{KeyTuning, TuningSet};

/// What an engine is built for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineConfig {
    /// Sample rate [Hz]; brought into 4e3..=1e6, 48e3 for what is not a number.
    pub sample_rate: f64,
    /// Bodies that sound at the same time, 1 to 256.
    pub voices: usize,
    /// Most modes of a body, 1 to 4096.
    pub modes: usize,
}

impl EngineConfig {
    /// 64 objects of up to 256 modes at `sample_rate` [Hz].
    pub fn at(sample_rate: f64) -> Self {
        Self { sample_rate, voices: 64, modes: 256 }
    }

    fn cleaned(self) -> Self {
        let rate = if self.sample_rate.is_nan() { 48e3 } else { self.sample_rate };
        Self { sample_rate: rate.clamp(4e3, 1e6), voices: self.voices.clamp(1, 256), modes: self.modes.clamp(1, 4096) }
    }
}

/// A stage of bodies, the hammers that strike them, and the way to the two outputs.
pub struct Engine {
    config: EngineConfig,
    settings: ParamValues,
    keyboard: KeyTuning,
    hands: MidiControllers,
    glides: ParamSmoothers,
    stage: VoiceManager,
    output: OutputStage,
    /// The outputs beside the main one.
    side_outputs: [OutputStage; OUTPUTS - 1],
    blend: DryWetMixer,
    /// Who plays the patch's zones.
    crew: Option<Box<KitPlayer>>,
    /// Who played those before, until they are silent.
    outgoing_kit: Option<Box<KitPlayer>>,
    /// Absolute frame: frames rendered since the last reset.
    frame: u64,
    /// Frames are zeros until something happens.
    idle: bool,
    sound: StereoBlock,
}

impl Engine {
    /// An engine at rest that plays `patch`; prepares the patch's body here and allocates all that it will ever need.
    pub fn new(config: EngineConfig, patch: &Patch) -> Engine {
        let config = config.cleaned();
        let settings = patch.settings;
        let mut stage = VoiceManager::new(config.sample_rate, config.voices, config.modes, PreparedBody::of(patch));
        stage.chokes = patch.chokes;
        stage.reset(&settings);
        let mut hands = MidiControllers::default();
        hands.set_zones(&settings);
        let crew = KitPlayer::of(patch, config.sample_rate);
        stage.drive.muted = crew.is_some();
        Engine {
            config,
            settings,
            keyboard: KeyTuning::new(patch),
            hands,
            glides: ParamSmoothers::new(&settings, CONTROL_BLOCK as f64 / config.sample_rate),
            stage,
            output: OutputStage::new(config.sample_rate, settings.get(ParamId::Level)),
            side_outputs: std::array::from_fn(|_| OutputStage::new(config.sample_rate, settings.get(ParamId::Level))),
            blend: DryWetMixer::new(&settings),
            crew,
            outgoing_kit: None,
            frame: 0,
            idle: false,
            sound: [[0.0; CONTROL_BLOCK]; 2],
        }
    }

    /// Silence. Afterwards the engine gives the same bits as a new one with the same settings and body.
    pub fn reset(&mut self) {
        self.stage.reset(&self.settings);
        self.stage.shelf.install();
        self.hands.reset();
        self.snap_smoothers();
        for output in std::iter::once(&mut self.output).chain(&mut self.side_outputs) {
            output.reset(self.settings.get(ParamId::Level));
        }
        self.blend = DryWetMixer::new(&self.settings);
        self.crews().for_each(KitPlayer::reset);
        (self.frame, self.idle) = (0, false);
    }

    /// Who plays zones, or did.
    fn crews(&mut self) -> impl Iterator<Item = &mut KitPlayer> {
        self.crew.iter_mut().chain(&mut self.outgoing_kit).map(Box::as_mut)
    }

    /// Every engine that sounds, this one first.
    fn engines(&self) -> impl Iterator<Item = &Engine> {
        let crews = self.crew.iter().chain(&self.outgoing_kit);
        std::iter::once(self).chain(crews.flat_map(|crew| crew.engines()))
    }

    /// Smoothed knobs arrive at once: nothing sounds.
    fn snap_smoothers(&mut self) {
        self.glides.jump(&self.settings);
        for output in std::iter::once(&mut self.output).chain(&mut self.side_outputs) {
            output.jump(self.settings.get(ParamId::Level));
        }
    }

    /// The drive takes what there is now.
    fn follow_drive(&mut self) {
        let (stage, scene) = self.split();
        stage.follow_drive(&scene);
    }

    fn split(&mut self) -> (&mut VoiceManager, RenderContext<'_>) {
        let Self { stage, settings, keyboard, hands, glides, config, frame, .. } = self;
        (stage, RenderContext { settings, tuning: keyboard.effective(), hands, glides, rate: config.sample_rate, frame: *frame })
    }

    /// Renders `left.len()` frames over what the slices hold, with all zones of a kit on the main output. `right` has the same length
    /// (else the shorter counts and the rest is zero); `drive` is the side-chain, full scale 1: left and right, each empty or as long;
    /// without a right channel the left is both. What of it is dry is heard on the main output.
    pub fn render(&mut self, left: &mut [f32], right: &mut [f32], drive: [&[f32]; 2]) {
        self.render_outputs([left, right], &mut [], drive);
    }

    /// As [`Engine::render`]; the zones of a kit that have a bus of their own are heard on `sides`, the first of which is bus 2.
    pub fn render_outputs(&mut self, [left, right]: [&mut [f32]; 2], sides: &mut [[&mut [f32]; 2]], drive: [&[f32]; 2]) {
        let frames = left.len().min(right.len());
        left[frames..].fill(0.0);
        right[frames..].fill(0.0);
        sides.iter_mut().flatten().for_each(|channel| channel.fill(0.0));
        let mut done = 0;
        while done < frames {
            let offset = (self.frame % CONTROL_BLOCK as u64) as usize;
            if offset == 0 && !self.idle {
                self.begin_control_block();
                self.idle = self.is_still();
            }
            if self.idle {
                left[done..frames].fill(0.0);
                right[done..frames].fill(0.0);
                self.frame += (frames - done) as u64;
                return;
            }
            let run = offset..CONTROL_BLOCK.min(offset + frames - done);
            let part = done..done + run.len();
            done = part.end;
            let drive = drive.map(|channel| channel.get(part.clone()).unwrap_or(&[]));
            self.play(run.clone(), drive);
            let mut buses = [[[0.0; CONTROL_BLOCK]; 2]; OUTPUTS];
            if self.crew.is_some() || self.outgoing_kit.is_some() {
                buses[0] = self.sound;
                let (frame, there) = (self.frame, OUTPUTS.min(sides.len() + 1));
                self.crews().for_each(|crew| crew.render(run.clone(), drive, frame, &mut buses[..there]));
                self.sound = buses[0];
            }
            self.output.write(&self.sound, run.start, &mut left[part.clone()], &mut right[part.clone()]);
            self.blend.mix(run.start, drive, [&mut left[part.clone()], &mut right[part.clone()]]);
            for ((output, bus), [left, right]) in self.side_outputs.iter_mut().zip(&buses[1..]).zip(sides.iter_mut()) {
                let end = part.end.min(left.len()).min(right.len());
                let part = part.start.min(end)..end;
                output.write(bus, run.start, &mut left[part.clone()], &mut right[part]);
            }
            self.frame += run.len() as u64;
        }
    }

    /// Plays the patch's own part of a grid cell into `sound`.
    fn play(&mut self, run: std::ops::Range<usize>, drive: [&[f32]; 2]) {
        let Self { stage, settings, keyboard, hands, glides, config, frame, sound, .. } = self;
        let scene =
            RenderContext { settings, tuning: keyboard.effective(), hands, glides, rate: config.sample_rate, frame: *frame };
        let pushes = stage.process_input(run.clone(), drive, &scene);
        if stage.is_asleep() && !pushes {
            sound.iter_mut().for_each(|channel| channel.fill(0.0));
        } else {
            stage.render(run, &scene, sound);
        }
    }

    /// Begins a grid cell.
    fn begin_control_block(&mut self) {
        let moved = if self.is_silent() {
            self.snap_smoothers();
            SmoothedChanges::default()
        } else {
            self.glides.tick(&self.settings)
        };
        if self.frame == 0 {
            self.blend = DryWetMixer::new(&self.settings);
        }
        self.blend.head_for(&self.settings, self.glides.step());
        self.refresh_tuning();
        let level_db = self.glides.get(ParamId::Level);
        self.output.head_for(level_db);
        self.side_outputs.iter_mut().for_each(|output| output.head_for(level_db));
        let level = 10_f64.powf(level_db / 20.0);
        let (stage, scene) = self.split();
        stage.tick(moved, level, &scene);
    }

    /// Plays `patch` from this frame on, with `body` prepared for it; what sounds goes on. Knobs that no patch holds stay. Answers
    /// as [`Engine::adopt`] does.
    pub fn load(&mut self, patch: &Patch, body: Box<PreparedBody>) -> Result<Option<Box<PreparedBody>>, Box<PreparedBody>> {
        for &knob in ParamId::ALL.iter().filter(|knob| knob.knob().in_patch) {
            self.set_param(knob, patch.settings.get(knob));
        }
        self.tune(&TuningSet::of(patch));
        self.choke_together(&patch.chokes);
        let taken = self.queue_body(body);
        self.install_body();
        taken
    }

    /// Takes the tunings for the strikes that follow. Notes that sound glide there on the grid, or keep their pitch, as the knob
    /// says; a key that has become silent rings out.
    pub fn tune(&mut self, tunings: &TuningSet) {
        self.idle = false;
        self.keyboard.tune(tunings, &self.settings);
        self.follow_tuning();
        self.crews().for_each(|crew| crew.tune(tunings));
    }

    /// Zones are played by `crew` from here on, or by nobody; who played them rings out. Gives back those who have. Errors: gives
    /// `crew` back while those before the last still sound, which are then damped; try again.
    pub fn install_kit(&mut self, crew: Option<Box<KitPlayer>>) -> Result<Option<Box<KitPlayer>>, Option<Box<KitPlayer>>> {
        self.idle = false;
        let frame = self.frame;
        if self.crew.is_some()
            && let Some(sounding) = self.outgoing_kit.as_mut().filter(|leaving| !leaving.is_asleep())
        {
            sounding.event(&Event::ChokeAll, frame);
            return Err(crew);
        }
        let gone = if self.crew.is_some() { self.outgoing_kit.take() } else { None };
        if let Some(mut old) = self.crew.take() {
            old.release_drive();
            self.outgoing_kit = Some(old);
        }
        self.crew = crew.filter(|crew| crew.rate() == self.config.sample_rate);
        if let Some(crew) = &mut self.crew {
            crew.sync_state(&self.settings, &self.hands, self.keyboard.tunings());
            crew.keep_time_with(&self.stage.drive);
        }
        self.stage.drive.muted = self.crew.is_some();
        Ok(gone)
    }

    /// A crew that has rung out, to be freed elsewhere; ask now and then.
    pub fn take_retired_kit(&mut self) -> Option<Box<KitPlayer>> {
        self.outgoing_kit.take_if(|crew| crew.is_asleep())
    }

    /// Sounding notes follow the keyboard.
    fn follow_tuning(&mut self) {
        if self.settings.sounding() == RetunePolicy::Follow {
            self.stage.follow_tuning(self.keyboard.effective(), self.glides.step());
        }
    }

    /// Takes the keys that choke each other from the next strike on.
    pub fn choke_together(&mut self, chokes: &ChokeGroups) {
        self.stage.chokes = *chokes;
    }

    /// The keyboard follows the knobs of pitch, and sounding notes follow it.
    fn refresh_tuning(&mut self) {
        if self.keyboard.refresh(&self.settings) {
            self.follow_tuning();
        }
    }

    /// The frequency of every key, as of the last strike or grid frame.
    pub fn tuning(&self) -> &KeyFrequencies {
        self.keyboard.effective()
    }

    /// The value of every knob.
    pub fn settings(&self) -> &ParamValues {
        &self.settings
    }

    /// What the engine was built for, as cleaned.
    pub fn config(&self) -> EngineConfig {
        self.config
    }

    /// The body to prepare elsewhere, while the settings ask for another than the one in use.
    pub fn requested_body(&self) -> Option<BodySpec> {
        let wanted = BodySpec::of(&self.settings);
        let there = self.stage.shelf.request().is_some_and(|there| wanted.is_satisfied_by(&there));
        (!there).then_some(wanted)
    }

    /// Takes a prepared body for the strikes that follow, from the next grid frame on. Gives back one that nothing sounds with any
    /// more, to be freed elsewhere. Errors: gives `body` back when too many old ones still sound, which are then damped; try again.
    pub fn queue_body(&mut self, body: Box<PreparedBody>) -> Result<Option<Box<PreparedBody>>, Box<PreparedBody>> {
        self.idle = false;
        let taken = self.stage.shelf.queue(body);
        if taken.is_err() {
            let (stage, scene) = self.split();
            stage.release_oldest_body(&scene);
        } else if self.frame.is_multiple_of(CONTROL_BLOCK as u64) {
            self.stage.shelf.install();
        }
        taken
    }

    /// A body that waits is struck from here on, not only from the next grid frame.
    pub fn install_body(&mut self) {
        self.stage.shelf.install();
    }

    /// A body that nothing sounds with any more, to be freed elsewhere; ask now and then.
    pub fn take_retired_body(&mut self) -> Option<Box<PreparedBody>> {
        self.stage.shelf.take_unused()
    }
}
