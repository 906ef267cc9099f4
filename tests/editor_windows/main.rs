//! The editor in real windows under Xvfb: hosts of both formats in this process give their instances a parent window each, and open and
//! close the editors many times. The standalone program opens its window there too.
//!
//! Each test runs in its own process with its own display. Without Xvfb the tests are skipped: the reason is printed, and the summary
//! counts them as ignored.

#[path = "../support/accessibility_bus.rs"]
#[cfg(target_os = "linux")]
mod accessibility_bus;
#[cfg(target_os = "linux")]
mod clap_window;
#[cfg(target_os = "linux")]
mod display;
#[cfg(target_os = "linux")]
mod drag_source;
#[path = "../support/standalone_process.rs"]
#[cfg(all(target_os = "linux", feature = "standalone"))]
mod standalone_process;
#[path = "../support/tier.rs"]
mod tier;
#[cfg(target_os = "linux")]
mod vst3_window;

#[cfg(target_os = "linux")]
mod linux {
    use std::time::{Duration, Instant};

    use x11rb::connection::Connection;
    use x11rb::protocol::xproto::{ConnectionExt, KEY_PRESS_EVENT, KEY_RELEASE_EVENT};

    use crate::accessibility_bus::{Client, Role, Session};
    use crate::clap_window::{Answer, Player};
    use crate::display::{EditorHost, Keyboard, Resources, until};
    use crate::drag_source::DragSource;
    use crate::tier::size;
    use crate::vst3_window::Vst3Window;

    /// How often both editors are opened and closed, in the everyday and in the thorough tier.
    const CYCLES: [usize; 2] = [24, 200];
    /// Cycles after which the number of files and threads must no longer grow.
    const SETTLED: usize = 12;
    /// Memory that an opening may keep [KiB]: 0.7 in the mean of 376. A forgotten keyboard map would be 71.
    const KEPT_MEMORY: usize = 2;
    /// How often an editor is opened while its instance plays, in the everyday and in the thorough tier.
    const OPENINGS: [usize; 2] = [15, 200];
    /// How often an editor is opened while a screen reader listens, in the everyday and in the thorough tier.
    const READER_OPENINGS: [usize; 2] = [6, 200];
    /// Time after which an editor that is shown has lost its first frame: it is drawn within a second, except on a busy machine.
    const FIRST_FRAME: Duration = Duration::from_secs(10);

