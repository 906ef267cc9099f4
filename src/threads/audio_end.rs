//! The audio thread's end, and the tap that sends the sound to an open window.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, TrySendError};

use crate::threads::host_end::HostEnd;
use crate::threads::messages::{KitPlayerSlot, LoadedPatch, MovedController, Prepared, ProgramChanges, Retired, SharedMeters};
use urto_engine::telemetry::{BodyMotion, ControllerReadings};
use urto_engine::tuning::TuningSet;
use urto_engine::{BodySpec, ControllerAssignment, DrumModule, Engine, Event, HitPulse, MidiMap, TracePoint};

/// Events of the editor that wait for the next block, and are taken in one block.
pub const MAX_EDITOR_EVENTS: usize = 16;
/// Retired objects that the audio thread keeps while the channel back is full.
const MAX_KEPT: usize = 4;
/// Time [s] between two reports of motion: the refresh period of fast screens.
const MOTION_INTERVAL: f64 = 1.0 / 120.0;
/// Time between two polls of an offline rendering that waits for the worker.
pub const POLL_INTERVAL: Duration = Duration::from_micros(500);
/// Polls after which an offline rendering continues without the worker's answer: 10 s.
const MAX_POLLS: usize = 20_000;

/// Samples of a chunk of the sound for an open window.
pub const CHUNK_LENGTH: usize = 256;

/// A channel of which the sender drops the oldest message when it is full.
pub type LossyChannel<T> = (Sender<T>, Receiver<T>);

/// The channels of the audio thread's end.
pub struct AudioChannels {
    pub meters: Arc<SharedMeters>,
    pub hits: LossyChannel<HitPulse>,
    pub motions: LossyChannel<BodyMotion>,
    pub trace: Sender<TracePoint>,
    pub readings: LossyChannel<ControllerReadings>,
    pub audio: AudioTap,
    pub events: Receiver<Event>,
    pub tunings: Receiver<TuningSet>,
    pub controllers: Receiver<Box<MidiMap>>,
    pub requests: Sender<BodySpec>,
    pub ready: Receiver<Prepared>,
    pub retired: Sender<Retired>,
    pub programs: ProgramChanges,
}

/// The audio thread's end: receives bodies, tunings and the editor's events, returns retired bodies, sends telemetry.
pub struct AudioEnd {
    channels: AudioChannels,
    /// Retired objects for which the channel had no room.
    kept: Vec<Retired>,
    /// A body for which the engine had no room yet.
    refused_body: Option<Prepared>,
    /// The assigned controllers.
    controllers: Box<MidiMap>,
    /// A kit player that waits until the one before the last has rung out.
    waiting_kit: Option<KitPlayerSlot>,
    /// Whether a requested body has not arrived yet.
    is_requested: bool,
    /// Number of the patch that the engine plays.
    generation: u64,
    /// Frame of the last report of motion.
    last_motion: u64,
}

impl AudioEnd {
    /// The end of `channels`; allocates.
    pub fn new(channels: AudioChannels) -> Self {
        Self {
            channels,
            kept: Vec::with_capacity(MAX_KEPT),
            refused_body: None,
            controllers: Box::default(),
            waiting_kit: None,
            is_requested: false,
            generation: 0,
            last_motion: 0,
        }
    }

    /// Discards bodies in the channel, because `engine` has just been built with the current patch, and sets the tuning in force. Not
    /// for the audio thread.
    pub fn activate(&mut self, host: &HostEnd, engine: &mut Engine) {
        while let Ok(prepared) = self.channels.ready.try_recv() {
            self.is_requested &= prepared.patch.is_some();
        }
        self.kept.clear();
        (self.refused_body, self.waiting_kit) = (None, None);
        let (generation, tunings) = host.activate(engine.config().sample_rate);
        self.generation = generation;
        engine.tune(&tunings);
    }

    /// Gives the engine a new tuning, if there is one.
    pub fn tunings(&self, engine: &mut Engine) {
        if let Ok(tunings) = self.channels.tunings.try_recv() {
            engine.tune(&tunings);
        }
    }

    /// Takes new assignments of controllers, if there are any.
    pub fn take_controllers(&mut self) {
        if self.kept.is_empty()
            && let Ok(controllers) = self.channels.controllers.try_recv()
        {
            let replaced = std::mem::replace(&mut self.controllers, controllers);
            self.retire(Retired::Controllers(replaced));
        }
    }

