//! A client of MTS-ESP, the interface through which one plugin of a session, the master, tunes the others.
//!
//! Master and clients share a library that the master installs in a fixed place. It is loaded at run time if it exists. Not for the
//! audio thread: the library's code is not known.
//!
//! The library's functions, from ODDSound's description of the client (github.com/ODDSound/MTS-ESP, 0BSD):
//!
//! | name | result |
//! |---|---|
//! | `MTS_RegisterClient`, `MTS_DeregisterClient` | none; count the clients |
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
/// A C `bool`: one byte, any value but 0 is true.
type CBool = u8;

/// A connection to the library.
pub struct Client {
    deregister: Call,
    has_master: unsafe extern "C" fn() -> CBool,
    table: unsafe extern "C" fn() -> *const f64,
    is_silent: Option<unsafe extern "C" fn(c_char, c_char) -> CBool>,
    /// Keeps the functions in memory; the last field, so that it is dropped last.
    _library: Library,
}

impl Client {
    /// Connects to the library of this computer, if there is one.
    pub fn connect() -> Option<Self> {
        Self::open(&library_path()?)
    }

    /// Connects to the library at `path`. `None` if there is none, or if it lacks a function.
    pub fn open(path: &Path) -> Option<Self> {
        // SAFETY: the types are those of the library's published interface; the functions are not used after the library is unloaded.
        unsafe {
            let library = Library::new(path).ok()?;
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

    /// The master's tuning; `None` without a master. A frequency that the master writes meanwhile is right at the next call.
    pub fn tuning(&self) -> Option<KeyFrequencies> {
        // SAFETY: by the interface the table has 128 frequencies while there is a master. Its address is read at each call because
        // another master may have another table. Some libraries do not align it.
        unsafe {
            if (self.has_master)() == 0 {
                return None;
            }
            let table = (self.table)();
            if table.is_null() {
                return None;
            }
            let frequencies: [f64; KEYS] = std::array::from_fn(|key| table.add(key).read_unaligned());
            let is_silent = |key: u8| self.is_silent.is_some_and(|function| function(key as c_char, -1_i8 as c_char) != 0);
            Some(KeyFrequencies::new(|key| Some(frequencies[usize::from(key)]).filter(|_| !is_silent(key))))
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // SAFETY: the library is still loaded, and this client was registered.
        unsafe { (self.deregister)() }
    }
}

/// The fixed place of the library.
fn library_path() -> Option<PathBuf> {
    if cfg!(target_os = "windows") {
        return std::env::var_os("CommonProgramFiles").map(|folder| Path::new(&folder).join("MTS-ESP").join("LIBMTS.dll"));
    }
    let mac = cfg!(target_os = "macos");
    Some(if mac { "/Library/Application Support/MTS-ESP/libMTS.dylib" } else { "/usr/local/lib/libMTS.so" }.into())
}
