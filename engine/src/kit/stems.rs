//! Stems: the close sound of every zone of a kit, or of every output, beside the mix.
//!
//! ```text
//! stem_i = B(L c s_i)      s_i: sound of zone i; c: level of the close microphones; L: output level; B: DC blocker
//! mix    = limiter(B(L (c sum s_i + r)))      r: overhead and far microphones, and the room
//! ```
//!
//! B is linear. So all stems and the stem of r add up to the mix before its limiter, up to the rounding of each sample to f32.

use std::ops::Range;

use crate::block::{CONTROL_BLOCK, StereoBlock};
use crate::kit::zone_player::ZonePlayer;
use crate::output::{DcBlocker, OutputStage};
use crate::patch::{OUTPUTS, Patch};
use crate::room::RoomStage;

/// What has a stem of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StemSplit {
    /// Every zone of a kit; a patch without zones is one stem.
    Zones,
    /// Every one of the [`OUTPUTS`].
    Outputs,
}

/// The stems of an engine that plays with [`Engine::render_stems`](crate::Engine::render_stems). The last stem has what microphones other than the close
/// ones and the room add.
pub struct Stems {
    sums: StemSums,
    /// DC blocker of each stem.
    blockers: Vec<DcBlocker>,
    /// Left and right of each stem in the last call, full scale 1.
    sounds: Vec<[Vec<f32>; 2]>,
}

impl Stems {
    /// Stems of a player of `patch` at `rate` [Hz]. Allocates.
    pub fn new(split: StemSplit, patch: &Patch, rate: f64) -> Self {
        let close = match split {
            StemSplit::Zones => patch.zones.len().max(1),
            StemSplit::Outputs => OUTPUTS,
        };
        let count = close + 1;
        Self {
            sums: StemSums { split, sums: vec![[[0.0; CONTROL_BLOCK]; 2]; count] },
            blockers: vec![DcBlocker::new(rate); count],
            sounds: vec![Default::default(); count],
        }
    }

    /// Left and right of each stem in the frames rendered last: zones or outputs in their order, then that of microphones and room.
    pub fn sounds(&self) -> impl ExactSizeIterator<Item = [&[f32]; 2]> {
        self.sounds.iter().map(|[left, right]| [&left[..], &right[..]])
    }

    /// Makes room for `frames` frames of silence. Allocates where they are more than ever before.
    pub(crate) fn begin(&mut self, frames: usize) {
        for channel in self.sounds.iter_mut().flatten() {
            channel.clear();
            channel.resize(frames, 0.0);
        }
        self.sums.clear();
    }

    /// The sums of a run, which are silent.
    pub(crate) fn sums(&mut self) -> &mut StemSums {
        &mut self.sums
    }

    /// Separates the sound of the frames `run` of a control block into that of the close microphones and the rest.
    pub(crate) fn split_room(&mut self, run: Range<usize>, room: &RoomStage) {
        if let Some((rest, close)) = self.sums.sums.split_last_mut() {
            close.iter_mut().for_each(|sum| room.scale_close(run.clone(), sum));
            room.add_distant(run, rest);
        }
    }

    /// Writes the frames `run` of a control block to the frames from `start` on, at the level of `main`, and silences the sums.
    pub(crate) fn write(&mut self, run: Range<usize>, start: usize, main: &OutputStage) {
        let stems = self.sums.sums.iter().zip(&mut self.blockers).zip(&mut self.sounds);
        for ((sum, blocker), [left, right]) in stems {
            for (n, k) in run.clone().enumerate() {
                let level = main.level_at(k);
                let [l, r] = blocker.block([sum[0][k] * level, sum[1][k] * level]);
                [left[start + n], right[start + n]] = [l as f32, r as f32];
            }
        }
        self.sums.clear();
    }
}

/// The sound of each stem in a control block, before the output level.
pub(crate) struct StemSums {
    split: StemSplit,
    sums: Vec<StereoBlock>,
}

impl StemSums {
    fn clear(&mut self) {
        self.sums.iter_mut().for_each(|sum| *sum = [[0.0; CONTROL_BLOCK]; 2]);
    }

    /// Adds the frames `run` of the main part.
    pub fn add_main(&mut self, run: Range<usize>, sound: &StereoBlock) {
        for (sum, sound) in self.sums[0].iter_mut().zip(sound) {
            sum[run.clone()].iter_mut().zip(&sound[run.clone()]).for_each(|(sum, x)| *sum += x);
        }
    }

    /// Adds the frames `run` of a sound of zone number `i`.
    fn add_zone(&mut self, i: usize, zone: &ZonePlayer, run: Range<usize>, sound: &StereoBlock) {
        let number = match self.split {
            StemSplit::Zones => i,
            StemSplit::Outputs => usize::from(zone.zone.bus.saturating_sub(1)),
        };
        let close = self.sums.len() - 1;
        if let Some(sum) = self.sums[..close].get_mut(number) {
            zone.add_to(run, sound, sum);
        }
    }
}

/// The buses of the outputs in a control block, the main one first.
pub(crate) struct OutputBuses {
    /// The sound of each.
    pub sums: [StereoBlock; OUTPUTS],
    /// Whether the output is there; zones of one that is not go to the main one.
    pub is_open: [bool; OUTPUTS],
}

impl OutputBuses {
    /// Without sound, for the main output and `sides`.
    pub fn silent(sides: &[[&mut [f32]; 2]]) -> Self {
        let mut is_open = [false; OUTPUTS];
        for (is_open, [left, right]) in is_open[1..].iter_mut().zip(sides) {
            *is_open = !(left.is_empty() || right.is_empty());
        }
        Self { sums: [[[0.0; CONTROL_BLOCK]; 2]; OUTPUTS], is_open }
    }
}

/// Where the zones of a kit go: the buses of the outputs, and stems where there are any.
pub(crate) struct ZoneOutputs<'a> {
    /// The buses.
    pub buses: &'a mut OutputBuses,
    /// The stems.
    pub stems: Option<&'a mut StemSums>,
}

impl ZoneOutputs<'_> {
    /// Adds the frames `run` of a sound of zone number `i`.
    pub fn mix(&mut self, i: usize, zone: &ZonePlayer, run: Range<usize>, sound: &StereoBlock) {
        let number = usize::from(zone.zone.bus.saturating_sub(1));
        let OutputBuses { sums, is_open } = &mut *self.buses;
        let bus = if is_open.get(number).is_some_and(|is_open| *is_open) { number } else { 0 };
        zone.add_to(run.clone(), sound, &mut sums[bus]);
        if let Some(stems) = &mut self.stems {
            stems.add_zone(i, zone, run, sound);
        }
    }
}
