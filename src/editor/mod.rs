//! Floor 3: the editor, drawn with egui. Reads the knobs and the snapshots of `link`, writes through the host.

mod choice;
mod entry;
mod knob;
mod meter;
mod plot;
mod scope;
mod strip;
mod tabs;
mod theme;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use egui::{Align2, Context, Rect, Sense, Stroke, Ui, pos2, vec2};
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::LogicalSize;
use nice_plug::editor::{ResizeHint, SizeConstraints};
use nice_plug_egui::{
    EguiEditor, EguiEditorState, EguiNiceSettings, Frame, NiceEguiApp, RepaintNotifier, baseview, create_egui_editor,
};

use self::entry::Entry;
use self::knob::Desk;
use self::meter::Meter;
use self::theme::{Face as Type, Size};
use crate::engine::tuning::key_name;
use crate::engine::{Event, HitPulse, NoteId};
use crate::link::EditorEnd;
use crate::params::Knobs;

/// First size of the window, and the sizes between which it can be drawn [logical pixels].
const SIZE: [f32; 2] = [1160.0, 760.0];
const SMALLEST: [f32; 2] = [900.0, 600.0];
const LARGEST: [f32; 2] = [2560.0, 1600.0];
/// How often the window looks for something new, when nothing moves and while something does.
const IDLE: Duration = Duration::from_millis(100);
const BUSY: Duration = Duration::from_millis(16);
/// The note that a click on the pulse plays, and its softest velocity.
const CLICKED: NoteId = NoteId { voice: None, channel: 0, key: 57 };
const SOFTEST: f64 = 0.1;
/// Height of the ledger with its legend [px].
const LEDGER: f32 = 88.0;
/// Corner by which the window is resized.
const GRIP: f32 = 14.0;

/// Whether every window of the process is to close.
static CLOSING: AtomicBool = AtomicBool::new(false);

/// Closes every window of the process, within a few looks; for a standalone program that has been interrupted.
pub fn close() {
    CLOSING.store(true, Relaxed);
}

/// What is drawn, and what it remembers while the window is open or closed.
pub struct Face {
    knobs: Arc<Knobs>,
    audio: EditorEnd,
    host: Option<GuiContext>,
    hit: Option<HitPulse>,
    meter: Meter,
    sounding: u32,
    entry: Option<Entry>,
    /// Page of the strip.
    page: usize,
    striking: bool,
}

/// The editor for a host to open.
pub fn open(knobs: Arc<Knobs>, audio: EditorEnd, repaint: RepaintNotifier) -> Option<EguiEditor<Face>> {
    let size = |[width, height]: [f32; 2]| LogicalSize::new(width, height);
    let limits = SizeConstraints::Logical { min_size: Some(size(SMALLEST)), max_size: Some(size(LARGEST)) };
    let settings = EguiNiceSettings::new()
        .with_tile("Urto")
        .with_resize_hint(ResizeHint { size_constraints: limits, ..ResizeHint::RESIZABLE });
    let meter = Meter::default();
    let face = Face { knobs, audio, host: None, hit: None, meter, sounding: 0, entry: None, page: 0, striking: false };
    create_egui_editor(EguiEditorState::from_size(size(SIZE), 1.0), repaint, settings, face)
}

impl NiceEguiApp for Face {
    fn build(&mut self, context: Context, host: GuiContext, frame: &mut Frame) -> Result<(), baseview::HandlerError> {
        theme::dress(&context);
        frame.set_clear_color(theme::BG.into());
        self.host = Some(host);
        Ok(())
    }

