//! `render`: renders a MIDI file to a WAV or FLAC file.
//!
//! Program changes of the song load presets during the rendering. The block size does not change the output.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

use crate::arguments::{LoadedPatch, NumberOption, TuningOptions, check_modes, load_patch_and_files, load_program, patch, rate};
use crate::io::error::print_note;
use crate::io::output_file::{check_distinct, check_distinct_files, print_beside, shown};
use crate::io::{
    AudioFile, AudioFormat, Bits, CliError, MAX_FRAMES, PendingFile, ProgramChange, Progress, audio_file, midi_file,
};
use urto::body::BodyModes;
use urto_engine::params::{BodyKind, ParamId, ParamValues};
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, HitPulse, KitPlayer, PreparedBody};

/// Frames between two checks whether the sound has ended; counted from frame 0, so that the end does not depend on the block size.
const END_CHECK_INTERVAL: u64 = 1024;
/// Maximum automatic tail [s].
const MAX_TAIL: u32 = 600;

/// Maximum number of keys that a note lists.
const MAX_LISTED_KEYS: usize = 8;

/// The argument of `--tail`, unless it is `auto`.
const TAIL: NumberOption =
    NumberOption { noun: "time", unit: "s", range: 0.0..=86_400.0, whole: false, example: "2 or 500 ms, or auto" };
/// The argument of `--block`.
const BLOCK: NumberOption =
    NumberOption { noun: "number of frames", unit: "", range: 1.0..=1_048_576.0, whole: true, example: "512" };

/// Renders a MIDI file to a WAV or FLAC file.
#[derive(Args)]
pub struct Render {
    /// MIDI file, format 0 or 1; `-` is standard input.
    #[arg(value_name = "IN.mid")]
    input: PathBuf,
    /// Stereo WAV or FLAC file, as its name says; an existing file is replaced; `-` is standard output.
    #[arg(value_name = "OUT.wav|OUT.flac")]
    output: PathBuf,
    /// Name of a preset, or a TOML file; `-` is standard input.
    #[arg(long, value_name = "NAME|FILE")]
    preset: Option<OsString>,
    /// Sets a parameter after the preset, in the unit that `params` lists or in a given one: hammer_mass=12g. May be given several times.
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    tuning: TuningOptions,
    /// Sample rate, for example 96000 or 44.1kHz.
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = rate, allow_hyphen_values = true)]
    rate: u32,
    /// Block size; does not change the output.
    #[arg(long, value_name = "FRAMES", default_value_t = 512, value_parser = block, allow_hyphen_values = true)]
    block: u32,
    /// WAV file that drives the hammer, mono or stereo; needs `drive_gain` above 0; `-` is standard input.
    #[arg(long, value_name = "IN.wav")]
    drive: Option<PathBuf>,
    /// Time after the last event, for example 2 or 500ms: `auto` renders until the sound has ended.
    #[arg(long, value_name = "auto|SECONDS", default_value = "auto", allow_hyphen_values = true)]
    tail: Tail,
    /// Writes time, outputs and hits of every frame; `-` is standard output.
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    /// Format of the output; without it, FLAC of 24 bits if its name ends in `.flac`, else WAV of 32-bit floating point.
    #[arg(long, value_enum)]
    format: Option<AudioFormat>,
    /// Bits of a sample, in the format that the name of the output says.
    #[arg(long, value_enum, conflicts_with = "format")]
    bits: Option<Bits>,
}

/// The duration of the tail after the last event.
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
        TAIL.read(text).map(Tail::Seconds)
    }
}

/// Parses `--block`.
fn block(text: &str) -> Result<u32, String> {
    BLOCK.read(text).map(|frames| frames as u32)
}

