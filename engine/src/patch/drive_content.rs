//! Drive content: the pattern and the recording of the hammer drive.
//!
//! The recording is mono, of bounded length, 16 bits, normalised to its peak. The text of a patch contains its samples in base64,
//! little-endian:
//!
//! ```toml
//! [drive]
//! pattern = [1, 0, 0, 0, 0.5, 0, 0, 0, 1, 0, 0, 0, 0.5, 0, 0.25, 0]  # levels of 16 steps, -1 to 1
//! sample = "loop.wav"       # in the folder of the preset
//! sample_rate = 48000.0     # Hz; with the data, no file is needed
//! sample_data = "..."       # base64
//! ```

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "import")]
use base64::Engine as _;
#[cfg(feature = "import")]
use base64::prelude::BASE64_STANDARD;

use crate::formats::{Located, TextError, TomlSection, figure};
#[cfg(feature = "import")]
use crate::formats::{WavError, WavFile, system_error::unreadable};
use urto_physics::surface::SurfaceProfile;

/// Steps of a pattern.
pub const STEPS: usize = 16;

/// The default pattern.
pub const PATTERN: [f64; STEPS] = [1.0, 0.0, 0.3, 0.0, 0.6, 0.0, 0.3, 0.4, 1.0, 0.0, 0.3, 0.0, 0.6, 0.2, 0.5, 0.0];

/// Range of the rate of a recording [Hz].
const RATES: (f64, f64) = (1.0, 1e6);

/// Maximum number of frames of a recording: 10.9 s at 48 kHz.
pub const MAX_FRAMES: usize = 1 << 19;

/// Integer value of full scale in a recording.
const FULL_SCALE: f64 = 32_767.0;

/// A pattern and a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveContent {
    /// Level of every step, -1 to 1; negative levels pull.
    pub pattern: [f64; STEPS],
    /// The recording.
    pub sample: Option<Arc<DriveSample>>,
}

impl DriveContent {
    /// The recording as a surface profile.
    pub fn track(&self) -> Option<&SurfaceProfile> {
        self.sample.as_deref().and_then(DriveSample::track)
    }
}

impl Default for DriveContent {
    fn default() -> Self {
        Self { pattern: PATTERN, sample: None }
    }
}

impl DriveContent {
    /// Reads pattern and recording from the section [drive]; a recording without data is looked for in `folder`. Errors: the first
    /// error, with line, key and fix.
    pub fn read(section: &mut TomlSection, folder: Option<&Path>) -> Result<Self, TextError> {
        Ok(Self { pattern: read_pattern(section)?, sample: read_sample(section, folder)?.map(Arc::new) })
    }

    /// Appends the lines of pattern and recording to `text`.
    pub fn write(&self, text: &mut String) {
        let levels: Vec<_> = self.pattern.iter().map(|level| format!("{level:?}")).collect();
        let _ = writeln!(text, "pattern = [{}]", levels.join(", "));
        if let Some(sample) = &self.sample {
            let name = toml::Value::from(sample.name());
            let _ = writeln!(text, "sample = {name}\nsample_rate = {:?}  # Hz", sample.rate());
            #[cfg(feature = "import")]
            let _ = writeln!(text, "sample_data = \"{}\"", sample.data());
        }
    }
}

fn read_pattern(section: &mut TomlSection) -> Result<[f64; STEPS], TextError> {
    let Some(Located { value, place }) = section.numbers("pattern")? else { return Ok(PATTERN) };
    let remedy = format!("give {STEPS} levels from -1 to 1");
    let pattern: [f64; STEPS] = value
        .try_into()
        .map_err(|value: Vec<f64>| place.fault(format!("{} levels are not {STEPS}", value.len()), remedy.clone()))?;
    match pattern.iter().find(|level| !(-1.0..=1.0).contains(*level)) {
        Some(level) => Err(place.fault(format!("the level {} is out of range", figure(*level)), remedy)),
        None => Ok(pattern),
    }
}

fn read_sample(section: &mut TomlSection, folder: Option<&Path>) -> Result<Option<DriveSample>, TextError> {
    let (name, rate, data) = (section.string("sample")?, section.number("sample_rate")?, section.string("sample_data")?);
    if let Some(data) = data {
        let Some(rate) = rate else {
            return Err(section.missing("sample_rate").fault("missing", "give the rate of sample_data in Hz"));
        };
        if !(RATES.0..=RATES.1).contains(&rate.value) {
            let problem = format!("{} is out of range", figure(rate.value));
            return Err(rate.place.fault(problem, format!("give a rate from {} to {} Hz", RATES.0, RATES.1)));
        }
        let name = name.map(|name| name.value).unwrap_or_default();
        let sample = DriveSample::of_data(&name, rate.value, &data.value);
        return sample.map(Some).map_err(|problem| data.place.fault(problem, "import the recording again"));
    }
    let Some(Located { value, place }) = name else { return Ok(None) };
    let Some(folder) = folder else {
        let problem = format!("there is no folder that could contain \"{value}\"");
        return Err(place.fault(problem, "read the preset from its file, or give sample_data"));
    };
    DriveSample::read(folder, &value).map(Some).map_err(|(problem, remedy)| place.fault(problem, remedy))
}

/// The files that reading the text of a patch opens in its folder: the recordings of `[drive]` and of the zones of a kit that the text names
/// without containing their samples. Empty for a text that is no TOML.
pub fn recordings_named_in(text: &str) -> Vec<String> {
    let Ok(patch) = text.parse::<toml::Table>() else { return Vec::new() };
    let zones = patch.get("zone").and_then(toml::Value::as_array).into_iter().flatten().filter_map(|zone| zone.get("drive"));
    let named = |drive: &toml::Value| match drive.get("sample_data") {
        Some(_) => None,
        None => drive.get("sample")?.as_str().map(str::to_owned),
    };
    patch.get("drive").into_iter().chain(zones).filter_map(named).collect()
}

