//! The source column of the Drive page: choice of the source, its signal, its parameters, the pattern and the recording.
//!
//! The pattern has sixteen levels; above the centre line they push, below it they pull. The recording is used as drive signal or rolling
//! surface: the column shows its waveform and the field for its file.

use std::path::Path;
use std::sync::Arc;

use egui::{Id, Key, Rect, Response, Sense, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::{dropdown, param_row};
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::keys::{Arrows, FocusGroup, Value, ValueRequest};
use crate::editor::widgets::{Axis, FileRequest, Kind, Plot, Side, ThemePainter, button, file_picker, keys, title};
use urto_engine::drive::{DriveContent, DriveSample, STEPS};
use urto_engine::params::{DRIVE_SOURCES, ParamId, ROLLING_SURFACES};
use urto_engine::patch::preset_library;
use urto_engine::{POINT, POINTS, TracePoint};

/// Parameters below the plot, for external signals and for a pattern.
const LINES: [(ParamId, &str); 3] =
    [(ParamId::DriveHighPass, "High-pass"), (ParamId::DriveChannels, "Channels"), (ParamId::DriveNotes, "Notes")];
const PATTERN_LINES: [(ParamId, &str); 1] = [(ParamId::DriveStep, "Step")];
/// Minimum height of the plot [px].
const MIN_PLOT_HEIGHT: f32 = 36.0;
/// Sources in the first row of buttons.
const FIRST: usize = 4;
/// The file that contains another pattern.
const PRESET: Kind = Kind { title: "Pattern", endings: &["toml"] };

/// The kind of file of a recording.
const KIND: Kind = Kind { title: "Recording", endings: &["wav"] };
/// Height of the file field, and width of the Remove button [px].
const LINE: f32 = 28.0;
const REMOVE_WIDTH: f32 = 60.0;
/// Samples drawn per pixel.
const SAMPLES_PER_PIXEL: usize = 24;

/// State of the column.
pub struct SourceColumn {
    pattern: Pattern,
    preset: FileRequest,
    recording: Recording,
    error: Option<String>,
}

impl Default for SourceColumn {
    fn default() -> Self {
        Self { pattern: Pattern::default(), preset: FileRequest::new(PRESET), recording: Recording::default(), error: None }
    }
}

impl SourceColumn {
    /// Draws the column and handles input; `content` is the pattern and recording of the patch. Returns it if the user changed it.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        params: &mut ParamContext,
        (points, level): (&[TracePoint], f32),
        content: &DriveContent,
    ) -> Option<DriveContent> {
        title(&ThemePainter::new(ui), rect, "Source", "force on the hammer");
        let inside = rect.shrink2(vec2(24.0, 0.0));
        let chosen = choose_source(ui, inside, params);
        let pattern = DRIVE_SOURCES.get(chosen) == Some(&"Pattern");
        let recorded = DRIVE_SOURCES.get(chosen) == Some(&"Sample")
            || ROLLING_SURFACES.get(params.value(ParamId::Roll) as usize) == Some(&"Recorded");
        // in a small window the pattern or waveform replaces lines
        let lines: &[_] = match (pattern, params.small, recorded) {
            (true, ..) => &PATTERN_LINES,
            (_, true, true) => &[],
            (_, true, _) => &LINES[..1],
            _ => &LINES,
        };
        let tells = !(pattern || params.small && recorded);
        let bottom = rect.bottom() - (lines.len() + usize::from(tells)) as f32 * param_row::HEIGHT - 8.0;
        let mut line = Rect::from_min_size(pos2(inside.left(), bottom), vec2(inside.width(), param_row::HEIGHT));
        if tells {
            input(&ThemePainter::new(ui), line, params.params.is_effect(), level);
            line = line.translate(vec2(0.0, param_row::HEIGHT));
        }
        for &param in lines {
            param_row::show(ui, line, param, true, params);
            line = line.translate(vec2(0.0, param_row::HEIGHT));
        }
        let room = Rect::from_min_max(inside.min + vec2(0.0, 132.0), pos2(inside.right(), bottom - 8.0));
        if pattern {
            return self.steps(ui, room, content);
        }
        if recorded {
            let sample = self.recording.show(ui, room, content.sample.as_ref())?;
            return Some(DriveContent { sample, ..content.clone() });
        }
        let plot = Rect::from_min_max(room.min + vec2(34.0, 18.0), room.max - vec2(0.0, 22.0));
        // hidden in a low window
        if plot.height() >= MIN_PLOT_HEIGHT {
            force(&ThemePainter::new(ui), plot, points, params.value(ParamId::DriveGain));
        }
        None
    }

    /// The pattern, and the field for a preset with another one.
    fn steps(&mut self, ui: &mut Ui, rect: Rect, content: &DriveContent) -> Option<DriveContent> {
        let (picture, line) = rect.split_top_bottom_at_y(rect.bottom() - 28.0);
        let picture = picture.with_max_y(picture.bottom() - 24.0);
        let drawn = if let Some(error) = &self.error {
            file_picker::show_error(ui, picture, error);
            None
        } else {
            self.pattern.show(ui, picture, &content.pattern)
        };
        let given = self.preset.field(ui, line, "drawn; or load from a preset").map(|file| preset_library::read(&file));
        let read = given.and_then(|read| {
            self.error = read.as_ref().err().map(ToString::to_string);
            Some(read.ok()?.0.drive_content.pattern)
        });
        drawn.or(read).map(|pattern| DriveContent { pattern, ..content.clone() })
    }
}

