//! The header: pages, preset, undo, A and B, random change, zoom, settings.

use egui::{Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::command::Command;
use crate::editor::param_controls::value_entry;
use crate::editor::preferences::Prefs;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::keys::{Arrows, Value, ValueRequest};
use crate::editor::widgets::{Rule, Side, TARGET, ThemePainter, Way, button, icon, keys, menu, tabs};
use urto_engine::params::{QUALITIES, SWITCH, ZONES};

/// Width of the preset field.
const PRESET: f32 = 296.0;
/// Space between the names of the pages (normal, small window).
const BETWEEN: [f32; 2] = [26.0, 17.0];
/// Left edge of the pages (normal, small window); left edge and width of the preset field in a small window.
const PAGES: [f32; 2] = [136.0, 118.0];
const SMALL_PRESET: [f32; 2] = [446.0, 230.0];

/// State shown in the header.
pub struct HeaderState<'a> {
    /// Names of the pages.
    pub pages: &'a [&'a str],
    /// Name of the preset.
    pub name: &'a str,
    /// Whether the sound differs from the preset.
    pub changed: bool,
    /// Whether the preset is a favourite.
    pub favourite: bool,
    /// Whether the browser is open.
    pub open: bool,
    /// Whether undo and redo are possible.
    pub reach: [bool; 2],
    /// Whether B is the current sound.
    pub second: bool,
    /// Whether the manual is open.
    pub reads: bool,
    /// Whether the computer keyboard plays notes; none in a host.
    pub plays: Option<bool>,
    /// Indices of the choices of quality, MPE and render threads.
    pub chosen: [usize; 3],
    /// Whether the window is small.
    pub small: bool,
}

/// Draws the header. Returns the commands of the user. `page` is the index of the current page.
pub fn show(ui: &Ui, rect: Rect, shown: &HeaderState, page: &mut usize, prefs: &mut Prefs) -> Vec<Command> {
    let painter = ThemePainter::new(ui);
    let mut commands = Vec::new();
    let y = rect.center().y;
    painter.hline(rect.x_range(), rect.bottom(), painter.ink.hair);
    icon::logo(&painter, pos2(rect.left() + 24.0, y));
    let pages = rect.with_min_x(rect.left() + PAGES[usize::from(shown.small)]).with_max_y(rect.bottom());
    let before = *page;
    tabs::spaced(ui, pages, (shown.pages, BETWEEN[usize::from(shown.small)]), page, Rule::Below);
    if *page != before && shown.open {
        commands.push(Command::Close);
    }
    let left = if shown.small { rect.left() + SMALL_PRESET[0] } else { rect.center().x - 0.5 * PRESET + 12.0 };
    let width = if shown.small { SMALL_PRESET[1] } else { PRESET };
    preset(ui, Rect::from_min_size(pos2(left, rect.top() + 11.0), vec2(width, 30.0)), shown, &mut commands);
    let places = Places::new(rect, shown);
    sound_buttons(ui, &places, shown, &mut commands);
    window_buttons(ui, &places, shown, prefs, &mut commands);
    commands
}

/// Areas of the buttons at the right, in the order of keyboard focus. Places that a small window or a host has no use for are empty.
struct Places {
    undo: [Rect; 2],
    both: Rect,
    randomise: Rect,
    amount: Rect,
    zoom: Rect,
    keyboard: Rect,
    manual: Rect,
    settings: Rect,
    /// Positions of the hairlines between the groups.
    lines: Vec<f32>,
}