impl Render {
    /// Renders. Errors: invalid input, or a file that cannot be written; then no file is written.
    pub fn run(&self) -> Result<(), CliError> {
        let preset = self.preset.as_deref().map(Path::new);
        let [scale, keymap] = self.tuning.files();
        let inputs = [Some(self.input.as_path()), self.drive.as_deref(), preset, scale, keymap];
        let outputs = [Some(self.output.as_path()), self.trace.as_deref()];
        check_distinct(&inputs, &outputs)?;
        let format = AudioFormat::choose(&self.output, self.format, self.bits)?;
        let LoadedPatch { patch, files } = self.patch()?;
        check_distinct_files(&files, &outputs)?;
        let song = midi_file::read(&self.input, self.rate)?;
        let sounds_alone =
            |settings: &ParamValues| settings.is_driven() || settings.body_kind() == BodyKind::HiHat && song.moves_foot_pedal();
        let mut sources = std::iter::once(&patch.settings).chain(patch.zones.iter().map(|zone| &zone.settings));
        if !song.has_notes() && !sources.any(sounds_alone) {
            let remedy =
                "give a MIDI file with notes, or a drive source, for example --set drive_gain=10 --set drive_source=noise";
            let why = song.remarks.first().map_or_else(String::new, |remark| format!(", and {remark}"));
            return Err(CliError::about(&self.input, format_args!("no notes{why}"), remedy));
        }
        song.remarks.iter().for_each(|remark| print_note(format_args!("{}: {remark}.", self.input.display())));
        let drive = self.drive.as_deref().map(|file| audio_file::read(file, self.rate)).transpose()?.unwrap_or_default();
        if !drive[0].is_empty() && patch.settings.get(ParamId::DriveGain) == 0.0 {
            print_note("the drive is silent while drive_gain is 0; add, for example, --set drive_gain=10.");
        }
        let end = self.end(song.last().max(drive[0].len() as u64))?;
        let mut engine = Engine::new(EngineConfig::at(f64::from(self.rate)), &patch);
        let keys = played_keys(&song);
        let programs = self.programs(&song)?;
        check_distinct_files(&programs.files, &outputs)?;
        let mut output = Output::create(self, format)?;
        note_omitted_modes(&engine, &patch, &keys);
        note_silent_keys(&engine, &keys);
        let frames = self.play(&mut engine, (&song, programs), &drive, end, &mut output)?;
        let peak = output.publish()?;
        let seconds = frames as f64 / f64::from(self.rate);
        let report = format!("{}: {seconds:.3} s at {} Hz, {}\n", shown(&self.output).display(), self.rate, peak_text(peak));
        print_beside(&report, &outputs)
    }

    fn patch(&self) -> Result<LoadedPatch, CliError> {
        let mut loaded = match &self.preset {
            Some(name) => load_patch_and_files(name)?,
            None => LoadedPatch { patch: Patch::default(), files: Vec::new() },
        };
        self.apply_options(&mut loaded.patch)?;
        Ok(loaded)
    }

    /// Applies the options to a preset.
    fn apply_options(&self, patch: &mut Patch) -> Result<(), CliError> {
        for set in &self.set {
            patch::set(&mut patch.settings, set)?;
        }
        check_modes(patch)?;
        self.tuning.apply(patch)
    }

    /// The song's program changes; none with `--preset`.
    fn programs(&self, song: &midi_file::Song) -> Result<ProgramPlayer, CliError> {
        if self.preset.is_some() && !song.programs.is_empty() {
            print_note("the song's program changes are ignored because --preset is given.");
        }
        let followed = if self.preset.is_none() { &song.programs[..] } else { &[] };
        ProgramPlayer::new(followed, |patch| self.apply_options(patch))
    }

    /// The frame at which the rendering ends: given, or found during the rendering.
    fn end(&self, last: u64) -> Result<End, CliError> {
        let tail = match self.tail {
            Tail::Auto => f64::from(MAX_TAIL),
            Tail::Seconds(seconds) => seconds,
        };
        let limit = last.saturating_add((tail * f64::from(self.rate)).round() as u64);
        // An automatic tail is usually short; it is cut only where the file would be full.
        let shortest = if self.tail == Tail::Auto { last } else { limit };
        if shortest > MAX_FRAMES {
            let hours = MAX_FRAMES as f64 / f64::from(self.rate) / 3600.0;
            let remedy = "shorten the song or the tail, or lower --rate";
            return Err(CliError::about(&self.input, format_args!("longer than a WAV file can hold ({hours:.1} h)"), remedy));
        }
        Ok(End { last, limit: limit.min(MAX_FRAMES), is_automatic: self.tail == Tail::Auto })
    }

