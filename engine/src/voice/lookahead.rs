//! What a ringing body has rendered ahead of its state.
//!
//! The [`ResonatorBank`] render grid cells at once, twice as many each time up to thirty-two, and the state stays where they began. It goes to their
//! end when the next are rendered, or in a few steps to where somebody asks for it; who changes the body drops what lies ahead. Bodies
//! take turns, so that their long renderings come one after the other. Those whose pitch moves ring frame by frame until it rests.

use crate::block::CONTROL_BLOCK;
use crate::voice::pickup::Pickup;
use crate::voice::resonator_bank::{FRAMES, MAX_BLOCKS, ResonatorBank};
use crate::voice::ring::render_ringing;
use crate::voice::voice::Voice;
use std::ops::Range;

/// Grid cells without a change of pitch or losses after which it is worth tuning the resonators.
const CALM: u32 = 4;

/// Frames of one body, rendered before their time.
pub struct RenderLookahead {
    resonators: ResonatorBank,
    /// Grid cells since pitch or losses moved.
    calm: u32,
    /// The resonators are tuned to the body.
    tuned: bool,
    /// They hear by the weights that the pickups have now.
    hears: bool,
    /// Cells from this one to the next turn of this body.
    until: usize,
    /// Cells rendered last, 0 when they were dropped.
    last: usize,
    /// Left and right.
    frames: [[f32; FRAMES]; 2],
    /// Number of frames.
    rendered: usize,
    /// How many of them have been heard.
    heard: usize,
    /// How many of them the state has gone.
    gone: usize,
}

impl RenderLookahead {
    /// Nothing yet; room for `padded` modes. Allocates.
    pub fn new(padded: usize) -> Self {
        Self {
            resonators: ResonatorBank::new(padded),
            calm: CALM,
            tuned: false,
            hears: false,
            until: 1,
            last: 0,
            frames: [[0.0; FRAMES]; 2],
            rendered: 0,
            heard: 0,
            gone: 0,
        }
    }

    /// Another body.
    pub fn reset(&mut self) {
        (self.calm, self.tuned, self.hears, self.until) = (CALM, false, false, 1);
        self.forget();
    }

    /// Grid cell number `cell` of its life begins for body number `body`: its turn comes every [`MAX_BLOCKS`] cells.
    pub fn begin_cell(&mut self, cell: u64, body: usize) {
        (self.calm, self.until) = (self.calm.saturating_add(1), MAX_BLOCKS - ((cell + body as u64) % MAX_BLOCKS as u64) as usize);
    }

    /// Whether its turn comes in this cell: what it has rendered ended before it.
    pub fn has_its_turn(&self) -> bool {
        self.until == MAX_BLOCKS
    }

    /// Pitch or losses have moved.
    pub fn invalidate_tuning(&mut self) {
        (self.calm, self.tuned) = (0, false);
    }

    /// The pickups have moved.
    pub fn invalidate_pickups(&mut self) {
        self.hears = false;
    }

    fn forget(&mut self) {
        (self.rendered, self.heard, self.gone, self.last) = (0, 0, 0, 0);
    }

    fn is_spent(&self) -> bool {
        self.heard == self.rendered
    }

    /// Puts the next frames into the part `run` of a grid cell.
    fn hear(&mut self, run: Range<usize>, out: &mut [[f64; CONTROL_BLOCK]; 2]) {
        let frames = self.heard..self.heard + run.len();
        for (out, frame) in out.iter_mut().zip(&self.frames) {
            let part = out[run.clone()].iter_mut().zip(&frame[frames.clone()]);
            part.for_each(|(out, &frame)| *out = f64::from(frame));
        }
        self.heard = frames.end;
    }

    /// How many cells are worth rendering, 1 or an even number: who `moves` in this cell renders no other, who `fades` two.
    fn reach(&self, moves: bool, fades: bool) -> usize {
        let most = if moves {
            1
        } else if fades {
            2
        } else {
            2 * self.last.max(1)
        };
        let cells = most.min(self.until).min(MAX_BLOCKS);
        if cells > 1 { cells & !1 } else { 1 }
    }

    /// What the pickups hear in the next `cells` cells, in which the state takes `factor` beside.
    fn render(&mut self, cells: usize, factor: f64, (q, v): (&[f64], &[f64]), [left, right]: &[Pickup; 2]) {
        let Self { resonators, frames, .. } = self;
        if !self.hears {
            resonators.hear(left.now.iter().copied(), right.now.iter().copied());
        }
        resonators.render(cells, factor, (q, v), frames);
        self.hears = true;
        let pickups = [left, right];
        if pickups.iter().any(|pickup| pickup.is_moving()) {
            let [l, r] = pickups.map(|pickup| pickup.goal.iter().zip(&pickup.now).map(|(goal, now)| goal - now));
            let mut way = [[0.0; FRAMES]; 2];
            resonators.hear(l, r);
            resonators.render(cells, factor, (q, v), &mut way);
            for ((frames, way), pickup) in frames.iter_mut().zip(way).zip(pickups) {
                let moved = frames.iter_mut().zip(way).take(CONTROL_BLOCK).enumerate();
                moved.for_each(|(offset, (frame, way))| *frame += pickup.along(offset) as f32 * way);
            }
            self.hears = false;
        }
        (self.rendered, self.heard, self.gone, self.last) = (cells * CONTROL_BLOCK, 0, 0, cells);
    }

