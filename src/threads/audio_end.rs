//! The audio thread's end of all wires: bodies and tunings come in and old bodies go back, what there is to show goes out.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crossbeam_channel::{Receiver, Sender, TrySendError};

use crate::threads::audio_tap::AudioTap;
use crate::threads::program_changes::Programs;
use crate::threads::{HostEnd, KitPlayerSlot, LOOK, LOOKS, MOTION, Meters, PLAYED, Prepared, Retired};
use urto_engine::telemetry::BodyMotion;
use urto_engine::telemetry::ControllerReadings;
use urto_engine::tuning::TuningSet;
use urto_engine::{BodySpec, Engine, Event, HitPulse, TracePoint};

/// The audio thread's end.
pub struct AudioEnd {
    pub(super) meters: Arc<Meters>,
    pub(super) hits: (Sender<HitPulse>, Receiver<HitPulse>),
    pub(super) swings: (Sender<BodyMotion>, Receiver<BodyMotion>),
    pub(super) trace: Sender<TracePoint>,
    pub(super) gestures: (Sender<ControllerReadings>, Receiver<ControllerReadings>),
    pub(super) sound: AudioTap,
    pub(super) played: Receiver<Event>,
    pub(super) tunings: Receiver<TuningSet>,
    pub(super) requests: Sender<BodySpec>,
    pub(super) ready: Receiver<Prepared>,
    pub(super) old: Sender<Retired>,
    /// What there was no room for on the way to be freed.
    pub(super) kept: Vec<Retired>,
    /// A body for which the engine had no room yet.
    pub(super) held: Option<Prepared>,
    /// Who has to wait until those who played before the last patch have rung out.
    pub(super) waiting: Option<KitPlayerSlot>,
    pub(super) under_way: bool,
    pub(super) generation: u64,
    pub(super) programs: Programs,
    /// Frame at which motion was told of last.
    pub(super) told: u64,
}

impl AudioEnd {
    /// Forgets bodies that are on their way: `engine` has just been built with the patch as it stands. Tunes it as is in force.
    /// Not for the audio thread.
    pub fn activate(&mut self, host: &HostEnd, engine: &mut Engine) {
        while let Ok(prepared) = self.ready.try_recv() {
            self.under_way &= prepared.patch.is_some();
        }
        self.kept.clear();
        (self.held, self.waiting) = (None, None);
        let (generation, tunings) = host.loader.desk.start(engine.config().sample_rate);
        self.generation = generation;
        engine.tune(&tunings);
    }

    /// Brings the engine the tunings that there are now.
    pub fn tunings(&self, engine: &mut Engine) {
        if let Ok(tunings) = self.tunings.try_recv() {
            engine.tune(&tunings);
        }
    }

    /// Brings the engine the body that it wants: the latest wish wins, one is under way at a time. With `wait`, which is for
    /// rendering offline, returns when the body is there.
    pub fn exchange_bodies(&mut self, engine: &mut Engine, wait: bool) {
        self.give_back(engine);
        self.take_ready(engine);
        self.staff(engine);
        self.ask(engine);
        let mut looks = 0;
        while wait && self.under_way && looks < LOOKS {
            std::thread::sleep(LOOK);
            self.take_ready(engine);
            self.staff(engine);
            self.give_back(engine);
            self.ask(engine);
            looks += 1;
        }
        self.under_way &= looks < LOOKS;
    }

    /// Asks the worker for the preset of a program change; the latest wins. With `wait`, which is for rendering offline, returns
    /// when it has been loaded.
    pub fn program(&self, number: u8, wait: bool) {
        self.programs.want(number);
        let mut looks = 0;
        while wait && !self.programs.is_done() && looks < LOOKS {
            std::thread::sleep(LOOK);
            looks += 1;
        }
    }

    /// Hands the engine what the player has done in the editor.
    pub fn take_editor_events(&self, engine: &mut Engine) {
        self.played.try_iter().take(PLAYED).for_each(|event| engine.event(&event));
    }

    /// What the player has done in the editor, in place of an engine.
    #[cfg(test)]
    pub fn heard(&self) -> impl Iterator<Item = Event> {
        self.played.try_iter()
    }

    /// Sends what the engine has to show.
    pub fn send_telemetry(&mut self, engine: &mut Engine) {
        let meters = engine.take_meters();
        for (shown, peak) in self.meters.peaks.iter().zip(meters.peaks) {
            shown.fetch_max(peak, Relaxed);
        }
        self.meters.lowest_gain.fetch_min(meters.lowest_gain, Relaxed);
        self.meters.sounding.store(engine.sounding() as u32, Relaxed);
        if let Some(hit) = engine.take_hit()
            && let Err(TrySendError::Full(hit)) = self.hits.0.try_send(hit)
        {
            let _ = self.hits.1.try_recv();
            let _ = self.hits.0.try_send(hit);
        }
        let due = engine.frame().abs_diff(self.told) as f64 >= MOTION * engine.config().sample_rate;
        if due && self.is_seen() {
            self.told = engine.frame();
            self.show_motion(engine);
        }
    }

