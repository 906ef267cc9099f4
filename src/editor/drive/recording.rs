//! The recording that drives, or over which the hammer rolls: its shape, and the file that it comes from.

use std::path::Path;
use std::sync::Arc;

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::button;
use crate::editor::widgets::file_picker;
use crate::editor::widgets::{FileRequest, Kind};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::drive::DriveSample;

/// What is asked for.
const KIND: Kind = Kind { title: "Recording", endings: &["wav"] };
/// Height of the line with the file, and width of the button that takes it away.
const LINE: f32 = 28.0;
const AWAY: f32 = 60.0;
/// Places of the recording behind one pixel of the picture.
const LOOKS: usize = 24;

/// The recording of the page.
pub struct Recording {
    ask: FileRequest,
    trouble: Option<String>,
}

impl Default for Recording {
    fn default() -> Self {
        Self { ask: FileRequest::new(KIND), trouble: None }
    }
}

impl Recording {
    /// Draws `sample` in `rect` and follows the player; another one, or none, if he has chosen so.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, sample: Option<&Arc<DriveSample>>) -> Option<Option<Arc<DriveSample>>> {
        let (picture, line) = rect.split_top_bottom_at_y(rect.bottom() - LINE);
        let picture = picture.with_max_y(picture.bottom() - 8.0);
        match (&self.trouble, sample) {
            (Some(trouble), _) => file_picker::show_error(ui, picture, trouble),
            (None, Some(sample)) => wave(&ThemePainter::new(ui), picture, sample),
            (None, None) => {
                let pen = ThemePainter::new(ui);
                let look = (Face::Regular, Size::Text, pen.ink.text2);
                pen.text(picture.center(), Side::Center, "Load a WAV file: up to 10 s, any rate.", look);
            }
        }
        let room = if sample.is_some() { line.with_max_x(line.right() - AWAY - 6.0) } else { line };
        let shown = sample.map(|sample| format!("{}, {:.2} s", sample.name(), sample.len() as f64 / sample.rate()));
        let given = self.ask.field(ui, room, shown.as_deref().unwrap_or_default());
        if sample.is_some()
            && button::named(ui, line.with_min_x(line.right() - AWAY), "Remove recording", "Remove", false).clicked()
        {
            self.trouble = None;
            return Some(None);
        }
        match read(&given?) {
            Ok(sample) => {
                self.trouble = None;
                Some(Some(Arc::new(sample)))
            }
            Err(trouble) => {
                self.trouble = Some(trouble);
                None
            }
        }
    }
}

/// The recording in a file. Errors: what is wrong with it, and what to do.
fn read(file: &Path) -> Result<DriveSample, String> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    DriveSample::read(folder, &name).map_err(|(problem, remedy)| format!("{problem}; {remedy}"))
}

/// The recording as the range of its values at every pixel.
fn wave(pen: &ThemePainter, rect: Rect, sample: &DriveSample) {
    let middle = rect.center().y;
    pen.hline(rect.x_range(), middle, pen.ink.hair);
    let (columns, frames) = (rect.width().max(1.0) as usize, sample.len() as f64);
    for column in 0..columns {
        let value = |look: usize| sample.at(((column * LOOKS + look) as f64 / (columns * LOOKS) as f64 * frames).floor()) as f32;
        let (low, high) = (0..LOOKS).map(value).fold((0.0_f32, 0.0_f32), |(low, high), x| (low.min(x), high.max(x)));
        let x = rect.left() + column as f32 + 0.5;
        let y = |value: f32| middle - 0.5 * rect.height() * value.clamp(-1.0, 1.0);
        pen.line(pos2(x, y(high) - 0.5), pos2(x, y(low) + 0.5), 1.0, pen.ink.force);
    }
    let text = format!("{:.0} Hz", sample.rate());
    pen.text(rect.right_top() + vec2(0.0, 6.0), Side::Right, &text, (Face::Regular, Size::Tick, pen.ink.text3));
}
