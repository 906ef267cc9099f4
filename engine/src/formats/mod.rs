//! File formats: TOML with line numbers, unknown keys that are kept, a WAV reader, and the origin of sound files.

mod lines;
mod nearest;
mod origin;
pub mod system_error;
pub(crate) mod toml;
#[cfg(feature = "import")]
mod wav;

#[cfg(feature = "import")]
pub(crate) use crate::formats::lines::Lines;
pub use crate::formats::nearest::or_nearest;
pub use crate::formats::origin::{FLAC_HEADER_SIZE, Origin, PROGRAM, chunk, text_chunk};
#[cfg(feature = "import")]
pub(crate) use crate::formats::toml::number;
pub use crate::formats::toml::{Located, TextError, TextLocation, TomlSection, UnknownKeys, figure};
#[cfg(feature = "import")]
pub use crate::formats::wav::{WavError, WavFile};
