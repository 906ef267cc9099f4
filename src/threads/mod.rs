//! Floor 2: all that crosses threads. Meters, hits and program changes go out, prepared bodies and tunings come in, old bodies go
//! back to be freed.
//!
//! The ends of every wire are made together by [`wire`] and moved apart: [`AudioEnd`] to the audio thread, [`EditorEnd`] to the
//! editor, [`HostEnd`] to whoever loads states. The audio thread allocates, frees, locks and waits nowhere here, except that
//! rendering offline it sleeps until the body it asked for has come.

mod audio_end;
mod audio_tap;
mod program_changes;
mod rescan_flag;
mod shared_patch;
#[cfg(test)]
mod shown;
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
mod worker;

pub use crate::threads::rescan_flag::ParamRescanFlag;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use atomic_float::AtomicF32;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use crate::mts_esp::Client;
pub use crate::threads::audio_end::AudioEnd;
use crate::threads::audio_tap::AudioTap;
pub use crate::threads::audio_tap::{AudioChunk, STRIP};
use crate::threads::program_changes::Programs;
use crate::threads::shared_patch::SharedPatch;
use crate::threads::worker::{WorkerRegistration, WorkerTask};
use urto_engine::patch::ChokeGroups;
use urto_engine::patch::Patch;
use urto_engine::telemetry::BodyMotion;
use urto_engine::telemetry::ControllerReadings;
use urto_engine::tuning::KeyFrequencies;
use urto_engine::{BodySpec, Event, HitPulse, KitPlayer, PreparedBody, TracePoint};

/// Hits that wait for the editor; beyond them the oldest is dropped.
const HITS: usize = 4;
/// What the player does in the editor, until the next block takes it.
const PLAYED: usize = 16;
/// States of the body that wait for the editor; beyond them the oldest is dropped.
const SWINGS: usize = 2;
/// Time [s] between two tellings of how bodies and the driven hammer move: as often as fast screens change.
const MOTION: f64 = 1.0 / 120.0;
/// What the driven hammer did, until the editor takes it; beyond that it is lost.
const TRACED: usize = 512;
/// Strips of the sound until the editor takes them; beyond that they are lost.
const STRIPS: usize = 64;
/// What hands do that waits for the editor; beyond it the oldest is dropped.
const GESTURES: usize = 2;
/// Old bodies and crews on their way to be freed; beyond them the audio thread keeps them.
const OLD: usize = 8;
/// What the audio thread keeps of them until there is room.
const KEPT: usize = 4;
/// How often, and how many times, an offline rendering looks for a body.
const LOOK: Duration = Duration::from_micros(500);
const LOOKS: usize = 20_000;

/// What meters show, since last read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// Highest |sample| of left and right, before the limiter.
    pub peaks: [f32; 2],
    /// Lowest gain of the limiter; 1 = untouched.
    pub lowest_gain: f32,
    /// Bodies that sound now.
    pub sounding: u32,
    /// Highest |sample| of the side-chain.
    pub side_chain: f32,
    /// Part of its time that the audio thread spends here, the highest.
    pub load: f32,
}

struct Meters {
    peaks: [AtomicF32; 2],
    lowest_gain: AtomicF32,
    sounding: AtomicU32,
    side_chain: AtomicF32,
    load: AtomicF32,
    /// Windows that are open, and whether the host hides the one there is.
    watched: AtomicU32,
    hidden: AtomicBool,
    /// Whether one of them shows the sound.
    listened: AtomicBool,
}

impl Default for Meters {
    fn default() -> Self {
        let zero = || AtomicF32::new(0.0);
        Self {
            peaks: [zero(), zero()],
            lowest_gain: AtomicF32::new(1.0),
            sounding: AtomicU32::new(0),
            side_chain: zero(),
            load: zero(),
            watched: AtomicU32::new(0),
            hidden: AtomicBool::new(false),
            listened: AtomicBool::new(false),
        }
    }
}

