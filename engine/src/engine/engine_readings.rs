//! What an engine tells about its sound: voices, energy, hits, meters, motion of bodies, cost.

use crate::drive::TracePoint;
use crate::engine::engine::Engine;
use crate::event::NoteId;
use crate::kit::KitPlayer;
use crate::output::Meters;
use crate::part::Part;
use crate::polyphony::CostTotals;
use crate::telemetry::{BodyMotion, ControllerReadings, EnergyBalanceReport, HitPulse, StiffeningReading};

impl Engine {
    /// Number of active voices.
    pub fn active_voices(&self) -> usize {
        self.parts().map(|part| part.voices().active_count()).sum()
    }

    /// Frames rendered since the last reset.
    pub fn frame(&self) -> u64 {
        self.part.frame()
    }

    /// Energy of all bodies, hammers and contacts [J].
    pub fn energy(&self) -> f64 {
        self.parts().flat_map(|part| part.voices().energies()).sum()
    }

    /// A note whose sound has ended or was stolen, each once, oldest first.
    pub fn next_ended(&mut self) -> Option<NoteId> {
        let ended = self.part.voices_mut().next_ended();
        ended.or_else(|| self.kits.all_mut().find_map(KitPlayer::next_ended))
    }

    /// The last finished contact since the last call.
    pub fn take_hit(&mut self) -> Option<HitPulse> {
        let hit = self.part.voices_mut().take_hit();
        hit.or_else(|| self.kits.current.as_mut().and_then(|kit| kit.take_hit()))
    }

    /// Motion of the driven hammer since the last call, a point a millisecond, oldest first; at most [`POINTS`](crate::drive::POINTS).
    /// With a kit, that of the driven zone.
    pub fn take_trace(&mut self) -> impl Iterator<Item = TracePoint> + '_ {
        let zone = self.kits.current.as_mut().and_then(|kit| kit.driven_mut());
        zone.unwrap_or(&mut self.part).voices_mut().drive_mut().take_trace()
    }

    /// Peaks and gain of the limiter since the last call.
    pub fn take_meters(&mut self) -> Meters {
        self.outputs.main.take_meters()
    }

    /// Number of the body's modes that are omitted on `key`: above the band limit min(20 kHz, 0.48 of the rate), or above the maximum number.
    pub fn left_out(&self, key: u8) -> usize {
        self.part.left_out(key)
    }

    /// Motion of the body struck last.
    pub fn body_motion(&self) -> Option<BodyMotion> {
        let voices = self.parts().map(Part::voices).filter(|voices| !voices.is_asleep());
        voices.max_by_key(|voices| voices.last_strike())?.body_motion()
    }

    /// How far the bodies have stiffened since the last call: the largest deflection and tension of all voices.
    pub fn take_stiffening(&mut self) -> StiffeningReading {
        let zones = self.kits.all_mut().flat_map(KitPlayer::parts_mut);
        let parts = std::iter::once(&mut self.part).chain(zones);
        parts.map(|part| part.voices_mut().take_stiffening()).fold(StiffeningReading::default(), StiffeningReading::larger)
    }

    /// Controllers of the notes that are held.
    pub fn controller_readings(&self) -> ControllerReadings {
        let mut readings = ControllerReadings::default();
        self.parts().for_each(|part| part.add_controller_readings(&mut readings));
        readings
    }

    /// Cost of hammers since the engine and its zones were made or reset.
    pub fn cost_totals(&self) -> CostTotals {
        self.kits.all().fold(self.part.voices().cost_totals(), |all, kit| all.with(kit.cost_totals()))
    }

    /// Starts the energy balance of every voice (for tests; slower, allocates).
    pub fn enable_energy_balance(&mut self) {
        self.part.voices_mut().enable_energy_balance();
        let zones = self.kits.all_mut().flat_map(KitPlayer::parts_mut);
        zones.for_each(|part| part.voices_mut().enable_energy_balance());
    }

    /// The largest errors of all energy balances since [`Engine::enable_energy_balance`].
    pub fn energy_balance_report(&self) -> EnergyBalanceReport {
        let reports = self.parts().map(|part| part.voices().energy_balance());
        reports.fold(EnergyBalanceReport::default(), EnergyBalanceReport::larger)
    }
}