impl Places {
    /// Lays them out from the right.
    fn new(rect: Rect, shown: &HeaderState) -> Self {
        let (mut right, y) = (rect.right() - 18.0, rect.center().y);
        let mut place = |width: f32, gap: f32| {
            right -= gap;
            let place = Rect::from_center_size(pos2(right - 0.5 * width, y), vec2(width, TARGET));
            right -= width;
            place
        };
        let settings = place(TARGET, 0.0);
        // in a small window these are in the menu
        let (large, gap) = if shown.small { (0.0, 0.0) } else { (1.0, 6.0) };
        let manual = place(large * TARGET, large * 2.0);
        let keyboard = place(if shown.plays.is_some() { large * TARGET } else { 0.0 }, 0.0);
        let zoom = place(large * 52.0, gap);
        let amount = place(large * 46.0, 2.0 * gap);
        let randomise = place(TARGET, 0.0);
        let both = place(58.0, 14.0);
        let redo = place(TARGET, 8.0);
        let undo = [place(TARGET, 0.0), redo];
        let mut lines = vec![randomise.left() - 6.0];
        lines.extend((!shown.small).then_some(zoom.left() - 6.0));
        Self { undo, both, randomise, amount, zoom, keyboard, manual, settings, lines }
    }
}

/// Undo and redo, A and B, random change.
fn sound_buttons(ui: &Ui, places: &Places, shown: &HeaderState, commands: &mut Vec<Command>) {
    let painter = ThemePainter::new(ui);
    for x in &places.lines {
        painter.vline(*x, places.both.center().y - 9.0..=places.both.center().y + 9.0, painter.ink.hair);
    }
    for (forward, name) in [(false, "Undo"), (true, "Redo")] {
        let (at, can) = (places.undo[usize::from(forward)], shown.reach[usize::from(forward)]);
        let pressed = button::bare(ui, at, name).on_hover_text(name).clicked();
        icon::turn(&painter, at.center(), forward, if can { painter.ink.text2 } else { painter.ink.line });
        if pressed && can {
            commands.push(if forward { Command::Redo } else { Command::Undo });
        }
    }
    both(ui, places.both, shown.second, commands);
    if randomise(ui, places.randomise) {
        commands.push(Command::Randomise);
    }
}

/// Amount of random change, zoom, keyboard, manual and settings.
fn window_buttons(ui: &Ui, places: &Places, shown: &HeaderState, prefs: &mut Prefs, commands: &mut Vec<Command>) {
    if !shown.small {
        amount(ui, places.amount, prefs);
        zoom(ui, places.zoom, commands);
    }
    if let Some(on) = shown.plays.filter(|_| !shown.small) {
        let words = "Play notes with the computer keyboard: A W S E D …";
        if toggle(ui, places.keyboard, "Computer keyboard", words, on, icon::keys) {
            commands.push(Command::ToggleKeyboard);
        }
    }
    if !shown.small && toggle(ui, places.manual, "Manual", "Manual (?)", shown.reads, icon::question) {
        commands.push(Command::ToggleManual);
    }
    settings(ui, places.settings, prefs, shown, commands);
}

/// The preset field: previous, favourite, name, next. A click opens the browser.
fn preset(ui: &Ui, rect: Rect, shown: &HeaderState, commands: &mut Vec<Command>) {
    let painter = ThemePainter::new(ui);
    let middle = rect.shrink2(vec2(30.0, 0.0));
    let id = ui.scope_id().with("preset");
    let lit = shown.open || ui.ctx().read_response(id).is_some_and(|response| response.hovered());
    painter.field(rect, if lit { painter.ink.hover } else { painter.ink.raised });
    step_preset(ui, rect, Way::Left, commands);
    let response = ui.interact(middle, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, format!("Preset {}", shown.name)));
    step_preset(ui, rect, Way::Right, commands);
    if response.has_focus() {
        painter.focus(rect, theme::FIELD);
    }
    let y = rect.center().y;
    icon::star(&painter, pos2(rect.left() + 40.0, y - 0.5), 6.0, shown.favourite, painter.ink.text2);
    let name = painter.fitting(shown.name, Face::Medium, Size::Row, rect.width() - 124.0);
    let at = painter.text(pos2(rect.left() + 56.0, y), Side::Left, &name, (Face::Medium, Size::Row, painter.ink.text));
    if shown.changed {
        painter.disc(pos2((at.right() + 17.0).min(rect.right() - 58.0), y), 2.5, painter.ink.text2, 0.0, painter.ink.text2);
    }
    let way = if shown.open { Way::Up } else { Way::Down };
    icon::chevron(&painter, pos2(rect.right() - 40.0, y), way, 3.5, painter.ink.text2);
    if response.clicked() {
        commands.push(Command::ToggleBrowser);
    }
}

