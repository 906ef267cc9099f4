//! Floor 1: an instrument. Notes and knobs go in at their frames, samples come out. Allocates only when built.
//!
//! Time is a count of frames since the last reset. What is smoothed moves on a grid of 16 such frames, everything else at its own
//! frame; nothing happens at the ends of the caller's blocks, so any split of `render` gives the same bits.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
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

pub mod body;
pub(crate) mod context;
pub mod drive;
pub mod event;
pub mod formats;
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

pub use crate::body::prepared_body::{Body, BodyRequest};
pub use crate::drive::trace::{POINT, POINTS, TracePoint};
pub use crate::event::{Event, Expression, NoteId};
pub use crate::kit_player::Crew;
pub use crate::output::output_stage::{CEILING, Meters};
pub use crate::polyphony::render::Spent;
pub use crate::report::LedgerWorst;
pub use crate::telemetry::hit_recorder::HitPulse;

use crate::context::Scene;
use crate::kit_player::Bus;
use crate::midi::controllers::Hands;
use crate::modulation::param_smoother::{Glides, Moved};
use crate::output::dry_wet::Blend;
use crate::output::output_stage::Output;
use crate::params::table::{KnobId, Settings};
use crate::patch::choke_groups::Chokes;
use crate::patch::kit::OUTPUTS;
use crate::patch::patch::Patch;
use crate::polyphony::voice_manager::Stage;
use crate::tuning::key_frequencies::Tuning;
use crate::tuning::key_tuning::{Keyboard, Tunings};
use crate::tuning::patch_tuning::Sounding;
use crate::voice::ring::GRID;

/// What an engine is built for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Sample rate [Hz]; brought into 4e3..=1e6, 48e3 for what is not a number.
    pub sample_rate: f64,
    /// Bodies that sound at the same time, 1 to 256.
    pub objects: usize,
    /// Most modes of a body, 1 to 4096.
    pub modes: usize,
}

impl Config {
    /// 64 objects of up to 256 modes at `sample_rate` [Hz].
    pub fn at(sample_rate: f64) -> Self {
        Self { sample_rate, objects: 64, modes: 256 }
    }

    fn cleaned(self) -> Self {
        let rate = if self.sample_rate.is_nan() { 48e3 } else { self.sample_rate };
        Self { sample_rate: rate.clamp(4e3, 1e6), objects: self.objects.clamp(1, 256), modes: self.modes.clamp(1, 4096) }
    }
}

/// A stage of bodies, the hammers that strike them, and the way to the two outputs.
pub struct Engine {
    config: Config,
    settings: Settings,
    keyboard: Keyboard,
    hands: Hands,
    glides: Glides,
    stage: Stage,
    output: Output,
    /// The outputs beside the main one.
    side_outputs: [Output; OUTPUTS - 1],
    blend: Blend,
    /// Who plays the patch's zones.
    crew: Option<Box<Crew>>,
    /// Who played those before, until they are silent.
    leaving: Option<Box<Crew>>,
    /// Absolute frame: frames rendered since the last reset.
    frame: u64,
    /// Frames are zeros until something happens.
    resting: bool,
    sound: Bus,
}

impl Engine {
    /// An engine at rest that plays `patch`; prepares the patch's body here and allocates all that it will ever need.
    pub fn new(config: Config, patch: &Patch) -> Engine {
        let config = config.cleaned();
        let settings = patch.settings;
        let mut stage = Stage::new(config.sample_rate, config.objects, config.modes, Body::of(patch));
        stage.chokes = patch.chokes;
        stage.reset(&settings);
        let mut hands = Hands::default();
        hands.set_zones(&settings);
        let crew = Crew::of(patch, config.sample_rate);
        stage.drive.muted = crew.is_some();
        Engine {
            config,
            settings,
            keyboard: Keyboard::new(patch),
            hands,
            glides: Glides::new(&settings, GRID as f64 / config.sample_rate),
            stage,
            output: Output::new(config.sample_rate, settings.get(KnobId::Level)),
            side_outputs: std::array::from_fn(|_| Output::new(config.sample_rate, settings.get(KnobId::Level))),
            blend: Blend::new(&settings),
            crew,
            leaving: None,
            frame: 0,
            resting: false,
            sound: [[0.0; GRID]; 2],
        }
    }

