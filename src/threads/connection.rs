//! The connection of the three ends of one instance, the worker's task between them, and the editor's end.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use crate::mts_esp::Client;
use crate::threads::audio_end::{AudioChannels, AudioChunk, AudioEnd, AudioTap, MAX_EDITOR_EVENTS};
use crate::threads::controller_store::ControllerStore;
use crate::threads::host_end::{HostEnd, PatchLoader};
use crate::threads::messages::{Levels, MovedController, Prepared, ProgramChanges, Retired, SharedMeters};
use crate::threads::shared_patch::SharedPatch;
use crate::threads::worker;
use crate::threads::worker::WorkerTask;
use urto_engine::patch::Patch;
use urto_engine::telemetry::{BodyMotion, ControllerReadings};
use urto_engine::tuning::KeyFrequencies;
use urto_engine::{BodySpec, Event, HitPulse, MidiMap, TracePoint};

/// Hits that wait for the editor; a full channel drops the oldest.
const HITS: usize = 4;
/// States of the body that wait for the editor; a full channel drops the oldest.
const MOTIONS: usize = 2;
/// States of the driven hammer that wait for the editor; a full channel drops the newest.
const TRACE_POINTS: usize = 512;
/// Chunks of the sound that wait for the editor; a full channel drops the newest.
const AUDIO_CHUNKS: usize = 64;
/// Controller readings that wait for the editor; a full channel drops the oldest.
const READINGS: usize = 2;
/// Retired bodies and kit players that wait to be freed; the audio thread keeps those for which there is no room.
const RETIRED: usize = 8;

/// The ends of one instance, which the MTS-ESP master of this computer may tune.
pub fn connect() -> (AudioEnd, EditorEnd, HostEnd) {
    connect_to(Client::connect(), ControllerStore::of_user())
}

/// The ends of one instance, which `master` may tune, with the assigned controllers of `store`.
pub fn connect_to(master: Option<Client>, store: Arc<ControllerStore>) -> (AudioEnd, EditorEnd, HostEnd) {
    let meters = Arc::new(SharedMeters::default());
    let (hits, motions, readings) = (bounded(HITS), bounded(MOTIONS), bounded(READINGS));
    let (trace, traced) = bounded(TRACE_POINTS);
    let (chunks, audio) = bounded(AUDIO_CHUNKS);
    let (events, editor_events) = bounded(MAX_EDITOR_EVENTS);
    let (requests, requested) = bounded(1);
    let ready = bounded(1);
    let (controllers, assigned) = bounded(1);
    let (retired, to_free) = bounded(RETIRED);
    let patch = Arc::new(SharedPatch::new(master));
    let programs = ProgramChanges::default();
    let loader = PatchLoader::new(Arc::clone(&patch), ready.clone());
    let editor = EditorEnd::new(EditorChannels {
        meters: meters.clone(),
        hits: hits.1.clone(),
        motions: motions.1.clone(),
        trace: traced,
        readings: readings.1.clone(),
        audio,
        events,
        loader: loader.clone(),
        controllers: Arc::clone(&store),
    });
    let channels = AudioChannels {
        meters,
        hits,
        motions,
        trace,
        readings,
        audio: AudioTap::new(chunks),
        events: editor_events,
        tunings: patch.tunings(),
        controllers: assigned,
        requests,
        ready: ready.1,
        retired,
        programs: programs.clone(),
    };
    let mut bodies = worker_task(requested, ready.0, to_free, patch, programs.clone());
    let mut assignments = controller_task(store, controllers);
    let task = Box::new(move || {
        bodies();
        assignments();
    });
    (AudioEnd::new(channels), editor, HostEnd::new(loader, programs, worker::register(task)))
}

/// The worker's task: frees retired objects, prepares requested bodies, follows the MTS-ESP master and program changes.
fn worker_task(
    requested: Receiver<BodySpec>,
    ready: Sender<Prepared>,
    to_free: Receiver<Retired>,
    patch: Arc<SharedPatch>,
    programs: ProgramChanges,
) -> WorkerTask {
    let mut waiting: Option<Prepared> = None;
    Box::new(move || {
        to_free.try_iter().for_each(drop);
        patch.follow_master();
        programs.serve();
        if waiting.is_none()
            && let Some(spec) = requested.try_iter().last()
        {
            let (generation, body) = patch.prepare_body(spec);
            waiting = Some(Prepared { generation, patch: None, body });
        }
        if let Some(prepared) = waiting.take()
            && let Err(TrySendError::Full(prepared)) = ready.try_send(prepared)
        {
            waiting = Some(prepared);
        }
    })
}