/// The button at one end of the preset field `rect`.
fn step_preset(ui: &Ui, rect: Rect, way: Way, commands: &mut Vec<Command>) {
    let (x, step, name) = match way {
        Way::Left => (rect.left() + 15.0, -1, "Previous preset"),
        _ => (rect.right() - 15.0, 1, "Next preset"),
    };
    let target = Rect::from_center_size(pos2(x, rect.center().y), vec2(TARGET, TARGET));
    if button::bare(ui, target, name).on_hover_text(name).clicked() {
        commands.push(Command::StepPreset(step));
    }
    let painter = ThemePainter::new(ui);
    icon::chevron(&painter, target.center(), way, 4.0, painter.ink.text2);
}

/// The A/B switch; a right click, or Ctrl-C with the focus on it, copies to the other.
fn both(ui: &Ui, rect: Rect, second: bool, commands: &mut Vec<Command>) {
    let chosen = usize::from(second);
    if button::segments(ui, rect, "Sound", &["A", "B"], chosen, Hue::Plain) != chosen {
        commands.push(Command::SwitchAb);
    }
    let by_pointer =
        ui.input(|input| input.pointer.secondary_clicked() && input.pointer.interact_pos().is_some_and(|at| rect.contains(at)));
    let focused = ui.memory(|memory| (0..2).any(|i| memory.has_focus(button::segment_id(ui, "Sound", i))));
    let by_keys = focused && ui.input(|input| input.events.contains(&egui::Event::Copy));
    if by_pointer || by_keys {
        commands.push(Command::CopyToOther);
    }
}

fn randomise(ui: &Ui, rect: Rect) -> bool {
    let response = button::bare(ui, rect, "Randomise unlocked parameters").on_hover_text("Randomise unlocked parameters");
    let painter = ThemePainter::new(ui);
    icon::die(&painter, rect.center(), painter.ink.text2);
    response.clicked()
}

/// Draws an icon that is on or off. Returns whether it was clicked.
fn toggle(ui: &Ui, rect: Rect, name: &str, words: &str, on: bool, paint: fn(&ThemePainter, egui::Pos2, egui::Color32)) -> bool {
    let response = button::bare(ui, rect, name);
    response.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Button, true, on, name));
    let painter = ThemePainter::new(ui);
    if on {
        painter.rect(rect, theme::FIELD, painter.ink.text);
    }
    paint(&painter, rect.center(), if on { painter.ink.bg } else { painter.ink.text2 });
    response.on_hover_text(words).clicked()
}

/// The amount of random change: drag the number.
fn amount(ui: &Ui, rect: Rect, prefs: &mut Prefs) {
    let response = ui.interact(rect, ui.scope_id().with("amount"), Sense::click_and_drag());
    for request in keys::requests(ui, &response, Arrows::All) {
        let percent = match request {
            ValueRequest::Step(by) => 100.0 * prefs.chance + by.signum() * by.abs().max(1.0),
            ValueRequest::Number(percent) => percent,
            ValueRequest::Minimum => 1.0,
            ValueRequest::Maximum => 100.0,
            ValueRequest::Default => 100.0 * Prefs::default().chance,
            ValueRequest::Text(_) => continue,
        };
        prefs.chance = (0.01 * percent.round()).clamp(0.01, 1.0);
    }
    let text = format!("{:.0} %", 100.0 * prefs.chance);
    keys::describe(&response, || Value {
        name: "Amount of random change".into(),
        text: text.clone(),
        number: 100.0 * prefs.chance,
        range: [1.0, 100.0],
        step: 1.0,
    });
    if response.dragged() {
        let moved = response.drag_delta();
        prefs.chance = (prefs.chance + f64::from(moved.x - moved.y) / 200.0).clamp(0.01, 1.0);
    }
    let painter = ThemePainter::new(ui);
    let color = if response.hovered() || response.dragged() { painter.ink.text } else { painter.ink.text2 };
    painter.text(rect.right_center() - vec2(6.0, 0.0), Side::Right, &text, (Face::Regular, Size::Text, color));
    if response.has_focus() {
        painter.focus(rect, theme::FIELD);
    }
    response.on_hover_text("Amount of random change: drag to adjust");
}

