//! The editor object that a host owns, and the open windows of the process.
//!
//! The editor is that of the framework; it also records whether its window is hidden. The framework does not report that a window
//! is closed, but then drops the values in its memory.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};

use egui::{Context, Id};
use fragile::Fragile;
use nice_plug::context::PluginApi;
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::{LogicalSize, NativeSize, PhysicalSize, Size};
use nice_plug::editor::{
    Editor, EditorHandle, HostMethods, Modifiers, ParentWindowHandle, ResizeHint, SpawnedEditor, VirtualKeyCode,
};
use nice_plug::plugin::TrackInfo;
use nice_plug_egui::{EguiEditor, EguiEditorHandle, EguiEditorState, EguiNiceSettings, RepaintNotifier, create_egui_editor};

use crate::editor::editor_window::EditorWindow;
use crate::editor::preferences::Prefs;
use crate::editor::theme::{PAGES, SIZE};
use crate::editor::window_size::{HostFunctions, HostWindow, resize_hint};
use crate::host_params::HostParams;
use crate::threads::{EditorEnd, ParamRescanFlag};

/// The window of a handle, and its error.
type Window = <EguiEditorHandle as EditorHandle>::Window;
type WindowError = <EguiEditorHandle as EditorHandle>::Error;

/// The editor of one instance.
pub struct HostEditor {
    editor: EguiEditor<EditorWindow>,
    audio: EditorEnd,
    host: Arc<HostWindow>,
}

/// The handle of an open editor.
pub struct HostEditorHandle {
    handle: EguiEditorHandle,
    audio: EditorEnd,
    host: Arc<HostWindow>,
    /// None in the standalone program.
    functions: Option<Fragile<HostFunctions>>,
    api: PluginApi,
}

impl HostEditorHandle {
    /// Asks the host for `size`, on its main thread.
    fn request_size(&self, size: PhysicalSize<u32>, window: &Window) {
        let Some(functions) = &self.functions else { return };
        let scale = window.size().scale_factor;
        let before = self.host.take_granted();
        let is_granted = functions.get().borrow_mut().request_resize(Size::Physical(size), scale).is_ok();
        let granted = self.host.take_granted();
        if let Some(size) = granted.or(before) {
            self.host.grant(size);
        }
        // a CLAP host that agrees need not set the size; a VST3 host sets it, and the framework does not report its answer
        if granted.is_none() && is_granted && self.api == PluginApi::Clap {
            let _ = self.set_size(NativeSize::from_size(Size::Physical(size), scale), window);
        }
    }
}

impl Drop for HostEditorHandle {
    fn drop(&mut self) {
        self.host.close();
    }
}

/// Makes the editor of an instance.
/// `page` is the name of the page shown first.
pub fn open(
    params: Arc<HostParams>,
    audio: EditorEnd,
    bell: Arc<ParamRescanFlag>,
    repaint: RepaintNotifier,
    page: &str,
) -> Option<HostEditor> {
    let size = |[width, height]: [f32; 2]| LogicalSize::new(width, height);
    let settings = EguiNiceSettings::new().with_tile("Urto").with_resize_hint(resize_hint());
    let mut editor = EditorWindow::new(params, audio, bell, Prefs::load(), repaint.clone());
    editor.pages.current = PAGES.iter().position(|name| *name == page).unwrap_or(0);
    let zoom = editor.prefs.zoom;
    let (audio, host) = (editor.instance.audio.clone(), Arc::clone(editor.size.host()));
    create_egui_editor(EguiEditorState::from_size(size(SIZE), zoom), repaint, settings, editor).map(|editor| HostEditor {
        editor,
        audio,
        host,
    })
}

impl Editor for HostEditor {
    type Handle = HostEditorHandle;

    fn spawn(
        &self,
        parent: Option<ParentWindowHandle>,
        wait_for_parent: bool,
        fallback_scale_factor: Option<f64>,
        gui_context: GuiContext,
        host: Option<HostMethods>,
    ) -> Result<SpawnedEditor<HostEditorHandle>, Box<dyn Error>> {
        crate::loaded_libraries::keep_graphics_library();
        self.audio.hide(false);
        let api = gui_context.plugin_api();
        let (host, functions) = host.map(|host| self.host.connect(host)).unzip();
        let SpawnedEditor { handle, window } =
            self.editor.spawn(parent, wait_for_parent, fallback_scale_factor, gui_context, host)?;
        let functions = functions.map(Fragile::new);
        let handle = HostEditorHandle { handle, audio: self.audio.clone(), host: Arc::clone(&self.host), functions, api };
        Ok(SpawnedEditor { handle, window })
    }

    fn size(&self) -> NativeSize<u32> {
        self.host.size().unwrap_or_else(|| self.editor.size())
    }

    fn resize_hint(&self) -> ResizeHint {
        self.editor.resize_hint()
    }

    fn track_info_updated(&self, info: TrackInfo) {
        self.editor.track_info_updated(info);
    }
}

impl EditorHandle for HostEditorHandle {
    type Window = Window;
    type Error = WindowError;

    fn run_until_closed(window: Window) -> Result<(), WindowError> {
        EguiEditorHandle::run_until_closed(window)
    }

    fn set_parent(&self, parent: ParentWindowHandle, window: &Window) -> Result<(), WindowError> {
        self.handle.set_parent(parent, window)
    }

    fn show(&self, window: &Window) -> Result<(), WindowError> {
        self.audio.hide(false);
        self.handle.show(window)
    }

    fn hide(&self, window: &Window) -> Result<(), WindowError> {
        self.audio.hide(true);
        self.handle.hide(window)
    }

    fn set_size(&self, new_size: NativeSize<u32>, window: &Window) -> Result<(), WindowError> {
        self.host.grant(new_size.to_physical(window.size().scale_factor));
        self.handle.set_size(new_size, window)
    }

    fn host_main_thread_callback(&self, window: &Window) {
        self.handle.host_main_thread_callback(window);
        if let Some(size) = self.host.take_request() {
            self.request_size(size, window);
        }
    }

    fn adjust_size(&self, new_size: NativeSize<u32>, window: &Window) -> Option<NativeSize<u32>> {
        self.handle.adjust_size(new_size, window)
    }

    fn set_fallback_scale_factor(&self, scale_factor: f64, window: &Window) -> Result<(), WindowError> {
        self.handle.set_fallback_scale_factor(scale_factor, window)
    }

    fn on_virtual_key_from_host(&self, key_code: VirtualKeyCode, is_down: bool, modifiers: Modifiers) -> bool {
        self.handle.on_virtual_key_from_host(key_code, is_down, modifiers)
    }

    fn state_changed(&self) {
        self.handle.state_changed();
    }

    fn param_value_changed(&self, id: &str, normalized_value: f32) {
        if !self.audio.is_hidden() {
            self.handle.param_value_changed(id, normalized_value);
        }
    }

    fn param_modulation_changed(&self, id: &str, modulation_offset: f32) {
        if !self.audio.is_hidden() {
            self.handle.param_modulation_changed(id, modulation_offset);
        }
    }
}

/// Whether every window of the process has to close, and the open windows.
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
        let (mut audio, editor, _host) = threads::connect_to(None, Arc::default());
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
