//! The files of stems: one for each zone of a kit, or for each output that its zones use, and one for microphones and room.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::io::error::print_note;
use crate::io::output_file::is_standard_output;
use crate::io::{AudioFile, AudioFormat, CliError};
use urto_engine::params::ParamId;
use urto_engine::patch::{OUTPUTS, Patch, origin_of};
use urto_engine::{Engine, StemSplit, Stems};

/// Maximum number of characters of a name in a file name.
const MAX_NAME: usize = 60;

/// The argument of `--stems`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StemChoice {
    /// One file for each zone of a kit
    Zones,
    /// One file for each output that zones of a kit use
    Outputs,
}

/// A file of a stem.
struct PlannedStem {
    /// Number of the stem.
    number: usize,
    path: PathBuf,
    /// Whether it is written only if it sounds.
    is_optional: bool,
}

/// The stems of a rendering, and the names of their files.
pub struct StemPlan {
    split: StemSplit,
    stems: Vec<PlannedStem>,
}

impl StemPlan {
    /// The stems for the mix `output` of `patches`, the first one and those that the song loads. Errors: no names can be made from that of the output;
    /// a song that loads other zones; a dry signal in the mix.
    pub fn new(choice: StemChoice, patches: &[&Patch], output: &Path) -> Result<Self, CliError> {
        if is_standard_output(output) {
            let remedy = "give the name of a file, for example song.wav; the stems are named after it";
            return Err(CliError::new("--stems: several files cannot go to standard output", remedy));
        }
        if patches.iter().any(|patch| patch.settings.get(ParamId::DryWet) != 1.0) {
            let problem = "--stems: dry_wet below 1 mixes the drive signal into the output, which belongs to no stem";
            return Err(CliError::new(problem, "add --set dry_wet=1"));
        }
        let (split, mut names) = match choice {
            StemChoice::Zones => (StemSplit::Zones, zone_names(patches)?),
            StemChoice::Outputs => (StemSplit::Outputs, output_names(patches)),
        };
        let last = match choice {
            StemChoice::Zones => names.len(),
            StemChoice::Outputs => OUTPUTS,
        };
        names.push((last, "Room".into()));
        let planned =
            |(number, name): (usize, String)| PlannedStem { number, path: beside(output, &name), is_optional: number == last };
        Ok(Self { split, stems: names.into_iter().map(planned).collect() })
    }

    /// The names of the files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.stems.iter().map(|stem| stem.path.as_path())
    }
}

/// Number and name of each zone; of the patch if it has none.
fn zone_names(patches: &[&Patch]) -> Result<Vec<(usize, String)>, CliError> {
    let [patch] = patches else {
        let problem = "--stems zones: the song changes programs, and with them the zones";
        return Err(CliError::new(problem, "give one --preset, or --stems outputs"));
    };
    let names: Vec<&str> =
        if patch.zones.is_empty() { vec![&patch.name] } else { patch.zones.iter().map(|zone| zone.name.as_str()).collect() };
    let numbered = |(i, name): (usize, &str)| (i, format!("{:02} {}", i + 1, file_name(name)).trim_end().to_owned());
    Ok(names.into_iter().enumerate().map(numbered).collect())
}

/// Number and name of each output that the patches use.
fn output_names(patches: &[&Patch]) -> Vec<(usize, String)> {
    let uses = |patch: &&Patch, number: usize| match &patch.zones[..] {
        [] => number == 0,
        zones => zones.iter().any(|zone| usize::from(zone.bus.max(1)) == number + 1),
    };
    let used = (0..OUTPUTS).filter(|&number| patches.iter().any(|patch| uses(patch, number)));
    used.map(|number| (number, format!("Output {}", number + 1))).collect()
}

/// The file `name` beside `output`, with its name before it and its ending.
fn beside(output: &Path, name: &str) -> PathBuf {
    let mix = output.file_stem().unwrap_or_default().to_string_lossy();
    let ending = output.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    output.with_file_name(format!("{mix} {name}{ending}"))
}

/// A name without characters that a file system may refuse, without spaces and dots at its ends, and of at most 60 characters.
pub fn file_name(name: &str) -> String {
    let allowed = |letter: char| letter.is_alphanumeric() || " -_.,+&()'#".contains(letter);
    let letters: String = name.chars().map(|letter| if allowed(letter) { letter } else { '-' }).take(MAX_NAME).collect();
    letters.trim_matches([' ', '.']).to_owned()
}

/// A peak as text.
pub fn peak_text(peak: f32) -> String {
    if peak > 0.0 { format!("peak {:.1} dBFS", 20.0 * peak.log10()) } else { "silent".into() }
}

/// The highest |sample| of both channels, or `peak` if that is higher.
pub fn higher_peak(peak: f32, left: &[f32], right: &[f32]) -> f32 {
    left.iter().chain(right).fold(peak, |peak, sample| peak.max(sample.abs()))
}

/// The open files of stems.
pub struct StemFiles {
    stems: Stems,
    files: Vec<StemFile>,
    format: AudioFormat,
}

struct StemFile {
    number: usize,
    path: PathBuf,
    audio: AudioFile,
    peak: f32,
    is_optional: bool,
}

impl StemFiles {
    /// Creates the files for a rendering of `patch` at a rate [Hz] and in a format. Errors: a file that cannot be written.
    pub fn create(plan: &StemPlan, patch: &Patch, (rate, format): (u32, AudioFormat)) -> Result<Self, CliError> {
        let open = |&PlannedStem { number, ref path, is_optional }: &PlannedStem| {
            let audio = AudioFile::create(path, rate, format, origin_of(patch))?;
            Ok(StemFile { number, path: path.clone(), audio, peak: 0.0, is_optional })
        };
        let files = plan.stems.iter().map(open).collect::<Result<_, CliError>>()?;
        Ok(Self { stems: Stems::new(plan.split, patch, f64::from(rate)), files, format })
    }

    /// Renders the mix into `main`, and writes the stems of the same frames.
    pub fn render(&mut self, engine: &mut Engine, main: [&mut [f32]; 2], drive: [&[f32]; 2]) -> Result<(), CliError> {
        engine.render_stems(main, drive, &mut self.stems);
        let mut sounds = self.stems.sounds().enumerate();
        for file in &mut self.files {
            let Some((_, [left, right])) = sounds.find(|(number, _)| *number == file.number) else { break };
            file.peak = higher_peak(file.peak, left, right);
            file.audio.write(left, right)?;
        }
        Ok(())
    }

    /// Completes the files and returns a line about each. Errors: a file that cannot be written.
    pub fn publish(self) -> Result<String, CliError> {
        let mut report = String::new();
        for StemFile { path, audio, peak, is_optional, .. } in self.files {
            if is_optional && peak == 0.0 {
                continue;
            }
            audio.publish()?;
            if peak > 1.0 && self.format.is_integer() {
                print_note(format_args!("{}: clipped at full scale; give --bits 32, or lower level.", path.display()));
            }
            report += &format!("{}: {}\n", path.display(), peak_text(peak));
        }
        Ok(report)
    }
}