    fn ui(&mut self, ui: &mut Ui, _: &mut Frame) {
        let Some(host) = self.host.clone() else { return };
        if CLOSING.load(Relaxed) {
            ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close);
        }
        self.look(ui);
        let window = ui.ctx().content_rect();
        ui.painter().rect_filled(window, 0.0, theme::BG);
        let small = window.width() < theme::SMALL[0] || window.height() < theme::SMALL[1];
        let (header, rest) = window.split_top_bottom_at_y(window.top() + theme::HEADER);
        let (rest, footer) = rest.split_top_bottom_at_y(rest.bottom() - theme::FOOTER);
        let (middle, controls) = rest.split_top_bottom_at_y(rest.bottom() - strip::height(small));
        self.header(ui, header);
        self.scope(ui, middle, small);
        let setter = host.param_setter();
        let mut desk = Desk { knobs: &self.knobs, host: &setter, entry: &mut self.entry, small };
        strip::show(ui, controls, &mut desk, &mut self.page, &self.meter);
        self.footer(ui, footer);
        grip(ui, window);
    }

    fn editor_closed(&mut self) {
        (self.host, self.entry) = (None, None);
    }
}

impl Face {
    /// Takes what the audio thread has sent, and asks for the next look.
    fn look(&mut self, ui: &Ui) {
        let levels = self.audio.levels();
        self.meter.follow(&levels, ui.input(|input| input.stable_dt).min(0.1));
        self.sounding = levels.sounding;
        self.hit = self.audio.hit().or(self.hit);
        let moves = levels.sounding > 0 || self.meter.moves();
        ui.ctx().request_repaint_after(if moves { BUSY } else { IDLE });
    }

    fn header(&self, ui: &Ui, rect: Rect) {
        let painter = ui.painter();
        painter.hline(rect.x_range(), rect.bottom(), Stroke::new(theme::HAIRLINE, theme::HAIR));
        logo(painter, pos2(rect.left() + 34.0, rect.center().y));
        let left = pos2(rect.left() + 58.0, rect.center().y);
        painter.text(left, Align2::LEFT_CENTER, "Urto", theme::font(Type::SemiBold, Size::Title), theme::TEXT);
        let name = self.knobs.name();
        let name = if name.is_empty() { "Unnamed patch".to_owned() } else { name };
        painter.text(rect.center(), Align2::CENTER_CENTER, name, theme::font(Type::Medium, Size::Row), theme::TEXT);
    }

    fn scope(&mut self, ui: &mut Ui, rect: Rect, small: bool) {
        let inside = rect.shrink2(vec2(theme::MARGIN, 16.0));
        let hit = self.hit.as_ref();
        let title = hit.map_or_else(|| "No hit yet".to_owned(), |hit| format!("Hit {}", hit.number));
        let font = theme::font(Type::SemiBold, Size::Title);
        let shown = ui.painter().text(inside.min, Align2::LEFT_TOP, title, font, theme::TEXT);
        if let Some(hit) = hit {
            let text = format!("{}   {} substeps", key_name(hit.key).replace('-', "−"), hit.substeps);
            let at = pos2(shown.right() + 14.0, shown.bottom() - 3.0);
            ui.painter().text(at, Align2::LEFT_BOTTOM, text, theme::font(Type::Regular, Size::Text), theme::TEXT2);
        }
        let body = inside.with_min_y(inside.top() + 36.0);
        let (plots, column) = body.split_left_right_at_x(body.right() - (0.27 * body.width()).max(270.0));
        let (pulse, loops) = plots.split_left_right_at_fraction(if small { 1.0 } else { 0.62 });
        scope::pulse(ui.painter(), pulse.with_max_x(pulse.right() - theme::GAP), hit);
        if !small {
            let loops = loops.with_max_x(loops.right() - theme::GAP);
            let (force, velocity) = loops.split_top_bottom_at_fraction(0.5);
            scope::over_compression(ui.painter(), force.with_max_y(force.bottom() - 6.0), hit, scope::Loop::Force);
            scope::over_compression(ui.painter(), velocity.with_min_y(velocity.top() + 6.0), hit, scope::Loop::Velocity);
        }
        let numbers = Rect::from_min_size(column.min, vec2(column.width(), 116.0));
        scope::numbers(ui.painter(), numbers, hit);
        let ledger = Rect::from_min_size(pos2(column.left(), column.bottom() - LEDGER), vec2(column.width(), LEDGER));
        scope::ledger(ui.painter(), ledger, hit);
        self.strike(ui, pulse);
    }

