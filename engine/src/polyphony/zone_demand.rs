//! What the voices of a zone take at present, by which the zones of a kit settle what they share.

use crate::polyphony::block_costs::OtherZones;
use crate::polyphony::tension_load::max_stiffening;
use crate::polyphony::voice_cost_budget::{DENSE_COST, SUSTAINED_COST};
use crate::polyphony::voice_manager::VoiceManager;
use crate::voice::{StiffeningUse, Voice};

/// Part of each limit that may be taken while there is plenty of room.
const ROOMY_PART: f32 = 0.75;

/// What one zone takes, or several.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZoneDemand {
    /// Least cost of a frame of its hammers.
    pub least: f32,
    /// What the others assume that it goes on doing.
    pub lasting: OtherZones,
    /// A body has been thinned, or its potential has fewer modes, because all together cost too much.
    pub is_reduced: bool,
}

impl ZoneDemand {
    /// Adds that of another zone.
    pub fn add(&mut self, other: &Self) {
        self.least += other.least;
        self.lasting.charged += other.lasting.charged;
        self.lasting.touched += other.lasting.touched;
        self.lasting.planned += other.lasting.planned;
        self.lasting.stiffening.iter_mut().zip(other.lasting.stiffening).for_each(|(sum, x)| *sum += x);
        self.is_reduced |= other.is_reduced;
    }

    /// What is left of it, the demand of all zones, without that of `one`.
    pub fn without(&self, one: &Self) -> OtherZones {
        let less = |all: f32, one: f32| (all - one).max(0.0);
        let (all, one) = (&self.lasting, &one.lasting);
        OtherZones {
            charged: less(all.charged, one.charged),
            touched: less(all.touched, one.touched),
            planned: less(all.planned, one.planned),
            stiffening: [0, 1].map(|i| less(all.stiffening[i], one.stiffening[i])),
        }
    }

    /// Whether it, the demand of all zones, leaves plenty of room in every limit that they share. `spent`: part of the window of the budget that is
    /// spent.
    pub fn is_small(&self, spent: f32) -> bool {
        let [ringing, struck] = self.lasting.stiffening;
        !self.is_reduced
            && spent <= ROOMY_PART
            && self.least <= ROOMY_PART * SUSTAINED_COST
            && self.lasting.planned <= ROOMY_PART * DENSE_COST
            && ringing <= ROOMY_PART * max_stiffening(StiffeningUse::Ringing)
            && struck <= ROOMY_PART * max_stiffening(StiffeningUse::Struck)
    }
}

impl VoiceManager {
    /// What its voices take at present, beside the cost `charged` in the last control block.
    pub fn demand(&self, charged: f32) -> ZoneDemand {
        let touched: usize = self.awake().map(Voice::touched_dense_modes).sum();
        let planned = self.ringing_cost + self.awake().map(Voice::planned_cost).sum::<f32>();
        let stiffening = [StiffeningUse::Ringing, StiffeningUse::Struck].map(|spent_on| self.stiffening_cost(spent_on));
        let is_reduced = |voice: &Voice| voice.is_thinned() || voice.collision().potential_level() > 0;
        ZoneDemand {
            least: self.least_cost(),
            lasting: OtherZones { charged, touched: touched as f32, planned, stiffening },
            is_reduced: self.awake().any(is_reduced),
        }
    }
}