    /// A hand on the body: `fade` a frame.
    fn fade(&mut self, fade: f64) {
        let mut left = 1.0;
        for frame in 0..self.rendered {
            left *= fade;
            self.frames.iter_mut().for_each(|channel| channel[frame] *= left as f32);
        }
    }
}

impl Voice {
    /// Goes on alone over the part `run` of a grid cell; leaves what is heard of it in `out`.
    pub(crate) fn ring_on(&mut self, run: Range<usize>) {
        if run.start == 0 && self.ahead.is_spent() {
            self.look_ahead();
        }
        if self.ahead.is_spent() {
            render_ringing(self.collision.ring_parts(), self.fade, &self.pickups, run, &mut self.out);
        } else {
            self.ahead.hear(run, &mut self.out);
        }
    }

    /// Renders what comes, as far as nothing is on its way to change it.
    fn look_ahead(&mut self) {
        if self.ahead.calm < CALM {
            return self.discard_lookahead();
        }
        self.sync_state();
        let moves = self.is_easing() || self.pickups.iter().any(Pickup::is_moving);
        let cells = self.ahead.reach(moves, self.fade != 1.0);
        let (table, q, v) = self.collision.ring_parts();
        if !self.ahead.tuned {
            self.ahead.resonators.tune(table);
            self.ahead.tuned = true;
        }
        self.ahead.render(cells, self.fade.powi((cells * CONTROL_BLOCK) as i32), (q, v), &self.pickups);
        if self.fade != 1.0 {
            self.ahead.fade(self.fade);
        }
    }

    /// Brings the state to the frame that was heard last.
    pub fn sync_state(&mut self) {
        if self.ahead.gone == self.ahead.heard {
            return;
        }
        if self.ahead.is_spent() {
            self.collision.exchange_state(self.ahead.resonators.state_after());
            self.ahead.gone = self.ahead.heard;
            return;
        }
        let cells = (self.ahead.heard - self.ahead.gone) / CONTROL_BLOCK;
        if cells > 0 {
            let (_, q, v) = self.collision.ring_parts();
            self.ahead.resonators.advance(cells, self.fade.powi((cells * CONTROL_BLOCK) as i32), q, v);
            self.ahead.gone += cells * CONTROL_BLOCK;
        }
        let rest = self.ahead.heard - self.ahead.gone;
        if rest > 0 {
            render_ringing(self.collision.ring_parts(), self.fade, &self.pickups, 0..rest, &mut [[0.0; CONTROL_BLOCK]; 2]);
            self.ahead.gone = self.ahead.heard;
        }
    }

    /// Brings the state to the frame that was heard last, and drops what lies ahead: the body is about to change.
    pub fn discard_lookahead(&mut self) {
        self.sync_state();
        self.ahead.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, NoteId};
    use crate::patch::Patch;
    use crate::{Engine, EngineConfig};

    const CELLS_PLAYED: usize = 1_500;

    /// Struck, and struck again off the grid while it rings; what is heard, and the frames that were rendered ahead. With `exact`
    /// every frame comes from the state.
    fn struck_twice(exact: bool) -> (Vec<[f32; 2]>, usize) {
        let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
        let strike = Event::NoteOn { note: NoteId { voice: None, channel: 0, key: 60 }, velocity: 0.8 };
        let (mut sound, mut ahead) = (Vec::new(), 0);
        let mut play = |engine: &mut Engine, frames: usize| {
            let (mut left, mut right) = ([0.0; CONTROL_BLOCK], [0.0; CONTROL_BLOCK]);
            engine.render(&mut left[..frames], &mut right[..frames], [&[], &[]]);
            sound.extend(left.into_iter().zip(right).take(frames).map(|(left, right)| [left, right]));
        };
        engine.event(&strike);
        for cell in 0..CELLS_PLAYED {
            if exact {
                engine.stage.objects.iter_mut().for_each(|object| object.ahead.invalidate_tuning());
            }
            if cell == CELLS_PLAYED / 3 {
                play(&mut engine, 7);
                engine.event(&strike);
                play(&mut engine, CONTROL_BLOCK - 7);
            } else {
                play(&mut engine, CONTROL_BLOCK);
            }
            ahead += engine.stage.objects.iter().filter(|object| object.ahead.rendered > 0).count() * CONTROL_BLOCK;
        }
        (sound, ahead)
    }

    #[test]
    fn contact_begins_and_ends_without_a_step() {
        let ((exact, none), (sound, ahead)) = (struck_twice(true), struck_twice(false));
        assert_eq!(none, 0);
        assert!(ahead > CELLS_PLAYED * CONTROL_BLOCK / 2, "{ahead} frames ahead");
        for ear in 0..2 {
            let peak = exact.iter().map(|frame| f64::from(frame[ear].abs())).fold(0.0, f64::max);
            let apart = exact.iter().zip(&sound).map(|(a, b)| f64::from((a[ear] - b[ear]).abs())).fold(0.0, f64::max);
            println!("ear {ear}: {:.1} dB, {ahead} frames ahead", 20.0 * (apart / peak).log10());
            assert!(peak > 0.01 && apart < 1e-6 * peak, "{:.1} dB", 20.0 * (apart / peak).log10());
        }
    }
}
