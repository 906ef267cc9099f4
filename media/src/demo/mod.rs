//! The demo: a short piece through the bundled plugin, checked and drawn.

mod checks;
mod hit;
pub mod host;
mod score;

use crate::plots;
use anyhow::{Context, Result, ensure};
use host::{Action, Host, Stereo, Timed};
use score::Performance;
use std::path::Path;
use urto_engine::params::table::{CONTACTS, KnobId};
use urto_engine::patch::patch::Patch;
use urto_engine::patch::patch_toml;

const RATE: f64 = 48_000.0;
/// Seconds that the last chord rings before it is faded out.
const RING: f64 = 5.5;
/// Time between the strokes that show the models of contact [s].
const STROKE: f64 = 0.7;
/// Length of the fade at the end [s].
const FADE: f64 = 2.0;

/// A knob that glides from one value to another between two beats.
type Glide = (KnobId, f64, f64, f64, f64);

/// How a part is mixed and what is automated in it.
struct Part {
    preset: &'static str,
    /// [dB]
    gain: f64,
    glides: &'static [Glide],
    /// Key of the note by which its tuning is checked.
    probe: u8,
}

const PARTS: [Part; 4] = [
    Part { preset: "Bossed Gong", gain: -4.0, glides: &[], probe: 62 },
    // the hammer wanders towards the end of the string, and back for the chord
    Part {
        preset: "Piano Wire",
        gain: -6.5,
        glides: &[(KnobId::StrikePosition, 16.0, 27.0, 0.125, 0.03), (KnobId::StrikePosition, 27.0, 27.9, 0.03, 0.125)],
        probe: 57,
    },
    // yarn is exchanged for rubber as the piece grows
    Part { preset: "Rosewood Bars", gain: -3.5, glides: &[(KnobId::Stiffness, 12.0, 28.0, 2.0, 12.0)], probe: 69 },
    Part { preset: "Orff Metallophone", gain: -6.5, glides: &[], probe: 69 },
];

/// Font of the pictures, relative to the workspace.
const FONT: &str = "assets/fonts/IBMPlexSans_400Regular.ttf";

/// Plays the piece through the plugin `clap`, checks the sound and draws it into `folder`. Errors: the check that failed, with its
/// figures; a file that cannot be read or written.
pub fn run(clap: &Path, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let host = Host::load(clap, RATE)?;
    println!("checking the partials of the four instruments");

    for part in &PARTS {
        let partials = checks::partials(&host, &patch(part.preset)?, part.probe, RATE)?;
        let worst = partials.iter().map(|p| p.error.abs()).fold(0.0, f64::max);
        println!("{}: {} partials, at most {worst:.3} cents from the closed form", part.preset, partials.len());
    }

    println!("playing the piece");
    let sound = play(&host)?;
    let peak = checks::sound("the piece", &sound)?;
    let wav = folder.join("urto-demo.wav");
    write(&wav, &sound)?;
    println!("the piece: {:.1} s, peak {:.1} dBFS", sound[0].len() as f64 / RATE, 20.0 * peak.log10());

    println!("playing the contact models");
    let models = models(&host)?;
    let strokes = folder.join("urto-contacts.wav");
    write(&strokes, &models)?;

    println!("drawing the pictures");
    let font = Path::new(FONT);
    let (picture, hit) = (folder.join("urto-demo.png"), folder.join("urto-hit.png"));
    plots::sound(&picture, "First Strike: the whole piece", &sound, RATE, font)?;
    hit::draw(&hit, &patch("Rosewood Bars")?, font)?;

    println!("\nlisten to  {}\n           {}", wav.display(), strokes.display());
    println!("look at    {}\n           {}", picture.display(), hit.display());
    Ok(())
}

/// Stores the piece as a MIDI file.
pub fn store_score() -> Result<()> {
    let file = Path::new(score::FILE);
    std::fs::create_dir_all(file.parent().context("the file has a folder")?)?;
    std::fs::write(file, score::compose()?)?;
    println!("wrote {}", file.display());
    Ok(())
}

/// The instruments of the piece: simple ones, whose partials have closed forms.
const INSTRUMENTS: [&str; 4] = [
    include_str!("../../../assets/demo/bossed_gong.toml"),
    include_str!("../../../assets/demo/piano_wire.toml"),
    include_str!("../../../assets/demo/rosewood_bars.toml"),
    include_str!("../../../assets/demo/orff_metallophone.toml"),
];

