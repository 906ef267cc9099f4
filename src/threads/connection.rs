//! Makes the three ends of one instance, and the worker's task between them.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use crate::mts_esp::Client;
use crate::threads::audio_end::{AudioChannels, AudioEnd, MAX_EDITOR_EVENTS};
use crate::threads::audio_tap::AudioTap;
use crate::threads::editor_end::{EditorChannels, EditorEnd};
use crate::threads::host_end::{HostEnd, PatchLoader};
use crate::threads::messages::{Prepared, Retired, SharedMeters};
use crate::threads::program_changes::ProgramChanges;
use crate::threads::shared_patch::SharedPatch;
use crate::threads::worker::{self, WorkerTask};
use urto_engine::BodySpec;

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
    connect_to(Client::connect())
}

/// The ends of one instance, which `master` may tune.
pub fn connect_to(master: Option<Client>) -> (AudioEnd, EditorEnd, HostEnd) {
    let meters = Arc::new(SharedMeters::default());
    let (hits, motions, readings) = (bounded(HITS), bounded(MOTIONS), bounded(READINGS));
    let (trace, traced) = bounded(TRACE_POINTS);
    let (chunks, audio) = bounded(AUDIO_CHUNKS);
    let (events, editor_events) = bounded(MAX_EDITOR_EVENTS);
    let (requests, requested) = bounded(1);
    let ready = bounded(1);
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
        requests,
        ready: ready.1,
        retired,
        programs: programs.clone(),
    };
    let task = worker_task(requested, ready.0, to_free, patch, programs.clone());
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
