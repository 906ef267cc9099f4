//! A recording for the hammer drive: mono, of bounded length, 16 bits, normalised to its peak. The text of a patch contains the samples
//! in base64, little-endian.

use std::path::Path;

#[cfg(feature = "import")]
use base64::{Engine as _, prelude::BASE64_STANDARD};

#[cfg(feature = "import")]
use crate::formats::{WavError, WavFile};
use urto_physics::surface::SurfaceProfile;

/// Maximum number of frames of a recording: 10.9 s at 48 kHz.
pub const MAX_FRAMES: usize = 1 << 19;

/// Integer value of full scale.
const FULL_SCALE: f64 = 32_767.0;

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
            WavError::System(error) => error_at(error.to_string(), "check file and permissions"),
            WavError::Content(problem, remedy) => error_at(problem, remedy),
        })?;
        if wave.frames() > MAX_FRAMES {
            let remedy = format!("cut it to {:.1} s", MAX_FRAMES as f64 / f64::from(wave.rate));
            return Err(error_at(format!("{} frames exceed the maximum of {MAX_FRAMES}", wave.frames()), &remedy));
        }
        Self::new(name, f64::from(wave.rate), &wave.mono()).ok_or_else(|| error_at("silent".into(), "give one with sound"))
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
