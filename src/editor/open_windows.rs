//! The open windows of the process. The framework does not report that a window is closed,
//! but then drops the values in its memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use egui::{Context, Id};
use nice_plug_egui::RepaintNotifier;

use crate::host_params::HostParams;
use crate::threads::EditorEnd;

/// Whether every window of the process is to close, and the open windows.
static CLOSING: AtomicBool = AtomicBool::new(false);
static OPEN: Mutex<BTreeMap<u64, RepaintNotifier>> = Mutex::new(BTreeMap::new());
static COUNT: AtomicU64 = AtomicU64::new(0);

/// Closes every window of the process at its next frame; for a standalone program that has been interrupted.
pub fn close() {
    CLOSING.store(true, Relaxed);
    OPEN.lock().unwrap_or_else(PoisonError::into_inner).values().for_each(RepaintNotifier::request_repaint);
}

/// Whether [`close`] has been called.
pub fn is_closing() -> bool {
    CLOSING.load(Relaxed)
}

/// An open window. While one is open, the audio thread sends the motion of the bodies.
pub struct OpenWindow {
    number: u64,
    audio: EditorEnd,
    params: Arc<HostParams>,
}

impl OpenWindow {
    /// Registers the window of `context` as open until it is closed.
    pub fn remember(context: &Context, params: Arc<HostParams>, audio: EditorEnd, repaint: RepaintNotifier) {
        audio.watch(true);
        let number = COUNT.fetch_add(1, Relaxed);
        OPEN.lock().unwrap_or_else(PoisonError::into_inner).insert(number, repaint);
        context.data_mut(|data| data.insert_temp(Id::NULL, Arc::new(Self { number, audio, params })));
    }
}

impl Drop for OpenWindow {
    fn drop(&mut self) {
        self.audio.watch(false);
        self.audio.listen(false);
        // solo applies only while its window is open
        if !self.audio.solo().is_empty() {
            self.audio.set_solo(&[]);
            self.audio.load(&self.params.patch());
        }
        OPEN.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads;
    use urto_engine::patch::Patch;
    use urto_engine::{Engine, EngineConfig, Event, NoteId};

    #[test]
    fn the_audio_thread_shows_motion_only_while_a_window_is_open() {
        let (mut audio, editor, _host) = threads::connect_to(None);
        let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
        engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key: 57 }, velocity: 0.7 });
        let mut is_shown = || {
            let [left, right] = &mut [[0.0; 256]; 2];
            engine.render(left, right, [&[]; 2]);
            audio.send_telemetry(&mut engine);
            editor.body_motion().is_some()
        };
        assert!(!is_shown());
        for _ in 0..3 {
            let context = Context::default();
            OpenWindow::remember(&context, Arc::new(HostParams::new(|_| ())), editor.clone(), RepaintNotifier::new());
            editor.set_solo(&[1]);
            assert!(is_shown(), "open");
            editor.hide(true);
            assert!(!is_shown(), "hidden");
            editor.hide(false);
            assert!(is_shown(), "shown again");
            drop(context);
            assert!(!is_shown() && editor.solo().is_empty(), "closed");
        }
    }
}
