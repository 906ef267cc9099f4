//! Data sets: many strokes with drawn parameters, as shards of sound and one manifest.
//!
//! A [`DatasetSpec`] says which presets, keys, velocities and parameters are drawn, how, and how many. [`generate`] renders the strokes on
//! several threads into a folder. The same specification gives the same bytes on any number of threads, and after any interruption.
//!
//! ```no_run
//! use std::path::Path;
//! use urto::dataset::{DatasetSpec, generate};
//!
//! let text = "count = 100\npresets = [\"Rosewood Marimba\"]\n[parameters]\nposition = { from = 0.05, to = 0.5 }\n";
//! let spec = DatasetSpec::from_toml(text, None)?;
//! let summary = generate(&spec, Path::new("strokes"), 2, &|_| ())?;
//! assert_eq!(summary.strokes, 100);
//! # Ok::<(), urto::dataset::DatasetError>(())
//! ```

mod axis;
mod error;
mod folder;
mod generation;
mod manifest;
mod sampling;
mod sound_file;
mod spec;
mod stroke;
mod text;
mod verification;

pub use crate::dataset::error::DatasetError;
pub use crate::dataset::generation::{Progress, Summary, finish, generate, prepare, write_shard};
pub use crate::dataset::sound_file::flac_encoder;
pub use crate::dataset::spec::DatasetSpec;
pub use crate::dataset::verification::verify;
