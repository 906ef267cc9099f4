//! The tuning in force: that of the patch or of an MTS-ESP master, with concert pitch and octave stretch.
//!
//! A key at f in the patch's tuning gets (a/440) c (f/c)^(1 + s/1200): concert pitch a [Hz], octave stretch s [cents], centre c [Hz],
//! the frequency of the reference key. The tuning of a master is used unchanged.

use crate::params::{ParamId, ParamValues};
use crate::tuning::key_frequencies::KeyFrequencies;
use crate::tuning::patch_tuning::PatchTuning;

/// The concert pitch at which tunings are written [Hz].
const WRITTEN: f64 = 440.0;

/// The available tunings. Plain data of fixed size: it may be sent to the audio thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningSet {
    /// That of the patch.
    pub own: KeyFrequencies,
    /// Frequency that octave stretch leaves unchanged [Hz].
    pub centre: f64,
    /// That of an MTS-ESP master, while one is connected.
    pub master: Option<KeyFrequencies>,
}

impl TuningSet {
    /// The tuning of a patch, without a master.
    pub fn of(tuning: &PatchTuning) -> Self {
        Self { own: *tuning.tuning(), centre: tuning.centre(), master: None }
    }

    /// The frequencies in force for these parameters. Takes a few microseconds.
    pub fn effective(&self, settings: &ParamValues) -> KeyFrequencies {
        match self.master {
            Some(master) if settings.get(ParamId::MtsEsp) > 0.5 => master,
            _ => {
                let concert = settings.get(ParamId::ConcertPitch) / WRITTEN;
                self.own.transposed(concert, self.centre, settings.get(ParamId::Stretch))
            }
        }
    }
}

impl From<KeyFrequencies> for TuningSet {
    /// These frequencies, stretched around 440 Hz.
    fn from(own: KeyFrequencies) -> Self {
        Self { own, centre: WRITTEN, master: None }
    }
}

/// The frequency of every key at present. A parameter that changes at every frame takes effect once a control block, and at strikes.
pub struct KeyTuning {
    tunings: TuningSet,
    effective: KeyFrequencies,
    stale: bool,
}

impl KeyTuning {
    /// The tuning of a patch with the parameters `settings`.
    pub fn new(tuning: &PatchTuning, settings: &ParamValues) -> Self {
        let tunings = TuningSet::of(tuning);
        Self { effective: tunings.effective(settings), tunings, stale: false }
    }

    /// Replaces the available tunings.
    pub fn tune(&mut self, tunings: &TuningSet, settings: &ParamValues) {
        (self.tunings, self.stale) = (*tunings, true);
        self.refresh(settings);
    }

    /// Records a change of the parameter `id`.
    pub fn moved(&mut self, id: ParamId) {
        self.stale |= matches!(id, ParamId::ConcertPitch | ParamId::Stretch | ParamId::MtsEsp);
    }

    /// Applies recorded changes; returns whether keys may have changed.
    pub fn refresh(&mut self, settings: &ParamValues) -> bool {
        let stale = std::mem::take(&mut self.stale);
        if stale {
            self.effective = self.tunings.effective(settings);
        }
        stale
    }

    /// The available tunings.
    pub fn tunings(&self) -> &TuningSet {
        &self.tunings
    }

    /// The frequencies in force.
    pub fn effective(&self) -> &KeyFrequencies {
        &self.effective
    }
}