    /// The module whose pads play kits.
    pub fn drums(&self) -> DrumModule {
        self.controllers.drums
    }

    /// The parameters that a controller sets; tells a window that it has moved.
    pub fn assigned_to(&self, moved: MovedController) -> impl Iterator<Item = &ControllerAssignment> {
        if self.is_seen() {
            self.channels.meters.note_controller(moved);
        }
        self.controllers.of_controller(moved.channel, moved.number)
    }

    /// Gives the engine the body that it requests: one request at a time, the latest wins. With `wait`, for offline rendering, returns
    /// when the body has arrived.
    pub fn exchange_bodies(&mut self, engine: &mut Engine, wait: bool) {
        self.return_retired(engine);
        self.take_ready(engine);
        self.install_kit(engine);
        self.request_body(engine);
        let mut polls = 0;
        while wait && self.is_requested && polls < MAX_POLLS {
            std::thread::sleep(POLL_INTERVAL);
            self.take_ready(engine);
            self.install_kit(engine);
            self.return_retired(engine);
            self.request_body(engine);
            polls += 1;
        }
        self.is_requested &= polls < MAX_POLLS;
    }

    /// Requests the preset of a program change from the worker; the latest request wins. With `wait`, for offline rendering, returns
    /// when it has been loaded.
    pub fn program(&self, number: u8, wait: bool) {
        self.channels.programs.request(number);
        let mut polls = 0;
        while wait && !self.channels.programs.is_served() && polls < MAX_POLLS {
            std::thread::sleep(POLL_INTERVAL);
            polls += 1;
        }
    }

    /// Passes the editor's events to the engine.
    pub fn take_editor_events(&self, engine: &mut Engine) {
        self.channels.events.try_iter().take(MAX_EDITOR_EVENTS).for_each(|event| engine.event(&event));
    }

    /// The editor's events, for tests without an engine.
    #[cfg(test)]
    pub fn heard(&self) -> impl Iterator<Item = Event> {
        self.channels.events.try_iter()
    }

    /// Whether a requested body has not arrived yet.
    #[cfg(test)]
    pub fn is_waiting(&self) -> bool {
        self.is_requested
    }

    /// Number of patches that were loaded.
    #[cfg(test)]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Sends meters, hits and, while a window is seen, motion to the editor.
    pub fn send_telemetry(&mut self, engine: &mut Engine) {
        let meters = engine.take_meters();
        self.channels.meters.add_output(meters.peaks, meters.lowest_gain, engine.active_voices() as u32);
        self.channels.meters.add_stiffening(engine.take_stiffening());
        if let Some(hit) = engine.take_hit() {
            send_newest(&self.channels.hits, hit);
        }
        let elapsed = engine.frame().abs_diff(self.last_motion) as f64;
        if elapsed >= MOTION_INTERVAL * engine.config().sample_rate && self.is_seen() {
            self.last_motion = engine.frame();
            self.send_motion(engine);
        }
    }

    /// Whether a window is open and not hidden.
    pub fn is_seen(&self) -> bool {
        self.channels.meters.is_seen()
    }

    /// Sends the motion of body and driven hammer.
    fn send_motion(&mut self, engine: &mut Engine) {
        if let Some(motion) = engine.body_motion() {
            send_newest(&self.channels.motions, motion);
        }
        send_newest(&self.channels.readings, engine.controller_readings());
        for point in engine.take_trace() {
            let _ = self.channels.trace.try_send(point);
        }
    }

    /// Sends the sound of a block, left and right of the same length, while a window shows it.
    pub fn send_audio(&mut self, sound: [&[f32]; 2]) {
        if self.channels.meters.wants_audio() {
            self.channels.audio.take(sound);
        }
    }

    /// Adds to the meters the highest |sample| of the side-chain, and the share of the block's duration that was used.
    pub fn measure(&self, side_chain: f32, load: f32) {
        self.channels.meters.add_block(side_chain, load);
    }

    fn request_body(&mut self, engine: &Engine) {
        if !self.is_requested
            && self.kept.is_empty()
            && self.refused_body.is_none()
            && let Some(request) = engine.requested_body()
        {
            self.is_requested = self.channels.requests.try_send(request).is_ok();
        }
    }