    /// Renders up to each event and sends it to the engine. Returns the number of frames.
    fn play(
        &self,
        engine: &mut Engine,
        (song, mut programs): (&midi_file::Song, ProgramPlayer),
        drive: &[Vec<f32>; 2],
        end: End,
        output: &mut Output,
    ) -> Result<u64, CliError> {
        // A trace has a row for each frame.
        let block = if self.trace.is_some() { 1 } else { self.block as usize };
        let [mut left, mut right, mut drive_left, mut drive_right] = [(); 4].map(|()| vec![0.0; block]);
        let mut events = song.events.iter().enumerate().peekable();
        let progress = Progress::new((!end.is_automatic).then_some(end.limit), f64::from(self.rate));
        let mut frame = 0;
        loop {
            programs.play(engine, frame, events.peek().map_or(usize::MAX, |(index, _)| *index));
            while let Some((index, timed)) = events.next_if(|(_, timed)| timed.frame <= frame) {
                engine.event(&timed.event);
                programs.play(engine, frame, index + 1);
            }
            while engine.next_ended().is_some() {}
            let has_ended =
                end.is_automatic && frame >= end.last && frame.is_multiple_of(END_CHECK_INTERVAL) && engine.is_asleep();
            if frame >= end.limit || has_ended {
                break;
            }
            let upcoming = events.peek().map(|(_, timed)| timed.frame).into_iter().chain(programs.next_frame());
            let next =
                upcoming.chain([(frame / END_CHECK_INTERVAL + 1) * END_CHECK_INTERVAL, end.limit]).min().unwrap_or(end.limit);
            let n = block.min((next - frame) as usize);
            let signal =
                [drive_block(&drive[0], frame, &mut drive_left[..n]), drive_block(&drive[1], frame, &mut drive_right[..n])];
            engine.render(&mut left[..n], &mut right[..n], signal);
            output.write(frame, &left[..n], &right[..n], engine.take_hit().as_ref())?;
            frame += n as u64;
            progress.update(frame);
        }
        drop(progress);
        if end.is_automatic && frame >= end.limit && !engine.is_asleep() {
            print_note(format_args!("cut off {MAX_TAIL} s after the last event, before the sound has ended."));
        }
        Ok(frame)
    }
}

/// The end of a rendering.
#[derive(Clone, Copy)]
struct End {
    /// Frame of the last event or drive sample.
    last: u64,
    /// Last possible end [frames].
    limit: u64,
    /// Whether the rendering ends when the engine is asleep after `last`.
    is_automatic: bool,
}

/// The drive signal from `frame` on, followed by silence; empty without a drive signal.
fn drive_block<'a>(drive: &[f32], frame: u64, buffer: &'a mut [f32]) -> &'a [f32] {
    if drive.is_empty() {
        return &[];
    }
    let rest = usize::try_from(frame).ok().and_then(|frame| drive.get(frame..)).unwrap_or(&[]);
    let available = rest.len().min(buffer.len());
    buffer[..available].copy_from_slice(&rest[..available]);
    buffer[available..].fill(0.0);
    buffer
}

/// The keys of all notes, each once.
fn played_keys(song: &midi_file::Song) -> Vec<u8> {
    let mut played = [false; 128];
    for timed in &song.events {
        if let Event::NoteOn { note, .. } = timed.event {
            played[usize::from(note.key)] = true;
        }
    }
    (0..128).filter(|&key| played[usize::from(key)]).collect()
}

/// Notes the keys without a pitch.
fn note_silent_keys(engine: &Engine, keys: &[u8]) {
    let silent: Vec<_> = keys.iter().filter(|&&key| engine.tuning().hertz(key).is_none()).map(|key| key.to_string()).collect();
    if !silent.is_empty() {
        print_note(format_args!("keys without a pitch in this tuning are silent: {}.", silent.join(", ")));
    }
}

/// Notes the modes that are above the band limit on the keys of the song.
fn note_omitted_modes(engine: &Engine, patch: &Patch, keys: &[u8]) {
    let rate = engine.config().sample_rate;
    let of_zones = |key: u8| {
        let omitted = patch
            .zones
            .iter()
            .filter_map(|zone| Some(BodyModes::of_key(&zone.sound_in(patch), zone.played_key(key)?, rate)?.omitted));
        omitted.sum()
    };
    let count = |key: u8| if patch.zones.is_empty() { engine.left_out(key) } else { of_zones(key) };
    let omitted: Vec<_> = keys.iter().map(|&key| (key, count(key))).filter(|&(_, n)| n > 0).collect();
    let counts = || omitted.iter().map(|(_, n)| n);
    let (Some(least), Some(most)) = (counts().min(), counts().max()) else { return };
    let name = if patch.name.is_empty() { "the patch" } else { &patch.name };
    let list = if omitted.len() <= MAX_LISTED_KEYS {
        omitted.iter().map(|(key, n)| format!("{n} on key {key}")).collect::<Vec<_>>().join(", ")
    } else {
        format!("{least} to {most} on each of {} keys", omitted.len())
    };
    print_note(format_args!("modes of {name} above the band limit are omitted: {list}."));
}

fn peak_text(peak: f32) -> String {
    if peak > 0.0 { format!("peak {:.1} dBFS", 20.0 * peak.log10()) } else { "silent".into() }
}

/// The output files of a rendering.
struct Output {
    audio: AudioFile,
    trace: Option<Trace>,
    peak: f32,
}

