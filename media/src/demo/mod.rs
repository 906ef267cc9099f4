//! The demo: a short piece through the bundled plugin, checked and drawn.

mod checks;
mod hit;
mod host;
mod score;

use crate::plots;
use crate::wav::{self, Stereo};
use anyhow::{Context, Result, ensure};
use host::{Action, Host, TimedAction};
use score::Performance;
use std::path::Path;
use urto_engine::params::{CONTACT_MODELS, ParamId};
use urto_engine::patch::Patch;
use urto_engine::patch::patch_toml;

/// Sample rate of all sounds [Hz].
const RATE: f64 = 48_000.0;
/// Time from the last note to the end of the piece [s].
const TAIL: f64 = 5.5;
/// Time between the hits that compare the contact models [s].
const HIT_INTERVAL: f64 = 0.7;
/// Length of the fade-out at the end [s].
const FADE: f64 = 2.0;

/// Automation of a parameter from one value to another.
struct Automation {
    parameter: ParamId,
    /// Start [beats].
    start: f64,
    /// End [beats].
    end: f64,
    /// Value at the start.
    from: f64,
    /// Value at the end.
    to: f64,
}

/// Instrument, mix and automation of a track.
struct Part {
    preset: &'static str,
    /// Gain in the mix [dB].
    gain: f64,
    automations: &'static [Automation],
    /// Key of the note whose partials are checked.
    test_key: u8,
}

const PARTS: [Part; 4] = [
    Part { preset: "Bossed Gong", gain: -4.0, automations: &[], test_key: 62 },
    // the strike position moves to the end of the string, and back for the chord
    Part {
        preset: "Piano Wire",
        gain: -6.5,
        automations: &[
            Automation { parameter: ParamId::StrikePosition, start: 16.0, end: 27.0, from: 0.125, to: 0.03 },
            Automation { parameter: ParamId::StrikePosition, start: 27.0, end: 27.9, from: 0.03, to: 0.125 },
        ],
        test_key: 57,
    },
    // the mallet hardens from yarn to rubber during the crescendo
    Part {
        preset: "Rosewood Bars",
        gain: -3.5,
        automations: &[Automation { parameter: ParamId::Stiffness, start: 12.0, end: 28.0, from: 2.0, to: 12.0 }],
        test_key: 69,
    },
    Part { preset: "Orff Metallophone", gain: -6.5, automations: &[], test_key: 69 },
];

/// Font of the pictures, relative to the workspace.
const FONT: &str = "assets/fonts/IBMPlexSans_400Regular.ttf";

/// Plays the piece through the plugin `clap`, checks the sound and draws it into `folder`. Errors: a failed check, with its
/// values; a file that cannot be read or written.
pub fn run(clap: &Path, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let host = Host::load(clap, RATE)?;
    println!("checking the partials of the four instruments");

    for part in &PARTS {
        let partials = checks::check_partials(&host, &patch(part.preset)?, part.test_key, RATE)?;
        let largest = partials.iter().map(|partial| partial.error.abs()).fold(0.0, f64::max);
        println!("{}: {} partials, at most {largest:.3} cents from the closed form", part.preset, partials.len());
    }

    println!("playing the piece");
    let piece = play_piece(&host)?;
    let peak = checks::check_level("the piece", &piece)?;
    let piece_wav = folder.join("urto-demo.wav");
    wav::write(&piece_wav, &piece, RATE)?;
    println!("the piece: {:.1} s, peak {:.1} dBFS", piece[0].len() as f64 / RATE, 20.0 * peak.log10());

    println!("playing the contact models");
    let contact_models = play_contact_models(&host)?;
    let contacts_wav = folder.join("urto-contacts.wav");
    wav::write(&contacts_wav, &contact_models, RATE)?;

    println!("drawing the pictures");
    let font = Path::new(FONT);
    let (picture, hit) = (folder.join("urto-demo.png"), folder.join("urto-hit.png"));
    plots::waveform_and_spectrogram(&picture, "First Strike: the whole piece", &piece, RATE, font)?;
    hit::draw(&hit, &patch("Rosewood Bars")?, RATE, font)?;

    println!("\nlisten to  {}\n           {}", piece_wav.display(), contacts_wav.display());
    println!("look at    {}\n           {}", picture.display(), hit.display());
    Ok(())
}

/// Writes the piece as a MIDI file.
pub fn store_score() -> Result<()> {
    let file = Path::new(score::FILE);
    std::fs::create_dir_all(file.parent().context("the path of the piece has no folder")?)?;
    std::fs::write(file, score::compose()?)?;
    println!("wrote {}", file.display());
    Ok(())
}

