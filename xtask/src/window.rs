//! Pictures of the editor: the standalone program on a display that nobody sees, played by xdotool (Linux; needs Xvfb, xdotool and
//! ImageMagick).

use crate::place::{self, Place, cargo};
use crate::setup;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Display on which it is drawn, and its size.
const DISPLAY: &str = ":93";
const SCREEN: &str = "2600x1700x24";
/// Looks for the window, and the time between two.
const LOOKS: usize = 80;
const LOOK: Duration = Duration::from_millis(250);

/// One picture: its name, the size of the window [px], what the editor remembers, and what xdotool does; `wait` is in milliseconds.
type Picture = (&'static str, [u32; 2], &'static str, &'static [&'static str]);

/// Loads a preset by its name, goes back to the stage, and strikes.
const MARIMBA: &[&str] = &[
    "mousemove 650 26",
    "key b",
    "wait 600",
    "type Rosewood",
    "wait 300",
    "key Down",
    "key Return",
    "wait 1500",
    "key h",
    "wait 700",
];

const PICTURES: [Picture; 7] = [
    ("hit", [1280, 800], "", &["key h", "wait 250"]),
    ("hit_light", [1280, 800], "dark = false", &["key h", "wait 250"]),
    ("small", [900, 600], "", &["key h", "wait 250"]),
    ("browser", [1280, 800], "", &["key b", "wait 2500", "key Down", "wait 400"]),
    ("modes", [1280, 800], "", &["key h", "wait 200", "key 2", "wait 400", "mousemove 424 300 click 1", "wait 300"]),
    (
        "drive",
        [1280, 800],
        "",
        &[
            "key 3",
            "wait 300",
            "mousemove 160 121 click 1",
            "mousemove 72 530",
            "mousedown 1",
            "mousemove 72 500",
            "wait 100",
            "mousemove 72 465",
            "wait 100",
            "mouseup 1",
            "wait 1500",
        ],
    ),
    ("tuning", [1280, 800], "", &["key h", "wait 200", "key 4", "wait 400"]),
];

/// A program that is ended when nobody needs it any more.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Builds the standalone program and draws all pictures into `docs/images/editor/`. Errors: what cannot be built or started.
pub fn run(place: &Place) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("pictures of the editor are drawn on Linux");
    }
    setup::standalone()?;
    let features = ["--no-default-features", "--features", "standalone"];
    place::run(cargo().current_dir(&place.root).args(["build", "--package", "urto", "--bin", "urto"]).args(features))?;
    let program = place.target.join("debug").join("urto");
    ensure!(program.exists(), "the program was built, but {} is not there", program.display());
    let folder = place.root.join("docs/images/editor");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut screen = Command::new("Xvfb");
    let _screen = start(screen.args([DISPLAY, "-screen", "0", SCREEN]))?;
    sleep(Duration::from_secs(1));
    for picture in &PICTURES {
        let file = folder.join(format!("{}.png", picture.0));
        draw(&program, &place.output("pictures")?, picture, &file)?;
        println!("wrote {}", file.display());
    }
    Ok(())
}

/// Starts a program that goes on in the background.
fn start(command: &mut Command) -> Result<Running> {
    let name = command.get_program().to_string_lossy().into_owned();
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    Ok(Running(child.with_context(|| format!("cannot start {name}; install xvfb, xdotool and imagemagick"))?))
}

/// One picture, with a home of its own for what the editor remembers.
fn draw(program: &Path, scratch: &Path, &(name, size, remembered, steps): &Picture, file: &Path) -> Result<()> {
    let home = scratch.join(name);
    std::fs::create_dir_all(home.join("urto"))?;
    std::fs::write(home.join("urto/editor.toml"), remembered)?;
    let mut urto = Command::new(program);
    let _urto = start(urto.args(["--backend", "dummy"]).env("DISPLAY", DISPLAY).env("XDG_DATA_HOME", &home))?;
    let window = window()?;
    sleep(Duration::from_secs(1));
    let [width, height] = size.map(|side| side.to_string());
    tool(&["windowmove", &window, "0", "0"])?;
    tool(&["windowsize", &window, &width, &height])?;
    sleep(Duration::from_millis(1500));
    for step in MARIMBA.iter().chain(steps) {
        let words: Vec<&str> = step.split_whitespace().collect();
        match words[..] {
            ["wait", time] => sleep(Duration::from_millis(time.parse()?)),
            _ => tool(&words)?,
        }
    }
    let crop = format!("{width}x{height}+0+0");
    let mut import = Command::new("import");
    place::run(import.env("DISPLAY", DISPLAY).args(["-window", "root", "-crop", &crop, "+repage"]).arg(file))
}

/// The number of the editor's window, once there is one.
fn window() -> Result<String> {
    for _ in 0..LOOKS {
        let found = Command::new("xdotool").env("DISPLAY", DISPLAY).args(["search", "--name", "Urto"]).output()?;
        if let Some(line) = String::from_utf8_lossy(&found.stdout).lines().next() {
            return Ok(line.to_owned());
        }
        sleep(LOOK);
    }
    bail!("the program opened no window on {DISPLAY}")
}

fn tool(words: &[&str]) -> Result<()> {
    place::run(Command::new("xdotool").env("DISPLAY", DISPLAY).args(words))
}
