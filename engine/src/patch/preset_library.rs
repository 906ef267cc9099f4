//! The presets on this computer: factory presets, and those of the user in one folder. The folder is authoritative; the file name is the
//! name of the preset. Reads and writes files: never on the audio thread.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::formats::system_error::{open_error, unreadable, unwritable};
use crate::formats::{TextError, user_file};
use crate::patch::patch::Patch;
use crate::patch::{factory_presets, factory_texts, patch_toml};

/// Extension of preset files.
const EXTENSION: &str = "toml";
/// Maximum size of a preset file [bytes].
const MAX_BYTES: u64 = 1 << 24;
/// Maximum number of characters of a name, for all file systems.
const MAX_LETTERS: usize = 60;
/// Characters that some file systems do not allow in names.
const FORBIDDEN: [char; 9] = ['/', '\\', ':', '*', '?', '"', '<', '>', '|'];

/// Names that Windows reserves for devices, also with an extension; COM and LPT are followed by a digit.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// See [`DEVICES`].
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];

/// Location of a preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A factory preset with this number, see [`factory_presets::all`].
    BuiltIn(usize),
    /// In a file.
    File(PathBuf),
}

/// A preset in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresetEntry {
    /// Its name.
    pub name: String,
    /// Its location.
    pub source: Source,
}

/// Why a preset cannot be read or saved: one sentence with place and fix.
#[derive(Debug)]
pub enum LibraryError {
    /// A file that cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A file or folder that cannot be written.
    Unwritable(PathBuf, io::Error),
    /// The file has an error.
    Text(PathBuf, TextError),
    /// The name is not allowed: problem and fix.
    Name(String, String),
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(place, error) if error.kind() == io::ErrorKind::InvalidData => {
                write!(f, "{}: damaged, or not a preset: it is not text; give a preset in TOML", place.display())
            }
            Self::Unreadable(place, error) => {
                let (problem, remedy) = unreadable(error);
                write!(f, "{}: {problem}; {remedy}", place.display())
            }
            Self::Unwritable(place, error) => {
                let (problem, remedy) = unwritable(error);
                write!(f, "{}: {problem}; {remedy}", place.display())
            }
            Self::Text(place, fault) => write!(f, "{}, {fault}", place.display()),
            Self::Name(problem, remedy) => write!(f, "{problem}; {remedy}"),
        }
    }
}

impl std::error::Error for LibraryError {}

/// The environment variable with the user's home.
pub const HOME_VARIABLE: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

/// The user's folder: `$XDG_DATA_HOME/urto/presets`; without that variable `Urto/Presets` in the user's documents on macOS and Windows, else
/// `~/.local/share/urto/presets`. It may not exist yet. `None` if the system has no home folder.
pub fn folder() -> Option<PathBuf> {
    folder_by(|name| std::env::var_os(name).filter(|value| Path::new(value).is_absolute()), documents)
}

/// The folder by the environment `variable`s and the user's `documents`, if the system knows where they are.
fn folder_by(variable: impl Fn(&str) -> Option<OsString>, documents: impl Fn() -> Option<PathBuf>) -> Option<PathBuf> {
    let named = |name| variable(name).map(PathBuf::from);
    if let Some(data) = named("XDG_DATA_HOME") {
        return Some(data.join("urto").join("presets"));
    }
    if cfg!(any(target_os = "macos", target_os = "windows")) {
        let documents = documents().or_else(|| Some(named(HOME_VARIABLE)?.join("Documents")))?;
        return Some(documents.join("Urto").join("Presets"));
    }
    Some(named(HOME_VARIABLE)?.join(".local").join("share").join("urto").join("presets"))
}

/// The user's documents where the system keeps their place; on Windows they may be on another drive or in a folder that is synchronised.
#[cfg(windows)]
fn documents() -> Option<PathBuf> {
    known_folders::get_known_folder_path(known_folders::KnownFolder::Documents)
}

#[cfg(not(windows))]
fn documents() -> Option<PathBuf> {
    None
}

