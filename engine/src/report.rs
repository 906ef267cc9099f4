//! What an engine tells of itself: what sounds, how much energy there is, whether the books balance.

use crate::Engine;
use crate::body::{BodyTuning, KeyScaling};
use crate::drive::TracePoint;
use crate::event::NoteId;
use crate::kit_player::KitPlayer;
use crate::output::{Meters, OutputStage};
use crate::polyphony::CostTotals;
use crate::telemetry::HitPulse;

/// The worst of all ledgers, relative to the largest energy that the object held.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct EnergyBalanceReport {
    /// Largest |stored + lost - supplied| over one step.
    pub balance: f64,
    /// Largest gain of energy over one step that nothing supplied.
    pub unsupplied: f64,
}

impl Engine {
    /// Nothing sounds: rendering costs next to nothing and gives exact zeros, beside what comes in dry.
    pub fn is_asleep(&self) -> bool {
        let at_rest = std::iter::once(&self.output).chain(&self.side_outputs).all(OutputStage::is_at_rest);
        at_rest && self.is_silent()
    }

    /// No body sounds.
    pub(super) fn is_silent(&self) -> bool {
        self.engines().all(|engine| engine.stage.is_asleep())
    }

    /// Number of bodies awake.
    pub fn sounding(&self) -> usize {
        self.engines().map(|engine| engine.stage.sounding()).sum()
    }

    /// Frames rendered since the last reset.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Energy of all bodies, hammers and contacts [J].
    pub fn energy(&self) -> f64 {
        let objects = self.engines().flat_map(|engine| &engine.stage.objects);
        objects.filter(|object| object.is_awake()).map(|object| object.collision.energy()).sum()
    }

    /// A note whose sound has ended or was stolen, each once, oldest first.
    pub fn next_ended(&mut self) -> Option<NoteId> {
        self.stage.ended.pop().or_else(|| self.crews().find_map(KitPlayer::next_ended))
    }

    /// The last finished contact since last asked.
    pub fn take_hit(&mut self) -> Option<HitPulse> {
        self.stage.recorder.take().or_else(|| self.crew.as_mut().and_then(|crew| crew.take_hit()))
    }

    /// What the driven hammer did since last asked, a point a millisecond, oldest first; at most [`POINTS`](crate::drive::POINTS). Of a kit
    /// that of the zone that is driven.
    pub fn take_trace(&mut self) -> impl Iterator<Item = TracePoint> + '_ {
        let zone = self.crew.as_mut().and_then(|crew| crew.driven_mut());
        zone.map_or(&mut self.stage.drive, |zone| &mut zone.stage.drive).trace.take()
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
        let pitch = BodyTuning::new(hertz, KeyScaling::default(), |knob| self.settings.get(knob));
        body.partials() - body.modes_below_limit(&pitch, self.config.sample_rate).min(self.config.modes)
    }

    /// What hammers cost since the engine was made or reset, and since its zones were.
    pub fn spent(&self) -> CostTotals {
        let crews = self.crew.iter().chain(&self.outgoing_kit);
        crews.fold(self.stage.budget.spent, |all, crew| all.with(crew.spent()))
    }

    /// Books the energy of every object from now on (tests; slower, allocates).
    pub fn enable_energy_balance(&mut self) {
        self.stage.objects.iter_mut().for_each(|object| object.collision.enable_energy_balance());
        self.crews().for_each(|crew| crew.engines_mut().for_each(Engine::enable_energy_balance));
    }

    /// The worst of the ledgers since [`Engine::book`].
    pub fn ledger_worst(&self) -> EnergyBalanceReport {
        let objects = self.engines().flat_map(|engine| &engine.stage.objects);
        let ledgers = objects.filter_map(|object| object.collision.energy_balance());
        let mut worst = EnergyBalanceReport::default();
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
