//! The C interface: its libraries, a program in C and an external of Pure Data, all compared with the command line bit for bit.

use crate::commands::{cargo, run as run_command};
use crate::paths::{Paths, copy};
use crate::{command_line, setup};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Manifest, relative to the root.
const MANIFEST: &str = "c-interface/Cargo.toml";
/// Sample rate of the comparison [Hz], and frames of its rendering.
const RATE: usize = 48_000;
const FRAMES: usize = 2 * RATE;
/// The preset of the Pure Data patch, and its notes: key, MIDI velocity, beginning [s].
const PRESET: &str = "Rosewood Marimba";
const NOTES: [(u8, u8, f64); 2] = [(60, 100, 0.0), (64, 80, 0.5)];
/// Presets that the program in C renders besides it.
const MORE_PRESETS: [&str; 3] = ["Snare with Wires", "Symphonic Tam-Tam", "Studio Kit"];
/// Libraries of the system that the static library needs.
const SYSTEM_LIBRARIES: [&str; 4] = ["-lm", "-lpthread", "-ldl", "-lgcc_s"];

/// Builds everything and compares it. Errors: a build that fails, or samples that differ.
pub fn run(paths: &Paths) -> Result<()> {
    check_version(paths)?;
    let folder = paths.output("c")?;
    let shared = build_renderer(paths)?;
    let fixed = compile_renderer(paths, &folder, Linking::Static)?;
    let program = command_line::build(paths)?;
    let song = folder.join("notes.mid");
    fs::write(&song, midi_file(&NOTES))?;
    for preset in std::iter::once(PRESET).chain(MORE_PRESETS) {
        let wav = folder.join("urto-cli.wav");
        let tail = (FRAMES as f64 / RATE as f64 - NOTES[1].2).to_string();
        run_command(Command::new(&program).arg("render").arg(&song).arg(&wav).args(["--preset", preset, "--tail", &tail]))?;
        let expected = wav_samples(&wav)?;
        ensure!(expected.len() == 8 * FRAMES, "urto-cli has rendered {} bytes instead of {}", expected.len(), 8 * FRAMES);
        for renderer in [&shared, &fixed] {
            let out = folder.join("c.f32");
            // cargo's path of libraries leads to the plugin, whose library has the same name
            run_command(Command::new(renderer).env_remove("LD_LIBRARY_PATH").arg(preset).arg("2").arg(&out).args(notes_text()))?;
            same_bits(&fs::read(&out)?, &expected).with_context(|| format!("{preset}, {}", renderer.display()))?;
        }
        if preset == PRESET {
            same_bits(&render_in_pure_data(paths, &folder)?, &expected).context("Pure Data")?;
        }
    }
    println!(
        "the program in C (shared and static library) renders the bits of urto-cli for {} presets, the external of Pure Data for {PRESET}",
        1 + MORE_PRESETS.len()
    );
    Ok(())
}

/// Errors: the interface has another version than the workspace.
fn check_version(paths: &Paths) -> Result<()> {
    let read = |file: &str| -> Result<toml::Table> { Ok(fs::read_to_string(paths.root.join(file))?.parse()?) };
    let (own, workspace) = (read(MANIFEST)?, read("Cargo.toml")?);
    let [own, workspace] = [&own["package"]["version"], &workspace["workspace"]["package"]["version"]];
    ensure!(own == workspace, "{MANIFEST} has version {own}, the workspace {workspace}: change the first");
    Ok(())
}

/// How a program is linked with the library.
#[derive(Clone, Copy, PartialEq)]
enum Linking {
    Shared,
    Static,
}

/// Builds the libraries and the program in C with the shared one. Returns the program.
pub fn build_renderer(paths: &Paths) -> Result<PathBuf> {
    let folder = paths.output("c")?;
    let build = paths.output("c-build")?;
    let arguments = ["build", "--manifest-path", MANIFEST, "--locked", "--release"];
    run_command(cargo().current_dir(&paths.root).env("CARGO_TARGET_DIR", &build).args(arguments))?;
    for library in ["liburto.so", "liburto.dylib", "liburto.a"] {
        let built = build.join("release").join(library);
        if built.exists() {
            copy(&built, &folder.join(library))?;
        }
    }
    copy(&paths.root.join("c-interface/include/urto.h"), &folder.join("urto.h"))?;
    compile_renderer(paths, &folder, Linking::Shared)
}

/// Compiles `examples/render.c` without warnings.
fn compile_renderer(paths: &Paths, folder: &Path, linking: Linking) -> Result<PathBuf> {
    let program = folder.join(if linking == Linking::Shared { "render" } else { "render-static" });
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"]).arg(folder);
    compiler.arg(paths.root.join("c-interface/examples/render.c")).arg("-o").arg(&program);
    match linking {
        Linking::Shared => compiler.arg("-L").arg(folder).args(["-lurto", "-lm"]).arg(format!("-Wl,-rpath,{}", folder.display())),
        Linking::Static => compiler.arg(folder.join("liburto.a")).args(SYSTEM_LIBRARIES),
    };
    run_command(&mut compiler).context("the C compiler failed; on Debian the package gcc contains it")?;
    Ok(program)
}

