//! Begin and end of the control blocks of a voice.

use crate::block::CONTROL_BLOCK;
use crate::voice::pickup::Pickup;
use crate::voice::voice::Voice;

impl Voice {
    /// Ends a control block before absolute frame `frame`.
    pub fn end_control_block(&mut self, frame: u64) {
        if self.lookahead.is_one_block() {
            self.discard_lookahead();
        }
        if self.cascade.is_on() && !self.lookahead.is_in_use() {
            let touched = self.hammers.count > 0;
            self.cascade.exchange_block(&mut self.collision, touched);
        }
        self.stiffening_meter.note(&self.collision);
        // while it is rendered ahead its tension rests
        if !self.lookahead.is_in_use() {
            self.collision.update_stiffening();
        }
        // frames before the activation belong to another voice
        let age = frame.saturating_sub(self.activated_at).min(CONTROL_BLOCK as u64) as usize;
        self.output.silence.add(self.output.block.each_ref().map(|out| &out[CONTROL_BLOCK - age..]));
        self.motion.end_control_block(self.output.gains);
        let faded = self.end_fade();
        if self.output.pickups.iter().any(Pickup::is_moving) {
            self.lookahead.invalidate_pickups();
            self.output.pickups.iter_mut().for_each(Pickup::arrive);
        }
        if let Some(gains) = faded {
            self.finish_thinning(&gains);
        }
    }

    /// Begins a control block of voice number `number` at absolute frame `frame`. The lookahead of a voice is renewed in its own turn.
    pub fn begin_control_block(&mut self, frame: u64, number: usize) {
        // turns of a voice whose bands exchange energy begin with a step of the exchange
        let (mut activation, mut turn) = (self.activated_at / CONTROL_BLOCK as u64, number);
        if self.cascade.is_on() {
            let step = self.cascade.step_blocks();
            activation = activation / step as u64 * step as u64;
            turn *= step;
        }
        self.lookahead.begin_block((frame / CONTROL_BLOCK as u64).saturating_sub(activation), turn);
        self.cascade.begin_block(frame);
    }
}