struct Trace {
    pending: PendingFile,
    file: std::io::BufWriter<std::fs::File>,
    sample_rate: f64,
}

impl Output {
    fn create(render: &Render, format: AudioFormat) -> Result<Self, CliError> {
        let audio = AudioFile::create(&render.output, render.rate, format)?;
        let trace = render.trace.as_deref().map(|path| Trace::create(path, f64::from(render.rate))).transpose()?;
        Ok(Self { audio, trace, peak: 0.0 })
    }

    fn write(&mut self, frame: u64, left: &[f32], right: &[f32], hit: Option<&HitPulse>) -> Result<(), CliError> {
        self.peak = left.iter().chain(right).fold(self.peak, |peak, sample| peak.max(sample.abs()));
        if let Some(trace) = &mut self.trace {
            trace.write(frame, left[0], right[0], hit)?;
        }
        self.audio.write(left, right)
    }

    /// Completes the files and returns the highest |sample|.
    fn publish(self) -> Result<f32, CliError> {
        if let Some(trace) = self.trace {
            trace.publish()?;
        }
        self.audio.publish()?;
        Ok(self.peak)
    }
}

impl Trace {
    fn create(path: &Path, sample_rate: f64) -> Result<Self, CliError> {
        let (pending, file) = PendingFile::create(path)?;
        let mut trace = Self { pending, file: std::io::BufWriter::new(file), sample_rate };
        trace.line(format_args!(
            "time,left,right,key,velocity_in,velocity_out,duration,max_compression,peak_force,energy_body,contact_loss"
        ))?;
        Ok(trace)
    }

    /// Writes the row of a frame, with the hit whose contact ended in it.
    fn write(&mut self, frame: u64, left: f32, right: f32, hit: Option<&HitPulse>) -> Result<(), CliError> {
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

    fn line(&mut self, line: std::fmt::Arguments) -> Result<(), CliError> {
        writeln!(self.file, "{line}").map_err(|error| CliError::unwritable(self.pending.path(), &error))
    }

    fn publish(mut self) -> Result<(), CliError> {
        self.file.flush().map_err(|error| CliError::unwritable(self.pending.path(), &error))?;
        self.pending.publish()
    }
}

/// The program changes that are still to come, and their presets.
pub struct ProgramPlayer {
    upcoming: VecDeque<ProgramChange>,
    patches: BTreeMap<u8, Patch>,
    /// The files that were read for them.
    files: Vec<PathBuf>,
    /// A body for which the engine had no room yet.
    refused_body: Option<Box<PreparedBody>>,
    /// A kit player that waits until the one before the last has rung out.
    waiting_kit: Option<Option<Box<KitPlayer>>>,
}

impl ProgramPlayer {
    /// The program changes of a song for which there are presets, each modified by `apply_options`. Errors: a preset that cannot be read,
    /// and those of `apply_options`.
    pub fn new(programs: &[ProgramChange], apply_options: impl Fn(&mut Patch) -> Result<(), CliError>) -> Result<Self, CliError> {
        let (mut patches, mut files) = (BTreeMap::new(), Vec::new());
        for number in programs.iter().map(|program| program.number) {
            if !patches.contains_key(&number)
                && let Some(loaded) = load_program(number)
            {
                let LoadedPatch { mut patch, files: read } = loaded?;
                files.extend(read);
                apply_options(&mut patch)?;
                patches.insert(number, patch);
            }
        }
        let upcoming = programs.iter().filter(|program| patches.contains_key(&program.number)).copied().collect();
        Ok(Self { upcoming, patches, files, refused_body: None, waiting_kit: None })
    }

    /// The frame of the next program change.
    pub fn next_frame(&self) -> Option<u64> {
        self.upcoming.front().map(|program| program.frame)
    }

    /// Loads the program that is due at `frame` after `played` events.
    pub fn play(&mut self, engine: &mut Engine, frame: u64, played: usize) {
        if let Some(body) = self.refused_body.take() {
            self.refused_body = engine.queue_body(body).err();
            engine.install_body();
        }
        if let Some(kit) = self.waiting_kit.take() {
            self.waiting_kit = engine.install_kit(kit).err();
        }
        let is_due = |next: &ProgramChange| next.frame <= frame && next.after <= played;
        while let Some(ProgramChange { number, .. }) = self.upcoming.front().copied().filter(is_due) {
            self.upcoming.pop_front();
            let patch = &self.patches[&number];
            self.refused_body = engine.load(patch, PreparedBody::of(patch)).err();
            self.waiting_kit = engine.install_kit(KitPlayer::of(patch, engine.config().sample_rate)).err();
        }
    }
}
