//! Floor 2: a client of MTS-ESP, through which one plugin of a session, the master, tunes all the others.
//!
//! Both meet in a library that the master brings along and that lies in a fixed place. It is looked for at run time; where there is
//! none, nothing happens. Not for the audio thread: what the library does inside is not known.
//!
//! The library's functions, after ODDSound's description of the client (github.com/ODDSound/MTS-ESP, 0BSD):
//!
//! | name | gives |
//! |---|---|
//! | `MTS_RegisterClient`, `MTS_DeregisterClient` | nothing; counts the clients |
//! | `MTS_HasMaster` | whether there is a master |
//! | `MTS_GetTuningTable` | 128 frequencies [Hz] that the master may write at any time |
//! | `MTS_ShouldFilterNote(key, channel)` | whether the key is silent; channel -1 is any |

#![allow(unsafe_code)]

use std::ffi::c_char;
use std::path::{Path, PathBuf};

use libloading::Library;

use urto_engine::tuning::{KEYS, KeyFrequencies};

/// A function without arguments or result.
type Call = unsafe extern "C" fn();
/// A C `bool`, of which only the byte is sure.
type Truth = u8;

/// A connection to the library.
pub struct Client {
    deregister: Call,
    has_master: unsafe extern "C" fn() -> Truth,
    table: unsafe extern "C" fn() -> *const f64,
    is_silent: Option<unsafe extern "C" fn(c_char, c_char) -> Truth>,
    /// Keeps the functions in memory; last, so that it goes last.
    _library: Library,
}

impl Client {
    /// Connects to the library of this computer, if there is one.
    pub fn connect() -> Option<Self> {
        Self::open(&usual_place()?)
    }

    /// Connects to the library at `place`. `None` if there is none, or one that lacks a function.
    pub fn open(place: &Path) -> Option<Self> {
        // SAFETY: the types are those of the library's published interface; the functions are not used after the library is gone.
        unsafe {
            let library = Library::new(place).ok()?;
            let register: Call = *library.get(b"MTS_RegisterClient\0").ok()?;
            let client = Self {
                deregister: *library.get(b"MTS_DeregisterClient\0").ok()?,
                has_master: *library.get(b"MTS_HasMaster\0").ok()?,
                table: *library.get(b"MTS_GetTuningTable\0").ok()?,
                is_silent: library.get(b"MTS_ShouldFilterNote\0").ok().map(|function| *function),
                _library: library,
            };
            register();
            Some(client)
        }
    }

    /// The master's tuning, if there is a master now. A frequency that is being written meanwhile is right at the next look.
    pub fn tuning(&self) -> Option<KeyFrequencies> {
        // SAFETY: as the interface says; the table holds 128 frequencies while there is a master, and is asked for at each look
        // because another master may bring another. Some libraries do not align it.
        unsafe {
            if (self.has_master)() == 0 {
                return None;
            }
            let table = (self.table)();
            if table.is_null() {
                return None;
            }
            let read: [f64; KEYS] = std::array::from_fn(|key| table.add(key).read_unaligned());
            let silent = |key: u8| self.is_silent.is_some_and(|ask| ask(key as c_char, -1_i8 as c_char) != 0);
            Some(KeyFrequencies::new(|key| Some(read[usize::from(key)]).filter(|_| !silent(key))))
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // SAFETY: the library is still loaded, and this client was registered.
        unsafe { (self.deregister)() }
    }
}

/// Where masters put the library.
fn usual_place() -> Option<PathBuf> {
    if cfg!(target_os = "windows") {
        return std::env::var_os("CommonProgramFiles").map(|folder| Path::new(&folder).join("MTS-ESP").join("LIBMTS.dll"));
    }
    let mac = cfg!(target_os = "macos");
    Some(if mac { "/Library/Application Support/MTS-ESP/libMTS.dylib" } else { "/usr/local/lib/libMTS.so" }.into())
}
