//! A VST3 host with a window and a run loop.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::null_mut;

use nice_plug::wrapper::vst3::vst3::Steinberg::Linux::{
    FileDescriptor, IEventHandler, IEventHandlerTrait, IRunLoop, IRunLoopTrait, ITimerHandler,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::Vst::{IComponent, IEditController, IEditControllerTrait};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    IPlugFrame, IPlugFrameTrait, IPlugView, IPlugViewTrait, IPluginBaseTrait, IPluginFactory, IPluginFactoryTrait, ViewRect,
    kPlatformTypeX11EmbedWindowID, kResultFalse, kResultOk, tresult,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComPtr, ComRef, ComWrapper, Interface};
use x11rb::rust_connection::RustConnection;

use crate::display::{EditorHost, HostWindow};

unsafe extern "system" {
    safe fn GetPluginFactory() -> *mut c_void;
}

/// The frame of the editor, with the run loop of the host. It refuses every other size.
#[derive(Default)]
struct Frame {
    handlers: RefCell<Vec<(FileDescriptor, ComPtr<IEventHandler>)>>,
}

impl Class for Frame {
    type Interfaces = (IPlugFrame, IRunLoop);
}

impl IPlugFrameTrait for Frame {
    unsafe fn resizeView(&self, _: *mut IPlugView, _: *mut ViewRect) -> tresult {
        kResultFalse
    }
}

impl IRunLoopTrait for Frame {
    unsafe fn registerEventHandler(&self, handler: *mut IEventHandler, file: FileDescriptor) -> tresult {
        // SAFETY: the plugin passes an object of its own.
        let Some(handler) = (unsafe { ComRef::from_raw(handler) }) else { return kResultFalse };
        self.handlers.borrow_mut().push((file, handler.to_com_ptr()));
        kResultOk
    }

    unsafe fn unregisterEventHandler(&self, handler: *mut IEventHandler) -> tresult {
        self.handlers.borrow_mut().retain(|(_, known)| known.as_ptr() != handler);
        kResultOk
    }

    unsafe fn registerTimer(&self, _: *mut ITimerHandler, _: u64) -> tresult {
        kResultFalse
    }

    unsafe fn unregisterTimer(&self, _: *mut ITimerHandler) -> tresult {
        kResultFalse
    }
}

/// An instance of the instrument, with a window for its editor.
pub struct Vst3Window<'a> {
    window: HostWindow<'a>,
    component: ComPtr<IComponent>,
    controller: ComPtr<IEditController>,
    frame: ComWrapper<Frame>,
    view: Option<ComPtr<IPlugView>>,
}

impl<'a> Vst3Window<'a> {
    /// With its window at `x` from the left.
    pub fn new(display: &'a RustConnection, screen: usize, x: i16) -> Self {
        // SAFETY: a factory keeps its contract; the id is read from its own answer.
        let (component, controller) = unsafe {
            let factory = ComPtr::from_raw(GetPluginFactory().cast::<IPluginFactory>()).expect("a factory");
            let mut class = std::mem::zeroed();
            assert_eq!(factory.getClassInfo(0, &mut class), kResultOk);
            let mut made = null_mut();
            let interface = IComponent::IID.as_ptr().cast();
            assert_eq!(factory.createInstance(class.cid.as_ptr().cast(), interface, &mut made), kResultOk);
            let component = ComPtr::from_raw(made.cast::<IComponent>()).expect("a component");
            assert_eq!(component.initialize(null_mut()), kResultOk);
            let controller = component.cast::<IEditController>().expect("a controller");
            (component, controller)
        };
        Self {
            window: HostWindow::new(display, screen, x),
            component,
            controller,
            frame: ComWrapper::new(Frame::default()),
            view: None,
        }
    }
}

impl Drop for Vst3Window<'_> {
    fn drop(&mut self) {
        // SAFETY: the last call of the component.
        unsafe { self.component.terminate() };
    }
}

impl<'a> EditorHost<'a> for Vst3Window<'a> {
    fn window(&self) -> &HostWindow<'a> {
        &self.window
    }

    fn create(&mut self) {
        // SAFETY: the frame lives as long as the view.
        unsafe {
            let view = ComPtr::from_raw(self.controller.createView(c"editor".as_ptr())).expect("a view");
            let frame = self.frame.to_com_ptr::<IPlugFrame>().expect("a frame");
            assert_eq!(view.setFrame(frame.as_ptr()), kResultOk);
            self.view = Some(view);
        }
    }

    fn show(&mut self) {
        let view = self.view.as_ref().expect("a view");
        // SAFETY: the window lives as long as the view.
        let attached = unsafe { view.attached(self.window.id as usize as *mut c_void, kPlatformTypeX11EmbedWindowID) };
        assert_eq!(attached, kResultOk);
    }

    fn close(&mut self) {
        let view = self.view.take().expect("a view");
        // SAFETY: the order that VST3 asks for.
        unsafe {
            assert_eq!((view.removed(), view.setFrame(null_mut())), (kResultOk, kResultOk));
        }
    }

    fn run_main_thread(&mut self) {
        let handlers = self.frame.handlers.borrow().clone();
        for (file, handler) in handlers {
            // SAFETY: the handler is registered; it reads its file without waiting.
            unsafe { handler.onFDIsSet(file) };
        }
    }
}