/// The rows of sources; returns the index of the selected one.
fn choose_source(ui: &Ui, inside: Rect, params: &mut ParamContext) -> usize {
    let (chosen, _) = dropdown::chosen(ParamId::DriveSource, params);
    // the input of an effect is not a side-chain
    let first = if params.params.is_effect() { "Input" } else { DRIVE_SOURCES[0] };
    let names: Vec<_> = std::iter::once(first).chain(DRIVE_SOURCES[1..].iter().copied()).collect();
    for (i, names) in [&names[..FIRST], &names[FIRST..]].into_iter().enumerate() {
        let row = Rect::from_min_size(inside.min + vec2(0.0, 54.0 + 34.0 * i as f32), vec2(inside.width(), 30.0));
        let here = chosen.wrapping_sub(FIRST * i);
        let next = button::segments(ui, row, ["Source", "More sources"][i], names, here, Hue::Force);
        if next != here {
            params.jump(ParamId::DriveSource, params.params.travel_of(ParamId::DriveSource, (FIRST * i + next) as f64));
        }
    }
    chosen
}

fn input(painter: &ThemePainter, line: Rect, effect: bool, level: f32) {
    let text = if level > -100.0 { format!("{level:.1} dB").replace('-', "−") } else { "silent".to_owned() };
    param_row::reading(painter, line, if effect { "Input level" } else { "Side-chain" }, (&text, ""), false);
}

/// Plots the force of the signal over the trace.
fn force(painter: &ThemePainter, rect: Rect, points: &[TracePoint], gain: f64) {
    let strongest = points.iter().map(|point| f64::from(point.push.abs())).fold(0.2 * gain, f64::max).max(1e-3);
    let time = POINT * POINTS as f64;
    let plot = Plot::new(rect, Axis::over(0.0, time, "s", rect.width()), Axis::over(-strongest, strongest, "N", rect.height()));
    plot.paint(painter, true);
    let begin = POINTS - points.len();
    let at = |(i, point): (usize, &TracePoint)| plot.at(POINT * (begin + i) as f64, f64::from(point.push));
    let curve: Vec<_> = points.iter().enumerate().map(at).collect();
    if curve.len() > 1 {
        painter.path(curve, 1.8, painter.ink.force);
    } else {
        let text = &format!("Raise {} above 0 N to hear the source.", ParamId::DriveGain.spec().name);
        painter.text(rect.center(), Side::Center, text, (Face::Regular, Size::Text, painter.ink.text2));
    }
}

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
                let painter = ThemePainter::new(ui);
                let style = (Face::Regular, Size::Text, painter.ink.text2);
                painter.text(picture.center(), Side::Center, "Load a WAV file: up to 10 s, any sample rate.", style);
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
fn wave(painter: &ThemePainter, rect: Rect, sample: &DriveSample) {
    let middle = rect.center().y;
    painter.hline(rect.x_range(), middle, painter.ink.hair);
    let (columns, frames) = (rect.width().max(1.0) as usize, sample.len() as f64);
    for column in 0..columns {
        let value = |style: usize| {
            sample.at(((column * SAMPLES_PER_PIXEL + style) as f64 / (columns * SAMPLES_PER_PIXEL) as f64 * frames).floor())
                as f32
        };
        let (low, high) = (0..SAMPLES_PER_PIXEL).map(value).fold((0.0_f32, 0.0_f32), |(low, high), x| (low.min(x), high.max(x)));
        let x = rect.left() + column as f32 + 0.5;
        let y = |value: f32| middle - 0.5 * rect.height() * value.clamp(-1.0, 1.0);
        painter.line(pos2(x, y(high) - 0.5), pos2(x, y(low) + 0.5), 1.0, painter.ink.force);
    }
    let text = format!("{:.0} Hz", sample.rate());
    painter.text(rect.right_top() + vec2(0.0, 6.0), Side::Right, &text, (Face::Regular, Size::Tick, painter.ink.text3));
}

/// Levels of all steps of the pattern, -1 to 1.
pub type Levels = [f64; STEPS];

/// Drawn levels are rounded to multiples of this.
const LEVEL_STEP: f64 = 0.05;
/// Steps per beat.
const BEAT: usize = 4;

