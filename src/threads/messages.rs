//! The data that crosses threads: meters, prepared bodies, retired objects, a flag for the host, and program changes.

use std::cell::RefCell;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use atomic_float::AtomicF32;

use urto_engine::patch::{ChokeGroups, MacroTargets};
use urto_engine::telemetry::StiffeningReading;
use urto_engine::{KitPlayer, MidiMap, PreparedBody};

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
    /// Highest share of a block's duration that the audio thread computed in this plugin, 0 to 1 and above.
    pub load: f32,
    /// How far bodies have stiffened.
    pub stiffening: StiffeningReading,
}

/// Meters as atomics, which the audio thread writes and the editor reads, and flags for the data that the editor needs.
pub struct SharedMeters {
    peaks: [AtomicF32; 2],
    lowest_gain: AtomicF32,
    active_voices: AtomicU32,
    side_chain: AtomicF32,
    load: AtomicF32,
    deflection: AtomicF32,
    tension: AtomicF32,
    open_windows: AtomicU32,
    is_hidden: AtomicBool,
    wants_audio: AtomicBool,
    /// The controller that moved last, see [`MovedController::code`]; 0 after it has been read.
    moved_controller: AtomicU32,
}

/// A MIDI controller that has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedController {
    /// Channel, 0 to 15.
    pub channel: u8,
    /// Number, 0 to 127.
    pub number: u8,
}

impl MovedController {
    /// Both numbers in one that is not 0.
    fn code(self) -> u32 {
        1 << 16 | u32::from(self.channel) << 8 | u32::from(self.number)
    }

    /// The controller of a code; none for 0.
    fn of(code: u32) -> Option<Self> {
        (code != 0).then_some(Self { channel: (code >> 8) as u8, number: code as u8 })
    }
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
            deflection: zero(),
            tension: zero(),
            open_windows: AtomicU32::new(0),
            is_hidden: AtomicBool::new(false),
            wants_audio: AtomicBool::new(false),
            moved_controller: AtomicU32::new(0),
        }
    }
}

impl SharedMeters {
    /// Returns the readings and resets them.
    pub fn take(&self) -> Levels {
        let Self { peaks, lowest_gain, active_voices, side_chain, load, deflection, tension, .. } = self;
        Levels {
            peaks: [peaks[0].swap(0.0, Relaxed), peaks[1].swap(0.0, Relaxed)],
            lowest_gain: lowest_gain.swap(1.0, Relaxed),
            active_voices: active_voices.load(Relaxed),
            side_chain: side_chain.swap(0.0, Relaxed),
            load: load.swap(0.0, Relaxed),
            stiffening: StiffeningReading { deflection: deflection.swap(0.0, Relaxed), tension: tension.swap(0.0, Relaxed) },
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

    /// Adds how far bodies have stiffened.
    pub fn add_stiffening(&self, reading: StiffeningReading) {
        self.deflection.fetch_max(reading.deflection, Relaxed);
        self.tension.fetch_max(reading.tension, Relaxed);
    }

    /// Adds the highest |sample| of a block's side-chain, and the block's load.
    pub fn add_block(&self, side_chain: f32, load: f32) {
        self.side_chain.fetch_max(side_chain, Relaxed);
        self.load.fetch_max(load, Relaxed);
    }

    /// Notes a controller that has moved.
    pub fn note_controller(&self, moved: MovedController) {
        self.moved_controller.store(moved.code(), Relaxed);
    }

    /// The controller that moved last, if one has moved since the last call.
    pub fn take_controller(&self) -> Option<MovedController> {
        MovedController::of(self.moved_controller.swap(0, Relaxed))
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
    /// What its macros move.
    pub macros: MacroTargets,
    /// The player of its zones; outer `None` once the audio thread has taken it.
    pub kit: Option<KitPlayerSlot>,
}

/// A prepared body for the audio thread.
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
    /// Assigned controllers that others have replaced.
    Controllers(Box<MidiMap>),
}

/// Called on the thread that sets the flag.
type OnRequest = Box<dyn Fn() + Send + Sync>;

/// A flag of one instance that asks the host to read all parameters again: set by the worker after a program change, read by the
/// plugin format's entry. Neither setting nor reading it takes a lock.
#[derive(Default)]
pub struct ParamRescanFlag {
    requested: AtomicBool,
    on_request: Option<OnRequest>,
}

thread_local! {
    static NEXT_INSTANCE: RefCell<Option<Arc<ParamRescanFlag>>> = const { RefCell::new(None) };
}

impl ParamRescanFlag {
    /// A flag that also calls `on_request`, on the thread that sets it.
    pub fn new(on_request: impl Fn() + Send + Sync + 'static) -> Self {
        Self { requested: AtomicBool::new(false), on_request: Some(Box::new(on_request)) }
    }

    /// Reserves the flag for the instance that is created next on this thread: nice-plug creates it without arguments.
    pub fn reserve_for_next_instance(self: &Arc<Self>) {
        NEXT_INSTANCE.with_borrow_mut(|next| *next = Some(Arc::clone(self)));
    }

    /// The flag that is reserved for this instance; a new one if there is none.
    pub fn take() -> Arc<Self> {
        NEXT_INSTANCE.take().unwrap_or_default()
    }

    /// Sets the flag.
    pub fn request(&self) {
        self.requested.store(true, Relaxed);
        if let Some(on_request) = &self.on_request {
            on_request();
        }
    }

    /// Whether the flag was set; clears it.
    pub fn take_request(&self) -> bool {
        self.requested.load(Relaxed) && self.requested.swap(false, Relaxed)
    }
}

/// Loads the preset with the number of a program change; called on the worker.
pub type ProgramLoader = Box<dyn Fn(u8) + Send + Sync>;

/// The latest request for a program, shared by audio thread and worker: the audio thread requests a number, the worker loads the
/// preset.
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

    /// Sets the function that loads programs. Later calls have no effect.
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
