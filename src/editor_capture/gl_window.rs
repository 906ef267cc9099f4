//! A small window, for the OpenGL that it brings.

use std::sync::{Arc, Mutex, PoisonError};

use egui::{PaintCallback, Ui, ViewportCommand};
use egui_glow::CallbackFn;
use egui_glow::glow::Context;
use nice_plug_egui::baseview::dpi::LogicalSize;
use nice_plug_egui::{App, EguiWindow, EguiWindowSettings, Frame, baseview};

/// What is to be done while OpenGL is there.
type Job = Box<dyn FnOnce(&Arc<Context>) -> Result<(), String> + Send>;

/// What is to be done, and how it went.
#[derive(Default)]
struct State {
    job: Option<Job>,
    done: Option<Result<(), String>>,
}

/// A window that does it, and closes.
struct Once(Arc<Mutex<State>>);

impl App for Once {
    fn ui(&mut self, ui: &mut Ui, _: &mut Frame) {
        let state = Arc::clone(&self.0);
        let callback = CallbackFn::new(move |_, painter| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(job) = state.job.take() {
                state.done = Some(job(painter.gl()));
            }
        });
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).done.is_some() {
            ui.ctx().send_viewport_cmd(ViewportCommand::Close);
        }
        ui.painter().add(PaintCallback { rect: ui.max_rect(), callback: Arc::new(callback) });
        ui.ctx().request_repaint();
    }
}

/// Does `job` with the OpenGL of a window as editors have it. Errors: its own, or that there is no window.
pub fn with_gl(job: impl FnOnce(&Arc<Context>) -> Result<(), String> + Send + 'static) -> Result<(), String> {
    let state = Arc::new(Mutex::new(State { job: Some(Box::new(job)), done: None }));
    show(Once(Arc::clone(&state)), EguiWindowSettings::new().with_title("Urto").with_size(LogicalSize::new(64.0, 64.0)))?;
    let done = state.lock().unwrap_or_else(PoisonError::into_inner).done.take();
    done.unwrap_or_else(|| Err("the window was closed before anything was painted".to_owned()))
}

/// Shows a window until it is closed.
pub fn show(app: impl App, settings: EguiWindowSettings) -> Result<(), String> {
    // SAFETY: only the standalone program comes here, never a host's process.
    unsafe { baseview::assume_standalone_in_process() };
    let trouble = |error: baseview::Error| format!("no window: {error}; it needs a display with OpenGL (`xvfb-run` makes one)");
    EguiWindow::create(settings, app).map_err(trouble)?.run_until_closed().map_err(trouble)
}
