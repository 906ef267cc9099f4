//! File formats: TOML with line numbers, unknown keys that are kept, and a WAV reader.

mod toml;
pub(crate) mod unknown_keys;
mod wav;

pub(crate) use crate::formats::toml::line_of;
pub(crate) use crate::formats::toml::number;
pub use crate::formats::toml::{Located, TextError, TextLocation, TomlSection};
pub use crate::formats::unknown_keys::UnknownKeys;
pub use crate::formats::wav::{WavError, WavFile};
