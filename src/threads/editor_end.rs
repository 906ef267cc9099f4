//! The editor's end: receives meters, hits, motion and sound; sends events and patches.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};

use crate::threads::audio_tap::AudioChunk;
use crate::threads::host_end::PatchLoader;
use crate::threads::messages::{Levels, SharedMeters};
use urto_engine::patch::Patch;
use urto_engine::telemetry::BodyMotion;
use urto_engine::telemetry::ControllerReadings;
use urto_engine::tuning::KeyFrequencies;
use urto_engine::{Event, HitPulse, TracePoint};

/// The editor's end.
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