    /// Silence. Afterwards the engine gives the same bits as a new one with the same settings and body.
    pub fn reset(&mut self) {
        self.stage.reset(&self.settings);
        self.stage.shelf.install();
        self.hands.rest();
        self.jump();
        for output in std::iter::once(&mut self.output).chain(&mut self.side_outputs) {
            output.reset(self.settings.get(KnobId::Level));
        }
        self.blend = Blend::new(&self.settings);
        self.crews().for_each(Crew::reset);
        (self.frame, self.resting) = (0, false);
    }

    /// Who plays zones, or did.
    fn crews(&mut self) -> impl Iterator<Item = &mut Crew> {
        self.crew.iter_mut().chain(&mut self.leaving).map(Box::as_mut)
    }

    /// Every engine that sounds, this one first.
    fn engines(&self) -> impl Iterator<Item = &Engine> {
        let crews = self.crew.iter().chain(&self.leaving);
        std::iter::once(self).chain(crews.flat_map(|crew| crew.engines()))
    }

    /// Smoothed knobs arrive at once: nothing sounds.
    fn jump(&mut self) {
        self.glides.jump(&self.settings);
        for output in std::iter::once(&mut self.output).chain(&mut self.side_outputs) {
            output.jump(self.settings.get(KnobId::Level));
        }
    }

    /// The drive takes what there is now.
    fn follow_drive(&mut self) {
        let (stage, scene) = self.split();
        stage.follow_drive(&scene);
    }

