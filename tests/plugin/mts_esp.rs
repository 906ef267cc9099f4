//! MTS-ESP: a master of the session tunes the engine through the plugin.

use std::ffi::c_char;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use libloading::Library;
use urto::mts_esp::Client;
use urto::threads::{AudioEnd, connect_to};
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::tuning::PatchTuning;
use urto_engine::tuning::{KeyFrequencies, TuningSource};
use urto_engine::{Engine, EngineConfig, Event, NoteId};

/// Variable with the path of the library, for systems without a compiler, such as Wine.
const LIBRARY: &str = "URTO_TEST_MTS_LIBRARY";

/// The library that [`LIBRARY`] names, or one built with the compiler that built the test.
fn library() -> PathBuf {
    if let Some(built) = std::env::var_os(LIBRARY) {
        return built.into();
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let place = folder.join(libloading::library_filename("fake_mts"));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/plugin/support/mts_library.rs");
    let compiler = Path::new(env!("CARGO")).with_file_name(if cfg!(windows) { "rustc.exe" } else { "rustc" });
    let mut command = Command::new(if compiler.exists() { compiler } else { "rustc".into() });
    command.args(["--edition", "2024", "--crate-type", "cdylib", "-C", "panic=abort", "-o"]).arg(&place).arg(source);
    assert!(command.status().expect("rustc runs, or the variable URTO_TEST_MTS_LIBRARY names a library").success());
    place
}

/// The master's side of the library.
struct Master(Library);

impl Master {
    fn call<F: Copy>(&self, name: &str) -> F {
        *unsafe { self.0.get::<F>(name.as_bytes()) }.expect("the library of the test has it")
    }

    fn be_there(&self, there: bool) {
        unsafe {
            if there {
                self.call::<unsafe extern "C" fn(*const u8)>("MTS_RegisterMaster")(std::ptr::null());
            } else {
                self.call::<unsafe extern "C" fn()>("MTS_DeregisterMaster")();
            }
        }
    }

    fn tune(&self, hertz: impl Fn(u8) -> f64) {
        let set = self.call::<unsafe extern "C" fn(f64, c_char)>("MTS_SetNoteTuning");
        (0..128).for_each(|key| unsafe { set(hertz(key), key as c_char) });
    }

    fn silence(&self, key: u8, silent: bool) {
        unsafe {
            self.call::<unsafe extern "C" fn(bool, c_char, c_char)>("MTS_FilterNote")(silent, key as c_char, -1_i8 as c_char)
        }
    }

    fn clients(&self) -> i32 {
        unsafe { self.call::<unsafe extern "C" fn() -> i32>("MTS_GetNumClients")() }
    }
}

/// Lets the audio thread look until the engine is tuned to `wanted`.
fn wait_for(audio: &mut AudioEnd, engine: &mut Engine, wanted: &KeyFrequencies, what: &str) {
    let begun = Instant::now();
    while engine.tuning() != wanted {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what} did not come");
        std::thread::sleep(Duration::from_millis(1));
        audio.tunings(engine);
    }
}

#[test]
fn an_mts_esp_master_tunes_all_instances() {
    let place = library();
    assert!(Client::open(Path::new("/none/such")).is_none());
    let master = Master(unsafe { Library::new(&place) }.unwrap());
    let client = Client::open(&place).expect("the library opens");
    assert!(client.tuning().is_none() && master.clients() == 1, "no master yet");

    let (mut audio, editor, host) = connect_to(Some(client), Arc::default());
    let mut engine = Engine::new(EngineConfig::at(48e3), &Patch::default());
    audio.activate(&host, &mut engine);
    assert_eq!(*engine.tuning(), KeyFrequencies::default());

    let nineteen = |key: u8| 440.0 * 2_f64.powf((f64::from(key) - 69.0) / 19.0);
    master.tune(nineteen);
    master.silence(61, true);
    master.be_there(true);
    let wanted = KeyFrequencies::new(|key| (key != 61).then(|| nineteen(key)));
    wait_for(&mut audio, &mut engine, &wanted, "the master's tuning");
    let note = NoteId { voice: None, channel: 0, key: 61 };
    engine.event(&Event::NoteOn { note, velocity: 1.0 });
    assert_eq!((engine.next_ended(), engine.active_voices()), (Some(note), 0));

    // the master retunes one key; what is no frequency is silent
    master.tune(|key| if key == 70 { f64::NAN } else { nineteen(key) });
    let wanted = KeyFrequencies::new(|key| (key != 61 && key != 70).then(|| nineteen(key)));
    wait_for(&mut audio, &mut engine, &wanted, "the new frequency");

    // a switch that is off, and on again; neither stretch nor concert pitch moves a master's tuning
    let set = |engine: &mut Engine, param, value| {
        engine.event(&Event::Set { param, value });
        engine.render(&mut [0.0; 16], &mut [0.0; 16], [&[]; 2]);
    };
    let just = TuningSource { scale: "just".into(), ..TuningSource::default() };
    let patch = Patch { tuning: PatchTuning::new(just).unwrap(), ..Patch::default() };
    host.loader().load(&patch);
    set(&mut engine, ParamId::MtsEsp, 0.0);
    wait_for(&mut audio, &mut engine, patch.tuning.tuning(), "the patch's tuning");
    set(&mut engine, ParamId::MtsEsp, 1.0);
    assert_eq!(*engine.tuning(), wanted, "the master's tuning again");
    set(&mut engine, ParamId::ConcertPitch, 415.0);
    set(&mut engine, ParamId::Stretch, 5.0);
    assert_eq!(*engine.tuning(), wanted, "as it is");
    let mut fresh = Engine::new(EngineConfig::at(48e3), &patch);
    audio.activate(&host, &mut fresh);
    assert_eq!(*fresh.tuning(), wanted, "at once");

    master.be_there(false);
    wait_for(&mut audio, &mut fresh, patch.tuning.tuning(), "the patch's tuning when the master is gone");
    drop((audio, editor, host));
    assert_eq!(master.clients(), 0);
}
