//! Size of the editor window: what the user requests, what the host grants, and the zoom at which the page fits.
//!
//! The window of a plugin is inside a window of the host, so the host is asked before the size changes. Whatever it answers, the page is
//! drawn at the chosen zoom, or at the largest smaller zoom at which it fits into the window that there is.

use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use egui::{Context, Vec2, ViewportCommand, vec2};
use nice_plug::editor::dpi::{LogicalSize, NativeSize, PhysicalSize, Size};
use nice_plug::editor::{HostCallbacks, HostMainThreadCaller, HostMethods, ResizeHint, SizeConstraints};
use nice_plug_egui::baseview::WindowSize;

use crate::editor::theme::{SIZE, ZOOMS};
use crate::editor::widgets::{MAX_SIZE, MIN_SIZE};

/// Smallest and largest zoom that the limits of the window allow.
const ZOOM_RANGE: [f32; 2] = [0.5, 2.5];
/// Difference of two zooms that counts as none.
const TOLERANCE: f32 = 1e-3;
/// Time without a change of the host's windows after which the visible part is final: hosts build their windows in steps.
const SETTLING: Duration = Duration::from_millis(300);
/// Time for which the footer tells that the host keeps its size.
const NOTICE: Duration = Duration::from_secs(6);

/// The limits of the window that hosts are told.
pub fn resize_hint() -> ResizeHint {
    let limit = |[width, height]: [f32; 2], zoom: f32| Some(LogicalSize::new(width * zoom, height * zoom));
    let [smallest, largest] = ZOOM_RANGE;
    let size_constraints = SizeConstraints::Logical { min_size: limit(MIN_SIZE, smallest), max_size: limit(MAX_SIZE, largest) };
    ResizeHint { size_constraints, ..ResizeHint::RESIZABLE }
}

/// The host's side of an editor window. The window's thread sends requests; the main thread of the host takes them.
#[derive(Default)]
pub struct HostWindow {
    /// Schedules the callback on the main thread, while the window of a plugin is open.
    caller: Mutex<Option<Box<dyn HostMainThreadCaller>>>,
    sizes: Mutex<Sizes>,
    /// Closes the window and waits for its end.
    closing: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

#[derive(Default)]
struct Sizes {
    /// Size that the host has still to be asked for [physical pixels].
    request: Option<PhysicalSize<u32>>,
    /// Size of the open window.
    size: Option<WindowSize>,
    /// Size that the host has given the window last; none if it has not changed the size yet.
    granted: Option<PhysicalSize<u32>>,
    /// Part of the window that the host's windows leave visible [physical pixels], and the time of the last change.
    visible: Option<(PhysicalSize<u32>, Instant)>,
}

/// The host's functions, which only its main thread calls.
pub type HostFunctions = Rc<RefCell<Box<dyn HostCallbacks>>>;

impl HostWindow {
    fn sizes(&self) -> MutexGuard<'_, Sizes> {
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn caller(&self) -> MutexGuard<'_, Option<Box<dyn HostMainThreadCaller>>> {
        self.caller.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the window of a plugin is open.
    fn is_connected(&self) -> bool {
        self.caller().is_some()
    }

    /// Connects a window that is about to open. Returns the functions for the window library, and those of the host.
    pub fn connect(self: &Arc<Self>, host: HostMethods) -> (HostMethods, HostFunctions) {
        let functions = Rc::new(RefCell::new(host.callbacks));
        *self.caller() = Some(host.main_thread_caller);
        let callbacks = Box::new(WindowCallbacks(Rc::clone(&functions)));
        (HostMethods { callbacks, main_thread_caller: Box::new(MainThread(Arc::clone(self))) }, functions)
    }

    /// Sets the function that closes the window and waits for its end.
    #[cfg(target_os = "linux")]
    pub fn set_closing(&self, closing: impl FnOnce() + Send + 'static) {
        *self.closing.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(closing));
    }

    /// Closes the window, and forgets it.
    pub fn close(&self) {
        *self.caller() = None;
        let closing = self.closing.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(close) = closing {
            close();
        }
        *self.sizes() = Sizes::default();
    }

    /// Size of the window, while it is open.
    pub fn size(&self) -> Option<NativeSize<u32>> {
        self.sizes().size.map(|size| NativeSize::from_logical_or_physical(size.logical, size.physical))
    }

    /// The size that the host has to be asked for, once.
    pub fn take_request(&self) -> Option<PhysicalSize<u32>> {
        self.sizes().request.take()
    }

