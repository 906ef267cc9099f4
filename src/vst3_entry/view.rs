//! The view of the editor under Linux: forwards to nice-plug's, and releases what it registers with the run loop of the host.
//!
//! nice-plug's event handler keeps itself alive, so every opening would leave two sockets and a queue behind.

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::null_mut;

use nice_plug::wrapper::vst3::vst3::Steinberg::Linux::{
    FileDescriptor, IEventHandler, IRunLoop, IRunLoopTrait, ITimerHandler, TimerInterval,
};
use nice_plug::wrapper::vst3::vst3::Steinberg::{
    FIDString, IPlugFrame, IPlugFrameTrait, IPlugView, IPlugViewContentScaleSupport, IPlugViewContentScaleSupport_::ScaleFactor,
    IPlugViewContentScaleSupportTrait, IPlugViewTrait, TBool, ViewRect, char16, int16, kNotImplemented, kResultOk, tresult,
};
use nice_plug::wrapper::vst3::vst3::{Class, ComPtr, ComRef, ComWrapper};

/// The view that hosts see.
pub struct View {
    wrapped: ComPtr<IPlugView>,
    frame: RefCell<Option<ComWrapper<Frame>>>,
}

impl View {
    /// A view around `wrapped`, as hosts receive it. Null if there is none.
    ///
    /// # Safety
    /// `wrapped` must be null or a view that the caller owns.
    pub unsafe fn around(wrapped: *mut IPlugView) -> *mut IPlugView {
        // SAFETY: by contract.
        let Some(wrapped) = (unsafe { ComPtr::from_raw(wrapped) }) else { return null_mut() };
        let view = ComWrapper::new(Self { wrapped, frame: RefCell::new(None) });
        view.to_com_ptr::<IPlugView>().map_or(null_mut(), ComPtr::into_raw)
    }

    /// Takes the frame from nice-plug's view, and releases what it has registered.
    fn release_frame(&self) {
        let Some(frame) = self.frame.take() else { return };
        // SAFETY: null is allowed.
        unsafe { self.wrapped.setFrame(null_mut()) };
        for handler in frame.handlers.take() {
            // SAFETY: the host knows the handler, which owns one reference to itself that nothing else releases.
            unsafe {
                frame.run_loop.unregisterEventHandler(handler);
                drop(ComPtr::from_raw(handler));
            }
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.release_frame();
    }
}

impl Class for View {
    type Interfaces = (IPlugView, IPlugViewContentScaleSupport);
}

/// Methods that are forwarded to nice-plug's view.
macro_rules! forward {
    ($(fn $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(unsafe fn $name(&self, $($argument: $kind),*) -> $answer {
            // SAFETY: under the same contract.
            unsafe { self.wrapped.$name($($argument),*) }
        })*
    };
}

impl IPlugViewTrait for View {
    forward! {
        fn isPlatformTypeSupported(kind: FIDString) -> tresult;
        fn attached(parent: *mut c_void, kind: FIDString) -> tresult;
        fn removed() -> tresult;
        fn onWheel(distance: f32) -> tresult;
        fn onKeyDown(key: char16, code: int16, modifiers: int16) -> tresult;
        fn onKeyUp(key: char16, code: int16, modifiers: int16) -> tresult;
        fn getSize(size: *mut ViewRect) -> tresult;
        fn onSize(size: *mut ViewRect) -> tresult;
        fn onFocus(state: TBool) -> tresult;
        fn canResize() -> tresult;
        fn checkSizeConstraint(rect: *mut ViewRect) -> tresult;
    }

    unsafe fn setFrame(&self, frame: *mut IPlugFrame) -> tresult {
        self.release_frame();
        // SAFETY: the host's frame is null or valid.
        let host = unsafe { ComRef::from_raw(frame) }.map(|frame| frame.to_com_ptr());
        let Some((host, run_loop)) = host.and_then(|host| Some((host.clone(), host.cast::<IRunLoop>()?))) else {
            // SAFETY: under the same contract. Without a run loop nothing is registered.
            return unsafe { self.wrapped.setFrame(frame) };
        };
        let frame = ComWrapper::new(Frame { host, run_loop, handlers: RefCell::new(Vec::new()) });
        let pointer = frame.to_com_ptr::<IPlugFrame>();
        *self.frame.borrow_mut() = Some(frame);
        // SAFETY: the frame lives until it is released.
        pointer.map_or(kNotImplemented, |pointer| unsafe { self.wrapped.setFrame(pointer.as_ptr()) })
    }
}

impl IPlugViewContentScaleSupportTrait for View {
    unsafe fn setContentScaleFactor(&self, factor: ScaleFactor) -> tresult {
        let scaled = self.wrapped.cast::<IPlugViewContentScaleSupport>();
        // SAFETY: under the same contract.
        scaled.map_or(kNotImplemented, |scaled| unsafe { scaled.setContentScaleFactor(factor) })
    }
}

/// The host's frame and run loop as nice-plug's view sees them.
struct Frame {
    host: ComPtr<IPlugFrame>,
    run_loop: ComPtr<IRunLoop>,
    handlers: RefCell<Vec<*mut IEventHandler>>,
}

impl Class for Frame {
    type Interfaces = (IPlugFrame, IRunLoop);
}

impl IPlugFrameTrait for Frame {
    unsafe fn resizeView(&self, view: *mut IPlugView, size: *mut ViewRect) -> tresult {
        // SAFETY: under the same contract.
        unsafe { self.host.resizeView(view, size) }
    }
}

impl IRunLoopTrait for Frame {
    unsafe fn registerEventHandler(&self, handler: *mut IEventHandler, file: FileDescriptor) -> tresult {
        self.handlers.borrow_mut().push(handler);
        // SAFETY: under the same contract.
        unsafe { self.run_loop.registerEventHandler(handler, file) }
    }

    unsafe fn unregisterEventHandler(&self, handler: *mut IEventHandler) -> tresult {
        let mut handlers = self.handlers.borrow_mut();
        let Some(place) = handlers.iter().position(|known| *known == handler) else { return kResultOk };
        handlers.remove(place);
        // SAFETY: under the same contract.
        unsafe { self.run_loop.unregisterEventHandler(handler) }
    }

    unsafe fn registerTimer(&self, handler: *mut ITimerHandler, interval: TimerInterval) -> tresult {
        // SAFETY: under the same contract.
        unsafe { self.run_loop.registerTimer(handler, interval) }
    }

    unsafe fn unregisterTimer(&self, handler: *mut ITimerHandler) -> tresult {
        // SAFETY: under the same contract.
        unsafe { self.run_loop.unregisterTimer(handler) }
    }
}