/// All presets: factory presets in their order, then those of `folder` by name. The index is the MIDI program number. An unreadable
/// folder counts as empty.
pub fn list(folder: Option<&Path>) -> Vec<PresetEntry> {
    let built_in = factory_presets::names().enumerate();
    let built_in = built_in.map(|(i, name)| PresetEntry { name: name.to_owned(), source: Source::BuiltIn(i) });
    built_in.chain(folder.map(in_folder).unwrap_or_default()).collect()
}

fn in_folder(folder: &Path) -> Vec<PresetEntry> {
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut entries: Vec<_> = files.filter_map(entry).collect();
    entries.sort_by_cached_key(|entry| (entry.name.to_lowercase(), entry.name.clone()));
    entries
}

/// The preset files in `folder`, by name. An unreadable folder counts as empty.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let file = |entry: PresetEntry| match entry.source {
        Source::File(file) => Some(file),
        Source::BuiltIn(_) => None,
    };
    in_folder(folder).into_iter().filter_map(file).collect()
}

/// The entry of a file; `None` if its name is not that of a preset.
fn entry(file: PathBuf) -> Option<PresetEntry> {
    let name = file.file_stem()?.to_string_lossy().into_owned();
    let is_preset = file.extension()?.eq_ignore_ascii_case(EXTENSION) && !name.starts_with('.') && file.is_file();
    is_preset.then_some(PresetEntry { name, source: Source::File(file) })
}

impl PresetEntry {
    /// Reads the preset; also returns warnings. Errors: an unreadable file, or an error in it.
    pub fn read(&self) -> Result<(Patch, Vec<TextError>), LibraryError> {
        match &self.source {
            Source::BuiltIn(place) => {
                let text = factory_texts::text(*place).unwrap_or_default();
                patch_toml::read(text).map_err(|fault| LibraryError::Text(self.name.clone().into(), fault))
            }
            Source::File(file) => read(file),
        }
    }
}

/// The preset of the user in `folder` whose name is `name`, in upper or lower case, because some file systems do not tell them apart.
pub fn find_own(folder: &Path, name: &str) -> Option<PresetEntry> {
    let name = name.to_lowercase();
    in_folder(folder).into_iter().find(|entry| entry.name.to_lowercase() == name)
}

/// Whether a factory preset has the name `name`, in upper or lower case.
pub fn is_built_in_name(name: &str) -> bool {
    built_in_name(name).is_some()
}

/// Whether the file of a preset may be called `name`; the name may be that of a factory preset.
pub fn is_valid_name(name: &str) -> bool {
    check_name(name).is_ok()
}

fn built_in_name(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    factory_presets::names().find(|built_in| built_in.to_lowercase() == name)
}

/// Reads the preset in `file`, with the name of the file; also returns warnings. Errors: as [`PresetEntry::read`].
pub fn read(file: &Path) -> Result<(Patch, Vec<TextError>), LibraryError> {
    let failed = |error| LibraryError::Unreadable(file.to_owned(), open_error(file, error));
    let mut text = String::new();
    let length = File::open(file).map_err(failed)?.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
    if length as u64 > MAX_BYTES {
        return Err(failed(io::Error::other("too long for a preset")));
    }
    let (mut patch, notes) =
        patch_toml::read_in(file.parent(), &text).map_err(|fault| LibraryError::Text(file.to_owned(), fault))?;
    patch.name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok((patch, notes))
}

/// Saves `patch` in `folder` under its name, and creates the folder if needed. A preset of the user of that name is replaced, and stays
/// intact if saving fails. Errors: the name of a factory preset, a name that file systems do not allow, or an error of the system.
pub fn save(folder: &Path, patch: &Patch) -> Result<PathBuf, LibraryError> {
    let place = folder.join(file_name(&patch.name)?);
    user_file::replace(&place, &patch_toml::to_toml(patch))
        .map_err(|(place, error)| LibraryError::Unwritable(place.to_owned(), open_error(place, error)))?;
    Ok(place)
}

