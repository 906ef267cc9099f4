//! A window of Windows with the editor of the plugin in it.

use std::ffi::{c_char, c_void};
use std::io::Read;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clack_extensions::gui::{GuiApiType, GuiConfiguration, Window};

use crate::clap_file::ClapFile;

/// Blocks that are played between two looks at the messages of the window: 11 ms.
const BLOCKS_PER_TURN: usize = 1;
/// A window with a title, which is shown at once and does not draw over the editor in it.
const STYLE: u32 = 0x12cf_0000;
/// Places a window where the system likes. As the height of its place it also shows the window, where 0 would hide it.
const ANYWHERE: i32 = i32::MIN;
/// Takes a message out of the queue.
const REMOVE: u32 = 1;

/// `MSG` of the Windows API.
#[repr(C)]
struct Message {
    window: *mut c_void,
    number: u32,
    parameters: [usize; 2],
    time: u32,
    place: [i32; 2],
}

#[link(name = "user32")]
unsafe extern "system" {
    fn CreateWindowExA(
        extended_style: u32,
        class: *const c_char,
        title: *const c_char,
        style: u32,
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        parent: *mut c_void,
        menu: *mut c_void,
        instance: *mut c_void,
        parameter: *mut c_void,
    ) -> *mut c_void;
    fn PeekMessageA(message: *mut Message, window: *mut c_void, first: u32, last: u32, remove: u32) -> i32;
    fn TranslateMessage(message: *const Message) -> i32;
    fn DispatchMessageA(message: *const Message) -> isize;
    fn DestroyWindow(window: *mut c_void) -> i32;
}

/// Opens the editor, prints `editor open`, and plays notes until the standard input ends. Errors: no editor, or no window.
pub fn show(clap: &mut ClapFile) -> Result<(), String> {
    let gui = clap.gui()?;
    let plugin = clap.instance.plugin_handle();
    gui.create(&plugin, GuiConfiguration { api_type: GuiApiType::WIN32, is_floating: false })
        .map_err(|error| error.to_string())?;
    let size = gui.get_size(&plugin).ok_or("the editor has no size")?;
    // SAFETY: the class exists in every process, both texts end in zero, and the other pointers may be null.
    let window = unsafe {
        let (class, title) = (c"STATIC".as_ptr(), c"Urto in a test host".as_ptr());
        // room for the frame and the title
        let (width, height) = (size.width as i32 + 16, size.height as i32 + 40);
        let empty = null_mut();
        CreateWindowExA(0, class, title, STYLE, ANYWHERE, ANYWHERE, width, height, empty, empty, empty, empty)
    };
    if window.is_null() {
        return Err("Windows does not create a window".into());
    }
    // SAFETY: the window is destroyed after the editor.
    unsafe { gui.set_parent(&plugin, Window::from_win32_hwnd(window)) }.map_err(|error| error.to_string())?;
    gui.show(&plugin).map_err(|error| error.to_string())?;
    println!("editor open, {} x {}", size.width, size.height);
    let is_over = input_end();
    while !is_over.load(Ordering::SeqCst) {
        dispatch_messages();
        clap.run_main_thread();
        clap.play(BLOCKS_PER_TURN);
        std::thread::sleep(Duration::from_millis(10));
    }
    gui.destroy(&clap.instance.plugin_handle());
    dispatch_messages();
    // SAFETY: the window was created by this thread and is not used any more.
    unsafe { DestroyWindow(window) };
    println!("editor closed");
    Ok(())
}

fn dispatch_messages() {
    let mut message = Message { window: null_mut(), number: 0, parameters: [0; 2], time: 0, place: [0; 2] };
    // SAFETY: the message lives during the calls.
    unsafe {
        while PeekMessageA(&raw mut message, null_mut(), 0, 0, REMOVE) != 0 {
            TranslateMessage(&raw const message);
            DispatchMessageA(&raw const message);
        }
    }
}

/// Becomes true when the standard input ends.
fn input_end() -> Arc<AtomicBool> {
    let is_over = Arc::new(AtomicBool::new(false));
    let end = is_over.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        end.store(true, Ordering::SeqCst);
    });
    is_over
}
