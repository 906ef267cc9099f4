//! One rendering: a song, played with one preset into its files. The block size does not change the output.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::Ordering;

use clap::Args;

use crate::arguments::{LoadedPatch, NumberOption, TuningOptions, check_modes, load_patch_and_files, patch, rate};
use crate::commands::program_player::{ProgramPlayer, SongPrograms};
use crate::commands::render_notes::{note_omitted_modes, note_silent_keys, played_keys};
use crate::commands::render_output::{Output, OutputPaths};
use crate::commands::stem_files::{StemChoice, StemPlan};
use crate::io::error::print_note;
use crate::io::output_file::{check_distinct, check_distinct_files};
use crate::io::{AudioFormat, Bits, CliError, MAX_FRAMES, Progress, audio_file, midi_file};
use urto::render_threads::{RenderThreads, ThreadPriority, render_pool};
use urto_engine::params::{BodyKind, ParamId, ParamValues};
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig};

/// Frames between two checks whether the sound has ended; counted from frame 0, so that the end does not depend on the block size.
const END_CHECK_INTERVAL: u64 = 1024;
/// Maximum automatic tail [s].
const MAX_TAIL: u32 = 600;

/// The argument of `--tail`, unless it is `auto`.
const TAIL: NumberOption =
    NumberOption { noun: "time", unit: "s", range: 0.0..=86_400.0, whole: false, example: "2 or 500 ms, or auto" };
/// The argument of `--block`.
const BLOCK: NumberOption =
    NumberOption { noun: "number of frames", unit: "", range: 1.0..=1_048_576.0, whole: true, example: "512" };

/// The argument of `--threads`.
const THREADS: NumberOption = NumberOption { noun: "number of threads", unit: "", range: 1.0..=64.0, whole: true, example: "2" };

/// The options of every rendering.
#[derive(Args)]
pub struct RenderOptions {
    /// Sets a parameter after the preset, in the unit that `params` lists or in a given one: hammer_mass=12g. May be given several times.
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    pub tuning: TuningOptions,
    /// Sample rate, for example 96000 or 44.1kHz.
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = rate, allow_hyphen_values = true)]
    pub rate: u32,
    /// Block size; does not change the output.
    #[arg(long, value_name = "FRAMES", default_value_t = 512, value_parser = block, allow_hyphen_values = true)]
    block: u32,
    /// Number of threads, for several files or the zones of a kit; does not change the output. Without it, one for each processor for several files,
    /// and one for a kit.
    #[arg(long, value_name = "COUNT", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<usize>,
    /// WAV file that drives the hammer, mono or stereo; needs `drive_gain` above 0; `-` is standard input.
    #[arg(long, value_name = "IN.wav")]
    pub drive: Option<PathBuf>,
    /// Time after the last event, for example 2 or 500ms: `auto` renders until the sound has ended.
    #[arg(long, value_name = "auto|SECONDS", default_value = "auto", allow_hyphen_values = true)]
    tail: Tail,
    /// Writes time, outputs and hits of every frame; `-` is standard output.
    #[arg(long, value_name = "FILE.csv")]
    pub trace: Option<PathBuf>,
    /// Writes stems beside the mix: a file for each zone of a kit, or for each output that its zones use.
    #[arg(long, value_enum, value_name = "zones|outputs")]
    stems: Option<StemChoice>,
    /// Format of the output; without it, FLAC of 24 bits if its name ends in `.flac`, else WAV of 32-bit floating point.
    #[arg(long, value_enum)]
    pub format: Option<AudioFormat>,
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

/// Parses `--threads`.
fn threads(text: &str) -> Result<usize, String> {
    THREADS.read(text).map(|count| count as usize)
}

/// Parses `--block`.
fn block(text: &str) -> Result<u32, String> {
    BLOCK.read(text).map(|frames| frames as u32)
}

impl RenderOptions {
    fn patch(&self, preset: Option<&OsStr>) -> Result<LoadedPatch, CliError> {
        let mut loaded = match preset {
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
    fn programs(&self, song: &midi_file::Song, preset: Option<&OsStr>) -> Result<SongPrograms, CliError> {
        if preset.is_some() && !song.programs.is_empty() {
            print_note("the song's program changes are ignored because --preset is given.");
        }
        let followed = if preset.is_none() { &song.programs[..] } else { &[] };
        SongPrograms::new(followed, |patch| self.apply_options(patch))
    }

    /// The frame at which the rendering ends: given, or found during the rendering.
    fn end(&self, input: &Path, last: u64) -> Result<End, CliError> {
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
            return Err(CliError::about(input, format_args!("longer than a WAV file can hold ({hours:.1} h)"), remedy));
        }
        Ok(End { last, limit: limit.min(MAX_FRAMES), is_automatic: self.tail == Tail::Auto })
    }
}

/// A song, a preset, and the file of the mix.
#[derive(Clone, Debug)]
pub struct RenderJob {
    /// MIDI file.
    pub input: PathBuf,
    /// Name of a preset, or a file.
    pub preset: Option<OsString>,
    /// The file of the mix.
    pub output: PathBuf,
}

/// A rendering whose inputs have been read and checked.
pub struct Rendering<'a> {
    options: &'a RenderOptions,
    job: RenderJob,
    patch: Patch,
    song: midi_file::Song,
    programs: SongPrograms,
    drive: [Vec<f32>; 2],
    end: End,
    stems: Option<StemPlan>,
    format: AudioFormat,
}