/// The file name of the preset `name` of the user.
fn file_name(name: &str) -> Result<String, LibraryError> {
    check_name(name)?;
    match built_in_name(name) {
        Some(built_in) => Err(LibraryError::Name(
            format!("the name \"{name}\" is that of a built-in preset"),
            format!("give another name, for example \"My {built_in}\""),
        )),
        None => Ok(format!("{name}.{EXTENSION}")),
    }
}

/// Errors: a name that file systems do not allow.
fn check_name(name: &str) -> Result<(), LibraryError> {
    let wrong = |problem: &str, remedy: &str| Err(LibraryError::Name(format!("the name \"{name}\" {problem}"), remedy.into()));
    if name.trim() != name || name.is_empty() || name.starts_with('.') || name.ends_with('.') {
        return wrong("is empty, or begins or ends with a space or a dot", "give another name");
    }
    if let Some(letter) = name.chars().find(|letter| letter.is_control() || FORBIDDEN.contains(letter)) {
        return wrong(&format!("contains {letter:?}, which file names must not contain"), "remove it");
    }
    if name.chars().count() > MAX_LETTERS {
        return wrong("is too long", &format!("give at most {MAX_LETTERS} characters"));
    }
    if is_device(name) {
        return wrong("is reserved for a device by Windows", &format!("give another name, for example \"My {name}\""));
    }
    Ok(())
}