/// A body on its way to the audio thread.
struct Prepared {
    generation: u64,
    /// What no knob holds if it comes with a patch; otherwise the audio thread asked for it.
    patch: Option<ChokeGroups>,
    /// Who plays from now on, if a patch says so.
    crew: Option<KitPlayerSlot>,
    body: Box<PreparedBody>,
}

/// The players of a kit, or nobody.
type KitPlayerSlot = Option<Box<KitPlayer>>;

/// What the audio thread has no more use for.
enum Retired {
    Body(#[expect(dead_code, reason = "it is only freed")] Box<PreparedBody>),
    Crew(#[expect(dead_code, reason = "it is only freed")] Box<KitPlayer>),
}

/// The editor's end.
#[derive(Clone)]
pub struct EditorEnd {
    meters: Arc<Meters>,
    hits: Receiver<HitPulse>,
    swings: Receiver<BodyMotion>,
    traces: Receiver<TracePoint>,
    gestures: Receiver<ControllerReadings>,
    sound: Receiver<AudioChunk>,
    played: Sender<Event>,
    loader: Loader,
}

/// The end of the thread that loads states and activates. The worker serves the instance for as long as it lives.
pub struct HostEnd {
    loader: Loader,
    programs: Programs,
    _worker: Option<Arc<WorkerRegistration>>,
}

/// Sends patches to the audio thread, from any other thread. Keeps no worker in service.
#[derive(Clone)]
pub struct Loader {
    desk: Arc<SharedPatch>,
    ready: (Sender<Prepared>, Receiver<Prepared>),
}

/// All wires of one instance.
pub fn connect() -> (AudioEnd, EditorEnd, HostEnd) {
    wire_to(Client::connect())
}

/// All wires of one instance that `master` may tune.
pub fn wire_to(master: Option<Client>) -> (AudioEnd, EditorEnd, HostEnd) {
    let meters = Arc::new(Meters::default());
    let swings = bounded(SWINGS);
    let (trace, traces) = bounded(TRACED);
    let gestures = bounded(GESTURES);
    let (strips, sound) = bounded(STRIPS);
    let hits = bounded(HITS);
    let (play, played) = bounded(PLAYED);
    let (requests, wanted) = bounded(1);
    let ready = bounded(1);
    let (old, freed) = bounded(OLD);
    let desk = Arc::new(SharedPatch::new(master));
    let loader = Loader { desk: Arc::clone(&desk), ready: ready.clone() };
    let editor = EditorEnd {
        meters: meters.clone(),
        hits: hits.1.clone(),
        swings: swings.1.clone(),
        traces,
        gestures: gestures.1.clone(),
        sound,
        played: play,
        loader: loader.clone(),
    };
    let programs = Programs::default();
    let bench = worker_task(wanted, ready.0.clone(), freed, Arc::clone(&desk), programs.clone());
    let audio = AudioEnd {
        meters,
        hits,
        swings,
        trace,
        gestures,
        sound: AudioTap::new(strips),
        played,
        tunings: desk.tunings(),
        requests,
        ready: ready.1.clone(),
        old,
        kept: Vec::with_capacity(KEPT),
        held: None,
        waiting: None,
        under_way: false,
        generation: 0,
        programs: programs.clone(),
        told: 0,
    };
    (audio, editor, HostEnd { loader, programs, _worker: worker::join(bench) })
}

/// The worker's end: frees what comes back, prepares what is asked for, follows the master and program changes.
fn worker_task(
    wanted: Receiver<BodySpec>,
    ready: Sender<Prepared>,
    freed: Receiver<Retired>,
    desk: Arc<SharedPatch>,
    programs: Programs,
) -> WorkerTask {
    let mut waiting: Option<Prepared> = None;
    Box::new(move || {
        freed.try_iter().for_each(drop);
        desk.follow();
        programs.serve();
        if waiting.is_none()
            && let Some(request) = wanted.try_iter().last()
        {
            let (generation, body) = desk.body(request);
            waiting = Some(Prepared { generation, patch: None, crew: None, body });
        }
        if let Some(prepared) = waiting.take()
            && let Err(TrySendError::Full(prepared)) = ready.try_send(prepared)
        {
            waiting = Some(prepared);
        }
    })
}

impl HostEnd {
    /// What sends patches to the audio thread.
    pub fn loader(&self) -> Loader {
        self.loader.clone()
    }

    /// Who reads the presets that program changes ask for, on the worker. He must not keep this end.
    pub fn read_programs(&self, reader: impl Fn(u8) + Send + Sync + 'static) {
        self.programs.read_by(Box::new(reader));
    }
}

impl Loader {
    /// Prepares the body of a patch here and now, and sends it off.
    pub fn load(&self, patch: &Patch) {
        self.send(patch, PreparedBody::of(patch).soloed(&self.desk.solo()));
    }

    /// Sends off a patch that has just been loaded, with its body. Bodies that were asked for before are no longer taken.
    pub fn send(&self, patch: &Patch, body: Box<PreparedBody>) {
        let crew = self.desk.rate().and_then(|rate| KitPlayer::of(patch, rate));
        let mut prepared = Prepared { generation: self.desk.load(patch), patch: Some(patch.chokes), crew: Some(crew), body };
        while let Err(TrySendError::Full(refused)) = self.ready.0.try_send(prepared) {
            prepared = refused;
            drop(self.ready.1.try_recv());
        }
    }
}

impl EditorEnd {
    /// Peaks and limiter since last asked.
    pub fn levels(&self) -> Levels {
        let Meters { peaks, lowest_gain, sounding, side_chain, load, .. } = &*self.meters;
        Levels {
            peaks: [peaks[0].swap(0.0, Relaxed), peaks[1].swap(0.0, Relaxed)],
            lowest_gain: lowest_gain.swap(1.0, Relaxed),
            sounding: sounding.load(Relaxed),
            side_chain: side_chain.swap(0.0, Relaxed),
            load: load.swap(0.0, Relaxed),
        }
    }

    /// A window has been opened or closed: only while one is, the audio thread tells how bodies swing.
    pub fn watch(&self, open: bool) {
        // a window may be opened before the last one has gone
        let count = |windows: u32| Some(if open { windows + 1 } else { windows.saturating_sub(1) });
        let _ = self.meters.watched.fetch_update(Relaxed, Relaxed, count);
    }

    /// The host hides the window, or shows it: what is hidden is not drawn.
    pub fn hide(&self, hidden: bool) {
        self.meters.hidden.store(hidden, Relaxed);
    }

    /// Whether the host hides the window.
    pub fn is_hidden(&self) -> bool {
        self.meters.hidden.load(Relaxed)
    }

    /// How the body that was struck last swings, if there is news since last asked.
    pub fn body_motion(&self) -> Option<BodyMotion> {
        self.swings.try_iter().last()
    }

    /// What the driven hammer did since last asked, oldest first.
    pub fn trace(&self) -> impl Iterator<Item = TracePoint> + '_ {
        self.traces.try_iter()
    }

    /// What hands do to the notes that are held, if there is news since last asked.
    pub fn gestures(&self) -> Option<ControllerReadings> {
        self.gestures.try_iter().last()
    }

    /// A window shows the sound, or no more: only while one does, the audio thread sends it.
    pub fn listen(&self, on: bool) {
        self.meters.listened.store(on, Relaxed);
    }

    /// The sound since last asked, oldest first.
    pub fn sound(&self) -> impl Iterator<Item = AudioChunk> + '_ {
        self.sound.try_iter()
    }