    /// Whether a window is open and shown.
    pub fn is_seen(&self) -> bool {
        self.meters.watched.load(Relaxed) > 0 && !self.meters.hidden.load(Relaxed)
    }

    /// Sends how body and driven hammer move; where nobody takes it, it is lost.
    fn show_motion(&mut self, engine: &mut Engine) {
        if let Some(swing) = engine.swing()
            && let Err(TrySendError::Full(swing)) = self.swings.0.try_send(swing)
        {
            let _ = self.swings.1.try_recv();
            let _ = self.swings.0.try_send(swing);
        }
        if let Err(TrySendError::Full(gestures)) = self.gestures.0.try_send(engine.gestures()) {
            let _ = self.gestures.1.try_recv();
            let _ = self.gestures.0.try_send(gestures);
        }
        for point in engine.take_trace() {
            let _ = self.trace.try_send(point);
        }
    }

    /// Sends the sound of a block, left and right of the same length, while a window shows it.
    pub fn send_audio(&mut self, sound: [&[f32]; 2]) {
        if self.meters.listened.load(Relaxed) {
            self.sound.take(sound);
        }
    }

    /// Tells the highest |sample| of the side-chain, and the part of its time that this block has taken.
    pub fn measure(&self, side_chain: f32, load: f32) {
        self.meters.side_chain.fetch_max(side_chain, Relaxed);
        self.meters.load.fetch_max(load, Relaxed);
    }

    fn ask(&mut self, engine: &Engine) {
        if !self.under_way
            && self.kept.is_empty()
            && self.held.is_none()
            && let Some(request) = engine.requested_body()
        {
            self.under_way = self.requests.try_send(request).is_ok();
        }
    }

    fn take_ready(&mut self, engine: &mut Engine) {
        while self.kept.is_empty()
            && let Some(prepared) = self.held.take().or_else(|| self.ready.try_recv().ok())
        {
            self.under_way &= prepared.patch.is_some();
            let Prepared { generation, patch, crew, body } = prepared;
            if generation < self.generation || patch.is_none() && engine.requested_body() != Some(body.request()) {
                self.send_old(Retired::Body(body));
                self.dismiss(crew);
                continue;
            }
            self.generation = generation;
            if let Some(chokes) = &patch {
                engine.choke_together(chokes);
            }
            if crew.is_some() {
                let passed_over = std::mem::replace(&mut self.waiting, crew);
                self.dismiss(passed_over);
            }
            let taken = engine.queue_body(body);
            if patch.is_some() {
                engine.install_body();
            }
            match taken {
                Ok(Some(old)) => self.send_old(Retired::Body(old)),
                Ok(None) => {}
                Err(body) => {
                    self.held = Some(Prepared { generation, patch, crew: None, body });
                    return;
                }
            }
        }
    }

    fn give_back(&mut self, engine: &mut Engine) {
        while let Some(old) = self.kept.pop() {
            if let Err(TrySendError::Full(old) | TrySendError::Disconnected(old)) = self.old.try_send(old) {
                return self.kept.push(old);
            }
        }
        while self.kept.is_empty()
            && let Some(old) =
                engine.take_retired_body().map(Retired::Body).or_else(|| engine.take_retired_kit().map(Retired::Crew))
        {
            self.send_old(old);
        }
    }

    /// The players of the last patch take over from those before.
    fn staff(&mut self, engine: &mut Engine) {
        if self.kept.is_empty()
            && let Some(crew) = self.waiting.take()
        {
            match engine.install_kit(crew) {
                Ok(Some(gone)) => self.send_old(Retired::Crew(gone)),
                Ok(None) => {}
                Err(crew) => self.waiting = Some(crew),
            }
        }
    }

    /// At most [`KEPT`](crate::threads::KEPT) of them between two looks at `kept`: it never grows.
    fn send_old(&mut self, old: Retired) {
        if let Err(TrySendError::Full(old) | TrySendError::Disconnected(old)) = self.old.try_send(old) {
            self.kept.push(old);
        }
    }

    fn dismiss(&mut self, crew: Option<KitPlayerSlot>) {
        if let Some(Some(crew)) = crew {
            self.send_old(Retired::Crew(crew));
        }
    }
}