/// Builds the external and lets Pure Data play its patch without a window. Returns the samples of its file.
fn render_in_pure_data(paths: &Paths, folder: &Path) -> Result<Vec<u8>> {
    setup::debian_packages(&["puredata-core", "puredata-dev"])?;
    let examples = paths.root.join("c-interface/examples/puredata");
    let external = folder.join("urto~.pd_linux");
    let mut compiler = Command::new("cc");
    compiler
        .args([
            "-std=c99",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-cast-function-type",
            "-fPIC",
            "-shared",
            "-I/usr/include/pd",
            "-I",
        ])
        .arg(folder);
    compiler.arg(examples.join("urto~.c")).arg(folder.join("liburto.a")).args(SYSTEM_LIBRARIES).arg("-o").arg(&external);
    run_command(&mut compiler)?;
    copy(&examples.join("render.pd"), &folder.join("render.pd"))?;
    let wav = folder.join("out.wav");
    let _ = fs::remove_file(&wav);
    let mut pure_data = Command::new("pd");
    pure_data.env_remove("LD_LIBRARY_PATH");
    pure_data.current_dir(folder).args(["-nogui", "-noprefs", "-batch", "-r", "48000", "-path", ".", "-open", "render.pd"]);
    run_command(&mut pure_data)?;
    let samples = wav_samples(&wav)?;
    ensure!(samples.len() >= 8 * (FRAMES - 64), "Pure Data has written {} bytes", samples.len());
    Ok(samples)
}

/// The notes as arguments of the program in C.
fn notes_text() -> impl Iterator<Item = String> {
    NOTES.iter().map(|(key, velocity, start)| format!("{key}:{velocity}@{start}"))
}

/// A MIDI file of `notes`, whose ends are left out: 480 ticks a beat and half a second a beat, 50 frames a tick.
fn midi_file(notes: &[(u8, u8, f64)]) -> Vec<u8> {
    const TICKS_PER_SECOND: f64 = 960.0;
    let mut track = Vec::new();
    let mut last = 0;
    for (key, velocity, start) in notes {
        let tick = (start * TICKS_PER_SECOND) as u32;
        let wait = tick - last;
        last = tick;
        track.extend([0x80 | (wait >> 7) as u8, (wait & 0x7f) as u8, 0x90, *key, *velocity]);
    }
    track.extend([0, 0xff, 0x2f, 0]);
    let mut file = b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk".to_vec();
    file.extend((track.len() as u32).to_be_bytes());
    file.extend(track);
    file
}

/// The bytes of the samples of a WAV file.
fn wav_samples(file: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut at = 12;
    while at + 8 <= bytes.len() {
        let length = u32::from_le_bytes([bytes[at + 4], bytes[at + 5], bytes[at + 6], bytes[at + 7]]) as usize;
        if bytes[at..].starts_with(b"data") {
            return Ok(bytes[at + 8..].iter().take(length).copied().collect());
        }
        at += 8 + length + length % 2;
    }
    bail!("{} has no samples", file.display())
}

/// Compares samples of 32 bits. Errors: the first frame that differs, or silence.
fn same_bits(found: &[u8], expected: &[u8]) -> Result<()> {
    let count = found.len().min(expected.len());
    if let Some(at) = (0..count).find(|&at| found[at] != expected[at]) {
        bail!("frame {} differs from urto-cli", at / 8);
    }
    ensure!(expected[..count].iter().filter(|byte| **byte != 0).count() > count / 2, "silence");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_midi_file_has_its_notes_at_their_ticks() {
        let file = midi_file(&[(60, 100, 0.0), (64, 80, 0.5)]);
        assert!(file.ends_with(&[0x80, 0, 0x90, 60, 100, 0x83, 0x60, 0x90, 64, 80, 0, 0xff, 0x2f, 0]), "480 ticks are 0x83 0x60");
        assert_eq!(file[18..22], 14_u32.to_be_bytes());
    }

    #[test]
    fn samples_that_differ_are_found() {
        let samples: Vec<u8> = (1..=64).collect();
        assert!(same_bits(&samples, &samples).is_ok());
        let mut other = samples.clone();
        other[17] ^= 1;
        let error = same_bits(&other, &samples).expect_err("a bit differs");
        assert!(error.to_string().contains("frame 2"));
        assert!(same_bits(&[0; 64], &[0; 64]).is_err(), "silence");
    }
}
