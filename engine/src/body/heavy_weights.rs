//! Heavy modes of a prepared body in a voice: they follow all other modes, from a whole block of lanes on.
//!
//! Modes without weights fill up the block before them, so that the others are felt or exchange energy without them. Heavy modes above the
//! band limit are struck at the limit, but not heard.

use std::ops::Range;

use crate::block::band_limit;
use crate::body::body_scratch::BodyScratch;
use crate::body::key_body::BodyTuning;
use crate::body::prepared_body::PreparedBody;
use urto_physics::bodies::HeavyMode;
use urto_physics::modal::{LANES, Mode};

impl PreparedBody {
    /// The modes of a voice: those of [`PreparedBody::modes`], then the heavy ones. `out` must have room for [`PreparedBody::heavy_room`]
    /// more; otherwise the last are left out.
    pub fn voice_modes<'a>(&self, partials: usize, pitch: &BodyTuning, rate: f64, out: &'a mut [Mode]) -> &'a [Mode] {
        let others = self.modes(partials, pitch, rate, out).len();
        let heavy = self.heavy();
        if heavy.is_empty() {
            return &out[..others];
        }
        let first = first_heavy(others).min(out.len());
        // any mode will do: without weights it stays at rest
        out[others..first].fill(heavy[0].mode(pitch.lowest, band_limit(rate)));
        let mut end = first;
        for (mode, heavy) in out[first..].iter_mut().zip(heavy) {
            *mode = heavy.mode(pitch.lowest, band_limit(rate));
            end += 1;
        }
        &out[..end]
    }

    /// Completes the weights for a hammer in `scratch`, of which `others` are known, to `count`.
    pub fn add_heavy_strikes(&self, others: usize, count: usize, scratch: &mut BodyScratch) {
        fill(self.heavy(), others, &mut scratch.weights[..count], |mode| mode.struck);
    }

    /// The same for both pickups, at `places` of all modes, on a body of `mass` [kg] at the home key. Solo silences them, and those above
    /// the band limit of `rate` are silent.
    pub fn add_heavy_pickups(&self, mass: f64, pitch: &BodyTuning, rate: f64, places: Range<usize>, scratch: &mut BodyScratch) {
        let gain = if self.has_solo() { 0.0 } else { 1.0 / mass };
        let is_heard = |mode: &HeavyMode| mode.frequency_at(pitch.lowest) < band_limit(rate);
        for (side, pickup) in scratch.pickups.iter_mut().enumerate() {
            let weight = |mode: &HeavyMode| if is_heard(mode) { gain * mode.heard[side] } else { 0.0 };
            fill(self.heavy(), places.start, &mut pickup[..places.end], weight);
        }
    }

    /// The heavy modes of a hi-hat of `mass` [kg] at the home key, with their gains [kg^-1] from a stick to the left and the right pickup.
    pub fn heavy_gains(&self, mass: f64, pitch: &BodyTuning, rate: f64) -> impl Iterator<Item = (Mode, [f64; 2])> + '_ {
        let (limit, lowest) = (band_limit(rate), pitch.lowest);
        let gain = if self.has_solo() { 0.0 } else { 1.0 / mass };
        self.heavy().iter().map(move |mode| {
            let heard = if mode.frequency_at(lowest) < limit { gain * mode.struck } else { 0.0 };
            (mode.mode(lowest, limit), mode.heard.map(|side| heard * side))
        })
    }

    /// Number of heavy modes below the band limit of `rate`.
    pub fn heavy_below_limit(&self, pitch: &BodyTuning, rate: f64) -> usize {
        self.heavy().iter().filter(|mode| mode.frequency_at(pitch.lowest) < band_limit(rate)).count()
    }
}

/// Place of the first heavy mode after `others` modes.
fn first_heavy(others: usize) -> usize {
    others.next_multiple_of(LANES)
}

/// Writes the weights of `modes` behind the `others`, which may fill `out`.
fn fill(modes: &[HeavyMode], others: usize, out: &mut [f64], weight: impl Fn(&HeavyMode) -> f64) {
    let first = first_heavy(others).min(out.len());
    out[others.min(first)..first].fill(0.0);
    out[first..].iter_mut().zip(modes).for_each(|(out, mode)| *out = weight(mode));
}