/// The worker's task that sends the assigned controllers to the audio thread, at first and after every change.
fn controller_task(store: Arc<ControllerStore>, controllers: Sender<Box<MidiMap>>) -> WorkerTask {
    let mut sent_version = None;
    Box::new(move || {
        let version = store.version();
        if sent_version != Some(version) && controllers.try_send(Box::new(MidiMap::clone(&store.map()))).is_ok() {
            sent_version = Some(version);
        }
    })
}

/// The editor's end: receives meters, hits, motion and sound; sends events and patches.
#[derive(Clone)]
pub struct EditorEnd {
    channels: EditorChannels,
}

/// The channels of the editor's end.
#[derive(Clone)]
pub struct EditorChannels {
    pub meters: Arc<SharedMeters>,
    pub hits: Receiver<HitPulse>,
    pub motions: Receiver<BodyMotion>,
    pub trace: Receiver<TracePoint>,
    pub readings: Receiver<ControllerReadings>,
    pub audio: Receiver<AudioChunk>,
    pub events: Sender<Event>,
    pub loader: PatchLoader,
    pub controllers: Arc<ControllerStore>,
}

impl EditorEnd {
    /// The end of `channels`.
    pub fn new(channels: EditorChannels) -> Self {
        Self { channels }
    }

    /// Peaks, limiter gain and load since the last call.
    pub fn levels(&self) -> Levels {
        self.channels.meters.take()
    }

    /// Counts a window that has been opened or closed. The audio thread sends motion only while one is open.
    pub fn watch(&self, is_open: bool) {
        self.channels.meters.count_window(is_open);
    }

    /// Notes whether the host hides the window: a hidden window is not drawn.
    pub fn hide(&self, is_hidden: bool) {
        self.channels.meters.set_hidden(is_hidden);
    }

    /// Whether the host hides the window.
    pub fn is_hidden(&self) -> bool {
        self.channels.meters.is_hidden()
    }

    /// The newest motion of the body that was struck last; `None` if there is none since the last call.
    pub fn body_motion(&self) -> Option<BodyMotion> {
        self.channels.motions.try_iter().last()
    }

    /// States of the driven hammer since the last call, oldest first.
    pub fn trace(&self) -> impl Iterator<Item = TracePoint> + '_ {
        self.channels.trace.try_iter()
    }

    /// The newest controller readings of the held notes; `None` if there are none since the last call.
    pub fn controller_readings(&self) -> Option<ControllerReadings> {
        self.channels.readings.try_iter().last()
    }

    /// The controller that moved last, if one has moved since the last call.
    pub fn moved_controller(&self) -> Option<MovedController> {
        self.channels.meters.take_controller()
    }

    /// The assigned controllers of the user.
    pub fn controllers(&self) -> &ControllerStore {
        &self.channels.controllers
    }

    /// Notes whether a window shows the sound. The audio thread sends sound only while one does.
    pub fn listen(&self, is_shown: bool) {
        self.channels.meters.set_wants_audio(is_shown);
    }

    /// The sound since the last call, oldest first.
    pub fn sound(&self) -> impl Iterator<Item = AudioChunk> + '_ {
        self.channels.audio.try_iter()
    }

    /// The tuning of the MTS-ESP master; `None` without a master.
    pub fn master(&self) -> Option<KeyFrequencies> {
        self.channels.loader.shared_patch().master_tuning()
    }

    /// Sample rate of the engine [Hz]; `None` before the first activation.
    pub fn rate(&self) -> Option<f64> {
        self.channels.loader.shared_patch().sample_rate()
    }

    /// Sends a patch to the audio thread.
    pub fn load(&self, patch: &Patch) {
        self.channels.loader.load(patch);
    }

    /// Limits the pickups of bodies sent from now on to the partials `indices`, counted before partial edits; empty for all. Not saved.
    pub fn set_solo(&self, indices: &[usize]) {
        self.channels.loader.shared_patch().set_solo(indices);
    }

    /// The partials of [`EditorEnd::set_solo`].
    pub fn solo(&self) -> Vec<usize> {
        self.channels.loader.shared_patch().solo()
    }

    /// Sends an event to the engine; dropped while the audio thread does not receive.
    pub fn play(&self, event: Event) {
        let _ = self.channels.events.try_send(event);
    }

    /// The hits since the last call, oldest first.
    pub fn hits(&self) -> impl Iterator<Item = HitPulse> {
        self.channels.hits.try_iter()
    }
}