    /// A click on the pulse strikes, harder the lower.
    fn strike(&mut self, ui: &Ui, rect: Rect) {
        let response = ui.interact(rect, ui.scope_id().with("strike"), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, "Strike A3"));
        let down = response.is_pointer_button_down_on();
        // a quick click is over before it has been seen down
        let struck = (down || response.clicked()) && !self.striking;
        if struck {
            let height = response.interact_pointer_pos().map_or(0.5, |at| (at.y - rect.top()) / rect.height());
            let velocity = f64::from(height).clamp(SOFTEST, 1.0);
            self.audio.play(Event::NoteOn { note: CLICKED, velocity });
        }
        if !down && (self.striking || struck) {
            self.audio.play(Event::NoteOff { note: CLICKED, velocity: 0.5 });
        }
        self.striking = down;
    }

    fn footer(&self, ui: &Ui, rect: Rect) {
        let painter = ui.painter();
        painter.rect_filled(rect, 0.0, theme::PANEL);
        painter.hline(rect.x_range(), rect.top(), Stroke::new(theme::HAIRLINE, theme::HAIR));
        let font = theme::font(Type::Regular, Size::Tick);
        let left = pos2(rect.left() + theme::MARGIN, rect.center().y);
        let text = "Drag a knob, Shift for fine, double-click for the default, click a value to type it.";
        painter.text(left, Align2::LEFT_CENTER, text, font.clone(), theme::TEXT3);
        let right = pos2(rect.right() - theme::MARGIN - GRIP, rect.center().y);
        let count = format!("{}", self.sounding);
        let number = theme::font(Type::SemiBold, Size::Tick);
        let shown = painter.text(right, Align2::RIGHT_CENTER, count, number, theme::TEXT);
        painter.text(pos2(shown.left() - 8.0, right.y), Align2::RIGHT_CENTER, "Sounding", font, theme::TEXT3);
    }
}

/// A hammer's head above a bar that gives way.
fn logo(painter: &egui::Painter, at: egui::Pos2) {
    painter.circle_filled(at - vec2(0.0, 5.0), 6.5, theme::FORCE);
    let bar = (0..=20).map(|i| {
        let x = i as f32 / 10.0 - 1.0;
        at + vec2(14.0 * x, 8.0 - 5.0 * x * x)
    });
    painter.line(bar.collect(), Stroke::new(3.0, theme::BODY));
}

/// The corner by which the window is resized.
fn grip(ui: &Ui, window: Rect) {
    let corner = Rect::from_min_max(window.max - vec2(GRIP, GRIP), window.max);
    let response = ui.interact(corner, ui.scope_id().with("grip"), Sense::drag());
    for i in 1..=3 {
        let reach = 4.0 * i as f32;
        let line = [window.max - vec2(reach, 2.0), window.max - vec2(2.0, reach)];
        ui.painter().line_segment(line, Stroke::new(theme::HAIRLINE, theme::LINE));
    }
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(egui::CursorIcon::ResizeNwSe);
    }
    let start = response.id.with("start");
    if response.drag_started() {
        ui.data_mut(|data| data.insert_temp(start, window.size()));
    }
    if response.dragged()
        && let Some(moved) = response.total_drag_delta()
        && let Some(size) = ui.data(|data| data.get_temp::<egui::Vec2>(start))
    {
        let [smallest, largest] = [SMALLEST, LARGEST].map(|[width, height]| vec2(width, height));
        let size = (size + moved).max(smallest).min(largest);
        ui.ctx().send_viewport_cmd(egui::ViewportCommand::InnerSize(size));
    }
}
