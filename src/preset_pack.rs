//! Packs: presets as one ZIP archive, to share and to install.
//!
//! A pack contains one file `NAME.toml` for each preset, with its recordings inside, and nothing else. Everything in it is checked before
//! anything is installed. Reads and writes files: never on the audio thread.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use urto_engine::formats::system_error::{open_error, unreadable};
use urto_engine::patch::{LibraryError, Patch, preset_library, to_toml};

/// Extension of the files.
pub const EXTENSION: &str = "urtopack";

/// Maximum number of presets of a pack.
pub const MAX_PRESETS: usize = 1000;
/// Maximum size of a preset, as of a preset file, and of a whole pack, unpacked [bytes].
const MAX_PRESET_BYTES: u64 = 1 << 24;
const MAX_BYTES: u64 = 1 << 28;
/// Extension of the presets.
const PRESET_EXTENSION: &str = "toml";

/// Why a pack cannot be made, read or installed: one sentence with place and fix.
#[derive(Debug)]
pub enum PackError {
    /// A file, a problem and its fix.
    File(PathBuf, String, String),
    /// A preset that cannot be read or saved.
    Preset(LibraryError),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file, problem, remedy) => write!(f, "{}: {problem}; {remedy}", file.display()),
            Self::Preset(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PackError {}

impl From<LibraryError> for PackError {
    fn from(error: LibraryError) -> Self {
        Self::Preset(error)
    }
}

/// Result of installing one preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledPreset {
    /// Its name in the pack.
    pub name: String,
    /// Its name in the folder; another one if there was a different preset of its name.
    pub installed_as: String,
    /// Whether the same preset had been there before.
    pub was_there: bool,
}

/// Presets with different names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PresetPack {
    presets: Vec<Patch>,
}

impl PresetPack {
    /// A pack of `presets`. Errors, about `file`: no presets, too many, or two of the same name.
    pub fn new(file: &Path, presets: Vec<Patch>) -> Result<Self, PackError> {
        let fault = |problem: String, remedy: &str| Err(PackError::File(file.to_owned(), problem, remedy.to_owned()));
        if presets.is_empty() {
            return fault("no presets".to_owned(), "give at least one");
        }
        if presets.len() > MAX_PRESETS {
            return fault(format!("{} presets exceed the maximum of {MAX_PRESETS}", presets.len()), "make several packs");
        }
        let mut names = BTreeMap::new();
        for patch in &presets {
            if let Some(first) = names.insert(patch.name.to_lowercase(), &patch.name) {
                let problem = format!("two presets are called \"{first}\" and \"{}\"", patch.name);
                return fault(problem, "some systems do not tell them apart: rename one of them");
            }
        }
        Ok(Self { presets })
    }

    /// The presets.
    pub fn presets(&self) -> &[Patch] {
        &self.presets
    }