    /// The size that the host has given the window since the last call. The next call returns none until it gives another.
    pub fn take_granted(&self) -> Option<PhysicalSize<u32>> {
        self.sizes().granted.take()
    }

    /// Notes that the host gives the window `size`.
    pub fn grant(&self, size: PhysicalSize<u32>) {
        self.sizes().granted = Some(size);
    }

    fn set_size(&self, size: WindowSize) {
        if self.is_connected() {
            self.sizes().size = Some(size);
        }
    }

    /// Notes that the host's windows show `width` times `height` pixels of the window.
    #[cfg(target_os = "linux")]
    pub fn set_visible(&self, width: u32, height: u32) {
        self.sizes().visible = Some((PhysicalSize::new(width, height), Instant::now()));
    }

    /// Sends a request to the host. Returns false if there is no host.
    fn request(&self, size: PhysicalSize<u32>) -> bool {
        self.sizes().request = Some(size);
        self.caller().as_mut().map(|caller| caller.call_main_thread()).is_some()
    }
}

/// The functions that the window library calls. A size that the window has taken by itself is not passed on: the host was asked before,
/// or its own windows leave no more room.
struct WindowCallbacks(HostFunctions);

impl HostCallbacks for WindowCallbacks {
    fn request_resize(&mut self, _: Size, _: f64) -> Result<(), Box<dyn Error>> {
        Ok(())
    }

    fn destroyed(&mut self) {
        self.0.borrow_mut().destroyed();
    }
}

/// Schedules the callback for the window library.
struct MainThread(Arc<HostWindow>);

impl HostMainThreadCaller for MainThread {
    fn call_main_thread(&mut self) {
        if let Some(caller) = self.0.caller().as_mut() {
            caller.call_main_thread();
        }
    }
}

/// The size of an open window, on its thread.
pub struct WindowFit {
    host: Arc<HostWindow>,
    /// Size at a zoom of 1 that the user or the host has chosen [logical pixels].
    chosen: Vec2,
    /// The zoom of the last frame.
    drawn_zoom: f32,
    /// Size of the window in the last frame [logical pixels at a zoom of 1].
    room: Vec2,
    /// Size at which the window was opened.
    first: Option<PhysicalSize<u32>>,
    /// Time of the last choice of a zoom.
    zoomed: Option<Instant>,
}

impl WindowFit {
    /// A window that is not open yet.
    pub fn new() -> Self {
        let [width, height] = SIZE;
        let chosen = vec2(width, height);
        Self { host: Arc::default(), chosen, drawn_zoom: 1.0, room: Vec2::ZERO, first: None, zoomed: None }
    }

    /// The host's side.
    pub fn host(&self) -> &Arc<HostWindow> {
        &self.host
    }

