//! Roof: nice-plug glue. Host events become engine events, host state becomes a patch; nothing else happens here.
//!
//! There are two plugins in the library: an instrument whose side-chain may drive a hammer, and an effect whose input does, for
//! hosts that send no sound to instruments. Both are one [`rig`] with different ports.

mod effect;
mod event_translation;
mod instrument;
mod note_registry;
mod processor;
pub(crate) mod program;
mod transport;

use std::num::NonZeroU32;

use nice_plug::prelude::{PolyModulationConfig, new_nonzero_u32};

pub use crate::plugin::effect::FonoBump;
pub use crate::plugin::instrument::Urto;
use urto_engine::params::{PARAMS, ParamId};

const STEREO: NonZeroU32 = new_nonzero_u32(2);

/// Events of a block for which nice-plug has room without allocating: the five knobs of the contact at every sample of 2,048 frames,
/// and as many notes again as it has by itself.
const EVENTS: usize = 5 * 2048 + 1024;

/// What CLAP hosts are told of voices.
const VOICES: PolyModulationConfig =
    PolyModulationConfig { max_voice_capacity: PARAMS[ParamId::Voices as usize].max as u32, supports_overlapping_voices: true };
