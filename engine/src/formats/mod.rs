//! File formats: TOML with line numbers, unknown keys that are kept, and a WAV reader.

mod lines;
pub(crate) mod toml;
#[cfg(feature = "import")]
mod wav;

#[cfg(feature = "import")]
pub(crate) use crate::formats::lines::Lines;
#[cfg(feature = "import")]
pub(crate) use crate::formats::toml::number;
pub use crate::formats::toml::{Located, TextError, TextLocation, TomlSection, UnknownKeys, figure};
#[cfg(feature = "import")]
pub use crate::formats::wav::{WavError, WavFile};
