//! `export`: records the strokes of a preset and writes an instrument for samplers.

use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::arguments::{LoadedPatch, NumberOption, check_modes, load_patch_and_files, patch, rate};
use crate::commands::parallel::in_parallel;
use crate::io::audio_file::{Dither, integer};
use crate::io::error::{print, print_note};
use crate::io::output_file::{check_distinct, is_standard_output, write_text};
use crate::io::{AudioFile, AudioFormat, Bits, CliError, OutputFolder, PendingFile};
use crate::sampler::sf2::SampleData;
use crate::sampler::sf2_tables::MAX_SAMPLES;
use crate::sampler::{
    KeySelection, Recorder, RecorderLimits, Region, Sample, SampleMap, VelocityLayers, chokes, decent_sampler, plain_name,
    sample_list, sfz,
};
use urto_engine::formats::Origin;
use urto_engine::params::value_text;
use urto_engine::patch::{Patch, origin_of};

/// Folder of the samples.
const SAMPLES: &str = "samples";
/// Keys of a sound without zones: C2 to C7 in minor thirds.
const KEYS: (u8, u8, u8) = (36, 96, 3);
/// Silence before the samples of a SoundFont [s]: players of SoundFonts fade in within 1 ms (the default attack; 64 frames in FluidSynth), which
/// would weaken short strokes by up to 1.5 dB.
const SOUNDFONT_PRE_ROLL: f64 = 1.5e-3;
/// Number of keys.
const ALL_KEYS: u8 = 128;

/// The argument of `--round-robins`.
const ROUND_ROBINS: NumberOption =
    NumberOption { noun: "number of strokes", unit: "", range: 1.0..=32.0, whole: true, example: "3" };
/// The argument of `--max-length`.
const MAX_LENGTH: NumberOption =
    NumberOption { noun: "time", unit: "s", range: 0.05..=120.0, whole: false, example: "20 or 500 ms" };

/// File formats of samplers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SamplerFormat {
    /// SFZ, and a folder of WAV files
    Sfz,
    /// SoundFont 2, one file; each round robin is a preset
    Sf2,
    /// DecentSampler, and a folder of WAV files
    Decentsampler,
    /// A folder of WAV files and a list in CSV
    Wav,
}

/// Records the strokes of a preset and writes an instrument for samplers.
#[derive(Args)]
pub struct Export {
    /// Name of a preset, or a TOML file; `-` is standard input.
    preset: OsString,
    /// Folder of the instrument; it is made if it is missing. Files of the same names are replaced.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Format of the instrument.
    #[arg(long, value_enum, default_value = "sfz")]
    format: SamplerFormat,
    /// Keys that are struck, for example C2-C7/3 or 36,38,42-46; the default is C2-C7/3, of a kit all keys with a zone.
    #[arg(long)]
    keys: Option<KeySelection>,
    /// Number of velocity layers, or a list of velocities such as 40,80,127.
    #[arg(long, default_value = "4")]
    velocities: VelocityLayers,
    /// Strokes on each key at each velocity.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = round_robins, allow_hyphen_values = true)]
    round_robins: usize,
    /// Sample rate, for example 96000 or 44.1kHz.
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = rate, allow_hyphen_values = true)]
    rate: u32,
    /// Bits of a sample; 32 not for sf2.
    #[arg(long, value_enum, default_value = "24")]
    bits: Bits,
    /// Longest sample, for example 20 or 500ms; longer ones are cut off with a fade.
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = max_length, allow_hyphen_values = true)]
    max_length: f64,
    /// Sets a parameter after the preset: position=0.3. May be given several times.
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
}

/// Parses `--round-robins`.
fn round_robins(text: &str) -> Result<usize, String> {
    ROUND_ROBINS.read(text).map(|count| count as usize)
}

/// Parses `--max-length`.
fn max_length(text: &str) -> Result<f64, String> {
    MAX_LENGTH.read(text)
}

/// The recorded samples of one key, or what remains of them once they are written.
struct RecordedKey {
    /// Level of the next softer layer relative to each layer.
    softer: Vec<f64>,
    /// For SoundFont: the channels of all samples as integers.
    channels: Vec<Vec<i32>>,
    /// Frames of all samples.
    frames: usize,
    cut: usize,
}