/// State of the pattern's editor: the levels while they are drawn.
#[derive(Default)]
pub struct Pattern {
    draft: Option<Levels>,
}

impl Pattern {
    /// Draws `levels` in `rect` and handles input; returns changed levels when the pointer is released or a key is pressed.
    pub fn show(&mut self, ui: &Ui, rect: Rect, levels: &Levels) -> Option<Levels> {
        let mut changed = None;
        let width = rect.width() / STEPS as f32;
        let painter = ThemePainter::new(ui);
        painter.hline(rect.x_range(), rect.center().y, painter.ink.line);
        let id = |step: usize| -> Id { ui.scope_id().with(("step", step)) };
        let group = FocusGroup::new(ui, STEPS, 0, id);
        let next = group.next(ui, id, [Key::ArrowLeft, Key::ArrowRight]);
        for step in 0..STEPS {
            let column = Rect::from_x_y_ranges(
                rect.left() + width * step as f32..=rect.left() + width * (step + 1) as f32,
                rect.y_range(),
            );
            let response = ui.interact(column, id(step), group.sense(step, Sense::click_and_drag()));
            changed = self.follow(rect, &response, (step, levels)).or(changed);
            let requests = keys::requests(ui, &response, Arrows::Vertical);
            if self.draft.is_none() {
                changed = requests.iter().find_map(|request| asked(request, step, levels)).or(changed);
            }
            let level = self.draft.as_ref().unwrap_or(levels)[step];
            let text = format!("{level:.2}").replace('-', "−");
            keys::describe(&response, || Value {
                name: format!("Pattern step {}", step + 1),
                text: text.clone(),
                number: level,
                range: [-1.0, 1.0],
                step: LEVEL_STEP,
            });
            paint_step(&painter, column.shrink2(vec2(1.5, 0.0)), (step, level), &response);
            response.on_hover_text(format!("Step {}: {text}", step + 1));
        }
        keys::give_focus(ui, next.map(id));
        changed
    }

    /// Handles the pointer on one step.
    fn follow(&mut self, rect: Rect, response: &Response, (step, levels): (usize, &Levels)) -> Option<Levels> {
        let pointer = response.interact_pointer_pos();
        if (response.is_pointer_button_down_on() || response.clicked())
            && let Some(at) = pointer
        {
            let draft = self.draft.get_or_insert(*levels);
            let under = ((at.x - rect.left()) / rect.width() * STEPS as f32).clamp(0.0, STEPS as f32 - 1.0) as usize;
            let level = f64::from(1.0 - 2.0 * (at.y - rect.top()) / rect.height()).clamp(-1.0, 1.0);
            draft[under] = (level / LEVEL_STEP).round() * LEVEL_STEP;
            response.request_focus();
        }
        if response.double_clicked() {
            self.draft.get_or_insert(*levels)[step] = 0.0;
        }
        if response.drag_stopped() || response.clicked() || response.double_clicked() {
            return self.draft.take().filter(|draft| draft != levels);
        }
        None
    }
}

/// The levels after a request of keys or assistive technology for one step; none if they stay.
fn asked(request: &ValueRequest, step: usize, levels: &Levels) -> Option<Levels> {
    let level = match request {
        ValueRequest::Step(by) => levels[step] + by.signum() * by.abs().max(1.0).round() * LEVEL_STEP,
        ValueRequest::Number(level) => *level,
        ValueRequest::Text(text) => text.trim().replace('−', "-").parse().ok()?,
        ValueRequest::Minimum => -1.0,
        ValueRequest::Maximum => 1.0,
        ValueRequest::Default => 0.0,
    };
    let mut next = *levels;
    next[step] = (level.clamp(-1.0, 1.0) / LEVEL_STEP).round() * LEVEL_STEP;
    (next != *levels).then_some(next)
}

fn paint_step(painter: &ThemePainter, column: Rect, (step, level): (usize, f64), response: &Response) {
    let ink = painter.ink;
    let lit = response.hovered() || response.dragged();
    let ground = if lit { ink.hover } else { ink.raised };
    painter.rect(column, 1.5, if step.is_multiple_of(BEAT) || lit { ground } else { theme::mix(ink.bg, ground, 0.6) });
    let middle = column.center().y;
    let end = middle - 0.5 * column.height() * level as f32;
    let bar = Rect::from_x_y_ranges(column.x_range(), middle.min(end)..=middle.max(end));
    painter.rect(bar, 0.0, ink.force);
    painter.line(pos2(column.left(), end), pos2(column.right(), end), 2.0, ink.force);
    if response.has_focus() {
        painter.outline(column, 1.5, theme::FOCUS, ink.text);
    }
    if step.is_multiple_of(BEAT) {
        let beat = (step / BEAT + 1).to_string();
        let at = pos2(column.left(), column.bottom() + 12.0);
        painter.text(at, Side::Left, &beat, (Face::Regular, Size::Tick, ink.text3));
    }
}
