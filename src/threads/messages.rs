//! The data that crosses threads: meters as atomics, prepared bodies to the audio thread, retired objects back.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};

use atomic_float::AtomicF32;

use urto_engine::patch::ChokeGroups;
use urto_engine::{KitPlayer, PreparedBody};

/// Readings of the meters since they were last read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// Highest |sample| of left and right, before the limiter.
    pub peaks: [f32; 2],
    /// Lowest gain of the limiter; 1 = no reduction.
    pub lowest_gain: f32,
    /// Number of active voices now.
    pub active_voices: u32,
    /// Highest |sample| of the side-chain.
    pub side_chain: f32,
    /// Highest share of the block's duration that the audio thread spent in this plugin, 0 to 1 and above.
    pub load: f32,
}

/// Meters that the audio thread writes and the editor reads, and what the editor needs to be sent.
pub struct SharedMeters {
    peaks: [AtomicF32; 2],
    lowest_gain: AtomicF32,
    active_voices: AtomicU32,
    side_chain: AtomicF32,
    load: AtomicF32,
    open_windows: AtomicU32,
    is_hidden: AtomicBool,
    wants_audio: AtomicBool,
}

impl Default for SharedMeters {
    fn default() -> Self {
        let zero = || AtomicF32::new(0.0);
        Self {
            peaks: [zero(), zero()],
            lowest_gain: AtomicF32::new(1.0),
            active_voices: AtomicU32::new(0),
            side_chain: zero(),
            load: zero(),
            open_windows: AtomicU32::new(0),
            is_hidden: AtomicBool::new(false),
            wants_audio: AtomicBool::new(false),
        }
    }
}

impl SharedMeters {
    /// Returns the readings and resets them.
    pub fn take(&self) -> Levels {
        let Self { peaks, lowest_gain, active_voices, side_chain, load, .. } = self;
        Levels {
            peaks: [peaks[0].swap(0.0, Relaxed), peaks[1].swap(0.0, Relaxed)],
            lowest_gain: lowest_gain.swap(1.0, Relaxed),
            active_voices: active_voices.load(Relaxed),
            side_chain: side_chain.swap(0.0, Relaxed),
            load: load.swap(0.0, Relaxed),
        }
    }

    /// Adds the engine's peaks, the limiter's lowest gain and the number of active voices.
    pub fn add_output(&self, peaks: [f32; 2], lowest_gain: f32, active_voices: u32) {
        for (highest, peak) in self.peaks.iter().zip(peaks) {
            highest.fetch_max(peak, Relaxed);
        }
        self.lowest_gain.fetch_min(lowest_gain, Relaxed);
        self.active_voices.store(active_voices, Relaxed);
    }

    /// Adds the highest |sample| of a block's side-chain, and the block's load.
    pub fn add_block(&self, side_chain: f32, load: f32) {
        self.side_chain.fetch_max(side_chain, Relaxed);
        self.load.fetch_max(load, Relaxed);
    }

    /// Counts a window that has been opened or closed. A new window may open before the last one has closed.
    pub fn count_window(&self, is_open: bool) {
        let count = |windows: u32| Some(if is_open { windows + 1 } else { windows.saturating_sub(1) });
        let _ = self.open_windows.fetch_update(Relaxed, Relaxed, count);
    }

    /// Notes whether the host hides the window.
    pub fn set_hidden(&self, is_hidden: bool) {
        self.is_hidden.store(is_hidden, Relaxed);
    }

    /// Whether the host hides the window.
    pub fn is_hidden(&self) -> bool {
        self.is_hidden.load(Relaxed)
    }

    /// Whether a window is open and not hidden.
    pub fn is_seen(&self) -> bool {
        self.open_windows.load(Relaxed) > 0 && !self.is_hidden()
    }

    /// Notes whether a window shows the sound.
    pub fn set_wants_audio(&self, wants_audio: bool) {
        self.wants_audio.store(wants_audio, Relaxed);
    }

    /// Whether a window shows the sound.
    pub fn wants_audio(&self) -> bool {
        self.wants_audio.load(Relaxed)
    }
}

/// The player of a kit; none for a patch without zones.
pub type KitPlayerSlot = Option<Box<KitPlayer>>;

/// The parts of a loaded patch that come with its body.
pub struct LoadedPatch {
    /// Keys that choke each other.
    pub chokes: ChokeGroups,
    /// The player of its zones; outer `None` once the audio thread has taken it.
    pub kit: Option<KitPlayerSlot>,
}

/// A body for the audio thread.
pub struct Prepared {
    /// Number of the patch it belongs to.
    pub generation: u64,
    /// The patch that brings it; `None` if the audio thread requested the body.
    pub patch: Option<LoadedPatch>,
    /// The body.
    pub body: Box<PreparedBody>,
}

/// An object that the audio thread no longer needs, to be freed on the worker.
pub enum Retired {
    /// A body that no voice uses.
    Body(Box<PreparedBody>),
    /// The player of a kit that has rung out.
    Kit(Box<KitPlayer>),
}