    /// A function for other threads: the host's windows show that many pixels of the window. It wakes the window's thread by `repaint`.
    #[cfg(target_os = "linux")]
    pub fn visible_size(&self, repaint: nice_plug_egui::RepaintNotifier) -> impl Fn(u32, u32) + Send + 'static {
        let host = Arc::clone(&self.host);
        move |width, height| {
            host.set_visible(width, height);
            repaint.request_repaint();
        }
    }

    /// Begins with a window of `size` that has just been opened.
    pub fn open(&mut self, context: &Context, size: WindowSize) {
        (self.drawn_zoom, self.room, self.first) = (context.zoom_factor(), Vec2::ZERO, Some(size.physical));
        self.host.set_size(size);
    }

    /// The zoom after the one that is drawn while `chosen` is chosen.
    pub fn larger_zoom(&self, chosen: f32) -> f32 {
        let drawn = fitting_zoom(self.room, chosen);
        ZOOMS.into_iter().find(|zoom| *zoom > drawn + TOLERANCE).unwrap_or(chosen)
    }

    /// The zoom before it.
    pub fn smaller_zoom(&self, chosen: f32) -> f32 {
        let drawn = fitting_zoom(self.room, chosen);
        ZOOMS.into_iter().rev().find(|zoom| *zoom < drawn - TOLERANCE).unwrap_or(chosen)
    }

    /// Requests the size at which the page has its chosen size at `zoom`.
    pub fn zoom(&mut self, context: &Context, zoom: f32) {
        self.zoomed = Some(Instant::now());
        self.request(context, self.chosen * zoom);
    }

    /// Requests a page of `size` [logical pixels] at the zoom that is drawn.
    pub fn drag(&mut self, context: &Context, size: Vec2) {
        let [smallest, largest] = [MIN_SIZE, MAX_SIZE].map(|[width, height]| vec2(width, height));
        self.request(context, size.max(smallest).min(largest) * context.zoom_factor());
    }

    /// Requests `size` [logical pixels at a zoom of 1]: from the host, else from the window system.
    fn request(&self, context: &Context, size: Vec2) {
        let scale = context.native_pixels_per_point().unwrap_or(1.0);
        let physical = LogicalSize::new(size.x, size.y).to_physical(f64::from(scale));
        if !self.host.request(physical) {
            context.send_viewport_cmd(ViewportCommand::InnerSize(size / context.zoom_factor()));
        }
    }

    /// Follows the size of the window, and sets the zoom: the `chosen` one, or the largest smaller one at which the page fits.
    pub fn follow(&mut self, context: &Context, size: WindowSize, chosen: f32) {
        let room = vec2(size.logical.width as f32, size.logical.height as f32);
        let zoom = fitting_zoom(room, chosen);
        if (context.zoom_factor() - zoom).abs() > TOLERANCE {
            context.set_zoom_factor(zoom);
        }
        if self.room != room {
            self.room = room;
            self.host.set_size(size);
            let is_limited = zoom < chosen - TOLERANCE;
            if !is_limited && ((self.chosen * zoom) - room).abs().max_elem() > 1.0 {
                self.chosen = room / zoom;
            }
        }
        if context.zoom_factor() != self.drawn_zoom {
            self.drawn_zoom = context.zoom_factor();
            // the window library would scale the window together with the zoom
            let kept = if self.host.is_connected() { room } else { self.chosen * chosen };
            context.send_viewport_cmd(ViewportCommand::InnerSize(kept / self.drawn_zoom));
        }
        self.stay_visible(context, size);
    }

    /// Makes the window as small as the part that the host shows, and as large as granted when the host shows more.
    fn stay_visible(&self, context: &Context, size: WindowSize) {
        let Some((visible, since)) = self.host.sizes().visible.filter(|_| self.host.is_connected()) else { return };
        let elapsed = since.elapsed();
        if elapsed < SETTLING {
            context.request_repaint_after(SETTLING - elapsed);
            return;
        }
        let granted = self.host.sizes().granted.or(self.first).unwrap_or(size.physical);
        let target = PhysicalSize::new(granted.width.min(visible.width), granted.height.min(visible.height));
        if target != size.physical {
            let target: LogicalSize<f32> = target.to_logical(size.scale_factor);
            context.send_viewport_cmd(ViewportCommand::InnerSize(vec2(target.width, target.height) / context.zoom_factor()));
        }
    }

    /// Tells for some seconds after a choice of a zoom that the page is drawn smaller than chosen.
    pub fn notice(&self, context: &Context, chosen: f32) -> Option<String> {
        let remaining = NOTICE.checked_sub(self.zoomed?.elapsed())?;
        let drawn = context.zoom_factor();
        if drawn > chosen - TOLERANCE {
            return None;
        }
        context.request_repaint_after(remaining);
        Some(format!(
            "The host keeps the size of its window. The editor is drawn at {:.0} %, the largest zoom that fits.",
            100.0 * drawn
        ))
    }
}

/// The zoom `chosen`, or the largest smaller one at which the smallest page fits into `room` [logical pixels at a zoom of 1].
fn fitting_zoom(room: Vec2, chosen: f32) -> f32 {
    let [width, height] = MIN_SIZE;
    // a window that is still being built has no size yet
    chosen.min(room.x / width).min(room.y / height).max(0.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_fits_into_every_window() {
        let [width, height] = MIN_SIZE;
        assert_eq!(fitting_zoom(vec2(1280.0, 800.0), 1.0), 1.0);
        assert_eq!(fitting_zoom(vec2(1280.0, 800.0), 0.75), 0.75);
        for room in [vec2(1280.0, 800.0), vec2(640.0, 480.0), vec2(1920.0, 620.0)] {
            let zoom = fitting_zoom(room, 2.5);
            assert!(room.x / zoom >= width - 0.01 && room.y / zoom >= height - 0.01, "{room:?}: {zoom}");
            assert!((room.x / zoom - width).min(room.y / zoom - height) < 0.01, "{room:?}: {zoom} is not the largest zoom");
        }
    }
}
