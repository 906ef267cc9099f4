//! Drive content: the pattern and the recording of the hammer drive. In the text of a patch:
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

use crate::formats::{Located, TextError, TomlSection};
use crate::patch::drive_sample::DriveSample;
use urto_physics::surface::SurfaceProfile;

/// Steps of a pattern.
pub const STEPS: usize = 16;

/// The default pattern.
pub const PATTERN: [f64; STEPS] = [1.0, 0.0, 0.3, 0.0, 0.6, 0.0, 0.3, 0.4, 1.0, 0.0, 0.3, 0.0, 0.6, 0.2, 0.5, 0.0];

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

/// Range of the rate of a recording [Hz].
const RATES: (f64, f64) = (1.0, 1e6);

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
        Some(level) => Err(place.fault(format!("the level {level} is out of range"), remedy)),
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
            let problem = format!("{} is out of range", rate.value);
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
