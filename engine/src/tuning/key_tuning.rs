//! What every key plays now: the patch's tuning or a master's, and what the knobs of pitch make of it.
//!
//! A key at f in the patch's own tuning plays (a/440) c (f/c)^(1 + s/1200): concert pitch a [Hz], stretch s [cents an octave],
//! centre c [Hz], the frequency of the reference key. A master's tuning is played as it is.

use crate::params::{ParamId, ParamValues};
use crate::patch::Patch;
use crate::tuning::key_frequencies::KeyFrequencies;

/// The concert pitch at which tunings are written [Hz].
const WRITTEN: f64 = 440.0;

/// The tunings there are: plain data of fixed size, fit to be sent to the audio thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningSet {
    /// The patch's own.
    pub own: KeyFrequencies,
    /// Frequency that stays when the own one is stretched [Hz].
    pub centre: f64,
    /// That of an MTS-ESP master, while there is one.
    pub master: Option<KeyFrequencies>,
}

impl TuningSet {
    /// The tuning of `patch` alone.
    pub fn of(patch: &Patch) -> Self {
        Self { own: *patch.intonation.tuning(), centre: patch.intonation.centre(), master: None }
    }

    /// What the keys play as the knobs stand. Takes a few microseconds.
    pub fn effective(&self, settings: &ParamValues) -> KeyFrequencies {
        match self.master {
            Some(master) if settings.get(ParamId::MtsEsp) > 0.5 => master,
            _ => {
                let concert = settings.get(ParamId::ConcertPitch) / WRITTEN;
                self.own.moved(concert, self.centre, settings.get(ParamId::Stretch))
            }
        }
    }
}

impl From<KeyFrequencies> for TuningSet {
    /// A tuning alone, stretched around 440 Hz.
    fn from(own: KeyFrequencies) -> Self {
        Self { own, centre: WRITTEN, master: None }
    }
}

/// The frequency of every key now. A knob that moves at every frame is followed once in a grid cell, and at strikes.
pub struct KeyTuning {
    tunings: TuningSet,
    played: KeyFrequencies,
    stale: bool,
}

impl KeyTuning {
    /// Tuned as `patch` says.
    pub fn new(patch: &Patch) -> Self {
        let tunings = TuningSet::of(patch);
        Self { played: tunings.effective(&patch.settings), tunings, stale: false }
    }

    /// Takes other tunings.
    pub fn tune(&mut self, tunings: &TuningSet, settings: &ParamValues) {
        (self.tunings, self.stale) = (*tunings, true);
        self.refresh(settings);
    }

    /// Notes that `knob` has moved.
    pub fn moved(&mut self, knob: ParamId) {
        self.stale |= matches!(knob, ParamId::ConcertPitch | ParamId::Stretch | ParamId::MtsEsp);
    }

    /// Follows the knobs; whether a key may have changed.
    pub fn refresh(&mut self, settings: &ParamValues) -> bool {
        let stale = std::mem::take(&mut self.stale);
        if stale {
            self.played = self.tunings.effective(settings);
        }
        stale
    }

    /// The tunings that there are.
    pub fn tunings(&self) -> &TuningSet {
        &self.tunings
    }

    /// What the keys play.
    pub fn effective(&self) -> &KeyFrequencies {
        &self.played
    }
}
