//! Progress on standard error: drawn on a terminal only.

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use nix::pty::openpty;

use crate::support::program::Folder;

/// What the program draws on standard error while that is a terminal.
fn drawn(folder: &Folder, arguments: &[&str]) -> String {
    let pair = openpty(None, None).expect("a terminal");
    let mut command = folder.command(arguments);
    command.env("TERM", "xterm").stdout(Stdio::null()).stderr(Stdio::from(pair.slave));
    let mut program = command.spawn().expect("the program runs");
    // closes this process's end of the terminal, so that reading ends with the program
    drop(command);
    let (mut terminal, mut bytes, mut part) = (File::from(pair.master), Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = terminal.read(&mut part) {
        bytes.extend_from_slice(&part[..count]);
    }
    assert!(program.wait().expect("it ends").success(), "{arguments:?}");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn slow_commands_show_their_progress_on_a_terminal_only() {
    let folder = Folder::new("progress");
    folder.write(
        "case.toml",
        "duration = 20.0\n[contact]\nstiffness = 1e7\nexponent = 1.1\n[striker]\nmass = 0.01\nvelocity = 0.3\n",
    );
    folder.write("in.mid", crate::support::midi_writer::song(&[(0, crate::support::midi_writer::C4_ON)]));
    folder.succeed(&["render", "in.mid", "struck.wav", "--set", "body=marimba", "--tail", "1"]);
    for (arguments, wanted) in [
        (&["strike", "case.toml"][..], " %  "),
        (&["presets", "check", "Anvil", "Claves"], "0 of 2"),
        (&["modes", "from-wav", "struck.wav"], "estimating the partials"),
    ] {
        let shown = drawn(&folder, arguments);
        assert!(shown.contains(wanted), "{arguments:?}: {shown}");
        assert!(folder.run(arguments).stderr.is_empty(), "{arguments:?}: only on a terminal");
    }
}