    fn split(&mut self) -> (&mut Stage, Scene<'_>) {
        let Self { stage, settings, keyboard, hands, glides, config, frame, .. } = self;
        (stage, Scene { settings, tuning: keyboard.played(), hands, glides, rate: config.sample_rate, frame: *frame })
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
            let offset = (self.frame % GRID as u64) as usize;
            if offset == 0 && !self.resting {
                self.tick();
                self.resting = self.is_still();
            }
            if self.resting {
                left[done..frames].fill(0.0);
                right[done..frames].fill(0.0);
                self.frame += (frames - done) as u64;
                return;
            }
            let run = offset..GRID.min(offset + frames - done);
            let part = done..done + run.len();
            done = part.end;
            let drive = drive.map(|channel| channel.get(part.clone()).unwrap_or(&[]));
            self.play(run.clone(), drive);
            let mut buses = [[[0.0; GRID]; 2]; OUTPUTS];
            if self.crew.is_some() || self.leaving.is_some() {
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
        let scene = Scene { settings, tuning: keyboard.played(), hands, glides, rate: config.sample_rate, frame: *frame };
        let pushes = stage.listen(run.clone(), drive, &scene);
        if stage.is_asleep() && !pushes {
            sound.iter_mut().for_each(|channel| channel.fill(0.0));
        } else {
            stage.render(run, &scene, sound);
        }
    }

    /// Begins a grid cell.
    fn tick(&mut self) {
        let moved = if self.is_silent() {
            self.jump();
            Moved::default()
        } else {
            self.glides.tick(&self.settings)
        };
        if self.frame == 0 {
            self.blend = Blend::new(&self.settings);
        }
        self.blend.head_for(&self.settings, self.glides.step());
        self.refresh_tuning();
        let level_db = self.glides.get(KnobId::Level);
        self.output.head_for(level_db);
        self.side_outputs.iter_mut().for_each(|output| output.head_for(level_db));
        let level = 10_f64.powf(level_db / 20.0);
        let (stage, scene) = self.split();
        stage.tick(moved, level, &scene);
    }

    /// Plays `patch` from this frame on, with `body` prepared for it; what sounds goes on. Knobs that no patch holds stay. Answers
    /// as [`Engine::adopt`] does.
    pub fn load(&mut self, patch: &Patch, body: Box<Body>) -> Result<Option<Box<Body>>, Box<Body>> {
        for &knob in KnobId::ALL.iter().filter(|knob| knob.knob().in_patch) {
            self.set(knob, patch.settings.get(knob));
        }
        self.tune(&Tunings::of(patch));
        self.choke_together(&patch.chokes);
        let taken = self.adopt(body);
        self.install_body();
        taken
    }

    /// Takes the tunings for the strikes that follow. Notes that sound glide there on the grid, or keep their pitch, as the knob
    /// says; a key that has become silent rings out.
    pub fn tune(&mut self, tunings: &Tunings) {
        self.resting = false;
        self.keyboard.tune(tunings, &self.settings);
        self.follow_tuning();
        self.crews().for_each(|crew| crew.tune(tunings));
    }

    /// Zones are played by `crew` from here on, or by nobody; who played them rings out. Gives back those who have. Errors: gives
    /// `crew` back while those before the last still sound, which are then damped; try again.
    pub fn staff(&mut self, crew: Option<Box<Crew>>) -> Result<Option<Box<Crew>>, Option<Box<Crew>>> {
        self.resting = false;
        let frame = self.frame;
        if self.crew.is_some()
            && let Some(sounding) = self.leaving.as_mut().filter(|leaving| !leaving.is_asleep())
        {
            sounding.event(&Event::ChokeAll, frame);
            return Err(crew);
        }
        let gone = if self.crew.is_some() { self.leaving.take() } else { None };
        if let Some(mut old) = self.crew.take() {
            old.fall_silent();
            self.leaving = Some(old);
        }
        self.crew = crew.filter(|crew| crew.rate() == self.config.sample_rate);
        if let Some(crew) = &mut self.crew {
            crew.join(&self.settings, &self.hands, self.keyboard.tunings());
            crew.keep_time_with(&self.stage.drive);
        }
        self.stage.drive.muted = self.crew.is_some();
        Ok(gone)
    }

    /// A crew that has rung out, to be freed elsewhere; ask now and then.
    pub fn spent_crew(&mut self) -> Option<Box<Crew>> {
        self.leaving.take_if(|crew| crew.is_asleep())
    }

    /// Sounding notes follow the keyboard.
    fn follow_tuning(&mut self) {
        if self.settings.sounding() == Sounding::Follow {
            self.stage.follow_tuning(self.keyboard.played(), self.glides.step());
        }
    }

    /// Takes the keys that choke each other from the next strike on.
    pub fn choke_together(&mut self, chokes: &Chokes) {
        self.stage.chokes = *chokes;
    }

    /// The keyboard follows the knobs of pitch, and sounding notes follow it.
    fn refresh_tuning(&mut self) {
        if self.keyboard.refresh(&self.settings) {
            self.follow_tuning();
        }
    }

    /// The frequency of every key, as of the last strike or grid frame.
    pub fn tuning(&self) -> &Tuning {
        self.keyboard.played()
    }

    /// The value of every knob.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the engine was built for, as cleaned.
    pub fn config(&self) -> Config {
        self.config
    }

    /// The body to prepare elsewhere, while the settings ask for another than the one in use.
    pub fn wanted_body(&self) -> Option<BodyRequest> {
        let wanted = BodyRequest::of(&self.settings);
        let there = self.stage.shelf.request().is_some_and(|there| wanted.is_met_by(&there));
        (!there).then_some(wanted)
    }

    /// Takes a prepared body for the strikes that follow, from the next grid frame on. Gives back one that nothing sounds with any
    /// more, to be freed elsewhere. Errors: gives `body` back when too many old ones still sound, which are then damped; try again.
    pub fn adopt(&mut self, body: Box<Body>) -> Result<Option<Box<Body>>, Box<Body>> {
        self.resting = false;
        let taken = self.stage.shelf.wait(body);
        if taken.is_err() {
            let (stage, scene) = self.split();
            stage.clear_oldest(&scene);
        } else if self.frame.is_multiple_of(GRID as u64) {
            self.stage.shelf.install();
        }
        taken
    }

    /// A body that waits is struck from here on, not only from the next grid frame.
    pub fn install_body(&mut self) {
        self.stage.shelf.install();
    }

    /// A body that nothing sounds with any more, to be freed elsewhere; ask now and then.
    pub fn spent_body(&mut self) -> Option<Box<Body>> {
        self.stage.shelf.spent()
    }
}
