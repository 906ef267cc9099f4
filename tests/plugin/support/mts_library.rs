//! A library as MTS-ESP masters install it; the test builds it, and is both master and host.

use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};

struct Table(UnsafeCell<[f64; 128]>);
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([440.0; 128]));
static MASTER: AtomicBool = AtomicBool::new(false);
static CLIENTS: AtomicI32 = AtomicI32::new(0);
static SILENT: [AtomicBool; 128] = [const { AtomicBool::new(false) }; 128];

#[unsafe(no_mangle)]
pub extern "C" fn MTS_RegisterMaster(_: *const u8) {
    MASTER.store(true, SeqCst);
}

#[unsafe(no_mangle)]
pub extern "C" fn MTS_DeregisterMaster() {
    MASTER.store(false, SeqCst);
}

#[unsafe(no_mangle)]
pub extern "C" fn MTS_SetNoteTuning(hertz: f64, key: c_char) {
    unsafe { TABLE.0.get().cast::<f64>().add(key as usize).write_volatile(hertz) }
}

#[unsafe(no_mangle)]
pub extern "C" fn MTS_FilterNote(silent: bool, key: c_char, _: c_char) {
    SILENT[key as usize].store(silent, SeqCst);
}

#[unsafe(no_mangle)]
pub extern "C" fn MTS_GetNumClients() -> i32 {
    CLIENTS.load(SeqCst)
}

#[unsafe(no_mangle)]
pub extern "C" fn MTS_RegisterClient() {
    CLIENTS.fetch_add(1, SeqCst);
}

#[unsafe(no_mangle)]
pub extern "C" fn MTS_DeregisterClient() {
    CLIENTS.fetch_sub(1, SeqCst);
}

#[unsafe(no_mangle)]
pub extern "C" fn MTS_HasMaster() -> bool {
    MASTER.load(SeqCst)
}

#[unsafe(no_mangle)]
pub extern "C" fn MTS_GetTuningTable() -> *const f64 {
    TABLE.0.get().cast()
}

#[unsafe(no_mangle)]
pub extern "C" fn MTS_ShouldFilterNote(key: c_char, _: c_char) -> bool {
    SILENT[key as usize].load(SeqCst)
}
