//! Rendering of a kit: its zones by themselves while there is plenty of room, else together; then microphones and room.

use std::ops::Range;

use crate::block::CONTROL_BLOCK;
use crate::kit::kit_player::KitPlayer;
use crate::kit::settlement::settled_block;
use crate::kit::stems::ZoneOutputs;
use crate::room::RoomStage;
use crate::tasks::TaskRunner;

impl KitPlayer {
    /// Adds the frames `run` of a control block, of which the first is the absolute frame `frame`, to `outputs`; zones of a missing bus go to
    /// the first. `room` hears all zones. `runner` renders the zones. No event comes in the next `ahead` frames.
    pub(crate) fn render(
        &mut self,
        (run, ahead): (Range<usize>, usize),
        drive: [&[f32]; 2],
        frame: u64,
        outputs: &mut ZoneOutputs,
        (room, runner): (&RoomStage, &mut dyn TaskRunner),
    ) {
        if self.has_event || self.settlement.is_due(frame) {
            self.settle(frame);
        }
        if self.settlement.is_roomy {
            self.render_ahead((run.clone(), ahead), frame, runner);
        } else {
            self.render_together(run.clone(), drive, frame, runner);
        }
        self.mix_zones(run.clone(), frame, outputs);
        if room.hears() {
            self.radiate(run.clone(), frame);
        }
        if !self.settlement.is_roomy && run.end == CONTROL_BLOCK {
            self.shed_load(frame);
        }
    }

    /// Gives the frames `run` of all zones and of their answers, from the absolute frame `frame` on, to microphones and room.
    fn radiate(&mut self, run: Range<usize>, frame: u64) {
        for (i, zone) in self.zones.iter_mut().enumerate() {
            let block = &zone.blocks[settled_block(frame)];
            let own = Some(&block.sound).filter(|_| block.is_awake);
            for sound in own.into_iter().chain(self.bleed.answer_of(i)) {
                zone.source.hear(run.clone(), zone.gain, sound);
            }
        }
    }
}