fn zoom(ui: &Ui, rect: Rect, commands: &mut Vec<Command>) {
    let response = button::bare(ui, rect, "Zoom");
    let painter = ThemePainter::new(ui);
    let text = percent(ui.ctx().zoom_factor());
    painter.text(rect.center(), Side::Center, &text, (Face::Regular, Size::Text, painter.ink.text2));
    menu(&response).show(|ui| zooms(ui, commands));
}

fn percent(factor: f32) -> String {
    format!("{:.0} %", 100.0 * factor)
}

fn zooms(ui: &mut Ui, commands: &mut Vec<Command>) {
    for factor in theme::ZOOMS {
        let text = RichText::new(percent(factor)).font(theme::font(Face::Regular, Size::Text));
        if ui.selectable_label((ui.ctx().zoom_factor() - factor).abs() < 1e-3, text).clicked() {
            commands.push(Command::Zoom(factor));
            ui.close();
        }
    }
}

fn settings(ui: &Ui, rect: Rect, prefs: &Prefs, shown: &HeaderState, commands: &mut Vec<Command>) {
    let response = button::bare(ui, rect, "Settings");
    let painter = ThemePainter::new(ui);
    icon::sliders(&painter, rect.center(), painter.ink.text2);
    menu(&response).width(200.0).show(|ui| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        let theme = if prefs.dark { "Light theme" } else { "Dark theme" };
        if value_entry::entry(ui, theme) {
            commands.push(Command::SetDarkTheme(!prefs.dark));
        }
        if value_entry::entry(ui, if prefs.still { "Full motion" } else { "Reduce motion" }) {
            commands.push(Command::SetReducedMotion(!prefs.still));
        }
        ui.separator();
        let [quality, mpe, render_threads] = shown.chosen;
        choices(ui, "Quality", QUALITIES, quality, |place| commands.push(Command::Quality(place)));
        choices(ui, "MPE", ZONES, mpe, |place| commands.push(Command::Mpe(place)));
        choices(ui, "Render threads", SWITCH, render_threads, |place| commands.push(Command::RenderThreads(place)));
        ui.separator();
        if value_entry::entry(ui, "Show preset folder") {
            commands.push(Command::ShowPresetFolder);
        }
        if value_entry::entry(ui, "Manual") {
            commands.push(Command::ToggleManual);
        }
        if let Some(on) = shown.plays {
            let words = if on { "Use letters as shortcuts" } else { "Play notes with the computer keyboard" };
            if value_entry::entry(ui, words) {
                commands.push(Command::ToggleKeyboard);
            }
        }
        ui.separator();
        ui.horizontal(|ui| zooms(ui, commands));
    });
}

/// The choices of a parameter as a submenu.
fn choices(ui: &mut Ui, name: &str, names: &[&str], chosen: usize, mut choose: impl FnMut(usize)) {
    let font = theme::font(Face::Regular, Size::Text);
    let shown = names.get(chosen).copied().unwrap_or_default();
    ui.menu_button(RichText::new(format!("{name}: {}", shown.to_lowercase())).font(font.clone()), |ui| {
        for (place, name) in names.iter().enumerate() {
            if ui.selectable_label(place == chosen, RichText::new(*name).font(font.clone())).clicked() {
                choose(place);
                ui.close();
            }
        }
    });
}
