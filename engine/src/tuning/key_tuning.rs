//! What every key plays now: the patch's tuning or a master's, and what the knobs of pitch make of it.
//!
//! A key at f in the patch's own tuning plays (a/440) c (f/c)^(1 + s/1200): concert pitch a [Hz], stretch s [cents an octave],
//! centre c [Hz], the frequency of the reference key. A master's tuning is played as it is.

use crate::params::table::{KnobId, Settings};
use crate::patch::patch::Patch;
use crate::tuning::key_frequencies::Tuning;

/// The concert pitch at which tunings are written [Hz].
const WRITTEN: f64 = 440.0;

/// The tunings there are: plain data of fixed size, fit to be sent to the audio thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tunings {
    /// The patch's own.
    pub own: Tuning,
    /// Frequency that stays when the own one is stretched [Hz].
    pub centre: f64,
    /// That of an MTS-ESP master, while there is one.
    pub master: Option<Tuning>,
}

impl Tunings {
    /// The tuning of `patch` alone.
    pub fn of(patch: &Patch) -> Self {
        Self { own: *patch.intonation.tuning(), centre: patch.intonation.centre(), master: None }
    }

    /// What the keys play as the knobs stand. Takes a few microseconds.
    pub fn played(&self, settings: &Settings) -> Tuning {
        match self.master {
            Some(master) if settings.get(KnobId::MtsEsp) > 0.5 => master,
            _ => {
                let concert = settings.get(KnobId::ConcertPitch) / WRITTEN;
                self.own.moved(concert, self.centre, settings.get(KnobId::Stretch))
            }
        }
    }
}

impl From<Tuning> for Tunings {
    /// A tuning alone, stretched around 440 Hz.
    fn from(own: Tuning) -> Self {
        Self { own, centre: WRITTEN, master: None }
    }
}

/// The frequency of every key now. A knob that moves at every frame is followed once in a grid cell, and at strikes.
pub struct Keyboard {
    tunings: Tunings,
    played: Tuning,
    stale: bool,
}

impl Keyboard {
    /// Tuned as `patch` says.
    pub fn new(patch: &Patch) -> Self {
        let tunings = Tunings::of(patch);
        Self { played: tunings.played(&patch.settings), tunings, stale: false }
    }

    /// Takes other tunings.
    pub fn tune(&mut self, tunings: &Tunings, settings: &Settings) {
        (self.tunings, self.stale) = (*tunings, true);
        self.refresh(settings);
    }

    /// Notes that `knob` has moved.
    pub fn moved(&mut self, knob: KnobId) {
        self.stale |= matches!(knob, KnobId::ConcertPitch | KnobId::Stretch | KnobId::MtsEsp);
    }

    /// Follows the knobs; whether a key may have changed.
    pub fn refresh(&mut self, settings: &Settings) -> bool {
        let stale = std::mem::take(&mut self.stale);
        if stale {
            self.played = self.tunings.played(settings);
        }
        stale
    }

    /// The tunings that there are.
    pub fn tunings(&self) -> &Tunings {
        &self.tunings
    }

    /// What the keys play.
    pub fn played(&self) -> &Tuning {
        &self.played
    }
}