fn patch(name: &str) -> Result<Patch> {
    let mut patches = INSTRUMENTS.iter().map(|text| patch_toml::from_toml(text).expect("an instrument of the demo is valid"));
    patches.find(|patch| patch.name == name).with_context(|| format!("the piece has no instrument {name}"))
}

/// Every part through an instance of its own, mixed.
fn play(host: &Host) -> Result<Stereo> {
    let file = Path::new(score::FILE);
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let performance = Performance::read(&bytes, RATE)?;
    let last = performance.parts.iter().flat_map(|(_, notes)| notes).filter(|n| matches!(n.action, Action::NoteOn(..)));
    let last = last.map(|note| note.frame).max().context("the piece has no notes")?;
    let seconds = last as f64 / RATE + RING;
    let mut mix: Stereo = [vec![0.0; (seconds * RATE) as usize], vec![0.0; (seconds * RATE) as usize]];
    for (name, notes) in &performance.parts {
        let part =
            PARTS.iter().find(|part| part.preset == name).with_context(|| format!("no instrument for the track {name}"))?;
        let mut events = notes.clone();
        events.extend(part.glides.iter().flat_map(|glide| steps(&performance, glide)));
        events.sort_by_key(|event| event.frame);
        let sound = host.play(&patch(name)?, &events, seconds)?;
        let peak = checks::sound(name, &sound)?;
        println!("{name}: {} notes, peak {:.1} dBFS", notes.len() / 2, 20.0 * peak.log10());
        let gain = 10f64.powf(part.gain / 20.0) as f32;
        for (mixed, heard) in mix.iter_mut().zip(&sound) {
            ensure!(mixed.len() == heard.len(), "{name}: {} frames instead of {}", heard.len(), mixed.len());
            mixed.iter_mut().zip(heard).for_each(|(m, h)| *m += gain * h);
        }
    }
    fade(&mut mix);
    Ok(mix)
}

/// Three strokes from soft to hard on a metal bar with every model of contact, one after the other.
fn models(host: &Host) -> Result<Stereo> {
    let mut all: Stereo = Default::default();
    for (model, name) in CONTACTS.iter().enumerate() {
        let mut patch = patch("Orff Metallophone")?;
        patch.settings.set(KnobId::Contact, model as f64);
        let stroke = |(i, velocity): (u64, u8)| Timed { frame: i * (STROKE * RATE) as u64, action: Action::NoteOn(69, velocity) };
        let strokes: Vec<_> = (0..).zip([40, 80, 120]).map(stroke).collect();
        let sound = host.play(&patch, &strokes, 3.0 * STROKE)?;
        let peak = checks::sound(name, &sound)?;
        println!("{name}: peak {:.1} dBFS", 20.0 * peak.log10());
        let others = all[0].chunks_exact(sound[0].len());
        ensure!(others.into_iter().all(|other| other != sound[0]), "{name}: sounds like another model of contact");
        all.iter_mut().zip(&sound).for_each(|(all, heard)| all.extend(heard));
    }
    Ok(all)
}

/// A glide as a step every 10 ms, in equal ratios.
fn steps(performance: &Performance, &(knob, from, to, low, high): &Glide) -> Vec<Timed> {
    let (start, end) = (performance.frame(from), performance.frame(to));
    let value = |frame| low * f64::powf(high / low, (frame - start) as f64 / (end - start) as f64);
    (start..=end).step_by((0.01 * RATE) as usize).map(|frame| Timed { frame, action: Action::Turn(knob, value(frame)) }).collect()
}

fn fade(sound: &mut Stereo) {
    let length = (FADE * RATE) as usize;
    for channel in sound {
        for (i, sample) in channel.iter_mut().rev().take(length).enumerate() {
            *sample *= (0.5 * std::f32::consts::PI * i as f32 / length as f32).sin();
        }
    }
}

/// 24-bit WAV.
fn write(path: &Path, sound: &Stereo) -> Result<()> {
    let spec =
        hound::WavSpec { channels: 2, sample_rate: RATE as u32, bits_per_sample: 24, sample_format: hound::SampleFormat::Int };
    let mut file = hound::WavWriter::create(path, spec).with_context(|| format!("cannot write {}", path.display()))?;
    for (left, right) in sound[0].iter().zip(&sound[1]) {
        for sample in [left, right] {
            file.write_sample((f64::from(*sample) * 8_388_607.0).round() as i32)?;
        }
    }
    Ok(file.finalize()?)
}
