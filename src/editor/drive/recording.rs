//! The recording used as drive signal or rolling surface: its waveform and the field for its file.

use std::path::Path;
use std::sync::Arc;

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::button;
use crate::editor::widgets::file_picker;
use crate::editor::widgets::{FileRequest, Kind};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::drive::DriveSample;

/// The kind of file.
const KIND: Kind = Kind { title: "Recording", endings: &["wav"] };
/// Height of the file field, and width of the Remove button [px].
const LINE: f32 = 28.0;
const REMOVE_WIDTH: f32 = 60.0;
/// Samples drawn per pixel.
const SAMPLES_PER_PIXEL: usize = 24;

/// State of the recording field.
pub struct Recording {
    request: FileRequest,
    error: Option<String>,
}

impl Default for Recording {
    fn default() -> Self {
        Self { request: FileRequest::new(KIND), error: None }
    }
}

impl Recording {
    /// Draws `sample` in `rect` and handles input; returns the new sample, or none inside if it was removed.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, sample: Option<&Arc<DriveSample>>) -> Option<Option<Arc<DriveSample>>> {
        let (picture, line) = rect.split_top_bottom_at_y(rect.bottom() - LINE);
        let picture = picture.with_max_y(picture.bottom() - 8.0);
        match (&self.error, sample) {
            (Some(error), _) => file_picker::show_error(ui, picture, error),
            (None, Some(sample)) => wave(&ThemePainter::new(ui), picture, sample),
            (None, None) => {
                let pen = ThemePainter::new(ui);
                let style = (Face::Regular, Size::Text, pen.ink.text2);
                pen.text(picture.center(), Side::Center, "Load a WAV file: up to 10 s, any sample rate.", style);
            }
        }
        let room = if sample.is_some() { line.with_max_x(line.right() - REMOVE_WIDTH - 6.0) } else { line };
        let shown = sample.map(|sample| format!("{}, {:.2} s", sample.name(), sample.len() as f64 / sample.rate()));
        let given = self.request.field(ui, room, shown.as_deref().unwrap_or_default());
        if sample.is_some()
            && button::named(ui, line.with_min_x(line.right() - REMOVE_WIDTH), "Remove recording", "Remove", false).clicked()
        {
            self.error = None;
            return Some(None);
        }
        match read(&given?) {
            Ok(sample) => {
                self.error = None;
                Some(Some(Arc::new(sample)))
            }
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}

/// Reads a recording. Errors: the problem and the remedy.
fn read(file: &Path) -> Result<DriveSample, String> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    DriveSample::read(folder, &name).map_err(|(problem, remedy)| format!("{problem}; {remedy}"))
}

/// The waveform: minimum and maximum of every pixel.
fn wave(pen: &ThemePainter, rect: Rect, sample: &DriveSample) {
    let middle = rect.center().y;
    pen.hline(rect.x_range(), middle, pen.ink.hair);
    let (columns, frames) = (rect.width().max(1.0) as usize, sample.len() as f64);
    for column in 0..columns {
        let value = |style: usize| {
            sample.at(((column * SAMPLES_PER_PIXEL + style) as f64 / (columns * SAMPLES_PER_PIXEL) as f64 * frames).floor())
                as f32
        };
        let (low, high) = (0..SAMPLES_PER_PIXEL).map(value).fold((0.0_f32, 0.0_f32), |(low, high), x| (low.min(x), high.max(x)));
        let x = rect.left() + column as f32 + 0.5;
        let y = |value: f32| middle - 0.5 * rect.height() * value.clamp(-1.0, 1.0);
        pen.line(pos2(x, y(high) - 0.5), pos2(x, y(low) + 0.5), 1.0, pen.ink.force);
    }
    let text = format!("{:.0} Hz", sample.rate());
    pen.text(rect.right_top() + vec2(0.0, 6.0), Side::Right, &text, (Face::Regular, Size::Tick, pen.ink.text3));
}
