//! A progress bar, drawn only on a terminal.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The progress of a rendering.
pub struct Progress {
    bar: ProgressBar,
    sample_rate: f64,
}

impl Progress {
    /// A bar of `frames` at `sample_rate` [Hz]; without a length if `frames` is `None`.
    pub fn new(frames: Option<u64>, sample_rate: f64) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden(), sample_rate };
        }
        let milliseconds = frames.map(|frames| (1000.0 * frames as f64 / sample_rate) as u64);
        let bar = ProgressBar::with_draw_target(milliseconds, ProgressDrawTarget::stderr());
        let style = if frames.is_some() { "{wide_bar} {percent:>3} %  {msg}" } else { "{spinner} {msg}" };
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, sample_rate }
    }

    /// Shows that `frame` frames are done.
    pub fn update(&self, frame: u64) {
        if !self.bar.is_hidden() {
            let seconds = frame as f64 / self.sample_rate;
            self.bar.set_position((1000.0 * seconds) as u64);
            self.bar.set_message(format!("{seconds:.1} s"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
