//! Program changes: the audio thread requests a number, the worker loads the preset.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Loads the preset with the number of a program change; called on the worker.
pub type ProgramLoader = Box<dyn Fn(u8) + Send + Sync>;

/// The latest request for a program, shared by audio thread and worker.
#[derive(Clone, Default)]
pub struct ProgramChanges(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Serial number of the request and, in the lowest byte, the program; 0 before the first.
    requested: AtomicU32,
    /// The last request that was served.
    served: AtomicU32,
    loader: OnceLock<ProgramLoader>,
}

impl ProgramChanges {
    /// Requests a program; replaces a request that is not served yet. Takes no lock.
    pub fn request(&self, number: u8) {
        let serial = (self.0.requested.load(Ordering::Relaxed) >> 8).wrapping_add(1) & 0xff_ffff;
        self.0.requested.store(serial.max(1) << 8 | u32::from(number), Ordering::Release);
    }

    /// Whether the worker has served the last request. Takes no lock.
    pub fn is_served(&self) -> bool {
        self.0.served.load(Ordering::Acquire) == self.0.requested.load(Ordering::Relaxed)
    }

    /// Sets what loads programs. The first one stays.
    pub fn set_loader(&self, loader: ProgramLoader) {
        let _ = self.0.loader.set(loader);
    }

    /// Serves the last request if it is new; for the worker alone.
    pub fn serve(&self) {
        let requested = self.0.requested.load(Ordering::Acquire);
        if requested != self.0.served.load(Ordering::Relaxed) {
            if let Some(load) = self.0.loader.get() {
                load((requested & 0xff) as u8);
            }
            self.0.served.store(requested, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn the_latest_request_is_served_once() {
        let loaded = Arc::new(Mutex::new(Vec::new()));
        let (programs, noted) = (ProgramChanges::default(), Arc::clone(&loaded));
        programs.set_loader(Box::new(move |number| noted.lock().unwrap().push(number)));
        programs.serve();
        assert!(programs.is_served());
        for number in [3, 0, 127] {
            programs.request(number);
        }
        assert!(!programs.is_served());
        programs.serve();
        programs.serve();
        assert!(programs.is_served());
        programs.request(127);
        programs.serve();
        assert_eq!(*loaded.lock().unwrap(), [127, 127]);
    }
}