impl Export {
    /// Exports. Errors: no such preset, invalid options, or a file that cannot be written.
    pub fn run(&self) -> Result<(), CliError> {
        if is_standard_output(&self.output) {
            return Err(CliError::new("several files cannot go to standard output", "give a folder, for example marimba"));
        }
        if self.format == SamplerFormat::Sf2 && self.bits == Bits::Float32 {
            return Err(CliError::new("--bits 32: a SoundFont has no floating point", "give --bits 24 or 16"));
        }
        let LoadedPatch { mut patch, files } = load_patch_and_files(&self.preset)?;
        self.set.iter().try_for_each(|set| patch::set(&mut patch.settings, set))?;
        check_modes(&patch)?;
        let keys = self.audible_keys(&patch)?;
        let mut map = SampleMap::new(&patch, &keys, self.velocities.velocities(), self.round_robins);
        self.check_size(&map)?;
        let outputs = self.outputs(&map);
        let inputs: Vec<_> = files.iter().map(|file| Some(file.as_path())).collect();
        check_distinct(&inputs, &outputs.iter().map(|file| Some(file.as_path())).collect::<Vec<_>>())?;
        let _made = OutputFolder::create(&self.output)?;
        let _samples =
            (self.format != SamplerFormat::Sf2).then(|| OutputFolder::create(&self.output.join(SAMPLES))).transpose()?;
        let recorded = self.record(&patch, &map)?;
        let layers = self.velocities.velocities().len();
        for (region, softer) in map.regions.iter_mut().zip(recorded.iter().flat_map(|key| &key.softer)) {
            region.softer.0 = *softer;
        }
        let (frames, cut) = recorded.iter().fold((0, 0), |(frames, cut), key| (frames + key.frames, cut + key.cut));
        let file = self.write_map(&map, recorded)?;
        if cut > 0 {
            print_note(format_args!("{cut} samples were cut off after {} s, before their sound has ended.", self.max_length));
        }
        print(&format!(
            "{}: {} samples of {} keys and {layers} layers, {:.1} s at {} Hz\n",
            file.display(),
            map.samples(),
            keys.len(),
            frames as f64 / f64::from(self.rate),
            self.rate
        ))
    }

    /// Refuses more samples than the format can hold.
    fn check_size(&self, map: &SampleMap) -> Result<(), CliError> {
        if self.format == SamplerFormat::Sf2 && map.samples() > MAX_SAMPLES {
            let problem = format!("{} samples are more than the {MAX_SAMPLES} that a SoundFont can hold", map.samples());
            return Err(CliError::new(problem, "give fewer --keys, --velocities or --round-robins"));
        }
        Ok(())
    }

    /// The keys to record: those asked for, or all that the preset has, as far as they have a sound.
    fn audible_keys(&self, patch: &Patch) -> Result<Vec<u8>, CliError> {
        let has_sound = |key: &u8| match patch.zones.is_empty() {
            true => urto::body::BodyModes::of_key(patch, *key, f64::from(self.rate)).is_some(),
            false => chokes::zones(patch, *key).next().is_some(),
        };
        let asked = self.keys.clone().unwrap_or_else(|| match patch.zones.is_empty() {
            true => KeySelection::range(KEYS.0, KEYS.1, KEYS.2),
            false => KeySelection::of((0..ALL_KEYS).filter(has_sound).collect()),
        });
        let (keys, silent): (Vec<u8>, Vec<u8>) = asked.keys().iter().partition(|key| has_sound(key));
        if keys.is_empty() {
            let remedy = "give --keys with keys of its zones or of its tuning";
            return Err(CliError::new(format_args!("{}: no key that is asked for has a sound", patch.name), remedy));
        }
        if !silent.is_empty() {
            let list = silent.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
            print_note(format_args!("keys without a sound are left out: {list}."));
        }
        Ok(keys)
    }

    /// All files that the export writes.
    fn outputs(&self, map: &SampleMap) -> Vec<PathBuf> {
        let samples = map.regions.iter().flat_map(|region| &region.files).map(|file| self.output.join(SAMPLES).join(file));
        let has_folder = self.format != SamplerFormat::Sf2;
        samples.filter(|_| has_folder).chain([self.map_file(map)]).collect()
    }