/// A mono recording.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveSample {
    name: String,
    rate: f64,
    steps: Vec<i16>,
    /// The same as a surface profile.
    track: Option<SurfaceProfile>,
}

impl DriveSample {
    /// The recording `frames` at `rate` [Hz], normalised to its peak; `name` is that of the file. `None` if it is silent or longer than
    /// [`MAX_FRAMES`].
    pub fn new(name: &str, rate: f64, frames: &[f32]) -> Option<Self> {
        let peak = frames.iter().fold(0.0, |peak: f64, x| peak.max(f64::from(x.abs())));
        let good = peak > 0.0 && peak.is_finite() && rate >= 1.0 && rate.is_finite() && frames.len() <= MAX_FRAMES;
        let steps = || frames.iter().map(|&x| (f64::from(x) / peak * FULL_SCALE).round() as i16).collect();
        good.then(|| Self::of_steps(name, rate, steps()))
    }

    fn of_steps(name: &str, rate: f64, steps: Vec<i16>) -> Self {
        let heights: Vec<_> = steps.iter().map(|&step| f32::from(step)).collect();
        Self { name: name.to_owned(), rate, steps, track: SurfaceProfile::new(&heights) }
    }

    /// Refuses the WAV file `name`: only the feature `import` reads WAV files.
    #[cfg(not(feature = "import"))]
    pub fn read(_: &Path, name: &str) -> Result<Self, (String, String)> {
        Err((format!("{name}: this build reads no WAV files"), "build with the feature import".into()))
    }

    /// Reads the WAV file `name` in `folder`, mixed to mono. Errors: problem and fix.
    #[cfg(feature = "import")]
    pub fn read(folder: &Path, name: &str) -> Result<Self, (String, String)> {
        let file = folder.join(name);
        let error_at = |problem: String, remedy: &str| (format!("{}: {problem}", file.display()), remedy.to_owned());
        let wave = WavFile::read(&file).map_err(|flaw| match flaw {
            WavError::System(error) => {
                let (problem, remedy) = unreadable(&error);
                error_at(problem, remedy)
            }
            WavError::Content(problem, remedy) => error_at(problem, remedy),
        })?;
        if wave.frames() > MAX_FRAMES {
            let remedy = format!("cut it to {:.1} s", MAX_FRAMES as f64 / f64::from(wave.rate));
            return Err(error_at(format!("{} frames exceed the maximum of {MAX_FRAMES}", wave.frames()), &remedy));
        }
        Self::new(name, f64::from(wave.rate), &wave.mono())
            .ok_or_else(|| error_at("silent".into(), "give a recording that is not silent"))
    }

    /// Refuses a recording in the text of a patch: only the feature `import` reads recordings.
    #[cfg(not(feature = "import"))]
    pub fn of_data(_: &str, _: f64, _: &str) -> Result<Self, String> {
        Err("this build reads no recordings, which need the feature import".into())
    }

    /// The recording with the samples `data` in base64. Errors: the problem.
    #[cfg(feature = "import")]
    pub fn of_data(name: &str, rate: f64, data: &str) -> Result<Self, String> {
        let bytes = BASE64_STANDARD.decode(data).map_err(|error| format!("not base64 ({error})"))?;
        let steps: Vec<_> = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        if !bytes.len().is_multiple_of(2) || steps.is_empty() || steps.len() > MAX_FRAMES {
            return Err(format!("{} bytes are not 1 to {MAX_FRAMES} frames of 2 bytes", bytes.len()));
        }
        Ok(Self::of_steps(name, rate, steps))
    }

    /// The samples in base64.
    #[cfg(feature = "import")]
    pub fn data(&self) -> String {
        let bytes: Vec<u8> = self.steps.iter().flat_map(|step| step.to_le_bytes()).collect();
        BASE64_STANDARD.encode(bytes)
    }

    /// Name of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sample rate [Hz].
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Number of frames, at least 1.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Its frames as the heights of a surface profile; `None` if all are equal.
    pub fn track(&self) -> Option<&SurfaceProfile> {
        self.track.as_ref()
    }

    /// Always false: a recording has at least one frame.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Value at `frame`, full scale 1; the recording is looped, and interpolated by a cubic through four frames (Catmull and Rom 1974).
    pub fn at(&self, frame: f64) -> f64 {
        let whole = frame.floor();
        let (first, part) = (whole.rem_euclid(self.len() as f64) as usize, frame - whole);
        let frame_at = |k: usize| f64::from(self.steps[(first + self.len() + k - 1) % self.len()]);
        let [a, b, c, d] = [frame_at(0), frame_at(1), frame_at(2), frame_at(3)];
        let (slope, bend) = (0.5 * (c - a), 0.5 * (d - b));
        let (cubic, square) = (2.0 * (b - c) + slope + bend, 3.0 * (c - b) - 2.0 * slope - bend);
        (((cubic * part + square) * part + slope) * part + b) / FULL_SCALE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_without_data_are_named() {
        let text = "[drive]\nsample = \"a.wav\"\n[[zone]]\n[zone.drive]\nsample = \"b.wav\"\n[[zone]]\n[zone.drive]\nsample = \"c.wav\"\n\
            sample_rate = 8000.0\nsample_data = \"AAA=\"\n[[zone]]\nname = \"silent\"\n";
        assert_eq!(recordings_named_in(text), ["a.wav", "b.wav"]);
        assert_eq!(recordings_named_in("schema = 2\n"), [""; 0]);
        assert_eq!(recordings_named_in("[drive"), [""; 0]);
    }
}