/// Whether Windows opens a device in place of the file `name`, whatever its extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let numbered = |device: &&str| {
        let number = stem.strip_prefix(*device).unwrap_or_default();
        number.chars().count() == 1 && number.contains(|digit: char| digit.is_ascii_digit() || "¹²³".contains(digit))
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.iter().any(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::ParamId;

    /// Number of factory presets.
    fn built_in() -> usize {
        factory_texts::texts().count()
    }

    /// A temporary folder, deleted when dropped.
    struct TempFolder(PathBuf);

    impl TempFolder {
        fn new(name: &str) -> Self {
            let place = std::env::temp_dir().join(format!("urto-library-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&place);
            Self(place)
        }
    }

    impl Drop for TempFolder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        list(Some(folder)).into_iter().skip(built_in()).map(|entry| entry.name).collect()
    }

    fn patch(name: &str, decay: f64) -> Patch {
        let mut patch = Patch { name: name.into(), ..Patch::default() };
        patch.settings.set(ParamId::Decay, decay);
        patch
    }

    #[test]
    fn the_folder_is_authoritative() {
        let folder = TempFolder::new("truth");
        assert_eq!(names(&folder.0), [""; 0], "a missing folder");
        for (name, decay) in
            [("zinc", 1.0), ("Brass", 2.0), ("Ärmel 2", 3.0), ("alu", 4.0), ("Tin", 5.0), ("iron", 6.0), ("gold 10", 7.0)]
        {
            save(&folder.0, &patch(name, decay)).expect("saved");
        }
        fs::create_dir(folder.0.join("folder.toml")).expect("a folder");
        for other in ["notes.txt", ".hidden.toml", "toml"] {
            fs::write(folder.0.join(other), "schema = 2").expect("a file");
        }
        assert_eq!(names(&folder.0), ["alu", "Brass", "gold 10", "iron", "Tin", "zinc", "Ärmel 2"]);
        // a renamed file is another preset
        fs::rename(folder.0.join("Brass.toml"), folder.0.join("Bronze.TOML")).expect("renamed");
        let all = list(Some(&folder.0));
        assert_eq!(all[built_in() + 1].read().expect("read").0, patch("Bronze", 2.0));
        assert_eq!(all[1].read().expect("built in").0, factory_presets::built_in().nth(1).expect("two at least"));
        // saving again replaces the preset and leaves no temporary file
        save(&folder.0, &patch("alu", 5.0)).expect("saved");
        assert_eq!(read(&folder.0.join("alu.toml")).expect("read").0, patch("alu", 5.0));
        let parts = fs::read_dir(&folder.0)
            .expect("there")
            .filter(|file| file.as_ref().unwrap().path().extension() == Some("part".as_ref()));
        assert_eq!(parts.count(), 0);
    }

    #[test]
    fn errors_are_reported_and_lose_nothing() {
        let folder = TempFolder::new("wrong");
        for name in ["", " a", "a ", ".a", "a.", "a/b", "a\\b", "a:b", "a\nb", &"a".repeat(61)] {
            let error = save(&folder.0, &patch(name, 1.0)).expect_err(name).to_string();
            assert!(error.starts_with(&format!("the name \"{name}\" ")), "{error}");
        }
        assert!(!folder.0.exists());
        let place = save(&folder.0, &patch("kept", 1.0)).expect("saved");
        fs::write(&place, "schema = 2\n[body]\ndecay = \"long\"").expect("spoiled");
        let error = list(Some(&folder.0)).last().expect("listed all the same").read().expect_err("spoiled").to_string();
        assert!(error.contains("kept.toml, line 3, body.decay: expected a number"), "{error}");
        // a folder with the name of the file
        fs::create_dir(folder.0.join("taken.toml")).expect("a folder");
        let error = save(&folder.0, &patch("taken", 1.0)).expect_err("taken").to_string();
        assert!(error.contains("taken.toml: ") && fs::read_dir(&folder.0).expect("there").count() == 2, "{error}");
    }

    #[test]
    fn names_of_devices_and_of_factory_presets_are_refused() {
        let folder = TempFolder::new("reserved");
        let refused = |name: &str| save(&folder.0, &patch(name, 1.0)).expect_err(name).to_string();
        for name in ["CON", "nul", "nul.urto", "Aux .a.b", "com1", "LPT9", "COM¹", "conin$"] {
            let expected =
                format!("the name \"{name}\" is reserved for a device by Windows; give another name, for example \"My {name}\"");
            assert_eq!(refused(name), expected);
        }
        let expected = "the name \"studio KIT\" is that of a built-in preset; give another name, for example \"My Studio Kit\"";
        assert_eq!(refused("studio KIT"), expected);
        for preset in factory_presets::all() {
            assert!(refused(&preset.name).contains("is that of a built-in preset"), "{}", preset.name);
        }
        assert!(!folder.0.exists(), "nothing was created");
        for name in ["Console", "Null", "COM", "COM10", "LPTx", "My Studio Kit", "con-fusion"] {
            save(&folder.0, &patch(name, 1.0)).expect(name);
        }
    }

    #[test]
    fn the_folder_follows_the_conventions_of_the_system() {
        let found = |pairs: &[(&str, &str)], documents: Option<&str>| {
            let variable = |name: &str| pairs.iter().find(|(other, _)| *other == name).map(|(_, value)| OsString::from(value));
            folder_by(variable, || documents.map(PathBuf::from))
        };
        let home = [("HOME", "/h"), ("USERPROFILE", "/h")];
        let presets = |folders: &[&str]| Some(folders.iter().collect::<PathBuf>());
        if cfg!(any(target_os = "macos", target_os = "windows")) {
            assert_eq!(found(&home, None), presets(&["/h", "Documents", "Urto", "Presets"]));
            assert_eq!(found(&home, Some("/moved")), presets(&["/moved", "Urto", "Presets"]));
            assert_eq!(found(&[], Some("/moved")), presets(&["/moved", "Urto", "Presets"]));
        } else {
            assert_eq!(found(&home, None), presets(&["/h", ".local", "share", "urto", "presets"]));
        }
        assert_eq!(found(&[home[0], ("XDG_DATA_HOME", "/d")], Some("/moved")), presets(&["/d", "urto", "presets"]));
        assert_eq!(found(&[], None), None);
    }

    #[cfg(windows)]
    #[test]
    fn windows_knows_where_the_documents_are() {
        assert!(documents().is_some_and(|folder| folder.is_absolute()));
    }
}