    /// Opens and closes the editors of two CLAP instances; an open editor does not change the sound.
    pub fn two_editors_open_and_close() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut players = [0, 1280].map(|x| Player::new(&display, screen, x));
        let silent = players[0].sound();
        assert!(silent.iter().any(|sample| *sample != 0.0), "a note sounds");
        open_and_close(&mut players, |players| {
            assert_eq!(players[0].sound(), silent, "an open editor does not change the sound")
        });
    }

    /// Opens and closes the editors of two VST3 instances.
    pub fn two_vst3_editors_open_and_close() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut hosts = [0, 1280].map(|x| Vst3Window::new(&display, screen, x));
        open_and_close(&mut hosts, |_| ());
    }

    /// Opens and closes the editors of `hosts` many times; now and then waits for their picture and calls `check`. Files, threads and memory
    /// are given back.
    fn open_and_close<'a, H: EditorHost<'a>>(hosts: &mut [H], mut check: impl FnMut(&mut [H])) {
        let mut before = None;
        for cycle in 0..size(CYCLES[0], CYCLES[1]) {
            hosts.iter_mut().for_each(H::open);
            until("both editors have a window", || hosts.iter().all(|host| host.window().children().len() == 1));
            if cycle % SETTLED == 0 {
                hosts.iter_mut().for_each(H::wait_until_drawn);
                check(hosts);
            }
            hosts.iter_mut().for_each(H::close_and_wait);
            if cycle == SETTLED {
                before = Some(Resources::now());
            }
        }
        let before = before.expect("enough cycles");
        until("files and threads are given back", || {
            let now = Resources::now();
            now.files <= before.files && now.threads <= before.threads
        });
        let now = Resources::now();
        println!("{before:?} after {SETTLED} cycles, {now:?} at the end");
        let openings = hosts.len() * (size(CYCLES[0], CYCLES[1]) - SETTLED);
        assert!(now.memory <= before.memory + openings * KEPT_MEMORY, "{before:?}, then {now:?}");
    }

    /// A CLAP editor opens while its instance plays.
    pub fn every_opened_editor_draws_its_first_frame() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        draw_first_frames(&mut Player::new(&display, screen, 0), |player| _ = player.sound());
    }

    /// The same for a VST3 editor.
    pub fn every_opened_vst3_editor_draws_its_first_frame() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        draw_first_frames(&mut Vst3Window::new(&display, screen, 0), |_| ());
    }

    /// Opens an editor with a parent that is mapped early or late, and with different delays until it is shown. Each draws its first frame.
    fn draw_first_frames<'a, H: EditorHost<'a>>(host: &mut H, mut play: impl FnMut(&mut H)) {
        let mut times = Vec::new();
        for cycle in 0..size(OPENINGS[0], OPENINGS[1]) {
            let delay = Duration::from_millis(7 * (cycle as u64 % 15));
            let is_mapped_late = cycle % 2 == 1;
            if is_mapped_late {
                host.window().map(false);
            }
            host.create();
            play(host);
            std::thread::sleep(delay);
            host.show();
            if is_mapped_late {
                std::thread::sleep(delay);
                host.window().map(true);
            }
            let shown = Instant::now();
            while !host.is_drawn() {
                assert!(shown.elapsed() < FIRST_FRAME, "opening {cycle}, shown after {delay:?}, is empty for {FIRST_FRAME:?}");
                host.run_main_thread();
                std::thread::sleep(Duration::from_millis(5));
            }
            times.push(shown.elapsed());
            host.close_and_wait();
        }
        times.sort();
        println!("first frames after {:?} (median), {:?} (longest)", times[times.len() / 2], times[times.len() - 1]);
    }

    /// Hosts that follow XEmbed accept only windows with the property `_XEMBED_INFO`: version and flags.
    pub fn an_editor_can_be_embedded() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut player = Player::new(&display, screen, 0);
        player.open();
        until("the editor has a window", || player.window().children().len() == 1);
        let name = display.intern_atom(true, b"_XEMBED_INFO").expect("a request").reply().expect("an atom").atom;
        let property = display.get_property(false, player.window().children()[0], name, name, 0, 2).expect("a request").reply();
        let value: Vec<u32> = property.expect("a property").value32().expect("two numbers").collect();
        assert_eq!(value, [0, 1]);
        player.close();
    }

    /// Ctrl is released while another window has the focus, as after Ctrl+S or Alt+Tab in a host. The H key strikes afterwards as before.
    pub fn a_modifier_released_elsewhere_is_not_held() {
        // symbols of the left Ctrl key and of H
        let (control, h) = (0xffe3, 0x68);
        let (display, screen) = x11rb::connect(None).expect("a display");
        let [mut player, other] = [0, 1280].map(|x| Player::new(&display, screen, x));
        player.open();
        player.wait_until_drawn();
        let (editor, keyboard) = (player.window().children()[0], Keyboard::new(&display));
        let strike = |player: &mut Player, what| {
            keyboard.turn(h, KEY_PRESS_EVENT);
            keyboard.turn(h, KEY_RELEASE_EVENT);
            player.hears(what);
        };
        keyboard.focus(editor);
        strike(&mut player, "the H key strikes");
        keyboard.turn(control, KEY_PRESS_EVENT);
        keyboard.focus(other.window().id);
        keyboard.turn(control, KEY_RELEASE_EVENT);
        keyboard.focus(editor);
        // the editor's window learns of the focus, and then of the keys
        std::thread::sleep(Duration::from_millis(300));
        strike(&mut player, "the H key strikes after Ctrl was released elsewhere");
        player.close();
    }

    /// The + key requests a larger window. The editor asks the host before it grows, and ends inside the host's window.
    pub fn zooming_asks_the_host_for_a_size() {
        let plus = 0x2b;
        let (display, screen) = x11rb::connect(None).expect("a display");
        let keyboard = Keyboard::new(&display);
        for answer in [Answer::Grants, Answer::Refuses, Answer::OnlyAgrees] {
            // the zoom that was chosen last
            let _ = std::fs::remove_dir_all(std::env::var("XDG_DATA_HOME").expect("preferences of its own"));
            let mut player = Player::answering(&display, screen, 0, answer);
            player.window().resize([1280, 800]);
            player.open();
            player.wait_until_drawn();
            let editor = player.window().children()[0];
            keyboard.focus(editor);
            keyboard.type_symbol(plus);
            let mut requested = None;
            until("the editor requests a size", || {
                assert_eq!(player.window().size_of(editor), [1280, 800], "the editor keeps its size until the host agrees");
                requested = player.main_thread();
                requested.is_some()
            });
            assert_eq!(requested, Some([1600, 1000]), "125 %");
            let expected = if answer == Answer::Grants { [1600, 1000] } else { [1280, 800] };
            // longer than the editor waits for the host's windows to come to rest
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(900) {
                player.main_thread();
                std::thread::sleep(Duration::from_millis(5));
            }
            until(&format!("the size after a host that {answer:?}"), || player.window().size_of(editor) == expected);
            // a host that makes its window smaller without a word
            player.window().resize([1000, 700]);
            until("the editor stays visible", || player.window().size_of(editor) == [1000, 700]);
            player.window().resize(expected);
            until("the editor returns to its size", || player.window().size_of(editor) == expected);
            player.close_and_wait();
        }
    }
    /// A preset that is dropped on the editor sounds; a text that is dropped is refused.
    pub fn a_dropped_preset_sounds() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut player = Player::new(&display, screen, 0);
        let before = player.sound();
        player.open();
        player.wait_until_drawn();
        let editor = player.window().children()[0];
        let root = display.setup().roots[screen].root;
        let [refused, source] = ["text/plain", "text/uri-list"].map(|kind| DragSource::new(&display, root, kind));
        assert!(!refused.drop_on(editor, "words"), "only files are accepted");
        let preset = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/presets/bars/glockenspiel_brass.toml");
        assert!(source.drop_on(editor, &format!("file://{}\r\n", preset.replace(' ', "%20"))), "accepted");
        until("the preset sounds", || player.sound() != before);
        player.close();
    }

    /// A client of the accessibility bus finds the controls of an editor in a host, reads and changes a value, and opens a page. Closed
    /// editors leave nothing behind.
    pub fn a_screen_reader_reads_and_changes_the_controls() {
        let (session, address) = Session::start();
        // SAFETY: no other thread of this process runs yet.
        unsafe { std::env::set_var("DBUS_SESSION_BUS_ADDRESS", &address) };
        let client = Client::connect(&address).expect("an accessibility bus");
        client.switch(true).expect("switched on");
        let program = std::env::current_exe().expect("a program").file_name().expect("a name").to_string_lossy().into_owned();
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut player = Player::new(&display, screen, 0);
        player.open();
        let find = |role: Role, name: &str| {
            let found = client.controls(&program).into_iter().find(|found| found.role == role && found.name == name);
            found.filter(|found| !found.description.is_empty() || role != Role::SLIDER)
        };
        until("the editor is on the bus", || find(Role::SLIDER, "Hammer mass").is_some());
        let mass = find(Role::SLIDER, "Hammer mass").expect("a slider");
        let numbers = ["MinimumValue", "CurrentValue", "MaximumValue"].map(|name| client.number(&mass, name));
        assert!(numbers.is_sorted() && numbers[0] > 0.0 && mass.description == "20.0 g", "{numbers:?} kg, {mass:?}");
        client.set(&mass, 0.035);
        until("the value is set", || {
            // the host hears of the change with the next block
            player.silence();
            find(Role::SLIDER, "Hammer mass").is_some_and(|mass| mass.description == "35.0 g")
        });
        assert!((client.number(&mass, "CurrentValue") / 0.035 - 1.0).abs() < 1e-3);
        client.act(&find(Role::PAGE_TAB, "Drive").expect("a tab"));
        until("the page is shown", || find(Role::PANEL, "Drive page").is_some());
        player.close();
        until("the window has left the bus", || find(Role::FRAME, "Urto").is_none());
        let mut settled = None;
        let count = size(READER_OPENINGS[0], READER_OPENINGS[1]);
        for opening in 0..count {
            player.open();
            until("the editor is on the bus again", || find(Role::FRAME, "Urto").is_some());
            player.close();
            until("the window has left the bus again", || find(Role::FRAME, "Urto").is_none());
            match opening {
                2 => settled = Some(Resources::now()),
                3.. => until("files and threads of closed editors are gone", || {
                    let now = Resources::now();
                    settled.is_some_and(|settled| now.files <= settled.files && now.threads <= settled.threads)
                }),
                _ => {}
            }
        }
        // the session ends while an editor is open
        player.open();
        until("the editor is on the bus at last", || find(Role::FRAME, "Urto").is_some());
        client.switch(false).expect("switched off");
        until("the editor has left the bus", || client.controls(&program).is_empty());
        drop(session);
        player.sound();
        player.close();
    }

    /// Opens the window of the standalone program and interrupts it.
    #[cfg(feature = "standalone")]
    pub fn standalone_window_opens_and_closes() {
        use crate::standalone_process::{Running, program};
        let display = std::env::var("DISPLAY").expect("a display");
        let running = Running::new(program(&["--backend", "dummy"]).env("DISPLAY", display));
        std::thread::sleep(Duration::from_millis(4000));
        let (code, said) = running.interrupted("-INT");
        assert_eq!(code, Some(0), "{said}");
        assert!(!said.contains("No GUI") && !said.contains("Failed") && !said.contains("panicked"), "{said}");
    }
}