/// Instruments of the piece. They are simple: their partials have closed forms.
const INSTRUMENTS: [&str; 4] = [
    include_str!("../../../assets/demo/bossed_gong.toml"),
    include_str!("../../../assets/demo/piano_wire.toml"),
    include_str!("../../../assets/demo/rosewood_bars.toml"),
    include_str!("../../../assets/demo/orff_metallophone.toml"),
];

fn patch(name: &str) -> Result<Patch> {
    let mut patches = INSTRUMENTS.iter().map(|text| patch_toml::from_toml(text).expect("the presets of the demo are valid"));
    patches.find(|patch| patch.name == name).with_context(|| format!("assets/demo: no instrument has the name {name}"))
}

/// Renders every part with its own instance of the plugin and mixes them.
fn play_piece(host: &Host) -> Result<Stereo> {
    let file = Path::new(score::FILE);
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let performance = Performance::parse(&bytes, RATE)?;
    let notes = performance.tracks.iter().flat_map(|track| &track.notes);
    let last = notes.filter(|note| matches!(note.action, Action::NoteOn { .. })).map(|note| note.frame).max();
    let seconds = last.with_context(|| format!("{} contains no notes", file.display()))? as f64 / RATE + TAIL;
    let mut mix: Stereo = [vec![0.0; (seconds * RATE) as usize], vec![0.0; (seconds * RATE) as usize]];
    for score::PlayedTrack { name, notes } in &performance.tracks {
        let part = PARTS.iter().find(|part| part.preset == name);
        let part = part.with_context(|| format!("{}: no instrument has the name of the track {name}", file.display()))?;
        let mut actions = notes.clone();
        actions.extend(part.automations.iter().flat_map(|automation| automation_steps(&performance, automation)));
        actions.sort_by_key(|action| action.frame);
        let sound = host.play(&patch(name)?, &actions, seconds)?;
        let peak = checks::check_level(name, &sound)?;
        println!("{name}: {} notes, peak {:.1} dBFS", notes.len() / 2, 20.0 * peak.log10());
        let gain = 10f64.powf(part.gain / 20.0) as f32;
        for (mixed, channel) in mix.iter_mut().zip(&sound) {
            ensure!(mixed.len() == channel.len(), "{name}: the plugin rendered {} of {} frames", channel.len(), mixed.len());
            mixed.iter_mut().zip(channel).for_each(|(mixed, sample)| *mixed += gain * sample);
        }
    }
    fade_out(&mut mix);
    Ok(mix)
}

/// Renders three hits on a metal bar, soft to hard, with every contact model. The models follow one another.
fn play_contact_models(host: &Host) -> Result<Stereo> {
    let mut all: Stereo = Default::default();
    for (model, name) in CONTACT_MODELS.iter().enumerate() {
        let mut patch = patch("Orff Metallophone")?;
        patch.settings.set(ParamId::Contact, model as f64);
        let hit = |(i, velocity): (u64, u8)| TimedAction {
            frame: i * (HIT_INTERVAL * RATE) as u64,
            action: Action::NoteOn { key: 69, velocity },
        };
        let hits: Vec<_> = (0..).zip([40, 80, 120]).map(hit).collect();
        let sound = host.play(&patch, &hits, 3.0 * HIT_INTERVAL)?;
        let peak = checks::check_level(name, &sound)?;
        println!("{name}: peak {:.1} dBFS", 20.0 * peak.log10());
        let mut others = all[0].chunks_exact(sound[0].len());
        ensure!(others.all(|other| other != sound[0]), "{name}: the sound equals that of another contact model");
        all.iter_mut().zip(&sound).for_each(|(all, channel)| all.extend(channel));
    }
    Ok(all)
}

/// Steps of an automation every 10 ms, with a constant ratio between neighbours.
fn automation_steps(performance: &Performance, automation: &Automation) -> Vec<TimedAction> {
    let &Automation { parameter, from, to, .. } = automation;
    let (start, end) = (performance.frame(automation.start), performance.frame(automation.end));
    let value = |frame| from * f64::powf(to / from, (frame - start) as f64 / (end - start) as f64);
    let step = |frame| TimedAction { frame, action: Action::SetParameter { parameter, value: value(frame) } };
    (start..=end).step_by((0.01 * RATE) as usize).map(step).collect()
}

fn fade_out(sound: &mut Stereo) {
    let length = (FADE * RATE) as usize;
    for channel in sound {
        for (i, sample) in channel.iter_mut().rev().take(length).enumerate() {
            *sample *= (0.5 * std::f32::consts::PI * i as f32 / length as f32).sin();
        }
    }
}
