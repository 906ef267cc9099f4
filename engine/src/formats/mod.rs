//! File formats: TOML with line numbers, unknown keys that are kept, and a WAV reader.

mod lines;
mod nearest;
pub mod system_error;
pub(crate) mod toml;
pub mod user_file;
#[cfg(feature = "import")]
mod wav;

#[cfg(feature = "import")]
pub(crate) use crate::formats::lines::Lines;
pub use crate::formats::nearest::or_nearest;
#[cfg(feature = "import")]
pub(crate) use crate::formats::toml::number;
pub use crate::formats::toml::{Located, TextError, TextLocation, TomlSection, UnknownKeys, figure};
#[cfg(feature = "import")]
pub use crate::formats::wav::{WavError, WavFile};