    /// The tuning of an MTS-ESP master, while there is one.
    pub fn master(&self) -> Option<KeyFrequencies> {
        self.loader.desk.followed()
    }

    /// Sample rate of the engine [Hz], once there is one.
    pub fn rate(&self) -> Option<f64> {
        self.loader.desk.rate()
    }

    /// Sends a patch to the audio thread.
    pub fn load(&self, patch: &Patch) {
        self.loader.load(patch);
    }

    /// Of every body that is sent from now on pickups hear the partials `places` alone, by their places before trims; all if there are
    /// none. Nothing of it is kept.
    pub fn set_solo(&self, places: &[usize]) {
        self.loader.desk.set_solo(places);
    }

    /// The partials of [`EditorEnd::set_solo`].
    pub fn solo(&self) -> Vec<usize> {
        self.loader.desk.solo()
    }

    /// Plays a note; forgotten if the audio thread does not come to take it.
    pub fn play(&self, event: Event) {
        let _ = self.played.try_send(event);
    }

    /// The hits since last asked, the oldest first.
    pub fn hits(&self) -> impl Iterator<Item = HitPulse> {
        self.hits.try_iter()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use urto_engine::params::ParamId;
    use urto_engine::patch::ListedMode;
    use urto_engine::{Engine, EngineConfig, NoteId};

    fn wait_for_body(audio: &mut AudioEnd, engine: &mut Engine) {
        let begun = Instant::now();
        while engine.requested_body().is_some() {
            assert!(begun.elapsed() < Duration::from_secs(20), "no body came");
            std::thread::sleep(LOOK);
            audio.exchange_bodies(engine, false);
        }
    }

    #[test]
    fn the_latest_wish_for_a_body_wins() {
        let (mut audio, _editor, _host) = connect();
        let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
        for modes in [5.0, 6.0, 7.0, 8.0] {
            engine.event(&Event::Set { knob: ParamId::Modes, value: modes });
            audio.exchange_bodies(&mut engine, false);
        }
        wait_for_body(&mut audio, &mut engine);
        assert_eq!(BodySpec::of(engine.settings()).modes, 8);
        assert!(!audio.under_way);
    }

    #[test]
    fn a_loaded_patch_brings_its_own_body_and_outdates_what_was_asked_before() {
        let (mut audio, _editor, host) = connect();
        let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
        engine.event(&Event::Set { knob: ParamId::Body, value: 2.0 });
        audio.exchange_bodies(&mut engine, false);
        let mode = |ratio| ListedMode { ratio, decay: None, mass: 1.0, shape: Default::default() };
        let chokes = ChokeGroups::new(&[vec![60, 64]]).expect("two keys");
        let mut patch = Patch { modes: vec![mode(1.0), mode(2.7)], chokes, ..Patch::default() };
        patch.settings.set(ParamId::Body, 2.0);
        host.loader().load(&patch);
        let begun = Instant::now();
        while audio.generation == 0 || audio.under_way {
            assert!(begun.elapsed() < Duration::from_secs(20), "the body did not come");
            std::thread::sleep(LOOK);
            audio.exchange_bodies(&mut engine, false);
        }
        let render = |engine: &mut Engine| {
            let mut sound = [[0.0f32; 2048], [0.0; 2048]];
            let [left, right] = &mut sound;
            engine.reset();
            for key in [60, 64] {
                engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key }, velocity: 0.7 });
            }
            engine.render(left, right, [&[]; 2]);
            sound
        };
        let mut fresh = Engine::new(EngineConfig::at(48e3), &patch);
        assert_eq!(
            render(&mut engine),
            render(&mut fresh),
            "the patch's own list of modes sounds, and its keys choke each other"
        );
    }

    #[test]
    fn of_many_hits_the_newest_are_shown() {
        let (mut audio, editor, _host) = connect();
        let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
        let mut sound = [[0.0f32; 1024], [0.0; 1024]];
        for key in 50..62 {
            engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key }, velocity: 0.7 });
            let [left, right] = &mut sound;
            engine.render(left, right, [&[]; 2]);
            audio.send_telemetry(&mut engine);
        }
        let hit = editor.hits().last().expect("a hit");
        assert!(hit.key >= 60, "key {}", hit.key);
        assert!(editor.hits().next().is_none(), "each is shown once");
        let levels = editor.levels();
        assert!(levels.peaks[0] > 0.0 && levels.sounding > 0);
        assert_eq!(editor.levels().peaks, [0.0; 2], "peaks are since last asked");
    }
}