    fn map_file(&self, map: &SampleMap) -> PathBuf {
        let base = plain_name(&map.title.name);
        self.output.join(match self.format {
            SamplerFormat::Sfz => format!("{base}.sfz"),
            SamplerFormat::Sf2 => format!("{base}.sf2"),
            SamplerFormat::Decentsampler => format!("{base}.dspreset"),
            SamplerFormat::Wav => "samples.csv".into(),
        })
    }

    /// Records all keys on all processors, and writes the WAV files of their samples.
    fn record(&self, patch: &Patch, map: &SampleMap) -> Result<Vec<RecordedKey>, CliError> {
        let layers = self.velocities.velocities().len();
        let keys: Vec<(String, &[Region])> =
            map.regions.chunks(layers).map(|regions| (value_text::key_name(regions[0].key), regions)).collect();
        in_parallel(&keys, |(name, _)| name, |(_, regions)| self.record_key(patch, regions)).into_iter().collect()
    }

    /// Records the layers of one key.
    fn record_key(&self, patch: &Patch, regions: &[Region]) -> Result<RecordedKey, CliError> {
        let limits = RecorderLimits { rate: self.rate, max_length: self.max_length };
        let mut recorder = Recorder::new(patch, regions[0].key, limits);
        let mut recorded = RecordedKey { softer: Vec::new(), channels: Vec::new(), frames: 0, cut: 0 };
        let mut softer = if regions[0].velocity > 1 { recorder.level(1) } else { 0.0 };
        for region in regions {
            let strokes = recorder.strokes(region.velocity, region.files.len());
            if strokes.len() < region.files.len() {
                let problem = format!("{}: key {} is silent at velocity {}", patch.name, region.key, region.velocity);
                return Err(CliError::new(problem, "give --keys without it, or harder --velocities"));
            }
            recorded.softer.push((softer / strokes[0].level).min(1.0));
            softer = strokes[0].level;
            for (stroke, file) in strokes.iter().zip(&region.files) {
                recorded.frames += stroke.left.len();
                recorded.cut += usize::from(stroke.is_cut);
                if self.format == SamplerFormat::Sf2 {
                    recorded.channels.extend(self.channels(stroke));
                } else {
                    self.write_sample(&self.output.join(SAMPLES).join(file), stroke, origin_of(patch))?;
                }
            }
        }
        Ok(recorded)
    }

    fn write_sample(&self, path: &Path, stroke: &Sample, origin: Origin) -> Result<(), CliError> {
        let mut file = AudioFile::create(path, self.rate, AudioFormat::choose(path, None, Some(self.bits))?, origin)?;
        file.write(&stroke.left, &stroke.right)?;
        file.publish()
    }

    /// Left and right as integers, after [`SOUNDFONT_PRE_ROLL`].
    fn channels(&self, stroke: &Sample) -> [Vec<i32>; 2] {
        [&stroke.left, &stroke.right].map(|channel| {
            let mut dither = Dither::default();
            let convert = |&x: &f32| match self.bits {
                Bits::Integer16 => integer(x, 16, dither.next()),
                _ => integer(x, 24, 0.0),
            };
            let silence = std::iter::repeat_n(0, (SOUNDFONT_PRE_ROLL * f64::from(self.rate)).ceil() as usize);
            silence.chain(channel.iter().map(convert)).collect()
        })
    }

    fn write_map(&self, map: &SampleMap, recorded: Vec<RecordedKey>) -> Result<PathBuf, CliError> {
        let path = self.map_file(map);
        match self.format {
            SamplerFormat::Sfz => write_text(&path, &sfz::text(map))?,
            SamplerFormat::Decentsampler => write_text(&path, &decent_sampler::text(map))?,
            SamplerFormat::Wav => write_text(&path, &sample_list::text(map))?,
            SamplerFormat::Sf2 => {
                let too_large =
                    |problem: String| CliError::about(&path, problem, "give fewer --keys, --velocities or --round-robins");
                let mut data = SampleData::new(self.bits == Bits::Integer24);
                for channel in recorded.into_iter().flat_map(|key| key.channels) {
                    data.push(&channel).map_err(too_large)?;
                }
                let (pending, file) = PendingFile::create(&path)?;
                let mut file = BufWriter::new(file);
                let written = data.write(map, self.rate, &mut file).and_then(|()| file.flush());
                written.map_err(|error| CliError::unwritable(&path, error))?;
                pending.publish()?;
            }
        }
        Ok(path)
    }
}
