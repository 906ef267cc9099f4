//! Floor 1: an instrument. Notes and knobs go in at their frames, samples come out. Allocates only when built.
//!
//! Time is a count of frames since the last reset. What is smoothed moves on a grid of 16 such frames, everything else at its own
//! frame; nothing happens at the ends of the caller's blocks, so any split of `render` gives the same bits.

pub mod body;
pub mod event;
pub mod hit;
pub mod knob;
pub mod patch;
pub mod preset;
pub mod text;

pub use body::{Body, BodyRequest};
pub use event::{Event, NoteId};
pub use hit::HitPulse;
use knob::Settings;
use patch::Patch;

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
    /// 32 objects of up to 256 modes at `sample_rate` [Hz].
    pub fn at(sample_rate: f64) -> Self {
        Self { sample_rate, objects: 32, modes: 256 }
    }
}

/// What meters show.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Meters {
    /// Highest |sample| of left and right since last asked, before the limiter; full scale 1.
    pub peaks: [f32; 2],
    /// Lowest gain of the limiter since last asked; 1 = untouched.
    pub lowest_gain: f32,
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
    body: Box<Body>,
}

impl Engine {
    /// An engine at rest that plays `patch`; prepares the patch's body here and allocates all that it will ever need.
    pub fn new(config: Config, patch: &Patch) -> Engine {
        let body = Body::prepare(BodyRequest::of(&patch.settings), &patch.modes);
        Engine { config, settings: patch.settings, body }
    }

    /// Silence. Afterwards the engine gives the same bits as a new one with the same settings and body.
    pub fn reset(&mut self) {}

    /// Takes one event at the frame where the engine stands.
    pub fn event(&mut self, event: &Event) {
        if let Event::Set { knob, value } = *event {
            self.settings.set(knob, value);
        }
    }

    /// Renders `left.len()` frames over what the slices hold. `right` has the same length (else the shorter counts and the rest
    /// is zero); `drive` is empty or as long: the side-chain, mono, full scale 1.
    pub fn render(&mut self, left: &mut [f32], right: &mut [f32], drive: &[f32]) {
        let _ = drive;
        left.fill(0.0);
        right.fill(0.0);
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
        (wanted != self.body.request()).then_some(wanted)
    }

    /// Takes a prepared body for the strikes that follow. Gives back one that nothing sounds with any more, to be freed elsewhere
    /// (the given one itself when there is no room for it: then try again later).
    pub fn adopt(&mut self, body: Box<Body>) -> Option<Box<Body>> {
        Some(std::mem::replace(&mut self.body, body))
    }

    /// A body that nothing sounds with any more, to be freed elsewhere; ask now and then.
    pub fn spent_body(&mut self) -> Option<Box<Body>> {
        None
    }

    /// Nothing sounds: rendering costs next to nothing and gives exact zeros.
    pub fn is_asleep(&self) -> bool {
        true
    }

    /// Number of bodies awake.
    pub fn sounding(&self) -> usize {
        0
    }

    /// A note whose sound has ended or was stolen, each once, oldest first.
    pub fn next_ended(&mut self) -> Option<NoteId> {
        None
    }

    /// The last finished contact since last asked.
    pub fn take_hit(&mut self) -> Option<HitPulse> {
        None
    }

    /// Peaks and limiter since last asked.
    pub fn take_meters(&mut self) -> Meters {
        Meters::default()
    }

    /// Number of the body's modes that `key` leaves out because they lie above the band limit min(20 kHz, 0.48 of the rate).
    pub fn left_out(&self, key: u8) -> usize {
        let _ = key;
        0
    }

    /// Books the energy of every object from now on (tests; slower).
    pub fn book(&mut self) {}

    /// The worst of the ledgers since [`Engine::book`].
    pub fn ledger_worst(&self) -> LedgerWorst {
        LedgerWorst::default()
    }
}
