//! The output files of a rendering: the mix, its stems and the trace.

use std::io::Write;
use std::path::Path;

use crate::commands::stem_files::{StemFiles, StemPlan, higher_peak, peak_text};
use crate::io::error::print_note;
use crate::io::output_file::shown;
use crate::io::{AudioFile, AudioFormat, CliError, PendingFile};
use urto_engine::patch::{Patch, origin_of};
use urto_engine::{Engine, HitPulse, Meters};

/// The names of the files of a rendering, except for those of stems.
pub struct OutputPaths<'a> {
    /// The mix.
    pub mix: &'a Path,
    /// The trace.
    pub trace: Option<&'a Path>,
}

/// The output files of a rendering.
pub struct Output {
    mix: std::path::PathBuf,
    audio: AudioFile,
    rate: u32,
    trace: Option<Trace>,
    stems: Option<StemFiles>,
    peak: f32,
}

impl Output {
    /// Creates the files for a rendering of `patch` at a rate [Hz] and in a format. Errors: a file that cannot be written.
    pub fn create(
        paths: &OutputPaths,
        stems: Option<&StemPlan>,
        patch: &Patch,
        (rate, format): (u32, AudioFormat),
    ) -> Result<Self, CliError> {
        let audio = AudioFile::create(paths.mix, rate, format, origin_of(patch))?;
        let trace = paths.trace.map(|path| Trace::create(path, f64::from(rate))).transpose()?;
        let stems = stems.map(|plan| StemFiles::create(plan, patch, (rate, format))).transpose()?;
        Ok(Self { mix: paths.mix.into(), audio, rate, trace, stems, peak: 0.0 })
    }

    /// Renders the frames from `frame` on, as many as `left` and `right` have, and writes them.
    pub fn render(
        &mut self,
        engine: &mut Engine,
        frame: u64,
        [left, right]: [&mut [f32]; 2],
        drive: [&[f32]; 2],
    ) -> Result<(), CliError> {
        match &mut self.stems {
            Some(stems) => stems.render(engine, [&mut *left, &mut *right], drive)?,
            None => engine.render(left, right, drive),
        }
        self.peak = higher_peak(self.peak, left, right);
        if let (Some(trace), hit) = (&mut self.trace, engine.take_hit()) {
            trace.write(frame, left[0], right[0], hit.as_ref())?;
        }
        self.audio.write(left, right)
    }

    /// Completes the files of `frames` frames; `meters`: those of the engine. Returns a line about each. Errors: a file that cannot be written.
    pub fn publish(self, frames: u64, meters: &Meters) -> Result<String, CliError> {
        if let Some(trace) = self.trace {
            trace.publish()?;
        }
        self.audio.publish()?;
        let seconds = frames as f64 / f64::from(self.rate);
        let mix = shown(&self.mix).display();
        let report = format!("{mix}: {seconds:.3} s at {} Hz, {}\n", self.rate, peak_text(self.peak));
        let Some(stems) = self.stems else { return Ok(report) };
        if meters.lowest_gain < 1.0 {
            let reduction = -20.0 * meters.lowest_gain.log10();
            print_note(format_args!(
                "the limiter lowers the mix {mix} by up to {reduction:.1} dB; stems are before the limiter: lower level for the same sum."
            ));
        }
        Ok(report + &stems.publish()?)
    }
}

/// The file with a row for each frame.
struct Trace {
    pending: PendingFile,
    file: std::io::BufWriter<std::fs::File>,
    sample_rate: f64,
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
        writeln!(self.file, "{line}").map_err(|error| CliError::unwritable(self.pending.path(), error))
    }

    fn publish(mut self) -> Result<(), CliError> {
        self.file.flush().map_err(|error| CliError::unwritable(self.pending.path(), error))?;
        self.pending.publish()
    }
}