    /// The archive. The same presets give the same bytes. Errors: a failure of the compression, about `file`.
    pub fn to_bytes(&self, file: &Path) -> Result<Vec<u8>, PackError> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(zip::DateTime::default());
        let failed = |error: &dyn fmt::Display| {
            PackError::File(file.to_owned(), format!("cannot be packed ({error})"), "leave out the largest presets".to_owned())
        };
        for patch in &self.presets {
            let name = format!("{}.{PRESET_EXTENSION}", patch.name);
            archive.start_file(name, options).map_err(|error| failed(&error))?;
            archive.write_all(to_toml(patch).as_bytes()).map_err(|error| failed(&error))?;
        }
        Ok(archive.finish().map_err(|error| failed(&error))?.into_inner())
    }

    /// Reads the pack `file`. Errors: no archive, content that is no preset or too large, a preset with an error.
    pub fn read(file: &Path) -> Result<Self, PackError> {
        let opened = File::open(file).map_err(|error| {
            let (problem, remedy) = unreadable(&open_error(file, error));
            PackError::File(file.to_owned(), problem, remedy.to_owned())
        })?;
        Self::read_from(file, opened)
    }

    fn read_from(file: &Path, content: impl Read + Seek) -> Result<Self, PackError> {
        let fault = |problem: String, remedy: &str| PackError::File(file.to_owned(), problem, remedy.to_owned());
        let damaged = |error: ZipError| fault(format!("damaged, or not a pack ({error})"), "copy or make it again");
        let mut archive = ZipArchive::new(content).map_err(damaged)?;
        if archive.len() > MAX_PRESETS {
            return Err(fault(format!("{} files exceed the maximum of {MAX_PRESETS}", archive.len()), "make several packs"));
        }
        let (mut presets, mut rest) = (Vec::new(), MAX_BYTES);
        for index in 0..archive.len() {
            let entry = archive.by_index(index).map_err(damaged)?;
            let name = preset_name(entry.name()).ok_or_else(|| {
                let problem = format!("contains {:?}, which is not the name of a preset file", entry.name());
                fault(problem, "make it again with `urto-cli presets pack`")
            })?;
            let limit = rest.min(MAX_PRESET_BYTES);
            let mut text = Vec::new();
            // the size that the archive states may be wrong
            let length = entry.take(limit + 1).read_to_end(&mut text).map_err(|error| damaged(error.into()))? as u64;
            if length > limit {
                return Err(fault(format!("the preset \"{name}\" is too large"), "leave it out"));
            }
            rest -= length;
            let text = String::from_utf8(text).map_err(|_| fault(format!("\"{name}\" is not text"), "make it again"))?;
            // without a folder: a preset of a pack must not open files
            let (patch, _) = urto_engine::patch::read(&text)
                .map_err(|error| PackError::Preset(LibraryError::Text(file.join(format!("{name}.{PRESET_EXTENSION}")), error)))?;
            presets.push(Patch { name, ..patch });
        }
        Self::new(file, presets)
    }

    /// Saves all presets in `folder`. One whose name is taken by a different preset, or by a factory preset, gets a number after its name. Errors: a name
    /// that file systems do not allow, or a file that cannot be written; those before it stay.
    pub fn install(&self, folder: &Path) -> Result<Vec<InstalledPreset>, PackError> {
        self.presets.iter().map(|patch| install_preset(folder, patch)).collect()
    }
}

/// The name of a preset in the file `entry` of an archive; none if it is in a folder, or has another extension.
fn preset_name(entry: &str) -> Option<String> {
    let name = entry.strip_suffix(&format!(".{PRESET_EXTENSION}"))?;
    preset_library::is_valid_name(name).then(|| name.to_owned())
}

fn install_preset(folder: &Path, patch: &Patch) -> Result<InstalledPreset, PackError> {
    let name = patch.name.clone();
    let mut candidate = patch.clone();
    for number in 2.. {
        match preset_library::find_own(folder, &candidate.name) {
            Some(entry) => {
                if entry.read().is_ok_and(|(there, _)| Patch { name: candidate.name.clone(), ..there } == candidate) {
                    return Ok(InstalledPreset { name, installed_as: candidate.name, was_there: true });
                }
            }
            None if preset_library::is_built_in_name(&candidate.name) => {}
            None => {
                preset_library::save(folder, &candidate)?;
                break;
            }
        }
        candidate.name = format!("{name} {number}");
    }
    Ok(InstalledPreset { name, installed_as: candidate.name, was_there: false })
}