impl<'a> Rendering<'a> {
    /// Reads and checks all inputs of `job`. Errors: invalid input, or outputs that cannot be.
    pub fn prepare(options: &'a RenderOptions, job: RenderJob) -> Result<Self, CliError> {
        let [scale, keymap] = options.tuning.files();
        let preset = job.preset.as_deref();
        let inputs = [Some(job.input.as_path()), options.drive.as_deref(), preset.map(Path::new), scale, keymap];
        let mut outputs = [Some(job.output.as_path()), options.trace.as_deref()].to_vec();
        check_distinct(&inputs, &outputs)?;
        let format = AudioFormat::choose(&job.output, options.format, options.bits)?;
        let LoadedPatch { patch, files } = options.patch(preset)?;
        check_distinct_files(&files, &outputs)?;
        let song = midi_file::read(&job.input, options.rate)?;
        check_sound(&song, &patch, &job.input)?;
        song.remarks.iter().for_each(|remark| print_note(format_args!("{}: {remark}.", job.input.display())));
        let drive = options.drive.as_deref().map(|file| audio_file::read(file, options.rate)).transpose()?.unwrap_or_default();
        if !drive[0].is_empty() && patch.settings.get(ParamId::DriveGain) == 0.0 {
            print_note("the drive is silent while drive_gain is 0; add, for example, --set drive_gain=10.");
        }
        let end = options.end(&job.input, song.last().max(drive[0].len() as u64))?;
        let programs = options.programs(&song, preset)?;
        check_distinct_files(&programs.files, &outputs)?;
        let patches: Vec<_> = std::iter::once(&patch).chain(programs.patches()).collect();
        let stems = options.stems.map(|choice| StemPlan::new(choice, &patches, &job.output)).transpose()?;
        outputs.extend(stems.iter().flat_map(StemPlan::paths).map(Some));
        check_distinct(&inputs, &outputs)?;
        check_distinct_files(&files, &outputs)?;
        check_distinct_files(&programs.files, &outputs)?;
        drop(patches);
        Ok(Self { options, job, patch, song, programs, drive, end, stems, format })
    }

    /// The files that it writes.
    pub fn outputs(&self) -> impl Iterator<Item = &Path> {
        let trace = self.options.trace.as_deref();
        std::iter::once(self.job.output.as_path()).chain(trace).chain(self.stems.iter().flat_map(StemPlan::paths))
    }

    /// The file of the mix as text.
    pub fn name(&self) -> &str {
        self.job.output.to_str().unwrap_or_default()
    }

    /// Renders into the files with `threads` threads, and returns a line about each. Errors: a file that cannot be written; then none is.
    pub fn run(&self, progress: Progress, threads: usize) -> Result<String, CliError> {
        let rate = self.options.rate;
        let mut engine = Engine::new(EngineConfig::at(f64::from(rate)), &self.patch);
        let _threads = self.has_zones().then(|| share_zones(&mut engine, threads));
        let paths = OutputPaths { mix: &self.job.output, trace: self.options.trace.as_deref() };
        let mut output = Output::create(&paths, self.stems.as_ref(), &self.patch, (rate, self.format))?;
        let keys = played_keys(&self.song);
        note_omitted_modes(&engine, &self.patch, &keys);
        note_silent_keys(&engine, &keys);
        let frames = self.play(&mut engine, &mut output, progress)?;
        output.publish(frames, &engine.take_meters())
    }

    /// Whether it plays a kit.
    fn has_zones(&self) -> bool {
        std::iter::once(&self.patch).chain(self.programs.patches()).any(|patch| !patch.zones.is_empty())
    }

    /// Whether the progress of the rendering can be shown as a part of its length.
    pub fn length(&self) -> Option<u64> {
        (!self.end.is_automatic).then_some(self.end.limit)
    }

    /// Renders up to each event and sends it to the engine. Returns the number of frames.
    fn play(&self, engine: &mut Engine, output: &mut Output, progress: Progress) -> Result<u64, CliError> {
        let Self { options, song, drive, end, .. } = self;
        let mut programs = ProgramPlayer::new(&self.programs);
        // A trace has a row for each frame.
        let block = if options.trace.is_some() { 1 } else { options.block as usize };
        let [mut left, mut right, mut drive_left, mut drive_right] = [(); 4].map(|()| vec![0.0; block]);
        let mut events = song.events.iter().enumerate().peekable();
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
            output.render(engine, frame, [&mut left[..n], &mut right[..n]], signal)?;
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

/// Lets `threads` threads, of which this is one, render the zones of kits until the result is dropped.
fn share_zones(engine: &mut Engine, threads: usize) -> RenderThreads {
    let (pool, mut others) = render_pool(threads - 1, ThreadPriority::Normal);
    pool.switch().store(threads > 1, Ordering::Relaxed);
    others.follow_switch();
    engine.set_task_runner(Box::new(pool));
    others
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

/// Refuses a song without notes, unless the patch sounds by itself.
fn check_sound(song: &midi_file::Song, patch: &Patch, input: &Path) -> Result<(), CliError> {
    let sounds_alone =
        |settings: &ParamValues| settings.is_driven() || settings.body_kind() == BodyKind::HiHat && song.moves_foot_pedal();
    let mut sources = std::iter::once(&patch.settings).chain(patch.zones.iter().map(|zone| &zone.settings));
    if song.has_notes() || sources.any(sounds_alone) {
        return Ok(());
    }
    let remedy = "give a MIDI file with notes, or a drive source, for example --set drive_gain=10 --set drive_source=noise";
    let why = song.remarks.first().map_or_else(String::new, |remark| format!(", and {remark}"));
    Err(CliError::about(input, format_args!("no notes{why}"), remedy))
}
