//! `render`: plays a MIDI file into a WAV file. The bits depend on the arguments, never on the block size.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use urto_engine::params::BodyKind;
use urto_engine::params::{ParamId, ParamValues};
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, HitPulse};

use crate::commands::render_programs::Programs;
use crate::commands::{params, presets, tune};
use crate::io::Complaint;
use crate::io::Draft;
use crate::io::Progress;
use crate::io::error::{print, tell};
use crate::io::output_file;
use crate::io::{Bits, MOST_FRAMES, Wav};
use crate::io::{midi_file, wav_reader};

/// Frames between two looks whether the sound has ended; counted from frame 0, so that no block size moves the end.
const LOOK: u64 = 1024;
/// Longest automatic tail [s].
const LONGEST_TAIL: u32 = 600;

/// Plays a MIDI file into a WAV file.
#[derive(Args)]
pub struct Render {
    /// MIDI file, format 0 or 1.
    #[arg(value_name = "IN.mid")]
    input: PathBuf,
    /// WAV file, stereo; replaced if it exists.
    #[arg(value_name = "OUT.wav")]
    output: PathBuf,
    /// Name of a built-in preset, or a TOML file.
    #[arg(long, value_name = "NAME|FILE")]
    preset: Option<String>,
    /// Sets a parameter over the preset, in the unit that `params` lists; may be given several times.
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    tuning: tune::Options,
    /// Sample rate.
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = clap::value_parser!(u32).range(4_000..=1_000_000))]
    rate: u32,
    /// Most frames in one go; changes nothing but the speed.
    #[arg(long, value_name = "FRAMES", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    block: u32,
    /// WAV file that pushes the hammer, mono or stereo; needs `drive_gain` above 0.
    #[arg(long, value_name = "IN.wav")]
    drive: Option<PathBuf>,
    /// What follows the last event: `auto` until the sound has ended, or a time in seconds.
    #[arg(long, value_name = "auto|SECONDS", default_value = "auto", allow_negative_numbers = true)]
    tail: Tail,
    /// Writes time, outputs and hits of every frame.
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    /// 32 is floating point.
    #[arg(long, value_enum, default_value_t = Bits::Float32)]
    bits: Bits,
}

/// What follows the last event.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tail {
    Auto,
    Seconds(f64),
}

impl FromStr for Tail {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Tail::Auto);
        }
        match text.parse::<f64>() {
            Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(Tail::Seconds(seconds)),
            _ => Err("give auto or a time from 0 to 86400 s".into()),
        }
    }
}

impl Render {
    /// Renders. Errors: anything wrong with the input or the places to write to; then nothing is left behind.
    pub fn run(&self) -> Result<(), Complaint> {
        let preset = self.preset.as_deref().map(Path::new);
        let [scale, keymap] = self.tuning.files();
        let inputs = [Some(self.input.as_path()), self.drive.as_deref(), preset, scale, keymap];
        output_file::spare(&inputs, &[Some(&self.output), self.trace.as_deref()])?;
        let patch = self.patch()?;
        let song = midi_file::read(&self.input, self.rate)?;
        let mut sounds = std::iter::once(&patch.settings).chain(patch.zones.iter().map(|zone| &zone.settings));
        if !song.has_notes() && !sounds.any(ParamValues::is_driven) {
            let remedy =
                "give a MIDI file with notes, or something that sounds without: --set drive_gain=10 --set drive_source=noise";
            return Err(Complaint::about(&self.input, "there is no note in it", remedy));
        }
        song.remarks.iter().for_each(|remark| tell(format_args!("note: {}: {remark}.", self.input.display())));
        let drive = self.drive.as_deref().map(|file| wav_reader::read(file, self.rate)).transpose()?.unwrap_or_default();
        if !drive[0].is_empty() && patch.settings.get(ParamId::DriveGain) == 0.0 {
            tell("note: the drive is silent while drive_gain is 0; add --set drive_gain=10.");
        }
        let end = self.end(song.last().max(drive[0].len() as u64))?;
        let mut engine = Engine::new(EngineConfig::at(f64::from(self.rate)), &patch);
        let keys = played(&song);
        tell_left_out(&engine, &patch, &keys);
        tell_silent(&engine, &keys);
        let programs = self.programs(&song)?;
        let mut sink = Sink::create(self)?;
        let frames = self.play(&mut engine, (&song, programs), &drive, end, &mut sink)?;
        let peak = sink.publish()?;
        let seconds = frames as f64 / f64::from(self.rate);
        print(&format!("{}: {seconds:.3} s at {} Hz, {}\n", self.output.display(), self.rate, peak_text(peak)))
    }