    fn take_ready(&mut self, engine: &mut Engine) {
        while self.kept.is_empty()
            && let Some(prepared) = self.refused_body.take().or_else(|| self.channels.ready.try_recv().ok())
        {
            self.is_requested &= prepared.patch.is_some();
            let Prepared { generation, mut patch, body } = prepared;
            if generation < self.generation || patch.is_none() && engine.requested_body() != Some(body.request()) {
                self.retire(Retired::Body(body));
                self.retire_kit(patch.and_then(|patch| patch.kit));
                continue;
            }
            self.generation = generation;
            if let Some(LoadedPatch { chokes, macros, kit }) = &mut patch {
                engine.set_choke_groups(chokes);
                engine.set_macros(macros);
                if kit.is_some() {
                    let replaced = std::mem::replace(&mut self.waiting_kit, kit.take());
                    self.retire_kit(replaced);
                }
            }
            let queued = engine.queue_body(body);
            if patch.is_some() {
                engine.install_body();
            }
            match queued {
                Ok(Some(retired)) => self.retire(Retired::Body(retired)),
                Ok(None) => {}
                Err(body) => {
                    self.refused_body = Some(Prepared { generation, patch, body });
                    return;
                }
            }
        }
    }

    fn return_retired(&mut self, engine: &mut Engine) {
        while let Some(retired) = self.kept.pop() {
            if let Err(TrySendError::Full(retired) | TrySendError::Disconnected(retired)) =
                self.channels.retired.try_send(retired)
            {
                return self.kept.push(retired);
            }
        }
        while self.kept.is_empty()
            && let Some(retired) =
                engine.take_retired_body().map(Retired::Body).or_else(|| engine.take_retired_kit().map(Retired::Kit))
        {
            self.retire(retired);
        }
    }

    /// Installs the kit player of the last patch, unless the one before the last still sounds.
    fn install_kit(&mut self, engine: &mut Engine) {
        if self.kept.is_empty()
            && let Some(kit) = self.waiting_kit.take()
        {
            match engine.install_kit(kit) {
                Ok(Some(retired)) => self.retire(Retired::Kit(retired)),
                Ok(None) => {}
                Err(kit) => self.waiting_kit = Some(kit),
            }
        }
    }

    /// Sends an object to be freed, or keeps it. Between two checks that `kept` is empty at most [`MAX_KEPT`] are kept: it never grows.
    fn retire(&mut self, retired: Retired) {
        if let Err(TrySendError::Full(retired) | TrySendError::Disconnected(retired)) = self.channels.retired.try_send(retired) {
            self.kept.push(retired);
        }
    }

    fn retire_kit(&mut self, kit: Option<KitPlayerSlot>) {
        if let Some(Some(kit)) = kit {
            self.retire(Retired::Kit(kit));
        }
    }
}

/// Sends a message; a full channel drops its oldest one.
fn send_newest<T>((sender, receiver): &LossyChannel<T>, message: T) {
    if let Err(TrySendError::Full(message)) = sender.try_send(message) {
        let _ = receiver.try_recv();
        let _ = sender.try_send(message);
    }
}

/// A piece of the sound: the mean of left and right.
pub type AudioChunk = [f32; CHUNK_LENGTH];

/// Collects chunks of the sound and sends them; never allocates, locks or waits.
pub struct AudioTap {
    chunk: AudioChunk,
    filled: usize,
    chunks: Sender<AudioChunk>,
}

impl AudioTap {
    /// A tap that sends to `chunks`.
    pub fn new(chunks: Sender<AudioChunk>) -> Self {
        Self { chunk: [0.0; CHUNK_LENGTH], filled: 0, chunks }
    }

    /// Takes left and right of a block. A chunk for which the channel has no room is dropped.
    pub fn take(&mut self, [left, right]: [&[f32]; 2]) {
        for (left, right) in left.iter().zip(right) {
            self.chunk[self.filled] = 0.5 * (left + right);
            self.filled += 1;
            if self.filled == CHUNK_LENGTH {
                let _ = self.chunks.try_send(self.chunk);
                self.filled = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::bounded;

    use super::*;

    #[test]
    fn chunks_are_contiguous_for_any_block_size() {
        let (send, chunks) = bounded(8);
        let mut tap = AudioTap::new(send);
        let sound: Vec<f32> = (0..1100).map(|k| k as f32).collect();
        for block in sound.chunks(77) {
            tap.take([block, block]);
        }
        let received: Vec<f32> = chunks.try_iter().flatten().collect();
        assert_eq!(received, sound[..1024]);
    }
}