/// What has been installed, in one sentence.
pub fn summary(installed: &[InstalledPreset]) -> String {
    let new = installed.iter().filter(|preset| !preset.was_there).count();
    let mut text = match new {
        0 => "No new presets: all of them are there already.".to_owned(),
        1 => "1 preset installed.".to_owned(),
        _ => format!("{new} presets installed."),
    };
    let renamed = installed.iter().filter(|preset| preset.installed_as != preset.name);
    let renamed: Vec<_> = renamed.map(|preset| format!("\"{}\" as \"{}\"", preset.name, preset.installed_as)).collect();
    if !renamed.is_empty() {
        text.push_str(&format!(" Because their names were taken: {}.", renamed.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::params::ParamId;

    const FILE: &str = "drums.urtopack";

    fn patch(name: &str, decay: f64) -> Patch {
        let mut patch = Patch { name: name.into(), ..Patch::default() };
        patch.settings.set(ParamId::Decay, decay);
        patch
    }

    fn pack(presets: &[Patch]) -> PresetPack {
        PresetPack::new(Path::new(FILE), presets.to_vec()).expect("a pack")
    }

    fn read(bytes: Vec<u8>) -> Result<PresetPack, String> {
        PresetPack::read_from(Path::new(FILE), Cursor::new(bytes)).map_err(|error| error.to_string())
    }

    /// An archive with these files.
    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            archive.start_file(*name, SimpleFileOptions::default()).expect("started");
            archive.write_all(content).expect("written");
        }
        archive.finish().expect("an archive").into_inner()
    }

    #[test]
    fn an_archive_preserves_presets_exactly() {
        let kit = urto_engine::patch::kits().next().expect("a kit");
        let packed = pack(&[patch("Größe", 1.234_567_890_123), Patch { name: "My kit".into(), ..kit }]);
        let bytes = packed.to_bytes(Path::new(FILE)).expect("packed");
        assert_eq!(packed.to_bytes(Path::new(FILE)).expect("packed"), bytes, "the same bytes");
        assert_eq!(read(bytes), Ok(packed));
    }

    #[test]
    fn content_that_is_no_preset_is_refused_with_its_name() {
        let preset = to_toml(&patch("a", 1.0));
        let with = |name: &str| read(archive(&[(name, preset.as_bytes())])).expect_err(name);
        for name in ["../a.toml", "/etc/a.toml", "sub/a.toml", "sub\\a.toml", "a.exe", ".toml", "C:a.toml", "nul.toml"] {
            assert!(with(name).starts_with(&format!("{FILE}: contains {name:?}, which is not the name of a preset file")));
        }
        assert!(read(b"no archive".to_vec()).expect_err("refused").contains("damaged, or not a pack"));
        assert!(read(archive(&[])).expect_err("refused").contains("no presets"));
        let broken = read(archive(&[("a.toml", b"schema = 2\n[body]\ndecay = \"long\"")])).expect_err("refused");
        assert!(broken.contains("a.toml, line 3, body.decay"), "{broken}");
        let twice = archive(&[("A.toml", preset.as_bytes()), ("a.toml", preset.as_bytes())]);
        assert!(read(twice).expect_err("refused").contains("two presets are called \"A\" and \"a\""));
        assert!(read(archive(&[("a.toml", &[0xff; 9])])).expect_err("refused").contains("\"a\" is not text"));
        let bomb = archive(&[("a.toml", &vec![b' '; MAX_PRESET_BYTES as usize + 1])]);
        assert!(bomb.len() < 1 << 20 && read(bomb).expect_err("refused").contains("\"a\" is too large"));
        let named = archive(&[("a.toml", b"schema = 2\n[drive]\nsample = \"/etc/passwd\"")]);
        assert!(read(named).is_err(), "files are not opened");
    }

    #[test]
    fn what_is_there_stays() {
        let folder = std::env::temp_dir().join(format!("urto-pack-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        preset_library::save(&folder, &patch("own", 1.0)).expect("saved");
        preset_library::save(&folder, &patch("same", 2.0)).expect("saved");
        let built_in = urto_engine::patch::all().next().expect("one").name;
        let packed = pack(&[patch("Own", 3.0), patch("same", 2.0), patch("new", 4.0), patch(&built_in, 5.0)]);
        let installed = packed.install(&folder).expect("installed");
        let expected = ["Own 2", "same", "new", &format!("{built_in} 2")];
        assert_eq!(installed.iter().map(|preset| preset.installed_as.as_str()).collect::<Vec<_>>(), expected);
        let own = preset_library::read(&folder.join("own.toml")).expect("there").0;
        assert_eq!(own, patch("own", 1.0));
        assert!(summary(&installed).starts_with("3 presets installed. Because their names were taken: \"Own\" as \"Own 2\""));
        let again = packed.install(&folder).expect("installed");
        assert!(again.iter().all(|preset| preset.was_there), "{again:?}");
        assert_eq!(summary(&again).split(':').next(), Some("No new presets"));
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