    fn patch(&self) -> Result<Patch, Complaint> {
        let mut patch = match &self.preset {
            Some(name) => presets::load(name)?,
            None => Patch::default(),
        };
        self.over(&mut patch)?;
        Ok(patch)
    }

    /// Puts what the options say over a preset.
    fn over(&self, patch: &mut Patch) -> Result<(), Complaint> {
        for set in &self.set {
            params::set(&mut patch.settings, set)?;
        }
        self.tuning.over(patch)
    }

    /// The song's program changes, which a preset on the command line outranks.
    fn programs(&self, song: &midi_file::Song) -> Result<Programs, Complaint> {
        if self.preset.is_some() && !song.programs.is_empty() {
            tell("note: the song's program changes are left out; --preset says what plays.");
        }
        let followed = if self.preset.is_none() { &song.programs[..] } else { &[] };
        Programs::new(followed, |patch| self.over(patch))
    }

    /// The frame at which the rendering ends: fixed, or found while rendering.
    fn end(&self, last: u64) -> Result<End, Complaint> {
        let tail = match self.tail {
            Tail::Auto => f64::from(LONGEST_TAIL),
            Tail::Seconds(seconds) => seconds,
        };
        let limit = last.saturating_add((tail * f64::from(self.rate)).round() as u64);
        // An automatic tail is usually short; it is only cut where the file would be full.
        let fixed = if self.tail == Tail::Auto { last } else { limit };
        if fixed > MOST_FRAMES {
            let hours = MOST_FRAMES as f64 / f64::from(self.rate) / 3600.0;
            let remedy = "shorten the song or the tail, or lower the rate";
            return Err(Complaint::about(&self.input, format_args!("longer than a WAV file can hold ({hours:.1} h)"), remedy));
        }
        Ok(End { last, limit: limit.min(MOST_FRAMES), early: self.tail == Tail::Auto })
    }

    /// Renders up to each event, hands it over, renders on. The number of frames.
    fn play(
        &self,
        engine: &mut Engine,
        (song, mut programs): (&midi_file::Song, Programs),
        drive: &[Vec<f32>; 2],
        end: End,
        sink: &mut Sink,
    ) -> Result<u64, Complaint> {
        // A trace tells the frame of every hit.
        let block = if self.trace.is_some() { 1 } else { self.block as usize };
        let [mut left, mut right, mut first, mut second] = [(); 4].map(|()| vec![0.0; block]);
        let mut events = song.events.iter().enumerate().peekable();
        let progress = Progress::new((!end.early).then_some(end.limit), f64::from(self.rate));
        let mut frame = 0;
        loop {
            programs.play(engine, frame, events.peek().map_or(usize::MAX, |(handed, _)| *handed));
            while let Some((handed, timed)) = events.next_if(|(_, timed)| timed.frame <= frame) {
                engine.event(&timed.event);
                programs.play(engine, frame, handed + 1);
            }
            while engine.next_ended().is_some() {}
            let asleep = end.early && frame >= end.last && frame.is_multiple_of(LOOK) && engine.is_asleep();
            if frame >= end.limit || asleep {
                break;
            }
            let ahead = events.peek().map(|(_, timed)| timed.frame).into_iter().chain(programs.next());
            let next = ahead.chain([(frame / LOOK + 1) * LOOK, end.limit]).min().unwrap_or(end.limit);
            let n = block.min((next - frame) as usize);
            let push = [pushed(&drive[0], frame, &mut first[..n]), pushed(&drive[1], frame, &mut second[..n])];
            engine.render(&mut left[..n], &mut right[..n], push);
            sink.write(frame, &left[..n], &right[..n], engine.take_hit().as_ref())?;
            frame += n as u64;
            progress.at(frame);
        }
        drop(progress);
        if end.early && frame >= end.limit && !engine.is_asleep() {
            tell(format_args!("note: cut off while it still sounds, {LONGEST_TAIL} s after the last event."));
        }
        Ok(frame)
    }
}

/// Where a rendering ends.
#[derive(Clone, Copy)]
struct End {
    /// The last frame on which something happens.
    last: u64,
    /// It ends here at the latest.
    limit: u64,
    /// Whether it ends as soon as nothing sounds after `last`.
    early: bool,
}

/// The drive from `frame` on, silence behind its end; empty when there is none at all.
fn pushed<'a>(drive: &[f32], frame: u64, buffer: &'a mut [f32]) -> &'a [f32] {
    if drive.is_empty() {
        return &[];
    }
    let rest = usize::try_from(frame).ok().and_then(|frame| drive.get(frame..)).unwrap_or(&[]);
    let there = rest.len().min(buffer.len());
    buffer[..there].copy_from_slice(&rest[..there]);
    buffer[there..].fill(0.0);
    buffer
}

