//! A small window that provides an OpenGL context.

use std::sync::{Arc, Mutex, PoisonError};

use egui::{PaintCallback, Ui, ViewportCommand};
use egui_glow::CallbackFn;
use egui_glow::glow::Context;
use nice_plug_egui::baseview::dpi::LogicalSize;
use nice_plug_egui::{App, EguiWindow, EguiWindowSettings, Frame, baseview};

/// Work that needs OpenGL.
type Job = Box<dyn FnOnce(&Arc<Context>) -> Result<(), String> + Send>;

/// The work, and its result.
#[derive(Default)]
struct State {
    job: Option<Job>,
    done: Option<Result<(), String>>,
}

/// A window that runs the work once and closes.
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

/// Runs `job` with the OpenGL context of a window like that of the editor. Errors: those of the job, or that there is no window.
pub fn with_gl(job: impl FnOnce(&Arc<Context>) -> Result<(), String> + Send + 'static) -> Result<(), String> {
    let state = Arc::new(Mutex::new(State { job: Some(Box::new(job)), done: None }));
    show(Once(Arc::clone(&state)), EguiWindowSettings::new().with_title("Urto").with_size(LogicalSize::new(64.0, 64.0)))?;
    let done = state.lock().unwrap_or_else(PoisonError::into_inner).done.take();
    done.unwrap_or_else(|| Err("the window was closed before anything was painted".to_owned()))
}

/// Shows a window until it is closed.
pub fn show(app: impl App, settings: EguiWindowSettings) -> Result<(), String> {
    // SAFETY: only the standalone program calls this, never a plugin in the process of a host.
    unsafe { baseview::assume_standalone_in_process() };
    let no_window = |error: baseview::Error| {
        format!("cannot open a window: {error}; a display with OpenGL is needed (`xvfb-run` provides one)")
    };
    EguiWindow::create(settings, app).map_err(no_window)?.run_until_closed().map_err(no_window)
}
