//! The specification of a data set, with all presets read and all values checked.

use urto_engine::params::ParamId;
use urto_engine::patch::{Patch, to_toml};

use crate::dataset::axis::Axis;
use crate::dataset::sampling::Sampling;
use crate::dataset::sound_file::SoundFormat;

/// A data set that can be generated.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetSpec {
    /// Number of strokes.
    pub(crate) count: u64,
    pub(crate) seed: u64,
    pub(crate) sampling: Sampling,
    /// Length of a stroke [frames].
    pub(crate) frames: usize,
    /// Time after which the key is released [frames]; `None` if it is held.
    pub(crate) hold: Option<usize>,
    /// Sample rate [Hz].
    pub(crate) rate: u32,
    pub(crate) format: SoundFormat,
    /// Strokes of a shard.
    pub(crate) shard: u64,
    /// Most modes that the manifest lists for each stroke.
    pub(crate) listed_modes: usize,
    pub(crate) presets: Vec<Patch>,
    /// Presets, keys, velocities, and the parameters in the order of `params`.
    pub(crate) axes: Vec<Axis>,
    pub(crate) params: Vec<ParamId>,
    /// The text that it was read from.
    pub(crate) text: String,
}

/// The drawn values of one stroke.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// Number of the stroke, from 0.
    pub index: u64,
    /// Number of the preset in the specification, from 0.
    pub preset: usize,
    /// Key, 0 to 127.
    pub key: u8,
    /// Velocity as in MIDI, 1 to 127; fractions are possible.
    pub velocity: f64,
    /// Parameters with their values in their units, in the order of the specification's ids.
    pub params: Vec<(ParamId, f64)>,
}

impl DatasetSpec {
    /// Number of strokes.
    pub fn strokes(&self) -> u64 {
        self.count
    }

    /// Number of shards.
    pub fn shards(&self) -> u64 {
        self.count.div_ceil(self.shard)
    }

    /// The numbers of the strokes in `shard`, which is less than [`DatasetSpec::shards`].
    pub(crate) fn strokes_of(&self, shard: u64) -> std::ops::Range<u64> {
        shard * self.shard..((shard + 1) * self.shard).min(self.count)
    }

    /// The values of stroke `index`.
    pub(crate) fn draw(&self, index: u64) -> Draw {
        let values = self.sampling.values(&self.axes, self.seed, index);
        let params = self.params.iter().zip(&values[3..]).map(|(&param, &value)| (param, param.spec().clamped(value)));
        Draw { index, preset: values[0] as usize, key: values[1].round() as u8, velocity: values[2], params: params.collect() }
    }

    /// The preset of a draw with its parameters.
    pub(crate) fn patch(&self, draw: &Draw) -> Patch {
        let mut patch = self.presets[draw.preset].clone();
        draw.params.iter().for_each(|&(param, value)| patch.settings.set(param, value));
        patch
    }

    /// Everything that determines the sound and the manifest: version, specification, presets.
    pub(crate) fn identity(&self) -> String {
        let presets: String = self.presets.iter().map(|patch| to_toml(patch) + "\n").collect();
        format!("urto {}\n{}\n{presets}", env!("CARGO_PKG_VERSION"), self.text)
    }
}