/// Keys that are played, each once.
fn played(song: &midi_file::Song) -> Vec<u8> {
    let mut played = [false; 128];
    for timed in &song.events {
        if let Event::NoteOn { note, .. } = timed.event {
            played[usize::from(note.key)] = true;
        }
    }
    (0..128).filter(|&key| played[usize::from(key)]).collect()
}

/// Says which keys have no pitch.
fn tell_silent(engine: &Engine, keys: &[u8]) {
    let silent: Vec<_> = keys.iter().filter(|&&key| engine.tuning().hertz(key).is_none()).map(|key| key.to_string()).collect();
    if !silent.is_empty() {
        tell(format_args!("note: keys without a pitch in this tuning are silent: {}.", silent.join(", ")));
    }
}

/// Says which modes of a free list lie above the band at the keys that are played.
fn tell_left_out(engine: &Engine, patch: &Patch, keys: &[u8]) {
    if patch.settings.body_kind() != BodyKind::Modes {
        return;
    }
    let keys = keys.iter().map(|&key| (key, engine.left_out(key)));
    let lost: Vec<_> = keys.filter(|&(_, n)| n > 0).map(|(key, n)| format!("{n} on key {key}")).collect();
    if !lost.is_empty() {
        let name = if patch.name.is_empty() { "the patch" } else { &patch.name };
        tell(format_args!("note: modes of {name} above the audible band are left out: {}.", lost.join(", ")));
    }
}

fn peak_text(peak: f32) -> String {
    if peak > 0.0 { format!("peak {:.1} dBFS", 20.0 * peak.log10()) } else { "silent".into() }
}

/// Where the samples go.
struct Sink {
    wav: Wav,
    trace: Option<Trace>,
    peak: f32,
}

struct Trace {
    draft: Draft,
    file: std::io::BufWriter<std::fs::File>,
    sample_rate: f64,
}

impl Sink {
    fn create(render: &Render) -> Result<Self, Complaint> {
        let wav = Wav::create(&render.output, render.rate, render.bits)?;
        let trace = render.trace.as_deref().map(|place| Trace::create(place, f64::from(render.rate))).transpose()?;
        Ok(Self { wav, trace, peak: 0.0 })
    }

    fn write(&mut self, frame: u64, left: &[f32], right: &[f32], hit: Option<&HitPulse>) -> Result<(), Complaint> {
        self.peak = left.iter().chain(right).fold(self.peak, |peak, sample| peak.max(sample.abs()));
        if let Some(trace) = &mut self.trace {
            trace.write(frame, left[0], right[0], hit)?;
        }
        self.wav.write(left, right)
    }

    /// Completes the files; the highest |sample|.
    fn publish(self) -> Result<f32, Complaint> {
        if let Some(trace) = self.trace {
            trace.publish()?;
        }
        self.wav.publish()?;
        Ok(self.peak)
    }
}

impl Trace {
    fn create(place: &Path, sample_rate: f64) -> Result<Self, Complaint> {
        let (draft, file) = Draft::create(place)?;
        let mut trace = Self { draft, file: std::io::BufWriter::new(file), sample_rate };
        trace.line(format_args!(
            "time,left,right,key,velocity_in,velocity_out,duration,max_compression,peak_force,energy_body,contact_loss"
        ))?;
        Ok(trace)
    }

    /// One row a frame; a hit stands in the row of the frame in which its contact ended.
    fn write(&mut self, frame: u64, left: f32, right: f32, hit: Option<&HitPulse>) -> Result<(), Complaint> {
        let time = frame as f64 / self.sample_rate;
        match hit {
            None => self.line(format_args!("{time},{left},{right},,,,,,,,")),
            Some(HitPulse {
                key,
                velocity_in,
                velocity_out,
                duration,
                max_compression,
                peak_force,
                energy_body,
                energy_contact_loss,
                ..
            }) => self.line(format_args!(
                "{time},{left},{right},{key},{velocity_in},{velocity_out},{duration},{max_compression},{peak_force},\
                 {energy_body},{energy_contact_loss}"
            )),
        }
    }

    fn line(&mut self, line: std::fmt::Arguments) -> Result<(), Complaint> {
        writeln!(self.file, "{line}").map_err(|error| Complaint::unwritable(self.draft.place(), &error))
    }

    fn publish(mut self) -> Result<(), Complaint> {
        self.file.flush().map_err(|error| Complaint::unwritable(self.draft.place(), &error))?;
        self.draft.publish()
    }
}