/// The test that also needs an accessibility bus.
#[cfg(target_os = "linux")]
const SCREEN_READER: &str = "a_screen_reader_reads_and_changes_the_controls";

/// Name and body of a test.
#[cfg(target_os = "linux")]
type Test = (&'static str, fn());

#[cfg(target_os = "linux")]
const TESTS: &[Test] = &[
    ("two_editors_open_and_close", linux::two_editors_open_and_close),
    ("two_vst3_editors_open_and_close", linux::two_vst3_editors_open_and_close),
    ("every_opened_editor_draws_its_first_frame", linux::every_opened_editor_draws_its_first_frame),
    ("every_opened_vst3_editor_draws_its_first_frame", linux::every_opened_vst3_editor_draws_its_first_frame),
    ("an_editor_can_be_embedded", linux::an_editor_can_be_embedded),
    ("zooming_asks_the_host_for_a_size", linux::zooming_asks_the_host_for_a_size),
    ("a_dropped_preset_sounds", linux::a_dropped_preset_sounds),
    ("a_modifier_released_elsewhere_is_not_held", linux::a_modifier_released_elsewhere_is_not_held),
    (SCREEN_READER, linux::a_screen_reader_reads_and_changes_the_controls),
    #[cfg(feature = "standalone")]
    ("standalone_window_opens_and_closes", linux::standalone_window_opens_and_closes),
];

/// Parts of lines that may be written to stderr: by the host of these tests, about what it lacks, and debug builds' notes of the bus.
#[cfg(target_os = "linux")]
const EXPECTED: [&str; 3] = ["[CLAP_HOST_ERROR] refused", "The host does not support parameters", " DEBUG "];

/// Runs the test `name` in a child process on a display of its own, with preferences of its own.
#[cfg(target_os = "linux")]
fn on_own_display(name: &str) -> Result<(), libtest_mimic::Failed> {
    let display = display::Display::start()?;
    let mut child = std::process::Command::new(std::env::current_exe()?);
    let user_data = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor_windows").join(name);
    // what an earlier run has left
    let _ = std::fs::remove_dir_all(&user_data);
    child.env("XDG_DATA_HOME", user_data);
    child.env(CHILD, name).env("DISPLAY", &display.name).env("LIBGL_ALWAYS_SOFTWARE", "1");
    let output = child.output()?;
    // not on standard output, where the lines of the results are read
    eprint!("{}", String::from_utf8_lossy(&output.stdout));
    let said = String::from_utf8_lossy(&output.stderr);
    let warned = said.lines().any(|line| !EXPECTED.iter().any(|expected| line.contains(expected)));
    match output.status.success() && !warned {
        true => Ok(()),
        false => Err(format!("{said}{}; no warning may be written to stderr", output.status).into()),
    }
}

/// Environment variable of a child process: the test that it runs.
#[cfg(target_os = "linux")]
const CHILD: &str = "URTO_TEST_CHILD";

#[cfg(target_os = "linux")]
fn main() {
    use libtest_mimic::{Arguments, Trial};
    if let Some((_, body)) = std::env::var(CHILD).ok().and_then(|child| TESTS.iter().find(|(name, _)| *name == child)) {
        body();
        // While the process exits, the graphics libraries are unloaded under a thread of theirs that still runs: one of 57 runs ended by
        // SIGSEGV in `_dl_fini` after all assertions had passed.
        // SAFETY: ends the process without exit handlers; nothing is left to write.
        unsafe { nix::libc::_exit(0) }
    }
    let arguments = Arguments::from_args();
    let missing = display::Display::start().err();
    if let Some(missing) = missing.as_ref().filter(|_| !arguments.list) {
        println!("skipped: {missing}");
    }
    let no_bus = accessibility_bus::missing();
    if let Some(no_bus) = no_bus.as_ref().filter(|_| !arguments.list) {
        println!("{SCREEN_READER} is skipped: {no_bus}");
    }
    let trials = TESTS.iter().map(|&(name, _)| {
        let skipped = missing.is_some() || name == SCREEN_READER && no_bus.is_some();
        Trial::test(name, move || on_own_display(name)).with_ignored_flag(skipped)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), Vec::new()).exit();
}
