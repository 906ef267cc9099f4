//! The controllers that the user has assigned to parameters: one map for all instances of the process, kept in a file of the user.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use urto_engine::MidiMap;
use urto_engine::formats::system_error::{unreadable, unwritable};
use urto_engine::formats::user_file;
use urto_engine::patch::preset_library;

/// Name of the file, beside the preset folder.
const FILE: &str = "controllers.toml";

/// The map, and the file that keeps it. Takes a lock: not for the audio thread.
#[derive(Default)]
pub struct ControllerStore {
    /// None: the map is not kept.
    file: Option<PathBuf>,
    map: Mutex<Arc<MidiMap>>,
    version: AtomicU32,
    /// Why the file could not be read.
    fault: Option<String>,
}

impl ControllerStore {
    /// The map of the user, which all instances share. A file that cannot be read counts as empty and is not replaced.
    pub fn of_user() -> Arc<Self> {
        static STORE: OnceLock<Arc<ControllerStore>> = OnceLock::new();
        let store = STORE.get_or_init(|| {
            let file = preset_library::folder().and_then(|folder| Some(folder.parent()?.join(FILE)));
            Arc::new(file.map_or_else(Self::default, Self::in_file))
        });
        Arc::clone(store)
    }

    /// The map in `file`, which may not exist yet.
    pub fn in_file(file: PathBuf) -> Self {
        let (map, fault) = match std::fs::read_to_string(&file) {
            Ok(text) => match MidiMap::read(&text) {
                Ok(map) => (map, None),
                Err(fault) => (MidiMap::default(), Some(format!("{}, {fault}", file.display()))),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => (MidiMap::default(), None),
            Err(error) => {
                let (problem, remedy) = unreadable(&error);
                (MidiMap::default(), Some(format!("{}: {problem}; {remedy}", file.display())))
            }
        };
        Self { file: Some(file), map: Mutex::new(Arc::new(map)), version: AtomicU32::new(0), fault }
    }

    /// Why the file could not be read, in one sentence.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// The map.
    pub fn map(&self) -> Arc<MidiMap> {
        Arc::clone(&self.map.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Number of changes so far.
    pub fn version(&self) -> u32 {
        self.version.load(Ordering::Acquire)
    }

    /// Replaces the map, for all instances and in the file. Errors: a file that could not be read or written, in one sentence; the map is in force
    /// until the program ends.
    pub fn set(&self, map: MidiMap) -> Result<(), String> {
        let text = map.to_toml();
        *self.map.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(map);
        self.version.fetch_add(1, Ordering::Release);
        if let Some(fault) = &self.fault {
            return Err(format!("Controllers are not saved, because their file has an error: {fault}"));
        }
        let Some(file) = &self.file else { return Ok(()) };
        user_file::replace(file, &text).map_err(|(place, error)| {
            let (problem, remedy) = unwritable(&error);
            format!("{}: {problem}; {remedy}", place.display())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::ControllerAssignment;
    use urto_engine::params::ParamId;

    fn hardness() -> MidiMap {
        let mut map = MidiMap::default();
        map.assign(ControllerAssignment::new(21, ParamId::Hardness));
        map
    }

    #[test]
    fn a_map_is_kept_in_its_file_and_a_file_with_an_error_is_not_replaced() {
        let folder = std::env::temp_dir().join(format!("urto-controllers-{}", std::process::id()));
        let file = folder.join(FILE);
        let store = ControllerStore::in_file(file.clone());
        assert_eq!((*store.map() == MidiMap::default(), store.version()), (true, 0));
        assert_eq!((store.set(hardness()), store.version()), (Ok(()), 1));
        assert_eq!(*ControllerStore::in_file(file.clone()).map(), hardness());
        let spoiled = "[[controller]]\nnumber = 200";
        std::fs::write(&file, spoiled).expect("written");
        let store = ControllerStore::in_file(file.clone());
        let error = store.set(hardness()).expect_err("an error in the file");
        assert!(error.contains("controllers.toml, line 2, controller[0].number"), "{error}");
        assert_eq!((&*store.map(), std::fs::read_to_string(&file).expect("there").as_str()), (&hardness(), spoiled));
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
