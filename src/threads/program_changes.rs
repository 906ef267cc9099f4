//! Program changes: the audio thread says a number, the worker reads and prepares what it stands for.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Loads the preset with the number of a program change; for the worker.
pub type Reader = Box<dyn Fn(u8) + Send + Sync>;

/// Both ends of the wire; the latest number wins.
#[derive(Clone, Default)]
pub struct Programs(Arc<Wire>);

#[derive(Default)]
struct Wire {
    /// Serial number of the wish and, in the lowest byte, the program; 0 before the first.
    wanted: AtomicU32,
    /// The wish that has been fulfilled last.
    done: AtomicU32,
    reader: OnceLock<Reader>,
}

impl Programs {
    /// Wishes for a program. Takes no lock.
    pub fn want(&self, number: u8) {
        let serial = (self.0.wanted.load(Ordering::Relaxed) >> 8).wrapping_add(1) & 0xff_ffff;
        self.0.wanted.store(serial.max(1) << 8 | u32::from(number), Ordering::Release);
    }

    /// Whether the worker has done what was last wished. Takes no lock.
    pub fn is_done(&self) -> bool {
        self.0.done.load(Ordering::Acquire) == self.0.wanted.load(Ordering::Relaxed)
    }

    /// Who reads programs. The first one stays.
    pub fn read_by(&self, reader: Reader) {
        let _ = self.0.reader.set(reader);
    }

    /// Fulfils the last wish, if it is a new one; for the worker alone.
    pub fn serve(&self) {
        let wanted = self.0.wanted.load(Ordering::Acquire);
        if wanted != self.0.done.load(Ordering::Relaxed) {
            if let Some(read) = self.0.reader.get() {
                read((wanted & 0xff) as u8);
            }
            self.0.done.store(wanted, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn the_latest_wish_is_fulfilled_once() {
        let read = Arc::new(Mutex::new(Vec::new()));
        let (programs, noted) = (Programs::default(), Arc::clone(&read));
        programs.read_by(Box::new(move |number| noted.lock().unwrap().push(number)));
        programs.serve();
        assert!(programs.is_done());
        for number in [3, 0, 127] {
            programs.want(number);
        }
        assert!(!programs.is_done());
        programs.serve();
        programs.serve();
        assert!(programs.is_done());
        programs.want(127);
        programs.serve();
        assert_eq!(*read.lock().unwrap(), [127, 127]);
    }
}
