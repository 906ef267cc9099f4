//! Floor 1: an instrument. Notes and knobs go in at their frames, samples come out. Allocates only when built.
//!
//! Time is a count of frames since the last reset. What is smoothed moves on a grid of 16 such frames, everything else at its own
//! frame; nothing happens at the ends of the caller's blocks, so any split of `render` gives the same bits.

mod bend;
pub mod beyond;
pub mod body;
mod chance;
pub mod choke;
pub mod contact;
mod drive;
pub mod event;
mod exact;
mod glide;
mod grip;
pub mod hammer;
mod hands;
pub mod hit;
pub mod import;
pub mod intonation;
pub mod keyboard;
pub mod knob;
pub mod library;
pub mod listening;
mod migration;
mod mix;
mod morph;
mod notes;
mod object;
mod output;
mod partials;
pub mod patch;
mod playing;
mod pool;
pub mod preset;
mod quiet;
mod retune;
mod ring;
mod room;
pub mod scala;
mod scene;
mod shelf;
mod stage;
mod sway;
pub mod text;
mod thrown;
pub mod tuning;
mod zone;

pub use body::{Body, BodyRequest};
pub use event::{Event, Expression, NoteId};
pub use hit::HitPulse;
pub use output::{CEILING, Meters};

use choke::Chokes;
use glide::{Glides, Moved};
use hands::Hands;
use intonation::Sounding;
use keyboard::{Keyboard, Tunings};
use knob::{KnobId, Settings};
use output::Output;
use patch::Patch;
use ring::GRID;
use scene::Scene;
use stage::Stage;
use tuning::Tuning;

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

/// The worst of all ledgers, relative to the largest energy that the object held.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct LedgerWorst {
    /// Largest |stored + lost - supplied| over one step.
    pub balance: f64,
    /// Largest gain of energy over one step that nothing supplied.
    pub unsupplied: f64,
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
    /// Absolute frame: frames rendered since the last reset.
    frame: u64,
    sound: [[f64; GRID]; 2],
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
        Engine {
            config,
            settings,
            keyboard: Keyboard::new(patch),
            hands,
            glides: Glides::new(&settings, GRID as f64 / config.sample_rate),
            stage,
            output: Output::new(config.sample_rate, settings.get(KnobId::Level)),
            frame: 0,
            sound: [[0.0; GRID]; 2],
        }
    }

    /// Silence. Afterwards the engine gives the same bits as a new one with the same settings and body.
    pub fn reset(&mut self) {
        self.stage.reset(&self.settings);
        self.stage.shelf.install();
        self.hands.rest();
        self.jump();
        self.output.reset(self.settings.get(KnobId::Level));
        self.frame = 0;
    }

    /// Smoothed knobs arrive at once: nothing sounds.
    fn jump(&mut self) {
        self.glides.jump(&self.settings);
        self.output.jump(self.settings.get(KnobId::Level));
    }

    fn split(&mut self) -> (&mut Stage, Scene<'_>) {
        let Self { stage, settings, keyboard, hands, glides, config, frame, .. } = self;
        (stage, Scene { settings, tuning: keyboard.played(), hands, glides, rate: config.sample_rate, frame: *frame })
    }

    /// Renders `left.len()` frames over what the slices hold. `right` has the same length (else the shorter counts and the rest
    /// is zero); `drive` is empty or as long: the side-chain, mono, full scale 1.
    pub fn render(&mut self, left: &mut [f32], right: &mut [f32], drive: &[f32]) {
        let frames = left.len().min(right.len());
        left[frames..].fill(0.0);
        right[frames..].fill(0.0);
        let mut done = 0;
        while done < frames {
            let offset = (self.frame % GRID as u64) as usize;
            if offset == 0 {
                self.tick();
            }
            let run = offset..GRID.min(offset + frames - done);
            let end = done + run.len();
            self.run(run, &mut left[done..end], &mut right[done..end], drive.get(done..end).unwrap_or(&[]));
            done = end;
        }
    }

    /// Renders a part of a grid cell.
    fn run(&mut self, run: std::ops::Range<usize>, left: &mut [f32], right: &mut [f32], drive: &[f32]) {
        let Self { stage, settings, keyboard, hands, glides, config, frame, sound, output, .. } = self;
        let scene = Scene { settings, tuning: keyboard.played(), hands, glides, rate: config.sample_rate, frame: *frame };
        if stage.is_asleep() && !stage.may_wake(drive) {
            sound.iter_mut().for_each(|channel| channel.fill(0.0));
        } else {
            stage.render(run.clone(), drive, &scene, sound);
        }
        output.write(sound, run.start, left, right);
        self.frame += run.len() as u64;
    }

    /// Begins a grid cell.
    fn tick(&mut self) {
        let moved = if self.stage.is_asleep() {
            self.jump();
            Moved::default()
        } else {
            self.glides.tick(&self.settings)
        };
        self.refresh_tuning();
        let level_db = self.glides.get(KnobId::Level);
        self.output.head_for(level_db);
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
        self.keyboard.tune(tunings, &self.settings);
        self.follow_tuning();
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

    /// Nothing sounds: rendering costs next to nothing and gives exact zeros.
    pub fn is_asleep(&self) -> bool {
        self.stage.is_asleep() && self.output.is_at_rest()
    }

    /// Number of bodies awake.
    pub fn sounding(&self) -> usize {
        self.stage.sounding()
    }

    /// Energy of all bodies, hammers and contacts [J].
    pub fn energy(&self) -> f64 {
        self.stage.objects.iter().filter(|object| object.is_awake()).map(|object| object.collision.energy()).sum()
    }

    /// A note whose sound has ended or was stolen, each once, oldest first.
    pub fn next_ended(&mut self) -> Option<NoteId> {
        self.stage.ended.pop()
    }

    /// The last finished contact since last asked.
    pub fn take_hit(&mut self) -> Option<HitPulse> {
        self.stage.recorder.take()
    }

    /// Peaks and limiter since last asked.
    pub fn take_meters(&mut self) -> Meters {
        self.output.take_meters()
    }

    /// Number of the body's modes that `key` leaves out because they lie above the band limit min(20 kHz, 0.48 of the rate), or
    /// because the engine was built for fewer.
    pub fn left_out(&self, key: u8) -> usize {
        let Some(body) = self.stage.shelf.body(self.stage.shelf.current()) else { return 0 };
        let Some(hertz) = self.tuning().hertz(self.settings.body_key(key)) else { return 0 };
        let pitch = body::Pitch::new(hertz, body::Build::default(), |knob| self.settings.get(knob));
        body.partials() - body.fitting(&pitch, self.config.sample_rate).min(self.config.modes)
    }

    /// Books the energy of every object from now on (tests; slower, allocates).
    pub fn book(&mut self) {
        self.stage.objects.iter_mut().for_each(|object| object.collision.book());
    }

    /// The worst of the ledgers since [`Engine::book`].
    pub fn ledger_worst(&self) -> LedgerWorst {
        let ledgers = self.stage.objects.iter().filter_map(|object| object.collision.ledger());
        let mut worst = LedgerWorst::default();
        for ledger in ledgers.filter(|ledger| ledger.largest > 0.0) {
            worst.balance = larger(worst.balance, ledger.largest_balance_residual / ledger.largest);
            worst.unsupplied = larger(worst.unsupplied, ledger.largest_unsupplied_increase / ledger.largest);
        }
        worst
    }
}

/// The larger of two, or NaN if either is: a broken ledger has to show.
fn larger(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}
